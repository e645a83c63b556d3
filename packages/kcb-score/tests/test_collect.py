"""Which reports may be scored together."""

import itertools
from typing import Any

import msgspec
import pytest

from kcb_core.errors import DataError, DeclarationError
from kcb_core.provenance import Revision
from kcb_score.collect import Collection, collect
from kcb_score.reading import Reader

TASK = "kcb-easy-001-family-1"


def test_nothing_is_an_empty_collection() -> None:
    """Through the API that is an answer; the command line refuses it."""
    assert collect([]) == Collection()


def test_two_reports_of_one_project_are_refused_and_both_named(bench: Any) -> None:
    """To choose between them would be best-of-n, in any order."""
    first = Reader().file(bench.report(TASK, "failed"), "a.json")
    second = Reader().file(bench.report(TASK, "resolved"), "b.json")
    messages = set()
    for order in itertools.permutations((first, second)):
        with pytest.raises(DeclarationError, match=r"a\.json and b\.json both report") as caught:
            collect(order)
        messages.add(str(caught.value))
    assert len(messages) == 1


def test_the_message_names_task_subject_and_repetition(bench: Any) -> None:
    """These three say which of many projects it is."""
    filed = bench.filed(*2 * (bench.report(TASK, subject="m", repetition=4),))
    with pytest.raises(DeclarationError, match=f"{TASK}, subject 'm', repetition 4"):
        collect(filed)


def test_equal_reports_in_two_files_are_refused_too(bench: Any) -> None:
    """A copy is not a second sample, and nobody knows which of the two was meant."""
    with pytest.raises(DeclarationError, match="best-of-n"):
        collect(bench.filed(*2 * (bench.report(TASK),)))


def test_repetitions_and_subjects_are_different_projects(bench: Any) -> None:
    """A repetition is a sample of its own."""
    reports = [
        bench.report(TASK, subject=subject, repetition=repetition)
        for subject in ("", "m")
        for repetition in (0, 1)
    ]
    assert len(collect(bench.filed(*reports)).samples) == 4


@pytest.mark.parametrize("telling", ["resolved", "failed"])
@pytest.mark.parametrize("voids", [1, 2])
def test_void_reports_give_way_and_it_is_said(bench: Any, telling: str, voids: int) -> None:
    """A void report says nothing, so nothing is chosen."""
    reports = [bench.report(TASK, "void")] * voids + [bench.report(TASK, telling)]
    for order in set(itertools.permutations(range(len(reports)))):
        collection = collect(bench.filed(*(reports[i] for i in order)))
        assert [str(one.outcome) for one in collection.samples] == [telling]
        (said,) = collection.superseded
        assert (said.task_id, said.voids, said.outcome) == (TASK, voids, telling)


def test_several_void_reports_of_one_project_are_one(bench: Any) -> None:
    """A machine that failed twice leaves the task void, and no more."""
    collection = collect(bench.filed(*[bench.report(TASK, "void")] * 3))
    assert [str(one.outcome) for one in collection.samples] == ["void"]
    assert collection.superseded[0].voids == 2


def test_a_void_report_does_not_excuse_two_others(bench: Any) -> None:
    """The two that say something are still a choice."""
    reports = [bench.report(TASK, outcome) for outcome in ("void", "resolved", "failed")]
    with pytest.raises(DeclarationError, match=r"001\.json and 002\.json"):
        collect(bench.filed(*reports))


def test_a_public_only_report_is_refused_through_the_api_too(bench: Any) -> None:
    """There is no way round the check."""
    with pytest.raises(DataError, match="field 'public_only'"):
        collect(bench.filed(bench.report(TASK, public_only=True)))


def changed(bench: Any, **parts: Any) -> Any:
    """A report of another task with parts of its nested values changed."""
    report = bench.report("kcb-easy-002-family-2")
    fields = {}
    for name, value in parts.items():
        old = getattr(report, name)
        fields[name] = msgspec.structs.replace(old, **value) if isinstance(value, dict) else value
    return msgspec.structs.replace(report, **fields)


@pytest.mark.parametrize(
    ("parts", "field", "values"),
    [
        ({"dataset": {"manifest_sha256": "f" * 64}}, "dataset.manifest_sha256", ("f" * 64, "own")),
        ({"dataset": {"version": "0.2.0"}}, "dataset.version", ("0.1.0", "0.2.0")),
        ({"dataset": {"totals": {"easy": 64}}}, "dataset.totals", ('{"easy":64}', '"easy":65')),
        ({"protocol_version": "1.1"}, "protocol_version", ("1.0", "1.1")),
        ({"evaluator": {"version": "0.2.0"}}, "evaluator.version", ("0.1.0", "0.2.0")),
        ({"evaluator": {"distribution": "other"}}, "evaluator.version", ("other", "kcb-runner")),
        ({"host": {"python": "3.12.1"}}, "host.python", ("CPython 3.12", "CPython 3.11")),
        ({"host": {"python_implementation": "PyPy"}}, "host.python", ("PyPy 3.11",)),
    ],
)
def test_reports_that_are_not_comparable_are_refused_with_both_values(
    bench: Any, parts: dict[str, Any], field: str, values: tuple[str, ...]
) -> None:
    """A foreign manifest, and its like."""
    filed = bench.filed(bench.report(TASK), changed(bench, **parts))
    messages = set()
    for order in itertools.permutations(filed):
        with pytest.raises(DataError) as caught:
            collect(order)
        messages.add(str(caught.value))
    (message,) = messages
    own = bench.whole.sha256
    expected = [own if value == "own" else value for value in values]
    for part in (*expected, f"'{field}'", "000.json", "001.json"):
        assert part in message


@pytest.mark.parametrize(
    "parts",
    [
        {"host": {"python": "3.11.9"}},
        {"host": {"cpus": 64}},
        {"launcher": "forkserver"},
        {"evaluator": Revision(distribution="kcb-runner", version="0.1.0", commit="c" * 40)},
    ],
)
def test_what_is_only_flagged_is_not_refused(bench: Any, parts: dict[str, Any]) -> None:
    """A patch release, a machine or a launcher does not make a set worthless."""
    assert len(collect(bench.filed(bench.report(TASK), changed(bench, **parts))).samples) == 2
