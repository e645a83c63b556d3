"""The options of the command agent: which program, and within which bounds."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from kcb_agents.bounds import TrialBounds, refuse_prices
from kcb_agents.command.declaration import Declaration, find_declaration, is_path
from kcb_agents.command.premises import Level
from kcb_agents.prices import Price, declared_price
from kcb_core.errors import DeclarationError

NAME = "command"

USUAL_ENVIRONMENT = {
    "OPENAI_BASE_URL": "{base_url}/v1",
    "OPENAI_API_BASE": "{base_url}/v1",
    "OPENAI_MODEL": "{model}",
    "ANTHROPIC_BASE_URL": "{base_url}",
    "ANTHROPIC_MODEL": "{model}",
    "OLLAMA_HOST": "{base_url}",
}
"""What most programs read, for those that are declared by a command line alone."""

Verify = Literal["built", "manifest", "closed"]
"""What is held against a pinned fingerprint before the program is started: the listed files of a
toolchain that was built, those of any toolchain, or those of any and that there are no others."""

USUAL_CREDENTIALS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")


class CommandOptions(TrialBounds, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the command agent: which program, and its bounds."""

    turns: int = 500
    """Most requests that the program may make."""
    tokens: int = 50_000_000
    """Most tokens, estimated as bytes / 4 of all requests and answers, with what frames them."""
    dollars: float | msgspec.UnsetType = msgspec.UNSET
    """Most that the model may cost, as far as its price is known."""
    price_input: float | msgspec.UnsetType = msgspec.UNSET
    """Dollars for a million tokens of prompts, if no list of prices knows it."""
    price_output: float | msgspec.UnsetType = msgspec.UNSET
    """Dollars for a million tokens of answers, thoughts included."""
    program: str = ""
    """A preset, or the path of a declaration."""
    argv: str = ""
    """A command line instead, as a shell splits it, with placeholders."""
    toolchain: str = ""
    """A folder that the program is installed in: ``{toolchain}``, to be read and not written."""
    effort: str = ""
    """Reasoning effort, in the program's own words, in place of the one that is declared."""
    verify: Verify = "built"
    """Which toolchains are refused if they are not as they were pinned."""
    confine: Level = "full"
    """How far the program is confined; never less than this."""
    egress_proxy: str = ""
    """The pinned proxy by which it reaches the network; without one it reaches its model alone."""
    egress_blocked: str = ""
    """Names that the proxy refuses besides those of its blocklist, with commas between."""

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_prices(
            dollars=self.dollars, price_input=self.price_input, price_output=self.price_output
        )
        if bool(self.program) == bool(self.argv):
            raise ValueError("one of the fields 'program' and 'argv' is needed, and not both")
        if self.egress_proxy and self.confine != "full":
            raise ValueError("field 'egress_proxy' needs the level 'full', which keeps to it")
        if self.egress_blocked and not self.egress_proxy:
            raise ValueError("field 'egress_blocked' is of no use without 'egress_proxy'")

    @property
    def is_file(self) -> bool:
        """Whether the program is declared in a file of the caller's."""
        return is_path(self.program)

    def declaration(self) -> Declaration:
        """The program, with the effort that was asked for.

        Raises:
            DeclarationError: there is no such program, or no way to tell it an effort.
            DataError: it is malformed.
        """
        declared = find_declaration(self.program) if self.program else self._of_words()
        if not self.effort:
            return declared
        try:
            return msgspec.structs.replace(declared, effort=self.effort)
        except ValueError as error:
            raise DeclarationError(f"agent {NAME!r}: {error}") from None

    def _of_words(self) -> Declaration:
        """The program that a command line declares; errors as in :meth:`declaration`."""
        words: tuple[str, ...] = ()
        with suppress(ValueError):
            words = tuple(shlex.split(self.argv))
        if not words:
            raise DeclarationError(f"agent {NAME!r}: field 'argv' is no command line")
        try:
            return Declaration(
                format=1,
                name=_name(words[0]),
                argv=words,
                environment=USUAL_ENVIRONMENT,
                credentials=USUAL_CREDENTIALS,
                show=("{toolchain}",) if self.toolchain else (),
            )
        except ValueError as error:
            raise DeclarationError(f"agent {NAME!r}: {error}") from None

    @property
    def blocked_names(self) -> tuple[str, ...]:
        """The further names that the proxy refuses."""
        names = (name.strip() for name in self.egress_blocked.split(","))
        return tuple(name for name in names if name)

    @property
    def declared_price(self) -> Price | None:
        """The price that was declared, if one was."""
        return declared_price(self.price_input, self.price_output)


def _name(program: str) -> str:
    """What a program is called that is declared by a command line alone."""
    return re.sub(r"[^A-Za-z0-9._-]|^[._-]+", "", Path(program).name)[:64] or "program"
