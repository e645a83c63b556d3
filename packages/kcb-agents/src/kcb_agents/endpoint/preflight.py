"""Tries out whether a server sees a long prompt whole, before a model is judged by what it saw.

Some servers cut what their context does not hold, and say nothing. Prompts of the same line over
and over, two short ones and one longer than any that is to come, show it by the server's own count
of tokens: the short ones tell what a line comes to. Where nothing is counted, the model is asked
for a word at the very start; that tells something only of a model that gives it for a short prompt.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

import msgspec

from kcb_agents.endpoint.asking import EndpointModel
from kcb_agents.endpoint.conversation import Answer, Message
from kcb_agents.endpoint.failure import ContextCut, EndpointError
from kcb_core.errors import DeclarationError

LINE = "The quick brown fox jumps over the lazy dog.\n"

HEAD = "Remember this word: "

TASK = "Answer with the word to remember, and with nothing else."

SHORT, LONGER = 8, 40
"""Lines of the two short prompts."""

MARGIN = 1.25
"""How much longer the long prompt is than the longest to come."""

REPLY_TOKENS = 24
"""Most tokens of an answer."""

ANSWER_TOKENS = 1024
"""Tokens without which no answer is worth waiting for."""

_SEEN = 0.97


@dataclass(frozen=True, slots=True)
class Preflight:
    """A try of one model."""

    model: EndpointModel

    def check(self, length: int) -> tuple[str, ...]:
        """Warnings, one line each.

        Args:
            length: characters of the longest prompt to come.

        Raises:
            DeclarationError: a prompt of that length is cut, or not taken.
            EndpointError: the endpoint cannot be reached, or answers nobody with this key or model.
        """
        lines = max(2 * LONGER, round(length * MARGIN / len(LINE)))
        self.model.tell("trying out whether long prompts are seen whole")
        try:
            short, longer = self._probe(SHORT), self._probe(LONGER)
            long = self._probe(lines)
        except ContextCut as error:
            raise DeclarationError(error.reason) from None
        except EndpointError as error:
            if error.status in (400, 413, 500) and "context" in error.reason:
                raise DeclarationError(error.reason) from None
            if error.outage and not error.billable:
                raise
            return (f"it could not be seen whether long prompts are seen whole: {error.reason}",)
        return self._judge(short, longer, long, lines, length)

    def _judge(
        self, short: _Seen, longer: _Seen, long: _Seen, lines: int, length: int
    ) -> tuple[str, ...]:
        cut = self._cut(short, longer, long, lines)
        if cut:
            raise DeclarationError(
                f"the server cuts a prompt of {lines * len(LINE):,} characters in silence ({cut}), "
                f"and the tasks have up to {length:,}; {self.model.remedy(length)}"
            )
        if cut is None:
            return (
                "nothing shows whether the server sees long prompts whole: it counts no tokens",
            )
        return self._room(long)

    def _cut(self, short: _Seen, longer: _Seen, long: _Seen, lines: int) -> str | None:
        """How the long prompt is known to be cut; empty if it is not, None if nothing tells."""
        a, b, c = short.tokens, longer.tokens, long.tokens
        if a is not None and b is not None and c is not None and b > a:
            expected = a + (b - a) * (lines - SHORT) / (LONGER - SHORT)
            return f"{c} tokens of {expected:.0f}" if c < _SEEN * expected else ""
        if long.remembered:
            return ""
        return "its start is not remembered" if short.remembered and longer.remembered else None

    def _room(self, long: _Seen) -> tuple[str, ...]:
        """A warning if the context hardly holds an answer beside the prompt."""
        context = self.model.connection.context_tokens
        if context is None or long.tokens is None or context >= long.tokens + ANSWER_TOKENS:
            return ()
        return (
            f"a context of {context} tokens leaves little room for an answer to the "
            "longest prompt; " + self.model.remedy(long.tokens * 3),
        )

    def _probe(self, lines: int) -> _Seen:
        """What comes of a prompt of so many lines; its word is new, so that no cache knows it."""
        word = f"kcb{secrets.token_hex(4)}"
        text = f"{HEAD}{word}\n{LINE * lines}{TASK}"
        answer = self._brief().ask([Message(role="user", text=text)])
        return _Seen(answer, word)

    def _brief(self) -> EndpointModel:
        """The model with a short answer and no second try."""
        connection = self.model.connection
        settings = msgspec.structs.replace(
            connection.settings, max_tokens=REPLY_TOKENS, max_retries=0
        )
        return replace(self.model, connection=replace(connection, settings=settings), attempts=[])


@dataclass(frozen=True, slots=True)
class _Seen:
    """What an answer says of its prompt."""

    answer: Answer
    word: str

    @property
    def tokens(self) -> int | None:
        return self.answer.prompt_tokens

    @property
    def remembered(self) -> bool:
        return self.word in self.answer.content + self.answer.reasoning
