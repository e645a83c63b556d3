"""Finds the manifest and the selection that a command was given by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.dataset import Manifest, open_dataset
from kcb_core.errors import DeclarationError, KcbError, UnknownNameError
from kcb_core.score import Score
from kcb_core.selection import Selection, freeze_selection, read_selection


def manifest_of(catalog: Catalog, path: Path | None, sha256: str) -> Manifest | None:
    """The manifest at a path, or the installed one of that digest, or nothing."""
    if path is not None:
        return open_dataset(path).manifest
    return next((one for one in _installed(catalog) if one.sha256 == sha256), None)


def with_installed(score: Score, catalog: Catalog, path: Path | None) -> Score:
    """A score that says so where the installed dataset of its name is another one.

    Args:
        path: where the reports' dataset is; then it is at hand, whatever is installed.
    """
    stamp = score.dataset
    if path is not None or stamp is None:
        return score
    named = [one.sha256 for one in _installed(catalog) if one.dataset == stamp.name]
    if not named or stamp.manifest_sha256 in named:
        return score
    return msgspec.structs.replace(score, installed_manifest_sha256=named[0])


def _installed(catalog: Catalog) -> Iterator[Manifest]:
    """The manifest of each installed dataset that can be read."""
    for source in catalog.dataset_sources():
        try:
            yield open_dataset(source.folder).manifest
        except KcbError as error:
            console.warn(f"installed dataset {source.name!r} cannot be read: {error}")


def selection_of(name: str | None, manifest: Manifest | None) -> Selection | None:
    """The selection in a file, or a tier or named set of the dataset that the reports are of.

    Raises:
        DataError: the file holds no selection.
        DeclarationError: there is neither a file nor a dataset that has it.
        UnknownNameError: no file has this name, nor any set of tasks; these are listed.
    """
    if name is None:
        return None
    known = () if manifest is None else (*manifest.totals, *manifest.sets)
    if Path(name).exists():
        return read_selection(Path(name))
    if "@" not in name and name not in known:
        raise UnknownNameError("selection", name, known)
    if manifest is None:
        raise DeclarationError(
            f"--selection {name}: the dataset that the reports name is not installed; "
            "add --dataset PATH"
        )
    return freeze_selection(manifest, manifest.members(name))
