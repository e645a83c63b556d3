"""The client's side: hands tasks to a cluster's workers, and settles what became of lost ones."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from distributed import Client, Future, KilledWorker, get_worker

from kcb_core import console
from kcb_core.codec import digest
from kcb_core.dataset import encode_record
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.report import TaskReport, Void, VoidCause
from kcb_core.run_record import Making
from kcb_core.submission import Submission
from kcb_core.task import Task
from kcb_runner.cancel import Cancelled
from kcb_runner.gate import QuietGate
from kcb_runner.judging import Judgement
from kcb_runner.players import RunnerWish
from kcb_runner.remote import errand as work
from kcb_runner.remote.cluster import connect
from kcb_runner.remote.crew import Crew
from kcb_runner.remote.errand import Call, Desk, Errand, Unfit
from kcb_runner.remote.fitness import Demand, versions
from kcb_runner.remote.seats import WAKE_S, Seats
from kcb_runner.report import Circumstances

TRIES = 2
"""Workers that a project may lose before it is at fault."""

REFUSALS = 20
"""Workers that may refuse one project before the run gives it up."""

HELD_TASKS = 32
"""Tasks that are held on the cluster for the next project, the last used ones."""

AT_LEAST = 32
"""Projects that are at hand however few workers there are, for those that come later."""

END_S = 5.0
"""How long the workers may take to hear that a run is over."""


class Fleet:
    """A player whose tasks are played by the workers of a cluster; see ``Player``.

    A task and a project are handed over once, named by their digest; the engine brings them to each
    worker that needs them, at most once while they are held.
    """

    def __init__(self, client: Client, crew: Crew, errand: Errand, about: Circumstances) -> None:
        self._client = client
        self._crew = crew
        self._errand = errand
        self._cancel = about.bench.cancel
        self._gate = QuietGate()
        self._tasks: OrderedDict[str, Future] = OrderedDict()
        self._lock = threading.Lock()
        self._seats = Seats(lambda: crew.seats, self._look_around)

    @property
    def at_once(self) -> int:
        """Enough for twice the workers that are there; no more are begun than there are seats."""
        return max(AT_LEAST, 2 * self._crew.seats)

    def play(self, task: Task, submission: Submission, making: Making | None) -> TaskReport:
        """Judge one project on some worker; errors as in ``Player.play``.

        A worker that is lost says nothing. The second try is made while the fleet plays nothing
        else, so that a loss then is nobody else's; after a second loss a worker that is there plays
        the probe project and decides.
        """
        with self._seats.seat():
            return self._play((self._hold_task(task), self._hold_project(submission)), making)

    def _play(self, held: tuple[Future, Future], making: Making | None) -> TaskReport:
        """Try until there is a report; the last try is always settled."""
        lost: list[Void] = []
        while True:
            gate = self._gate.alone() if lost else self._gate.shared()
            try:
                with gate:
                    return self._ask(work.play, *held, making=making, voids=tuple(lost))
            except KilledWorker as error:
                worker = getattr(error.last_worker, "address", "unknown")
                reason = f"the worker at {worker} was lost while it played this project"
                lost.append(Void(cause=VoidCause.MACHINE, reason=reason))
                unproved = self._settle(held, making, lost)
                if unproved is not None:
                    return unproved

    def _look_around(self) -> None:
        """What whoever waits for a seat does meanwhile.

        Raises:
            Cancelled: the run was stopped.
            MachineError: there is nobody any more to wait for.
        """
        if self._cancel.thrown:
            raise Cancelled
        self._crew.check()

    def _settle(
        self, held: tuple[Future, Future], making: Making | None, lost: list[Void]
    ) -> TaskReport | None:
        """What a worker that is there makes of the losses; None if another try is due."""
        try:
            with self._gate.shared():
                report = self._ask(work.examine_loss, *held, making=making, voids=tuple(lost))
        except KilledWorker:
            raise MachineError("a worker was lost that played only the probe project") from None
        return None if len(lost) < TRIES and _works(report) else report

    def _ask(
        self,
        what: Callable[[Call, Desk], Judgement],
        task: Future,
        submission: Future,
        *,
        making: Making | None,
        voids: tuple[Void, ...],
    ) -> TaskReport:
        """One call on some worker.

        Raises:
            KilledWorker: the worker was lost.
            Cancelled: the run was stopped.
            MachineError: no worker can take it, or its machinery failed.
        """
        reason = "the workers that it may use went away"
        for _ in range(REFUSALS):
            broken = [held for held in (task, submission) if held.status == "error"]
            if broken:
                self._client.retry(broken)
            chosen = self._crew.restriction()
            future = self._client.submit(
                _on_worker,
                what, task, submission, self._errand, making, voids,
                key=f"kcb-play-{uuid.uuid4().hex}",
                pure=False,
                workers=chosen,
            )  # fmt: skip
            try:
                status = self._await(future, chosen)
                if status == "finished":
                    report: TaskReport = future.result(timeout=WAKE_S * 20)
                    return report
                if status != "stranded":
                    reason = self._refusal(future, status)
            finally:
                future.cancel()
        raise MachineError(f"no worker took a task in {REFUSALS} tries, the last: {reason}")

    def _await(self, future: Future, chosen: list[str] | None) -> str:
        """Wait until a call is over; its status, or ``stranded`` if none of its workers is left."""
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        while not done.wait(WAKE_S):
            if self._cancel.thrown:
                raise Cancelled
            self._crew.check()
            if chosen is not None and self._crew.gone(chosen):
                return "stranded"
        return str(future.status)

    def _refusal(self, future: Future, status: str) -> str:
        """Why a worker did not take a call that another one may; any other end is raised."""
        if status != "error":
            raise MachineError(f"the scheduler gave up a task, which is {status}")
        error = future.exception(timeout=WAKE_S * 20)
        if isinstance(error, Unfit):
            return str(error)
        if isinstance(error, KilledWorker) and error.task != future.key:
            return "it was lost while it unpacked, with nothing of the project's started"
        if isinstance(error, KilledWorker | Cancelled | MachineError | DeclarationError):
            raise error
        raise MachineError(f"a worker failed: {type(error).__name__}: {error}")

    def _hold_task(self, task: Task) -> Future:
        """The task on the cluster, under its digest, for this project and the next ones."""
        record = encode_record(task)
        name = digest(record)
        with self._lock:
            if name not in self._tasks:
                self._tasks[name] = self._hand_over(work.unpack_task, record, name)
            self._tasks.move_to_end(name)
            while len(self._tasks) > HELD_TASKS:
                self._tasks.popitem(last=False)
            return self._tasks[name]

    def _hold_project(self, submission: Submission) -> Future:
        return self._hand_over(work.unpack_submission, submission, work.tree_digest(submission))

    def _hand_over(self, unpack: Callable[[Any, str], Any], payload: Any, name: str) -> Future:
        """Something by its digest; the engine makes it anew if the worker that has it is lost."""
        return self._client.submit(
            unpack, payload, name, key=f"kcb-{unpack.__name__}-{name}", priority=1
        )


def _on_worker(*call: Any) -> TaskReport:
    """What the engine calls in a worker."""
    return work.carry_out(get_worker().state.nthreads, *call)


def _works(report: TaskReport) -> bool:
    """Whether the probe project was judged rightly when this report of a loss was made."""
    return not any(note.startswith(work.PROBE_FAILS) for note in report.notes)


@contextmanager
def open_fleet(about: Circumstances, wish: RunnerWish) -> Iterator[Fleet]:
    """Workers that are ready to judge; errors as in ``RemoteRunner.open``."""
    demand = Demand(
        launcher=about.bench.launcher.name,
        versions=versions(),
        dataset=about.dataset.name,
        manifest=about.dataset.manifest_sha256,
        confinement=wish.confinement,
    )
    errand = Errand(
        run=uuid.uuid4().hex,
        demand=demand,
        dataset=about.dataset,
        jobs=wish.jobs if wish.scheduler else None,
        subject=about.subject,
        repetition=about.repetition,
        public_only=about.public_only,
        keep_answers=about.bench.keep_answers,
        plugins=dict(about.plugins),
        validation_receipt=about.validation_receipt,
    )
    with connect(wish.scheduler, wish.jobs) as client:
        crew = Crew(client, demand, errand.jobs)
        crew.muster()
        for line in crew.refusals:
            console.warn(line)
        try:
            yield Fleet(client, crew, errand, about)
        finally:
            _tell_the_end(client, errand.run)


def _tell_the_end(client: Client, run: str) -> None:
    """Tell all workers that a run is over, and wait a little; the engine itself would for ever."""

    def tell() -> None:
        with suppress(Exception):  # a cluster that is gone has stopped as well
            client.run(work.end_run, run, on_error="ignore")

    teller = threading.Thread(target=tell, name="kcb-end", daemon=True)
    teller.start()
    teller.join(END_S)
