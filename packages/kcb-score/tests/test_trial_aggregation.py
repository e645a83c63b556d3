"""Counts of trial reports, and the sentences that go with them."""

import random
from typing import Any

import msgspec

from kcb_core.claims import CONTRIVED, GREEN, LIVE, REPLAY, STATIC, STRESS, UNKNOWN
from kcb_core.findings import TrialGroup
from kcb_core.testing.values import small_check, small_trial
from kcb_core.trial import (
    FORMAT_VIOLATION,
    TOOL_HALLUCINATION,
    Attribution,
    BoundName,
    CheckStatus,
    TrialFault,
    TrialReport,
    TrialStatus,
)
from kcb_score.trials.aggregation import aggregate_trials

TOOL = small_check(fault="tool")
AGENT = small_check("hint", "agent", TOOL_HALLUCINATION)
OPEN = small_check(status=CheckStatus.INDETERMINATE)
INVALID = {
    "status": TrialStatus.INVALID_OUTPUT,
    "fault": TrialFault(fault=Attribution.AGENT, code=FORMAT_VIOLATION, reason="no action"),
}


def replay(**changes: Any) -> TrialReport:
    """A replay of an authored trajectory."""
    return small_trial(**({"level": 1, "model": "", "steps": ()} | changes))


def only(*reports: TrialReport) -> TrialGroup:
    """The one group that these reports fall into."""
    (group,) = aggregate_trials(reports).groups
    return group


def test_every_status_and_fault_is_counted_once() -> None:
    """The sum of the statuses is the number of trials; a stop at a bound is nobody's fault."""
    group = only(
        small_trial(repetition=0),
        small_trial(repetition=1, checks=(TOOL, AGENT)),
        small_trial(repetition=2, checks=(small_check(), AGENT)),
        small_trial(repetition=3, status=TrialStatus.RATE_LIMITED, checks=(OPEN,),
                    retry_delays_s=(2.0,)),
        small_trial(repetition=4, checks=(OPEN,), **INVALID),
        small_trial(repetition=5, status=TrialStatus.FAILED, bound_reached=BoundName.TURNS),
    )  # fmt: skip
    assert group.trials == 6
    assert group.statuses == {"passed": 1, "failed": 3, "rate_limited": 1, "invalid_output": 1}
    assert group.tool_faults == 1
    assert group.agent_faults == {FORMAT_VIOLATION: 1, TOOL_HALLUCINATION: 2}
    assert group.bounds_reached == {"turns": 1}
    tallies = {one.check: (one.passed, one.failed, one.indeterminate) for one in group.checks}
    assert tallies == {"exit-status": (3, 1, 2), "hint": (0, 2, 0)}


def test_tools_are_not_known_and_groups_are_by_tool_drill_and_model() -> None:
    """Whoever wrote a report, its row is counted by the same three names."""
    reports = [
        small_trial(tool=tool, drill=drill, model=model)
        for tool in ("a", "b") for drill in ("x", "y") for model in ("m:free", "m")
    ]  # fmt: skip
    summary = aggregate_trials(reports)
    names = [(group.tool, group.drill, group.model) for group in summary.groups]
    assert names == [(t, d, m) for t in "ab" for d in "xy" for m in ("m", "m:free")]
    random.Random(7).shuffle(reports)
    assert aggregate_trials(reports) == summary


def test_rows_without_a_live_model_are_apart() -> None:
    """They group as not of level 2, whatever they say besides."""
    summary = aggregate_trials(
        [
            small_trial(),
            replay(),
            replay(level=0),
            replay(level=msgspec.UNSET),
            replay(model="vendor/small-1:free"),
        ]
    )
    found = [(group.model, group.live, group.trials, group.levels) for group in summary.groups]
    assert found == [
        ("", False, 3, (0, 1)),
        ("vendor/small-1:free", False, 1, (1,)),
        ("vendor/small-1:free", True, 1, (2,)),
    ]


def test_a_model_that_stood_in_is_named_under_itself() -> None:
    """The row is of the model that acted, and says whose cell it was."""
    group = only(small_trial(instead_of="vendor/large"))
    assert (group.model, group.instead_of) == ("vendor/small-1:free", {"vendor/large": 1})


def test_claims_go_with_the_numbers() -> None:
    """No level is cited beyond what it measures, and nothing is claimed twice."""
    assert only(small_trial()).claims == (LIVE,)
    assert only(replay()).claims == (REPLAY,)
    assert only(replay(level=0)).claims == (STATIC,)
    assert only(replay(level=msgspec.UNSET)).claims == (UNKNOWN,)
    assert only(replay(), replay(level=0, contrived=True)).claims == (STATIC, REPLAY, CONTRIVED)
    assert only(small_trial(stress_test=True)).claims == (LIVE, STRESS)
    failing = small_trial(checks=(TOOL,), drill="other", contrived=True)
    assert aggregate_trials([small_trial(), failing]).claims == (LIVE, CONTRIVED)
    assert "never" not in " ".join((LIVE, STATIC))


def test_an_always_green_battery_is_marked() -> None:
    """A check that was only ever indeterminate has not failed either."""
    summary = aggregate_trials(
        [small_trial(checks=(OPEN,)), small_trial(tool="b"), small_trial(tool="c", checks=(TOOL,))]
    )
    assert summary.always_green == ("b", "toytool")
    assert summary.claims[-1] == GREEN
    assert GREEN not in aggregate_trials([small_trial(checks=(AGENT,))]).claims
