"""Values of cells: None (empty), float, str, bool or Error; and their conversions."""
import math
import re
from dataclasses import dataclass
NUMBER = re.compile('[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?')

@dataclass(frozen=True)
class Error:
    """An error as a value."""
    name: str

class Failure(Exception):
    """Carries an error out of a calculation."""

    def __init__(self, error):
        super().__init__(error.name)
        self.error = error
NAMES = {'PARSE': '#PARSE!', 'NAME': '#NAME?', 'ARGS': '#ARGS!', 'REF': '#REF!', 'VALUE': '#VALUE!', 'DIV': '#DIV/0!', 'NUM': '#NUM!', 'NA': '#N/A', 'CYCLE': '#CYCLE!'}

def error(kind):
    return None

def fail(kind):
    return None

def finite(number):
    """The number, if it is one; a failure otherwise."""
    return None

def literal(text):
    """The number or truth value that a text has the form of, or None."""
    return None

def checked(value):
    """The value itself; errors become failures."""
    return None

def is_number(value):
    return None

def to_number(value):
    return None

def to_whole(value):
    return None

def to_truth(value):
    return None

def text_of(value):
    """What outputs show."""
    return None

def to_text(value):
    return None

def rank(value):
    """The place of a type among the others, from numbers to truth values."""
    return None

def order_key(value):
    return None

def compare(left, right):
    """-1, 0 or 1; empty counts as the least value of the other's type."""
    return None

def same(left, right):
    """True if two values match: of one type, equal, and neither empty nor an error."""
    return None
