"""How an endpoint fails. It says nothing of the model, so it is a failure of machinery."""

from __future__ import annotations

from copy import copy
from typing import Self

from kcb_core.codec import Json, ascii_line
from kcb_core.errors import MachineError

NO_STATUS = 0
"""Stands for the HTTP status where no reply came."""

TOO_MANY_REQUESTS = 429

SHOWN = 300
"""Most characters of an endpoint's own words that an error repeats."""

_OF_ONE_REQUEST = frozenset({400, 413, 422, TOO_MANY_REQUESTS})

_UNDER_WAY = frozenset({408, 409})
"""Statuses of the client's own that may come when work has begun."""

_STATUS_OF_CODE = {
    "rate_limit_exceeded": TOO_MANY_REQUESTS,
    "rate_limit_error": TOO_MANY_REQUESTS,
    "overloaded_error": 529,
    "api_error": 500,
    "server_error": 500,
}


class EndpointError(MachineError):
    """An endpoint gave no reply that can be read.

    Attributes:
        reason: what happened, in one line.
        status: the HTTP status, or :data:`NO_STATUS`.
        retry_after: the header ``Retry-After`` as it was sent.
        spent: whether the endpoint says that a quota is used up.
        outage: whether another request would fare no better; what one request, such as a prompt
            that is too long, brings about is none.
        billable: whether somebody may charge for the request, or for one that it repeated.
    """

    def __init__(
        self,
        reason: str,
        *,
        status: int = NO_STATUS,
        retry_after: str = "",
        spent: bool = False,
        outage: bool | None = None,
        billable: bool | None = None,
    ) -> None:
        self.reason = reason
        self.status = status
        self.retry_after = retry_after
        self.spent = spent
        of_one = status in _OF_ONE_REQUEST or status >= 500
        self.outage = not of_one if outage is None else outage
        refused = 400 <= status < 500 and status not in _UNDER_WAY
        self.billable = not refused if billable is None else billable
        super().__init__(reason)

    @property
    def rate_limited(self) -> bool:
        """Whether it puts us off for too many requests."""
        return self.status == TOO_MANY_REQUESTS

    def rephrased(self, reason: str) -> Self:
        """The same failure in other words."""
        other = copy(self)
        other.reason, other.args = reason, (reason,)
        return other


class OutOfTime(EndpointError):
    """A reply was not whole when its time was up."""


class ContextCut(EndpointError):
    """The endpoint left out a part of the prompt, by its own count: the model never saw it."""


def stated_error(value: Json) -> str:
    """What a JSON error body says, whichever of the usual shapes it has."""
    if isinstance(value, dict):
        for name in ("error", "message", "detail"):
            if value.get(name):
                return stated_error(value[name])
    return value if isinstance(value, str) else "" if value is None else ascii_line(value)


def refuse_disguised(holder: Json, source: str) -> None:
    """Make sure that what came with status 200 is no error.

    Routers send one when a model fails behind them, and streams have no other way.

    Raises:
        EndpointError: it is one; the status is the one that it names.
    """
    error = holder.get("error") if isinstance(holder, dict) else None
    if not error:
        return
    codes = [error.get("code"), error.get("type")] if isinstance(error, dict) else []
    status = next((status for code in codes if (status := _status_of(code))), NO_STATUS)
    said = " ".join(stated_error(error).split())[:SHOWN]
    raise EndpointError(f"{source}: error {status or ''}: {said}", status=status, outage=False)


def _status_of(code: Json) -> int:
    if type(code) is int:
        return code if 400 <= code <= 599 else NO_STATUS
    return _STATUS_OF_CODE.get(code, NO_STATUS) if isinstance(code, str) else NO_STATUS
