"""Scripts of a replay: what a model answers, written by a person or taken from a transcript."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from kcb_agents.endpoint.conversation import Answer, Stop, ToolCall
from kcb_core.codec import ascii_line, convert, parse_by_name
from kcb_core.errors import DataError, DeclarationError
from kcb_core.storage import read_bounded
from kcb_core.transcript import Reply
from kcb_core.transcript_file import is_transcript, read_transcript

SCRIPT_KIND = "replay"
SCRIPT_FORMAT = 1

SUFFIXES = (".toml", ".json", ".jsonl")
"""What scripts are called in a folder of scripts, each behind the name of what is made."""

Played = Literal["one-shot", "action-loop", "coding"]


class ScriptedCall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool that the scripted model asks for."""

    name: str
    arguments: dict[str, Any] | str = ""
    """As an object, or as text where the script is about arguments that are no JSON."""


class ScriptedReply(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One answer of the scripted model."""

    content: str = ""
    reasoning: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    stop: Stop = Stop.END
    """Why it ended; ``tools`` wherever there are calls."""


class ScriptedAction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One action of a trajectory, for the action loop."""

    command: str | msgspec.UnsetType = msgspec.UNSET
    done: bool = False


class Script(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A script, as a TOML or JSON file holds it."""

    kind: Literal["replay"]
    format: Literal[1]
    agent: Played
    """Whose model it plays."""
    replies: tuple[ScriptedReply, ...] = ()
    """What the model answers, in order."""
    actions: tuple[ScriptedAction, ...] = ()
    """A trajectory of the action loop, instead of replies."""

    def __post_init__(self) -> None:
        if bool(self.replies) == bool(self.actions):
            raise ValueError("it must hold either 'replies' or 'actions'")
        if self.actions and self.agent != "action-loop":
            raise ValueError("field 'actions': only the agent 'action-loop' acts by these")

    def answers(self) -> list[Answer]:
        """What the model answers, in order."""
        if self.actions:
            written = [ascii_line(msgspec.to_builtins(action)) for action in self.actions]
            return [Answer(content=text, stop=Stop.END) for text in written]
        return [_answer(reply, number) for number, reply in enumerate(self.replies, 1)]


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played."""

    agent: str
    answers: tuple[Answer, ...]
    source: Path
    """The file that it is from."""


def find_script(place: Path, name: str) -> Path:
    """The script at a place: the file itself, or the one in a folder that is called by a name.

    Raises:
        DeclarationError: there is none, or more than one.
    """
    if not place.exists():
        raise DeclarationError(
            f"{place}: there is no such script, or folder of scripts; a relative path is read from "
            "the folder that the command is started in"
        )
    if not place.is_dir():
        return place
    found = [path for suffix in SUFFIXES if (path := place / f"{name}{suffix}").is_file()]
    if len(found) != 1:
        count = "no script" if not found else "more than one script"
        raise DeclarationError(f"{place}: there is {count} for {name!r}, such as {name}.toml")
    return found[0]


def read_script(path: Path) -> Play:
    """A script, or the model's part of a transcript.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it is malformed, or nothing can be played from it.
    """
    if is_transcript(path):
        return _from_transcript(path)
    source = str(path)
    script = convert(parse_by_name(read_bounded(path), source=source), Script, source=source)
    return Play(agent=script.agent, answers=tuple(script.answers()), source=path)


def _from_transcript(path: Path) -> Play:
    transcript = read_transcript(path)
    replies = [entry.event for entry in transcript.entries if isinstance(entry.event, Reply)]
    if not replies:
        raise DataError(f"{path}: holds no reply of a model")
    answers = tuple(
        Answer(
            content=reply.content,
            reasoning=reply.reasoning,
            calls=tuple(ToolCall(id=c.id, name=c.name, arguments=c.arguments) for c in reply.calls),
            finish_reason=reply.finish_reason,
            stop=Stop.TOOLS if reply.calls else Stop.END,
        )
        for reply in replies
    )
    return Play(agent=transcript.head.agent, answers=answers, source=path)


def _answer(reply: ScriptedReply, number: int) -> Answer:
    calls = tuple(
        ToolCall(
            id=f"call-{number}-{place}",
            name=call.name,
            arguments=call.arguments
            if isinstance(call.arguments, str)
            else ascii_line(call.arguments),
        )
        for place, call in enumerate(reply.calls, 1)
    )
    return Answer(
        content=reply.content,
        reasoning=reply.reasoning,
        calls=calls,
        stop=Stop.TOOLS if calls else reply.stop,
    )
