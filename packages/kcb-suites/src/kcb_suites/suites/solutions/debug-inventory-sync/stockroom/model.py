"""What there is of each article."""

from dataclasses import dataclass, field

from stockroom.clock import is_later


@dataclass
class Place:
    """An article at one site."""

    count: int = 0
    counted_at: str = ""
    moves: list[tuple[str, int]] = field(default_factory=list)  # (at, quantity)

    @property
    def stock(self):
        return self.count + sum(number for at, number in self.moves if not self.covers(at))

    def covers(self, at):
        """Whether the latest count was not before ``at``."""
        return bool(self.counted_at) and not is_later(at, self.counted_at)


@dataclass
class Article:
    sku: str
    name: str = ""
    places: dict[str, Place] = field(default_factory=dict)
    reserved: dict[str, int] = field(default_factory=dict)  # by order

    def place(self, site):
        return self.places.setdefault(site, Place())

    @property
    def stock(self):
        return sum(place.stock for place in self.places.values())

    @property
    def total_reserved(self):
        return sum(self.reserved.values())

    @property
    def available(self):
        return self.stock - self.total_reserved


@dataclass
class Stock:
    """Everything that is remembered."""

    articles: dict[str, Article] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)  # references of deliveries
    shipped: list[str] = field(default_factory=list)  # orders

    def article(self, sku):
        return self.articles.setdefault(sku, Article(sku))

    def available(self, sku):
        return self.articles[sku].available if sku in self.articles else 0
