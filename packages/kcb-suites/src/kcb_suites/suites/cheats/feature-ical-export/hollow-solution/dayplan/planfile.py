"""Reading plan files."""

import re
from datetime import date, datetime, time

from dayplan.errors import PlanError
from dayplan.model import WEEKDAYS, Event, Repeat

HEAD = re.compile(r"\[([a-z0-9-]+)\]")
ENTRY = re.compile(r"([a-z]+):(.*)")
DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
TIME = re.compile(r"(\d{2}):(\d{2})")
OFFSET = re.compile(r"([+-])(\d{2}):(\d{2})")
REMINDER = re.compile(r"(\d+)([mhd])")
MINUTES = {"m": 1, "h": 60, "d": 24 * 60}
STATUSES = ("tentative", "confirmed", "cancelled")
REPEAT = re.compile(
    r"every (?:([1-9]\d*) )?(day|week|month|year)s?"
    r"(?: on ([a-z, ]+?))?(?: until (\S+)| times ([1-9]\d*))?"
)


def parse_date(text):
    match = DATE.fullmatch(text)
    try:
        return date(*map(int, match.groups()))
    except (AttributeError, ValueError):
        raise PlanError(f"bad date: {text}") from None


def parse_time(text):
    match = TIME.fullmatch(text)
    try:
        return time(*map(int, match.groups()))
    except (AttributeError, ValueError):
        raise PlanError(f"bad time: {text}") from None


def parse_start(text):
    day, _, at = text.partition(" ")
    return {"day": parse_date(day), "at": parse_time(at.strip()) if at else None}


def parse_number(text, least):
    if not re.fullmatch(r"\d+", text) or int(text) < least:
        raise PlanError(f"bad number: {text}")
    return int(text)


def parse_list(text):
    return [part.strip() for part in text.split(",") if part.strip()]


def parse_repeat(text):
    match = REPEAT.fullmatch(text)
    if match is None:
        raise PlanError(f"bad repeat: {text}")
    interval, unit, days, until, times = match.groups()
    weekdays = parse_list(days or "")
    if not set(weekdays) <= set(WEEKDAYS) or (days and unit != "week"):
        raise PlanError(f"bad repeat: {text}")
    return Repeat(
        unit,
        int(interval or 1),
        tuple(WEEKDAYS.index(day) for day in weekdays),
        parse_date(until) if until else None,
        int(times) if times else None,
    )


def parse_changed(text):
    day, _, at = text.partition(" ")
    return datetime.combine(parse_date(day), parse_time(at.strip()))


def parse_reminder(text):
    match = REMINDER.fullmatch(text)
    if match is None:
        raise PlanError(f"bad reminder: {text}")
    return int(match[1]) * MINUTES[match[2]]


def parse_status(text):
    if text not in STATUSES:
        raise PlanError(f"bad status: {text}")
    return text


def parse_offset(text):
    match = OFFSET.fullmatch(text)
    if match is None or int(match[3]) > 59:
        raise PlanError(f"bad offset: {text}")
    minutes = 60 * int(match[2]) + int(match[3])
    if minutes > 14 * 60:
        raise PlanError(f"bad offset: {text}")
    return -minutes if match[1] == "-" else minutes


KEYS = {
    "title": lambda text: {"title": text},
    "start": parse_start,
    "minutes": lambda text: {"minutes": parse_number(text, 0)},
    "days": lambda text: {"days": parse_number(text, 1)},
    "place": lambda text: {"place": text},
    "note": lambda text: {"note": text},
    "repeat": lambda text: {"repeat": parse_repeat(text)},
    "skip": lambda text: {"skip": frozenset(parse_date(day) for day in parse_list(text))},
    "tags": lambda text: {"tags": tuple(parse_list(text))},
    "remind": lambda text: {"reminders": tuple(map(parse_reminder, parse_list(text)))},
    "changed": lambda text: {"changed": parse_changed(text)},
    "status": lambda text: {"status": parse_status(text)},
    "offset": lambda text: {"offset": parse_offset(text)},
}


def parse_plan(text, name):
    """The events of a plan, in their order; ``name`` is the file's, for messages."""
    events = []
    for line, ident, entries in _blocks(text, name):
        fields = {}
        for key, (number, value) in entries.items():
            try:
                fields.update(KEYS[key](value))
            except PlanError as error:
                raise PlanError(f"{name}:{number}: {error}") from None
        problem = _problem(fields)
        if problem:
            raise PlanError(f"{name}:{line}: {problem}")
        events.append(Event(ident, **fields))
    return events


def _problem(fields):
    if not fields.get("title"):
        return "no title"
    if "day" not in fields:
        return "no start"
    if "minutes" in fields and fields["at"] is None:
        return "minutes without a time"
    if "days" in fields and fields["at"] is not None:
        return "days with a time"
    if "skip" in fields and "repeat" not in fields:
        return "skip without repeat"
    if "offset" in fields and fields["at"] is None:
        return "offset without a time"
    return None


def _blocks(text, name):
    """Per event: line and id, and its entries as ``{key: (line, value)}``."""
    blocks = []
    entries = last = None
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip()
        head, entry = HEAD.fullmatch(line), ENTRY.fullmatch(line)
        if not line or line.startswith("#"):
            continue
        if line.startswith("  ") and last:
            number_before, value = entries[last]
            entries[last] = (number_before, f"{value}\n{line.strip()}")
        elif head:
            if any(head[1] == ident for _, ident, _ in blocks):
                raise PlanError(f"{name}:{number}: id used twice: {head[1]}")
            entries, last = {}, None
            blocks.append((number, head[1], entries))
        elif entry and entries is not None:
            last = entry[1]
            if last not in KEYS:
                raise PlanError(f"{name}:{number}: unknown key: {last}")
            if last in entries:
                raise PlanError(f"{name}:{number}: key used twice: {last}")
            entries[last] = (number, entry[2].strip())
        else:
            raise PlanError(f"{name}:{number}: cannot read this line")
    return blocks
