"""Spanning forest: the cheapest or dearest edges that join what can be joined, by a greedy rule."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Boolean, Choice, Integer, Record, label, optional, required

_SUMMARY = """\
Chooses edges of an undirected graph by a greedy rule, so that they form a minimum or maximum
spanning forest. An edge joins the nodes `u` and `v` and has the weight `w`. Of the two names the
smaller one by code point is called a here, the larger one b.

Put the edges in their ranking:

1. by weight: ascending if `objective` is `min`, descending if it is `max`;
2. edges of equal weight by a, ascending by code point, for both objectives;
3. edges that are still equal by b, ascending by code point, for both objectives.

Then go through all edges whose `required` is `true`, in the order of the ranking, and take every
one. After that, go through all other edges, in the order of the ranking. Take an edge if the edges
that are taken already do not connect its two nodes, directly or through other nodes. Else skip
it."""

_RESULT = """\
An object with these members:

- `edges`: an array of objects `{"a": a, "b": b, "w": w}`, one for each edge that was taken, in the
  order in which they were taken.
- `total`: the sum of the weights of these edges.
- `components`: the number of groups of nodes that the taken edges connect. A node that no taken
  edge joins to another is a group of its own.
- `skipped`: the number of edges that were not taken."""

_RULES = """\
- An edge from a node to itself that is not required is always skipped.
- Edges between the same two nodes are separate edges.
- Negative weights are no exception: such edges are taken and skipped like all others, also if
  `objective` is `max`."""


class _Edge(NamedTuple):
    """An edge with its ends in the order of their names."""

    w: int
    a: str
    b: str
    required: bool


def _evaluate(fields: Mapping[str, Any]) -> Json:
    nodes, edges = fields["nodes"], [_edge(given) for given in fields["edges"]]
    if len(set(nodes)) < len(nodes):
        raise DomainError("duplicate_node")
    if any(name not in nodes for edge in edges for name in (edge.a, edge.b)):
        raise DomainError("unknown_node")
    sign = 1 if fields["objective"] == "min" else -1
    group = {name: name for name in nodes}
    taken: list[_Edge] = []
    for edge in sorted(edges, key=lambda e: (not e.required, sign * e.w, e.a, e.b)):
        old, new = group[edge.a], group[edge.b]
        if old != new:
            taken.append(edge)
            group = {name: new if of == old else of for name, of in group.items()}
        elif edge.required:
            raise DomainError("required_cycle")
    return {
        "edges": [{"a": edge.a, "b": edge.b, "w": edge.w} for edge in taken],
        "total": sum(edge.w for edge in taken),
        "components": len(set(group.values())),
        "skipped": len(edges) - len(taken),
    }


def _edge(given: Mapping[str, Any]) -> _Edge:
    u, v = given["u"], given["v"]
    return _Edge(given["w"], min(u, v), max(u, v), given.get("required", False))


def _generate(rng: random.Random) -> dict[str, Json]:
    nodes = rng.sample(_NAMES, rng.choice([1, 3, 5, 6, 8, 10]))
    weights = rng.choice([[1, 2], [-2, -1, 0, 1], [0, 5, 10], [-1_000_000, 999_999, 1_000_000]])
    edges = [_draw_edge(rng, nodes, weights) for _ in range(rng.randint(0, 2 * len(nodes)))]
    drawn: dict[str, Json] = {"nodes": nodes, "edges": edges}
    if edges and rng.random() < 0.5:
        rng.choice(edges)["required"] = True
    if rng.random() < 0.6:
        drawn["objective"] = rng.choice(["min", "max", "max"])
    fault = rng.random()
    if edges and fault < 0.09:
        edges.append({**rng.choice(edges), "required": True})
        edges += [{"u": edges[-1]["v"], "v": edges[-1]["u"], "w": 3, "required": True}]
    if edges and 0.07 < fault < 0.15:
        rng.choice(edges)[rng.choice(["u", "v"])] = "no such"
    if 0.13 < fault < 0.22:
        drawn["nodes"] = [*nodes, rng.choice(nodes)]
    return drawn


def _draw_edge(rng: random.Random, nodes: Sequence[str], weights: Sequence[int]) -> dict[str, Json]:
    edge: dict[str, Json] = {"u": rng.choice(nodes), "v": rng.choice(nodes)}
    edge["w"] = rng.choice(weights)
    if rng.random() < 0.25:
        edge["required"] = edge["u"] != edge["v"] and rng.random() < 0.6
    return edge


# Code points, UTF-16 units and letters of a language are three different orders.
_NAMES = (
    *("a", "b", "B", "c", "Zürich", "z", "ab", "a b", "10", "9", " ", "é", "e\u0301", "ß", "ss"),
    *("ｚ", "\ufffd", "𐐨", "😀", "👍🏽", "дом", "日本"),
)


def _given(text: str) -> list[Json]:
    """Edges in short: `a-b:3` is one of weight 3, and `!` after the weight makes it required."""
    edges: list[Json] = []
    for word in text.split():
        ends, _, weight = word.partition(":")
        u, _, v = ends.partition("-")
        edge: dict[str, Json] = {"u": u, "v": v, "w": int(weight.rstrip("!"))}
        edges.append({**edge, "required": True} if "!" in weight else edge)
    return edges


def _case(
    nodes: str, edges: str, taken: str, total: int, components: int, skipped: int, goal: str = ""
) -> Case:
    """A case in short; the edges that are taken are written like the given ones."""
    listed = [{"a": edge["u"], "b": edge["v"], "w": edge["w"]} for edge in _given(taken)]
    result = {"edges": listed, "total": total, "components": components, "skipped": skipped}
    return Case(_input(nodes, edges, goal), result)


def _error(code: str, nodes: str, edges: str, goal: str = "") -> Case:
    return Case(_input(nodes, edges, goal), error=code)


def _input(nodes: str, edges: str, goal: str) -> dict[str, Json]:
    fields: dict[str, Json] = {"nodes": nodes.split(), "edges": _given(edges)}
    return {**fields, "objective": goal} if goal else fields


_BOUNDARIES = (
    _case("x é y", "é-x:3 x-é:3 y-x:-1", "x-é:3 x-y:-1", 2, 1, 1, "max"),
    _case("", "", "", 0, 0, 0),
    _case("b a", "", "", 0, 2, 0),
    # The ranking: weight, smaller name, larger name; for `max` only the weights turn round.
    _case("a b c", "b-c:1 a-c:1 a-b:1", "a-b:1 a-c:1", 2, 1, 1),
    _case("a b c", "b-c:1 a-c:1 a-b:1", "a-b:1 a-c:1", 2, 1, 1, "max"),
    _case("d c b a", "c-d:2 d-a:2 b-c:2 b-a:2", "a-b:2 a-d:2 b-c:2", 6, 1, 1),
    _case("d c b a", "d-b:1 c-b:1 d-c:1 a-b:0", "b-c:1 b-d:1 a-b:0", 2, 1, 1, "max"),
    _case("a b c", "a-b:10 b-c:9 c-a:-10", "a-c:-10 b-c:9", -1, 1, 1),
    _case("a b c", "a-b:10 b-c:9 c-a:-10", "a-b:10 b-c:9", 19, 1, 1, "max"),
    _case("a b", "a-b:-1000000 a-b:1000000", "a-b:-1000000", -1_000_000, 1, 1),
    _case("a b", "b-a:-5", "a-b:-5", -5, 1, 0, "max"),
    _case("a b c", "a-b:0 b-c:-1 c-a:1", "b-c:-1 a-b:0", -1, 1, 1),
    # Names by code point, not by letter, number or UTF-16 unit.
    _case("a Z é z", "é-a:1 z-Z:1 z-a:1 Z-é:1", "Z-z:1 Z-é:1 a-z:1", 3, 1, 1),
    _case("10 9 x", "9-x:1 x-10:1 9-10:1", "10-9:1 10-x:1", 2, 1, 1),
    _case("𐐨 ｚ 日", "𐐨-ｚ:1 日-𐐨:1 日-ｚ:1", "日-ｚ:1 日-𐐨:1", 2, 1, 1),
    _case("é e\u0301 f", "é-f:1 e\u0301-é:1 f-e\u0301:1", "e\u0301-f:1 e\u0301-é:1", 2, 1, 1),
    # Required edges come first and in the order of the ranking, whatever they weigh.
    _case("a b c", "a-b:1 c-b:9! c-a:2", "b-c:9 a-b:1", 10, 1, 1),
    _case("a b c d", "a-b:5! d-c:-3! b-c:4! a-d:-9", "c-d:-3 b-c:4 a-b:5", 6, 1, 1),
    _case("a b c d", "a-b:5! d-c:-3! b-c:4! a-d:99", "a-b:5 b-c:4 c-d:-3", 6, 1, 1, "max"),
    _case("a b c d", "c-d:2! a-b:2! b-d:2", "a-b:2 c-d:2 b-d:2", 6, 1, 0),
    _case("a b c", "a-b:7! a-b:1 b-a:7 b-c:8", "a-b:7 b-c:8", 15, 1, 2),
    Case(
        {
            "nodes": ["a", "b"],
            "edges": [
                {"u": "a", "v": "b", "w": 2, "required": False},
                {"u": "b", "v": "a", "w": 1, "required": False, "note": 0},
                {"u": "b", "v": "b", "w": 0, "required": False},
            ],
        },
        {"edges": [{"a": "a", "b": "b", "w": 1}], "total": 1, "components": 1, "skipped": 2},
    ),
    # Loops, parallel edges, and nodes that stay apart.
    _case("a b", "a-a:-5 b-b:3", "", 0, 2, 2),
    _case("a b c d e", "a-b:1 b-a:1 d-e:1 a-b:1", "a-b:1 d-e:1", 2, 3, 2),
    _case("a b c d", "a-b:1 c-d:1 b-c:1 d-a:1 a-c:1", "a-b:1 a-c:1 a-d:1", 3, 1, 2),
    _case("a b c d", "a-b:1 c-d:2 b-c:3 d-a:4", "a-b:1 c-d:2 b-c:3", 6, 1, 1),
    # Errors, and which of them comes first.
    _error("duplicate_node", "x x", "x-q:1"),
    _error("unknown_node", "x", "x-q:1 x-x:1!"),
    _error("required_cycle", "x y", "x-y:1! y-x:2!"),
    _error("duplicate_node", "x y x", "x-x:1!", "min"),
    _error("unknown_node", "x y", "x-y:1! x-y:1! q-q:1"),
    _error("unknown_node", "x y", "X-y:1"),
    _error("unknown_node", "x é", "e\u0301-x:1", "max"),
    _error("unknown_node", "", "x-y:1"),
    _error("required_cycle", "x y", "x-x:1!"),
    _error("required_cycle", "x y", "x-y:1! x-y:1!", "max"),
    _error("required_cycle", "x y z w", "x-y:1! y-z:2! w-x:0 z-x:3!"),
    _case("x y z", "x-y:1! y-z:2! z-x:0", "x-y:1 y-z:2", 3, 1, 1),
)

FAMILY = Family(
    number=24,
    slug="spanning-forest",
    title="Spanning forest with required edges",
    category="graphs",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("nodes", Array(label(), 0, 200), "The names of the nodes, compared exactly."),
        required(
            "edges",
            Array(
                Record(
                    (
                        required("u", label()),
                        required("v", label()),
                        required("w", Integer(-1_000_000, 1_000_000)),
                        optional("required", Boolean(), False),
                    )
                ),
                0,
                1_000,
            ),
            "The edges.",
        ),
        optional("objective", Choice("min", "max"), "min", "Which weights come first."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_node", "A name occurs twice in `nodes`."),
        ErrorCode("unknown_node", "`u` or `v` of an edge is not in `nodes`."),
        ErrorCode(
            "required_cycle",
            "The required edges contain a cycle. A required edge from a node to itself is a cycle; "
            "so are two required edges between the same two nodes.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_case(
        "a b c d e",
        "b-a:4 c-a:2 b-c:2 d-c:7! b-d:1 d-d:-5",
        "c-d:7 b-d:1 a-c:2",
        10,
        2,
        3,
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case(
            "p q r s t",
            "q-p:4 p-q:6 s-r:4 r-q:4 r-p:4 s-q:-2! t-t:9",
            "q-s:-2 p-q:6 p-r:4",
            8,
            2,
            4,
            "max",
        ),
        _error("required_cycle", "a b c", "a-b:1! c-a:0 b-c:2! a-c:5!", "min"),
    ),
    malformed=(
        {"nodes": ["a", ""], "edges": []},
        {"nodes": ["a", 1], "edges": []},
        {"nodes": {"a": 1}, "edges": []},
        {"nodes": ["a", "a"], "edges": None},
        {"nodes": ["a"], "edges": [["a", "a", 1]]},
        {"nodes": ["a"], "edges": [{"u": "a", "v": "a"}]},
        {"nodes": ["a"], "edges": [{"u": "a", "w": 1}]},
        {"nodes": ["a"], "edges": [{"a": "a", "b": "a", "w": 1}]},
        {"nodes": ["a"], "edges": [{"u": "a", "v": "a", "w": 1.0}]},
        {"nodes": ["a"], "edges": [{"u": "a", "v": "a", "w": 0.5}]},
        {"nodes": ["a"], "edges": [{"u": "a", "v": "a", "w": True}]},
        {"nodes": ["a"], "edges": [{"u": "a", "v": "a", "w": "1"}]},
        {"nodes": ["a"], "edges": [{"u": "a", "v": "a", "w": 1_000_001}]},
        {"nodes": ["a"], "edges": [{"u": "a", "v": "a", "w": -1_000_001}]},
        {"nodes": ["a"], "edges": [{"u": "a", "v": None, "w": 1}]},
        {"nodes": ["a"], "edges": [{"u": "a", "v": "", "w": 1}]},
        {"nodes": ["a"], "edges": [{"u": "a", "v": "a", "w": 1, "required": 1}]},
        {"nodes": ["a"], "edges": [{"u": "a", "v": "a", "w": 1, "required": "true"}]},
        {"nodes": ["a"], "edges": [{"u": "a", "v": "a", "w": 1, "required": None}]},
        {"nodes": ["a"], "edges": [], "objective": "MIN"},
        {"nodes": ["a"], "edges": [], "objective": "minimum"},
        {"nodes": ["a"], "edges": [], "objective": None},
    ),
)
