"""Checks that have never failed, and the decisions on them."""

from datetime import date
from pathlib import Path

import pytest

from kcb_core.decision import Decision, DrillDecisions, Review
from kcb_core.errors import DataError, DeclarationError
from kcb_core.findings import Staleness
from kcb_core.testing.values import small_check, small_trial
from kcb_core.trial import CheckStatus, TrialReport
from kcb_score.trials.staleness import find_declarations, find_stale

DAY = date(2026, 3, 1)
OPEN = small_check("open", status=CheckStatus.INDETERMINATE)


def run(*names: str, failing: str = "", **changes: object) -> TrialReport:
    """A run of a drill with these checks, of which one may fail."""
    checks = tuple(small_check(name, "tool" if name == failing else "") for name in names)
    return small_trial(checks=checks, **changes)


def decided(check: str, day: date = DAY) -> DrillDecisions:
    """A declaration with one decision."""
    decision = Decision(check=check, date=day, decision=Review.KEPT, why="It failed before.")
    return DrillDecisions(drill="broken-config", tool="toytool", decisions=(decision,))


def stale(*reports: TrialReport, declared: DrillDecisions | None = None) -> Staleness:
    """What is stale on the day on which the cycle begins."""
    by_drill = {(one.tool, one.drill): one for one in ([declared] if declared else [])}
    return find_stale(reports, by_drill, cycle=DAY, today=DAY)


def test_a_check_that_failed_once_is_not_stale() -> None:
    """In any recorded run of its drill, whoever's fault it was and whatever came later."""
    found = stale(run("a", "b", "c", failing="b"), run("a", "b", "c"), run("a", "c", failing="c"))
    assert [(one.check, one.passed) for one in found.checks] == [("a", 3)]
    assert (found.undecided, found.always_green) == (1, ())


def test_drills_and_tools_have_checks_of_their_own() -> None:
    """A check of the same name in another drill may well have failed."""
    found = stale(run("a", failing="a"), run("a", drill="other"), run("a", tool="b"))
    assert [(one.tool, one.drill) for one in found.checks] == [
        *(("b", "broken-config"), ("toytool", "other")),
    ]
    assert found.always_green == ("b",)


def test_a_check_that_said_nothing_has_never_failed() -> None:
    """It cannot be told from one that cannot fail."""
    found = stale(small_trial(checks=(small_check(), OPEN)))
    assert [(one.check, one.passed, one.indeterminate) for one in found.checks] == [
        *(("exit-status", 1, 0), ("open", 0, 1)),
    ]


def test_a_decision_counts_until_the_day_of_the_cycle() -> None:
    """What is decided later came too late for this one."""
    assert stale(run("a"), declared=decided("a")).undecided == 0
    assert stale(run("a"), declared=decided("a", date(2026, 3, 2))).undecided == 1
    (check,) = stale(run("a"), declared=decided("a")).checks
    assert check.decision is not None
    assert check.decision.why == "It failed before."


def test_a_decision_on_no_check_is_named() -> None:
    """A name that was mistyped would otherwise look like work that was done."""
    found = stale(run("a"), declared=decided("b"))
    assert [one.check for one in found.unmatched] == ["b"]
    assert found.undecided == 1


@pytest.mark.parametrize(("today", "begun"), [(1, True), (2, True), (28, False)])
def test_a_cycle_begins_on_its_day(today: int, begun: bool) -> None:
    """Until then there is time to decide."""
    day = date(2026, 3, today) if begun else date(2026, 2, today)
    assert find_stale([run("a")], {}, cycle=DAY, today=day).begun is begun


def test_declarations_are_found_in_files_and_folders(tmp_path: Path) -> None:
    """One a drill; two for one drill would leave open which counts."""
    (tmp_path / "deep").mkdir()
    for name, drill in (("a.toml", "a"), ("deep/b.toml", "b")):
        (tmp_path / name).write_text(f'drill = "{drill}"\ntool = "t"\n')
    (tmp_path / "c.json").write_text('{"drill": "c", "tool": "t"}')
    assert sorted(find_declarations([tmp_path])) == [("t", "a"), ("t", "b")]
    assert sorted(find_declarations([tmp_path / "c.json"])) == [("t", "c")]
    (tmp_path / "twice.toml").write_text('drill = "a"\ntool = "t"\n')
    with pytest.raises(DeclarationError, match=r"a\.toml and .*twice\.toml both declare drill 'a'"):
        find_declarations([tmp_path])
    (tmp_path / "twice.toml").write_text("drill = 7")
    with pytest.raises(DataError, match=r"twice\.toml: field 'drill'"):
        find_declarations([tmp_path])
