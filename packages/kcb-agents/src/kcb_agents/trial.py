"""One trial: a model that is asked in turns, its context, and the transcript of all of it.

The context is what this module puts there and nothing else; each message of it stands in the
transcript before it is sent for the first time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kcb_agents.bounds import Meter, length_of, length_of_answer
from kcb_agents.endpoint.conversation import Answer, Message, Model, Stop, Tool
from kcb_agents.endpoint.failure import EndpointError
from kcb_agents.record import StopReason
from kcb_agents.recording import record_message, record_reply, record_request
from kcb_agents.shell import Ran, Shell
from kcb_agents.tariff import UNKNOWN, Tariff
from kcb_core import transcript as kept
from kcb_core.run_record import Usage
from kcb_core.transcript_file import TranscriptWriter

Connect = Callable[[float], Model]
"""The model, as one that has this many seconds for its next answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a trial ended."""

    stop_reason: StopReason
    reason: str = ""
    fault: str = ""
    """Code of a fault of the agent, if that is what ended it."""


_BROKEN_OFF = {
    Stop.REPETITION: (StopReason.REPETITION, "the model said the same over and over"),
    Stop.TIME: (StopReason.TIME, "the model was still at it when the time was up"),
}


def broken_off(answer: Answer) -> Ended | None:
    """How a trial ends whose latest answer was not heard to its end; None if it was."""
    if answer.stop not in _BROKEN_OFF:
        return None
    stop_reason, reason = _BROKEN_OFF[answer.stop]
    return Ended(stop_reason=stop_reason, reason=reason)


@dataclass(slots=True, kw_only=True)
class Trial:
    """One model at one task."""

    connect: Connect
    shell: Shell
    transcript: TranscriptWriter
    meter: Meter
    tools: tuple[Tool, ...] = ()
    tariff: Tariff = UNKNOWN
    context: list[tuple[int, Message]] = field(default_factory=list)
    """The messages that are sent, each with its number in the transcript."""
    usages: list[Usage | None] = field(default_factory=list)
    """What the provider stated for each answer that counts; None where it stated nothing."""
    latest: Answer | None = None
    """The latest answer that counts."""

    @property
    def messages(self) -> list[Message]:
        """The context without the numbers."""
        return [message for _, message in self.context]

    @property
    def turn(self) -> int:
        """Number of the latest turn."""
        return self.meter.turns

    def add(self, message: Message) -> None:
        """Put a message at the end of the context."""
        self.context.append((self.enter(message), message))

    def enter(self, message: Message) -> int:
        """Record a message that is to be sent, and give its number."""
        return record_message(self.transcript, message, self.turn)

    def bound_reached(self) -> Ended | None:
        """How the trial ends if another turn is forbidden."""
        reason = self.meter.reached(length_of(self.messages, self.tools))
        if reason:
            return Ended(stop_reason=reason, reason=self.meter.said(reason))
        if why := self.forbidden(self.messages):
            return Ended(stop_reason=StopReason.TOKENS, reason=why)
        return None

    def forbidden(self, messages: list[Message]) -> str:
        """Why the model may not be asked with these messages; empty if it may."""
        return self.connect(self.meter.left_s).forbids(messages, self.tools)

    def ask(self) -> Answer:
        """The model's next turn, which enters its context as its own message.

        Raises:
            EndpointError: it did not answer.
        """
        self.meter.turns += 1
        answer = self.consult(self.context, self.tools)
        self.count(answer)
        self.add(Message(role="assistant", text=answer.content, calls=answer.calls))
        return answer

    def consult(
        self, context: list[tuple[int, Message]], tools: tuple[Tool, ...], purpose: str = "turn"
    ) -> Answer:
        """Ask with any context, and record request and reply; it is for the caller to count it."""
        messages = [message for _, message in context]
        record_request(self.transcript, context, tools, turn=self.turn, purpose=purpose)
        self.meter.characters += length_of(messages, tools)
        begun = self.meter.clock.monotonic()
        try:
            answer = self.connect(self.meter.left_s).ask(messages, tools)
        except EndpointError as error:
            self.transcript.record(
                kept.Refusal(turn=self.turn, error=str(error), unbilled=not error.billable)
            )
            raise
        self.meter.characters += length_of_answer(answer)
        wall_s = self.meter.clock.monotonic() - begun
        record_reply(self.transcript, answer, self.turn, wall_s, self.tariff.cost(answer.usage))
        return answer

    def count(self, answer: Answer) -> None:
        """Count usage and cost of an answer."""
        self.usages.append(answer.usage)
        self.meter.pay(self.tariff.cost(answer.usage))
        self.latest = answer

    def run(self, argv: tuple[str, ...], timeout_s: float, stdin: bytes = b"") -> Ran:
        """Run a command within its own bound and that of the trial."""
        return self.shell.run(argv, timeout_s=min(timeout_s, self.meter.left_s), stdin=stdin)

    def record_outcome(self, ran: Ran, call_id: str = "") -> None:
        """Record how a command ended, its streams byte for byte."""
        self.transcript.record(
            kept.Outcome(
                turn=self.turn,
                call_id=call_id,
                ending=ran.ending,
                status=ran.status,
                wall_s=round(ran.wall_s, 3),
                stdout=self.transcript.stream(ran.stdout, lost=ran.stdout_lost),
                stderr=self.transcript.stream(ran.stderr, lost=ran.stderr_lost),
            )
        )


def shorten(text: str, limit: int) -> str:
    """A text as a model is shown it: if too long, its beginning and end, with what is left out."""
    if len(text) <= limit:
        return text
    head, tail = limit - limit // 2, limit // 2
    left_out = len(text) - head - tail
    return f"{text[:head]}\n[... {left_out} characters left out ...]\n{text[len(text) - tail :]}"
