"""The example of the README. All other tests are still to be written."""

import unittest

from spans import IntervalSet, first_free


class Example(unittest.TestCase):
    def test_busy_hours(self):
        busy = IntervalSet([(9, 11), (10, 12), (14, 15)])
        self.assertEqual(busy.intervals, ((9, 12), (14, 15)))
        self.assertEqual(busy.complement(8, 18), IntervalSet([(8, 9), (12, 14), (15, 18)]))
        self.assertEqual(first_free(busy, 2, 8, 18), 12)
