"""Datasets: one JSONL file a tier and a manifest that pins every byte.

Reading and verifying; building one is the work of another package.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import msgspec

from kcb_core.codec import ascii_line, canonical, convert, decode_kind, digest, parse
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.ids import TaskId
from kcb_core.storage import read_bounded
from kcb_core.task import PROTOCOL_VERSION, Task
from kcb_core.vocabulary import SHIPPED, Vocabulary

MANIFEST_NAME = "manifest.json"
MANIFEST_KIND = "dataset-manifest"
MANIFEST_FORMAT = 1
SET_STEP = 10
"""Sizes of the named sets are multiples of this."""
MAX_DATASET_BYTES = 1 << 30

_TESTS = ("public_tests", "acceptance_tests")


class DataFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a dataset: all tasks of one tier."""

    path: str
    """File name, beside the manifest."""
    subset: str
    """Name of the tier."""
    sha256: str
    """SHA-256 of the file."""
    size: int
    """Bytes of the file."""
    scenarios: int
    """Scenarios of all its tasks."""
    assertions: int
    """Expected responses of all its tasks."""
    tasks: tuple[str, ...]
    """Ids of its tasks, in order."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a dataset is, to the byte."""

    kind: str = MANIFEST_KIND
    format: int = MANIFEST_FORMAT
    dataset: str
    """Name of the dataset, the first part of its task ids."""
    version: str
    """Version of the dataset; raised whenever a statement, datum, check or limit changes."""
    seed: int
    """Seed of the generated inputs."""
    protocol_version: str
    """Version of the wire protocol."""
    packages: dict[str, str]
    """Distributions and their versions that built it."""
    files: tuple[DataFile, ...]
    """One file a tier, lowest tier first."""
    order: tuple[str, ...] = ()
    """Slugs of the families in the one order whose beginnings are the named sets."""
    held_out: tuple[str, ...] = ()
    """Slugs of the families that are kept for measuring; the others may be trained on."""
    canary: str = ""
    """Marks it as test data."""
    vocabulary: Vocabulary | msgspec.UnsetType = msgspec.UNSET
    """What the names on the wire are called, if any is not the canonical one."""

    @property
    def sets(self) -> dict[str, tuple[str, ...]]:
        """Tasks by the name of each set: ``easy@20`` is the easy tier of the first 20 families.

        Each set is complete in itself: it has its own denominator.
        """
        return {
            f"{file.subset}@{size}": self._of_first(file, size)
            for file in self.files
            for size in range(SET_STEP, len(self.order), SET_STEP)
        }

    def members(self, subset: str | None = None) -> tuple[str, ...]:
        """Ids of the tasks of a tier or of a named set, in order; of all tasks for None.

        Raises:
            UnknownNameError: there is no such tier or set.
        """
        by_tier = {file.subset: file.tasks for file in self.files}
        if subset is None:
            return tuple(task for tasks in by_tier.values() for task in tasks)
        named = {**by_tier, **self.sets}
        if subset not in named:
            raise UnknownNameError("subset", subset, named)
        return named[subset]

    def _of_first(self, file: DataFile, size: int) -> tuple[str, ...]:
        chosen = set(self.order[:size])
        return tuple(task for task in file.tasks if TaskId.parse(task).slug in chosen)

    @property
    def sha256(self) -> str:
        """The digest by which reports name this dataset: of the manifest's canonical JSON.

        Members without a value are left out, so that a later optional member changes no digest; so
        are the packages that built it, since the same data from another release are the same.
        """
        members: dict[str, object] = msgspec.to_builtins(self)
        del members["packages"]
        return digest(canonical({name: value for name, value in members.items() if value}))

    @property
    def totals(self) -> dict[str, int]:
        """Number of tasks by tier: the denominators of every score."""
        return {file.subset: len(file.tasks) for file in self.files}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A manifest and the folder in which its files lie; a file is verified when it is read."""

    manifest: Manifest
    folder: Path

    @property
    def vocabulary(self) -> Vocabulary:
        """What the names on the wire are called in its tasks."""
        named = self.manifest.vocabulary
        return named if isinstance(named, Vocabulary) else SHIPPED

    @property
    def task_ids(self) -> tuple[str, ...]:
        """All task ids, lowest tier first."""
        return self.manifest.members()

    def tasks(self, subset: str | None = None) -> Iterator[Task]:
        """All tasks, or those of one tier or named set, in order.

        Raises:
            DataError: a file differs from its digest, or a record is malformed.
            UnknownNameError: there is no such tier or set.
        """
        wanted = set(self.manifest.members(subset))
        for file in self.manifest.files:
            if wanted.isdisjoint(file.tasks):
                continue
            for index, line in enumerate(self._lines(file)):
                if file.tasks[index] in wanted:
                    yield self._record(file, index, line)

    def task(self, task_id: str) -> Task:
        """One task; errors as in :meth:`tasks`."""
        for file in self.manifest.files:
            if task_id in file.tasks:
                index = file.tasks.index(task_id)
                return self._record(file, index, self._lines(file)[index])
        raise UnknownNameError("task", task_id, self.task_ids)

    def _lines(self, file: DataFile) -> list[bytes]:
        return _verified_lines(self.folder / file.path, file.sha256, len(file.tasks))

    def _record(self, file: DataFile, index: int, line: bytes) -> Task:
        source = f"{self.folder / file.path}:{index + 1}"
        task = decode_record(line, source=source)
        if task.task_id != file.tasks[index]:
            raise DataError(
                f"{source}: field 'task_id': holds {task.task_id}, the manifest says "
                f"{file.tasks[index]}; build the dataset again"
            )
        return task


@lru_cache(maxsize=1)  # tasks are asked for tier by tier
def _verified_lines(path: Path, sha256: str, count: int) -> list[bytes]:
    """The lines of a data file whose bytes are those of the manifest."""
    data = read_bounded(path, MAX_DATASET_BYTES)
    if digest(data) != sha256:
        raise DataError(
            f"{path}: sha256 is {digest(data)}, {MANIFEST_NAME} says {sha256}; "
            "restore the file or build the dataset again"
        )
    lines = data.split(b"\n")
    if lines.pop() or len(lines) != count:
        raise DataError(f"{path}: not the {count} lines that {MANIFEST_NAME} lists")
    return lines


def open_dataset(path: Path) -> Dataset:
    """The dataset at a path: its folder, its manifest, or one of its files.

    Raises:
        DeclarationError: there is nothing to read.
        DataError: the manifest is malformed, of a newer format, or does not list the given file.
    """
    if os.path.isdir(path):
        manifest_path = path / MANIFEST_NAME
    elif path.name == MANIFEST_NAME or not os.path.exists(path):
        manifest_path = path
    else:
        manifest_path = path.parent / MANIFEST_NAME
    manifest = _read_manifest(manifest_path)
    listed = {manifest_path.parent / file.path for file in manifest.files}
    if os.path.isfile(path) and path != manifest_path and path not in listed:
        raise DataError(f"{path}: not listed in {manifest_path}")
    return Dataset(manifest=manifest, folder=manifest_path.parent)


def _read_manifest(path: Path) -> Manifest:
    """The manifest in a file, checked as far as it can be without the files that it lists."""
    source = str(path)
    try:
        data = read_bounded(path)
    except DeclarationError as error:
        raise DeclarationError(f"{error}; a dataset is a folder with a {MANIFEST_NAME}") from None
    manifest = decode_kind(
        data, Manifest, kind=MANIFEST_KIND, newest=MANIFEST_FORMAT, source=source
    )
    _check_manifest(manifest, source)
    return manifest


def _check_manifest(manifest: Manifest, source: str) -> None:
    if manifest.protocol_version != PROTOCOL_VERSION:
        raise DataError(
            f"{source}: field 'protocol_version': {manifest.protocol_version!r} is not "
            f"{PROTOCOL_VERSION!r}"
        )
    for file in manifest.files:
        if "/" in file.path or file.path.startswith("."):
            raise DataError(f"{source}: field 'files.path': {file.path!r} is no plain file name")
    for field, names in (
        ("path", [file.path for file in manifest.files]),
        ("subset", [file.subset for file in manifest.files]),
        ("tasks", [task for file in manifest.files for task in file.tasks]),
    ):
        if len(set(names)) != len(names):
            raise DataError(f"{source}: field 'files.{field}': a name stands there twice")


def encode_record(task: Task) -> bytes:
    """A task as one line of a data file, with its line end.

    The two test fields are JSON inside a string, so that all records have one schema.
    """
    record: dict[str, Any] = msgspec.to_builtins(task)
    for name in _TESTS:
        record[name] = ascii_line(record[name])
    record["num_scenarios"] = task.scenarios
    record["num_assertions"] = task.assertions
    for last in ("timeout_seconds", "canary"):
        record[last] = record.pop(last)
    return (ascii_line(record) + "\n").encode("ascii")


def decode_record(line: bytes, *, source: str) -> Task:
    """The task that one line of a data file holds.

    Raises:
        DataError: the line is malformed; the message names the field.
    """
    record = parse(line, source=source)
    if not isinstance(record, dict):
        raise DataError(f"{source}: a record must be an object")
    for name in _TESTS:
        text = record.get(name)
        if not isinstance(text, str):
            raise DataError(f"{source}: field '{name}': must be JSON inside a string")
        record[name] = parse(text.encode("utf-8", "surrogatepass"), source=f"{source}: {name}")
    counts = (record.pop("num_scenarios", None), record.pop("num_assertions", None))
    task = convert(record, Task, source=source)
    if counts != (task.scenarios, task.assertions):
        raise DataError(f"{source}: field 'num_assertions': the counts are not those of the tests")
    return task


class Counted(Protocol):
    """What a manifest says of one task; a :class:`~kcb_core.task.Task` says it of itself."""

    @property
    def task_id(self) -> str:
        """Its name."""
        ...

    @property
    def scenarios(self) -> int:
        """How many scenarios judge a solution."""
        ...

    @property
    def assertions(self) -> int:
        """How many responses judge a solution."""
        ...


def data_file(path: str, subset: str, data: bytes, tasks: Iterable[Counted]) -> DataFile:
    """The manifest's entry for the bytes of one data file and the tasks in it."""
    held = tuple(tasks)
    return DataFile(
        path=path,
        subset=subset,
        sha256=digest(data),
        size=len(data),
        scenarios=sum(task.scenarios for task in held),
        assertions=sum(task.assertions for task in held),
        tasks=tuple(task.task_id for task in held),
    )
