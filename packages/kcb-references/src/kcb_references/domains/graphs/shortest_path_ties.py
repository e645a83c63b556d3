# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Finds the best walk between two nodes of a graph with weights, and counts its equals."""

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from typing import Any

# The neighbours of each node, with the weight of the lightest edge that leads there.
_Graph = dict[str, dict[str, int]]
# The cost of a walk and the number of its edges: the smaller one is the better.
_Length = tuple[int, int]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Find the best walk.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields) or _graph_error(fields)
    if error is not None:
        return {"error": error}
    source, target = fields["source"], fields["target"]
    graph = _graph(fields)
    lengths = _lengths(graph, source)
    if target not in lengths:
        return {"error": {"code": "no_path"}}
    counts = _counts(graph, lengths, target)
    cost, hops = lengths[target]
    return {
        "result": {
            "cost": cost,
            "hops": hops,
            "path": _first_path(graph, lengths, counts, source, target),
            "ties": counts[source],
            "reachable": len(lengths),
        }
    }


def _graph_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of valid fields that do not fit together, or `None` if they do."""
    known, avoid = set(fields["nodes"]), fields.get("avoid", [])
    source, target = fields["source"], fields["target"]
    if len(known) < len(fields["nodes"]):
        return {"code": "duplicate_node"}
    ends = (end for edge in fields["edges"] for end in (edge["from"], edge["to"]))
    if not known.issuperset((source, target, *ends, *avoid)):
        return {"code": "unknown_node"}
    if source in avoid or target in avoid:
        return {"code": "avoided_endpoint"}
    return None


def _graph(fields: dict[str, Any]) -> _Graph:
    """Make the graph without the nodes that are to be avoided."""
    avoid = set(fields.get("avoid", []))
    graph: _Graph = {name: {} for name in fields["nodes"] if name not in avoid}
    directed = fields.get("directed", True)
    for edge in fields["edges"]:
        start, end, weight = edge["from"], edge["to"], edge["weight"]
        if start in avoid or end in avoid:
            continue
        graph[start][end] = min(weight, graph[start].get(end, weight))
        if not directed:
            graph[end][start] = min(weight, graph[end].get(start, weight))
    return graph


def _lengths(graph: _Graph, source: str) -> dict[str, _Length]:
    """Give the length of the best walks from one node to each node that can be reached.

    Args:
        graph: The graph.
        source: The node.

    Returns:
        The lengths, in ascending order.
    """
    done: dict[str, _Length] = {}
    heap: list[tuple[int, int, str]] = [(0, 0, source)]
    while heap:
        cost, hops, node = heappop(heap)
        if node in done:
            continue
        done[node] = (cost, hops)
        for after, weight in graph[node].items():
            if after not in done:
                heappush(heap, (cost + weight, hops + 1, after))
    return done


def _counts(graph: _Graph, lengths: dict[str, _Length], target: str) -> dict[str, int]:
    """Count from each node the ways to go on to the target on a best walk.

    Every best walk gets longer with each edge, be it by the number of edges only. So from the
    longest to the shortest, a node comes after all that may follow it.

    Args:
        graph: The graph.
        lengths: The length of the best walks from the source to each node, in ascending order.
        target: The target.

    Returns:
        The count for each node. It is 0 if no best walk to the target leads through the node.
    """
    counts: dict[str, int] = {}
    for node in reversed(lengths):
        followers = _followers(graph, lengths, node)
        counts[node] = int(node == target) + sum(counts[after] for after in followers)
    return counts


def _first_path(
    graph: _Graph,
    lengths: dict[str, _Length],
    counts: dict[str, int],
    source: str,
    target: str,
) -> list[str]:
    """Give the best walk whose names come first."""
    path = [source]
    while path[-1] != target:
        followers = _followers(graph, lengths, path[-1])
        path.append(min(after for after in followers if counts[after]))
    return path


def _followers(graph: _Graph, lengths: dict[str, _Length], node: str) -> Iterable[str]:
    """Give the nodes to which a best walk can go on from a node."""
    cost, hops = lengths[node]
    for after, weight in graph[node].items():
        if lengths[after] == (cost + weight, hops + 1):
            yield after


def _is_name(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


def _is_edge(value: Any) -> bool:
    """Tell whether a value is an edge that the contract allows."""
    if not isinstance(value, dict):
        return False
    weight = value.get("weight")
    return (
        _is_name(value.get("from"))
        and _is_name(value.get("to"))
        # A boolean is no integer.
        and type(weight) is int
        and 0 <= weight <= 1_000_000
    )


def _is_array(value: Any, low: int, high: int, allows: Callable[[Any], bool]) -> bool:
    """Tell whether a value is an array of allowed elements whose length is in a range."""
    return isinstance(value, list) and low <= len(value) <= high and all(map(allows, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "nodes": lambda value: _is_array(value, 1, 100, _is_name),
    "edges": lambda value: _is_array(value, 0, 500, _is_edge),
    "source": _is_name,
    "target": _is_name,
    "directed": lambda value: isinstance(value, bool),
    "avoid": lambda value: _is_array(value, 0, 100, _is_name),
}
_REQUIRED = ("nodes", "edges", "source", "target")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
