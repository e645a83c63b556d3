"""``klein-bench agents toolchain``: build a toolchain, and see whether one is as it was pinned."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_agents.toolchain.building import build
from kcb_agents.toolchain.pins import read_pins, write_pin
from kcb_agents.toolchain.recipe import find_recipe
from kcb_agents.toolchain.verification import verify
from kcb_core import console
from kcb_core.commands.options import FILE, json_option


@click.group()
def toolchain() -> None:
    """Build external programs from lockfiles, and hold them to a pinned fingerprint."""


@toolchain.command("build")
@click.argument("name", metavar="NAME")
@click.option("-o", "--out", type=FILE, required=True, metavar="DIR",
              help="Where to; a new or empty folder, or an earlier build of it.")  # fmt: skip
@click.option("--python", default="", metavar="PATH",
              help="The interpreter to copy. Default: the one that runs this.")  # fmt: skip
@click.option("--write", is_flag=True, help="Pin the fingerprint of what was built.")
@json_option
def build_command(name: str, out: Path, python: str, write: bool, as_json: bool) -> None:
    """Build the toolchain of a preset from its reviewed lockfile, for linux/amd64."""
    built = build(find_recipe(name), out, python=python)
    if write:
        write_pin(name, built.fingerprint)
    pinned = read_pins().get(name, "")
    if as_json:
        told = {"name": name, "fingerprint": built.fingerprint, "files": built.files}
        console.emit_json({**told, "bytes": built.bytes, "pinned": pinned == built.fingerprint})
    else:
        console.say(f"{name}: {built.files} files, {built.bytes / 1e6:.0f} MB")
        console.say(built.fingerprint)
    if pinned != built.fingerprint:
        is_ = f"is pinned as {pinned}" if pinned else "is not pinned"
        console.warn(
            f"{name} {is_}, so this build will be refused; look at what has changed, and build it "
            "with --write"
        )


@toolchain.command("verify")
@click.argument("name", metavar="NAME")
@click.argument("folder", type=FILE, metavar="DIR")
@click.option("--closed", is_flag=True, help="Also refuse files that the build did not list.")
@json_option
def verify_command(name: str, folder: Path, closed: bool, as_json: bool) -> None:
    """Hold the toolchain in a folder against its pinned fingerprint.

    Exit status 0 if every file that was pinned is as it was; 2 if one is not, or nothing is pinned.
    """
    fingerprint = verify(name, folder, closed=closed)
    if as_json:
        console.emit_json({"name": name, "fingerprint": fingerprint, "closed": closed})
    else:
        console.say(fingerprint)
