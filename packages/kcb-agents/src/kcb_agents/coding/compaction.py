"""Compaction: when a context is nearly full, a summary takes the place of what is older."""

from __future__ import annotations

from dataclasses import dataclass, field

from kcb_agents.bounds import CHARACTERS_A_TOKEN, length_of
from kcb_agents.endpoint.conversation import Message
from kcb_agents.recording import Numbered
from kcb_agents.trial import Trial, broken_off
from kcb_core import transcript as kept

HEAD = 2
"""Messages at the start that always stay: the system prompt and the task."""

ASKED = """\
Your context is nearly full. Summarise the work so far for yourself, in plain text and without \
using a tool: which files there are and what is in them, what you have found out, what you have \
tried, and what is left to be done. The specification stays as it is: repeat nothing of it."""

WITHOUT = "(There is no summary. Look at the files to see what there is.)"


@dataclass(slots=True, kw_only=True)
class Compactor:
    """Keeps a trial's context within a share of the model's window."""

    trial: Trial
    window_tokens: int
    """Tokens of the model's context."""
    share: float
    """Part of the window, as estimated by characters, from which on there is a compaction."""
    names: dict[int, str] = field(default_factory=dict)
    """Names of results in the archive, by the number of their message."""
    count: int = 0
    """Compactions so far."""

    def relieve(self) -> None:
        """Compact the context if it is too full and there is something to leave out.

        Raises:
            EndpointError: the model did not answer.
        """
        trial = self.trial
        room = self.share * self.window_tokens * CHARACTERS_A_TOKEN
        tail = _latest_turn(trial.context)
        if length_of(trial.messages, trial.tools) <= room or tail <= HEAD:
            return
        if trial.bound_reached():
            return
        asked = Message(role="user", text=ASKED)
        if trial.forbidden([*trial.messages, asked]):
            return
        number = trial.enter(asked)
        answer = trial.consult([*trial.context, (number, asked)], trial.tools, "compaction")
        summary = answer.content.strip()
        if summary and not broken_off(answer):
            # Only one that is used counts toward the totals; the transcript holds the others too.
            trial.count(answer)
        else:
            summary = WITHOUT
        self._replace(trial.context[HEAD:tail], trial.context[tail:], summary)

    def _replace(self, older: list[Numbered], newer: list[Numbered], summary: str) -> None:
        trial = self.trial
        archived = tuple(name for number, _ in older if (name := self.names.pop(number, "")))
        trial.transcript.record(
            kept.Compaction(
                turn=trial.turn,
                replaced=kept.ranges([number for number, _ in older]),
                archived=archived,
            )
        )
        self.count += 1
        task = trial.context[HEAD - 1][1].text.partition(_MARK)[0]
        results = f"\n\nEarlier results that Read still shows: {', '.join(archived)}."
        text = f"{task}{_MARK}{summary}{results if archived else ''}"
        head = trial.context[: HEAD - 1]
        trial.context[:] = head
        trial.add(Message(role="user", text=text))
        trial.context.extend(newer)


_MARK = "\n\n--- The work so far, summarised by yourself ---\n\n"


def _latest_turn(context: list[Numbered]) -> int:
    """Where the latest message of the model stands; results that answer it come behind."""
    roles = [message.role for _, message in context]
    return len(roles) - 1 - roles[::-1].index("assistant") if "assistant" in roles else 0
