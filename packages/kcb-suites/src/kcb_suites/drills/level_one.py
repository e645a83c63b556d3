"""Level 1: authored trajectories are played, to show that every check can pass and can fail.

The commands really run, in the sandbox of a live trial and on the same fixture; no model is asked.
A report of this level is about the logic of checks: that one *passed* means that it passed where it
had to and failed where it had to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import msgspec

from kcb_core.resources import usable_cpus
from kcb_core.trial import Bounds, CheckOutcome, CheckStatus, StepOutcome, TrialReport, TrialStatus
from kcb_runner.sandbox import CommandResult, NotStarted, Sandbox
from kcb_suites.drills.check_engine import judge
from kcb_suites.drills.drill import Drill
from kcb_suites.drills.drill_checks import AnyCheck
from kcb_suites.drills.evidence import Evidence, SeenStep, look_at
from kcb_suites.drills.played import Played
from kcb_suites.drills.provisioning import Bench
from kcb_suites.drills.trajectory import AuthoredStep, Trajectory
from kcb_suites.drills.trial_reports import Sheet

Outcomes = Mapping[str, CheckOutcome]
"""What each check came to on one trajectory."""


def replay_all(bench: Bench, drill: Drill) -> TrialReport:
    """The report of level 1 on one drill; each CPU plays a trajectory at a time.

    Raises:
        DeclarationError: the tool does not start.
        MachineError: this machine failed.
    """
    bench.require_tool()
    sheet = Sheet(drill=drill, tool_version=bench.version, level=1)
    with ThreadPoolExecutor(usable_cpus(), thread_name_prefix="kcb-drill") as threads:
        each_played = threads.map(partial(replay, bench, drill), drill.trajectories)
        played = dict(zip(drill.trajectories, each_played, strict=True))
    found = [
        (one, {outcome.check: outcome for outcome in judge(drill.checks, each.evidence)})
        for one, each in played.items()
    ]
    outcomes = [_shown(check, found) for check in drill.checks]
    passed = all(outcome.status is CheckStatus.PASSED for outcome in outcomes)
    good = next(each for one, each in played.items() if one.good)
    return sheet.report(
        TrialStatus.PASSED if passed else TrialStatus.FAILED,
        outcomes,
        Bounds(command_s=drill.bounds.command_s),
        steps=tuple(good.steps()),
    )


def replay(bench: Bench, drill: Drill, trajectory: Trajectory) -> Played:
    """Play one trajectory on a fresh fixture.

    Raises:
        MachineError: this machine failed.
    """
    with bench.ground(drill) as ground:
        before = look_at(ground.folder, drill.paths)
        with bench.sandbox(ground) as box:
            steps = [_play(box, step, drill.bounds.command_s) for step in trajectory.steps]
        after = look_at(ground.folder, drill.paths)
    return Played(
        commands=tuple(step.command for step in trajectory.steps),
        evidence=Evidence(steps=tuple(steps), before=before, after=after),
    )


def _play(box: Sandbox, step: AuthoredStep, command_s: float) -> SeenStep:
    """Execute a step, or take what it says came of it."""
    told = step.recorded
    if told is not msgspec.UNSET:
        completed = told.outcome is StepOutcome.COMPLETED
        status = 0 if told.exit_status is msgspec.UNSET else told.exit_status
        return SeenStep(
            outcome=told.outcome,
            exit_status=status if completed else None,
            stdout=told.stdout.encode(),
            stderr=told.stderr.encode(),
        )
    try:
        return seen_of(box.run(("/bin/sh", "-c", step.command), timeout_s=command_s))
    except NotStarted:
        return SeenStep(outcome=StepOutcome.NOT_SPAWNED)


def seen_of(result: CommandResult) -> SeenStep:
    """What a command left behind."""
    killed = result.timed_out or result.exceeded
    status = -(result.signal or 0) if result.status is None else result.status
    return SeenStep(
        outcome=StepOutcome.TERMINATED if killed else StepOutcome.COMPLETED,
        exit_status=None if killed else status,
        stdout=result.stdout,
        stderr=result.stderr,
    )


def _shown(check: AnyCheck, found: Sequence[tuple[Trajectory, Outcomes]]) -> CheckOutcome:
    """What the trajectories show of one check."""
    wrong = list(_surprises(check.check, found))
    blamed = next((one for one in wrong if one[1].status is CheckStatus.FAILED), None)
    if blamed is not None:
        where, outcome = blamed
        return msgspec.structs.replace(
            outcome, reason=f"it fails on trajectory {where.name!r}: {outcome.reason}"
        )
    if wrong:
        where, outcome = wrong[0]
        status = CheckStatus.INDETERMINATE
        said = f"on trajectory {where.name!r} it is {outcome.status}, as it must not be"
        reason = f"its logic is not shown: {said}: {outcome.reason}"
    else:
        failed = sum(check.check in one.fails for one, _ in found)
        status = CheckStatus.PASSED
        reason = f"it fails on {failed} of {len(found)} trajectories, and on those it must"
    return CheckOutcome(check=check.check, channel=check.channel, status=status, reason=reason)


def _surprises(
    name: str, found: Sequence[tuple[Trajectory, Outcomes]]
) -> Iterator[tuple[Trajectory, CheckOutcome]]:
    """The trajectories on which a check comes to something else than they say."""
    for trajectory, outcomes in found:
        wanted = CheckStatus.PASSED
        if name in trajectory.fails:
            wanted = CheckStatus.FAILED
        elif name in trajectory.open:
            wanted = CheckStatus.INDETERMINATE
        if outcomes[name].status is not wanted:
            yield trajectory, outcomes[name]
