"""Shortest path with ties: the one best walk in a weighted graph, and how many are as good."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Boolean, Integer, Record, label, optional, required

_SUMMARY = """\
Finds the best walk from `source` to `target` in a graph with weights. An edge leads from the node
`from` to the node `to` and has a `weight`. If `directed` is `false`, it also leads from `to` to
`from`.

First, all nodes in `avoid` are removed, with every edge that has such a node as an end. A walk is a
sequence of nodes in which an edge leads from each node to the next. If several edges do, the walk
uses the lightest. The cost of a walk is the sum of the weights of its edges.

The best walk is found by these rules, in this order:

1. The smallest cost wins.
2. At equal cost, the fewest edges win.
3. If still equal, compare the names at the first position where two walks differ: the smaller name
   by code point wins."""

_RESULT = """\
An object with these members:

- `cost`: the cost of the best walk.
- `hops`: the number of its edges.
- `path`: the array of its nodes, from `source` to `target`.
- `ties`: how many walks from `source` to `target` have the same cost and the same number of edges
  as the best one, itself included. Walks with the same sequence of nodes count as one.
- `reachable`: the number of nodes to which a walk leads from `source`, itself included."""

_RULES = """\
- If `source` is `target`, the best walk is this one node: the cost is 0, `hops` is 0, `ties` is 1.
- Weights can be 0. An edge from a node to itself never helps.
- `ties` can be greater than 10^9, so count the walks without listing them."""

_Arcs = dict[str, dict[str, int]]
"""For each node the nodes to which an edge leads, with the lightest weight."""

_Measure = tuple[int, int]
"""Cost and number of edges, in the order of importance."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    _check(fields)
    source, target = fields["source"], fields["target"]
    arcs = _arcs(fields)
    rest = _measures(_reversed(arcs), target)
    if source not in rest:
        raise DomainError("no_path")
    following = {name: _following(name, arcs, rest) for name in rest}
    path = [source]
    while path[-1] != target:
        path.append(min(following[path[-1]]))
    return {
        "cost": rest[source][0],
        "hops": rest[source][1],
        "path": path,
        "ties": _counts(rest, following, target)[source],
        "reachable": len(_measures(arcs, source)),
    }


def _check(fields: Mapping[str, Any]) -> None:
    nodes, avoid, ends = fields["nodes"], fields["avoid"], [fields["source"], fields["target"]]
    if len(set(nodes)) < len(nodes):
        raise DomainError("duplicate_node")
    named = [edge[end] for edge in fields["edges"] for end in ("from", "to")]
    if not set(nodes).issuperset([*named, *ends, *avoid]):
        raise DomainError("unknown_node")
    if any(name in avoid for name in ends):
        raise DomainError("avoided_endpoint")


def _arcs(fields: Mapping[str, Any]) -> _Arcs:
    arcs: _Arcs = {name: {} for name in fields["nodes"] if name not in fields["avoid"]}
    for edge in fields["edges"]:
        first, second, weight = edge["from"], edge["to"], edge["weight"]
        if first in arcs and second in arcs:
            arcs[first][second] = min(weight, arcs[first].get(second, weight))
            if not fields["directed"]:
                arcs[second][first] = min(weight, arcs[second].get(first, weight))
    return arcs


def _reversed(arcs: _Arcs) -> _Arcs:
    return {name: {first: out[name] for first, out in arcs.items() if name in out} for name in arcs}


def _measures(arcs: _Arcs, start: str) -> dict[str, _Measure]:
    """The smallest measure of a walk from the start, for every node that one leads to."""
    final: dict[str, _Measure] = {}
    heap = [((0, 0), start)]
    while heap:
        (cost, hops), name = heapq.heappop(heap)
        if name not in final:
            final[name] = (cost, hops)
            for other, weight in arcs[name].items():
                heapq.heappush(heap, ((cost + weight, hops + 1), other))
    return final


def _following(name: str, arcs: _Arcs, rest: Mapping[str, _Measure]) -> list[str]:
    """The nodes that come next in a walk that stays the best one to the target."""
    return [
        other
        for other, weight in arcs[name].items()
        if other in rest and rest[name] == (rest[other][0] + weight, rest[other][1] + 1)
    ]


def _counts(
    rest: Mapping[str, _Measure], following: Mapping[str, Sequence[str]], target: str
) -> dict[str, int]:
    """For each node the number of walks to the target that are equally good."""
    counts = {target: 1}
    for name in sorted(rest.keys() - {target}, key=lambda name: rest[name]):
        counts[name] = sum(counts[other] for other in following[name])
    return counts


def _generate(rng: random.Random) -> dict[str, Json]:
    nodes = rng.sample(_NAMES, rng.choice([2, 4, 6, 8, 10, 12]))
    ends = nodes[0], nodes[-1]
    drawn: dict[str, Json] = {"edges": _draw_edges(rng, nodes)}
    rng.shuffle(nodes)
    drawn["nodes"] = nodes
    drawn["source"], drawn["target"] = rng.sample(nodes, 2) if rng.random() < 0.3 else ends
    if rng.random() < 0.07:
        drawn["target"] = drawn["source"]
    if rng.random() < 0.5:
        drawn["directed"] = rng.random() < 0.3
    if rng.random() < 0.5:
        others = [name for name in nodes if name not in (drawn["source"], drawn["target"])]
        drawn["avoid"] = [rng.choice(others) for _ in range(rng.randint(0, 2)) if others]
    fault = rng.random()
    if fault < 0.07:
        drawn["avoid"] = [rng.choice(nodes), drawn[rng.choice(["source", "target"])]]
    if 0.05 < fault < 0.14:
        drawn[rng.choice(["source", "target"])] = "no such"
    if 0.12 < fault < 0.2:
        nodes.append(rng.choice(nodes))
    return drawn


def _draw_edges(rng: random.Random, nodes: Sequence[str]) -> list[Json]:
    """Few different weights, so that many walks are equal; the nodes lie on a grid or anyhow."""
    weights = rng.choice([[1], [0, 1, 1, 2], [0, 1, 2, 3, 5], [1, 2, 999_999, 1_000_000]])
    size = len(nodes)
    pairs = [(rng.randrange(size), rng.randrange(size)) for _ in range(rng.randint(0, 2 * size))]
    if rng.random() < 0.6:
        pairs += [(i, i + 1) for i in range(0, size - 1, 2)]
        pairs += [(i, i + 2) for i in range(size - 2)]
        pairs += [(i, i + 3) for i in range(0, size - 3, 2)]
    rng.shuffle(pairs)
    return [_edge(nodes[first], nodes[second], rng.choice(weights)) for first, second in pairs]


def _edge(first: str, second: str, weight: int) -> dict[str, Json]:
    return {"from": first, "to": second, "weight": weight}


# Code points, UTF-16 units and letters of a language are three different orders.
_NAMES = (
    *("a", "b", "B", "c", "Zürich", "z", "ab", "a b", "10", "9", " ", "é", "e\u0301", "ß", "ss"),
    *("ｚ", "\ufffd", "𐐨", "😀", "👍🏽", "дом", "日本"),
)


def _edges(text: str) -> list[Json]:
    """Edges in short: `a>b:3` is one of weight 3."""
    edges: list[Json] = []
    for word in text.split():
        ends, _, weight = word.partition(":")
        first, _, second = ends.partition(">")
        edges.append(_edge(first, second, int(weight)))
    return edges


def _input(nodes: str, edges: str, ends: str, avoid: str, directed: bool) -> dict[str, Json]:
    source, target = ends.split()
    fields: dict[str, Json] = {"nodes": nodes.split(), "edges": _edges(edges)}
    fields |= {"source": source, "target": target}
    if not directed:
        fields["directed"] = False
    if avoid:
        fields["avoid"] = avoid.split()
    return fields


def _case(
    nodes: str,
    edges: str,
    path: str,
    numbers: Iterable[int],
    *,
    avoid: str = "",
    directed: bool = True,
) -> Case:
    """A case in short: the numbers are cost, hops, ties and the count of nodes reached."""
    names = path.split()
    cost, hops, ties, reachable = numbers
    result = {"cost": cost, "hops": hops, "path": names, "ties": ties, "reachable": reachable}
    ends = f"{names[0]} {names[-1]}"
    return Case(_input(nodes, edges, ends, avoid, directed), result)


def _error(code: str, nodes: str, edges: str, ends: str, avoid: str = "") -> Case:
    return Case(_input(nodes, edges, ends, avoid, directed=True), error=code)


_LAYERS = tuple(tuple(f"{number:02}{letter}" for letter in "abc") for number in range(21))


def _layered() -> Case:
    """Three nodes in each of 21 layers, and every walk from layer to layer equally good."""
    layers = [("s",), *_LAYERS, ("t",)]
    return _case(
        " ".join(name for layer in reversed(layers) for name in reversed(layer)),
        " ".join(
            f"{first}>{second}:{1_000_000}"
            for layer, following in pairwise(layers)
            for first in layer
            for second in following
        ),
        " ".join(layer[0] for layer in layers),
        (22_000_000, 22, 3**21, 65),
    )


_BOUNDARIES = (
    _case("x y é", "é>y:5 y>x:0 é>y:4", "x y é", (4, 2, 1, 3), directed=False),
    _case("x", "", "x", (0, 0, 1, 1)),
    # The cost comes before the number of edges, and that before the names.
    _case("a b c", "a>c:3 a>b:1 b>c:1", "a b c", (2, 2, 1, 3)),
    _case("a b c", "a>b:0 b>c:0 a>c:0", "a c", (0, 1, 1, 3)),
    _case("a b c d", "a>b:1 b>d:2 a>c:1 c>b:0 a>d:3", "a d", (3, 1, 1, 4)),
    _case("a b c d e", "a>b:0 b>c:0 c>e:2 a>d:1 d>e:1", "a d e", (2, 2, 1, 5)),
    # Names are compared from the start of the walk, by code point.
    _case("t z y b a s", "s>a:1 a>z:1 z>t:1 s>b:1 b>y:1 y>t:1", "s a z t", (3, 3, 2, 6)),
    _case("s a b y z t", "s>b:2 b>y:1 y>t:1 s>a:1 a>z:1 z>t:2", "s a z t", (4, 3, 2, 6)),
    _case("s 𐐨 ｚ t", "s>𐐨:1 𐐨>t:1 s>ｚ:1 ｚ>t:1", "s ｚ t", (2, 2, 2, 4)),
    _case("s é f e\u0301 t", "s>é:1 é>t:1 s>f:1 f>t:1", "s f t", (2, 2, 2, 4)),
    _case("s é f e\u0301 t", "s>f:1 f>t:1 s>e\u0301:1 e\u0301>t:1", "s e\u0301 t", (2, 2, 2, 4)),
    _case("s 10 9 t", "s>9:1 9>t:1 s>10:1 10>t:1", "s 10 t", (2, 2, 2, 4)),
    # Ties are sequences of nodes: parallel edges make no more of them, shared parts multiply.
    _case("a b", "a>b:2 a>b:1 a>b:1 a>b:3", "a b", (1, 1, 1, 2)),
    _case("a b", "a>b:3 a>b:1 a>b:2 b>a:0", "a b", (1, 1, 1, 2)),
    _case("a b c d", "a>b:1 a>c:1 b>d:1 b>d:1 c>d:1", "a b d", (2, 2, 2, 4)),
    _case(
        "s a b m c d t",
        "s>a:1 s>b:1 a>m:1 b>m:1 m>c:0 m>d:0 c>t:5 d>t:5 m>t:6",
        "s a m c t",
        (7, 4, 4, 7),
    ),
    _case("s a b c t", "s>a:1 s>b:1 a>c:1 b>c:1 c>t:1 s>t:3 a>t:3", "s t", (3, 1, 1, 5)),
    _layered(),
    # Cycles and edges from a node to itself, of weight 0 too.
    _case("a b c", "a>a:0 a>b:0 b>a:0 b>b:0 b>c:1", "a b c", (1, 2, 1, 3)),
    _case("a b", "a>a:0 a>b:0 b>a:0", "a", (0, 0, 1, 2)),
    _case("a b c", "b>a:1 c>a:1", "a", (0, 0, 1, 1)),
    # Edges in one direction and in both.
    _case("a b", "a>b:4 b>a:2", "a b", (4, 1, 1, 2)),
    _case("a b", "a>b:4 b>a:2", "a b", (2, 1, 1, 2), directed=False),
    _case("a b", "b>a:2 a>b:3 b>a:4", "a b", (2, 1, 1, 2), directed=False),
    _case("a b c d", "c>b:1 b>a:1 c>d:1", "a b c", (2, 2, 1, 4), directed=False),
    _case("a b c d", "a>b:1 c>a:1 b>d:1 d>b:1", "a b", (1, 1, 1, 3)),
    # Avoided nodes are gone, for the walk and for what can be reached.
    _case("a b c d", "a>b:1 b>c:1 a>d:5 d>c:5", "a d c", (10, 2, 1, 3), avoid="b"),
    _case("a b c d e", "a>b:1 b>c:1 b>d:1 a>e:1 e>c:1", "a e c", (2, 2, 1, 3), avoid="b b"),
    _case("a b c", "a>c:1 b>b:0", "a c", (1, 1, 1, 2), avoid="b", directed=False),
    _case("a b c", "a>b:1", "a", (0, 0, 1, 1), avoid="c b"),
    _case("a b", "a>b:1000000", "a b", (1_000_000, 1, 1, 2)),
    # Errors, and which of them comes first.
    _error("duplicate_node", "x x", "", "q x"),
    _error("duplicate_node", "x y x", "x>y:1", "x y", avoid="x q"),
    _error("unknown_node", "x", "", "x x", avoid="x q"),
    _error("unknown_node", "x y", "x>y:1 y>q:1", "x y"),
    _error("unknown_node", "x y", "q>x:1 x>y:1", "x y", avoid="x"),
    _error("unknown_node", "x y", "x>y:1", "X y"),
    _error("unknown_node", "x é", "x>é:1", "x e\u0301"),
    _error("unknown_node", "x y", "", "x y", avoid="q"),
    _error("avoided_endpoint", "x", "", "x x", avoid="x"),
    _error("avoided_endpoint", "x y z", "x>z:1", "x y", avoid="z y"),
    _error("avoided_endpoint", "x y", "", "x y", avoid="x"),
    _error("no_path", "x y", "y>x:1", "x y"),
    _error("no_path", "x y z", "x>y:1 y>z:1", "x z", avoid="y"),
    _error("no_path", "x y", "x>x:0 y>y:0", "x y"),
)

FAMILY = Family(
    number=22,
    slug="shortest-path-ties",
    title="Shortest path with tie-breaking",
    category="graphs",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("nodes", Array(label(), 1, 100), "The names of the nodes, compared exactly."),
        required(
            "edges",
            Array(
                Record(
                    (
                        required("from", label()),
                        required("to", label()),
                        required("weight", Integer(0, 1_000_000)),
                    )
                ),
                0,
                500,
            ),
            "The edges.",
        ),
        required("source", label(), "The node where the walk starts."),
        required("target", label(), "The node where the walk ends."),
        optional("directed", Boolean(), True, "Whether edges lead in one direction only."),
        optional("avoid", Array(label(), 0, 100), [], "The nodes that are removed."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_node", "A name occurs twice in `nodes`."),
        ErrorCode(
            "unknown_node",
            "`source`, `target`, an end of an edge or an element of `avoid` is not in `nodes`.",
        ),
        ErrorCode("avoided_endpoint", "`source` or `target` is in `avoid`."),
        ErrorCode("no_path", "No walk leads from `source` to `target`."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_case(
        "A B C D E F",
        "A>C:1 A>B:2 B>D:2 C>D:3 D>E:0 E>F:1 C>E:3 A>F:9 B>E:2",
        "A B E",
        (4, 2, 2, 6),
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case(
            "s b c d t x",
            "s>c:1 c>t:2 b>s:2 t>b:1 s>t:4 d>t:0 s>d:3 c>b:1 x>d:0 t>c:9",
            "s b t",
            (3, 2, 3, 5),
            avoid="x",
            directed=False,
        ),
        _error("no_path", "a b c", "a>b:1 c>b:0", "a c"),
    ),
    malformed=(
        {"nodes": [], "edges": [], "source": "a", "target": "a"},
        {"nodes": ["a", 1], "edges": [], "source": "a", "target": "a"},
        {"nodes": ["a", "a"], "edges": [], "source": "a"},
        {"nodes": ["a"], "edges": [["a", "a", 1]], "source": "a", "target": "a"},
        {"nodes": ["a"], "edges": [{"from": "a", "to": "a"}], "source": "a", "target": "a"},
        {"nodes": ["a"], "edges": [{"from": "a", "weight": 1}], "source": "a", "target": "a"},
        *(
            {"nodes": ["a"], "edges": [_edge("a", "a", 1), edge], "source": "a", "target": "a"}
            for edge in (
                {"from": "a", "to": "a", "weight": -1},
                {"from": "a", "to": "a", "weight": 1_000_001},
                {"from": "a", "to": "a", "weight": 1.0},
                {"from": "a", "to": "a", "weight": True},
                {"from": "a", "to": "a", "weight": "1"},
                {"from": "a", "to": "a", "weight": None},
                {"from": 7, "to": "a", "weight": 1},
                {"from": "a", "to": "", "weight": 1},
                {"From": "a", "to": "a", "weight": 1},
            )
        ),
        {"nodes": ["a"], "edges": {}, "source": "a", "target": "a"},
        {"nodes": ["a"], "edges": [], "source": None, "target": "a"},
        {"nodes": ["a"], "edges": [], "source": "", "target": "a"},
        {"nodes": ["a"], "edges": [], "source": "a", "target": ["a"]},
        {"nodes": ["a"], "edges": [], "source": "a", "target": "a", "directed": 1},
        {"nodes": ["a"], "edges": [], "source": "a", "target": "a", "directed": "false"},
        {"nodes": ["a"], "edges": [], "source": "a", "target": "a", "directed": None},
        {"nodes": ["a"], "edges": [], "source": "a", "target": "a", "avoid": "a"},
        {"nodes": ["a"], "edges": [], "source": "a", "target": "q", "avoid": [None]},
        {"nodes": ["a"], "edges": [], "source": "a", "target": "a", "avoid": None},
    ),
)
