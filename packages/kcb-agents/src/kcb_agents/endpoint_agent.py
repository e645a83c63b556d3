"""What all agents share that ask a model behind an endpoint."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from kcb_agents.endpoint.address import clean_base_url
from kcb_agents.endpoint.clock import Clock, SystemClock
from kcb_agents.endpoint.connection import refuse_unsendable
from kcb_agents.endpoint.forms import FORMS
from kcb_agents.endpoint.settings import endpoint_settings
from kcb_agents.endpoint_line import EndpointLines
from kcb_agents.options import read_options
from kcb_core.roles import Needs


class EndpointAgent:
    """Asks an endpoint; the kinds differ in what they say, and how answers become a project."""

    name: str
    """Its name for ``--agent``."""
    version: str
    """Raised with what it says first, or when it asks, reads or shows in another way."""
    asks_model = True
    """It does, or the program does that it runs."""
    opening: str
    """What the model is told before the task."""
    takes: type[msgspec.Struct]
    """Its options, with their types."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._lines = EndpointLines(self._clock)

    def check_told(
        self, settings: Mapping[str, Any], options: Mapping[str, str], names: Sequence[str]
    ) -> Needs:
        """See whether it could ask with these settings and options; nobody is asked.

        Raises:
            DeclarationError: one is missing, unknown or wrong.
        """
        read_options(options, self.takes, agent=self.name)
        chosen = endpoint_settings(settings)
        clean_base_url(chosen.base_url)
        if chosen.api != "auto":
            refuse_unsendable(chosen, FORMS[chosen.api])
        return Needs(variables={"settings.api_key_env": chosen.api_key_env})

    def preflight(
        self, prompt: str, settings: Mapping[str, Any], tell: Callable[[str], None]
    ) -> tuple[str, ...]:
        """Try out whether the server sees a prompt whole that is as long as its first one.

        Raises:
            DeclarationError: a setting is wrong, or the server cuts such a prompt.
            EndpointError: nobody answers there.
        """
        return self._lines.preflight(len(self.opening + prompt), settings, tell)
