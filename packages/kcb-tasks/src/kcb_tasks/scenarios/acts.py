"""Acts: requests that ask nothing of the state, and so can be joined into scenarios of any size."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from kcb_core.codec import Json
from kcb_core.task import Tag
from kcb_tasks.scenarios.play import Play, Script


@dataclass(frozen=True, slots=True)
class Act:
    """A few requests that belong together."""

    topic: str
    """Name of the scenarios that it may stand in."""
    tags: tuple[Tag, ...]
    """What it is about; the same for all acts of a topic."""
    requests: tuple[Json, ...]
    """Objects, or strings that are raw lines."""
    bare: bool = False
    """Whether objects are sent as they stand, and not given an id."""


def join(acts: Iterable[Act], at_most: int) -> list[Script]:
    """Scripts that play acts of one topic each, in their order.

    Args:
        acts: the acts; those of one topic stand side by side.
        at_most: how many requests a script has, unless a single act has more.
    """
    scripts = []
    for topic, group in groupby(acts, key=lambda act: act.topic):
        parts = _parts(list(group), at_most)
        for number, part in enumerate(parts, start=1):
            name = topic if len(parts) == 1 else f"{topic}-{number}"
            scripts.append(Script(name, part[0].tags, (partial(_perform, part),)))
    return scripts


def _parts(acts: list[Act], at_most: int) -> list[list[Act]]:
    """The acts in parts of about equal size."""
    total = sum(len(act.requests) for act in acts)
    size = math.ceil(total / math.ceil(total / at_most))
    parts: list[list[Act]] = [[]]
    filled = 0
    for act in acts:
        if filled and filled + len(act.requests) > size:
            parts.append([])
            filled = 0
        parts[-1].append(act)
        filled += len(act.requests)
    return parts


def _perform(acts: list[Act], play: Play) -> None:
    for act in acts:
        for request in act.requests:
            given = isinstance(request, str) or act.bare
            play.send(request if given else play.identified(request))
