"""Beginnings of lines, and lines of a certain width."""

import unittest

from foldline import align, columns, dedent, hang, indent, justify


class Lines(unittest.TestCase):
    def test_indent(self):
        self.assertEqual(indent("a\n\n  b\n \n", "> "), "> a\n\n>   b\n \n")
        self.assertEqual(indent("a\nb", "> "), "> a\n> b")

    def test_indent_blank(self):
        self.assertEqual(indent("a\n\nb\n", ">", blank=True), ">a\n>\n>b\n")
        self.assertEqual(indent("\n", ">", blank=True), ">\n")
        self.assertEqual(indent("", ">", blank=True), "")

    def test_dedent(self):
        self.assertEqual(dedent("    a\n  b\n\n   c\n"), "  a\nb\n\n c\n")
        self.assertEqual(dedent("  a\n \n  b"), "a\n\nb")
        self.assertEqual(dedent("  a\n      \n"), "a\n\n")
        self.assertEqual(dedent("a\n  b"), "a\n  b")

    def test_dedent_tabs(self):
        self.assertEqual(dedent("\ta\n        b"), "\ta\n        b")
        self.assertEqual(dedent(" \ta\n  b"), "\ta\n b")


class Align(unittest.TestCase):
    def test_each(self):
        self.assertEqual(align("ab", 5, "left"), "ab   ")
        self.assertEqual(align("ab", 5, "right"), "   ab")
        self.assertEqual(align("ab", 5, "center"), " ab  ")
        self.assertEqual(align("ab", 6, "center"), "  ab  ")

    def test_cells(self):
        self.assertEqual(align("日", 4, "right"), "  日")

    def test_too_wide(self):
        for how in ("left", "right", "center"):
            self.assertEqual(align("abc", 2, how), "abc")

    def test_wrong(self):
        with self.assertRaisesRegex(ValueError, "^unknown: 'middle'$"):
            align("a", 5, "middle")
        with self.assertRaisesRegex(ValueError, "^width must be at least 1$"):
            align("a", 0, "left")


class Justify(unittest.TestCase):
    def test_gaps(self):
        self.assertEqual(justify("a b c dddd e", 7), ["a  b  c", "dddd e"])
        self.assertEqual(justify("a b c ddd eeee", 8), ["a   b  c", "ddd eeee"])
        self.assertEqual(justify("aa b c d eeeeeeee ff", 9), ["aa  b c d", "eeeeeeee", "ff"])

    def test_cells_and_single_words(self):
        self.assertEqual(justify("日 b cccccc d", 6), ["日   b", "cccccc", "d"])
        self.assertEqual(justify("aaa bbbbb c", 6), ["aaa", "bbbbb", "c"])

    def test_nothing(self):
        self.assertEqual(justify("", 5), [])


class Hang(unittest.TestCase):
    def test_beside(self):
        self.assertEqual(hang("-v", "aa bb cc", 13, column=8), ["-v      aa bb", "        cc"])
        self.assertEqual(hang("-v", "aa", 40), ["-v" + " " * 14 + "aa"])

    def test_two_spaces(self):
        self.assertEqual(hang("abcd", "x", 10, column=6), ["abcd  x"])
        self.assertEqual(hang("abcde", "x", 10, column=6), ["abcde", "      x"])
        self.assertEqual(hang("日本", "x", 10, column=6), ["日本  x"])

    def test_no_text(self):
        self.assertEqual(hang("-v", " ", 20), ["-v"])

    def test_wrong(self):
        for column in (10, 11):
            with self.assertRaisesRegex(ValueError, "^no room beside the label$"):
                hang("-v", "x", 10, column=column)
        self.assertEqual(hang("-v", "xy", 10, column=9), ["-v       x", "         y"])
        with self.assertRaisesRegex(ValueError, "^width must be at least 1$"):
            hang("-v", "x", 0, column=5)


class Columns(unittest.TestCase):
    def test_downwards(self):
        self.assertEqual(columns(["a", "bb", "ccc", "d", "e"], 12), ["a    d", "bb   e", "ccc"])
        self.assertEqual(columns(list("abcdefg"), 10), ["a  c  e  g", "b  d  f"])

    def test_as_many_as_fit(self):
        self.assertEqual(columns(["aa", "bb", "cc"], 10), ["aa  bb  cc"])
        self.assertEqual(columns(["aa", "bb", "cc"], 9), ["aa  cc", "bb"])

    def test_gap(self):
        self.assertEqual(columns(["a", "b"], 3, gap=1), ["a b"])
        self.assertEqual(columns(["a", "b"], 3), ["a", "b"])

    def test_cells(self):
        self.assertEqual(columns(["日", "b"], 20), ["日  b"])
        self.assertEqual(columns(["a", "日"], 20), ["a   日"])

    def test_at_least_one(self):
        self.assertEqual(columns(["abcdef", "b"], 3), ["abcdef", "b"])

    def test_nothing(self):
        self.assertEqual(columns([], 10), [])
        with self.assertRaisesRegex(ValueError, "^width must be at least 1$"):
            columns([], 0)


if __name__ == "__main__":
    unittest.main()
