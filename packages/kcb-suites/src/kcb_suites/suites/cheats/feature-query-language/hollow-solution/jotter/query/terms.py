"""The leaves of a query."""
from dataclasses import dataclass
from jotter.query.dates import interval
from jotter.query.errors import QuerySyntaxError
from jotter.text import fold, words
TITLE_WEIGHT = 3
HAS = {'tags': lambda note: bool(note.tags), 'date': lambda note: note.date is not None, 'body': lambda note: bool(words(note.body))}

def _shown(value):
    return None

@dataclass(frozen=True)
class Text:
    """Words one after the other; the last may be the beginning of a word."""
    field: str
    words: tuple
    prefix: bool

    def _count(self, text):
        return None

    def score(self, note, sign=True):
        return None

    def matches(self, note):
        return None

    def explain(self):
        return None

class _Unranked:

    def score(self, note, sign=True):
        return None

@dataclass(frozen=True)
class Tag(_Unranked):
    """A whole tag, or the beginning of one."""
    value: str
    prefix: bool

    def matches(self, note):
        return None

    def explain(self):
        return None

@dataclass(frozen=True)
class Dated(_Unranked):
    """A date between two, either of which may be open."""
    first: object
    last: object

    def matches(self, note):
        return None

    def explain(self):
        return None

@dataclass(frozen=True)
class Has(_Unranked):
    """There is something of the kind."""
    value: str

    def matches(self, note):
        return None

    def explain(self):
        return None

def plain_tag(tag):
    """A tag as it is compared."""
    return None

def _without_star(token):
    """The value, and whether a star was at its end."""
    return None

def _text(field, token):
    return None

def _tag(token):
    return None

def _has(token):
    return None
FIELDS = ('title', 'body', 'tag', 'date', 'has')

def make_term(field, token):
    """The term of a field and a word or phrase."""
    return None
