"""Scores: what scorers are given, what they give back, and the document that holds it.

The values alone; who counts lives elsewhere. A number that is not defined is left out, with the
reason beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from msgspec import field

from kcb_core.provenance import Revision
from kcb_core.report import DatasetStamp, Document, Outcome, Void
from kcb_core.run_record import Usage

SCORE_KIND = "score"
SCORE_FORMAT = 1


class Sample(Document, frozen=True, kw_only=True, gc=False):
    """What one report comes to: one project of one subject for one task.

    Evidence stays in the report file.
    """

    task_id: str
    tier: str
    family: str
    category: str = ""
    subject: str = ""
    """Who wrote the project; empty if the report does not say."""
    repetition: int = 0
    """Which of several projects of one subject for this task."""
    outcome: Outcome
    failure: str = ""
    """Kind of the failure; given exactly if the outcome is ``failed``."""
    void: Void | None = None
    """Given exactly if the outcome is ``void``."""
    passed: int = 0
    """Right responses; never part of a score."""
    total: int = 0
    """Expected responses."""
    tags: tuple[str, ...] = ()
    """Tags of the task's scenarios, sorted; none if nothing was started."""
    unclean: tuple[str, ...] = ()
    """Those tags that a scenario has which did not pass: it failed or was not reached."""
    first_failing: tuple[str, ...] = ()
    """Tags of the first scenario that did not pass."""
    wall_s: float = 0.0
    """Wall time of the evaluation in seconds."""
    generation_s: float | None = None
    """Wall time of the generation in seconds, where the run record says it."""
    usage: Usage | None = None
    """Tokens of the generation, where the run record says them."""
    dollars: float | None = None
    """US dollars of the generation, where the run record says them."""
    dollars_at_least: bool = False
    """Whether a part of the generation has no known price, so that it cost at least so much."""
    hand_corrected: bool = False
    """Whether the project was changed by hand, or after its test failures were seen."""

    @property
    def resolved(self) -> bool:
        """Whether it counts as resolved: a project that was corrected by hand never does."""
        return self.outcome is Outcome.RESOLVED and not self.hand_corrected


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """The projects of one subject in one tier, or in all of them, that a scorer looks at."""

    tier: str = ""
    """Name of the tier; empty for all tiers together."""
    total: int
    """Tasks by which the subject is measured, those without a project among them."""
    repetition: int | None = 0
    """The repetition that these are the projects of; nothing for all of a subject together."""
    repetitions: int = 1
    """How many repetitions the subject has, be it in another tier."""
    tasks: tuple[str, ...] | None = None
    """Ids of these tasks, where a dataset or a selection tells them."""
    samples: Sequence[Sample]
    """What came of its projects, no two of the same task and repetition.

    There may be a quarter of a million, each made when it is looked at: go through them, and count.
    """
    excluded: frozenset[str] = frozenset()
    """Ids of tasks that count as not resolved, whatever their reports say."""


class Interval(Document, frozen=True, kw_only=True, omit_defaults=False):
    """Where a number may lie, had other tasks of the same kind been drawn."""

    low: float
    high: float
    level: float = 0.95
    """Share of such intervals that hold the true number."""
    method: str = "wilson"
    """How it was computed: ``docs/explanation/scoring.md`` has each."""


class Measure(Document, frozen=True, kw_only=True):
    """One number, or the two bounds between which void tasks leave it, or why there is none."""

    value: float | None = None
    """The number; left out if it is not one number."""
    at_least: float | None = None
    """What it is if every void task fails; given exactly together with ``at_most``."""
    at_most: float | None = None
    """What it is if every void task resolves."""
    unit: str = ""
    """What it is counted in; a ``share`` lies between 0 and 1 and is shown in per cent."""
    reason: str = ""
    """Why there is no number, or not one number."""
    interval: Interval | None = None
    """Where the number may lie; around both bounds where there are two."""
    note: str = ""
    """What a reader must know beside the number, or why there is no interval."""

    def __post_init__(self) -> None:
        bounds = (self.at_least, self.at_most)
        if (self.at_least is None) != (self.at_most is None):
            raise ValueError("at_least and at_most go together")
        if self.value is not None and self.at_least is not None:
            raise ValueError("a number has a value or bounds, not both")
        if self.value is None and not self.reason:
            raise ValueError("a number that is left out needs a reason")
        if any(number is not None and not isfinite(number) for number in (self.value, *bounds)):
            raise ValueError("a number must be finite; leave it out and give a reason")
        if self.at_least is not None and self.at_most is not None and self.at_least > self.at_most:
            raise ValueError("at_least must not be greater than at_most")


class TopicProfile(Document, frozen=True, kw_only=True):
    """How often a topic of the tests was handled without a fault."""

    topic: str
    judged: int
    """Judged tasks that have a scenario of this topic."""
    clean: int
    """Those of them of which every scenario of this topic passed."""
    first_failing: int
    """Failed tasks whose first scenario that did not pass is mainly about this topic."""


class Diagnosis(Document, frozen=True, kw_only=True):
    """What helps to find faults and never adds to a score."""

    assertions_passed: int
    """Right responses in the reports at hand, void ones left out."""
    assertions: int
    """Expected responses in these reports."""
    failures: dict[str, int] = field(default_factory=dict)
    """Number of failed tasks by the kind of their failure."""
    topics: tuple[TopicProfile, ...] = ()
    """The topics that the judged tasks have."""
    near_misses: tuple[str, ...] = ()
    """Ids of failed tasks with at least 95 % right responses."""


class VoidTask(Document, frozen=True, kw_only=True):
    """A task of which nothing is known, and why."""

    task_id: str
    cause: str
    """``machine`` or ``unknown``."""
    reason: str


class Tally(Document, frozen=True, kw_only=True):
    """How the tasks of one tier, or of all tiers, came out; each counts in exactly one way."""

    tier: str = ""
    """Name of the tier; left out for all tiers together."""
    total: int
    """The denominator: resolved, failed, corrected, void, missing and excluded together."""
    submitted: int
    """Tasks with a report, whatever it says."""
    resolved: int
    failed: int
    corrected: int = 0
    """Tasks whose project was changed by hand; each counts as not resolved."""
    void: int
    """Tasks of which nothing is known, though a project was submitted."""
    missing: int
    """Tasks without a report; each counts as not resolved."""
    excluded: int
    """Tasks that the caller excluded; each counts as not resolved."""
    incomplete: bool
    """Whether any task is void, missing or excluded."""
    measures: dict[str, Measure] = field(default_factory=dict)
    """What the scorers gave, by name."""
    diagnosis: Diagnosis
    missing_tasks: tuple[str, ...] = ()
    """Ids of the missing tasks of a tier, where the dataset's tasks are known."""
    void_tasks: tuple[VoidTask, ...] = ()
    """The void tasks of a tier."""
    corrected_tasks: tuple[str, ...] = ()
    """Ids of the tasks of a tier whose project was changed by hand."""

    def __post_init__(self) -> None:
        ends = (self.resolved, self.failed, self.corrected)
        parts = (*ends, self.void, self.missing, self.excluded)
        if min(parts) < 0 or sum(parts) != self.total:
            raise ValueError("each task must count in exactly one way")


class RepetitionScore(Document, frozen=True, kw_only=True):
    """One project per task: what one repetition of one subject came to."""

    repetition: int
    tiers: tuple[Tally, ...]
    """Each tier apart, the lowest first."""
    overall: Tally
    """All tiers together."""


class TaskAttempts(Document, frozen=True, kw_only=True):
    """What the projects of one subject for one task came to."""

    task_id: str
    n: int
    """Projects that were judged; a void one says nothing and is none of them."""
    resolved: int
    """Those of them that resolved and count."""
    void: int = 0
    """Void reports, by which n is smaller than it might be."""


class RepeatedScore(Document, frozen=True, kw_only=True):
    """What all repetitions of one subject say together, of one tier or of all tiers."""

    tier: str = ""
    """Name of the tier; left out for all tiers together."""
    total: int
    """The denominator."""
    measures: dict[str, Measure] = field(default_factory=dict)
    """What the scorers gave, by name."""
    tasks: tuple[TaskAttempts, ...] = ()
    """The tasks of a tier that have a report."""


class SubjectScore(Document, frozen=True, kw_only=True):
    """What one subject came to, each repetition apart: they are never merged into the best."""

    subject: str
    """Who wrote the projects; empty if the reports do not say."""
    reports: int
    """Reports of all its repetitions: its samples."""
    tasks: int
    """Tasks that they are of, each counted once."""
    repetitions: tuple[RepetitionScore, ...]
    together: tuple[RepeatedScore, ...] = ()
    """Each tier over all repetitions, and all tiers last; none if nobody asked for pass@k and
    there is one repetition."""


class Exclusion(Document, frozen=True, kw_only=True):
    """A task that stays in the denominator and counts as not resolved, and why."""

    task_id: str
    reason: str


class SupersededVoid(Document, frozen=True, kw_only=True):
    """Void reports that another report of the same project stands for."""

    task_id: str
    subject: str = ""
    repetition: int
    voids: int
    """How many void reports were not counted."""
    outcome: str
    """Outcome of the report that was."""


class SelectionStamp(Document, frozen=True, kw_only=True):
    """The frozen selection that the denominators come from."""

    sha256: str
    tasks: int


class Score(Document, frozen=True, kw_only=True):
    """What a set of reports came to, and by what it was measured."""

    kind: str
    """Always ``score``."""
    format: int
    reports: int
    """Reports that were counted."""
    reason: str = ""
    """Why nothing was scored, if nothing was."""
    incomplete: bool
    """Whether any task of any subject is void, missing or excluded."""

    dataset: DatasetStamp | None = None
    installed_manifest_sha256: str = ""
    """Digest of the manifest of the installed dataset of that name, where it is another one; left
    out where they agree or none is installed."""
    protocol_version: str = ""
    evaluator: Revision | None = None
    """What judged all the reports; its digest and commit are left out where they differ."""
    python: str = ""
    """Implementation and minor version of the Python that ran the candidates."""
    conditions: dict[str, dict[str, int]] = field(default_factory=dict)
    """Number of reports by value, for each condition that may differ within a set."""
    mixed: tuple[str, ...] = ()
    """The conditions that do differ, so that the set is not of one kind."""

    selection: SelectionStamp | None = None
    """Left out if the whole dataset counts."""
    outside: tuple[str, ...] = ()
    """Ids of reported tasks that are not selected and so not counted."""
    excluded: tuple[Exclusion, ...] = ()
    superseded: tuple[SupersededVoid, ...] = ()
    subjects: tuple[SubjectScore, ...]
    """By name."""
    notes: tuple[str, ...] = ()
    """What the numbers do not say."""
