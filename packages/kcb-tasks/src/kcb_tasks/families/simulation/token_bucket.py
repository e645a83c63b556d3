"""Token bucket: calls that are allowed or denied by one exact bucket for each key."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Integer, Mapped, Record, label, optional, required

_SUMMARY = """\
Decides which calls are allowed, by one token bucket for each key. The calls are decided one after
the other, in the order of `calls`. `t` is the time of a call, `key` its key, `cost` the number of
tokens that it costs.

The limit of a key is the member of `overrides` with this name, or `limit` if there is none. A limit
has `capacity`, `refill` and `every`: a bucket holds at most `capacity` tokens, and in `every` units
of time it gains `refill` tokens.

- At the first call of a key, whatever its `t`, the bucket of the key holds `capacity` tokens.
- At any later call of the key it has gained (t2 - t1) · `refill` / `every` tokens, where t1 is the
  time of the call of this key before, allowed or denied, and t2 the time of this call. This is an
  exact fraction; nothing is rounded. What would go beyond `capacity` is lost.
- Then, if the bucket holds at least `cost` tokens, the call is allowed and `cost` tokens are
  removed. Else it is denied and nothing is removed."""

_RESULT = """\
An object with these members:

- `decisions`: an array of objects `{"allowed": a, "remaining": n, "retry_after": w}`, one for each
  call, in the same order.
  - `allowed`: `true` or `false`.
  - `remaining`: the tokens that the bucket holds after the call, rounded down to an integer.
  - `retry_after`: 0 if the call is allowed. `null` if `cost` is above `capacity`. Else the smallest
    integer w for which a call of this key and cost at the time `t` + w would be allowed if no
    other call came before it.
- `allowed`: the number of calls that are allowed.
- `denied`: an object with one member for each key that has denied calls: the name is the key, the
  value the number of its denied calls."""

_RULES = """\
- `retry_after` of a denied call is (`cost` - tokens) · `every` / `refill`, rounded up, where tokens
  is the exact number that the bucket holds.
- Calls of one key at the same time gain nothing in between.
- Keys are compared exactly."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    calls = fields["calls"]
    if any(later["t"] < earlier["t"] for earlier, later in pairwise(calls)):
        raise DomainError("time_reversed")
    tokens: dict[str, Fraction] = {}
    last: dict[str, int] = {}
    decisions: list[dict[str, Json]] = []
    denied = Counter[str]()
    for call in calls:
        key, now, cost = call["key"], call["t"], call.get("cost", 1)
        limit = fields["overrides"].get(key, fields["limit"])
        capacity, rate = limit["capacity"], Fraction(limit["refill"], limit["every"])
        gained = (now - last.get(key, now)) * rate
        held = min(tokens.get(key, Fraction(capacity)) + gained, Fraction(capacity))
        retry: int | None = 0
        if held >= cost:
            held -= cost
        else:
            retry = math.ceil((cost - held) / rate) if cost <= capacity else None
            denied[key] += 1
        tokens[key], last[key] = held, now
        allowed = retry == 0
        decisions.append({"allowed": allowed, "remaining": int(held), "retry_after": retry})
    return {
        "decisions": decisions,
        "allowed": len(calls) - denied.total(),
        "denied": dict(denied),
    }


def _generate(rng: random.Random) -> dict[str, Json]:
    keys = rng.sample(_KEYS, rng.randint(1, 4))
    now = rng.choice([0, 0, 7, 999_999_999_000])
    step = rng.choice([1, 1, 3, 20])
    calls: list[dict[str, Json]] = []
    for _ in range(rng.choice([0, 1, 5, 12, 20, 30])):
        now += rng.choice([0, 0, 1, 1, step, rng.randint(0, step)])
        call: dict[str, Json] = {"t": now, "key": rng.choice(keys)}
        if rng.random() < 0.6:
            call["cost"] = rng.choice([1, 1, 2, 2, 3, 5, 1_000_000])
        calls.append(call)
    if len(calls) > 1 and rng.random() < 0.3:
        late = rng.randrange(1, len(calls))
        calls[late]["t"] = max(0, calls[late - 1]["t"] - rng.choice([1, 1, 5]))
    drawn: dict[str, Json] = {"limit": _draw_limit(rng), "calls": calls}
    if rng.random() < 0.5:
        others = rng.sample(_KEYS, rng.randint(0, 3))
        drawn["overrides"] = {key: _draw_limit(rng) for key in others}
    return drawn


def _draw_limit(rng: random.Random) -> dict[str, Json]:
    return {
        "capacity": rng.choice([1, 2, 3, 3, 5, 10, 1_000_000]),
        "refill": rng.choice([1, 1, 2, 3, 7, 1_000_000]),
        "every": rng.choice([1, 3, 5, 7, 10, 1_000_000]),
    }


_KEYS = ("a", "A", "b", "é", "e\u0301", "鍵", "𝒳", " ", "0", "capacity")


def _limit(capacity: int, refill: int, every: int) -> dict[str, Json]:
    return {"capacity": capacity, "refill": refill, "every": every}


def _calls(script: str) -> list[Json]:
    """Calls in short: ``10 a 3`` is a call at 10 with key a and cost 3."""
    calls: list[Json] = []
    for step in script.split("; "):
        t, key, *cost = step.split(" ")
        calls.append({"t": int(t), "key": key, **({"cost": int(cost[0])} if cost else {})})
    return calls


def _run(
    limit: tuple[int, int, int],
    script: str,
    decisions: str,
    denied: dict[str, Json],
    **overrides: tuple[int, int, int],
) -> Case:
    """A case in short: ``+2`` is allowed with 2 remaining, ``-0:5`` denied until 5 later."""
    fields: dict[str, Json] = {"limit": _limit(*limit), "calls": _calls(script)}
    if overrides:
        fields["overrides"] = {key: _limit(*values) for key, values in overrides.items()}
    listed = [_decision(text) for text in decisions.split(" ")]
    allowed = sum(decision["allowed"] for decision in listed)
    return Case(fields, {"decisions": listed, "allowed": allowed, "denied": denied})


def _decision(text: str) -> dict[str, Json]:
    remaining, _, retry = text[1:].partition(":")
    retry_after = None if retry == "never" else int(retry or 0)
    allowed = text[0] == "+"
    return {"allowed": allowed, "remaining": int(remaining), "retry_after": retry_after}


def _fails(script: str) -> Case:
    return Case({"limit": _limit(1, 1, 1), "calls": _calls(script)}, error="time_reversed")


_BOUNDARIES = (
    Case({"limit": _limit(1, 1, 1), "calls": []}, {"decisions": [], "allowed": 0, "denied": {}}),
    # The first call finds a full bucket, at any time; costs of at most and of over the capacity.
    _run((3, 1, 1), "1000000000000 a", "+2", {}),
    _run((3, 1, 1), "0 a 3; 0 a 3; 3 a 3", "+0 -0:3 +0", {"a": 1}),
    _run((3, 1, 1), "0 a 4; 5 a 4; 5 a 3; 6 a 4", "-3:never -3:never +0 -1:never", {"a": 3}),
    _run(
        (1_000_000, 1, 1_000_000),
        "0 a 1000000; 999999999999 a 1000000; 1000000000000 a 1000000",
        "+0 -999999:1 +0",
        {"a": 1},
    ),
    _run((1, 1_000_000, 1), "0 a; 0 a; 1 a", "+0 -0:1 +0", {"a": 1}),
    # Never more than the capacity.
    _run((2, 1, 1), "0 a 2; 100 a; 100 a; 100 a", "+0 +1 +0 -0:1", {"a": 1}),
    _run((1, 2, 3), "0 a; 2 a; 3 a; 4 a", "+0 +0 -0:1 +0", {"a": 1}),
    _run((3, 5, 2), "0 a; 1 a 2; 2 a 3; 3 a 3", "+2 +1 +0 -2:1", {"a": 1}),
    # Exact fractions, kept by allowed and by denied calls.
    _run(
        (1, 1, 10),
        "0 a; 1 a; 2 a; 3 a; 4 a; 5 a; 6 a; 7 a; 8 a; 9 a; 10 a",
        "+0 -0:9 -0:8 -0:7 -0:6 -0:5 -0:4 -0:3 -0:2 -0:1 +0",
        {"a": 9},
    ),
    _run((10, 3, 7), "0 a 10; 1 a 3; 1 a 2; 7 a 3", "+0 -0:6 -0:4 +0", {"a": 2}),
    _run((5, 1, 2), "0 a 5; 1 a; 2 a; 7 a 2; 8 a", "+0 -0:1 +0 +0 +0", {"a": 1}),
    _run((5, 5, 2), "0 a 5; 1 a 5; 1 a; 2 a 4", "+0 -2:1 +1 +0", {"a": 1}),
    _run((3, 2, 5), "0 a 2; 1 a 2; 2 a 2", "+1 -1:2 -1:1", {"a": 2}),
    _run((9, 7, 3), "0 a 9; 1 a 3; 1 a 9; 4 a 9", "+0 -2:1 -2:3 +0", {"a": 2}),
    # A bucket and a limit for each key, compared exactly.
    _run(
        (1, 1, 5),
        "0 a; 0 A; 1 b; 1 a; 5 a; 5 A; 6 b 2",
        "+0 +0 +0 -0:4 +0 +0 -1:never",
        {"a": 1, "b": 1},
    ),
    _run((1, 1, 1), "0 é; 0 e\u0301; 0 é", "+0 +0 -0:1", {"é": 1}),
    _run(
        (1, 1, 1),
        "0 é; 0 é; 2 é; 100 é 2",
        "+1 +0 -0:1 +0",
        {"é": 1},
        é=(2, 1, 3),
    ),
    _run(
        (5, 1, 1),
        "0 a 2; 0 b 2; 0 b 4; 1 A; 1 a",
        "-1:never +3 -3:1 +4 +0",
        {"a": 1, "b": 1},
        a=(1, 1, 9),
        c=(1, 1, 1),
    ),
    _run((1, 1, 9), "0 a; 0 a; 1 a 2", "+4 +3 +2", {}, a=(5, 1, 1)),
    # Time may stand still, but not run backwards, whatever the keys.
    _run((1, 1, 1), "5 a; 5 b", "+0 +0", {}),
    _fails("5 a; 4 b"),
    _fails("5 a; 4 a"),
    _fails("1 a; 3 b; 2 a"),
    _fails("0 a 9; 1000000000000 a; 999999999999 b"),
)

_LIMIT = Record(
    (
        required("capacity", Integer(1, 10**6)),
        required("refill", Integer(1, 10**6)),
        required("every", Integer(1, 10**6)),
    )
)

_CALL = Record(
    (
        required("t", Integer(0, 10**12)),
        required("key", label()),
        optional("cost", Integer(1, 10**6), 1),
    )
)

FAMILY = Family(
    number=48,
    slug="token-bucket",
    title="Token bucket rate limiter",
    category="simulation",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("limit", _LIMIT, "The limit of every key that has none of its own."),
        optional("overrides", Mapped(label(), _LIMIT, 50), {}, "Limits of single keys."),
        required("calls", Array(_CALL, 0, 500), "The calls."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "time_reversed",
            "The `t` of a call is less than that of the call before it in `calls`, also if their "
            "keys differ.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "limit": {"capacity": 3, "refill": 2, "every": 5},
            "calls": [
                {"t": 10, "key": "a", "cost": 3},
                {"t": 11, "key": "a"},
                {"t": 13, "key": "a"},
                {"t": 13, "key": "b", "cost": 4},
                {"t": 14, "key": "a"},
            ],
        },
        {
            "decisions": [
                {"allowed": True, "remaining": 0, "retry_after": 0},
                {"allowed": False, "remaining": 0, "retry_after": 2},
                {"allowed": True, "remaining": 0, "retry_after": 0},
                {"allowed": False, "remaining": 3, "retry_after": None},
                {"allowed": False, "remaining": 0, "retry_after": 1},
            ],
            "allowed": 2,
            "denied": {"a": 2, "b": 1},
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _run(
            (4, 3, 4),
            "7 x 4; 8 x 2; 9 x; 9 y 3; 10 x 2; 11 y; 12 x 5",
            "+0 -0:2 +0 -2:never -1:1 +1 -2:never",
            {"x": 3, "y": 1},
            y=(2, 1, 1),
        ),
        _fails("3 x; 3 y; 2 x"),
    ),
    malformed=(
        {"limit": None, "calls": []},
        {"limit": [3, 2, 5], "calls": []},
        {"limit": {"refill": 1, "every": 1}, "calls": []},
        {"limit": {"capacity": 1, "every": 1}, "calls": []},
        {"limit": {"capacity": 1, "refill": 1}, "calls": []},
        {"limit": _limit(0, 1, 1), "calls": []},
        {"limit": _limit(1, 0, 1), "calls": []},
        {"limit": _limit(1, 1, 0), "calls": []},
        {"limit": _limit(1_000_001, 1, 1), "calls": []},
        {"limit": {"capacity": 1, "refill": 0.5, "every": 1}, "calls": []},
        {"limit": {"capacity": 1.0, "refill": 1, "every": 1}, "calls": []},
        {"limit": {"capacity": True, "refill": 1, "every": 1}, "calls": []},
        {"limit": _limit(1, 1, 1), "overrides": None, "calls": []},
        {"limit": _limit(1, 1, 1), "overrides": [_limit(1, 1, 1)], "calls": []},
        {"limit": _limit(1, 1, 1), "overrides": {"a": 5}, "calls": []},
        {"limit": _limit(1, 1, 1), "overrides": {"a": {"capacity": 5}}, "calls": []},
        {"limit": _limit(1, 1, 1), "overrides": {"": _limit(1, 1, 1)}, "calls": []},
        {"limit": _limit(1, 1, 1), "overrides": {"é" * 41: _limit(1, 1, 1)}, "calls": []},
        {"limit": _limit(1, 1, 1), "overrides": {"a": _limit(1, 1, -1)}, "calls": []},
        {"limit": _limit(1, 1, 1), "calls": None},
        {"limit": _limit(1, 1, 1), "calls": {"t": 0, "key": "a"}},
        *(
            {"limit": _limit(1, 1, 1), "calls": [{"t": 5, "key": "a"}, call]}
            for call in (
                [4, "a", 1],
                {"key": "a"},
                {"t": 5},
                {"t": -1, "key": "a"},
                {"t": 10**12 + 1, "key": "a"},
                {"t": 5.0, "key": "a"},
                {"t": False, "key": "a"},
                {"t": "5", "key": "a"},
                {"t": 5, "key": ""},
                {"t": 5, "key": None},
                {"t": 5, "key": "𝒳" * 41},
                {"t": 5, "key": "a", "cost": 0},
                {"t": 5, "key": "a", "cost": 1_000_001},
                {"t": 5, "key": "a", "cost": None},
                {"t": 5, "key": "a", "cost": 0.5},
                {"t": 5, "key": "a", "cost": True},
            )
        ),
    ),
)
