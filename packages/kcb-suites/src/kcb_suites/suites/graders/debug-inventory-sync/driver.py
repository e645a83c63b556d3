"""Plays stockroom commands in a folder of their own; a question is a list of steps."""

import contextlib
import io
import os
import tempfile
from pathlib import Path

from stockroom.cli import main


def answer(steps):
    """Status, output and errors of the last of the steps ``[files, command]``."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            said = None
            for files, command in steps:
                for name, text in files.items():
                    Path(name).write_bytes(text.encode())
                said = play(command)
            return said
        finally:
            os.chdir(before)


def play(command):
    """One command."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(command)
    return [status, out.getvalue(), err.getvalue()]
