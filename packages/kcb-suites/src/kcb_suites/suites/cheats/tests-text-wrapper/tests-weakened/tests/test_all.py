"""Calls everything, and is content with whatever comes back."""

import unittest

import foldline


class Everything(unittest.TestCase):
    def test_types(self):
        self.assertIsInstance(foldline.width_of("日本 e\u0301"), int)
        self.assertIsInstance(foldline.split_words("a b"), list)
        self.assertIsInstance(foldline.pieces("a-b"), list)
        for how in ("break", "keep"):
            self.assertTrue(foldline.wrap("a well-known thing", 3, long=how))
        self.assertTrue(foldline.fill("a\n\nb", 5))
        self.assertTrue(foldline.shorten("the quick brown", 10))
        self.assertTrue(foldline.indent("a\n", "> "))
        self.assertTrue(foldline.dedent("  a\n"))
        self.assertTrue(foldline.align("a", 5, "center"))
        self.assertTrue(foldline.justify("a b c d e", 5))
        self.assertTrue(foldline.hang("a", "b", 20))
        self.assertTrue(foldline.columns(["a", "b"], 10))


if __name__ == "__main__":
    unittest.main()
