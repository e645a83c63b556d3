"""Paragraphs to lines, in functions that give lines and what is left."""

import re

from foldline.measure import char_width, check_width, width_of
from foldline.words import pieces, shown, split_words

_BLANK_LINES = "\n[^\\S\n]*(?:\n[^\\S\n]*)+"


def _clusters(text):
    """Characters, each with the ones of no width that follow it."""
    found = []
    for char in text:
        if found and not char_width(char):
            found[-1] += char
        else:
            found.append(char)
    return found


def _cut(piece, room, next_room):
    """``piece`` in strings, the first of ``room`` cells and the others of ``next_room``."""
    parts = [""]
    for cluster in _clusters(piece):
        limit = room if len(parts) == 1 else next_room
        if parts[-1] and width_of(parts[-1] + cluster) > limit:
            parts.append("")
        parts[-1] += cluster
    return parts


def _long(piece, room, next_room, how):
    if how == "error":
        raise ValueError(f"does not fit: {piece!r}")
    return [piece] if how == "keep" else _cut(piece, room, next_room)


def _best(parts, room, lead):
    """The most parts that fit, as ``(how many, what is shown)``."""
    best = (0, "")
    for count in range(1, len(parts) + 1):
        candidate = lead + shown("".join(parts[:count]), ends_line=count != len(parts))
        if width_of(candidate) <= room:
            best = (count, candidate)
    return best


def _contents(words, first_room, rest_room, how):
    """The contents of lines, without their indents."""
    lines, content = [], None

    def room():
        return rest_room if lines else first_room

    for parts in words:
        while parts:
            full = content is not None
            count, text = _best(parts, room() - width_of(content or ""), " " if full else "")
            if not count and full:
                lines.append(content)
                content = None
                continue
            if count:
                content = (content or "") + text
            else:
                count = 1
                piece = shown(parts[0], ends_line=len(parts) > 1)
                *whole, content = _long(piece, room(), rest_room, how)
                lines.extend(whole)
            parts = parts[count:]
            if parts:
                lines.append(content)
                content = None
    return lines if content is None else [*lines, content]


def wrap(text, width, *, first="", rest="", long="break", hyphens=True):
    """The lines of one paragraph."""
    check_width(width)
    if long not in ("keep", "break", "error"):
        raise ValueError(f"unknown: {long!r}")
    rooms = [width - width_of(start) for start in (first, rest)]
    if min(rooms) < 1:
        raise ValueError("no room beside the indent")
    words = [pieces(word) if hyphens else [word] for word in split_words(text)]
    contents = _contents(words, *rooms, long)
    return [(rest if number else first) + line for number, line in enumerate(contents)]


def fill(text, width, **options):
    """Each paragraph of ``text`` wrapped, as one string."""
    check_width(width)
    wrapped = [wrap(part, width, **options) for part in re.split(_BLANK_LINES, text)]
    return "\n\n".join("\n".join(lines) for lines in wrapped if lines)
