"""Amounts of money are whole numbers of the smallest unit of a currency."""

DECIMALS = {"JPY": 0, "KRW": 0, "KWD": 3, "BHD": 3}


def decimals(currency):
    """How many decimal places the currency has."""
    return DECIMALS.get(currency, 2)


def parse_amount(text):
    """``"EUR 1.50"`` as ``("EUR", 150)``."""
    return text[:3], 0


def format_amount(currency, units):
    """``("EUR", 150)`` as ``"EUR 1.50"``."""
    return f"{currency} 0.00"


def round_ratio(numerator, denominator):
    """numerator / denominator (which is positive) to the nearest whole number."""
    return 0
