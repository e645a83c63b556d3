"""The document that ``compare --json`` prints: what two or more subjects' results say.

The values alone. A number that is not defined is left out, with the reason beside it.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import field

from kcb_core.provenance import Revision
from kcb_core.report import DatasetStamp, Document
from kcb_core.score import Interval, SelectionStamp

COMPARISON_KIND = "comparison"
COMPARISON_FORMAT = 1


class Mark(StrEnum):
    """What makes a comparison one of unequal things; it needs leave and stands on every table."""

    PARTIAL = "partial"
    """A subject has no project for some tasks, which count as not resolved."""
    BUDGET = "budget"
    """The projects were made with differing budgets."""


class Answer(StrEnum):
    """What a gate says of the second subject."""

    NOT_WORSE = "not worse"
    """A loss of the margin or more is ruled out."""
    WORSE = "worse"
    """A loss is shown, and one of the margin or more is not ruled out."""
    CANNOT_TELL = "cannot tell"
    """Neither is shown."""


class ArmSummary(Document, frozen=True, kw_only=True):
    """One subject in a comparison, and what was lost of it.

    Counts are of projects, in all repetitions together.
    """

    name: str
    """What it is called here: the subject's name, and its folder where two have one name."""
    subject: str = ""
    """Who wrote the projects; left out if the reports do not say."""
    repetitions: int
    expected: int
    """Projects by which it is measured: resolved, failed, missing and void together."""
    resolved: int
    failed: int
    """Those that were judged and do not count as resolved."""
    missing: int
    """Tasks without a report; each counts as not resolved."""
    void: int
    """Reports that say nothing; a task of which nothing is known is not paired."""
    hand_corrected: int = 0
    """Resolved projects that were corrected by hand and so count as failed."""
    budgets: tuple[str, ...] = ()
    """Budgets that its run records name; an empty text where one names none."""


class Contrast(Document, frozen=True, kw_only=True):
    """Two subjects on the tasks of one tier, or of all tiers, that both finished.

    With several repetitions, a task's result is its share of resolved ones.
    """

    tier: str = ""
    """Name of the tier; left out for all tiers together."""
    tasks: int
    """Tasks by which both are measured."""
    pairs: int
    """Tasks that both finished."""
    unpaired: int
    """Tasks of which one or both results are void."""
    families: int
    """Families that the pairs are of."""
    first: float | None = None
    """Rate of the first subject over the pairs, as a share."""
    second: float | None = None
    difference: float | None = None
    """Second less first."""
    interval: Interval | None = None
    """Of the difference, with families as clusters."""
    first_better: int
    """Discordant pairs in which the first did better."""
    second_better: int
    alike: int
    mcnemar: float | None = None
    """Exact two-sided p-value that takes tasks as independent; only of one repetition each."""
    p_value: float | None = None
    """Exact two-sided p-value by swapping whole families; within one tier McNemar's."""
    p_adjusted: float | None = None
    """The same after Holm, over all pairs of subjects; only if there are more than two."""
    smallest_difference: float | None = None
    """The smallest difference that this design finds in four of five studies."""
    reasons: dict[str, str] = field(default_factory=dict)
    """Why a number is left out, by its name."""


class Discordant(Document, frozen=True, kw_only=True):
    """A task on which two subjects differ."""

    task_id: str
    first: float
    """Share of the first subject's repetitions that resolved it: 0 or 1 if there is one."""
    second: float
    first_failure: str = ""
    """Kind of its first failure, ``missing`` without a report; left out if nothing failed."""
    second_failure: str = ""


class Pair(Document, frozen=True, kw_only=True):
    """Two subjects on the same tasks."""

    first: str
    """Name of the arm that the other is compared with."""
    second: str
    tiers: tuple[Contrast, ...]
    overall: Contrast
    discordant: tuple[Discordant, ...] = ()
    """By tier and task; those on which the second lost before those on which it won."""


class Gate(Document, frozen=True, kw_only=True):
    """The answer of ``compare --gate`` for the first pair."""

    answer: Answer
    margin: float
    """The loss that is not acceptable any more, as a share."""
    reason: str
    """One line that says where the interval lies."""


class Comparison(Document, frozen=True, kw_only=True):
    """What two or more subjects' results on the same tasks say of them."""

    kind: str
    """Always ``comparison``."""
    format: int
    dataset: DatasetStamp
    protocol_version: str
    evaluator: Revision
    """What judged all; its digest and commit are left out where they differ."""
    python: str
    selection: SelectionStamp | None = None
    """Left out if the whole dataset counts."""
    outside: int = 0
    """Reports of tasks that are not selected, which are not counted."""
    level: float = 0.95
    """Level of the intervals."""
    mixed: tuple[str, ...] = ()
    """Conditions in which the reports differ, such as the launcher or the evaluator's revision."""
    marks: tuple[Mark, ...] = ()
    arms: tuple[ArmSummary, ...]
    """In the order in which they were named."""
    pairs: tuple[Pair, ...]
    """Each arm with each later one, the first with the second first."""
    gate: Gate | None = None
