"""The command line."""

import os
import re
import sys

from tally import edit
from tally.errors import TallyError
from tally.evaluate import Calculation
from tally.refs import Area, cell_name, column_number, parse_reference
from tally.sheet import Sheet
from tally.values import Error, text_of

DEEPEST = 20_000
"""Calls in each other: deep formulas need many."""


def main(arguments):
    sys.setrecursionlimit(DEEPEST)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", newline="\n")
    try:
        if not arguments or arguments[0] not in COMMANDS:
            raise TallyError("usage: tally COMMAND [options] FILE ...")
        output, status = COMMANDS[arguments[0]](arguments[1:])
    except TallyError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    sys.stdout.write(output)
    return status


def read(name, missing_ok=False):
    try:
        if name == "-":
            data = sys.stdin.buffer.read()
        elif missing_ok and not os.path.lexists(name):
            data = b""
        else:
            with open(name, "rb") as file:
                data = file.read()
        return Sheet.from_csv(data.decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise TallyError(f"cannot read {name}: {error}") from error
    except TallyError as error:
        raise TallyError(f"{name}: {error}") from error


def write(name, sheet):
    try:
        with open(name, "w", encoding="utf-8", newline="") as file:
            file.write(sheet.to_csv())
    except OSError as error:
        raise TallyError(f"cannot write {name}: {error}") from error


def need(arguments, least, most=None):
    """Checks the number of arguments."""
    if len(arguments) < least or (most is not None and len(arguments) > most):
        raise TallyError("wrong number of arguments")
    return arguments


def no_options(arguments):
    if arguments and arguments[0].startswith("-") and arguments[0] != "-":
        raise TallyError(f"unknown option {arguments[0]}")
    return arguments


# Looking at sheets.


def calc(arguments):
    formulas = arguments[:1] == ["--formulas"]
    (name,) = need(no_options(arguments[formulas:]), 1, 1)
    sheet = read(name)
    if formulas:
        return sheet.to_csv(), 0
    values = Calculation(sheet)
    return sheet.to_csv(lambda place: text_of(values.value(place))), 0


def get(arguments):
    name, *wanted = need(no_options(arguments), 2)
    areas = [area(text) for text in wanted]
    values = Calculation(read(name))
    places = [place for one in areas for place in one.places()]
    lines = (f"{cell_name(place)}: {on_one_line(values.value(place))}\n" for place in places)
    return "".join(lines), 0


def check(arguments):
    (name,) = need(no_options(arguments), 1, 1)
    values = Calculation(read(name)).values
    found = sorted(place for place in values if isinstance(values[place], Error))
    lines = (f"{cell_name(place)}: {text_of(values[place])}\n" for place in found)
    return "".join(lines), int(bool(found))


def on_one_line(value):
    text = text_of(value).replace("\\", "\\\\")
    return text.replace("\n", "\\n").replace("\r", "\\r")


def cell(text):
    reference = parse_reference(text)
    if reference is None or "$" in text or not reference.exists:
        raise TallyError(f"no such cell: {text}")
    return reference.place


def area(text):
    first, colon, last = text.partition(":")
    return Area.between(cell(first), cell(last if colon else first))


# Changing sheets.


def target(arguments):
    """The name of the file that is written, if ``--out`` gives one, and the other arguments."""
    if arguments[:1] == ["--out"]:
        _, out, *rest = need(arguments, 2)
        return out, no_options(rest)
    return None, no_options(arguments)


def set_contents(arguments):
    out, rest = target(arguments)
    name, *pairs = need(rest, 3)
    if len(pairs) % 2:
        raise TallyError("contents are missing")
    places = [cell(text) for text in pairs[::2]]
    sheet = read(name, missing_ok=True)
    for place, text in zip(places, pairs[1::2], strict=True):
        sheet.put(place, text)
    write(out or name, sheet)
    return "", 0


def copy(arguments):
    out, rest = target(arguments)
    name, source, destination = need(rest, 3, 3)
    sheet = read(name)
    edit.copy(sheet, area(source), area(destination))
    write(out or name, sheet)
    return "", 0


def lines_command(kind):
    def command(arguments):
        out, rest = target(arguments)
        name, axis, at, *count = need(rest, 3, 4)
        if axis not in ("rows", "columns"):
            raise TallyError(f"neither rows nor columns: {axis}")
        change = kind(line_number(axis, at), whole(count[0]) if count else 1)
        sheet = edit.adjust(read(name), axis[:-1], change)
        write(out or name, sheet)
        return "", 0

    return command


def whole(text):
    if not re.fullmatch("0*[1-9][0-9]{0,8}", text, re.ASCII):
        raise TallyError(f"not a number from 1: {text}")
    return int(text)


def line_number(axis, text):
    if axis == "rows":
        number = whole(text)
    elif re.fullmatch("[A-Za-z]{1,3}", text):
        number = column_number(text)
    else:
        raise TallyError(f"no such column: {text}")
    if number > edit.LAST[axis[:-1]]:
        raise TallyError(f"beyond the sheet: {text}")
    return number


COMMANDS = {
    "calc": calc,
    "get": get,
    "check": check,
    "set": set_contents,
    "copy": copy,
    "insert": lines_command(edit.Insertion),
    "delete": lines_command(edit.Deletion),
}
