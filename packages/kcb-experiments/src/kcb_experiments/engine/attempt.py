"""One attempt at a cell, from its start in the log to its end there."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

import msgspec

from kcb_core.console import plain
from kcb_core.errors import MachineError
from kcb_core.execution import Casting, Errand, Left, Verdict, Verification
from kcb_core.run_record import Cost, StatedUsage, Usage
from kcb_experiments.amount import Amount
from kcb_experiments.cells import Cell
from kcb_experiments.conclusion import Conclusion, Course, conclude
from kcb_experiments.engine.artifacts import REPORT_NAME, attempt_folder, files_of, keep_project
from kcb_experiments.engine.metering import charge, priced, summed
from kcb_experiments.engine.orders import PROJECT_NAME
from kcb_experiments.engine.workshop import Workshop
from kcb_experiments.records import (
    Artifact,
    AttemptEnd,
    AttemptStart,
    Cause,
    Moved,
    Phase,
    Request,
    Status,
)
from kcb_experiments.results import tokens_of
from kcb_experiments.spec import Price, Subject

DONE = "done"
"""The one stop reason by which a subject says that it has done what it was asked for."""

MAX_REASON = 500
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
        self._lock = Lock()
        self._begun = 0.0
        self._asleep = 0.0
        self.last_sign = time.monotonic()
        """When it was last heard of, on the monotonic clock."""

    def run(self) -> AttemptEnd:
        """Run it; its reservation has been made and is settled here.

        Raises:
            MachineError: the log cannot be written any more, and so nothing can be run.
        """
        log, subject = self._workshop.log, self._subject
        spent: Amount | None = None
        try:
            log.append(self._start(subject.worst))
            end = self._in_slot()
            spent = end.spent if isinstance(end.spent, Amount) else None
            return log.append(end)
        finally:
            self._workshop.budget.settle(self.cell.id, spent)

    def _in_slot(self) -> AttemptEnd:
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

    def refuse(self) -> AttemptEnd:
        """Record that the budget has no room for it."""
        log = self._workshop.log
        log.append(self._start(Amount()))
        return log.append(
            AttemptEnd(
                cell=self.cell.id,
                attempt=self.number,
                status=Status.BUDGET_EXHAUSTED,
                reason="the budget has no room for it",
                spent=Amount(),
                clock_s=time.monotonic(),
                at=_label(),
            )
        )

    def asked(self) -> None:
        """A model request is admitted."""
        with self._lock:
            self._used_up = self._bound_used_up()
            self._requests += 1
            number = self._requests
            self._record_request(number, msgspec.UNSET)

    def answered(self, usage: Usage | None, dollars: float | None) -> None:
        """The latest request has its answer."""
        with self._lock:
            if usage is None or self._requests in self._settled:
                return  # without usage the request stays unsettled, and charged in full
            self._settled.add(self._requests)
            self._usages.append(usage)
            self._dollars.append(dollars)
            one = summed([usage])
            cost = self._cost(one, dollars)[0] or 0.0
            spent = charge(one, cost, 0.0, reserved=Amount(), whole=True)
            self._record_request(self._requests, spent)

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

    def _worked(self) -> AttemptEnd:
        """Let the subject work and have it judged; what goes wrong says nothing of the subject."""
        try:
            self._move(Phase.GENERATING)
            left = self._workshop.executor.run(self._errand())
            worked_s = time.monotonic() - self._begun - left.waited_s
            kept = keep_project(left.project, self._workshop.folder) if left.project else None
            verdict = self._judged(left)
            return self._concluded(left, verdict, kept, worked_s)
        except MachineError as error:
            return self._ended(_void(Cause.INFRASTRUCTURE), str(error))
        except Exception as error:  # noqa: BLE001 - an executor's fault is no fault of the subject
            reason = f"unexpected {type(error).__name__}: {error}"
            return self._ended(_void(Cause.UNKNOWN), reason)

    def _judged(self, left: Left) -> Verdict:
        if not left.started or left.cancelled or left.raised or self._workshop.stopped():
            return Verdict(score=None)
        self._move(Phase.JUDGING)
        verification = Verification(
            task_id=self.cell.task_id,
            project=left.project,
            report=self.place / REPORT_NAME,
            subject=self.cell.subject,
            repetition=self.cell.repetition,
            record=left.record,
        )
        return self._workshop.verifier.verify(verification)

    def _concluded(
        self, left: Left, verdict: Verdict, kept: Artifact | None, worked_s: float
    ) -> AttemptEnd:
        stopped = verdict.score is None and self._workshop.stopped()
        course = Course(
            started=left.started,
            cancelled=left.cancelled or stopped,
            raised=left.raised,
            timed_out=left.timed_out,
            killed=left.killed,
            returned=left.returned,
            succeeded=left.stop_reason == DONE if left.stop_reason else None,
            stop_reason=left.stop_reason,
            admitted=self._requests,
            score=verdict.score,
        )
        usage, dollars, at_least = self._used(left)
        end = self._ended(conclude(course), left.reason or verdict.reason, kept)
        return msgspec.structs.replace(
            end,
            stop_reason=left.stop_reason,
            duration_s=round(worked_s, 3),
            waited_s=round(self._queued_s + left.waited_s, 3),
            usage=usage or msgspec.UNSET,
            spent=self._charged(left, usage, dollars, worked_s),
            cost_at_least=at_least,
            verifier=self._workshop.verifier.stamp if verdict.score is not None else "",
            deployment=dict(left.deployment),
        )

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
        dollars, at_least = self._cost(usage, said if said is not None else sum(heard) or None)
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

    def _ended(
        self, conclusion: Conclusion, reason: str, kept: Artifact | None = None
    ) -> AttemptEnd:
        """The end record, with all that the attempt has left on disk by now."""
        here = (kept,) if kept else ()
        without = self.place / PROJECT_NAME
        files = tuple(files_of(self.place, self._workshop.folder, without=without))
        return AttemptEnd(
            cell=self.cell.id,
            attempt=self.number,
            status=conclusion.status,
            cause=conclusion.cause or msgspec.UNSET,
            score=msgspec.UNSET if conclusion.score is None else conclusion.score,
            reason=" ".join(plain(reason).split())[:MAX_REASON],
            duration_s=round(time.monotonic() - self._begun, 3),
            artifacts=here + files,
            suspended=_sleep_s() - self._asleep > SUSPENDED_S,
            clock_s=time.monotonic(),
            at=_label(),
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
            at=_label(),
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


def _void(cause: Cause) -> Conclusion:
    return Conclusion(status=Status.VOID, cause=cause)


def _sleep_s() -> float:
    """How long this machine has slept since it started, as far as its clocks tell."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return 0.0 if boot is None else time.clock_gettime(boot) - time.monotonic()


def _label() -> str:
    """This moment as ISO 8601 in UTC; a label, by which nothing is ordered."""
    return datetime.now(UTC).isoformat(timespec="seconds")
