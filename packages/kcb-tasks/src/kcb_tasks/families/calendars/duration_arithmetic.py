"""Duration arithmetic: ISO-style durations applied to a timestamp, in months and in seconds."""

from __future__ import annotations

import random
import re
from calendar import monthrange
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from itertools import accumulate
from typing import Any, NamedTuple

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Pattern, Text, calendar_date, required

_SUMMARY = """\
Applies durations to a timestamp, one after the other in the order of `durations`: the first to
`start`, each later one to what the one before gave. There is no time zone. Every day has 86400
seconds.

**Form.** A duration is written without spaces as follows; what is in `[ ]` may be left out:

```text
[sign]P[nY][nM][nW][nD][T[nH][nM][nS]]
```

`sign` is `+` or `-` and holds for the whole duration. Each n is 1 to 5 ASCII digits. Letters are in
upper case. At least one of the parts `nY` to `nS` must be there, and after a `T` at least one of
`nH`, `nM`, `nS`. A part that is left out counts as 0. Before the `T`, Y are years, M months, W
weeks and D days; after it, H are hours, M minutes and S seconds.

**Applying.** A duration is two steps, in this order. If the sign is `-`, both go backward.

1. Move by 12 * Y + M months. The number of the day in its month stays the same; but if the new
   month has fewer days, it becomes the last day of that month. The time of day stays.
2. Add W * 604800 + D * 86400 + H * 3600 + M * 60 + S seconds; here M are the minutes.

**Canonical form.** Each duration also has a canonical form: `-` if it goes backward, then `P`, then
the months of step 1 as years and months (months at most 11), then the seconds of step 2 as days,
`T`, hours (at most 23), minutes and seconds (at most 59). Parts that are 0 are left out, and so is
the `T` if no part comes after it. A duration of 0 months and 0 seconds is `PT0S`. Numbers have no
leading zeros; weeks are never used."""

_RESULT = """\
An object with these members. A timestamp is a string `YYYY-MM-DDTHH:MM:SS`; the year always has
four digits (`0044`).

- `result`: the timestamp after the last duration; `start` if there are none.
- `steps`: an array of the timestamps after each duration.
- `canonical`: an array of the canonical forms of the durations.
- `elapsed_seconds`: the number of seconds from `start` to `result`, an integer; negative if
  `result` is earlier."""

_RULES = """\
- A day that was changed in step 1 is not changed back: `P1M` twice from 31 January 2023 gives 28
  February and 28 March, but `P2M` gives 31 March.
- Months never become days in the canonical form, nor days months. `PT36H` is `P1DT12H`, `P2W` is
  `P14D`, `P18M` is `P1Y6M`, and `-PT0S` is `PT0S`. A number in it can have more than 5 digits.
- `p1d`, `P1.5D`, `P 1D`, `P`, `PT`, `P1DT`, `P1D1Y`, `PT1D` and `--P1D` are no durations."""

_DURATION = re.compile(
    r"([+-]?)P(?=[0-9T])(?:([0-9]{1,5})Y)?(?:([0-9]{1,5})M)?(?:([0-9]{1,5})W)?(?:([0-9]{1,5})D)?"
    r"(?:T(?=[0-9])(?:([0-9]{1,5})H)?(?:([0-9]{1,5})M)?(?:([0-9]{1,5})S)?)?"
)


class _Duration(NamedTuple):
    """Both are negative, or zero, if it goes backward."""

    months: int
    seconds: int


def _evaluate(fields: Mapping[str, Any]) -> Json:
    start = datetime.fromisoformat(fields["start"])
    durations = [_parsed(text) for text in fields["durations"]]
    moments = list(accumulate(durations, _moved, initial=start))
    elapsed = moments[-1] - start
    return {
        "result": moments[-1].isoformat(),
        "steps": [moment.isoformat() for moment in moments[1:]],
        "canonical": [_canonical(duration) for duration in durations],
        "elapsed_seconds": elapsed.days * 86_400 + elapsed.seconds,
    }


def _parsed(text: str) -> _Duration:
    match = _DURATION.fullmatch(text)
    if match is None:
        raise DomainError("bad_duration")
    years, months, weeks, days, hours, minutes, seconds = (int(n or 0) for n in match.groups()[1:])
    sign = -1 if match[1] == "-" else 1
    days += 7 * weeks
    return _Duration(
        sign * (12 * years + months),
        sign * (days * 86_400 + hours * 3_600 + minutes * 60 + seconds),
    )


def _moved(moment: datetime, duration: _Duration) -> datetime:
    year, month = divmod(12 * moment.year + moment.month - 1 + duration.months, 12)
    if not 1 <= year <= 9_999:
        raise DomainError("out_of_range")
    day = min(moment.day, monthrange(year, month + 1)[1])
    try:
        return moment.replace(year, month + 1, day) + timedelta(seconds=duration.seconds)
    except OverflowError:
        raise DomainError("out_of_range") from None


def _canonical(duration: _Duration) -> str:
    years, months = divmod(abs(duration.months), 12)
    minutes, seconds = divmod(abs(duration.seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    before = _parts(Y=years, M=months, D=days)
    after = _parts(H=hours, M=minutes, S=seconds)
    if not before and not after:
        return "PT0S"
    sign = "-" if min(duration) < 0 else ""
    return f"{sign}P{before}{'T' if after else ''}{after}"


def _parts(**numbers: int) -> str:
    return "".join(f"{number}{letter}" for letter, number in numbers.items() if number)


def _generate(rng: random.Random) -> dict[str, Json]:
    day = date.fromisoformat(rng.choice(_STARTS)) + timedelta(days=rng.choice([0, 0, 1, 17]))
    time = rng.choice(["00:00:00", "23:59:59", "12:30:15", "23:30:00"])
    durations = [_draw_duration(rng) for _ in range(rng.choice([0, 1, 2, 3, 4, 6, 8]))]
    if rng.random() < 0.13:
        durations.insert(rng.randint(0, len(durations)), rng.choice(_WRONG))
    if rng.random() < 0.13:
        durations.insert(rng.randint(0, len(durations)), rng.choice(_FAR))
    drawn: list[Json] = [*durations]
    return {"start": f"{day.isoformat()}T{time}", "durations": drawn}


def _draw_duration(rng: random.Random) -> str:
    sign = rng.choice(["", "", "", "+", "-", "-"])
    months = rng.choice([0, 1, 1, 2, 3, 11, 12, 13, 18, 24, 48])
    before = _spelled(rng, [("Y", rng.choice([0, 0, 1, 4, 100])), ("M", months)], 0.5)
    before += _spelled(rng, [("W", rng.randint(0, 60)), ("D", rng.randint(0, 400))], 0.3)
    clock = [("H", rng.choice([0, 1, 23, 24, 36])), ("M", rng.choice([0, 1, 59, 60, 1_440]))]
    after = _spelled(rng, [*clock, ("S", rng.choice([0, 1, 60, 86_399, 99_999]))], 0.3)
    if not before and not after:
        after = rng.choice(["0S", "1S", "00000H"])
    return f"{sign}P{before}{'T' if after else ''}{after}"


def _spelled(rng: random.Random, parts: list[tuple[str, int]], chance: float) -> str:
    """Some of these parts, now and then with leading zeros."""
    return "".join(
        f"{number:0{rng.choice([1, 1, 1, 2, 5])}}{letter}"
        for letter, number in parts
        if rng.random() < chance
    )


# Ends of months, leap days, a century year without one, the ends of the input range.
_STARTS = (
    *("2024-01-31", "2024-02-29", "2023-02-28", "2023-12-31", "2024-10-31", "2000-02-29"),
    *("2100-02-28", "1900-03-31", "2199-12-14"),
)
_WRONG = (
    *("P", "PT", "P1DT", "p1d", "P1.5D", "P 1D", "-P", "", "1D", "P1D1Y", "PT1D", "P1H", "P-1D"),
    *("P123456D", "--P1D", "P1D ", "PT1M1H", "P１D", "P1W1M", "\u2212P1D", "P1Y2Y", "PT1.5S"),
)
_FAR = ("P9999Y", "-P2300Y", "P99999M", "P99999W99999W", "-P99999W99999D", "-P2199Y", "P99999Y")


def _changed(
    elapsed: int, steps: list[str], canonical: list[str], result: str = ""
) -> dict[str, Json]:
    """A result; its timestamp is that of the last step where none is given."""
    return {
        "result": result or steps[-1],
        "steps": [*steps],
        "canonical": [*canonical],
        "elapsed_seconds": elapsed,
    }


def _apply(start: str, *durations: str) -> dict[str, Json]:
    """An input; a date stands for its first second."""
    return {"start": start if "T" in start else f"{start}T00:00:00", "durations": [*durations]}


def _one(start: str, duration: str, result: str, elapsed: int, canonical: str = "") -> Case:
    """A case of one duration, which is its own canonical form where none is given."""
    result = result if "T" in result else f"{result}T00:00:00"
    return Case(
        _apply(start, duration), _changed(elapsed, [result], [canonical or duration], result)
    )


_DAY = 86_400

_BOUNDARIES = (
    # Months: the day stays, or becomes the last of the month, and is not changed back.
    _one("2023-01-31", "P2M", "2023-03-31", 59 * _DAY),
    Case(
        _apply("2023-01-31", "P1M", "P1M"),
        _changed(56 * _DAY, ["2023-02-28T00:00:00", "2023-03-28T00:00:00"], ["P1M", "P1M"]),
    ),
    _one("2024-01-31", "P1M", "2024-02-29", 29 * _DAY),
    _one("2024-03-31", "-P1M", "2024-02-29", -31 * _DAY),
    _one("2024-02-29", "P1Y", "2025-02-28", 365 * _DAY),
    _one("2024-02-29", "P4Y", "2028-02-29", 1_461 * _DAY),
    _one("2024-02-29", "-P1M", "2024-01-29", -31 * _DAY),
    _one("2024-01-15", "-P1M", "2023-12-15", -31 * _DAY),
    _one("2024-12-15", "P1M", "2025-01-15", 31 * _DAY),
    _one("2024-10-31", "P1Y1M", "2025-11-30", 395 * _DAY),
    # Months come first, then seconds; two durations are not one; the order matters.
    _one("2024-01-31", "P1M1D", "2024-03-01", 30 * _DAY),
    _one("2024-03-31", "-P1M1D", "2024-02-28", -32 * _DAY),
    Case(
        _apply("2024-01-31", "P1D", "P1M"),
        _changed(30 * _DAY, ["2024-02-01T00:00:00", "2024-03-01T00:00:00"], ["P1D", "P1M"]),
    ),
    Case(
        _apply("2024-01-30", "P1D", "P1M", "-P1M", "-P1D"),
        _changed(
            -2 * _DAY,
            [f"2024-{day}T00:00:00" for day in ("01-31", "02-29", "01-29", "01-28")],
            ["P1D", "P1M", "-P1M", "-P1D"],
        ),
    ),
    Case(
        _apply("2024-03-01", "-P18M1WT1S", "-PT0S"),
        _changed(
            -47_865_601,
            ["2022-08-24T23:59:59", "2022-08-24T23:59:59"],
            ["-P1Y6M7DT1S", "PT0S"],
        ),
    ),
    _one("2024-02-29", "P0Y0M", "2024-02-29", 0, "PT0S"),
    # Seconds: across days, months and leap days.
    _one("2024-02-28T23:59:59", "PT1S", "2024-02-29", 1),
    _one("2024-03-01", "-PT1S", "2024-02-29T23:59:59", -1),
    _one("2023-02-28T12:00:00", "PT12H", "2023-03-01", 43_200),
    _one("2100-02-28", "P1D", "2100-03-01", _DAY),
    _one("2024-01-01", "PT36H", "2024-01-02T12:00:00", 129_600, "P1DT12H"),
    _one("2024-01-01", "PT99999S", "2024-01-02T03:46:39", 99_999, "P1DT3H46M39S"),
    # Canonical forms.
    _one("2024-01-01", "+P2W", "2024-01-15", 14 * _DAY, "P14D"),
    _one("2024-01-01", "P12M", "2025-01-01", 366 * _DAY, "P1Y"),
    _one("2024-01-01", "P00001Y013M", "2026-02-01", 762 * _DAY, "P2Y1M"),
    _one("2024-01-01", "PT60M", "2024-01-01T01:00:00", 3_600, "PT1H"),
    _one("2024-01-01", "P1MT1M", "2024-02-01T00:01:00", 31 * _DAY + 60),
    _one("2024-01-01", "PT24H60S", "2024-01-02T00:01:00", _DAY + 60, "P1DT1M"),
    _one("2024-01-01", "P40D", "2024-02-10", 40 * _DAY),
    _one("2024-01-01", "P0Y1D", "2024-01-02", _DAY, "P1D"),
    _one("2024-01-01", "P00000D", "2024-01-01", 0, "PT0S"),
    _one("2024-01-01", "+PT00S", "2024-01-01", 0, "PT0S"),
    _one("2024-01-01", "P20000W", "2407-04-23", 140_000 * _DAY, "P140000D"),
    Case(
        _apply("2024-03-01"),
        {
            "result": "2024-03-01T00:00:00",
            "steps": [],
            "canonical": [],
            "elapsed_seconds": 0,
        },
    ),
    # The years 0001 to 9999.
    _one("2024-01-01", "-P2023Y", "0001-01-01", -738_885 * _DAY),
    _one("2024-12-31T23:59:59", "P7975Y", "9999-12-31T23:59:59", 2_912_808 * _DAY),
    Case(_apply("2024-01-01", "-P2023Y", "-PT1S"), error="out_of_range"),
    Case(_apply("2024-12-31T23:59:59", "P7975YT1S"), error="out_of_range"),
    Case(_apply("2024-01-31", "-P2023Y1M"), error="out_of_range"),
    Case(_apply("2024-12-01", "P7975Y1M"), error="out_of_range"),
    Case(_apply("2024-03-01", "P9999Y"), error="out_of_range"),
    Case(
        _apply("2024-01-01", "P99999D", "-P99999D"),
        _changed(0, ["2297-10-15T00:00:00", "2024-01-01T00:00:00"], ["P99999D", "-P99999D"]),
    ),
    Case(_apply("2024-03-01", "P9999Y", "-P9999Y"), error="out_of_range"),
    # What is no duration is found first, wherever it stands.
    Case(_apply("2024-03-01", "P9999Y", "P1DT"), error="bad_duration"),
    *(
        Case(_apply("2024-03-01", text), error="bad_duration")
        for text in (
            *("", "P", "-P", "PT", "P1DT", "1D", "p1D", "P1d", "P1.5D", "P 1D", "P1D\n", "P1D1Y"),
            *("P1W1M", "P1Y1Y", "PT1S1H", "PT1D", "P1H", "P-1D", "+-P1D", "PD", "P1", "P123456D"),
            *("P000001D", "P1１D", "\u2212P1D", "P1DT1HT1M"),
        )
    ),
    Case(_apply("2024-03-01T24:00:00"), error="invalid_field"),
    # The length of every month, and of February in years of whole hundreds.
    _one("2023-12-31", "P1M", "2024-01-31", 31 * _DAY),
    _one("2023-03-31", "P1M", "2023-04-30", 30 * _DAY),
    _one("2023-03-31", "P2M", "2023-05-31", 61 * _DAY),
    _one("2023-05-31", "P1M", "2023-06-30", 30 * _DAY),
    _one("2023-05-31", "P2M", "2023-07-31", 61 * _DAY),
    _one("2023-07-31", "P1M", "2023-08-31", 31 * _DAY),
    _one("2023-08-31", "P1M", "2023-09-30", 30 * _DAY),
    _one("2023-08-31", "P2M", "2023-10-31", 61 * _DAY),
    _one("2023-10-31", "P1M", "2023-11-30", 30 * _DAY),
    _one("2023-10-31", "P2M", "2023-12-31", 61 * _DAY),
    _one("2100-01-31", "P1M", "2100-02-28", 28 * _DAY),
    _one("1900-01-31", "P1M", "1900-02-28", 28 * _DAY),
    _one("2000-01-31", "P1M", "2000-02-29", 29 * _DAY),
)

_STAMP = Pattern(
    r"(?:19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]",
    "a timestamp `YYYY-MM-DDTHH:MM:SS` (ASCII digits): the day exists in the Gregorian calendar, "
    "from `1900-01-01` to `2199-12-31`, HH is `00` to `23`, MM and SS are `00` to `59`",
    ("2024-02-29T00:00:00", "1900-01-01T00:00:00", "2199-12-31T23:59:59"),
    ("2024-02-29T24:00:00", "2024-02-29T23:60:00", "2024-02-29T23:59:60", "2023-02-29T00:00:00",
     "2024-02-29 00:00:00", "2024-02-29T00:00", "2024-02-29t00:00:00", "2024-02-29",
     "1899-12-31T23:59:59", "2200-01-01T00:00:00", "2024-02-29T00:00:00Z", "2024-02-29T00:00:00.0",
     "2024-02-29T00:00:0０"),
    check=lambda text: calendar_date().admits(text[:10]),
)  # fmt: skip

FAMILY = Family(
    number=15,
    slug="duration-arithmetic",
    title="Calendar duration arithmetic",
    category="calendars",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("start", _STAMP, "The timestamp to which the durations are applied."),
        required(
            "durations",
            Array(Text(0, 40), 0, 50),
            "The durations. A string that is none is an error of the contract.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("bad_duration", "An element of `durations` does not have the form above."),
        ErrorCode(
            "out_of_range",
            "After step 1 or after step 2 of some duration, the year is not from 1 to 9999.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {"start": "2024-01-31T23:30:00", "durations": ["P1M", "-P1Y", "PT36H45M"]},
        {
            "result": "2023-03-02T12:15:00",
            "steps": ["2024-02-29T23:30:00", "2023-02-28T23:30:00", "2023-03-02T12:15:00"],
            "canonical": ["P1M", "-P1Y", "P1DT12H45M"],
            "elapsed_seconds": -28_984_500,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _apply("2024-03-31T06:00:00", "-P1MT6H1S", "+P14M0DT90S"),
            _changed(
                394 * _DAY - 21_511,
                ["2024-02-28T23:59:59", "2025-04-29T00:01:29"],
                ["-P1MT6H1S", "P1Y2MT1M30S"],
            ),
        ),
        Case(_apply("2024-03-31", "P9000Y", "P1D1M"), error="bad_duration"),
    ),
    malformed=(
        {"start": "2024-03-01", "durations": []},
        {"start": "2024-03-01T00:00", "durations": []},
        {"start": "2024-03-01 00:00:00", "durations": []},
        {"start": "2024-03-01T00:00:60", "durations": []},
        {"start": "2024-03-01T00:60:00", "durations": []},
        {"start": "2024-02-30T00:00:00", "durations": []},
        {"start": "2023-02-29T00:00:00", "durations": []},
        {"start": "1899-12-31T23:59:59", "durations": []},
        {"start": "2200-01-01T00:00:00", "durations": []},
        {"start": "2024-03-01T00:00:00Z", "durations": []},
        {"start": "2024-03-01T00:00:00\n", "durations": []},
        {"start": "2024-03-01T00:00:00.5", "durations": []},
        {"start": "2024-03-01t00:00:00", "durations": []},
        {"start": 1709251200, "durations": []},
        {"start": None, "durations": []},
        {"start": "2024-03-01T00:00:00", "durations": "P1D"},
        {"start": "2024-03-01T00:00:00", "durations": None},
        {"start": "2024-03-01T00:00:00", "durations": {}},
        {"start": "2024-03-01T00:00:00", "durations": [86400]},
        {"start": "2024-03-01T00:00:00", "durations": ["P", None]},
        {"start": "2024-03-01T00:00:00", "durations": [["P1D"]]},
        {"start": "2024-03-01T00:00:00", "durations": [True]},
        {"start": "2024-03-01T00:00:00", "durations": ["P" + "0" * 39 + "D"]},
        {"start": "2024-03-01T00:00:00", "durations": ["P1D"] * 51},
        {"start": "2024-03-01T00:00:00"},
    ),
)
