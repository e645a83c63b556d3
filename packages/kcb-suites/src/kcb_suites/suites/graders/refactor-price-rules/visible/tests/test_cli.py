import contextlib
import io
import unittest
from pathlib import Path

from till.cli import main

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
FILES = [str(EXAMPLES / "cart.json"), str(EXAMPLES / "rules.json")]

EXPECTED = """\
# tea-time: 249 off
# jam-week: 325 off
# stock-up: nothing to give
# members: not for everybody
# welcome: 500 off
  3 x tea                   13.50
      discount              -2.47
  2 x mug                   15.98
      discount              -3.39
  5 x jam                   16.25
      discount              -4.88
---------------------------------
total                       34.99
you save                    10.74
  tea-time                   2.49
  jam-week                   3.25
  welcome                    5.00
"""


class Command(unittest.TestCase):
    maxDiff = None

    def test_receipt_with_trace(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = main([*FILES, "--code", "HELLO", "--date", "2024-03-07", "--trace"])
        self.assertEqual(status, 0)
        self.assertEqual(out.getvalue(), EXPECTED)
