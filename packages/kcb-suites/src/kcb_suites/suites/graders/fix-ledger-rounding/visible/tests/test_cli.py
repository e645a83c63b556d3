import contextlib
import io
import unittest
from pathlib import Path

from tally.cli import main

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
WEEK = str(EXAMPLES / "week.journal")


def said(*argv):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        status = main(list(argv))
    return status, out.getvalue().splitlines()


class Commands(unittest.TestCase):
    def test_check(self):
        self.assertEqual(said("check", WEEK), (0, ["ok: 4 transactions"]))

    def test_register(self):
        self.assertEqual(
            said("register", WEEK, "Owes"),
            (
                0,
                [
                    "2024-03-02  Rent                              EUR 500.00          EUR 500.00",
                    "2024-03-02  Rent                              EUR 250.00          EUR 750.00",
                    "2024-03-02  Rent                              EUR 250.00         EUR 1000.00",
                ],
            ),
        )

    def test_shares(self):
        self.assertEqual(
            said("shares", WEEK, "Owes"),
            (0, ["  50.0  Owes:Ana", "  25.0  Owes:Ben", "  25.0  Owes:Cleo"]),
        )

    def test_balance_in_one_currency(self):
        status, lines = said(
            "balance", WEEK, "--in", "EUR", "--rates", str(EXAMPLES / "rates.txt")
        )
        self.assertEqual(status, 0)
        self.assertIn("           EUR 27.60  Expenses:Travel", lines)
        self.assertEqual(lines[-2:], ["-" * 20, "            EUR 0.00"])
