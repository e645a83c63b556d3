"""The criteria of COUNTIF and its like."""

import re

from tally.values import Error, compare, literal, rank, same

OPERATOR = re.compile(r"<>|<=|>=|=|<|>")
ORDER = {
    "<": lambda sign: sign < 0,
    "<=": lambda sign: sign <= 0,
    ">": lambda sign: sign > 0,
    ">=": lambda sign: sign >= 0,
}


def criterion(value):
    """A function that says whether the value of a cell meets the criterion ``value``."""
    if value is None or value == "":
        return lambda cell: False
    if not isinstance(value, str):
        return lambda cell: same(value, cell)
    operator = OPERATOR.match(value)
    rest = value[operator.end() :] if operator else value
    if operator is None or operator[0] == "=":
        return equal_to(rest)
    if operator[0] == "<>":
        meets = equal_to(rest)
        return lambda cell: not isinstance(cell, Error) and not meets(cell)
    return ordered(ORDER[operator[0]], rest)


def equal_to(rest):
    if rest == "":
        return lambda cell: cell is None
    value = literal(rest)
    if value is not None:
        return lambda cell: same(value, cell)
    pattern = re.compile(wildcards(rest.lower()), re.DOTALL)
    return lambda cell: isinstance(cell, str) and bool(pattern.fullmatch(cell.lower()))


def wildcards(text):
    """The regular expression of a text with ``*``, ``?`` and ``~``."""
    found = ""
    for part in re.findall(r"~[*?~]|.", text, re.DOTALL):
        found += {"*": ".*", "?": "."}.get(part) or re.escape(part[-1])
    return found


def ordered(holds, rest):
    value = literal(rest)
    if value is None:
        value = rest
    if rest == "" or isinstance(value, bool | Error):
        return lambda cell: False

    def meets(cell):
        if cell is None or isinstance(cell, Error) or rank(cell) != rank(value):
            return False
        return holds(compare(cell, value))

    return meets
