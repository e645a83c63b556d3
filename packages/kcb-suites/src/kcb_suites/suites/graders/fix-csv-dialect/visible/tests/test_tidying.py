"""Whole files."""

import unittest

from csvtidy import Options, tidy


class Tidying(unittest.TestCase):
    def test_the_example_of_the_readme(self):
        result = tidy("Name;Price\nTea;1,50\n", Options(to="|"))
        self.assertEqual(result.text, "name|price\nTea|1.50\n")
        self.assertEqual(result.problems, [])
        self.assertEqual(
            result.summary, {"delimiter": ";", "rows": 1, "left_out": 0, "duplicates": 0}
        )

    def test_header(self):
        self.assertEqual(
            tidy("Item No.,Unit Price (EUR),\n").text, "item_no,unit_price_eur,column_3\n"
        )

    def test_same_names(self):
        self.assertEqual(tidy("Name,Name,name\n").text, "name,name_2,name_3\n")

    def test_cells(self):
        self.assertEqual(tidy("a,b\n  x , N/A\n").text, "a,b\nx,\n")

    def test_short_and_long_rows(self):
        result = tidy("a,b\n1\n1,2,3\n4,5,\n")
        self.assertEqual(result.text, "a,b\n1,\n4,5\n")
        self.assertEqual(result.problems, ["line 3: 3 cells where the header has 2"])

    def test_thousands(self):
        self.assertEqual(tidy('a,b\n"1,234.50",x\n12.00,y\n').text, "a,b\n1234.50,x\n12.00,y\n")

    def test_duplicates(self):
        text = "a,b\n1,2\n1,2\n3,4\n"
        self.assertEqual(tidy(text).text, "a,b\n1,2\n3,4\n")
        self.assertEqual(tidy(text, Options(keep_duplicates=True)).text, text)

    def test_quotes_where_needed(self):
        self.assertEqual(
            tidy('a,b\n"x,y","say ""hi"" now"\n').text, 'a,b\n"x,y","say ""hi"" now"\n'
        )


if __name__ == "__main__":
    unittest.main()
