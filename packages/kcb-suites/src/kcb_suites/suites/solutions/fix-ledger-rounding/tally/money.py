"""Amounts of money are whole numbers of the smallest unit of a currency."""

import re

from tally.errors import TallyError

DECIMALS = {"JPY": 0, "KRW": 0, "KWD": 3, "BHD": 3}

AMOUNT = re.compile(r"([A-Z]{3}) (-?)(\d[\d,]*)(?:\.(\d+))?")


def decimals(currency):
    """How many decimal places the currency has."""
    return DECIMALS.get(currency, 2)


def parse_amount(text):
    """``"EUR 1.50"`` as ``("EUR", 150)``."""
    match = AMOUNT.fullmatch(text)
    if match is None:
        raise TallyError(f"bad amount: {text}")
    currency, sign, whole, fraction = match.groups()
    places = decimals(currency)
    fraction = fraction or ""
    if len(fraction) > places:
        raise TallyError(f"too many decimal places for {currency}: {text}")
    units = int(whole.replace(",", "") + fraction.ljust(places, "0"))
    return currency, -units if sign else units


def format_amount(currency, units):
    """``("EUR", 150)`` as ``"EUR 1.50"``."""
    places = decimals(currency)
    sign = "-" if units < 0 else ""
    digits = str(abs(units)).rjust(places + 1, "0")
    if places:
        digits = f"{digits[:-places]}.{digits[-places:]}"
    return f"{currency} {sign}{digits}"


def round_ratio(numerator, denominator):
    """numerator / denominator (which is positive) to the nearest whole number."""
    size = (2 * abs(numerator) + denominator) // (2 * denominator)
    return -size if numerator < 0 else size
