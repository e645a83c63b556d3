"""Reports: what is stored, and what is read."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from kcb_core.codec import Json, decode, digest, encode, parse
from kcb_core.dataset import Dataset
from kcb_core.errors import DataError, DeclarationError, MachineError
from kcb_core.report import (
    REPORT_VERSION,
    Failure,
    FailureKind,
    Outcome,
    TaskReport,
    Void,
    VoidCause,
    dataset_stamp,
    read_report,
    write_report,
)
from kcb_core.testing.strategies import reports
from kcb_core.testing.values import small_report

GOLDEN = Path(__file__).parent / "golden"
FAILURE = Failure(kind=FailureKind.CRASH, reason="status 1")
VOID = Void(cause=VoidCause.MACHINE, reason="disk full")


def stored(folder: Path, **changes: Json) -> Path:
    """A small report as a file in which some members were changed."""
    document = parse(encode(small_report())) | changes
    path = folder / "r.json"
    path.write_bytes(json.dumps(document).encode())
    return path


@given(reports())
@settings(max_examples=40)
def test_reports_round_trip(report: TaskReport) -> None:
    """Scores are made of what is read back, not of what was meant."""
    assert decode(encode(report), TaskReport, source="r.json") == report


@given(reports())
@settings(max_examples=40)
def test_stored_reports_hold_no_null_and_no_empty_option(report: TaskReport) -> None:
    """Absent is absent; null and an empty string would be two more ways to say nothing."""
    document = parse(encode(report))
    assert None not in [document[name] for name in document]
    for field in msgspec.structs.fields(TaskReport):
        if getattr(report, field.name) in (None, "", (), {}):
            assert field.required or field.encode_name not in document


def test_report_is_written_and_read(tmp_path: Path) -> None:
    """The file holds all of the report, in ASCII, with a line end."""
    report = small_report(notes=("é\u2028\ud800",))
    write_report(report, tmp_path / "new" / "r.json")
    assert read_report(tmp_path / "new" / "r.json") == report
    data = (tmp_path / "new" / "r.json").read_bytes()
    assert data.isascii()
    assert data.endswith(b"}\n")


def test_report_that_cannot_be_written_is_the_machines_failure(tmp_path: Path) -> None:
    """The evaluation was done; only its place was wrong."""
    (tmp_path / "r.json").mkdir()
    with pytest.raises(MachineError):
        write_report(small_report(), tmp_path / "r.json")


@pytest.mark.parametrize("name", ["report-v1.json", "report-v1-void.json"])
def test_golden_reports_are_read_and_written_back_equal(name: str, tmp_path: Path) -> None:
    """Reports of years ago are compared with those of today; every field keeps its name."""
    report = read_report(GOLDEN / name)
    write_report(report, tmp_path / name)
    assert parse((tmp_path / name).read_bytes()) == parse((GOLDEN / name).read_bytes())
    assert read_report(tmp_path / name) == report


@pytest.mark.parametrize(
    ("name", "sha256"),
    [
        ("report-v1.json", "e22c71314a49436271b3b2460a97b824e301e7aabb44f6cf0ae9dc6be64b14d4"),
        ("report-v1-void.json", "3caad14c5d6f242043c2dbc54634120cb6cf0a782f55dfd1164a75e8c119c32b"),
    ],
)
def test_golden_reports_never_change(name: str, sha256: str) -> None:
    """A golden file that is edited together with the reader shows nothing; add another instead."""
    assert digest((GOLDEN / name).read_bytes()) == sha256


def test_every_version_has_a_golden_report() -> None:
    """Whoever raises the version keeps one file of it for ever."""
    for version in range(1, REPORT_VERSION + 1):
        assert (GOLDEN / f"report-v{version}.json").is_file()


def test_golden_report_reads_as_what_it_was() -> None:
    """Equal bytes could still be read into the wrong fields."""
    report = read_report(GOLDEN / "report-v1.json")
    assert report.outcome is Outcome.FAILED
    assert report.failure is not None
    assert report.failure.kind is FailureKind.WRONG_RESPONSE
    assert (report.passed, report.total, report.repetition) == (5, 12, 2)
    assert report.limits.session_s == 10.5
    played = report.scenarios[1]
    assert played.evidence is not None
    assert played.evidence.before[1].response == ""
    assert [play.survivors_killed for play in played.plays] == [1, 2]
    assert played.plays[0].stderr_tail == "Traceback \ud800\x1b[31m"


def test_unknown_fields_are_skipped(tmp_path: Path) -> None:
    """Within a version fields are added; a reader of today reads the reports of tomorrow."""
    assert read_report(stored(tmp_path, colour="blue", later={"a": [None]})) == small_report()


def test_report_may_start_with_a_byte_order_mark(tmp_path: Path) -> None:
    """An editor has saved it; what it says has not changed."""
    path = tmp_path / "r.json"
    path.write_bytes(b"\xef\xbb\xbf" + encode(small_report()))
    assert read_report(path) == small_report()


@pytest.mark.parametrize(
    ("number", "what"),
    [
        ("NaN", "NaN is not JSON"),
        ("Infinity", "Infinity is not JSON"),
        ("1e999", "the number 1e999 is beyond a double"),
    ],
)
def test_duration_that_is_no_number_is_named_by_file_and_field(
    tmp_path: Path, number: str, what: str
) -> None:
    """One of three reports is bad: the caller has to find it, and nothing may be scored."""
    path = stored(tmp_path, wall_s=12345.678)
    path.write_bytes(path.read_bytes().replace(b"12345.678", number.encode()))
    with pytest.raises(DataError) as caught:
        read_report(path)
    assert str(caught.value) == f"{path}: field 'wall_s': {what}"
    assert caught.value.exit_status == 2


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_duration_that_is_no_number_is_never_written(tmp_path: Path, number: float) -> None:
    """Nothing is written rather than a null or a zero that somebody averages."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_report(small_report(wall_s=number), tmp_path / "r.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "trial-report"}, "field 'kind': 'trial-report' is not 'task-report'"),
        ({"kind": None}, "field 'kind': None is not 'task-report'"),
        ({"report_version": 2}, "field 'report_version': 2 is not known, this version reads 1; "
         "upgrade kcb-core"),
        ({"report_version": 0}, "field 'report_version': 0 is not known"),
        ({"report_version": True}, "field 'report_version': True is not known"),
        ({"report_version": "1"}, "field 'report_version': '1' is not known"),
        ({"report_version": 1.0}, "field 'report_version': 1.0 is not known"),
        ({"outcome": "solved"}, "field 'outcome': Invalid enum value 'solved'"),
        ({"passed": "2"}, "field 'passed': Expected 'int', got 'str'"),
        ({"passed": 2.5}, "field 'passed': Expected 'int', got 'float'"),
        ({"dataset": {}}, "field 'dataset': Object missing required field 'name'"),
        ({"scenarios": [{}]}, "field 'scenarios[0]': Object missing required field 'name'"),
        ({"passed": 1}, "a resolved task has passed every assertion"),
        ({"passed": 3}, "field 'passed' must be between 0 and 'total'"),
        ({"passed": -1, "total": -1}, "field 'passed' must be between 0 and 'total'"),
    ],
)  # fmt: skip
def test_wrong_reports_are_refused_by_file_and_field(
    tmp_path: Path, changes: dict[str, Json], message: str
) -> None:
    """A report that is read halfway would be scored halfway."""
    path = stored(tmp_path, **changes)
    with pytest.raises(DataError) as caught:
        read_report(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_newer_version_is_named_before_anything_else(tmp_path: Path) -> None:
    """A newer report may have lost or changed fields; the remedy is to upgrade all the same."""
    (tmp_path / "r.json").write_bytes(b'{"kind": "task-report", "report_version": 9, "passed": []}')
    with pytest.raises(DataError, match="upgrade kcb-core"):
        read_report(tmp_path / "r.json")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "Expecting value at character 0"),
        (b"[]", "must be a JSON object of kind 'task-report'"),
        (b"null", "must be a JSON object of kind 'task-report'"),
        (b"{}", "field 'kind': None is not 'task-report'"),
        (b'{"kind":"task-report","kind":"task-report"}', 'the name "kind" stands twice'),
        (b'{"kind":"task-report"', "at character"),
        (b"\xff", "invalid UTF-8 at byte 0"),
    ],
)
def test_what_is_no_report_is_refused_by_file(tmp_path: Path, data: bytes, message: str) -> None:
    """A torn or foreign file among the reports is the caller's to remove."""
    (tmp_path / "r.json").write_bytes(data)
    with pytest.raises(DataError) as caught:
        read_report(tmp_path / "r.json")
    assert str(caught.value).startswith(f"{tmp_path / 'r.json'}: ")
    assert message in str(caught.value)


def test_missing_report_is_the_callers_mistake(tmp_path: Path) -> None:
    """A name that was mistyped is told from a report that is broken."""
    with pytest.raises(DeclarationError, match="No such file"):
        read_report(tmp_path / "r.json")


@pytest.mark.parametrize(
    "changes",
    [
        {"outcome": Outcome.FAILED},
        {"outcome": Outcome.RESOLVED, "failure": FAILURE},
        {"outcome": Outcome.VOID},
        {"outcome": Outcome.VOID, "void": VOID, "failure": FAILURE},
        {"outcome": Outcome.RESOLVED, "void": VOID},
        {"outcome": Outcome.FAILED, "failure": FAILURE, "void": VOID},
        {"passed": 1},
        {"passed": 3},
        {"passed": -1},
        {"passed": 0, "total": -1},
    ],
)
def test_report_that_contradicts_itself_cannot_be_made(changes: dict[str, Any]) -> None:
    """Whoever judges finds out at once, and not whoever scores."""
    with pytest.raises(ValueError, match=r"'passed'|'failure'|'void'|every assertion"):
        small_report(**changes)


def test_task_may_be_resolved_failed_or_void() -> None:
    """There are three outcomes and no others; a failed task may have passed every assertion."""
    assert small_report(outcome=Outcome.FAILED, failure=FAILURE).failure == FAILURE
    assert small_report(outcome=Outcome.VOID, void=VOID, passed=0).void == VOID
    assert list(Outcome) == ["resolved", "failed", "void"]


def test_dataset_is_stamped_with_its_denominators(toy_dataset: Dataset) -> None:
    """Scores of several machines are put together by it, wherever the files lay."""
    stamp = dataset_stamp(toy_dataset)
    assert (stamp.name, stamp.version, stamp.commit) == ("toy", "1", "")
    assert stamp.manifest_sha256 == toy_dataset.manifest.sha256
    assert stamp.totals == {"easy": 2, "max": 1}
    assert stamp.identity == msgspec.structs.replace(stamp, commit="0" * 40).identity
    assert stamp.identity != msgspec.structs.replace(stamp, version="2").identity


def test_ways_to_fail_are_in_the_order_in_which_they_apply() -> None:
    """The order is part of the protocol, and drawn in the documentation."""
    assert list(FailureKind) == [
        *("rejected", "missing_entrypoint", "output_limit", "protocol_violation"),
        *("wrong_response", "crash", "timeout", "resource_limit"),
    ]
