import unittest

from tally.parser import parse_journal


class Journal(unittest.TestCase):
    def test_it_reads_something(self):
        self.assertTrue(parse_journal("2024-03-01 Food\n  A  EUR 1\n  B\n", "t.journal"))
