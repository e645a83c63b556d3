"""What numbers from trials show and what they do not: sentences that go wherever the numbers go.

Source: the evals guidelines, *tier claims are bounded*, *contrived failures bound prevalence
claims* and *battery maintenance*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kcb_core.trial import CheckStatus, TrialReport

STATIC = "Level 0 is static checks: no evidence of what any agent does."
REPLAY = (
    "Level 1 validates the logic of checks over authored trajectories: no evidence of how a live "
    "agent behaves."
)
LIVE = "Level 2 shows what these models did in these drills under these bounds, and nothing more."
UNKNOWN = (
    "Rows without level and model are not of level 2: no evidence of how a live agent behaves."
)
CONTRIVED = (
    "Contrived failures show whether the tool's error channels detect them: no estimate of how "
    "often they happen."
)
STRESS = "A channel stress test is no evidence about failures that it does not probe."
GREEN = "A battery in which no check has ever failed is no evidence of the quality of its tool."

_BY_LEVEL = (STATIC, REPLAY, LIVE)


def claims_of(reports: Iterable[TrialReport]) -> tuple[str, ...]:
    """What may be said of some trials, each sentence once, the levels' own first."""
    given = list(reports)
    said = [level for one in given for level in _of_level(one)]
    ordered = [claim for claim in (*_BY_LEVEL, UNKNOWN) if claim in said]
    if any(one.contrived for one in given):
        ordered.append(CONTRIVED)
    if any(one.stress_test for one in given):
        ordered.append(STRESS)
    return tuple(ordered)


def always_green(reports: Iterable[TrialReport]) -> tuple[str, ...]:
    """Tools of which no check has failed in any of these reports, by name."""
    failing: dict[str, bool] = {}
    for one in reports:
        failed = any(check.status is CheckStatus.FAILED for check in one.checks)
        failing[one.tool] = failing.get(one.tool, False) or failed
    return tuple(sorted(tool for tool, failed in failing.items() if not failed))


def _of_level(report: TrialReport) -> Iterator[str]:
    if isinstance(report.level, int):
        yield _BY_LEVEL[report.level]
    else:
        yield LIVE if report.live else UNKNOWN
