"""Schema check: a document against a small schema language, with every violation listed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from kcb_core.codec import Json, canonical
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import MAX_INTEGER, Document, nested, optional, required

_SUMMARY = """\
Checks the JSON document `doc` against `schema` and lists all violations.

A schema is an object. Either its only member is `ref`, a string: it then stands for the schema that
`defs` has under this name. Or it has any of the following members, the keywords, or none. Each says
what its value must be, and which values of the document violate it.

For all values:

- `type`: one of the names `object`, `array`, `string`, `integer`, `boolean`, `null`, or an array of
  one or more of them. Violated by a value that is of none of these types. `true` and `false` are of
  the type `boolean` only. If `type` is violated, all other keywords of this schema are left out for
  this value.
- `enum`: an array of one or more values of any kind. Violated by a value that is equal to none of
  them.

For objects:

- `properties`: an object whose member values are schemas. A member of the checked object that has
  the name of one of them is checked against it.
- `required`: an array of strings, no two of them equal. Violated by each of these names that the
  object has no member for.
- `additional`: `true` or `false`. If it is `false`, violated by each member whose name is not in
  `properties`, by every member if there is no `properties`.

For arrays:

- `items`: a schema. Each element is checked against it.
- `min_items`, `max_items`: an integer, 0 or greater. Violated by fewer, by more elements.
- `unique_items`: `true` or `false`. If it is `true`, violated by an array of which two elements are
  equal.

For strings:

- `min_length`, `max_length`: an integer, 0 or greater. Violated by fewer, by more code points.

For integers:

- `minimum`, `maximum`: an integer. Violated by a smaller, by a greater integer.

Keywords for objects, arrays, strings or integers are ignored for values of other types. Two values
are equal if they have the same type and the same content; the order of elements counts, the order
of members does not. `true`, `1` and `"1"` are three different values."""

_RESULT = """\
An object with these members:

- `valid`: `true` if there are no violations, otherwise `false`.
- `violations`: an array of objects `{"path": p, "rule": r}`, where `r` is the violated keyword, in
  ascending order of `p` and then of `r`, both as strings by code point.

`p` says where: for `required` the missing member, for `additional` the member that is too much, for
all others the value that violates the keyword. It is the empty string for `doc` itself. For a
member or element it is the `p` of its object or array, then `/`, then the index in decimal or the
name, in which `~` is written `~0` and `/` is written `~1`."""

_RULES = """\
- The values in `enum` are not schemas, and the names in `properties` are not keywords.
- A schema may refer to itself through `properties` or `items`.
- A minimum may be greater than its maximum."""

_Violation: TypeAlias = tuple[str, str]

_TYPES = {
    dict: "object",
    list: "array",
    str: "string",
    int: "integer",
    bool: "boolean",
    type(None): "null",
}


def _evaluate(fields: Mapping[str, Any]) -> Json:
    schema, defs = fields["schema"], fields["defs"]
    refs = [name for each in (schema, *defs.values()) for name in _refs(each)]
    if not all(name in defs for name in refs):
        raise DomainError("unknown_ref")
    if any(_never_ends(name, defs) for name in defs):
        raise DomainError("ref_cycle")
    found = sorted(_violations(fields["doc"], schema, defs, ""))
    listed = [{"path": path, "rule": rule} for path, rule in found]
    return {"valid": not listed, "violations": listed}


def _refs(schema: Json) -> list[str]:
    """All names that a schema refers to; an error if something in it is no schema."""
    if not isinstance(schema, dict):
        raise DomainError("bad_schema")
    if "ref" in schema:
        if len(schema) > 1 or not isinstance(schema["ref"], str):
            raise DomainError("bad_schema")
        return [schema["ref"]]
    for keyword, value in schema.items():
        if keyword not in _VALUES or not _VALUES[keyword](value):
            raise DomainError("bad_schema")
    inner = [
        *schema.get("properties", {}).values(),
        *([schema["items"]] if "items" in schema else []),
    ]
    return [name for each in inner for name in _refs(each)]


def _never_ends(name: str, defs: Mapping[str, Any]) -> bool:
    """Whether the schemas that refer from one to the next, from this one on, form a ring."""
    seen = {name}
    while (following := defs[name].get("ref")) is not None:
        if following in seen:
            return True
        seen.add(following)
        name = following
    return False


def _violations(
    value: Json, schema: Mapping[str, Any], defs: Mapping[str, Any], path: str
) -> Iterator[_Violation]:
    while "ref" in schema:
        schema = defs[schema["ref"]]
    types = schema.get("type", list(_TYPES.values()))
    if _TYPES[type(value)] not in ([types] if isinstance(types, str) else types):
        yield path, "type"
        return
    if "enum" in schema and not any(_equal(value, allowed) for allowed in schema["enum"]):
        yield path, "enum"
    if isinstance(value, dict):
        yield from _of_object(value, schema, defs, path)
    elif isinstance(value, list):
        yield from _of_array(value, schema, defs, path)
    elif isinstance(value, str):
        yield from _bounds(len(value), schema, path, "min_length", "max_length")
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from _bounds(value, schema, path, "minimum", "maximum")


def _of_object(
    value: Mapping[str, Json], schema: Mapping[str, Any], defs: Mapping[str, Any], path: str
) -> Iterator[_Violation]:
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            yield _below(path, name), "required"
    for name, member in value.items():
        if name in properties:
            yield from _violations(member, properties[name], defs, _below(path, name))
        elif not schema.get("additional", True):
            yield _below(path, name), "additional"


def _of_array(
    value: Sequence[Json], schema: Mapping[str, Any], defs: Mapping[str, Any], path: str
) -> Iterator[_Violation]:
    yield from _bounds(len(value), schema, path, "min_items", "max_items")
    if schema.get("unique_items") and len(set(map(canonical, value))) < len(value):
        yield path, "unique_items"
    for index, element in enumerate(value):
        yield from _violations(element, schema.get("items", {}), defs, f"{path}/{index}")


def _bounds(
    number: int, schema: Mapping[str, Any], path: str, low: str, high: str
) -> Iterator[_Violation]:
    if number < schema.get(low, number):
        yield path, low
    if number > schema.get(high, number):
        yield path, high


def _below(path: str, name: str) -> str:
    return path + "/" + name.replace("~", "~0").replace("/", "~1")


def _equal(left: Json, right: Json) -> bool:
    return canonical(left) == canonical(right)


def _is_integer(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: Json) -> bool:
    return _is_integer(value) and value >= 0


def _is_boolean(value: Json) -> bool:
    return isinstance(value, bool)


def _is_type(value: Json) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(n, str) and n in _TYPES.values() for n in names)


def _are_names(value: Json) -> bool:
    strings = isinstance(value, list) and all(isinstance(name, str) for name in value)
    return strings and len(set(value)) == len(value)


# What the value of each keyword must be; for `items` it is a schema and looked at as one.
_VALUES: dict[str, Callable[[Json], bool]] = {
    "type": _is_type,
    "enum": lambda value: isinstance(value, list) and bool(value),
    "properties": lambda value: isinstance(value, dict),
    "required": _are_names,
    "additional": _is_boolean,
    "items": lambda value: True,
    "min_items": _is_count,
    "max_items": _is_count,
    "unique_items": _is_boolean,
    "min_length": _is_count,
    "max_length": _is_count,
    "minimum": _is_integer,
    "maximum": _is_integer,
}


# Objects where they can be, so that most of them suit a schema too.
_VALID: tuple[Json, ...] = (
    *({}, None, False, 0, -MAX_INTEGER, "", []),
    {"": None, "é😀": [True, MAX_INTEGER, "😀" * 1_000], "😀" * 100: {}},
    nested(8, {}),
    {"a": [0] * 1_998},
)
_INVALID: tuple[Json, ...] = (
    *(1.5, {"a": [2.0]}),
    nested(9, {}),
    {"a": ["a" * 1_001]},
    {"a" * 101: 0},
    {"a": [0] * 1_999},
)
_DOC = Document(valid=_VALID, invalid=_INVALID)
_LIKE_DOC = Document("an object within the limits of `doc`", True, _VALID, _INVALID)


def _generate(rng: random.Random) -> dict[str, Json]:
    doc = _draw_value(rng, 3)
    schema = _draw_schema(rng, doc, 2)
    defs: dict[str, Json] = {}
    if rng.random() < 0.75:
        defs = {name: _draw_schema(rng, doc, 1) for name in rng.sample(_DEFS, rng.randint(1, 3))}
        names = list(defs)
        schema = _draw_refs(rng, schema, names)
        if len(names) > 1:
            defs[names[0]] = rng.choice([{"ref": names[1]}, {"items": {"ref": names[0]}}, {}])
    chance = rng.random()
    if chance < 0.09:
        name, fault = rng.choice(["new", *defs]), rng.choice(_FAULTS)
        defs[name] = rng.choice([fault, {"properties": {"a": fault}}, {"items": fault}])
    elif chance < 0.17:
        defs["new"] = rng.choice([{"ref": "nowhere"}, {"items": {"ref": "type"}}])
    elif chance < 0.25:
        defs |= rng.choice([{"x": {"ref": "x"}}, {"x": {"ref": "y"}, "y": {"ref": "x"}}])
    return {"doc": doc, "schema": schema, **({"defs": defs} if defs else {})}


def _draw_refs(
    rng: random.Random, schema: dict[str, Json], names: Sequence[str]
) -> dict[str, Json]:
    """A schema in which something refers to one of the names."""
    ref: Json = {"ref": rng.choice(names)}
    if rng.random() < 0.2:
        return {"ref": names[0]}
    if "properties" in schema:
        name = rng.choice([*schema["properties"], *_NAMES])
        return {**schema, "properties": {**schema["properties"], name: ref}}
    return {**schema, "items": ref}


def _draw_schema(rng: random.Random, value: Json, depth: int) -> dict[str, Json]:
    """Keywords that mostly fit the value, or nearly."""
    drawn: dict[str, Json] = {}
    own = _TYPES[type(value)]
    if rng.random() < 0.4:
        other = rng.choice(list(_TYPES.values()))
        drawn["type"] = rng.choice([own, own, [other, own], [own], other])
    if rng.random() < 0.15:
        drawn["enum"] = [rng.choice(_SCALARS), rng.choice([value, 1, []]), rng.choice(_SCALARS)]
    if isinstance(value, dict) or rng.random() < 0.1:
        drawn |= _draw_object_keywords(rng, value if isinstance(value, dict) else {}, depth)
    if isinstance(value, list) or rng.random() < 0.1:
        size = len(value) if isinstance(value, list) else 1
        drawn |= _draw_bounds(rng, "min_items", "max_items", size)
        if rng.random() < 0.4:
            drawn["unique_items"] = rng.random() < 0.8
        if depth > 0 and rng.random() < 0.6:
            element = rng.choice(value) if isinstance(value, list) and value else 0
            drawn["items"] = _draw_schema(rng, element, depth - 1)
    if isinstance(value, str) or rng.random() < 0.1:
        size = len(value) if isinstance(value, str) else 1
        drawn |= _draw_bounds(rng, "min_length", "max_length", size)
    if _is_integer(value) or rng.random() < 0.1:
        drawn |= _draw_bounds(rng, "minimum", "maximum", value if _is_integer(value) else 1)
    return drawn


def _draw_object_keywords(
    rng: random.Random, value: Mapping[str, Json], depth: int
) -> dict[str, Json]:
    drawn: dict[str, Json] = {}
    if depth > 0 and rng.random() < 0.8:
        names = [name for name in value if rng.random() < 0.8]
        drawn["properties"] = {name: _draw_schema(rng, value[name], depth - 1) for name in names}
    if rng.random() < 0.5:
        drawn["required"] = rng.sample([*value, *(n for n in _NAMES if n not in value)], 2)
    if rng.random() < 0.5:
        drawn["additional"] = rng.random() < 0.3
    return drawn


def _draw_bounds(rng: random.Random, low: str, high: str, size: int) -> dict[str, Json]:
    drawn: dict[str, Json] = {}
    if rng.random() < 0.4:
        drawn[low] = size + rng.choice([-1, 0, 0, 1]) if size > 0 else rng.choice([0, 1])
    if rng.random() < 0.4:
        drawn[high] = max(0, size) + rng.choice([0, 0, 1]) - (size > 0 and rng.random() < 0.3)
    return drawn


def _draw_value(rng: random.Random, depth: int) -> Json:
    chance = rng.random()
    if depth > 0 and chance < 0.35:
        values = [_draw_value(rng, depth - 1) for _ in range(rng.randint(0, 4))]
        return values + rng.sample(values, min(len(values), rng.choice([0, 0, 1])))
    if depth > 0 and (chance < 0.75 or depth == 3):
        names = rng.sample(_NAMES, rng.randint(0, 4))
        return {name: _draw_value(rng, depth - 1) for name in names}
    return rng.choice(_SCALARS)


_NAMES = ("a", "b", "a/b", "~", "~1", "", "é", "e\u0301", "ref", "type", "0", "ｚ", "𝒳")
_DEFS = ("node", "leaf", "é", "a/b", "ref")
_SCALARS = (None, True, False, 0, 1, -5, 7, MAX_INTEGER - 1, "", "1", "ab", "e\u0301", "𝒳𝒳", "Öl")

_FAULTS: tuple[Json, ...] = (
    *(None, [], "string", {"kind": 1}, {"Type": "string"}, {"type": "number"}, {"type": []}),
    *({"enum": []}, {"required": ["a", "a"]}, {"required": [1]}, {"additional": 0}),
    *({"min_items": -1}, {"max_length": True}, {"minimum": "1"}, {"unique_items": None}),
    *({"ref": 1}, {"ref": "node", "type": "null"}, {"properties": []}, {"items": [{}]}),
)


def _checked(doc: Json, schema: Json, *violations: str, **defs: Json) -> Case:
    """A case whose violations are each a path, a space, and a rule."""
    pairs = [violation.rsplit(" ", 1) for violation in violations]
    fields = {"doc": doc, "schema": schema, **({"defs": defs} if defs else {})}
    listed = [{"path": path, "rule": rule} for path, rule in pairs]
    return Case(fields, {"valid": not violations, "violations": listed})


def _fails(error: str, schema: Json, **defs: Json) -> Case:
    return Case({"doc": 1, "schema": schema, **({"defs": defs} if defs else {})}, error=error)


_NO_SCHEMAS: tuple[Json, ...] = (
    *({"kind": 1}, {"Type": "null"}, {"type": "number"}, {"type": []}, {"type": None}),
    *({"type": ["string", 1]}, {"type": [["null"]]}, {"enum": []}, {"enum": {"a": 1}}),
    *({"properties": []}, {"properties": {"a": 1}}, {"properties": {"a": {"x": 1}}}),
    *({"required": "a"}, {"required": [1]}, {"required": ["a", "b", "a"]}),
    *({"additional": 0}, {"additional": {}}, {"items": [{}]}, {"items": {"items": None}}),
    *({"min_items": -1}, {"max_items": True}, {"min_length": "1"}, {"max_length": None}),
    *({"minimum": False}, {"maximum": [1]}, {"unique_items": 1}, {"ref": 1}, {"ref": None}),
)

_BOUNDARIES = (
    # Types: all six, one or several, and what follows from a wrong one.
    _checked([1], {}),
    _checked(
        {"a": {}, "b": [], "c": "", "d": 0, "e": False, "f": None},
        {
            "properties": {
                "a": {"type": "object"},
                "b": {"type": "array"},
                "c": {"type": "string"},
                "d": {"type": "integer"},
                "e": {"type": "boolean"},
                "f": {"type": ["null", "null"]},
            }
        },
    ),
    _checked([True, 1], {"items": {"type": "integer"}}, "/0 type"),
    _checked([True, 0], {"items": {"type": "boolean"}}, "/1 type"),
    _checked(True, {"type": ["integer", "null"], "enum": [1]}, " type"),
    _checked(
        {"a": 1},
        {
            "type": ["array", "string"],
            "enum": [1],
            "required": ["b"],
            "additional": False,
            "properties": {"a": {"type": "null"}},
        },
        " type",
    ),
    # Enumerations: strict equality; nothing else is left out.
    _checked([1, True, {"a": 1}, {"a": True}], {"unique_items": True, "enum": [[]]}, " enum"),
    _checked({"a": 1}, {"enum": [{}], "properties": {"a": {"type": "null"}}}, " enum", "/a type"),
    _checked(1, {"enum": [True, "1", [1]]}, " enum"),
    _checked({"a": 1, "b": [None]}, {"enum": [0, {"b": [None], "a": 1}]}),
    _checked([1, 2], {"enum": [[2, 1]]}, " enum"),
    _checked({"kind": 1}, {"enum": [{"ref": "no"}, {"kind": 1}]}),
    # Limits: exactly at them, and beyond them.
    _checked(
        {"a": "𝒳𝒳", "b": "e\u0301"},
        {
            "properties": {
                "a": {"min_length": 2, "max_length": 2},
                "b": {"min_length": 3, "max_length": 1},
            }
        },
        "/b max_length",
        "/b min_length",
    ),
    _checked(
        {"a": -5, "b": 5},
        {"properties": {"a": {"minimum": -5, "maximum": -5}, "b": {"minimum": 6, "maximum": 4}}},
        "/b maximum",
        "/b minimum",
    ),
    _checked(
        {"a": [0], "b": [0], "c": []},
        {
            "properties": {
                "a": {"min_items": 1, "max_items": 1},
                "b": {"min_items": 2, "max_items": 0},
                "c": {"min_items": 0, "max_items": 0},
            }
        },
        "/b max_items",
        "/b min_items",
    ),
    # Keywords for other types are ignored.
    _checked(
        "abc",
        {
            **{"minimum": 9, "min_items": 5, "required": ["x"], "additional": False},
            **{"properties": {"a": {}}, "items": {"type": "null"}, "unique_items": True},
        },
    ),
    _checked(True, {"minimum": 2, "min_length": 9, "max_items": 0}),
    _checked(7, {"max_length": 0, "max_items": 0, "required": ["a"]}),
    _checked({"a": 1}, {"max_length": 0, "max_items": 0, "maximum": 0, "items": {"type": "null"}}),
    _checked([1, 1], {"max_length": 0, "maximum": 0, "additional": False, "required": ["a"]}),
    # Required and additional members: the path is theirs.
    _checked(
        {},
        {"required": ["é", "~", "", "a/b"]},
        *("/ required", "/a~1b required", "/~0 required", "/é required"),
    ),
    _checked({"a": None}, {"required": ["a"], "type": "object"}),
    _checked({"a": 1, "~/": 2}, {"additional": False}, "/a additional", "/~0~1 additional"),
    _checked(
        {"a": 1, "b": 2},
        {"additional": False, "required": ["b", "c"], "properties": {"a": {"type": "string"}}},
        *("/a type", "/b additional", "/c required"),
    ),
    _checked({"a": 1, "b": 2}, {"additional": True, "properties": {"a": {}}}),
    _checked({"a/b": 5}, {"properties": {"a/b": {"maximum": 4, "min_length": 9}}}, "/a~1b maximum"),
    # Unique elements: strict equality, reported once.
    _checked([1, True, "1", [1], [True], None, {}], {"unique_items": True}),
    _checked([{"a": 1, "b": 2}, {"b": 2, "a": 1}, 3, 3], {"unique_items": True}, " unique_items"),
    _checked([2, 2], {"unique_items": False}),
    # The order of the violations: by code point, of the whole path and then of the rule.
    _checked(
        [1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1],
        {"items": {"maximum": 0}},
        *("/0 maximum", "/10 maximum", "/2 maximum"),
    ),
    _checked(
        {"𝒳": 1, "ｚ": 1, "a0": 1, "a-": 1, "a": {"b": 1}, "B": 1},
        {"additional": False, "properties": {"a": {"additional": False}}},
        *("/B additional", "/a- additional", "/a/b additional", "/a0 additional"),
        *("/ｚ additional", "/𝒳 additional"),
    ),
    # References: in a row, recursive, and names that only look like keywords.
    _checked(1, {"ref": "a"}, " type", a={"ref": "b"}, b={"type": "null"}),
    _checked(
        [[[1], []], 2],
        {"ref": "tree"},
        *("/0/0/0 type", "/1 type"),
        tree={"type": "array", "items": {"ref": "tree"}},
    ),
    _checked(
        {"ref": 1, "type": 2},
        {"properties": {"ref": {"type": "string"}, "type": {"ref": "properties"}}},
        *("/ref type", "/type enum"),
        properties={"enum": [1]},
    ),
    _checked({"a": 1}, {"additional": True, "minimum": -3, "required": []}),
    # Bad schemas, wherever they stand.
    *(_fails("bad_schema", fault) for fault in _NO_SCHEMAS),
    _fails("bad_schema", {"ref": "a", "type": "integer"}, a={}),
    _fails("bad_schema", {}, a=5),
    _fails("bad_schema", {}, a={"properties": {"b": {"items": {"minimum": None}}}}),
    # Each error before the next one.
    _fails("bad_schema", {}, z={"items": {"kind": 1}}, y={"ref": "q"}),
    _fails("bad_schema", {"ref": "q"}, a={"ref": "a"}, b=None),
    _fails("unknown_ref", {}, y={"ref": "q"}),
    _fails("unknown_ref", {"ref": "a"}),
    _fails("unknown_ref", {"type": "null", "items": {"ref": "A"}}, a={}),
    _fails("unknown_ref", {}, a={"ref": "a"}, b={"properties": {"x": {"ref": "c"}}}),
    _fails("ref_cycle", {}, y={"ref": "z"}, z={"ref": "y"}),
    _fails("ref_cycle", {"type": "null"}, a={"ref": "a"}),
    _fails("ref_cycle", {"ref": "d"}, a={"ref": "b"}, b={"ref": "c"}, c={"ref": "b"}, d={}),
)

FAMILY = Family(
    number=9,
    slug="schema-check",
    title="JSON document schema check",
    category="csv-json",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("doc", _DOC, "The document."),
        required(
            "schema",
            _LIKE_DOC,
            "The schema that `doc` is checked against.",
        ),
        optional(
            "defs",
            _LIKE_DOC,
            {},
            "Its member values are the schemas that `ref` can name. One that is not a schema is "
            "`bad_schema`, not `invalid_field`.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "bad_schema",
            "Something that must be a schema is none: it is not an object, or has an unknown "
            "member, or a keyword whose value is not what it must be, or a `ref` that is not a "
            "string or not the only member. This is tested for `schema`, all member values of "
            "`defs`, and all schemas in `properties` and `items` at any depth, used or not.",
        ),
        ErrorCode(
            "unknown_ref", "A `ref` in any of these schemas, used or not, is no name in `defs`."
        ),
        ErrorCode(
            "ref_cycle",
            "A schema in `defs`, used or not, is only a `ref`, and going from `ref` to `ref` never "
            "comes to a schema that is not only a `ref`.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_checked(
        {"name": "Öl", "tags": ["a", "a", 3], "child": {"tags": []}, "x": 1},
        {"ref": "node"},
        "/child/name required",
        "/child/tags min_items",
        "/name min_length",
        "/tags unique_items",
        "/tags/2 type",
        "/x additional",
        node={
            "type": "object",
            "required": ["name"],
            "additional": False,
            "properties": {
                "name": {"type": "string", "min_length": 3},
                "tags": {
                    "type": "array",
                    "unique_items": True,
                    "min_items": 1,
                    "items": {"type": "string"},
                },
                "child": {"ref": "node"},
            },
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _checked(
            {"id": True, "a/b": [{"n": 7}, {"n": "x", "m": 0}, {"n": 7}], "more": None},
            {
                "properties": {
                    "id": {"type": ["integer", "string"], "minimum": 1},
                    "a/b": {"items": {"ref": "entry"}, "unique_items": True, "max_items": 2},
                },
                "required": ["id", "to"],
            },
            "/a~1b max_items",
            "/a~1b unique_items",
            "/a~1b/0/n maximum",
            "/a~1b/1/m additional",
            "/a~1b/1/n enum",
            "/a~1b/2/n maximum",
            "/id type",
            "/to required",
            entry={
                "properties": {"n": {"maximum": 5, "enum": [7, "y"]}},
                "additional": False,
            },
        ),
        Case(
            {"doc": 1, "schema": {"minimum": 0}, "defs": {"a": {"items": {"min_items": -1}}}},
            error="bad_schema",
        ),
    ),
    malformed=(
        {"doc": 1.5, "schema": {}},
        {"doc": [1, {"a": 2.0}], "schema": {}},
        {"doc": nested(9, {}), "schema": {}},
        {"doc": ["e\u0301" * 500 + "a"], "schema": {}},
        {"doc": {"a" * 101: 1}, "schema": {}},
        {"doc": [[]] * 2_000, "schema": {}},
        {"doc": 1, "schema": None},
        {"doc": 1, "schema": True},
        {"doc": 1, "schema": [{}]},
        {"doc": 1, "schema": "integer"},
        {"doc": 1, "schema": {"minimum": 0.5}},
        {"doc": 1, "schema": {"minimum": 1.0}},
        {"doc": 1, "schema": {"enum": [1, 1.5]}},
        {"doc": 1, "schema": {"items": {"items": {"items": nested(6, {})}}}},
        {"doc": 1, "schema": {}, "defs": None},
        {"doc": 1, "schema": {}, "defs": []},
        {"doc": 1, "schema": {"kind": 1}, "defs": {"a": {"maximum": 1e2}}},
        {"doc": 1, "schema": {}, "defs": {"a" * 101: {}}},
    ),
)
