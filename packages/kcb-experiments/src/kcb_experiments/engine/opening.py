"""Everything that a run needs, opened in order and closed again: lock, log, executor, verifier."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

from kcb_core.catalog import Catalog
from kcb_core.execution import OpenExecutor, OpenVerifier
from kcb_core.tasksets import TaskSet
from kcb_experiments.budget import Budget
from kcb_experiments.engine.child import kill_children
from kcb_experiments.engine.parts import Parts, found_parts
from kcb_experiments.engine.workshop import Workshop
from kcb_experiments.frozen import Experiment, store
from kcb_experiments.lock import WriterLock, hold_writer_lock
from kcb_experiments.log import open_log, read_log
from kcb_runner.cancel import cancel_on_signals
from kcb_runner.launch.interpreter import kill_everything

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def open_workshop(
    catalog: Catalog,
    experiment: Experiment,
    folder: Path,
    *,
    tasks: TaskSet,
    tell: Callable[[str], None],
) -> Iterator[Workshop]:
    """An experiment that can be run, in a folder that nobody else writes to meanwhile.

    It is frozen there, unless another one is that has begun.

    SIGINT and SIGTERM make its ``stopped`` true; a second one ends this process at once.

    Raises:
        DeclarationError: a part is missing, another process writes there, or another experiment is
            kept there.
        DataError: the log is damaged.
        MachineError: this machine failed.
    """
    found = found_parts(catalog, experiment, tasks)
    with (
        _frozen_in(folder, experiment, tell) as lock,
        cancel_on_signals(_last_resort) as cancel,
        _opened(found.following(tell, lambda: cancel.thrown)) as (runs, judges),
        open_log(
            folder, lock, experiment_sha256=experiment.sha256, load=experiment.load, tell=tell
        ) as log,
    ):
        yield Workshop(
            experiment=experiment,
            folder=folder,
            tasks=tasks,
            log=log,
            budget=Budget(experiment.budget, spent=log.attempts.charged),
            executor=runs,
            verifier=judges,
            stopped=lambda: cancel.thrown,
            stop=cancel.throw,
            tell=tell,
        )


@contextmanager
def _frozen_in(
    folder: Path, experiment: Experiment, tell: Callable[[str], None]
) -> Iterator[WriterLock]:
    """The right to write to the folder of this experiment."""
    with hold_writer_lock(folder, tell) as lock:
        store(experiment, folder, begun=lambda: any(read_log(folder).attempts))
        yield lock


@contextmanager
def _opened(parts: Parts) -> Iterator[tuple[OpenExecutor, OpenVerifier]]:
    with (
        parts.executor.open(parts.running) as runs,
        parts.verifier.open(parts.judging) as judges,
    ):
        yield runs, judges


@contextmanager
def raising_on_signals() -> Iterator[None]:
    """SIGINT and SIGTERM raise ``KeyboardInterrupt`` meanwhile, as agents that wait expect it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _raise) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _last_resort() -> None:
    """What is still done when this process ends at once."""
    kill_children()
    kill_everything()
