"""What many trial reports come to: counts, routed faults, and checks that have never failed.

The values alone; who counts and routes lives elsewhere.
"""

from __future__ import annotations

from datetime import date

from msgspec import field

from kcb_core.decision import Decision
from kcb_core.report import Document

TRIAL_SUMMARY_KIND = "trial-summary"
TRIAL_SUMMARY_FORMAT = 1
ROUTING_KIND = "routing"
ROUTING_FORMAT = 1
STALENESS_KIND = "stale-checks"
STALENESS_FORMAT = 1


class CheckTally(Document, frozen=True, kw_only=True):
    """How often one check came out in which way."""

    check: str
    passed: int
    failed: int
    indeterminate: int


class TrialGroup(Document, frozen=True, kw_only=True):
    """The trials of one drill of one tool by one model, or by none."""

    tool: str
    drill: str
    model: str = ""
    """Id of the model, verbatim; left out for rows without one."""
    live: bool
    """Whether these are trials of level 2. Rows without a model never are."""
    levels: tuple[int, ...] = ()
    """The levels that the reports name."""
    trials: int
    statuses: dict[str, int]
    """Number of trials by status, of every status."""
    checks: tuple[CheckTally, ...]
    """By name."""
    tool_faults: int
    """Failed checks that are the tool's fault."""
    agent_faults: dict[str, int]
    """Faults of the agent by code, those of whole trials among them."""
    bounds_reached: dict[str, int]
    """Trials that a bound ended, by bound; nobody's fault."""
    instead_of: dict[str, int] = field(default_factory=dict)
    """Trials in which this model stood in for another, by the model that was configured."""
    claims: tuple[str, ...]
    """What these numbers show and what they do not, one sentence each."""


class TrialSummary(Document, frozen=True, kw_only=True):
    """Trial reports of any tools, counted."""

    kind: str
    """Always ``trial-summary``."""
    format: int
    reports: int
    groups: tuple[TrialGroup, ...]
    """By tool, drill and model."""
    always_green: tuple[str, ...] = ()
    """Tools of which no check has ever failed in these reports: no evidence of their quality."""
    claims: tuple[str, ...]
    """The claims of all groups, each once."""


class Ticket(Document, frozen=True, kw_only=True):
    """One fault of a tool, and where its ticket draft went."""

    tool: str
    drill: str
    check: str
    name: str
    """Name of the draft: the same for the same fault."""
    reports: tuple[str, ...]
    """Files in which it stands."""
    place: str
    """Where the draft is now, as its sink says."""


class AgentFaults(Document, frozen=True, kw_only=True):
    """One code of agents' faults in one channel, and whether it is work on that channel."""

    code: str
    channel: str = ""
    """Left out for faults that are of no channel."""
    models: tuple[str, ...]
    """Distinct models of level 2 that show it: what the threshold counts."""
    faults: int
    """How often it stands in all reports."""
    tools: tuple[str, ...]
    drills: tuple[str, ...]
    """Drills in which it stands; they tell where and decide nothing."""
    reports: tuple[str, ...]
    """Files in which it stands."""
    routed: bool
    """Whether it is work on the channel; else it is recorded and nothing is done."""
    rule: str
    """The rule that decided."""
    place: str = ""
    """Where the draft of the work is, if it is routed."""


class Routing(Document, frozen=True, kw_only=True):
    """Where every fault in some trial reports goes."""

    kind: str
    """Always ``routing``."""
    format: int
    reports: int
    configured: tuple[str, ...]
    """The models that are configured."""
    tickets: tuple[Ticket, ...]
    """By tool, drill and check."""
    agent_faults: tuple[AgentFaults, ...]
    """By code and channel."""


class StaleCheck(Document, frozen=True, kw_only=True):
    """A check that has never failed."""

    tool: str
    drill: str
    check: str
    passed: int
    """How often it passed in the recorded runs of its drill."""
    indeterminate: int
    """How often it said nothing."""
    decision: Decision | None = None
    """The newest decision on it; left out if there is none."""


class StaleDecision(Document, frozen=True, kw_only=True):
    """A decision on a check that no recorded run of its drill has."""

    tool: str
    drill: str
    check: str


class Staleness(Document, frozen=True, kw_only=True):
    """The checks that have never failed, and whether somebody has looked at them."""

    kind: str
    """Always ``stale-checks``."""
    format: int
    reports: int
    cycle: date
    """The day on which the next cycle of live trials begins."""
    begun: bool
    """Whether that day has come: from then on an undecided check is overdue."""
    checks: tuple[StaleCheck, ...]
    """By tool, drill and name."""
    undecided: int
    """How many of them nobody has decided about."""
    unmatched: tuple[StaleDecision, ...] = ()
    always_green: tuple[str, ...] = ()
    """Tools of which no check has ever failed: no evidence of their quality."""
