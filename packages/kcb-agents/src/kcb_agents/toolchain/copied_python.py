"""A whole interpreter in a tree of its own, which works wherever the tree lies."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

from kcb_agents.toolchain.installing import run
from kcb_core.codec import decode
from kcb_core.errors import DeclarationError, MachineError

PYTHON = "bin/python"
"""Where it is in the tree."""

_LEFT_OUT = ("site-packages", "dist-packages", "__pycache__", "test", "tests", "config-*")
"""Of its standard library: what others have installed, what is made anew, and what builds it."""

_BESIDE = b"$ORIGIN/../lib"
"""Where the binary finds its shared library: beside itself. Source: ld.so(8)."""

_PROBE = """\
import json, os, platform, site, sys, sysconfig
base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
with open("/proc/self/maps") as maps:
    mapped = {line.split(maxsplit=5)[5].strip() for line in maps if line.count("/")}
print(json.dumps({
    "version": platform.python_version(),
    "implementation": sys.implementation.name,
    "binary": os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
    "prefix": sys.base_prefix,
    "libraries": sorted({sysconfig.get_path(n, vars=base) for n in ("stdlib", "platstdlib")}),
    "shared": sorted(path for path in mapped if "libpython" in os.path.basename(path)),
    "packages": site.getsitepackages(),
}))
"""


class Probed(msgspec.Struct, frozen=True, kw_only=True):
    """What an interpreter says of itself."""

    version: str
    implementation: str
    binary: str
    prefix: str
    libraries: tuple[str, ...]
    """Folders of its standard library."""
    shared: tuple[str, ...]
    """Its shared library, if it is linked to one."""
    packages: tuple[str, ...]
    """Folders in which it looks for packages."""


def probe(python: str) -> Probed:
    """What an interpreter says of itself.

    Raises:
        DeclarationError: there is none.
        MachineError: it fails.
    """
    if shutil.which(python) is None:
        raise DeclarationError(f"{python}: is no program; name an interpreter with --python PATH")
    said = run((python, "-I", "-S", "-c", _PROBE), cwd=Path("/"))
    return decode(said.encode(), Probed, source=python)


def require_version(found: Probed, version: str, python: str) -> None:
    """Refuse an interpreter that the lockfile is not for.

    Args:
        found: what it says of itself.
        version: what the lockfile is for, such as ``3.11``.
        python: what it was asked for by.

    Raises:
        DeclarationError: it is another one.
    """
    if found.implementation != "cpython" or not found.version.startswith(f"{version}."):
        raise DeclarationError(
            f"{python}: is {found.implementation} {found.version}, and the lockfile is for CPython "
            f"{version}; name such an interpreter with --python PATH"
        )


def copy_interpreter(found: Probed, root: Path) -> Path:
    """Copy an interpreter into a tree: its binary, shared library and standard library.

    Returns:
        The folder in the tree in which it looks for packages.

    Raises:
        MachineError: it cannot be copied, or the copy would use files outside of the tree.
    """
    prefix = Path(found.prefix)
    for folder in map(Path, found.libraries):
        if not folder.is_relative_to(prefix):
            raise MachineError(f"{folder}: lies outside of {prefix}; try another interpreter")
        left_out = shutil.ignore_patterns(*_LEFT_OUT)
        shutil.copytree(
            folder,
            root / folder.relative_to(prefix),
            ignore=left_out,
            ignore_dangling_symlinks=True,
            dirs_exist_ok=True,
        )
    (root / "lib").mkdir(exist_ok=True)
    for library in map(Path, found.shared):
        shutil.copy(library, root / "lib" / library.name)
    binary = root / PYTHON
    binary.parent.mkdir(exist_ok=True)
    shutil.copy(found.binary, binary)
    binary.write_bytes(_look_beside(binary.read_bytes(), {Path(p).parent for p in found.shared}))
    return _packages(probe(str(binary)), root)


def _look_beside(binary: bytes, folders: set[Path]) -> bytes:
    """A binary that looks for its shared library beside itself instead of in a fixed folder.

    The path stands as a word of its own among the binary's strings, and what takes its place is
    filled up with zeros, so that nothing else moves. Whether it did is seen when the copy is run.
    """
    for folder in folders:
        word = b"\0" + bytes(folder) + b"\0"
        binary = binary.replace(word, b"\0" + _BESIDE.ljust(len(word) - 1, b"\0"))
    return binary


def _packages(copied: Probed, root: Path) -> Path:
    """The folder for packages of a copy that keeps to its tree."""
    inside = [path for path in map(Path, copied.packages) if path.is_relative_to(root)]
    used = (copied.prefix, copied.binary, *copied.libraries, *copied.shared)
    strays = [path for path in used if not Path(path).is_relative_to(root)]
    if strays or not inside:
        named = ", ".join(strays) or "its packages"
        raise MachineError(
            f"a copy of the interpreter still uses {named}; try another interpreter, with "
            "--python PATH"
        )
    return inside[0]
