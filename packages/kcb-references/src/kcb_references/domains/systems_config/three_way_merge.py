# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Merges two edited versions of a JSON document."""

from collections.abc import Callable, Iterable
from json import dumps
from typing import Any

_DEEPEST = 8
_MOST_VALUES = 2000
_LARGEST = 2**53 - 1
_STRATEGIES = ("ours", "theirs", "base")


class _Absent:
    """The type of what stands for nothing, which is no JSON value."""


_ABSENT = _Absent()
# The members of an object, or the elements of a keyed array under their keys. A key is a string or
# an integer, and no boolean, so Python tells the keys apart just as the contract does.
_Parts = dict[Any, Any]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Merge the documents.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    merger = _Merger(fields.get("strategy", "ours"), fields.get("array_key"))
    merged = merger.merge("", fields["base"], fields["ours"], fields["theirs"])
    conflicts = merger.conflicts
    if len(conflicts) > fields.get("max_conflicts", 1000):
        return {"error": {"code": "too_many_conflicts"}}
    return {
        "result": {
            "merged": merged,
            "clean": not conflicts,
            # No two conflicts are at one place, and no two places have one path.
            "conflicts": [{"path": path, "kind": conflicts[path]} for path in sorted(conflicts)],
        }
    }


class _Merger:
    """The merge of documents and the conflicts that it meets."""

    def __init__(self, strategy: str, array_key: str | None) -> None:
        self.conflicts: dict[str, str] = {}  # the kind of each under its path
        self._strategy = strategy
        self._array_key = array_key

    def merge(self, path: str, base: Any, ours: Any, theirs: Any) -> Any:
        """Merge what the documents have at a place.

        Args:
            path: The path of the place.
            base: What `base` has there, or the absent value.
            ours: What `ours` has there, or the absent value.
            theirs: What `theirs` has there, or the absent value.

        Returns:
            The merge, or the absent value.
        """
        if _equal(ours, theirs):
            return ours
        if _equal(ours, base):
            return theirs
        if _equal(theirs, base):
            return ours
        objects = _all_parts(_members, base, ours, theirs)
        if objects is not None:
            return self._merge_parts(objects, lambda name: f"{path}/{_escape(name)}")
        arrays = _all_parts(self._elements, base, ours, theirs)
        if arrays is not None:
            merged = self._merge_parts(
                arrays, lambda key: f"{path}/[{_escape(dumps(key, ensure_ascii=False))}]"
            )
            return list(merged.values())
        self.conflicts[path] = _kind(base, ours, theirs)
        return {"ours": ours, "theirs": theirs, "base": base}[self._strategy]

    def _merge_parts(self, parts: list[_Parts], path_of: Callable[[Any], str]) -> _Parts:
        """Merge the parts of three values.

        Args:
            parts: The parts of `base`, `ours` and `theirs`.
            path_of: Gives the path of the part under a name or key.

        Returns:
            The parts of the merge, first those that `ours` has.
        """
        _, ours, theirs = parts
        # What only `base` has is absent in the merge. A dict is a set that keeps its order.
        names: Iterable[Any] = dict.fromkeys([*ours, *theirs])
        merges = {
            name: self.merge(path_of(name), *(part.get(name, _ABSENT) for part in parts))
            for name in names
        }
        return {name: merge for name, merge in merges.items() if merge is not _ABSENT}

    def _elements(self, value: Any) -> _Parts | None:
        """Give the elements of a keyed array under their keys, or `None` if it is none."""
        if self._array_key is None or not isinstance(value, list):
            return None
        elements: _Parts = {}
        for element in value:
            key = element.get(self._array_key) if isinstance(element, dict) else None
            # `type` and not `isinstance`, for which a boolean is an integer.
            if type(key) not in (str, int) or key in elements:
                return None
            elements[key] = element
        return elements


def _members(value: Any) -> _Parts | None:
    """Give the members of an object, or `None` if it is none."""
    return value if isinstance(value, dict) else None


def _all_parts(
    parts_of: Callable[[Any], _Parts | None], base: Any, ours: Any, theirs: Any
) -> list[_Parts] | None:
    """Give the parts of three values, or `None` if one does not have such parts.

    An absent `base` has no parts, but the others may not be absent.
    """
    found = [{} if base is _ABSENT else parts_of(base), parts_of(ours), parts_of(theirs)]
    parts = [part for part in found if part is not None]
    return parts if len(parts) == len(found) else None


def _equal(one: Any, other: Any) -> bool:
    """Tell whether two values have the same type and content, or are both absent."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(
            _equal(value, other[name]) for name, value in one.items()
        )
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    return bool(one == other)


def _kind(base: Any, ours: Any, theirs: Any) -> str:
    """Give the kind of a conflict."""
    if ours is _ABSENT or theirs is _ABSENT:
        return "delete_modify"
    return "add_add" if base is _ABSENT else "both_changed"


def _escape(text: str) -> str:
    """Write a name or key as part of a path."""
    # The `~` first, because the other replacement brings in new ones.
    return text.replace("~", "~0").replace("/", "~1")


def _is_document(value: Any) -> bool:
    """Tell whether a value is a document within the limits of the contract."""
    # Level by level and not by recursion, so that no depth of the input can be too much.
    level = [value]
    count = 0
    depth = 0
    while level:
        count += len(level)
        if count > _MOST_VALUES or not all(map(_is_plain, level)):
            return False
        # Empty containers are as deep as others.
        depth += any(isinstance(item, (dict, list)) for item in level)
        if depth > _DEEPEST:
            return False
        level = [part for item in level for part in _children(item)]
    return True


def _children(value: Any) -> Iterable[Any]:
    """Give the elements of an array or the values of the members of an object."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _is_plain(value: Any) -> bool:
    """Tell whether a value is within the limits, whatever is in it."""
    if isinstance(value, str):
        return len(value) <= 1000
    if isinstance(value, dict):
        return all(len(name) <= 100 for name in value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return isinstance(value, int) and -_LARGEST <= value <= _LARGEST
    return True


def _is_array_key(value: Any) -> bool:
    """Tell whether a value is `null` or a string of 1 to 40 code points."""
    return value is None or (isinstance(value, str) and 1 <= len(value) <= 40)


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "base": _is_document,
    "ours": _is_document,
    "theirs": _is_document,
    "strategy": lambda value: value in _STRATEGIES,
    "array_key": _is_array_key,
    "max_conflicts": lambda value: type(value) is int and 0 <= value <= 1000,
}
_REQUIRED = ("base", "ours", "theirs")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
