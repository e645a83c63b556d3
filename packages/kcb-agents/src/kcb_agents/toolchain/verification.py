"""Whether a toolchain is the one that was pinned."""

from __future__ import annotations

from pathlib import Path

from kcb_agents.toolchain.checksums import check_closed, check_files, read_list
from kcb_agents.toolchain.pins import read_pins
from kcb_agents.toolchain.recipe import require_toolchain
from kcb_core.errors import DataError, DeclarationError


def verify(name: str, folder: Path, *, closed: bool = False) -> str:
    """The fingerprint of a toolchain that is as it was pinned.

    The list of its files is held against the pin, and each listed file against the list. What else
    lies in the folder is looked at only if it must be closed.

    Args:
        name: the preset that it is for.
        folder: where it lies.
        closed: whether files that are not listed are refused too.

    Raises:
        UnknownNameError: there is no toolchain of this name.
        DeclarationError: nothing is pinned, or there is no such folder.
        DataError: it differs from what was pinned; the first difference is named.
        MachineError: it cannot be read.
    """
    require_toolchain(name)
    if not folder.is_dir():
        raise DeclarationError(f"{folder}: there is no such folder")
    expected = read_pins().get(name)
    remedy = f"'klein-bench agents toolchain build {name} --out {folder} --write' {_BUILDS}"
    if expected is None:
        raise DeclarationError(f"{folder}: no fingerprint of {name!r} is pinned; {remedy}")
    listed, fingerprint = read_list(folder)
    if fingerprint != expected:
        raise DataError(
            f"{folder}: its fingerprint is {fingerprint}, and that of {name!r} is pinned as "
            f"{expected}; {remedy}"
        )
    check_files(folder, listed)
    if closed:
        check_closed(folder, listed)
    return fingerprint


_BUILDS = "builds it from its lockfile and pins what comes out"
