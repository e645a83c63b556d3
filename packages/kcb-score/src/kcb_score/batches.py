"""Reads many report files, in several processes where there are enough of them.

A batch of files goes to a process, and comes back as samples: a few hundred bytes a report.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import msgspec

from kcb_core.errors import MachineError
from kcb_core.resources import usable_cpus
from kcb_core.score import Sample
from kcb_score.distil import Circumstances, Distiller
from kcb_score.files import Found
from kcb_score.reading import Filed, Reader, Skipped

BATCH = 500
"""Files that go to a process at once."""

WORTH_A_PROCESS = 4_000
"""Files from which on the start of further processes pays."""

MOST_PROCESSES = 16
"""Beyond it, the one process that gathers the samples is what takes the time."""


class _Batch(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the files of a batch; everything of one kind stands in one list."""

    samples: list[Sample]
    files: list[int]
    """Index in the batch of the file of each sample."""
    judged: list[int]
    """Index in ``circumstances`` of each sample."""
    circumstances: list[bytes]
    """Each as MessagePack, so that the receiver makes one object of equal ones."""
    skipped: list[tuple[int, str]]
    """Index and kind of the files that are other documents."""


def read_all(
    files: Sequence[Found],
    *,
    skipped: Callable[[Skipped], None],
    advanced: Callable[[int], None],
    processes: int | None = None,
) -> list[Filed]:
    """What all the reports in some files come to, in the order of the files.

    Args:
        files: as ``find_files`` gives them.
        skipped: is told of each other document that was passed over.
        advanced: is told of each batch how many files it had.
        processes: how many read; by default as many as there are CPUs, and this one alone where
            there are few files.

    Raises:
        DataError: the first file, in their order, that holds no report that can be scored.
        DeclarationError: the first that cannot be read.
        MachineError: a process was killed.
    """
    if processes is None:
        many = len(files) >= WORTH_A_PROCESS
        processes = min(usable_cpus(), MOST_PROCESSES) if many else 1
    batches = _here(files) if processes < 2 else _elsewhere(files, processes)
    filed: list[Filed] = []
    for found in batches:
        filed += [one for one in found if isinstance(one, Filed)]
        for other in found:
            if isinstance(other, Skipped):
                skipped(other)
        advanced(len(found))
    return filed


def _batches(files: Sequence[Found]) -> Iterator[Sequence[Found]]:
    return (files[start : start + BATCH] for start in range(0, len(files), BATCH))


def _here(files: Sequence[Found]) -> Iterator[list[Filed | Skipped]]:
    reader = Reader()
    for batch in _batches(files):
        yield [reader.read(found) for found in batch]


def _elsewhere(files: Sequence[Found], processes: int) -> Iterator[list[Filed | Skipped]]:
    """Batches in their order, a few of them ahead: nothing piles up on either side."""
    unpacker = _Unpacker()
    context = multiprocessing.get_context("spawn")  # the same on every system, and safe to start
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_prepare) as pool:
        waiting: deque[tuple[Sequence[Found], Future[bytes]]] = deque()
        try:
            for batch in _batches(files):
                waiting.append((batch, pool.submit(read_batch, batch)))
                if len(waiting) > 2 * processes:
                    yield unpacker.unpack(*waiting.popleft())
            while waiting:
                yield unpacker.unpack(*waiting.popleft())
        except BrokenProcessPool as error:
            raise MachineError("a process that read reports was killed; try again") from error
        finally:
            pool.shutdown(cancel_futures=True)


def _prepare() -> None:
    """Ctrl-C is for the process that asked; and nothing that is read here refers to itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()


def read_batch(files: Sequence[Found]) -> bytes:
    """What some files come to, packed for another process; errors as in ``Reader.read``.

    Nothing if they hold text that cannot be packed, such as half a character: whoever asked then
    has to read them.
    """
    reader = Reader()
    batch = _Batch(samples=[], files=[], judged=[], circumstances=[], skipped=[])
    places: dict[int, int] = {}
    for index, found in enumerate(files):
        read = reader.read(found)
        if isinstance(read, Skipped):
            batch.skipped.append((index, read.kind))
            continue
        key = id(read.circumstances)  # the reader holds them, so an id is never used again
        if key not in places:
            places[key] = len(batch.circumstances)
            batch.circumstances.append(msgspec.msgpack.encode(read.circumstances))
        batch.samples.append(read.sample)
        batch.files.append(index)
        batch.judged.append(places[key])
    try:
        return msgspec.msgpack.encode(batch)
    except (UnicodeEncodeError, OverflowError):
        return b""


class _Unpacker:
    """Makes the samples of all batches share what they have in common."""

    def __init__(self) -> None:
        self._distiller = Distiller()
        self._reader = Reader()
        self._decoder = msgspec.msgpack.Decoder(_Batch)
        self._circumstances: dict[bytes, Circumstances] = {}

    def unpack(self, files: Sequence[Found], future: Future[bytes]) -> list[Filed | Skipped]:
        """What came of a batch."""
        packed = future.result()
        if not packed:
            return [self._reader.read(found) for found in files]
        batch = self._decoder.decode(packed)
        judged = [self._judged(one) for one in batch.circumstances]
        read: list[Filed | Skipped] = [
            Filed(
                source=files[index].path,
                sample=self._distiller.shared(sample),
                circumstances=judged[place],
            )
            for sample, index, place in zip(batch.samples, batch.files, batch.judged, strict=True)
        ]
        read += [Skipped(path=files[index].path, kind=kind) for index, kind in batch.skipped]
        return read

    def _judged(self, packed: bytes) -> Circumstances:
        if packed not in self._circumstances:
            self._circumstances[packed] = msgspec.msgpack.decode(packed, type=Circumstances)
        return self._circumstances[packed]
