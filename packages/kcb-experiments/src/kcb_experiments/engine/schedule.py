"""Which cells run when: whole groups together, within the frozen limit and the budget."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from kcb_experiments.amount import Amount
from kcb_experiments.attempts import Attempt
from kcb_experiments.budget import Room
from kcb_experiments.cells import Cell, Group
from kcb_experiments.engine.attempt import CellAttempt
from kcb_experiments.engine.verdicts import UnjudgedAttempt
from kcb_experiments.engine.workshop import Workshop
from kcb_experiments.records import AttemptEnd
from kcb_experiments.wording import of_name

SILENT_S = 300.0
"""Seconds without a sign after which a person is told of a cell, once for each silence."""

_WAKE_S = 0.2

_Attempt = CellAttempt | UnjudgedAttempt


@dataclass(slots=True, kw_only=True)
class Schedule:
    """The groups of one run. All but the attempts themselves happens in the caller's thread."""

    workshop: Workshop
    ended: Callable[[Cell, AttemptEnd], None]
    """Told of each attempt that is over."""
    why: Callable[[Cell], str] = lambda cell: ""
    """Why a cell is tried again."""
    _waiting: deque[Group] = field(default_factory=deque)
    _running: dict[Future[AttemptEnd | None], _Attempt] = field(default_factory=dict)
    _told_silent: dict[str, float] = field(default_factory=dict)
    _stopped: bool = False

    def run(self, groups: Sequence[Group]) -> None:
        """Run all groups; ends early when everything is to stop.

        Raises:
            MachineError: the log cannot be written any more; what runs is ended first.
        """
        self._waiting.extend(groups)
        load = self.workshop.experiment.load
        with ThreadPoolExecutor(max_workers=load.cells, thread_name_prefix="cell") as pool:
            try:
                while self._running or (self._waiting and not self._ending):
                    if not self._ending:
                        self._admit(pool)
                    self._collect()
                    self._watch()
            except BaseException:  # before the pool waits for what runs
                self._stop()
                raise

    @property
    def _ending(self) -> bool:
        if self.workshop.stopped() and not self._stopped:
            self._stop()
        return self._stopped

    def _stop(self) -> None:
        """Begin nothing more, and end what is being judged; executors ask for themselves."""
        self._stopped = True
        self.workshop.stop()
        self.workshop.verifier.stop()

    def _admit(self, pool: ThreadPoolExecutor) -> None:
        """Start as many groups as may run now, each with all of its cells at once."""
        while self._waiting and self._groups_running < self.workshop.experiment.groups:
            group = self._waiting.popleft()
            room = {cell: self._reserve(cell) for cell in group.cells}
            if Room.LATER in room.values() and self._running:
                self._give_back(room)
                self._waiting.appendleft(group)
                return
            later = tuple(cell for cell, found in room.items() if found is Room.LATER)
            if later:  # alone and still too dear together: the rest follows by itself
                self._waiting.appendleft(Group(later))
            self._start(pool, room)

    def _reserve(self, cell: Cell) -> Room:
        worst = self.workshop.experiment.subject_at(cell).worst
        return self.workshop.budget.reserve(cell.id, Amount() if self._unjudged(cell) else worst)

    def _unjudged(self, cell: Cell) -> Attempt | None:
        """The last attempt of a cell, if all that it lacks is a verdict."""
        attempts = self.workshop.log.attempts.of(cell.id)
        return attempts[-1] if attempts and attempts[-1].unjudged else None

    def _give_back(self, room: dict[Cell, Room]) -> None:
        for cell, found in room.items():
            if found is Room.RESERVED:
                self.workshop.budget.release(cell.id)

    def _start(self, pool: ThreadPoolExecutor, room: dict[Cell, Room]) -> None:
        for cell, found in room.items():
            if found is Room.NEVER:
                self.ended(cell, self._refused(cell))
            elif found is Room.RESERVED:
                attempt = self._attempt(cell)
                self._running[pool.submit(attempt.run)] = attempt

    def _refused(self, cell: Cell) -> AttemptEnd:
        worst = self.workshop.experiment.subject_at(cell).worst
        lacking = self.workshop.budget.lacking(worst).items()
        said = (
            f"{name}: {of_name(name, needed)} may be needed, and {of_name(name, left)} left"
            for name, (needed, left) in lacking
        )
        return CellAttempt(self.workshop, cell, why=self.why(cell)).refuse("; ".join(said))

    def _attempt(self, cell: Cell) -> _Attempt:
        if unjudged := self._unjudged(cell):
            return UnjudgedAttempt(self.workshop, cell, unjudged)
        return CellAttempt(self.workshop, cell, why=self.why(cell))

    @property
    def _groups_running(self) -> int:
        return len({attempt.cell.group for attempt in self._running.values()})

    def _collect(self) -> None:
        """Take in the attempts that are over.

        Raises:
            MachineError: one could not be recorded.
        """
        if not self._running:
            return
        done, _ = wait(self._running, timeout=_WAKE_S, return_when=FIRST_COMPLETED)
        for future in done:
            attempt = self._running.pop(future)
            if end := future.result():
                self.ended(attempt.cell, end)

    def _watch(self) -> None:
        """Tell of cells that have given no sign for long; their bounds end them in the end."""
        now = time.monotonic()
        for attempt in self._running.values():
            silent_s = now - attempt.last_sign
            told = self._told_silent.get(attempt.cell.id)
            if silent_s > SILENT_S and told != attempt.last_sign:
                self._told_silent[attempt.cell.id] = attempt.last_sign
                self.workshop.tell(f"{attempt.cell.id}: no sign for {silent_s:.0f} s")
