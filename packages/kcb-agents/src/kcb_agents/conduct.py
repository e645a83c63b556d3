"""How a trial is conducted, whatever the kind of agent: from an open shell to a project.

The order is what makes it safe: the loop ends, then everything that it started is killed, then the
files are taken, and only what is a project is written down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from kcb_agents.bounds import Bounds, Meter
from kcb_agents.endpoint.clock import Clock
from kcb_agents.endpoint.conversation import Tool
from kcb_agents.endpoint.failure import ContextCut, EndpointError, OutOfTime
from kcb_agents.line import Line
from kcb_agents.preamble import PreambleStamp
from kcb_agents.project import write_project
from kcb_agents.record import StopReason
from kcb_agents.shell import OpenShell, Shell
from kcb_agents.tariff import UNKNOWN, Tariff
from kcb_agents.tokens import is_complete, total_usage
from kcb_agents.trial import Ended, Trial
from kcb_core.codec import canonical, parse
from kcb_core.roles import Generated, Generation
from kcb_core.submission import Submission
from kcb_runner.snapshot import Rejected

NOTHING = Submission(files=())

ENTRYPOINT = "main.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """Everything that a trial needs."""

    generation: Generation
    line: Line
    open_shell: OpenShell
    bounds: Bounds
    clock: Clock
    preamble: PreambleStamp
    play: Callable[[Trial], Ended]
    """Puts the task into the context and plays the turns."""
    tools: tuple[Tool, ...] = ()
    tariff: Tariff = UNKNOWN
    """What answers cost, and the most that they may cost together."""

    def conduct(self) -> Generated:
        """Play the trial, and write the project that comes of it.

        Raises:
            MachineError: the endpoint or this machine failed; nothing is said of the model.
        """
        with self.open_shell(self.generation.start) as shell:
            trial = self._trial(shell)
            ended = self._played(trial)
            submission = NOTHING
            if ended.stop_reason.finished:
                ended, submission = handed_over(
                    ended, shell.hand_over, entrypoint=entrypoint_of(self.generation)
                )
            confinement = shell.confinement
        write_project(submission, self.generation.project)
        return Generated(
            stop_reason=ended.stop_reason,
            files=len(submission.files),
            record=self._told(trial, ended, confinement),
        )

    def act(self) -> Generated:
        """Play the trial in a place that is the caller's: what is left there is what came of it.

        Raises:
            MachineError: the endpoint or this machine failed; nothing is said of the model.
        """
        with self.open_shell(None) as shell:
            trial = self._trial(shell)
            ended = self._played(trial)
            confinement = shell.confinement
        told = self._told(trial, ended, confinement)
        return Generated(stop_reason=ended.stop_reason, files=0, record=told)

    def _trial(self, shell: Shell) -> Trial:
        return Trial(
            connect=self.line.model,
            shell=shell,
            transcript=self.generation.transcript,
            meter=Meter(bounds=self.bounds, clock=self.clock, dollars_bound=self.tariff.dollars),
            tools=self.tools,
            tariff=self.tariff,
        )

    def _played(self, trial: Trial) -> Ended:
        try:
            return self.play(trial)
        except KeyboardInterrupt:
            return Ended(stop_reason=StopReason.CANCELLED)
        except EndpointError as error:
            if ended := _ended_by(error, trial):
                return ended
            raise

    def _told(self, trial: Trial, ended: Ended, confinement: dict[str, Any]) -> dict[str, Any]:
        usage = total_usage(trial.usages)
        lower = {} if is_complete(trial.usages) else {"usage_complete": False}
        told: dict[str, Any] = {
            **self.line.told(trial.latest),
            "notes": self.line.remarks(trial.latest),
            "preamble": self.preamble,
            "reason": ended.reason,
            "fault": ended.fault,
            "totals": trial.meter.totals | lower,
            "bounds": trial.meter.applied,
            "confinement": confinement,
            **({"usage": usage} if usage else {}),
            "run_record": msgspec.structs.replace(
                self.line.run_record(),
                preamble_sha256=self.preamble.sha256,
                usage=usage or msgspec.UNSET,
                cost=trial.meter.cost or msgspec.UNSET,
                tools=tuple(tool.name for tool in self.tools) or ("sh",),
                budget=self._budget(),
                memory_reset=True,
                workspace_reset=True,
                seen_tasks=(),
            ),
        }
        plain: dict[str, Any] = parse(canonical(told))
        return plain

    def _budget(self) -> str:
        b = self.bounds
        bound = self.tariff.dollars
        dollars = "" if bound is None else f", {bound:g} dollars"
        return f"{b.turns} turns, {b.seconds:g} s, {b.tokens} estimated tokens{dollars}"


def _ended_by(error: EndpointError, trial: Trial) -> Ended | None:
    """How a trial ends by a failure of its endpoint that has a word of its own."""
    if error.rate_limited:
        return Ended(stop_reason=StopReason.RATE_LIMITED, reason=error.reason)
    if isinstance(error, ContextCut):
        return Ended(stop_reason=StopReason.CONTEXT_CUT, reason=error.reason)
    if isinstance(error, OutOfTime) and trial.meter.left_s <= 0:
        return Ended(stop_reason=StopReason.TIME, reason=trial.meter.said(StopReason.TIME))
    return None


def entrypoint_of(generation: Generation) -> str:
    """The file that must be handed in; empty where work goes on from what is there."""
    return ENTRYPOINT if generation.start is None else ""


def handed_over(
    ended: Ended, take: Callable[[], Submission], *, entrypoint: str
) -> tuple[Ended, Submission]:
    """The files that were left, and how the trial ended when these are looked at.

    Args:
        ended: how it ended before.
        take: gives the files, or raises ``Rejected``.
        entrypoint: the file that must be there, if one must.
    """
    try:
        submission = take()
    except Rejected as rejected:
        return _without_project(ended, rejected.reason), NOTHING
    if entrypoint and not submission.has(entrypoint):
        return _without_project(ended, f"there is no {entrypoint}"), submission
    return ended, submission


def _without_project(ended: Ended, why: str) -> Ended:
    """A trial that left no project: a model that was done has not done what was asked."""
    if ended.stop_reason is StopReason.DONE:
        return replace(ended, stop_reason=StopReason.NO_PROJECT, reason=why)
    return replace(ended, reason=f"{ended.reason}; {why}" if ended.reason else why)
