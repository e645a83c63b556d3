"""What is mutated: every domain and every shell of the references, with tasks that must notice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kcb_core.catalog import Catalog
from kcb_core.dataset import Dataset, open_dataset
from kcb_core.ids import TaskId
from kcb_core.task import Task
from kcb_references.export import SHELLS, TIERS, project_files

DOMAIN_SAMPLE = 60
"""Mutants of each domain."""

SHELL_SAMPLE = 150
"""Mutants of each shell."""

SHELL_FAMILIES = 3
"""Families in whose tasks the mutants of a shell are tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A task, and where the domain of the project lies that resolves it."""

    folder: Path
    """Where the dataset lies."""
    task_id: str
    domain: Path

    def task(self) -> Task:
        """The task itself."""
        return open_dataset(self.folder).task(self.task_id)

    def files(self) -> dict[str, str]:
        """The texts of the right project, by path."""
        tier = TaskId.parse(self.task_id).tier
        return project_files(tier, self.domain.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A module of the references, and what must catch its mutants."""

    name: str
    """The slug of a family, or the name of a tier."""
    shell: bool
    """Whether it is a shell and no domain."""
    path: str
    """Its file in a project."""
    amount: int
    """How many mutants are tried; fewer if there are no more."""
    own: tuple[Part, ...]
    """Tasks of its own tier."""
    later: tuple[Part, ...]
    """Tasks of the highest tier, for what its own tier lets pass."""


def subjects(catalog: Catalog, dataset: Dataset) -> Iterator[Subject]:
    """The shells, then the domain of every family of a dataset, in its order.

    Raises:
        UnknownNameError: a family has no reference.
    """
    parts = _parts(catalog, dataset)
    slugs = [slug for tier, slug in parts if tier == TIERS[0]]
    chosen = (dataset.manifest.order or tuple(slugs))[:SHELL_FAMILIES]
    for tier, shell in zip(TIERS, SHELLS, strict=True):
        highest = () if tier == TIERS[-1] else tuple(parts[TIERS[-1], slug] for slug in chosen)
        yield Subject(
            name=tier,
            shell=True,
            path=f"{shell}.py",
            amount=SHELL_SAMPLE,
            own=tuple(parts[tier, slug] for slug in chosen),
            later=highest,
        )
    for slug in slugs:
        yield Subject(
            name=slug,
            shell=False,
            path="domain.py",
            amount=DOMAIN_SAMPLE,
            own=(parts[TIERS[0], slug],),
            later=(parts[TIERS[-1], slug],),
        )


def _parts(catalog: Catalog, dataset: Dataset) -> dict[tuple[str, str], Part]:
    """Every task with the domain that resolves it, by tier and family."""
    references = catalog.references()
    parts = {}
    for task_id in dataset.task_ids:
        named = TaskId.parse(task_id)
        family = f"{named.dataset}/{named.slug}"
        reference = catalog.find("reference", family, references, lambda found: found.family)
        part = Part(folder=dataset.folder, task_id=task_id, domain=reference.domain)
        parts[named.tier, named.slug] = part
    return parts
