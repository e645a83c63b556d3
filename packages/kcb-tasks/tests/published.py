"""What tests of published forms share: the toy family as a stored dataset of either name."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from kcb_core.dataset import Dataset, open_dataset
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.build import Built, build
from kcb_tasks.tiers.shipped import TIERS

FAMILY = replace(AMOUNTS, dataset="kcb", number=7)
"""A family under the name of the shipped dataset."""


@cache
def built(name: str = "kcb") -> Built:
    """The toy family's dataset under a name."""
    family = replace(FAMILY, dataset=name)
    return build([family], TIERS, seed=5, version="1.2.3", packages={"kcb-tasks": "9.8.7"})


def stored(folder: Path, name: str = "kcb") -> Dataset:
    """The same in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, data in built(name).files.items():
        (folder / path).write_bytes(data)
    return open_dataset(folder)
