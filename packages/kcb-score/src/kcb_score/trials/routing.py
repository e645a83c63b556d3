"""Decides where faults go: a tool's to its tracker, an agent's to the channel that it misses.

Pure: drafts are written elsewhere. A tool fault is never work on a channel, and the stop of a trial
at a bound is nobody's fault. Source: the evals guidelines, *fault routing*.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from kcb_core.trial import Attribution, CheckOutcome, Code, TrialReport
from kcb_score.trials.rows import Row

THRESHOLD = 3
"""Distinct models that make a fault of agents work on a channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFault:
    """One check of one drill that fails by the tool's fault, in every row that shows it."""

    tool: str
    drill: str
    check: str
    seen: tuple[tuple[Row, CheckOutcome], ...]
    trials: int
    """All trials of the drill that are at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFault:
    """One code in one channel, in every row that shows it."""

    code: Code
    channel: str
    """Empty for faults that are of no channel."""
    seen: tuple[tuple[Row, str], ...]
    """Each row that shows it, with the reason, once for each fault."""
    routed: bool
    rule: str

    @property
    def models(self) -> tuple[str, ...]:
        """Distinct models of level 2 that show it."""
        return live_models(row.report for row, _ in self.seen)


def live_models(reports: Iterable[TrialReport]) -> tuple[str, ...]:
    """The distinct models of rows of level 2, by name; an authored trajectory has none."""
    return tuple(sorted({one.model for one in reports if one.live}))


def tool_faults(rows: Sequence[Row]) -> tuple[ToolFault, ...]:
    """Every fault of a tool, by tool, drill and check."""
    seen: dict[tuple[str, str, str], list[tuple[Row, CheckOutcome]]] = defaultdict(list)
    trials: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        trials[row.report.tool, row.report.drill] += 1
        for check in row.report.checks:
            if check.fault is Attribution.TOOL:
                seen[row.report.tool, row.report.drill, check.check].append((row, check))
    return tuple(
        ToolFault(
            tool=tool,
            drill=drill,
            check=check,
            seen=tuple(seen[tool, drill, check]),
            trials=trials[tool, drill],
        )
        for tool, drill, check in sorted(seen)
    )


def agent_faults(rows: Sequence[Row], configured: AbstractSet[str]) -> tuple[AgentFault, ...]:
    """Every fault of agents by code and channel, and whether it is work on that channel.

    Args:
        rows: the trial reports.
        configured: ids of the models that are configured.
    """
    groups: dict[tuple[Code, str], list[tuple[Row, str]]] = defaultdict(list)
    for row in rows:
        for code, channel, reason in _agent_faults(row.report):
            groups[code, channel].append((row, reason))
    found = []
    for code, channel in sorted(groups):
        seen = tuple(groups[code, channel])
        models = set(live_models(row.report for row, _ in seen))
        routed, rule = decide(channel, models, configured)
        found.append(AgentFault(code=code, channel=channel, seen=seen, routed=routed, rule=rule))
    return tuple(found)


def decide(
    channel: str, models: AbstractSet[str], configured: AbstractSet[str]
) -> tuple[bool, str]:
    """Whether a fault of agents is work on its channel, and by which rule.

    Three distinct models are enough. Where fewer than three are configured, all of them must show
    it, and there must be more than one: a single model may just be weak.
    """
    count = f"{len(models)} {'model' if len(models) == 1 else 'models'}"
    if not channel:
        return False, "it is of no output channel"
    if len(models) >= THRESHOLD:
        return True, f"{count} show it, {THRESHOLD} are enough"
    if 2 <= len(configured) < THRESHOLD and configured <= models:
        return True, f"all {len(configured)} configured models show it"
    return False, f"{count} of {len(configured)} configured, below the threshold"


def _agent_faults(report: TrialReport) -> Iterator[tuple[Code, str, str]]:
    """Code, channel and reason of every agent's fault in a report."""
    if report.fault:
        yield report.fault.code, "", report.fault.reason
    for check in report.checks:
        if check.code:
            yield check.code, str(check.channel or ""), check.reason
