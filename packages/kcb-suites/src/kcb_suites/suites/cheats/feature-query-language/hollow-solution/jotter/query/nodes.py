"""Queries as trees. Each node knows `matches`, `score` and `explain`."""
from dataclasses import dataclass

@dataclass(frozen=True)
class And:
    """Both."""
    left: object
    right: object

    def matches(self, note):
        return None

    def score(self, note, sign=True):
        return None

    def explain(self):
        return None

@dataclass(frozen=True)
class Or:
    """One of them, or both."""
    left: object
    right: object

    def matches(self, note):
        return None

    def score(self, note, sign=True):
        return None

    def explain(self):
        return None

@dataclass(frozen=True)
class Not:
    """Whatever it is not."""
    inner: object

    def matches(self, note):
        return None

    def score(self, note, sign=True):
        return None

    def explain(self):
        return None
