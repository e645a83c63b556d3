# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Orders the nodes of a directed graph so that every edge leads forwards."""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Any

_TIES = ("name", "input")


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Order the nodes.

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
    edges = {(before, after) for before, after in fields["edges"]}
    if any(before not in known or after not in known for before, after in edges):
        return {"error": {"code": "unknown_node"}}
    # From here on a node is its rank: the smaller node has the smaller one, whatever the tie.
    names = nodes if fields.get("tie", "name") == "input" else sorted(nodes)
    ranks = {name: rank for rank, name in enumerate(names)}
    links = {(ranks[before], ranks[after]) for before, after in edges}
    order, levels = _sorted(len(names), links)
    if len(order) < len(names):
        return {"error": {"code": "cycle"}}
    return {
        "result": {
            "order": [names[node] for node in order],
            "levels": _grouped(names, levels),
            "unique": all(pair in links for pair in pairwise(order)),
        }
    }


def _sorted(count: int, links: set[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Put nodes in order, always the smallest that is available.

    Args:
        count: The number of nodes, which are the integers from 0 on.
        links: The edges, each once.

    Returns:
        The order, from which nodes are missing if there is a cycle; and the level of each node,
        which is right if there is none.
    """
    followers: list[list[int]] = [[] for _ in range(count)]
    missing = [0] * count
    for before, after in links:
        followers[before].append(after)
        missing[after] += 1
    levels = [0] * count
    available = [node for node in range(count) if missing[node] == 0]
    heapify(available)
    order: list[int] = []
    while available:
        node = heappop(available)
        order.append(node)
        for after in followers[node]:
            levels[after] = max(levels[after], levels[node] + 1)
            missing[after] -= 1
            if missing[after] == 0:
                heappush(available, after)
    return order, levels


def _grouped(names: list[str], levels: list[int]) -> list[list[str]]:
    """Put the names of each level together, in the order in which they are given."""
    # No level below the highest is empty: a longest path passes through all of them.
    groups: list[list[str]] = [[] for _ in range(max(levels, default=-1) + 1)]
    for name, level in zip(names, levels, strict=True):
        groups[level].append(name)
    return groups


def _is_name(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


def _is_edge(value: Any) -> bool:
    """Tell whether a value is an array of two names."""
    return isinstance(value, list) and len(value) == 2 and all(map(_is_name, value))


def _is_array(value: Any, high: int, allows: Callable[[Any], bool]) -> bool:
    """Tell whether a value is an array of limited length whose elements are all allowed."""
    return isinstance(value, list) and len(value) <= high and all(map(allows, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "nodes": lambda value: _is_array(value, 300, _is_name),
    "edges": lambda value: _is_array(value, 2000, _is_edge),
    "tie": lambda value: value in _TIES,
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
