"""JSON patch: operations on the locations of a document, all of them or none."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kcb_core.codec import Json, canonical
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import (
    MAX_INTEGER,
    Array,
    Document,
    Record,
    Text,
    absentable,
    count_values,
    nested,
    required,
)

_SUMMARY = """\
Applies the operations in `ops`, in order, to the JSON document `doc`: all of them or none.

A pointer is a string that names a location. The empty string names the whole document. Any other
pointer is a row of tokens, each after a `/`: `/a/b` has the tokens `a` and `b`, and `/` has one
empty token. In a token `~1` stands for `/` and `~0` for `~` (so `~01` is the token `~1`).

Looking up a pointer starts at the whole document and takes the tokens from left to right. In an
object, a token is the name of a member. In an array, a token is an index: `0`, or ASCII digits of
which the first is not `0`. A value is there if every token finds a member or an element.

An operation has `op` and `path`, and some have `value` or `from`. `path` and `from` are pointers.
`op` says what it does:

- `add` (with `value`): looks up all tokens of `path` but the last. If that gives an object, its
  member with the name of the last token is set to `value`, whether it was there or not. If it gives
  an array, `value` is inserted before the element with that index; the index may be the length of
  the array, and the token `-` stands for this length. If `path` is empty, `value` becomes the whole
  document.
- `remove`: takes away the member or element at `path`.
- `replace` (with `value`): puts `value` in the place of the value at `path`, which must be there.
- `move` (with `from`): takes the value at `from` away and then adds it at `path`, as `add` does.
  `path` is looked up only after the value is taken away. If `from` and `path` are the same, the
  value must be there, and nothing changes.
- `copy` (with `from`): adds a copy of the value at `from` at `path`, as `add` does.
- `test` (with `value`): compares the value at `path`, which must be there, with `value`.

Two values are equal if they have the same type and the same content; the order of elements counts,
the order of members does not. `true`, `1` and `"1"` are three different values."""

_RESULT = """\
An object with these members:

- `doc`: the document after the last operation.
- `changed`: `false` if that is equal to the given `doc`, otherwise `true`.
- `applied`: the number of operations."""

_RULES = """\
- `01` is a bad index in an array, and an ordinary name in an object.
- `-` never finds an element. Only as the last token of the `path` of `add`, `move` and `copy` is it
  allowed for an array.
- Members of an operation that its `op` does not need are ignored, also a `from` that is no pointer;
  but if `value` or `from` is there, it must be of the kind that the table gives.
- There are no requests for which the document is nested more than 40 deep at some point."""

_NEEDS = {
    "add": "value",
    "remove": "path",
    "replace": "value",
    "move": "from",
    "copy": "from",
    "test": "value",
}
_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*")
_INDEX = re.compile(r"0|[1-9][0-9]*")
_MOST_NODES = 5_000


def _evaluate(fields: Mapping[str, Any]) -> Json:
    for operation in fields["ops"]:
        _check(operation)
    document = copy.deepcopy(fields["doc"])
    for operation in fields["ops"]:
        document = _applied(document, operation)
    changed = not _equal(document, fields["doc"])
    return {"doc": document, "changed": changed, "applied": len(fields["ops"])}


def _check(operation: Mapping[str, Any]) -> None:
    kind = operation["op"]
    if kind not in _NEEDS or _NEEDS[kind] not in operation:
        raise DomainError("bad_op")
    pointers = [operation["path"], *([operation["from"]] if _NEEDS[kind] == "from" else [])]
    if not all(_POINTER.fullmatch(pointer) for pointer in pointers):
        raise DomainError("bad_pointer")


def _applied(document: Json, operation: Mapping[str, Any]) -> Json:
    """The document after an operation that was checked; the one before is used up."""
    kind, path = operation["op"], _tokens(operation["path"])
    if kind == "remove":
        _take(document, path)
    elif kind == "test":
        if not _equal(_found(document, path), operation["value"]):
            raise DomainError("test_failed")
    elif kind == "replace":
        document = _replaced(document, path, copy.deepcopy(operation["value"]))
    elif kind == "add":
        document = _added(document, path, copy.deepcopy(operation["value"]))
    elif kind == "copy":
        value = _found(document, _tokens(operation["from"]))
        document = _added(document, path, copy.deepcopy(value))
    else:
        document = _moved(document, _tokens(operation["from"]), path)
    if count_values(document) > _MOST_NODES:
        raise DomainError("doc_too_large")
    return document


def _tokens(pointer: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def _found(document: Json, tokens: Sequence[str]) -> Json:
    for token in tokens:
        document = document[_key(document, token)]
    return document


def _key(container: Json, token: str) -> str | int:
    """The name or index in a container that a token finds."""
    if isinstance(container, list):
        index = _index(token, end=len(container))
        if index < len(container):
            return index
    elif isinstance(container, dict) and token in container:
        return token
    raise DomainError("path_not_found")


def _index(token: str, *, end: int) -> int:
    if token == "-":
        return end
    if not _INDEX.fullmatch(token):
        raise DomainError("bad_index")
    return int(token)


def _take(document: Json, tokens: Sequence[str]) -> Json:
    if not tokens:
        raise DomainError("cannot_remove_root")
    container = _found(document, tokens[:-1])
    key = _key(container, tokens[-1])
    return container.pop(key)


def _replaced(document: Json, tokens: Sequence[str], value: Json) -> Json:
    if not tokens:
        return value
    container = _found(document, tokens[:-1])
    container[_key(container, tokens[-1])] = value
    return document


def _added(document: Json, tokens: Sequence[str], value: Json) -> Json:
    if not tokens:
        return value
    container, last = _found(document, tokens[:-1]), tokens[-1]
    if isinstance(container, dict):
        container[last] = value
        return document
    if isinstance(container, list):
        index = _index(last, end=len(container))
        if index <= len(container):
            container.insert(index, value)
            return document
    raise DomainError("path_not_found")


def _moved(document: Json, source: Sequence[str], path: Sequence[str]) -> Json:
    if len(source) < len(path) and path[: len(source)] == source:
        raise DomainError("move_into_self")
    if source == path:
        _found(document, source)
        return document
    return _added(document, path, _take(document, source))


def _equal(left: Json, right: Json) -> bool:
    return canonical(left) == canonical(right)


_DOC = Document()


def _generate(rng: random.Random) -> dict[str, Json]:
    """Mostly operations that fit the document as it is when they are applied."""
    doc = _draw_container(rng, 3)
    document, ops = copy.deepcopy(doc), list[Json]()
    for _ in range(rng.randint(0, 9)):
        operation = _draw_operation(rng, document)
        try:
            document = _applied(copy.deepcopy(document), operation)
        except DomainError:
            if rng.random() < 0.95:
                continue
        ops.append(operation)
    chance = rng.random()
    if chance < 0.2:
        ops.insert(rng.randint(0, len(ops)), rng.choice(_FAULTS))
    elif chance < 0.25:
        ops.append({"op": "add", "path": "", "value": {"a": [0] * rng.randint(300, 400)}})
        ops += [{"op": "copy", "from": "", "path": f"/{name}"} for name in "bcde"]
    return {"doc": doc, "ops": ops}


def _draw_operation(rng: random.Random, document: Json) -> dict[str, Json]:
    kind = rng.choice(["add", "add", "add", "remove", "replace", "move", "move", "copy", "test"])
    there = list(_locations(document, ""))
    pointer, value = rng.choice(there)
    operation: dict[str, Json] = {"op": kind, "path": pointer}
    if kind in ("add", "move", "copy"):
        end = rng.choice(["", "/-", "/0", "/1", "/é", "/new", "/~0", "/~1", "/01", "/"])
        operation["path"] = pointer + end
    if kind in ("move", "copy"):
        operation["from"] = rng.choice(there)[0]
    elif kind == "test":
        operation["value"] = value if rng.random() < 0.95 else _draw_value(rng, 1)
    elif kind != "remove" or rng.random() < 0.1:
        operation["value"] = _draw_value(rng, 1)
    if kind == "add" and rng.random() < 0.2:
        operation["from"] = "~"
    return operation


def _locations(value: Json, pointer: str) -> Iterator[tuple[str, Json]]:
    """Every location of a document, with what is there."""
    yield pointer, value
    pairs: Iterable[tuple[str | int, Json]] = ()
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for name, inner in pairs:
        token = str(name).replace("~", "~0").replace("/", "~1")
        yield from _locations(inner, f"{pointer}/{token}")


def _draw_value(rng: random.Random, depth: int) -> Json:
    if depth > 0 and rng.random() < 0.6:
        return _draw_container(rng, depth)
    return rng.choice([None, True, False, 0, 1, -7, MAX_INTEGER, "", "1", "é", "e\u0301", "😀"])


def _draw_container(rng: random.Random, depth: int) -> Json:
    values = [_draw_value(rng, depth - 1) for _ in range(rng.randint(0, 4))]
    if rng.random() < 0.5:
        return values
    return dict(zip(rng.sample(_NAMES, len(values)), values, strict=True))


_NAMES = ("a", "b", "é", "e\u0301", "", "a/b", "~", "~1", "0", "01", "-", "😀", "A")

# Operations that are an error nearly always, whatever the document is.
_FAULTS: tuple[dict[str, Json], ...] = (
    {"op": "Add", "path": "/a", "value": 1},
    {"op": "add", "path": "/a"},
    {"op": "copy", "path": "/a~"},
    {"op": "test", "path": "a", "value": 1},
    {"op": "remove", "path": "/a~2"},
    {"op": "move", "path": "/a", "from": "b"},
    {"op": "remove", "path": ""},
    {"op": "move", "from": "/a", "path": "/a/b"},
    {"op": "move", "from": "", "path": "/0"},
    {"op": "replace", "path": "/zz", "value": None},
    {"op": "remove", "path": "/00"},
    {"op": "add", "path": "/-1", "value": 1},
    {"op": "test", "path": "", "value": {"none": "such"}},
    {"op": "test", "path": "", "value": "1"},
    {"op": "copy", "from": "/-", "path": ""},
)


def _patched(doc: Json, ops: Sequence[Json], final: Json, *, changed: bool = True) -> Case:
    result = {"doc": final, "changed": changed, "applied": len(ops)}
    return Case({"doc": doc, "ops": list(ops)}, result)


def _fails(doc: Json, error: str, *ops: Json) -> Case:
    return Case({"doc": doc, "ops": list(ops)}, error=error)


def _add(path: str, value: Json = 0) -> Json:
    return {"op": "add", "path": path, "value": value}


def _remove(path: str) -> Json:
    return {"op": "remove", "path": path}


def _replace(path: str, value: Json) -> Json:
    return {"op": "replace", "path": path, "value": value}


def _move(source: str, path: str) -> Json:
    return {"op": "move", "from": source, "path": path}


def _copy(source: str, path: str) -> Json:
    return {"op": "copy", "from": source, "path": path}


def _test(path: str, value: Json) -> Json:
    return {"op": "test", "path": path, "value": value}


_LARGE: Json = {"a": [0] * 998}  # 1,000 values
_TO_4999 = (_copy("", "/b"), _copy("", "/c"), _copy("/a", "/d"))

_BOUNDARIES = (
    # Nothing to do; the document as a whole.
    _patched({"a": 1}, [], {"a": 1}, changed=False),
    _patched({}, [_add("", [7]), _add("/1", "é")], [7, "é"]),
    _patched(None, [_replace("", None)], None, changed=False),
    _patched([1], [_replace("/0", True)], [True]),
    _patched({"a": 1, "b": 2}, [_remove("/a"), _add("/a", 1)], {"a": 1, "b": 2}, changed=False),
    # Pointers.
    _patched(
        {"": {"": 1}, "~1": 2, "/0": 3, "é😀": 4},
        [_test("/", {"": 1}), _test("//", 1), _test("/~01", 2), _test("/~10", 3), _test("/é😀", 4)],
        {"": {"": 1}, "~1": 2, "/0": 3, "é😀": 4},
        changed=False,
    ),
    _patched({"01": 1, "-": 2, "0": 3}, [_remove("/01"), _remove("/-")], {"0": 3}),
    # Adding: members set or replaced, elements inserted or appended.
    _patched({"a": 1}, [_add("/a", None), _add("/b", [])], {"a": None, "b": []}),
    _patched([1, 2], [_add("/1", 5), _add("/3", 6), _add("/-", 7)], [1, 5, 2, 6, 7]),
    _patched({"a": []}, [_add("/a/0", {}), _add("/a/0/-", 1)], {"a": [{"-": 1}]}),
    # Removing and replacing.
    _patched([1, [2, 3]], [_remove("/1/0"), _replace("/1/0", 4), _remove("/0")], [[4]]),
    _patched({"a": None}, [_test("/a", None), _copy("/a", "/b"), _remove("/a")], {"b": None}),
    # Moving: the path is looked up after the removal.
    _patched([1, 2], [_move("/0", "/0"), _test("", [1, 2])], [1, 2], changed=False),
    _patched([1, 2, 3], [_move("/0", "/2")], [2, 3, 1]),
    _patched([1, 2, 3], [_move("/2", "/0"), _move("/0", "/-")], [1, 2, 3], changed=False),
    _patched([[1], [2]], [_move("/0/0", "/1/0")], [[], [1, 2]]),
    _patched({"a": 1, "ab": {}}, [_move("/a", "/ab/c")], {"ab": {"c": 1}}),
    _patched({"a": {"b": 1}, "c": 2}, [_move("/a/b", "/a")], {"a": 1, "c": 2}),
    _patched({"a": [1]}, [_move("/a/0", "")], 1),
    _patched([], [_move("", "")], [], changed=False),
    # Copying: a copy of its own, also into itself.
    _patched({"a": [1]}, [_copy("/a", "/b"), _add("/a/-", 2)], {"a": [1, 2], "b": [1]}),
    _patched(
        {"b": 1}, [_copy("", "/a"), _copy("/a", "/a/c")], {"b": 1, "a": {"b": 1, "c": {"b": 1}}}
    ),
    _patched([1], [_copy("/0", "/0"), _copy("/1", "/-")], [1, 1, 1]),
    # Testing: types count, the order of members does not.
    _patched(
        {"x": {"a": 1, "b": [None]}},
        [_test("/x", {"b": [None], "a": 1})],
        {"x": {"a": 1, "b": [None]}},
        changed=False,
    ),
    _fails({"x": 1}, "test_failed", _test("/x", True)),
    _fails({"x": "1"}, "test_failed", _test("/x", 1)),
    _fails({"x": [1, 2]}, "test_failed", _test("/x", [2, 1])),
    _fails({"x": []}, "test_failed", _test("/x", {})),
    _fails({"x": 0}, "test_failed", _test("/x", False)),
    _fails({"x": {"a": None}}, "test_failed", _test("/x", {})),
    _fails({"x": 1}, "path_not_found", _test("/y", None)),
    # Members that an operation does not need.
    Case(
        {"doc": {}, "ops": [{**_add("/a"), "from": "~"}, {**_remove("/a"), "value": 1, "x": 1.5}]},
        {"doc": {}, "changed": False, "applied": 2},
    ),
    # Checks of all operations come before the first is applied.
    _fails({}, "bad_op", {"op": "add", "path": "~"}),
    _fails({}, "bad_op", {"op": "Test", "path": "", "value": {}}),
    _fails({}, "bad_op", {"op": "", "path": ""}),
    _fails({}, "bad_op", {"op": "replace", "path": "/a", "from": ""}),
    _fails({"a": 1}, "bad_op", {"op": "move", "path": "/a", "value": 1}),
    _fails({"a": 1}, "bad_op", _remove("/x"), {"op": "copy", "path": "/b"}),
    _fails({}, "bad_pointer", _remove(""), _add("x", 1)),
    _fails({"a": 1}, "bad_pointer", _test("/a~", 1)),
    _fails({"a": 1}, "bad_pointer", _test("/a~2", 1)),
    _fails({"a": 1}, "bad_pointer", _copy("a", "/b")),
    _fails({"a": 1}, "bad_pointer", _move("/a", "/b~~0")),
    _fails({}, "bad_pointer", _add("x"), {"op": "add", "path": ""}),
    _fails({}, "bad_op", {"op": "test", "path": ""}, _add("x")),
    # Errors that need no look at the document.
    _fails({}, "cannot_remove_root", _remove("")),
    _fails({"a": {}}, "move_into_self", _move("/a", "/a/b")),
    _fails({}, "move_into_self", _move("/a", "/a/b")),
    _fails([1], "move_into_self", _move("", "/-")),
    _fails([1], "move_into_self", _move("/01", "/01/0")),
    # Indices: which tokens are none, and which elements are not there.
    *(_fails([1], "bad_index", _remove("/" + t)) for t in ("00", "-1", "+0", "", "a", "0 ", "１")),
    _fails([1, 2], "bad_index", _add("/01", 3)),
    _fails([[1]], "bad_index", _add("/00/0", 3)),
    _fails([1], "bad_index", _move("/01", "/01")),
    _fails([1], "path_not_found", _remove("/-")),
    _fails([1], "path_not_found", _remove("/1")),
    _fails([1], "path_not_found", _replace("/-", 1)),
    _fails([1], "path_not_found", _replace("/1", 1)),
    _fails([1], "path_not_found", _add("/2", 1)),
    _fails([1], "path_not_found", _add("/99999999999999999999", 1)),
    _fails([[1]], "path_not_found", _add("/-/0", 1)),
    _fails([1], "path_not_found", _copy("/-", "/0")),
    _fails([1, 2, 3], "path_not_found", _move("/0", "/3")),
    _fails([[1], [2]], "path_not_found", _move("/0", "/1/0")),
    _fails([1], "path_not_found", _move("/-", "/-")),
    # Members that are not there, and values without members.
    _fails({"a": 1}, "path_not_found", _replace("/b", 1)),
    _fails({"a": 1}, "path_not_found", _add("/b/c", 1)),
    _fails({"a": 1}, "path_not_found", _add("/a/b", 1)),
    _fails({"a": "xyz"}, "path_not_found", _test("/a/0", "x")),
    _fails({"a": None}, "path_not_found", _add("/a/01", 1)),
    _fails({"a": 1}, "path_not_found", _move("/b", "/b")),
    _fails(5, "path_not_found", _remove("/0")),
    # Of two problems the first is reported: from before path, left before right.
    _fails({"a": []}, "path_not_found", _copy("/x", "/a/01")),
    _fails({"a": []}, "bad_index", _copy("/a/01", "/x/y")),
    _fails({"a": []}, "path_not_found", _move("/x", "/a/01")),
    _fails({"a": [{}]}, "path_not_found", _remove("/b/01")),
    _fails({"a": [[]]}, "path_not_found", _remove("/a/9/01")),
    _fails({"a": [{}]}, "bad_index", _remove("/a/x/b")),
    _fails({"a": 1}, "test_failed", _test("/a", 2), _remove("")),
    _fails({"a": 1}, "cannot_remove_root", _remove(""), _test("/a", 2)),
    # The size of the document: 5,000 values and not more, after every operation.
    _patched(_LARGE, [*_TO_4999, _add("/e"), _replace("", 1)], 1),
    _fails(_LARGE, "doc_too_large", *_TO_4999, _add("/e"), _add("/f"), _replace("", 1)),
    _fails(_LARGE, "doc_too_large", *_TO_4999, _copy("/b", "/e"), _remove("")),
    # Types count inside of objects and arrays too.
    _fails({"x": {"a": 1}}, "test_failed", _test("/x", {"a": True})),
    _fails({"x": [0]}, "test_failed", _test("/x", [False])),
    _patched({"a": {"b": 1}}, [_replace("/a", {"b": True})], {"a": {"b": True}}),
)

_OPERATION = Record(
    (
        required("op", Text(0, 1_000)),
        required("path", Text(0, 1_000)),
        absentable("value", Document("any JSON value within the limits of `doc`")),
        absentable("from", Text(0, 1_000)),
    )
)

FAMILY = Family(
    number=7,
    slug="json-patch",
    title="JSON pointer patch",
    category="csv-json",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("doc", _DOC, "The document."),
        required("ops", Array(_OPERATION, 0, 100), "The operations."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "bad_op",
            "`op` is not one of the six; or `value` is missing for `add`, `replace` or `test`; or "
            "`from` is missing for `move` or `copy`.",
        ),
        ErrorCode(
            "bad_pointer",
            "`path`, or the `from` of `move` or `copy`, is not empty and does not start with `/`, "
            "or contains a `~` without `0` or `1` directly after it.",
        ),
        ErrorCode("cannot_remove_root", "`remove` with an empty `path`."),
        ErrorCode(
            "move_into_self",
            "`move` where the tokens of `path` begin with all tokens of `from`, and go on.",
        ),
        ErrorCode(
            "bad_index",
            "A token that is taken in an array is neither an index as above nor `-`.",
        ),
        ErrorCode(
            "path_not_found",
            "A token finds nothing: there is no such member or element, the index of an added "
            "element is greater than the length of the array, `-` stands where it is not allowed, "
            "or the token is taken in a value that is no object and no array.",
        ),
        ErrorCode("test_failed", "`test` where the two values are not equal."),
        ErrorCode(
            "doc_too_large",
            "After the operation the document has more than 5000 values (itself and every element "
            "and member's value at any depth).",
        ),
    ),
    precedence=(
        "First all operations are checked, in order, for the errors 1 and 2; for one operation "
        "error 1 comes before error 2. If all pass, they are applied in order, and the first that "
        "fails decides. For one operation, the errors 3 and 4 come before any lookup; `from` is "
        "looked up before `path`; a lookup stops at the first token with error 5 or 6."
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_patched(
        {"a/b": [10, 20, 30], "k": {"n": 1}},
        [
            {"op": "move", "from": "/a~1b/0", "path": "/a~1b/2"},
            {"op": "add", "path": "/a~1b/-", "value": True},
            {"op": "copy", "from": "/k", "path": "/k/n"},
            {"op": "test", "path": "/k", "value": {"n": {"n": 1}}},
            {"op": "replace", "path": "/a~1b/1", "value": None},
        ],
        {"a/b": [20, None, 10, True], "k": {"n": {"n": 1}}},
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _patched(
            {"list": ["x", "y", "z"], "m~": {"é": 1}},
            [
                _move("/list/2", "/list/0"),
                _add("/list/3", [False]),
                _copy("/m~0", "/list/-"),
                _replace("/m~0/é", {"b": 1, "a": 2}),
                _test("/m~0", {"é": {"a": 2, "b": 1}}),
                _remove("/list/1"),
            ],
            {"list": ["z", "y", [False], {"é": 1}], "m~": {"é": {"b": 1, "a": 2}}},
        ),
        _fails({"a": [1, 2]}, "path_not_found", _add("/a/-", 3), _move("/a/0", "/a/3")),
    ),
    malformed=(
        {"doc": 1.5, "ops": []},
        {"doc": {"a": [1, 2.0]}, "ops": []},
        {"doc": nested(9, []), "ops": []},
        {"doc": ["e\u0301" * 500 + "a"], "ops": []},
        {"doc": {"a" * 101: 1}, "ops": []},
        {"doc": [[]] * 2_000, "ops": []},
        {"doc": {}, "ops": None},
        {"doc": {}, "ops": _add("/a")},
        {"doc": {}, "ops": ["add"]},
        {"doc": {}, "ops": [["add", "/a", 1]]},
        {"doc": {}, "ops": [{"path": "/a", "value": 1}]},
        {"doc": {}, "ops": [{"op": "add", "value": 1}]},
        {"doc": {}, "ops": [{"op": None, "path": ""}]},
        {"doc": {}, "ops": [{"op": "remove", "path": ["a"]}]},
        {"doc": {}, "ops": [{"op": "remove", "path": 0}]},
        {"doc": {}, "ops": [_remove("/" + "a" * 1_000)]},
        {"doc": {}, "ops": [{"op": "x" * 1_001, "path": ""}]},
        {"doc": {}, "ops": [_add("/a", 0.5)]},
        {"doc": {}, "ops": [_add("/a", nested(9, []))]},
        {"doc": {}, "ops": [{**_remove("/a"), "value": [1.0]}]},
        {"doc": {}, "ops": [{**_add("/a"), "from": None}]},
        {"doc": {}, "ops": [{**_copy("", "/a"), "from": 1}]},
        {"doc": {}, "ops": [_add("~"), {**_remove("/a"), "from": "a" * 1_001}]},
        {"doc": {}, "ops": [_test("", {})] * 101},
    ),
)
