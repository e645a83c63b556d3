"""What the commands print."""

from collections import defaultdict

from tally.errors import TallyError
from tally.money import format_amount
from tally.split import apportion


def with_parents(account):
    """``A:B:C`` as ``A``, ``A:B`` and ``A:B:C``."""
    parts = account.split(":")
    return [":".join(parts[: depth + 1]) for depth in range(len(parts))]


def is_below(account, parent):
    return account.startswith(parent + ":")


def account_totals(transactions):
    """Units by currency, for each account and each of its parents."""
    totals = defaultdict(lambda: defaultdict(int))
    for transaction in transactions:
        for posting in transaction.postings:
            for account in with_parents(posting.account):
                totals[account][posting.currency] += posting.units
    return totals


def grand_totals(transactions):
    """Units by currency, of everything."""
    totals = defaultdict(int)
    for transaction in transactions:
        for currency, units in transaction.totals().items():
            totals[currency] += units
    return totals


def converted(totals, currency, rates):
    """``totals`` in one currency, or as they are if there is none to show them in."""
    if currency is None:
        return totals
    return {currency: rates.convert(totals, currency)}


def balance(transactions, currency=None, rates=None):
    lines = []
    for account, totals in sorted(account_totals(transactions).items()):
        for name, units in sorted(converted(totals, currency, rates).items()):
            if units:
                lines.append(f"{format_amount(name, units):>20}  {account}")
    lines.append("-" * 20)
    for name, units in sorted(converted(grand_totals(transactions), currency, rates).items()):
        lines.append(f"{format_amount(name, units):>20}")
    return lines


def register(transactions, account):
    lines = []
    running = defaultdict(int)
    for transaction in sorted(transactions, key=lambda t: t.date):
        for posting in transaction.postings:
            if posting.account == account or is_below(posting.account, account):
                running[posting.currency] += posting.units
                amount = format_amount(posting.currency, posting.units)
                total = format_amount(posting.currency, running[posting.currency])
                description = f"{transaction.description[:24]:<24}"
                lines.append(f"{transaction.date}  {description}  {amount:>18}  {total:>18}")
    return lines


def shares(transactions, account):
    depth = account.count(":") + 1
    weights = {}
    currencies = set()
    for name, totals in sorted(account_totals(transactions).items()):
        if is_below(name, account) and name.count(":") == depth:
            currencies |= totals.keys()
            weights[name] = sum(totals.values())
    if len(currencies) > 1:
        raise TallyError(f"shares: several currencies below {account}")
    weights = {name: units for name, units in weights.items() if units > 0}
    if not weights:
        return []
    tenths = apportion(1000, list(weights.values()))
    return [
        f"{f'{part // 10}.{part % 10}':>6}  {name}"
        for name, part in zip(weights, tenths, strict=True)
    ]
