"""Topological order: the nodes of a directed graph in an order that every edge agrees with."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Choice, Fixed, label, optional, required

_SUMMARY = """\
Orders the nodes of a directed graph. An edge `[before, after]` goes from the node `before` to the
node `after`, and says that `before` must come earlier than `after`.

Build `order` step by step. A node is available if it is not in `order` yet, but every node with an
edge to it is. Always append the smallest of the available nodes. What is smallest depends on `tie`:

- `name`: the node whose name is smallest by code point.
- `input`: the node that stands earliest in `nodes`.

The level of a node is the number of edges on the longest path that ends in it. A node without an
edge to it has level 0. Any other node has a level one above the highest level among the nodes with
an edge to it."""

_RESULT = """\
An object with these members:

- `order`: an array of the names of all nodes, in the order that was built.
- `levels`: an array of arrays of names. The first holds the nodes of level 0, the next those of
  level 1, and so on up to the highest level. In each, smaller nodes come first, as `tie` says.
- `unique`: `true` if there is only one order of all nodes that agrees with every edge, else
  `false`."""

_RULES = """\
- An edge that occurs several times counts once.
- `unique` is `true` exactly if, in `order`, there is an edge from each node to the next one. So it
  is `true` if there are 0 or 1 nodes.
- Without nodes the result is `{"order": [], "levels": [], "unique": true}`."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    nodes, edges = fields["nodes"], fields["edges"]
    before: dict[str, set[str]] = {name: set() for name in nodes}
    if len(before) < len(nodes):
        raise DomainError("duplicate_node")
    if any(name not in before for edge in edges for name in edge):
        raise DomainError("unknown_node")
    for first, second in edges:
        before[second].add(first)
    ranked = sorted(nodes) if fields["tie"] == "name" else nodes
    order = _ordered(ranked, before)
    return {
        "order": order,
        "levels": _levels(order, ranked, before),
        "unique": all(first in before[second] for first, second in pairwise(order)),
    }


def _ordered(ranked: Sequence[str], before: Mapping[str, set[str]]) -> list[str]:
    order: list[str] = []
    waiting = dict.fromkeys(ranked)
    while waiting:
        name = next((n for n in waiting if waiting.keys().isdisjoint(before[n])), None)
        if name is None:
            raise DomainError("cycle")
        del waiting[name]
        order.append(name)
    return order


def _levels(
    order: Sequence[str], ranked: Sequence[str], before: Mapping[str, set[str]]
) -> list[list[str]]:
    level: dict[str, int] = {}
    for name in order:
        level[name] = max((level[first] + 1 for first in before[name]), default=0)
    count = max(level.values(), default=-1) + 1
    return [[name for name in ranked if level[name] == number] for number in range(count)]


def _generate(rng: random.Random) -> dict[str, Json]:
    nodes = rng.sample(_NAMES, rng.choice([1, 2, 4, 5, 6, 8, 10]))
    edges = _draw_edges(rng, nodes)
    rng.shuffle(edges)
    drawn: dict[str, Json] = {"nodes": rng.sample(nodes, len(nodes)), "edges": edges}
    if rng.random() < 0.6:
        drawn["tie"] = rng.choice(["name", "input", "input"])
    fault = rng.random()
    if fault < 0.12:
        edges += _draw_cycle(rng, nodes)
    if 0.09 < fault < 0.19:
        edges.insert(rng.randint(0, len(edges)), rng.sample([rng.choice(nodes), "no such"], 2))
    if 0.17 < fault < 0.25:
        drawn["nodes"].insert(rng.randint(0, len(nodes)), rng.choice(nodes))
    return drawn


def _draw_edges(rng: random.Random, nodes: Sequence[str]) -> list[Json]:
    """Edges that go forward in the nodes; now and then a chain through all of them."""
    edges: list[Json] = []
    if rng.random() < 0.2:
        edges += [list(pair) for pair in pairwise(nodes)]
    for _ in range(rng.randint(0, 2 * len(nodes) - 2)):
        first, second = sorted(rng.sample(range(len(nodes)), 2))
        edges.append([nodes[first], nodes[second]])
    if edges and rng.random() < 0.3:
        edges.append(list(rng.choice(edges)))
    return edges


def _draw_cycle(rng: random.Random, nodes: Sequence[str]) -> list[Json]:
    """Edges round some of the nodes, or from a node to itself."""
    ring = rng.sample(nodes, min(len(nodes), rng.choice([1, 2, 3])))
    return [list(pair) for pair in pairwise([*ring, ring[0]])]


# Code points, UTF-16 units and letters of a language are three different orders.
_NAMES = (
    *("a", "b", "B", "Zoë", "z", "ab", "a b", "10", "9", " ", "é", "e\u0301", "ß", "ss"),
    *("ｚ", "\ufffd", "𐐨", "😀", "👍🏽", "дом", "日本", "\u0301", "cycle", "build:test"),
)


def _case(nodes: str, edges: str, order: str, levels: str, unique: bool, tie: str = "") -> Case:
    """A case whose names are words: `a>b` is an edge, `|` stands between levels."""
    listed = [level.split() for level in levels.split("|")]
    result = {"order": order.split(), "levels": listed, "unique": unique}
    return Case(_input(nodes, edges, tie), result)


def _error(code: str, nodes: str, edges: str, tie: str = "") -> Case:
    return Case(_input(nodes, edges, tie), error=code)


def _input(nodes: str, edges: str, tie: str) -> dict[str, Json]:
    fields: dict[str, Json] = {"nodes": nodes.split(), "edges": _edges(edges)}
    return {**fields, "tie": tie} if tie else fields


def _edges(text: str) -> list[Json]:
    return [edge.split(">") for edge in text.split()]


_BOUNDARIES = (
    _case("z a é", "é>a", "z é a", "z é | a", False, tie="input"),
    _case("b a", "b>a b>a", "b a", "b | a", True),
    Case({"nodes": [], "edges": []}, {"order": [], "levels": [], "unique": True}),
    Case({"nodes": [], "edges": [], "tie": "input"}, {"order": [], "levels": [], "unique": True}),
    _case("a", "", "a", "a", True),
    # What becomes available can be smaller than what was available before; order is not by level.
    _case("c a b", "a>c", "a c b", "a b | c", False, tie="input"),
    _case("c a b", "a>c", "a b c", "a b | c", False, tie="name"),
    _case("z y a b", "a>b y>a", "y a b z", "y z | a | b", False),
    _case("1 5 3 4", "3>1 3>4", "3 1 4 5", "3 5 | 1 4", False),
    # The smallest comes first; it is not the largest that comes last.
    _case("d c b a", "d>a", "b c d a", "b c d | a", False),
    _case("a b c d", "d>a c>b", "c b d a", "c d | a b", False),
    # Longest paths, not shortest ones.
    _case("a b c d", "a>d a>b b>c c>d", "a b c d", "a | b | c | d", True),
    _case("p q r s", "p>s q>r r>s", "p q r s", "p q | r | s", False),
    _case("w x y z", "w>x w>y x>z y>z", "w x y z", "w | x y | z", False),
    # One pair of neighbours without an edge is enough for a second order.
    _case("a b c d", "a>b b>d a>c c>d b>c", "a b c d", "a | b | c | d", True),
    _case("a b c d", "a>b c>d a>c a>d b>d", "a b c d", "a | b c | d", False),
    _case("b a", "", "a b", "a b", False),
    _case("b a", "", "b a", "b a", False, tie="input"),
    # Names are compared exactly and by code point.
    _case("a Z é z 10 9", "", "10 9 Z a z é", "10 9 Z a z é", False),
    _case("𐐨 ｚ é e\u0301 f", "", "e\u0301 f é ｚ 𐐨", "e\u0301 f é ｚ 𐐨", False),
    _case("𐐨 ｚ 日", "ｚ>日", "ｚ 日 𐐨", "ｚ 𐐨 | 日", False),
    _case("a A", "a>A", "a A", "a | A", True),
    _case("é e\u0301", "é>e\u0301", "é e\u0301", "é | e\u0301", True, tie="input"),
    # Errors, and which of them comes first.
    _error("duplicate_node", "a a", "a>q"),
    _error("unknown_node", "a", "a>a a>q"),
    _error("cycle", "a", "a>a"),
    _error("duplicate_node", "x b c x", ""),
    _error("duplicate_node", "a b b", "a>b b>a"),
    _error("duplicate_node", "a b b", "b>b"),
    _error("unknown_node", "a b", "q>a"),
    _error("unknown_node", "a b", "a>A", tie="input"),
    _error("unknown_node", "a é", "a>e\u0301"),
    _error("unknown_node", "a b", "a>b b>a a>c"),
    _error("unknown_node", "a b", "a>b q>q"),
    _error("unknown_node", "", "a>b"),
    _error("cycle", "a b", "b>a a>b"),
    _error("cycle", "a b c d e", "a>b b>c c>d d>b d>e"),
    _error("cycle", "b a c", "a>b b>b b>c", tie="input"),
)

FAMILY = Family(
    number=21,
    slug="topological-order",
    title="Topological order with tie-break",
    category="graphs",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("nodes", Array(label(), 0, 300), "The names of the nodes, compared exactly."),
        required("edges", Array(Fixed(label(), label()), 0, 2_000), "The edges."),
        optional("tie", Choice("name", "input"), "name", "Which available node is the smallest."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_node", "A name occurs twice in `nodes`."),
        ErrorCode("unknown_node", "A name in an edge is not in `nodes`."),
        ErrorCode(
            "cycle",
            "A path along edges leads from a node back to itself. An edge from a node to itself is "
            "such a path.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "nodes": ["shoes", "socks", "belt", "pants", "hat"],
            "edges": [["socks", "shoes"], ["pants", "shoes"], ["pants", "belt"]],
        },
        {
            "order": ["hat", "pants", "belt", "socks", "shoes"],
            "levels": [["hat", "pants", "socks"], ["belt", "shoes"]],
            "unique": False,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case("b d c a", "c>a b>d d>a b>d", "b d c a", "b c | d | a", False, tie="input"),
        _error("cycle", "b c a", "a>b b>c c>b", tie="name"),
    ),
    malformed=(
        {"nodes": ["a", ""], "edges": []},
        {"nodes": ["a", 1], "edges": []},
        {"nodes": ["a", None], "edges": []},
        {"nodes": "ab", "edges": []},
        {"nodes": {"a": 1}, "edges": []},
        {"nodes": ["n" * 41], "edges": []},
        {"nodes": ["a", "a"], "edges": [["a"]]},
        {"nodes": ["a", "b"], "edges": [["a", "b", "a"]]},
        {"nodes": ["a", "b"], "edges": ["ab"]},
        {"nodes": ["a", "b"], "edges": [{"before": "a", "after": "b"}]},
        {"nodes": ["a", "b"], "edges": [["a", 0]]},
        {"nodes": ["a", "b"], "edges": [["a", ["b"]]]},
        {"nodes": ["a", "b"], "edges": [["a", ""]]},
        {"nodes": ["a", "b"], "edges": {"a": ["b"]}},
        {"nodes": ["a"], "edges": None},
        {"nodes": ["a"]},
        {"edges": [], "tie": "NAME"},
        {"nodes": ["a"], "edges": [], "tie": "Name"},
        {"nodes": ["a"], "edges": [], "tie": None},
        {"nodes": ["a"], "edges": [], "tie": ["name"]},
    ),
)
