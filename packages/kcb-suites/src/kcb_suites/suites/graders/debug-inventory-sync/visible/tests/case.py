"""A folder of its own for each test, and commands that are played in it."""

import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path

from stockroom.cli import main

HEAD = "kind,sku,name,quantity,at,ref\n"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def play(self, *argv):
        """Status, output and errors of a command."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(list(argv))
        return status, out.getvalue(), err.getvalue()

    def sync(self, *rows, site="north", name="north.csv"):
        Path(name).write_text(f"# site: {site}\n{HEAD}" + "".join(f"{row}\n" for row in rows))
        return self.play("sync", "state", name)

    def orders(self, *lines):
        Path("orders").write_text("".join(f"{line}\n" for line in lines))
        return self.play("orders", "state", "orders")

    def exported(self):
        _, out, _ = self.play("export", "state")
        return dict(line.split(",") for line in out.splitlines()[1:])
