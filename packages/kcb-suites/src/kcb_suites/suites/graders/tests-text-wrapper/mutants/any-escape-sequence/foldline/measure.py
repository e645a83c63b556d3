"""How many cells text takes."""

import re
import unicodedata

SOFT_HYPHEN = "\u00ad"
ZERO_WIDTH_SPACE = "\u200b"
_COLOUR = re.compile("\x1b\\[[0-9;]*[A-Za-z]")


def char_width(char):
    """The cells of one character."""
    if char in (SOFT_HYPHEN, ZERO_WIDTH_SPACE) or unicodedata.combining(char):
        return 0
    if unicodedata.east_asian_width(char) in ("W", "F"):
        return 2
    return 1


def width_of(text):
    """The cells of ``text``."""
    return sum(map(char_width, _COLOUR.sub("", text)))


def check_width(width):
    """Raise ValueError if ``width`` is none."""
    if width < 1:
        raise ValueError("width must be at least 1")
