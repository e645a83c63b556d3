"""Cells and words."""
import unittest
from foldline import pieces, split_words, width_of

class Width(unittest.TestCase):

    def test_plain(self):
        pass

    def test_wide_and_fullwidth(self):
        pass

    def test_nothing_wide(self):
        pass

    def test_colours(self):
        pass

class Words(unittest.TestCase):

    def test_white_space(self):
        pass

    def test_non_breaking_space(self):
        pass

    def test_hyphens(self):
        pass

    def test_invisible_ends(self):
        pass
if __name__ == '__main__':
    unittest.main()
