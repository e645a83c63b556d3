"""Many tasks on this machine: as many at once as asked for, each report on disk as it is done."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

from kcb_runner.cancel import Cancel, Cancelled

Item = TypeVar("Item")
Result = TypeVar("Result")

STOP_GRACE_S = 8.0
"""How long the workers of a cancelled run are waited for."""

_WAKE_S = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Done(Generic[Item, Result]):
    """One item that a worker is through with."""

    item: Item
    result: Result | None = None
    """What came of it, if :attr:`error` is not given."""
    error: Exception | None = None
    """What the work raised; it takes no other item with it."""


def work_off(
    items: Iterable[Item], work: Callable[[Item], Result], *, jobs: int, cancel: Cancel
) -> Iterator[Done[Item, Result]]:
    """Work through items with threads, and give each as it is done, in no set order.

    The threads only wait for candidates' processes, which do the work. After ``cancel`` no new item
    is begun, and what is being played ends at once; it is not given.

    Args:
        items: what is to be done.
        work: does one item.
        jobs: how many at once.
        cancel: stops everything.
    """
    waiting: queue.SimpleQueue[Item] = queue.SimpleQueue()
    done: queue.SimpleQueue[Done[Item, Result] | None] = queue.SimpleQueue()
    count = 0
    for item in items:
        waiting.put(item)
        count += 1

    def worker() -> None:
        with suppress(queue.Empty, Cancelled):
            while not cancel.thrown:
                item = waiting.get_nowait()
                try:
                    done.put(Done(item=item, result=work(item)))
                except Cancelled:
                    raise
                except Exception as error:  # noqa: BLE001 - it belongs to this item alone
                    done.put(Done(item=item, error=error))
        done.put(None)

    threads = [threading.Thread(target=worker, daemon=True) for _ in range(min(jobs, count))]
    for thread in threads:
        thread.start()
    try:
        yield from _collect(done, len(threads))
    except BaseException:  # before the end: the caller has left, or this thread was interrupted
        if any(thread.is_alive() for thread in threads):
            cancel.throw()
        raise
    finally:
        for thread in threads:
            thread.join(STOP_GRACE_S)


def _collect(
    done: queue.SimpleQueue[Done[Item, Result] | None], workers: int
) -> Iterator[Done[Item, Result]]:
    """What the workers give, until the last of them has ended."""
    while workers:
        try:
            result = done.get(timeout=_WAKE_S)  # short, so that signals are handled in between
        except queue.Empty:
            continue
        if result is None:
            workers -= 1
        else:
            yield result
