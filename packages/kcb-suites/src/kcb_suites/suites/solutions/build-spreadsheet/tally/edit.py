"""Changes of whole sheets, and how they rewrite formulas."""

from dataclasses import replace

from tally.errors import TallyError
from tally.formula import parse_formula
from tally.refs import LAST_COLUMN, LAST_ROW, Reference
from tally.sheet import Sheet


def rewritten(text, change):
    """Contents with other references.

    ``change`` takes the references of a mention, and gives those that it becomes, or None if
    it is gone.
    """
    if not text.startswith("="):
        return text
    for mention in reversed(parse_formula(text).mentions):
        changed = change(mention.references)
        if changed is None:
            text = text[: mention.spans[0][0]] + "#REF!" + text[mention.spans[-1][1] :]
            continue
        pairs = zip(mention.references, changed, mention.spans, strict=True)
        for old, new, (start, end) in reversed(list(pairs)):
            if old != new:
                text = text[:start] + str(new) + text[end:]
    return text


def existing(references):
    """The references, or None if one of them is outside of the sheet."""
    return references if all(reference.exists for reference in references) else None


def need_place(place):
    if not Reference(*place).exists:
        raise TallyError("contents would get beyond the sheet")
    return place


def copy(sheet, source, target):
    """Copies an area; a target that is larger than one cell is filled with the one source cell."""
    if target.size != (1, 1):
        if source.size != (1, 1):
            raise TallyError("only one cell can be copied to a range")
        corners = list(target.places())
    else:
        corners = [(target.top, target.left)]
    taken = [(place, sheet.contents.get(place, "")) for place in source.places()]
    for top, left in corners:
        rows, columns = top - source.top, left - source.left
        for (row, column), text in taken:
            place = row + rows, column + columns
            if text:
                need_place(place)
            sheet.put(place, moved(text, rows, columns))


def moved(text, rows, columns):
    return rewritten(
        text, lambda references: existing([one.moved(rows, columns) for one in references])
    )


class Insertion:
    """Lines (rows or columns) that are inserted before the line ``at``."""

    def __init__(self, at, count):
        self.at, self.count = at, count

    def line(self, number):
        """Where a line goes to."""
        return number + self.count if number >= self.at else number

    def span(self, first, last):
        """Where the first and the last line of a range go to."""
        return self.line(first), self.line(last)


class Deletion:
    """Lines that are deleted from ``at`` on; None is where they go to."""

    def __init__(self, at, count):
        self.at, self.end = at, at + count

    def line(self, number):
        if number < self.at:
            return number
        return number - (self.end - self.at) if number >= self.end else None

    def span(self, first, last):
        if first >= self.at and last < self.end:
            return None
        start = self.line(first)
        stop = self.line(last)
        return self.at if start is None else start, self.at - 1 if stop is None else stop


def adjust(sheet, axis, lines):
    """The sheet after lines were inserted or deleted; ``axis`` is row or column."""
    contents = {}
    for place, text in sheet.contents.items():
        new = shifted_place(place, axis, lines)
        if new is not None:
            contents[need_place(new)] = rewritten(
                text, lambda references: shifted(references, axis, lines)
            )
    return Sheet(contents)


def shifted_place(place, axis, lines):
    row, column = place
    number = lines.line(row if axis == "row" else column)
    if number is None:
        return None
    return (number, column) if axis == "row" else (row, number)


def shifted(references, axis, lines):
    numbers = [getattr(reference, axis) for reference in references]
    if len(numbers) == 1:
        span = lines.line(numbers[0])
        new = None if span is None else [span]
    else:
        new = lines.span(min(numbers), max(numbers))
        if new is not None and numbers[0] > numbers[1]:
            new = new[::-1]
    if new is None:
        return None
    return existing(
        [replace(one, **{axis: number}) for one, number in zip(references, new, strict=True)]
    )


LAST = {"row": LAST_ROW, "column": LAST_COLUMN}
