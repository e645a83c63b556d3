"""``klein-bench agents``: what can be asked, and from which toolchains."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import msgspec

from kcb_agents.registry import Entry, read_registry
from kcb_agents.toolchain.toolchain_cli import toolchain
from kcb_core import console
from kcb_core.commands.options import FILE, json_option


@click.group()
def agents() -> None:
    """Look at what can be asked for projects, and build it."""


agents.add_command(toolchain)


@agents.command()
@click.option("--models", "path", type=FILE, metavar="FILE",
              help="A list of models. Default: your own, else the shipped one.")  # fmt: skip
@json_option
def models(path: Path | None, as_json: bool) -> None:
    """List the models that 'generate --model' finds by their id alone, in order."""
    registry, source = read_registry(path)
    if as_json:
        console.emit_json({"source": source, "models": [_plain(e) for e in registry.models]})
        return
    console.table(
        ("model", "base url", "api", "key"),
        [(e.id, e.base_url, e.api, _key(e)) for e in registry.models],
        title=f"Models ({source})",
    )


def _plain(entry: Entry) -> dict[str, Any]:
    key = {"key": _key(entry)} if entry.api_key_env else {}
    return {n: v for n, v in msgspec.to_builtins(entry).items() if v != ""} | key


def _key(entry: Entry) -> str:
    """Whether the key that a model needs is there; the key itself is shown to nobody."""
    if not entry.api_key_env:
        return "none needed"
    there = "set" if os.environ.get(entry.api_key_env, "").strip() else "not set"
    return f"{entry.api_key_env} ({there})"
