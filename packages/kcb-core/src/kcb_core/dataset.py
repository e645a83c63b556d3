"""Datasets: one JSONL file a tier and a manifest that pins every byte.

Reading and verifying; building one is the work of another package.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from kcb_core.codec import ascii_line, canonical, convert, decode, digest, parse
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.storage import read_bounded
from kcb_core.task import PROTOCOL_VERSION, Task

MANIFEST_NAME = "manifest.json"
MANIFEST_FORMAT = 1
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

    kind: str = "dataset-manifest"
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

    @property
    def sha256(self) -> str:
        """The digest by which reports name this dataset: of the manifest's canonical JSON."""
        return digest(canonical(self))

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
    def task_ids(self) -> tuple[str, ...]:
        """All task ids, lowest tier first."""
        return tuple(task for file in self.manifest.files for task in file.tasks)

    def tasks(self, subset: str | None = None) -> Iterator[Task]:
        """All tasks, or those of one tier, in order.

        Raises:
            DataError: a file differs from its digest, or a record is malformed.
            UnknownNameError: there is no such tier.
        """
        if subset is not None and subset not in self.manifest.totals:
            raise UnknownNameError("subset", subset, self.manifest.totals)
        for file in self.manifest.files:
            if subset in (None, file.subset):
                for number, line in enumerate(self._lines(file), start=1):
                    yield decode_record(line, source=f"{self.folder / file.path}:{number}")

    def task(self, task_id: str) -> Task:
        """One task; errors as in :meth:`tasks`."""
        for file in self.manifest.files:
            if task_id in file.tasks:
                number = file.tasks.index(task_id)
                line = self._lines(file)[number]
                task = decode_record(line, source=f"{self.folder / file.path}:{number + 1}")
                if task.task_id != task_id:
                    raise DataError(
                        f"{self.folder / file.path}:{number + 1}: field 'task_id': holds "
                        f"{task.task_id}, the manifest says {task_id}; build the dataset again"
                    )
                return task
        raise UnknownNameError("task", task_id, self.task_ids)

    def _lines(self, file: DataFile) -> list[bytes]:
        path = self.folder / file.path
        data = read_bounded(path, MAX_DATASET_BYTES)
        if digest(data) != file.sha256:
            raise DataError(
                f"{path}: sha256 is {digest(data)}, {MANIFEST_NAME} says {file.sha256}; "
                "restore the file or build the dataset again"
            )
        lines = data.split(b"\n")
        if lines.pop() or len(lines) != len(file.tasks):
            raise DataError(f"{path}: not the {len(file.tasks)} lines that {MANIFEST_NAME} lists")
        return lines


def open_dataset(path: Path) -> Dataset:
    """The dataset at a path: its folder, its manifest, or one of its files.

    Raises:
        DeclarationError: there is nothing to read.
        DataError: the manifest is malformed, of a newer format, or does not list the given file.
    """
    if path.is_dir():
        manifest_path = path / MANIFEST_NAME
    elif path.name == MANIFEST_NAME or not path.exists():
        manifest_path = path
    else:
        manifest_path = path.parent / MANIFEST_NAME
    if not manifest_path.exists():
        raise DeclarationError(
            f"{manifest_path}: no such file; a dataset is a folder with a {MANIFEST_NAME}"
        )
    manifest = decode(read_bounded(manifest_path), Manifest, source=str(manifest_path))
    _check_manifest(manifest, str(manifest_path))
    listed = {manifest_path.parent / file.path for file in manifest.files}
    if path.is_file() and path != manifest_path and path not in listed:
        raise DataError(f"{path}: not listed in {manifest_path}")
    return Dataset(manifest=manifest, folder=manifest_path.parent)


def _check_manifest(manifest: Manifest, source: str) -> None:
    if manifest.kind != "dataset-manifest":
        raise DataError(f"{source}: field 'kind': {manifest.kind!r} is not 'dataset-manifest'")
    if manifest.format > MANIFEST_FORMAT:
        raise DataError(
            f"{source}: field 'format': {manifest.format} is newer than {MANIFEST_FORMAT}; "
            "upgrade kcb-core"
        )
    if manifest.protocol_version != PROTOCOL_VERSION:
        raise DataError(
            f"{source}: field 'protocol_version': {manifest.protocol_version!r} is not "
            f"{PROTOCOL_VERSION!r}"
        )
    for file in manifest.files:
        if "/" in file.path or file.path.startswith("."):
            raise DataError(f"{source}: field 'files.path': {file.path!r} is no plain file name")


def encode_record(task: Task) -> bytes:
    """A task as one line of a data file, with its line end.

    The two test fields are JSON inside a string, so that all records have one schema.
    """
    record: dict[str, Any] = msgspec.to_builtins(task)
    for name in _TESTS:
        record[name] = ascii_line(record[name])
    record["num_scenarios"] = len(task.acceptance_tests)
    record["num_assertions"] = task.assertions
    record["timeout_seconds"] = record.pop("timeout_seconds")
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
    if counts != (len(task.acceptance_tests), task.assertions):
        raise DataError(f"{source}: field 'num_assertions': the counts are not those of the tests")
    return task


def data_file(path: str, subset: str, data: bytes, tasks: Iterable[Task]) -> DataFile:
    """The manifest's entry for the bytes of one data file and the tasks in it."""
    held = tuple(tasks)
    return DataFile(
        path=path,
        subset=subset,
        sha256=digest(data),
        size=len(data),
        scenarios=sum(len(task.acceptance_tests) for task in held),
        assertions=sum(task.assertions for task in held),
        tasks=tuple(task.task_id for task in held),
    )
