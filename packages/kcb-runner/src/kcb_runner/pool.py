"""Many tasks on this machine: as many at once as asked for, each report on disk as it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from kcb_runner.cancel import Cancel, Cancelled

Item = TypeVar("Item")
Result = TypeVar("Result")

STOP_GRACE_S = 8.0
"""How long the workers of a cancelled run are waited for."""

AHEAD = 2
"""Items that are pulled before they are asked for, for each job."""

_WAKE_S = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Done(Generic[Item, Result]):
    """One item that a worker is through with."""

    item: Item
    result: Result | None = None
    """What came of it, if :attr:`error` is not given."""
    error: BaseException | None = None
    """What the work raised; it takes no other item with it."""


def work_off(
    items: Iterable[Item], work: Callable[[Item], Result], *, jobs: int, cancel: Cancel
) -> Iterator[Done[Item, Result]]:
    """Work through items with threads, and give each as it is done, in no set order.

    The threads only wait for candidates' processes, which do the work. Items are pulled as they are
    needed, so that neither they nor the results pile up. After ``cancel`` no new item is begun, and
    what is being played ends at once; it is not given.

    Args:
        items: what is to be done; pulled in the thread that asks for results.
        work: does one item.
        jobs: how many at once.
        cancel: stops everything.
    """
    source = iter(items)
    threads = ThreadPoolExecutor(jobs, thread_name_prefix="kcb-work")
    running: dict[Future[Result], Item] = {}
    try:
        while True:
            if not cancel.thrown:
                for item in islice(source, AHEAD * jobs - len(running)):
                    running[threads.submit(_unless(cancel, work), item)] = item
            if not running:
                return
            # Woken now and then, so that signals are handled in between.
            finished, _ = wait(running, timeout=_WAKE_S, return_when=FIRST_COMPLETED)
            for future in finished:
                item, error = running.pop(future), future.exception()
                if error is None:
                    yield Done(item=item, result=future.result())
                elif not isinstance(error, Cancelled):
                    yield Done(item=item, error=error)
    finally:
        if running:
            cancel.throw()
        threads.shutdown(wait=False, cancel_futures=True)
        wait(running, timeout=STOP_GRACE_S)


def _unless(cancel: Cancel, work: Callable[[Item], Result]) -> Callable[[Item], Result]:
    """The work, not begun once the run is to stop."""

    def begin(item: Item) -> Result:
        if cancel.thrown:
            raise Cancelled
        return work(item)

    return begin
