"""``klein-bench image``: the images that containers are started from."""

from __future__ import annotations

import click

from kcb_core import console
from kcb_core.commands.options import json_option
from kcb_runner.launch.engine import ENGINES, find_engine
from kcb_runner.launch.image import IMAGE, build_image


@click.group()
def image() -> None:
    """Images for the launcher 'container'."""


@image.command()
@click.option("--tag", default=IMAGE, show_default=True, metavar="NAME", help="Its name.")
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    help="Which engine is to have it. Default: KCB_ENGINE, or the first that answers.",
)
@click.option(
    "--package",
    "packages",
    multiple=True,
    metavar="NAME",
    help="A further package to put in, such as nodejs; can be given several times.",
)
@json_option
def build(tag: str, engine: str | None, packages: tuple[str, ...], as_json: bool) -> None:
    """Make an image from Debian's packages, without any image registry.

    It needs 'apt-get' and 'dpkg-deb', no privileges, and an engine that answers.
    """
    made = build_image(find_engine(engine), tag, packages)
    if as_json:
        console.emit_json(made)
        return
    count = len(made.packages)
    console.say(f"image {made.name}: Python {made.python}, {count} packages, id {made.id}")
