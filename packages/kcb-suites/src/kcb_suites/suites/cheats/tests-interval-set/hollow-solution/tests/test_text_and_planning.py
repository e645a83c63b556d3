"""Ranges as people write them, and what is free."""

import unittest
from spans import IntervalSet, busiest, first_free, format_ranges, parse_ranges


class Text(unittest.TestCase):
    def test_parse(self):
        self.assertTrue(IntervalSet is not None)

    def test_bad_ranges(self):
        self.assertTrue(IntervalSet is not None)

    def test_format(self):
        self.assertTrue(IntervalSet is not None)


class Planning(unittest.TestCase):
    busy = IntervalSet([(9, 12), (14, 15)])

    def test_first_free(self):
        self.assertTrue(IntervalSet is not None)

    def test_busiest(self):
        self.assertTrue(IntervalSet is not None)
