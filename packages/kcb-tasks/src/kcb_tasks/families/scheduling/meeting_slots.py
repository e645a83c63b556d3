"""Meeting slots: the starts of a meeting that suit all who must come and most who may."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Boolean, Fixed, Integer, Record, label, optional, required

_SUMMARY = """\
Finds starts for a meeting of `duration` minutes. All times are minutes, counted from the same zero.
`window` is `[lo, hi]`. The candidates are the starts lo, lo + `step`, lo + 2 * `step` and so on, as
long as start + `duration` <= hi.

Each participant has a `name` and may have `busy` intervals `[a, b]`. One whose `required` is `true`
must come, any other is optional. A participant is blocked at a start s if a busy interval of theirs
has s - `buffer` < b and a < s + `duration` + `buffer`. A candidate is valid if no required
participant is blocked at it.

1. Rank the valid candidates: more optional participants who are not blocked come first. At equal
   numbers, the smaller start comes first.
2. If `disjoint` is `true`, go through this ranking from the top. Keep a candidate if its meeting
   overlaps the meeting of no candidate kept before; else drop it. The meeting of a candidate s goes
   from s to s + `duration`. Meetings that only touch do not overlap.
3. Of the candidates that are left, the first `limit` in the ranking are the slots."""

_RESULT = """\
An object with these members:

- `slots`: an array of objects with the members `start`, `end`, `attending` and `missing`, one for
  each slot, in the order of the ranking. `end` is `start` + `duration`. `attending` is an array of
  the names of all participants who are not blocked at `start`; `missing` is an array of the names
  of the others, who are all optional. Both are in the order of `participants`.
- `valid`: the number of valid candidates, before steps 2 and 3."""

_RULES = """\
- The buffer counts on both sides of a meeting, even outside the window. It does not count between
  two slots.
- Busy intervals may overlap, be in any order and lie outside the window; all of them count.
- If all participants are optional, every candidate is valid, even if all of them are blocked."""

_Participants = Sequence[Mapping[str, Any]]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    participants, duration = fields["participants"], fields["duration"]
    if len({person["name"] for person in participants}) < len(participants):
        raise DomainError("duplicate_participant")
    busy = [interval for person in participants for interval in person.get("busy", [])]
    if any(start >= end for start, end in [*busy, fields["window"]]):
        raise DomainError("bad_interval")
    ranked = sorted(_valid_slots(fields), key=lambda slot: (len(slot["missing"]), slot["start"]))
    if not ranked:
        raise DomainError("no_slot")
    kept: list[Json] = []
    for slot in ranked:
        apart = all(abs(slot["start"] - other["start"]) >= duration for other in kept)
        if apart or not fields["disjoint"]:
            kept.append(slot)
    return {"slots": kept[: fields["limit"]], "valid": len(ranked)}


def _valid_slots(fields: Mapping[str, Any]) -> list[dict[str, Json]]:
    duration, (low, high) = fields["duration"], fields["window"]
    slots: list[dict[str, Json]] = []
    for start in range(low, high - duration + 1, fields["step"]):
        margin = (start - fields["buffer"], start + duration + fields["buffer"])
        blocked = [person for person in fields["participants"] if _is_busy(person, *margin)]
        if not any(person.get("required", True) for person in blocked):
            missing = [person["name"] for person in blocked]
            names = [person["name"] for person in fields["participants"]]
            attending = [name for name in names if name not in missing]
            slot = {"start": start, "end": start + duration}
            slots.append({**slot, "attending": attending, "missing": missing})
    return slots


def _is_busy(person: Mapping[str, Any], start: int, end: int) -> bool:
    return any(start < b and a < end for a, b in person.get("busy", []))


def _generate(rng: random.Random) -> dict[str, Json]:
    low = rng.choice([0, 7, 480, 540, 9_800])
    window = [low, low + rng.choice([40, 90, 120, 200, 240])]
    names = rng.sample(_NAMES, rng.choice([1, 2, 3, 4, 5, 5, 6]))
    participants = [_draw_person(rng, name, window) for name in names]
    drawn: dict[str, Json] = {"participants": participants, "window": window}
    drawn["duration"] = rng.choice([10, 20, 20, 30, 45])
    for name, values in _OPTIONS.items():
        if rng.random() < 0.6:
            drawn[name] = rng.choice(values)
    fault = rng.random()
    if fault < 0.09:
        participants.append(_draw_person(rng, rng.choice(names), window))
    if 0.07 < fault < 0.16:
        rng.choice(participants)["busy"] = [[low, low + 5], [low + 9, low + rng.choice([8, 9])]]
    elif 0.16 < fault < 0.2:
        drawn["window"] = [low, low - rng.choice([0, low])]
    return drawn


def _draw_person(rng: random.Random, name: str, window: Sequence[int]) -> dict[str, Json]:
    person: dict[str, Json] = {"name": name}
    if rng.random() < 0.8:
        person["required"] = rng.random() < 0.2
    if rng.random() < 0.8:
        person["busy"] = [_draw_interval(rng, window) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
    return person


def _draw_interval(rng: random.Random, window: Sequence[int]) -> list[int]:
    start = rng.choice([window[0] + 10 * rng.randint(-2, 20), rng.randint(*window)])
    end = start + rng.choice([5, 10, 10, 20, 30, 45])
    return [max(0, start), min(10_080, max(1, end))]


_OPTIONS: dict[str, Sequence[Json]] = {
    "step": [5, 10, 10, 20, 30, 1_440],
    "buffer": [0, 5, 10, 15],
    "limit": [1, 2, 5, 50],
    "disjoint": [True, True, False],
}

_NAMES = (
    *("Ana", "Bo", "Cy", "bo", "D. E.", "Å", "A\u030a", "\u212b", "Zoë", "Женя", "美咲"),
    *("ｚ", "𐐨", "😀", "👍🏽", " ", "7"),
)


def _people(text: str) -> list[Json]:
    """Participants in short: `Cy?:600-640,700-710` is optional and busy twice."""
    people: list[Json] = []
    for word in text.split():
        name, _, busy = word.partition(":")
        person: dict[str, Json] = {"name": name.rstrip("?")}
        if name.endswith("?"):
            person["required"] = False
        if busy:
            person["busy"] = [[int(t) for t in interval.split("-")] for interval in busy.split(",")]
        people.append(person)
    return people


def _input(people: str, window: str, duration: int, **options: Json) -> dict[str, Json]:
    low, high = map(int, window.split("-"))
    fields: dict[str, Json] = {"participants": _people(people), "window": [low, high]}
    return {**fields, "duration": duration, **options}


def _case(given: dict[str, Json], slots: str, valid: int) -> Case:
    """A case in short: `20 Ana Bo / Cy` is a slot that starts at 20 and misses Cy."""
    listed: list[Json] = []
    for slot in slots.split("|"):
        there, _, missing = slot.partition("/")
        start, *attending = there.split()
        end = int(start) + given["duration"]
        listed.append(
            {
                "start": int(start),
                "end": end,
                "attending": attending,
                "missing": missing.split(),
            }
        )
    return Case(given, {"slots": listed, "valid": valid})


_BOUNDARIES = (
    _case(
        _input("Å:60-90 b?:100-200", "0-150", 20, step=10, buffer=5, disjoint=True, limit=9),
        "0 Å b | 20 Å b | 100 Å / b | 120 Å / b",
        8,
    ),
    # Candidates: the grid begins at the window, and the last meeting may end with it.
    _case(_input("a", "7-30", 5, step=10), "7 a | 17 a", 2),
    _case(_input("a", "0-30", 30), "0 a", 1),
    _case(_input("a", "0-30", 29, step=1440), "0 a", 1),
    _case(_input("a", "0-75", 30), "0 a | 15 a | 30 a", 4),
    _case(_input("a", "0-60", 30), "0 a | 15 a | 30 a", 3),
    _case(_input("a", "10000-10080", 80), "10000 a", 1),
    _case(_input("a", "3-9", 1, step=5), "3 a | 8 a", 2),
    # Blocked or not: touching is fine without buffer, the buffer is needed on both sides.
    _case(_input("a:30-60", "0-90", 30, step=30), "0 a | 60 a", 2),
    Case(_input("a:30-60", "0-90", 30, step=30, buffer=1), error="no_slot"),
    _case(_input("a:29-61", "0-120", 30, step=30), "90 a", 1),
    _case(_input("a:0-10 b:40-50", "20-30", 10, step=10, buffer=10), "20 a b", 1),
    Case(_input("a:0-10", "19-29", 10, buffer=10), error="no_slot"),
    Case(_input("b:40-50", "21-31", 10, buffer=10), error="no_slot"),
    _case(_input("a:0-10", "10-40", 10, step=10, buffer=5), "20 a | 30 a", 2),
    _case(_input("a:40-50", "10-40", 10, step=10, buffer=5), "10 a | 20 a", 2),
    _case(_input("a:10-11", "0-40", 20, step=5), "15 a | 20 a", 2),
    _case(_input("a:50-60,0-10,5-20", "0-60", 10, step=10), "20 a | 30 a | 40 a", 3),
    # The ranking: optional participants first, then the start; required ones do not count twice.
    _case(
        _input("x?:0-10 y?:0-20", "0-30", 10, step=10),
        "20 x y | 10 x / y | 0 / x y",
        3,
    ),
    _case(
        _input("o?:0-20 r:30-40 p? q?:20-30,40-50", "0-50", 10, step=10, limit=4),
        "0 r p q / o | 10 r p q / o | 20 o r p / q | 40 o r p / q",
        4,
    ),
    _case(_input("a? b?:0-60 c?:0-30", "0-60", 30, step=30, limit=1), "30 a c / b", 2),
    _case(_input("a?:0-60", "0-60", 60), "0 / a", 1),
    # Disjoint slots: from the top of the ranking, before the limit, without buffer between them.
    _case(_input("a o?:0-20", "0-40", 20, step=10, disjoint=True), "20 a o | 0 a / o", 3),
    _case(_input("a o?:0-20", "0-40", 20, step=10), "20 a o | 0 a / o | 10 a / o", 3),
    _case(_input("a", "0-60", 20, step=10, disjoint=True, limit=2), "0 a | 20 a", 5),
    _case(_input("a", "0-60", 20, step=20, disjoint=True, buffer=30), "0 a | 20 a | 40 a", 3),
    _case(
        _input("a o?:0-20,40-80", "0-80", 20, step=10, disjoint=True, limit=9),
        "20 a o | 0 a / o | 40 a / o | 60 a / o",
        7,
    ),
    _case(_input("a", "0-60", 20, step=15, disjoint=True), "0 a | 30 a", 3),
    _case(
        _input("a o?:0-15,35-60", "0-60", 20, step=5, disjoint=True, limit=50),
        "15 a o | 35 a / o",
        9,
    ),
    _case(_input("a", "0-100", 5, step=50, limit=1), "0 a", 2),
    # Names are compared exactly.
    _case(_input("Å A\u030a? \u212b a 𐐨?:0-9", "0-10", 10), "0 Å A\u030a \u212b a / 𐐨", 1),
    Case(
        {
            "participants": [{"name": "r", "required": True, "busy": []}],
            "window": [0, 5],
            "duration": 5,
            "limit": 1,
        },
        {"slots": [{"start": 0, "end": 5, "attending": ["r"], "missing": []}], "valid": 1},
    ),
    # Errors, and which of them comes first.
    Case(_input("a a", "5-5", 1), error="duplicate_participant"),
    Case(_input("a:5-5", "0-1", 9), error="bad_interval"),
    Case(_input("a?", "0-10", 11), error="no_slot"),
    Case(_input("a b:9-3 a?", "0-10", 11), error="duplicate_participant"),
    Case(_input("a b?:0-3,9-8", "0-60", 10), error="bad_interval"),
    Case(_input("a", "5-5", 1), error="bad_interval"),
    Case(_input("a", "50-5", 1), error="bad_interval"),
    Case(_input("a:0-100 b?", "0-60", 10), error="no_slot"),
    Case(_input("a:0-30 b:30-60", "0-60", 10, step=10), error="no_slot"),
    # Busy long before the window, and long after it.
    _case(_input("a:0-10", "40-60", 10, step=10), "40 a | 50 a", 2),
    _case(_input("a:90-99", "40-60", 10, step=10), "40 a | 50 a", 2),
)

_TIME = Integer(0, 10_080)
_PERSON: dict[str, Json] = {"name": "a"}

FAMILY = Family(
    number=29,
    slug="meeting-slots",
    title="Meeting slot finder",
    category="scheduling",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required(
            "participants",
            Array(
                Record(
                    (
                        required("name", label()),
                        optional("required", Boolean(), True),
                        optional("busy", Array(Fixed(_TIME, _TIME), 0, 50), []),
                    )
                ),
                1,
                20,
            ),
            "The participants. Names are compared exactly.",
        ),
        required("window", Fixed(_TIME, _TIME), "The earliest start and the latest end."),
        required("duration", Integer(1, 1_440), "The length of the meeting."),
        optional("step", Integer(5, 1_440), 15, "The distance between candidates."),
        optional("buffer", Integer(0, 240), 0, "The free time needed before and after a meeting."),
        optional("limit", Integer(1, 50), 3, "How many slots there are at most."),
        optional("disjoint", Boolean(), False, "Whether the slots may not overlap."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_participant", "Two participants have the same `name`."),
        ErrorCode("bad_interval", "A busy interval `[a, b]` has a >= b, or `window` has lo >= hi."),
        ErrorCode("no_slot", "There is no valid candidate."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_case(
        _input("Ana:540-600 Bo:660-720 Cy?:600-640", "540-780", 30, step=30, limit=2),
        "720 Ana Bo Cy | 750 Ana Bo Cy",
        4,
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case(
            _input(
                "Bo?:65-70 Ana:0-35 Cy?:40-50",
                "30-120",
                20,
                step=10,
                buffer=5,
                disjoint=True,
                limit=4,
            ),
            "80 Bo Ana Cy | 100 Bo Ana Cy | 40 Bo Ana / Cy | 60 Ana Cy / Bo",
            7,
        ),
        Case(_input("Ana:540-600 Bo?", "530-620", 15, buffer=10), error="no_slot"),
    ),
    malformed=(
        {"participants": [], "window": [0, 1], "duration": 1},
        {"participants": ["a"], "window": [0, 1], "duration": 1},
        *(
            {"participants": [_PERSON, person], "window": [0, 1], "duration": 1}
            for person in (
                {},
                {"name": ""},
                {"name": 1},
                {"name": "b", "required": 1},
                {"name": "b", "required": "yes"},
                {"name": "b", "required": None},
                {"name": "b", "busy": None},
                {"name": "b", "busy": [1, 2]},
                {"name": "b", "busy": [[1]]},
                {"name": "b", "busy": [[1, 2, 3]]},
                {"name": "b", "busy": [["09:00", "10:00"]]},
                {"name": "b", "busy": [[-1, 2]]},
                {"name": "b", "busy": [[1, 10_081]]},
                {"name": "b", "busy": [[1, 2.0]]},
                {"name": "b", "busy": [[False, 2]]},
                {"name": "b", "busy": [[0, 1]] * 51},
            )
        ),
        {"participants": [_PERSON], "duration": 1},
        {"participants": [_PERSON], "window": None, "duration": 1},
        {"participants": [_PERSON], "window": [0], "duration": 1},
        {"participants": [_PERSON], "window": {"lo": 0, "hi": 1}, "duration": 1},
        {"participants": [_PERSON], "window": [0, 10_081], "duration": 1},
        {"participants": [_PERSON], "window": [5, 5], "duration": 0},
        {"participants": [_PERSON], "window": [0, 9], "duration": 1_441},
        {"participants": [_PERSON], "window": [0, 9], "duration": "9"},
        {"participants": [_PERSON], "window": [0, 9], "duration": 1, "step": 4},
        {"participants": [_PERSON], "window": [0, 9], "duration": 1, "step": 5.0},
        {"participants": [_PERSON], "window": [0, 9], "duration": 1, "step": None},
        {"participants": [_PERSON], "window": [0, 9], "duration": 1, "buffer": -1},
        {"participants": [_PERSON], "window": [0, 9], "duration": 1, "buffer": 241},
        {"participants": [_PERSON], "window": [0, 9], "duration": 1, "limit": 0},
        {"participants": [_PERSON], "window": [0, 9], "duration": 1, "limit": 51},
        {"participants": [_PERSON], "window": [0, 9], "duration": 1, "limit": True},
        {"participants": [_PERSON], "window": [0, 9], "duration": 1, "disjoint": 0},
        {"participants": [_PERSON], "window": [0, 9], "duration": 1, "disjoint": None},
    ),
)
