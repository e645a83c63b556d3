"""One action, as a model writes it: a JSON object with a command line and whether it is done."""

from __future__ import annotations

from dataclasses import dataclass

from kcb_agents.fences import fenced_blocks
from kcb_agents.reply import split_thinking
from kcb_core.codec import parse
from kcb_core.errors import MalformedJson


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAction:
    """What a model wants to be done."""

    command: str | None = None
    """A command line for ``/bin/sh -c``; None if nothing is to be run."""
    done: bool


class NoAction(ValueError):
    """A reply holds no action. Its message is what the model is told."""


def read_action(content: str) -> TurnAction:
    """The action in a reply.

    It is the whole reply, or the one fenced block in it; what the model thought is left aside.

    Raises:
        NoAction: there is none, or one with a field that is wrong.
    """
    said = split_thinking(content)[1].strip()
    blocks = list(fenced_blocks(said))
    text = blocks[0].text if len(blocks) == 1 else said
    if not text.strip():
        raise NoAction("the reply is empty")
    try:
        value = parse(text.strip().encode("utf-8", "surrogatepass"))
    except MalformedJson as error:
        raise NoAction(f"it is no JSON: {error.reason}") from None
    if not isinstance(value, dict):
        raise NoAction("it is no JSON object")
    if unknown := sorted(value.keys() - {"command", "done"}):
        raise NoAction(f"there is no field {unknown[0][:60]!r}")
    if not isinstance(value.get("done"), bool):
        raise NoAction("field 'done' must be true or false")
    command = value.get("command")
    if "command" in value and not isinstance(command, str):
        raise NoAction("field 'command' must be text; leave it out to run nothing")
    if command is not None and (unfit := _unfit(command)):
        raise NoAction(f"field 'command' {unfit}")
    return TurnAction(command=command, done=value["done"])


def _unfit(command: str) -> str:
    """Why the kernel would not take a command line; empty if it would."""
    try:
        data = command.encode("utf-8")
    except UnicodeEncodeError:
        return "holds half of a surrogate pair"
    if b"\0" in data:
        return "holds a NUL character"
    return ""
