"""``experiment page``: the page of an experiment, and the history of one that is repeated."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kcb_core.ids import TaskId
from kcb_core.report import Failure, FailureKind, Outcome, write_report
from kcb_core.testing.values import small_report
from kcb_experiments.engine.artifacts import REPORT_NAME, attempt_folder, described
from kcb_experiments.frozen import Experiment, store
from kcb_experiments.lock import hold_writer_lock
from kcb_experiments.log import open_log
from kcb_experiments.paging import CELLS_NAME, PAGE_NAME
from kcb_experiments.records import AttemptEnd, AttemptStart, Status

pytest.importorskip("vl_convert", reason="needs kcb-score[pages]")
pytest.importorskip("jinja2", reason="needs kcb-score[pages]")

Run = Callable[..., Any]

WRONG = Failure(kind=FailureKind.WRONG_RESPONSE, reason="response 1 differs")


def run_of(experiment: Experiment, folder: Path, day: str, resolved: set[str]) -> Path:
    """A finished run of an experiment, as its folder holds it; the named subjects resolve all."""
    store(experiment, folder)
    run = {"experiment_sha256": experiment.sha256, "load": experiment.load, "tell": print}
    with hold_writer_lock(folder, print) as lock, open_log(folder, lock, **run) as log:
        for cell in experiment.cells():
            right = cell.subject in resolved
            report = small_report(
                task_id=cell.task_id,
                family=TaskId.parse(cell.task_id).slug,
                dataset=experiment.dataset,
                subject=cell.subject,
                repetition=cell.repetition,
                finished=f"{day}T10:00:00Z",
                outcome=Outcome.RESOLVED if right else Outcome.FAILED,
                failure=None if right else WRONG,
            )
            if not right:
                report = replace(report, passed=0)
            path = attempt_folder(folder, cell.key, log.term, 1) / REPORT_NAME
            write_report(report, path)
            log.append(AttemptStart(cell=cell.id, attempt=1))
            log.append(
                AttemptEnd(
                    cell=cell.id,
                    attempt=1,
                    status=Status.COMPLETED,
                    score=float(right),
                    artifacts=(described(path, folder),),
                )
            )
    return folder


@pytest.fixture
def once(experiment: Experiment) -> Experiment:
    """An experiment with one repetition."""
    return replace(experiment, repetitions=1)


def test_weeks_show_what_a_subject_gained_beyond_drift(
    klein_bench: Run, tmp_path: Path, once: Experiment
) -> None:
    """'a' is held fixed and resolves nothing; 'b' resolves everything from the second week on."""
    first = run_of(once, tmp_path / "one", "2026-03-02", set())
    second = run_of(once, tmp_path / "two", "2026-03-09", {"b"})
    done = klein_bench("experiment", "page", first, second, "--control", "a")
    assert done.status == 0, done.err
    html = (second / PAGE_NAME).read_text()
    assert all(f">2026-W{week}<" in html for week in (10, 11))
    rows = re.findall(r"<tr[^>]*><th[^>]*>.*?2026-W11.*?</th><td>b</td>(.*?)</tr>", html)
    assert ["+100.0" in row for row in rows] == [True, False], "one of the weeks, one of flips"
    assert all(task in rows[1] for task in once.tasks)
    assert len(list((second / CELLS_NAME / "b").iterdir())) == len(once.tasks)
    assert "unknown arm 'c'" in klein_bench("experiment", "page", first, "--control", "c").err


def test_a_page_is_of_the_experiments_own_tasks(
    klein_bench: Run, tmp_path: Path, once: Experiment
) -> None:
    """And what it cannot be of is refused by name."""
    folder = run_of(once, tmp_path / "one", "2026-03-02", {"a"})
    page = tmp_path / "elsewhere" / "page.html"
    done = klein_bench("experiment", "page", folder, "-o", page)
    assert done.status == 0, done.err
    assert "3 of them selected" in page.read_text()
    assert (page.parent / CELLS_NAME / "a" / f"{once.tasks[0]}.html").is_file()
    other = run_of(replace(once, tasks=once.tasks[:2]), tmp_path / "other", "2026-03-09", set())
    assert "other tasks" in klein_bench("experiment", "page", folder, other).err
    empty = tmp_path / "empty"
    store(once, empty)
    refused = klein_bench("experiment", "page", empty)
    assert (refused.status, "no cell has a report" in refused.err) == (2, True)
