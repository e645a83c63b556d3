"""``klein-bench suite import``: a tree of somebody else's, looked over and installed."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core import console
from kcb_core.commands.options import FILE
from kcb_core.errors import DeclarationError
from kcb_suites.importing import import_tree


@click.command("import")
@click.argument("folder", type=FILE, metavar="DIR")
@click.option(
    "--name", default="", metavar="NAME", help="What the copy is called. Default: as DIR."
)
@click.option("-o", "--output", type=FILE, metavar="FOLDER", help="Copy to this new folder, and "
              "install nothing.")  # fmt: skip
def import_(folder: Path, name: str, output: Path | None) -> None:
    """Look over the tree in DIR, and copy it to where --suite finds its suites by name.

    Nothing is copied unless every manifest is well formed and every fixture has the digest that
    its manifest says. Whoever imports a tree should trust it no more than any program: graders run
    confined, and 'klein-bench suite check' shows what they are worth.
    """
    if name and output:
        raise DeclarationError("--name is for what is installed; with --output the folder says it")
    for suite in import_tree(folder, name=name, output=output):
        console.say(f"{suite.manifest.id}: {len(suite.tasks)} tasks, in {suite.tree.root}")
