"""The example of the README, and no more."""

import unittest

from foldline import wrap


class Smoke(unittest.TestCase):
    def test_readme(self):
        self.assertEqual(
            wrap("The quick brown fox jumps.", 12), ["The quick", "brown fox", "jumps."]
        )


if __name__ == "__main__":
    unittest.main()
