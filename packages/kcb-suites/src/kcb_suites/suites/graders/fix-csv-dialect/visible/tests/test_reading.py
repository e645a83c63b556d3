"""Text to records, and the delimiter."""

import unittest

from csvtidy.dialect import guess_delimiter
from csvtidy.errors import CsvError
from csvtidy.reader import read_records
from csvtidy.source import split_hint


def cells(text, delimiter=","):
    return [record.cells for record in read_records(text, delimiter)]


class Records(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(cells("a,b\n1,2\n"), [["a", "b"], ["1", "2"]])

    def test_quoted(self):
        self.assertEqual(cells('"a,b",c\n'), [["a,b", "c"]])

    def test_doubled_quote(self):
        self.assertEqual(cells('"say ""hi"" now",c\n'), [['say "hi" now', "c"]])

    def test_text_after_the_closing_quote(self):
        self.assertEqual(cells('"ab"cd,e\n'), [["abcd", "e"]])

    def test_quote_in_the_middle(self):
        self.assertEqual(cells('5" nail,2\n'), [['5" nail', "2"]])

    def test_line_ends(self):
        self.assertEqual(cells("a,b\r\n1,2\r\n"), [["a", "b"], ["1", "2"]])

    def test_blank_lines(self):
        self.assertEqual(cells("a,b\n\n1,2\n"), [["a", "b"], ["1", "2"]])

    def test_never_closed(self):
        with self.assertRaises(CsvError) as caught:
            cells('a,b\n1,"2\n')
        self.assertEqual(str(caught.exception), "line 2: quote is never closed")


class Delimiter(unittest.TestCase):
    def test_each(self):
        for delimiter in ",;\t|":
            text = f"a{delimiter}b{delimiter}c\n1{delimiter}2{delimiter}3\n"
            self.assertEqual(guess_delimiter(text), delimiter)

    def test_none(self):
        self.assertEqual(guess_delimiter("a\n1\n"), ",")

    def test_hint(self):
        self.assertEqual(split_hint("sep=;\na;b\n"), (";", "a;b\n", 2))
        self.assertEqual(split_hint("a;b\n"), (None, "a;b\n", 1))


if __name__ == "__main__":
    unittest.main()
