"""Records as they are stored: nothing but what the manifest pins and the columns name is read."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from published import stored

from kcb_core.codec import ascii_line, digest
from kcb_core.dataset import Dataset
from kcb_core.errors import DataError
from kcb_tasks.records import COLUMNS, read_stored

FIELDS = (
    *("task_id", "subset", "family", "category", "title", "target_model_parameters", "language"),
    *("entrypoint", "start", "protocol_version", "prompt", "public_tests", "acceptance_tests"),
    *("num_scenarios", "num_assertions", "timeout_seconds", "canary"),
)


def test_the_columns_are_those_of_the_format() -> None:
    """Readers go by name, and the canary stands last so that a viewer shows it last."""
    assert tuple(COLUMNS) == FIELDS


def test_every_file_is_read_with_its_records(tmp_path: Path) -> None:
    """Bytes for who copies them, members for who counts them."""
    dataset = stored(tmp_path)
    found = list(read_stored(dataset))
    assert [held.file for held in found] == list(dataset.manifest.files)
    for held in found:
        assert held.data == (tmp_path / held.file.path).read_bytes()
        assert tuple(record["task_id"] for record in held.records) == held.file.tasks
        assert sum(record["num_assertions"] for record in held.records) == held.file.assertions


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    """What is published must be what the manifest says."""
    dataset = stored(tmp_path)
    path = tmp_path / "hard.jsonl"
    path.write_bytes(path.read_bytes().replace(b"Amounts", b"Amount$"))
    with pytest.raises(DataError, match=r"hard\.jsonl: sha256 is .* build the dataset again"):
        list(read_stored(dataset))


@pytest.mark.parametrize("line", [b"[]", b'{"task_id":"x"}'])
def test_other_columns_are_refused(tmp_path: Path, line: bytes) -> None:
    """A table has the same columns in every row."""
    dataset = stored(tmp_path)
    easy, *others = dataset.manifest.files
    (tmp_path / easy.path).write_bytes(line + b"\n")
    changed = msgspec.structs.replace(easy, sha256=digest(line + b"\n"))
    manifest = msgspec.structs.replace(dataset.manifest, files=(changed, *others))
    with pytest.raises(DataError, match=r"easy\.jsonl:1: its members are not task_id, "):
        list(read_stored(Dataset(manifest=manifest, folder=tmp_path)))


def test_a_member_more_is_refused(tmp_path: Path) -> None:
    """A column that the card does not name would be published without a word."""
    dataset = stored(tmp_path)
    (record,) = next(read_stored(dataset)).records
    line = ascii_line({**record, "more": 1}).encode() + b"\n"
    easy, *others = dataset.manifest.files
    (tmp_path / easy.path).write_bytes(line)
    changed = msgspec.structs.replace(easy, sha256=digest(line))
    manifest = msgspec.structs.replace(dataset.manifest, files=(changed, *others))
    with pytest.raises(DataError, match="its members are not"):
        list(read_stored(Dataset(manifest=manifest, folder=tmp_path)))
