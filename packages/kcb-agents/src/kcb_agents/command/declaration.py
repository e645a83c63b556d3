"""How an external program is declared: its command line, what it is told, and what it may see.

A declaration holds no secret. It names credentials, and what the program finds under such a name is
the token of the metering proxy, whatever the endpoint's real key is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec

from kcb_core.codec import convert, parse_by_name
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.storage import read_bounded

DECLARATION_FORMAT = 1

PLACEHOLDERS = (
    *("prompt", "prompt_file", "project", "home", "base_url", "model", "python", "toolchain"),
    *("effort", "files"),
)
"""What stands in braces in a command line, a value or a path, and is filled in for every task."""

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_EFFORT = re.compile(r"[A-Za-z0-9_-]{0,32}")
_SECRET = re.compile(r"(?:^|_)(?:API_?KEY|AUTH_TOKEN|ACCESS_TOKEN|SECRET|SECRET_KEY|PASSWORD)$")
_PRESETS = "presets"
_TOML = ".toml"

Result = Literal["exit-code", "protocol-v1"]


class Declaration(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One external program."""

    format: int
    name: str
    """What it is called in records."""
    argv: tuple[str, ...]
    """Program and words, without a shell between; with placeholders such as ``{prompt}``."""
    environment: dict[str, str] = msgspec.field(default_factory=dict)
    """Variables that are no secret, with placeholders."""
    credentials: tuple[str, ...] = ()
    """Names of credentials that it needs. Each is a variable that holds the proxy's token."""
    bindings: dict[str, str] = msgspec.field(default_factory=dict)
    """Variable to the credential that it holds, where it is not called like it."""
    effort: str = ""
    """Reasoning effort that it has its model asked for, in its own words: ``{effort}``."""
    files: dict[str, str] = msgspec.field(default_factory=dict)
    """Texts by the names of files in the folder ``{files}``, with placeholders: its settings."""
    deviations: dict[str, str] = msgspec.field(default_factory=dict)
    """How its requests differ from those that it makes with its own defaults, by what differs."""
    result: Result = "exit-code"
    """How it says whether it completed: by its exit code, or by the bundled wrapper's frame."""
    show: tuple[str, ...] = ()
    """Absolute paths that it can read besides the system's programs, with placeholders."""

    def __post_init__(self) -> None:
        if self.format != DECLARATION_FORMAT:
            raise ValueError(f"field 'format': {self.format} is not known")
        if not _NAME.fullmatch(self.name):
            raise ValueError("field 'name' must be letters, digits, '.', '_' and '-'")
        if not self.argv or not self.argv[0]:
            raise ValueError("field 'argv' must name a program")
        for file in self.files:
            if not _NAME.fullmatch(file):
                raise ValueError(f"field 'files': {file!r} is no plain name of a file")
        self._refuse_bad_variables()
        self._refuse_bad_credentials()
        texts = (*self.argv, *self.environment.values(), *self.files.values(), *self.show)
        named = {name for text in texts for name in _PLACEHOLDER.findall(text)}
        for name in sorted(named - set(PLACEHOLDERS)):
            known = ", ".join(PLACEHOLDERS)
            raise ValueError(f"placeholder '{{{name}}}' is not known; known: {known}")
        if not _EFFORT.fullmatch(self.effort):
            raise ValueError("field 'effort' must be letters, digits, '-' and '_', at most 32")
        if self.effort and "effort" not in named:
            raise ValueError("field 'effort': no word says '{effort}', so it would not be told")

    def _refuse_bad_variables(self) -> None:
        for name in (*self.environment, *self.credentials, *self.bindings):
            if not _VARIABLE.fullmatch(name):
                raise ValueError(f"{name!r} is no name of a variable")

    def _refuse_bad_credentials(self) -> None:
        for target, source in self.bindings.items():
            if source not in self.credentials:
                raise ValueError(
                    f"field 'bindings': {target} is bound to {source!r}, which field "
                    "'credentials' does not declare"
                )
        for name in self.environment:
            if name in (*self.credentials, *self.bindings):
                raise ValueError(f"field 'environment': {name} is a credential, and has no value")
            if _SECRET.search(name.upper()):
                raise ValueError(
                    f"field 'environment': {name} is the name of a secret; declare it in field "
                    "'credentials', and it will hold the proxy's token"
                )

    @property
    def holders(self) -> tuple[str, ...]:
        """The variables that hold the token: a credential that is not bound keeps its name."""
        bound = set(self.bindings.values())
        return (*self.bindings, *(name for name in self.credentials if name not in bound))

    def filled(self, fill: Callable[[str], str], token: str) -> Filled:
        """The program for one task.

        Args:
            fill: fills the placeholders of a text in.
            token: what the credentials are worth.
        """
        plain = {name: fill(value) for name, value in self.environment.items()}
        return Filled(
            argv=tuple(fill(word) for word in self.argv),
            environment=plain | dict.fromkeys(self.holders, token),
        )


class Filled(msgspec.Struct, frozen=True, kw_only=True):
    """A program as it is started."""

    argv: tuple[str, ...]
    environment: dict[str, str]


def filler(values: Mapping[str, str]) -> Callable[[str], str]:
    """What fills placeholders in; those values are not looked through again.

    Raises (when it is called):
        DeclarationError: a placeholder has no value here.
    """

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in values:
            raise DeclarationError(f"'{{{name}}}' needs the option {name}=...: --agent-option")
        return values[name]

    return lambda text: _PLACEHOLDER.sub(value, text)


def preset_names() -> tuple[str, ...]:
    """The programs that are declared here."""
    entries = files("kcb_agents.command").joinpath(_PRESETS).iterdir()
    return tuple(sorted(e.name.removesuffix(_TOML) for e in entries if e.name.endswith(_TOML)))


def is_path(name: str) -> bool:
    """Whether a program is named by the path of a declaration, and not as a preset."""
    return "/" in name or name.endswith(_TOML)


def find_declaration(name: str) -> Declaration:
    """The declaration of a preset, or in a file, whose path has a slash or ends in ``.toml``.

    Raises:
        UnknownNameError: there is no such preset.
        DeclarationError: the file cannot be read.
        DataError: it declares no program; the field is named.
    """
    if is_path(name):
        return read_declaration(read_bounded(Path(name)), name)
    if name not in preset_names():
        raise UnknownNameError("program", name, preset_names())
    path = files("kcb_agents.command").joinpath(_PRESETS, name + _TOML)
    return read_declaration(path.read_bytes(), name + _TOML)


def read_declaration(data: bytes, source: str) -> Declaration:
    """The declaration in a document; errors as in :func:`find_declaration`."""
    try:
        return convert(parse_by_name(data, source=source), Declaration, source=source)
    except ValueError as error:
        raise DataError(f"{source}: {error}") from None
