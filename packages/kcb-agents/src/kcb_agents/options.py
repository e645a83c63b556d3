"""Options of an agent, as text from the command line, decoded strictly into what it declares."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

import msgspec

from kcb_core.codec import explain
from kcb_core.errors import DeclarationError

T = TypeVar("T", bound=msgspec.Struct)


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an agent declares that has no options."""


def split_options(words: Iterable[str]) -> dict[str, str]:
    """Options of an agent by name, as they stand on the command line.

    Raises:
        DeclarationError: one is no ``NAME=VALUE``, or stands twice.
    """
    options: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals):
            raise DeclarationError(f"--agent-option {word!r}: must be NAME=VALUE")
        if name in options:
            raise DeclarationError(f"--agent-option {name}: is given twice")
        options[name] = value
    return options


def read_options(given: Mapping[str, str], type_: type[T], *, agent: str) -> T:
    """An agent's options with their types.

    Args:
        given: values by name, as text.
        type_: a struct whose fields are the options.
        agent: whose they are, to start an error message with.

    Raises:
        DeclarationError: one is unknown, missing or wrong; the nearest known name is given.
    """
    known = [field.encode_name for field in msgspec.structs.fields(type_)]
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(known)}"
            raise DeclarationError(
                f"agent {agent!r} has no option {name!r}" + (hint if known else "; it has none")
            )
    try:
        return msgspec.convert(dict(given), type_, strict=False)
    except msgspec.ValidationError as error:
        raise DeclarationError(f"agent {agent!r}: {explain(error, type_)}") from None
