"""Bridges and cuts: the components of an undirected graph, and what holds them together."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Fixed, label, required

_SUMMARY = """\
Analyses an undirected graph. An edge `[a, b]` joins the nodes `a` and `b`; `[b, a]` is the same. An
edge from a node to itself is a loop: all loops are ignored. Several edges can join the same two
nodes.

- A component is a set of nodes: one node together with all nodes that can be reached from it along
  edges. A node without edges is a component of its own.
- An articulation point is a node for which this is true: if the node and all its edges are removed,
  the graph that is left has more components than the whole graph.
- A bridge is an edge for which this is true: if this one edge is removed, the graph has more
  components than before. If two or more edges join the same two nodes, none of them is a bridge.
- The islands are the components of the graph that is left if all bridges are removed at once, and
  all nodes are kept."""

_RESULT = """\
An object with these members, in which each node is given by its name:

- `components`: an array with one array of nodes for each component.
- `islands`: the same for the islands.
- `articulation`: an array of the articulation points.
- `bridges`: an array with one array `[a, b]` for each bridge, a < b.

All arrays of names are sorted by code point. An array of arrays is sorted by their first elements,
then by their second elements."""

_RULES = """\
- Without nodes, all four arrays are empty.
- A node with only one neighbour is no articulation point, even if the edge to it is a bridge."""

_Pair = tuple[str, str]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    nodes, edges = fields["nodes"], fields["edges"]
    if len(set(nodes)) < len(nodes):
        raise DomainError("duplicate_node")
    if not set(nodes).issuperset(name for edge in edges for name in edge):
        raise DomainError("unknown_node")
    counts: Counter[_Pair] = Counter((min(edge), max(edge)) for edge in edges if edge[0] != edge[1])
    pairs = set(counts)
    components = _components(nodes, pairs)
    bridges = {
        pair
        for pair in pairs
        if counts[pair] == 1 and len(_components(nodes, pairs - {pair})) > len(components)
    }
    articulation = [
        name
        for name in sorted(nodes)
        if len(_components([n for n in nodes if n != name], pairs)) > len(components)
    ]
    return {
        "components": components,
        "islands": _components(nodes, pairs - bridges),
        "articulation": articulation,
        "bridges": [list(pair) for pair in sorted(bridges)],
    }


def _components(nodes: Sequence[str], pairs: Collection[_Pair]) -> list[list[str]]:
    """The components of a graph; pairs with a node that is not in it are left out."""
    neighbours: dict[str, set[str]] = {name: set() for name in nodes}
    for first, second in pairs:
        if first in neighbours and second in neighbours:
            neighbours[first].add(second)
            neighbours[second].add(first)
    components: list[list[str]] = []
    seen: set[str] = set()
    for name in nodes:
        if name not in seen:
            found, waiting = {name}, [name]
            while waiting:
                new = neighbours[waiting.pop()] - found
                found |= new
                waiting += new
            seen |= found
            components.append(sorted(found))
    return sorted(components)


def _generate(rng: random.Random) -> dict[str, Json]:
    nodes = rng.sample(_NAMES, rng.choice([3, 6, 8, 10, 12, 15]))
    edges = _draw_edges(rng, nodes)
    rng.shuffle(edges)
    fault = rng.random()
    if fault < 0.12:
        edges.insert(rng.randint(0, len(edges)), rng.sample([rng.choice(nodes), "no such"], 2))
    nodes = rng.sample(nodes, len(nodes))
    if 0.08 < fault < 0.22:
        nodes.insert(rng.randint(0, len(nodes)), rng.choice(nodes))
    return {"nodes": nodes, "edges": edges}


def _draw_edges(rng: random.Random, nodes: Sequence[str]) -> list[Json]:
    """Rings and cliques that are joined by bridges or at a common node, and some loops."""
    edges: list[Json] = []
    at = 0
    while at < len(nodes):
        part = nodes[max(0, at - rng.choice([0, 1])) : at + rng.choice([1, 1, 2, 3, 4])]
        edges += [list(pair) for pair in rng.choice(_SHAPES)(part)]
        if at and rng.random() < 0.6:
            edges.append([rng.choice(nodes[:at]), rng.choice(part)])
        at += len(part)
    for _ in range(rng.randint(0, 3)):
        edges.append(rng.choice([[rng.choice(nodes)] * 2, rng.choice(edges or [nodes[:2]])[::-1]]))
    return [rng.choice([edge, edge[::-1]]) for edge in edges]


def _path(nodes: Sequence[str]) -> list[_Pair]:
    return list(pairwise(nodes))


def _clique(nodes: Sequence[str]) -> list[_Pair]:
    return list(combinations(nodes, 2))


def _ring(nodes: Sequence[str]) -> list[_Pair]:
    return list(pairwise([*nodes, nodes[0]]))


_SHAPES = (_path, _clique, _ring)

# Code points, UTF-16 units and letters of a language are three different orders.
_NAMES = (
    *("a", "b", "B", "c", "Zürich", "z", "ab", "a b", "10", "9", " ", "é", "e\u0301", "ß", "ss"),
    *("ｚ", "\ufffd", "𐐨", "😀", "👍🏽", "дом", "日本"),
)


def _groups(text: str) -> list[Json]:
    """Arrays of names in short: `a b | c` for two of them."""
    return [group.split() for group in text.split("|") if group.strip()]


def _case(
    nodes: str, edges: str, components: str, islands: str, articulation: str, bridges: str
) -> Case:
    """A case whose names are words and whose edges are written `a-b`."""
    result = {
        "components": _groups(components),
        "islands": _groups(islands),
        "articulation": articulation.split(),
        "bridges": _edges(bridges),
    }
    return Case({"nodes": nodes.split(), "edges": _edges(edges)}, result)


def _error(code: str, nodes: str, edges: str) -> Case:
    return Case({"nodes": nodes.split(), "edges": _edges(edges)}, error=code)


def _edges(text: str) -> list[Json]:
    return [edge.split("-") for edge in text.split()]


_BOUNDARIES = (
    _case("ß b", "ß-b", "b ß", "b | ß", "", "b-ß"),
    _case("", "", "", "", "", ""),
    _case("b a", "", "a | b", "a | b", "", ""),
    # Paths, stars and trees: every edge is a bridge, and every node that is no end cuts.
    _case("c a b", "c-b b-a", "a b c", "a | b | c", "b", "a-b b-c"),
    _case("m a z b", "m-z a-m m-b", "a b m z", "a | b | m | z", "m", "a-m b-m m-z"),
    _case(
        "e d c b a",
        "e-a a-c c-b b-d",
        "a b c d e",
        "a | b | c | d | e",
        "a b c",
        "a-c a-e b-c b-d",
    ),
    # Rings and denser graphs have neither.
    _case("a b c", "a-b b-c c-a", "a b c", "a b c", "", ""),
    _case("d c b a", "a-b b-c c-d d-a b-d", "a b c d", "a b c d", "", ""),
    # Rings that share a node, that are joined by an edge, that hang on a node.
    _case("a b m y z", "a-b b-m m-a y-z z-m m-y", "a b m y z", "a b m y z", "m", ""),
    _case(
        "a b c x y z",
        "a-b b-c c-a x-y y-z z-x c-x",
        "a b c x y z",
        "a b c | x y z",
        "c x",
        "c-x",
    ),
    _case("a b c d", "a-b b-c c-a a-d", "a b c d", "a b c | d", "a", "a-d"),
    _case("r a b c d", "r-a a-b b-r b-c c-d d-b", "a b c d r", "a b c d r", "b", ""),
    # Parallel edges are no bridges, in whatever direction they are written; the nodes still cut.
    _case("a b c", "a-b a-b b-c", "a b c", "a b | c", "b", "b-c"),
    _case("a b c", "a-b b-a b-c c-b c-b", "a b c", "a b c", "b", ""),
    _case("a b", "b-a a-b", "a b", "a b", "", ""),
    # Loops change nothing.
    _case("a b", "a-a a-b", "a b", "a | b", "", "a-b"),
    _case("a b c", "a-a a-a c-b", "a | b c", "a | b | c", "", "b-c"),
    _case("a", "a-a a-a", "a", "a", "", ""),
    # Removing a node that is a component leaves fewer components, not more.
    _case("a b c d", "c-d b-d", "a | b c d", "a | b | c | d", "d", "b-d c-d"),
    _case("a b c d", "d-a b-c", "a d | b c", "a | b | c | d", "", "a-d b-c"),
    # Names are compared exactly and sorted by code point, within arrays and between them.
    _case(
        "10 9 z Z é e\u0301 ｚ 𐐨",
        "𐐨-ｚ é-z Z-9 10-e\u0301",
        "10 e\u0301 | 9 Z | z é | ｚ 𐐨",
        "10 | 9 | Z | e\u0301 | z | é | ｚ | 𐐨",
        "",
        "10-e\u0301 9-Z z-é ｚ-𐐨",
    ),
    _case("𐐨 ｚ 日", "日-𐐨 ｚ-日", "日 ｚ 𐐨", "日 | ｚ | 𐐨", "日", "日-ｚ 日-𐐨"),
    _case("a A é", "A-a", "A a | é", "A | a | é", "", "A-a"),
    # Errors, and which of them comes first.
    _error("duplicate_node", "a a", "a-q"),
    _error("unknown_node", "a", "a-q"),
    _error("duplicate_node", "a b c a", "a-b"),
    _error("unknown_node", "a b", "a-b q-q"),
    _error("unknown_node", "a b", "B-a"),
    _error("unknown_node", "é a", "e\u0301-a"),
    _error("unknown_node", "", "a-a"),
)

FAMILY = Family(
    number=23,
    slug="bridges-and-cuts",
    title="Bridges and articulation points",
    category="graphs",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("nodes", Array(label(), 0, 200), "The names of the nodes, compared exactly."),
        required("edges", Array(Fixed(label(), label()), 0, 600), "The edges."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_node", "A name occurs twice in `nodes`."),
        ErrorCode("unknown_node", "A name in an edge, a loop too, is not in `nodes`."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_case(
        "a b c d e z",
        "a-b b-c c-a d-c d-e e-d z-z",
        "a b c d e | z",
        "a b c | d e | z",
        "c d",
        "c-d",
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case(
            "n s e w x y o",
            "s-n n-e e-s w-n x-w w-x y-x o-o",
            "e n s w x y | o",
            "e n s | o | w x | y",
            "n w x",
            "n-w x-y",
        ),
        _error("unknown_node", "a b", "a-b b-C"),
    ),
    malformed=(
        {"nodes": ["a", ""], "edges": []},
        {"nodes": ["a", 1], "edges": []},
        {"nodes": "ab", "edges": []},
        {"nodes": None, "edges": []},
        {"nodes": ["n" * 41], "edges": []},
        {"nodes": ["a"] * 201, "edges": []},
        {"nodes": ["a", "a"], "edges": [["a"]]},
        {"nodes": ["a", "b"], "edges": [["a", "b", "a"]]},
        {"nodes": ["a", "b"], "edges": [[]]},
        {"nodes": ["a", "b"], "edges": ["ab"]},
        {"nodes": ["a", "b"], "edges": [{"a": "b"}]},
        {"nodes": ["a", "b"], "edges": [["a", "b"], ["a", 0]]},
        {"nodes": ["a", "b"], "edges": [["a", None]]},
        {"nodes": ["a", "b"], "edges": [["a", ""]]},
        {"nodes": ["a", "b"], "edges": {"a": ["b"]}},
        {"nodes": ["a"], "edges": [["a", "a"]] * 601},
        {"nodes": ["a"]},
        {"edges": [["a"]]},
    ),
)
