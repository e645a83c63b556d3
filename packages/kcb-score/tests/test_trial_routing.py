"""Where faults go: the threshold rules, and what is never routed."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_core.testing.values import small_check, small_trial
from kcb_core.trial import (
    FORMAT_VIOLATION,
    TOOL_HALLUCINATION,
    Attribution,
    BoundName,
    Channel,
    CheckStatus,
    TrialFault,
    TrialStatus,
)
from kcb_score.trials.routing import THRESHOLD, agent_faults, decide, live_models, tool_faults
from kcb_score.trials.rows import Row

HINT = small_check("hint", "agent", TOOL_HALLUCINATION, channel=Channel.SUGGESTIONS)
SHAPE = small_check("shape", "agent", TOOL_HALLUCINATION, channel=Channel.ENVELOPE)
TOOL = small_check("status", "tool")


def row(name: str, **changes: Any) -> Row:
    """A trial report at a path of this name."""
    return Row(path=Path(f"{name}.json"), report=small_trial(**changes))


def shown_by(*models: str, **changes: Any) -> list[Row]:
    """A row of each model, in which the agent misses a hint."""
    return [row(f"{n}", model=m, **({"checks": (HINT,)} | changes)) for n, m in enumerate(models)]


@pytest.mark.parametrize(
    ("models", "configured", "routed"),
    [
        ("abc", "abcd", True),
        ("abc", "abc", True),
        ("abcd", "abcd", True),
        ("ab", "abcd", False),  # two of four: recorded
        ("ab", "abc", False),
        ("a", "abc", False),
        ("ab", "ab", True),  # fewer than three configured, all of them
        ("a", "ab", False),
        ("ax", "ab", False),  # not all of the configured ones
        ("a", "a", False),  # one model may just be weak, even if it is all there is
        ("abx", "ab", True),
        ("", "ab", False),
        ("", "", False),
    ],
)
def test_threshold(models: str, configured: str, routed: bool) -> None:
    """The threshold, case by case."""
    found, rule = decide("suggestions", set(models), set(configured))
    assert found is routed
    assert rule
    assert decide("", set(models), set(configured)) == (False, "it is of no output channel")


@given(st.sets(st.sampled_from("abcdef")), st.sets(st.sampled_from("abcdef")))
def test_one_more_model_never_takes_work_away(models: set[str], configured: set[str]) -> None:
    """More evidence is never less, and a single model is never enough."""
    before, _ = decide("envelope", models, configured)
    after, _ = decide("envelope", models | {"z"}, configured)
    assert after or not before
    assert before is False or len(models) >= 2
    assert before is True or len(models) < THRESHOLD


def test_faults_group_by_code_and_channel_over_drills_and_tools() -> None:
    """The drill tells where, and is no part of the key."""
    rows = [
        row("a", model="a", drill="x", checks=(HINT, SHAPE)),
        row("b", model="b", drill="y", tool="other", checks=(HINT,)),
        row("c", model="c", drill="z", checks=(HINT,)),
    ]
    found = agent_faults(rows, {"a", "b", "c"})
    assert [(one.channel, one.models, one.routed) for one in found] == [
        ("envelope", ("a",), False),
        ("suggestions", ("a", "b", "c"), True),
    ]


def test_repetitions_of_one_model_are_one_model() -> None:
    """Five repetitions of a weak model say no more about the channel than one."""
    rows = [row(str(n), model="a", repetition=n, checks=(HINT,)) for n in range(5)]
    (found,) = agent_faults(rows, {"a", "b", "c"})
    assert (found.models, len(found.seen), found.routed) == (("a",), 5, False)


def test_authored_trajectories_show_nothing_of_models() -> None:
    """A replay's faults were written by a person; they are recorded and count for no threshold."""
    rows = shown_by("a", "b", "c", level=1)
    (found,) = agent_faults(rows, {"a", "b", "c"})
    assert (found.models, len(found.seen), found.routed) == ((), 3, False)
    assert live_models(one.report for one in rows) == ()


def test_agent_faults_are_no_tickets() -> None:
    """A tool's people can do nothing about a model that does not read."""
    assert tool_faults(shown_by("a", "b", "c")) == ()


def test_tool_faults_are_never_work_on_a_channel() -> None:
    """Whatever the number of models that meet them."""
    rows = shown_by("a", "b", "c", "d", checks=(TOOL,))
    assert agent_faults(rows, set("abcd")) == ()
    (fault,) = tool_faults(rows)
    assert (fault.tool, fault.drill, fault.check) == ("toytool", "broken-config", "status")
    assert (len(fault.seen), fault.trials) == (4, 4)


def test_every_tool_fault_has_a_ticket_of_its_own() -> None:
    """One fault of one check of one drill of one tool."""
    second = msgspec.structs.replace(TOOL, check="second")
    rows = [
        row("a", checks=(TOOL, second)),
        row("b", checks=(TOOL,), drill="other"),
        row("c", checks=(TOOL,), tool="another"),
        row("d"),
    ]
    names = [(one.tool, one.drill, one.check) for one in tool_faults(rows)]
    assert names == [
        ("another", "broken-config", "status"),
        ("toytool", "broken-config", "second"),
        ("toytool", "broken-config", "status"),
        ("toytool", "other", "status"),
    ]


def test_format_violations_are_recorded_alone() -> None:
    """They are of the whole trial and of no channel of the tool."""
    broken = TrialFault(fault=Attribution.AGENT, code=FORMAT_VIOLATION, reason="no action")
    rows = shown_by("a", "b", "c", "d", checks=(small_check(),), fault=broken,
                    status=TrialStatus.INVALID_OUTPUT)  # fmt: skip
    (found,) = agent_faults(rows, set("abcd"))
    assert (found.code, found.channel, found.routed) == (FORMAT_VIOLATION, "", False)


def test_stops_and_rate_limits_are_nobodys_fault() -> None:
    """Neither an agent nor a tool is told of them."""
    stopped = {"status": TrialStatus.FAILED, "bound_reached": BoundName.WALL}
    limited = {"status": TrialStatus.RATE_LIMITED, "retry_delays_s": (2.0,)}
    unknown = (small_check(status=CheckStatus.INDETERMINATE),)
    rows = [row("a", **stopped), row("b", checks=unknown, **limited)]
    assert (tool_faults(rows), agent_faults(rows, {"a"})) == ((), ())
