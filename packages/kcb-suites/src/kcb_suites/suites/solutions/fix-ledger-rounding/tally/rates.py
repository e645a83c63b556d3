"""Exchange rates."""

from fractions import Fraction

from tally.errors import TallyError
from tally.money import decimals, round_ratio


class Rates:
    """What one unit of a currency is worth in another."""

    def __init__(self, text=""):
        self.table = {}
        for line in text.splitlines():
            if line.strip() and not line.startswith(";"):
                source, target, rate = line.split()
                self.table[source, target] = Fraction(rate)

    def rate(self, source, target):
        """Units of ``target`` for one unit of ``source``."""
        if source == target:
            return Fraction(1)
        if (source, target) in self.table:
            return self.table[source, target]
        if (target, source) in self.table:
            return 1 / self.table[target, source]
        raise TallyError(f"no rate from {source} to {target}")

    def convert(self, totals, target):
        """The sum of ``totals``, smallest units by currency, in smallest units of ``target``."""
        value = Fraction(0)
        for source, units in totals.items():
            scale = Fraction(10) ** (decimals(target) - decimals(source))
            value += units * self.rate(source, target) * scale
        return round_ratio(value.numerator, value.denominator)
