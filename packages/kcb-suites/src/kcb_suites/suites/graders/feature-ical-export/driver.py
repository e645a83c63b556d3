"""Plays dayplan commands; a question is ``[plan, arguments]``."""

import contextlib
import io
from pathlib import Path

from dayplan.cli import main

OUT = Path("hidden.ics")


def answer(question):
    """Status, output, errors, and what was written to OUT."""
    plan, arguments = question
    Path("hidden.plan").write_text(plan, "utf-8")
    OUT.unlink(missing_ok=True)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    written = OUT.read_bytes().decode() if OUT.exists() else None
    return [status, out.getvalue(), err.getvalue(), written]
