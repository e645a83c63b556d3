"""``klein-bench list``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kcb_core.dataset import Dataset
from kcb_core.roles import DatasetSource
from kcb_core.selection import read_selection
from kcb_core.testing.values import plugin_giving, small_task, write_dataset

Run = Callable[..., Any]


def test_ids_are_listed_one_a_line(klein_bench: Run, toy_plugin: tuple[str, object]) -> None:
    """They are fed to a loop of the shell, so nothing else stands there."""
    done = klein_bench("list", plugins=[toy_plugin])
    assert (done.status, done.err) == (0, "")
    assert done.out.split("\n") == [
        *("toy-easy-001-amounts", "toy-easy-002-more-amounts", "toy-max-001-amounts", ""),
    ]


def test_one_tier_is_listed(klein_bench: Run, toy_dataset: Dataset) -> None:
    """A tier is a score of its own."""
    done = klein_bench("list", "--subset", "max", "--dataset", toy_dataset.folder)
    assert (done.status, done.out) == (0, "toy-max-001-amounts\n")


def test_several_subsets_are_listed_together(
    klein_bench: Run, toy_dataset: Dataset, tmp_path: Path
) -> None:
    """None takes the place of another: projects would be measured by fewer tasks than meant."""
    words = ("list", "--subset", "max", "--subset", "easy", "--subset", "max")
    given = (*words, "--dataset", toy_dataset.folder)
    ids = ["toy-easy-001-amounts", "toy-easy-002-more-amounts", "toy-max-001-amounts"]
    done = klein_bench(*given, "--freeze", tmp_path / "chosen.json")
    assert done.out.splitlines() == ids
    assert list(read_selection(tmp_path / "chosen.json").tasks) == ids
    assert [one["task_id"] for one in json.loads(klein_bench(*given, "--json").out)] == ids
    assert klein_bench(*words[:2], "nope", *given[1:]).status == 2


def test_datasets_without_the_tier_are_passed_over(
    klein_bench: Run, toy_plugin: tuple[str, object], tmp_path: Path
) -> None:
    """A stranger's dataset may have tiers of its own."""
    other = write_dataset(tmp_path / "o", small_task("other-tiny-001-amounts"), name="other")
    source = DatasetSource(name="other", folder=other.folder)
    plugins = [toy_plugin, ("other", plugin_giving(dataset_sources=[source]))]
    assert klein_bench("list", "--subset", "tiny", plugins=plugins).out == (
        "other-tiny-001-amounts\n"
    )
    assert len(klein_bench("list", plugins=plugins).out.splitlines()) == 4
    assert "other" not in klein_bench("list", "--subset", "max", "--long", plugins=plugins).out


def test_long_list_shows_titles_and_counts(
    klein_bench: Run, toy_plugin: tuple[str, object]
) -> None:
    """The title is shown as it is, though it looks like markup."""
    done = klein_bench("list", "--long", "--subset", "easy", plugins=[toy_plugin])
    assert done.out.splitlines() == [
        "task\tcategory\ttitle\tscenarios\tassertions",
        "toy-easy-001-amounts\ttoys\tAmounts\t2\t2",
        "toy-easy-002-more-amounts\ttoys\tMore [amounts]\t2\t2",
    ]


def test_json_holds_the_same(klein_bench: Run, toy_plugin: tuple[str, object]) -> None:
    """Programs get every field by its name."""
    done = klein_bench("list", "--json", plugins=[toy_plugin])
    assert done.status == 0
    assert json.loads(done.out)[2] == {
        "task_id": "toy-max-001-amounts",
        "subset": "max",
        "family": "amounts",
        "category": "toys",
        "title": "Amounts",
        "scenarios": 2,
        "assertions": 3,
    }


@pytest.mark.parametrize(
    ("subset", "message"),
    [("eazy", "did you mean 'easy'?"), ("tiny", "known: easy, max")],
)
def test_unknown_tier_is_refused(
    klein_bench: Run, toy_plugin: tuple[str, object], subset: str, message: str
) -> None:
    """An empty list would look like a tier without tasks."""
    done = klein_bench("list", "--subset", subset, plugins=[toy_plugin])
    assert (done.status, done.out) == (2, "")
    assert done.err == f"error: unknown subset {subset!r}; {message}\n"


def test_list_without_any_dataset_is_empty(klein_bench: Run) -> None:
    """kcb-core knows no task; that is no error."""
    done = klein_bench("list")
    assert (done.status, done.out, done.err) == (0, "", "")
    assert klein_bench("list", "--subset", "easy").err == (
        "error: unknown subset 'easy'; no subset is installed\n"
    )


def test_selection_is_frozen_once(klein_bench: Run, toy_dataset: Dataset, tmp_path: Path) -> None:
    """What is measured is settled before projects are made, and never changed afterwards."""
    words = ("list", "--subset", "easy", "--freeze", tmp_path / "easy.json")
    done = klein_bench(*words, "--dataset", toy_dataset.folder)
    assert done.status == 0
    selection = read_selection(tmp_path / "easy.json")
    assert selection.tasks == ("toy-easy-001-amounts", "toy-easy-002-more-amounts")
    assert selection.manifest_sha256 == toy_dataset.manifest.sha256
    again = klein_bench(*words, "--dataset", toy_dataset.folder)
    assert (again.status, "never changed" in again.err) == (2, True)


def test_selection_is_of_one_dataset(
    klein_bench: Run, toy_plugin: tuple[str, object], tmp_path: Path
) -> None:
    """A score has the denominators of one dataset."""
    other = write_dataset(tmp_path / "o", small_task("other-easy-001-amounts"), name="other")
    source = DatasetSource(name="other", folder=other.folder)
    plugins = [toy_plugin, ("other", plugin_giving(dataset_sources=[source]))]
    done = klein_bench("list", "--freeze", tmp_path / "all.json", plugins=plugins)
    assert (done.status, "needs one dataset, here are other, toy" in done.err) == (2, True)
    assert not (tmp_path / "all.json").exists()
