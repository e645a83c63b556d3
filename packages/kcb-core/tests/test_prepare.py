"""``klein-bench prepare``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kcb_core.dataset import Dataset

Run = Callable[..., Any]
TASK = "toy-easy-001-amounts"


def test_workspace_is_made_and_named(
    klein_bench: Run, toy_plugin: tuple[str, object], tmp_path: Path
) -> None:
    """The two lines say where to read and where to write."""
    done = klein_bench("prepare", TASK, "--output", tmp_path / "w", plugins=[toy_plugin])
    assert (done.status, done.err) == (0, "")
    assert done.out == f"{tmp_path}/w/PROMPT.md\n{tmp_path}/w/project\n"
    assert (tmp_path / "w" / "PROMPT.md").read_text(encoding="utf-8").startswith("# Amounts")


def test_folder_that_holds_something_is_refused(
    klein_bench: Run, toy_dataset: Dataset, tmp_path: Path
) -> None:
    """Exit status 2: the invocation was wrong, and nothing was touched."""
    done = klein_bench("prepare", TASK, "-o", tmp_path, "--dataset", toy_dataset.folder)
    assert done.status == 2
    assert done.err == f"error: {tmp_path}: is not empty; name a new or an empty folder\n"
    assert not (tmp_path / "PROMPT.md").exists()


def test_output_is_required(klein_bench: Run) -> None:
    """There is no place that would always be right."""
    done = klein_bench("prepare", TASK)
    assert done.status == 2
    assert "--output" in done.err


def test_place_that_cannot_be_written_is_the_machines_failure(
    klein_bench: Run, toy_dataset: Dataset
) -> None:
    """Exit status 3: the same command may work elsewhere."""
    path = "/dev/null/w"
    done = klein_bench("prepare", TASK, "-o", path, "--dataset", toy_dataset.folder)
    assert done.status == 3
    assert done.err == f"error: {path}: cannot be written: Not a directory\n"
