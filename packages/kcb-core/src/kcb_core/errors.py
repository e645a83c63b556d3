"""The one tree of errors, and the exit status that each branch means.

::

    KcbError
    ├── DeclarationError     somebody declared something wrongly            (exit 2)
    │   ├── UnknownNameError     a name that nothing answers to
    │   ├── DuplicateNameError   one name, two owners
    │   └── PluginLoadError      a plug-in that was needed and cannot be loaded
    ├── DataError            bytes that are malformed, foreign or too new   (exit 2)
    │   └── MalformedJson        text that is not strict JSON
    └── MachineError         this machine failed; nothing is said of any submission (exit 3)

What a submission does wrong is never an exception: it is a failure in a report.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from enum import IntEnum
from typing import Any, ClassVar


class ExitStatus(IntEnum):
    """What a command's exit status means, the same for every command."""

    DONE = 0
    """The command did what it was asked for."""
    FAILED = 1
    """A submission, a validation or a gate failed."""
    INVALID = 2
    """The invocation or its input was invalid."""
    MACHINERY = 3
    """This machine or this program failed; it says nothing about any submission."""
    CANNOT_TELL = 4
    """A gate was asked and the data do not answer; nothing passed and nothing failed."""
    INTERRUPTED = 130
    """The user stopped it."""


class KcbError(Exception):
    """Any error that Klein-Code-Bench raises on purpose.

    Attributes:
        exit_status: the exit status of a command that ends with this error.
    """

    exit_status: ClassVar[ExitStatus] = ExitStatus.MACHINERY

    def __reduce__(self) -> tuple[Any, ...]:
        """How an error crosses processes: with its message and fields, not by its constructor."""
        return _rebuild, (type(self), self.args, vars(self))


def _rebuild(kind: type[KcbError], args: tuple[Any, ...], fields: dict[str, Any]) -> KcbError:
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(fields)
    return error


class DeclarationError(KcbError):
    """Somebody declared something wrongly: a family, a plug-in, an option, a path."""

    exit_status = ExitStatus.INVALID


class UnknownNameError(DeclarationError):
    """A name was asked for that nothing answers to.

    Attributes:
        noun: what the name should have named, for instance ``task``.
        name: the name that was asked for.
        known: the names that exist.
        broken: descriptions of plug-ins that could not be loaded and might have owned the name.
    """

    def __init__(
        self, noun: str, name: str, known: Iterable[str], broken: Iterable[str] = ()
    ) -> None:
        self.noun = noun
        self.name = name
        self.known = tuple(known)
        self.broken = tuple(broken)
        super().__init__(self._message())

    def _message(self) -> str:
        message = f"unknown {self.noun} {self.name!r}"
        near = difflib.get_close_matches(self.name, self.known, n=1)
        if near:
            message += f"; did you mean {near[0]!r}?"
        elif 0 < len(self.known) <= 12:
            message += f"; known: {', '.join(self.known)}"
        elif not self.known:
            message += f"; no {self.noun} is installed"
        if self.broken:
            message += f" (plug-ins that could not be loaded: {'; '.join(self.broken)})"
        return message


class DuplicateNameError(DeclarationError):
    """Two plug-ins declare the same name.

    Attributes:
        noun: what the name names.
        name: the name.
        owners: the two plug-ins.
    """

    def __init__(self, noun: str, name: str, owners: tuple[str, str]) -> None:
        self.noun = noun
        self.name = name
        self.owners = owners
        super().__init__(
            f"{noun} {name!r} is declared by both {owners[0]} and {owners[1]}; uninstall one"
        )


class PluginLoadError(DeclarationError):
    """A plug-in that the command needs cannot be loaded.

    Attributes:
        plugin: the entry point and distribution of the plug-in.
    """

    def __init__(self, plugin: str, reason: str) -> None:
        self.plugin = plugin
        super().__init__(f"plug-in {plugin} cannot be loaded: {reason}")


class DataError(KcbError):
    """Bytes differ from their digest, are malformed, or are of a format this version does not know.

    The message starts with the file and the field, where there are such.
    """

    exit_status = ExitStatus.INVALID


class MalformedJson(DataError):
    """Text that is not one strict JSON value.

    Attributes:
        reason: what is wrong, without the text itself.
    """

    def __init__(self, reason: str, source: str = "") -> None:
        self.reason = reason
        super().__init__(f"{source}: {reason}" if source else reason)


class MachineError(KcbError):
    """This machine failed at something: a disk, a sandbox, an engine.

    It says nothing about the submission in hand, which can be evaluated again.
    """

    exit_status = ExitStatus.MACHINERY
