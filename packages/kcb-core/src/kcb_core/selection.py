"""A frozen selection: the tasks of one dataset by which somebody means to be measured.

It is written before the projects are, and read when they are scored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from kcb_core.codec import canonical, decode_kind, digest, encode
from kcb_core.dataset import Manifest
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.ids import TaskId
from kcb_core.storage import read_bounded, write_whole

SELECTION_KIND = "selection"
SELECTION_FORMAT = 1

_SHA256 = re.compile(r"[0-9a-f]{64}")


class Selection(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Some tasks of one dataset, the same for everybody who is measured by them."""

    kind: str
    """Always ``selection``."""
    format: int
    dataset: str
    """Name of the dataset."""
    version: str
    """Version of the dataset."""
    manifest_sha256: str
    """Digest of the dataset's manifest, as reports name it."""
    tasks: tuple[str, ...]
    """Ids of the tasks, at least one and each once, in the order of the dataset."""
    suite: str = ""
    """Kind of the set where it is a suite; its tasks have plain names."""

    @property
    def sha256(self) -> str:
        """The digest by which a score names this selection: of its canonical JSON."""
        return digest(canonical(self))

    @property
    def totals(self) -> dict[str, int]:
        """Number of selected tasks by tier: the denominators of a score."""
        return dict(Counter(TaskId.read(task).tier for task in self.tasks))

    def __post_init__(self) -> None:
        if not _SHA256.fullmatch(self.manifest_sha256):
            raise ValueError("field 'manifest_sha256' must be 64 hexadecimal digits")
        if not self.tasks:
            raise ValueError("field 'tasks' names no task")
        twice = [task for task, times in Counter(self.tasks).items() if times > 1]
        if twice:
            raise ValueError(f"field 'tasks' names {twice[0]} twice")
        for task in self.tasks:
            try:
                dataset = (TaskId.read if self.suite else TaskId.parse)(task).dataset
            except DeclarationError as error:
                raise ValueError(f"field 'tasks': {error}") from None
            if dataset != ("" if self.suite else self.dataset):
                raise ValueError(f"field 'tasks': {task} is not of dataset {self.dataset!r}")


def freeze_selection(manifest: Manifest, tasks: Iterable[str]) -> Selection:
    """A selection of some tasks of a dataset, in the order of the dataset.

    Raises:
        UnknownNameError: the dataset has no such task.
        DataError: no task is selected.
    """
    return Selection(
        kind=SELECTION_KIND,
        format=SELECTION_FORMAT,
        dataset=manifest.dataset,
        version=manifest.version,
        manifest_sha256=manifest.sha256,
        tasks=in_order(tasks, [task for file in manifest.files for task in file.tasks]),
    )


def in_order(tasks: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """Some tasks of any set, each once and in the order of the set.

    Args:
        tasks: ids of the tasks.
        known: ids of all tasks of the set.

    Raises:
        UnknownNameError: the set has no such task.
        DataError: no task is named.
    """
    chosen = set(tasks)
    for task in sorted(chosen.difference(known)):
        raise UnknownNameError("task", task, known)
    if not chosen:
        raise DataError("a selection must name at least one task")
    return tuple(task for task in known if task in chosen)


def write_selection(selection: Selection, path: Path) -> None:
    """Store a selection, whole or not at all; errors as in ``write_whole``."""
    write_whole(path, encode(selection))


def read_selection(path: Path) -> Selection:
    """The selection in a file.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it holds no selection, or one of a newer format; the field is named.
    """
    return decode_kind(
        read_bounded(path),
        Selection,
        kind=SELECTION_KIND,
        newest=SELECTION_FORMAT,
        source=str(path),
    )
