"""Text to records. The rules are those of docs/FORMAT.md, section 2."""
from dataclasses import dataclass
from csvtidy.errors import CsvError

@dataclass(frozen=True)
class Record:
    """The cells of one record, and the line on which it begins."""
    line: int
    cells: list

class _Scanner:
    """Goes through the text once, and knows on which line it is."""

    def __init__(self, text, delimiter, line):
        return None

    def more(self):
        return None

    def take_line_end(self):
        """The length of a line end is one or two; go past it if one is here."""
        return None

    def plain(self):
        """Characters up to the next delimiter or line end."""
        return None

    def quoted(self):
        """What is between the quote that is here and the one that closes it."""
        return None

    def cell(self):
        """One cell, and whether it was quoted."""
        return None

    def record(self):
        """One record, or None for a blank line."""
        return None

def read_records(text, delimiter, first_line=1):
    """Yield the records of ``text``, whose first line is number ``first_line``."""
    return None
