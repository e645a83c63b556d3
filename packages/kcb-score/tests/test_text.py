"""What people read."""

from typing import Any

import pytest

from kcb_core.provenance import Revision
from kcb_core.score import Measure, Score
from kcb_score import grids, tables, text

EASY = tuple(f"kcb-easy-{n:03d}-family-{n}" for n in (1, 2, 3))


@pytest.mark.parametrize(
    ("measure", "shown"),
    [
        (Measure(value=32 / 65, unit="share"), "49.2 %"),
        (Measure(value=1.0, unit="share"), "100.0 %"),
        (Measure(value=0.0, unit="share"), "0.0 %"),
        (Measure(value=2999 / 3000, unit="share"), "> 99.9 %"),
        (Measure(value=1 / 3000, unit="share"), "< 0.1 %"),
        (Measure(at_least=0.25, at_most=0.5, unit="share", reason="1 void"), "25.0–50.0 %"),
        (Measure(value=2.5, unit="USD"), "2.5 USD"),
        (Measure(at_least=1.0, at_most=2.0, unit="USD", reason="1 void"), "1–2 USD"),
        (Measure(value=1 / 3), "0.333333"),
        (Measure(unit="share", reason="no report"), "–"),
    ],
)
def test_a_number_never_looks_better_than_it_is(measure: Measure, shown: str) -> None:
    """Rounded to all or nothing only if it is all or nothing; a pair stays a pair."""
    assert grids.measure_text(measure) == shown


@pytest.mark.parametrize(
    ("measure", "drawn"),
    [
        (Measure(value=0.5, unit="share"), "██··"),
        (Measure(value=0.99, unit="share"), "███·"),
        (Measure(at_least=0.25, at_most=0.75, unit="share", reason="2 void"), "█▒▒·"),
        (Measure(unit="share", reason="no report"), "····"),
    ],
)
def test_a_bar_shows_what_is_sure_and_what_is_possible(measure: Measure, drawn: str) -> None:
    """A full bar means every task."""
    assert tables.bar(measure, 4) == drawn


def test_columns_appear_when_they_say_something(bench: Any) -> None:
    """A single complete run needs no column for repetitions or exclusions."""
    plain = bench.score(bench.report(EASY[0], of=bench.small)).subjects[0]
    columns = grids.score_grid(plain).columns
    assert "repetition" not in columns
    assert "excluded" not in columns
    full = bench.score(
        bench.report(EASY[0], of=bench.small),
        bench.report(EASY[0], of=bench.small, repetition=1),
        excluded={EASY[1]: "why"},
    ).subjects[0]
    columns = grids.score_grid(full).columns
    assert "repetition" in columns
    assert "excluded" in columns
    rows = [row.cells[:2] for row in grids.score_grid(full).rows]
    assert rows == [(t, n) for t in ("easy", "max", "all") for n in ("0", "1")]


def test_diagnosis_shows_only_what_was_submitted(bench: Any) -> None:
    """Zero of zero assertions would be noise."""
    subject = bench.score(bench.report(EASY[0], "failed", of=bench.small)).subjects[0]
    grid = grids.diagnosis_grid(subject)
    assert [row.cells for row in grid.rows] == [
        ("easy", "7", "10", "70.0 %", "0", "wrong_response 1"),
        ("all", "7", "10", "70.0 %", "0", "wrong_response 1"),
    ]
    assert "no part of the score" in grid.title


def test_warnings_name_the_missing_up_to_ten(bench: Any) -> None:
    """A screen of ids hides the number; the JSON document has them all."""
    reports = [bench.report(task) for task in bench.tasks("easy")[:50]]
    lines = list(text.warnings(bench.score(*reports, manifest=bench.whole)))
    (missing,) = [line for line in lines if "missing: " in line]
    assert missing.endswith("kcb-easy-060-family-60 and 5 more (--json names all)")
    assert "easy: missing: kcb-easy-051-family-51," in missing


def test_warnings_give_the_pair_of_void_tasks(bench: Any) -> None:
    """Resolved/N and (resolved+v)/N, never one number, and the void task by name."""
    reports = [bench.report(EASY[0], of=bench.small), bench.report(EASY[1], "void", of=bench.small)]
    lines = "\n".join(text.warnings(bench.score(*reports)))
    assert "easy: the result is the pair 1/3 and 2/3" in lines
    assert f"{EASY[1]} (machine: no space)" in lines
    assert "easy: missing: 1" in lines
    assert "max: all 3 missing" in lines


def test_a_complete_score_has_no_warning(bench: Any) -> None:
    """A warning that is always there is never read."""
    tasks = (*EASY, *(f"kcb-max-{n:03d}-family-{n}" for n in (1, 2, 3)))
    score = bench.score(*(bench.report(task, "failed", of=bench.small) for task in tasks))
    assert list(text.warnings(score)) == []


def test_a_score_of_nothing_says_why() -> None:
    """Through the API there may be none; showing it must not fail either."""
    empty = Score(
        kind="score", format=1, reports=0, reason="no report", incomplete=True, subjects=()
    )
    assert list(text.provenance_lines(empty)) == ["no report"]
    assert list(text.warnings(empty)) == []


def test_provenance_names_the_revision(bench: Any) -> None:
    """The commit where there is one, else the digest of the installed files."""
    for given in ({"commit": "c" * 40}, {"record_sha256": "d" * 64}):
        evaluator = Revision(distribution="kcb-runner", version="0.1.0", **given)
        score = bench.score(bench.report(EASY[0], of=bench.small, evaluator=evaluator))
        (revision,) = given.values()
        line = f"evaluator kcb-runner 0.1.0, revision {revision}"
        assert line in list(text.provenance_lines(score))
