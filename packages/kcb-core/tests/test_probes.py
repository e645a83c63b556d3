"""What the conformance classes look with."""

import sys

import pytest

from kcb_core.codec import Json
from kcb_core.family import answer
from kcb_core.shape import MAX_INTEGER
from kcb_core.testing import probes, toy
from kcb_core.testing.toy import AMOUNTS


def nested(depth: int) -> Json:
    """An object with arrays in it, so deep in all."""
    value: Json = []
    for _ in range(depth - 2):
        value = [value]
    return {"a": value}


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({}, None),
        ({"a": [1, 1.5, None, True, "é\u2028", {"b": -MAX_INTEGER}]}, None),
        (nested(probes.MAX_INPUT_DEPTH), None),
        ({"a": "x" * (probes.MAX_INPUT_BYTES - 8)}, None),
        ([], "[] is no object"),
        ({"a": MAX_INTEGER + 1}, "$.a: 9007199254740992 is beyond 2^53 - 1"),
        ({"a": [-MAX_INTEGER - 1]}, "$.a[0]: -9007199254740992 is beyond 2^53 - 1"),
        ({"a": 10**100}, "$.a: 1" + "0" * 56 + "... is beyond 2^53 - 1"),
        ({"a": -0.0}, "$.a: -0.0 is never sent"),
        ({"a": float("nan")}, "$.a: nan is never sent"),
        ({"a": float("inf")}, "$.a: inf is never sent"),
        ({"a": "\ud800"}, "$.a: '\\ud800' holds half of a surrogate pair"),
        ({"\udfff": 1}, "$: '\\udfff' holds half of a surrogate pair"),
        ({"a": (1, 2)}, "$.a: (1, 2) is no JSON value but of the type tuple"),
        ({"a": {1: 2}}, "$.a: the member name 1 is no string"),
        (nested(probes.MAX_INPUT_DEPTH + 1), "it is nested deeper than 60"),
        ({"a": "é" * (probes.MAX_INPUT_BYTES // 2)}, "it is 261128 bytes long"),
    ],
)
def test_what_is_never_sent_is_found(value: Json, fault: str | None) -> None:
    """The prompt promises it, and every scenario is made of such inputs."""
    assert probes.input_fault(value) == fault


@pytest.mark.parametrize(
    ("value", "floats", "fault"),
    [
        ({"a": [10**100, None, "x"]}, False, None),
        ({"a": 1.5}, True, None),
        (nested(probes.MAX_INPUT_DEPTH + 10), False, None),
        ({"a": -0.0}, True, None),
        ({"a": 1.5}, False, "$.a: 1.5 is a float"),
        ({"a": float("nan")}, True, "$.a: nan"),
        ({"a": float("inf")}, False, "$.a: inf"),
        ([10**4_000], False, "$[0]: an integer of more than 4000 digits"),
        ([10**4_000 - 1, 1 - 10**4_000], False, None),
        ((1,), False, "$: (1,) is no JSON value but of the type tuple"),
        ({"a": {"x"}}, False, "$.a: {'x'} is no JSON value but of the type set"),
        ({None: 1}, False, "$: the member name None is no string"),
        (["\ud800"], False, "$[0]: '\\ud800' holds half of a surrogate pair"),
    ],
)
def test_what_is_no_expected_response_is_found(
    value: Json, floats: bool, fault: str | None
) -> None:
    """What is stored must be what was computed, and what can be compared."""
    assert probes.result_fault(value, floats=floats) == fault


def test_fields_are_probed_one_by_one_and_together() -> None:
    """Each missing field, each edge from both sides, and the order among several faults."""
    found = {what: answer(AMOUNTS, fields) for what, fields in probes.field_probes(AMOUNTS)}
    assert found["no field at all"]["error"] == {"code": "missing_field", "field": "amounts"}
    assert found["without 'unit'"]["error"] == {"code": "missing_field", "field": "unit"}
    assert "result" in found["without 'cap'"]
    assert found["'cap' is 10001"]["error"] == {"code": "invalid_field", "field": "cap"}
    assert "error" not in found["'cap' is 10000"]
    assert found["every field is invalid"]["error"]["field"] == "amounts"
    missing = found["all but the missing 'unit' are invalid"]["error"]
    assert missing == {"code": "missing_field", "field": "unit"}
    assert "result" in found["a field that the contract does not name"]


@pytest.mark.parametrize(
    ("results", "names"),
    [
        ([], set()),
        ([1, "a", None, []], set()),
        ([{"a": 1, "b": 2}, {"a": 1}], {"a", "b"}),
        ([{"a": 1}, {"b": 1}], set()),
        ([{"a": 1}, {}], set()),
        ([{"rows": [{"x": 1}, {"x": 2, "y": 3}]}], {"rows", "x", "y"}),
        ([{"by": {"ann": {"n": 1}, "bob": {"n": 2}}}, {"by": {"cid": {"n": 3}}}], {"by", "n"}),
        ([[{"x": 1}], [[{"y": 1}]]], {"x", "y"}),
    ],
)
def test_records_are_told_from_maps(results: list[Json], names: set[str]) -> None:
    """A contract can name the members of a record, and not those that come from the data."""
    assert probes.record_members(results) == names


def test_names_are_looked_for_in_code_spans() -> None:
    """``a`` in a sentence is a word; between backticks it is a name."""
    spans = probes.code_spans('A `word` of `{"total": n}`.', "```\ncode\n```", "a plain word")
    assert probes.named("word", spans)
    assert probes.named("total", spans)
    assert probes.named("code", spans)
    assert not probes.named("plain", spans)
    assert not probes.named("tot", spans)
    assert not probes.named("A", spans)


def test_names_in_a_value_are_its_strings_and_members() -> None:
    """Members of a result that stand in the input need no name in the contract."""
    assert probes.names_in({"a": ["b", {"c": 1}], "d": None}) == {"a", "b", "c", "d"}


def test_value_is_found_where_another_process_can_import_it() -> None:
    """Functions of a module are no address; the name of the value itself is."""
    assert probes.address_of(AMOUNTS, toy.__name__) == ("kcb_core.testing.toy", "AMOUNTS")
    assert probes.address_of(AMOUNTS, "nowhere") is not None
    assert probes.address_of(object(), sys.__name__) is None
