"""The folder that projects go into: each in a folder of its own, its record beside them.

``DIR/<task_id>/`` holds exactly a project's files, ``DIR/.generation/<task_id>.json`` its record,
and ``DIR/.generation/transcripts/<task_id>/`` one transcript for each time it was asked for.
A project is written apart, and its record is the point of no return: from then on the task is
finished, and whatever stops the program before the project is in its place is made good at the
next start.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from kcb_agents.record import GenerationRecord, read_record, write_record
from kcb_core.errors import DataError, DeclarationError, MachineError
from kcb_core.run_record import RECORDS
from kcb_core.transcript_file import SUFFIX

TRANSCRIPTS = "transcripts"

_PART = ".part"


@dataclass(frozen=True, slots=True)
class OutputFolder:
    """A folder of projects, named by task id."""

    folder: Path

    def project(self, task_id: str) -> Path:
        """Where a task's project is, if it is finished."""
        return self.folder / task_id

    def record(self, task_id: str) -> Path:
        """Where a task's record is, if there is one."""
        return self.folder / RECORDS / f"{task_id}.json"

    def next_transcript(self, task_id: str) -> Path:
        """Where the transcript of a task's next generation goes; those of earlier ones stay."""
        folder = self.folder / RECORDS / TRANSCRIPTS / task_id
        taken = (path.stem for path in folder.glob(f"*{SUFFIX}"))
        number = max((int(stem) for stem in taken if stem.isdecimal()), default=0) + 1
        return folder / f"{number}{SUFFIX}"

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Make the folder, and keep any other ``generate`` out of it meanwhile.

        Raises:
            DeclarationError: it cannot be made, or another process writes there.
        """
        records = self.folder / RECORDS
        try:
            records.mkdir(parents=True, exist_ok=True)
            handle = os.open(records, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise DeclarationError(f"{records}: {error.strerror or error}") from None
        try:
            _lock(handle, self.folder)
            yield
        finally:
            os.close(handle)

    def finished(self, task_id: str) -> GenerationRecord | None:
        """The record of a task that is finished, its project put in place if it was not yet.

        Raises:
            DeclarationError: there is a project without a record, or a record without its project.
            DataError: the record cannot be read.
        """
        project, path = self.project(task_id), self.record(task_id)
        record = read_record(path) if os.path.lexists(path) else None
        if record is None or not record.stop_reason.finished:
            self.refuse_foreign(task_id)
            return None
        if (ready := self._ready(record)).is_dir():
            self._put_in_place(ready, project)
        if not project.is_dir() or project.is_symlink():
            raise DeclarationError(
                f"{project}: is gone, but its record says that it is finished; "
                "put it back, or ask again with --again"
            )
        return record

    def refuse_foreign(self, task_id: str) -> None:
        """Make sure that no project is replaced that was not made here.

        Raises:
            DeclarationError: there is one.
        """
        project = self.project(task_id)
        if os.path.lexists(project) and (project.is_symlink() or not self._is_ours(task_id)):
            raise DeclarationError(
                f"{project}: is there without a finished record, so 'generate' did not make it; "
                "move it away or name another folder"
            )

    def stage(self, task_id: str) -> Path:
        """An empty folder to write a task's project into; what an earlier try left is dropped."""
        self.unstage(task_id)
        part = self.folder / RECORDS / f"{task_id}{_PART}"
        try:
            part.mkdir()
        except OSError as error:
            raise MachineError(f"{part}: cannot be made: {error.strerror}") from error
        return part

    def unstage(self, task_id: str) -> None:
        """Drop whatever was written for a project that is not in its place."""
        for leftover in (self.folder / RECORDS).glob(f"{task_id}.*"):
            if leftover.is_dir():
                shutil.rmtree(leftover, ignore_errors=True)

    def hand_in(self, record: GenerationRecord, part: Path) -> None:
        """Store the record of a finished task, and put the project that was staged in its place."""
        ready = self._ready(record)
        try:
            part.rename(ready)
        except OSError as error:
            raise MachineError(f"{ready}: cannot be written: {error.strerror}") from error
        write_record(record, self.record(record.task_id))
        self._put_in_place(ready, self.project(record.task_id))

    def note(self, record: GenerationRecord) -> None:
        """Store the record of a task that came to nothing, unless a finished one stands there."""
        self.unstage(record.task_id)
        if not self.project(record.task_id).exists():
            write_record(record, self.record(record.task_id))

    def _is_ours(self, task_id: str) -> bool:
        """Whether a record vouches for a project; one that cannot be read any more does."""
        try:
            return read_record(self.record(task_id)).stop_reason.finished
        except DataError:
            return True
        except DeclarationError:
            return False

    def _ready(self, record: GenerationRecord) -> Path:
        """Where a whole project waits for its record; named so that no other record fits it."""
        stamp = record.project
        name = "nothing" if stamp is msgspec.UNSET else stamp.sha256
        return self.folder / RECORDS / f"{record.task_id}.{name}"

    def _put_in_place(self, ready: Path, project: Path) -> None:
        try:
            if project.exists():
                shutil.rmtree(project)
            ready.rename(project)
        except OSError as error:
            raise MachineError(f"{project}: cannot be written: {error.strerror}") from error


def _lock(handle: int, folder: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise DeclarationError(f"{folder}: another 'generate' writes there") from None
    except OSError:
        # A file system without locks: two writers there are the caller's to avoid.
        return
