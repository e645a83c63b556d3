"""The quick reader says what the strict one says, or leaves it to that."""

import json
import types
import typing
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kcb_core.codec import decode_kind, encode
from kcb_core.errors import DataError
from kcb_core.report import TaskReport
from kcb_core.testing import strategies
from kcb_score.quick import WholeReport, decode_quickly

TASK = "kcb-easy-001-family-1"


def strictly(data: bytes) -> TaskReport:
    """What the strict reader says."""
    return decode_kind(
        data, TaskReport, kind="task-report", newest=1, source="x", version="report_version"
    )


def structs_of(type_: Any, seen: set[Any]) -> set[Any]:
    """Every struct that a type is made of."""
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        if type_ not in seen:
            seen.add(type_)
            for field in msgspec.structs.fields(type_):
                structs_of(field.type, seen)
        return seen
    if isinstance(type_, types.UnionType) or typing.get_origin(type_) is not None:
        for part in typing.get_args(type_):
            structs_of(part, seen)
    return seen


def test_no_part_of_a_report_comes_back_with_more_than_it_had() -> None:
    """The count of colons proves nothing if a member that was left out is written again."""
    found = structs_of(WholeReport, set())
    assert len(found) > 12
    for struct in found:
        leaves_out = struct.__struct_config__.omit_defaults
        fields = msgspec.structs.fields(struct)
        assert leaves_out or all(field.required for field in fields), struct


@settings(deadline=None)  # a busy machine is no fault
@given(report=strategies.reports())
def test_reports_as_they_are_written_are_read_quickly(report: TaskReport) -> None:
    """Otherwise it would be no quicker, and nobody would notice."""
    data = encode(report)
    quick = decode_quickly(data)
    if quick is None:  # half a character, which a candidate may have printed
        with pytest.raises(UnicodeEncodeError):
            json.dumps(json.loads(data), ensure_ascii=False).encode()
    else:
        assert encode(quick) == data == encode(strictly(data))


DUPLICATES = (
    ('"jobs": 1', '"jobs": 1, "jobs": 1'),
    ('"jobs": 1', '"jobs": 2, "j\\u006fbs": 1'),
    ('"easy": 65', '"easy": 1, "easy": 65'),
    ('"level": "full"', '"level": "none", "level": "full"'),
    # A name that stands twice, with something that takes away a colon elsewhere.
    ('"jobs": 1', '"jobs": 1, "jobs": 1, "validation_receipt": "\\u003a"'),
    ('"jobs": 1', '"jobs": 1, "jobs": 1, "validation_receipt": "\\u003A"'),
)


@pytest.mark.parametrize(("old", "new"), DUPLICATES)
def test_a_name_that_stands_twice_is_never_overlooked(bench: Any, old: str, new: str) -> None:
    """msgspec takes the last of them; whoever wrote the file may have meant the other."""
    text = encode(bench.report(TASK)).decode()
    assert old in text
    data = text.replace(old, new, 1).encode()
    assert decode_quickly(data) is None
    with pytest.raises(DataError, match="stands twice"):
        strictly(data)


@pytest.mark.parametrize(
    "value", ["[" * 250 + "]" * 250, "1" * 4001, "1" * 5000, "1e999", "NaN", '"\\x"', "01"]
)
def test_what_the_strict_reader_refuses_is_refused(bench: Any, value: str) -> None:
    """Too deep, too long, too large, or no JSON: in the one part that may hold anything."""
    text = encode(bench.report(TASK)).decode()
    text = text.replace('"jobs": 1', f'"jobs": 1, "run_record": {{"a": {value}}}')
    assert decode_quickly(text.encode()) is None
    with pytest.raises(DataError):
        strictly(text.encode())


def test_a_limit_that_is_left_out_hides_no_double(bench: Any) -> None:
    """Encoded again it would come back, as one colon more."""
    text = encode(bench.report(TASK)).decode()
    short = text.replace('  "session_s": 10.0,\n', "")
    assert short != text
    assert decode_quickly(short.encode()) is None
    assert strictly(short.encode()) == strictly(text.encode())
    assert decode_quickly(short.replace('"jobs": 1', '"jobs": 1, "jobs": 1').encode()) is None


@pytest.mark.parametrize(
    "addition",
    [
        '"from_the_future": {"a": 1}',
        '"notes": []',
        '"validation_receipt": "\\u003a"',
        '"run_record": {"a": ' + "[" * 150 + "]" * 150 + "}",
        '"notes": ["\\ud800"]',
    ],
)
def test_what_is_odd_but_right_is_left_to_the_strict_reader(bench: Any, addition: str) -> None:
    """It is read all the same, only more slowly."""
    text = encode(bench.report(TASK)).decode().replace('"jobs": 1', f'"jobs": 1, {addition}')
    assert decode_quickly(text.encode()) is None
    assert strictly(text.encode()).task_id == TASK


@settings(deadline=None)  # a busy machine is no fault
@given(data=st.data())
def test_damaged_texts_are_never_taken_for_something_else(bench: Any, data: st.DataObject) -> None:
    """Any bytes in any place: the same report as by the strict reader, or nothing."""
    text = encode(bench.report(TASK))
    place = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 30))
    text = text[:place] + data.draw(st.binary(max_size=8)) + text[place + length :]
    quick = decode_quickly(text)
    if quick is not None:
        assert encode(quick) == encode(strictly(text))
