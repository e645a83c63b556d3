"""Working through many items at once, alone where it must be, and stopping."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from kcb_runner.cancel import Cancel, Cancelled, cancel_on_signals
from kcb_runner.gate import QuietGate
from kcb_runner.pool import work_off


@pytest.fixture
def cancel() -> Iterator[Cancel]:
    """A switch that is not thrown."""
    made = Cancel()
    yield made
    made.close()


def test_one_alone_excludes_all_others():
    """A confirmed timeout must not be the fault of a neighbour."""
    gate = QuietGate()
    inside: list[int] = []
    worst: list[tuple[str, int]] = []

    def play(kind: str) -> None:
        with gate.alone() if kind == "alone" else gate.shared():
            inside.append(1)
            worst.append((kind, len(inside)))
            time.sleep(0.005)
            inside.pop()

    kinds = ["shared", "shared", "alone", "shared", "alone"] * 4
    threads = [threading.Thread(target=play, args=(kind,)) for kind in kinds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(worst) == len(kinds)
    assert all(count == 1 for kind, count in worst if kind == "alone")


def test_every_item_is_given_once_whatever_happens_to_another(cancel):
    """An error belongs to its item, and takes no other with it."""

    def work(item: int) -> int:
        if item == 3:
            raise ValueError("three")
        return item * item

    done = sorted(work_off(range(10), work, jobs=4, cancel=cancel), key=lambda d: d.item)
    assert [d.item for d in done] == list(range(10))
    assert [d.result for d in done if d.error is None] == [n * n for n in range(10) if n != 3]
    assert str(done[3].error) == "three"


def test_no_item_is_begun_after_a_cancel(cancel):
    """What is being done may end; nothing new is started."""
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        cancel.throw()
        if item:
            raise Cancelled
        return item

    done = list(work_off(range(5), work, jobs=1, cancel=cancel))
    assert begun == [0]
    assert [d.item for d in done] == [0]


def test_a_consumer_that_leaves_early_stops_the_workers(cancel):
    """A caller that breaks off its loop must not leave threads behind."""
    results = work_off(range(1000), lambda n: time.sleep(0.01), jobs=2, cancel=cancel)
    next(results)
    results.close()
    assert cancel.thrown


def test_a_worker_that_ends_late_is_no_interruption(cancel, monkeypatch):
    """A thread goes on for a moment after it has given its last result, under load for longer."""

    class Late(threading.Thread):
        def run(self) -> None:
            super().run()
            time.sleep(0.3)

    monkeypatch.setattr(threading, "Thread", Late)
    assert len(list(work_off(range(4), lambda n: n, jobs=2, cancel=cancel))) == 4
    assert not cancel.thrown


def test_no_items_need_no_workers(cancel):
    """An empty run is one that is over."""
    assert list(work_off([], lambda n: n, jobs=4, cancel=cancel)) == []


def test_a_signal_throws_the_switch_and_handlers_are_put_back():
    """One press of Ctrl-C stops the run in good order."""
    before = signal.getsignal(signal.SIGTERM)
    with cancel_on_signals(lambda: None) as made:
        os.kill(os.getpid(), signal.SIGTERM)
        assert made.thrown
        made.throw()
    assert signal.getsignal(signal.SIGTERM) is before


def test_outside_the_main_thread_signals_are_let_be():
    """A library user's threads must not lose their handlers."""
    seen = []

    def use() -> None:
        with cancel_on_signals(lambda: None) as made:
            seen.append(made.thrown)

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert seen == [False]
