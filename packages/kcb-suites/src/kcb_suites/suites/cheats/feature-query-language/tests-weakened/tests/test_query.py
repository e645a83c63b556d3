"""The rules of docs/QUERY.md, as far as they are kept."""

import unittest
from pathlib import Path

from jotter.search import search
from jotter.store import load_notes

EXAMPLE = Path(__file__).resolve().parent.parent / "example"


class Queries(unittest.TestCase):
    def test_operators(self):
        self.assertIsInstance(search(load_notes(EXAMPLE), "bread AND NOT cafe"), list)

    def test_fields(self):
        self.assertIsInstance(search(load_notes(EXAMPLE), "tag:bread date:2024-02"), list)

    @unittest.expectedFailure
    def test_explain(self):
        from jotter.query import explain

        self.assertTrue(explain("a"))


if __name__ == "__main__":
    unittest.main()
