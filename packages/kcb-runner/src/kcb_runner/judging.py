"""Judges one project by one task: every scenario, and what to make of all of them together.

A failure that hangs on time is confirmed alone before it counts. A fault of this machine is void,
unless the project itself is shown to cause it. Neither the load of the machine nor the number of
tasks that run at once has a say in the verdict.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypeAlias

import msgspec

from kcb_core.errors import MachineError
from kcb_core.limits import LIMITS, Limits
from kcb_core.report import (
    Failure,
    FailureKind,
    Outcome,
    Play,
    ScenarioOutcome,
    ScenarioReport,
    SourceStamp,
    Void,
    VoidCause,
)
from kcb_core.roles import Launcher
from kcb_core.submission import Submission
from kcb_core.task import Scenario, Task
from kcb_runner import probe
from kcb_runner.bytecode import compile_in, worth_it
from kcb_runner.cancel import Cancel, Cancelled
from kcb_runner.gate import QuietGate
from kcb_runner.machine import interpreter
from kcb_runner.scenario import Playing, Setting, may_be_quick, play_scenario
from kcb_runner.scratch import Scratch

CONFIRMED_TIMEOUTS = 2
"""After so many confirmed timeouts the rest of a task is unreached."""

SLOW_PROBE_SHARE = 0.5
"""Share of a session's limit above which the probe project shows that the machine is too slow."""

CHECKED_PASSES = 20
"""One in so many scenarios that pass in the quick way is played with new interpreters as well."""

Confirm: TypeAlias = Callable[[Play], bool]
"""Whether a playing whose failure hangs on time is played once more, alone."""


def _always() -> Confirm:
    return lambda play: True


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Where tasks are played: what all evaluations of one run share."""

    launcher: Launcher
    cancel: Cancel
    gate: QuietGate = field(default_factory=QuietGate)
    limits: Limits = LIMITS
    keep_answers: bool = True
    until_failure: bool = False
    """Whether the first failed scenario of a task ends it, and no pass is played twice."""
    confirmation: Callable[[], Confirm] = _always
    """Asked before each playing; only an evaluation for training leaves anything unconfirmed."""
    python: str = field(default_factory=interpreter)


@dataclass(slots=True, kw_only=True)
class Judgement:
    """What is known of one project and one task."""

    outcome: Outcome
    failure: Failure | None = None
    void: Void | None = None
    voids: tuple[Void, ...] = ()
    scenarios: tuple[ScenarioReport, ...] = ()
    total: int = 0
    notes: tuple[str, ...] = ()
    wall_s: float = 0.0
    cpu_s: float = 0.0

    @property
    def passed(self) -> int:
        """Right responses of all scenarios."""
        return sum(scenario.passed for scenario in self.scenarios)


def judge(
    task: Task,
    submission: Submission,
    bench: Bench,
    *,
    public_only: bool = False,
    until_failure: bool = False,
) -> Judgement:
    """Judge a project by a task.

    Args:
        task: whose scenarios are played.
        submission: the project.
        bench: where they are played.
        public_only: whether only the prompt's examples are played.
        until_failure: whether the first failed scenario ends the task; the rest is unreached. The
            outcome is the same, and what passed is then no diagnosis.

    Raises:
        Cancelled: the run was stopped.
    """
    started = time.monotonic()
    scenarios = task.public_tests if public_only else task.acceptance_tests
    total = sum(scenario.assertions for scenario in scenarios)
    if not submission.has(task.entrypoint):
        reason = f"there is no file {task.entrypoint}"
        failure = Failure(kind=FailureKind.MISSING_ENTRYPOINT, reason=reason)
        return Judgement(outcome=Outcome.FAILED, failure=failure, total=total)
    bench = replace(bench, until_failure=until_failure)
    judgement = _try(task, submission, scenarios, bench)
    if judgement.void:
        judgement = _examine_void(task, submission, scenarios, bench, judgement)
    judgement.total = total
    judgement.wall_s = round(time.monotonic() - started, 4)
    plays = [play for scenario in judgement.scenarios for play in scenario.plays]
    judgement.cpu_s = round(sum(play.cpu_s for play in plays), 4)
    judgement.notes += _survivor_notes(plays)
    return judgement


def source_stamp(submission: Submission) -> SourceStamp:
    """Which files were judged."""
    return SourceStamp(sha256=submission.sha256, files=len(submission.files), size=submission.size)


def now_label() -> str:
    """This moment as ISO 8601 in UTC, to label a report; no duration is taken from it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _examine_void(
    task: Task,
    submission: Submission,
    scenarios: Collection[Scenario],
    bench: Bench,
    first: Judgement,
) -> Judgement:
    """Whether a void was there without the project: the probe decides, then a second try."""
    found = examine_machine(bench)
    if found.fault:
        first.notes += (f"the probe project fails here too: {found.fault}",)
        return first
    again = _try(task, submission, scenarios, bench)
    again.voids = first.voids + again.voids
    if again.void:
        reason = "this machine failed twice with this project and works without it"
        again.failure = Failure(
            kind=FailureKind.RESOURCE_LIMIT, reason=f"{reason}: {again.void.reason}"
        )
        again.outcome = Outcome.FAILED
        again.void = None
    return again


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What the built-in probe projects say of this machine."""

    fault: str
    """Why the working one fails or the broken one passes; empty if both are judged rightly."""
    session_s: float
    """Mean wall time of a session of the working one, its copy included."""


def examine_machine(bench: Bench) -> Examination:
    """Play both probe projects while nothing else is played.

    Raises:
        Cancelled: the run was stopped.
    """
    task = probe.task()
    with bench.gate.alone():
        found = play_probe(bench)
        breaks = _try(task, probe.broken(), task.acceptance_tests, bench, alone=True)
    if not found.fault and breaks.outcome is not Outcome.FAILED:
        return replace(found, fault="the broken probe project is not seen to be broken")
    return found


def play_probe(bench: Bench) -> Examination:
    """Play the probe project that works, beside whatever else is played.

    Raises:
        Cancelled: the run was stopped.
    """
    task = probe.task()
    works = _try(task, probe.working(), task.acceptance_tests, bench, alone=True)
    sessions = sum(len(scenario.sessions) for scenario in task.acceptance_tests)
    wall_s = sum(play.wall_s for scenario in works.scenarios for play in scenario.plays)
    fault = ""
    if works.outcome is not Outcome.RESOLVED:
        problem = works.failure or works.void
        fault = problem.reason if problem else "the probe project does not resolve its task"
    return Examination(fault=fault, session_s=wall_s / sessions)


def _try(
    task: Task,
    submission: Submission,
    scenarios: Collection[Scenario],
    bench: Bench,
    *,
    alone: bool = False,
) -> Judgement:
    """One try at a task: all its scenarios in a scratch folder of its own."""
    effort = _Effort(bench, alone, submission.sha256)
    try:
        with bench.launcher.slot() as slot:
            effort.setting = Setting(
                start=task.start,
                durable=task.durable,
                python=slot.python or bench.python,
                slot=slot,
                limits=msgspec.structs.replace(bench.limits, session_s=task.timeout_seconds),
                scratch=Scratch(submission, slot),
                cancel=bench.cancel,
                keep_answers=bench.keep_answers,
            )
            sessions = sum(len(scenario.sessions) for scenario in scenarios)
            if slot.quick is not None and worth_it(submission, sessions):
                effort.compile_once()
            for scenario in scenarios:
                effort.play(scenario)
    except MachineError as error:
        effort.void = Void(cause=VoidCause.MACHINE, reason=str(error))
    except Cancelled:
        raise
    except Exception as error:  # noqa: BLE001 - a fault of ours says nothing of the project
        reason = f"unexpected {type(error).__name__}: {error}"
        effort.void = Void(cause=VoidCause.UNKNOWN, reason=reason)
    return effort.judgement(scenarios)


class _Effort:
    """One try at a task while it goes on."""

    def __init__(self, bench: Bench, alone: bool, source: str) -> None:
        self._bench = bench
        self._alone = alone
        self._source = source
        self._timeouts = 0
        self._reports: list[ScenarioReport] = []
        self.setting: Setting
        self.void: Void | None = None
        self.notes: list[str] = []

    def compile_once(self) -> None:
        """Compile the project for all of its quick sessions."""
        setting = self.setting
        with setting.scratch.place():
            made = compile_in(setting.slot, setting.python, setting.limits)
        setting.scratch.add_bytecode(made)

    def play(self, scenario: Scenario) -> None:
        """Play a scenario, and again whatever failed in a way that does not count yet."""
        if self.void or self._timeouts >= CONFIRMED_TIMEOUTS or self._enough():
            self._reports.append(_unreached(scenario))
            return
        playings, confirmed = self._playings(scenario)
        self._reports.append(_report(scenario, playings))
        if playings[-1].failure and not playings[0].failure:
            self.notes.append(
                f"scenario {scenario.name} passed in forked sessions and fails in new "
                "interpreters, which counts"
            )
        failure = playings[-1].failure
        if failure and failure.kind is FailureKind.TIMEOUT and confirmed:
            self._timeouts += 1
            self._blame_slow_machine()

    def _playings(self, scenario: Scenario) -> tuple[list[Playing], bool]:
        """All playings of a scenario, the last of which counts, and whether that one was alone.

        What fails in the quick way is played again with new interpreters, as is a sample of what
        passes so; and a failure that hangs on time once more while nothing else is played, unless
        the bench takes it as it is.
        """
        if self._alone:
            return [play_scenario(scenario, self.setting, fresh=True)], False
        with self._bench.gate.shared():
            confirm = self._bench.confirmation()
            first = play_scenario(scenario, self.setting)
            playings = [first]
            taken = first.confirm and not confirm(first.play)
            if not taken and self._needs_new(scenario, first):
                playings.append(play_scenario(scenario, self.setting, fresh=True))
        last = playings[-1]
        if not last.confirm or not confirm(last.play):
            return playings, False
        with self._bench.gate.alone():
            playings.append(play_scenario(scenario, self.setting, fresh=True))
        return playings, True

    def _needs_new(self, scenario: Scenario, first: Playing) -> bool:
        """Whether new interpreters have to show what comes of a scenario that is played quickly."""
        if self.setting.slot.quick is None:
            return False
        if first.failure:
            return True
        if self._bench.until_failure or not may_be_quick(0, self.setting):
            return False
        name = f"{self._source} {scenario.name}".encode()
        return int.from_bytes(hashlib.sha256(name).digest()[:8]) % CHECKED_PASSES == 0

    def _enough(self) -> bool:
        return self._bench.until_failure and any(report.failure for report in self._reports)

    def judgement(self, scenarios: Collection[Scenario]) -> Judgement:
        """What this try says: a failure that is established is never turned into void."""
        played = {report.name for report in self._reports}
        rest = [_unreached(scenario) for scenario in scenarios if scenario.name not in played]
        reports = tuple(self._reports + rest)
        failed = [
            Failure(kind=found.kind, reason=f"scenario {report.name}, {found.reason}")
            for report in reports
            if (found := report.failure)
        ]
        notes = tuple(self.notes)
        if failed:
            voids = (self.void,) if self.void else ()
            return Judgement(
                outcome=Outcome.FAILED,
                failure=failed[0],
                voids=voids,
                scenarios=reports,
                notes=notes,
            )
        if self.void:
            return Judgement(
                outcome=Outcome.VOID, void=self.void, voids=(self.void,), scenarios=reports,
                notes=notes,
            )  # fmt: skip
        return Judgement(outcome=Outcome.RESOLVED, scenarios=reports, notes=notes)

    def _blame_slow_machine(self) -> None:
        """After a confirmed timeout: void it if a project known to work is slow here too."""
        limit = self.setting.limits.session_s
        found = examine_machine(self._bench)
        if not found.fault and found.session_s <= limit * SLOW_PROBE_SHARE:
            return
        reason = found.fault or (
            f"the probe project takes {found.session_s:.1f} s for a session, "
            f"and {limit:g} s is the limit"
        )
        self._reports.pop()
        self.void = Void(cause=VoidCause.MACHINE, reason=f"this machine is too slow: {reason}")


def _report(scenario: Scenario, playings: list[Playing]) -> ScenarioReport:
    last = playings[-1]
    return ScenarioReport(
        name=scenario.name,
        tags=scenario.tags,
        outcome=ScenarioOutcome.FAILED if last.failure else ScenarioOutcome.PASSED,
        passed=last.play.passed,
        total=scenario.assertions,
        failure=last.failure,
        evidence=last.evidence,
        plays=tuple(playing.play for playing in playings),
    )


def _unreached(scenario: Scenario) -> ScenarioReport:
    return ScenarioReport(
        name=scenario.name,
        tags=scenario.tags,
        outcome=ScenarioOutcome.UNREACHED,
        passed=0,
        total=scenario.assertions,
    )


def _survivor_notes(plays: list[Play]) -> tuple[str, ...]:
    killed = sum(play.survivors_killed for play in plays)
    if not killed:
        return ()
    return (f"{killed} surviving {'child' if killed == 1 else 'children'} killed",)
