"""A frozen baseline: what became of one subject's projects, to hold later ones against.

It is small enough to be kept beside the code of an agent, and read by ``compare --baseline``.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from kcb_core.codec import decode_kind, encode
from kcb_core.errors import DeclarationError
from kcb_core.ids import TaskId
from kcb_core.provenance import Revision
from kcb_core.report import DatasetStamp
from kcb_core.storage import read_bounded, write_whole
from kcb_score.compare.arm import Arm, Result, Run
from kcb_score.compare.judged import Judged

BASELINE_KIND = "baseline"
BASELINE_FORMAT = 1

_SHA256 = re.compile(r"[0-9a-f]{64}")
_JUDGED = "failed"


class BaselineRun(msgspec.Struct, frozen=True, kw_only=True):
    """One repetition: ids of tasks by what became of them; those that are not here are missing."""

    resolved: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    """Judged, and not counted as resolved."""
    void: tuple[str, ...] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        """All ids."""
        return (*self.resolved, *self.failed, *self.void)


class Baseline(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one subject's projects, and by what it was judged."""

    kind: str
    """Always ``baseline``."""
    format: int
    subject: str = ""
    dataset: DatasetStamp
    protocol_version: str
    evaluator: Revision
    python: str
    """Implementation and minor version of the Python that ran the candidates."""
    conditions: dict[str, dict[str, int]] = {}
    """Number of reports by value, for each condition that may differ within a set."""
    budgets: tuple[str, ...] = ()
    """Budgets that the run records named; an empty text where one named none."""
    runs: tuple[BaselineRun, ...]
    """One a repetition, at least one."""

    def __post_init__(self) -> None:
        if not _SHA256.fullmatch(self.dataset.manifest_sha256):
            raise ValueError("field 'dataset.manifest_sha256' must be 64 hexadecimal digits")
        if not self.runs:
            raise ValueError("field 'runs' is empty")
        for run in self.runs:
            _check_run(run, self.dataset)

    @property
    def judged(self) -> Judged:
        """By what it was judged."""
        return Judged(
            dataset=self.dataset,
            protocol_version=self.protocol_version,
            evaluator=self.evaluator,
            python=self.python,
            conditions=self.conditions,
        )

    def arm(self, name: str) -> Arm:
        """The subject as an arm of a comparison."""
        return Arm(
            name=name,
            subject=self.subject,
            runs=tuple(_results(run) for run in self.runs),
            budgets=self.budgets,
        )


def freeze_run(run: Run) -> BaselineRun:
    """One repetition of an arm as a part of a baseline, its tasks in their order."""
    ordered = sorted(run, key=TaskId.read)

    def those(resolved: bool | None) -> tuple[str, ...]:
        return tuple(task for task in ordered if run[task].resolved is resolved)

    return BaselineRun(resolved=those(True), failed=those(False), void=those(None))


def write_baseline(baseline: Baseline, path: Path) -> None:
    """Store a baseline, whole or not at all.

    Raises:
        DeclarationError: there is a file already; what is frozen is never changed.
        MachineError: the file cannot be written.
    """
    if path.exists():
        raise DeclarationError(f"{path}: exists; a frozen baseline is never changed")
    write_whole(path, encode(baseline))


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it holds no baseline, or one of a newer format; the field is named.
    """
    return decode_kind(
        read_bounded(path),
        Baseline,
        kind=BASELINE_KIND,
        newest=BASELINE_FORMAT,
        source=str(path),
    )


def _check_run(run: BaselineRun, dataset: DatasetStamp) -> None:
    seen: set[str] = set()
    room = dict(dataset.totals)
    for text in run.tasks:
        try:
            task = TaskId.within(text, dataset.totals)
        except DeclarationError as error:
            raise ValueError(f"field 'runs': {error}") from None
        if task.dataset not in ("", dataset.name):
            raise ValueError(f"field 'runs': {text} is not of dataset {dataset.name!r}")
        if text in seen:
            raise ValueError(f"field 'runs': {text} stands twice in one repetition")
        seen.add(text)
        room[task.tier] = room.get(task.tier, 0) - 1
        if room[task.tier] < 0:
            raise ValueError(f"field 'runs': more tasks of tier {task.tier!r} than there are")


def _results(run: BaselineRun) -> dict[str, Result]:
    return {
        **{task: Result(resolved=True) for task in run.resolved},
        **{task: Result(resolved=False, failure=_JUDGED) for task in run.failed},
        **{task: Result(resolved=None) for task in run.void},
    }
