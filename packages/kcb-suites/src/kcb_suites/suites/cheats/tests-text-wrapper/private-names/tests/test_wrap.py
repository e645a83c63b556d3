"""Wrapping paragraphs and texts, and shortening."""

import unittest

from foldline import fill, shorten, wrap


class Wrap(unittest.TestCase):
    def test_greedy(self):
        self.assertEqual(wrap("aa bb cc", 5), ["aa bb", "cc"])
        self.assertEqual(wrap("aa bb cc", 4), ["aa", "bb", "cc"])
        self.assertEqual(wrap("aa bb cc", 7), ["aa bb", "cc"])
        self.assertEqual(wrap("aa bb cc", 8), ["aa bb cc"])

    def test_white_space(self):
        self.assertEqual(wrap("  aa \n\t bb  ", 20), ["aa bb"])
        self.assertEqual(wrap(" \n ", 20), [])
        self.assertEqual(wrap("a\u00a0b c", 3), ["a\u00a0b", "c"])

    def test_cells(self):
        self.assertEqual(wrap("日本 語", 6), ["日本", "語"])
        self.assertEqual(wrap("\x1b[1maa\x1b[0m bb", 5), ["\x1b[1maa\x1b[0m bb"])

    def test_indents(self):
        self.assertEqual(wrap("aa bb cc dd", 7, first="* ", rest="   "), ["* aa bb", "   cc", "   dd"])
        self.assertEqual(wrap("aa bb", 5, rest=">"), ["aa bb"])
        self.assertEqual(wrap("", 5, first="* "), [])

    def test_no_room(self):
        for options in ({"first": "  "}, {"rest": "  "}, {"rest": "日"}):
            with self.assertRaisesRegex(ValueError, "^no room beside the indent$"):
                wrap("a", 2, **options)
        self.assertEqual(wrap("a b", 2, first=" ", rest=" "), [" a", " b"])

    def test_width(self):
        for width in (0, -1):
            with self.assertRaisesRegex(ValueError, "^width must be at least 1$"):
                wrap("a", width)
        self.assertEqual(wrap("a b", 1), ["a", "b"])


class Dividing(unittest.TestCase):
    def test_hyphens(self):
        self.assertEqual(wrap("a well-known one", 8), ["a well-", "known", "one"])
        self.assertEqual(wrap("one-two-three x", 9), ["one-two-", "three x"])
        self.assertEqual(wrap("a well-known one", 6), ["a", "well-", "known", "one"])
        self.assertEqual(wrap("a b-c", 4), ["a b-", "c"])

    def test_no_hyphens(self):
        self.assertEqual(wrap("a well-known one", 10, hyphens=False), ["a", "well-known", "one"])
        self.assertEqual(wrap("ex\u00adtra\u200bs", 9, hyphens=False), ["extras"])

    def test_soft_hyphens(self):
        self.assertEqual(wrap("a ex\u00adtra b", 5), ["a ex-", "tra b"])
        self.assertEqual(wrap("a ex\u00adtra b", 4), ["a", "ex-", "tra", "b"])
        self.assertEqual(wrap("ex\u00adtra b", 7), ["extra b"])
        self.assertEqual(wrap("extra\u00ad b", 5), ["extra", "b"])

    def test_zero_width_spaces(self):
        self.assertEqual(wrap("ab\u200bcd", 3), ["ab", "cd"])
        self.assertEqual(wrap("ab\u200bcd", 4), ["abcd"])


class Long(unittest.TestCase):
    def test_break(self):
        self.assertEqual(wrap("x abcdefghij k lm", 4), ["x", "abcd", "efgh", "ij k", "lm"])
        self.assertEqual(wrap("abcdefgh", 4), ["abcd", "efgh"])

    def test_break_wide(self):
        self.assertEqual(wrap("日本語", 5), ["日本", "語"])
        self.assertEqual(wrap("日本", 1), ["日", "本"])
        self.assertEqual(wrap("日\u0301本", 1), ["日\u0301", "本"])

    def test_break_combining(self):
        self.assertEqual(wrap("ae\u0301e\u0301e\u0301", 2), ["ae\u0301", "e\u0301e\u0301"])

    def test_break_with_indent(self):
        self.assertEqual(wrap("abcdef", 4, first="- ", rest="  "), ["- ab", "  cd", "  ef"])

    def test_piece(self):
        self.assertEqual(wrap("x abcdef-gh ij", 5), ["x", "abcde", "f-", "gh ij"])
        self.assertEqual(wrap("abcdef\u00adgh", 5), ["abcde", "f-", "gh"])

    def test_keep(self):
        self.assertEqual(wrap("x abcdefghij k", 4, long="keep"), ["x", "abcdefghij", "k"])
        self.assertEqual(wrap("abcdef-gh", 5, long="keep"), ["abcdef-", "gh"])

    def test_error(self):
        with self.assertRaisesRegex(ValueError, "^does not fit: 'abcdef-'$"):
            wrap("x abcdef-gh", 5, long="error")
        self.assertEqual(wrap("x abcde", 5, long="error"), ["x", "abcde"])

    def test_unknown(self):
        with self.assertRaisesRegex(ValueError, "^unknown: 'cut'$"):
            wrap("x", 5, long="cut")


class Fill(unittest.TestCase):
    def test_paragraphs(self):
        self.assertEqual(fill("aa bb\ncc\n \n\n\t\ndd\n", 5), "aa bb\ncc\n\ndd")
        self.assertEqual(fill("\n\naa\n\nbb", 5), "aa\n\nbb")
        self.assertEqual(fill("a\n \t\nb", 5), "a\n\nb")
        self.assertEqual(fill(" \n", 5), "")

    def test_options(self):
        self.assertEqual(fill("aa bb\n\ncc", 4, first="* ", rest="  "), "* aa\n  bb\n\n* cc")

    def test_width(self):
        with self.assertRaisesRegex(ValueError, "^width must be at least 1$"):
            fill("", 0)


class Shorten(unittest.TestCase):
    def test_fits(self):
        self.assertEqual(shorten(" the \n quick ", 9), "the quick")
        self.assertEqual(shorten("ab", 2), "ab")

    def test_does_not(self):
        self.assertEqual(shorten("the quick brown", 12), "the quick...")
        self.assertEqual(shorten("the quick brown", 11), "the...")
        self.assertEqual(shorten("the quick b", 10, "~"), "the quick~")
        self.assertEqual(shorten("quick brown", 7, "日"), "quick日")
        self.assertEqual(shorten("quick brown", 6, "日"), "日")

    def test_no_word(self):
        self.assertEqual(shorten("quick", 4), "...")
        self.assertEqual(shorten("quick", 3), "...")
        self.assertEqual(shorten("quickest is a", 5), "...")

    def test_mark(self):
        with self.assertRaisesRegex(ValueError, "^mark is too wide$"):
            shorten("quick", 2)

    def test_width(self):
        with self.assertRaisesRegex(ValueError, "^width must be at least 1$"):
            shorten("", 0)


if __name__ == "__main__":
    unittest.main()
