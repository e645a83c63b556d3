"""The attempt log: append-only, one checked record a line, on disk before anybody relies on it.

Lines end with the byte 0x0A and no other character ends one. A write that was cut off leaves a
fragment at the end, which is set aside; damage anywhere else stops whoever reads it.
"""

from __future__ import annotations

import gc
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeVar

import msgspec

from kcb_core.codec import ascii_line, convert, parse
from kcb_core.errors import DataError, MachineError, MalformedJson
from kcb_core.storage import read_bounded, write_whole
from kcb_experiments.attempts import Attempts, fold
from kcb_experiments.lock import WriterLock
from kcb_experiments.records import LOG_FORMAT, Load, Opened, Record

LOG_NAME = "attempts.jsonl"
MAX_LOG_BYTES = 1 << 30

_CHECK = b',"crc32":"'
_CHECK_BYTES = len(_CHECK) + len(b'00000000"}')

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a log holds."""

    records: tuple[Record, ...]
    attempts: Attempts
    """What they come to."""
    size: int
    """Bytes of the records, from the start of the file."""
    unended: bool
    """Whether the last record lacks its line end."""
    fragment: bytes
    """What follows them: the rest of a write that was cut off."""


def read_log(folder: Path) -> Reading:
    """What the log in a folder holds; a log that is not there is empty. Nothing is changed.

    Raises:
        DataError: it is damaged anywhere but at its end, or of a newer format; the line is named.
        DeclarationError: it cannot be read.
    """
    path = folder / LOG_NAME
    return parse_log(read_bounded(path, MAX_LOG_BYTES) if path.exists() else b"", source=str(path))


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the collector of cycles away: it would look again and again at all that was read.

    Nothing in a log refers back, so that it would find nothing.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@_uncollected()
def parse_log(data: bytes, *, source: str) -> Reading:
    """What the bytes of a log hold; errors as in :func:`read_log`."""
    records: list[Record] = []
    attempts = Attempts()
    numbers: dict[int, int] = {}
    lines = data.split(b"\n")
    size = 0
    for index, line in enumerate(lines):
        place = f"{source}:{index + 1}"
        record = _decode_line(line, place)
        if record is None:
            _refuse_damage(lines[index:], place)
            break
        _check_number(record, numbers, place)
        try:
            attempts.add(record)
        except DataError as error:
            raise DataError(f"{place}: {error}") from None
        records.append(record)
        size += len(line) + 1
    unended = size > len(data)
    return Reading(
        records=tuple(records),
        attempts=attempts,
        size=size - unended,
        unended=unended,
        fragment=data[size:],
    )


def encode_record(record: Record) -> bytes:
    """A record as its line, with the checksum of all before it as its last member."""
    body = ascii_line(msgspec.to_builtins(record))[:-1].encode("ascii")
    return body + _check_of(body) + b"\n"


class Log:
    """The log in the hands of its one writer, whose threads may share it; see :func:`open_log`."""

    def __init__(self, path: Path, handle: int, reading: Reading, lock: WriterLock) -> None:
        self.attempts = reading.attempts
        """What all records on disk come to, those that were appended too."""
        self.term = reading.attempts.term + 1
        self._records = list(reading.records)
        self._path = path
        self._handle = handle
        self._lock = lock
        self._seq = 0
        self._broken = False
        self._turn = Lock()

    def append(self, record: R) -> R:
        """Put a record on disk; when this returns, no power failure takes it away.

        Returns:
            The record with its term and number.

        Raises:
            DataError: it contradicts the records before it; nothing was written.
            MachineError: it cannot be written, or another writer took over. Nothing of it is kept,
                and the log takes no more records.
        """
        with self._turn:
            if self._broken:
                raise MachineError(f"{self._path}: takes no more records after a failed write")
            numbered = msgspec.structs.replace(record, term=self.term, seq=self._seq)
            line = encode_record(numbered)
            # Taken in before it is written, since a contradiction must not reach the disk.
            self.attempts.add(numbered)
            try:
                self._lock.check()
                self._write(line)
            except MachineError:
                self._broken = True
                self.attempts = fold(self._records)
                raise
            self._records.append(numbered)
            self._seq += 1
            return numbered

    def close(self) -> None:
        """Let go of the file; a second time does nothing."""
        with self._turn:
            if self._handle >= 0:
                os.close(self._handle)
            self._handle, self._broken = -1, True

    def _write(self, line: bytes) -> None:
        size = os.fstat(self._handle).st_size
        try:
            left = line
            while left:  # a full disk takes a part first, and says why when it is given the rest
                left = left[os.write(self._handle, left) :]
            os.fsync(self._handle)
        except OSError as error:
            with suppress(OSError):  # the next opening mends what this leaves
                os.ftruncate(self._handle, size)
            raise MachineError(
                f"{self._path}: cannot be written: {error.strerror or error}; no finished attempt "
                "is lost: make room and run the same command again"
            ) from error


@contextmanager
def open_log(
    folder: Path,
    lock: WriterLock,
    *,
    experiment_sha256: str,
    load: Load,
    tell: Callable[[str], None],
) -> Iterator[Log]:
    """The log in a folder, ready for more records: its end is mended and a new term begun.

    Args:
        folder: the folder of the experiment.
        lock: the right to write there.
        experiment_sha256: digest of the experiment that is to be run.
        load: how much is run at once.
        tell: told in one line of a fragment that was set aside.

    Raises:
        DataError: the log is damaged; it is left as it is.
        MachineError: it cannot be written.
    """
    path = folder / LOG_NAME
    reading = read_log(folder)
    if reading.fragment:
        aside = _set_aside(path, reading.fragment)
        tell(
            f"{path}: {len(reading.fragment)} bytes after record {len(reading.records)} are the "
            f"rest of a write that was cut off; they are kept in {aside.name}"
        )
    log = Log(path, _open_mended(path, reading), reading, lock)
    try:
        log.append(Opened(experiment_sha256=experiment_sha256, holder=lock.holder, load=load))
        yield log
    finally:
        log.close()


def _open_mended(path: Path, reading: Reading) -> int:
    """The file, open at the end of its last record."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            os.ftruncate(handle, reading.size)
            if reading.unended:
                os.write(handle, b"\n")
            os.fsync(handle)
            _sync_folder(path.parent)
        except BaseException:
            os.close(handle)
            raise
    except OSError as error:
        raise MachineError(f"{path}: cannot be written: {error.strerror or error}") from error
    return handle


def _sync_folder(folder: Path) -> None:
    """Make the name of a new file last, as its content does."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _set_aside(path: Path, fragment: bytes) -> Path:
    """Keep a fragment in a file of its own, whole and on disk before it leaves the log."""
    number = 1
    while (aside := path.with_name(f"attempts.fragment-{number}")).exists():
        number += 1
    write_whole(aside, fragment)
    return aside


def _decode_line(line: bytes, place: str) -> Record | None:
    """The record in a line; None if it may be the beginning of one.

    Raises:
        DataError: it is a whole object but no record of ours: no cut makes such a line.
    """
    try:
        value = parse(line)
    except MalformedJson:
        return None
    body = line[:-_CHECK_BYTES]
    if line != body + _check_of(body):
        raise DataError(f"{place}: the record differs from its checksum; the file was changed")
    if not isinstance(value, dict):
        raise DataError(f"{place}: is no record")
    del value["crc32"]
    return convert(value, Record, source=place)  # type: ignore[arg-type]  # a union is a type too


def _check_of(body: bytes) -> bytes:
    return b'%s%08x"}' % (_CHECK, zlib.crc32(body))


def _refuse_damage(rest: list[bytes], place: str) -> None:
    """Make sure that nothing but empty lines follows a fragment."""
    if any(line.strip() for line in rest[1:]):
        raise DataError(
            f"{place}: the record is broken and others follow it, which no interruption does; "
            "restore the file from a copy"
        )


def _check_number(record: Record, numbers: dict[int, int], place: str) -> None:
    """Make sure that the records of each term follow each other without a gap."""
    due = numbers.get(record.term, 0)
    if record.seq != due or (due == 0) != isinstance(record, Opened):
        raise DataError(
            f"{place}: record {record.seq} of term {record.term} stands where record {due} should; "
            "lines are missing or were moved"
        )
    if isinstance(record, Opened) and not 1 <= record.format <= LOG_FORMAT:
        raise DataError(
            f"{place}: field 'format': {record.format} is not known, this version reads "
            f"{LOG_FORMAT}; upgrade kcb-experiments"
        )
    numbers[record.term] = due + 1
