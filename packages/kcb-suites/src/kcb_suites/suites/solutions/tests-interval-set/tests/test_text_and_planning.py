"""Ranges as people write them, and what is free."""

import unittest

from spans import IntervalSet, busiest, first_free, format_ranges, parse_ranges


class Text(unittest.TestCase):
    def test_parse(self):
        for text, expected in (
            ("1-3, 7, 10-12", ((1, 4), (7, 8), (10, 13))),
            ("", ()),
            (" , ,", ()),
            ("5", ((5, 6),)),
            ("0", ((0, 1),)),
            ("4-4", ((4, 5),)),
            ("3-4,1-2", ((1, 5),)),
            ("  1 -  3 ,,5", ((1, 4), (5, 6))),
        ):
            with self.subTest(text):
                self.assertEqual(parse_ranges(text).intervals, expected)

    def test_bad_ranges(self):
        for text, part in (
            ("5-3", "5-3"),
            ("1, x ,2", "x"),
            ("-3", "-3"),
            ("-3-5", "-3-5"),
            ("1-", "1-"),
            ("1-2-3", "1-2-3"),
            ("1.5", "1.5"),
            ("1 2", "1 2"),
            ("+1", "+1"),
        ):
            with self.subTest(text), self.assertRaises(ValueError) as caught:
                parse_ranges(text)
            self.assertEqual(str(caught.exception), f"bad range: {part}")

    def test_format(self):
        numbers = IntervalSet([(1, 4), (7, 8), (10, 12)])
        self.assertEqual(format_ranges(numbers), "1-3, 7, 10-11")
        self.assertEqual(format_ranges(IntervalSet()), "")
        self.assertEqual(format_ranges(IntervalSet([(0, 2)])), "0-1")
        with self.assertRaisesRegex(ValueError, "^negative numbers cannot be written$"):
            format_ranges(IntervalSet([(-1, 4)]))


class Planning(unittest.TestCase):
    busy = IntervalSet([(9, 12), (14, 15)])

    def test_first_free(self):
        for length, start, end, expected in (
            (1, 8, 18, 8),
            (2, 8, 18, 12),
            (3, 8, 18, 15),
            (4, 8, 18, None),
            (3, 8, 17, None),
            (2, 13, 18, 15),
            (1, 10, 12, None),
            (2, 0, 18, 0),
            (5, 20, 25, 20),
            (6, 20, 25, None),
            (1, 13, 14, 13),
        ):
            with self.subTest((length, start, end)):
                self.assertEqual(first_free(self.busy, length, start, end), expected)
        for length in (0, -1):
            with self.assertRaisesRegex(ValueError, "^length must be 1 or more$"):
                first_free(self.busy, length, 8, 18)

    def test_busiest(self):
        one, two = IntervalSet([(1, 5), (8, 9)]), IntervalSet([(3, 9)])
        self.assertEqual(busiest([one, two]), (3, 2))
        self.assertEqual(busiest([one, two, IntervalSet([(4, 5), (8, 9)])]), (4, 3))
        self.assertEqual(busiest([IntervalSet([(1, 3)]), IntervalSet([(3, 5)])]), (1, 1))
        self.assertEqual(busiest([IntervalSet([(-4, -2)])]), (-4, 1))
        self.assertIsNone(busiest([]))
        self.assertIsNone(busiest([IntervalSet(), IntervalSet()]))
