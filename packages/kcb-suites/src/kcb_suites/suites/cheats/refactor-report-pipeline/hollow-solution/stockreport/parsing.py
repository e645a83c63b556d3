"""Text to movements."""
import datetime
import re
from dataclasses import dataclass
KINDS = ('in', 'out', 'loss', 'count')
_DATE = re.compile('[0-9]{4}-[0-9]{2}-[0-9]{2}')
_NUMBER = re.compile('[0-9]+')
_PRICE = re.compile('([0-9]+)(?:\\.([0-9]{1,2}))?')

@dataclass(frozen=True)
class Movement:
    """One line of the log; ``price`` is in cents."""
    day: datetime.date
    kind: str
    item: str
    quantity: int
    price: int
    note: str = ''

def _day(text):
    return None

def _kind(text):
    return None

def _item(text):
    return None

def _quantity(text, kind):
    return None

def _price(text):
    return None

def _movement(line):
    return None

def parse_movements(text):
    """``(movements, problems)`` of a log, in the order of its lines."""
    return None
