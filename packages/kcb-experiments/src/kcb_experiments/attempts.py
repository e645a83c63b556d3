"""What the log's records come to: attempts, cell by cell.

A record counts only if its writer's term is the newest at its place in the log. A late one, of a
writer that another had taken over from, is kept as evidence: it is billed and never counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from kcb_core.errors import DataError
from kcb_experiments.amount import Amount
from kcb_experiments.records import (
    AttemptEnd,
    AttemptStart,
    Cause,
    Generated,
    Judged,
    Moved,
    Opened,
    Phase,
    Record,
    Request,
    Status,
)

_Key = tuple[int, str, int]


@dataclass(slots=True, kw_only=True)
class Attempt:
    """One try at a cell, as far as the log knows it."""

    start: AttemptStart
    late: bool = False
    """Whether it was started by a writer that another had taken over from."""
    generated: Generated | None = None
    """What its subject left to be judged."""
    end: AttemptEnd | None = None
    judged: Judged | None = None
    """The last time that its files were judged again."""
    late_end: AttemptEnd | None = None
    """What a late writer says of its end: evidence, and no more."""
    phase: Phase | None = None
    clock_s: float = 0.0
    """When it last gave a sign, on the monotonic clock of its term's machine."""
    unasked: bool = False
    """Whether it still waited for its slot when another writer took over, and so asked nothing."""
    requests: int = 0
    """Model requests that were admitted, those that the endpoint refused or never answered too."""
    unsettled: set[int] = field(default_factory=set)
    """Numbers of those whose usage never arrived."""

    @property
    def status(self) -> Status:
        """What became of it; one without an end was interrupted, unless it is still running."""
        if self.end is None:
            return Status.VOID
        if self.judged and isinstance(self.judged.status, Status):
            return self.judged.status
        return self.end.status

    @property
    def cause(self) -> Cause | None:
        """Why it is void, if it is."""
        if self.status is not Status.VOID:
            return None
        cause = self.end.cause if self.end else Cause.INTERRUPTED
        return cause if isinstance(cause, Cause) else None

    @property
    def score(self) -> float | None:
        """Its score, by the last who judged it."""
        if self.judged:
            return self.judged.score
        score = self.end.score if self.end else msgspec.UNSET
        return score if isinstance(score, float) else None

    @property
    def verifier(self) -> str:
        """Who gave the score."""
        if self.judged:
            return self.judged.verifier
        return self.end.verifier if self.end else ""

    @property
    def valid(self) -> bool:
        """Whether it may be selected: it says something of the subject, and has a score."""
        scored = self.status in (Status.COMPLETED, Status.SUBJECT_FAILED)
        return not self.late and scored and self.score is not None

    @property
    def unjudged(self) -> bool:
        """Whether all that it lacks is a verdict on what its subject left."""
        return not self.late and self.generated is not None and self.end is None

    @property
    def charged(self) -> Amount:
        """What the budget is charged: the reservation in full if no usage ever arrived."""
        end = self.end or self.late_end or self.generated
        if end is None and self.unasked:
            return Amount()
        spent = end.spent if end else msgspec.UNSET
        return spent if isinstance(spent, Amount) else self.start.reserved


class Attempts:
    """All attempts of an experiment, built record by record in the order of the log."""

    def __init__(self) -> None:
        self.runs: list[Opened] = []
        """Every term's first record."""
        self.late: list[Record] = []
        """Records of writers that another had taken over from."""
        self._by_key: dict[_Key, Attempt] = {}
        self._by_cell: dict[str, list[Attempt]] = {}

    @property
    def term(self) -> int:
        """The newest writer's fencing number; 0 if nobody ever wrote."""
        return self.runs[-1].term if self.runs else 0

    def of(self, cell: str) -> tuple[Attempt, ...]:
        """The attempts that count at one cell, the earliest first."""
        return tuple(self._by_cell.get(cell, ()))

    @property
    def cells(self) -> Iterable[str]:
        """Ids of the cells that have attempts which count."""
        return self._by_cell.keys()

    def __iter__(self) -> Iterator[Attempt]:
        """Every attempt, late ones too, in the order in which they started."""
        return iter(self._by_key.values())

    @property
    def charged(self) -> Amount:
        """What all attempts are charged together, late ones too."""
        return sum((attempt.charged for attempt in self), Amount())

    def add(self, record: Record) -> None:
        """Take in the next record.

        Raises:
            DataError: it contradicts the records before it.
        """
        if isinstance(record, Opened):
            self._open(record)
            return
        late = record.term < self.term
        if late:
            self.late.append(record)
        match record:
            case AttemptStart():
                self._start(record, late)
            case Judged():
                self._judge(record, late)
            case AttemptEnd():
                self._end(record, late)
            case Moved():
                attempt = self._known(record)
                attempt.phase, attempt.clock_s = record.phase, record.clock_s
            case Request():
                _count(self._known(record), record)
            case Generated():
                self._generate(record, late)

    def _open(self, record: Opened) -> None:
        if record.term <= self.term:
            raise DataError(f"term {record.term} begins after term {self.term}")
        for attempt in self:
            attempt.unasked = attempt.phase is Phase.WAITING
        self.runs.append(record)

    def _start(self, record: AttemptStart, late: bool) -> None:
        key = (record.term, record.cell, record.attempt)
        if key in self._by_key:
            raise DataError(f"attempt {record.attempt} of {record.cell} starts twice")
        attempt = Attempt(start=record, late=late, clock_s=record.clock_s)
        if not late:
            before = self._by_cell.setdefault(record.cell, [])
            if record.attempt != len(before) + 1:
                raise DataError(
                    f"attempt {record.attempt} of {record.cell} starts after attempt {len(before)}"
                )
            before.append(attempt)
        self._by_key[key] = attempt

    def _generate(self, record: Generated, late: bool) -> None:
        attempt = self._known(record)
        if attempt.generated or attempt.end or attempt.late_end:
            raise DataError(f"attempt {record.attempt} of {record.cell} is generated twice")
        attempt.phase, attempt.clock_s = Phase.JUDGING, record.clock_s
        if not late:  # whoever took over has begun anew
            attempt.generated = record

    def _end(self, record: AttemptEnd, late: bool) -> None:
        attempt = self._known(record, record.begun_in)
        if record.begun_in and attempt.generated is None:
            raise DataError(f"attempt {record.attempt} of {record.cell} was not generated")
        if (attempt.late_end if late else attempt.end) is not None:
            raise DataError(f"attempt {record.attempt} of {record.cell} ends twice")
        if late:
            attempt.late_end = record
        else:
            attempt.end = record

    def _judge(self, record: Judged, late: bool) -> None:
        if late:
            return
        attempts = self.of(record.cell)
        if not 1 <= record.attempt <= len(attempts) or not attempts[record.attempt - 1].end:
            raise DataError(f"attempt {record.attempt} of {record.cell} is judged before its end")
        attempt = attempts[record.attempt - 1]
        # What has no score may get one, but never in the place of an attempt that is selected.
        if attempt.valid or not any(other.valid for other in attempts):
            attempt.judged = record

    def _known(
        self, record: Moved | Request | Generated | AttemptEnd, begun_in: int = 0
    ) -> Attempt:
        term = begun_in or record.term
        attempt = self._by_key.get((term, record.cell, record.attempt))
        if attempt is None:
            raise DataError(
                f"attempt {record.attempt} of {record.cell} has no start in term {term}"
            )
        return attempt


def _count(attempt: Attempt, record: Request) -> None:
    attempt.clock_s = record.clock_s
    if isinstance(record.spent, Amount):
        if record.number not in attempt.unsettled:
            raise DataError(f"request {record.number} of {record.cell} is settled unmade")
        attempt.unsettled.remove(record.number)
        return
    if record.number != attempt.requests + 1:
        raise DataError(f"request {record.number} of {record.cell} does not follow the one before")
    attempt.requests = record.number
    attempt.unsettled.add(record.number)


def fold(records: Iterable[Record]) -> Attempts:
    """What these records come to, in their order.

    Raises:
        DataError: one contradicts those before it.
    """
    attempts = Attempts()
    for record in records:
        attempts.add(record)
    return attempts
