"""The line to a model behind an endpoint, and what records say of it."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from kcb_agents.endpoint.address import is_loopback
from kcb_agents.endpoint.allowance import Allowance
from kcb_agents.endpoint.asking import EndpointModel
from kcb_agents.endpoint.clock import Clock
from kcb_agents.endpoint.connection import Connection, connected
from kcb_agents.endpoint.conversation import Answer, Model, Stop
from kcb_agents.endpoint.preflight import Preflight
from kcb_agents.endpoint.settings import EndpointSettings, endpoint_settings
from kcb_agents.prices import Price, PriceBook
from kcb_agents.record import EndpointStamp, ModelIds
from kcb_agents.reply import split_thinking
from kcb_core.codec import digest
from kcb_core.roles import Generation
from kcb_core.run_record import RunRecord

GREEDY_THINKER = (
    "a model that thinks is sampled greedily here, which makes many of them go round in circles; "
    "leave --temperature out, or take what its authors recommend"
)

SHORTEST_S = 0.05
"""Least time that a request is given: with none at all it could not even fail in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointLine:
    """A model behind an endpoint, for one trial; every request of it is counted together."""

    asking: EndpointModel

    def model(self, timeout_s: float) -> Model:
        """The model, as one that has this many seconds for its next answer."""
        connection = self.asking.connection
        endpoint = connection.endpoint
        bounded = replace(endpoint, timeout_s=max(SHORTEST_S, min(endpoint.timeout_s, timeout_s)))
        return replace(self.asking, connection=replace(connection, endpoint=bounded))

    @property
    def timeout_s(self) -> float | None:
        """Seconds that one answer may take."""
        return self.asking.connection.settings.timeout_s

    def told(self, answer: Answer | None) -> dict[str, Any]:
        """What a record says of the asking."""
        connection, attempts = self.asking.connection, self.asking.attempts
        asked, answered = connection.settings.model, answer.model if answer else ""
        address = connection.endpoint.base_url
        return {
            "endpoint": EndpointStamp(api=connection.form.name, base_url=address),
            **({"server": connection.server} if connection.server.kind else {}),
            "model": ModelIds(asked=asked, answered=answered),
            "attempts": attempts,
            "waited_s": sum(attempt.wait_s for attempt in attempts),
        }

    def remarks(self, answer: Answer | None) -> tuple[str, ...]:
        """What a reader should know of how the model was asked."""
        return _notes(self.asking, answer) if answer else ()

    @property
    def sold(self) -> str:
        """The model, by the id that it is asked by."""
        return self.asking.connection.settings.model

    def book(self, declared: Price | None) -> PriceBook:
        """The prices of the endpoint now, with a declared one before them."""
        return PriceBook(
            base_url=self.asking.connection.endpoint.base_url,
            at=self.asking.clock.now(),
            declared={} if declared is None else {self.sold: declared},
        )

    def price(self, declared: Price | None) -> Price | None:
        """The declared price, else the published one; a server on this machine has none."""
        return self.book(declared).price(self.sold)

    def run_record(self) -> RunRecord:
        """The part of a run record that is known of the model."""
        return run_record_of(self.asking)


class EndpointLines:
    """Lines to models by their settings; what a server says of itself is asked once."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._connections: dict[EndpointSettings, Connection] = {}

    def line(self, generation: Generation) -> EndpointLine:
        """A line for one generation.

        Raises:
            DeclarationError: a setting is wrong, or not possible there.
        """
        connection = self.connection(generation.settings)
        asking = EndpointModel(
            connection=connection,
            clock=self._clock,
            tell=generation.tell,
            allowance=Allowance(tokens=generation.tokens),
        )
        return EndpointLine(asking=asking)

    def preflight(
        self, length: int, settings: Mapping[str, Any], tell: Callable[[str], None]
    ) -> tuple[str, ...]:
        """Try out whether the server sees a prompt whole that has so many characters.

        Returns:
            Warnings, one line each.

        Raises:
            DeclarationError: a setting is wrong, or the server cuts such a prompt.
            EndpointError: nobody answers there.
        """
        connection = self.connection(settings)
        model = EndpointModel(connection=connection, clock=self._clock, tell=tell)
        warnings = [GREEDY_THINKER] if connection.greedy and connection.server.thinks else []
        return (*warnings, *Preflight(model).check(length))

    def connection(self, given: Mapping[str, Any]) -> Connection:
        """The endpoint that settings name; errors as in :meth:`line`."""
        settings = endpoint_settings(given)
        if settings not in self._connections:
            self._connections[settings] = connected(settings)
        return self._connections[settings]


def _notes(model: EndpointModel, answer: Answer) -> tuple[str, ...]:
    """What a reader should know of how the model was asked."""
    connection = model.connection
    thinks = connection.server.thinks or answer.reasoning or split_thinking(answer.content)[0]
    greedy = (GREEDY_THINKER,) if connection.greedy and thinks else ()
    context, prompt = connection.context_tokens, answer.prompt_tokens
    written = answer.usage.output_tokens if answer.usage else msgspec.UNSET
    if answer.stop is not Stop.LENGTH or None in (context, prompt) or written is msgspec.UNSET:
        return greedy
    if (prompt or 0) + written < (context or 0) - 1:
        return greedy
    more = connection.server.context_remedy(2 * (context or 0))
    return (*greedy, f"the context of {context} tokens was full; {more}")


def run_record_of(model: EndpointModel) -> RunRecord:
    """The part of a run record that is known of a model and its server."""
    connection = model.connection
    settings, server = connection.settings, connection.server
    template = server.chat_template.encode("utf-8", "surrogatepass")
    here = f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs"
    sampling = connection.sampling
    return RunRecord(
        model_name=settings.model,
        model_version=server.model_version or msgspec.UNSET,
        parameters=server.parameters or msgspec.UNSET,
        quantization=server.quantization or msgspec.UNSET,
        chat_template=f"sha256:{digest(template)}" if template else msgspec.UNSET,
        context_tokens=connection.context_tokens or msgspec.UNSET,
        sampling=sampling if msgspec.to_builtins(sampling) else msgspec.UNSET,
        seed=settings.seed,
        host=here if is_loopback(connection.endpoint.base_url) else msgspec.UNSET,
        retries=sum(attempt.wait_s > 0 for attempt in model.attempts),
    )
