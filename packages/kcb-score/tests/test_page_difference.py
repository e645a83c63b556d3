"""A wrong response beside the expected one: what is marked, what is folded, what cannot be JSON."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_core.equality import same
from kcb_score.page.difference import Line, Mark, diff


def lines(expected: Any, received: Any, most: int = 99) -> list[str]:
    """The diff of two values, one string a line."""
    found = diff(json.dumps(expected), json.dumps(received), most=most)
    return [f"{line.mark}{'  ' * line.depth}{line.text}" for line in found]


def test_members_are_told_apart_one_by_one() -> None:
    """A reader sees which member is wrong, missing or too many, in the expected order."""
    assert lines({"id": 1, "ok": True, "sum": 3}, {"ok": True, "sum": 4, "id": 1, "why": "x"}) == [
        " {",
        '   "id": 1',
        '   "ok": true',
        '-  "sum": 3',
        '+  "sum": 4',
        '+  "why": "x"',
        " }",
    ]


def test_elements_are_told_apart_by_their_place() -> None:
    """An array of the wrong length shows what is missing at its end."""
    assert lines([1, 2, 3], [1, 5]) == [" [", "   0: 1", "-  1: 2", "+  1: 5", "-  2: 3", " ]"]


def test_what_the_evaluator_lets_pass_is_not_marked() -> None:
    """An expected float is met by a number close to it, an integer only by itself."""
    assert lines({"a": 0.5, "b": 1}, {"a": 0.5000000000001, "b": 1.0}) == [
        " {",
        '   "a": 0.5',
        '-  "b": 1',
        '+  "b": 1.0',
        " }",
    ]


def test_long_runs_of_equal_members_are_folded() -> None:
    """What is wrong must not drown in what is right."""
    found = lines(list(range(50)), [*range(49), -1])
    assert found == [
        " [",
        "   0: 0",
        "   … 47 equal members",
        "   48: 48",
        "-  49: 49",
        "+  49: -1",
        " ]",
    ]


def test_a_response_that_is_no_json_stands_as_it_came() -> None:
    """A traceback on standard output is what its author needs to see."""
    found = diff('{"id":1}', "<script>\x1b[31m\u202e", most=9)
    assert found == (
        Line(Mark.EXPECTED, 0, '{"id":1}'),
        Line(Mark.RECEIVED, 0, "<script>\\x1b[31m\\u202e"),
    )


def test_no_response_leaves_the_expected_one_alone() -> None:
    """There is nothing to show beside it."""
    assert [line.mark for line in diff("{}", "", most=9)] == [Mark.EXPECTED]


def test_a_difference_far_inside_a_long_string_is_shown() -> None:
    """What is cut away is what both have in common."""
    start = "x" * 5000
    (first, second) = diff(json.dumps(start + "A"), json.dumps(start + "B"), most=9)
    assert "A" in first.text
    assert "B" in second.text
    assert len(first.text) < 400


def test_no_more_lines_than_asked_for() -> None:
    """A response of a megabyte does not become a page of one."""
    found = lines([[n] for n in range(100)], [[-n - 1] for n in range(100)], most=10)
    assert len(found) == 11
    assert found[-1] == " … and so on"


@pytest.mark.parametrize("depth", [150, 250])
def test_deep_values_do_not_break_it(depth: int) -> None:
    """Nesting beyond what the protocol allows is shown as text."""
    deep = "[" * depth + "]" * depth
    assert diff("[]", deep, most=9)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=12,
)


@given(VALUES, VALUES)
def test_something_is_marked_exactly_if_the_values_differ(expected: Any, received: Any) -> None:
    """The page and the evaluator never disagree on whether a response was right."""
    found = diff(json.dumps(expected), json.dumps(received), most=10_000)
    assert any(line.mark is not Mark.BOTH for line in found) is not same(expected, received)
