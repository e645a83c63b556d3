"""Everything can be called."""

import unittest

from spans import IntervalSet, busiest, first_free, format_ranges, parse_ranges


class All(unittest.TestCase):
    def test_nothing_is_raised(self):
        s = parse_ranges("1-3, 7, 10-12")
        for value in (
            s | s, s & s, s - s, s ^ s, s.gaps(), s.shift(1), s.grow(1), s.chunks(2), s.size,
            s.complement(0, 20), s.clip(2, 8), s.at(0), s.nearest(5), s.find(2), repr(s), hash(s),
            format_ranges(s), first_free(s, 1, 0, 20), busiest([s]),
        ):  # fmt: skip
            self.assertIsNotNone(value)
        self.assertIsInstance(s, IntervalSet)
