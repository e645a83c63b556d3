"""Counts trial reports by tool, drill and model; nothing in it knows any tool."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from msgspec import UNSET

from kcb_core.claims import GREEN, always_green, claims_of
from kcb_core.findings import (
    TRIAL_SUMMARY_FORMAT,
    TRIAL_SUMMARY_KIND,
    CheckTally,
    TrialGroup,
    TrialSummary,
)
from kcb_core.trial import Attribution, CheckStatus, TrialReport, TrialStatus, agent_codes

_Key = tuple[str, str, str, bool]


def aggregate_trials(reports: Sequence[TrialReport]) -> TrialSummary:
    """The counts of some trials, whatever their order."""
    groups: dict[_Key, list[TrialReport]] = defaultdict(list)
    for one in reports:
        groups[one.tool, one.drill, one.model, one.live].append(one)
    counted = tuple(_group(key, groups[key]) for key in sorted(groups))
    green = always_green(reports)
    return TrialSummary(
        kind=TRIAL_SUMMARY_KIND,
        format=TRIAL_SUMMARY_FORMAT,
        reports=len(reports),
        groups=counted,
        always_green=green,
        claims=claims_of(reports) + ((GREEN,) if green else ()),
    )


def _group(key: _Key, reports: Sequence[TrialReport]) -> TrialGroup:
    tool, drill, model, live = key
    statuses = Counter(one.status for one in reports)
    checks = [check for one in reports for check in one.checks]
    return TrialGroup(
        tool=tool,
        drill=drill,
        model=model,
        live=live,
        levels=tuple(sorted({one.level for one in reports if isinstance(one.level, int)})),
        trials=len(reports),
        statuses={status.value: statuses[status] for status in TrialStatus},
        checks=_tallies(reports),
        tool_faults=sum(check.fault is Attribution.TOOL for check in checks),
        agent_faults=_counted(code for one in reports for _, code in agent_codes(one)),
        bounds_reached=_counted(
            one.bound_reached for one in reports if one.bound_reached is not UNSET
        ),
        instead_of=_counted(one.instead_of for one in reports if one.instead_of),
        claims=claims_of(reports),
    )


def _tallies(reports: Iterable[TrialReport]) -> tuple[CheckTally, ...]:
    counts: dict[str, Counter[CheckStatus]] = defaultdict(Counter)
    for one in reports:
        for check in one.checks:
            counts[check.check][check.status] += 1
    return tuple(
        CheckTally(
            check=name,
            passed=counts[name][CheckStatus.PASSED],
            failed=counts[name][CheckStatus.FAILED],
            indeterminate=counts[name][CheckStatus.INDETERMINATE],
        )
        for name in sorted(counts)
    )


def _counted(words: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(map(str, words)).items()))
