"""Names of cells. A place is a pair (row, column), both from 1."""
import re
from dataclasses import dataclass, replace
LAST_ROW = 9999
LAST_COLUMN = 702
REFERENCE = re.compile('(\\$?)([A-Za-z]{1,3})(\\$?)([1-9][0-9]*)')

@dataclass(frozen=True)
class Reference:
    """A cell as a formula names it; ``fixed_*`` is the ``$`` before a part."""
    row: int
    column: int
    fixed_row: bool = False
    fixed_column: bool = False

    @property
    def place(self):
        return None

    @property
    def exists(self):
        return None

    def moved(self, rows, columns):
        """Moved as by a copy."""
        return None

    def __str__(self):
        return None

def column_number(letters):
    return None

def column_name(number):
    return None

def cell_name(place):
    return None

def parse_reference(word):
    """The reference that a word is, or None; it may lie outside of the sheet."""
    return None

@dataclass(frozen=True)
class Area:
    """A rectangle of cells."""
    top: int
    left: int
    bottom: int
    right: int

    @classmethod
    def between(cls, one, other):
        return None

    @property
    def size(self):
        return None

    def clipped(self, bottom, right):
        """The part of it that is not below or right of a cell; it may be nothing."""
        return None

    def places(self):
        """All places, row by row."""
        return None
