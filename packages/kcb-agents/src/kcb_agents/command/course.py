"""How one run of an external program goes, and why it ended."""

from __future__ import annotations

from dataclasses import dataclass

from kcb_agents.bounds import TrialBounds
from kcb_agents.command.budget import Budget
from kcb_agents.command.frame import Frame
from kcb_agents.endpoint.failure import EndpointError
from kcb_agents.record import StopReason
from kcb_agents.trial import Ended
from kcb_runner.sandbox import CommandResult, Program

MOST_OUTPUT_BYTES = 64 << 20
"""What a program may write to its standard streams; no working one comes near to it."""

_LOOK_S = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A program that has ended, with all that it had started."""

    result: CommandResult
    flooded: bool = False
    """Whether it was ended for all that it wrote."""


def watched(program: Program, budget: Budget) -> Course:
    """Wait for a program, and end it when it asks or writes more than it may.

    Its time is the sandbox's business. Errors as in :meth:`Program.wait`.
    """
    while (result := program.wait(_LOOK_S)) is None:
        flooded = program.written > MOST_OUTPUT_BYTES
        if flooded or budget.reached:
            return Course(result=program.stop(), flooded=flooded)
    return Course(result=result)


def judged(course: Course, budget: Budget, frame: Frame | None, bounds: TrialBounds) -> Ended:
    """Why a program ended; what it left is not looked at here.

    Args:
        course: how it went.
        budget: what it asked for.
        frame: what the wrapper said, if there was one that said anything.
        bounds: the bound on its time.

    Raises:
        EndpointError: the endpoint failed, and the program gave up: nothing is said of either.
    """
    result = course.result
    if budget.reached:
        return Ended(stop_reason=budget.reached, reason=budget.said(budget.reached))
    if course.flooded:
        reason = f"the program wrote more than {MOST_OUTPUT_BYTES >> 20} MiB of output"
        return Ended(stop_reason=StopReason.OUTPUT_LIMIT, reason=reason)
    if result.timed_out:
        reason = f"the bound of {bounds.seconds:g} s was reached"
        return Ended(stop_reason=StopReason.TIME, reason=reason)
    if result.exceeded:
        reason = f"the program had too much of this machine: {result.exceeded}"
        return Ended(stop_reason=StopReason.PROGRAM_FAILED, reason=reason)
    if (status := budget.outage()) is not None:
        return _put_off(status)
    if _completed(result, frame):
        return Ended(stop_reason=StopReason.DONE)
    return Ended(stop_reason=StopReason.PROGRAM_FAILED, reason=_failure(result, frame))


def _completed(result: CommandResult, frame: Frame | None) -> bool:
    code = -1 if result.status is None else result.status
    return code == 0 if frame is None else frame.completed(code)


def _put_off(status: int) -> Ended:
    """How a trial ends in which the endpoint gave no answer to the last request."""
    said = f"HTTP {status}" if status else "no answer"
    error = EndpointError(f"the endpoint failed: {said} to the last request", status=status)
    if error.rate_limited:
        return Ended(stop_reason=StopReason.RATE_LIMITED, reason=error.reason)
    raise error


def _failure(result: CommandResult, frame: Frame | None) -> str:
    code, signal = result.status, result.signal
    if frame is not None:
        code, signal = frame.exit, frame.signal
    if signal:
        return f"the program was ended by signal {signal}"
    return f"the program ended with exit code {code}"
