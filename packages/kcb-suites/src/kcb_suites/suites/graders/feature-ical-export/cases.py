"""Plans, and what has to become of them."""

from __future__ import annotations

HEAD = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//dayplan//export//EN\nCALSCALE:GREGORIAN\n"
STAMP = "DTSTAMP:19700101T000000Z\n"
TIMED = "title: T\nstart: 2024-03-04 14:30\n"
WHOLE = "title: T\nstart: 2024-03-04\n"
AT = "DTSTART:20240304T143000\nDTEND:20240304T153000\n"
ON = "DTSTART;VALUE=DATE:20240304\nDTEND;VALUE=DATE:20240305\n"
EAST = "DTSTART;TZID=UTC+0200:20240304T143000\nDTEND;TZID=UTC+0200:20240304T153000\n"
FREE = "TRANSP:TRANSPARENT\n"


def zone(text: str) -> str:
    """The block of the offset ``text``."""
    return (
        f"BEGIN:VTIMEZONE\nTZID:UTC{text}\nBEGIN:STANDARD\nDTSTART:19700101T000000\n"
        f"TZOFFSETFROM:{text}\nTZOFFSETTO:{text}\nEND:STANDARD\nEND:VTIMEZONE\n"
    )


def alarm(trigger: str, title: str = "T") -> str:
    """The block of one reminder."""
    return f"BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:{title}\nTRIGGER:{trigger}\nEND:VALARM\n"


def calendar(lines: str) -> str:
    """A calendar of ``lines``, with the line ends of a file."""
    return f"{HEAD}{lines}END:VCALENDAR\n".replace("\n", "\r\n")


def single(lines: str) -> str:
    """The block of the event ``e`` without a time of change; ``lines`` start with ``DTSTART``."""
    return f"BEGIN:VEVENT\nUID:e@dayplan\n{STAMP}{lines}END:VEVENT\n"


# About, what the plan says about the event e, blocks before it, its lines from DTSTART on.
EVENTS = [
    ("an hour by default", TIMED, "", f"{AT}SUMMARY:T\n"),
    (
        "it ends on the next day",
        TIMED + "minutes: 600",
        "",
        "DTSTART:20240304T143000\nDTEND:20240305T003000\nSUMMARY:T\n",
    ),
    ("no minutes, no end", TIMED + "minutes: 0", "", "DTSTART:20240304T143000\nSUMMARY:T\n"),
    ("a whole day", WHOLE, "", f"{ON}SUMMARY:T\n{FREE}"),
    (
        "whole days over the end of February",
        "title: T\nstart: 2024-02-28\ndays: 2",
        "",
        f"DTSTART;VALUE=DATE:20240228\nDTEND;VALUE=DATE:20240301\nSUMMARY:T\n{FREE}",
    ),
    (
        "an offset to the east",
        TIMED + "offset: +02:00",
        zone("+0200"),
        f"{EAST}SUMMARY:T\n",
    ),
    (
        "an offset to the west",
        TIMED + "offset: -03:30",
        zone("-0330"),
        "DTSTART;TZID=UTC-0330:20240304T143000\nDTEND;TZID=UTC-0330:20240304T153000\nSUMMARY:T\n",
    ),
    (
        "UTC itself",
        TIMED + "offset: +00:00",
        "",
        "DTSTART:20240304T143000Z\nDTEND:20240304T153000Z\nSUMMARY:T\n",
    ),
    (
        "UTC with a minus, and no end",
        TIMED + "offset: -00:00\nminutes: 0",
        "",
        "DTSTART:20240304T143000Z\nSUMMARY:T\n",
    ),
    (
        "everything in its order",
        "tags: b, a\nstatus: tentative\nnote: N\nplace: P\nremind: 15m\nskip: 2024-03-05\n"
        "repeat: every day times 3\n" + WHOLE,
        "",
        f"{ON}RRULE:FREQ=DAILY;COUNT=3\nEXDATE;VALUE=DATE:20240305\nSUMMARY:T\nLOCATION:P\n"
        f"DESCRIPTION:N\nCATEGORIES:b,a\nSTATUS:TENTATIVE\n{FREE}{alarm('-PT15M')}",
    ),
    (
        "text is escaped",
        "title: a\\b; c, d: e\nstart: 2024-03-04 14:30\nplace: x,y;\\n\n"
        "note: one\n  two\n\n  three;",
        "",
        f"{AT}SUMMARY:a\\\\b\\; c\\, d: e\nLOCATION:x\\,y\\;\\\\n\n"
        "DESCRIPTION:one\\ntwo\\nthree\\;\n",
    ),
    (
        "categories are escaped one by one, and the commas between them are not",
        TIMED + "tags: work;home ,, a\\b",
        "",
        f"{AT}SUMMARY:T\nCATEGORIES:work\\;home,a\\\\b\n",
    ),
    (
        "control characters",
        "title: a\x01b\tc\x7fd\x1be\nstart: 2024-03-04 14:30",
        "",
        f"{AT}SUMMARY:ab\tcde\n",
    ),
    ("cancelled", TIMED + "status: cancelled", "", f"{AT}SUMMARY:T\nSTATUS:CANCELLED\n"),
    ("confirmed", TIMED + "status: confirmed", "", f"{AT}SUMMARY:T\nSTATUS:CONFIRMED\n"),
    (
        "reminders in the order of the file, equal ones once",
        TIMED + "remind: 1h, 15m, 60m, 1d,36h, 90m, 1500m, 0m, 0h",
        "",
        f"{AT}SUMMARY:T\n"
        + "".join(
            map(alarm, ["-PT1H", "-PT15M", "-P1D", "-P1DT12H", "-PT1H30M", "-P1DT1H", "PT0M"])
        ),
    ),
    (
        "a reminder of days, hours and minutes",
        TIMED + "remind: 3061m",
        "",
        f"{AT}SUMMARY:T\n{alarm('-P2DT3H1M')}",
    ),
    (
        "the title of a reminder is escaped",
        "title: a,b\nstart: 2024-03-04 14:30\nremind: 2d",
        "",
        f"{AT}SUMMARY:a\\,b\n{alarm('-P2D', 'a' + chr(92) + ',b')}",
    ),
    (
        "every day, without an end",
        TIMED + "repeat: every day",
        "",
        f"{AT}RRULE:FREQ=DAILY\nSUMMARY:T\n",
    ),
    (
        "every third month",
        TIMED + "repeat: every 3 months times 4",
        "",
        f"{AT}RRULE:FREQ=MONTHLY;INTERVAL=3;COUNT=4\nSUMMARY:T\n",
    ),
    (
        "every year until a date",
        TIMED + "repeat: every year until 2030-03-04",
        "",
        f"{AT}RRULE:FREQ=YEARLY;UNTIL=20300304T235959\nSUMMARY:T\n",
    ),
    (
        "until a date, whole days",
        WHOLE + "repeat: every 1 week until 2024-05-31",
        "",
        f"{ON}RRULE:FREQ=WEEKLY;UNTIL=20240531\nSUMMARY:T\n{FREE}",
    ),
    (
        "until a date, in the east",
        TIMED + "offset: +02:00\nrepeat: every day until 2024-05-31",
        zone("+0200"),
        f"{EAST}RRULE:FREQ=DAILY;UNTIL=20240531T215959Z\nSUMMARY:T\n",
    ),
    (
        "until a date, in the west",
        TIMED + "offset: -05:00\nrepeat: every day until 2024-05-31",
        zone("-0500"),
        "DTSTART;TZID=UTC-0500:20240304T143000\nDTEND;TZID=UTC-0500:20240304T153000\n"
        "RRULE:FREQ=DAILY;UNTIL=20240601T045959Z\nSUMMARY:T\n",
    ),
    (
        "until a date, in UTC",
        TIMED + "offset: +00:00\nminutes: 0\nrepeat: every day until 2024-05-31",
        "",
        "DTSTART:20240304T143000Z\nRRULE:FREQ=DAILY;UNTIL=20240531T235959Z\nSUMMARY:T\n",
    ),
    (
        "days of the week in their order, each once",
        TIMED + "repeat: every week on sun, mon,wed, mon",
        "",
        f"{AT}RRULE:FREQ=WEEKLY;BYDAY=MO,WE,SU\nSUMMARY:T\n",
    ),
    (
        "the first occurrence is later than the start",
        TIMED + "repeat: every 2 weeks on sat times 3",
        "",
        "DTSTART:20240309T143000\nDTEND:20240309T153000\n"
        "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SA;COUNT=3\nSUMMARY:T\n",
    ),
    (
        "the first occurrence is in another week of the rule",
        "title: T\nstart: 2024-03-07\nrepeat: every 2 weeks on tue",
        "",
        "DTSTART;VALUE=DATE:20240319\nDTEND;VALUE=DATE:20240320\n"
        f"RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU\nSUMMARY:T\n{FREE}",
    ),
    (
        "the first occurrence is skipped",
        TIMED + "repeat: every week times 2\nskip: 2024-03-04",
        "",
        f"{AT}RRULE:FREQ=WEEKLY;COUNT=2\nEXDATE:20240304T143000\nSUMMARY:T\n",
    ),
    (
        "all occurrences are skipped",
        TIMED + "repeat: every week times 2\nskip: 2024-03-11, 2024-03-04",
        "",
        f"{AT}RRULE:FREQ=WEEKLY;COUNT=2\nEXDATE:20240304T143000,20240311T143000\nSUMMARY:T\n",
    ),
    (
        "only occurrences are excluded, in the order of time",
        TIMED + "offset: +02:00\nrepeat: every week on mon, thu until 2024-03-20\n"
        "skip: 2024-03-18, 2024-03-05, 2024-03-07, 2024-03-21, 2024-03-03, 2024-03-07",
        zone("+0200"),
        f"{EAST}RRULE:FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20240320T215959Z\n"
        "EXDATE;TZID=UTC+0200:20240307T143000,20240318T143000\nSUMMARY:T\n",
    ),
    (
        "nothing that is excluded",
        TIMED + "repeat: every week\nskip: 2024-03-05",
        "",
        f"{AT}RRULE:FREQ=WEEKLY\nSUMMARY:T\n",
    ),
    (
        "in UTC, what is excluded ends in Z",
        TIMED + "offset: +00:00\nminutes: 0\nrepeat: every day\nskip: 2024-03-06",
        "",
        "DTSTART:20240304T143000Z\nRRULE:FREQ=DAILY\nEXDATE:20240306T143000Z\nSUMMARY:T\n",
    ),
    (
        "a month without the 31st",
        "title: T\nstart: 2024-01-31\nrepeat: every month\nskip: 2024-02-29, 2024-03-31",
        "",
        "DTSTART;VALUE=DATE:20240131\nDTEND;VALUE=DATE:20240201\nRRULE:FREQ=MONTHLY\n"
        f"EXDATE;VALUE=DATE:20240331\nSUMMARY:T\n{FREE}",
    ),
]

# About, a title, the lines of SUMMARY. "SUMMARY:" takes 8 of 75 octets.
FOLDED = [
    ("75 octets fit", "x" * 67, "SUMMARY:" + "x" * 67),
    ("the 76th does not", "x" * 68, "SUMMARY:" + "x" * 67 + "\r\n x"),
    (
        "the blank counts",
        "x" * 67 + "y" * 75,
        "SUMMARY:" + "x" * 67 + "\r\n " + "y" * 74 + "\r\n y",
    ),
    ("octets, not characters", "é" * 40, "SUMMARY:" + "é" * 33 + "\r\n " + "é" * 7),
    (
        "a character of four octets stays whole",
        "a" * 64 + "🎉" + "b",
        "SUMMARY:" + "a" * 64 + "\r\n 🎉b",
    ),
    ("three octets that just fit", "a" * 64 + "€b", "SUMMARY:" + "a" * 64 + "€\r\n b"),
    ("an escape may be divided", "a" * 66 + ",b", "SUMMARY:" + "a" * 66 + "\\\r\n ,b"),
    ("a blank at the fold stays", "a" * 67 + " b", "SUMMARY:" + "a" * 67 + "\r\n  b"),
]

MANY = """\
[z]
title: Z
start: 2024-03-04 09:00
offset: -05:00
tags: club
[b]
title: B
start: 2024-03-04
days: 3
tags: home, club
[a]
title: A
start: 2024-03-04 09:00
offset: +02:00
[c]
title: C
start: 2024-03-01 00:00
offset: +00:00
status: cancelled
tags: Club
[late]
title: L
start: 2024-03-01
repeat: every week on fri times 2
skip: 2024-03-01
[midnight]
title: M
start: 2024-03-04 00:00
repeat: every 2 days
offset: +02:00
[never]
title: N
start: 2024-03-08
repeat: every week on mon until 2024-03-10
tags: club
[span]
title: S
start: 2024-02-20
days: 2
repeat: every month times 2
"""

# About, arguments behind "export FILE", the ids that are exported, the offsets.
CHOSEN = [
    ("all", [], "span late c b midnight a z", "-0500 +0200"),
    ("from a day", ["--from", "2024-03-07"], "span late midnight", "+0200"),
    ("from the last day", ["--from", "2024-03-06"], "span late b midnight", "+0200"),
    ("up to a day", ["--to", "2024-03-03"], "span c", ""),
    ("up to the first day", ["--to", "2024-03-04"], "span c b midnight a z", "-0500 +0200"),
    ("one day", ["--from", "2024-03-06", "--to", "2024-03-06"], "b midnight", "+0200"),
    ("a skipped day", ["--from", "2024-03-01", "--to", "2024-03-01"], "c", ""),
    ("a second occurrence", ["--from", "2024-03-21", "--to", "2024-03-21"], "span", ""),
    ("no day", ["--from", "2024-02-22", "--to", "2024-02-29"], "", ""),
    ("a tag", ["--tag", "club"], "b z", "-0500"),
    ("letter by letter", ["--tag", "Club"], "c", ""),
    ("one of two tags", ["--tag", "home", "--tag", "Club"], "c b", ""),
    ("a tag and a day", ["--tag", "club", "--from", "2024-03-05"], "b", ""),
]

LISTED = (
    "z             2024-03-04 09:00  Z\n"
    "b             2024-03-04        B\n"
    "a             2024-03-04 09:00  A\n"
    "c             2024-03-01 00:00  C (cancelled)\n"
    "late          2024-03-01        L (repeated)\n"
    "midnight      2024-03-04 00:00  M (repeated)\n"
    "never         2024-03-08        N (repeated)\n"
    "span          2024-02-20        S (repeated)\n"
)

AGENDA = (
    "2024-03-04 Mon\n  all day      B\n  00:00-01:00  M\n  09:00-10:00  A\n  09:00-10:00  Z\n"
    "2024-03-05 Tue\n  all day      B\n"
    "2024-03-06 Wed\n  all day      B\n  00:00-01:00  M\n"
)

# About, plan, message.
ERRORS = [
    ("reminder", f"[e]\n{TIMED}remind: 15m, 2w", "hidden.plan:4: bad reminder: 2w"),
    ("reminder with a sign", f"[e]\n{TIMED}remind: -15m", "hidden.plan:4: bad reminder: -15m"),
    ("status", f"[e]\n{TIMED}status: Cancelled", "hidden.plan:4: bad status: Cancelled"),
    ("offset without a sign", f"[e]\n{TIMED}offset: 02:00", "hidden.plan:4: bad offset: 02:00"),
    ("offset too large", f"[e]\n{TIMED}offset: +14:01", "hidden.plan:4: bad offset: +14:01"),
    ("offset of 60 minutes", f"[e]\n{TIMED}offset: +01:60", "hidden.plan:4: bad offset: +01:60"),
    (
        "changed, date",
        f"[e]\n{TIMED}changed: 2024-13-01 10:00",
        "hidden.plan:4: bad date: 2024-13-01",
    ),
    ("changed, time", f"[e]\n{TIMED}changed: 2024-12-01 24:00", "hidden.plan:4: bad time: 24:00"),
    ("changed, no time", f"[e]\n{TIMED}changed: 2024-12-01", "hidden.plan:4: bad time: "),
    (
        "offset of whole days",
        f"\n[e]\n{WHOLE}offset: +02:00",
        "hidden.plan:2: offset without a time",
    ),
    ("as before", f"[e]\n{TIMED}days: 2", "hidden.plan:1: days with a time"),
    ("an unknown key", f"[e]\n{TIMED}tag: x", "hidden.plan:4: unknown key: tag"),
]
