"""Taking feeds in."""

from collections import Counter

from stockroom.feed import read_rows, read_site

OUTCOMES = ("applied", "stale", "repeated", "contained")


def apply_feed(stock, text):
    """Take one feed in; what became of its rows, counted."""
    lines = text.split("\n")
    site = read_site(lines)
    rows = list(read_rows(lines))
    for row in rows:
        stock.article(row.sku).place(site)
    return Counter(applied=len(rows))


def summary(outcomes):
    return ", ".join(f"{outcomes[outcome]} {outcome}" for outcome in OUTCOMES)
