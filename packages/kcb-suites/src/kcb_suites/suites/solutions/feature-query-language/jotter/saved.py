"""Saved searches."""

from dataclasses import dataclass
from pathlib import Path

FILE = "searches.txt"


@dataclass(frozen=True)
class SavedSearch:
    """One line of the file; ``column`` is where ``text`` begins. Both count from 1."""

    name: str
    text: str
    line: int
    column: int

    def place(self, position):
        """``FILE:LINE:COLUMN`` of a position in the text."""
        return f"{FILE}:{self.line}:{self.column + position}"


def load_lines(folder):
    """Every saved search, also those whose name comes again."""
    path = Path(folder) / FILE
    found = []
    if path.is_file():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            name, equals, text = line.partition("=")
            if equals and not line.startswith("#"):
                blanks = len(text) - len(text.lstrip()) if text.strip() else 0
                column = len(name) + 2 + blanks
                found.append(SavedSearch(name.strip(), text.strip(), number, column))
    return found


def load_saved(folder):
    """Name to search, in the order of the file."""
    return {saved.name: saved.text for saved in load_lines(folder)}


def find_saved(folder, name):
    """The last saved search of that name; None if there is none."""
    return next((saved for saved in reversed(load_lines(folder)) if saved.name == name), None)
