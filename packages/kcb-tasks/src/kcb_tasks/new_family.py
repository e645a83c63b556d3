"""``klein-bench new-family``: a package for a family, complete in form and with nothing written.

Its conformance tests fail once for each thing that its author owes. The texts of its files lie in
the folder ``scaffold``.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata, resources
from pathlib import Path
from string import Template

import click

from kcb_core import console
from kcb_core.catalog import BUILT_IN, Catalog
from kcb_core.commands.options import FILE
from kcb_core.errors import DeclarationError
from kcb_core.folder import fill
from kcb_core.ids import DATASET_NAME, SHIPPED_DATASET, SLUG

MAX_NAME = 50
"""Longest name of a family that is scaffolded; a task id must hold more than the name."""

_FILES: Mapping[str, str] = {
    "README.md": "README.md.tmpl",
    "pyproject.toml": "pyproject.toml.tmpl",
    "src/{module}/__init__.py": "init.py.tmpl",
    "src/{module}/family.py": "family.py.tmpl",
    "src/{module}/answer.py": "answer.py.tmpl",
    "tests/test_family.py": "test_family.py.tmpl",
}


@click.command("new-family")
@click.argument("name")
@click.option(
    "--dataset", metavar="NAME", help="Name of its dataset. Default: NAME without hyphens."
)
@click.option(
    "-o", "--output", type=FILE, metavar="DIR", help="A new or an empty folder. Default: kcb-NAME."
)
@click.pass_obj
def new_family(catalog: Catalog, name: str, dataset: str | None, output: Path | None) -> None:
    """Start a package that brings a family called NAME: small letters, digits and hyphens.

    Its tests fail once for each thing that a family owes.
    """
    _check_name(name)
    chosen = dataset or name.replace("-", "")
    _check_dataset(catalog, chosen)
    folder = output or Path(f"kcb-{name}")
    files = scaffold(name, chosen)
    fill(folder, files)
    for path in files:
        console.say(str(folder / path))
    console.note(f"next: {folder / 'README.md'} says what to write, pytest what is missing")


def scaffold(name: str, dataset: str) -> dict[str, bytes]:
    """The files of a package for a family that nobody has written yet.

    Args:
        name: slug of the family.
        dataset: name of its dataset.

    Returns:
        The content of each file, by its path.
    """
    module = f"kcb_{name.replace('-', '_')}"
    words = {
        "slug": name,
        "title": name.replace("-", " ").capitalize(),
        "class": "".join(part.capitalize() for part in name.split("-")),
        "dataset": dataset,
        "module": module,
        "distribution": f"kcb-{name}",
        "core_range": _core_range(),
    }
    texts = resources.files("kcb_tasks") / "scaffold"
    return {
        path.format(module=module): Template((texts / source).read_text(encoding="utf-8"))
        .substitute(words)
        .encode()
        for path, source in _FILES.items()
    }


def _core_range() -> str:
    """The versions of kcb-core that the package is made for: those up to the next break."""
    major, minor = map(int, metadata.version("kcb-core").split(".")[:2])
    return f">={major}.{minor},<{major}.{minor + 1}"


def _check_name(name: str) -> None:
    if not SLUG.fullmatch(name) or len(name) > MAX_NAME:
        raise DeclarationError(
            f"{name!r} is no name for a family; one is like coin-change: small letters, digits "
            f"and single hyphens, at most {MAX_NAME} characters"
        )
    if name in BUILT_IN:
        raise DeclarationError(f"kcb-{name} is a package of the house; choose another name")


def _check_dataset(catalog: Catalog, dataset: str) -> None:
    if dataset == SHIPPED_DATASET:
        raise DeclarationError(f"{dataset!r} is the shipped dataset; name another with --dataset")
    if not DATASET_NAME.fullmatch(dataset):
        raise DeclarationError(
            f"{dataset!r} is no name for a dataset: a small letter, then small letters and "
            "digits, at most 32; name one with --dataset"
        )
    if dataset in {source.name for source in catalog.dataset_sources()}:
        raise DeclarationError(
            f"dataset {dataset!r} is that of an installed plug-in; name another with --dataset"
        )
