"""External programs as an agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kcb_agents.command.choices import NAME, CommandOptions
from kcb_agents.command.installation import vouched
from kcb_agents.endpoint.asking import turn_at
from kcb_agents.endpoint.settings import EndpointSettings, endpoint_settings
from kcb_agents.endpoint_agent import EndpointAgent
from kcb_agents.options import read_options
from kcb_agents.preamble import COMMAND
from kcb_agents.workspace import options_within
from kcb_core.errors import DeclarationError
from kcb_core.roles import Generated, Generation, Needs

VERSION = "1"


class CommandAgent(EndpointAgent):
    """Lets an external program work, behind a proxy that counts what it asks."""

    name = NAME
    version = VERSION
    opening = COMMAND.text
    takes = CommandOptions

    def check_told(
        self, settings: Mapping[str, Any], options: Mapping[str, str], names: Sequence[str]
    ) -> Needs:
        """See whether a program is declared, and asked for what it can be asked for.

        Raises:
            DeclarationError: a setting, an option or the declaration is wrong.
            DataError: the declaration is malformed.
        """
        needs = super().check_told(settings, options, names)
        _refuse_settings(endpoint_settings(settings))
        chosen = read_options(options, CommandOptions, agent=NAME)
        chosen.declaration()
        return replace(needs, files={"program": Path(chosen.program)} if chosen.is_file else {})

    def preflight_egress(self, proxy: str, blocked: Sequence[str]) -> None:
        """See whether a program can be kept to a proxy here.

        Raises:
            DeclarationError: it is not the pinned one, a name to refuse means nothing, or this
                machine lacks something for it.
        """
        from kcb_agents.egress.passage import require_means  # noqa: PLC0415

        require_means(proxy, blocked)

    def preflight_installation(self, options: Mapping[str, str]) -> None:
        """See whether the program's toolchain is the one that was pinned, if it must be.

        Raises:
            DeclarationError: an option is wrong, there is no such folder, or nothing is pinned.
            DataError: a file differs from what was pinned.
            MachineError: the folder cannot be read.
        """
        vouched(read_options(options, CommandOptions, agent=NAME))

    def generate(self, generation: Generation) -> Generated:
        """Let the program write one project.

        Raises:
            DeclarationError: a setting, an option or the declaration is wrong.
            DataError: the declaration is malformed.
            MachineError: the endpoint or this machine failed; nothing is said of the model.
        """
        # Its proxy is heavy, and whoever asks another agent need not wait for it.
        from kcb_agents.command.run import Run  # noqa: PLC0415

        given = options_within(generation, "turns", "seconds")
        options = read_options(given, CommandOptions, agent=NAME)
        declaration = options.declaration()
        line = self._lines.line(generation)
        connection = line.asking.connection
        _refuse_settings(connection.settings)
        with turn_at(connection, generation.tell):
            return Run(
                generation=generation,
                options=options,
                declaration=declaration,
                line=line,
                clock=self._clock,
            ).conduct()


def _refuse_settings(settings: EndpointSettings) -> None:
    """Make sure that nothing was asked for that only the program itself could do."""
    if names := sorted(settings.asked_for):
        raise DeclarationError(
            f"agent {NAME!r}: the program itself decides on {', '.join(names)}; leave that out"
        )
