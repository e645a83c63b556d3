"""``klein-bench build``: a dataset from the installed families and tiers."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

import click
from msgspec import UNSET

from kcb_core import console
from kcb_core.catalog import Catalog, open_source
from kcb_core.dataset import MANIFEST_NAME, Manifest, open_dataset
from kcb_core.errors import DeclarationError, ExitStatus, UnknownNameError
from kcb_core.family import Family
from kcb_core.ids import SHIPPED_DATASET
from kcb_core.storage import read_bounded, write_whole
from kcb_core.vocabulary import SHIPPED, Vocabulary, read_vocabulary
from kcb_tasks.build import DATASET_VERSION, SHIPPED_SEED, Built
from kcb_tasks.build import build as build_dataset
from kcb_tasks.release import RELEASED, read_released, release_faults
from kcb_tasks.workers import workers_for

_INSTALLED = ("site-packages", "dist-packages")
_FIRST_VERSION = "0.1.0"
_PACKAGES = ("kcb-core", "kcb-tasks")


@click.command()
@click.option(
    "--seed", type=int, default=SHIPPED_SEED, show_default=True, help="Of the generated inputs."
)
@click.option(
    "--families",
    "dataset",
    default=SHIPPED_DATASET,
    show_default=True,
    metavar="NAME",
    help="The families of which dataset.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where the files go. Default: the data folder of the clone that the dataset comes from.",
)
@click.option(
    "--dataset-version",
    metavar="VERSION",
    help="Version to state. Default: that of the dataset at the output.",
)
@click.option(
    "--vocabulary",
    "vocabulary_path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="TOML or JSON: what the names on the wire are called. Default: the canonical names.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the files there differ.")
@click.option(
    "--released",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="With --check: exit 1 too if anything changed since this released manifest and the "
    "version did not. Default for the shipped dataset: that of its last release.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the manifest as JSON.")
@click.pass_context
def build(
    ctx: click.Context,
    seed: int,
    dataset: str,
    output: Path | None,
    dataset_version: str | None,
    vocabulary_path: Path | None,
    check: bool,
    released: Path | None,
    as_json: bool,
) -> None:
    """Build a dataset: one JSONL file a tier, and a manifest that pins every byte.

    Another seed gives a whole fresh dataset of the same difficulty, for private use.
    """
    catalog: Catalog = ctx.find_root().obj
    if released and not check:
        raise DeclarationError("--released is something to check against; add --check")
    families = _families(catalog, dataset)
    folder = output or _own_folder(catalog, dataset)
    version = dataset_version or _version(dataset, folder)
    vocabulary = read_vocabulary(vocabulary_path) if vocabulary_path else SHIPPED
    built = _build(catalog, families, seed, version, vocabulary)
    differing = _differing(built.files, folder)
    if check:
        faults = [f"{folder / name}: differs from what the source gives" for name in differing]
        faults += _release_faults(built.manifest, released)
        for fault in faults:
            console.fail(fault)
        ctx.exit(ExitStatus.FAILED if faults else ExitStatus.DONE)
    for name in differing:
        write_whole(folder / name, built.files[name])
    _show(built.manifest, as_json)


def _families(catalog: Catalog, dataset: str) -> list[Family]:
    known = catalog.families()
    families = [family for family in known if family.dataset == dataset]
    if not families:
        names = dict.fromkeys(family.dataset for family in known)
        raise UnknownNameError("dataset", dataset, names, [str(f) for f in catalog.failures])
    return families


def _own_folder(catalog: Catalog, dataset: str) -> Path:
    """The data folder of a dataset whose distribution runs from a clone."""
    folder = open_source(catalog, dataset).folder
    if any(part in _INSTALLED for part in folder.parts):
        raise DeclarationError(
            f"{folder} belongs to an installed package; name a folder with --output"
        )
    return folder


def _version(dataset: str, folder: Path) -> str:
    if dataset == SHIPPED_DATASET:
        return DATASET_VERSION
    if (folder / MANIFEST_NAME).exists():
        return open_dataset(folder).manifest.version
    return _FIRST_VERSION


def _build(
    catalog: Catalog, families: list[Family], seed: int, version: str, vocabulary: Vocabulary
) -> Built:
    tiers = catalog.tiers()
    with console.progress() as progress:
        bar = progress.add_task("build", total=len(families) * len(tiers), detail="")

        def advance(task_id: str) -> None:
            progress.update(bar, advance=1, detail=task_id)

        return build_dataset(
            families,
            tiers,
            seed=seed,
            version=version,
            packages={name: metadata.version(name) for name in _PACKAGES},
            vocabulary=vocabulary,
            work=workers_for(catalog, len(families)),
            done=advance,
        )


def _differing(files: Mapping[str, bytes], folder: Path) -> list[str]:
    """Names of the files that are missing in a folder or hold something else there."""
    return [
        name
        for name, data in files.items()
        if not (folder / name).is_file() or read_bounded(folder / name) != data
    ]


def _release_faults(built: Manifest, path: Path | None) -> list[str]:
    """What has changed since a release without a new version; by default since the last one."""
    if path is None:
        shipped = (built.dataset, built.seed, built.vocabulary)
        if shipped != (SHIPPED_DATASET, SHIPPED_SEED, UNSET):
            return []
        path = RELEASED
        if not path.exists():
            console.note(f"no release of {built.dataset} yet, so none to compare with")
            return []
    return list(release_faults(built, read_released(path)))


def _show(manifest: Manifest, as_json: bool) -> None:
    if as_json:
        console.emit_json(manifest)
        return
    console.table(
        ("file", "tasks", "scenarios", "assertions", "bytes", "sha256"),
        [
            (
                file.path,
                str(len(file.tasks)),
                str(file.scenarios),
                str(file.assertions),
                str(file.size),
                file.sha256,
            )
            for file in manifest.files
        ],
        right="tasks,scenarios,assertions,bytes",
    )
