"""Shapes of input fields."""

from collections.abc import Callable
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_core.codec import Json, ascii_line
from kcb_core.shape import (
    MAX_INTEGER,
    AnyOf,
    Array,
    Boolean,
    Checked,
    Choice,
    Document,
    Fixed,
    Integer,
    Mapped,
    Nullable,
    Pattern,
    Record,
    Shape,
    Tagged,
    Text,
    absentable,
    calendar_date,
    count_values,
    label,
    nested,
    optional,
    rational,
    required,
)
from kcb_core.testing.probes import input_fault
from kcb_core.testing.strategies import json_values, shapes

EVEN = Checked(
    of=Integer(0, 100),
    check=lambda value: value % 2 == 0,
    words="an even integer from 0 to 100",
    valid=(0, 50),
    invalid=(1, 99),
)
LIMITS = (
    "of at most 2000 values (itself and every element and member's value at any depth), in which "
    "every number is an integer from -(2^53 - 1) to 2^53 - 1, every string has at most 1000 code "
    "points, and every member name at most 100"
)
POINT = Record((required("x", Integer(0, 9)), optional("note", Text(0, 5), "")), "a point")
STEP = Tagged(
    "do",
    {
        "stop": Record((), "nothing more"),
        "push": Record((required("value", Integer(1, 3)),), "an object"),
    },
)


@given(shapes())
def test_samples_and_extremes_are_admitted(shape: Shape) -> None:
    """They become valid requests of scenarios; an oracle that refused one would be at odds with
    its own contract."""
    assert shape.admits(shape.sample())
    for value in islice(shape.extremes(), 50):
        assert shape.admits(value), ascii_line(value)


@given(shapes())
def test_violations_are_refused_and_distinct(shape: Shape) -> None:
    """They become requests that must be answered with invalid_field, each one once."""
    found = list(islice(shape.violations(), 50))
    assert found, "there is always a value that is not allowed"
    assert [value for value in found if shape.admits(value)] == []
    assert len({ascii_line(value) for value in found}) == len(found)


@given(shapes())
def test_probes_may_be_sent(shape: Shape) -> None:
    """No scenario may hold what the prompt says is never sent."""
    for value in [shape.sample(), *islice(shape.extremes(), 50), *islice(shape.violations(), 50)]:
        assert input_fault({"field": value}) is None


@given(shapes(), json_values())
def test_every_value_is_admitted_or_not(shape: Shape, value: Json) -> None:
    """A check that raises would end the oracle instead of answering."""
    assert shape.admits(value) in (True, False)


@given(shapes())
def test_every_shape_has_words(shape: Shape) -> None:
    """The contract is made of them; they are the same each time and fit into one paragraph."""
    words = shape.describe()
    assert words.strip() == words != ""
    assert words == shape.describe()


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (Integer(1, 50), "an integer from 1 to 50"),
        (Text(0, 3), "a string of 0 to 3 code points"),
        (Boolean(), "`true` or `false`"),
        (Choice("a", "é"), 'one of `"a"`, `"\\u00e9"`'),
        (Nullable(Boolean()), "`true` or `false`, or `null`"),
        (AnyOf((Integer(1, 2), Text(1, 2))), "an integer from 1 to 2 or a string of 1 to 2 "
         "code points"),
        (Array(Boolean(), 1, 2), "an array of 1 to 2 elements, each `true` or `false`"),
        (Fixed(Boolean(), Integer(0, 1)), "an array of exactly 2 elements: `true` or `false`, "
         "then an integer from 0 to 1"),
        (POINT, "a point with `x`: an integer from 0 to 9, `note`: a string of 0 to 5 code points "
         '(optional, default `""`)'),
        (Record((absentable("y", Boolean()),)), "an object with `y`: `true` or `false` (optional)"),
        (STEP, 'an object with a member `do`: if `do` is `"stop"`, nothing more; if `do` is '
         '`"push"`, an object with `value`: an integer from 1 to 3'),
        (Mapped(Text(1, 2), Boolean(), 3), "an object of at most 3 members, each name a string of "
         "1 to 2 code points, each value `true` or `false`"),
        (EVEN, "an even integer from 0 to 100"),
        (label(), "a string of 1 to 40 code points"),
        (Document(), f"any JSON value, nested at most 8 deep (`[]` is 1 deep), {LIMITS}"),
        (Document(only_object=True), f"an object, nested at most 8 deep (`{{}}` is 1 deep), "
         f"{LIMITS}"),
        (Document("a value like `doc`"), "a value like `doc`"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Shape) else "",
)  # fmt: skip
def test_words_are_part_of_the_dataset(shape: Shape, words: str) -> None:
    """A changed word changes every prompt that has it, so it needs a new dataset version."""
    assert shape.describe() == words


@pytest.mark.parametrize(
    ("shape", "admitted", "refused"),
    [
        (Integer(-1, 2), [-1, 0, 2], [-2, 3, True, False, 1.0, 2e0, "1", None, [1]]),
        (Text(1, 2), ["a", "é", "\U0001f600\U0001f600", "\n"], ["", "abc", 1, None, ["a"]]),
        (Boolean(), [True, False], [0, 1, "true", None]),
        (Choice("a", "b"), ["a", "b"], ["A", "a ", "", "c", None, 1, ["a"], {"a": 1}]),
        (Nullable(Integer(0, 1)), [None, 0, 1], [2, False, "null"]),
        (AnyOf((Integer(0, 1), Boolean())), [0, 1, True], [2, "0", None]),
        (Array(Integer(0, 1), 1, 2), [[0], [1, 0]], [[], [0, 0, 0], [2], [[0]], "0", {"0": 0}]),
        (Fixed(Integer(0, 1), Text(1, 1)), [[0, "a"]], [[0], ["a", 0], [0, "a", 0], [], None]),
        (POINT, [{"x": 1}, {"x": 1, "note": ""}, {"x": 1, "other": [None]}],
         [{}, {"note": ""}, {"x": 10}, {"x": 1, "note": None}, [], None, "x"]),
        (STEP, [{"do": "stop"}, {"do": "push", "value": 1}, {"do": "stop", "value": None}],
         [{}, {"do": "push"}, {"do": "jump"}, {"do": None}, {"do": ["stop"]}, {"do": {}}, "stop",
          {"do": "push", "value": 4}]),
        (Mapped(Text(1, 2), Integer(0, 1), 2), [{}, {"a": 0}, {"a": 0, "bb": 1}],
         [{"": 0}, {"a": 2}, {"a": 0, "b": 0, "c": 0}, {"abc": 0}, [], None]),
        (EVEN, [0, 2, 100], [1, 99, 102, -2, "2", 2.0, False]),
        (Document(), [None, True, -MAX_INTEGER, "", "é" * 1_000, [], {"é" * 100: {}},
                      nested(8, []), nested(8, {}), [0] * 1_999, {"a": [{}] * 1_998}],
         [1.0, MAX_INTEGER + 1, "é" * 1_001, {"é" * 101: 0}, {"a": {"b" * 101: 0}}, [[0.5]],
          nested(9, []), [nested(8, {})], [0] * 2_000, {"a": [{}] * 1_999}]),
        (Document(only_object=True), [{}, nested(8, [])], [None, 0, "", [], [{}], nested(9, [])]),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Shape) else "",
)  # fmt: skip
def test_shapes_draw_the_line_where_they_say(
    shape: Shape, admitted: list[Json], refused: list[Json]
) -> None:
    """JSON has types that Python mixes up: a boolean is no integer, and neither is 2.0."""
    assert [value for value in admitted if not shape.admits(value)] == []
    assert [value for value in refused if shape.admits(value)] == []


def test_every_value_of_a_document_counts() -> None:
    """Itself, elements and the values of members; names are no values."""
    assert count_values({"a": [1, [2, {}]], "b": None}) == 7
    assert [count_values(value) for value in (None, "ab", [], {}, nested(3, []))] == [1, 1, 1, 1, 3]


def test_length_is_counted_in_code_points() -> None:
    """Bytes and UTF-16 units give other lengths; the contract says code points."""
    assert Text(1, 1).admits("\U0001f600")
    assert not Text(1, 1).admits("e\u0301")
    assert "\U0001f600" * 3 in list(Text(0, 3).extremes())


@pytest.mark.parametrize(
    ("shape", "probes"),
    [
        (Integer(1, 9), [0, 10, 1.0, "1"]),
        (Integer(-MAX_INTEGER, MAX_INTEGER), [1.0, "1"]),
        (Text(2, 3), ["a", "aaaa"]),
        (Choice("up", "down"), ["UP", "up ", ""]),
        (Boolean(), [0, "true"]),
        (Array(Integer(0, 1), 1, 2), [[], [0, 0, 0], [-1], [2], [1.0]]),
        (POINT, [{}, {"x": -1}, {"x": 10}]),
        (STEP, [{}, {"do": ""}, {"do": None}, {"do": "push"}]),
        (Mapped(label(), Boolean(), 3), [{"a": 0}]),
        (EVEN, [1, 99, -1, 101]),
        (Document(), [1.5, nested(9, []), [0] * 2_000, {"a" * 101: 0}, ["a" * 1_001]]),
        (Document(only_object=True), [None, [], nested(9, []), {"a" * 101: 0}]),
        (Document(invalid=(0.5,)), [0.5]),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Shape) else "",
)
def test_violations_hold_the_near_misses(shape: Shape, probes: list[Json]) -> None:
    """A solution with an off-by-one bound or a lax type check is caught by these."""
    found = [ascii_line(value) for value in shape.violations()]
    assert [probe for probe in probes if ascii_line(probe) not in found] == []


@pytest.mark.parametrize(
    ("shape", "probes"),
    [
        (Integer(1, 9), [1, 9]),
        (Text(0, 2), [""]),
        (Choice("a", "b"), ["a", "b"]),
        (Nullable(Integer(0, 1)), [None, 0, 1]),
        (AnyOf((Integer(0, 1), Text(1, 1))), [0, 1, "a"]),
        (Array(Integer(0, 1), 0, 3), [[], [0, 0, 0], [1]]),
        (Array(Integer(0, 1), 2, 2_000), [[0, 0], [0, 1]]),
        (Fixed(Integer(0, 1), Text(1, 1)), [[1, "a"]]),
        (POINT, [{"x": 0}, {"x": 9}, {"x": 0, "note": ""}]),
        (STEP, [{"do": "stop"}, {"do": "push", "value": 1}, {"do": "push", "value": 3}]),
        (Mapped(label(), Boolean(), 3), [{}, {"a": True}, {"a": False}]),
        (EVEN, [50, 0, 100]),
        (Document(), [None, 0, -MAX_INTEGER, [], {}, nested(8, []), [0] * 1_999]),
        (Document(only_object=True), [{}, nested(8, [])]),
        (Document(only_object=True, valid=([], {"a": 1})), [{"a": 1}]),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Shape) else "",
)
def test_extremes_hold_the_edges(shape: Shape, probes: list[Json]) -> None:
    """A solution that refuses what is just allowed is caught by these; every variant is among
    them."""
    found = [ascii_line(value) for value in shape.extremes()]
    assert [probe for probe in probes if ascii_line(probe) not in found] == []


def test_long_texts_and_arrays_make_short_scenarios() -> None:
    """A bound of 20,000 is tested with one long text; an array of 2,000 is never sent."""
    assert sorted({len(text) for text in Text(0, 20_001).extremes()}) == [0, 1_200, 20_001]
    longest = Array(Integer(0, 1), 0, 2_000)
    assert max(len(value) for value in longest.extremes()) < 1_200
    found = [value for value in longest.violations() if isinstance(value, list)]
    assert max(map(len, found)) < 1_200


def test_shapes_without_edges_have_no_extremes() -> None:
    """A shape need not know an extreme; its sample is enough."""

    class Anything(Shape):
        def describe(self) -> str:
            return "anything"

        def admits(self, value: Json) -> bool:
            return value != []

        def sample(self) -> Json:
            return None

    assert list(Anything().extremes()) == []
    assert list(Anything().violations()) == [[]]


def test_pattern_matches_whole_strings_with_ascii_classes() -> None:
    """``$`` would let a line end through, and ``\\d`` the digits of every script."""
    digits = Pattern(r"\d+", "ASCII digits", ("1", "23"), ("a",))
    assert digits.admits("123")
    assert not any(digits.admits(text) for text in ("1\n", " 1", "\u0661", "", "1a"))
    assert list(digits.extremes()) == ["23"]


def test_pattern_takes_a_further_condition() -> None:
    """What no expression says is said by a function, and by the words."""
    day = Pattern(r"\d{2}", "a day", ("01",), ("00",), check=lambda text: text != "00")
    assert day.admits("01")
    assert not day.admits("00")


@pytest.mark.parametrize(
    ("make", "admitted", "refused"),
    [
        (calendar_date, ["1900-01-01", "2199-12-31", "2000-02-29", "2024-02-29"],
         ["1900-02-29", "2100-02-29", "2023-02-29", "1899-12-31", "2200-01-01", "2024-13-01",
          "2024-00-10", "2024-01-32", "2024-1-01", "20240101", "2024-W01-1", "2024-01-01\n", "",
          "2024-01-01T00", 20240101, None]),
        (rational, ["0", "-0", "1", "-7/3", "2/4", "9" * 18, "-1/" + "9" * 18],
         ["", "-", "01", "1/0", "1/-2", "+1", "1.5", "1e3", " 1", "1 /2", "1/02", "1" * 19, "1\n",
          "1/" + "1" * 19, "\u0661", 1, None, "--1", "1/2/3"]),
    ],
)  # fmt: skip
def test_ready_made_shapes(
    make: Callable[[], Shape], admitted: list[Json], refused: list[Json]
) -> None:
    """Many contracts share them, so a mistake here is a mistake in all of those."""
    shape = make()
    assert [value for value in admitted if not shape.admits(value)] == []
    assert [value for value in refused if shape.admits(value)] == []


def test_fields_say_what_happens_when_they_are_left_out() -> None:
    """Required, with a default, or simply not given: a contract has to say which."""
    assert required("a", Boolean(), "Why.").required
    assert required("a", Boolean(), "Why.").note == "Why."
    with_default = optional("b", Nullable(Boolean()), None)
    assert (with_default.required, with_default.has_default) == (False, True)
    without = absentable("c", Boolean())
    assert (without.required, without.has_default, without.default) == (False, False, None)


@given(st.integers(0, 3), st.integers(0, 3))
def test_array_keeps_its_bounds_whatever_they_are(low: int, more: int) -> None:
    """The array that may not hold anything is an array all the same."""
    shape = Array(Integer(0, 9), low, low + more)
    assert [value for value in shape.extremes() if not shape.admits(value)] == []
    assert {len(value) for value in shape.extremes()} >= {low, low + more}
