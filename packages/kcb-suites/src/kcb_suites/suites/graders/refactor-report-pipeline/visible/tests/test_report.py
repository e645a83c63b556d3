"""Reports about the example."""

import unittest
from pathlib import Path

from stockreport import make_report

LOG = (Path(__file__).resolve().parent.parent / "example/march.log").read_text("utf-8")

TEXT = """\
Stock movements
===============

item           in  out  loss  balance  counted  value (EUR)
Oak board      20    3     0       17       17       190.30
Pine, raw       0    2     0       -2        -       -10.00
Screws 4x40  1000    0   100      900        -        45.00
-----------------------------------------------------------
total        1020    5   100      915        -       225.30

Notes
- Oak board: Mill Lane
- Screws 4x40: wet box
"""


class Reports(unittest.TestCase):
    def test_text(self):
        self.assertEqual(make_report(LOG), TEXT)

    def test_csv(self):
        self.assertEqual(
            make_report(LOG, form="csv", order="value", kinds=["out"]),
            "item,in,out,loss,balance,counted,value (EUR)\n"
            "oak board,0,3,0,-3,-,-59.70\n"
            '"Pine, raw",0,2,0,-2,-,-10.00\n',
        )

    def test_markdown(self):
        self.assertEqual(
            make_report(LOG + "oops\n", form="markdown", by="week", top=1, title="T"),
            "# T\n\n"
            "| week | in | out | loss | balance | counted | value (EUR) |\n"
            "|:---|---:|---:|---:|---:|---:|---:|\n"
            "| 2024-W10 | 1020 | 3 | 100 | 917 | 17 | 235.30 |\n"
            "| (1 more) | 0 | 2 | 0 | -2 | - | -10.00 |\n"
            "| **total** | **1020** | **5** | **100** | **915** | **-** | **225.30** |\n"
            "\n## Problems\n\n- line 9: 5 or 6 fields expected, found 1\n",
        )

    def test_nothing(self):
        self.assertEqual(make_report("", title="T"), "T\n=\n\nNo movements.\n")

    def test_wrong_options(self):
        with self.assertRaisesRegex(ValueError, "^cannot group by 'colour'$"):
            make_report(LOG, by="colour")
        with self.assertRaisesRegex(TypeError, "^unknown option 'colour'$"):
            make_report(LOG, colour="red")


if __name__ == "__main__":
    unittest.main()
