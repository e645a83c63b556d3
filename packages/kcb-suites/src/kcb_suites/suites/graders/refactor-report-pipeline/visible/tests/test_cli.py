"""The command."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from stockreport.cli import main


class Command(unittest.TestCase):
    def run_on(self, log, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log"
            path.write_text(log, "utf-8")
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = main([*arguments, str(path)])
        return status, out.getvalue(), err.getvalue()

    def test_good(self):
        status, out, _ = self.run_on("2024-01-01;in;a;1;1\n", "--form", "csv", "--by", "day")
        self.assertEqual(status, 0)
        self.assertEqual(out.splitlines()[1], "2024-01-01,1,0,0,1,-,1.00")

    def test_mistake(self):
        status, out, _ = self.run_on("x\n", "--no-problems")
        self.assertEqual(status, 1)
        self.assertNotIn("Problems", out)

    def test_wrong_option(self):
        self.assertEqual(
            self.run_on("", "--top", "0"), (2, "", "stockreport: top must be at least 1\n")
        )


if __name__ == "__main__":
    unittest.main()
