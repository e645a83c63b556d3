"""Lines of iCalendar: escaped, folded, in UTF-8."""

import re

MOST_OCTETS = 75
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


def escaped(text):
    """``text`` as the value of a property."""
    return CONTROL.sub("", text).translate(ESCAPES)


def folded(line):
    """One line in octets, in as few pieces as possible."""
    pieces = [b""]
    for character in line:
        octets = character.encode()
        if len(pieces[-1]) + len(octets) > MOST_OCTETS:
            pieces.append(b" ")
        pieces[-1] += octets
    return b"".join(piece + b"\r\n" for piece in pieces)
