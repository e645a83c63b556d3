"""What of this machine a candidate may see: its interpreter, and what that needs."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from kcb_core.errors import DeclarationError

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""The system's programs and libraries. Links among them are shown as links."""

_SETTINGS = ("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives", "/etc/ssl/openssl.cnf")
"""What programs read before they do anything. Node does not start where it may not read the last.
"""

_PACKAGE_FOLDERS = ("site-packages", "dist-packages")


@cache
def readable(python: str, *more: str) -> tuple[str, ...]:
    """Files and folders that programs of this interpreter have to read.

    Args:
        python: the real path of the evaluator's own interpreter.
        more: others that shall be seen.
    """
    prefix = Path(sys.base_prefix)
    libraries = [prefix / "lib", prefix / "lib64", Path(sys.base_exec_prefix) / "lib"]
    wanted = [python, *_SYSTEM, *map(str, libraries), *_standard(), *_loaded_libraries()]
    return _without_parts([path for path in wanted if os.path.lexists(path)] + [*_SETTINGS, *more])


@cache
def hidden(python: str) -> tuple[str, ...]:
    """Folders below the readable ones in which packages lie: those of the evaluator above all."""
    own = [str(Path(__file__).resolve().parents[2])]
    folders = [*own, *filter(os.path.isabs, sys.path)]
    for root in {*readable(python)} - {python}:
        folders += _package_folders(Path(root))
    shown = [path for path in readable(python) if os.path.isdir(path)]
    candidates = {os.path.realpath(folder) for folder in folders} - {
        path for path in sys.path if path.endswith(".zip")
    }
    return tuple(
        sorted(
            folder
            for folder in candidates
            if os.path.isdir(folder)
            and any(_below(folder, path) for path in shown)
            and not any(_below(path, folder) for path in map(os.path.realpath, _standard()))
            and os.path.basename(folder) != "lib-dynload"
        )
    )


def refuse_own(path: Path) -> None:
    """See to it that a path does not bring in what the evaluator itself is made of.

    Raises:
        DeclarationError: it lies where packages of the evaluator lie, or they lie in it.
    """
    for place in map(Path, filter(os.path.isabs, sys.path)):
        near = path.is_relative_to(place) or place.is_relative_to(path)
        if near and next(place.glob("kcb_*"), None):
            raise DeclarationError(f"{path}: packages of the evaluator lie there, in {place}")


def _standard() -> list[str]:
    """The folders of the standard library itself, also where this is a virtual environment."""
    real = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    return [sysconfig.get_path(name, vars=real) for name in ("stdlib", "platstdlib")]


def _package_folders(root: Path) -> Iterable[str]:
    """Where installers put packages, in the places that interpreters look."""
    for pattern in ("python*/*", "lib/python*/*", "local/lib/python*/*", "*"):
        for path in root.glob(pattern):
            if path.name in _PACKAGE_FOLDERS:
                yield str(path)


def _loaded_libraries() -> list[str]:
    """Shared libraries that this interpreter has loaded from elsewhere, such as ``libpython``."""
    try:
        lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    paths = {line.split(maxsplit=5)[-1] for line in lines if "libpython" in line}
    return sorted(paths)


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def _without_parts(paths: Iterable[str]) -> tuple[str, ...]:
    """The paths without those that lie in a folder among them; folders come first."""
    kept: list[str] = []
    for path in sorted(dict.fromkeys(paths), key=lambda path: (path.count("/"), path)):
        if not any(_below(path, other) for other in kept):
            kept.append(path)
    return tuple(kept)
