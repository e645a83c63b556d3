# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Computes a maximum flow, and the minimum cut that is nearest to the source."""

from collections import deque
from collections.abc import Callable
from typing import Any

_MAX_CAPACITY = 1_000_000

# A node and which of its two points.
_Point = tuple[str, str]
_Pair = tuple[str, str]


class _Network:
    """Points, and how much more can flow from each to each of its neighbours.

    No two arcs lead in opposite directions between the same points. So what can flow back along an
    arc is just what it carries.
    """

    def __init__(self) -> None:
        self._spare: dict[_Point, dict[_Point, int]] = {}

    def add_arc(self, start: _Point, end: _Point, capacity: int) -> None:
        """Add an arc that carries nothing yet."""
        self._spare.setdefault(start, {})[end] = capacity
        self._spare.setdefault(end, {})[start] = 0

    def fill(self, source: _Point, sink: _Point) -> int:
        """Make the flow a maximum one, and give how much it brings to the sink."""
        total = 0
        while path := self._shortest_path(source, sink):
            amount = min(self._spare[start][end] for start, end in path)
            for start, end in path:
                self._spare[start][end] -= amount
                self._spare[end][start] += amount
            total += amount
        return total

    def after(self, start: _Point) -> set[_Point]:
        """Give the points that can be reached from one by steps."""
        return set(self._origins(start))

    def before(self, end: _Point) -> set[_Point]:
        """Give the points from which one can be reached by steps."""
        found = {end}
        queue = deque([end])
        while queue:
            point = queue.popleft()
            # Whatever has a step to a point is its neighbour, and that works in both directions.
            for other in self._spare[point]:
                if other not in found and self._spare[other][point] > 0:
                    found.add(other)
                    queue.append(other)
        return found

    def _shortest_path(self, source: _Point, sink: _Point) -> list[tuple[_Point, _Point]]:
        """Give the steps of a shortest way, or none if there is no way."""
        origins = self._origins(source)
        path: list[tuple[_Point, _Point]] = []
        point: _Point | None = sink
        while point is not None and (origin := origins.get(point)) is not None:
            path.append((origin, point))
            point = origin
        return path

    def _origins(self, start: _Point) -> dict[_Point, _Point | None]:
        """Search in breadth, and give the point before each that was found."""
        origins: dict[_Point, _Point | None] = {start: None}
        queue = deque([start])
        while queue:
            point = queue.popleft()
            for other, spare in self._spare[point].items():
                if spare > 0 and other not in origins:
                    origins[other] = point
                    queue.append(other)
        return origins


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Compute the flow and the cut.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields) or _network_error(fields)
    if error is not None:
        return {"error": error}
    nodes: list[str] = sorted(fields["nodes"])
    node_caps: dict[str, int] = fields.get("node_caps", {})
    merged = _merged(fields["edges"])
    network = _network(nodes, node_caps, merged)
    source, sink = (fields["source"], "in"), (fields["sink"], "out")
    value = network.fill(source, sink)
    near = network.after(source)
    far = {(node, side) for node in nodes for side in ("in", "out")} - network.before(sink)
    cut_edges, cut_nodes = _cut(near, node_caps, merged)
    return {
        "result": {
            "value": value,
            "source_side": [node for node in nodes if (node, "in") in near],
            "cut_edges": [{"from": u, "to": v, "cap": merged[u, v]} for u, v in cut_edges],
            "cut_nodes": cut_nodes,
            "unique": (cut_edges, cut_nodes) == _cut(far, node_caps, merged),
        }
    }


def _network_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of valid fields that do not fit together, or `None` if they do."""
    known = set(fields["nodes"])
    source, sink = fields["source"], fields["sink"]
    if len(known) < len(fields["nodes"]):
        return {"code": "duplicate_node"}
    ends = (end for edge in fields["edges"] for end in (edge["from"], edge["to"]))
    if not known.issuperset((source, sink, *ends, *fields.get("node_caps", {}))):
        return {"code": "unknown_node"}
    if source == sink:
        return {"code": "same_endpoints"}
    return None


def _merged(edges: list[dict[str, Any]]) -> dict[_Pair, int]:
    """Add up the capacities of the edges from the same node to the same other node."""
    merged: dict[_Pair, int] = {}
    for edge in edges:
        pair = edge["from"], edge["to"]
        if pair[0] != pair[1]:
            merged[pair] = merged.get(pair, 0) + edge["cap"]
    return merged


def _network(nodes: list[str], node_caps: dict[str, int], merged: dict[_Pair, int]) -> _Network:
    """Make the network of the contract, without a flow."""
    # No more than all edges together can flow through a node, so an arc with this capacity
    # always has some to spare, like one without a limit.
    unlimited = sum(merged.values()) + 1
    network = _Network()
    for node in nodes:
        network.add_arc((node, "in"), (node, "out"), node_caps.get(node, unlimited))
    for (u, v), capacity in merged.items():
        network.add_arc((u, "out"), (v, "in"), capacity)
    return network


def _cut(
    points: set[_Point], node_caps: dict[str, int], merged: dict[_Pair, int]
) -> tuple[list[_Pair], list[str]]:
    """Give the edges and the nodes with a capacity above 0 that lead out of a set of points.

    Args:
        points: The points.
        node_caps: The capacities of nodes.
        merged: The capacities of edges.

    Returns:
        The edges and the nodes, both sorted.
    """
    cut_edges = sorted(
        (u, v)
        for (u, v), capacity in merged.items()
        if capacity > 0 and (u, "out") in points and (v, "in") not in points
    )
    cut_nodes = sorted(
        node
        for node, capacity in node_caps.items()
        if capacity > 0 and (node, "in") in points and (node, "out") not in points
    )
    return cut_edges, cut_nodes


def _is_name(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


def _is_capacity(value: Any) -> bool:
    """Tell whether a value is an integer that the contract allows; a boolean is none."""
    return type(value) is int and 0 <= value <= _MAX_CAPACITY


def _is_edge(value: Any) -> bool:
    """Tell whether a value is an edge that the contract allows."""
    return (
        isinstance(value, dict)
        and _is_name(value.get("from"))
        and _is_name(value.get("to"))
        and _is_capacity(value.get("cap"))
    )


def _is_array(value: Any, low: int, high: int, allows: Callable[[Any], bool]) -> bool:
    """Tell whether a value is an array of allowed elements whose length is in a range."""
    return isinstance(value, list) and low <= len(value) <= high and all(map(allows, value))


def _are_node_caps(value: Any) -> bool:
    """Tell whether a value is an object that the contract allows as capacities of nodes."""
    return (
        isinstance(value, dict)
        and len(value) <= 40
        and all(_is_name(name) and _is_capacity(capacity) for name, capacity in value.items())
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "nodes": lambda value: _is_array(value, 2, 40, _is_name),
    "edges": lambda value: _is_array(value, 0, 300, _is_edge),
    "node_caps": _are_node_caps,
    "source": _is_name,
    "sink": _is_name,
}
_REQUIRED = ("nodes", "edges", "source", "sink")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
