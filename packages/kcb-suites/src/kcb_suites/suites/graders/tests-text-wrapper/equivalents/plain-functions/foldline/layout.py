"""Lines of a certain width."""

from foldline.measure import check_width, width_of
from foldline.wrapping import wrap


def align(line, width, how):
    """``line`` with spaces added up to ``width`` cells."""
    check_width(width)
    if how not in ("left", "right", "center"):
        raise ValueError(f"unknown: {how!r}")
    turn = {"left": [1], "right": [0], "center": [1, 0]}[how]
    added = 0
    while width_of(line) < width:
        line = line + " " if turn[added % len(turn)] else " " + line
        added += 1
    return line


def justify(text, width):
    """The lines of ``text``, each but the last stretched to ``width``."""
    *lines, last = wrap(text, width) or [None]
    found = []
    for line in lines:
        words = line.split(" ")
        at = 0
        while len(words) > 1 and width_of(" ".join(words)) < width:
            words[at] += " "
            at = (at + 1) % (len(words) - 1)
        found.append(" ".join(words))
    return found if last is None else [*found, last]


def hang(label, text, width, *, column=16):
    """``label``, and ``text`` beside it from cell ``column`` on."""
    check_width(width)
    if width <= column:
        raise ValueError("no room beside the label")
    lines = [" " * column + line for line in wrap(text, width - column)]
    space = column - width_of(label)
    if not lines or space < 2:
        return [label, *lines]
    return [label + " " * space + lines[0][column:], *lines[1:]]
