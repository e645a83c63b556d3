"""Level 0: everything that can be found wrong with a battery while nobody acts.

Its declarations were held against each other when it was read. What is left is the fixture as it
lies there, and a tool that starts where an agent would start it.
"""

from __future__ import annotations

from collections.abc import Iterator

from kcb_core.errors import DataError
from kcb_core.trial import Bounds, CheckOutcome, CheckStatus, TrialReport, TrialStatus
from kcb_suites.drills.blocks import find_block
from kcb_suites.drills.check_engine import judge
from kcb_suites.drills.drill import Drill
from kcb_suites.drills.drill_checks import BlockCheck, FileCheck, Guard
from kcb_suites.drills.evidence import Evidence, look_at
from kcb_suites.drills.provisioning import Bench
from kcb_suites.drills.trial_reports import Sheet


def check_statically(bench: Bench, drill: Drill) -> TrialReport:
    """The report of level 0 on one drill.

    Raises:
        DataError: a check does not fit the fixture; drill and check are named.
        MachineError: this machine failed.
    """
    with bench.ground(drill) as ground:
        untouched = look_at(ground.folder, drill.paths)
    for fault in _misfits(drill, Evidence(steps=(), before=untouched, after=untouched)):
        raise DataError(f"{bench.battery.name}: drill {drill.drill!r}: {fault}")
    status = CheckStatus.INDETERMINATE if bench.fault else CheckStatus.PASSED
    outcomes = [
        CheckOutcome(
            check=check.check,
            channel=check.channel,
            status=status,
            reason=bench.fault or "is declared soundly; nothing was played",
        )
        for check in drill.checks
    ]
    came_to = TrialStatus.FAILED if bench.fault else TrialStatus.PASSED
    return Sheet(drill=drill, tool_version=bench.version, level=0).report(
        came_to, outcomes, Bounds()
    )


def _misfits(drill: Drill, idle: Evidence) -> Iterator[str]:
    """What in the checks does not fit a fixture that nobody has touched."""
    for check in drill.checks:
        if isinstance(check, FileCheck) and check.unchanged and idle.before[check.path] is None:
            yield f"check {check.check!r}: there is no {check.path} that could stay unchanged"
        if isinstance(check, BlockCheck) and not find_block(check, idle.before[check.path]):
            yield f"check {check.check!r}: there is no such block in {check.path}"
    for check, outcome in zip(drill.checks, judge(drill.checks, idle), strict=True):
        if isinstance(check, Guard) and outcome.status is not CheckStatus.FAILED:
            yield f"check {check.check!r}: it lets an agent pass that does nothing"
