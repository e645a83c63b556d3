# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Checks a JSON document against a schema and lists all violations."""

import json
from collections.abc import Callable, Iterator
from typing import Any

_Schema = dict[str, Any]
_Violation = tuple[str, str]
_NOTHING: dict[str, Any] = {}
_ENCODER = json.JSONEncoder(sort_keys=True)


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Check a document.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    schema: _Schema = fields["schema"]
    defs: dict[str, Any] = fields.get("defs", _NOTHING)
    error = _schema_error([schema, *defs.values()], defs)
    if error is not None:
        return {"error": error}
    violations = sorted(_Checker(defs).violations(fields["doc"], schema, ""))
    return {
        "result": {
            "valid": not violations,
            "violations": [{"path": path, "rule": rule} for path, rule in violations],
        }
    }


# ------------------------------------------------------------------------------------ the schemas


def _schema_error(schemas: list[Any], defs: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of values that must be schemas, or `None` if they are as they must be.

    Args:
        schemas: All values that must be schemas, without those inside of them.
        defs: Those of them that have a name.

    Returns:
        The error of the contract.
    """
    # The nesting of all these values is limited, so that recursion is no danger.
    if not all(map(_is_schema, schemas)):
        return {"code": "bad_schema"}
    if any(name not in defs for schema in schemas for name in _refs(schema)):
        return {"code": "unknown_ref"}
    if any(_is_cyclic(schema, defs) for schema in defs.values()):
        return {"code": "ref_cycle"}
    return None


def _is_schema(value: Any) -> bool:
    """Tell whether a value is a schema, with all schemas inside of it."""
    if not isinstance(value, dict):
        return False
    if "ref" in value:
        return len(value) == 1 and isinstance(value["ref"], str)
    return all(name in _KEYWORDS and _KEYWORDS[name](item) for name, item in value.items())


def _refs(schema: _Schema) -> Iterator[str]:
    """Give all names that a schema and the schemas inside of it refer to."""
    if "ref" in schema:
        yield schema["ref"]
    for inner in schema.get("properties", _NOTHING).values():
        yield from _refs(inner)
    if "items" in schema:
        yield from _refs(schema["items"])


def _is_cyclic(schema: _Schema, defs: dict[str, Any]) -> bool:
    """Tell whether to follow a schema from `ref` to `ref` never comes to an end."""
    # A way without a cycle has each definition at most once.
    for _ in range(len(defs) + 1):
        if "ref" not in schema:
            return False
        schema = defs[schema["ref"]]
    return True


def _are_types(value: Any) -> bool:
    """Tell whether a value is one that `type` may have."""
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(name, str) and name in _TYPES for name in names)


def _are_names(value: Any) -> bool:
    """Tell whether a value is an array of different strings."""
    return (
        isinstance(value, list)
        and all(isinstance(name, str) for name in value)
        and len(set(value)) == len(value)
    )


def _are_schemas(value: Any) -> bool:
    """Tell whether a value is an object whose member values are schemas."""
    return isinstance(value, dict) and all(map(_is_schema, value.values()))


def _is_boolean(value: Any) -> bool:
    """Tell whether a value is `true` or `false`."""
    return isinstance(value, bool)


def _is_integer(value: Any) -> bool:
    """Tell whether a value is an integer; a boolean is none."""
    return type(value) is int


def _is_count(value: Any) -> bool:
    """Tell whether a value is an integer that is not negative."""
    return _is_integer(value) and value >= 0


_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": _is_integer,
    "boolean": _is_boolean,
    "null": lambda value: value is None,
}
# What the value of each keyword must be.
_KEYWORDS: dict[str, Callable[[Any], bool]] = {
    "type": _are_types,
    "enum": lambda value: isinstance(value, list) and bool(value),
    "properties": _are_schemas,
    "required": _are_names,
    "additional": _is_boolean,
    "items": _is_schema,
    "min_items": _is_count,
    "max_items": _is_count,
    "unique_items": _is_boolean,
    "min_length": _is_count,
    "max_length": _is_count,
    "minimum": _is_integer,
    "maximum": _is_integer,
}


# -------------------------------------------------------------------------------------- the check


class _Checker:
    """Checks values against schemas that can refer to definitions."""

    def __init__(self, defs: dict[str, Any]) -> None:
        self._defs = defs
        # By the identity of the array; all of them live as long as the request.
        self._enums: dict[int, frozenset[str]] = {}

    def violations(self, value: Any, schema: _Schema, path: str) -> Iterator[_Violation]:
        """Give the violations of a schema.

        Args:
            value: A value of the document.
            schema: A schema without errors.
            path: Where the value is.

        Yields:
            The path and the keyword of each violation, in any order.
        """
        while "ref" in schema:
            schema = self._defs[schema["ref"]]
        if "type" in schema and not _has_type(value, schema["type"]):
            yield path, "type"
            return
        if "enum" in schema and _canonical(value) not in self._enum(schema["enum"]):
            yield path, "enum"
        if isinstance(value, dict):
            yield from self._of_object(value, schema, path)
        elif isinstance(value, list):
            yield from self._of_array(value, schema, path)
        elif isinstance(value, str):
            yield from _of_size(len(value), schema, path, "min_length", "max_length")
        elif _is_integer(value):
            yield from _of_size(value, schema, path, "minimum", "maximum")

    def _enum(self, values: list[Any]) -> frozenset[str]:
        """Give the canonical texts of the values of an `enum`.

        Each element of an array can be checked against the same one, so they are made only once.
        """
        if id(values) not in self._enums:
            self._enums[id(values)] = frozenset(map(_canonical, values))
        return self._enums[id(values)]

    def _of_object(self, value: dict[str, Any], schema: _Schema, path: str) -> Iterator[_Violation]:
        """Give the violations of an object and its members."""
        properties = schema.get("properties", _NOTHING)
        for name in schema.get("required", ()):
            if name not in value:
                yield _below(path, name), "required"
        for name, member in value.items():
            if name in properties:
                yield from self.violations(member, properties[name], _below(path, name))
            elif not schema.get("additional", True):
                yield _below(path, name), "additional"

    def _of_array(self, value: list[Any], schema: _Schema, path: str) -> Iterator[_Violation]:
        """Give the violations of an array and its elements."""
        yield from _of_size(len(value), schema, path, "min_items", "max_items")
        if schema.get("unique_items", False) and len(set(map(_canonical, value))) < len(value):
            yield path, "unique_items"
        if "items" in schema:
            for index, element in enumerate(value):
                yield from self.violations(element, schema["items"], _below(path, str(index)))


def _of_size(size: int, schema: _Schema, path: str, least: str, most: str) -> Iterator[_Violation]:
    """Give the violations of two keywords that limit a number."""
    if size < schema.get(least, size):
        yield path, least
    if size > schema.get(most, size):
        yield path, most


def _has_type(value: Any, types: str | list[str]) -> bool:
    """Tell whether a value has a type, or one of several types."""
    names = [types] if isinstance(types, str) else types
    return any(_TYPES[name](value) for name in names)


def _canonical(value: Any) -> str:
    """Give a text that is the same for equal values, and only for them.

    In a text `true`, `1` and `"1"` are different, and it can be put in a set.
    """
    return _ENCODER.encode(value)


def _below(path: str, name: str) -> str:
    """Give the path of a member or an element."""
    # The order of the two matters: the second one makes a `~` itself.
    return path + "/" + name.replace("~", "~0").replace("/", "~1")


# ------------------------------------------------------------------------------------- the fields


def _is_small_document(value: Any) -> bool:
    """Tell whether a value is within the limits that the contract has for JSON values.

    It goes from layer to layer, so that no nesting is too deep for it.
    """
    layer = [value]
    depth = count = 0
    while layer:
        count += len(layer)
        depth += any(isinstance(item, dict | list) for item in layer)
        if count > 2000 or depth > 8 or not all(map(_is_small_item, layer)):
            return False
        layer = [part for item in layer for part in _parts(item)]
    return True


def _is_small_item(item: Any) -> bool:
    """Tell whether a value is within the limits, not looking at what is in it."""
    if isinstance(item, dict):
        return all(len(name) <= 100 for name in item)
    if isinstance(item, str):
        return len(item) <= 1000
    if type(item) is int:
        return abs(item) < 2**53
    return item is None or isinstance(item, bool | list)


def _parts(item: Any) -> list[Any]:
    """Give the elements of an array or the values of the members of an object."""
    if isinstance(item, dict):
        return list(item.values())
    return item if isinstance(item, list) else []


def _is_small_object(value: Any) -> bool:
    """Tell whether a value is an object within the limits."""
    return isinstance(value, dict) and _is_small_document(value)


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "doc": _is_small_document,
    "schema": _is_small_object,
    "defs": _is_small_object,
}
_REQUIRED = ("doc", "schema")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
