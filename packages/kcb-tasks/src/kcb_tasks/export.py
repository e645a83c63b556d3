"""``klein-bench export``: a dataset in the layout of the Hugging Face hub, ready to be uploaded."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import click

from kcb_core import console
from kcb_core.catalog import Catalog, open_source
from kcb_core.codec import encode
from kcb_core.commands.options import FILE, dataset_option
from kcb_core.dataset import MANIFEST_NAME, Dataset, open_dataset
from kcb_core.folder import fill, require_new
from kcb_core.ids import SHIPPED_DATASET
from kcb_tasks.card import DATA_FOLDER, PARQUET_FOLDER, card
from kcb_tasks.parquet import parquet_bytes, require_pyarrow
from kcb_tasks.records import read_stored

CARD_NAME = "README.md"


def hub_files(dataset: Dataset, *, parquet: bool) -> dict[str, bytes]:
    """A dataset as the files of a repository of the hub.

    Args:
        dataset: what to publish.
        parquet: whether to add each data file as Parquet, beside the folder of JSONL files.

    Returns:
        The content of each file, by its path.

    Raises:
        DataError: a file of the dataset differs from its digest, or a record is malformed.
        DeclarationError: a file cannot be read, or pyarrow is needed and not installed.
    """
    if parquet:
        require_pyarrow()
    stored = list(read_stored(dataset))
    files = {CARD_NAME: card(dataset.manifest, stored, parquet=parquet).encode()}
    files |= {f"{DATA_FOLDER}/{held.file.path}": held.data for held in stored}
    files[f"{DATA_FOLDER}/{MANIFEST_NAME}"] = encode(dataset.manifest)
    if parquet:
        for held in stored:
            name = PurePosixPath(held.file.path).with_suffix(".parquet")
            files[f"{PARQUET_FOLDER}/{name}"] = parquet_bytes(held.records)
    return files


LAYOUTS = {"hf": hub_files}
"""What ``--format`` may name."""


@click.command()
@click.option(
    "--format",
    "layout",
    type=click.Choice(list(LAYOUTS)),
    default="hf",
    show_default=True,
    help="hf: what the Hugging Face hub and its library read.",
)
@click.option("-o", "--output", type=FILE, required=True, help="A new or an empty folder.")
@click.option("--no-parquet", is_flag=True, help="Only JSONL; needs no pyarrow.")
@dataset_option
@click.pass_obj
def export(
    catalog: Catalog, layout: str, output: Path, no_parquet: bool, dataset_path: Path | None
) -> None:
    """Export a dataset for publication: its card, its data files, and the same rows as Parquet.

    It holds the acceptance tests, so it must lie where no model can read it.
    """
    require_new(output)
    folder = dataset_path or open_source(catalog, SHIPPED_DATASET).folder
    files = LAYOUTS[layout](open_dataset(folder), parquet=not no_parquet)
    fill(output, files)
    for name in files:
        console.say(str(output / name))
