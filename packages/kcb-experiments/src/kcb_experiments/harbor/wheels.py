"""A folder of wheels with all that judges a project, for a machine that reaches no index."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.parser import Parser
from io import BytesIO
from pathlib import Path

from kcb_core.errors import DataError, DeclarationError
from kcb_core.provenance import revision
from kcb_core.storage import read_bounded

JUDGES = ("kcb-core", "kcb-runner")
"""Distributions of which the same version has to be there as here."""

REMEDY = "'pip wheel kcb-runner --wheel-dir DIR' fills such a folder"

_NAME = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """One wheel."""

    file: str
    """Name of its file."""
    data: bytes
    name: str
    """Name of its distribution, normalised."""
    version: str
    needs: tuple[str, ...]
    """Names of the distributions that it needs on every machine."""


def read_wheels(folder: Path) -> Mapping[str, bytes]:
    """The wheels of a folder, which are enough to judge a project.

    What a wheel needs on some machines only, such as Windows, is taken as it is found.

    Args:
        folder: one wheel each of kcb-core, kcb-runner, and all that these need.

    Returns:
        The content of each wheel by its file name, in the order of names.

    Raises:
        DeclarationError: a wheel is missing, there twice, or of another version than is here.
        DataError: a file is no wheel.
    """
    paths = sorted(folder.glob("*.whl")) if folder.is_dir() else []
    if not paths:
        raise DeclarationError(f"{folder}: holds no wheels; {REMEDY}")
    wheels: dict[str, Wheel] = {}
    for wheel in map(read_wheel, paths):
        if wheel.name in wheels:
            raise DeclarationError(f"{folder}: holds two wheels of {wheel.name}; leave one")
        wheels[wheel.name] = wheel
    _require(folder, wheels)
    return {wheel.file: wheel.data for wheel in wheels.values()}


def read_wheel(path: Path) -> Wheel:
    """A wheel and what its metadata say.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it is no wheel.
    """
    data = read_bounded(path)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            (name,) = [n for n in archive.namelist() if n.endswith(".dist-info/METADATA")]
            text = archive.read(name).decode("utf-8")
    except (zipfile.BadZipFile, ValueError) as error:
        raise DataError(f"{path}: is no wheel: {error}") from None
    metadata = Parser().parsestr(text, headersonly=True)
    return Wheel(
        file=path.name,
        data=data,
        name=_normalised(metadata["Name"] or ""),
        version=metadata["Version"] or "",
        needs=tuple(_always(metadata.get_all("Requires-Dist") or ())),
    )


def _require(folder: Path, wheels: Mapping[str, Wheel]) -> None:
    needed = {*JUDGES, *(need for wheel in wheels.values() for need in wheel.needs)}
    missing = sorted(needed - set(wheels))
    if missing:
        raise DeclarationError(f"{folder}: no wheel of {', '.join(missing)}; {REMEDY}")
    for name in JUDGES:
        here, there = revision(name).version, wheels[name].version
        if here != there:
            raise DeclarationError(
                f"{folder}: has {name} {there}, and {here} is installed; judge with one version"
            )


def _always(requirements: Iterable[str]) -> list[str]:
    """Names in requirements that hold on every machine and without an extra."""
    found = (_NAME.match(line) for line in requirements if ";" not in line)
    return [_normalised(match[0]) for match in found if match]


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
