"""One fixed order of families, and a fixed split: what smaller runs and training sets hang on.

Both depend on the families alone, so that they never change with a seed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from kcb_core.codec import digest
from kcb_core.family import Family

HELD_OUT_EVERY = 3
"""Of each category, one family of so many is held out, at least one where there are two."""


def stratified(families: Iterable[Family]) -> tuple[str, ...]:
    """Slugs in an order whose every beginning holds the categories and difficulties evenly.

    Each round takes one family of each category; the rounds begin with other difficulties from
    category to category, so that a round holds all of them.
    """
    rows = [_of_category(row, turn) for turn, row in enumerate(_by_category(families))]
    rounds = zip_longest(*rows)
    return tuple(slug for taken in rounds for slug in taken if slug is not None)


def held_out(families: Iterable[Family]) -> tuple[str, ...]:
    """Slugs of the families that are kept for measuring, some of every category with several."""
    chosen = []
    for row in _by_category(families):
        ordered = sorted(row, key=_draw)
        count = len(ordered) // HELD_OUT_EVERY or (1 if len(ordered) > 1 else 0)
        chosen += [family.slug for family in ordered[:count]]
    return tuple(sorted(chosen))


def _by_category(families: Iterable[Family]) -> list[list[Family]]:
    rows: dict[str, list[Family]] = defaultdict(list)
    for family in families:
        rows[family.category].append(family)
    return [rows[category] for category in sorted(rows)]


def _of_category(row: Sequence[Family], turn: int) -> list[str]:
    """The families of a category in turn by difficulty, beginning with another from row to row."""
    stacks: dict[str, list[Family]] = defaultdict(list)
    for family in sorted(row, key=_draw):
        stacks[family.difficulty].append(family)
    kinds = sorted(stacks)
    kinds = kinds[turn % len(kinds) :] + kinds[: turn % len(kinds)]
    rounds = zip_longest(*(stacks[kind] for kind in kinds))
    return [family.slug for taken in rounds for family in taken if family is not None]


def _draw(family: Family) -> str:
    """A place that says nothing of the family and is the same for ever."""
    return digest(family.name.encode())
