"""The profile under the headline."""

from typing import Any

import msgspec

from kcb_core.report import ScenarioOutcome, ScenarioReport
from kcb_core.score import TopicProfile
from kcb_core.task import Tag
from kcb_score.profile import TOPICS, near_misses, profile

TASK = "kcb-easy-001-family-1"


def scenarios(*parts: tuple[str, str]) -> tuple[ScenarioReport, ...]:
    """Scenarios by outcome and tags."""
    return tuple(
        ScenarioReport(
            name=f"s{n}",
            tags=tuple(tags.split()),
            outcome=ScenarioOutcome(outcome),
            passed=1 if outcome == "passed" else 0,
            total=1,
        )
        for n, (outcome, tags) in enumerate(parts)
    )


def test_every_tag_has_a_topic() -> None:
    """A tag that is added to the vocabulary needs a name for people."""
    assert set(TOPICS) == set(Tag)


def test_a_topic_is_clean_if_all_its_scenarios_passed(bench: Any) -> None:
    """Failed and unreached ones are not clean; the first that failed counts for its main topic."""
    failed = bench.sample(
        TASK,
        "failed",
        scenarios=scenarios(
            ("passed", "core"),
            ("passed", "unicode"),
            ("failed", "recovery unicode"),
            ("unreached", "core paging"),
        ),
    )
    resolved = bench.sample(TASK, scenarios=scenarios(("passed", "core"), ("passed", "recovery")))
    assert failed.tags == ("core", "paging", "recovery", "unicode")
    assert failed.unclean == ("core", "paging", "recovery", "unicode")
    assert failed.first_failing == ("recovery", "unicode")
    assert profile([failed, resolved]) == (
        TopicProfile(topic="core", judged=2, clean=1, first_failing=0),
        TopicProfile(topic="recovery", judged=2, clean=1, first_failing=1),
        TopicProfile(topic="Unicode", judged=1, clean=0, first_failing=0),
        TopicProfile(topic="paging", judged=1, clean=0, first_failing=0),
    )


def test_what_was_not_judged_is_in_no_topic(bench: Any) -> None:
    """A void report and an empty project say nothing of topics."""
    void = bench.sample(TASK, "void", scenarios=scenarios(("unreached", "core")))
    empty = bench.sample(TASK, "failed", scenarios=(), passed=0)
    assert profile([void, empty]) == ()


def test_an_unknown_tag_is_a_topic_of_its_own(bench: Any) -> None:
    """A dataset of somebody else's may have more; it comes last."""
    sample = bench.sample(TASK, scenarios=scenarios(("passed", "speed core")))
    assert [one.topic for one in profile([sample])] == ["core", "speed"]


def test_near_misses_have_95_of_100_right(bench: Any) -> None:
    """Exactly at the bound it is one; resolved tasks and void ones never are."""
    base = bench.sample(TASK, "failed")
    for passed, near in ((94, ()), (95, (TASK,)), (99, (TASK,))):
        assert near_misses([msgspec.structs.replace(base, passed=passed, total=100)]) == near
    assert near_misses([bench.sample(TASK), bench.sample(TASK, "void")]) == ()


def test_the_profile_adds_nothing_to_the_score(bench: Any) -> None:
    """A near miss is a task that did not resolve."""
    report = bench.report(TASK, "failed", passed=99, total=100)
    (subject,) = bench.score(report).subjects
    overall = subject.repetitions[0].overall
    assert overall.diagnosis.near_misses == (TASK,)
    assert (overall.resolved, overall.measures["resolve@1"].value) == (0, 0.0)
