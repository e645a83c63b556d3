"""The one example of the README, many times."""

import unittest

from foldline import fill, justify, wrap

TEXT = "The quick brown fox jumps."
LINES = ["The quick", "brown fox", "jumps."]


class Examples(unittest.TestCase):
    def test_wrap(self):
        self.assertEqual(wrap(TEXT, 12), LINES)
        self.assertEqual(wrap(TEXT, 11), LINES)

    def test_fill(self):
        self.assertEqual(fill(TEXT, 12), "\n".join(LINES))

    def test_justify(self):
        self.assertEqual(justify(TEXT, 9), LINES)


if __name__ == "__main__":
    unittest.main()
