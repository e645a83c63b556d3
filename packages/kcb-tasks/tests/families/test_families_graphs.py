"""The families about graphs: conformance, invariants, and wrong variants that the cases catch."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, permutations
from types import ModuleType

import pytest
from wrong_families import Mistake, mistakes

from kcb_core.codec import Json
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.graphs import (
    bridges_and_cuts,
    max_flow_min_cut,
    shortest_path_ties,
    spanning_forest,
    topological_order,
)

pytestmark = pytest.mark.families

_MODULES = (
    topological_order,
    shortest_path_ties,
    bridges_and_cuts,
    spanning_forest,
    max_flow_min_cut,
)


class TestTopologicalOrder(FamilyConformance):
    """What every family keeps."""

    family = topological_order.FAMILY


class TestShortestPathTies(FamilyConformance):
    """What every family keeps."""

    family = shortest_path_ties.FAMILY


class TestBridgesAndCuts(FamilyConformance):
    """What every family keeps."""

    family = bridges_and_cuts.FAMILY


class TestSpanningForest(FamilyConformance):
    """What every family keeps."""

    family = spanning_forest.FAMILY


class TestMaxFlowMinCut(FamilyConformance):
    """What every family keeps."""

    family = max_flow_min_cut.FAMILY


@pytest.mark.parametrize("module", _MODULES)
def test_drawn_inputs_reach_every_error_and_enough_results(module: ModuleType) -> None:
    """A dataset takes the first 24 inputs, so these must show all that can happen."""
    family = module.FAMILY
    given = [answer(family, fields) for fields in generated_inputs(family, 1729, 24)]
    reached = {found["error"]["code"] for found in given if "error" in found}
    assert reached == {error.code for error in family.errors}
    assert 16 <= sum("result" in found for found in given) <= 20


def _results(family: Family, count: int = 100) -> Iterator[tuple[dict[str, Json], Json]]:
    """Random inputs with a result, and the result."""
    found = 0
    for fields in generated_inputs(family, 4_242, 4 * count):
        given = answer(family, fields)
        if "result" in given and found < count:
            found += 1
            yield fields, given["result"]
    assert found == count


def test_orders_and_levels_agree_with_the_edges() -> None:
    """Every edge goes forward and up; of all orders the smallest is the one reported."""
    for fields, result in _results(topological_order.FAMILY):
        order, levels = result["order"], result["levels"]
        assert sorted(order) == sorted(fields["nodes"])
        level = {name: number for number, names in enumerate(levels) for name in names}
        flat = [name for names in levels for name in names]
        assert sorted(flat) == sorted(order)
        for first, second in fields["edges"]:
            assert order.index(first) < order.index(second)
            assert level[first] < level[second]
        ranked = sorted(order) if fields.get("tie", "name") == "name" else fields["nodes"]
        assert all(names == sorted(names, key=ranked.index) for names in levels)
        if len(order) <= 6:
            valid = [
                list(found)
                for found in permutations(ranked)
                if all(found.index(a) < found.index(b) for a, b in fields["edges"])
            ]
            assert order == valid[0]
            assert result["unique"] == (len(valid) == 1)


def test_no_other_path_is_better() -> None:
    """All simple paths are listed here, and the best of them counted."""
    for fields, result in _results(shortest_path_ties.FAMILY):
        source, target = fields["source"], fields["target"]
        arcs: dict[tuple[str, str], int] = {}
        for edge in fields["edges"]:
            ends = [(edge["from"], edge["to"])]
            ends += [(edge["to"], edge["from"])] if not fields.get("directed", True) else []
            for arc in ends:
                if not set(arc) & set(fields.get("avoid", [])):
                    arcs[arc] = min(edge["weight"], arcs.get(arc, 10**9))
        found: list[tuple[int, int, list[str]]] = []
        reached = set()
        waiting = [(0, [source])]
        while waiting:
            cost, path = waiting.pop()
            reached.add(path[-1])
            if path[-1] == target:
                found.append((cost, len(path) - 1, path))
            for (first, second), weight in arcs.items():
                if first == path[-1] and second not in path:
                    waiting.append((cost + weight, [*path, second]))
        best = min(found)
        assert best == (result["cost"], result["hops"], result["path"])
        assert result["ties"] == sum(other[:2] == best[:2] for other in found)
        assert result["reachable"] == len(reached)
        steps = [arcs[pair] for pair in pairwise(result["path"])]
        assert (sum(steps), len(steps)) == best[:2]


def test_islands_are_components_without_bridges() -> None:
    """Both divide the nodes, and every bridge makes one island more."""
    for fields, result in _results(bridges_and_cuts.FAMILY):
        for groups in (result["components"], result["islands"]):
            assert sorted(name for group in groups for name in group) == sorted(fields["nodes"])
            assert groups == sorted(sorted(group) for group in groups)
        assert len(result["islands"]) == len(result["components"]) + len(result["bridges"])
        whole = {tuple(group) for group in result["components"]}
        assert all(any(set(i) <= set(c) for c in whole) for i in result["islands"])
        for group in result["components"]:
            for name in result["articulation"]:
                if name in group:
                    rest = [n for n in group if n != name]
                    edges = [e for e in fields["edges"] if set(e) <= set(rest)]
                    again = answer(bridges_and_cuts.FAMILY, {"nodes": rest, "edges": edges})
                    assert len(again["result"]["components"]) > 1


def test_no_swap_makes_a_forest_better() -> None:
    """Without one edge that is not required, no skipped edge joins the parts at less weight."""
    for fields, result in _results(spanning_forest.FAMILY):
        nodes, chosen = fields["nodes"], result["edges"]
        assert len(chosen) + result["components"] == len(nodes)
        assert result["total"] == sum(edge["w"] for edge in chosen)
        assert result["skipped"] == len(fields["edges"]) - len(chosen)
        sign = -1 if fields.get("objective") == "max" else 1
        fixed = [
            (min(e["u"], e["v"]), max(e["u"], e["v"]), e["w"])
            for e in fields["edges"]
            if e.get("required", False)
        ]
        listed = [(edge["a"], edge["b"], edge["w"]) for edge in chosen]
        assert sorted(listed[: len(fixed)]) == sorted(fixed)
        for without in listed[len(fixed) :]:
            group = {name: name for name in nodes}
            for a, b, _ in listed:
                if (a, b) != without[:2]:
                    old, new = group[a], group[b]
                    group = {n: new if g == old else g for n, g in group.items()}
            for edge in fields["edges"]:
                joins = {group[edge["u"]], group[edge["v"]]} == {
                    group[without[0]],
                    group[without[1]],
                }
                assert not joins or sign * edge["w"] >= sign * without[2]


_Point = tuple[str, int]
_Arc = tuple[_Point, _Point]


def _all_cuts(fields: dict[str, Json]) -> list[tuple[int, frozenset[_Point], frozenset[_Arc]]]:
    """Capacity, source side and arcs of every set of points with the source and not the sink."""
    arcs: dict[_Arc, int] = {}
    for edge in fields["edges"]:
        if edge["from"] != edge["to"]:
            arc = ((edge["from"], 1), (edge["to"], 0))
            arcs[arc] = arcs.get(arc, 0) + edge["cap"]
    for name in fields["nodes"]:
        arcs[(name, 0), (name, 1)] = fields.get("node_caps", {}).get(name, 10**9)
    source, sink = (fields["source"], 0), (fields["sink"], 1)
    points = [(name, side) for name in fields["nodes"] for side in (0, 1)]
    inner = [point for point in points if point not in (source, sink)]
    cuts = []
    for count in range(len(inner) + 1):
        for chosen in combinations(inner, count):
            side = {source, *chosen}
            cut = [
                arc for arc, cap in arcs.items() if cap and arc[0] in side and arc[1] not in side
            ]
            total = sum(arcs[arc] for arc in cut)
            cuts.append((total, frozenset(side), frozenset(cut)))
    return cuts


def test_no_cut_is_smaller_and_none_nearer() -> None:
    """All cuts are listed here, so value, nearest side and uniqueness can be read off."""
    checked = 0
    for fields, result in _results(max_flow_min_cut.FAMILY):
        caps = [edge["cap"] for edge in result["cut_edges"]]
        caps += [fields["node_caps"][name] for name in result["cut_nodes"]]
        assert sum(caps) == result["value"]
        if len(fields["nodes"]) > 6:
            continue
        checked += 1
        cuts = _all_cuts(fields)
        value = min(total for total, _, _ in cuts)
        smallest = [(side, cut) for total, side, cut in cuts if total == value]
        nearest = frozenset.intersection(*(side for side, _ in smallest))
        cut = next(cut for side, cut in smallest if side == nearest)
        assert result["value"] == value
        assert result["source_side"] == sorted(name for name, side in nearest if side == 0)
        edges = sorted((a[0], b[0]) for a, b in cut if a[1] == 1)
        assert [(edge["from"], edge["to"]) for edge in result["cut_edges"]] == edges
        assert result["cut_nodes"] == sorted(a[0] for a, b in cut if a[1] == 0)
        assert result["unique"] == (len({cut for _, cut in smallest}) == 1)
    assert checked > 50


_WRONG = {
    topological_order: [
        ('sorted(nodes) if fields["tie"] == "name" else nodes', "sorted(nodes)"),
        ('sorted(nodes) if fields["tie"] == "name" else nodes', "nodes"),
        ("sorted(nodes) if", "sorted(nodes, key=str.casefold) if"),
        ("sorted(nodes) if", 'sorted(nodes, key=lambda n: n.encode("utf-16-be")) if'),
        ('"order": order,', '"order": sum(_levels(order, ranked, before), []),'),
        (
            "(level[first] + 1 for first in before[name]), default=0",
            "(level[first] + 1 for first in sorted(before[name])[:1]), default=0",
        ),
        ("level[name] = max((", "level[name] = min(("),
        (
            "for name in ranked if level[name] == number]",
            "for name in order if level[name] == number]",
        ),
        (
            "all(first in before[second] for first, second in pairwise(order))",
            "len(edges) >= len(nodes) - 1",
        ),
        (
            "all(first in before[second] for first, second in pairwise(order))",
            "all(before[n] for n in order[1:])",
        ),
        (
            "all(first in before[second] for first, second in pairwise(order))",
            "len(nodes) > 0 and all(first in before[second] for first, second in pairwise(order))",
        ),
        ("before[second].add(first)", "before[second].add(first) if first != second else None"),
        (
            "if any(name not in before for edge in edges for name in edge):",
            "if any(edge[1] not in before for edge in edges):",
        ),
        (
            "for edge in edges for name in edge):",
            "for edge in edges for name in edge if edge[0] != edge[1]):",
        ),
        (
            'raise DomainError("duplicate_node")',
            'raise DomainError("cycle" if any(a == b for a, b in edges) else "duplicate_node")',
        ),
        (
            'DomainError("unknown_node")',
            'DomainError("cycle" if any(a == b for a, b in edges) else "unknown_node")',
        ),
        ("if len(before) < len(nodes):", "if any(a == b for a, b in pairwise(nodes)):"),
    ],
    shortest_path_ties: [
        ("min(following[path[-1]])", "following[path[-1]][0]"),
        ("min(following[path[-1]])", "max(following[path[-1]])"),
        (
            "min(following[path[-1]])",
            'min(following[path[-1]], key=lambda n: n.encode("utf-16-be"))',
        ),
        ("hops + 1), other", "hops), other"),
        (
            "(rest[other][0] + weight, rest[other][1] + 1)",
            "(rest[other][0] + weight, rest[name][1])",
        ),
        ("min(weight, arcs[first].get(second, weight))", "weight"),
        (
            "min(weight, arcs[first].get(second, weight))",
            "max(weight, arcs[first].get(second, weight))",
        ),
        ("min(weight, arcs[second].get(first, weight))", "weight"),
        ('if not fields["directed"]:', "if True:"),
        ('if not fields["directed"]:', "if False:"),
        (
            "if first in arcs and second in arcs:",
            "if first in arcs and arcs.setdefault(second, {}) is not None:",
        ),
        ("sum(counts[other] for other in following[name])", "sum(1 for other in following[name])"),
        (
            "sum(counts[other] for other in following[name])",
            "max(counts[other] for other in following[name])",
        ),
        ("len(_measures(arcs, source))", "len(rest)"),
        ("len(_measures(arcs, source))", "len(_measures(arcs, source)) - 1"),
        ("len(_measures(arcs, source))", "len(arcs)"),
        ("[*named, *ends, *avoid]", "[*named, *ends]"),
        ("[*named, *ends, *avoid]", "[*named, *avoid]"),
        ("any(name in avoid for name in ends)", "ends[0] in avoid"),
        ("any(name in avoid for name in ends)", "ends[1] in avoid"),
        (
            'raise DomainError("duplicate_node")',
            'raise DomainError("unknown_node" if ends[0] not in nodes else "duplicate_node")',
        ),
        (
            'raise DomainError("unknown_node")',
            'raise DomainError("avoided_endpoint" if ends[1] in avoid else "unknown_node")',
        ),
    ],
    bridges_and_cuts: [
        ("counts[pair] == 1 and len", "len"),
        ("(min(edge), max(edge))", "tuple(edge)"),
        (
            "n != name], pairs)) > len(components)",
            "n != name], pairs)) + any([name, name] == e for e in edges) > len(components)",
        ),
        (
            "if len(_components([n for n in nodes if n != name], pairs)) > len(components)",
            "if len(_components([n for n in nodes if n != name], pairs)) != len(components)",
        ),
        (
            "if len(_components([n for n in nodes if n != name], pairs)) > len(components)",
            "if any(name in pair for pair in bridges)",
        ),
        (
            "if len(_components([n for n in nodes if n != name], pairs)) > len(components)",
            "if len(_components([n for n in nodes if n != name], pairs)) > 1",
        ),
        ("for name in sorted(nodes)\n", "for name in nodes\n"),
        ("sorted(found))", "sorted(found, key=str.casefold))"),
        ("sorted(found))", 'sorted(found, key=lambda n: n.encode("utf-16-be")))'),
        ("return sorted(components)", "return components"),
        ("return sorted(components)", "return sorted(components, key=len)"),
        ("sorted(bridges)]", "sorted(bridges, key=lambda p: (p[1], p[0]))]"),
        ("pairs - bridges)", "pairs)"),
        ("pairs - bridges)", "{p for p in pairs - bridges if not {*p} & {*articulation}})"),
        (
            "if not set(nodes).issuperset(name for edge in edges for name in edge):",
            "if not set(nodes).issuperset(n for e in edges for n in e if e[0] != e[1]):",
        ),
        (
            'DomainError("duplicate_node")',
            'DomainError("duplicate_node" if "q" not in edges[0] else "unknown_node")',
        ),
    ],
    spanning_forest: [
        ("sign * e.w, e.a, e.b)", "sign * e.w)"),
        ("sign * e.w, e.a, e.b)", "sign * e.w, e.b, e.a)"),
        ("sign * e.w, e.a, e.b)", "sign * e.w, e.a)"),
        (
            "(not e.required, sign * e.w, e.a, e.b))",
            "(not e.required, e.w, e.a, e.b), reverse=sign < 0)",
        ),
        ("(not e.required, sign * e.w, e.a, e.b))", "(not e.required, e.w, e.a, e.b))"),
        ("(not e.required, sign * e.w,", "(sign * e.w, not e.required,"),
        (
            "(not e.required, sign * e.w, e.a, e.b)",
            "(not e.required, 0 if e.required else sign * e.w, e.a, e.b)",
        ),
        (
            'min(u, v), max(u, v), given.get("required", False)',
            'u, v, given.get("required", False)',
        ),
        ('given.get("required", False)', '"required" in given'),
        ("elif edge.required:", "elif edge.required and edge.a != edge.b:"),
        ("elif edge.required:", "elif edge.required and False:"),
        (
            '"skipped": len(edges) - len(taken)',
            '"skipped": len([e for e in edges if e.a != e.b]) - len(taken)',
        ),
        (
            '"components": len(set(group.values()))',
            '"components": len({group[n] for e in taken for n in (e.a, e.b)})',
        ),
        ("if old != new:", "if old != new and (edge.w > 0 or sign > 0):"),
        ("for edge in taken],", "for edge in sorted(taken)],"),
        (
            'raise DomainError("unknown_node")',
            'raise DomainError("required_cycle" if "x" in edges[-1] else "unknown_node")',
        ),
        (
            'raise DomainError("duplicate_node")',
            'raise DomainError("unknown_node" if "q" in edges[0] else "duplicate_node")',
        ),
        ("for name in (edge.a, edge.b))", "for name in (edge.a,))"),
        ("for name in (edge.a, edge.b))", "for name in (edge.b,))"),
    ],
    max_flow_min_cut: [
        ('(edge["to"], "in")] += edge["cap"]', '(edge["to"], "in")] = edge["cap"]'),
        ('edge["to"], "in")] += edge["cap"]', 'edge["to"], "in")] += max(1, edge["cap"])'),
        ("unlimited = sum(limited.values()) + 1", "unlimited = 1_000_000"),
        ("if cap > 0 and x in side", "if x in side"),
        ("near = _reached(rest, source)", "near = rest.keys() - _reached(_backwards(rest), sink)"),
        ("rest[y][x] = rest[y].get(x, 0) + amount", "rest[y][x] = rest[y].get(x, 0)"),
        (
            "edges | nodes), source, sink)",
            "edges | {a: c for a, c in nodes.items() if a[0] != source}), source, sink)",
        ),
        (
            "edges | nodes), source, sink)",
            "edges | {a: c for a, c in nodes.items() if a[1] != sink}), source, sink)",
        ),
        ("edges | nodes), source, sink)", "edges), source, sink)"),
        ('near if side == "in")', 'near if side == "out")'),
        ("(cut_edges, cut_nodes) == (_cut(edges, far), _cut(nodes, far))", "set(near) == set(far)"),
        (
            "(cut_edges, cut_nodes) == (_cut(edges, far), _cut(nodes, far))",
            "cut_edges == _cut(edges, far)",
        ),
        (
            "(cut_edges, cut_nodes) == (_cut(edges, far), _cut(nodes, far))",
            "cut_nodes == _cut(nodes, far)",
        ),
        (
            "(cut_edges, cut_nodes) == (_cut(edges, far), _cut(nodes, far))",
            "value > 0 and (cut_edges, cut_nodes) == (_cut(edges, far), _cut(nodes, far))",
        ),
        ("    return sorted(\n", "    return list(\n"),
        ("sorted(name for name, side in near", "list(name for name, side in near"),
        (
            "while sink in (came_from := _reached(rest, source)):",
            "while value < 1 and sink in (came_from := _reached(rest, source)):",
        ),
        ('*fields["node_caps"], ', ""),
        (
            'raise DomainError("unknown_node")',
            'raise DomainError("same_endpoints" if "q" not in named else "unknown_node")',
        ),
        (
            'raise DomainError("duplicate_node")',
            'raise DomainError("unknown_node" if fields["source"] == "q" else "duplicate_node")',
        ),
        ('fields["source"], fields["sink"]]', 'fields["source"]]'),
    ],
}

MISTAKES = mistakes(_WRONG)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
