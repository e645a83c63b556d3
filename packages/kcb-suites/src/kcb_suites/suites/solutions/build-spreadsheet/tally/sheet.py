"""A sheet: the contents of its cells."""

from tally.csvfile import format_csv, parse_csv
from tally.errors import TallyError
from tally.refs import LAST_COLUMN, LAST_ROW


class Sheet:
    """``contents`` holds the contents of all cells that are not empty, by place."""

    def __init__(self, contents=None):
        self.contents = contents or {}

    @classmethod
    def from_csv(cls, text):
        contents = {}
        for row, fields in enumerate(parse_csv(text), 1):
            if row > LAST_ROW or len(fields) > LAST_COLUMN:
                raise TallyError("the sheet is too large")
            for column, field in enumerate(fields, 1):
                if field:
                    contents[row, column] = field
        return cls(contents)

    @property
    def corner(self):
        """The last row and column of the used area; 0 and 0 without contents."""
        rows = max((row for row, _ in self.contents), default=0)
        columns = max((column for _, column in self.contents), default=0)
        return rows, columns

    def put(self, place, text):
        if text:
            self.contents[place] = text
        else:
            self.contents.pop(place, None)

    def to_csv(self, shown=None):
        """As CSV; ``shown`` gives the field of a place, by default its contents."""
        shown = shown or (lambda place: self.contents.get(place, ""))
        rows, columns = self.corner
        return format_csv(
            [shown((row, column)) for column in range(1, columns + 1)] for row in range(1, rows + 1)
        )
