"""What the last release of a dataset fixes: whatever has changed since needs a new version.

A released task keeps its record, to the byte, as long as the dataset keeps its version.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kcb_core.codec import decode_kind
from kcb_core.dataset import MANIFEST_FORMAT, MANIFEST_KIND, MANIFEST_NAME, DataFile, Manifest
from kcb_core.storage import read_bounded

RELEASED = Path(__file__).parent / "released" / MANIFEST_NAME
"""The manifest of the last release of the shipped dataset; there is none before the first."""

_FIXED = ("dataset", "seed", "protocol_version", "order", "held_out", "vocabulary")


def read_released(path: Path) -> Manifest:
    """The manifest of a release, without the files that it lists.

    Raises:
        DeclarationError: there is no such file, or it cannot be read.
        DataError: it holds no manifest, or one of a newer format.
    """
    return decode_kind(
        read_bounded(path),
        Manifest,
        kind=MANIFEST_KIND,
        newest=MANIFEST_FORMAT,
        source=str(path),
    )


def release_faults(built: Manifest, released: Manifest) -> Iterator[str]:
    """One line for each difference from a release that the version does not account for.

    Versions of the packages that built a dataset may change under one version of it.

    Args:
        built: what the source gives now.
        released: the last release.
    """
    if _order(built.version) > _order(released.version):
        return
    for what in _differences(built, released):
        yield (
            f"{what}; {released.dataset} {released.version} is released, so raise the version of "
            f"the dataset, which is {built.version}"
        )
    if built.version != released.version:
        yield f"version {built.version} does not come after {released.version}, which is released"


def _differences(built: Manifest, released: Manifest) -> Iterator[str]:
    for name in _FIXED:
        if getattr(built, name) != getattr(released, name):
            yield f"'{name}' of the manifest has changed"
    files = {file.subset: file for file in built.files}
    for file in released.files:
        yield from _changes(files.pop(file.subset, None), file)
    yield from (f"the tier {tier} is new" for tier in files)


def _changes(built: DataFile | None, released: DataFile) -> Iterator[str]:
    if built is None:
        yield f"the tier {released.subset} is gone"
        return
    yield from (f"{task} is gone" for task in released.tasks if task not in built.tasks)
    yield from (f"{task} is new" for task in built.tasks if task not in released.tasks)
    if built.tasks == released.tasks and built.sha256 != released.sha256:
        yield f"{built.path}: a record has changed"


def _order(version: str) -> tuple[tuple[int, int | str], ...]:
    """What versions are compared by: numbers as numbers, other parts as text before them."""
    parts = version.split(".")
    return tuple((1, int(part)) if part.isdecimal() else (0, part) for part in parts)
