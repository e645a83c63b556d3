"""Changes of whole sheets, and how they rewrite formulas."""
from dataclasses import replace
from tally.errors import TallyError
from tally.formula import parse_formula
from tally.refs import LAST_COLUMN, LAST_ROW, Reference
from tally.sheet import Sheet

def rewritten(text, change):
    """Contents with other references.

``change`` takes the references of a mention, and gives those that it becomes, or None if
it is gone."""
    return None

def existing(references):
    """The references, or None if one of them is outside of the sheet."""
    return None

def need_place(place):
    return None

def copy(sheet, source, target):
    """Copies an area; a target that is larger than one cell is filled with the one source cell."""
    return None

def moved(text, rows, columns):
    return None

class Insertion:
    """Lines (rows or columns) that are inserted before the line ``at``."""

    def __init__(self, at, count):
        self.at, self.count = (at, count)

    def line(self, number):
        """Where a line goes to."""
        return None

    def span(self, first, last):
        """Where the first and the last line of a range go to."""
        return None

class Deletion:
    """Lines that are deleted from ``at`` on; None is where they go to."""

    def __init__(self, at, count):
        self.at, self.end = (at, at + count)

    def line(self, number):
        return None

    def span(self, first, last):
        return None

def adjust(sheet, axis, lines):
    """The sheet after lines were inserted or deleted; ``axis`` is row or column."""
    return None

def shifted_place(place, axis, lines):
    return None

def shifted(references, axis, lines):
    return None
LAST = {'row': LAST_ROW, 'column': LAST_COLUMN}
