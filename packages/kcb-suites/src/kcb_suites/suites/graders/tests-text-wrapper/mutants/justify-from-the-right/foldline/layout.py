"""Lines of a certain width."""

from foldline.measure import check_width, width_of
from foldline.wrapping import wrap


def align(line, width, how):
    """``line`` with spaces added up to ``width`` cells."""
    check_width(width)
    missing = max(0, width - width_of(line))
    if how == "left":
        return line + " " * missing
    if how == "right":
        return " " * missing + line
    if how == "center":
        before = missing // 2
        return " " * before + line + " " * (missing - before)
    raise ValueError(f"unknown: {how!r}")


def _stretched(line, width):
    words = line.split(" ")
    gaps = len(words) - 1
    if not gaps:
        return line
    each, more = divmod(width - width_of("".join(words)), gaps)
    spaces = [" " * (each + (number >= gaps - more)) for number in range(gaps)]
    return "".join(word + space for word, space in zip(words, [*spaces, ""], strict=True))


def justify(text, width):
    """The lines of ``text``, each but the last stretched to ``width``."""
    lines = wrap(text, width)
    return [_stretched(line, width) for line in lines[:-1]] + lines[-1:]


def hang(label, text, width, *, column=16):
    """``label``, and ``text`` beside it from cell ``column`` on."""
    check_width(width)
    if column >= width:
        raise ValueError("no room beside the label")
    margin = " " * column
    lines = wrap(text, width, first=margin, rest=margin)
    if not lines:
        return [label]
    if width_of(label) + 2 > column:
        return [label, *lines]
    return [align(label, column, "left") + lines[0][column:], *lines[1:]]
