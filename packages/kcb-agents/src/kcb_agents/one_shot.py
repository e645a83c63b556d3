"""The agent that asks once: preamble and prompt there, one reply back, and its files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any

import msgspec

from kcb_agents.endpoint.conversation import Answer, Message, Stop
from kcb_agents.endpoint.failure import ContextCut, EndpointError
from kcb_agents.endpoint_agent import EndpointAgent
from kcb_agents.line import Line
from kcb_agents.options import NoOptions, read_options
from kcb_agents.preamble import ONE_SHOT, ONE_SHOT_WORKSPACE, Preamble
from kcb_agents.project import path_fault, project_fault, tree_fault, write_project
from kcb_agents.record import StopReason
from kcb_agents.recording import record_message, record_reply, record_request
from kcb_agents.reply import ENTRYPOINT, Reply, read_reply, split_thinking
from kcb_agents.shown_files import shown_files
from kcb_agents.workspace import files_at_start
from kcb_core.codec import canonical, parse
from kcb_core.roles import Generated, Generation
from kcb_core.run_record import RunRecord
from kcb_core.submission import Submission, SubmittedFile
from kcb_core.transcript import Refusal
from kcb_core.transcript_file import TranscriptWriter

NOTHING = Submission(files=())

_CUT_SHORT = {
    Stop.LENGTH: (StopReason.OUTPUT_LIMIT, "an output limit cut the reply"),
    Stop.REPETITION: (StopReason.REPETITION, "the model said the same over and over"),
    Stop.TIME: (StopReason.TIME, "the model was still at it when the time was up"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedIn:
    """What a reply comes to."""

    stop_reason: StopReason
    reason: str = ""
    submission: Submission = NOTHING
    notes: tuple[str, ...] = ()


class OneShot(EndpointAgent):
    """Asks an endpoint once for each task, without tools.

    The model is told the preamble and the prompt, in one message of the user: the chat templates of
    some small models refuse a system message (vllm-project/vllm#2964, sgl-project/sglang#892).
    Nothing that a model said is kept from one task to the next.
    """

    name = ONE_SHOT.name
    version = ONE_SHOT.version
    opening = ONE_SHOT.text
    takes = NoOptions

    def generate(self, generation: Generation) -> Generated:
        """Ask for one project.

        Raises:
            DeclarationError: a setting is missing or wrong.
            EndpointError: the endpoint failed; nothing is said of the model.
        """
        return self.conduct(generation, self._lines.line(generation))

    def conduct(self, generation: Generation, line: Line) -> Generated:
        """Ask whoever is at the end of a line, once; errors as in :meth:`generate`.

        A workspace that is not empty at first goes into the message, as far as it has room.
        """
        read_options(generation.options, self.takes, agent=self.name)
        start = None if generation.start is None else files_at_start(generation.start)
        (message,) = conversation(generation.prompt, start)
        answer: Answer | None = None
        why_not = line.model(inf).forbids([message])
        try:
            answer = None if why_not else self._asked(line, message, generation.transcript)
        except KeyboardInterrupt:
            handed_in = HandedIn(stop_reason=StopReason.CANCELLED)
        except ContextCut as error:
            handed_in = HandedIn(stop_reason=StopReason.CONTEXT_CUT, reason=error.reason)
        except EndpointError as error:
            if not error.rate_limited:
                raise
            handed_in = HandedIn(stop_reason=StopReason.RATE_LIMITED, reason=error.reason)
        else:
            handed_in = hand_in(answer, start) if answer else _out_of_tokens(why_not)
        write_project(handed_in.submission, generation.project)
        told = {
            **line.told(answer),
            **(_answered(answer) if answer else {}),
            "preamble": _preamble(start).stamp,
            **({"bounds": {"seconds": line.timeout_s}} if line.timeout_s else {}),
            "reason": handed_in.reason,
            "notes": (*handed_in.notes, *line.remarks(answer)),
            "run_record": _run_record(line, answer, _preamble(start)),
        }
        return Generated(
            stop_reason=handed_in.stop_reason,
            files=len(handed_in.submission.files),
            record=parse(canonical(told)),
        )

    def _asked(self, line: Line, message: Message, transcript: TranscriptWriter) -> Answer:
        """What the model answers to one message; both are recorded."""
        number = record_message(transcript, message)
        record_request(transcript, [(number, message)])
        begun = self._clock.monotonic()
        try:
            answer = line.model(inf).ask([message])
        except EndpointError as error:
            transcript.record(Refusal(turn=1, error=error.reason, unbilled=not error.billable))
            raise
        record_reply(transcript, answer, wall_s=self._clock.monotonic() - begun)
        return answer


def _out_of_tokens(why: str) -> HandedIn:
    return HandedIn(stop_reason=StopReason.TOKENS, reason=why)


def conversation(prompt: str, start: Submission | None = None) -> tuple[Message, ...]:
    """All that a model is told: the preamble and the prompt, and the files that are there already.

    Raises:
        DeclarationError: these are too long to be shown.
    """
    text = _preamble(start).text + prompt
    return (Message(role="user", text=text if start is None else text + shown_files(start)),)


def hand_in(answer: Answer, start: Submission | None = None) -> HandedIn:
    """What an answer comes to: its files if they are a project, and why it ended.

    Args:
        answer: the model's.
        start: the files that were there already; with those of the answer they are the project.
    """
    thought, said = split_thinking(answer.content)
    known = () if start is None else [file.path for file in start.files]
    reply = read_reply(said, entrypoint=ENTRYPOINT if start is None else "", known=known)
    if not said.strip() and (thought + answer.reasoning).strip():
        found = HandedIn(
            stop_reason=StopReason.REASONING_ONLY, reason="the model thought, and said nothing"
        )
    elif not reply.files:
        found = HandedIn(stop_reason=StopReason.NO_PROJECT, reason=_why_nothing(answer, said))
    else:
        found = _project(reply, start)
    if start is not None and found.submission is NOTHING:
        found = replace(found, submission=start)
    if answer.stop not in _CUT_SHORT:
        return found
    stop_reason, reason = _CUT_SHORT[answer.stop]
    return replace(found, stop_reason=stop_reason, reason=found.reason or reason)


def _project(reply: Reply, start: Submission | None) -> HandedIn:
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
    if start is None:
        fault = project_fault(submission)
    else:
        fault = next(filter(None, (path_fault(f.path, hidden=True) for f in files)), "")
        submission = _laid_over(start, submission)
        fault = fault or tree_fault(submission)
    if fault:
        return HandedIn(stop_reason=StopReason.NO_PROJECT, reason=fault, notes=reply.notes)
    return HandedIn(stop_reason=StopReason.DONE, submission=submission, notes=reply.notes)


def _laid_over(start: Submission, given: Submission) -> Submission:
    """Both together; a file that is there keeps its place, and whether it is executable."""
    files = {file.path: file for file in start.files}
    for file in given.files:
        executable = file.path in files and files[file.path].executable
        files[file.path] = replace(file, executable=executable)
    return Submission(files=tuple(sorted(files.values())))


def _preamble(start: Submission | None) -> Preamble:
    return ONE_SHOT if start is None else ONE_SHOT_WORKSPACE


def _why_nothing(answer: Answer, said: str) -> str:
    if answer.calls:
        return "the model called a tool, though none was offered"
    if not said.strip():
        return "the reply is empty"
    return "the reply holds no file: no fenced block with a path, and no single Python block"


def _answered(answer: Answer) -> dict[str, Any]:
    """What a record says of the answer."""
    return {
        "finish_reason": answer.finish_reason,
        **({"usage": answer.usage} if answer.usage else {}),
        "reply": answer.content,
        "reasoning": answer.reasoning,
    }


def _run_record(line: Line, answer: Answer | None, preamble: Preamble) -> RunRecord:
    """The part of a run record that this agent knows."""
    usage = answer.usage if answer else None
    return msgspec.structs.replace(
        line.run_record(),
        tools=(),
        preamble_sha256=preamble.stamp.sha256,
        usage=usage or msgspec.UNSET,
        budget=f"one reply within {line.timeout_s:g} s" if line.timeout_s else msgspec.UNSET,
        memory_reset=True,
        workspace_reset=True,
        seen_tasks=(),
    )
