"""The turns of the action loop: ask, read the action, run it once, show what came of it."""

from __future__ import annotations

from kcb_agents.action_loop.action import NoAction, read_action
from kcb_agents.endpoint.conversation import Message
from kcb_agents.record import StopReason
from kcb_agents.shell import Ending, NotRun, Ran, sh
from kcb_agents.trial import Ended, Trial, broken_off, shorten
from kcb_core import transcript as kept

FORMAT_VIOLATION = "ERR_ACTION_FORMAT_VIOLATION"
"""The agent's fault where two replies in a row are no action."""


def play(trial: Trial, *, shown: int) -> Ended:
    """Turns until the model is done or a bound is reached.

    Args:
        trial: with a context that holds the task.
        shown: most characters of each stream that the model is shown.

    Raises:
        MachineError: the endpoint or this machine failed.
    """
    asked_again = False
    while True:
        if ended := trial.bound_reached():
            return ended
        answer = trial.ask()
        if ended := broken_off(answer):
            return ended
        try:
            action = read_action(answer.content)
        except NoAction as error:
            trial.transcript.record(kept.FormatError(turn=trial.turn, error=str(error)))
            if asked_again:
                return _violation(str(error))
            asked_again = True
            trial.add(Message(role="user", text=format_error(str(error))))
            continue
        asked_again = False
        observation = "No command was given, and nothing was run."
        if action.command is not None:
            if trial.meter.left_s <= 0:
                return _out_of_time(trial, action.command)
            observation = _carry_out(trial, action.command, shown)
        if action.done:
            return Ended(stop_reason=StopReason.DONE)
        trial.add(Message(role="user", text=observation))


def format_error(error: str) -> str:
    """What a model is told whose reply was no action."""
    return (
        f"Your reply was no action: {error}. Reply with one JSON object and nothing else, "
        'such as {"command": "ls", "done": false}.'
    )


def observe(ran: Ran, shown: int) -> str:
    """What a model is shown of a command that ended.

    Args:
        ran: the command.
        shown: most characters of each stream.
    """
    parts = [_how(ran)]
    for name, data, lost in (
        ("stdout", ran.stdout, ran.stdout_lost),
        ("stderr", ran.stderr, ran.stderr_lost),
    ):
        if data or lost:
            text = shorten(data.decode("utf-8", "backslashreplace"), shown)
            more = f"\n[{lost} more bytes were not kept]" if lost else ""
            parts.append(f"{name}:\n{text}{more}")
    return "\n".join(parts)


def _how(ran: Ran) -> str:
    if ran.ending is Ending.TIMED_OUT:
        return "The command was killed: it took too long."
    if ran.ending is Ending.EXCEEDED:
        return f"The command was killed: it had too much of {ran.exceeded}."
    if ran.ending is Ending.SIGNALLED:
        return f"The command was ended by signal {ran.status}."
    return f"Exit status {ran.status}."


def _carry_out(trial: Trial, command: str, shown: int) -> str:
    """Run a command, once, and give what the model is shown of it."""
    try:
        ran = trial.run(sh(command), trial.meter.bounds.command_s)
    except NotRun as error:
        _record(trial, command, executed=False)
        trial.transcript.record(kept.Outcome(turn=trial.turn, ending="refused"))
        return f"The command was not run: {error}."
    _record(trial, command, executed=True)
    trial.record_outcome(ran)
    return observe(ran, shown)


def _record(trial: Trial, command: str, *, executed: bool) -> None:
    trial.transcript.record(
        kept.Action(turn=trial.turn, tool="sh", arguments=command, executed=executed)
    )


def _out_of_time(trial: Trial, command: str) -> Ended:
    _record(trial, command, executed=False)
    reason = StopReason.TIME
    return Ended(stop_reason=reason, reason=trial.meter.said(reason))


def _violation(error: str) -> Ended:
    return Ended(
        stop_reason=StopReason.INVALID_OUTPUT,
        reason=f"two replies in a row were no action: {error}",
        fault=FORMAT_VIOLATION,
    )
