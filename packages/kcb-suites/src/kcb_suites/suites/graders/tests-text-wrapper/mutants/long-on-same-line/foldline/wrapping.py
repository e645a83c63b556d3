"""Paragraphs to lines."""

import re

from foldline.measure import char_width, check_width, width_of
from foldline.words import pieces, shown, split_words

_PARAGRAPH_END = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
LONG = ("break", "keep", "error")


class _Lines:
    """The lines so far, and the one that is being filled."""

    def __init__(self, width, first, rest, long):
        self.width = width
        self.rest = rest
        self.long = long
        self.done = []
        self.line = first
        self.empty = True

    def fits(self, text):
        return width_of(self.line + text) <= self.width

    def put(self, text):
        self.line += text
        self.empty = False

    def end(self):
        self.done.append(self.line)
        self.line = self.rest
        self.empty = True

    def put_long(self, piece):
        """Put what is wider than a line, by the rule for it."""
        if self.long == "error":
            raise ValueError(f"does not fit: {piece!r}")
        if self.long == "keep":
            self.put(piece)
            return
        for char in piece:
            if not self.empty and not self.fits(char) and char_width(char):
                self.end()
            self.put(char)


def _fitting(lines, space, parts):
    """How many of the ``parts`` fit on the line that is being filled."""
    for count in range(len(parts), 0, -1):
        text = shown("".join(parts[:count]), ends_line=count < len(parts))
        if lines.fits(space + text):
            return count, text
    return 0, ""


def _put_word(lines, parts):
    space = "" if lines.empty else " "
    while parts:
        count, text = _fitting(lines, space, parts)
        if count:
            lines.put(space + text)
        elif not lines.empty and lines.long != "break":
            lines.end()
        else:
            count = 1
            lines.put_long(shown(parts[0], ends_line=len(parts) > 1))
        parts = parts[count:]
        if parts and count:
            lines.end()
        space = ""


def wrap(text, width, *, first="", rest="", long="break", hyphens=True):
    """The lines of one paragraph."""
    check_width(width)
    if long not in LONG:
        raise ValueError(f"unknown: {long!r}")
    if max(width_of(first), width_of(rest)) >= width:
        raise ValueError("no room beside the indent")
    lines = _Lines(width, first, rest, long)
    for word in split_words(text):
        _put_word(lines, pieces(word) if hyphens else [word])
    if not lines.empty:
        lines.end()
    return lines.done


def fill(text, width, **options):
    """Each paragraph of ``text`` wrapped, as one string."""
    check_width(width)
    paragraphs = (wrap(part, width, **options) for part in _PARAGRAPH_END.split(text))
    return "\n\n".join("\n".join(lines) for lines in paragraphs if lines)
