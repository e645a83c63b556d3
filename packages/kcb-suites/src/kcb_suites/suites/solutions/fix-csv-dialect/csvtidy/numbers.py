"""Columns of numbers: which way they are written, and how they are written here."""

import re

_POINT = re.compile(r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?")
_COMMA = re.compile(r"[+-]?(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?")


def _from_point(cell):
    return cell.replace(",", "")


def _from_comma(cell):
    return cell.replace(".", "").replace(",", ".")


def _converter(cells):
    """How to write the cells of a column of numbers; None if it is none, or could be both."""
    cells = [cell for cell in cells if cell]
    point = all(_POINT.fullmatch(cell) for cell in cells)
    comma = all(_COMMA.fullmatch(cell) for cell in cells)
    if point == comma:
        return None
    return _from_point if point else _from_comma


def convert_columns(rows, width):
    """Write every column of numbers with a decimal point and without separators, in place."""
    for column in range(width):
        convert = _converter([row[column] for row in rows])
        if convert is not None:
            for row in rows:
                row[column] = convert(row[column])
