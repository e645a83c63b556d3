"""Names of cells. A place is a pair (row, column), both from 1."""

import re
from dataclasses import dataclass, replace

LAST_ROW = 9999
LAST_COLUMN = 702
REFERENCE = re.compile(r"(\$?)([A-Za-z]{1,3})(\$?)([1-9][0-9]*)")


@dataclass(frozen=True)
class Reference:
    """A cell as a formula names it; ``fixed_*`` is the ``$`` before a part."""

    row: int
    column: int
    fixed_row: bool = False
    fixed_column: bool = False

    @property
    def place(self):
        return self.row, self.column

    @property
    def exists(self):
        return 1 <= self.row <= LAST_ROW and 1 <= self.column <= LAST_COLUMN

    def moved(self, rows, columns):
        """Moved as by a copy."""
        return replace(
            self,
            row=self.row if self.fixed_row else self.row + rows,
            column=self.column if self.fixed_column else self.column + columns,
        )

    def __str__(self):
        dollars = ["$" if fixed else "" for fixed in (self.fixed_column, self.fixed_row)]
        return f"{dollars[0]}{column_name(self.column)}{dollars[1]}{self.row}"


def column_number(letters):
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def column_name(number):
    name = ""
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def cell_name(place):
    return f"{column_name(place[1])}{place[0]}"


def parse_reference(word):
    """The reference that a word is, or None; it may lie outside of the sheet."""
    match = REFERENCE.fullmatch(word)
    if match is None:
        return None
    row = int(match[4]) if len(match[4]) < 6 else LAST_ROW + 1
    return Reference(row, column_number(match[2]), bool(match[3]), bool(match[1]))


@dataclass(frozen=True)
class Area:
    """A rectangle of cells."""

    top: int
    left: int
    bottom: int
    right: int

    @classmethod
    def between(cls, one, other):
        rows, columns = sorted((one[0], other[0])), sorted((one[1], other[1]))
        return cls(rows[0], columns[0], rows[1], columns[1])

    @property
    def size(self):
        return self.bottom - self.top + 1, self.right - self.left + 1

    def clipped(self, bottom, right):
        """The part of it that is not below or right of a cell; it may be nothing."""
        return replace(self, bottom=min(self.bottom, bottom), right=min(self.right, right))

    def places(self):
        """All places, row by row."""
        for row in range(self.top, self.bottom + 1):
            for column in range(self.left, self.right + 1):
                yield row, column
