"""Copies what a worker imports, and nothing else, to a folder that a container can see.

Whole folders of packages must not be seen there: beside the worker's own lie datasets with hidden
tests, and solutions.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

from kcb_core.errors import DeclarationError, MachineError

GROUP = "kcb"
"""The group of entry points by which plug-ins are found."""

WORKER = "kcb-experiments"
"""The distribution of the worker itself; of what it needs, a worker needs only :data:`BASE`."""

BASE = ("kcb-core", "kcb-runner")

ANSWERS = frozenset({"kcb-tasks", "kcb-references", "kcb-suites"})
"""Distributions that hold hidden tests or solutions; no subject may see them."""

_NAME = re.compile(r"\s*([A-Za-z0-9._-]+)\s*(?:\[([^\]]*)\])?")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")
_BESIDE = {"..", "__pycache__", "."}


def provide(modules: Iterable[str], folder: Path) -> None:
    """Fill a new folder with the packages that a worker needs for some agents.

    Args:
        modules: the module of each agent.
        folder: where they go; everybody may read it.

    Raises:
        DeclarationError: an agent is of no installed plug-in, or needs what holds answers.
        MachineError: they cannot be copied.
    """
    owners = {owner_of(module) for module in modules}
    wanted = {WORKER, *closure([*BASE, *owners])}
    for name in sorted(wanted & ANSWERS):
        raise DeclarationError(
            f"an agent of {', '.join(sorted(owners))} needs {name}, which holds answers: a worker "
            "in a container may not see it"
        )
    try:
        folder.mkdir(mode=0o755)
        for name in sorted(wanted):
            for source in parts_of(metadata.distribution(name)):
                _copy(source, folder / source.name)
    except OSError as error:
        raise MachineError(f"{folder}: {error.strerror or error}") from error


def closure(roots: Iterable[str]) -> set[str]:
    """Distributions with all that they need, as far as it is installed, by their plain names."""
    found: set[str] = set()
    open_ = [(root, frozenset[str]()) for root in roots]
    while open_:
        name, extras = open_.pop()
        try:
            needs = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue  # for another system or version of Python
        if plain_name(name) in found and not extras:
            continue
        found.add(plain_name(name))
        open_ += _needed(needs, extras)
    return found


def parts_of(distribution: metadata.Distribution) -> Iterator[Path]:
    """The files and folders that an installed distribution consists of, each at its top.

    One that is installed editable consists of its metadata here and of its packages elsewhere.
    """
    tops = {file.parts[0] for file in distribution.files or ()} - _BESIDE
    for top in sorted(tops):
        place = Path(str(distribution.locate_file(top)))
        if place.suffix == ".pth":
            yield from _named_by(place)
        elif place.exists():
            yield place


def owner_of(module: str) -> str:
    """The distribution whose plug-in brings what is in a module.

    Raises:
        DeclarationError: there is none.
    """
    top = module.partition(".")[0]
    for entry in metadata.entry_points(group=GROUP):
        if entry.dist and entry.module.partition(".")[0] == top:
            return plain_name(entry.dist.name)
    raise DeclarationError(f"no installed plug-in has the agent in {module}")


def plain_name(name: str) -> str:
    """A distribution's name in its one spelling. Source: PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _needed(needs: Iterable[str], extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    for need in needs:
        requirement, _, marker = need.partition(";")
        extra = _EXTRA.search(marker)
        match = _NAME.match(requirement)
        if match and (extra is None or extra[1] in extras):
            yield match[1], frozenset(filter(None, map(str.strip, (match[2] or "").split(","))))


def _named_by(pth: Path) -> Iterator[Path]:
    """The packages in the folders that a path file names."""
    for line in pth.read_text(encoding="utf-8").splitlines():
        folder = Path(line.strip())
        if line.strip() and folder.is_dir():
            yield from (init.parent for init in sorted(folder.glob("*/__init__.py")))


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copy2(source, target)
    for path in (target, *target.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
