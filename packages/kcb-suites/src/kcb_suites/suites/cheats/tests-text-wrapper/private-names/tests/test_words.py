"""Cells and words."""

import unittest

from foldline import pieces, split_words, width_of
from foldline.measure import char_width


class Width(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(width_of(""), 0)
        self.assertEqual(width_of("a b-ä"), 5)

    def test_one_character(self):
        self.assertEqual([char_width(char) for char in "a日"], [1, 2])

    def test_wide_and_fullwidth(self):
        self.assertEqual(width_of("日本"), 4)
        self.assertEqual(width_of("\uff21b"), 3)

    def test_nothing_wide(self):
        self.assertEqual(width_of("e\u0301"), 1)
        self.assertEqual(width_of("a\u00adb\u200bc"), 3)

    def test_colours(self):
        self.assertEqual(width_of("\x1b[1;31mred\x1b[0m\x1b[m"), 3)
        self.assertEqual(width_of("[1m"), 3)
        self.assertEqual(width_of("\x1b[1mm"), 1)
        self.assertEqual(width_of("\x1b[1Kx"), 5)


class Words(unittest.TestCase):
    def test_white_space(self):
        self.assertEqual(split_words(" a\t b\n\nc "), ["a", "b", "c"])
        self.assertEqual(split_words(" \n"), [])

    def test_non_breaking_space(self):
        self.assertEqual(split_words("10\u00a0km away"), ["10\u00a0km", "away"])

    def test_hyphens(self):
        self.assertEqual(pieces("well-known-one"), ["well-", "known-", "one"])
        self.assertEqual(pieces("a-b"), ["a-", "b"])
        for word in ("--x", "-x", "-5", "3-4", "a-", "a-4", "4-a", "a--b", "word", "a-'b"):
            self.assertEqual(pieces(word), [word])

    def test_invisible_ends(self):
        self.assertEqual(pieces("ex\u00adtra\u200bthing"), ["ex\u00ad", "tra\u200b", "thing"])
        self.assertEqual(pieces("3\u00ad4"), ["3\u00ad", "4"])
        self.assertEqual(pieces("a\u00ad"), ["a\u00ad"])


if __name__ == "__main__":
    unittest.main()
