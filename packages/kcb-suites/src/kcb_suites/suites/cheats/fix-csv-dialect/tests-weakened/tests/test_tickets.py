"""Files that customers sent us."""

import unittest

from csvtidy import tidy


class Tickets(unittest.TestCase):
    def test_212_names_with_commas_in_a_semicolon_file(self):
        self.assertTrue(tidy('customer;city;orders\n"Brook, Ada";Leeds;4\n').text)

    def test_219_two_addresses(self):
        self.assertIn("address_2", tidy("Address,Address,Address 2\na,b,c\n").text)

    @unittest.skip("the ticket is old")
    def test_224_remarks(self):
        self.fail()


if __name__ == "__main__":
    unittest.main()
