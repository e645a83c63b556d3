"""The plan as an iCalendar file; see docs/export.md."""

from datetime import datetime, time, timedelta

from dayplan.content import escaped, folded
from dayplan.recur import occurrence_days, planned_days

FREQUENCIES = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def selected(events, first, last, tags):
    """The events that are exported, in their order."""
    chosen = [
        event
        for event in events
        if next(planned_days(event), None) is not None
        and (not tags or set(tags) & set(event.tags))
        and ((first is None and last is None) or _touches(event, first, last))
    ]
    return sorted(chosen, key=_order)


def calendar(events, name="", domain="dayplan"):
    """The octets of a calendar of ``events``."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//dayplan//export//EN", "CALSCALE:GREGORIAN"]
    if name:
        lines.append(f"X-WR-CALNAME:{escaped(name)}")
    for offset in sorted({event.offset for event in events if event.offset}):
        lines += _timezone(offset)
    for event in events:
        lines += _event(event, domain)
    lines.append("END:VCALENDAR")
    return b"".join(map(folded, lines))


def _touches(event, first, last):
    length = event.days if event.all_day else 1
    for day in occurrence_days(event):
        if last is not None and day > last:
            return False
        if first is None or day + timedelta(days=length - 1) >= first:
            return True
    return False


def _order(event):
    return event.start_on(next(planned_days(event))), not event.all_day, event.id


def _offset_text(offset):
    hours, minutes = divmod(abs(offset), 60)
    return f"{'-' if offset < 0 else '+'}{hours:02}{minutes:02}"


def _timezone(offset):
    text = _offset_text(offset)
    return [
        "BEGIN:VTIMEZONE",
        f"TZID:UTC{text}",
        "BEGIN:STANDARD",
        "DTSTART:19700101T000000",
        f"TZOFFSETFROM:{text}",
        f"TZOFFSETTO:{text}",
        "END:STANDARD",
        "END:VTIMEZONE",
    ]


def _event(event, domain):
    day = next(planned_days(event))
    stamp = f"{event.changed:%Y%m%dT%H%M%S}Z" if event.changed else "19700101T000000Z"
    lines = ["BEGIN:VEVENT", f"UID:{event.id}@{domain}", f"DTSTAMP:{stamp}"]
    lines.append(_times("DTSTART", event, [event.start_on(day)]))
    if event.all_day or event.minutes:
        lines.append(_times("DTEND", event, [event.end_on(day)]))
    if event.repeat:
        lines.append(_rule(event))
        skipped = _skipped(event)
        if skipped:
            lines.append(_times("EXDATE", event, [event.start_on(day) for day in skipped]))
    lines.append(f"SUMMARY:{escaped(event.title)}")
    if event.place:
        lines.append(f"LOCATION:{escaped(event.place)}")
    if event.note:
        lines.append(f"DESCRIPTION:{escaped(event.note)}")
    if event.tags:
        lines.append(f"CATEGORIES:{','.join(map(escaped, event.tags))}")
    if event.status:
        lines.append(f"STATUS:{event.status.upper()}")
    if event.all_day:
        lines.append("TRANSP:TRANSPARENT")
    for minutes in dict.fromkeys(event.reminders):
        lines += _alarm(event, minutes)
    return [*lines, "END:VEVENT"]


def _times(name, event, moments):
    """A property that holds ``moments``, in the form that all times of the event have."""
    if event.all_day:
        return f"{name};VALUE=DATE:{','.join(f'{moment:%Y%m%d}' for moment in moments)}"
    utc = "Z" if event.offset == 0 else ""
    zone = f";TZID=UTC{_offset_text(event.offset)}" if event.offset else ""
    return f"{name}{zone}:{','.join(f'{moment:%Y%m%dT%H%M%S}{utc}' for moment in moments)}"


def _rule(event):
    repeat = event.repeat
    parts = [f"FREQ={FREQUENCIES[repeat.unit]}"]
    if repeat.interval != 1:
        parts.append(f"INTERVAL={repeat.interval}")
    if repeat.weekdays:
        days = sorted(set(repeat.weekdays))
        parts.append(f"BYDAY={','.join(WEEKDAYS[day] for day in days)}")
    if repeat.times is not None:
        parts.append(f"COUNT={repeat.times}")
    if repeat.until is not None:
        parts.append(f"UNTIL={_until(event)}")
    return f"RRULE:{';'.join(parts)}"


def _until(event):
    if event.all_day:
        return f"{event.repeat.until:%Y%m%d}"
    moment = datetime.combine(event.repeat.until, time(23, 59, 59))
    if event.offset is None:
        return f"{moment:%Y%m%dT%H%M%S}"
    return f"{moment - timedelta(minutes=event.offset):%Y%m%dT%H%M%S}Z"


def _skipped(event):
    skipped = []
    for day in planned_days(event):
        if not event.skip or day > max(event.skip):
            break
        if day in event.skip:
            skipped.append(day)
    return skipped


def _alarm(event, minutes):
    return [
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{escaped(event.title)}",
        f"TRIGGER:{_before(minutes)}",
        "END:VALARM",
    ]


def _before(minutes):
    """A duration before the start."""
    if not minutes:
        return "PT0M"
    days, rest = divmod(minutes, 24 * 60)
    hours, rest = divmod(rest, 60)
    date_part = f"{days}D" if days else ""
    time_part = (f"{hours}H" if hours else "") + (f"{rest}M" if rest else "")
    return f"-P{date_part}{'T' if time_part else ''}{time_part}"
