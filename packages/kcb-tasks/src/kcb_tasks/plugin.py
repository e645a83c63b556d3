"""What kcb-tasks brings: the shipped families, the four tiers, the dataset, and its commands."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kcb_core import hookimpl
from kcb_core.family import Family
from kcb_core.ids import SHIPPED_DATASET
from kcb_core.roles import Command, DatasetSource
from kcb_core.tier import Tier
from kcb_tasks.families import discover
from kcb_tasks.tiers.shipped import TIERS


@hookimpl
def kcb_register_families() -> Iterable[Family]:
    """The shipped families."""
    return discover()


@hookimpl
def kcb_register_tiers() -> Iterable[Tier]:
    """The four tiers."""
    return TIERS


@hookimpl
def kcb_register_dataset_sources() -> Iterable[DatasetSource]:
    """The shipped dataset."""
    return (DatasetSource(name=SHIPPED_DATASET, folder=Path(__file__).parent / "data"),)


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """What makes datasets, publishes and lists them, and begins a new family."""
    return (
        Command(
            name="build",
            summary="Build a dataset from the families and tiers.",
            target="kcb_tasks.cli:build",
        ),
        Command(
            name="export",
            summary="Export a dataset for publication, with its card.",
            target="kcb_tasks.export:export",
        ),
        Command(
            name="catalogue",
            summary="Write the page that lists every family of a dataset.",
            target="kcb_tasks.catalogue:catalogue",
        ),
        Command(
            name="new-family",
            summary="Start a package for a family of your own.",
            target="kcb_tasks.new_family:new_family",
        ),
    )
