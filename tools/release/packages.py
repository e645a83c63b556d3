"""The distributions of a tree, and whether tag, version and changelog of each agree."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

UNRELEASED = "Unreleased"
"""Heading of a changelog under which stands what the next version brings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One distribution of a tree."""

    name: str
    folder: Path
    version: str
    heading: str
    """What the first heading of its changelog names: a version, or :data:`UNRELEASED`."""

    @property
    def stem(self) -> str:
        """How the names of its archives begin."""
        return f"{self.name.replace('-', '_')}-{self.version}"


def read_packages(tree: Path) -> tuple[Package, ...]:
    """The packages of a tree, by name.

    Raises:
        LookupError: there is none.
    """
    found = sorted(tree.glob("packages/*/pyproject.toml"))
    if not found:
        raise LookupError(f"there are no packages in {tree}")
    return tuple(_read(path) for path in found)


def _read(path: Path) -> Package:
    project = tomllib.loads(path.read_text("utf-8"))["project"]
    changes = (path.parent / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## \[?([^\s\]]+)", changes, re.MULTILINE)
    return Package(
        name=project["name"],
        folder=path.parent,
        version=project["version"],
        heading=headings[0] if headings else "nothing",
    )


def tagged(tag: str, packages: Iterable[Package]) -> Package | None:
    """The package that a tag such as ``kcb-core-v0.2.0`` names, if it names one."""
    name = tag.rpartition("-v")[0]
    return next((package for package in packages if package.name == name), None)


def disagreements(packages: Iterable[Package], tags: Iterable[str]) -> Iterator[str]:
    """One line for each tag, version and changelog that do not say the same.

    A package without a tag may have changes that are not released yet; one with a tag may not.
    """
    known = tuple(packages)
    for package in known:
        if package.heading not in (UNRELEASED, package.version):
            yield (
                f"{package.name}: pyproject.toml says {package.version}, "
                f"the first heading of CHANGELOG.md {package.heading}"
            )
    for tag in tags:
        named, version = tagged(tag, known), tag.rpartition("-v")[2]
        if named is None:
            yield f"the tag {tag} names no package"
        elif not version == named.version == named.heading:
            yield (
                f"{named.name}: the tag says {version}, pyproject.toml {named.version}, "
                f"the first heading of CHANGELOG.md {named.heading}"
            )
