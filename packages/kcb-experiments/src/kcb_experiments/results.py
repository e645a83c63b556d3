"""Results, derived from the log whenever somebody asks; no file holds them.

A cell's result is a score, a status, a duration, usage, cost and artifacts. An arm's is what its
cells come to with those that were lost shown beside it, since loss is not random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import field

from kcb_core.ids import TaskId
from kcb_core.report import Document
from kcb_core.run_record import StatedUsage
from kcb_core.score import Interval, Measure
from kcb_experiments.amount import Amount
from kcb_experiments.attempts import Attempt, Attempts
from kcb_experiments.cells import Cell
from kcb_experiments.frozen import Experiment
from kcb_experiments.records import Artifact, AttemptEnd, Load
from kcb_experiments.selection import SCORED, CellState, is_running, selected, state_of

RESULTS_KIND = "experiment-results"
RESULTS_FORMAT = 1

LOSS = (
    "Loss is not random: longer attempts with more requests are lost more, which favours the arm "
    "that finished sooner."
)
LOSS_NOTE = f"{LOSS} Compare arms with 'klein-bench experiment pair', on what both finished."

_LOST = (CellState.INTERRUPTED, CellState.VOID, CellState.BUDGET_EXHAUSTED)
_TOKENS = (
    *("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"),
    "reasoning_tokens",
)


class CellResult(Document, frozen=True, kw_only=True, gc=False):
    """The kernel of one cell: what scoring reads, and nothing else."""

    cell: str
    state: CellState
    """Its status, if an attempt was selected; else where it stands."""
    attempts: int = 0
    """Attempts that it has; the earliest valid one is selected."""
    cause: str = ""
    """Why its last attempt is void, if it is."""
    score: float | None = None
    duration_s: float | None = None
    """Working time of the selected attempt."""
    usage: StatedUsage | None = None
    dollars: float | None = None
    """What the selected attempt cost, if that is known."""
    cost_at_least: bool = False
    artifacts: tuple[Artifact, ...] = ()
    verifier: str = ""
    """What gave the score."""


class Effort(Document, frozen=True, kw_only=True):
    """How long and how busy some attempts were: the evidence that loss is, or is not, lopsided."""

    attempts: int
    mean_s: float | None = None
    """Mean working time in seconds; of those whose end was recorded."""
    mean_requests: float | None = None
    """Mean number of model requests, those that the endpoint refused or never answered too."""


class ArmResult(Document, frozen=True, kw_only=True):
    """What the cells of one subject come to."""

    subject: str
    cells: int
    states: dict[str, int]
    """Number of its cells by state."""
    score: Measure
    """Mean over all its cells; bounds where cells have no valid attempt."""
    resolved: int
    """Cells with a full score."""
    charged: Amount
    """What all its attempts are charged, those that say nothing too."""
    cost_at_least: bool = False
    """Whether a part of the dollars has no known price."""
    dollars_per_resolved: Measure
    tokens: int | None = None
    """Tokens of the selected attempts, as far as stated."""
    lost: dict[str, int] = field(default_factory=dict)
    """Cells that were begun and have no valid attempt, by cause."""
    kept_effort: Effort
    """Of the selected attempts."""
    void_effort: Effort
    """Of the void ones; what is still running is none of them."""


class Occasion(Document, frozen=True, kw_only=True):
    """Runs under the same load; times of different loads are not compared."""

    load: Load
    runs: int


class Results(Document, frozen=True, kw_only=True):
    """What an experiment has come to so far."""

    kind: str
    """Always ``experiment-results``."""
    format: int
    name: str
    experiment_sha256: str
    complete: bool
    """Whether every cell has a valid attempt."""
    occasions: tuple[Occasion, ...] = ()
    late_records: int = 0
    """Records of writers that another had taken over from: billed, and never counted."""
    verifiers: tuple[str, ...] = ()
    """What gave the scores; more than one makes them unlike."""
    arms: tuple[ArmResult, ...]
    cells: tuple[CellResult, ...]
    notes: tuple[str, ...] = ()


def derive(experiment: Experiment, attempts: Attempts, *, live_term: int = 0) -> Results:
    """The results of an experiment, whether or not it is still running.

    Args:
        experiment: what is run.
        attempts: what its log comes to.
        live_term: the term whose writer is alive, if one is.
    """
    cells = [(cell, attempts.of(cell.id)) for cell in experiment.cells()]
    rows = [_row(cell, tried, live_term) for cell, tried in cells]
    by_subject: dict[str, list[tuple[Cell, CellResult, Sequence[Attempt]]]] = {}
    for (cell, tried), row in zip(cells, rows, strict=True):
        by_subject.setdefault(cell.subject, []).append((cell, row, tried))
    arms = tuple(_arm(name, members, live_term) for name, members in by_subject.items())
    verifiers = sorted({row.verifier for row in rows if row.verifier})
    complete = all(row.state in SCORED for row in rows)
    loads = Counter(run.load for run in attempts.runs)
    return Results(
        kind=RESULTS_KIND,
        format=RESULTS_FORMAT,
        name=experiment.name,
        experiment_sha256=experiment.sha256,
        complete=complete,
        occasions=tuple(Occasion(load=load, runs=runs) for load, runs in loads.items()),
        late_records=len(attempts.late),
        verifiers=tuple(verifiers),
        arms=arms,
        cells=tuple(rows),
        notes=_notes(arms, verifiers),
    )


def _row(cell: Cell, tried: Sequence[Attempt], live_term: int) -> CellResult:
    state = state_of(tried, live_term=live_term)
    chosen = selected(tried)
    if chosen is None or chosen.end is None:
        cause = tried[-1].cause if tried and state in _LOST else None
        return CellResult(cell=cell.id, state=state, attempts=len(tried), cause=cause or "")
    end, judged = chosen.end, chosen.judged
    spent = end.spent if isinstance(end.spent, Amount) else None
    return CellResult(
        cell=cell.id,
        state=state,
        attempts=len(tried),
        score=chosen.score,
        duration_s=end.duration_s,
        usage=end.usage if isinstance(end.usage, StatedUsage) else None,
        dollars=spent.dollars if spent else None,
        cost_at_least=end.cost_at_least,
        artifacts=(*end.artifacts, *(judged.artifacts if judged else ())),
        verifier=chosen.verifier,
    )


def _arm(
    subject: str,
    members: Sequence[tuple[Cell, CellResult, Sequence[Attempt]]],
    live_term: int,
) -> ArmResult:
    rows = [row for _, row, _ in members]
    tried = [attempt for _, _, attempts in members for attempt in attempts]
    kept = [one for _, _, attempts in members if (one := selected(attempts))]
    charged = sum((attempt.charged for attempt in tried), Amount())
    resolved = sum(row.score == 1 for row in rows)
    lost = Counter(row.cause or row.state.value for row in rows if row.state in _LOST)
    stated = [row.usage for row in rows if row.usage]
    return ArmResult(
        subject=subject,
        cells=len(rows),
        states=dict(Counter(row.state.value for row in rows)),
        score=_score(rows, [TaskId.read(cell.task_id).slug for cell, _, _ in members]),
        resolved=resolved,
        charged=charged,
        cost_at_least=any(attempt.end and attempt.end.cost_at_least for attempt in tried),
        dollars_per_resolved=_per_resolved(charged, resolved),
        tokens=sum(map(tokens_of, stated)) if stated else None,
        lost=dict(lost),
        kept_effort=_effort(kept),
        void_effort=_effort([a for a in tried if a.cause and not is_running(a, live_term)]),
    )


def tokens_of(usage: StatedUsage) -> int:
    """All tokens that a provider stated, of whatever class."""
    values = (getattr(usage, name) for name in _TOKENS)
    return sum(value for value in values if isinstance(value, int))


def _score(rows: Sequence[CellResult], families: Sequence[str]) -> Measure:
    """The mean score, or the bounds between which cells without a valid attempt leave it."""
    low = [row.score or 0.0 for row in rows]
    missing = sum(row.score is None for row in rows)
    if not missing:
        interval = _interval(low, families)
        note = "" if interval else "no interval: the tasks are of a single family"
        return Measure(value=_mean(low), unit="share", interval=interval, note=note)
    high = [1.0 if row.score is None else row.score for row in rows]
    below, above = _interval(low, families), _interval(high, families)
    around = msgspec.structs.replace(below, high=above.high) if below and above else None
    return Measure(
        at_least=_mean(low),
        at_most=_mean(high),
        unit="share",
        interval=around,
        reason=f"{missing} of {len(rows)} cells have no valid attempt",
    )


def _interval(values: Sequence[float], families: Sequence[str]) -> Interval | None:
    # numpy and scipy are slow to import, and most commands here need neither.
    from kcb_score.statistics.rates import rate_interval  # noqa: PLC0415

    return rate_interval(values, families)


def _per_resolved(charged: Amount, resolved: int) -> Measure:
    if not charged.dollars:
        return Measure(unit="dollars", reason="no attempt has a known price")
    if not resolved:
        return Measure(unit="dollars", reason="no cell was resolved")
    return Measure(value=charged.dollars / resolved, unit="dollars")


def _effort(attempts: Sequence[Attempt]) -> Effort:
    ends: list[AttemptEnd] = [attempt.end for attempt in attempts if attempt.end]
    if not attempts:
        return Effort(attempts=0)
    return Effort(
        attempts=len(attempts),
        mean_s=_mean([end.duration_s for end in ends]) if ends else None,
        mean_requests=_mean([attempt.requests for attempt in attempts]),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _notes(arms: Sequence[ArmResult], verifiers: Sequence[str]) -> tuple[str, ...]:
    notes = []
    if any(arm.lost for arm in arms):
        notes.append(LOSS_NOTE)
    if len(verifiers) > 1:
        notes.append(
            f"The scores are of {len(verifiers)} verifiers ({', '.join(verifiers)}); judge all "
            "projects again with one of them."
        )
    return tuple(notes)
