# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Applies a list of operations, which name locations by pointers, to a JSON document."""

import re
from collections.abc import Callable
from typing import Any

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_INDEX = re.compile(r"0|[1-9][0-9]*")
_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*")
# The members that each operation needs besides `path`.
_NEEDED = {
    "add": "value",
    "remove": "path",
    "replace": "value",
    "move": "from",
    "copy": "from",
    "test": "value",
}
_MAX_VALUES = 5000


class _PatchError(Exception):
    """An operation cannot be carried out; the message is the code of the error."""


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Apply all operations to a document.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    ops: list[dict[str, Any]] = fields["ops"]
    doc = fields["doc"]
    try:
        for op in ops:
            _check(op)
        for op in ops:
            doc = _apply(doc, op)
    except _PatchError as patch_error:
        return {"error": {"code": str(patch_error)}}
    changed = not _is_equal(doc, fields["doc"])
    return {"result": {"doc": doc, "changed": changed, "applied": len(ops)}}


def _check(op: dict[str, Any]) -> None:
    """Look at an operation without a document.

    Args:
        op: An operation that the table of the contract allows.

    Raises:
        _PatchError: The operation is wrong in itself.
    """
    needed = _NEEDED.get(op["op"])
    if needed is None or needed not in op:
        raise _PatchError("bad_op")
    pointers = [op["path"]]
    if needed == "from":
        pointers.append(op["from"])
    if not all(map(_POINTER.fullmatch, pointers)):
        raise _PatchError("bad_pointer")


def _apply(doc: Any, op: dict[str, Any]) -> Any:
    """Apply an operation.

    No array and no object is ever changed: those on the way to a change are replaced by new ones,
    and all others can be shared by several documents and be at several places in one of them.

    Args:
        doc: The document before it.
        op: An operation that passed the check.

    Returns:
        The document after it.

    Raises:
        _PatchError: The operation cannot be carried out.
    """
    path = _tokens(op["path"])
    match op["op"]:
        case "add":
            doc = _add(doc, path, op["value"])
        case "remove":
            if not path:
                raise _PatchError("cannot_remove_root")
            doc = _remove(doc, path)
        case "replace":
            doc = _rebuild(_walk(doc, path)[:-1], path, op["value"])
        case "move":
            doc = _move(doc, _tokens(op["from"]), path)
        case "copy":
            doc = _add(doc, path, _walk(doc, _tokens(op["from"]))[-1])
        case "test":
            if not _is_equal(_walk(doc, path)[-1], op["value"]):
                raise _PatchError("test_failed")
    if _is_too_large(doc):
        raise _PatchError("doc_too_large")
    return doc


def _move(doc: Any, source: list[str], path: list[str]) -> Any:
    """Carry out a `move`."""
    if len(path) > len(source) and path[: len(source)] == source:
        raise _PatchError("move_into_self")
    value = _walk(doc, source)[-1]
    # The whole document can only be moved to where it is: every other place is inside of it.
    return doc if path == source else _add(_remove(doc, source), path, value)


def _add(doc: Any, path: list[str], value: Any) -> Any:
    """Give a document with a value added at a path."""
    if not path:
        return value
    *parents, last = path
    way = _walk(doc, parents)
    target = way.pop()
    if isinstance(target, dict):
        return _rebuild(way, parents, {**target, last: value})
    if not isinstance(target, list):
        raise _PatchError("path_not_found")
    index = len(target) if last == "-" else _index(last)
    if index > len(target):
        raise _PatchError("path_not_found")
    return _rebuild(way, parents, [*target[:index], value, *target[index:]])


def _remove(doc: Any, path: list[str]) -> Any:
    """Give a document without the value at a path, which is not the whole document."""
    *parents, last = path
    # The last value is what is removed; to walk to it shows that it is there.
    *way, target, _ = _walk(doc, path)
    if isinstance(target, dict):
        return _rebuild(
            way, parents, {name: value for name, value in target.items() if name != last}
        )
    index = int(last)
    return _rebuild(way, parents, target[:index] + target[index + 1 :])


def _tokens(pointer: str) -> list[str]:
    """Give the tokens of a pointer."""
    # The order of the two matters: `~01` is the token `~1`.
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def _walk(doc: Any, tokens: list[str]) -> list[Any]:
    """Look up tokens.

    Args:
        doc: A document.
        tokens: The tokens of a pointer.

    Returns:
        All values on the way, from the whole document to the value that was looked up.

    Raises:
        _PatchError: A token finds nothing.
    """
    way = [doc]
    for token in tokens:
        way.append(_child(way[-1], token))
    return way


def _child(value: Any, token: str) -> Any:
    """Give the member or element that a token finds."""
    if isinstance(value, dict) and token in value:
        return value[token]
    if isinstance(value, list) and token != "-":
        index = _index(token)
        if index < len(value):
            return value[index]
    raise _PatchError("path_not_found")


def _index(token: str) -> int:
    """Read a token as an index."""
    if not _INDEX.fullmatch(token):
        raise _PatchError("bad_index")
    return int(token)


def _rebuild(way: list[Any], tokens: list[str], value: Any) -> Any:
    """Put a value in the place of another one.

    Args:
        way: The values from the whole document to the array or object that holds the old value.
        tokens: The tokens that led from each of them to the next one, and to the old value.
        value: The new value.

    Returns:
        The new document.
    """
    for parent, token in zip(reversed(way), reversed(tokens), strict=True):
        if isinstance(parent, dict):
            value = {**parent, token: value}
        else:
            index = int(token)
            value = [*parent[:index], value, *parent[index + 1 :]]
    return value


def _is_equal(left: Any, right: Any) -> bool:
    """Tell whether two values are equal.

    It goes only as deep as both values do. One of them always is from the input, whose nesting is
    limited; the document itself can become much deeper.
    """
    # In Python `True == 1`.
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(
            _is_equal(value, right[name]) for name, value in left.items()
        )
    if isinstance(left, list):
        return len(left) == len(right) and all(map(_is_equal, left, right))
    return bool(left == right)


def _is_too_large(doc: Any) -> bool:
    """Tell whether a document has too many values."""
    pending = [doc]
    count = 0
    while pending:
        count += 1
        # What waits is counted at once, so that a large document is not walked through.
        if count + len(pending) - 1 > _MAX_VALUES:
            return True
        pending += _parts(pending.pop())
    return False


def _parts(item: Any) -> list[Any]:
    """Give the elements of an array or the values of the members of an object."""
    if isinstance(item, dict):
        return list(item.values())
    return item if isinstance(item, list) else []


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


def _is_text(value: Any) -> bool:
    """Tell whether a value is a string that the contract allows in an operation."""
    return isinstance(value, str) and len(value) <= 1000


_MEMBERS: dict[str, Callable[[Any], bool]] = {
    "op": _is_text,
    "path": _is_text,
    "value": _is_small_document,
    "from": _is_text,
}
_OPTIONAL_MEMBERS = ("value", "from")


def _is_operation(value: Any) -> bool:
    """Tell whether a value is an operation; all members must be valid, also those it ignores."""
    return isinstance(value, dict) and all(
        allows(value[name]) if name in value else name in _OPTIONAL_MEMBERS
        for name, allows in _MEMBERS.items()
    )


def _are_operations(value: Any) -> bool:
    """Tell whether a value is an array of operations that the contract allows."""
    return isinstance(value, list) and len(value) <= 100 and all(map(_is_operation, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "doc": _is_small_document,
    "ops": _are_operations,
}
_REQUIRED = ("doc", "ops")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
