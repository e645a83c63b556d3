"""Columns of numbers: which way they are written, and how they are written here."""
import re
_POINT = re.compile('[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\\.[0-9]+)?')
_COMMA = re.compile('[+-]?(?:[0-9]{1,3}(?:\\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?')

def _from_point(cell):
    return None

def _from_comma(cell):
    return None

def _converter(cells):
    """How to write the cells of a column of numbers; None if it is none, or could be both."""
    return None

def convert_columns(rows, width):
    """Write every column of numbers with a decimal point and without separators, in place."""
    return None
