"""Reports about the example."""

import unittest
from pathlib import Path

from stockreport import make_report

LOG = (Path(__file__).resolve().parent.parent / "example/march.log").read_text("utf-8")


class Reports(unittest.TestCase):
    def test_text(self):
        self.assertTrue(make_report(LOG))

    def test_csv(self):
        self.assertIn("item", make_report(LOG, form="csv"))


if __name__ == "__main__":
    unittest.main()
