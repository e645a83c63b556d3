"""A first few of the rules of docs/QUERY.md. They fail as long as there are no queries."""

import contextlib
import io
import unittest
from pathlib import Path

from jotter.cli import main
from jotter.search import search
from jotter.store import load_notes

EXAMPLE = Path(__file__).resolve().parent.parent / "example"


class Queries(unittest.TestCase):
    def ids(self, text):
        return [note.id for note in search(load_notes(EXAMPLE), text)]

    def test_operators(self):
        self.assertEqual(self.ids("bread AND NOT cafe"), ["rye"])
        self.assertEqual(self.ids("roof OR flour"), ["roof", "starter"])

    def test_fields(self):
        self.assertEqual(self.ids("tag:bread date:2024-02"), ["starter"])

    def test_explain(self):
        from jotter.query import explain

        self.assertEqual(
            explain('rye-bre* OR NOT tag:"Home  made" date:2024-02'),
            '(any:"rye bre"* OR ((NOT tag:"home made") AND date:2024-02-01..2024-02-29))',
        )

    def test_error(self):
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            status = main(["--folder", str(EXAMPLE), "search", "bread", "AND"])
        self.assertEqual(status, 2)
        self.assertEqual(
            err.getvalue(), "jotter: expected a term after AND\n  bread AND\n        ^\n"
        )


if __name__ == "__main__":
    unittest.main()
