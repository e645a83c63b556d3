"""Models that are known by name: where they answer, in an order that says which come first.

The order is no failover: a model that does not answer is never replaced by another one.
"""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec

from kcb_core.codec import convert, parse_by_name
from kcb_core.errors import DataError, DeclarationError
from kcb_core.storage import read_bounded

REGISTRY_FORMAT = 1

_SHIPPED = "models.toml"


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One model."""

    id: str
    """Its id, verbatim, as the endpoint knows it and as records name it."""
    base_url: str
    """Where it answers."""
    api: Literal["auto", "openai", "responses", "anthropic", "ollama"] = "auto"
    """The form in which it is asked."""
    api_key_env: str = ""
    """The environment variable that holds the key, if one is needed."""


class Registry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Models in order."""

    format: int
    models: tuple[Entry, ...]

    def __post_init__(self) -> None:
        if self.format != REGISTRY_FORMAT:
            raise ValueError(f"field 'format': {self.format} is not known")
        ids = [entry.id for entry in self.models]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise ValueError(f"field 'models': {twice[0]} stands there twice")

    def find(self, model: str) -> Entry | None:
        """The entry of a model, by its whole id."""
        return next((entry for entry in self.models if entry.id == model), None)


def user_file() -> Path:
    """Where a user keeps a list of models; it stands for the whole of the shipped one."""
    home = os.environ.get("XDG_CONFIG_HOME", "") or Path.home() / ".config"
    return Path(home) / "klein-bench" / _SHIPPED


def read_registry(path: Path | None = None) -> tuple[Registry, str]:
    """The models, and where they are listed: in the file, else the user's, else the shipped one.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it holds no list of models; the field is named.
    """
    chosen = path or user_file()
    if path is None and not chosen.exists():
        data = files("kcb_agents").joinpath(_SHIPPED).read_bytes()
        return _read(data, _SHIPPED), "shipped"
    return _read(read_bounded(chosen), str(chosen)), str(chosen)


def _read(data: bytes, source: str) -> Registry:
    try:
        return convert(parse_by_name(data, source=source), Registry, source=source)
    except ValueError as error:
        raise DataError(f"{source}: {error}") from None


def refuse_unnamed(model: str, registry: Registry) -> Entry:
    """The entry of a model that was named without an address.

    Raises:
        DeclarationError: there is none.
    """
    if entry := registry.find(model):
        return entry
    raise DeclarationError(
        f"--base-url is needed: 'klein-bench agents models' lists no model {model!r}"
    )
