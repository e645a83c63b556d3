"""Shift roster: workers are assigned to shifts, fairly first and in a fixed order then."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Integer, Nullable, Record, label, optional, required

_SUMMARY = """\
Assigns workers to shifts. Each shift needs exactly `need` different workers. The position of a
worker is their index in `workers`, from 0. An assignment is allowed if all of this holds:

- The `id` of the shift is not in the `unavailable` list of any of its workers.
- If the `skill` of the shift is not `null`, it is in the `skills` list of each of its workers.
- No worker has more shifts than their `max_shifts`.
- Of every two shifts of the same worker, one has a `start` that is at least the `end` of the other
  plus `min_rest`. (This is meant for all pairs, not only for neighbours in `shifts`.)

The load of a worker is the number of their shifts. From all allowed assignments choose one:

1. The largest load of a worker must be as small as possible.
2. If several assignments are left, write the workers of each shift as an ascending list of
   positions. Of two assignments look at the first shift, in the order of `shifts`, for which these
   lists differ, and at the first element that differs in them: the smaller position wins."""

_RESULT = """\
An object with these members:

- `assignments`: an array of objects `{"shift": i, "workers": [...]}`, one for each shift, in the
  order of `shifts`: its id, and the names of its workers in ascending order of their positions.
- `loads`: an array of objects `{"name": n, "shifts": k}`, one for each worker, in the order of
  `workers`: the name and the load, which can be 0.
- `max_load`: the largest load."""

_RULES = """\
- Fairness comes first: rule 2 never makes up for a larger `max_load`.
- With `min_rest` 0, a shift may start at the moment at which another one of the worker ends.
- If `need` is greater than the number of workers, this is `infeasible`."""

_Records = Sequence[Mapping[str, Any]]
_Team = tuple[int, ...]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    workers, shifts = fields["workers"], fields["shifts"]
    _check(workers, shifts)
    choices = [_teams(workers, shift) for shift in shifts]
    clashes = [[_clash(a, b, fields["min_rest"]) for b in shifts] for a in shifts]
    for load in range(1, len(shifts) + 1):
        limits = [min(load, worker.get("max_shifts", 7)) for worker in workers]
        teams = _first(choices, clashes, limits, [])
        if teams is not None:
            return _report(workers, shifts, teams)
    raise DomainError("infeasible")


def _check(workers: _Records, shifts: _Records) -> None:
    ids = {shift["id"] for shift in shifts}
    if len({worker["name"] for worker in workers}) < len(workers):
        raise DomainError("duplicate_worker")
    if len(ids) < len(shifts):
        raise DomainError("duplicate_shift")
    if any(shift["start"] >= shift["end"] for shift in shifts):
        raise DomainError("bad_shift")
    if not all(ids.issuperset(worker.get("unavailable", [])) for worker in workers):
        raise DomainError("unknown_shift")
    if sum(shift.get("need", 1) for shift in shifts) > 7:
        raise DomainError("too_large")


def _teams(workers: _Records, shift: Mapping[str, Any]) -> list[_Team]:
    """The groups of workers that may take a shift, as positions, in ascending order."""
    skill = shift.get("skill")
    able = [
        position
        for position, worker in enumerate(workers)
        if shift["id"] not in worker.get("unavailable", [])
        and (skill is None or skill in worker.get("skills", []))
    ]
    return list(combinations(able, shift.get("need", 1)))


def _clash(a: Mapping[str, Any], b: Mapping[str, Any], rest: int) -> bool:
    """Whether nobody can take both of two shifts."""
    return bool(a["start"] < b["end"] + rest and b["start"] < a["end"] + rest)


def _first(
    choices: Sequence[Sequence[_Team]],
    clashes: Sequence[Sequence[bool]],
    limits: Sequence[int],
    teams: list[_Team],
) -> list[_Team] | None:
    """The smallest allowed assignment that begins with these teams, if there is one."""
    shift = len(teams)
    if shift == len(choices):
        return teams

    def is_free(worker: int) -> bool:
        taken = [other for other in range(shift) if worker in teams[other]]
        return len(taken) < limits[worker] and not any(clashes[shift][other] for other in taken)

    for team in choices[shift]:
        if all(map(is_free, team)):
            found = _first(choices, clashes, limits, [*teams, team])
            if found is not None:
                return found
    return None


def _report(workers: _Records, shifts: _Records, teams: Sequence[_Team]) -> Json:
    names = [worker["name"] for worker in workers]
    loads = [sum(position in team for team in teams) for position in range(len(names))]
    return {
        "assignments": [
            {"shift": shift["id"], "workers": [names[position] for position in team]}
            for shift, team in zip(shifts, teams, strict=True)
        ],
        "loads": [{"name": name, "shifts": load} for name, load in zip(names, loads, strict=True)],
        "max_load": max(loads),
    }


def _generate(rng: random.Random) -> dict[str, Json]:
    ids = rng.sample(_IDS, rng.choice([2, 3, 4, 5]))
    names = rng.sample(_NAMES, rng.choice([2, 3, 4, 4, 5, 5]))
    starts = rng.sample([0, 8, 16, 24, 30, 40, 48, 56, 64, 72], len(ids))
    shifts = [_draw_shift(rng, name, start) for name, start in zip(ids, starts, strict=True)]
    workers = [_draw_worker(rng, name, ids) for name in names]
    while sum(shift.get("need", 1) for shift in shifts) > 7:
        rng.choice(shifts)["need"] = 1
    drawn: dict[str, Json] = {"workers": workers, "shifts": shifts}
    if rng.random() < 0.5:
        drawn["min_rest"] = rng.choice([0, 1, 7, 8, 8, 9])
    if rng.random() < 0.28:
        _spoil(rng, workers, shifts)
    return drawn


def _draw_shift(rng: random.Random, name: str, start: int) -> dict[str, Json]:
    shift: dict[str, Json] = {"id": name, "start": start, "end": start + rng.choice([1, 4, 8])}
    if rng.random() < 0.35:
        shift["need"] = rng.choice([1, 2, 2, 2, 3])
    if rng.random() < 0.3:
        shift["skill"] = rng.choice([None, "med", "med", "med", "Med", "𐐨"])
    return shift


def _draw_worker(rng: random.Random, name: str, ids: Sequence[str]) -> dict[str, Json]:
    worker: dict[str, Json] = {"name": name}
    if rng.random() < 0.4:
        worker["max_shifts"] = rng.choice([0, 1, 2, 2, 2, 3, 7])
    if rng.random() < 0.8:
        worker["skills"] = rng.sample(["med", "Med", "𐐨", "x"], rng.choice([1, 3, 4]))
    if rng.random() < 0.2:
        worker["unavailable"] = [rng.choice(ids) for _ in range(rng.randint(0, 2))]
    return worker


def _spoil(rng: random.Random, workers: list[Json], shifts: list[Json]) -> None:
    """One or two faults, so that their order matters too."""
    for fault in rng.sample(range(5), rng.choice([1, 1, 1, 2])):
        worker, shift = rng.choice(workers), rng.choice(shifts)
        if fault == 0 and len(workers) < 5:
            workers.append({"name": worker["name"]})
        elif fault == 1 and len(shifts) < 7:
            shifts.append({"id": shift["id"], "start": 70, "end": 71})
        elif fault == 2:
            shift["end"] = shift["start"] - rng.choice([0, shift["start"]])
        elif fault == 3:
            worker["unavailable"] = ["no such"]
        elif fault == 4:
            more = [{"id": f"more {n}", "start": n, "end": n + 1} for n in range(3 - len(shifts))]
            shifts += more
            for each in shifts:
                each["need"] = 3


_IDS = ("s1", "s2", "S1", "night", "é", "e\u0301", "ｚ", "𐐨", "10", "9", "early late", "😀")
_NAMES = ("Ann", "Bob", "Cy", "ann", "Zoë", "Åsa", "A\u030asa", "美咲", "𐐨", "ｚ", "👍🏽")


def _workers(text: str) -> list[Json]:
    """Workers in short: `Ann.2+med-s1` takes 2 shifts at most, has a skill, cannot take s1."""
    workers: list[Json] = []
    for word in text.split():
        head, *unavailable = word.split("-")
        head, *skills = head.split("+")
        name, dot, most = head.partition(".")
        worker: dict[str, Json] = {"name": name}
        worker |= {"max_shifts": int(most)} if dot else {}
        worker |= {"skills": skills} if skills else {}
        worker |= {"unavailable": unavailable} if unavailable else {}
        workers.append(worker)
    return workers


def _shifts(text: str) -> list[Json]:
    """Shifts in short: `s1:8-16*2+med` needs 2 workers with a skill."""
    shifts: list[Json] = []
    for word in text.split():
        head, plus, skill = word.partition("+")
        head, times, need = head.partition("*")
        name, _, span = head.partition(":")
        start, end = map(int, span.split("-"))
        shift: dict[str, Json] = {"id": name, "start": start, "end": end}
        shift |= {"need": int(need)} if times else {}
        shift |= {"skill": skill} if plus else {}
        shifts.append(shift)
    return shifts


def _input(workers: str, shifts: str, rest: int = 0) -> dict[str, Json]:
    fields: dict[str, Json] = {"workers": _workers(workers), "shifts": _shifts(shifts)}
    return {**fields, "min_rest": rest} if rest else fields


def _case(given: dict[str, Json], teams: str, loads: str, max_load: int) -> Case:
    """A case in short: the names for each shift, `|` between them, and the loads."""
    result = {
        "assignments": [
            {"shift": shift["id"], "workers": team.split()}
            for shift, team in zip(given["shifts"], teams.split("|"), strict=True)
        ],
        "loads": [
            {"name": worker["name"], "shifts": int(load)}
            for worker, load in zip(given["workers"], loads.split(), strict=True)
        ],
        "max_load": max_load,
    }
    return Case(given, result)


_BOUNDARIES = (
    _case(_input("A B", "x:0-1 y:1-2*2 é:4-5"), "A | A B | B", "2 2", 2),
    Case(_input("A", "x:0-2 y:1-3"), error="infeasible"),
    # Fairness first, then the smallest positions; names do not matter.
    _case(_input("A B", "x:0-1 y:2-3"), "A | B", "1 1", 1),
    _case(_input("A B", "x:0-1 y:2-3 z:4-5"), "A | A | B", "2 1", 2),
    _case(_input("b a", "x:0-1"), "b", "1 0", 1),
    _case(_input("Z A M", "x:0-1*2 y:0-1"), "Z A | M", "1 1 1", 1),
    _case(_input("A B C", "x:0-1 y:2-3*2 z:4-5 w:6-7"), "A | A B | B | C", "2 2 1", 2),
    _case(_input("A-y B", "y:0-1 x:2-3 z:4-5*2"), "B | A | A B", "2 2", 2),
    _case(_input("A B C D E", "x:0-1*3 y:2-3*3 z:4-5"), "A B C | A B C | D", "2 2 2 1 0", 2),
    _case(
        _input("A B", "a:0-1 b:2-3 c:4-5 d:6-7 e:8-9 f:10-11 g:12-13"),
        "A | A | A | A | B | B | B",
        "4 3",
        4,
    ),
    # Early choices may have to be taken back.
    _case(_input("A+k B", "x:0-4 y:2-6+k"), "B | A", "1 1", 1),
    _case(_input("A+k B C", "x:0-1 y:2-3+k z:4-5"), "B | A | C", "1 1 1", 1),
    _case(_input("A+k B", "x:0-1 y:2-3+k z:4-5+k"), "B | A | A", "2 1", 2),
    _case(_input("A-z B C-x-y", "x:0-2 y:1-3 z:2-4"), "A | B | C", "1 1 1", 1),
    # Limits of workers.
    _case(_input("A.0 B", "x:0-1 y:2-3"), "B | B", "0 2", 2),
    _case(_input("A.1 B", "x:0-1 y:2-3 z:4-5"), "A | B | B", "1 2", 2),
    _case(_input("A.3 B.0", "x:0-1 y:2-3 z:4-5"), "A | A | A", "3 0", 3),
    Case(_input("A.2", "x:0-1 y:2-3 z:4-5"), error="infeasible"),
    Case(_input("A.0 B.0", "x:0-1"), error="infeasible"),
    # Skills are compared exactly, and each of the workers needs them.
    _case(_input("A+Med B+med+x", "x:0-1+med"), "B", "0 1", 1),
    _case(_input("A B+med C+x+med", "x:0-1*2+med"), "B C", "0 1 1", 1),
    Case(_input("A B+med", "x:0-1*2+med"), error="infeasible"),
    Case(_input("A+med B+\u00e9", "x:0-1+e\u0301"), error="infeasible"),
    _case(_input("A-x-x B", "x:0-1 X:2-3"), "B | A", "1 1", 1),
    Case(
        {
            "workers": [{"name": "A", "max_shifts": 7, "skills": [], "unavailable": []}],
            "shifts": [{"id": "x", "start": 0, "end": 10_000, "need": 1, "skill": None}],
            "min_rest": 10_000,
        },
        {
            "assignments": [{"shift": "x", "workers": ["A"]}],
            "loads": [{"name": "A", "shifts": 1}],
            "max_load": 1,
        },
    ),
    # Rest counts between every two shifts, in whatever order they are listed.
    _case(_input("A", "x:0-8 y:8-16"), "A | A", "2", 2),
    Case(_input("A", "x:0-8 y:7-16"), error="infeasible"),
    _case(_input("A", "x:0-8 y:100-108 z:10-18", 2), "A | A | A", "3", 3),
    Case(_input("A", "x:0-8 y:100-108 z:10-18", 3), error="infeasible"),
    _case(_input("A B", "z:20-28 x:0-8 y:10-18", 3), "A | A | B", "2 1", 2),
    _case(_input("A B", "z:20-28 y:10-18 x:0-8", 2), "A | A | B", "2 1", 2),
    Case(_input("A", "x:0-9 y:3-4"), error="infeasible"),
    Case(_input("A", "x:3-4 y:3-4"), error="infeasible"),
    _case(_input("A B C", "x:0-8 y:2-4 z:4-9"), "A | B | C", "1 1 1", 1),
    _case(_input("A B", "x:0-8 y:2-4 z:4-9"), "A | B | B", "1 2", 2),
    Case(_input("A B", "x:0-8 y:2-4 z:4-9", 1), error="infeasible"),
    # As many workers as needed, or not.
    _case(_input("A B C", "x:0-1*3"), "A B C", "1 1 1", 1),
    Case(_input("A B", "x:0-1*3"), error="infeasible"),
    _case(_input("𐐨 ｚ", "é:0-1*2 e\u0301:1-2"), "𐐨 ｚ | 𐐨", "2 1", 2),
    # Errors, and which of them comes first.
    Case(_input("A", "x:0-2*3 y:1-3*3 z:1-3*3"), error="too_large"),
    Case(_input("A-q", "x:0-2*3"), error="unknown_shift"),
    Case(_input("A-q", "x:2-2"), error="bad_shift"),
    Case(_input("A", "x:2-2 x:0-2"), error="duplicate_shift"),
    Case(_input("A A", "x:2-2"), error="duplicate_worker"),
    Case(_input("A B A-q", "x:2-2*3 x:2-2*3 y:0-1*2"), error="duplicate_worker"),
    Case(_input("A-q", "x:2-1*3 y:0-1*3 x:0-1*3"), error="duplicate_shift"),
    Case(_input("A-q", "y:0-1*3 x:2-1*3 z:0-1*3"), error="bad_shift"),
    Case(_input("A-x B-X", "x:0-1*3 y:0-1*3 z:0-1*3"), error="unknown_shift"),
    Case(_input("A B C D", "x:0-1*3 y:2-3*3 z:4-5*2"), error="too_large"),
    Case(_input("A.0", "x:0-1*3 y:0-1*2 z:0-1*3"), error="too_large"),
    # A need that is left out is 1 in the sum too; without a limit one worker can take all shifts.
    Case(_input("A B C", "a:0-1*3 b:2-3 c:4-5 d:6-7 e:8-9 f:10-11"), error="too_large"),
    _case(
        _input("A", "a:0-1 b:2-3 c:4-5 d:6-7 e:8-9 f:10-11 g:12-13"),
        "A | A | A | A | A | A | A",
        "7",
        7,
    ),
)

_WORKER: dict[str, Json] = {"name": "A"}
_SHIFT: dict[str, Json] = {"id": "x", "start": 0, "end": 1}

FAMILY = Family(
    number=30,
    slug="shift-roster",
    title="Fair shift roster",
    category="scheduling",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required(
            "workers",
            Array(
                Record(
                    (
                        required("name", label()),
                        optional("max_shifts", Integer(0, 7), 7),
                        optional("skills", Array(label(), 0, 10), []),
                        optional("unavailable", Array(label(), 0, 7), []),
                    )
                ),
                1,
                5,
            ),
            "The workers.",
        ),
        required(
            "shifts",
            Array(
                Record(
                    (
                        required("id", label()),
                        required("start", Integer(0, 10_000)),
                        required("end", Integer(0, 10_000)),
                        optional("need", Integer(1, 3), 1),
                        optional("skill", Nullable(label()), None),
                    )
                ),
                1,
                7,
            ),
            "The shifts. Names, ids and skills are compared exactly.",
        ),
        optional("min_rest", Integer(0, 10_000), 0, "The rest between two shifts of a worker."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_worker", "Two workers have the same `name`."),
        ErrorCode("duplicate_shift", "Two shifts have the same `id`."),
        ErrorCode("bad_shift", "A shift has `start` >= `end`."),
        ErrorCode("unknown_shift", "An element of an `unavailable` list is the `id` of no shift."),
        ErrorCode("too_large", "The sum of `need` over all shifts is greater than 7."),
        ErrorCode("infeasible", "There is no allowed assignment."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_case(
        _input("Ann+med Bob-s1 Cy", "s1:0-8 s2:8-16+med s3:16-24 s4:30-38", 8),
        "Cy | Ann | Bob | Ann",
        "2 1 1",
        2,
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case(
            _input("Ida-late Bo.1+key Al+key", "late:16-24*2 day:8-16 early:0-8+key eve:34-40", 8),
            "Bo Al | Ida | Al | Ida",
            "2 1 2",
            2,
        ),
        Case(_input("Ida+key Bo", "day:0-8+key eve:10-18+key", 4), error="infeasible"),
    ),
    malformed=(
        {"workers": [], "shifts": [_SHIFT]},
        {"workers": ["A"], "shifts": [_SHIFT]},
        {"workers": [_WORKER] * 6, "shifts": [_SHIFT]},
        *(
            {"workers": [_WORKER, worker], "shifts": [_SHIFT]}
            for worker in (
                {},
                {"name": ""},
                {"name": None},
                {"name": "B", "max_shifts": -1},
                {"name": "B", "max_shifts": 8},
                {"name": "B", "max_shifts": 1.0},
                {"name": "B", "max_shifts": None},
                {"name": "B", "max_shifts": True},
                {"name": "B", "skills": "med"},
                {"name": "B", "skills": [""]},
                {"name": "B", "skills": [1]},
                {"name": "B", "skills": None},
                {"name": "B", "unavailable": "x"},
                {"name": "B", "unavailable": [None]},
                {"name": "B", "unavailable": ["x"] * 8},
            )
        ),
        {"workers": [_WORKER], "shifts": []},
        {"workers": [_WORKER]},
        {"workers": [_WORKER], "shifts": [["x", 0, 1]]},
        *(
            {"workers": [_WORKER], "shifts": [_SHIFT, shift]}
            for shift in (
                {"id": "y", "start": 0},
                {"id": "y", "end": 1},
                {"start": 0, "end": 1},
                {"id": "", "start": 0, "end": 1},
                {"id": "y", "start": -1, "end": 1},
                {"id": "y", "start": 0, "end": 10_001},
                {"id": "y", "start": 0, "end": 1.0},
                {"id": "y", "start": "0", "end": 1},
                {"id": "y", "start": False, "end": 1},
                {"id": "y", "start": 0, "end": 1, "need": 0},
                {"id": "y", "start": 0, "end": 1, "need": 4},
                {"id": "y", "start": 0, "end": 1, "need": None},
                {"id": "y", "start": 0, "end": 1, "skill": ""},
                {"id": "y", "start": 0, "end": 1, "skill": ["med"]},
            )
        ),
        {"workers": [_WORKER], "shifts": [_SHIFT], "min_rest": -1},
        {"workers": [_WORKER], "shifts": [_SHIFT], "min_rest": 10_001},
        {"workers": [_WORKER], "shifts": [_SHIFT], "min_rest": 0.0},
        {"workers": [_WORKER], "shifts": [_SHIFT], "min_rest": None},
    ),
)
