"""What all attempts of one run share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from kcb_core.execution import OpenExecutor, OpenVerifier
from kcb_core.tasksets import TaskSet
from kcb_experiments.budget import Budget
from kcb_experiments.frozen import Experiment
from kcb_experiments.log import Log
from kcb_experiments.spec import Subject

_POLL_S = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """An experiment that is being run. Threads share it."""

    experiment: Experiment
    folder: Path
    tasks: TaskSet
    log: Log
    budget: Budget
    executor: OpenExecutor
    verifier: OpenVerifier
    stopped: Callable[[], bool]
    """Whether everything is to end."""
    stop: Callable[[], None]
    """Makes everything end."""
    tell: Callable[[str], None]
    """Told in one line of what a person should know."""
    slots: dict[str, Lock] = field(default_factory=dict)
    """One lock for each slot, which subjects that never run at once name alike."""

    def __post_init__(self) -> None:
        for subject in self.experiment.subjects:
            if subject.slot:
                self.slots.setdefault(subject.slot, Lock())

    @contextmanager
    def slot_of(self, subject: Subject) -> Iterator[bool]:
        """The slot of a subject, when it is free; False if everything ended before."""
        lock = self.slots.get(subject.slot)
        if lock is None:
            yield True
            return
        while not (taken := lock.acquire(timeout=_POLL_S)):
            if self.stopped():
                break
        try:
            yield taken
        finally:
            if taken:
                lock.release()
