"""Reports: what came of one task, one JSON file each.

The values alone; who judges lives elsewhere. Within a ``report_version`` only optional fields are
added; a field without a value is left out and never null.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from kcb_core.codec import decode_kind, encode
from kcb_core.dataset import MANIFEST_NAME, Dataset
from kcb_core.limits import Limits
from kcb_core.provenance import Revision, commit_of
from kcb_core.storage import read_bounded, write_whole

REPORT_KIND = "task-report"
REPORT_VERSION = 1


class Outcome(StrEnum):
    """What a task report says of a submission."""

    RESOLVED = "resolved"
    """Every response was right."""
    FAILED = "failed"
    """The submission is at fault, in the way that the failure's kind names."""
    VOID = "void"
    """Nothing is known of the submission: it can be evaluated again."""


class FailureKind(StrEnum):
    """The ways in which a submission fails; the first that applies, in this order."""

    REJECTED = "rejected"
    """Its files break a limit or hold a link or special file; nothing was started."""
    MISSING_ENTRYPOINT = "missing_entrypoint"
    """The file that the start command runs is not there; nothing was started."""
    OUTPUT_LIMIT = "output_limit"
    """It wrote more to standard output than a session may."""
    PROTOCOL_VIOLATION = "protocol_violation"
    """It wrote a line that is no JSON object, an extra line, or ended its output early."""
    WRONG_RESPONSE = "wrong_response"
    """A response differs from the expected one; of a suite's task, its grader found it wrong."""
    CRASH = "crash"
    """It ended with a status other than 0, or by a signal."""
    TIMEOUT = "timeout"
    """It did not finish a session within the limit."""
    RESOURCE_LIMIT = "resource_limit"
    """It used more memory, processes or disk than a session may."""


class VoidCause(StrEnum):
    """Why nothing is known of a submission."""

    MACHINE = "machine"
    """This machine failed."""
    UNKNOWN = "unknown"
    """Something failed that this program did not foresee."""


class ScenarioOutcome(StrEnum):
    """What came of one scenario."""

    PASSED = "passed"
    """Every response was right."""
    FAILED = "failed"
    """A response was wrong, or the candidate misbehaved."""
    UNREACHED = "unreached"
    """It was not played, since the task had already failed in a way that ends it."""


class Document(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a report; optional fields at their default are left out of the file."""


class Failure(Document, frozen=True, kw_only=True):
    """How a submission failed."""

    kind: FailureKind
    """The first kind that applies."""
    reason: str
    """One line that tells the cases of one kind apart."""


class Void(Document, frozen=True, kw_only=True):
    """That, and why, one try at a task said nothing of the submission."""

    cause: VoidCause
    """Whether the machine is known to be at fault."""
    reason: str
    """One line that says what went wrong."""


class Exchange(Document, frozen=True, kw_only=True):
    """One request and its response, as text: bytes that are no UTF-8 are escaped."""

    request: str
    """The line that was sent."""
    response: str = ""
    """The line that came back."""


class Evidence(Document, frozen=True, kw_only=True):
    """The first wrong response of a scenario and what led to it."""

    session: int
    """Index of the session, from 0."""
    request_index: int
    """Index of the request in its session, from 0."""
    request: str
    expected: str
    received: str = ""
    difference: str = ""
    """The first place at which the two differ."""
    before: tuple[Exchange, ...] = ()
    """Up to ten exchanges of the session before it, the oldest first."""


WALL_TIMER = "wall"
"""Name of the timer of a session."""


class Play(Document, frozen=True, kw_only=True):
    """One playing of a scenario; there are several where the first had to be confirmed."""

    failure: Failure | None = None
    """What ended it, or nothing if it passed."""
    wall_s: float = 0.0
    """Wall time in seconds."""
    cpu_s: float = 0.0
    """CPU time of the candidate's processes in seconds."""
    timer: str = ""
    """Which timer fired, if one did: always ``wall``, the only one by which a session is ended."""
    passed: int = 0
    """Right responses."""
    stderr_tail: str = ""
    """The last bytes of the failing session's standard error."""
    stderr_bytes: int = 0
    """All bytes that the failing session wrote to standard error."""
    stdout_bytes: int = 0
    """All bytes that the failing session wrote to standard output."""
    survivors_killed: int = 0
    """Processes of the sessions' groups that were still alive when a session was over."""


class ScenarioReport(Document, frozen=True, kw_only=True):
    """What came of one scenario."""

    name: str
    tags: tuple[str, ...] = ()
    outcome: ScenarioOutcome
    passed: int
    """Right responses; one wrong response ends a scenario, and the rest is unreached."""
    total: int
    """Expected responses."""
    failure: Failure | None = None
    evidence: Evidence | None = None
    problems: tuple[str, ...] = ()
    """What a grader named, one line a problem; given for tasks of suites only."""
    plays: tuple[Play, ...] = ()
    """The playing that counts is the last."""


class DatasetStamp(Document, frozen=True, kw_only=True):
    """Which dataset a task came from, with the denominators of its score."""

    name: str
    version: str
    manifest_sha256: str
    totals: dict[str, int]
    """Number of tasks by tier; a suite has the one tier ``suite``."""
    commit: str = ""
    """Commit of the clone that the data lies in, if it lies in one."""
    kind: str = ""
    """Kind of its manifest where it is a suite: ``suite``, ``live`` or ``deterministic``."""

    @property
    def identity(self) -> tuple[object, ...]:
        """What makes it this dataset, wherever its files lie."""
        return (self.name, self.version, self.manifest_sha256, sorted(self.totals.items()))


def dataset_stamp(dataset: Dataset) -> DatasetStamp:
    """Which dataset, with the denominators of its score."""
    manifest = dataset.manifest
    return DatasetStamp(
        name=manifest.dataset,
        version=manifest.version,
        manifest_sha256=manifest.sha256,
        totals=manifest.totals,
        commit=commit_of(dataset.folder / MANIFEST_NAME),
    )


class SourceStamp(Document, frozen=True, kw_only=True):
    """Which files were judged."""

    sha256: str
    files: int
    size: int
    """Bytes of all files."""


class Host(Document, frozen=True, kw_only=True):
    """The machine, since timing depends on it."""

    system: str
    machine: str
    cpus: int
    memory_bytes: int
    python: str
    """Version of the Python that ran the candidate."""
    python_implementation: str
    cpu_model: str = ""


class Calibration(Document, frozen=True, kw_only=True):
    """What the built-in probe project cost on this machine before the run."""

    asked_jobs: int
    """Tasks at once that were asked for."""
    jobs: int
    """Tasks at once that were allowed: fewer if start-up alone took too much of a session."""
    alone_s: float
    """Mean wall time of a session in seconds while nothing else was played."""
    crowded_s: float
    """The same while :attr:`jobs` were played at once."""
    factor: float
    """The second over the first."""


class Confinement(Document, frozen=True, kw_only=True):
    """What kept the candidate from the rest of the machine."""

    level: str
    """``none``, ``basic`` or ``full``."""
    mechanisms: tuple[str, ...] = ()
    reason: str = ""
    """Why it is not more."""
    image: str = ""
    """Id of the container image that the candidate ran in, where it ran in one."""
    python: str = ""
    """Version of the Python in that image."""


class TaskReport(Document, frozen=True, kw_only=True):
    """What came of one task."""

    kind: str
    """Always ``task-report``."""
    report_version: int
    task_id: str
    subset: str
    family: str
    category: str = ""
    dataset: DatasetStamp
    protocol_version: str
    evaluator: Revision
    plugins: dict[str, str] = {}
    """Distributions of the plug-ins in force, and their versions."""

    outcome: Outcome
    failure: Failure | None = None
    """Given exactly if the outcome is ``failed``."""
    void: Void | None = None
    """Given exactly if the outcome is ``void``."""
    voids: tuple[Void, ...] = ()
    """Every void try that led to this outcome."""
    passed: int
    """Right responses of all scenarios; never part of a score."""
    total: int
    """Expected responses of all scenarios."""
    scenarios: tuple[ScenarioReport, ...] = ()
    """Every scenario of the task in dataset order; none if nothing was started."""

    source: SourceStamp | None = None
    """Left out if the project was rejected before it could be read."""
    subject: str = ""
    """Who wrote the project, as the caller says."""
    repetition: int
    """Which of several projects of one subject for this task."""
    public_only: bool = False
    """Whether only the prompt's two examples were played: such a report is not scored."""
    training: bool = False
    """Whether it was judged for a training loop, which stops at the first failure and leaves
    timeouts unconfirmed: such a report is not scored."""

    launcher: str
    confinement: Confinement
    limits: Limits
    host: Host
    jobs: int
    """Tasks that ran at the same time."""
    calibration: Calibration | None = None
    """How fast this machine was before the run; left out where nobody measured it."""
    wall_s: float = 0.0
    """Wall time of the evaluation in seconds."""
    cpu_s: float = 0.0
    """CPU time of the candidate's processes in seconds."""
    finished: str = ""
    """When it was finished, as a label only: ISO 8601 in UTC."""
    notes: tuple[str, ...] = ()
    """What else a reader should know, one line each."""
    run_record: dict[str, Any] = {}
    """How the project was made, as the caller says."""
    missing_fields: tuple[str, ...] = ()
    """Fields of the run record that are not known."""
    validation_receipt: str = ""
    """Digest of the validation summary that the caller names for this host."""
    canary: str = ""
    """Marks it as test data, since its evidence holds expected responses."""

    def __post_init__(self) -> None:
        if (self.outcome is Outcome.FAILED) != (self.failure is not None):
            raise ValueError("field 'failure' goes with the outcome 'failed' and no other")
        if (self.outcome is Outcome.VOID) != (self.void is not None):
            raise ValueError("field 'void' goes with the outcome 'void' and no other")
        if not 0 <= self.passed <= self.total:
            raise ValueError("field 'passed' must be between 0 and 'total'")
        if self.outcome is Outcome.RESOLVED and self.passed != self.total:
            raise ValueError("a resolved task has passed every assertion")


def write_report(report: TaskReport, path: Path) -> None:
    """Store a report, whole or not at all; errors as in ``write_whole``."""
    write_whole(path, encode(report))


def read_report(path: Path) -> TaskReport:
    """The report in a file.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it holds no report, or one of a newer version; the field is named.
    """
    return decode_kind(
        read_bounded(path),
        TaskReport,
        kind=REPORT_KIND,
        newest=REPORT_VERSION,
        source=str(path),
        version="report_version",
    )
