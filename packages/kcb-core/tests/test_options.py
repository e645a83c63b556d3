"""Options that several commands share."""

from pathlib import Path

import pytest

from kcb_core.catalog import load_catalog
from kcb_core.commands.options import datasets, find_task
from kcb_core.dataset import Dataset
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.testing.values import small_task, write_dataset


def test_installed_datasets_are_all_listed(
    toy_plugin: tuple[str, object], toy_dataset: Dataset
) -> None:
    """Without a path, what is installed counts; with one, nothing else does."""
    catalog = load_catalog([toy_plugin])
    assert list(datasets(catalog, None)) == [toy_dataset]
    assert list(datasets(load_catalog([]), None)) == []
    assert list(datasets(load_catalog([]), toy_dataset.folder)) == [toy_dataset]


def test_task_is_found_by_its_name_or_beside_a_path(
    toy_plugin: tuple[str, object], toy_dataset: Dataset
) -> None:
    """The dataset is the first part of the name, so nothing has to be searched."""
    wanted, installed, nothing = "toy-max-001-amounts", load_catalog([toy_plugin]), load_catalog([])
    for catalog, path in ((installed, None), (nothing, toy_dataset.folder)):
        task, dataset = find_task(catalog, wanted, path)
        assert task.task_id == wanted
        assert dataset == toy_dataset


@pytest.mark.parametrize(
    ("task_id", "message"),
    [
        ("nonsense", "'nonsense' is no task id"),
        ("kcb-easy-001-x", "unknown dataset 'kcb'; known: toy"),
        ("toy-easy-009-x", "unknown task 'toy-easy-009-x'"),
    ],
)
def test_unknown_task_is_named(toy_plugin: tuple[str, object], task_id: str, message: str) -> None:
    """Whichever part of the name is wrong, the message says which."""
    with pytest.raises(DeclarationError, match=message):
        find_task(load_catalog([toy_plugin]), task_id, None)


def test_task_of_another_dataset_is_not_found_beside_a_path(tmp_path: Path) -> None:
    """A file of one dataset does not answer for another, even if it holds such a record."""
    dataset = write_dataset(tmp_path, small_task("toy-easy-001-amounts"), name="other")
    with pytest.raises(UnknownNameError, match="unknown task 'toy-easy-001-amounts'"):
        find_task(load_catalog([]), "toy-easy-001-amounts", dataset.folder)


def test_tampered_dataset_is_refused_before_anything_is_done(toy_dataset: Dataset) -> None:
    """Nobody should write a program for a task that is not the task."""
    path = toy_dataset.folder / "easy.jsonl"
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(DataError, match="sha256"):
        find_task(load_catalog([]), "toy-easy-001-amounts", toy_dataset.folder)
