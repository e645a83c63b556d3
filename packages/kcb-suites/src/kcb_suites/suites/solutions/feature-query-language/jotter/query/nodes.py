"""Queries as trees. Each node knows `matches`, `score` and `explain`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class And:
    """Both."""

    left: object
    right: object

    def matches(self, note):
        return self.left.matches(note) and self.right.matches(note)

    def score(self, note, sign=True):
        return self.left.score(note, sign) + self.right.score(note, sign)

    def explain(self):
        return f"({self.left.explain()} AND {self.right.explain()})"


@dataclass(frozen=True)
class Or:
    """One of them, or both."""

    left: object
    right: object

    def matches(self, note):
        return self.left.matches(note) or self.right.matches(note)

    def score(self, note, sign=True):
        return self.left.score(note, sign) + self.right.score(note, sign)

    def explain(self):
        return f"({self.left.explain()} OR {self.right.explain()})"


@dataclass(frozen=True)
class Not:
    """Whatever it is not."""

    inner: object

    def matches(self, note):
        return not self.inner.matches(note)

    def score(self, note, sign=True):
        return self.inner.score(note, not sign)

    def explain(self):
        return f"(NOT {self.inner.explain()})"
