"""Critical path: earliest and latest times of tasks that depend on each other with lags."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Integer, Record, label, optional, required

_SUMMARY = """\
Schedules tasks that depend on each other. A task has an `id`, takes the time `duration`, and has
dependencies, listed in `deps`. A dependency on the task with the id `on` means: this task starts
at the earliest `lag` after that task has finished.

Each task gets these numbers:

- `es`, its earliest start: 0 if it has no dependencies. Else the largest value of (`ef` of the task
  `on`) + `lag` over its dependencies.
- `ef`, its earliest finish: `es` + `duration`.
- `lf`, its latest finish: T if no task depends on it. Else the smallest value of (`ls` of the other
  task) - `lag` over all dependencies that other tasks have on it. T is the largest `ef` of all
  tasks.
- `ls`, its latest start: `lf` - `duration`.
- `slack`: `ls` - `es`.

A task is critical if its `slack` is 0. The critical path is a row of critical tasks. It starts with
the critical task without dependencies that has the smallest id. After a task p comes the critical
task d with the smallest id among those that have a dependency on p with (`es` of d) = (`ef` of p) +
`lag`. The path ends where there is no such task. The smallest id is the first by code point."""

_RESULT = """\
An object with these members:

- `duration`: T.
- `tasks`: an array of objects with the members `id`, `es`, `ef`, `ls`, `lf` and `slack`, one for
  each task, in the order of the input.
- `critical`: an array of the ids of all critical tasks, in the order of the input.
- `path`: an array of the ids on the critical path, in its order."""

_RULES = """\
- A task can have several dependencies on the same task; each of them counts.
- A task of duration 0 is a task like any other. The path can go on through such tasks when T is
  reached.
- Without tasks the result is `{"duration": 0, "tasks": [], "critical": [], "path": []}`."""


class _Link(NamedTuple):
    """One task waits for another, and some time more."""

    before: str
    lag: int
    after: str


def _evaluate(fields: Mapping[str, Any]) -> Json:
    durations = {task["id"]: task["duration"] for task in fields["tasks"]}
    if len(durations) < len(fields["tasks"]):
        raise DomainError("duplicate_task")
    links = [
        _Link(dep["on"], dep.get("lag", 0), task["id"])
        for task in fields["tasks"]
        for dep in task.get("deps", [])
    ]
    if any(link.before not in durations for link in links):
        raise DomainError("unknown_dependency")
    order = _ordered(list(durations), links)
    es, ef = _earliest(order, durations, links)
    end = max(ef.values(), default=0)
    ls, lf = _latest(order, durations, links, end)
    critical = [name for name in durations if ls[name] == es[name]]
    tight = [link for link in links if es[link.after] == ef[link.before] + link.lag]
    return {
        "duration": end,
        "tasks": [
            {
                "id": name,
                "es": es[name],
                "ef": ef[name],
                "ls": ls[name],
                "lf": lf[name],
                "slack": ls[name] - es[name],
            }
            for name in durations
        ],
        "critical": critical,
        "path": _path(critical, links, tight),
    }


def _ordered(names: list[str], links: Sequence[_Link]) -> list[str]:
    """The tasks in an order in which each comes after those that it depends on."""
    before: dict[str, set[str]] = {name: set() for name in names}
    for link in links:
        before[link.after].add(link.before)
    order: list[str] = []
    while before:
        free = [name for name, others in before.items() if before.keys().isdisjoint(others)]
        if not free:
            raise DomainError("cycle")
        order += free
        for name in free:
            del before[name]
    return order


def _earliest(
    order: Sequence[str], durations: Mapping[str, int], links: Sequence[_Link]
) -> tuple[dict[str, int], dict[str, int]]:
    es: dict[str, int] = {}
    ef: dict[str, int] = {}
    for name in order:
        times = [ef[link.before] + link.lag for link in links if link.after == name]
        es[name] = max(times, default=0)
        ef[name] = es[name] + durations[name]
    return es, ef


def _latest(
    order: Sequence[str], durations: Mapping[str, int], links: Sequence[_Link], end: int
) -> tuple[dict[str, int], dict[str, int]]:
    ls: dict[str, int] = {}
    lf: dict[str, int] = {}
    for name in reversed(order):
        times = [ls[link.after] - link.lag for link in links if link.before == name]
        lf[name] = min(times, default=end)
        ls[name] = lf[name] - durations[name]
    return ls, lf


def _path(critical: Sequence[str], links: Sequence[_Link], tight: Sequence[_Link]) -> list[str]:
    dependent = {link.after for link in links}
    following = [name for name in critical if name not in dependent]
    path: list[str] = []
    while following:
        path.append(min(following))
        after = {link.after for link in tight if link.before == path[-1]}
        following = [name for name in critical if name in after]
    return path


def _generate(rng: random.Random) -> dict[str, Json]:
    names = rng.sample(_NAMES, rng.choice([0, 1, 3, 5, 6, 7, 8, 8, 9]))
    durations, lags = rng.choice([([0, 1, 2], [0, 1]), ([2, 3, 5], [0, 0, 4]), ([1, 10**6], [0])])
    tasks: list[dict[str, Json]] = []
    for name in names:
        task: dict[str, Json] = {"id": name, "duration": rng.choice(durations)}
        if tasks and rng.random() < 0.85:
            task["deps"] = [
                _draw_dependency(rng, rng.choice(tasks)["id"], lags)
                for _ in range(rng.choice([0, 1, 1, 2, 3]))
            ]
        tasks.append(task)
    fault = rng.random()
    if tasks and fault < 0.12:
        late = rng.choice([task for task in tasks if task.get("deps")] or tasks)
        on = late["deps"][0]["on"] if late.get("deps") else late["id"]
        early = next(task for task in tasks if task["id"] == on)
        _depend(early, _draw_dependency(rng, late["id"], lags))
    if tasks and 0.11 < fault < 0.22:
        _depend(rng.choice(tasks), {"on": "no such", "lag": 1})
    rng.shuffle(tasks)
    if tasks and 0.2 < fault < 0.3:
        tasks.append({**rng.choice(tasks), "duration": 1})
    return {"tasks": tasks}


def _draw_dependency(rng: random.Random, on: str, lags: Sequence[int]) -> dict[str, Json]:
    if rng.random() < 0.5:
        return {"on": on}
    return {"on": on, "lag": rng.choice(lags)}


def _depend(task: dict[str, Json], dependency: Json) -> None:
    task["deps"] = [*task.get("deps", []), dependency]


# Code points, UTF-16 units and letters of a language are three different orders.
_NAMES = (
    *("a", "b", "B", "c", "Zürich", "z", "ab", "a b", "10", "9", " ", "é", "e\u0301", "ß", "ss"),
    *("ｚ", "\ufffd", "𐐨", "😀", "👍🏽", "дом", "日本"),
)


def _tasks(text: str) -> list[Json]:
    """Tasks in short: `c:4<a<b+2` takes 4 and depends on a, and on b with a lag of 2."""
    tasks: list[Json] = []
    for word in text.split():
        head, *dependencies = word.split("<")
        name, _, duration = head.partition(":")
        task: dict[str, Json] = {"id": name, "duration": int(duration)}
        deps: list[Json] = []
        for dependency in dependencies:
            on, plus, lag = dependency.partition("+")
            deps.append({"on": on, "lag": int(lag)} if plus else {"on": on})
        tasks.append({**task, "deps": deps} if deps else task)
    return tasks


def _case(tasks: str, duration: int, times: str, critical: str, path: str) -> Case:
    """A case in short; the times are es, ef, ls, lf and slack of each task, `|` between tasks."""
    given = _tasks(tasks)
    names = [task["id"] for task in given]
    rows = [[int(time) for time in row.split()] for row in times.split("|") if row.strip()]
    members = ("es", "ef", "ls", "lf", "slack")
    listed = [
        {"id": name, **dict(zip(members, row, strict=True))}
        for name, row in zip(names, rows, strict=True)
    ]
    result = {
        "duration": duration,
        "tasks": listed,
        "critical": critical.split(),
        "path": path.split(),
    }
    return Case({"tasks": given}, result)


def _error(code: str, tasks: str) -> Case:
    return Case({"tasks": _tasks(tasks)}, error=code)


_BOUNDARIES = (
    _case("é:5 z:5 m:0<z", 5, "0 5 0 5 0 | 0 5 0 5 0 | 5 5 5 5 0", "é z m", "z m"),
    _case("", 0, "", "", ""),
    _case("a:0", 0, "0 0 0 0 0", "a", "a"),
    _case("b:3 a:3", 3, "0 3 0 3 0 | 0 3 0 3 0", "b a", "a"),
    # Slack: behind a shorter branch, at the end of the project, through a lag.
    _case("a:2 b:5", 5, "0 2 3 5 3 | 0 5 0 5 0", "b", "b"),
    _case(
        "a:1 b:2<a c:5<a d:1<b<c e:1<b",
        7,
        "0 1 0 1 0 | 1 3 4 6 3 | 1 6 1 6 0 | 6 7 6 7 0 | 3 4 6 7 3",
        "a c d",
        "a c d",
    ),
    _case("a:1 b:1<a+10 c:3<a", 12, "0 1 0 1 0 | 11 12 11 12 0 | 1 4 9 12 8", "a b", "a b"),
    _case("a:2 b:2 c:1<a+3<b", 6, "0 2 0 2 0 | 0 2 3 5 3 | 5 6 5 6 0", "a c", "a c"),
    _case("z:1<m+1 m:1<a+1 a:1", 5, "4 5 4 5 0 | 2 3 2 3 0 | 0 1 0 1 0", "z m a", "a m z"),
    # Several dependencies on one task: the largest lag counts, forwards and backwards.
    _case("a:1 b:1<a+4<a<a+2", 6, "0 1 0 1 0 | 5 6 5 6 0", "a b", "a b"),
    _case("a:1 b:1<a<a+4 c:9<a", 10, "0 1 0 1 0 | 5 6 9 10 4 | 1 10 1 10 0", "a c", "a c"),
    _case(
        "p:2 b:1<p<p+3 c:8 d:1<c", 9, "0 2 3 5 3 | 5 6 8 9 3 | 0 8 0 8 0 | 8 9 8 9 0", "c d", "c d"
    ),
    # The path: the smallest id that is tight, not every critical task, not every dependent.
    _case(
        "r:2 x:3<r y:3<r t:1<x<y",
        6,
        "0 2 0 2 0 | 2 5 2 5 0 | 2 5 2 5 0 | 5 6 5 6 0",
        "r x y t",
        "r x t",
    ),
    _case("a:1 b:2<a c:1<a<b", 4, "0 1 0 1 0 | 1 3 1 3 0 | 3 4 3 4 0", "a b c", "a b c"),
    _case(
        "b:1 a:1<b c:2<a 9:4", 4, "0 1 0 1 0 | 1 2 1 2 0 | 2 4 2 4 0 | 0 4 0 4 0", "b a c 9", "9"
    ),
    _case("c:1 b:1<c+1 a:0<c<b", 3, "0 1 0 1 0 | 2 3 2 3 0 | 3 3 3 3 0", "c b a", "c b a"),
    _case(
        "s:1 a:1<s b:2<s t:2<a<b",
        5,
        "0 1 0 1 0 | 1 2 2 3 1 | 1 3 1 3 0 | 3 5 3 5 0",
        "s b t",
        "s b t",
    ),
    # Milestones without duration, before the start and after the end of all work.
    _case(
        "w:0 a:3<w n:0<a m:0<a k:0<n",
        3,
        "0 0 0 0 0 | 0 3 0 3 0 | 3 3 3 3 0 | 3 3 3 3 0 | 3 3 3 3 0",
        "w a n m k",
        "w a m",
    ),
    _case(
        "a:3 n:0<a m:0<n k:0<m",
        3,
        "0 3 0 3 0 | 3 3 3 3 0 | 3 3 3 3 0 | 3 3 3 3 0",
        "a n m k",
        "a n m k",
    ),
    _case("b:0 a:0<b", 0, "0 0 0 0 0 | 0 0 0 0 0", "b a", "b a"),
    _case("a:2 m:0", 2, "0 2 0 2 0 | 0 0 2 2 2", "a", "a"),
    _case("a:2 m:0<a+1", 3, "0 2 0 2 0 | 3 3 3 3 0", "a m", "a m"),
    # Ids by code point, compared exactly; large numbers.
    _case("𐐨:1 ｚ:1", 1, "0 1 0 1 0 | 0 1 0 1 0", "𐐨 ｚ", "ｚ"),
    _case("é:1 f:1 e\u0301:1", 1, "0 1 0 1 0 | 0 1 0 1 0 | 0 1 0 1 0", "é f e\u0301", "e\u0301"),
    _case("a:1 A:1<a Z:1<a", 2, "0 1 0 1 0 | 1 2 1 2 0 | 1 2 1 2 0", "a A Z", "a A"),
    _case("a:1 B:1", 1, "0 1 0 1 0 | 0 1 0 1 0", "a B", "B"),
    _case("9:1 10:1", 1, "0 1 0 1 0 | 0 1 0 1 0", "9 10", "10"),
    _case(
        "a:1000000 b:1000000<a+1000000",
        3_000_000,
        "0 1000000 0 1000000 0 | 2000000 3000000 2000000 3000000 0",
        "a b",
        "a b",
    ),
    # Errors, and which of them comes first.
    _error("duplicate_task", "a:1 a:1<q"),
    _error("unknown_dependency", "a:1<a<q"),
    _error("cycle", "a:1<a"),
    _error("duplicate_task", "a:1 b:1<b a:2"),
    _error("unknown_dependency", "a:1<b b:1<a c:0<A"),
    _error("unknown_dependency", "é:1 b:1<e\u0301"),
    _error("cycle", "a:0<b b:0<a"),
    _error("cycle", "s:1 a:1<s<c b:1<a c:1<b+5 t:1<c"),
    _error("cycle", "a:1 b:1<a<b"),
)

FAMILY = Family(
    number=27,
    slug="critical-path",
    title="Critical path with lags",
    category="scheduling",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required(
            "tasks",
            Array(
                Record(
                    (
                        required("id", label()),
                        required("duration", Integer(0, 1_000_000)),
                        optional(
                            "deps",
                            Array(
                                Record(
                                    (
                                        required("on", label()),
                                        optional("lag", Integer(0, 1_000_000), 0),
                                    )
                                ),
                                0,
                                50,
                            ),
                            [],
                        ),
                    )
                ),
                0,
                200,
            ),
            "The tasks. Ids are compared exactly.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_task", "Two tasks have the same `id`."),
        ErrorCode("unknown_dependency", "The `on` of a dependency is the `id` of no task."),
        ErrorCode(
            "cycle", "A task depends on itself, directly or through a chain of dependencies."
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_case(
        "D:2<B<C A:3 B:2<A C:4<A+1",
        10,
        "8 10 8 10 0 | 0 3 0 3 0 | 3 5 6 8 3 | 4 8 4 8 0",
        "D A C",
        "A C D",
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case(
            "ship:0<pack+2 dig:1 cook:4<dig bake:3<dig+1 pack:1<cook<bake",
            8,
            "8 8 8 8 0 | 0 1 0 1 0 | 1 5 1 5 0 | 2 5 2 5 0 | 5 6 5 6 0",
            "ship dig cook bake pack",
            "dig bake pack ship",
        ),
        _error("cycle", "a:1 b:2<a<c+1 c:0<b"),
    ),
    malformed=(
        {},
        {"tasks": None},
        {"tasks": {"a": 1}},
        {"tasks": ["a"]},
        *(
            {"tasks": [{"id": "a", "duration": 1}, task]}
            for task in (
                {"id": "b"},
                {"duration": 1},
                {"id": "", "duration": 1},
                {"id": 1, "duration": 1},
                {"id": "n" * 41, "duration": 1},
                {"id": "b", "duration": -1},
                {"id": "b", "duration": 1_000_001},
                {"id": "b", "duration": 1.0},
                {"id": "b", "duration": "1"},
                {"id": "b", "duration": True},
                {"id": "b", "duration": None},
                {"id": "a", "duration": 1, "deps": None},
                {"id": "b", "duration": 1, "deps": ["a"]},
                {"id": "b", "duration": 1, "deps": {"on": "a"}},
                {"id": "b", "duration": 1, "deps": [{"lag": 1}]},
                {"id": "b", "duration": 1, "deps": [{"on": None}]},
                {"id": "b", "duration": 1, "deps": [{"on": "a", "lag": -1}]},
                {"id": "b", "duration": 1, "deps": [{"on": "a", "lag": 1_000_001}]},
                {"id": "b", "duration": 1, "deps": [{"on": "a", "lag": 0.5}]},
                {"id": "b", "duration": 1, "deps": [{"on": "a", "lag": False}]},
                {"id": "b", "duration": 1, "deps": [{"on": "a", "lag": None}]},
                {"id": "b", "duration": 1, "deps": [{"on": "a"}] * 51},
            )
        ),
    ),
)
