"""The folder that a build takes the place of: empty, or an earlier build of the same toolchain."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from kcb_agents.swap import exchange
from kcb_agents.toolchain.checksums import check_closed, read_list
from kcb_agents.toolchain.recipe import PLATFORM, Recipe
from kcb_core.codec import decode_kind, encode
from kcb_core.errors import DataError, DeclarationError, KcbError, MachineError
from kcb_core.storage import read_bounded, write_whole

MARK = "toolchain.json"
KIND = "toolchain"
FORMAT = 1


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What a build says that it is, for whoever finds it. Nothing is believed of it but the name of
    the toolchain, when another build is to take its place."""

    kind: str
    format: int
    name: str
    """The preset that it is for."""
    platform: str
    recipe_sha256: str
    """Digest of what it was built from."""


def mark(recipe: Recipe, root: Path) -> None:
    """Write into a tree what it is."""
    told = Mark(
        kind=KIND, format=FORMAT, name=recipe.name, platform=PLATFORM, recipe_sha256=recipe.sha256
    )
    write_whole(root / MARK, encode(told))


def require_replaceable(out: Path, name: str) -> None:
    """Refuse a folder in which anything could get lost.

    Raises:
        DeclarationError: there is something that is neither an empty folder nor a build of this
            toolchain, or a build with files that it did not bring.
        MachineError: it cannot be looked at.
    """
    try:
        if not os.path.lexists(out):
            return
        if out.is_symlink() or not out.is_dir():
            raise DeclarationError(f"{out}: is no folder")
        if not any(out.iterdir()):
            return
    except OSError as error:
        raise MachineError(f"{out}: cannot be read: {error.strerror or error}") from None
    try:
        found = decode_kind(
            read_bounded(out / MARK), Mark, kind=KIND, newest=FORMAT, source=str(out / MARK)
        )
        if found.name != name:
            raise DataError(f"it is a toolchain of {found.name!r}")
        listed, _ = read_list(out)
        check_closed(out, listed)
    except MachineError:
        raise
    except KcbError as error:
        raise DeclarationError(
            f"{out}: is neither empty nor an earlier build of {name!r}, and is left as it is: "
            f"{error}"
        ) from None


def put_in_place(tree: Path, out: Path) -> None:
    """Let a tree take the place of a folder that can be replaced, in one step.

    What stood there before is where the tree was.

    Raises:
        MachineError: it cannot be done; what stood there before still does.
    """
    try:
        if os.path.lexists(out) and any(out.iterdir()):
            if not exchange(tree, out):
                raise MachineError(
                    f"{out}: this file system cannot exchange two folders; name a new folder"
                )
        else:
            os.rename(tree, out)
    except OSError as error:
        raise MachineError(f"{out}: cannot be replaced: {error.strerror or error}") from None
