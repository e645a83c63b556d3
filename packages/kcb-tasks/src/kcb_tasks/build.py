"""Families and tiers in, a whole dataset out: the bytes of every file and the manifest over them.

The same families, tiers, seed and versions give the same bytes on every host and interpreter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from msgspec import UNSET

from kcb_core.canary import CANARY
from kcb_core.codec import encode
from kcb_core.dataset import MANIFEST_NAME, DataFile, Manifest, data_file
from kcb_core.errors import DeclarationError, DuplicateNameError
from kcb_core.family import Family
from kcb_core.ids import SHIPPED_DATASET
from kcb_core.task import PROTOCOL_VERSION
from kcb_core.tier import Tier
from kcb_core.vocabulary import SHIPPED, Vocabulary
from kcb_tasks.dialect import check_families
from kcb_tasks.rows import Row, Work, in_turn
from kcb_tasks.sets import held_out, stratified

DATASET_VERSION = "0.1.0"
"""Version of the shipped dataset; raised whenever a statement, datum, check or limit changes."""

SHIPPED_SEED = 1729
"""Seed of the shipped dataset."""

FLOORS: Mapping[str, int] = {"easy": 3_075, "intermediate": 5_415, "hard": 9_705, "max": 15_490}
"""Fewest assertions of a tier in a dataset of :data:`FLOOR_FAMILIES` families."""

FLOOR_FAMILIES = 65


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A dataset that is not yet stored."""

    manifest: Manifest
    """What it is, to the byte."""
    data: Mapping[str, bytes]
    """The data files by name."""

    @property
    def files(self) -> dict[str, bytes]:
        """All files by name, the manifest last."""
        return {**self.data, MANIFEST_NAME: encode(self.manifest)}


def build(
    families: Iterable[Family],
    tiers: Iterable[Tier],
    *,
    seed: int,
    version: str,
    packages: Mapping[str, str],
    vocabulary: Vocabulary = SHIPPED,
    work: Work = in_turn,
    done: Callable[[str], None] = lambda task_id: None,
) -> Built:
    """The dataset of some families in some tiers.

    Args:
        families: the families, all of one dataset.
        tiers: the tiers.
        seed: seed of the generated inputs.
        version: version of the dataset.
        packages: distributions and their versions, for the manifest.
        vocabulary: what the names on the wire are called.
        work: builds the families; by default one after the other, in this process.
        done: called with the id of each task as soon as it is built.

    Raises:
        DeclarationError: a family disagrees with its own cases, its scenarios leave a part of its
            contract untouched, the shipped dataset has fewer assertions than it must have, or
            the vocabulary does not fit a family.
        DuplicateNameError: two families share their number.
    """
    ordered = _in_order(families)
    check_families(vocabulary, ordered)
    ranked = sorted(tiers, key=lambda tier: (tier.rank, tier.name))
    rows: dict[str, list[Row]] = {tier.name: [] for tier in ranked}
    for of_family in work(ordered, ranked, seed, vocabulary):
        for tier, row in zip(ranked, of_family, strict=True):
            rows[tier.name].append(row)
            done(row.task_id)
    data: dict[str, bytes] = {}
    entries: list[DataFile] = []
    for tier in ranked:
        entries.append(_enter(data, tier, rows[tier.name]))
        _check_floor(ordered[0].dataset, entries[-1])
    manifest = Manifest(
        dataset=ordered[0].dataset,
        version=version,
        seed=seed,
        protocol_version=PROTOCOL_VERSION,
        packages=dict(sorted(packages.items())),
        files=tuple(entries),
        order=stratified(ordered),
        held_out=held_out(ordered),
        canary=CANARY,
        vocabulary=UNSET if vocabulary.canonical else vocabulary,
    )
    return Built(manifest=manifest, data=data)


def _in_order(families: Iterable[Family]) -> Sequence[Family]:
    """The families by number, all of one dataset."""
    ordered = sorted(families, key=lambda family: family.number)
    if not ordered:
        raise DeclarationError("a dataset needs at least one family")
    names = {family.dataset for family in ordered}
    if len(names) > 1:
        raise DeclarationError(f"families of several datasets: {', '.join(sorted(names))}")
    owners: dict[int, Family] = {}
    for family in ordered:
        other = owners.setdefault(family.number, family)
        if other is not family:
            raise DuplicateNameError(
                "family number", f"{family.number:03d}", (other.slug, family.slug)
            )
    return ordered


def _enter(data: dict[str, bytes], tier: Tier, rows: Sequence[Row]) -> DataFile:
    """Add the data file of a tier, and give the manifest's entry for it."""
    name = f"{tier.name}.jsonl"
    data[name] = b"".join(row.line for row in rows)
    return data_file(name, tier.name, data[name], rows)


def _check_floor(dataset: str, file: DataFile) -> None:
    floor = math.ceil(FLOORS.get(file.subset, 0) * len(file.tasks) / FLOOR_FAMILIES)
    if dataset == SHIPPED_DATASET and file.assertions < floor:
        raise DeclarationError(
            f"{file.path}: {file.assertions} assertions for {len(file.tasks)} families, "
            f"at least {floor} are needed"
        )
