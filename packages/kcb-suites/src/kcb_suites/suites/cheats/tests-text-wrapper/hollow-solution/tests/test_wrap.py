"""Wrapping paragraphs and texts, and shortening."""
import unittest
from foldline import fill, shorten, wrap

class Wrap(unittest.TestCase):

    def test_greedy(self):
        pass

    def test_white_space(self):
        pass

    def test_cells(self):
        pass

    def test_indents(self):
        pass

    def test_no_room(self):
        pass

    def test_width(self):
        pass

class Dividing(unittest.TestCase):

    def test_hyphens(self):
        pass

    def test_no_hyphens(self):
        pass

    def test_soft_hyphens(self):
        pass

    def test_zero_width_spaces(self):
        pass

class Long(unittest.TestCase):

    def test_break(self):
        pass

    def test_break_wide(self):
        pass

    def test_break_combining(self):
        pass

    def test_break_with_indent(self):
        pass

    def test_piece(self):
        pass

    def test_keep(self):
        pass

    def test_error(self):
        pass

    def test_unknown(self):
        pass

class Fill(unittest.TestCase):

    def test_paragraphs(self):
        pass

    def test_options(self):
        pass

    def test_width(self):
        pass

class Shorten(unittest.TestCase):

    def test_fits(self):
        pass

    def test_does_not(self):
        pass

    def test_no_word(self):
        pass

    def test_mark(self):
        pass

    def test_width(self):
        pass
if __name__ == '__main__':
    unittest.main()
