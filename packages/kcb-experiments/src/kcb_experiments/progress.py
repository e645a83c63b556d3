"""Where an experiment stands, read from its log beside whoever writes it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import field

from kcb_core.report import Document
from kcb_experiments.amount import Amount
from kcb_experiments.attempts import Attempt, Attempts
from kcb_experiments.frozen import Experiment, read_experiment
from kcb_experiments.lock import boot_id, current_holder
from kcb_experiments.log import read_log
from kcb_experiments.records import AttemptEnd, Holder, Opened
from kcb_experiments.results import Results, derive
from kcb_experiments.selection import CellState, is_running, state_of

STATUS_KIND = "experiment-status"
STATUS_FORMAT = 1

SILENT_S = 30.0
"""Seconds without a sign after which a running cell is called silent."""


class Running(Document, frozen=True, kw_only=True):
    """A cell that is being run."""

    cell: str
    attempt: int
    phase: str = ""
    age_s: float | None = None
    """Since it started; not known from another machine."""
    silent_s: float | None = None
    """Since its last sign."""
    requests: int = 0


class Progress(Document, frozen=True, kw_only=True):
    """Where an experiment stands at this moment."""

    kind: str
    """Always ``experiment-status``."""
    format: int
    name: str
    experiment_sha256: str
    cells: int
    states: dict[str, int]
    """Number of cells by state; those that nothing is in are left out."""
    writer: Holder | None = None
    """The process that writes, if one does."""
    per_hour: float | None = None
    """Attempts that come to a score in an hour, in the run that is under way, or was last."""
    charged: Amount
    """What all attempts are charged so far; a reservation in full where usage never arrived."""
    in_flight: Amount
    """The part of it that is reserved by attempts that run."""
    caps: dict[str, float] = field(default_factory=dict)
    running: tuple[Running, ...] = ()
    """The longest silent first."""


def read_progress(folder: Path) -> Progress:
    """Where the experiment in a folder stands; nothing is changed, and nobody waits.

    Raises:
        DeclarationError: there is no experiment.
        DataError: its files are damaged.
    """
    experiment = read_experiment(folder)
    # The holder first: a run that ends in between is then shown as it ended.
    holder = current_holder(folder)
    attempts = read_log(folder).attempts
    return progress_of(experiment, attempts, holder)


def read_results(folder: Path) -> tuple[Experiment, Results]:
    """The experiment in a folder and its results so far; errors as in :func:`read_progress`."""
    experiment = read_experiment(folder)
    holder = current_holder(folder)
    attempts = read_log(folder).attempts
    return experiment, derive(experiment, attempts, live_term=live_term(attempts, holder))


def live_term(attempts: Attempts, holder: Holder | None) -> int:
    """The term that the holder of the lock has begun; 0 if it has not, or nobody holds it."""
    if holder is None or not attempts.runs:
        return 0
    opened = attempts.runs[-1]
    mine = (opened.holder.host, opened.holder.boot_id, opened.holder.pid, opened.holder.started)
    theirs = (holder.host, holder.boot_id, holder.pid, holder.started)
    return opened.term if mine == theirs else 0


def progress_of(experiment: Experiment, attempts: Attempts, holder: Holder | None) -> Progress:
    """Where an experiment stands.

    Args:
        experiment: what is run.
        attempts: what its log comes to.
        holder: the process that writes, if one does.
    """
    term = live_term(attempts, holder)
    states = Counter(state_of(attempts.of(cell.id), live_term=term) for cell in experiment.cells())
    alive = [attempt for attempt in attempts if is_running(attempt, term)]
    now = _now(attempts.runs[-1]) if attempts.runs else None
    running = sorted((_running(a, now) for a in alive), key=lambda r: -(r.silent_s or 0.0))
    return Progress(
        kind=STATUS_KIND,
        format=STATUS_FORMAT,
        name=experiment.name,
        experiment_sha256=experiment.sha256,
        cells=sum(states.values()),
        states={state.value: states[state] for state in CellState if states[state]},
        writer=holder,
        per_hour=_per_hour(attempts, now if term else None),
        charged=attempts.charged,
        in_flight=sum((attempt.charged for attempt in alive), Amount()),
        caps=experiment.budget.capped,
        running=tuple(running),
    )


def _now(opened: Opened) -> float | None:
    """This moment on the monotonic clock by which a run's records are dated.

    It is the same for all processes of one start of one machine, and nothing sets it.
    """
    here = boot_id()
    return time.monotonic() if here and here == opened.holder.boot_id else None


def _running(attempt: Attempt, now: float | None) -> Running:
    return Running(
        cell=attempt.start.cell,
        attempt=attempt.start.attempt,
        phase=attempt.phase or "",
        age_s=None if now is None else max(0.0, now - attempt.start.clock_s),
        silent_s=None if now is None else max(0.0, now - attempt.clock_s),
        requests=attempt.requests,
    )


def _per_hour(attempts: Attempts, now: float | None) -> float | None:
    """Valid attempts of the last term in an hour, from its first start to now or its last end.

    Void ones are no part of it: what a fault ends in a moment says nothing of how long work takes.
    """
    mine = [attempt for attempt in attempts if attempt.start.term == attempts.term]
    ends: Sequence[AttemptEnd] = [one.end for one in mine if one.valid and one.end]
    if not ends:
        return None
    until = max(end.clock_s for end in ends) if now is None else now
    elapsed = until - min(attempt.start.clock_s for attempt in mine)
    return len(ends) * 3600 / elapsed if elapsed > 0 else None
