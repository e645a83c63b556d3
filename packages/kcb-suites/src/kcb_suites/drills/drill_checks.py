"""Checks as they are declared: what is probed, what has to hold, and whose fault it is if not.

There is one field ``fault``, so a check has exactly one: ``tool``, which has no code, or one code
of an agent's fault.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable
from typing import Annotated, Any, Literal

import msgspec

from kcb_core.trial import TOOL_HALLUCINATION, Attribution, Channel, Code

TOOL = "tool"
"""What ``fault`` says where a failure is the tool's."""

EMPTY_TRAJECTORY = Code("ERR_EMPTY_TRAJECTORY")

_Words = Annotated[str, msgspec.Meta(min_length=1)]
_Slug = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
_Fault = Annotated[str, msgspec.Meta(pattern=r"^(tool|ERR_[A-Z0-9]+(_[A-Z0-9]+)*)$")]
Holds = Literal["some", "every", "never"]
"""``some`` of them, ``every`` one that is given, or none."""


class Pattern(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an envelope, or a step, has to be like; a field that is left out matches anything."""

    ok: bool | msgspec.UnsetType = msgspec.UNSET
    """The envelope's own ``ok``."""
    command: _Words | msgspec.UnsetType = msgspec.UNSET
    """The envelope's own ``command``: the tool's word for what it did, and not the agent's."""
    error: _Words | msgspec.UnsetType = msgspec.UNSET
    """The envelope's ``error.code``."""
    hint: _Words | msgspec.UnsetType = msgspec.UNSET
    """A regular expression for the whole of ``error.hint``, or of the envelope's own ``hint``."""
    data: dict[str, Any] = msgspec.field(default_factory=dict)
    """Values below ``data``, by their JSON pointers."""
    exit_status: tuple[int, ...] = ()
    """Exit statuses of the step, any of them."""
    stdout: _Words | msgspec.UnsetType = msgspec.UNSET
    """A regular expression that is found in the step's standard output."""
    stderr: _Words | msgspec.UnsetType = msgspec.UNSET
    """The same of its standard error."""

    def __post_init__(self) -> None:
        if not msgspec.to_builtins(_given(self)):
            raise ValueError("a pattern needs a field: an empty one matches anything")
        for name in ("hint", "stdout", "stderr"):
            _require_regex(name, getattr(self, name))
        for pointer in self.data:
            if pointer and not pointer.startswith("/"):
                raise ValueError(f"field 'data': {pointer!r} is no JSON pointer, such as '/next'")

    @property
    def of_envelope(self) -> bool:
        """Whether it says something of an envelope, and not only of a step."""
        return bool(_given(self).keys() & {"ok", "command", "error", "hint", "data"})


class Check(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"
):
    """What every check declares."""

    check: _Slug
    """Its name, each once in a drill."""
    channel: Channel
    """The part of the tool's output that it probes."""
    fault: _Fault
    """``tool``, or the one code of an agent's fault."""

    def __post_init__(self) -> None:
        self.require_sound()

    def require_sound(self) -> None:
        """Refuse what no decoder sees.

        Raises:
            ValueError: the check contradicts itself.
        """

    @property
    def attribution(self) -> Attribution:
        """Whose fault a failure is."""
        return Attribution.TOOL if self.fault == TOOL else Attribution.AGENT

    @property
    def code(self) -> Code | msgspec.UnsetType:
        """Which fault of the agent; unset for one of the tool."""
        return msgspec.UNSET if self.fault == TOOL else Code(self.fault)

    @property
    def paths(self) -> tuple[str, ...]:
        """Files that it looks at."""
        return ()


class Guard(Check, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="guard"):
    """Fails if no step was executed, such as at an immediate ``done``."""

    def require_sound(self) -> None:
        """Doing nothing is the agent's fault and nobody else's."""
        if self.fault != EMPTY_TRAJECTORY:
            raise ValueError(f"field 'fault': that of a guard is {EMPTY_TRAJECTORY}")


class Spawned(Check, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="spawned"):
    """Fails if for some step no process was started, whatever the agent says of it."""

    def require_sound(self) -> None:
        """It classes one kind of failure, which has a code."""
        if self.fault != TOOL_HALLUCINATION:
            raise ValueError(f"field 'fault': that of a 'spawned' is {TOOL_HALLUCINATION}")


class _Matching(Check, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A check of what was printed, in order."""

    holds: Holds = "some"
    """Which of what is looked at has to be as expected."""
    after: Pattern | msgspec.UnsetType = msgspec.UNSET
    """Only what came later than the first that is like this is looked at."""
    given: Pattern | msgspec.UnsetType = msgspec.UNSET
    """With ``every``: only what is like this is looked at. If nothing is, the check passes."""
    expect: Pattern
    """What has to be, or with ``never`` may not be."""

    def require_sound(self) -> None:
        """Whoever says ``every`` says of what."""
        if (self.holds == "every") != (self.given is not msgspec.UNSET):
            raise ValueError("field 'given' goes with holds = 'every' and no other")


class EnvelopeCheck(
    _Matching, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="envelope"
):
    """Looks at the envelopes that commands printed: JSON objects with ``ok``."""


class StepCheck(_Matching, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="step"):
    """Looks at how executed commands ended, and at what they printed."""

    def require_sound(self) -> None:
        """Only an envelope check parses envelopes."""
        super().require_sound()
        patterns = (self.after, self.given, self.expect)
        if any(isinstance(one, Pattern) and one.of_envelope for one in patterns):
            raise ValueError("what an envelope says is asked by a check of kind 'envelope'")


class _OfFile(Check, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A check of a file in the end."""

    path: _Words
    """The file, below the folder in which commands start."""
    open_after_kill: bool = False
    """Whether nothing can be said of the file after a command was killed."""

    def require_sound(self) -> None:
        """No path leads out."""
        refuse_path(self.path)

    @property
    def paths(self) -> tuple[str, ...]:
        """The one file."""
        return (self.path,)


class FileCheck(_OfFile, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="file"):
    """Looks at the whole of a file. It says one thing about it, or several that hold together."""

    exists: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether it is there."""
    unchanged: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether it is what it was before the first step, byte for byte."""
    text: str | msgspec.UnsetType = msgspec.UNSET
    """All that it says, blanks at both ends left aside."""
    like: _Words | msgspec.UnsetType = msgspec.UNSET
    """A regular expression that is found in it."""
    unlike: _Words | msgspec.UnsetType = msgspec.UNSET
    """One that is not."""
    json: dict[str, Any] = msgspec.field(default_factory=dict)
    """Values in it, by their JSON pointers."""

    def require_sound(self) -> None:
        """There is something to be wrong."""
        super().require_sound()
        said = _given(self).keys() & {"exists", "unchanged", "text", "like", "unlike", "json"}
        if not said:
            raise ValueError("it says nothing of the file that could be wrong")
        _require_regex("like", self.like)
        _require_regex("unlike", self.unlike)


class BlockCheck(_OfFile, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="block"):
    """Looks at the block that a tool keeps inside a file, and at what stands around it."""

    begin: _Words
    """A regular expression for the line that begins the block; a group ``seal`` in it holds the
    first digits of the SHA-256 of the lines between."""
    end: _Words
    """One for the line that ends it."""
    sealed: bool | msgspec.UnsetType = msgspec.UNSET
    """That the block is as the tool wrote it, by its seal."""
    around: Literal["unchanged"] | msgspec.UnsetType = msgspec.UNSET
    """That the lines around it are what they were before the first step."""
    like: _Words | msgspec.UnsetType = msgspec.UNSET
    """A regular expression that is found in the block."""

    def require_sound(self) -> None:
        """There is something to be wrong, and a seal where one is asked for."""
        super().require_sound()
        for name in ("begin", "end", "like"):
            _require_regex(name, getattr(self, name))
        if not (_given(self).keys() & {"sealed", "around", "like"}):
            raise ValueError("it says nothing of the block that could be wrong")
        if self.sealed is False:
            raise ValueError("field 'sealed': a block that must be broken is nobody's aim")
        if self.sealed and "seal" not in re.compile(self.begin).groupindex:
            raise ValueError("field 'begin' needs a group 'seal', such as (?P<seal>[0-9a-f]{12})")


AnyCheck = Guard | Spawned | EnvelopeCheck | StepCheck | FileCheck | BlockCheck


def refuse_path(path: str) -> None:
    """Raise :class:`ValueError` for a path that is not plainly below a folder."""
    parts = path.split("/")
    if "\\" in path or "\0" in path or any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{path!r} is no relative path of plain names with / between them")


def refuse_twice(field: str, names: Iterable[str]) -> None:
    """Raise :class:`ValueError` for a name that stands twice in a field."""
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(f"field {field!r} has {name!r} twice")


def unknown_code(check: Check, codes: Container[str]) -> bool:
    """Whether a check blames the agent for something that no plug-in names."""
    return check.fault != TOOL and check.fault not in codes


def _given(value: msgspec.Struct) -> dict[str, Any]:
    """The fields that say something."""
    found = {f.name: getattr(value, f.name) for f in msgspec.structs.fields(value)}
    return {k: v for k, v in found.items() if v is not msgspec.UNSET and v != {} and v != ()}


def _require_regex(name: str, value: str | msgspec.UnsetType) -> None:
    if value is msgspec.UNSET:
        return
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f"field {name!r}: {value!r} is no regular expression: {error}") from None
