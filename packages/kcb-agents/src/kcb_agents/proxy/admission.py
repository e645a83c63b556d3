"""Who may say no before a request is sent: the seam for budgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kcb_agents.proxy.routes import Api
from kcb_core.run_record import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request that a model would work for, as far as its cost can be foreseen."""

    number: int
    """Which of the subject's requests it is, from 1 on."""
    profile: str
    """The subject's profile."""
    api: Api
    model: str
    """The model's id, verbatim."""
    request_bytes: int
    """Size of the body: no tokenizer makes more tokens than bytes of it."""
    max_output_tokens: int | None
    """The bound on output that the request sets, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a request came to."""

    usage: Usage | None
    """Tokens, as far as they were stated."""
    complete: bool
    """Whether they are those of the whole answer; else they are a lower bound."""
    admitted: bool
    """Whether the provider took it on, or may have."""
    status: int = 0
    """The HTTP status of its answer; 0 if none came."""
    reply_bytes: int = 0
    """Size of the answer as far as it was read, with all that frames it."""


class Admission(Protocol):
    """Reserves before a request and settles after it.

    All are called from the proxy's own thread, one at a time, and have to return at once. For each
    request that was reserved, ``settle`` is called exactly once, whatever becomes of it.
    """

    def room(self, request_bytes: int) -> int | None:
        """Most tokens that the reply to such a request may have now; None for any number."""
        ...

    def reserve(self, asked: Asked) -> str:
        """Empty to let a request through, else why not, in one line for the subject."""
        ...

    def settle(self, asked: Asked, spent: Spent) -> None:
        """A request that was let through has come to its end."""
        ...


class Unbounded:
    """Lets everything through."""

    def room(self, request_bytes: int) -> int | None:
        """Any number."""
        return None

    def reserve(self, asked: Asked) -> str:
        """Lets it through."""
        return ""

    def settle(self, asked: Asked, spent: Spent) -> None:
        """Nothing was reserved."""
