"""Distractors: files that lead astray, in a registry of their own and apart from task material."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from kcb_core.codec import convert, parse_by_name
from kcb_core.errors import UnknownNameError
from kcb_core.storage import read_bounded
from kcb_suites.drills.drill_checks import refuse_path, refuse_twice

REGISTRY_NAME = "registry.json"

_Words = Annotated[str, msgspec.Meta(min_length=1)]


class Distractor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file that leads astray."""

    name: _Words
    """What drills call it."""
    path: _Words
    """Where an agent finds it, below its folder."""
    text: str
    """All that it says."""
    lure: _Words
    """What it tempts an agent to, for whoever reads the registry; no agent is told."""

    def __post_init__(self) -> None:
        refuse_path(self.path)


class Registry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All distractors of one battery."""

    distractors: tuple[Distractor, ...]

    def __post_init__(self) -> None:
        refuse_twice("distractors", [one.name for one in self.distractors])

    def find(self, name: str) -> Distractor:
        """The distractor of this name.

        Raises:
            UnknownNameError: there is none.
        """
        for one in self.distractors:
            if one.name == name:
                return one
        raise UnknownNameError("distractor", name, [one.name for one in self.distractors])


def read_registry(folder: Path) -> Registry:
    """The registry in a folder of distractors; an empty one where there is no such folder.

    Raises:
        DeclarationError: it cannot be read.
        DataError: it is malformed; the field is named.
    """
    path = folder / REGISTRY_NAME
    if not path.exists():
        return Registry(distractors=())
    source = str(path)
    return convert(parse_by_name(read_bounded(path), source=source), Registry, source=source)
