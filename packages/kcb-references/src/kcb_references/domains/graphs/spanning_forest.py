# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Chooses edges that form a minimum or maximum spanning forest, some of them required."""

from collections.abc import Callable
from typing import Any, NamedTuple

_OBJECTIVES = ("min", "max")
_MAX_WEIGHT = 1_000_000


class _Edge(NamedTuple):
    """An edge between two nodes, of which `a` is not the larger one."""

    a: str
    b: str
    weight: int
    required: bool


class _Groups:
    """The groups of nodes that edges connect."""

    def __init__(self, nodes: list[str]) -> None:
        self._parents = {node: node for node in nodes}
        self.count = len(nodes)

    def join(self, a: str, b: str) -> bool:
        """Connect two nodes, and tell whether they were not connected before."""
        a, b = self._root(a), self._root(b)
        if a == b:
            return False
        self._parents[a] = b
        self.count -= 1
        return True

    def _root(self, node: str) -> str:
        """Give the node that stands for the group of a node."""
        while (parent := self._parents[node]) != node:
            # Every second node on the way is tied to one further up, which keeps the ways short.
            self._parents[node] = self._parents[parent]
            node = parent
        return node


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Choose the edges.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    nodes: list[str] = fields["nodes"]
    known = set(nodes)
    if len(known) < len(nodes):
        return {"error": {"code": "duplicate_node"}}
    edges = [_edge(edge) for edge in fields["edges"]]
    if any(edge.a not in known or edge.b not in known for edge in edges):
        return {"error": {"code": "unknown_node"}}
    groups = _Groups(nodes)
    taken: list[_Edge] = []
    for edge in _ranking(edges, fields.get("objective", "min")):
        if groups.join(edge.a, edge.b):
            taken.append(edge)
        elif edge.required:
            return {"error": {"code": "required_cycle"}}
    return {
        "result": {
            "edges": [{"a": edge.a, "b": edge.b, "w": edge.weight} for edge in taken],
            "total": sum(edge.weight for edge in taken),
            "components": groups.count,
            "skipped": len(edges) - len(taken),
        }
    }


def _edge(edge: dict[str, Any]) -> _Edge:
    """Read a valid edge."""
    a, b = sorted((edge["u"], edge["v"]))
    return _Edge(a, b, edge["w"], edge.get("required", False))


def _ranking(edges: list[_Edge], objective: str) -> list[_Edge]:
    """Put the edges in the order in which they are looked at, those that are required first."""
    sign = 1 if objective == "min" else -1
    return sorted(edges, key=lambda edge: (not edge.required, sign * edge.weight, edge.a, edge.b))


def _is_name(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


def _is_edge(value: Any) -> bool:
    """Tell whether a value is an edge that the contract allows."""
    if not isinstance(value, dict):
        return False
    weight = value.get("w")
    return (
        _is_name(value.get("u"))
        and _is_name(value.get("v"))
        # A boolean is no integer.
        and type(weight) is int
        and -_MAX_WEIGHT <= weight <= _MAX_WEIGHT
        and isinstance(value.get("required", False), bool)
    )


def _is_array(value: Any, high: int, allows: Callable[[Any], bool]) -> bool:
    """Tell whether a value is an array of limited length whose elements are all allowed."""
    return isinstance(value, list) and len(value) <= high and all(map(allows, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "nodes": lambda value: _is_array(value, 200, _is_name),
    "edges": lambda value: _is_array(value, 1000, _is_edge),
    "objective": lambda value: value in _OBJECTIVES,
}
_REQUIRED = ("nodes", "edges")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
