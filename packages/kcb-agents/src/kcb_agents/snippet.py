"""A few lines of Python in the place of a model: for trying out whatever runs agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from kcb_agents.options import read_options
from kcb_core.roles import Generated, Generation, Needs
from kcb_core.transcript import Note

NAME = "snippet"
VERSION = "1"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of the agent ``snippet``."""

    code: str
    """Python that is run, with ``generation`` in scope; it may set ``stop_reason``."""


class Snippet:
    """Runs code of the caller's own in the agent's process, unconfined."""

    name = NAME
    version = VERSION
    asks_model = False

    def check_told(
        self, settings: Mapping[str, Any], options: Mapping[str, str], names: Sequence[str]
    ) -> Needs:
        """See whether there is code; it may use any variable.

        Raises:
            DeclarationError: there is no code, or another option.
        """
        read_options(options, Options, agent=NAME)
        return Needs(variables=None)

    def generate(self, generation: Generation) -> Generated:
        """Run the code, which writes the project.

        Raises:
            DeclarationError: there is no code, or another option.
        """
        options = read_options(generation.options, Options, agent=NAME)
        generation.transcript.record(Note(text=options.code))
        scope: dict[str, Any] = {"generation": generation, "stop_reason": "done"}
        exec(compile(options.code, "<snippet>", "exec"), scope)
        files = sum(path.is_file() for path in generation.project.rglob("*"))
        return Generated(stop_reason=str(scope["stop_reason"]), files=files)
