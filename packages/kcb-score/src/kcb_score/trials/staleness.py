"""Finds checks that have never failed, and whether somebody has decided about them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path

from kcb_core.claims import always_green
from kcb_core.decision import DrillDecisions, read_decisions
from kcb_core.errors import DeclarationError
from kcb_core.findings import (
    STALENESS_FORMAT,
    STALENESS_KIND,
    StaleCheck,
    StaleDecision,
    Staleness,
)
from kcb_core.trial import CheckStatus, TrialReport

Drill = tuple[str, str]
"""Tool and drill."""


def find_declarations(paths: Iterable[Path]) -> dict[Drill, DrillDecisions]:
    """The declarations in some files, and in every ``*.toml`` in and below some folders.

    Raises:
        DeclarationError: a file cannot be read, or two declare the same drill.
        DataError: a file is no declaration of a drill.
    """
    found: dict[Drill, DrillDecisions] = {}
    places: dict[Drill, Path] = {}
    for path in (file for given in paths for file in _files(given)):
        declared = read_decisions(path)
        drill = declared.tool, declared.drill
        if drill in found:
            raise DeclarationError(
                f"{places[drill]} and {path} both declare drill {drill[1]!r} of {drill[0]}"
            )
        found[drill], places[drill] = declared, path
    return found


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.toml")) if path.is_dir() else [path]


def find_stale(
    reports: Sequence[TrialReport],
    declared: Mapping[Drill, DrillDecisions],
    *,
    cycle: date,
    today: date,
) -> Staleness:
    """The checks that have never failed over the recorded runs of their drills.

    Args:
        reports: every recorded run.
        declared: what the drills' declarations say.
        cycle: the day on which the next cycle of live trials begins.
        today: the day on which this is asked.
    """
    counts: dict[tuple[str, str, str], Counter[CheckStatus]] = defaultdict(Counter)
    for one in reports:
        for check in one.checks:
            counts[one.tool, one.drill, check.check][check.status] += 1
    checks = tuple(
        StaleCheck(
            tool=tool,
            drill=drill,
            check=name,
            passed=counts[tool, drill, name][CheckStatus.PASSED],
            indeterminate=counts[tool, drill, name][CheckStatus.INDETERMINATE],
            decision=declared[tool, drill].latest(name, cycle)
            if (tool, drill) in declared
            else None,
        )
        for tool, drill, name in sorted(counts)
        if not counts[tool, drill, name][CheckStatus.FAILED]
    )
    return Staleness(
        kind=STALENESS_KIND,
        format=STALENESS_FORMAT,
        reports=len(reports),
        cycle=cycle,
        begun=cycle <= today,
        checks=checks,
        undecided=sum(check.decision is None for check in checks),
        unmatched=_unmatched(declared, counts),
        always_green=always_green(reports),
    )


def _unmatched(
    declared: Mapping[Drill, DrillDecisions], recorded: Mapping[tuple[str, str, str], object]
) -> tuple[StaleDecision, ...]:
    """Decisions on checks that no run has: a name that was mistyped, or a check that has gone."""
    names = {
        (tool, drill, decision.check)
        for (tool, drill), one in declared.items()
        for decision in one.decisions
    }
    return tuple(
        StaleDecision(tool=tool, drill=drill, check=check)
        for tool, drill, check in sorted(names - recorded.keys())
    )
