"""One attempt at a cell, from its start in the log to its end there."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock

import msgspec

from kcb_core.errors import MachineError
from kcb_core.execution import Casting, Errand, Left
from kcb_core.run_record import Cost, StatedUsage, Usage
from kcb_experiments.amount import Amount
from kcb_experiments.cells import Cell
from kcb_experiments.conclusion import Conclusion, conclude
from kcb_experiments.engine.artifacts import attempt_folder, files_of, keep_project
from kcb_experiments.engine.metering import charge, priced, summed
from kcb_experiments.engine.orders import PROJECT_NAME
from kcb_experiments.engine.room import raise_if_full, require_room
from kcb_experiments.engine.verdicts import (
    course_of,
    end_of,
    files_at,
    label,
    told,
    verdict_on,
)
from kcb_experiments.engine.workshop import Workshop
from kcb_experiments.records import (
    AttemptEnd,
    AttemptStart,
    Cause,
    Generated,
    Moved,
    Phase,
    Request,
    Status,
)
from kcb_experiments.results import tokens_of
from kcb_experiments.spec import Price, Subject

SUSPENDED_S = 5.0
"""How far the clock that counts sleep may run ahead of the one that does not, in seconds."""


class CellAttempt:
    """One attempt. Its executor's threads report to it while it runs."""

    def __init__(self, workshop: Workshop, cell: Cell, *, why: str = "") -> None:
        self.cell = cell
        self.number = len(workshop.log.attempts.of(cell.id)) + 1
        self._workshop = workshop
        self._subject: Subject = workshop.experiment.subject_at(cell)
        self._why = why
        self._usages: list[Usage] = []
        self._dollars: list[float | None] = []
        self._requests = 0
        self._settled: set[int] = set()
        self._queued_s = 0.0
        self._used_up = ""
        self._spent: Amount | None = None
        self._lock = Lock()
        self._begun = 0.0
        self._asleep = 0.0
        self.last_sign = time.monotonic()
        """When it was last heard of, on the monotonic clock."""

    def run(self) -> AttemptEnd | None:
        """Run it; its reservation has been made and is settled here.

        Returns:
            Its end; None if everything was to end while it was judged, which the next run does.

        Raises:
            MachineError: the disk is full or the log cannot be written any more, and so nothing
                can be run.
        """
        log, subject = self._workshop.log, self._subject
        spent: Amount | None = None
        try:
            log.append(self._start(subject.worst))
            end = self._in_slot()
            known = end.spent if end else self._spent
            spent = known if isinstance(known, Amount) else None
            return log.append(end) if end else None
        finally:
            self._workshop.budget.settle(self.cell.id, spent)

    def _in_slot(self) -> AttemptEnd | None:
        """Wait for the subject's slot, if it has one, and let it work there."""
        asked = time.monotonic()
        if self._subject.slot:
            self._move(Phase.WAITING)
        with self._workshop.slot_of(self._subject) as mine:
            self._begun, self._asleep = time.monotonic(), _sleep_s()
            self._queued_s = self._begun - asked
            if mine and not self._workshop.stopped():
                return self._worked()
            end = self._ended(_void(Cause.CANCELLED), "cancelled before it began")
            return msgspec.structs.replace(end, spent=Amount())

    def refuse(self, lacking: str) -> AttemptEnd:
        """Record that the budget has no room for it.

        Args:
            lacking: what there is too little of, in a few words.
        """
        log = self._workshop.log
        log.append(self._start(Amount()))
        return log.append(
            AttemptEnd(
                cell=self.cell.id,
                attempt=self.number,
                status=Status.BUDGET_EXHAUSTED,
                reason=f"the budget has no room for it: {lacking}",
                spent=Amount(),
                clock_s=time.monotonic(),
                at=label(),
            )
        )

    def asked(self) -> None:
        """A model request is admitted."""
        with self._lock:
            self._used_up = self._bound_used_up()
            self._admit()

    def answered(self, usage: Usage | None, dollars: float | None) -> None:
        """The latest request has its answer."""
        with self._lock:
            if not self._requests or self._requests in self._settled:
                self._admit()  # a program tells of what it has asked when it is over
            if usage is None:
                return  # the request stays unsettled, and is charged in full
            self._settled.add(self._requests)
            self._usages.append(usage)
            self._dollars.append(dollars)
            one = summed([usage])
            cost = self._cost(one, dollars)[0] or 0.0
            spent = charge(one, cost, 0.0, reserved=Amount(), whole=True)
            self._record_request(self._requests, spent)

    def _admit(self) -> None:
        self._requests += 1
        self._record_request(self._requests, msgspec.UNSET)

    def told(self, line: str) -> None:
        """The subject says what it waits for."""
        self.last_sign = time.monotonic()
        self._workshop.tell(f"{self.cell.id}: {line}")

    def _bound_used_up(self) -> str:
        """The bound that leaves no room for one more request, in a few words."""
        bounds = self._subject.bounds
        usage = summed(self._usages)
        dollars = self._cost(usage, sum(known for known in self._dollars if known))[0] or 0.0
        if isinstance(bounds.tokens, int) and tokens_of(usage) >= bounds.tokens:
            return f"{bounds.tokens} tokens"
        if isinstance(bounds.dollars, float) and dollars >= bounds.dollars:
            return f"{bounds.dollars:g} dollars"
        return ""

    @property
    def place(self) -> Path:
        """The folder of its files."""
        workshop = self._workshop
        return attempt_folder(workshop.folder, self.cell.key, workshop.log.term, self.number)

    def _worked(self) -> AttemptEnd | None:
        """Let the subject work and have it judged; what goes wrong says nothing of the subject.

        Raises:
            MachineError: the disk is full, or the log cannot be written any more.
        """
        shop = self._workshop
        self._move(Phase.GENERATING)
        try:
            left = shop.executor.run(self._errand())
            require_room(shop.folder)
            generated = self._generated(left)
        except MachineError as error:
            raise_if_full(error, shop.folder)
            return self._ended(_void(Cause.INFRASTRUCTURE), str(error))
        except Exception as error:  # noqa: BLE001 - an executor's fault is no fault of the subject
            raise_if_full(error, shop.folder)
            reason = f"unexpected {type(error).__name__}: {error}"
            return self._ended(_void(Cause.UNKNOWN), reason)
        if not left.started or left.cancelled or left.raised:
            return self._unjudged(left, generated)
        shop.log.append(generated)
        self.last_sign, self._spent = time.monotonic(), generated.spent
        return verdict_on(shop, self.cell, shop.log.attempts.of(self.cell.id)[-1])

    def _generated(self, left: Left) -> Generated:
        """What is to be known of the subject's turn when it is judged."""
        shop = self._workshop
        worked_s = time.monotonic() - self._begun - left.waited_s
        kept = keep_project(left.project, shop.folder) if left.project else None
        usage, dollars, at_least = self._used(left)
        return Generated(
            cell=self.cell.id,
            attempt=self.number,
            timed_out=left.timed_out,
            killed=left.killed,
            returned=left.returned,
            stop_reason=left.stop_reason,
            reason=told(left.reason),
            duration_s=round(worked_s, 3),
            waited_s=round(self._queued_s + left.waited_s, 3),
            usage=usage or msgspec.UNSET,
            spent=self._charged(left, usage, dollars, worked_s),
            cost_at_least=at_least,
            project=_path(left.project, shop.folder),
            kept=kept or msgspec.UNSET,
            making=_path(left.record, shop.folder),
            deployment=dict(left.deployment),
            suspended=_sleep_s() - self._asleep > SUSPENDED_S,
            clock_s=time.monotonic(),
        )

    def _unjudged(self, left: Left, generated: Generated) -> AttemptEnd:
        """The end of an attempt that leaves nothing to be judged."""
        course = replace(
            course_of(generated, admitted=self._requests, score=None),
            started=left.started,
            cancelled=left.cancelled or self._workshop.stopped(),
            raised=left.raised,
        )
        files = files_at(self.place, self._workshop.folder, generated)
        return end_of(generated, conclude(course), generated.reason, artifacts=files)

    def _used(self, left: Left) -> tuple[StatedUsage | None, float | None, bool]:
        """Tokens, dollars, and whether these are a lower bound."""
        cost = left.run_record.cost
        said = cost.dollars if isinstance(cost, Cost) else None
        bounded = isinstance(cost, Cost) and cost.lower_bound is True
        with self._lock:
            usages = list(self._usages)
            heard = [dollars for dollars in self._dollars if dollars is not None]
        if not usages and isinstance(left.run_record.usage, Usage):
            usages = [left.run_record.usage]
        usage = summed(usages) if usages else None
        if said is None and heard:
            said = sum(heard)
        dollars, at_least = self._cost(usage, said)
        return usage, dollars, at_least or bounded

    def _cost(self, usage: StatedUsage | None, said: float | None) -> tuple[float | None, bool]:
        """Dollars by the price in the spec, or as the agent says."""
        price = self._subject.price
        if usage is not None and isinstance(price, Price):
            return priced(usage, price)
        return said, False

    def _charged(
        self, left: Left, usage: StatedUsage | None, dollars: float | None, worked_s: float
    ) -> Amount:
        if not left.started:
            return Amount()
        whole = len(self._settled) == self._requests
        return charge(usage, dollars, max(0.0, worked_s), reserved=self._subject.worst, whole=whole)

    def _ended(self, conclusion: Conclusion, reason: str) -> AttemptEnd:
        """The end record where nothing more is known, with all that is on disk by now."""
        without = self.place / PROJECT_NAME
        return AttemptEnd(
            cell=self.cell.id,
            attempt=self.number,
            status=conclusion.status,
            cause=conclusion.cause or msgspec.UNSET,
            reason=told(reason),
            duration_s=round(time.monotonic() - self._begun, 3),
            artifacts=tuple(files_of(self.place, self._workshop.folder, without=without)),
            suspended=_sleep_s() - self._asleep > SUSPENDED_S,
            clock_s=time.monotonic(),
            at=label(),
        )

    def _errand(self) -> Errand:
        subject, workshop = self._subject, self._workshop
        return Errand(
            name=self.cell.id,
            task=workshop.tasks.brief(self.cell.task_id),
            dataset=workshop.tasks.stamp,
            casting=casting_of(subject),
            folder=self.place,
            seconds=subject.bounds.limit_s,
            budget=workshop.experiment.budgets.get(self.cell.task_id),
            tokens=subject.allowance,
            observer=self,
            used_up=lambda: self._used_up,
            stopped=workshop.stopped,
        )

    def _start(self, reserved: Amount) -> AttemptStart:
        return AttemptStart(
            cell=self.cell.id,
            attempt=self.number,
            reserved=reserved,
            why=self._why,
            clock_s=time.monotonic(),
            at=label(),
        )

    def _move(self, phase: Phase) -> None:
        self.last_sign = time.monotonic()
        self._workshop.log.append(
            Moved(cell=self.cell.id, attempt=self.number, phase=phase, clock_s=self.last_sign)
        )

    def _record_request(self, number: int, spent: Amount | msgspec.UnsetType) -> None:
        self.last_sign = time.monotonic()
        with suppress(MachineError):  # a log that cannot be written also refuses the end
            self._workshop.log.append(
                Request(
                    cell=self.cell.id,
                    attempt=self.number,
                    number=number,
                    spent=spent,
                    clock_s=self.last_sign,
                )
            )


def casting_of(subject: Subject) -> Casting:
    """A subject as executors know it."""
    return Casting(
        subject=subject.name,
        agent=subject.agent,
        settings=subject.settings,
        options=subject.options,
        credentials=subject.credentials,
    )


def _path(path: Path | None, folder: Path) -> str:
    """A path from the experiment's folder; empty for none."""
    return path.relative_to(folder).as_posix() if path else ""


def _void(cause: Cause) -> Conclusion:
    return Conclusion(status=Status.VOID, cause=cause)


def _sleep_s() -> float:
    """How long this machine has slept since it started, as far as its clocks tell."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return 0.0 if boot is None else time.clock_gettime(boot) - time.monotonic()
