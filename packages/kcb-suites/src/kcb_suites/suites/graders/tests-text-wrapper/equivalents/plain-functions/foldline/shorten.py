"""Text on one line."""

from foldline.measure import check_width, width_of
from foldline.words import split_words


def shorten(text, width, mark="..."):
    """``text`` on one line of at most ``width`` cells."""
    check_width(width)
    words = split_words(text)
    if width_of(" ".join(words)) <= width:
        return " ".join(words)
    if width_of(mark) > width:
        raise ValueError("mark is too wide")
    while words and width_of(" ".join(words) + mark) > width:
        words.pop()
    return " ".join(words) + mark
