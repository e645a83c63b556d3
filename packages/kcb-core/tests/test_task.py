"""One problem as a value."""

from typing import Any

import msgspec
import pytest
from hypothesis import given

from kcb_core.codec import Json, convert, decode, encode
from kcb_core.errors import DataError
from kcb_core.ids import TaskId
from kcb_core.limits import LIMITS
from kcb_core.task import STATE_DIR, Scenario, Session, Tag, Task, line_of
from kcb_core.testing.strategies import requests, scenarios, sessions, tasks
from kcb_core.testing.values import small_task

ONE = Session(requests=({},), expected=({},))


@given(tasks())
def test_tasks_round_trip(task: Task) -> None:
    """A task that changed when it was stored would be another task."""
    assert decode(encode(task), Task, source="task") == task


@given(sessions(), scenarios(max_sessions=3))
def test_sessions_and_scenarios_round_trip(session: Session, scenario: Scenario) -> None:
    """They are stored by themselves too, as JSON inside a string."""
    assert decode(encode(session), Session, source="session") == session
    assert decode(encode(scenario), Scenario, source="scenario") == scenario


@pytest.mark.parametrize(
    ("requests", "expected", "message"),
    [
        ((), (), "equally long and not empty"),
        (({},), (), "equally long and not empty"),
        (({},), ({}, {}), "equally long and not empty"),
        ((["op"],), ({},), "must be an object or a string"),
        ((None,), ({},), "must be an object or a string"),
        ((1,), ({},), "must be an object or a string"),
        (('{"a":\n1}',), ({},), "must be one line"),
        (('{"a":\r1}',), ({},), "must be one line"),
        (("\n",), ({},), "must be one line"),
        (("\ud800",), ({},), "must not hold half of a surrogate pair"),
        (({"a": "\ud800"},), ({},), "must not hold half of a surrogate pair"),
        (({"\udfff": 1},), ({},), "must not hold half of a surrogate pair"),
        (("é" * (LIMITS.line_bytes // 2) + "x",), ({},), "must not be longer than 262144 bytes"),
        (({"a": "x" * LIMITS.line_bytes},), ({},), "must not be longer than 262144 bytes"),
    ],
)
def test_wrong_sessions_are_refused(
    requests: tuple[Json, ...], expected: tuple[Json, ...], message: str
) -> None:
    """The loader rejects them, so no runner has to know what to do with one."""
    with pytest.raises(ValueError, match=message):
        Session(requests=requests, expected=expected)
    with pytest.raises(DataError, match=message):
        convert({"requests": requests, "expected": expected}, Session, source="file")


@pytest.mark.parametrize(
    "request_",
    ["", " ", "{", '{"a":1}', "\u2028\u0085\u000b", "x" * LIMITS.line_bytes, {}, {"a": "\r\n"}],
    ids=["empty", "blank", "malformed", "valid", "separators", "longest", "object", "line ends"],
)
def test_any_one_line_may_be_sent(request_: Json) -> None:
    """Malformed lines are half of what a scenario is for."""
    assert Session(requests=(request_,), expected=({},)).requests == (request_,)


@given(requests())
def test_request_is_one_line_of_utf8(request: Json) -> None:
    """Every runner sends the same bytes, whatever its language or locale."""
    line = line_of(request)
    assert "\n" not in line
    assert line.encode().decode() == line


def test_objects_are_sent_compact_and_raw_lines_as_they_are() -> None:
    """Member order is kept and non-ASCII is raw, so that all runners agree to the byte."""
    assert line_of({"b": 1.0, "a": ["é", None]}) == '{"b":1.0,"a":["é",null]}'
    assert line_of('{"b" : 1}') == '{"b" : 1}'


@pytest.mark.parametrize("request_", [{"a": float("nan")}, {"a": {1, 2}}], ids=["NaN", "set"])
def test_what_is_no_json_cannot_be_sent(request_: Json) -> None:
    """A scenario that is built wrongly is found when it is built."""
    with pytest.raises(DataError, match="a request cannot be written as JSON"):
        line_of(request_)


def test_scenario_needs_a_session() -> None:
    """A scenario that plays nothing would pass whatever is handed in."""
    with pytest.raises(ValueError, match="scenario 'empty' has no session"):
        Scenario(name="empty", sessions=())


def test_unknown_tags_are_kept() -> None:
    """A newer dataset may have more; nothing depends on knowing them."""
    assert Scenario(name="x", tags=("core", "new"), sessions=(ONE,)).tags == ("core", "new")
    assert "core" in list(Tag)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"task_id": "nonsense"}, "is no task id; one looks like kcb-easy-001-word-frequency"),
        (
            {"acceptance_tests": (Scenario(name="a", sessions=(ONE,)),) * 2},
            "two scenarios have the same name",
        ),
        (
            {"acceptance_tests": (Scenario(name="a", sessions=(ONE, ONE)),)},
            "only a task with a state directory can have several sessions",
        ),
    ],
)
def test_wrong_tasks_are_refused(changes: dict[str, Any], message: str) -> None:
    """A malformed record names its file, so the invariants are the value's own."""
    with pytest.raises(ValueError, match=message):
        msgspec.structs.replace(small_task(), **changes)
    record = decode(encode(small_task()), dict[str, Json], source="task") | changes
    record = decode(encode(record), dict[str, Json], source="task")
    with pytest.raises(DataError, match=f"easy.jsonl:1: {message}|easy.jsonl:1: .*{message}"):
        convert(record, Task, source="easy.jsonl:1")


def test_task_knows_its_parts() -> None:
    """Counts and names are derived, so they cannot disagree."""
    easy, durable = small_task(), small_task("toy-max-001-amounts")
    assert easy.id == TaskId("toy", "easy", 1, "amounts")
    assert (easy.durable, durable.durable) == (False, True)
    assert STATE_DIR in durable.start
    assert (easy.assertions, durable.assertions) == (2, 3)
    assert easy.acceptance_tests[0].assertions == 1


def test_task_does_not_change() -> None:
    """It is shared by everything that plays it."""
    with pytest.raises(AttributeError):
        small_task().title = "other"  # type: ignore[misc]
