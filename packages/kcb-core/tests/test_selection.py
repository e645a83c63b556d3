"""Frozen selections."""

import json
from pathlib import Path
from typing import Any

import pytest

from kcb_core.codec import parse
from kcb_core.dataset import Dataset
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.selection import Selection, freeze_selection, read_selection, write_selection

ONE = "toy-easy-001-amounts"


def test_selection_is_frozen_and_read_back(toy_dataset: Dataset, tmp_path: Path) -> None:
    """It is written before the projects are, and must be the same when they are scored."""
    selection = freeze_selection(toy_dataset.manifest, ["toy-max-001-amounts", ONE])
    write_selection(selection, tmp_path / "s.json")
    assert read_selection(tmp_path / "s.json") == selection
    assert selection.tasks == (ONE, "toy-max-001-amounts"), "in the order of the dataset"
    assert selection.manifest_sha256 == toy_dataset.manifest.sha256
    assert selection.totals == {"easy": 1, "max": 1}


def test_digest_does_not_depend_on_the_order_in_which_tasks_were_named(
    toy_dataset: Dataset,
) -> None:
    """Two people who mean the same tasks have the same selection."""
    names = list(toy_dataset.task_ids)
    first = freeze_selection(toy_dataset.manifest, names)
    assert freeze_selection(toy_dataset.manifest, reversed(names * 2)).sha256 == first.sha256
    assert freeze_selection(toy_dataset.manifest, names[:2]).sha256 != first.sha256


def test_unknown_task_cannot_be_selected(toy_dataset: Dataset) -> None:
    """A typing error would otherwise make the denominator smaller."""
    with pytest.raises(UnknownNameError, match="did you mean 'toy-easy-001-amounts'"):
        freeze_selection(toy_dataset.manifest, [ONE, "toy-easy-001-amount"])


def test_nothing_cannot_be_selected(toy_dataset: Dataset) -> None:
    """A rate over nothing is no number."""
    with pytest.raises(DataError, match="at least one task"):
        freeze_selection(toy_dataset.manifest, [])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "score"}, "field 'kind': 'score' is not 'selection'"),
        ({"format": 2, "tasks": "all"}, "field 'format': 2 is not known, this version reads 1"),
        ({"manifest_sha256": "x"}, "field 'manifest_sha256' must be 64 hexadecimal digits"),
        ({"tasks": []}, "field 'tasks' names no task"),
        ({"tasks": [ONE, ONE]}, f"field 'tasks' names {ONE} twice"),
        ({"tasks": ["x"]}, "field 'tasks': 'x' is no task id"),
        ({"tasks": ["kcb-easy-001-x"]}, "field 'tasks': kcb-easy-001-x is not of dataset 'toy'"),
        ({"tasks": 3}, "field 'tasks': Expected 'array', got 'int'"),
    ],
)
def test_wrong_selection_is_named_by_file_and_field(
    toy_dataset: Dataset, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    """It decides what counts, so nothing of it is guessed."""
    path = tmp_path / "s.json"
    write_selection(freeze_selection(toy_dataset.manifest, [ONE]), path)
    path.write_text(json.dumps(parse(path.read_bytes()) | changes))
    with pytest.raises(DataError) as caught:
        read_selection(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_selection_that_contradicts_itself_cannot_be_made() -> None:
    """Whoever builds one by hand finds out at once."""
    with pytest.raises(ValueError, match="names no task"):
        Selection(
            kind="selection",
            format=1,
            dataset="toy",
            version="1",
            manifest_sha256="0" * 64,
            tasks=(),
        )


def test_missing_selection_is_the_callers_mistake(tmp_path: Path) -> None:
    """A name that was mistyped is told from a file that is broken."""
    with pytest.raises(DeclarationError, match="No such file"):
        read_selection(tmp_path / "s.json")
