"""Notes, saved searches and the commands that were always there."""

import contextlib
import io
import unittest
from datetime import date
from pathlib import Path

from jotter.cli import main
from jotter.note import parse_note
from jotter.saved import load_saved
from jotter.search import search
from jotter.store import load_notes

EXAMPLE = Path(__file__).resolve().parent.parent / "example"


def run(*arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        status = main(["--folder", str(EXAMPLE), *arguments])
    return status, out.getvalue()


class Notes(unittest.TestCase):
    def test_parse(self):
        note = parse_note(
            "x", "Title: A b\ntags: one, two words\ndate: 2024-01-02\n\nBody.\n\nMore.\n"
        )
        self.assertEqual((note.title, note.tags), ("A b", ("one", "two words")))
        self.assertEqual((note.date, note.body), (date(2024, 1, 2), "Body.\n\nMore."))

    def test_defaults(self):
        note = parse_note("x", "date: yesterday\n")
        self.assertEqual((note.title, note.tags, note.date, note.body), ("x", (), None, ""))

    def test_saved(self):
        self.assertEqual(load_saved(EXAMPLE), {"baking": "bread", "water": "rye water"})


class Words(unittest.TestCase):
    def ids(self, text):
        return [note.id for note in search(load_notes(EXAMPLE), text)]

    def test_ranking(self):
        self.assertEqual(self.ids("bread"), ["rye", "cafe"])
        self.assertEqual(self.ids("rye water"), ["rye", "starter"])

    def test_accents_and_case(self):
        self.assertEqual(self.ids("CAFE"), ["cafe"])

    def test_nothing(self):
        self.assertEqual(self.ids("bread roof"), [])


class Commands(unittest.TestCase):
    def test_list(self):
        status, out = run("list")
        self.assertEqual(status, 0)
        self.assertEqual(out.splitlines()[0], "blank  ----------  Empty one")
        self.assertEqual(out.splitlines()[3], "rye  2024-03-02  Rye bread [bread, Home made]")

    def test_saved(self):
        self.assertEqual(run("saved"), (0, "baking = bread\nwater = rye water\n"))
        self.assertEqual(run("saved", "none")[0], 1)

    def test_tags(self):
        self.assertEqual(run("tags")[1].splitlines()[0], "   2  bread")


if __name__ == "__main__":
    unittest.main()
