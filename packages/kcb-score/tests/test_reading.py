"""What is in the files."""

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kcb_core.codec import encode
from kcb_core.errors import DataError, DeclarationError
from kcb_core.report import ScenarioOutcome, read_report
from kcb_score.files import Found
from kcb_score.reading import OTHER_KINDS, Reader, Skipped
from kcb_score.shelf import Filed


def read_file(path: Path, *, in_folder: bool = False) -> Filed | Skipped:
    """What a new reader says of one file."""
    return Reader().read(Found(path=str(path), in_folder=in_folder))


SEPARATORS = "one\u2028two\u2029three\u0085four\u000bfive\u001csix"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize("field", ["wall_s", "scenarios[0].plays[0].cpu_s"])
def test_a_number_that_is_not_finite_is_refused_by_file_and_field(
    bench: Any, tmp_path: Path, number: str, field: str
) -> None:
    """Such a number once became 0, and once null."""
    data = encode(bench.report(bench.tasks("easy")[0])).decode()
    if field == "wall_s":
        data = data.replace('"wall_s": 0.5', f'"wall_s": {number}')
    else:
        data = data.replace('"total": 10\n', f'"total": 10, "plays": [{{"cpu_s": {number}}}]\n', 1)
    assert number in data
    path = tmp_path / "second.json"
    path.write_text(data)
    with pytest.raises(DataError) as caught:
        read_file(path)
    assert str(path) in str(caught.value)
    assert f"'{field}'" in str(caught.value)
    assert number in str(caught.value)


def test_a_number_before_broken_text_is_still_refused(tmp_path: Path) -> None:
    """The place cannot be told then, but the file can."""
    path = tmp_path / "torn.json"
    path.write_text('{"wall_s": NaN, "kind": ')
    with pytest.raises(DataError, match=r"torn\.json: NaN is not JSON"):
        read_file(path)


def test_a_byte_order_mark_is_accepted(bench: Any, tmp_path: Path) -> None:
    """An editor put it there, and it says nothing."""
    report = bench.report(bench.tasks("easy")[0])
    path = tmp_path / "edited.json"
    path.write_bytes(b"\xef\xbb\xbf" + encode(report))
    read, told = read_file(path), Reader().file(report, str(path))
    assert isinstance(read, Filed)
    assert (read.source, read.sample) == (told.source, told.sample)
    assert read.circumstances == told.circumstances


def test_line_separators_inside_strings_survive(bench: Any, tmp_path: Path) -> None:
    """A report that holds them is read back as it was written, and is one report."""
    report = bench.report(
        bench.tasks("easy")[0],
        subject=SEPARATORS,
        notes=(SEPARATORS,),
        run_record={"model": SEPARATORS},
    )
    path = tmp_path / "report.json"
    path.write_bytes(encode(report))
    assert read_report(path) == report
    raw = path.read_text().encode("ascii").decode("unicode_escape").replace("\n", " ")
    path.write_text(raw.replace("\u000b", "\\u000b").replace("\u001c", "\\u001c"))
    assert "\u2028" in path.read_text()
    assert read_report(path) == report


@pytest.mark.parametrize("kind", sorted(OTHER_KINDS))
def test_other_documents_in_a_folder_are_passed_over(tmp_path: Path, kind: str) -> None:
    """A results folder holds more than reports, and none of it is a mistake."""
    path = tmp_path / "other.json"
    path.write_text(f'{{"kind": "{kind}", "format": 1}}')
    assert read_file(path, in_folder=True) == Skipped(path=str(path), kind=kind)
    with pytest.raises(DataError, match="is not 'task-report'"):
        read_file(path)


@pytest.mark.parametrize(
    "text", ['{"kind": "stranger"}', '{"kind": 3}', "{}", "[]", "null", "", '{"kind": "score"']
)
@pytest.mark.parametrize("in_folder", [True, False])
def test_anything_else_is_refused_by_name(tmp_path: Path, text: str, in_folder: bool) -> None:
    """A damaged report must not pass as something that was never meant to be read."""
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(DataError, match=r"other\.json"):
        read_file(path, in_folder=in_folder)


def test_a_report_of_a_newer_version_is_refused(bench: Any, tmp_path: Path) -> None:
    """What it says is unknown, also in a folder."""
    path = tmp_path / "new.json"
    path.write_bytes(encode(bench.report(bench.tasks("easy")[0], report_version=2)))
    with pytest.raises(DataError, match="'report_version': 2 is not known"):
        read_file(path, in_folder=True)


def test_a_fifo_is_refused_at_once(tmp_path: Path) -> None:
    """Opening it for reading would wait for a writer that never comes."""
    path = tmp_path / "pipe.json"
    os.mkfifo(path)
    with pytest.raises(DeclarationError, match="not a regular file"):
        read_file(path, in_folder=True)


def test_a_field_of_the_wrong_type_is_named(bench: Any, tmp_path: Path) -> None:
    """So that it can be found in a file of thousands of lines."""
    data = encode(bench.report(bench.tasks("easy")[0])).replace(b'"jobs": 1', b'"jobs": "1"')
    path = tmp_path / "wrong.json"
    path.write_bytes(data)
    with pytest.raises(DataError, match=r"wrong\.json: field 'jobs'"):
        read_file(path)


@pytest.mark.parametrize(
    ("changes", "field", "fault"),
    [
        ({"public_only": True}, "public_only", "never scored"),
        ({"training": True}, "training", "never scored"),
        ({"task_id": "word-frequency"}, "task_id", "is no task id"),
        ({"task_id": "toy-easy-001-family-1"}, "task_id", "not of dataset 'kcb'"),
        ({"subset": "max"}, "subset", "'max' is not the tier"),
        ({"repetition": -1}, "repetition", "negative"),
        ({"total": 0, "passed": 0}, "outcome", "not every scenario passed"),
        ({"repetition": 2**53 + 1}, "repetition", "beyond"),
        ({"total": 10**400, "passed": 10**400}, "total", "beyond"),
        (
            {"run_record": {"usage": {"input_tokens": 2**53 + 1}}},
            r"run_record\.usage\.input_tokens",
            "beyond",
        ),
    ],
)
def test_a_report_that_contradicts_itself_is_refused(
    bench: Any, tmp_path: Path, changes: dict[str, Any], field: str, fault: str
) -> None:
    """Each of these would be counted in a place that it does not belong to."""
    path = tmp_path / "odd.json"
    report = bench.report("kcb-easy-001-family-1")
    path.write_bytes(encode(msgspec.structs.replace(report, **changes)))
    with pytest.raises(DataError, match=rf"odd\.json: field '{field}': .*{fault}"):
        read_file(path)


@pytest.mark.parametrize("totals", [{"easy": -1}, {"easy": 0}, {"max": 65}, {}, {"easy": 2**60}])
def test_totals_that_leave_no_room_for_the_task_are_refused(
    bench: Any, tmp_path: Path, totals: dict[str, int]
) -> None:
    """They are the denominators, so nothing would be right after them."""
    report = bench.report("kcb-easy-001-family-1")
    stamp = msgspec.structs.replace(report.dataset, totals=totals)
    path = tmp_path / "odd.json"
    path.write_bytes(encode(msgspec.structs.replace(report, dataset=stamp)))
    with pytest.raises(DataError, match=r"field 'dataset\.totals'"):
        read_file(path)


def test_resolved_needs_every_scenario(bench: Any, tmp_path: Path) -> None:
    """An outcome that its own scenarios deny is not believed."""
    report = bench.report("kcb-easy-001-family-1")
    scenario = msgspec.structs.replace(report.scenarios[0], outcome=ScenarioOutcome.UNREACHED)
    path = tmp_path / "odd.json"
    path.write_bytes(encode(msgspec.structs.replace(report, scenarios=(scenario,))))
    with pytest.raises(DataError, match="field 'outcome'"):
        read_file(path)
