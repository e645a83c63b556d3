"""``klein-bench experiment new``: a commented example of a spec."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from kcb_core import console
from kcb_core.commands.options import FILE
from kcb_core.errors import DeclarationError
from kcb_core.storage import write_whole


@click.command()
@click.argument("path", type=FILE, metavar="FILE")
def new(path: Path) -> None:
    """Write a spec that runs as it is, with a word on every field; a file is never overwritten.

    It compares two temperatures of one local model on twenty tasks.
    """
    if path.suffix != ".toml":
        raise DeclarationError(f"{path}: the example is TOML; let its name end in .toml")
    if path.exists():
        raise DeclarationError(f"{path}: is there already; name another file")
    write_whole(path, files("kcb_experiments").joinpath("example.toml").read_bytes())
    console.say(f"{path}: edit it, then: klein-bench experiment plan {path}")
