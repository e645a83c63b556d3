"""``klein-bench catalogue``: the page that lists every family of a dataset with its counts.

What the rules are stands in the families, what is in the tests in the data; nothing is written by
hand here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog, open_source
from kcb_core.commands.options import FILE, dataset_option
from kcb_core.dataset import DataFile, Dataset, Manifest, open_dataset
from kcb_core.errors import DeclarationError, ExitStatus
from kcb_core.family import Difficulty, Family
from kcb_core.ids import SHIPPED_DATASET, TaskId
from kcb_core.shape import Field
from kcb_core.storage import read_bounded, write_whole
from kcb_tasks.markdown import table
from kcb_tasks.records import read_stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One family with what the data hold of it."""

    family: Family
    """The family."""
    assertions: tuple[int, ...]
    """Assertions of its task in each tier, the lowest first."""


def entries(families: Iterable[Family], dataset: Dataset) -> list[Entry]:
    """The families of a dataset by category and number.

    Args:
        families: at least those of the dataset.
        dataset: where the counts come from.

    Raises:
        DeclarationError: families and data do not belong together.
        DataError: a file of the dataset differs from its digest, or is malformed.
    """
    counts: dict[tuple[int, str], dict[str, int]] = {}
    for stored in read_stored(dataset):
        for record in stored.records:
            task = TaskId.parse(record["task_id"])
            counts.setdefault((task.number, task.slug), {})[task.tier] = record["num_assertions"]
    known = {(f.number, f.slug): f for f in families if f.dataset == dataset.manifest.dataset}
    for number, slug in sorted(known.keys() ^ counts.keys()):
        who = "no installed plug-in has" if (number, slug) in counts else f"{dataset.folder} lacks"
        raise DeclarationError(f"{who} the family {number:03d} {slug}; build the dataset again")
    found = [
        Entry(family=known[key], assertions=tuple(held.get(t, 0) for t in dataset.manifest.totals))
        for key, held in counts.items()
    ]
    return sorted(found, key=lambda entry: (entry.family.category, entry.family.number))


def page(manifest: Manifest, listed: Sequence[Entry]) -> str:
    """The catalogue page, as Markdown.

    Args:
        manifest: of the dataset.
        listed: its families, by category and number.
    """
    parts = [
        "# Catalogue",
        f"{len(listed)} families in {len(manifest.files)} tiers: {len(manifest.members())} tasks "
        f"of the dataset `{manifest.dataset}` {manifest.version}, built from seed "
        f"{manifest.seed}.\n"
        f"An id is made of the dataset, a tier, the number and the family: "
        f"`{manifest.members()[0]}`.\n"
        "An input in parentheses may be left out.\n"
        "The columns named after tiers count assertions, each an expected response to one "
        "request.\n"
        "`klein-bench catalogue` writes this page; it is not edited.",
        "## Tiers",
        _tiers(manifest.files),
        "## Categories",
        _categories(listed),
    ]
    for category, group in groupby(listed, key=lambda entry: entry.family.category):
        parts += [f"## {category}", _families(manifest.totals, group)]
    return "\n\n".join(parts) + "\n"


def _tiers(files: Sequence[DataFile]) -> str:
    counted = [(f.subset, len(f.tasks), f.scenarios, f.assertions) for f in files]
    rows = [(f"`{tier}`", *map("{:,}".format, numbers)) for tier, *numbers in counted]
    sums = [sum(column) for column in zip(*(numbers for _, *numbers in counted), strict=True)]
    rows.append(("total", *map("{:,}".format, sums)))
    return table(("tier", "tasks", "scenarios", "assertions"), rows, numeric=3)


def _categories(listed: Sequence[Entry]) -> str:
    counts = Counter((entry.family.category, entry.family.difficulty) for entry in listed)
    rows = []
    for category in dict.fromkeys(entry.family.category for entry in listed):
        numbers = [counts[category, difficulty] for difficulty in Difficulty]
        rows.append((f"[{category}](#{category})", *map(str, numbers), str(sum(numbers))))
    sums = [sum(counts[c, d] for c, d in counts if d is difficulty) for difficulty in Difficulty]
    rows.append(("total", *map(str, sums), str(sum(sums))))
    return table(("category", *Difficulty, "families"), rows, numeric=len(Difficulty) + 1)


def _families(tiers: Mapping[str, int], listed: Iterable[Entry]) -> str:
    rows = [
        (
            f"{entry.family.number:03d}",
            f"`{entry.family.slug}`",
            entry.family.title,
            entry.family.difficulty.value,
            ", ".join(map(_input, entry.family.fields)),
            ", ".join(f"`{error.code}`" for error in entry.family.errors) or "none",
            *map("{:,}".format, entry.assertions),
        )
        for entry in listed
    ]
    columns = ("number", "family", "title", "difficulty", "inputs", "errors", *tiers)
    return table(columns, rows, numeric=len(tiers))


def _input(member: Field) -> str:
    return f"`{member.name}`" if member.required else f"(`{member.name}`)"


@click.command()
@click.option(
    "-o", "--output", type=FILE, metavar="FILE", help="Where the page goes. Default: print it."
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the file there differs.")
@dataset_option
@click.pass_obj
def catalogue(
    catalog: Catalog, output: Path | None, check: bool, dataset_path: Path | None
) -> ExitStatus:
    """Write the page that lists every family: inputs, errors, and assertions in each tier."""
    if check and output is None:
        raise DeclarationError("--check needs --output, the page to look at")
    folder = dataset_path or open_source(catalog, SHIPPED_DATASET).folder
    dataset = open_dataset(folder)
    data = page(dataset.manifest, entries(catalog.families(), dataset)).encode()
    if output is None:
        console.say(data.decode().removesuffix("\n"))
    elif not output.is_file() or read_bounded(output) != data:
        if check:
            console.fail(f"{output}: differs from what families and data give; write it again")
            return ExitStatus.FAILED
        write_whole(output, data)
    return ExitStatus.DONE
