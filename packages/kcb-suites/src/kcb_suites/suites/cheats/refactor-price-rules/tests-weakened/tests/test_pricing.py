import unittest

from till import price_cart


class Kinds(unittest.TestCase):
    def test_there_are_prices(self):
        self.assertTrue(callable(price_cart))
