"""Many files, read by one process or by several."""

import sys
from pathlib import Path
from typing import Any

import pytest

from kcb_core.errors import DataError, MachineError
from kcb_core.report import write_report
from kcb_score import batches
from kcb_score.batches import read_all
from kcb_score.files import find_files
from kcb_score.reading import Skipped
from kcb_score.shelf import Filed

# What processes that are started anew do has to be importable.
sys.path.insert(0, str(Path(__file__).parent))

from reading_processes import kill_oneself, read_light

RECORD = {
    "usage": {"input_tokens": 5000, "output_tokens": 70, "from_the_future": 1},
    "cost": {"dollars": 0.5, "lower_bound": True},
    "wall_s": 2.5,
    "hand_corrected": True,
    "budget": "small",
    "seen_tasks": ["easy"],
}


def read(folder: Path, processes: int) -> tuple[list[Filed], list[Skipped], list[int]]:
    """What reading a folder gives, what it passes over, and how it advances."""
    skipped: list[Skipped] = []
    advanced: list[int] = []
    filed = read_all(
        find_files([folder]),
        skipped=skipped.append,
        advanced=advanced.append,
        processes=processes,
    )
    return filed, skipped, advanced


@pytest.fixture
def folder(bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Reports of two runs, one in other circumstances, and another document among them."""
    monkeypatch.setattr(batches, "BATCH", 7)
    for repetition in range(2):
        tasks = bench.tasks("easy")[:20]
        launcher = "forkserver" if repetition else "interpreter"
        outcomes = ("resolved", "failed", "void")
        bench.write(
            tmp_path / str(repetition),
            *(
                bench.report(
                    task,
                    outcomes[n % 3],
                    repetition=repetition,
                    launcher=launcher,
                    run_record=RECORD if n % 2 else {},
                )
                for n, task in enumerate(tasks)
            ),
        )
    (tmp_path / "0" / "selection.json").write_text('{"kind": "selection"}')
    return tmp_path


def test_several_processes_read_what_one_reads(folder: Path) -> None:
    """The same samples in the same order, and as much shared."""
    one, other = read(folder, 1), read(folder, 2)
    assert one[1:] == other[1:]
    assert [found.source for found in one[0]] == [found.source for found in other[0]]
    assert [found.circumstances for found in one[0]] == [f.circumstances for f in other[0]]
    assert [repr(found.sample) for found in one[0]] == [repr(found.sample) for found in other[0]]
    for filed, _, advanced in (one, other):
        assert sum(advanced) == 41
        assert len({id(found.circumstances) for found in filed}) == 4
        assert len({id(found.sample.task_id) for found in filed}) == 20
        assert len({id(found.sample.tags) for found in filed}) == 1


@pytest.mark.parametrize("processes", [1, 2])
def test_the_first_file_that_is_wrong_is_named(folder: Path, processes: int) -> None:
    """In the order of the files, whichever process comes to one first."""
    wrong = sorted((folder / "1").iterdir())
    for path in (wrong[3], wrong[12]):
        path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(DataError) as caught:
        read(folder, processes)
    assert str(caught.value).startswith(f"{wrong[3]}: ")


def test_a_process_that_is_killed_is_no_fault_of_a_report(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine may be short of memory; nothing hangs, and no part of a score is shown."""
    monkeypatch.setattr(batches, "read_batch", kill_oneself)
    with pytest.raises(MachineError, match="was killed"):
        read(folder, 2)


def test_a_process_that_reads_holds_nothing_that_it_needs_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as there are CPUs hold what one of them imports; statistics are for the one."""
    monkeypatch.setattr(batches, "read_batch", read_light)
    assert len(read(folder, 2)[0]) == 40


def test_half_a_character_is_read_by_whoever_asked(bench: Any, tmp_path: Path) -> None:
    """No process can send it, and it is no reason to refuse a report."""
    reports = [bench.report(task, subject="\ud800") for task in bench.tasks("easy")[:3]]
    for n, one in enumerate(reports):
        write_report(one, tmp_path / f"{n}.json")
    here, there = read(tmp_path, 1), read(tmp_path, 2)
    assert [found.sample for found in here[0]] == [found.sample for found in there[0]]
    assert len(here[0]) == 3
