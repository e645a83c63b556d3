"""What a worker does: judges one project with the ordinary evaluator, in candidates' processes.

Nothing here knows the engine that calls it. Candidate code never runs in the worker's own process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kcb_core.codec import digest
from kcb_core.dataset import decode_record
from kcb_core.errors import KcbError, MachineError
from kcb_core.report import DatasetStamp, Failure, FailureKind, Outcome, TaskReport, Void
from kcb_core.run_record import Making
from kcb_core.submission import Submission, tree_sha256
from kcb_core.task import Task
from kcb_runner.cancel import Cancel, Cancelled
from kcb_runner.judging import Bench, Judgement, examine_machine, judge
from kcb_runner.remote.fitness import Demand, fitness_here, launcher_here
from kcb_runner.remote.host_gate import HostGate
from kcb_runner.report import Circumstances, compose

PROBE_FAILS = "the probe project fails here too: "
"""How a note begins that says that a worker cannot judge at all."""


class Unfit(KcbError):
    """A worker refuses to judge; another one may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """What is the same for all tasks of one run, as it travels to every worker."""

    run: str
    """Name of the run, unique."""
    demand: Demand
    dataset: DatasetStamp
    jobs: int | None = None
    """Most tasks at once in one worker; None for as many as it has threads."""
    subject: str = ""
    repetition: int = 0
    public_only: bool = False
    keep_answers: bool = True
    plugins: Mapping[str, str] = field(default_factory=dict)
    validation_receipt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One project to judge."""

    task: Task
    submission: Submission
    errand: Errand
    voids: tuple[Void, ...]
    """What became of earlier tries on other workers."""


@dataclass(slots=True)
class Desk:
    """What a worker keeps for one run."""

    bench: Bench
    seats: threading.Semaphore
    jobs: int


_desks: dict[str, Desk] = {}
_over: set[str] = set()
_lock = threading.Lock()


def unpack_task(record: bytes, sha256: str) -> Task:
    """A task that travelled as its record.

    Raises:
        MachineError: the bytes are not those that were sent.
    """
    if digest(record) != sha256:
        raise MachineError("a task arrived with another digest than it was sent with")
    return decode_record(record, source=sha256)


def unpack_submission(submission: Submission, sha256: str) -> Submission:
    """A project that travelled; errors as in :func:`unpack_task`."""
    if tree_digest(submission) != sha256:
        raise MachineError("a project arrived with another digest than it was sent with")
    return submission


def tree_digest(submission: Submission) -> str:
    """Names a project on its way, with the executable bits that the source hash leaves out."""
    return tree_sha256((file.path, file.data, file.executable) for file in submission.files)


def play(call: Call, desk: Desk) -> Judgement:
    """Judge one project; earlier voids stay in its report.

    Raises:
        Cancelled: the run is over.
    """
    public_only = call.errand.public_only
    judgement = judge(call.task, call.submission, desk.bench, public_only=public_only)
    judgement.voids = call.voids + judgement.voids
    return judgement


def examine_loss(call: Call, desk: Desk) -> Judgement:
    """What to say of a project whose worker was lost at every try.

    The probe project decides, as after any other void: if this worker judges it rightly, and the
    tries are two, the project is at fault; else it is void. Errors as in :func:`play`.
    """
    found = examine_machine(desk.bench)
    task, lost = call.task, call.voids
    scenarios = task.public_tests if call.errand.public_only else task.acceptance_tests
    judgement = Judgement(
        outcome=Outcome.VOID,
        void=lost[-1],
        voids=lost,
        total=sum(scenario.assertions for scenario in scenarios),
        notes=("host and confinement are those of the worker that played the probe project",),
    )
    if found.fault:
        judgement.notes += (f"{PROBE_FAILS}{found.fault}",)
    elif len(lost) > 1:
        reason = (
            f"two workers were lost with this project, and one works without it: {lost[-1].reason}"
        )
        judgement.outcome, judgement.void = Outcome.FAILED, None
        judgement.failure = Failure(kind=FailureKind.RESOURCE_LIMIT, reason=reason)
    return judgement


def carry_out(
    threads: int,
    what: Callable[[Call, Desk], Judgement],
    task: Task,
    submission: Submission,
    errand: Errand,
    making: Making | None,
    voids: tuple[Void, ...],
) -> TaskReport:
    """Do one errand in this worker, and report it.

    Args:
        threads: how many tasks this worker does at once.
        what: :func:`play` or :func:`examine_loss`.
        task: whose scenarios are played.
        submission: the project.
        errand: the run that it belongs to.
        making: how the project was made.
        voids: what became of earlier tries on other workers.

    Raises:
        Unfit: this worker must not judge for this client.
        Cancelled: the run is over.
        MachineError: something unforeseen failed in this worker.
    """
    call = Call(task=task, submission=submission, errand=errand, voids=voids)
    try:
        desk = _desk(errand, threads)
        with desk.seats:
            judgement = what(call, desk)
    except (Cancelled, KcbError):
        raise
    except Exception as error:  # noqa: BLE001 - an error of any other kind may not survive its way
        raise MachineError(f"unexpected {type(error).__name__}: {error}") from None
    about = Circumstances(
        dataset=errand.dataset,
        bench=desk.bench,
        jobs=desk.jobs,
        subject=errand.subject,
        repetition=errand.repetition,
        public_only=errand.public_only,
        plugins=errand.plugins,
        validation_receipt=errand.validation_receipt,
    )
    return compose(task, judgement, submission, about, making)


def end_run(run: str) -> None:
    """Stop what this worker plays for a run, and begin nothing more of it."""
    with _lock:
        _over.add(run)
        desk = _desks.pop(run, None)
    if desk:
        desk.bench.cancel.throw()  # not closed: what is being played still looks at it


def _desk(errand: Errand, threads: int) -> Desk:
    demand = errand.demand
    fitness = fitness_here(demand.launcher, distributions=demand.distributions)
    refusal = demand.mismatch(fitness) or demand.shortfall(fitness)
    if refusal:
        raise Unfit(refusal)
    with _lock:
        if errand.run in _over:
            raise Cancelled
        if errand.run not in _desks:
            jobs = min(errand.jobs or threads, threads)
            cancel = Cancel()
            bench = Bench(
                launcher=launcher_here(demand.launcher),
                cancel=cancel,
                gate=HostGate(cancel),
                keep_answers=errand.keep_answers,
            )
            _desks[errand.run] = Desk(bench, threading.Semaphore(jobs), jobs)
        return _desks[errand.run]
