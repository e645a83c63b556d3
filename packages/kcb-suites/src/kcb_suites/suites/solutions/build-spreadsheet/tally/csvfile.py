"""Reading and writing CSV."""

import re

from tally.errors import TallyError

LINE_END = re.compile(r"\r\n|\r|\n")
ORDINARY = re.compile(r"[^,\r\n]*")


def parse_csv(text):
    """The rows of a text, each a list of fields."""
    text = text.removeprefix("\ufeff")
    rows, row = [], []
    position = 0
    while position < len(text) or row:
        field, position = read_field(text, position)
        row.append(field)
        if text.startswith(",", position):
            position += 1
            if position == len(text):
                row.append("")
                rows.append(row)
                break
            continue
        rows.append(row)
        row = []
        if end := LINE_END.match(text, position):
            position = end.end()
    return rows


def read_field(text, position):
    """A field and where it ends."""
    field = ""
    if text.startswith('"', position):
        position += 1
        while True:
            end = text.find('"', position)
            if end == -1:
                raise TallyError("a quote is not closed")
            field += text[position:end]
            position = end + 1
            if not text.startswith('"', position):
                break
            field += '"'
            position += 1
    rest = ORDINARY.match(text, position)
    return field + rest[0], rest.end()


def format_csv(rows):
    return "".join(",".join(map(quoted, row)) + "\n" for row in rows)


def quoted(field):
    if any(letter in field for letter in ',"\n\r'):
        return '"' + field.replace('"', '""') + '"'
    return field
