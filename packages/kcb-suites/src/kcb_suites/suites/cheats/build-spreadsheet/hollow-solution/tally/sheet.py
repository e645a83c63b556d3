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
        return None

    @property
    def corner(self):
        """The last row and column of the used area; 0 and 0 without contents."""
        return None

    def put(self, place, text):
        return None

    def to_csv(self, shown=None):
        """As CSV; ``shown`` gives the field of a place, by default its contents."""
        return None
