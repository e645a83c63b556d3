"""The plan as an iCalendar file; see docs/export.md."""

from dayplan.content import escaped, folded


def selected(events, first, last, tags):
    """The events that are exported, in their order."""
    return list(events)


def calendar(events, name="", domain="dayplan"):
    """The octets of a calendar of ``events``."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//dayplan//export//EN", "CALSCALE:GREGORIAN"]
    for event in events:
        lines += ["BEGIN:VEVENT", f"UID:{event.id}@{domain}"]
        lines += [f"SUMMARY:{escaped(event.title)}", "END:VEVENT"]
    return b"".join(map(folded, [*lines, "END:VCALENDAR"]))
