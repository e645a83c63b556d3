"""Maximum flow, and the minimum cut that lies nearest to the source."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from itertools import pairwise
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Integer, Mapped, Record, label, optional, required

_SUMMARY = """\
Computes the maximum flow from `source` to `sink` in a directed network, and the minimum cut nearest
to the source. An edge carries at most `cap` from the node `from` to the node `to`. `node_caps`
limits the total flow through a node, also through `source` and `sink`. A node that it does not name
has no limit.

The network consists of points, and of arcs with capacities:

1. Drop every edge from a node to itself. Merge all edges with the same `from` and the same `to`
   into one edge; its capacity is the sum of theirs.
2. Each node v becomes two points, v.in and v.out. An arc leads from v.in to v.out. Its capacity is
   that of v in `node_caps`, or unlimited.
3. Each merged edge from u to v becomes an arc from u.out to v.in with its capacity.

The flow starts at source.in and ends at sink.out. At every other point as much flows in as out. No
arc carries less than 0 or more than its capacity. A flow is maximum if no other brings more from
source.in to sink.out.

Take any maximum flow. A step leads from a point x to a point y if

- an arc from x to y carries less than its capacity, or
- an arc from y to x carries more than 0.

S is the set of all points that can be reached from source.in by steps, itself included. It is the
same for every maximum flow."""

_RESULT = """\
An object with these members:

- `value`: how much a maximum flow brings from source.in to sink.out.
- `source_side`: an array of all nodes v with v.in in S, sorted by code point.
- `cut_edges`: an array of objects `{"from": u, "to": v, "cap": c}`, one for each merged edge from u
  to v with a capacity c > 0, u.out in S and v.in not in S. Sorted by `from`, then by `to`, by code
  point.
- `cut_nodes`: an array of all nodes v with a capacity > 0 in `node_caps`, v.in in S and v.out not
  in S. Sorted by code point.
- `unique`: `true` if this is the only minimum cut, else `false`. The first rule below says how to
  find out."""

_RULES = """\
- Let T be the set of all points from which sink.out can be reached by steps, itself included. The
  cut at T consists of all merged edges from u to v with a capacity > 0, u.out not in T and v.in in
  T, and of all nodes v with a capacity > 0 in `node_caps`, v.in not in T and v.out in T. `unique`
  is `true` exactly if these are the same edges and nodes as in `cut_edges` and `cut_nodes`.
- `source` is always in `source_side`. `sink` is in it too if sink.in is in S.
- If `value` is 0, `cut_edges` and `cut_nodes` are `[]` and `unique` is `true`.
- Edges to `source` and edges from `sink` are allowed."""

_Point = tuple[str, str]
_Arc = tuple[_Point, _Point]
_Rest = dict[_Point, dict[_Point, int]]
"""How much more each point can pass on to others; a step leads where it is above 0."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    _check(fields)
    source, sink = (fields["source"], "in"), (fields["sink"], "out")
    edges, nodes = _capacities(fields)
    value, rest = _maximum_flow(_network(fields, edges | nodes), source, sink)
    near = _reached(rest, source)
    far = rest.keys() - _reached(_backwards(rest), sink)
    cut_edges, cut_nodes = _cut(edges, near), _cut(nodes, near)
    return {
        "value": value,
        "source_side": sorted(name for name, side in near if side == "in"),
        "cut_edges": [{"from": x[0], "to": y[0], "cap": edges[x, y]} for x, y in cut_edges],
        "cut_nodes": [x[0] for x, _ in cut_nodes],
        "unique": (cut_edges, cut_nodes) == (_cut(edges, far), _cut(nodes, far)),
    }


def _check(fields: Mapping[str, Any]) -> None:
    nodes = fields["nodes"]
    if len(set(nodes)) < len(nodes):
        raise DomainError("duplicate_node")
    named = [edge[end] for edge in fields["edges"] for end in ("from", "to")]
    if not set(nodes).issuperset([*named, *fields["node_caps"], fields["source"], fields["sink"]]):
        raise DomainError("unknown_node")
    if fields["source"] == fields["sink"]:
        raise DomainError("same_endpoints")


def _capacities(fields: Mapping[str, Any]) -> tuple[dict[_Arc, int], dict[_Arc, int]]:
    """Arcs of limited capacity: those of the merged edges, and those inside nodes."""
    edges: dict[_Arc, int] = defaultdict(int)
    for edge in fields["edges"]:
        if edge["from"] != edge["to"]:
            edges[(edge["from"], "out"), (edge["to"], "in")] += edge["cap"]
    nodes = {((name, "in"), (name, "out")): cap for name, cap in fields["node_caps"].items()}
    return dict(edges), nodes


def _network(fields: Mapping[str, Any], limited: Mapping[_Arc, int]) -> _Rest:
    """What each arc can carry before anything flows; an unlimited one more than could ever flow."""
    unlimited = sum(limited.values()) + 1
    rest: _Rest = {}
    for name in fields["nodes"]:
        rest[name, "in"] = {(name, "out"): unlimited}
        rest[name, "out"] = {}
    for (x, y), capacity in limited.items():
        rest[x][y] = capacity
    return rest


def _maximum_flow(rest: _Rest, source: _Point, sink: _Point) -> tuple[int, _Rest]:
    """The value of a maximum flow, and what every step can still carry beside it."""
    rest = {x: dict(to) for x, to in rest.items()}
    value = 0
    while sink in (came_from := _reached(rest, source)):
        steps: list[_Arc] = []
        point = sink
        while point != source:
            steps.append((came_from[point], point))
            point = came_from[point]
        amount = min(rest[x][y] for x, y in steps)
        for x, y in steps:
            rest[x][y] -= amount
            rest[y][x] = rest[y].get(x, 0) + amount
        value += amount
    return value, rest


def _reached(rest: _Rest, start: _Point) -> dict[_Point, _Point]:
    """The points that steps lead to, each with the point before it on a shortest way."""
    came_from = {start: start}
    waiting = [start]
    for point in waiting:
        for other, amount in rest[point].items():
            if amount > 0 and other not in came_from:
                came_from[other] = point
                waiting.append(other)
    return came_from


def _backwards(rest: _Rest) -> _Rest:
    turned: _Rest = {x: {} for x in rest}
    for x, to in rest.items():
        for y, amount in to.items():
            turned[y][x] = amount
    return turned


def _cut(capacities: Mapping[_Arc, int], side: Container[_Point]) -> list[_Arc]:
    """The arcs of positive capacity that lead out of a set of points, sorted by their ends."""
    return sorted(
        (x, y) for (x, y), cap in capacities.items() if cap > 0 and x in side and y not in side
    )


def _generate(rng: random.Random) -> dict[str, Json]:
    nodes = rng.sample(_NAMES, rng.choice([2, 3, 4, 5, 6, 7, 8]))
    source, sink = rng.sample(nodes, 2)
    edges = _draw_edges(rng, nodes, source, sink)
    drawn: dict[str, Json] = {"nodes": nodes, "edges": edges}
    if rng.random() < 0.6:
        capped = rng.sample(nodes, rng.randint(0, len(nodes)))
        drawn["node_caps"] = {name: rng.choice([0, 1, 2, 3, 4, 6, 9]) for name in capped}
    drawn |= {"source": source, "sink": sink}
    fault = rng.random()
    if fault < 0.08:
        drawn["sink"] = source
    if 0.06 < fault < 0.12:
        drawn["node_caps"] = {**drawn.get("node_caps", {}), "no such": 1}
    if 0.12 < fault < 0.15:
        drawn[rng.choice(["source", "sink"])] = "no such"
    if 0.14 < fault < 0.22:
        nodes.insert(rng.randint(0, len(nodes)), rng.choice(nodes))
    return drawn


def _draw_edges(
    rng: random.Random, nodes: Sequence[str], source: str, sink: str
) -> list[dict[str, Json]]:
    """Ways from the source to the sink, and other edges in any direction."""
    caps = rng.choice([[1], [1, 2, 3], [0, 1, 2, 4, 5], [2, 999_999, 1_000_000]])
    edges: list[dict[str, Json]] = []
    for _ in range(rng.choice([0, 1, 2, 3, 4])):
        between = [name for name in nodes if name not in (source, sink)]
        way = [source, *rng.sample(between, min(len(between), rng.choice([0, 1, 2, 2]))), sink]
        edges += [_edge(u, v, rng.choice(caps)) for u, v in pairwise(way)]
    for _ in range(rng.randint(0, len(nodes))):
        edges.append(_edge(rng.choice(nodes), rng.choice(nodes), rng.choice(caps)))
    rng.shuffle(edges)
    return edges


def _edge(u: str, v: str, cap: int) -> dict[str, Json]:
    return {"from": u, "to": v, "cap": cap}


# Code points, UTF-16 units and letters of a language are three different orders.
_NAMES = (
    *("a", "b", "B", "c", "Zürich", "z", "ab", "a b", "10", "9", " ", "é", "e\u0301", "ß", "ss"),
    *("ｚ", "\ufffd", "𐐨", "😀", "👍🏽", "дом", "日本"),
)


def _edges(text: str) -> list[Json]:
    """Edges in short: `a>b:3` is one of capacity 3."""
    edges: list[Json] = []
    for word in text.split():
        ends, _, cap = word.partition(":")
        u, _, v = ends.partition(">")
        edges.append(_edge(u, v, int(cap)))
    return edges


def _input(nodes: str, edges: str, caps: str = "", ends: str = "s t") -> dict[str, Json]:
    """An input in short; node capacities are written like `a:3`."""
    fields: dict[str, Json] = {"nodes": nodes.split(), "edges": _edges(edges)}
    if caps:
        pairs = [word.split(":") for word in caps.split()]
        fields["node_caps"] = {name: int(cap) for name, cap in pairs}
    fields["source"], fields["sink"] = ends.split()
    return fields


def _case(
    given: dict[str, Json], value: int, side: str, cut_edges: str, cut_nodes: str, unique: bool
) -> Case:
    result = {
        "value": value,
        "source_side": side.split(),
        "cut_edges": _edges(cut_edges),
        "cut_nodes": cut_nodes.split(),
        "unique": unique,
    }
    return Case(given, result)


_BOUNDARIES = (
    _case(_input("s é t", "s>é:2 é>t:2 t>s:9"), 2, "s", "s>é:2", "", False),
    _case(_input("s t", "s>t:9 s>t:1", "s:4"), 4, "s", "", "s", True),
    _case(_input("s t", "t>s:9"), 0, "s", "", "", True),
    # Of several minimum cuts the one nearest to the source.
    _case(_input("s a t", "s>a:3 a>t:3"), 3, "s", "s>a:3", "", False),
    _case(_input("s a b c t", "s>a:2 a>b:1 b>c:1 c>t:2"), 1, "a s", "a>b:1", "", False),
    _case(_input("s a b t", "s>a:1 s>b:1 a>b:1 a>t:1 b>t:1"), 2, "s", "s>a:1 s>b:1", "", False),
    _case(_input("s a b t", "s>a:4 a>b:3 b>a:2 b>t:3"), 3, "a s", "a>b:3", "", False),
    _case(_input("s a b t", "s>a:4 a>b:3 b>a:2 b>t:5"), 3, "a s", "a>b:3", "", True),
    # Capacities of nodes: in the cut, larger than the flow, as large as an edge, at both ends.
    _case(_input("s a t", "s>a:5 a>t:5", "a:3"), 3, "a s", "", "a", True),
    _case(_input("s a t", "s>a:3 a>t:5", "a:10"), 3, "s", "s>a:3", "", True),
    _case(_input("s a t", "s>a:3 a>t:5", "a:3"), 3, "s", "s>a:3", "", False),
    _case(_input("s t", "s>t:9", "t:4"), 4, "s t", "", "t", True),
    _case(_input("s t", "s>t:9", "t:4 s:4"), 4, "s", "", "s", False),
    _case(_input("s a t", "t>s:9 a>s:3 s>a:4 a>t:2", "s:3"), 2, "a s", "a>t:2", "", True),
    _case(_input("s a t", "t>s:9 a>s:3 s>a:4 a>t:2", "s:1"), 1, "s", "", "s", True),
    _case(
        _input("s z a t", "s>z:9 s>a:9 z>t:9 a>t:9 s>t:1", "z:2 a:3"),
        6,
        "a s z",
        "s>t:1",
        "a z",
        True,
    ),
    # Capacities of 0 let nothing pass and are in no cut.
    _case(_input("s t", "s>t:0"), 0, "s", "", "", True),
    _case(_input("s t", "s>t:0 s>t:2"), 2, "s", "s>t:2", "", True),
    _case(_input("s a t", "s>a:5 a>t:5", "a:0"), 0, "a s", "", "", True),
    _case(_input("s a t", "s>a:5 a>t:5 s>t:1", "a:0"), 1, "a s", "s>t:1", "", True),
    _case(_input("s a t", "s>a:5 a>t:0 s>t:1"), 1, "a s", "s>t:1", "", True),
    _case(_input("s t", "s>t:5", "s:0"), 0, "s", "", "", True),
    _case(_input("s t", "s>t:5", "t:0"), 0, "s t", "", "", True),
    # Steps against the flow; what is on neither side.
    _case(
        _input("s a b x y u v t", "s>a:1 a>b:1 b>t:1 s>x:1 x>y:1 y>b:1 a>u:1 u>v:1 v>t:1"),
        2,
        "s",
        "s>a:1 s>x:1",
        "",
        False,
    ),
    _case(_input("s b c t", "s>b:1 b>c:1 s>c:5 c>t:2"), 2, "b c s", "c>t:2", "", True),
    _case(_input("s x t", "s>t:5"), 5, "s", "s>t:5", "", True),
    _case(_input("s x t", "s>t:5 x>t:1 x>s:1"), 5, "s", "s>t:5", "", True),
    _case(_input("s a t", "s>a:5 s>t:2"), 2, "a s", "s>t:2", "", True),
    _case(_input("s a t", "t>a:5 s>a:1 a>t:1"), 1, "s", "s>a:1", "", False),
    # Merged edges, loops, large capacities.
    _case(_input("s t", "s>t:3 s>t:4"), 7, "s", "s>t:7", "", True),
    _case(_input("s a t", "s>s:5 s>a:2 a>a:9 a>t:3", "a:3"), 2, "s", "s>a:2", "", True),
    _case(_input("s t", "s>t:1000000 " * 3), 3_000_000, "s", "s>t:3000000", "", True),
    _case(_input("s t", "s>t:1000000 " * 3, "s:1000000"), 1_000_000, "s", "", "s", True),
    # Sorted by code point, whatever the order of the input; the names of the ends do not matter.
    _case(
        _input("𐐨 ｚ t s", "s>𐐨:9 s>ｚ:9 𐐨>t:1 ｚ>t:2"),
        3,
        "s ｚ 𐐨",
        "ｚ>t:2 𐐨>t:1",
        "",
        True,
    ),
    _case(_input("s b a t", "s>b:1 s>a:1 a>t:5 b>t:5"), 2, "s", "s>a:1 s>b:1", "", True),
    _case(
        _input("10 9 z Z", "Z>9:7 Z>10:7 9>z:1 10>z:1 10>9:5", "", "Z z"),
        2,
        "10 9 Z",
        "10>z:1 9>z:1",
        "",
        True,
    ),
    _case(_input("s t", "s>t:6 t>s:2", "", "t s"), 2, "t", "t>s:2", "", True),
    # Errors, and which of them comes first.
    Case(_input("s s", "", "", "q s"), error="duplicate_node"),
    Case(_input("s t", "", "q:1", "s s"), error="unknown_node"),
    Case(_input("s t", "", "", "s s"), error="same_endpoints"),
    Case(_input("s a t a", "s>q:1", "", "s s"), error="duplicate_node"),
    Case(_input("s t", "s>t:1 q>t:0"), error="unknown_node"),
    Case(_input("s t", "s>t:1 q>q:1"), error="unknown_node"),
    Case(_input("s t", "s>t:1", "", "q t"), error="unknown_node"),
    Case(_input("s t", "s>t:1", "", "q q"), error="unknown_node"),
    Case(_input("s é", "s>é:1", "", "s e\u0301"), error="unknown_node"),
    Case(_input("s t", "s>t:1", "T:0"), error="unknown_node"),
)

FAMILY = Family(
    number=25,
    slug="max-flow-min-cut",
    title="Maximum flow and minimum cut",
    category="graphs",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required("nodes", Array(label(), 2, 40), "The names of the nodes, compared exactly."),
        required(
            "edges",
            Array(
                Record(
                    (
                        required("from", label()),
                        required("to", label()),
                        required("cap", Integer(0, 1_000_000)),
                    )
                ),
                0,
                300,
            ),
            "The edges.",
        ),
        optional(
            "node_caps",
            Mapped(label(), Integer(0, 1_000_000), 40),
            {},
            "The capacities of nodes, by the name of the node.",
        ),
        required("source", label(), "The node where the flow starts."),
        required("sink", label(), "The node where the flow ends."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_node", "A name occurs twice in `nodes`."),
        ErrorCode(
            "unknown_node",
            "`source`, `sink`, an end of an edge or the name of a member of `node_caps` is not in "
            "`nodes`.",
        ),
        ErrorCode("same_endpoints", "`source` and `sink` are the same node."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_case(
        _input(
            "s a b c t",
            "s>a:5 s>b:4 a>c:3 a>b:2 b>c:4 c>t:6 c>t:4 a>t:1",
            "b:3",
        ),
        7,
        "a b s",
        "a>c:3 a>t:1",
        "b",
        True,
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case(
            _input(
                "s a b c t",
                "s>a:6 s>b:2 a>b:1 b>c:2 b>c:2 c>c:9 c>t:5 a>t:0 b>s:7",
                "a:4 c:3 t:8",
            ),
            3,
            "a s",
            "a>b:1 s>b:2",
            "",
            False,
        ),
        Case(_input("s t", "s>t:3 t>s:1", "s:2", "t t"), error="same_endpoints"),
    ),
    malformed=(
        *(
            {"nodes": nodes, "edges": [], "source": "s", "sink": "t"}
            for nodes in (["s"], ["s", ""], ["s", 1], "st", {"s": 1, "t": 1})
        ),
        *(
            {"nodes": ["s", "t"], "edges": [edge], "source": "s", "sink": "t"}
            for edge in (
                ["s", "t", 1],
                {"from": "s", "to": "t"},
                {"from": "s", "to": "t", "cap": -1},
                {"from": "s", "to": "t", "cap": 1_000_001},
                {"from": "s", "to": "t", "cap": 2.0},
                {"from": "s", "to": "t", "cap": True},
                {"from": "s", "to": "t", "cap": "1"},
                {"from": "s", "to": "t", "cap": None},
                {"from": "s", "to": None, "cap": 1},
                {"from": "", "to": "t", "cap": 1},
            )
        ),
        *(
            {"nodes": ["s", "t"], "edges": [], "node_caps": caps, "source": "s", "sink": "t"}
            for caps in (
                {"s": -1},
                {"s": 1.0},
                {"s": None},
                {"s": True},
                {"q": 1_000_001},
                {"": 1},
                [["s", 1]],
                None,
            )
        ),
        {"nodes": ["s", "t"], "edges": [], "source": "s"},
        {"nodes": ["s", "t"], "edges": [], "source": None, "sink": "t"},
        {"nodes": ["s", "t"], "edges": [], "source": "s", "sink": 1},
    ),
)
