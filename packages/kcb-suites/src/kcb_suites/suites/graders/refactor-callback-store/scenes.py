"""Random scenes for a store, from a seed: the same in every run and on every machine."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

KEYS = ["jam", "tea", "rye", "oil"]
NAMES = ["x", "y", "z", "u", "v", "w", "q"]
FIELDS = ["kind", "n"]
WEIGHTS = {
    "get": 3,
    "put": 8,
    "remove": 2,
    "update": 4,
    "batch": 3,
    "query": 3,
    "attach": 6,
    "attachments": 3,
    "compact": 1,
    "close": 0.2,
    "wrong": 0.5,
}
CHANGES = ["set", "late", "same", "throw", "reject", "bad"]


def scenes(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """`count` scenes: options, files at the start, faults of the disk, waves of operations."""
    rng = random.Random(seed)
    for number in range(count):
        options: dict[str, Any] = {}
        if rng.random() < 0.5:
            options["indexes"] = rng.sample(FIELDS, rng.randint(1, 2))
        if rng.random() < 0.4:
            options["compactEvery"] = rng.randint(1, 5)
        yield {
            "options": options,
            "files": _files(rng) if rng.random() < 0.4 else {},
            "faults": rng.sample(range(1, 50), rng.randint(1, 9)) if number % 2 else [],
            "waves": [
                [operation(rng) for _ in range(rng.randint(1, 6))] for _ in range(rng.randint(2, 6))
            ],
            "badListener": rng.random() < 0.2,
        }


def operation(rng: random.Random) -> list[Any]:
    """One call: its name and its arguments."""
    key = rng.choice(KEYS)
    name = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    if name == "put":
        options = {"ifRevision": rng.randint(0, 2)} if rng.random() < 0.3 else {}
        return ["put", key, _doc(rng), options]
    if name == "update":
        return ["update", key, rng.choice(CHANGES)]
    if name == "batch":
        return ["batch", [_part(rng) for _ in range(rng.randint(0, 4))]]
    if name == "query":
        return ["query", _filter(rng), _view(rng)]
    if name == "attach":
        return ["attach", key, rng.choice(NAMES), rng.choice(["", "one", "two\nlines"])]
    if name == "wrong":
        return rng.choice([["get", ""], ["put", key, 7, {}], ["attach", key, "", "text"]])
    return [name] if name in ("compact", "close") else [name, key]


def _doc(rng: random.Random) -> dict[str, Any]:
    doc: dict[str, Any] = {"kind": rng.choice(["sweet", "sour", None])}
    if rng.random() < 0.8:
        doc["n"] = rng.randint(0, 4)
    return doc


def _part(rng: random.Random) -> dict[str, Any]:
    if rng.random() < 0.3:
        return {"remove": rng.choice(KEYS)}
    return {"put": rng.choice(KEYS), "doc": _doc(rng)}


def _filter(rng: random.Random) -> dict[str, Any]:
    wanted = [
        {},
        {"kind": "sweet"},
        {"n": rng.randint(0, 4)},
        {"n": {"gt": 1}},
        {"n": {"gt": 0, "lt": 4}, "kind": "sour"},
        {"kind": {"in": ["sour", None]}},
    ]
    return rng.choice(wanted)


def _view(rng: random.Random) -> dict[str, Any]:
    view: dict[str, Any] = {}
    if rng.random() < 0.6:
        view["sort"] = rng.choice(["n", "-n", "kind"])
    if rng.random() < 0.3:
        view |= {"skip": rng.randint(0, 2), "limit": rng.randint(0, 3)}
    return view


def _files(rng: random.Random) -> dict[str, str]:
    """A snapshot and a journal as a store leaves them, now and then damaged."""
    files = {}
    sequence = 0
    if rng.random() < 0.7:
        sequence = rng.randint(1, 9)
        names = rng.sample(NAMES, rng.randint(0, 7))
        entry = {"doc": _doc(rng), "revision": rng.randint(1, 4), "attachments": names}
        files["snapshot"] = _line({"sequence": sequence, "documents": [["jam", entry]]})
        files |= {f"jam.{name}.att": f"text of {name}" for name in names if rng.random() < 0.95}
    start = max(1, sequence - rng.randint(0, 2))
    lines = [
        _line({"sequence": start + step, "changes": [_put(rng)]})
        for step in range(rng.randint(0, 5))
    ]
    if lines:
        files["journal"] = _damaged(rng, lines)
    if "snapshot" in files and rng.random() < 0.05:
        files["snapshot"] = files["snapshot"][:-3]
    return files


def _put(rng: random.Random) -> dict[str, Any]:
    doc, revision = _doc(rng), rng.randint(1, 5)
    return {"type": "put", "key": rng.choice(KEYS), "doc": doc, "revision": revision}


def _damaged(rng: random.Random, lines: list[str]) -> str:
    luck = rng.random()
    if luck < 0.2:
        return "\n".join(lines)
    if luck < 0.4:
        return "".join(f"{line}\n" for line in lines)[:-7]
    if luck < 0.5:
        lines[0] = lines[0][:-4]
    return "".join(f"{line}\n" for line in lines)


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
