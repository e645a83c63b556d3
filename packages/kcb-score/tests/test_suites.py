"""Suites: tasks with plain names, without tiers and families, of which a grader gives a verdict."""

from pathlib import Path
from typing import Any

import pytest

from kcb_core.errors import DataError
from kcb_core.page import PageData, SourcedReport
from kcb_core.report import (
    DatasetStamp,
    Failure,
    FailureKind,
    Outcome,
    ScenarioOutcome,
    ScenarioReport,
    TaskReport,
)
from kcb_core.selection import SELECTION_FORMAT, SELECTION_KIND, Selection
from kcb_core.testing.values import small_report
from kcb_score.attempts import PassAtK
from kcb_score.collect import collect
from kcb_score.denominator import settle
from kcb_score.grids import grids
from kcb_score.page.assembly import ask, page
from kcb_score.page.details import details, room_for
from kcb_score.page.sections import own_sections
from kcb_score.resolve import ResolveAtOne
from kcb_score.statistics.proportions import wilson
from kcb_score.summary import NOTES, summarise
from kcb_score.text import provenance_lines

STAMP = DatasetStamp(
    name="suite-toys", version="1", manifest_sha256="1" * 64, totals={"suite": 4}, kind="live"
)
PROBLEMS = ("empty list: expected 0", "one: expected 4")


def report(task_id: str, *tags: str, resolved: bool = True, **changes: Any) -> TaskReport:
    """A grader's verdict."""
    failure = Failure(kind=FailureKind.WRONG_RESPONSE, reason="empty list: expected 0 (and 1 more)")
    scenario = ScenarioReport(
        name="grader",
        tags=tags,
        outcome=ScenarioOutcome.PASSED if resolved else ScenarioOutcome.FAILED,
        passed=int(resolved),
        total=1,
        failure=None if resolved else failure,
        problems=() if resolved else PROBLEMS,
    )
    known: dict[str, Any] = {
        "task_id": task_id,
        "family": task_id,
        "subset": "suite",
        "category": tags[0],
        "dataset": STAMP,
        "outcome": Outcome.RESOLVED if resolved else Outcome.FAILED,
        "failure": None if resolved else failure,
        "passed": int(resolved),
        "total": 1,
        "scenarios": (scenario,),
    }
    return small_report(**(known | changes))


THREE = (
    report("fix-sums", "bug-fix", "python"),
    report("fix-http-404", "bug-fix", "node", resolved=False),
    report("build-a-ledger", "greenfield", "python"),
)


def score_of(bench: Any, *reports: TaskReport, **settled: Any) -> Any:
    """What these come to."""
    collection = collect(bench.filed(*reports))
    return summarise(collection, settle(collection, **settled), [ResolveAtOne(), PassAtK()])


def test_a_suite_has_one_row_and_each_task_is_drawn_by_itself(bench: Any) -> None:
    """The missing task counts, and the interval is that of independent tasks."""
    score = score_of(bench, *THREE)
    table, diagnosis, tags = grids(score)
    assert [row.cells[:3] for row in table.rows] == [("suite", "2/4", "50.0 %")]
    measure = score.subjects[0].repetitions[0].tiers[0].measures["resolve@1"]
    assert measure.interval == wilson(2, 4)
    assert diagnosis.columns == ("tier", "kinds of failure")
    assert diagnosis.rows[0].cells == ("suite", "wrong_response 1")
    assert tags.columns == ("tag", "resolved", "judged", "share")
    assert [row.cells for row in tags.rows] == [
        ("bug-fix", "1", "2", "50.0 %"),
        ("greenfield", "1", "1", "100.0 %"),
        ("node", "0", "1", "0.0 %"),
        ("python", "2", "2", "100.0 %"),
    ]


def test_repetitions_of_a_suite_have_one_row_together(bench: Any) -> None:
    """As its score has."""
    score = score_of(bench, THREE[0], report("fix-sums", "bug-fix", repetition=1))
    together = next(grid for grid in grids(score) if "together" in grid.title)
    assert [row.cells[0] for row in together.rows] == ["suite"]


def test_what_is_said_of_a_suite_names_its_kind_and_no_tiers(bench: Any) -> None:
    """What is live is never taken for more, and no note speaks of what is not there."""
    score = score_of(bench, *THREE)
    assert next(provenance_lines(score)) == "suite suite-toys, of kind live: 4 tasks"
    assert score.notes == NOTES[:1]


def test_a_selection_of_a_suite_is_measured_by_itself(bench: Any) -> None:
    """By ids that are plain names."""
    chosen = Selection(
        kind=SELECTION_KIND,
        format=SELECTION_FORMAT,
        dataset=STAMP.name,
        version="1",
        manifest_sha256=STAMP.manifest_sha256,
        tasks=("fix-sums", "build-a-ledger"),
        suite="live",
    )
    score = score_of(bench, *THREE, selection=chosen)
    assert next(grids(score)).rows[0].cells[1] == "2/2"
    assert score.outside == ("fix-http-404",)


def test_a_plain_name_is_no_task_of_a_dataset(bench: Any) -> None:
    """A slip in an id is still a slip."""
    with pytest.raises(DataError, match="'amounts' is no task id"):
        bench.filed(small_report(task_id="amounts"))
    with pytest.raises(DataError, match="is not of dataset 'suite-toys'"):
        bench.filed(report("kcb-easy-001-word-frequency", "x"))
    with pytest.raises(ValueError, match="is no task id"):
        Selection(kind="selection", format=1, dataset="kcb", version="1",
                  manifest_sha256="0" * 64, tasks=("fix-sums",))  # fmt: skip


def test_the_page_shows_what_a_grader_named(bench: Any, tmp_path: Path) -> None:
    """And neither a map of families nor a column of tiers."""
    pytest.importorskip("vl_convert")
    pytest.importorskip("jinja2")
    ordered = sorted(THREE, key=lambda one: one.task_id)
    data = PageData(
        score=score_of(bench, *THREE),
        reports=tuple(SourcedReport(source=f"{r.task_id}.json", report=r) for r in ordered),
    )
    html = page(ask(own_sections(), data), data).decode()
    assert "3 reports on suite suite-toys, of kind live (4 tasks)" in html
    assert "resolved tasks by tag" in html
    for absent in ("all tiers", "Every family in every tier", ">Tier<", "near misses"):
        assert absent not in html
    failed = next(sourced for sourced in data.reports if sourced.report.failure)
    assert details(failed, room_for([failed.report]))["problems"] == list(PROBLEMS)
    assert PROBLEMS[1] in html
