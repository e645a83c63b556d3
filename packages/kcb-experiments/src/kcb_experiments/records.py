"""What the attempt log holds, one record a line.

The values alone. Every record has the term of its writer, and its number within that term: order is
theirs, and clocks are labels.
"""

from __future__ import annotations

from enum import StrEnum
from math import isfinite

import msgspec

from kcb_core.run_record import StatedUsage
from kcb_experiments.amount import Amount

LOG_FORMAT = 1


class Status(StrEnum):
    """What became of an attempt."""

    COMPLETED = "completed"
    """The subject ended by itself and says that it is done."""
    SUBJECT_FAILED = "subject_failed"
    """The subject is at fault: it gave up, died, or was cut off."""
    VOID = "void"
    """Nothing is known of the subject; never a zero."""
    BUDGET_EXHAUSTED = "budget_exhausted"
    """It was not begun, since the budget had no room for it."""


class Cause(StrEnum):
    """Why an attempt is void."""

    INFRASTRUCTURE = "infrastructure"
    UNKNOWN = "unknown"
    RATE_LIMITED = "rate_limited"
    NEVER_STARTED = "never_started"
    INTERRUPTED = "interrupted"
    """The harness died; no record says so, since nobody was left to write it."""
    CANCELLED = "cancelled"


class Phase(StrEnum):
    """Where an attempt that runs is."""

    WAITING = "waiting"
    """For an endpoint's slot; it counts against no bound."""
    GENERATING = "generating"
    JUDGING = "judging"


class _Record(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="record", gc=False
):
    """A record; the log gives it its term and number.

    None refers to another, so the collector of cycles need not look at tens of thousands of them.
    """

    term: int = 0
    """Fencing number of the writer: each has a greater one than all before it."""
    seq: int = 0
    """Number of the record in its term, from 0."""


class Load(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How much was run at once: a condition of every time that was measured."""

    arms: int
    groups: int
    """Most groups at once."""

    @property
    def cells(self) -> int:
        """Most cells at once."""
        return self.arms * self.groups


class Holder(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A process that writes, or wrote, to an experiment's folder."""

    host: str
    boot_id: str = ""
    """Tells one start of the machine from another; empty where the system has none."""
    pid: int
    started: str = ""
    """When the process started, in whatever unit the system counts; two of one pid differ."""
    since: str = ""
    """When it took the folder, as a label only: ISO 8601 in UTC."""

    def __str__(self) -> str:
        since = f" since {self.since}" if self.since else ""
        return f"process {self.pid} on {self.host}{since}"


class Opened(_Record, frozen=True, kw_only=True, tag="opened"):
    """A writer began a term: the first record of each."""

    format: int = LOG_FORMAT
    experiment_sha256: str
    """Digest of the experiment that it runs."""
    holder: Holder
    load: Load


class AttemptStart(_Record, frozen=True, kw_only=True, tag="start"):
    """An attempt begins; on disk before anything is asked or paid."""

    cell: str
    attempt: int
    """1 for the cell's first."""
    reserved: Amount = Amount()
    """The most that it may cost."""
    why: str = ""
    """Why a cell is tried again, such as ``interrupted`` or ``--retry void``."""
    clock_s: float = 0.0
    """Seconds on the monotonic clock of the machine on which the term runs."""
    at: str = ""
    """Wall time, as a label only: ISO 8601 in UTC."""


class Moved(_Record, frozen=True, kw_only=True, tag="phase"):
    """An attempt enters a phase."""

    cell: str
    attempt: int
    phase: Phase
    clock_s: float = 0.0


class Request(_Record, frozen=True, kw_only=True, tag="request"):
    """A model request of an attempt: one record when it is admitted, one when it is settled."""

    cell: str
    attempt: int
    number: int
    """1 for the attempt's first."""
    spent: Amount | msgspec.UnsetType = msgspec.UNSET
    """What the provider counted; left out when it is admitted."""
    clock_s: float = 0.0


class Artifact(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A file that an attempt left."""

    path: str
    """From the folder of the experiment."""
    size: int
    sha256: str


class Generated(_Record, frozen=True, kw_only=True, tag="generated"):
    """The subject has had its turn, and what it left is to be judged.

    Where the attempt gets no end, since its writer died, the next writer judges it: nobody is asked
    and paid a second time.
    """

    cell: str
    attempt: int
    timed_out: bool = False
    """Whether the subject was cut off."""
    killed: bool = False
    """Whether it died in the middle."""
    returned: bool = False
    """Whether it came back."""
    stop_reason: str = ""
    reason: str = ""
    duration_s: float = 0.0
    waited_s: float = 0.0
    usage: StatedUsage | msgspec.UnsetType = msgspec.UNSET
    spent: Amount = Amount()
    cost_at_least: bool = False
    project: str = ""
    """Its folder, from the folder of the experiment; empty if there is none."""
    kept: Artifact | msgspec.UnsetType = msgspec.UNSET
    """The project under its source hash; left out if its files break a rule."""
    making: str = ""
    """A file that says how the project was made, from the same folder; empty if there is none."""
    deployment: dict[str, str] = {}
    suspended: bool = False
    clock_s: float = 0.0


class AttemptEnd(_Record, frozen=True, kw_only=True, tag="end"):
    """An attempt is over; from then on it is never run again by itself.

    What is not said here is as in :class:`Generated`.
    """

    cell: str
    attempt: int
    begun_in: int = 0
    """Term of the writer that began it and died; left out if that is this one."""
    status: Status
    cause: Cause | msgspec.UnsetType = msgspec.UNSET
    """Given exactly if the status is ``void``."""
    score: float | msgspec.UnsetType = msgspec.UNSET
    """Between 0 and 1; only ``completed`` and ``subject_failed`` have one."""
    reason: str = ""
    """One line for people: what went wrong."""
    stop_reason: str = ""
    """What the subject says of why it stopped; it explains and decides nothing."""
    duration_s: float = 0.0
    """Working time, on the monotonic clock."""
    waited_s: float = 0.0
    """Time for which it waited for an endpoint, and which counts against no bound."""
    usage: StatedUsage | msgspec.UnsetType = msgspec.UNSET
    """Tokens by class, as far as the provider stated them."""
    spent: Amount | msgspec.UnsetType = msgspec.UNSET
    """What it cost. Left out if that is not known: the reservation is then charged in full."""
    cost_at_least: bool = False
    """Whether a part of it has no known price, so that it cost at least so many dollars."""
    artifacts: tuple[Artifact, ...] = ()
    verifier: str = ""
    """What judged it, with its version."""
    deployment: dict[str, str] = {}
    """What it ran in, such as the name of an image: labels of a machine, and no digests."""
    suspended: bool = False
    """Whether the machine slept meanwhile, so that its times mean little."""
    clock_s: float = 0.0
    at: str = ""

    def __post_init__(self) -> None:
        check_conclusion(self.status, self.cause, self.score)


class Judged(_Record, frozen=True, kw_only=True, tag="judged"):
    """The files of an attempt that is over were judged again, without the subject."""

    cell: str
    attempt: int
    score: float
    status: Status | msgspec.UnsetType = msgspec.UNSET
    """What the subject had done, where the attempt's end could not say it for want of a score."""
    verifier: str = ""
    artifacts: tuple[Artifact, ...] = ()

    def __post_init__(self) -> None:
        status = Status.COMPLETED if isinstance(self.status, msgspec.UnsetType) else self.status
        check_conclusion(status, msgspec.UNSET, self.score)


Record = Opened | AttemptStart | Moved | Request | Generated | AttemptEnd | Judged
"""Any record of the log."""


def check_conclusion(
    status: Status, cause: Cause | msgspec.UnsetType, score: float | msgspec.UnsetType
) -> None:
    """Make sure that a status, its cause and a score go together.

    Raises:
        ValueError: they do not.
    """
    if (status is Status.VOID) != isinstance(cause, Cause):
        raise ValueError("field 'cause' goes with the status 'void' and no other")
    if isinstance(score, msgspec.UnsetType):
        return
    if status not in (Status.COMPLETED, Status.SUBJECT_FAILED):
        raise ValueError(f"field 'score' does not go with the status '{status}'")
    check_score(score)


def check_score(score: float) -> None:
    """Make sure that a score is one.

    Raises:
        ValueError: it is not between 0 and 1.
    """
    if not (isfinite(score) and 0 <= score <= 1):
        raise ValueError("field 'score' must be between 0 and 1")
