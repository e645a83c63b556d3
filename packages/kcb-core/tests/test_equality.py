"""When two JSON values are the same answer."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from kcb_core.codec import Json, parse
from kcb_core.equality import difference, same
from kcb_core.testing.strategies import printed_values


def has_number(value: Json, kind: type) -> bool:
    """Whether a value of this type stands anywhere inside."""
    if isinstance(value, dict):
        return any(has_number(member, kind) for member in value.values())
    if isinstance(value, list):
        return any(has_number(element, kind) for element in value)
    return type(value) is kind


@pytest.mark.parametrize(
    ("expected", "received", "verdict"),
    [
        # An integer is met by an equal JSON integer alone.
        ("7", "7", True),
        ("7", "7.0", False),
        ("7", "7e0", False),
        ("7", "8", False),
        ("7", '"7"', False),
        ("7", "[7]", False),
        ("0", "-0", True),
        ("0", "-0.0", False),
        ("9007199254740993", "9007199254740992", False),
        ("9007199254740993", "9007199254740993", True),
        # A float is met by any number within the tolerance.
        ("7.0", "7", True),
        ("7.0", "7.0", True),
        ("7.0", "7.0000000001", True),
        ("7.0", "7.00000001", False),
        ("0.0", "0.0000000009", True),
        ("0.0", "0.0000000011", False),
        ("1e12", "1000000000999", True),
        ("1e12", "1000000001001", False),
        ("0.0", "-0.0", True),
        ("0.1", "0.1000000000000000055511151231257827", True),
        ("1e300", "1" + "0" * 300, True),
        ("1e300", "1" + "0" * 400, False),
        ("1.0", "true", False),
        ("1.0", '"1.0"', False),
        ("1.0", "null", False),
        # Booleans and null are neither numbers nor empty.
        ("true", "true", True),
        ("true", "1", False),
        ("1", "true", False),
        ("0", "false", False),
        ("false", "null", False),
        ("null", "null", True),
        ("null", "0", False),
        ("null", '""', False),
        ("null", "{}", False),
        # Strings are equal code point by code point.
        ('"é"', '"\\u00e9"', True),
        ('"é"', '"e\\u0301"', False),
        ('"a"', '"A"', False),
        ('"a"', '"a "', False),
        ('"\\ud83d\\ude00"', '"😀"', True),
        ('"\\ud800"', '"\\ud800"', True),
        ('"\\ud800"', '"\\ud801"', False),
        # Member order does not matter; the set of members does.
        ('{"a":1,"b":2}', '{"b":2,"a":1}', True),
        ('{"a":1}', '{"a":1,"b":null}', False),
        ('{"a":1,"b":null}', '{"a":1}', False),
        ('{"a":1}', '{"A":1}', False),
        ("{}", "{}", True),
        ("{}", "[]", False),
        # Array order and length matter.
        ("[1,2]", "[1,2]", True),
        ("[1,2]", "[2,1]", False),
        ("[1,2]", "[1,2,3]", False),
        ("[1,2,3]", "[1,2]", False),
        ("[[],[]]", "[[]]", False),
        # The rules hold at any depth.
        ('{"a":[{"b":1.0}]}', '{"a":[{"b":1}]}', True),
        ('{"a":[{"b":1}]}', '{"a":[{"b":1.0}]}', False),
        ('{"a":[{"b":1}]}', '{"a":[{"b":true}]}', False),
    ],
)
def test_comparison_keeps_to_the_table(expected: str, received: str, verdict: bool) -> None:
    """Every verdict rests on this comparison, and the prompt promises it."""
    assert same(parse(expected.encode()), parse(received.encode())) is verdict


@given(printed_values())
@example("\ud800")
@example(float(2**53))
def test_every_value_is_the_same_as_itself(value: Json) -> None:
    """The expected answer itself is always accepted."""
    assert difference(value, value) is None


@given(printed_values(), printed_values())
@example(True, 1)
@example([0], [False])
def test_comparison_is_symmetric_unless_an_integer_meets_a_float(left: Json, right: Json) -> None:
    """Only an expected float is lenient; nothing else depends on which side is which."""
    assume(not (has_number(left, float) and has_number(right, int)))
    assume(not (has_number(left, int) and has_number(right, float)))
    assert same(left, right) == same(right, left)


@given(st.floats(-1e15, 1e15), st.floats(-1e-6, 1e-6))
def test_floats_are_compared_either_way_alike(value: float, change: float) -> None:
    """The tolerance does not depend on who is nearer to zero."""
    assert same(value, value + change) == same(value + change, value)


@given(printed_values(), st.data())
def test_perturbed_answer_is_rejected(value: Json, data: st.DataObject) -> None:
    """A check that accepts everything would pass the test above."""
    wrapped = {"result": [value]}
    wrong = data.draw(
        st.sampled_from(
            [
                {"result": [value, value]},
                {"result": []},
                {"result": [value], "more": None},
                {"results": [value]},
                {"result": [[value]]},
                {"result": [{"": value}]},
            ]
        )
    )
    assert not same(wrapped, wrong)
    assert not same(wrong, wrapped)


@pytest.mark.parametrize(
    ("expected", "received", "message"),
    [
        ({"r": {"n": 7}}, {"r": {"n": 7.0}}, "$.r.n: expected 7, received 7.0"),
        ([1, [2, 3]], [1, [2, 4]], "$[1][1]: expected 3, received 4"),
        ([1, 2], [1], "$: expected 2 elements, received 1"),
        ({"a": 1}, {}, '$: member "a" is missing'),
        ({}, {"a": 1}, '$: member "a" is not expected'),
        ("é", "e", '$: expected "é", received "e"'),
        ({"a b": 1}, {"a b": 2}, '$["a b"]: expected 1, received 2'),
        ({"\n\u2028\ud800": 1}, {"\n\u2028\ud800": 2}, '$["\\n\\u2028\\ud800"]: expected 1, '
         "received 2"),
        ({"x": "\ud800"}, {"x": "\udfff"}, '$.x: expected "\\ud800", received "\\udfff"'),
        (["a" * 200], [1], '$[0]: expected "' + "a" * 76 + "..., received 1"),
        (None, [], "$: expected null, received []"),
    ],
)  # fmt: skip
def test_difference_says_where_and_what(expected: Json, received: Json, message: str) -> None:
    """Whoever looks for the fault starts here; it is one line of ASCII whatever was printed."""
    found = difference(expected, received)
    assert found == message
    assert found.isprintable()
    assert found.isprintable()


@given(printed_values(), printed_values())
def test_difference_is_always_one_printable_line(left: Json, right: Json) -> None:
    """It stands in reports and on terminals; a candidate must not write there what it likes."""
    assume(not same(left, right))
    found = difference(left, right)
    assert found is not None
    assert found.isprintable()
    assert found.isprintable()


def test_values_as_deep_as_may_be_read_are_compared() -> None:
    """The deepest answer that is read must not end the comparison in an error."""
    deep = parse(b'{"a":[' * 100 + b"]}" * 100)
    assert same(deep, parse(b'{"a":[' * 100 + b"]}" * 100))
    found = difference(deep, parse(b'{"a":[' * 99 + b'{"a":[1]}' + b"]}" * 99))
    assert found == "$" + ".a[0]" * 99 + ".a: expected 0 elements, received 1"
