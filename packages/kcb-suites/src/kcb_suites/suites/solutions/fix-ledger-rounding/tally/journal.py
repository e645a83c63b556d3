"""Transactions, and when they balance."""

from collections import defaultdict
from dataclasses import dataclass, field

from tally.errors import TallyError
from tally.money import format_amount


@dataclass
class Posting:
    account: str
    currency: str | None  # None where the amount was left out
    units: int = 0


@dataclass
class Transaction:
    date: str
    description: str
    line: int
    postings: list[Posting] = field(default_factory=list)

    def totals(self):
        """The sum of the postings in each currency."""
        sums = defaultdict(int)
        for posting in self.postings:
            if posting.currency is not None:
                sums[posting.currency] += posting.units
        return dict(sums)

    def complete(self):
        """Fill in the amount that was left out, and see that everything balances."""
        open_postings = [p for p in self.postings if p.currency is None]
        if len(open_postings) > 1:
            raise TallyError("two postings without an amount")
        totals = self.totals()
        if open_postings:
            if len(totals) != 1:
                raise TallyError("cannot fill in an amount in several currencies")
            [(currency, units)] = totals.items()
            open_postings[0].currency = currency
            open_postings[0].units = -units
            return
        for currency, units in sorted(totals.items()):
            if units:
                raise TallyError(f"does not balance: {format_amount(currency, units)}")
