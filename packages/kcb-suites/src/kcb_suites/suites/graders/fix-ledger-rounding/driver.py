"""Plays tally commands; a question is ``[journal, rates, command]``."""

import contextlib
import io
from pathlib import Path

from tally.cli import main


def answer(question):
    """Status, output and errors of one command."""
    journal, rates, command = question
    Path("hidden.journal").write_text(journal, "utf-8")
    Path("hidden.rates").write_text(rates, "utf-8")
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(command)
    return [status, out.getvalue(), err.getvalue()]
