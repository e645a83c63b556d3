"""Transcripts on disk: one append-only file of lines, and a folder beside it for what is long.

``NAME.jsonl`` holds the head and one record a line; ``NAME.d/`` holds streams and records that are
too long for a line. Lines end at byte 0x0A and nowhere else. Whatever is written can be read after
a crash: a record is on disk only after what it points to, and a torn last line is told apart from
a broken one.
"""

from __future__ import annotations

import os
import re
import time
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from kcb_core.codec import Json, ascii_line, convert, decode_kind, digest, parse
from kcb_core.errors import DataError, DeclarationError, MachineError, MalformedJson
from kcb_core.scrubber import NOTHING_SECRET, Scrubber
from kcb_core.storage import read_bounded
from kcb_core.transcript import (
    TRANSCRIPT_FORMAT,
    TRANSCRIPT_KIND,
    Entry,
    Head,
    Recorded,
    Stream,
)

SUFFIX = ".jsonl"
TRANSCRIPT_NAME = f"transcript{SUFFIX}"
"""Name of a transcript that lies beside the report on what was made."""

_SIDE_SUFFIX = ".d"

MAX_LINE = 256 << 10
"""Longest line in bytes; a longer record lies in a side file of its own."""

MAX_INLINE = 16 << 10
"""Longest stream in bytes that stands in its record."""

MAX_SIDE_BYTES = 256 << 20
"""Largest side file that is read."""

MAX_TRANSCRIPT_BYTES = 512 << 20
"""Largest transcript that is read."""

_SIDE_NAME = re.compile(r"[0-9]{1,9}\.(?:stream|json)")
_SPILLED = "spilled"


class Sync(Enum):
    """When a transcript has reached the disk, should the machine lose its power."""

    EACH = auto()
    """With every record."""
    CLOSE = auto()
    """When it is closed; until then it outlasts the death of the process, but no loss of power."""


class TranscriptWriter:
    """Appends records to a new transcript. What is secret never reaches the disk."""

    def __init__(
        self,
        path: Path,
        head: Head,
        *,
        scrubber: Scrubber = NOTHING_SECRET,
        sync: Sync = Sync.EACH,
    ) -> None:
        """Begin a transcript.

        Args:
            path: a file that is not there yet; missing folders above it are made.
            head: the first line.
            scrubber: takes out what is secret.
            sync: when records have to be on disk.

        Raises:
            MachineError: it cannot be written.
        """
        self.path = path
        self._scrubber = scrubber
        self._sync = sync
        self._seq = 0
        self._sides = 0
        self._begun = time.monotonic()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            self._handle: int | None = os.open(path, flags, 0o644)
        except OSError as error:
            raise _unwritten(path, error) from error
        self._append(scrubber.json(msgspec.to_builtins(head)))

    def record(self, event: Recorded) -> int:
        """Append one record.

        Returns:
            Its number, from 1 on.

        Raises:
            MachineError: it cannot be written.
        """
        self._seq += 1
        place = {"seq": self._seq, "at_s": round(time.monotonic() - self._begun, 3)}
        self._append(place | self._scrubber.json(msgspec.to_builtins(event)))
        return self._seq

    def stream(self, data: bytes, *, lost: int = 0) -> Stream:
        """The bytes of a stream as a record can hold them, long ones put into a side file.

        Args:
            data: what was kept.
            lost: how many bytes after it were not.
        """
        data = self._scrubber.data(data)
        size, sha256 = len(data), digest(data)
        if size > MAX_INLINE:
            name = self._side(data, "stream")
            return Stream(size=size, sha256=sha256, file=name, lost=lost)
        try:
            return Stream(size=size, sha256=sha256, text=data.decode("utf-8"), lost=lost)
        except UnicodeDecodeError:
            encoded = b64encode(data).decode()
            return Stream(size=size, sha256=sha256, base64=encoded, lost=lost)

    def close(self) -> None:
        """Put all of it on disk; a second time does nothing."""
        handle, self._handle = self._handle, None
        if handle is None:
            return
        try:
            os.fsync(handle)
        except OSError as error:
            raise _unwritten(self.path, error) from error
        finally:
            os.close(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _append(self, record: dict[str, Json]) -> None:
        line = ascii_line(record).encode("ascii")
        if len(line) > MAX_LINE:
            line = ascii_line(self._spilled(record, line)).encode("ascii")
        if self._handle is None:
            raise MachineError(f"{self.path}: is closed, or was given up when a write failed")
        try:
            _write(self._handle, line + b"\n")
            if self._sync is Sync.EACH:
                os.fsync(self._handle)
        except OSError as error:
            # What was cut off now must stay the last line.
            os.close(self._handle)
            self._handle = None
            raise _unwritten(self.path, error) from error

    def _spilled(self, record: dict[str, Json], line: bytes) -> dict[str, Json]:
        """What stands in place of a record that is too long for a line."""
        name = self._side(line, "json")
        place = {name: record[name] for name in ("seq", "at_s") if name in record}
        return place | {
            "event": _SPILLED,
            "file": name,
            "size": len(line),
            "sha256": digest(line),
        }

    def _side(self, data: bytes, kind: str) -> str:
        """Store bytes beside the transcript, and give their name there."""
        self._sides += 1
        path = side_folder(self.path) / f"{self._sides}.{kind}"
        try:
            path.parent.mkdir(exist_ok=True)
            with path.open("xb") as file:
                file.write(data)
                file.flush()
                if self._sync is Sync.EACH:
                    os.fsync(file.fileno())
        except OSError as error:
            raise _unwritten(path, error) from error
        return path.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A transcript that was read."""

    path: Path
    head: Head
    entries: tuple[Entry, ...]
    torn: bytes = field(default=b"", repr=False)
    """A last line that was cut off in the middle, and belongs to no entry."""

    def stream(self, stream: Stream) -> bytes:
        """The bytes of a stream.

        Raises:
            DeclarationError: its side file cannot be read.
            DataError: they are not those that were recorded.
        """
        source = f"{self.path}: stream {stream.sha256[:12]}"
        if stream.file is not msgspec.UNSET:
            data = _read_side(self.path, stream.file)
        elif stream.base64 is not msgspec.UNSET:
            try:
                data = b64decode(stream.base64, validate=True)
            except Base64Error as error:
                raise DataError(f"{source}: {error}") from None
        elif stream.text is not msgspec.UNSET:
            data = stream.text.encode("utf-8", "surrogatepass")
        else:
            raise DataError(f"{source}: holds no bytes")
        if (len(data), digest(data)) != (stream.size, stream.sha256):
            raise DataError(f"{source}: the bytes are not those that were recorded")
        return data


def is_transcript(path: Path) -> bool:
    """Whether a file is meant as a transcript, sound or not."""
    return path.name.endswith(SUFFIX)


def side_folder(path: Path) -> Path:
    """Where the long parts of a transcript lie."""
    return path.with_name(path.name.removesuffix(SUFFIX) + _SIDE_SUFFIX)


def read_transcript(path: Path) -> Transcript:
    """A transcript, its long records fetched from beside it.

    A last line without its end counts if it is whole; if not, it is torn and kept apart. Anything
    else that is wrong is refused: a broken line, a number left out, a side file that was changed.

    Raises:
        DeclarationError: a file cannot be read.
        DataError: it is no transcript, or a broken one; the line is named.
    """
    data = read_bounded(path, MAX_TRANSCRIPT_BYTES)
    lines = data.split(b"\n")
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise DataError(f"{path}: is empty, not even a head is there")
    head = decode_kind(
        lines[0], Head, kind=TRANSCRIPT_KIND, newest=TRANSCRIPT_FORMAT, source=f"{path}: line 1"
    )
    entries: list[Entry] = []
    for number, line in enumerate(lines[1:], 2):
        try:
            value = parse(line, source=f"{path}: line {number}")
        except MalformedJson:
            if number < len(lines):
                raise
            return Transcript(path=path, head=head, entries=tuple(entries), torn=line)
        entries.append(_entry(value, path, f"{path}: line {number}", len(entries) + 1))
    return Transcript(path=path, head=head, entries=tuple(entries))


def _entry(value: Json, path: Path, source: str, seq: int) -> Entry:
    if isinstance(value, dict) and value.get("event") == _SPILLED:
        value = _fetched(convert(value, _Spilled, source=source), path)
    if not isinstance(value, dict):
        raise DataError(f"{source}: must be a JSON object")
    rest: dict[str, Any] = dict(value)
    place = {"seq": rest.pop("seq", None), "at_s": rest.pop("at_s", None)}
    entry = convert(place | {"event": rest}, Entry, source=source)
    if entry.seq != seq:
        raise DataError(f"{source}: field 'seq': {entry.seq} stands where {seq} belongs")
    return entry


class _Spilled(msgspec.Struct, frozen=True, kw_only=True):
    """Where a record lies that is too long for a line."""

    file: str
    size: int
    sha256: str


def _fetched(spilled: _Spilled, path: Path) -> Json:
    line = _read_side(path, spilled.file)
    source = f"{side_folder(path) / spilled.file}"
    if (len(line), digest(line)) != (spilled.size, spilled.sha256):
        raise DataError(f"{source}: is not what was recorded")
    return parse(line, source=source)


def _read_side(path: Path, name: str) -> bytes:
    if not _SIDE_NAME.fullmatch(name):
        raise DataError(f"{path}: {name!r} is no name of a side file")
    side = side_folder(path) / name
    if side.is_symlink() or side.parent.is_symlink():
        raise DeclarationError(f"{side}: is a link")
    return read_bounded(side, MAX_SIDE_BYTES)


def _write(handle: int, data: bytes) -> None:
    """All of the bytes: the kernel may take fewer at a time."""
    while data:
        data = data[os.write(handle, data) :]


def _unwritten(path: Path, error: OSError) -> MachineError:
    return MachineError(f"{path}: cannot be written: {error.strerror or error}")
