"""A tier: a layer of service behaviour over any family."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from kcb_core.codec import Json
from kcb_core.family import Family
from kcb_core.task import Scenario


class Service(Protocol):
    """The oracle program of one tier and family: it answers lines as a right solution would."""

    def answer(self, line: str) -> Json:
        """The response to one request line; the line has no line end."""
        ...

    def kill(self) -> None:
        """What SIGKILL and a new start on the same state directory leave of the state."""
        ...


@runtime_checkable
class Tier(Protocol):
    """One kind of program to ask for, over whichever family."""

    @property
    def name(self) -> str:
        """Name of the tier, as it stands in task ids."""
        ...

    @property
    def rank(self) -> int:
        """Place among the tiers, from 0 for the lowest."""
        ...

    @property
    def target_model_parameters(self) -> str:
        """Size of the models that it is designed for, such as ``2-8B``; not calibrated."""
        ...

    @property
    def start(self) -> tuple[str, ...]:
        """The start command of a candidate, as words with placeholders."""
        ...

    def prompt(self, family: Family) -> str:
        """All that a model is told: protocol, operations, errors, contract, two examples."""
        ...

    def service(self, family: Family) -> Service:
        """A fresh oracle with an empty state."""
        ...

    def examples(self, family: Family) -> Iterable[Scenario]:
        """The two examples of the prompt, as scenarios of one session and one request."""
        ...

    def scenarios(self, family: Family, seed: int) -> Iterable[Scenario]:
        """What a solution is judged by, with every expected response."""
        ...
