"""Reads many report files, in several processes where there are enough of them.

A batch of files goes to a process, and comes back as a packed shelf: a hundred bytes a report.
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
from kcb_score.files import Found
from kcb_score.reading import Reader, Skipped
from kcb_score.shelf import Filed, Packed

BATCH = 500
"""Files that go to a process at once."""

WORTH_A_PROCESS = 4_000
"""Files from which on the start of further processes pays."""

MOST_PROCESSES = 16
"""Beyond it, the one process that gathers the samples is what takes the time."""


class _Batch(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the files of a batch."""

    shelf: Packed
    """One sample for each file that was not skipped."""
    skipped: dict[int, str]
    """Kind by index of the files that are other documents."""


_DECODER = msgspec.msgpack.Decoder(_Batch)


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
    reader = Reader()
    batches = _here(reader, files) if processes < 2 else _elsewhere(reader, files, processes)
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


def _here(reader: Reader, files: Sequence[Found]) -> Iterator[list[Filed | Skipped]]:
    for batch in _batches(files):
        yield [reader.read(found) for found in batch]


def _elsewhere(
    reader: Reader, files: Sequence[Found], processes: int
) -> Iterator[list[Filed | Skipped]]:
    """Batches in their order, a few of them ahead: nothing piles up on either side."""
    context = multiprocessing.get_context("spawn")  # the same on every system, and safe to start
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_prepare) as pool:
        waiting: deque[tuple[Sequence[Found], Future[bytes]]] = deque()
        try:
            for batch in _batches(files):
                waiting.append((batch, pool.submit(read_batch, batch)))
                if len(waiting) > 2 * processes:
                    yield _received(reader, *waiting.popleft())
            while waiting:
                yield _received(reader, *waiting.popleft())
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
    read = enumerate([reader.read(found) for found in files])
    skipped = {index: one.kind for index, one in read if isinstance(one, Skipped)}
    try:
        return msgspec.msgpack.encode(_Batch(shelf=reader.shelf.pack(), skipped=skipped))
    except UnicodeEncodeError:
        return b""


def _received(
    reader: Reader, files: Sequence[Found], future: Future[bytes]
) -> list[Filed | Skipped]:
    """What came of a batch, on the reader's shelf."""
    packed = future.result()
    if not packed:
        return [reader.read(found) for found in files]
    batch = _DECODER.decode(packed)
    sources = [found.path for index, found in enumerate(files) if index not in batch.skipped]
    filed = reader.shelf.put_all(batch.shelf, sources)
    return [*filed, *(Skipped(path=files[i].path, kind=kind) for i, kind in batch.skipped.items())]
