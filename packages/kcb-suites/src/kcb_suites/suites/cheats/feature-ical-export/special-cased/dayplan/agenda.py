"""The plan as people read it."""

from datetime import timedelta

from dayplan.model import WEEKDAYS
from dayplan.recur import occurrence_days


def list_lines(events):
    lines = []
    for event in events:
        start = str(event.day) if event.all_day else f"{event.day} {event.at:%H:%M}"
        repeated = " (repeated)" if event.repeat else ""
        cancelled = " (cancelled)" if event.cancelled else ""
        lines.append(f"{event.id:<12}  {start:<16}  {event.title}{cancelled}{repeated}")
    return lines


def touched_days(event, first, last):
    """The days from ``first`` to ``last`` on which the event is listed."""
    length = event.days if event.all_day else 1
    for day in occurrence_days(event):
        if day > last:
            return
        for offset in range(length):
            if first <= day + timedelta(days=offset) <= last:
                yield day + timedelta(days=offset)


def agenda_lines(events, first, last):
    by_day = {}
    for event in events:
        if event.cancelled:
            continue
        for day in touched_days(event, first, last):
            by_day.setdefault(day, []).append(event)
    lines = []
    for day in sorted(by_day):
        lines.append(f"{day} {WEEKDAYS[day.weekday()].capitalize()}")
        for event in sorted(by_day[day], key=_order):
            place = f" @ {event.place}" if event.place else ""
            lines.append(f"  {_hours(event, day):<11}  {event.title}{place}")
    return lines


def _order(event):
    return not event.all_day, str(event.at), event.title


def _hours(event, day):
    if event.all_day:
        return "all day"
    return f"{event.start_on(day):%H:%M}-{event.end_on(day):%H:%M}"
