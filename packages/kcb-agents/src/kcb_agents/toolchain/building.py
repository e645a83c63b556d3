"""Building a toolchain: aside, from its lockfiles alone, and in one step to where it belongs."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from kcb_agents.toolchain.checksums import entries, write_list
from kcb_agents.toolchain.node_program import build_node_program
from kcb_agents.toolchain.out_folder import mark, put_in_place, require_replaceable
from kcb_agents.toolchain.python_program import build_python_program
from kcb_agents.toolchain.recipe import PLATFORM, Recipe
from kcb_core.errors import DataError, DeclarationError, MachineError
from kcb_runner.tree import remove_tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A toolchain that was built."""

    fingerprint: str
    files: int
    bytes: int
    """Size of all its files."""


def build(recipe: Recipe, out: Path, *, python: str = "") -> Built:
    """Build a toolchain into a folder that is empty, not there, or an earlier build of it.

    Args:
        recipe: what it is built from.
        out: the folder.
        python: the interpreter to copy, for a program that comes by pip; the evaluator's own if it
            is empty.

    Raises:
        DeclarationError: this machine is of another platform, there is something else in the
            folder, or the interpreter is of another version.
        DataError: what was installed cannot be listed.
        MachineError: a step failed; the folder is as it was.
    """
    require_platform()
    out = Path(os.path.abspath(out))
    require_replaceable(out, recipe.name)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out = out.parent.resolve() / out.name  # by which a copied interpreter will know itself
        aside = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as error:
        raise MachineError(f"{out}: cannot be written: {error.strerror or error}") from None
    try:
        tree = _filled(recipe, aside, python)
        fingerprint = write_list(tree)
        sizes = [
            path.stat().st_size for path in map(tree.joinpath, entries(tree)) if path.is_file()
        ]
        require_replaceable(out, recipe.name)  # which took a while
        put_in_place(tree, out)
    except OSError as error:
        raise MachineError(f"{out}: cannot be built: {error}") from None
    finally:
        remove_tree(aside)
    return Built(fingerprint=fingerprint, files=len(sizes), bytes=sum(sizes))


def _filled(recipe: Recipe, aside: Path, python: str) -> Path:
    """A new tree, with all but the list of its files."""
    tree, work = aside / "tree", aside / "work"
    tree.mkdir(mode=0o755)
    work.mkdir()
    if recipe.package:
        build_node_program(recipe, tree, work)
    else:
        build_python_program(recipe, tree, work, python)
    settle(tree)
    mark(recipe, tree)
    return tree


def require_platform() -> None:
    """Refuse a machine that no lockfile is for.

    Raises:
        DeclarationError: it is not linux/amd64 with the GNU C library.
    """
    here = f"{sys.platform}/{platform.machine()}"
    if here != "linux/x86_64" or platform.libc_ver()[0] != "glibc":
        raise DeclarationError(
            f"toolchains are built on {PLATFORM} with the GNU C library only, and this is {here}"
        )


def settle(root: Path) -> None:
    """Leave regular files in real folders only, with modes that do not depend on the builder.

    A link to a file within the tree becomes a copy of it. Compiled Python is removed, since it
    differs from one build to the next, and so are folders that hold nothing.

    Raises:
        DataError: a link leads out of the tree or to a folder, or something is no file.
    """
    for path in [root / each for each in entries(root)]:
        if path.is_symlink():
            target = path.resolve()
            if not target.is_relative_to(root.resolve()) or not target.is_file():
                raise DataError(
                    f"{path.relative_to(root)}: is a link to {os.readlink(path)}, which is no file "
                    "of the toolchain"
                )
            path.unlink()
            shutil.copy(target, path)
        if path.is_dir():
            path.chmod(0o755)
        elif path.is_file():
            path.chmod(0o755 if path.stat().st_mode & 0o111 else 0o644)
        else:
            raise DataError(f"{path.relative_to(root)}: is neither a file nor a folder")
    folders = [path for path in map(root.joinpath, entries(root)) if path.is_dir()]
    for folder in sorted(folders, reverse=True):  # what is deeper comes first
        if folder.name == "__pycache__":
            remove_tree(folder)
        elif not any(folder.iterdir()):
            folder.rmdir()
