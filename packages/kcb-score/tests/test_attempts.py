"""pass@k and pass^k."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kcb_core.selection import freeze_selection, write_selection
from kcb_score.attempts import PassAtK
from kcb_score.collect import collect
from kcb_score.denominator import settle
from kcb_score.summary import summarise

A, B = "kcb-easy-001-family-1", "kcb-easy-002-family-2"


def case(bench: Any, *more: Any) -> list[Any]:
    """Task A with n=3 and c=0, task B with n=5 and c=2."""
    return [
        *(bench.report(A, "failed", of=bench.small, repetition=n) for n in range(3)),
        *(
            bench.report(B, "resolved" if n < 2 else "failed", of=bench.small, repetition=n)
            for n in range(5)
        ),
        *more,
    ]


def together(bench: Any, reports: list[Any], *ks: int, tasks: tuple[str, ...] = (A, B)) -> Any:
    """What is said of all repetitions of the easy tier."""
    collection = collect(bench.filed(*reports))
    settled = settle(collection, selection=freeze_selection(bench.small, tasks))
    score = summarise(collection, settled, [PassAtK(ks=ks)], together=True)
    return score.subjects[0].together[0]


def test_fewer_samples_than_k(bench: Any) -> None:
    """The mean is left out, and is not 1.0, 0.5 or that of B alone."""
    found = together(bench, case(bench), 1, 3, 5)
    values = {name: measure.value for name, measure in found.measures.items()}
    assert values["pass@1"] == pytest.approx(0.2)
    assert values["pass@3"] == pytest.approx(0.45)
    assert values["pass@5"] is None
    assert found.measures["pass@5"].reason == "1 of 2 tasks has n<5"
    assert [(one.task_id, one.n, one.resolved) for one in found.tasks] == [(A, 3, 0), (B, 5, 2)]
    assert found.measures["pass@1"].note == "n is 3 to 5"


def test_each_task_of_the_case_by_itself(bench: Any) -> None:
    """A has 0, 0 and nothing; B has 0.4, 0.9 and 1.0."""
    for task, values in ((A, [0.0, 0.0, None]), (B, [0.4, 0.9, 1.0])):
        reports = [one for one in case(bench) if one.task_id == task]
        found = together(bench, reports, 1, 3, 5, tasks=(task,)).measures
        assert [found[f"pass@{k}"].value for k in (1, 3, 5)] == pytest.approx(values)


def test_all_of_k(bench: Any) -> None:
    """pass^k: 1 of the 10 pairs of projects for B are both resolved."""
    found = together(bench, case(bench), 2).measures
    assert found["pass^2"].value == pytest.approx(0.05)


def test_a_void_repetition_lowers_n_and_it_is_said(bench: Any) -> None:
    """A void repetition lowers n, and the score says so."""
    reports = case(bench)
    reports[2] = bench.report(A, "void", of=bench.small, repetition=2)
    found = together(bench, reports, 1, 3)
    assert found.measures["pass@3"].reason == "1 of 2 tasks has n<3"
    assert found.measures["pass@1"].note == "n is 2 to 5, n is lowered by 1 void report"
    assert (found.tasks[0].n, found.tasks[0].void) == (2, 1)


def test_a_task_without_a_report_leaves_the_mean_out(bench: Any) -> None:
    """Leaving out what is hard raises nothing."""
    found = together(bench, case(bench), 1, tasks=(A, B, "kcb-easy-003-family-3"))
    assert found.measures["pass@1"].reason == "1 of 3 tasks has n<1"


def test_what_does_not_count_is_no_success(bench: Any) -> None:
    """A project that was corrected by hand is a sample that did not resolve."""
    corrected = bench.report(A, of=bench.small, repetition=3, run_record={"hand_corrected": True})
    found = together(bench, [*case(bench), corrected], 1)
    assert [(one.n, one.resolved) for one in found.tasks] == [(4, 0), (5, 2)]


def test_one_repetition_is_not_asked_twice(bench: Any) -> None:
    """pass@1 of one repetition is resolve@1, and is not shown again."""
    assert bench.score(bench.report(A, of=bench.small)).subjects[0].together == ()


def test_every_tier_has_the_same_numbers(bench: Any) -> None:
    """A tier of which one repetition has no report is still a column short of nothing."""
    reports = [*case(bench), bench.report("kcb-max-001-family-1", of=bench.small)]
    (subject,) = bench.score(*reports).subjects
    names = [list(one.measures) for one in subject.together]
    assert names[0] == names[1] == names[2]
    assert "pass@5" in names[0]


def test_the_command_shows_the_case(
    bench: Any, klein_bench: Callable[..., Any], tmp_path: Path
) -> None:
    """From files: a dash in the table, the reason as a warning and in JSON."""
    bench.write(tmp_path / "r", *case(bench))
    write_selection(freeze_selection(bench.small, (A, B)), tmp_path / "chosen.json")
    words = ("score", tmp_path / "r", "--selection", tmp_path / "chosen.json")
    ks = ("--k", 1, "--k", 3, "--k", 5)
    done = klein_bench(*words, *ks)
    assert done.status == 0
    assert "tier\tpass@1\tpass@3\tpass@5\tpass^1\tpass^3\tpass^5" in done.out
    assert "easy\t20.0 %\t45.0 %\t–\t20.0 %\t0.0 %\t–" in done.out
    assert "easy: pass@5: 1 of 2 tasks has n<5" in done.err
    document = json.loads(klein_bench(*words, *ks, "--json").out)
    found = document["subjects"][0]["together"][0]["measures"]["pass@5"]
    assert found["reason"] == "1 of 2 tasks has n<5"
    assert "value" not in found
