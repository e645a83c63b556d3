"""Cache simulator: entries with sizes and expiry, and three policies of eviction."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Choice, Integer, Nullable, Record, label, optional, required

_SUMMARY = """\
Simulates a cache of the total size `capacity`, which is empty at first. The operations are carried
out in the order of `ops`; the first has position 0. The cache has at most one entry per key. An
entry has

- a size;
- an expiry time, or none;
- an insertion number: the first entry that is stored gets 0, the next new one 1, and so on;
- a frequency;
- a last use: the position of the operation that last put it or hit it.

Before an operation of the time `t` is carried out, every entry whose expiry time is less than or
equal to `t` is removed. It is then expired. Entries that expire together are removed in ascending
order of expiry time, those with equal expiry times in ascending order of insertion number.

Then the operation `op` is carried out:

- `get`: if there is an entry for `key`, this is a hit: its frequency grows by 1 and its last use is
  now the position of this operation. If there is none, this is a miss.
- `del`: the entry for `key` is removed, if there is one.
- `put`:
  1. If `size` is greater than `capacity`, the put is rejected: nothing is stored, and the entry for
     `key` is removed if there is one. Steps 2 and 3 are left out.
  2. As long as the sum of the sizes of all entries for other keys, plus `size`, is greater than
     `capacity`, one entry for another key is evicted: it is chosen by `policy` and removed.
  3. The entry for `key` is stored with size `size` and expiry time `t + ttl` (none if `ttl` is
     `null`). Its last use is the position of this operation. If there was an entry for `key`, it is
     replaced: the insertion number stays the same and the frequency grows by 1. If there was
     none, the entry gets the next insertion number and the frequency 1.

Which entry `policy` evicts:

- `lru`: the one with the smallest last use.
- `fifo`: the one with the smallest insertion number.
- `lfu`: the one with the smallest frequency; of those with equal frequencies, the one with the
  smallest last use."""

_RESULT = """\
An object with these members:

- `hits`, `misses`: the numbers of hits and misses of all `get` operations.
- `evicted`: an array of the keys of the evicted entries, in the order in which they were removed.
- `expired`: an array of the keys of the expired entries, in the order in which they were removed.
- `rejected`: the number of rejected puts.
- `contents`: an array of the keys that have an entry after the last operation, in the order in
  which `policy` would evict them.
- `used`: the sum of the sizes of these entries."""

_RULES = """\
- An entry that is put at `t` = 10 with `ttl` 5 is still there at `t` = 14. It is gone at `t` = 15.
- An entry that is removed by `del`, by a replacement or by a rejected put is neither evicted nor
  expired. `del` is neither a hit nor a miss.
- Nothing expires after the last operation.
- A key can be put again after its entry was removed. It then gets a new insertion number and
  frequency 1.
- Keys are compared exactly.
- `size` and `ttl` count only for `put`. The other operations ignore them; but if they are there,
  they must be valid. Other members of an operation are ignored."""


@dataclass(slots=True)
class _Entry:
    key: str
    size: int
    expiry: int | None
    insertion: int
    frequency: int
    last_use: int


_RANKS = {
    "lru": lambda entry: entry.last_use,
    "fifo": lambda entry: entry.insertion,
    "lfu": lambda entry: (entry.frequency, entry.last_use),
}


class _Cache:
    """The entries, and what has happened to them."""

    def __init__(self, policy: str, capacity: int) -> None:
        self.rank = _RANKS[policy]
        self.capacity = capacity
        self.entries: dict[str, _Entry] = {}
        self.insertions = 0
        self.hits = self.misses = self.rejected = 0
        self.evicted: list[str] = []
        self.expired: list[str] = []

    @property
    def used(self) -> int:
        return sum(entry.size for entry in self.entries.values())

    def ranked(self) -> list[_Entry]:
        return sorted(self.entries.values(), key=self.rank)

    def expire(self, now: int) -> None:
        gone = [
            (entry.expiry, entry.insertion, entry.key)
            for entry in self.entries.values()
            if entry.expiry is not None and entry.expiry <= now
        ]
        for _, _, key in sorted(gone):
            del self.entries[key]
            self.expired.append(key)

    def get(self, key: str, position: int) -> None:
        entry = self.entries.get(key)
        if entry is None:
            self.misses += 1
            return
        self.hits += 1
        entry.frequency += 1
        entry.last_use = position

    def put(self, key: str, size: int, expiry: int | None, position: int) -> None:
        old = self.entries.pop(key, None)
        if size > self.capacity:
            self.rejected += 1
            return
        while self.used + size > self.capacity:
            victim = self.ranked()[0].key
            del self.entries[victim]
            self.evicted.append(victim)
        if old is None:
            self.entries[key] = _Entry(key, size, expiry, self.insertions, 1, position)
            self.insertions += 1
        else:
            frequency = old.frequency + 1
            self.entries[key] = _Entry(key, size, expiry, old.insertion, frequency, position)


def _evaluate(fields: Mapping[str, Any]) -> Json:
    if any(later["t"] < earlier["t"] for earlier, later in pairwise(fields["ops"])):
        raise DomainError("time_reversed")
    cache = _Cache(fields["policy"], fields["capacity"])
    for position, operation in enumerate(fields["ops"]):
        now, key = operation["t"], operation["key"]
        cache.expire(now)
        if operation["op"] == "get":
            cache.get(key, position)
        elif operation["op"] == "put":
            ttl = operation.get("ttl")
            expiry = None if ttl is None else now + ttl
            cache.put(key, operation.get("size", 1), expiry, position)
        else:
            cache.entries.pop(key, None)
    return {
        "hits": cache.hits,
        "misses": cache.misses,
        "evicted": cache.evicted,
        "expired": cache.expired,
        "rejected": cache.rejected,
        "contents": [entry.key for entry in cache.ranked()],
        "used": cache.used,
    }


def _generate(rng: random.Random) -> dict[str, Json]:
    keys = rng.sample(_KEYS, rng.randint(2, 6))
    now = rng.choice([0, 0, 10, 999_999_000])
    ops: list[dict[str, Json]] = []
    for _ in range(rng.choice([0, 4, 10, 20, 30])):
        now += rng.choice([0, 0, 1, 1, 2, 7])
        ops.append({"t": now, **_draw_operation(rng, keys)})
    if len(ops) > 1 and rng.random() < 0.3:
        late = rng.randrange(1, len(ops))
        ops[late]["t"] = max(0, ops[late - 1]["t"] - 1)
    return {
        "policy": rng.choice(["lru", "fifo", "lfu", "lfu"]),
        "capacity": rng.choice([1, 2, 3, 3, 4, 4, 6, 1_000_000_000]),
        "ops": ops,
    }


def _draw_operation(rng: random.Random, keys: list[str]) -> dict[str, Json]:
    drawn: dict[str, Json] = {
        "op": rng.choice(["get", "get", "get", "put", "put", "put", "put", "put", "del"]),
        "key": rng.choice(keys),
    }
    if rng.random() < 0.4:
        drawn["size"] = rng.choice([1, 1, 1, 2, 2, 3, 5])
    if rng.random() < 0.5:
        drawn["ttl"] = rng.choice([None, 1, 2, 3, 5, 8, 1_000_000_000])
    return drawn


_KEYS = ("a", "A", "b", "é", "e\u0301", "鍵", "🔑", "\u2028", " a", "0")


def _run(policy: str, capacity: int, script: str) -> dict[str, Json]:
    """An input in short: the operations as in ``0 put a size=2; 3 get a``."""
    steps = (step.split(" ") for step in script.split("; ") if step)
    ops = [
        {"t": int(t), "op": op, "key": key, **dict(map(_member, more))}
        for t, op, key, *more in steps
    ]
    return {"policy": policy, "capacity": capacity, "ops": ops}


def _member(text: str) -> tuple[str, Json]:
    name, value = text.split("=")
    return name, None if value == "null" else int(value)


def _report(contents: str, used: int, **counts: Json) -> Json:
    """A result whose keys are one character each; what is not named is zero or empty."""
    nothing: dict[str, Json] = {"hits": 0, "misses": 0, "evicted": "", "expired": "", "rejected": 0}
    named = {**nothing, **counts, "contents": contents, "used": used}
    return {name: list(v) if isinstance(v, str) else v for name, v in named.items()}


_BOUNDARIES = (
    # Fifo goes by the first put: neither a hit nor a replacement changes the order.
    Case(
        _run("fifo", 2, "0 put é; 0 put b; 1 put é; 2 get é; 3 put c"),
        _report("bc", 2, hits=1, evicted="é"),
    ),
    Case(
        _run("fifo", 3, "0 put a; 0 put b; 0 del a; 0 put c; 0 put d; 0 put c"),
        _report("bcd", 3),
    ),
    # Lru: puts and hits are uses; a rejected put removes the entry of its key.
    Case(
        _run("lru", 2, "0 put a; 0 put b; 1 put a; 2 get a; 3 put c; 3 del b; 3 put a size=3"),
        _report("c", 1, hits=1, evicted="b", rejected=1),
    ),
    Case(_run("lru", 3, "0 put a; 0 put b; 0 put c; 0 get a"), _report("bca", 3, hits=1)),
    # Lfu: a replacement counts, equal frequencies go by last use, a new entry starts at 1 again.
    Case(_run("lfu", 2, "0 put a; 0 put b; 0 put a; 0 put c"), _report("ca", 2, evicted="b")),
    Case(
        _run("lfu", 2, "0 put a; 0 put b; 0 get b; 0 get a; 0 put c"),
        _report("ca", 2, hits=2, evicted="b"),
    ),
    Case(
        _run("lfu", 2, "0 put a; 0 get a; 0 put b; 0 get b; 0 get b; 0 get b; 0 put a; 0 put c"),
        _report("cb", 2, hits=4, evicted="a"),
    ),
    Case(
        _run("lfu", 2, "0 put a; 0 get a; 0 get a; 0 del a; 0 put a; 0 put b; 0 put c"),
        _report("bc", 2, hits=2, evicted="a"),
    ),
    # Evictions: as few as are needed, never the key itself, at exactly the capacity none.
    Case(
        _run("lru", 3, "0 put a; 0 put b; 0 put c; 0 put d size=2"),
        _report("cd", 3, evicted="ab"),
    ),
    Case(_run("lru", 4, "0 put a; 0 put b size=3; 0 put c"), _report("bc", 4, evicted="a")),
    Case(_run("fifo", 2, "0 put a; 0 put b; 0 put a size=2"), _report("a", 2, evicted="b")),
    Case(
        _run("lfu", 5, "0 put a size=5; 0 put a size=5; 0 put b size=5; 0 put c size=6"),
        _report("b", 5, evicted="a", rejected=1),
    ),
    Case(_run("lru", 4, "0 put a size=4; 0 put a; 0 put b size=3"), _report("ab", 4)),
    # Expiry: to the unit of time, in order, before the operation, and never after the last one.
    Case(
        _run("lru", 1, "10 put a ttl=5; 14 get a; 15 get a"),
        _report("", 0, hits=1, misses=1, expired="a"),
    ),
    Case(
        _run("lru", 9, "0 put c ttl=7; 0 put b ttl=3; 0 put a ttl=5; 1 put c ttl=4; 9 get b"),
        _report("", 0, misses=1, expired="bca"),
    ),
    Case(
        _run("fifo", 2, "0 put a ttl=1; 0 put b; 1 put a; 2 put c"),
        _report("ac", 2, evicted="b", expired="a"),
    ),
    Case(_run("lru", 1, "0 put a ttl=1; 1 put b"), _report("b", 1, expired="a")),
    Case(_run("lru", 1, "0 put a ttl=2; 2 del a"), _report("", 0, expired="a")),
    Case(_run("fifo", 2, "0 put b ttl=1; 0 put a ttl=1"), _report("ba", 2)),
    Case(
        _run("lru", 2, "0 put a ttl=1; 0 put b ttl=1; 0 put a; 0 put b ttl=null; 1000000000 get a"),
        _report("ba", 2, hits=1),
    ),
    Case(
        _run("lru", 1, "0 put a ttl=1000000000; 1000000000 get a"),
        _report("", 0, misses=1, expired="a"),
    ),
    # What counts and what does not.
    Case(
        _run("lru", 1, "0 get a size=9 ttl=1; 0 del a size=9; 0 put A; 0 get a"),
        _report("A", 1, misses=2),
    ),
    Case(
        _run("lfu", 2, "0 put é; 0 put e\u0301; 0 get é"),
        {
            "hits": 1,
            "misses": 0,
            "evicted": [],
            "expired": [],
            "rejected": 0,
            "contents": ["e\u0301", "é"],
            "used": 2,
        },
    ),
    Case(_run("lfu", 1, ""), _report("", 0)),
    # Time must not run backwards, not even later on.
    Case(_run("lru", 2, "1 put a; 0 get a"), error="time_reversed"),
    Case(_run("lru", 2, "1 del a; 3 del b; 2 del c"), error="time_reversed"),
)

_OPERATION = Record(
    (
        required("t", Integer(0, 10**9)),
        required("op", Choice("get", "put", "del")),
        required("key", label()),
        optional("size", Integer(1, 10**9), 1),
        optional("ttl", Nullable(Integer(1, 10**9)), None),
    )
)

FAMILY = Family(
    number=49,
    slug="cache-simulator",
    title="Cache simulator with sizes and expiry",
    category="simulation",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("policy", Choice("lru", "fifo", "lfu"), "Which entry is evicted."),
        required("capacity", Integer(1, 10**9), "The total size of the cache."),
        required(
            "ops",
            Array(_OPERATION, 0, 500),
            "The operations in the order in which they are carried out; `t` is the time.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("time_reversed", "The `t` of an operation is less than that of the one before."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "policy": "lfu",
            "capacity": 4,
            "ops": [
                {"t": 0, "op": "put", "key": "a", "size": 2},
                {"t": 1, "op": "put", "key": "b", "size": 1, "ttl": 5},
                {"t": 2, "op": "get", "key": "b"},
                {"t": 3, "op": "put", "key": "c", "size": 1},
                {"t": 4, "op": "put", "key": "d", "size": 2},
                {"t": 6, "op": "get", "key": "b"},
                {"t": 7, "op": "get", "key": "d"},
                {"t": 8, "op": "put", "key": "c", "size": 3},
                {"t": 9, "op": "put", "key": "e", "size": 9},
                {"t": 9, "op": "get", "key": "a"},
            ],
        },
        {
            "hits": 2,
            "misses": 2,
            "evicted": ["a", "d"],
            "expired": ["b"],
            "rejected": 1,
            "contents": ["c"],
            "used": 3,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _run(
                "lru",
                3,
                "0 put a size=2; 1 put b ttl=4; 2 get a; 3 put c; 4 get b; 5 put d size=2 ttl=1; "
                "6 put c size=3",
            ),
            _report("c", 3, hits=1, misses=1, evicted="ba", expired="d"),
        ),
        Case(
            _run("fifo", 1, "5 put a size=2; 5 get a; 4 get a"),
            error="time_reversed",
        ),
    ),
    malformed=(
        {"policy": "LRU", "capacity": 1, "ops": []},
        {"policy": "random", "capacity": 1, "ops": []},
        {"policy": None, "capacity": 1, "ops": []},
        {"policy": "lru", "capacity": 0, "ops": []},
        {"policy": "lru", "capacity": True, "ops": []},
        {"policy": "lru", "capacity": 2.0, "ops": []},
        {"policy": "lru", "capacity": 1_000_000_001, "ops": []},
        {"policy": "lru", "capacity": 1, "ops": {}},
        *(
            {"policy": "lru", "capacity": 1, "ops": [operation]}
            for operation in (
                ["get", "a"],
                {"op": "get", "key": "a"},
                {"t": 0, "key": "a"},
                {"t": 0, "op": "get"},
                {"t": False, "op": "get", "key": "a"},
                {"t": 0.0, "op": "get", "key": "a"},
                {"t": -1, "op": "get", "key": "a"},
                {"t": 0, "op": "GET", "key": "a"},
                {"t": 0, "op": "delete", "key": "a"},
                {"t": 0, "op": "get", "key": 1},
                {"t": 0, "op": "get", "key": ""},
                {"t": 0, "op": "get", "key": "🔑" * 41},
                {"t": 0, "op": "put", "key": "a", "size": 0},
                {"t": 0, "op": "put", "key": "a", "size": None},
                {"t": 0, "op": "del", "key": "a", "size": True},
                {"t": 0, "op": "put", "key": "a", "ttl": 0},
                {"t": 0, "op": "get", "key": "a", "ttl": -1},
                {"t": 0, "op": "put", "key": "a", "ttl": "5"},
            )
        ),
    ),
)
