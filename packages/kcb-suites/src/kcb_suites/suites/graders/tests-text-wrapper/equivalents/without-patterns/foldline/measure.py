"""Cells, counted without regular expressions."""

from unicodedata import combining, east_asian_width

ESCAPE = "\x1b"
INVISIBLE = "\u00ad\u200b"


def cells_of_char(char):
    """0, 1 or 2."""
    if combining(char) != 0 or char in INVISIBLE:
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def after_colour(text, at):
    """Where the colour sequence that begins at ``at`` ends; ``at`` if none does."""
    if text[at : at + 2] != ESCAPE + "[":
        return at
    end = at + 2
    while end < len(text) and text[end] in "0123456789;":
        end += 1
    return end + 1 if text[end : end + 1] == "m" else at


def width_of(text):
    """The cells of ``text``."""
    at = total = 0
    while at < len(text):
        end = after_colour(text, at)
        if end > at:
            at = end
        else:
            total += cells_of_char(text[at])
            at += 1
    return total


def positive(width):
    """``width``, which must be at least 1."""
    if width <= 0:
        raise ValueError("width must be at least 1")
    return width
