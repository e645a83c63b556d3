"""The comparison of launchers finds what differs, and its parts are the whole."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import click
import pytest

from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import Dataset, open_dataset
from kcb_core.ids import SHIPPED_DATASET
from kcb_core.report import FailureKind, Outcome
from kcb_references import launchers
from kcb_references.launchers import Part, compare, read_part


def shipped() -> Dataset:
    """The installed dataset."""
    return open_dataset(open_source(load_catalog(), SHIPPED_DATASET).folder)


def test_parts_are_the_whole() -> None:
    """Each item is in one part, whatever the number of parts."""
    items = [str(number) for number in range(10)]
    for parts in (1, 3, 20):
        found = [item for number in range(parts) for item in Part(number + 1, parts).of(items)]
        assert sorted(found) == sorted(items)


@pytest.mark.parametrize("word", ["", "0/3", "4/3", "1", "1/0", "-1/3", "1/3/5", "one/two"])
def test_what_is_no_part_is_refused(word: str) -> None:
    """With a word that is one."""
    with pytest.raises(click.BadParameter, match="is no part like 1/20"):
        read_part(None, None, word)


@pytest.mark.families
def test_a_part_of_the_dataset_is_compared_by_the_command() -> None:
    """Two launchers that this machine has in any case, on the tasks of one part."""
    words = ("--launch", "interpreter:none", "--launch", "forkserver:none", "--part", "1/260")
    done = subprocess.run(
        (sys.executable, "-m", "kcb_references.launchers", *words),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = "projects of 1 tasks under interpreter:none, forkserver:none: 0 verdicts differ"
    assert said in done.stdout


def test_a_verdict_that_hangs_on_the_launcher_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the task, the project and what each launcher says."""

    class Said:
        failure = None
        outcome = Outcome.RESOLVED
        passed = 3

    class SaidOtherwise(Said):
        class failure:
            kind = FailureKind.TIMEOUT

    said: Any = {"one": Said, "other": SaidOtherwise}
    monkeypatch.setattr(launchers, "judge", lambda *given, **options: said[given[2]])
    benches: Any = {"one": "one", "other": "other"}
    dataset = shipped()
    found = compare(dataset.task(next(iter(dataset.task_ids))), load_catalog(), benches)
    assert len(found.differences) == found.projects > 1
    assert "reference: {'one': ('resolved', '', 3), 'other'" in found.differences[0]
