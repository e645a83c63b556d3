"""From settings to an endpoint that can be asked: its form, and what its server is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from kcb_agents.endpoint.form import Form
from kcb_agents.endpoint.forms import FORMS
from kcb_agents.endpoint.server import Server
from kcb_agents.endpoint.settings import EndpointSettings
from kcb_agents.endpoint.survey import survey, usual_api
from kcb_agents.endpoint.transport import Endpoint
from kcb_core.errors import DeclarationError
from kcb_core.run_record import Sampling

DEFAULT_CONTEXT = 16384
"""The context that is set where it can be and nobody names one: room for any prompt of the dataset
and its answer; an Ollama server's own default has neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """An endpoint, how it is asked, and what is known of it."""

    settings: EndpointSettings
    endpoint: Endpoint
    form: Form
    server: Server

    @property
    def url(self) -> str:
        """Where questions go."""
        return self.form.url(self.endpoint.base_url)

    @property
    def sets_context(self) -> bool:
        """Whether a request can say how large the context is to be."""
        return "context_tokens" in self.form.settings

    @property
    def context_tokens(self) -> int | None:
        """The context in force, as far as it is known."""
        wanted, there = self.settings.context_tokens, self.server.context_tokens
        if self.sets_context and wanted is not msgspec.UNSET:
            return wanted
        if there is not msgspec.UNSET:
            return there
        most = self.server.context_most
        if self.sets_context:
            return DEFAULT_CONTEXT if most is msgspec.UNSET else min(DEFAULT_CONTEXT, most)
        return None

    @property
    def sampling(self) -> Sampling:
        """The sampling in force: what was given, and the server's own beside it."""
        sent: dict[str, Any] = {**self.form.defaults, **self.settings.sampled}
        given = {name: value for name, value in sent.items() if name != "seed"}
        return msgspec.structs.replace(self.server.sampling, **given)

    @property
    def greedy(self) -> bool:
        """Whether the likeliest token is always taken."""
        return self.sampling.temperature == 0 or self.sampling.top_k == 1

    def refuse_unfit(self) -> None:
        """Make sure that everything that was asked for can be done.

        Raises:
            DeclarationError: it cannot; the message holds the remedy.
        """
        refuse_unsendable(self.settings, self.form)
        wanted = self.settings.context_tokens
        if wanted is msgspec.UNSET:
            return
        most, there = self.server.context_most, self.server.context_tokens
        if most is not msgspec.UNSET and wanted > most:
            raise DeclarationError(f"a context of {wanted} tokens: the model bears {most} tokens")
        if self.sets_context or (there is not msgspec.UNSET and there >= wanted):
            return
        found = "unknown" if there is msgspec.UNSET else f"{there} tokens"
        raise DeclarationError(
            f"a context of {wanted} tokens: the server's context is {found}, and cannot be set "
            "from here; " + self.server.context_remedy(wanted)
        )


def refuse_unsendable(settings: EndpointSettings, form: Form) -> None:
    """Make sure that a form of endpoint can be sent everything that was asked for.

    Raises:
        DeclarationError: it cannot; the settings are named.
    """
    own_check = {"context_tokens"}  # where it cannot be set, the server may have it already
    unknown = sorted(settings.asked_for - form.settings - own_check)
    if unknown:
        raise DeclarationError(
            f"an endpoint of the form {form.name!r} has no way to be sent {', '.join(unknown)}; "
            "leave that out"
        )


def connected(settings: EndpointSettings) -> Connection:
    """The endpoint that settings name; the server is asked what it is.

    Raises:
        DeclarationError: a setting is wrong, or not possible there.
    """
    endpoint = settings.endpoint()
    server = survey(endpoint, settings.model)
    api = settings.api if settings.api != "auto" else usual_api(endpoint.base_url, server)
    connection = Connection(settings=settings, endpoint=endpoint, form=FORMS[api], server=server)
    connection.refuse_unfit()
    return connection
