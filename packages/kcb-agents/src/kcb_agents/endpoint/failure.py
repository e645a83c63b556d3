"""How an endpoint fails. It says nothing of the model, so it is a failure of machinery."""

from __future__ import annotations

from kcb_core.errors import MachineError

NO_STATUS = 0
"""Stands for the HTTP status where no reply came."""

TOO_MANY_REQUESTS = 429

_OF_ONE_REQUEST = frozenset({400, 413, 422, TOO_MANY_REQUESTS})


class EndpointError(MachineError):
    """An endpoint gave no reply that can be read.

    Attributes:
        reason: what happened, in one line.
        status: the HTTP status, or :data:`NO_STATUS`.
        retry_after: the header ``Retry-After`` as it was sent.
        spent: whether the endpoint says that a quota is used up.
        outage: whether another request would fare no better; what one request, such as a prompt
            that is too long, brings about is none.
    """

    def __init__(
        self,
        reason: str,
        *,
        status: int = NO_STATUS,
        retry_after: str = "",
        spent: bool = False,
        outage: bool | None = None,
    ) -> None:
        self.reason = reason
        self.status = status
        self.retry_after = retry_after
        self.spent = spent
        of_one = status in _OF_ONE_REQUEST or status >= 500
        self.outage = not of_one if outage is None else outage
        super().__init__(reason)
