"""Envelopes: JSON objects with ``ok`` in what a command printed, and what is looked for in them.

The form is ``{"ok": true, "command": …, "data": …}`` or ``{"ok": false, "command": …, "error":
{"code": …, "message": …, "hint": …}}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from kcb_core.codec import Json, parse
from kcb_core.equality import same
from kcb_core.errors import MalformedJson
from kcb_suites.drills.drill_checks import Pattern
from kcb_suites.drills.evidence import SeenStep

NOWHERE = object()
"""What stands at a JSON pointer that leads nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Something that a pattern is held against: an executed step, and maybe an envelope in it."""

    step: SeenStep
    envelope: Mapping[str, Json] | None = None

    @property
    def error(self) -> Mapping[str, Json]:
        """What the envelope says went wrong; empty if nothing."""
        said = (self.envelope or {}).get("error")
        return said if isinstance(said, dict) else {}

    @property
    def hint(self) -> str:
        """The command that the envelope suggests; empty if none."""
        said = self.error.get("hint") or (self.envelope or {}).get("hint")
        return said if isinstance(said, str) else ""


def steps_of(steps: tuple[SeenStep, ...]) -> Iterator[Seen]:
    """Every executed step, in order."""
    return (Seen(step=step) for step in steps if step.executed)


def envelopes_of(steps: tuple[SeenStep, ...]) -> Iterator[Seen]:
    """Every envelope that executed steps printed, in order."""
    for seen in steps_of(steps):
        for envelope in read_envelopes(seen.step.stdout):
            yield Seen(step=seen.step, envelope=envelope)


def read_envelopes(stdout: bytes) -> Iterator[Mapping[str, Json]]:
    """The envelopes in an output: the whole of it, or else each line that is one."""
    if (whole := _envelope(stdout)) is not None:
        yield whole
        return
    for line in stdout.split(b"\n"):
        if (one := _envelope(line)) is not None:
            yield one


def matches(pattern: Pattern, seen: Seen) -> bool:
    """Whether something is as a pattern says."""
    envelope = seen.envelope or {}
    said = [
        _equals(pattern.ok, envelope.get("ok")),
        _equals(pattern.command, envelope.get("command")),
        _equals(pattern.error, seen.error.get("code")),
        pattern.hint is msgspec.UNSET or bool(re.fullmatch(pattern.hint, seen.hint)),
        not pattern.exit_status or seen.step.exit_status in pattern.exit_status,
        _found(pattern.stdout, seen.step.stdout),
        _found(pattern.stderr, seen.step.stderr),
    ]
    data = envelope.get("data")
    return all(said) and holds_values(data, pattern.data)


def holds_values(value: Json, wanted: Mapping[str, Json]) -> bool:
    """Whether a value holds others at their JSON pointers."""
    found = ((at_pointer(value, pointer), each) for pointer, each in wanted.items())
    return all(one is not NOWHERE and same(each, one) for one, each in found)


def at_pointer(value: Json, pointer: str) -> Json:
    """What stands at a JSON pointer, or :data:`NOWHERE`. Source: RFC 6901."""
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return NOWHERE
    return value


def _envelope(text: bytes) -> Mapping[str, Json] | None:
    if not text.strip().startswith(b"{"):
        return None
    try:
        value = parse(text.strip())
    except MalformedJson:
        return None
    return value if isinstance(value, dict) and isinstance(value.get("ok"), bool) else None


def _equals(wanted: object, found: object) -> bool:
    return wanted is msgspec.UNSET or (type(wanted) is type(found) and wanted == found)


def _found(pattern: str | msgspec.UnsetType, output: bytes) -> bool:
    if pattern is msgspec.UNSET:
        return True
    return bool(re.search(pattern, output.decode("utf-8", "backslashreplace"), re.MULTILINE))
