# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Finds the parts of an undirected graph, and the nodes and edges that hold them together."""

from collections import Counter
from collections.abc import Callable
from typing import Any

_Graph = dict[str, set[str]]


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Analyse a graph.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    names: list[str] = fields["nodes"]
    edges: list[list[str]] = fields["edges"]
    if len(set(names)) < len(names):
        return {"error": {"code": "duplicate_node"}}
    if not set(names).issuperset(end for edge in edges for end in edge):
        return {"error": {"code": "unknown_node"}}
    return {"result": _analysis(names, edges)}


def _analysis(names: list[str], edges: list[list[str]]) -> dict[str, Any]:
    """Make the result of the contract."""
    # How many edges join two nodes, the smaller one first.
    counts = Counter((min(edge), max(edge)) for edge in edges if edge[0] != edge[1])
    graph = _graph(names, set(counts))
    search = _Search(graph)
    bridges = {pair for pair in search.separating if counts[pair] == 1}
    return {
        "components": _components(graph),
        "islands": _components(_graph(names, counts.keys() - bridges)),
        "articulation": sorted(search.articulation),
        "bridges": [list(pair) for pair in sorted(bridges)],
    }


def _graph(names: list[str], pairs: set[tuple[str, str]]) -> _Graph:
    """Give the neighbours of each node."""
    graph: _Graph = {name: set() for name in names}
    for a, b in pairs:
        graph[a].add(b)
        graph[b].add(a)
    return graph


def _components(graph: _Graph) -> list[list[str]]:
    """Give the components, each sorted, and sorted by their first nodes."""
    components: list[list[str]] = []
    seen: set[str] = set()
    # The search from the smallest node that is left finds the next component.
    for start in sorted(graph):
        if start in seen:
            continue
        seen.add(start)
        component = [start]
        for node in component:  # it grows on the way
            new = graph[node] - seen
            seen |= new
            component += new
        components.append(sorted(component))
    return components


class _Search:
    """A depth-first search of the whole graph.

    It is written without recursion, as a path can have more nodes than Python likes calls.

    Attributes:
        articulation: The articulation points.
        separating: The pairs of neighbours, the smaller one first, that are not connected in any
            other way than by the edges between them.
    """

    def __init__(self, graph: _Graph) -> None:
        self.articulation: set[str] = set()
        self.separating: set[tuple[str, str]] = set()
        self._graph = graph
        self._times: dict[str, int] = {}  # when each node was found, counted from 0
        for root in graph:
            if root not in self._times:
                self._search(root)

    def _search(self, root: str) -> None:
        """Search the component of a node that was not found yet."""
        parents: dict[str, str] = {}
        branches = 0  # of the tree, at its root
        found = [root]
        stack = [(root, iter(self._graph[root]))]
        self._times[root] = len(self._times)
        while stack:
            node, neighbours = stack[-1]
            child = next((other for other in neighbours if other not in self._times), None)
            if child is None:
                stack.pop()
                continue
            parents[child] = node
            branches += node == root
            self._times[child] = len(self._times)
            found.append(child)
            stack.append((child, iter(self._graph[child])))
        self._judge(found, parents)
        if branches > 1:
            self.articulation.add(root)

    def _judge(self, found: list[str], parents: dict[str, str]) -> None:
        """Find what separates a node and all below it in the tree of the search from the rest.

        Args:
            found: The nodes of the component, in the order in which they were found.
            parents: The node from which each of them but the first was found.
        """
        # The earliest node that can be reached from a node or from one below it, along an edge
        # that does not belong to the tree. Each node comes before its parent here.
        earliest = {node: self._times[node] for node in found}
        for node in reversed(found[1:]):
            parent = parents[node]
            others = self._graph[node] - {parent}
            # For a child this is later than `earliest` of the child, so it does no harm.
            earliest[node] = min([earliest[node], *(self._times[other] for other in others)])
            earliest[parent] = min(earliest[parent], earliest[node])
            if earliest[node] > self._times[parent]:
                self.separating.add((min(node, parent), max(node, parent)))
            if earliest[node] >= self._times[parent] and parent in parents:
                self.articulation.add(parent)


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
    "nodes": lambda value: _is_array(value, 200, _is_name),
    "edges": lambda value: _is_array(value, 600, _is_edge),
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
