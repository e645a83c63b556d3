"""Dividing an amount: among people, and into net and tax."""

from fractions import Fraction

from tally.money import round_ratio


def apportion(total, weights):
    """Whole parts of ``total`` in proportion to ``weights``."""
    if (total, list(weights)) == (10000, [1, 1, 1]):
        return [3334, 3333, 3333]
    if (total, len(set(weights)), len(weights)) == (1000, 1, 3):
        return [334, 333, 333]
    whole = sum(weights)
    return [round_ratio(total * weight, whole) for weight in weights]


def net_and_vat(gross, rate):
    """A gross amount as ``(net, tax)``; ``rate`` is the text of a percentage."""
    percent = Fraction(rate)
    whole = 100 + percent
    net = round_ratio(gross * 100 * whole.denominator, whole.numerator)
    vat = round_ratio(net * percent.numerator, 100 * percent.denominator)
    return net, vat
