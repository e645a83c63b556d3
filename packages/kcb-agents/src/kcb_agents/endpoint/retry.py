"""Asking again: which failures are worth it, how long to wait, and when to give up."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import msgspec

from kcb_agents.endpoint.clock import Clock
from kcb_agents.endpoint.failure import NO_STATUS, TOO_MANY_REQUESTS, EndpointError

T = TypeVar("T")

_TRANSIENT = frozenset({NO_STATUS, 408, 409})
_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


class Attempt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One request of a question."""

    status: int = NO_STATUS
    """The HTTP status, left out where no reply came."""
    error: str = ""
    """Why it brought no answer."""
    wall_s: float
    """How long it took, in seconds."""
    wait_s: float = 0.0
    """How long was waited after it, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often, and for how long, a question is asked again.

    Too many requests: once more, after what ``Retry-After`` says. Transport, 408, 409 and 5xx: a
    few times. Anything else, and a spent quota: never.
    """

    limited_retries: int = 1
    """How often after the answer that there were too many requests."""
    limited_floor_s: float = 2.0
    """Shortest wait after it."""
    limited_cap_s: float = 60.0
    """Longest wait after it; where more is asked for, the question is given up at once."""
    limited_default_s: float = 5.0
    """The wait where ``Retry-After`` is absent or cannot be read."""
    waits_s: tuple[float, ...] = (1.0, 2.0, 4.0)
    """The wait before each retry after any other failure that may pass."""
    total_s: float = 120.0
    """No such retry is begun later than this after the first request."""

    @classmethod
    def of_at_most(cls, retries: int) -> RetryPolicy:
        """The usual policy, with no more retries of either kind than are named."""
        usual = cls()
        return cls(
            limited_retries=min(usual.limited_retries, retries), waits_s=usual.waits_s[:retries]
        )

    def wait_s(
        self, error: EndpointError, before: list[Attempt], elapsed_s: float, now: datetime
    ) -> float | None:
        """How long to wait before asking again; None to give up.

        Args:
            error: how the latest request failed.
            before: the requests before it.
            elapsed_s: time since the first request.
            now: the time of day, for a ``Retry-After`` that is a date.
        """
        asked_for = retry_after_s(error.retry_after, now)
        limited = sum(attempt.status == TOO_MANY_REQUESTS for attempt in before)
        if error.status == TOO_MANY_REQUESTS:
            wait = self.limited_default_s if asked_for is None else asked_for
            wait = max(self.limited_floor_s, wait)
            gives_up = error.spent or limited >= self.limited_retries or wait > self.limited_cap_s
            return None if gives_up else wait
        others = len(before) - limited
        if not (error.status in _TRANSIENT or error.status >= 500) or others >= len(self.waits_s):
            return None
        wait = max(self.waits_s[others], asked_for or 0.0)
        return None if elapsed_s + wait > self.total_s else wait


def retry_after_s(text: str, now: datetime) -> float | None:
    """The seconds that a ``Retry-After`` names, as a number or as a date; None if unreadable.

    A date in the past gives a negative number. Source: RFC 9110, section 10.2.3.
    """
    text = text.strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - now).total_seconds()


@dataclass(slots=True, kw_only=True)
class Question:
    """One question to an endpoint, asked until it is answered or given up."""

    clock: Clock
    policy: RetryPolicy = RetryPolicy()
    tell: Callable[[str], None]
    """Told of every wait before it begins, and when it is over."""
    attempts: list[Attempt] = field(default_factory=list)
    """Every request so far."""
    billable: bool = False
    """Whether somebody may charge for one of those that failed."""

    def ask(self, send: Callable[[], T]) -> T:
        """What the endpoint answers.

        Args:
            send: makes one request.

        Raises:
            EndpointError: it failed for good, or puts us off for too many requests.
        """
        first = self.clock.monotonic()
        while True:
            begun = self.clock.monotonic()
            try:
                answer = send()
            except EndpointError as error:
                if self._give_up(error, begun, first):
                    raise
            else:
                self.attempts.append(Attempt(status=200, wall_s=self._since(begun)))
                return answer

    def _give_up(self, error: EndpointError, begun: float, first: float) -> bool:
        """Note a failure, and wait unless there is no point in asking again."""
        self.billable = self.billable or error.billable
        wall_s = self._since(begun)
        wait_s = self.policy.wait_s(error, self.attempts, self._since(first), self.clock.now())
        self.attempts.append(
            Attempt(status=error.status, error=error.reason, wall_s=wall_s, wait_s=wait_s or 0.0)
        )
        if wait_s is None:
            return True
        said = f"HTTP {error.status}" if error.status else "no reply"
        self.tell(f"{said}, again in {wait_s:g} s")
        self.clock.sleep(wait_s)
        self.tell("asking again")
        return False

    def _since(self, moment: float) -> float:
        return round(self.clock.monotonic() - moment, 3)
