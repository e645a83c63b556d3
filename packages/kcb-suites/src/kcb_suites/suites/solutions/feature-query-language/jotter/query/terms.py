"""The leaves of a query."""

from dataclasses import dataclass

from jotter.query.dates import interval
from jotter.query.errors import QuerySyntaxError
from jotter.text import fold, words

TITLE_WEIGHT = 3
HAS = {
    "tags": lambda note: bool(note.tags),
    "date": lambda note: note.date is not None,
    "body": lambda note: bool(words(note.body)),
}


def _shown(value):
    if value.isalnum():
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@dataclass(frozen=True)
class Text:
    """Words one after the other; the last may be the beginning of a word."""

    field: str
    words: tuple
    prefix: bool

    def _count(self, text):
        found = words(text)
        *whole, last = self.words
        total = 0
        for start in range(len(found) - len(whole)):
            end = start + len(whole)
            word = found[end]
            right = word.startswith(last) if self.prefix else word == last
            total += right and found[start:end] == whole
        return total

    def score(self, note, sign=True):
        if not sign:
            return 0
        title = self._count(note.title) if self.field != "body" else 0
        body = self._count(note.body) if self.field != "title" else 0
        return TITLE_WEIGHT * title + body

    def matches(self, note):
        return self.score(note) > 0

    def explain(self):
        return f"{self.field}:{_shown(' '.join(self.words))}{'*' * self.prefix}"


class _Unranked:
    def score(self, note, sign=True):
        return 0


@dataclass(frozen=True)
class Tag(_Unranked):
    """A whole tag, or the beginning of one."""

    value: str
    prefix: bool

    def matches(self, note):
        tags = [plain_tag(tag) for tag in note.tags]
        if self.prefix:
            return any(tag.startswith(self.value) for tag in tags)
        return self.value in tags

    def explain(self):
        return f"tag:{_shown(self.value)}{'*' * self.prefix}"


@dataclass(frozen=True)
class Dated(_Unranked):
    """A date between two, either of which may be open."""

    first: object
    last: object

    def matches(self, note):
        return note.date is not None and (
            (self.first is None or self.first <= note.date)
            and (self.last is None or note.date <= self.last)
        )

    def explain(self):
        first, last = ("" if day is None else day.isoformat() for day in (self.first, self.last))
        return f"date:{first}..{last}"


@dataclass(frozen=True)
class Has(_Unranked):
    """There is something of the kind."""

    value: str

    def matches(self, note):
        return HAS[self.value](note)

    def explain(self):
        return f"has:{self.value}"


def plain_tag(tag):
    """A tag as it is compared."""
    return " ".join(fold(tag).split())


def _without_star(token):
    """The value, and whether a star was at its end."""
    if token.kind == "phrase":
        return token.text, False
    star = token.text.find("*")
    if 0 <= star < len(token.text) - 1:
        position = token.position + star
        raise QuerySyntaxError("'*' is allowed only at the end of a word", position)
    return token.text.removesuffix("*"), star >= 0


def _text(field, token):
    value, prefix = _without_star(token)
    found = tuple(words(value))
    if not found:
        raise QuerySyntaxError("nothing to search for", token.position)
    return Text(field, found, prefix)


def _tag(token):
    value, prefix = _without_star(token)
    tag = plain_tag(value)
    if not tag:
        raise QuerySyntaxError("nothing to search for", token.position)
    return Tag(tag, prefix)


def _has(token):
    value = token.text.lower()
    if value not in HAS:
        raise QuerySyntaxError(f"unknown value {token.text!r} for has", token.position)
    return Has(value)


FIELDS = ("title", "body", "tag", "date", "has")


def make_term(field, token):
    """The term of a field and a word or phrase."""
    if field == "tag":
        return _tag(token)
    if field == "date":
        return Dated(*interval(token.text, token.position + (token.kind == "phrase")))
    if field == "has":
        return _has(token)
    return _text(field, token)
