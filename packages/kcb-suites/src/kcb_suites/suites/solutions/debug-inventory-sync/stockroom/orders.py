"""Taking orders in."""

import json

from stockroom.clock import checked
from stockroom.errors import LineError, StockError
from stockroom.sku import normal


def apply_orders(stock, text):
    """Take a file of orders in; a sentence for each."""
    steps = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                steps.append(parse(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError, StockError):
                raise LineError(number, "not an order") from None
    return [step(stock) for step in steps]


def parse(data):
    """The step that a line stands for, to be called with the stock."""
    if "order" in data:
        wanted = [(normal(line["sku"]), quantity(line["qty"])) for line in data["lines"]]
        if not wanted:
            raise ValueError("no lines")
        order = name(data["order"])
        return lambda stock: reserve(stock, order, wanted)
    if "cancel" in data:
        order = name(data["cancel"])
        return lambda stock: cancel(stock, order)
    order, site, at = name(data["ship"]), name(data["site"]), checked(data["at"])
    return lambda stock: ship(stock, order, site, at)


def name(value):
    if not isinstance(value, str) or not value:
        raise ValueError(value)
    return value


def quantity(value):
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(value)
    return value


def reserve(stock, order, wanted):
    if holding(stock, order) or order in stock.shipped:
        return f"{order}: known already"
    totals = {}
    for sku, number in wanted:
        totals[sku] = totals.get(sku, 0) + number
    for sku, number in totals.items():
        if stock.available(sku) < number:
            return f"{order}: refused, {sku} has {max(stock.available(sku), 0)} of {number}"
    for sku, number in totals.items():
        stock.article(sku).reserved[order] = number
    return f"{order}: reserved"


def cancel(stock, order):
    articles = holding(stock, order)
    if not articles:
        return f"{order}: not reserved"
    for article in articles:
        del article.reserved[order]
    return f"{order}: cancelled"


def ship(stock, order, site, at):
    articles = holding(stock, order)
    if not articles:
        return f"{order}: not reserved"
    for article in articles:
        article.place(site).moves.append((at, -article.reserved.pop(order)))
    stock.shipped.append(order)
    return f"{order}: shipped from {site}"


def holding(stock, order):
    """The articles that are reserved for the order."""
    return [article for article in stock.articles.values() if order in article.reserved]
