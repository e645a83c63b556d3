"""Three-way merge: two edited versions of a JSON document, their common base, and conflicts."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from kcb_core.codec import Json, canonical
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import (
    MAX_INTEGER,
    Choice,
    Document,
    Integer,
    Nullable,
    Text,
    nested,
    optional,
    required,
)

_SUMMARY = """\
Merges `ours` and `theirs`, two edited versions of the JSON document `base`.

At each place, b, o and t are what `base`, `ours` and `theirs` have there: a JSON value, or nothing,
which is called absent. At first they are the three whole documents. `null` is a value. Two values
are equal if they have the same type and the same content; the order of elements counts, the order
of members does not. `true`, `1` and `"1"` are three different values. Absent is equal to absent
only.

The merge of b, o and t is what the first step that applies says. It can be absent, too.

1. o and t are equal: o.
2. o and b are equal: t.
3. t and b are equal: o.
4. o and t are objects, and b is an object or absent: an object. For each name that at least one of
   the three has, its member of this name is the merge of the three members of this name. If that
   merge is absent, it has no such member.
5. `array_key` is not `null`, o and t are keyed arrays, and b is a keyed array or absent: an array.
   For each key that at least one of the three has, the three elements with this key are merged. A
   merge that is absent is left out. First come the merges for the keys of o, in the order of o,
   then those for the other keys, in the order of t.
6. Otherwise there is a conflict here. The merge is o, t or b if `strategy` is `ours`, `theirs` or
   `base`.

An array is keyed if each element is an object that has a member with the name `array_key` whose
value is a string or an integer, and these values, the keys, are all different in this array. Where
b is absent, it has no members, elements and keys."""

_RESULT = """\
An object with these members:

- `merged`: the merge of the three whole documents.
- `clean`: `true` if there is no conflict, otherwise `false`.
- `conflicts`: an array of objects `{"path": p, "kind": k}`, one for each conflict, in ascending
  order of `path` by code point.

`kind` is `"delete_modify"` if o or t is absent. Otherwise it is `"add_add"` if b is absent, and
`"both_changed"` if it is not.

`path` is the place, a string. It is empty for the whole documents. For a member it is the `path` of
its object, then `/`, then its name. For an element in step 5 it is the `path` of its array, then
`/[`, then the key as Python's `json.dumps(key, ensure_ascii=False)` writes it, then `]`. In the
name and in the written key, each `~` is replaced by `~0` and each `/` by `~1`."""

_RULES = """\
- Arrays for which step 5 does not apply are merged as a whole, like strings.
- A change inside a value that the other side has removed is a conflict of the whole value.
- In step 5 a key that only b has is in no result, whatever `strategy` is: o and t are equal there.
- Arrays inside the elements of keyed arrays may be keyed, by the same `array_key`."""


class _Absent:
    """What a document has where it has nothing."""


_ABSENT: Final = _Absent()

_Members = Mapping[str, Json]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    merge = _Merge(fields["strategy"], fields["array_key"])
    merged = merge.values([fields["base"], fields["ours"], fields["theirs"]], "")
    if len(merge.conflicts) > fields["max_conflicts"]:
        raise DomainError("too_many_conflicts")
    conflicts = [{"path": path, "kind": kind} for path, kind in sorted(merge.conflicts)]
    return {"merged": copy.deepcopy(merged), "clean": not conflicts, "conflicts": conflicts}


class _Merge:
    """A merge with the conflicts that it has met."""

    def __init__(self, strategy: str, array_key: str | None) -> None:
        self.strategy = strategy
        self.array_key = array_key
        self.conflicts: list[tuple[str, str]] = []

    def values(self, versions: Sequence[Json], path: str) -> Json:
        """The merge of three values, each of which may be absent."""
        base, ours, theirs = versions
        if _equal(ours, theirs) or _equal(theirs, base):
            return ours
        if _equal(ours, base):
            return theirs
        if ours is not _ABSENT and theirs is not _ABSENT:
            objects = [each for each in map(_members, versions) if each is not None]
            if len(objects) == 3:
                return self.members(objects, path)
            arrays = [each for each in map(self.keyed, versions) if each is not None]
            if len(arrays) == 3:
                return list(self.members(arrays, path).values())
        self.conflicts.append((path, _kind(base, ours, theirs)))
        return {"ours": ours, "theirs": theirs, "base": base}[self.strategy]

    def members(self, versions: Sequence[_Members], path: str) -> dict[str, Json]:
        """The merges of all members that are not absent, those of `ours` first."""
        _, ours, theirs = versions
        merged = {
            name: self.values([each.get(name, _ABSENT) for each in versions], _below(path, name))
            for name in {**ours, **theirs}
        }
        return {name: value for name, value in merged.items() if value is not _ABSENT}

    def keyed(self, value: Json) -> _Members | None:
        """The elements of a keyed array by their keys as a path shows them, or None."""
        elements: dict[str, Json] = {}
        if value is _ABSENT:
            return elements
        if self.array_key is None or not isinstance(value, list):
            return None
        for element in value:
            key = element.get(self.array_key) if isinstance(element, dict) else None
            if isinstance(key, str | int) and not isinstance(key, bool):
                elements[f"[{json.dumps(key, ensure_ascii=False)}]"] = element
        return elements if len(elements) == len(value) else None


def _members(value: Json) -> _Members | None:
    if value is _ABSENT:
        return {}
    return value if isinstance(value, dict) else None


def _equal(left: Json, right: Json) -> bool:
    if left is _ABSENT or right is _ABSENT:
        return left is right
    return canonical(left) == canonical(right)


def _kind(base: Json, ours: Json, theirs: Json) -> str:
    if ours is _ABSENT or theirs is _ABSENT:
        return "delete_modify"
    return "add_add" if base is _ABSENT else "both_changed"


def _below(path: str, token: str) -> str:
    return f"{path}/{token.replace('~', '~0').replace('/', '~1')}"


_DOC = Document()
_LIKE_BASE = Document("a JSON value within the limits of `base`")


def _generate(rng: random.Random) -> dict[str, Json]:
    drawn = _draw_versions(rng)
    while not all(_DOC.admits(version) for version in drawn.values()):
        drawn = _draw_versions(rng)
    if rng.random() < 0.7:
        drawn["strategy"] = rng.choice(["ours", "theirs", "base"])
    if rng.random() < 0.85:
        drawn["array_key"] = rng.choice(["id", "id", "id", "id", "é", None])
    if rng.random() < 0.5:
        drawn["max_conflicts"] = rng.choice([0, 0, 1, 2, 3, 5])
    return drawn


def _draw_versions(rng: random.Random) -> dict[str, Json]:
    base = _draw_value(rng, 3) if rng.random() < 0.1 else _draw_object(rng, 3)
    ours = _edited(rng, base)
    theirs = _edited(rng, ours if rng.random() < 0.1 else base)
    return {"base": base, "ours": ours, "theirs": theirs}


def _draw_value(rng: random.Random, depth: int) -> Json:
    chance = rng.random()
    if depth > 0 and chance < 0.3:
        return _draw_object(rng, depth - 1)
    if depth > 0 and chance < 0.65:
        return _draw_array(rng, depth - 1)
    return rng.choice([None, True, False, 0, 1, 2, "", "1", "é", "e\u0301", "😀", "x/~y"])


def _draw_object(rng: random.Random, depth: int) -> Json:
    names = rng.sample(_NAMES, rng.randint(0, 5))
    return {name: _draw_value(rng, depth) for name in names}


def _draw_array(rng: random.Random, depth: int) -> Json:
    """Mostly a keyed one, if `id` is the key."""
    if rng.random() < 0.25:
        return [_draw_value(rng, depth) for _ in range(rng.randint(0, 3))]
    keys = rng.sample(_KEYS, rng.randint(0, 5))
    return [_draw_element(rng, key, depth) for key in keys]


def _draw_element(rng: random.Random, key: Json, depth: int) -> Json:
    return {"id": key, **_draw_object(rng, depth - 1)}


def _edited(rng: random.Random, value: Json) -> Json:
    """A copy of a value with some changes at any depth."""
    if isinstance(value, dict):
        kept = {name: inner for name, inner in value.items() if rng.random() < 0.9}
        changed = {n: inner if n == "id" else _edited(rng, inner) for n, inner in kept.items()}
        if rng.random() < 0.35:
            changed[rng.choice(_NAMES)] = _draw_value(rng, 1)
        return changed if rng.random() < 0.96 else _draw_value(rng, 1)
    if isinstance(value, list):
        elements = [_edited(rng, element) for element in value if rng.random() < 0.85]
        if rng.random() < 0.35:
            elements.append(_draw_element(rng, rng.choice(_KEYS), 1))
        if rng.random() < 0.3:
            rng.shuffle(elements)
        return elements
    return _draw_value(rng, 1) if rng.random() < 0.15 else value


_NAMES = ("a", "b", "é", "e\u0301", "", "a/b", "~", "ｚ", "😀", "items", "A", "[1]")

_KEYS: tuple[Json, ...] = (1, "1", 2, -3, "a", "é", "😀", "a/b", "~", 'q"', "\n\\", "", "\u007f")


def _both_ways(case: Case) -> tuple[Case, Case]:
    """A case without conflict, and the same with ours and theirs exchanged."""
    fields = {**case.input, "ours": case.input["theirs"], "theirs": case.input["ours"]}
    return case, Case(fields, case.result)


def _merged(
    base: Json, ours: Json, theirs: Json, merged: Json, conflicts: str = "", **more: Json
) -> Case:
    """A case in short; the conflicts as in `/a both_changed, /b add_add`."""
    pairs = [text.rpartition(" ") for text in conflicts.split(", ")] if conflicts else []
    return Case(
        {"base": base, "ours": ours, "theirs": theirs, **more},
        {
            "merged": merged,
            "clean": not pairs,
            "conflicts": [{"path": path, "kind": kind} for path, _, kind in pairs],
        },
    )


def _item(key: Json, value: Json = 0) -> Json:
    return {"id": key, "v": value}


def _items(keys: str) -> list[Json]:
    return [_item(key) for key in keys]


def _three(ours: Json, theirs: Json, base: Json) -> Iterator[tuple[str, Json]]:
    yield from (("ours", ours), ("theirs", theirs), ("base", base))


_UNKEYED: tuple[Json, ...] = ("a", None, {}, {"ID": "a"}, [1], _item(1, 5))
_NO_KEYS: tuple[Json, ...] = (None, True, [], ["a"], {"a": 1})

_BOUNDARIES = (
    # Whole documents: equal edits, edits on one side, a conflict with an empty path.
    _merged({}, {}, {}, {}),
    _merged(1, 2, 2, 2),
    _merged([1], {"a": None}, {"a": None}, {"a": None}),
    *_both_ways(_merged({"a": 1, "b": 2}, {"b": 2}, {"a": 1, "b": 3}, {"b": 3})),
    *_both_ways(_merged("x", "x", None, None)),
    *(_merged(1, 2, 3, m, " both_changed", strategy=s) for s, m in _three(2, 3, 1)),
    _merged(None, {"a": 1}, {"a": 2}, {"a": 1}, " both_changed"),
    # Types count, the order of members does not.
    *_both_ways(_merged({"a": 1}, {"a": True}, {"a": 1}, {"a": True})),
    _merged({"a": 0}, {"a": False}, {"a": "0"}, {"a": False}, "/a both_changed"),
    _merged([1, {"x": 0}], [True, {"x": 0}], [1, {"x": False}], [True, {"x": 0}], " both_changed"),
    *_both_ways(_merged([{"x": 1, "y": 2}], [{"y": 2, "x": 1}], [3], [3])),
    _merged({"x": 1}, {"y": {"a": 1, "b": 2}}, {"y": {"b": 2, "a": 1}}, {"y": {"a": 1, "b": 2}}),
    # Absent is not null.
    *_both_ways(_merged({"a": None}, {}, {"a": None}, {})),
    *_both_ways(_merged({}, {"a": None}, {}, {"a": None})),
    _merged({"a": None}, {"a": 1}, {"a": [1]}, {"a": 1}, "/a both_changed"),
    _merged({"a": None}, {"a": {"x": 1}}, {"a": {}}, {"a": {"x": 1}}, "/a both_changed"),
    # Conflicts of each kind with each strategy.
    *(
        _merged({"a": 0}, {}, {"a": 1}, m, "/a delete_modify", strategy=s)
        for s, m in _three({}, {"a": 1}, {"a": 0})
    ),
    *(
        _merged({"a": 0}, {"a": None}, {}, m, "/a delete_modify", strategy=s)
        for s, m in _three({"a": None}, {}, {"a": 0})
    ),
    *(
        _merged({}, {"a": 1}, {"a": "1"}, m, "/a add_add", strategy=s)
        for s, m in _three({"a": 1}, {"a": "1"}, {})
    ),
    *(
        _merged({"a": 5}, {"a": {"x": 1}}, {"a": {"y": 1}}, m, "/a both_changed", strategy=s)
        for s, m in _three({"a": {"x": 1}}, {"a": {"y": 1}}, {"a": 5})
    ),
    _merged({"a": {}}, {"a": {"a": 1}}, {"a": 5}, {"a": {"a": 1}}, "/a both_changed"),
    _merged({"a": {"x": 1}}, {}, {"a": {"x": 2}}, {}, "/a delete_modify"),
    _merged({"a": {"x": 1}}, {}, {"a": {"x": 1}}, {}),
    # Objects are merged member by member, added ones too.
    _merged(
        {},
        {"n": {"x": 1, "z": 0}},
        {"n": {"y": 2, "z": 1}},
        {"n": {"x": 1, "y": 2, "z": 0}},
        "/n/z add_add",
    ),
    _merged(
        {"n": {"a": 1, "b": 1, "c": {"d": 1}}},
        {"n": {"a": 1, "b": 2, "c": {"d": 1, "e": 1}}},
        {"n": {"b": 1, "c": {}}, "m": {}},
        {"n": {"b": 2, "c": {"e": 1}}, "m": {}},
    ),
    _merged({"a": 1, "b": 1}, {"b": 1}, {"a": 1}, {}),
    # Arrays are plain values without a key, or if one of them is not keyed.
    _merged(
        {"l": [1]},
        {"l": [1, 2], "é/": True},
        {"l": [1, 3], "é/": 1},
        {"l": [1]},
        "/l both_changed, /é~1 add_add",
        strategy="base",
    ),
    _merged(_items("a"), _items("ab"), _items("ac"), _items("ab"), " both_changed"),
    _merged(
        {}, {"l": [1]}, {"l": [2]}, {"l": [2]}, "/l add_add", array_key="id", strategy="theirs"
    ),
    *(
        _merged([], [_item(1), odd], _items("a"), [_item(1), odd], " both_changed", array_key="id")
        for odd in _UNKEYED
    ),
    *(
        _merged([], _items("a"), [_item(odd)], _items("a"), " both_changed", array_key="id")
        for odd in _NO_KEYS
    ),
    _merged([{}], _items("a"), _items("b"), _items("a"), " both_changed", array_key="id"),
    _merged(_items("aa"), _items("a"), [], [], " both_changed", array_key="id", strategy="theirs"),
    _merged(None, _items("a"), _items("b"), None, " both_changed", array_key="id", strategy="base"),
    _merged({}, _items("a"), _items("b"), _items("a"), " both_changed", array_key="id"),
    _merged(_items("a"), _items("ab"), {}, _items("ab"), " both_changed", array_key="id"),
    # Keyed arrays: keys of one side, of both, removed ones; an absent base has no keys.
    _merged(
        [{"id": 1}],
        [{"id": 1}, {"id": "1"}],
        [{"id": 1}, {"id": 2}],
        [{"id": 1}, {"id": "1"}, {"id": 2}],
        array_key="id",
    ),
    _merged({}, {"l": _items("ab")}, {"l": _items("cb")}, {"l": _items("abc")}, array_key="id"),
    _merged(_items("abc"), _items("bc"), _items("ab"), _items("b"), array_key="id"),
    _merged(_items("ab"), _items("a"), _items("b"), [], array_key="id"),
    _merged([], _items("a"), _items("b"), _items("ab"), array_key="id"),
    # The order of ours comes first, whatever is in base; then that of theirs.
    _merged(_items("abc"), _items("cab"), _items("bcax"), _items("cabx"), array_key="id"),
    _merged(_items("abc"), _items("cab"), _items("abc"), _items("cab"), array_key="id"),
    _merged(_items("abc"), _items("abc"), _items("cab"), _items("cab"), array_key="id"),
    _merged(_items("a"), _items("bac"), _items("xdacy"), _items("bacxdy"), array_key="id"),
    *(
        _merged(
            [_item(1), _item(2), _item(3)],
            [_item(3), _item(1, 5)],
            [_item(9), _item(2, 6), _item(3)],
            m,
            "/[1] delete_modify, /[2] delete_modify",
            array_key="id",
            strategy=s,
        )
        for s, m in _three(
            [_item(3), _item(1, 5), _item(9)],
            [_item(3), _item(9), _item(2, 6)],
            [_item(3), _item(1), _item(9), _item(2)],
        )
    ),
    # Elements are merged like other objects; a changed key is another element.
    _merged(
        {"l": [{"id": "a", "p": 1, "q": 1}]},
        {"l": [{"id": "a", "p": 2, "r": 1}]},
        {"l": [{"id": "a", "p": 3, "q": 1, "r": 1}]},
        {"l": [{"id": "a", "p": 2, "r": 1}]},
        '/l/["a"]/p both_changed',
        array_key="id",
    ),
    _merged(
        [_item(1)], [_item(2)], [_item(1, 9)], [_item(2)], "/[1] delete_modify", array_key="id"
    ),
    _merged([], [_item(1)], [_item(1, 9)], [_item(1)], "/[1]/v add_add", array_key="id"),
    _merged(
        [{"é": 1, "l": [{"é": 2}]}],
        [{"é": 1, "l": [{"é": 2, "v": 1}]}],
        [{"é": 1, "l": [{"é": 2, "v": 2}, {"é": 3}]}],
        [{"é": 1, "l": [{"é": 2, "v": 1}, {"é": 3}]}],
        "/[1]/l/[2]/v add_add",
        array_key="é",
    ),
    # How keys and names are written in a path.
    *(
        _merged(
            [_item(key)],
            [_item(key, 1)],
            [_item(key, 2)],
            [_item(key, 1)],
            f"{path}/v both_changed",
            array_key="id",
        )
        for key, path in (
            (-7, "/[-7]"),
            (MAX_INTEGER, "/[9007199254740991]"),
            ("", '/[""]'),
            ("7", '/["7"]'),
            ("é😀", '/["é😀"]'),
            ("a/b~", '/["a~1b~0"]'),
            ('"\\', '/["\\"\\\\"]'),
            ("\n\t\r\b\f", '/["\\n\\t\\r\\b\\f"]'),
            ("\u0001\u001f\u007f\u2028", '/["\\u0001\\u001f\u007f\u2028"]'),
        )
    ),
    _merged(
        {"": {"~1": 0, "/": 0, "[1]": 0}},
        {"": {"~1": 1, "/": 1, "[1]": 1}},
        {"": {"~1": 2, "/": 2, "[1]": 2}},
        {"": {"~1": 1, "/": 1, "[1]": 1}},
        "//[1] both_changed, //~01 both_changed, //~1 both_changed",
    ),
    # Conflicts are sorted by the whole path, by code point.
    _merged(
        dict.fromkeys(("b", "a b", "😀", "ｚ", "B", "10", "9"), 0) | {"a": {"x": 0}},
        dict.fromkeys(("b", "a b", "😀", "ｚ", "B", "10", "9"), 1) | {"a": {"x": 1}},
        dict.fromkeys(("b", "a b", "😀", "ｚ", "B", "10", "9"), 2) | {"a": {"x": 2}},
        dict.fromkeys(("b", "a b", "😀", "ｚ", "B", "10", "9"), 1) | {"a": {"x": 1}},
        "/10 both_changed, /9 both_changed, /B both_changed, /a b both_changed, "
        "/a/x both_changed, /b both_changed, /ｚ both_changed, /😀 both_changed",
    ),
    _merged(
        [_item(9), _item(10), _item("a")],
        [_item(9, 1), _item(10, 1), _item("a", 1)],
        [_item(9, 2), _item(10, 2), _item("a", 2)],
        [_item(9, 1), _item(10, 1), _item("a", 1)],
        '/["a"]/v both_changed, /[10]/v both_changed, /[9]/v both_changed',
        array_key="id",
    ),
    # The limit is passed only by more conflicts than it says, whatever the strategy.
    _merged({"a": 0}, {"a": 1}, {}, {"a": 1}, "/a delete_modify", max_conflicts=1),
    _merged({"a": 0}, {"a": 1}, {"a": 1}, {"a": 1}, max_conflicts=0),
    Case(
        {"base": {"a": 0}, "ours": {"a": 1}, "theirs": {"a": 2}, "max_conflicts": 0},
        error="too_many_conflicts",
    ),
    Case(
        {
            "base": {"a": 0, "b": 0, "c": 0},
            "ours": {"a": 1, "b": 1, "c": 1},
            "theirs": {"a": 2, "c": 0, "d": 2},
            "strategy": "base",
            "max_conflicts": 1,
        },
        error="too_many_conflicts",
    ),
    _merged(
        {},
        {f"{n}": 1 for n in range(1_000)},
        {f"{n}": 2 for n in range(1_000)},
        {},
        ", ".join(f"{path} add_add" for path in sorted(f"/{n}" for n in range(1_000))),
        strategy="base",
    ),
    Case(
        {"base": {}, **{s: {f"{n}": s for n in range(1_001)} for s in ("ours", "theirs")}},
        error="too_many_conflicts",
    ),
)

FAMILY = Family(
    number=63,
    slug="three-way-merge",
    title="Three-way JSON merge",
    category="systems-config",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required("base", _DOC, "The document before the edits."),
        required("ours", _LIKE_BASE, "One edited version."),
        required("theirs", _LIKE_BASE, "The other edited version."),
        optional(
            "strategy", Choice("ours", "theirs", "base"), "ours", "What a conflict is merged to."
        ),
        optional(
            "array_key",
            Nullable(Text(1, 40)),
            None,
            "The name of the member that has the key of an element.",
        ),
        optional("max_conflicts", Integer(0, 1_000), 1_000, "How many conflicts are allowed."),
    ),
    result=_RESULT,
    errors=(ErrorCode("too_many_conflicts", "There are more than `max_conflicts` conflicts."),),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_merged(
        {
            "v": 1,
            "gone": 2,
            "items": [{"id": "a", "q": 1}, {"id": 7, "q": 2}, {"id": "c", "q": 3}],
        },
        {
            "v": 2,
            "items": [{"id": 7, "q": 2}, {"id": "a", "q": 5}, {"id": "n", "q": 0}],
            "new": {"x": 1},
        },
        {
            "v": 3,
            "gone": 2,
            "items": [
                {"id": "a", "q": 6, "z": True},
                {"id": 7, "q": 9},
                {"id": "c", "q": 4},
                {"id": "m", "q": 0},
            ],
            "new": {"y": 2},
        },
        {
            "v": 2,
            "items": [
                {"id": 7, "q": 9},
                {"id": "a", "q": 5, "z": True},
                {"id": "n", "q": 0},
                {"id": "m", "q": 0},
            ],
            "new": {"x": 1, "y": 2},
        },
        '/items/["a"]/q both_changed, /items/["c"] delete_modify, /v both_changed',
        array_key="id",
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _merged(
            {"a/b": [1], "n": None, "l": [{"k": 1, "v": 1}, {"k": "é~", "v": 2}, {"k": 3}]},
            {"a/b": [1, 2], "l": [{"k": 3}, {"k": "é~", "v": 5}], "x": {"p": 1}},
            {
                "a/b": [],
                "n": 0,
                "l": [{"k": 9}, {"k": 1, "v": 1}, {"v": 6, "k": "é~"}, {"k": 3, "w": []}],
                "x": {"p": True, "q": 1},
            },
            {
                "a/b": [],
                "n": 0,
                "l": [{"k": 3, "w": []}, {"k": "é~", "v": 6}, {"k": 9}],
                "x": {"p": True, "q": 1},
            },
            '/a~1b both_changed, /l/["é~0"]/v both_changed, /n delete_modify, /x/p add_add',
            strategy="theirs",
            array_key="k",
        ),
        Case(
            {
                "base": {"a": 1, "b": 2},
                "ours": {"a": 2},
                "theirs": {"a": 3, "b": 4},
                "max_conflicts": 1,
            },
            error="too_many_conflicts",
        ),
    ),
    malformed=(
        {"base": 1.5, "ours": {}, "theirs": {}},
        {"base": {}, "ours": {"a": [2.0]}, "theirs": {}},
        {"base": {}, "ours": {}, "theirs": nested(9, [])},
        {"base": ["e\u0301" * 500 + "a"], "ours": {}, "theirs": {}},
        {"base": {}, "ours": {"é" * 101: 1}, "theirs": {}},
        {"base": {}, "ours": {}, "theirs": [[]] * 2_000},
        {"base": {}, "ours": {}, "theirs": {}, "strategy": "Ours"},
        {"base": {}, "ours": {}, "theirs": {}, "strategy": "union"},
        {"base": {}, "ours": {}, "theirs": {}, "strategy": None},
        {"base": {}, "ours": {}, "theirs": {}, "array_key": ""},
        {"base": {}, "ours": {}, "theirs": {}, "array_key": "😀" * 41},
        {"base": {}, "ours": {}, "theirs": {}, "array_key": 1},
        {"base": {}, "ours": {}, "theirs": {}, "array_key": ["id"]},
        {"base": {}, "ours": {}, "theirs": {}, "max_conflicts": -1},
        {"base": {}, "ours": {}, "theirs": {}, "max_conflicts": 1_001},
        {"base": {}, "ours": {}, "theirs": {}, "max_conflicts": 1.0},
        {"base": {}, "ours": {}, "theirs": {}, "max_conflicts": "10"},
        {"base": {}, "ours": {}, "theirs": {}, "max_conflicts": True},
        {"base": {}, "ours": {}, "theirs": {}, "max_conflicts": None},
        {"base": 1, "ours": 2, "theirs": 3, "strategy": "", "max_conflicts": 0},
    ),
)
