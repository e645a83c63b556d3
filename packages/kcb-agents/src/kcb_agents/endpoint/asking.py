"""Asks a model: one question after the other, each with its retries, its turn and its guards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import httpx

from kcb_agents.endpoint.address import is_loopback
from kcb_agents.endpoint.allowance import Allowance
from kcb_agents.endpoint.clock import Clock, SystemClock
from kcb_agents.endpoint.connection import Connection
from kcb_agents.endpoint.conversation import Answer, Message, Stop, Tool
from kcb_agents.endpoint.failure import ContextCut, EndpointError, OutOfTime
from kcb_agents.endpoint.form import Ask, Fold
from kcb_agents.endpoint.framing import read_value
from kcb_agents.endpoint.loop_guard import LoopGuard, loops
from kcb_agents.endpoint.retry import Attempt, Question, RetryPolicy
from kcb_agents.endpoint.transport import Reply, asked
from kcb_core.codec import Json, ascii_line
from kcb_core.quiet import Manners, alone, generating

MIN_SCRUBBED = 16
"""Shortest key that is taken out of a reply; shorter ones are dummies such as ``ollama``."""

CHARACTERS_A_TOKEN = 16
"""More than any tokenizer puts into a token of text on average, by far."""

_ABOUT_CONTEXT = re.compile(r"context|(prompt|input)\b.*\btoo (long|large)|too many tokens", re.I)


@dataclass(slots=True, kw_only=True)
class EndpointModel:
    """A model behind an endpoint."""

    connection: Connection
    clock: Clock = field(default_factory=SystemClock)
    tell: Callable[[str], None] = lambda line: None
    """Told in one line before every wait."""
    attempts: list[Attempt] = field(default_factory=list)
    """Every request so far, with what was waited after it."""
    allowance: Allowance = field(default_factory=Allowance)
    """How many tokens all requests may use together."""

    def body(self, messages: Sequence[Message], tools: Sequence[Tool] = ()) -> dict[str, Json]:
        """The request in the endpoint's own form, its reply limited where that is bounded."""
        body = self._body(messages, tools, {})
        room = self.allowance.room(_size(body))
        return body if room is None else self._body(messages, tools, self._limit(room))

    def forbids(self, messages: Sequence[Message], tools: Sequence[Tool] = ()) -> str:
        """Why a request might use more than is allowed; empty if it cannot."""
        return self.allowance.forbids(_size(self._body(messages, tools, {})))

    def _limit(self, room: int) -> dict[str, int]:
        """The limit of a reply, as a setting: what was asked for, but no more than there is room.

        Where request and reply have a context together that has room, no limit is needed.
        """
        usual, context = self._usual_limit, self.connection.context_tokens
        if usual is not None:
            return {"max_tokens": max(1, min(usual, room))}
        left = (self.allowance.tokens or 0) - self.allowance.used
        return {} if context is not None and context <= left else {"max_tokens": max(1, room)}

    @property
    def _usual_limit(self) -> int | None:
        """The limit of a reply that is sent whatever was used before; None if none is."""
        given = self.connection.settings.max_tokens
        return given if isinstance(given, int) else self.connection.form.defaults.get("max_tokens")

    def _worst(self, body: Json) -> int:
        """Most tokens that a request and its reply may come to."""
        size, context = _size(body), self.connection.context_tokens
        room, usual = self.allowance.room(size) or 0, self._usual_limit
        reply = room if usual is None else min(usual, room)
        worst = size + max(0, reply)
        return worst if context is None else min(worst, context)

    def _body(
        self, messages: Sequence[Message], tools: Sequence[Tool], limit: dict[str, int]
    ) -> dict[str, Json]:
        connection, settings = self.connection, self.connection.settings
        return connection.form.body(
            Ask(
                model=settings.model,
                messages=tuple(messages),
                tools=tuple(tools),
                stream=settings.stream,
                sampling={**settings.sampled, **limit},
                context_tokens=connection.context_tokens if connection.sets_context else None,
                think=settings.think if isinstance(settings.think, bool) else None,
            )
        )

    def ask(self, messages: Sequence[Message], tools: Sequence[Tool] = ()) -> Answer:
        """The answer to a conversation.

        Raises:
            ContextCut: the server left out a part of it.
            EndpointError: there was no answer; nothing is said of the model.
        """
        body = self.body(messages, tools)
        policy = RetryPolicy.of_at_most(self.connection.settings.max_retries)
        question = Question(clock=self.clock, policy=policy, tell=self.tell)
        length = sum(len(message.text) for message in messages)
        worst = self._worst(body)
        try:
            answer = question.ask(lambda: self._once(body))
        except EndpointError as error:
            told = self._with_remedy(error, length)
            told.billable = question.billable
            self.allowance.settle(None, worst if told.billable else 0)
            raise told from None
        finally:
            self.attempts += question.attempts
        self.allowance.settle(answer.usage, worst)
        self._refuse_cut(answer, length)
        return answer

    def _once(self, body: Json) -> Answer:
        """One request; what a server repeats of the key is in no error."""
        connection = self.connection
        endpoint, url = connection.endpoint, connection.url
        headers = connection.form.headers(endpoint.api_key)
        try:
            with (
                turn_at(connection, self.tell),
                asked(endpoint, url, headers, body, self.clock) as reply,
            ):
                if reply.in_one_piece or not connection.settings.stream:
                    return self._read(read_value(reply.whole(), url))
                return self._heard(reply)
        except EndpointError as error:
            raise error.rephrased(endpoint.scrubbed(error.reason)) from None

    def _heard(self, reply: Reply) -> Answer:
        """The answer that a stream becomes, or as much of it as was to be heard."""
        connection = self.connection
        fold, guard = connection.form.fold(connection.url), LoopGuard()
        try:
            for event in connection.form.framing(reply.chunks(), connection.url):
                if guard.feed(fold.feed(event)):
                    return self._broken_off(fold, Stop.REPETITION)
                if fold.complete:
                    break
        except (OutOfTime, httpx.TimeoutException):
            if not fold.ended:
                return self._broken_off(fold, Stop.TIME)
        except httpx.TransportError:
            if not fold.ended:
                raise
        if not fold.ended:
            raise EndpointError(f"{connection.url}: the stream ended in the middle", outage=False)
        return self._read(fold.body())

    def _broken_off(self, fold: Fold, stop: Stop) -> Answer:
        """What was heard so far. A stream that had said nothing yet is an answer of nothing."""
        try:
            return replace(self._read(fold.body()), stop=stop)
        except EndpointError:
            return Answer(content="", stop=stop)

    def _read(self, body: Json) -> Answer:
        """The answer in a body, without the key, wherever the model may have repeated it."""
        raw, key = ascii_line(body), self.connection.endpoint.api_key
        if len(key) >= MIN_SCRUBBED and (spelt := ascii_line(key)[1:-1]) in raw:
            raw = raw.replace(spelt, "[api key]")
            body = read_value(raw.encode(), self.connection.url)
        answer = self.connection.form.read(body, self.connection.url)
        stop = Stop.REPETITION if loops(answer.content or answer.reasoning) else answer.stop
        return replace(answer, raw=raw, stop=stop)

    def _refuse_cut(self, answer: Answer, length: int) -> None:
        """Make sure that the prompt was seen whole, as far as the server's own count can tell.

        Raises:
            ContextCut: it was not.
        """
        count, context = answer.prompt_tokens, self.connection.context_tokens
        # An older Ollama does not count what it has in its cache.
        counts_all = self.connection.server.kind != "ollama"
        full = None not in (count, context) and (count or 0) >= (context or 0)
        short = count is not None and counts_all and count * CHARACTERS_A_TOKEN < length
        if answer.truncated or full or short:
            seen = "a part" if count is None else f"{count} tokens"
            raise ContextCut(
                f"{self.connection.url}: the server cut the prompt: it counts {seen} of "
                f"{length:,} characters; " + self.remedy(length),
                outage=False,
            )

    def remedy(self, length: int) -> str:
        """How the server gets a context that holds a prompt of so many characters and its answer.

        Args:
            length: characters of the prompt; a token is taken to hold three of them.
        """
        limit = self.connection.settings.max_tokens
        room = limit if isinstance(limit, int) else 4096
        wanted = max(length // 3 + room, (self.connection.context_tokens or 0) + 1)
        return self.connection.server.context_remedy(1 << max(12, (wanted - 1).bit_length()))

    def _with_remedy(self, error: EndpointError, length: int) -> EndpointError:
        """The same error, with what to do if it is about the context."""
        if error.status in (400, 413, 500) and _ABOUT_CONTEXT.search(error.reason):
            return error.rephrased(f"{error.reason}; {self.remedy(length)}")
        if error.status in (400, 422) and "stream" in error.reason:
            return error.rephrased(f"{error.reason}; try --no-stream")
        return error


def _size(body: Json) -> int:
    return len(ascii_line(body))


@contextmanager
def turn_at(connection: Connection, tell: Callable[[str], None]) -> Iterator[None]:
    """One user at a time of a server on this machine, and none beside a judge."""
    if not (connection.settings.queue and is_loopback(connection.endpoint.base_url)):
        yield
        return
    manners = Manners(tell=tell)
    url = httpx.URL(connection.endpoint.base_url)
    with alone(f"endpoint-{url.port or url.scheme}", manners), generating(manners):
        yield
