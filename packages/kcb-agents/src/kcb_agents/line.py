"""The line to a model, for one trial: a seam, so that a loop may be asked by a script too."""

from __future__ import annotations

from typing import Any, Protocol

from kcb_agents.endpoint.conversation import Answer, Model
from kcb_agents.prices import Price
from kcb_core.run_record import RunRecord


class Line(Protocol):
    """The line to a model, for one trial."""

    @property
    def timeout_s(self) -> float | None:
        """Seconds that one answer may take; None where it takes none."""
        ...

    def model(self, timeout_s: float) -> Model:
        """The model, as one that has at most this many seconds for its next answer."""
        ...

    def told(self, answer: Answer | None) -> dict[str, Any]:
        """What a record says of the asking: endpoint, model, requests.

        Args:
            answer: the latest one.
        """
        ...

    def remarks(self, answer: Answer | None) -> tuple[str, ...]:
        """What a reader should know of how the model was asked, one line each."""
        ...

    @property
    def sold(self) -> str:
        """What is paid for there, for messages: the model."""
        ...

    def price(self, declared: Price | None) -> Price | None:
        """What the model costs there: as declared, else as published; None if nobody knows."""
        ...

    def run_record(self) -> RunRecord:
        """The part of a run record that is known of the model."""
        ...
