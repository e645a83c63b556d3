"""The state file."""

import json
from pathlib import Path

from stockroom.model import Article, Place, Stock


def load(path):
    """The stock of the state file; an empty one if there is no file."""
    if not Path(path).exists():
        return Stock()
    return from_json(Path(path).read_text("utf-8"))


def save(path, stock):
    target = Path(path)
    beside = target.with_name(target.name + ".new")
    beside.write_text(to_json(stock), "utf-8")
    beside.replace(target)


def to_json(stock):
    articles = {
        article.sku: {
            "name": article.name,
            "places": {
                site: {"count": place.count, "at": place.counted_at, "moves": place.moves}
                for site, place in article.places.items()
            },
            "reserved": article.reserved,
        }
        for article in stock.articles.values()
    }
    data = {"articles": articles, "seen": stock.seen, "shipped": stock.shipped}
    return json.dumps(data, indent=1, ensure_ascii=False)


def from_json(text):
    data = json.loads(text)
    articles = {}
    for sku, entry in data["articles"].items():
        places = {
            site: Place(place["count"], place["at"], [tuple(move) for move in place["moves"]])
            for site, place in entry["places"].items()
        }
        articles[sku] = Article(sku, entry["name"], places, entry["reserved"])
    return Stock(articles, data["seen"], data["shipped"])
