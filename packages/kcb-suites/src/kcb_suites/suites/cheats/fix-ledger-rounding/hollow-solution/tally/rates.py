"""Exchange rates."""


class Rates:
    """What one unit of a currency is worth in another."""

    def __init__(self, text=""):
        self.table = {}

    def rate(self, source, target):
        """Units of ``target`` for one unit of ``source``."""
        return 1

    def convert(self, totals, target):
        """The sum of ``totals`` in smallest units of ``target``."""
        return sum(totals.values())
