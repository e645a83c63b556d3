"""What a caller sets of an endpoint: where, which model, how it samples, how long it may take."""

from __future__ import annotations

import os
from collections.abc import Mapping
from math import isfinite
from typing import Any, Literal

import msgspec

from kcb_agents.endpoint.address import clean_base_url
from kcb_agents.endpoint.form import SAMPLING
from kcb_agents.endpoint.transport import Endpoint
from kcb_core.codec import convert
from kcb_core.errors import DataError, DeclarationError

DEFAULT_TIMEOUT_S = 600.0

DEFAULT_RETRIES = 3

Api = Literal["auto", "openai", "responses", "anthropic", "ollama"]


class EndpointSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The settings of an endpoint. What is not given is not sent: the server's default holds."""

    base_url: str
    """Where the endpoint is."""
    model: str
    """The model's id, verbatim."""
    api: Api = "auto"
    """The form in which it is asked; ``auto`` asks the server what it is."""
    temperature: float | msgspec.UnsetType = msgspec.UNSET
    top_p: float | msgspec.UnsetType = msgspec.UNSET
    top_k: int | msgspec.UnsetType = msgspec.UNSET
    min_p: float | msgspec.UnsetType = msgspec.UNSET
    max_tokens: int | msgspec.UnsetType = msgspec.UNSET
    seed: int | msgspec.UnsetType = msgspec.UNSET
    context_tokens: int | msgspec.UnsetType = msgspec.UNSET
    """The context to work with: set where it can be, and made sure of elsewhere."""
    think: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the model is to think first; left to it if not given."""
    stream: bool = True
    """Whether the answer comes bit by bit; a loop or a slow model is then seen while it is."""
    timeout_s: float = DEFAULT_TIMEOUT_S
    """How long one request may take."""
    max_retries: int = DEFAULT_RETRIES
    """How often a question is asked again at most; 0 also waits for nothing."""
    queue: bool = True
    """Whether a request to this machine waits for other requests, and for judging."""
    api_key_env: str = ""
    """The environment variable that holds the key; none is sent if it is not given."""

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise ValueError("field 'model' is empty")
        self._check("temperature", self.temperature, 0.0, 100.0)
        self._check("top_p", self.top_p, 0.0, 1.0)
        self._check("min_p", self.min_p, 0.0, 1.0)
        self._check("top_k", self.top_k, 0, 1 << 31)
        self._check("max_tokens", self.max_tokens, 1, 1 << 31)
        self._check("context_tokens", self.context_tokens, 256, 1 << 31)
        self._check("max_retries", self.max_retries, 0, 10)
        if not 0 < self.timeout_s <= 86_400:
            raise ValueError("field 'timeout_s' must be between 0 and 86400")

    @staticmethod
    def _check(name: str, value: float | msgspec.UnsetType, least: float, most: float) -> None:
        if value is msgspec.UNSET or (isfinite(value) and least <= value <= most):
            return
        raise ValueError(f"field {name!r} must be a number from {least:g} to {most:g}")

    @property
    def sampled(self) -> dict[str, float | int]:
        """The sampling parameters that were given."""
        return {name: value for name, value in self._given().items() if name in SAMPLING}

    @property
    def asked_for(self) -> frozenset[str]:
        """The names of what was given that a form of endpoint may not know."""
        return frozenset(self._given())

    def _given(self) -> dict[str, Any]:
        names = (*sorted(SAMPLING), "context_tokens", "think")
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if value is not msgspec.UNSET}

    def endpoint(self) -> Endpoint:
        """Where to ask, with the key.

        Raises:
            DeclarationError: the base URL is wrong, or the key's variable holds no key.
        """
        return Endpoint(
            base_url=clean_base_url(self.base_url),
            timeout_s=self.timeout_s,
            api_key=_key_in(self.api_key_env) if self.api_key_env else "",
        )


def endpoint_settings(settings: Mapping[str, Any]) -> EndpointSettings:
    """The settings in a mapping.

    Raises:
        DeclarationError: one is missing, unknown or wrong.
    """
    try:
        return convert(dict(settings), EndpointSettings, source="settings")
    except DataError as error:
        raise DeclarationError(str(error)) from None


def _key_in(variable: str) -> str:
    key = os.environ.get(variable, "").strip()
    if not key:
        raise DeclarationError(f"api_key_env: the variable {variable} is not set or empty")
    if not (key.isascii() and key.isprintable()):
        raise DeclarationError(f"api_key_env: what {variable} holds is no key: it must be ASCII")
    return key
