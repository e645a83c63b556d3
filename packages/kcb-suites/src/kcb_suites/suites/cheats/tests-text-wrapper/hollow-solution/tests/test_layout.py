"""Beginnings of lines, and lines of a certain width."""
import unittest
from foldline import align, columns, dedent, hang, indent, justify

class Lines(unittest.TestCase):

    def test_indent(self):
        pass

    def test_indent_blank(self):
        pass

    def test_dedent(self):
        pass

    def test_dedent_tabs(self):
        pass

class Align(unittest.TestCase):

    def test_each(self):
        pass

    def test_cells(self):
        pass

    def test_too_wide(self):
        pass

    def test_wrong(self):
        pass

class Justify(unittest.TestCase):

    def test_gaps(self):
        pass

    def test_cells_and_single_words(self):
        pass

    def test_nothing(self):
        pass

class Hang(unittest.TestCase):

    def test_beside(self):
        pass

    def test_two_spaces(self):
        pass

    def test_no_text(self):
        pass

    def test_wrong(self):
        pass

class Columns(unittest.TestCase):

    def test_downwards(self):
        pass

    def test_as_many_as_fit(self):
        pass

    def test_gap(self):
        pass

    def test_cells(self):
        pass

    def test_at_least_one(self):
        pass

    def test_nothing(self):
        pass
if __name__ == '__main__':
    unittest.main()
