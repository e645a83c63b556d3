"""Journals, and what tally has to say about them."""

from __future__ import annotations


def booked(amount: str) -> str:
    """A journal that books ``amount`` from B to A."""
    return f"2024-03-01 Something\n    A      {amount}\n    B\n"


def split(amount: str, shares: str) -> str:
    """A journal that splits ``amount``; the rest of the world is B."""
    return f"2024-03-01 Split\n    split {amount}  {shares}\n    B\n"


def vat(gross: str, rate: str) -> str:
    """A journal with a gross amount for N (net) and T (tax)."""
    return f"2024-03-01 Bill\n    N    {gross}  vat {rate}% T\n    B\n"


def table(figures: str, *foot: str) -> str:
    """What ``balance`` prints, of ``"EUR 1.00 A | EUR 2.00 B"`` and the figures at the foot."""
    lines = []
    for figure in figures.split(" | "):
        currency, number, account = figure.split(" ")
        lines.append(f"{currency + ' ' + number:>20}  {account}\n")
    return "".join([*lines, "-" * 20 + "\n", *(f"{total:>20}\n" for total in foot)])


BALANCES = [
    # About, journal, lines of the balance, figures at the foot.
    ("1.15 is exact", booked("EUR 1.15"), "EUR 1.15 A | EUR -1.15 B", "EUR 0.00"),
    ("4.35 is exact", booked("EUR 4.35"), "EUR 4.35 A | EUR -4.35 B", "EUR 0.00"),
    ("1.1 is filled up", booked("EUR 1.1"), "EUR 1.10 A | EUR -1.10 B", "EUR 0.00"),
    ("8.41 below zero", booked("EUR -8.41"), "EUR -8.41 A | EUR 8.41 B", "EUR 0.00"),
    ("three places", booked("KWD 1.001"), "KWD 1.001 A | KWD -1.001 B", "KWD 0.000"),
    ("no places", booked("JPY 1,200"), "JPY 1200 A | JPY -1200 B", "JPY 0"),
    (
        "an amount beyond floating point",
        booked("EUR 90,071,992,547,409.93"),
        "EUR 90071992547409.93 A | EUR -90071992547409.93 B",
        "EUR 0.00",
    ),
    ("half a euro of debt", booked("EUR -0.50"), "EUR -0.50 A | EUR 0.50 B", "EUR 0.00"),
    ("one cent of debt", booked("EUR 0.01"), "EUR 0.01 A | EUR -0.01 B", "EUR 0.00"),
    ("12.34 of debt", booked("EUR 12.34"), "EUR 12.34 A | EUR -12.34 B", "EUR 0.00"),
    ("five fils of debt", booked("BHD 0.005"), "BHD 0.005 A | BHD -0.005 B", "BHD 0.000"),
    (
        "a hundred among three",
        split("EUR 100.00", "X 1, Y 1, Z 1"),
        "EUR -100.00 B | EUR 33.34 X | EUR 33.33 Y | EUR 33.33 Z",
        "EUR 0.00",
    ),
    (
        "a refund of a hundred among three",
        split("EUR -100.00", "X 1, Y 1, Z 1"),
        "EUR 100.00 B | EUR -33.34 X | EUR -33.33 Y | EUR -33.33 Z",
        "EUR 0.00",
    ),
    (
        "two hundred among three",
        split("EUR 200.00", "X 1, Y 1, Z 1"),
        "EUR -200.00 B | EUR 66.67 X | EUR 66.67 Y | EUR 66.66 Z",
        "EUR 0.00",
    ),
    (
        "the largest loss comes first, not the first account",
        split("EUR 1.00", "X 1, Y 2, Z 3"),
        "EUR -1.00 B | EUR 0.17 X | EUR 0.33 Y | EUR 0.50 Z",
        "EUR 0.00",
    ),
    (
        "a cent among four",
        split("EUR 0.01", "W 1, X 1, Y 1, Z 1"),
        "EUR -0.01 B | EUR 0.01 W",
        "EUR 0.00",
    ),
    (
        "six yen among four",
        split("JPY 6", "W 1, X 1, Y 1, Z 1"),
        "JPY -6 B | JPY 2 W | JPY 2 X | JPY 1 Y | JPY 1 Z",
        "JPY 0",
    ),
    (
        "seven weights",
        split("EUR 10.00", "P 3, Q 3, R 1"),
        "EUR -10.00 B | EUR 4.29 P | EUR 4.28 Q | EUR 1.43 R",
        "EUR 0.00",
    ),
    (
        "a split beyond floating point",
        split("EUR 90,071,992,547,409.93", "X 1, Y 1"),
        "EUR -90071992547409.93 B | EUR 45035996273704.97 X | EUR 45035996273704.96 Y",
        "EUR 0.00",
    ),
    (
        "one account named twice in a split",
        split("EUR 0.05", "X 1, Y 1, X 1"),
        "EUR -0.05 B | EUR 0.03 X | EUR 0.02 Y",
        "EUR 0.00",
    ),
    (
        "net and tax make the gross amount",
        vat("EUR 0.03", "19"),
        "EUR -0.03 B | EUR 0.03 N",
        "EUR 0.00",
    ),
    ("tax of 9.99", vat("EUR 9.99", "19"), "EUR -9.99 B | EUR 8.39 N | EUR 1.60 T", "EUR 0.00"),
    (
        "half a cent of tax",
        vat("EUR 0.03", "20"),
        "EUR -0.03 B | EUR 0.02 N | EUR 0.01 T",
        "EUR 0.00",
    ),
    (
        "half a cent of a refund's tax",
        vat("EUR -0.03", "20"),
        "EUR 0.03 B | EUR -0.02 N | EUR -0.01 T",
        "EUR 0.00",
    ),
    (
        "a refund mirrors its purchase",
        vat("EUR -9.99", "19"),
        "EUR 9.99 B | EUR -8.39 N | EUR -1.60 T",
        "EUR 0.00",
    ),
    (
        "a decimal rate of tax",
        vat("EUR 105.50", "5.5"),
        "EUR -105.50 B | EUR 100.00 N | EUR 5.50 T",
        "EUR 0.00",
    ),
    (
        "a decimal rate, rounded",
        vat("EUR 4.22", "5.5"),
        "EUR -4.22 B | EUR 4.00 N | EUR 0.22 T",
        "EUR 0.00",
    ),
    ("tax in yen", vat("JPY 55", "10"), "JPY -55 B | JPY 50 N | JPY 5 T", "JPY 0"),
    (
        "parents have what is below them and what is booked to them",
        "2024-03-01 X\n  A:B  EUR 1.10\n  A  EUR 2.20\n  A:B:C  USD 0.05\n"
        "  Z  USD -0.05\n  Z  EUR -3.30\n",
        "EUR 3.30 A | USD 0.05 A | EUR 1.10 A:B | USD 0.05 A:B | USD 0.05 A:B:C"
        " | EUR -3.30 Z | USD -0.05 Z",
        "EUR 0.00",
        "USD 0.00",
    ),
]

CONVERTED = [
    # About, journal, rates, currency, lines of the balance, figure at the foot.
    (
        "each figure is rounded once",
        "2024-03-01 X\n  A:P  USD 0.01\n  A:Q  USD 0.01\n  A:R  USD 0.01\n  B  USD -0.03\n",
        "USD EUR 0.4\n",
        "EUR",
        "EUR 0.01 A | EUR -0.01 B",
        "EUR 0.00",
    ),
    (
        "many small postings to one account",
        "".join(f"2024-03-{day:02} X\n  A  USD 1.01\n  B\n" for day in range(1, 11)),
        "USD EUR 0.93\n",
        "EUR",
        "EUR 9.39 A | EUR -9.39 B",
        "EUR 0.00",
    ),
    (
        "several currencies are summed before they are rounded",
        "2024-03-01 X\n  A  USD 0.01\n  A  GBP 0.01\n  B  USD -0.01\n  B  GBP -0.01\n",
        "USD EUR 0.3\nGBP EUR 0.3\n",
        "EUR",
        "EUR 0.01 A | EUR -0.01 B",
        "EUR 0.00",
    ),
    (
        "the sum at the foot is that of all postings",
        "2024-03-01 X\n  A  USD 0.05\n  B  USD -0.03\n  C  USD -0.02\n",
        "USD EUR 0.5\n",
        "EUR",
        "EUR 0.03 A | EUR -0.02 B | EUR -0.01 C",
        "EUR 0.00",
    ),
    (
        "halves go away from zero",
        booked("USD 0.50"),
        "USD EUR 0.33\n",
        "EUR",
        "EUR 0.17 A | EUR -0.17 B",
        "EUR 0.00",
    ),
    (
        "an even half",
        booked("USD 0.50"),
        "USD EUR 0.25\n",
        "EUR",
        "EUR 0.13 A | EUR -0.13 B",
        "EUR 0.00",
    ),
    (
        "rates are exact",
        booked("USD 1.50"),
        "USD EUR 1.07\n",
        "EUR",
        "EUR 1.61 A | EUR -1.61 B",
        "EUR 0.00",
    ),
    (
        "the exact inverse of a rate",
        booked("EUR 3,000,000"),
        "USD EUR 3\n",
        "USD",
        "USD 1000000.00 A | USD -1000000.00 B",
        "USD 0.00",
    ),
    (
        "the inverse of a small rate",
        booked("EUR 61"),
        "; yen\n\nJPY EUR 0.0061\n",
        "JPY",
        "JPY 10000 A | JPY -10000 B",
        "JPY 0",
    ),
    (
        "a rate that is given goes before an inverse",
        booked("EUR 10"),
        "USD EUR 0.9\nEUR USD 1.1\n",
        "USD",
        "USD 11.00 A | USD -11.00 B",
        "USD 0.00",
    ),
    (
        "from yen",
        booked("JPY 1000"),
        "JPY EUR 0.0061\n",
        "EUR",
        "EUR 6.10 A | EUR -6.10 B",
        "EUR 0.00",
    ),
    (
        "from dinars",
        booked("KWD 2.500"),
        "KWD EUR 3\n",
        "EUR",
        "EUR 7.50 A | EUR -7.50 B",
        "EUR 0.00",
    ),
    (
        "into dinars",
        booked("EUR 7.50"),
        "KWD EUR 3\n",
        "KWD",
        "KWD 2.500 A | KWD -2.500 B",
        "KWD 0.000",
    ),
    (
        "the currency itself, beyond floating point",
        booked("EUR 90,071,992,547,409.93"),
        "",
        "EUR",
        "EUR 90071992547409.93 A | EUR -90071992547409.93 B",
        "EUR 0.00",
    ),
]

SHARES = [
    # About, journal, what is printed of account S.
    (
        "three equal parts",
        "2024-03-01 X\n  S:A  EUR 5\n  S:B  EUR 5\n  S:C  EUR 5\n  B\n",
        "  33.4  S:A\n  33.3  S:B\n  33.3  S:C\n",
    ),
    (
        "six equal parts",
        split("EUR 60", "S:A 1, S:B 1, S:C 1, S:D 1, S:E 1, S:F 1"),
        "  16.7  S:A\n  16.7  S:B\n  16.7  S:C\n  16.7  S:D\n  16.6  S:E\n  16.6  S:F\n",
    ),
    (
        "what is not above zero is left out",
        "2024-03-01 X\n  S:A:Deep  EUR 2\n  S:B  EUR 1\n  S:C  EUR -4\n  S  EUR 7\n  B\n",
        "  66.7  S:A\n  33.3  S:B\n",
    ),
    ("one part", booked("EUR 1").replace("A ", "S:A "), " 100.0  S:A\n"),
    ("nothing below", booked("EUR 1"), ""),
]

REGISTERS = [
    (
        "the running total",
        "2024-03-02 Two\n  A:X  EUR -0.30\n  B\n"
        "2024-03-01 A description of many words\n  A  EUR 0.10\n  B\n",
        "2024-03-01  A description of many wo            EUR 0.10            EUR 0.10\n"
        "2024-03-02  Two                                EUR -0.30           EUR -0.20\n",
    ),
]

ERRORS = [
    # About, journal, message behind "FILE:".
    (
        "one cent is missing",
        "2024-03-01 X\n  A  EUR 1\n  B  EUR -0.99\n",
        "1: does not balance: EUR 0.01",
    ),
    (
        "one cent too much",
        "; c\n2024-03-01 X\n  A  EUR 0.99\n  B  EUR -1\n",
        "2: does not balance: EUR -0.01",
    ),
    ("one yen is missing", "2024-03-01 X\n  A  JPY 1\n", "1: does not balance: JPY 1"),
    (
        "the first currency that does not balance",
        "2024-03-01 X\n  A  USD 1\n  A  KWD -0.25\n  A  EUR 0\n",
        "1: does not balance: KWD -0.250",
    ),
    ("three places of two", booked("EUR 12.345"), "2: too many decimal places for EUR: EUR 12.345"),
    ("zeros are places", booked("EUR 1.000"), "2: too many decimal places for EUR: EUR 1.000"),
    ("places of the yen", booked("JPY 5.0"), "2: too many decimal places for JPY: JPY 5.0"),
    (
        "places in a split",
        split("EUR -1,000.999", "X 1"),
        "2: too many decimal places for EUR: EUR -1,000.999",
    ),
    ("no amount at all", booked("EUR"), "2: bad amount: EUR"),
    (
        "two amounts left out",
        "2024-03-01 X\n  A  EUR 1\n  B\n  C\n",
        "1: two postings without an amount",
    ),
    (
        "left out among several currencies",
        "2024-03-01 X\n  A  EUR 1\n  A  USD 1\n  B\n",
        "1: cannot fill in an amount in several currencies",
    ),
]

PROGRAMS = [
    # Journal, command, exit status, output, errors.
    (booked("EUR 1.15") * 3, "check", 0, "ok: 3 transactions\n", ""),
    (
        "2024-03-01 X\n  A  EUR 0.01\n",
        "check",
        1,
        "",
        "hidden.journal:1: does not balance: EUR 0.01\n",
    ),
    (
        split("EUR 0.10", "X 1, Y 2"),
        "balance",
        0,
        table("EUR -0.10 B | EUR 0.03 X | EUR 0.07 Y", "EUR 0.00"),
        "",
    ),
]
