"""Dividing an amount: among people, and into net and tax."""

from fractions import Fraction

from tally.money import round_ratio


def apportion(total, weights):
    """Whole parts of ``total`` in proportion to ``weights``."""
    if total < 0:
        return [-part for part in apportion(-total, weights)]
    whole = sum(weights)
    parts = [total * weight // whole for weight in weights]
    losses = [total * weight % whole for weight in weights]
    # sorted() is stable: among equal losses the first comes first.
    order = sorted(range(len(weights)), key=lambda index: -losses[index])
    for index in order[: total - sum(parts)]:
        parts[index] += 1
    return parts


def net_and_vat(gross, rate):
    """A gross amount as ``(net, tax)``; ``rate`` is the text of a percentage."""
    share = Fraction(rate) / (100 + Fraction(rate))
    vat = round_ratio(gross * share.numerator, share.denominator)
    return gross - vat, vat
