"""What a trial may use, and what it has used: the first bound that is reached ends it.

Tokens are estimated here as characters divided by 4, over all that was sent and answered. That is
a heuristic, good for a bound and for nothing else; it is never mixed with what a provider states.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import msgspec

from kcb_agents.endpoint.clock import Clock
from kcb_agents.endpoint.conversation import Answer, Message, Tool
from kcb_agents.prices import Price, declared_price
from kcb_agents.record import StopReason
from kcb_core.codec import ascii_line
from kcb_core.run_record import Cost

CHARACTERS_A_TOKEN = 4

LONGEST_S = 7 * 86_400.0


class TrialBounds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bounds of every trial. None of them can be unset."""

    turns: int = 50
    """Most replies of the model; a summary of its context is none."""
    seconds: float = 1800.0
    """Wall time from start to end."""
    tokens: int = 2_000_000
    """Most tokens, estimated, of all prompts and replies together."""

    def __post_init__(self) -> None:
        for name in ("turns", "tokens"):
            if getattr(self, name) < 1:
                raise ValueError(f"field '{name}' must be 1 or more")
        refuse_endless("seconds", self.seconds)


class Bounds(TrialBounds, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bounds of a trial whose commands are run one by one."""

    command_s: float = 60.0
    """Wall time of one command."""

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_endless("command_s", self.command_s)

    @property
    def bounds(self) -> Bounds:
        """The bounds alone, where an agent's options hold more."""
        return Bounds(**{f.name: getattr(self, f.name) for f in msgspec.structs.fields(Bounds)})


class PricedBounds(Bounds, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bounds of a trial whose answers may have to be paid for."""

    dollars: float | msgspec.UnsetType = msgspec.UNSET
    """Most that the model may cost, as far as its price is known."""
    price_input: float | msgspec.UnsetType = msgspec.UNSET
    """Dollars for a million tokens of prompts, if no list of prices knows it."""
    price_output: float | msgspec.UnsetType = msgspec.UNSET
    """Dollars for a million tokens of answers, thoughts included."""

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_prices(
            dollars=self.dollars, price_input=self.price_input, price_output=self.price_output
        )

    @property
    def declared_price(self) -> Price | None:
        """The price that was declared, if one was."""
        return declared_price(self.price_input, self.price_output)


def refuse_endless(name: str, seconds: float) -> None:
    """Raise :class:`ValueError` for a time that is none, or nobody would wait for."""
    if not (isfinite(seconds) and 0 < seconds <= LONGEST_S):
        raise ValueError(f"field '{name}' must be between 0 and {LONGEST_S:g}")


def refuse_prices(**amounts: float | msgspec.UnsetType) -> None:
    """Raise :class:`ValueError` for dollars that are none, or one price without the other."""
    for name, value in amounts.items():
        if value is not msgspec.UNSET and not (isfinite(value) and value >= 0):
            raise ValueError(f"field '{name}' must be 0 or more")
    if (amounts["price_input"] is msgspec.UNSET) != (amounts["price_output"] is msgspec.UNSET):
        raise ValueError("fields 'price_input' and 'price_output' go together")


@dataclass(slots=True, kw_only=True)
class Meter:
    """What a trial has used so far."""

    bounds: Bounds
    clock: Clock
    dollars_bound: float | None = None
    turns: int = 0
    characters: int = 0
    """Of all prompts and replies."""
    dollars: float = 0.0
    priced: int = 0
    """Replies whose price is known."""
    unpriced: int = 0
    """Replies whose price is not known; with any, ``dollars`` is a lower bound."""
    begun: float = field(init=False)

    def __post_init__(self) -> None:
        self.begun = self.clock.monotonic()

    @property
    def left_s(self) -> float:
        """Wall time that is left, never below 0."""
        return max(0.0, self.bounds.seconds - (self.clock.monotonic() - self.begun))

    @property
    def tokens(self) -> int:
        """The estimate so far."""
        return self.characters // CHARACTERS_A_TOKEN

    def reached(self, prompt_characters: int = 0) -> StopReason | None:
        """The bound that forbids another turn; None if none does.

        Args:
            prompt_characters: length of the prompt that would be sent.
        """
        if self.turns >= self.bounds.turns:
            return StopReason.TURNS
        if self.left_s <= 0:
            return StopReason.TIME
        if (self.characters + prompt_characters) / CHARACTERS_A_TOKEN > self.bounds.tokens:
            return StopReason.TOKENS
        if self.dollars_bound is not None and self.dollars >= self.dollars_bound:
            return StopReason.DOLLARS
        return None

    def pay(self, dollars: float | None) -> None:
        """Count what a reply cost, if that is known."""
        if dollars is None:
            self.unpriced += 1
        else:
            self.priced += 1
            self.dollars += dollars

    def said(self, reason: StopReason) -> str:
        """One line that names a bound with its value."""
        bounds = self.bounds
        return {
            StopReason.TURNS: f"the bound of {bounds.turns} turns was reached",
            StopReason.TIME: f"the bound of {bounds.seconds:g} s was reached",
            StopReason.TOKENS: f"the bound of {bounds.tokens} estimated tokens was reached",
            StopReason.DOLLARS: f"the bound of {self.dollars_bound} dollars was reached",
        }[reason]

    @property
    def totals(self) -> dict[str, Any]:
        """What was used of the bounds, for the record; what it cost stands apart."""
        return {
            "turns": self.turns,
            "seconds": round(self.clock.monotonic() - self.begun, 3),
            "tokens_estimated": self.tokens,
            "tokens_heuristic": f"characters / {CHARACTERS_A_TOKEN}",
        }

    @property
    def cost(self) -> Cost | None:
        """What it cost; None where no price is known of anything."""
        if not self.priced:
            return None
        lower = True if self.unpriced else msgspec.UNSET
        return Cost(dollars=round(self.dollars, 9), lower_bound=lower)

    @property
    def applied(self) -> dict[str, Any]:
        """The bounds with their values, for the record."""
        dollars = {} if self.dollars_bound is None else {"dollars": self.dollars_bound}
        return {**msgspec.to_builtins(self.bounds), **dollars}


def length_of(messages: list[Message], tools: tuple[Tool, ...]) -> int:
    """Characters of a prompt: texts, calls, and the tools that are offered."""
    said = sum(len(m.text) + sum(len(c.name) + len(c.arguments) for c in m.calls) for m in messages)
    offered = sum(len(t.name) + len(t.description) + len(ascii_line(t.schema)) for t in tools)
    return said + offered


def length_of_answer(answer: Answer) -> int:
    """Characters of a reply, thoughts and calls included."""
    called = sum(len(call.name) + len(call.arguments) for call in answer.calls)
    return len(answer.content) + len(answer.reasoning) + called
