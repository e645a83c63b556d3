"""The strategies draw what they say."""

import re
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from kcb_core.codec import Json
from kcb_core.report import Outcome, TaskReport
from kcb_core.task import Task
from kcb_core.testing import strategies
from kcb_core.testing.probes import input_fault


@given(st.dictionaries(strategies.texts(8), strategies.json_values()))
def test_sent_values_may_be_sent(value: dict[str, Json]) -> None:
    """A test that sends what is never sent proves nothing."""
    assert input_fault(value) is None


def drawn(strategy: SearchStrategy[Any], count: int) -> list[Any]:
    """So many draws."""
    values: list[Any] = []

    @given(strategy)
    @settings(max_examples=count, database=None, derandomize=True)
    def draw(value: Any) -> None:
        values.append(value)

    draw()
    return values


def parts(value: Json) -> Iterator[Json]:
    """A value and everything inside it."""
    yield value
    for part in value.values() if isinstance(value, dict) else value:
        yield from parts(part) if isinstance(part, dict | list) else (part,)


def test_printed_values_hold_what_only_candidates_print() -> None:
    """Without these the reader would be tested with tame values."""
    found = list(parts(drawn(strategies.printed_values(), 150)))
    assert any(isinstance(v, str) and re.search("[\ud800-\udfff]", v) for v in found)
    assert any(type(v) is int and abs(v) > 2**64 for v in found)
    assert any(isinstance(v, float) and v != int(v) for v in found)
    assert any(str(v) == "-0.0" for v in found)


@given(strategies.tasks(durable=True), strategies.tasks(durable=False))
@settings(max_examples=20)
def test_tasks_keep_state_as_asked(keeps: Task, forgets: Task) -> None:
    """The two kinds are played differently."""
    assert keeps.durable
    assert not forgets.durable
    assert all(len(scenario.sessions) == 1 for scenario in forgets.acceptance_tests)


@given(st.sampled_from(Outcome), st.data())
@settings(max_examples=20)
def test_reports_have_the_outcome_that_is_asked_for(outcome: Outcome, data: st.DataObject) -> None:
    """Counts agree with it: a resolved task has passed everything, and no other has here."""
    report: TaskReport = data.draw(strategies.reports(outcome))
    assert report.outcome is outcome
    assert (report.passed == report.total) == (outcome is Outcome.RESOLVED)
    assert sum(scenario.total for scenario in report.scenarios) == report.total


def test_every_kind_of_shape_is_drawn() -> None:
    """A kind that is never drawn is never tested."""
    seen = {type(shape).__name__ for shape in drawn(strategies.shapes(), 1000)}
    assert seen == {
        *("Integer", "Text", "Boolean", "Choice", "Pattern", "Nullable", "AnyOf", "Array"),
        *("Fixed", "Record", "Tagged", "Mapped", "Checked", "Document"),
    }


def test_requests_are_objects_and_lines() -> None:
    """Malformed lines are half of what is sent; none of them is two lines."""
    found = drawn(strategies.requests(), 100)
    lines = [request for request in found if isinstance(request, str)]
    assert any(isinstance(request, dict) and request for request in found)
    assert any(line.startswith("{") for line in lines)
    assert any(line and not line.startswith("{") for line in lines)
    assert not any("\n" in line or "\r" in line for line in lines)
