"""What an external program may ask for, and what came of what it asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from http import HTTPStatus

from kcb_agents.bounds import TrialBounds
from kcb_agents.endpoint.allowance import Allowance
from kcb_agents.prices import Price
from kcb_agents.proxy.admission import Asked, Spent
from kcb_agents.record import StopReason

BYTES_A_TOKEN = 4
"""For the estimate that bounds a trial, and for nothing else."""

_ENDPOINTS_FAULT = frozenset({0, 401, 402, 403, 404, 407, 408, 409, 429})
"""Statuses, besides those from 500 on, that say nothing of whoever asked; 0 is no answer at all."""


@dataclass(slots=True, kw_only=True)
class Budget:
    """Lets requests through until a bound is reached; every one of them counts.

    The proxy's own thread calls it; others only read what is a single value.
    """

    bounds: TrialBounds
    dollars: float | None = None
    """Most that all requests may cost."""
    price: Price | None = None
    allowance: Allowance = field(default_factory=Allowance)
    """How many tokens all requests may use together."""
    reached: StopReason | None = None
    """The bound that a request was refused for, once there is one."""
    turns: int = 0
    estimated_bytes: int = 0
    paid: Decimal = Decimal(0)
    under_way: dict[int, int] = field(default_factory=dict)
    """Most tokens that each request may come to that is not settled yet, by its number."""
    settled: list[tuple[Asked, Spent]] = field(default_factory=list)
    """What came of each request, in the order of their ends."""

    @property
    def tokens(self) -> int:
        """The estimate so far, over all traffic and what frames it."""
        return self.estimated_bytes // BYTES_A_TOKEN

    def room(self, request_bytes: int) -> int | None:
        """Most tokens that the reply to such a request may have; None for any number."""
        return self.allowance.room(sum(self.under_way.values()) + request_bytes)

    def reserve(self, asked: Asked) -> str:
        """Empty to let a request through, else the bound that forbids it."""
        reason = self._forbids(asked)
        if reason is None:
            self.turns += 1
            self.estimated_bytes += asked.request_bytes
            self.under_way[asked.number] = _worst(asked)
            return ""
        self.reached = self.reached or reason
        return self.said(reason)

    def settle(self, asked: Asked, spent: Spent) -> None:
        """Count what a request came to."""
        self.estimated_bytes += spent.reply_bytes
        worst = self.under_way.pop(asked.number)
        self.allowance.settle(spent.usage if spent.complete else None, worst * spent.admitted)
        if self.price is not None and spent.usage is not None:
            self.paid += self.price.cost(spent.usage)
        self.settled.append((asked, spent))

    def said(self, reason: StopReason) -> str:
        """One line that names a bound with its value."""
        return {
            StopReason.TURNS: f"the bound of {self.bounds.turns} requests was reached",
            StopReason.TOKENS: f"the bound of {self._tokens_bound} was reached",
            StopReason.DOLLARS: f"the bound of {self.dollars} dollars was reached",
        }[reason]

    def outage(self) -> int | None:
        """The status of the last answer if the endpoint failed there; None if it did not.

        A program that gives up then has failed at nothing of its own.
        """
        if not self.settled:
            return None
        _, last = self.settled[-1]
        failed = last.status in _ENDPOINTS_FAULT or last.status >= HTTPStatus.INTERNAL_SERVER_ERROR
        return last.status if failed and not last.admitted else None

    @property
    def _tokens_bound(self) -> str:
        if self.tokens >= self.bounds.tokens or self.allowance.tokens is None:
            return f"{self.bounds.tokens} estimated tokens"
        return f"{self.allowance.tokens} tokens"

    def _forbids(self, asked: Asked) -> StopReason | None:
        if self.reached:
            return self.reached
        if self.turns >= self.bounds.turns:
            return StopReason.TURNS
        if (self.estimated_bytes + asked.request_bytes) // BYTES_A_TOKEN > self.bounds.tokens:
            return StopReason.TOKENS
        room = self.room(asked.request_bytes)
        if room is not None and room < max(1, asked.max_output_tokens or 0):
            return StopReason.TOKENS
        if self.dollars is not None and self.paid >= Decimal(str(self.dollars)):
            return StopReason.DOLLARS
        return None


def _worst(asked: Asked) -> int:
    """Most tokens that a request may come to, as far as that can be foreseen."""
    return asked.request_bytes + (asked.max_output_tokens or 0)
