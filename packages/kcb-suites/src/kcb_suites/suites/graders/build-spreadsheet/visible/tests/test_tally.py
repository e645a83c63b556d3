import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parent.parent


def tally(*arguments, stdin=""):
    return subprocess.run(
        [sys.executable, "-m", "tally", *arguments],
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=20,
    )


class Calculating(unittest.TestCase):
    def test_the_example(self):
        run = tally("calc", "examples/budget.csv")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(
            run.stdout.splitlines(),
            [
                "Item,Price,Pieces,Total",
                "Chairs,49.9,12,598.8",
                "Tables,120,3,360",
                '"Lamps, small",15.25,8,122',
                ",,,",
                "Sum,,23,1080.8",
                "Mean,,,360.27",
            ],
        )

    def test_standard_input(self):
        run = tally("get", "-", "A1:B1", "c1", stdin="1,=A1+1,\"=A1&\"\" is one\"\"\"\n")
        self.assertEqual(run.stdout, "A1: 1\nB1: 2\nC1: 1 is one\n")

    def test_errors(self):
        run = tally("check", "-", stdin="=1/0,=B1,=A1+1,\"=IFERROR(A1,0)\"\n")
        self.assertEqual(run.stdout, "A1: #DIV/0!\nB1: #CYCLE!\nC1: #DIV/0!\n")
        self.assertEqual(run.returncode, 1)


class Changing(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = Path(self.folder.name, "sheet.csv")

    def test_set(self):
        self.file.write_text("1,2\n")
        run = tally("set", str(self.file), "B2", "=A1+B1")
        self.assertEqual((run.returncode, run.stdout), (0, ""))
        self.assertEqual(self.file.read_text(), "1,2\n,=A1+B1\n")

    def test_copy(self):
        self.file.write_text("1,=A1*$A$1\n2,\n")
        tally("copy", str(self.file), "B1", "B2")
        self.assertEqual(self.file.read_text(), "1,=A1*$A$1\n2,=A2*$A$1\n")

    def test_insert_and_delete(self):
        self.file.write_text("1\n2\n=sum( A1:A2 )\n=A2\n")
        tally("insert", str(self.file), "rows", "2")
        self.assertEqual(self.file.read_text(), "1\n\n2\n=sum( A1:A3 )\n=A3\n")
        tally("delete", str(self.file), "rows", "2", "2")
        self.assertEqual(self.file.read_text(), "1\n=sum( A1:A1 )\n=#REF!\n")
