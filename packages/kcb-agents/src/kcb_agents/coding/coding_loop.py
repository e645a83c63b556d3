"""The turns of the coding agent: ask, carry out every call once, and go on until there is none."""

from __future__ import annotations

from kcb_agents.coding.bench import Bench
from kcb_agents.coding.compaction import Compactor
from kcb_agents.endpoint.conversation import Answer, Message, Stop
from kcb_agents.record import StopReason
from kcb_agents.reply import split_thinking
from kcb_agents.trial import Ended, Trial, broken_off

MOST_CALLS = 32
"""Most calls of one reply that are carried out."""


def work_on(trial: Trial, bench: Bench, compactor: Compactor) -> Ended:
    """Turns until the model uses no tool any more, or a bound is reached.

    Raises:
        MachineError: the endpoint or this machine failed.
    """
    while True:
        compactor.relieve()
        if ended := trial.bound_reached():
            return ended
        answer = trial.ask()
        if ended := broken_off(answer):
            return ended
        if not answer.calls:
            return _said(answer)
        for place, call in enumerate(answer.calls):
            if trial.meter.left_s <= 0:
                reason = StopReason.TIME
                return Ended(stop_reason=reason, reason=trial.meter.said(reason))
            if place >= MOST_CALLS:
                shown, name = bench.refuse(call, f"more than {MOST_CALLS} calls at once"), ""
            else:
                shown, name = bench.use(call)
            trial.add(Message(role="tool", text=shown, call_id=call.id))
            if name:
                compactor.names[trial.context[-1][0]] = name


def _said(answer: Answer) -> Ended:
    """How a trial ends with a reply that uses no tool."""
    thought, said = split_thinking(answer.content)
    if answer.stop is Stop.LENGTH:
        return Ended(
            stop_reason=StopReason.OUTPUT_LIMIT, reason="an output limit cut the last reply"
        )
    if not said.strip() and (thought + answer.reasoning).strip():
        return Ended(
            stop_reason=StopReason.REASONING_ONLY, reason="the model thought, and said nothing"
        )
    return Ended(stop_reason=StopReason.DONE)
