"""What the requests of a program come to, and how those of two settings of it differ.

Compared is what shapes a model's work: the tools by name, their schemas and the system prompt byte
for byte, the sequence of messages, and the reasoning effort. Names and ids that a program draws
anew for each session are no part of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from kcb_core.codec import canonical, digest

Body = Mapping[str, Any]

_INSTRUCTING = ("system", "developer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text of a request, by which another one is told apart from it."""

    size: int
    """Its length in bytes."""
    sha256: str

    def __str__(self) -> str:
        """Its length."""
        return f"{self.size:,} bytes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The requests of one run of a program, in any of the forms that the proxy speaks."""

    requests: int
    """How many there were."""
    tools: tuple[str, ...]
    """Names of the tools that the first one offers, in its order."""
    tool_schemas: Text
    """What declares them, as canonical JSON."""
    system_prompt: Text
    """The instructions that stand before the task."""
    messages: tuple[str, ...]
    """Roles and types of all messages of the longest one, in order."""
    effort: str
    """Reasoning effort, by whichever member it is asked for; ``none`` if by none."""
    members: tuple[str, ...]
    """Names of the members of the first one."""


def asked(requests: Sequence[Body]) -> Asked:
    """What some requests come to; those without tools beside ones with them are left out.

    Programs have a model name a session or sum it up beside their work.

    Args:
        requests: bodies as the endpoint got them, at least one.
    """
    main = [body for body in requests if body.get("tools")] or list(requests)
    first, longest = main[0], max(main, key=lambda body: len(_conversation(body)))
    return Asked(
        requests=len(requests),
        tools=tool_names(first),
        tool_schemas=_text(canonical(first["tools"]) if first.get("tools") else b""),
        system_prompt=_text("".join(_instructions(first)).encode("utf-8", "replace")),
        messages=tuple(map(_kind, _conversation(longest))),
        effort=effort_of(first),
        members=tuple(sorted(first)),
    )


def tool_names(body: Body) -> tuple[str, ...]:
    """Names of the tools that a request offers; of one that the provider runs, its type."""
    tools = body.get("tools") or ()
    return tuple(str(t.get("function", t).get("name", t.get("type"))) for t in tools)


def effort_of(body: Body) -> str:
    """The reasoning effort that a request asks for, or the tokens that it allows; else ``none``."""
    reasoning, thinking = body.get("reasoning") or {}, body.get("thinking") or {}
    output = body.get("output_config") or {}
    found = (
        body.get("reasoning_effort"),
        reasoning.get("effort"),
        output.get("effort"),
        thinking.get("budget_tokens"),
    )
    return next((str(value) for value in found if value is not None), "none")


def deviations(own: Asked, preset: Asked) -> dict[str, str]:
    """How a preset's requests differ from those with the program's own defaults, by what differs.

    Numbers are differences; names that are gone have a minus, and new ones a plus. A text ``as
    long`` is another one of the same length.
    """
    found = {}
    for name in (each.name for each in fields(Asked)):
        one, other = getattr(own, name), getattr(preset, name)
        if one != other:
            found[name] = _difference(one, other, ordered=name == "messages")
    return found


def _difference(own: Any, preset: Any, *, ordered: bool) -> str:
    if isinstance(own, int):
        return f"{preset - own:+d}"
    if isinstance(own, Text):
        return f"{preset.size - own.size:+d} bytes" if preset.size != own.size else "as long"
    if isinstance(own, str) or ordered:
        one, other = (v if isinstance(v, str) else _run_together(v) for v in (own, preset))
        return f"{one} -> {other}"
    gone = [f"-{name}" for name in own if name not in preset]
    new = [f"+{name}" for name in preset if name not in own]
    return " ".join(gone + new) or "in another order"


def _text(data: bytes) -> Text:
    return Text(size=len(data), sha256=digest(data))


def _run_together(names: Sequence[str]) -> str:
    """Names in order, those that follow each other written once."""
    runs = ((name, len(list(run))) for name, run in itertools.groupby(names))
    return " ".join(name if times == 1 else f"{name}*{times}" for name, times in runs)


def _conversation(body: Body) -> Sequence[Body]:
    held = body.get("messages", body.get("input", ()))
    return held if isinstance(held, list) else ()


def _kind(message: Body) -> str:
    return str(message.get("role") or message.get("type"))


def _instructions(body: Body) -> Iterator[str]:
    """The texts that a program gives its model before the first message of a user."""
    yield from _plain(body.get("system"))
    yield from _plain(body.get("instructions"))
    for message in _conversation(body):
        if message.get("role") in _INSTRUCTING:
            yield from _plain(message.get("content"))


def _plain(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        yield from (part["text"] for part in content if isinstance(part.get("text"), str))
