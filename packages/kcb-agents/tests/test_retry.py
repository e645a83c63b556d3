"""When to ask again."""

from datetime import UTC, datetime
from typing import Any

import pytest

from kcb_agents.endpoint.failure import EndpointError
from kcb_agents.endpoint.retry import Attempt, Question, RetryPolicy, retry_after_s

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def attempts(*statuses: int) -> list[Attempt]:
    """Requests that failed with some statuses."""
    return [Attempt(status=status, wall_s=0.0) for status in statuses]


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422, 301, 200])
def test_what_will_not_pass_is_not_asked_again(status: int) -> None:
    """The answer would be the same."""
    assert RetryPolicy().wait_s(EndpointError("", status=status), [], 0, NOW) is None


@pytest.mark.parametrize("status", [0, 408, 409, 500, 502, 503, 504, 529])
def test_what_may_pass_is_asked_again_three_times(status: int) -> None:
    """With longer and longer waits, and then no more."""
    error = EndpointError("", status=status)
    waits = [RetryPolicy().wait_s(error, attempts(*[status] * n), 0, NOW) for n in range(4)]
    assert waits == [1.0, 2.0, 4.0, None]


def test_no_retry_begins_after_two_minutes() -> None:
    """A model that takes ten minutes to time out is not asked for forty."""
    error = EndpointError("", status=503, retry_after="100")
    assert RetryPolicy().wait_s(error, [], 20, NOW) == 100
    assert RetryPolicy().wait_s(error, [], 21, NOW) is None


def test_too_many_requests_and_other_failures_are_counted_apart() -> None:
    """Each kind has a bound of its own."""
    policy = RetryPolicy()
    assert policy.wait_s(EndpointError("", status=429), attempts(500, 500, 500), 0, NOW) == 5
    assert policy.wait_s(EndpointError("", status=500), attempts(429, 500), 0, NOW) == 2
    assert policy.wait_s(EndpointError("", status=429), attempts(429, 500), 0, NOW) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("3", 3),
        (" 3.5 ", 3.5),
        ("0", 0),
        ("Thu, 01 Jan 2026 00:01:00 GMT", 60),
        ("Thu, 01 Jan 2026 00:01:00 -0000", 60),
        ("Thursday, 01-Jan-26 00:01:00 GMT", 60),
        ("Wed, 31 Dec 2025 23:59:00 GMT", -60),
        ("", None),
        ("2abc", None),
        ("-3", None),
        ("NaN", None),
        ("1e5", None),
        ("٣", None),
        ("9" * 400, None),
        ("Thu, 99 Jan 2026 00:00:00 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(text: str, seconds: float | None) -> None:
    """And nothing else: what cannot be read is not guessed at."""
    assert retry_after_s(text, NOW) == seconds


def test_a_wait_is_told_before_it_begins(clock: Any) -> None:
    """Slow and stuck must not look the same."""
    told: list[tuple[str, int]] = []
    question = Question(clock=clock, tell=lambda line: told.append((line, len(clock.slept))))
    answers = iter([EndpointError("HTTP 503", status=503), None])

    def send() -> str:
        if error := next(answers):
            raise error
        return "answer"

    assert question.ask(send) == "answer"
    assert told == [("HTTP 503, again in 1 s", 0), ("asking again", 1)]
    assert clock.slept == [1.0]


def test_an_interrupted_wait_leaves_what_was_tried(clock: Any) -> None:
    """The record of a cancelled task says how far it came."""

    class Impatient(type(clock)):  # type: ignore[misc]
        def sleep(self, seconds: float) -> None:
            raise KeyboardInterrupt

    question = Question(clock=Impatient(), tell=lambda line: None)

    def send() -> None:
        raise EndpointError("HTTP 503", status=503)

    with pytest.raises(KeyboardInterrupt):
        question.ask(send)
    assert [attempt.status for attempt in question.attempts] == [503]
