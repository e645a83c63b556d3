"""What a caller sets of a chat: where, which model, how it samples, how long it may take."""

from __future__ import annotations

import os
from collections.abc import Mapping
from math import isfinite
from typing import Any

import msgspec

from kcb_agents.endpoint.address import clean_base_url
from kcb_agents.endpoint.client import Endpoint
from kcb_core.codec import convert
from kcb_core.errors import DataError, DeclarationError
from kcb_core.run_record import Sampling

DEFAULT_TIMEOUT_S = 600.0


class ChatSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a chat. What is not given is not sent: the server's own default holds."""

    base_url: str
    """Where the endpoint is."""
    model: str
    """The model's id, verbatim."""
    temperature: float | msgspec.UnsetType = msgspec.UNSET
    max_tokens: int | msgspec.UnsetType = msgspec.UNSET
    seed: int | msgspec.UnsetType = msgspec.UNSET
    timeout_s: float = DEFAULT_TIMEOUT_S
    """How long one request may take."""
    api_key_env: str = ""
    """The environment variable that holds the key; none is sent if it is not given."""

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise ValueError("field 'model' is empty")
        if self.temperature is not msgspec.UNSET and not (
            isfinite(self.temperature) and self.temperature >= 0
        ):
            raise ValueError("field 'temperature' must be a number from 0 up")
        if self.max_tokens is not msgspec.UNSET and self.max_tokens < 1:
            raise ValueError("field 'max_tokens' must be 1 or more")
        if not 0 < self.timeout_s <= 86_400:
            raise ValueError("field 'timeout_s' must be between 0 and 86400")

    @property
    def sampled(self) -> dict[str, float | int]:
        """The sampling parameters that were given, by the names under which they are sent."""
        given = {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
        }
        return {name: value for name, value in given.items() if value is not msgspec.UNSET}

    @property
    def sampling(self) -> Sampling:
        """The sampling parameters as a run record names them; the seed stands beside them there."""
        return Sampling(temperature=self.temperature, max_tokens=self.max_tokens)

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


def chat_settings(settings: Mapping[str, Any]) -> ChatSettings:
    """The settings in a mapping.

    Raises:
        DeclarationError: one is missing, unknown or wrong.
    """
    try:
        return convert(dict(settings), ChatSettings, source="settings")
    except DataError as error:
        raise DeclarationError(str(error)) from None


def _key_in(variable: str) -> str:
    key = os.environ.get(variable, "").strip()
    if not key:
        raise DeclarationError(f"--api-key-env: the variable {variable} is not set or empty")
    if not (key.isascii() and key.isprintable()):
        raise DeclarationError(f"--api-key-env: what {variable} holds is no key: it must be ASCII")
    return key
