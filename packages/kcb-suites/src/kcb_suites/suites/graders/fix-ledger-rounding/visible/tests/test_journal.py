import unittest

from tally.errors import TallyError
from tally.parser import parse_journal


def postings(text):
    return [
        (posting.account, posting.currency, posting.units)
        for transaction in parse_journal(text, "t.journal")
        for posting in transaction.postings
    ]


class Journal(unittest.TestCase):
    def test_amount_left_out(self):
        text = "2024-03-01 Food\n  Expenses:Food  EUR 42.50\n  Assets:Cash\n"
        self.assertEqual(
            postings(text), [("Expenses:Food", "EUR", 4250), ("Assets:Cash", "EUR", -4250)]
        )

    def test_split(self):
        text = "2024-03-01 Rent\n  split EUR 100  A 2, B 1, C 1\n  Bank\n"
        self.assertEqual(
            postings(text),
            [("A", "EUR", 5000), ("B", "EUR", 2500), ("C", "EUR", 2500), ("Bank", "EUR", -10000)],
        )

    def test_vat(self):
        text = "2024-03-01 Printer\n  Office  EUR 119  vat 19% VAT\n  Bank\n"
        self.assertEqual(
            postings(text),
            [("Office", "EUR", 10000), ("VAT", "EUR", 1900), ("Bank", "EUR", -11900)],
        )

    def test_not_balanced(self):
        text = "; a comment\n\n2024-03-01 Food\n  A  EUR 5\n  B  EUR -4\n"
        with self.assertRaises(TallyError) as caught:
            parse_journal(text, "t.journal")
        self.assertEqual(str(caught.exception), "t.journal:3: does not balance: EUR 1.00")

    def test_two_amounts_left_out(self):
        with self.assertRaisesRegex(TallyError, "t.journal:1: two postings without an amount"):
            parse_journal("2024-03-01 Food\n  A\n  B\n", "t.journal")

    def test_what_is_no_journal(self):
        with self.assertRaisesRegex(TallyError, "t.journal:1: cannot read this line"):
            parse_journal("hello\n", "t.journal")
