"""Values with one part at its edge: every part has its turn, allowed and refused."""

import pytest

from kcb_core.codec import Json, compact
from kcb_core.shape import (
    AnyOf,
    Array,
    Boolean,
    Checked,
    Choice,
    Fixed,
    Integer,
    Mapped,
    Nullable,
    Record,
    Shape,
    Tagged,
    Text,
    optional,
    required,
)
from kcb_tasks.families import discover
from kcb_tasks.scenarios.contract import contract_acts
from kcb_tasks.scenarios.edges import MAX_VALUE_BYTES, edges
from kcb_tasks.scenarios.material import Material
from kcb_tasks.scenarios.sendable import check_line

POINT = Record((required("x", Integer(2, 5)), optional("tag", Text(1, 3), "a")))

SHAPES: dict[str, tuple[Shape, list[Json]]] = {
    "an integer": (Integer(2, 5), [1, 2, 5, 6]),
    "a length": (Array(Integer(0, 9), 1, 3), [[], [0], [0, 0, 0], [0, 0, 0, 0]]),
    "an element": (Array(Integer(2, 5), 0, 3), [[1], [2], [5], [6]]),
    "the last of several": (Array(Integer(2, 5), 3, 9), [[2, 2, 1], [2, 2, 5], [2, 2, 6]]),
    "a place": (Fixed(Integer(2, 5), Boolean()), [[1, False], [6, False], [2, True], [2, 0], [2]]),
    "a member": (POINT, [{}, {"x": 1}, {"x": 5}, {"x": 6}, {"x": 2, "tag": ""}]),
    "a member inside an array": (Array(POINT, 0, 9), [[{}], [{"x": 6}], [{"x": 2, "tag": "aaaa"}]]),
    "a variant": (
        Tagged("op", {"add": Record((required("n", Integer(0, 1)),)), "end": Record(())}),
        [{"op": "add", "n": 2}, {"op": "add"}, {"op": "end"}],
    ),
    "a number of names": (
        Mapped(Text(1, 9), Integer(0, 1), 2),
        [{"a0": 0, "a1": 0}, {"a0": 0, "a1": 0, "a2": 0}, {"a": 2}, {"": 0}],
    ),
    "a nullable part": (Nullable(Integer(2, 5)), [None, 1, 2, 5, 6]),
    "either of two shapes": (AnyOf((Integer(2, 5), Choice("a", "b"))), [1, 6, "b", "A"]),
    "a checked part": (
        Checked(Integer(0, 5), lambda n: n != 3, "n", valid=(1, 2), invalid=(3,)),
        [2, 3, 5, 6],
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_part_has_its_turn(name: str) -> None:
    """A bound that no value probes is a bound that a program may get wrong."""
    shape, wanted = SHAPES[name]
    offered = {compact(value) for value in edges(shape)}
    assert {compact(value) for value in wanted} <= offered


@pytest.mark.parametrize("name", SHAPES)
def test_both_kinds_are_there(name: str) -> None:
    """A check that refuses too much is as wrong as one that refuses too little."""
    shape, _ = SHAPES[name]
    assert {shape.admits(value) for value in edges(shape)} == {True, False}


def test_no_value_is_long_only_to_be_long() -> None:
    """A line may hold 256 KiB, and every tier sends all of this."""
    for shape in (Array(Text(50, 50), 0, 10**6), Mapped(Text(1, 50), Text(9, 9), 10**6)):
        assert all(len(compact(value)) <= MAX_VALUE_BYTES for value in edges(shape))


def test_acts_on_edges_repeat_nothing_and_may_be_sent() -> None:
    """They only fill what the other lists leave out."""
    for family in discover():
        acts = [act for act in contract_acts(Material(family, 1)) if act.topic == "edges"]
        lines = [compact(request) for act in acts for request in act.requests]
        assert len(set(lines)) == len(lines)
        for line in lines:
            check_line(line)


def test_members_deep_inside_a_field_are_probed() -> None:
    """Of the events of a ledger the last member of the last kind is bounded too."""
    (family,) = [family for family in discover() if family.slug == "tax-lots"]
    acts = [act for act in contract_acts(Material(family, 1)) if act.topic == "edges"]
    text = "".join(compact(request) for act in acts for request in act.requests)
    for part in ('"den":100}', '"den":0}', '"num":101,', '"price":1000000001', '"fee":1000000001'):
        assert part in text, part
