"""What a toolchain is built from: the wanted versions, and the lockfiles that were reviewed."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from kcb_core.codec import canonical, convert, digest, parse_by_name
from kcb_core.errors import DataError, UnknownNameError

PLATFORM = "linux/amd64"
"""What every lockfile is for."""

LOCKS = "locks"
WANTED = "toolchains.toml"
PACKAGE_JSON, PACKAGE_LOCK = "package.json", "package-lock.json"


class Wanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All programs that there are toolchains of."""

    python: str
    """Version of Python that the lockfiles of pip are for, such as ``3.11``."""
    node: str
    """The requirement that Node and npm come by."""
    pip: dict[str, tuple[str, ...]]
    """Requirements of each program that comes by pip, its own first."""
    npm: dict[str, str]
    """The package of each program that comes by npm, with its version."""
    moves: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    """Of programs that come by npm, the files that are put in place as their scripts would do it:
    where to, and where from."""


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """What one toolchain is built from."""

    name: str
    requirements: bytes
    """A lockfile of pip: the program's, or the one of Node and npm."""
    python: str = ""
    """Version of the interpreter that is copied in, for a program that comes by pip."""
    program: str = ""
    """Name of its distribution, for a program that comes by pip."""
    package: bytes = b""
    """``package.json``, for a program that comes by npm."""
    package_lock: bytes = b""
    """``package-lock.json``, for a program that comes by npm."""
    moves: dict[str, str] = msgspec.field(default_factory=dict)
    """Files that are put in place when npm is done: where to, and where from, in the tree."""

    @property
    def sha256(self) -> str:
        """One digest of all that it says; what it says nothing of is left out."""
        told = {name: value for name in self.__struct_fields__ if (value := getattr(self, name))}
        return digest(canonical({n: v.hex() if type(v) is bytes else v for n, v in told.items()}))


@cache
def wanted() -> Wanted:
    """The programs that there are toolchains of."""
    return convert(parse_by_name(_read(WANTED), source=WANTED), Wanted, source=WANTED)


def toolchain_names() -> tuple[str, ...]:
    """The presets that there are toolchains of."""
    return tuple(sorted((*wanted().pip, *wanted().npm)))


def require_toolchain(name: str) -> None:
    """Refuse a name that no toolchain has.

    Raises:
        UnknownNameError: there is none of this name.
    """
    if name not in toolchain_names():
        raise UnknownNameError("toolchain", name, toolchain_names())


def find_recipe(name: str) -> Recipe:
    """What the toolchain of a preset is built from.

    Raises:
        UnknownNameError: there is none of this name.
        DataError: its lockfiles are not there.
    """
    require_toolchain(name)
    given = wanted()
    if name in given.pip:
        return Recipe(
            name=name,
            requirements=_read(LOCKS, f"{name}.txt"),
            python=given.python,
            program=given.pip[name][0].partition("==")[0],
        )
    return Recipe(
        name=name,
        requirements=_read(LOCKS, "node.txt"),
        package=_read(LOCKS, name, PACKAGE_JSON),
        package_lock=_read(LOCKS, name, PACKAGE_LOCK),
        moves=given.moves.get(name, {}),
    )


def _read(*path: str) -> bytes:
    file: Traversable = files("kcb_agents.toolchain").joinpath(*path)
    try:
        return file.read_bytes()
    except OSError as error:
        raise DataError(f"{file}: {error.strerror}; 'nox -s locks' writes it") from None
