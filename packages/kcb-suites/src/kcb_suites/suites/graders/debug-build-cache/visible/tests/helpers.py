"""A project in a folder of its own."""

import contextlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from kiln.cli import main


class ProjectCase(unittest.TestCase):
    """Has a folder, and ways to write to it and to call kiln on it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def read(self, name):
        return (self.folder / name).read_text()

    def project(self, targets, env=()):
        self.write("kiln.json", json.dumps({"env": list(env), "targets": targets}))

    def kiln(self, *arguments, **variables):
        """The exit status and what was printed."""
        out = io.StringIO()
        environ = {"PATH": os.environ["PATH"], **variables}
        with (
            mock.patch.dict(os.environ, environ, clear=True),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            status = main(["--project", str(self.folder), *arguments])
        return status, out.getvalue()
