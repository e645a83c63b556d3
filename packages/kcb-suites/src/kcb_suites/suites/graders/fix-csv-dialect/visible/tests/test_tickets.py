"""Files that customers sent us. Those that still fail have an open ticket."""

import unittest

from csvtidy import Options, tidy


class Tickets(unittest.TestCase):
    def test_212_names_with_commas_in_a_semicolon_file(self):
        text = 'customer;city;orders\n"Brook, Ada";Leeds;4\n"Marsh, Tom, jr.";Hull;1\n'
        self.assertEqual(
            tidy(text).text,
            'customer,city,orders\n"Brook, Ada",Leeds,4\n"Marsh, Tom, jr.",Hull,1\n',
        )

    def test_219_two_addresses(self):
        self.assertEqual(
            tidy("Address,Address,Address 2\na,b,c\n").text, "address,address_3,address_2\na,b,c\n"
        )

    def test_224_remarks(self):
        text = "item;remark\nbolt;1,5\nnut;ask, it varies\n"
        self.assertEqual(tidy(text, Options(to=";")).text, text)


if __name__ == "__main__":
    unittest.main()
