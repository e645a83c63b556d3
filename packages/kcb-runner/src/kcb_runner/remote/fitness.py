"""Whether a worker may judge: the same software as the client's, and enough confinement."""

from __future__ import annotations

import atexit
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from kcb_core.catalog import load_catalog
from kcb_core.dataset import open_dataset
from kcb_core.provenance import revision
from kcb_core.report import Confinement
from kcb_core.roles import Launcher

LEVELS = ("none", "basic", "full")
"""Levels of confinement, the least first."""

DISTRIBUTIONS = ("kcb-core", "kcb-runner")
"""What decides verdicts, and so must be the same everywhere."""

_PYTHON = "Python"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitness:
    """What a process says of itself."""

    versions: Mapping[str, str]
    """Of the distributions that it was asked for, and of Python."""
    confinement: Confinement
    """What its launcher keeps a candidate from, on its machine."""
    manifests: Mapping[str, str] = field(default_factory=dict)
    """Digest of the manifest of each dataset that is installed there, by name."""
    threads: int = 1
    """Tasks that it plays at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What a client asks of its workers."""

    launcher: str
    """Name of the launcher."""
    versions: Mapping[str, str]
    dataset: str
    """Name of the dataset."""
    manifest: str
    """Digest of its manifest, empty if the client does not know it."""
    confinement: str | None = None
    """The least level of confinement."""

    @property
    def distributions(self) -> tuple[str, ...]:
        """Those whose versions must be the same."""
        return tuple(name for name in self.versions if name != _PYTHON)

    def mismatch(self, fitness: Fitness) -> str | None:
        """How a process's software differs from the client's, in one line; None if not at all."""
        found = [
            f"{name} {fitness.versions.get(name, 'missing')} there and {version} here"
            for name, version in self.versions.items()
            if fitness.versions.get(name) != version
        ]
        there = fitness.manifests.get(self.dataset)
        if there and self.manifest and there != self.manifest:
            found.append(
                f"dataset {self.dataset} has manifest {there[:12]} there and "
                f"{self.manifest[:12]} here"
            )
        return ", ".join(found) or None

    def shortfall(self, fitness: Fitness) -> str | None:
        """Why a process confines too little, in one line; None if it does not."""
        level = fitness.confinement.level
        if not self.confinement or LEVELS.index(level) >= LEVELS.index(self.confinement):
            return None
        return (
            f"launcher {self.launcher!r} confines at level {level!r} there, and "
            f"--require-confinement asks for {self.confinement!r}"
        )


def versions(distributions: Iterable[str] = DISTRIBUTIONS) -> dict[str, str]:
    """What this process runs: versions of some distributions, and of Python."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return {name: revision(name).version for name in distributions} | {_PYTHON: python}


@cache
def launcher_here(name: str) -> Launcher:
    """The launcher of a name, one for the whole process, which is a worker."""
    catalog = load_catalog()
    launcher = catalog.find("launcher", name, catalog.launchers(), lambda found: found.name)
    atexit.register(launcher.close)
    return launcher


@cache
def manifests_here() -> dict[str, str]:
    """Digest of the manifest of each dataset that is installed here."""
    sources = load_catalog().dataset_sources()
    return {source.name: open_dataset(source.folder).manifest.sha256 for source in sources}


def fitness_here(
    launcher: str, threads: int = 1, distributions: Iterable[str] = DISTRIBUTIONS
) -> Fitness:
    """What this process says of itself.

    Args:
        launcher: name of the launcher whose confinement is told.
        threads: tasks that it plays at the same time.
        distributions: whose versions are told.

    Raises:
        UnknownNameError: it has no such launcher.
    """
    return Fitness(
        versions=versions(distributions),
        confinement=launcher_here(launcher).confinement(),
        manifests=manifests_here(),
        threads=threads,
    )
