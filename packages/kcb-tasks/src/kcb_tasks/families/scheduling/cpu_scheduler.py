"""CPU scheduler: one processor, several processes, and a policy that says which of them runs."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Choice, Integer, Record, absentable, label, optional, required

_SUMMARY = """\
Simulates one processor that runs processes, in whole units of time from time 0 on. A process can
run from the time `arrival` on. It is finished when it has run for `burst` units in all. A process
is ready at time t if its `arrival` is at most t and it is not finished. If no process is ready, the
processor is idle. The position of a process is its index in `processes`.

`policy` says which process runs:

- `fcfs`: whenever the processor is free, it starts the ready process with the smallest `arrival`
  and runs it until it is finished.
- `sjf`: the same with the smallest `burst` in place of the smallest `arrival`.
- `srtf`: in every unit anew, it runs the ready process with the smallest number of units that it
  still needs.
- `priority`: in every unit anew, it runs the ready process with the smallest `priority`.
- `rr`: there is a queue, empty at first. At time 0, whenever a process stops, and at each `arrival`
  while the processor is idle, these steps are done at that time t:
  1. All processes with `arrival` <= t that have never been in the queue are appended to it, in
     ascending order of `arrival`, equal ones in the order of their positions.
  2. The process that stopped at t is appended to the queue, if it is not finished.
  3. The first process in the queue, if there is one, is taken out. It runs for `quantum` units, or
     fewer if it is finished earlier. Then it stops.

For `fcfs`, `sjf`, `srtf` and `priority`: of several smallest ones the smallest `arrival` decides,
then the smallest position."""

_RESULT = """\
An object with these members:

- `gantt`: an array of objects `{"id": i, "start": s, "end": e}`: from time s to time e the process
  with the id i runs, or the processor is idle if i is `null`. The entries are in ascending order of
  time, without holes, from time 0 to the time at which the last process is finished. Neighbouring
  entries never have the same `id`: they are one entry, with `rr` too.
- `processes`: an array of objects with the members `id`, `start`, `completion`, `turnaround` and
  `waiting`, one for each process, in the order of the input. `start` is the time at which it runs
  first, `completion` the time at which it is finished, `turnaround` is `completion` - `arrival`,
  and `waiting` is `turnaround` - `burst`.
- `avg_waiting` and `avg_turnaround`: the exact averages over all processes, as strings: fractions
  in lowest terms, `n/d` with d > 1, or just `n`.
- `switches`: the number of pairs of neighbouring entries in `gantt` of which neither is idle."""

_RULES = """\
- Policies other than `rr` ignore `quantum`, but if it is there, it must be valid."""

_Processes = Sequence[Mapping[str, Any]]
_Units = list[int | None]
"""For each unit of time the position of the process that runs, or None while idle."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    processes, policy = fields["processes"], fields["policy"]
    if not processes:
        raise DomainError("no_processes")
    if len({process["id"] for process in processes}) < len(processes):
        raise DomainError("duplicate_process")
    if policy != "rr":
        return _report(processes, _selected(processes, policy))
    if "quantum" not in fields:
        raise DomainError("missing_quantum")
    return _report(processes, _in_turns(processes, fields["quantum"]))


def _selected(processes: _Processes, policy: str) -> _Units:
    """What runs if the most urgent process is selected, in every unit or when one is finished."""
    left = [process["burst"] for process in processes]
    units: _Units = []
    running: int | None = None

    def urgency(position: int) -> tuple[int, int, int]:
        process = processes[position]
        first = {
            "fcfs": process["arrival"],
            "sjf": process["burst"],
            "srtf": left[position],
            "priority": process.get("priority", 0),
        }
        return first[policy], process["arrival"], position

    while any(left):
        if policy in ("srtf", "priority") or running is None or left[running] == 0:
            arrived = (i for i, process in enumerate(processes) if process["arrival"] <= len(units))
            running = min((i for i in arrived if left[i] > 0), key=urgency, default=None)
        if running is not None:
            left[running] -= 1
        units.append(running)
    return units


def _in_turns(processes: _Processes, quantum: int) -> _Units:
    """What runs if the processes of a queue take turns."""
    left = [process["burst"] for process in processes]
    coming = deque(sorted(range(len(left)), key=lambda i: (processes[i]["arrival"], i)))
    queue: deque[int] = deque()
    units: _Units = []
    stopped: list[int] = []
    while any(left):
        while coming and processes[coming[0]]["arrival"] <= len(units):
            queue.append(coming.popleft())
        queue.extend(stopped)
        stopped = []
        if not queue:
            units.append(None)
            continue
        running = queue.popleft()
        turn = min(quantum, left[running])
        left[running] -= turn
        units += [running] * turn
        if left[running] > 0:
            stopped = [running]
    return units


def _report(processes: _Processes, units: _Units) -> Json:
    gantt: list[dict[str, Json]] = []
    for position, group in groupby(units):
        start = gantt[-1]["end"] if gantt else 0
        name = None if position is None else processes[position]["id"]
        gantt.append({"id": name, "start": start, "end": start + len(list(group))})
    listed = [_times(process, gantt) for process in processes]
    busy = [entry["id"] is not None for entry in gantt]
    return {
        "gantt": gantt,
        "processes": listed,
        "avg_waiting": _average([times["waiting"] for times in listed]),
        "avg_turnaround": _average([times["turnaround"] for times in listed]),
        "switches": sum(first and second for first, second in pairwise(busy)),
    }


def _times(process: Mapping[str, Any], gantt: Sequence[Mapping[str, Any]]) -> dict[str, Json]:
    entries = [entry for entry in gantt if entry["id"] == process["id"]]
    turnaround = entries[-1]["end"] - process["arrival"]
    return {
        "id": process["id"],
        "start": entries[0]["start"],
        "completion": entries[-1]["end"],
        "turnaround": turnaround,
        "waiting": turnaround - process["burst"],
    }


def _average(numbers: Sequence[int]) -> str:
    return str(Fraction(sum(numbers), len(numbers)))


def _generate(rng: random.Random) -> dict[str, Json]:
    policy = rng.choice(["fcfs", "sjf", "srtf", "srtf", "priority", "priority", "rr", "rr", "rr"])
    names = rng.sample(_NAMES, rng.choice([2, 3, 4, 4, 5, 5, 6]))
    span = rng.choice([0, 3, 6, 12, 40])
    processes = [_draw_process(rng, name, span) for name in names]
    drawn: dict[str, Json] = {"policy": policy, "processes": processes}
    if rng.random() < (0.87 if policy == "rr" else 0.2):
        drawn["quantum"] = rng.choice([1, 2, 2, 3, 4, 200])
    fault = rng.random()
    if fault < 0.1:
        processes.insert(rng.randint(0, len(names)), _draw_process(rng, rng.choice(names), span))
    elif fault < 0.17:
        drawn["processes"] = []
    return drawn


def _draw_process(rng: random.Random, name: str, span: int) -> dict[str, Json]:
    process: dict[str, Json] = {"id": name, "arrival": rng.randint(0, span)}
    process["burst"] = rng.choice([1, 1, 2, 2, 3, 4, 5, 7])
    if rng.random() < 0.7:
        process["priority"] = rng.choice([0, 1, 1, 2, 2, 100])
    return process


_NAMES = (
    *("a", "b", "B", "init", "sh", "0", "1", "null", "idle", "a b", " ", "é", "e\u0301"),
    *("ｚ", "𐐨", "😀", "👍🏽", "дом", "日本"),
)


def _given(text: str) -> list[Json]:
    """Processes in short: `A@5:3!2` arrives at 5, needs 3 units and has the priority 2."""
    processes: list[Json] = []
    for word in text.split():
        name, _, numbers = word.partition("@")
        numbers, mark, priority = numbers.partition("!")
        arrival, _, burst = numbers.partition(":")
        process: dict[str, Json] = {"id": name, "arrival": int(arrival), "burst": int(burst)}
        processes.append({**process, "priority": int(priority)} if mark else process)
    return processes


def _input(policy: str, processes: str, quantum: int | None = None) -> dict[str, Json]:
    fields: dict[str, Json] = {"policy": policy, "processes": _given(processes)}
    return fields if quantum is None else {**fields, "quantum": quantum}


def _case(given: dict[str, Json], gantt: str, times: str, averages: str, switches: int) -> Case:
    """A case in short.

    Args:
        given: the input.
        gantt: its entries as id and length, with `-` for idle: `-:1 A:3`.
        times: start, completion, turnaround and waiting of each process, `|` between them.
        averages: that of waiting, then that of turnaround.
        switches: how many there are.
    """
    entries: list[Json] = []
    for word in gantt.split():
        name, _, length = word.rpartition(":")
        start = entries[-1]["end"] if entries else 0
        entry = {"id": None if name == "-" else name, "start": start, "end": start + int(length)}
        entries.append(entry)
    rows = [[int(time) for time in row.split()] for row in times.split("|")]
    members = ("start", "completion", "turnaround", "waiting")
    listed = [
        {"id": process["id"], **dict(zip(members, row, strict=True))}
        for process, row in zip(given["processes"], rows, strict=True)
    ]
    waiting, turnaround = averages.split()
    result = {
        "gantt": entries,
        "processes": listed,
        "avg_waiting": waiting,
        "avg_turnaround": turnaround,
        "switches": switches,
    }
    return Case(given, result)


_BOUNDARIES = (
    _case(
        _input("srtf", "x@0:3 é@1:2 y@1:1"),
        "x:1 y:1 x:2 é:2",
        "0 4 4 1 | 4 6 5 3 | 1 2 1 0",
        "4/3 10/3",
        3,
    ),
    # First come, first served: idle between, the position where arrivals are equal.
    _case(
        _input("fcfs", "A@5:2 B@0:3 C@5:1"),
        "B:3 -:2 A:2 C:1",
        "5 7 2 0 | 0 3 3 0 | 7 8 3 2",
        "2/3 8/3",
        1,
    ),
    _case(
        _input("fcfs", "A@2:1 B@0:4 C@1:1"),
        "B:4 C:1 A:1",
        "5 6 4 3 | 0 4 4 0 | 4 5 4 3",
        "2 4",
        2,
    ),
    _case(_input("fcfs", "z@0:1 a@0:1!9"), "z:1 a:1", "0 1 1 0 | 1 2 2 1", "1/2 3/2", 1),
    _case(_input("fcfs", "a@0:2 b@2:1"), "a:2 b:1", "0 2 2 0 | 2 3 1 0", "0 3/2", 1),
    _case(_input("fcfs", "A@2000:200"), "-:2000 A:200", "2000 2200 200 0", "0 200", 0),
    # Shortest job first: never interrupted, ties by arrival, then by position.
    _case(
        _input("sjf", "A@0:5 B@1:1 C@2:1 D@1:1"),
        "A:5 B:1 D:1 C:1",
        "0 5 5 0 | 5 6 5 4 | 7 8 6 5 | 6 7 6 5",
        "7/2 11/2",
        3,
    ),
    _case(
        _input("sjf", "A@0:3 B@1:4 C@2:2", 1),
        "A:3 C:2 B:4",
        "0 3 3 0 | 5 9 8 4 | 3 5 3 1",
        "5/3 14/3",
        2,
    ),
    _case(
        _input("sjf", "A@0:2 B@3:2 C@3:1"),
        "A:2 -:1 C:1 B:2",
        "0 2 2 0 | 4 6 3 1 | 3 4 1 0",
        "1/3 2",
        1,
    ),
    # Shortest remaining time first: what runs goes on when a new process needs as much.
    _case(_input("srtf", "A@0:4 B@2:2"), "A:4 B:2", "0 4 4 0 | 4 6 4 2", "1 4", 1),
    _case(_input("srtf", "A@0:4 B@2:1"), "A:2 B:1 A:2", "0 5 5 1 | 2 3 1 0", "1/2 3", 2),
    _case(
        _input("srtf", "A@0:4 B@1:2 C@2:1"),
        "A:1 B:2 C:1 A:3",
        "0 7 7 3 | 1 3 2 0 | 3 4 2 1",
        "4/3 11/3",
        3,
    ),
    _case(_input("srtf", "b@1:2 a@1:2"), "-:1 b:2 a:2", "1 3 2 0 | 3 5 4 2", "1 3", 1),
    # Priority: the smallest number first, interrupted at once, 0 where none is given.
    _case(
        _input("priority", "A@0:3!2 B@1:2!1 C@1:1!2 D@2:1!0"),
        "A:1 B:1 D:1 B:1 A:2 C:1",
        "0 6 6 3 | 1 4 3 1 | 6 7 6 5 | 2 3 1 0",
        "9/4 4",
        5,
    ),
    _case(_input("priority", "A@0:2!1 B@1:1"), "A:1 B:1 A:1", "0 3 3 1 | 1 2 1 0", "1/2 2", 2),
    _case(_input("priority", "A@1:1!5 B@0:2!5"), "B:2 A:1", "2 3 2 1 | 0 2 2 0", "1/2 2", 1),
    _case(_input("priority", "A@0:2!1 B@0:2!1"), "A:2 B:2", "0 2 2 0 | 2 4 4 2", "1 3", 1),
    _case(
        _input("priority", "A@0:1!100 B@0:5!3 C@0:1!20"),
        "B:5 C:1 A:1",
        "6 7 7 6 | 0 5 5 0 | 5 6 6 5",
        "11/3 6",
        2,
    ),
    # In turns: who arrives at the end of a turn comes before the process that stops.
    _case(_input("rr", "A@0:3 B@2:1", 2), "A:2 B:1 A:1", "0 4 4 1 | 2 3 1 0", "1/2 5/2", 2),
    _case(_input("rr", "A@0:3 B@3:1", 2), "A:3 B:1", "0 3 3 0 | 3 4 1 0", "0 2", 1),
    _case(
        _input("rr", "A@0:4 B@2:2 C@1:2 D@1:1", 3),
        "A:3 C:2 D:1 B:2 A:1",
        "0 9 9 5 | 6 8 6 4 | 3 5 4 2 | 5 6 5 4",
        "15/4 6",
        4,
    ),
    _case(_input("rr", "A@0:6 B@3:1", 2), "A:4 B:1 A:2", "0 7 7 1 | 4 5 2 1", "1 9/2", 2),
    _case(_input("rr", "A@0:5", 2), "A:5", "0 5 5 0", "0 5", 0),
    _case(_input("rr", "A@0:1 B@4:3", 2), "A:1 -:3 B:3", "0 1 1 0 | 4 7 3 0", "0 2", 0),
    _case(_input("rr", "A@0:2 B@0:2", 1), "A:1 B:1 A:1 B:1", "0 3 3 1 | 1 4 4 2", "3/2 7/2", 3),
    _case(_input("rr", "A@0:2 B@0:2", 2), "A:2 B:2", "0 2 2 0 | 2 4 4 2", "1 3", 1),
    _case(_input("rr", "B@1:2!0 A@0:3!9", 200), "A:3 B:2", "3 5 4 2 | 0 3 3 0", "1 7/2", 1),
    _case(
        _input("rr", "A@0:5 B@1:3 C@2:1", 2),
        "A:2 B:2 C:1 A:2 B:1 A:1",
        "0 9 9 4 | 2 8 7 4 | 4 5 3 2",
        "10/3 19/3",
        5,
    ),
    # A process may be called anything.
    _case(
        _input("fcfs", "null@1:1 𐐨@3:1 e\u0301@3:1 é@3:1"),
        "-:1 null:1 -:1 𐐨:1 e\u0301:1 é:1",
        "1 2 1 0 | 3 4 1 0 | 4 5 2 1 | 5 6 3 2",
        "3/4 7/4",
        2,
    ),
    # Errors, and which of them comes first.
    Case({"policy": "rr", "processes": []}, error="no_processes"),
    Case({"policy": "sjf", "processes": [], "quantum": 3}, error="no_processes"),
    Case(_input("rr", "a@0:1 a@0:1"), error="duplicate_process"),
    Case(_input("fcfs", "a@0:1 b@2:3 a@9:5"), error="duplicate_process"),
    Case(_input("rr", "a@0:1"), error="missing_quantum"),
    Case(_input("rr", "a@0:1 A@0:1"), error="missing_quantum"),
)

_PROCESS: dict[str, Json] = {"id": "a", "arrival": 0, "burst": 1}

FAMILY = Family(
    number=28,
    slug="cpu-scheduler",
    title="CPU scheduling policies",
    category="scheduling",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("policy", Choice("fcfs", "sjf", "srtf", "priority", "rr")),
        required(
            "processes",
            Array(
                Record(
                    (
                        required("id", label()),
                        required("arrival", Integer(0, 2_000)),
                        required("burst", Integer(1, 200)),
                        optional("priority", Integer(0, 100), 0),
                    )
                ),
                0,
                20,
            ),
            "The processes. Ids are compared exactly.",
        ),
        absentable("quantum", Integer(1, 200), "The length of a turn, which `rr` needs."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("no_processes", "`processes` is empty."),
        ErrorCode("duplicate_process", "Two processes have the same `id`."),
        ErrorCode("missing_quantum", "`policy` is `rr` and there is no `quantum`."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_case(
        _input("rr", "A@1:5 B@3:2 C@3:1", 2),
        "-:1 A:2 B:2 C:1 A:3",
        "1 9 8 3 | 3 5 2 0 | 5 6 3 2",
        "5/3 13/3",
        3,
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case(
            _input("rr", "p@2:4 q@8:1 r@4:3 s@3:2", 2),
            "-:2 p:2 s:2 r:2 p:2 q:1 r:1",
            "2 10 8 4 | 10 11 3 2 | 6 12 8 5 | 4 6 3 1",
            "3 11/2",
            5,
        ),
        Case(_input("rr", "p@0:1 q@0:2"), error="missing_quantum"),
    ),
    malformed=(
        {"policy": "RR", "processes": [_PROCESS], "quantum": 1},
        {"policy": "fifo", "processes": [_PROCESS]},
        {"policy": None, "processes": [_PROCESS]},
        {"policy": ["rr"], "processes": []},
        {"processes": [_PROCESS]},
        {"policy": "rr", "processes": {"a": 1}},
        {"policy": "rr", "processes": [["a", 0, 1]]},
        {"policy": "sjf", "processes": [{"id": "a", "arrival": 0}]},
        {"policy": "sjf", "processes": [{"arrival": 0, "burst": 1}]},
        *(
            {"policy": "srtf", "processes": [{**_PROCESS, "id": "b"}, {**_PROCESS, **wrong}]}
            for wrong in (
                {"id": ""},
                {"id": 1},
                {"id": None},
                {"arrival": -1},
                {"arrival": 2_001},
                {"arrival": 0.5},
                {"arrival": True},
                {"burst": 0},
                {"burst": 201},
                {"burst": 1.0},
                {"burst": "1"},
                {"priority": -1},
                {"priority": 101},
                {"priority": None},
                {"priority": False},
            )
        ),
        {"policy": "fcfs", "processes": [_PROCESS] * 21},
        {"policy": "rr", "processes": [], "quantum": None},
        {"policy": "rr", "processes": [_PROCESS], "quantum": 0},
        {"policy": "rr", "processes": [_PROCESS], "quantum": 201},
        {"policy": "rr", "processes": [_PROCESS], "quantum": 2.0},
        {"policy": "rr", "processes": [_PROCESS], "quantum": True},
        {"policy": "fcfs", "processes": [_PROCESS], "quantum": "2"},
    ),
)
