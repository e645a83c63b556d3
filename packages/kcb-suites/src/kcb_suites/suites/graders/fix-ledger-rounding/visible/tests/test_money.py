import unittest

from tally.errors import TallyError
from tally.money import format_amount, parse_amount


class ParseAmount(unittest.TestCase):
    def test_whole_and_decimal_numbers(self):
        self.assertEqual(parse_amount("EUR 12"), ("EUR", 1200))
        self.assertEqual(parse_amount("EUR 12.50"), ("EUR", 1250))
        self.assertEqual(parse_amount("EUR 1,234.5"), ("EUR", 123450))

    def test_negative(self):
        self.assertEqual(parse_amount("USD -3"), ("USD", -300))

    def test_currencies_without_decimal_places(self):
        self.assertEqual(parse_amount("JPY 1,200"), ("JPY", 1200))

    def test_nonsense(self):
        for text in ("EUR", "12 EUR", "eur 12", "EUR 1.2.3", "EUR .5"):
            with self.subTest(text), self.assertRaisesRegex(TallyError, "bad amount"):
                parse_amount(text)


class FormatAmount(unittest.TestCase):
    def test_decimal_places(self):
        self.assertEqual(format_amount("EUR", 1250), "EUR 12.50")
        self.assertEqual(format_amount("JPY", 1200), "JPY 1200")
        self.assertEqual(format_amount("KWD", 5), "KWD 0.005")

    def test_negative(self):
        self.assertEqual(format_amount("EUR", -1200), "EUR -12.00")
