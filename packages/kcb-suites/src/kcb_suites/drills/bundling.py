"""An installed distribution's console script as a folder that needs nothing but an interpreter.

A sandbox shows nothing that is installed for the evaluator. So that an agent can use a tool of this
very environment, the tool is copied with what it requires, and with nothing else.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from kcb_core.errors import DeclarationError

_STARTER = """\
import sys
sys.path.insert(0, {site!r})
from {module} import {attribute}
sys.exit({attribute}())
"""

_LEFT_OUT = ("tests",)
"""What no program imports. Compiled files come along: they stay valid, and starting is quicker."""


def bundle(distribution: str, script: str, folder: Path) -> Path:
    """Copy a distribution with all that it requires, extras left aside.

    Args:
        distribution: its name.
        script: the console script of it, or of something that it requires.
        folder: a folder that is not there yet.

    Returns:
        A program for ``python -S`` that is the script.

    Raises:
        DeclarationError: something is not installed, or none of it brings the script.
    """
    site = folder / "site"
    site.mkdir(parents=True)
    entry = None
    for found in required(distribution):
        _copy(found, site)
        scripts = found.entry_points.select(group="console_scripts", name=script)
        entry = next(iter(scripts), entry)
    if entry is None:
        raise DeclarationError(f"{distribution!r} and what it requires bring no script {script!r}")
    program = folder / f"{script}.py"
    program.write_text(
        _STARTER.format(site=str(site), module=entry.module, attribute=entry.attr), "utf-8"
    )
    return program


def required(distribution: str) -> tuple[metadata.Distribution, ...]:
    """A distribution and all that it requires, each once.

    Raises:
        DeclarationError: one is not installed.
    """
    found: dict[str, metadata.Distribution] = {}
    todo = [distribution]
    while todo:
        name = _normal(todo.pop())
        if name in found:
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            raise DeclarationError(f"distribution {name!r} is not installed") from None
        todo += _requirements(found[name])
    return tuple(found[name] for name in sorted(found))


def _requirements(distribution: metadata.Distribution) -> Iterator[str]:
    """Names of what a distribution requires here; what is for extras or elsewhere is left aside.

    A marker about anything but an extra is settled by what is installed: what does not apply here
    was not installed here.
    """
    for line in distribution.requires or ():
        name, _, marker = line.partition(";")
        name = re.split(r"[^A-Za-z0-9._-]", name.strip(), maxsplit=1)[0]
        if "extra" in marker or (marker and not _installed(name)):
            continue
        yield name


def _installed(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _copy(distribution: metadata.Distribution, site: Path) -> None:
    """Copy the packages of a distribution, and what its metadata say of its entry points."""
    for source in _sources(distribution):
        if source.is_dir():
            shutil.copytree(source, site / source.name, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        else:
            shutil.copy(source, site / source.name)
    name = _normal(distribution.name).replace("-", "_")
    info = site / f"{name}-{distribution.version}.dist-info"
    info.mkdir()
    for file in ("METADATA", "entry_points.txt"):
        if text := distribution.read_text(file):
            (info / file).write_text(text, "utf-8")


def _sources(distribution: metadata.Distribution) -> list[Path]:
    """The top of everything that a distribution installs to be imported."""
    tops = {
        file.parts[0]
        for file in distribution.files or ()
        if file.suffix in (".py", ".so") and file.parts[0] not in ("..", "/")
    }
    found = [Path(str(distribution.locate_file(top))) for top in sorted(tops)]
    if found:
        return found
    # Installed editable: only the import system knows where its package lies.
    spec = find_spec(_normal(distribution.name).replace("-", "_"))
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise DeclarationError(f"distribution {distribution.name!r}: its files cannot be found")
    return [Path(places[0])]


def _normal(name: str) -> str:
    """Source: PEP 503, *normalized names*."""
    return re.sub(r"[-_.]+", "-", name).lower()
