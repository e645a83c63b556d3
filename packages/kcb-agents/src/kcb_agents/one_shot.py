"""The agent that asks once: preamble and prompt there, one reply back, and its files."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from kcb_agents.endpoint.address import is_loopback
from kcb_agents.endpoint.client import Endpoint, post
from kcb_agents.endpoint.clock import Clock, SystemClock
from kcb_agents.endpoint.completion import Completion, read_completion
from kcb_agents.endpoint.retry import Question
from kcb_agents.endpoint.settings import ChatSettings, chat_settings
from kcb_agents.preamble import ONE_SHOT
from kcb_agents.project import project_fault, write_project
from kcb_agents.record import EndpointStamp, ModelIds, StopReason
from kcb_agents.reply import Reply, read_reply, split_thinking
from kcb_core.codec import canonical, parse
from kcb_core.roles import Generated, Generation
from kcb_core.run_record import RunRecord
from kcb_core.submission import Submission, SubmittedFile

API = "openai-chat"

NOTHING = Submission(files=())


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedIn:
    """What a reply comes to."""

    stop_reason: StopReason
    reason: str = ""
    submission: Submission = NOTHING
    notes: tuple[str, ...] = ()


class OneShot:
    """Asks an OpenAI-style endpoint once for each task, without tools.

    The model is told the preamble and the prompt, in one message of the user: the chat templates of
    some small models refuse a system message (vllm-project/vllm#2964, sgl-project/sglang#892).
    Nothing is kept from one task to the next.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()

    @property
    def name(self) -> str:
        """Its name for ``--agent``."""
        return ONE_SHOT.name

    @property
    def version(self) -> str:
        """Raised with the preamble, or when replies are read in another way."""
        return ONE_SHOT.version

    def generate(self, generation: Generation) -> Generated:
        """Ask for one project.

        Raises:
            DeclarationError: a setting is missing or wrong.
            EndpointError: the endpoint failed; nothing is said of the model.
        """
        settings = chat_settings(generation.settings)
        endpoint = settings.endpoint()
        body = request_body(settings, generation.prompt)
        question = Question(clock=self._clock, tell=generation.tell)
        completion: Completion | None = None
        try:
            completion = question.ask(
                lambda: read_completion(post(endpoint, body, self._clock), endpoint.url)
            )
        except KeyboardInterrupt:
            handed_in = HandedIn(stop_reason=StopReason.CANCELLED)
        else:
            handed_in = hand_in(completion) if completion else _put_off(question)
        write_project(handed_in.submission, generation.project)
        told = {
            **_asked(settings, endpoint, question),
            **(_answered(settings, completion) if completion else {}),
            "reason": handed_in.reason,
            "notes": handed_in.notes,
            "run_record": _run_record(settings, endpoint, question, completion),
        }
        return Generated(
            stop_reason=handed_in.stop_reason,
            files=len(handed_in.submission.files),
            record=parse(canonical(told)),
            transcript=_transcript(body, completion),
        )


def request_body(settings: ChatSettings, prompt: str) -> dict[str, Any]:
    """The request: one message, and the sampling parameters that were given."""
    return {
        "model": settings.model,
        "messages": [{"role": "user", "content": ONE_SHOT.text + prompt}],
        "stream": False,
        **settings.sampled,
    }


def hand_in(completion: Completion) -> HandedIn:
    """What a completion comes to: its files if they are a project, and why it ended."""
    thought, said = split_thinking(completion.content)
    reply = read_reply(said)
    if not said.strip() and (thought + completion.reasoning).strip():
        found = HandedIn(
            stop_reason=StopReason.REASONING_ONLY, reason="the model thought, and said nothing"
        )
    elif not reply.files:
        found = HandedIn(stop_reason=StopReason.NO_PROJECT, reason=_why_nothing(completion, said))
    else:
        found = _project(reply)
    if completion.cut:
        reason = found.reason or "an output limit cut the reply"
        return replace(found, stop_reason=StopReason.OUTPUT_LIMIT, reason=reason)
    return found


def _project(reply: Reply) -> HandedIn:
    """The files of a reply as a project, or why they are none."""
    try:
        files = [
            SubmittedFile(path=path, data=text.encode("utf-8"))
            for path, text in sorted(reply.files.items())
        ]
    except UnicodeEncodeError:
        return HandedIn(
            stop_reason=StopReason.INVALID_OUTPUT,
            reason="a file holds half of a surrogate pair",
            notes=reply.notes,
        )
    submission = Submission(files=tuple(files))
    if fault := project_fault(submission):
        return HandedIn(stop_reason=StopReason.NO_PROJECT, reason=fault, notes=reply.notes)
    return HandedIn(stop_reason=StopReason.DONE, submission=submission, notes=reply.notes)


def _why_nothing(completion: Completion, said: str) -> str:
    if completion.called_tool:
        return "the model called a tool, though none was offered"
    if not said.strip():
        return "the reply is empty"
    return "the reply holds no file: no fenced block with a path, and no single Python block"


def _put_off(question: Question) -> HandedIn:
    return HandedIn(stop_reason=StopReason.RATE_LIMITED, reason=question.attempts[-1].error)


def _asked(settings: ChatSettings, endpoint: Endpoint, question: Question) -> dict[str, Any]:
    """What a record says of the asking."""
    return {
        "endpoint": EndpointStamp(api=API, base_url=endpoint.base_url),
        "model": ModelIds(asked=settings.model),
        "preamble": ONE_SHOT.stamp,
        "attempts": question.attempts,
        "waited_s": sum(attempt.wait_s for attempt in question.attempts),
    }


def _answered(settings: ChatSettings, completion: Completion) -> dict[str, Any]:
    """What a record says of the answer."""
    return {
        "model": ModelIds(asked=settings.model, answered=completion.model),
        "finish_reason": completion.finish_reason,
        **({"usage": completion.usage} if completion.usage else {}),
        "reply": completion.content,
        "reasoning": completion.reasoning,
    }


def _run_record(
    settings: ChatSettings, endpoint: Endpoint, question: Question, completion: Completion | None
) -> RunRecord:
    """The part of a run record that this agent knows."""
    usage = completion.usage if completion else None
    here = f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs"
    return RunRecord(
        model_name=settings.model,
        sampling=settings.sampling if settings.sampled else msgspec.UNSET,
        seed=settings.seed,
        tools=(),
        preamble_sha256=ONE_SHOT.stamp.sha256,
        usage=usage or msgspec.UNSET,
        host=here if is_loopback(endpoint.base_url) else msgspec.UNSET,
        budget=f"one reply within {settings.timeout_s:g} s",
        memory_reset=True,
        workspace_reset=True,
        seen_tasks=(),
        retries=max(0, len(question.attempts) - 1),
    )


def _transcript(
    body: Mapping[str, Any], completion: Completion | None
) -> tuple[dict[str, Any], ...]:
    asked = {"event": "request", "body": dict(body)}
    return (asked, {"event": "reply", "body": completion.raw}) if completion else (asked,)
