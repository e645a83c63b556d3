"""Taking feeds in."""

from collections import Counter

from stockroom.clock import is_later
from stockroom.feed import read_rows, read_site

OUTCOMES = ("applied", "stale", "repeated", "contained")


def apply_feed(stock, text):
    """Take one feed in; what became of its rows, counted."""
    lines = text.split("\n")
    site = read_site(lines)
    outcomes = Counter()
    for row in list(read_rows(lines)):
        article = stock.article(row.sku)
        article.name = row.name or article.name
        outcomes[apply_row(stock, article.place(site), site, row)] += 1
    return outcomes


def apply_row(stock, place, site, row):
    """One row at its place; the outcome."""
    if row.kind == "count":
        if place.counted_at and is_later(place.counted_at, row.at):
            return "stale"
        place.count, place.counted_at = row.quantity, row.at
        return "applied"
    reference = f"{site}\n{row.ref}"
    if reference in stock.seen:
        return "repeated"
    stock.seen.append(reference)
    contained = place.covers(row.at)
    place.moves.append((row.at, row.quantity))
    return "contained" if contained else "applied"


def summary(outcomes):
    return ", ".join(f"{outcomes[outcome]} {outcome}" for outcome in OUTCOMES)
