"""Text on one line."""

from foldline.measure import check_width, width_of
from foldline.words import split_words


def shorten(text, width, mark="..."):
    """``text`` on one line of at most ``width`` cells."""
    check_width(width)
    words = split_words(text)
    whole = " ".join(words)
    if width_of(whole) <= width:
        return whole
    if width_of(mark) > width:
        raise ValueError("mark is too wide")
    kept = ""
    for word in words:
        longer = f"{kept} {word}" if kept else word
        if width_of(longer + mark) > width:
            continue
        kept = longer
    return kept + mark
