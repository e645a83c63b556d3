"""``klein-bench suite vendor``: the common steps, copied to where graders use them."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core import console
from kcb_core.commands.options import FILE
from kcb_core.errors import ExitStatus
from kcb_suites.tree import BUILT_IN, Tree
from kcb_suites.vendoring import differing
from kcb_suites.vendoring import vendor as write


@click.command()
@click.option("--suite", "folder", type=FILE, metavar="DIR", default=BUILT_IN,
              help="A tree's folder. Default: the one that comes with the program.")  # fmt: skip
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if a copy differs.")
def vendor(folder: Path, check: bool) -> int:
    """Copy steps.py into the folder of each grader that imports it."""
    tree = Tree.at(folder)
    if not check:
        for path in write(tree):
            console.say(str(path))
        return ExitStatus.DONE
    found = differing(tree)
    for path in found:
        console.fail(f"{path} is not what 'klein-bench suite vendor' writes")
    return ExitStatus.FAILED if found else ExitStatus.DONE
