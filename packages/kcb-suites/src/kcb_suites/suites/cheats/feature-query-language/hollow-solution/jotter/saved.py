"""Saved searches."""
from dataclasses import dataclass
from pathlib import Path
FILE = 'searches.txt'

@dataclass(frozen=True)
class SavedSearch:
    """One line of the file; ``column`` is where ``text`` begins. Both count from 1."""
    name: str
    text: str
    line: int
    column: int

    def place(self, position):
        """``FILE:LINE:COLUMN`` of a position in the text."""
        return None

def load_lines(folder):
    """Every saved search, also those whose name comes again."""
    return None

def load_saved(folder):
    """Name to search, in the order of the file."""
    return None

def find_saved(folder, name):
    """The last saved search of that name; None if there is none."""
    return None
