"""The line to a model that only plays a script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kcb_agents.endpoint.conversation import Answer, Message, Model, Tool
from kcb_agents.prices import Price
from kcb_agents.replay.script import Play
from kcb_core.errors import DataError
from kcb_core.run_record import RunRecord


class ScriptedLine:
    """Answers in order, whatever it is asked; it is its own model."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self.asked: list[tuple[Message, ...]] = []
        """Every context that it was asked with."""
        self.offered: list[tuple[Tool, ...]] = []
        """The tools that it was offered each time."""

    def model(self, timeout_s: float) -> Model:
        """The model itself: it takes no time."""
        return self

    def forbids(self, messages: Sequence[Message], tools: Sequence[Tool] = ()) -> str:
        """Nothing: a script uses no tokens."""
        return ""

    def ask(self, messages: Sequence[Message], tools: Sequence[Tool] = ()) -> Answer:
        """The next answer of the script.

        Raises:
            DataError: the script is at its end, and the trial is not.
        """
        answers, at = self._play.answers, len(self.asked)
        if at >= len(answers):
            raise DataError(
                f"{self._play.source}: is at its end after {at} replies, and the trial goes on"
            )
        self.asked.append(tuple(messages))
        self.offered.append(tuple(tools))
        return answers[at]

    @property
    def timeout_s(self) -> float | None:
        """None: it takes no time."""
        return None

    def told(self, answer: Answer | None) -> dict[str, Any]:
        """Nothing: there was no endpoint."""
        return {}

    def remarks(self, answer: Answer | None) -> tuple[str, ...]:
        """That no model was asked."""
        return (f"replayed from {self._play.source.name}; no model was asked",)

    @property
    def sold(self) -> str:
        """The script."""
        return self._play.source.name

    def price(self, declared: Price | None) -> Price | None:
        """Nothing is paid, but what is declared is reckoned with."""
        return declared

    def run_record(self) -> RunRecord:
        """Nothing: there was no model."""
        return RunRecord()
