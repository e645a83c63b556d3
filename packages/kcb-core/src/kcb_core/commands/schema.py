"""``klein-bench schema``: the JSON Schemas of stored documents."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.codec import encode
from kcb_core.commands.options import FILE, json_option
from kcb_core.errors import DeclarationError, ExitStatus
from kcb_core.schemas import Published, schema_of
from kcb_core.storage import read_bounded, write_whole


@click.command()
@click.argument("kind", required=False)
@click.option("-o", "--output", type=FILE, metavar="FOLDER", help="Write KIND.json here, of every "
              "kind if none is named.")  # fmt: skip
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if a file there differs.")
@json_option
@click.pass_obj
def schema(
    catalog: Catalog, kind: str | None, output: Path | None, check: bool, as_json: bool
) -> int:
    """Print the JSON Schema of a KIND of stored document; without one, list the kinds."""
    chosen = catalog.documents()
    if kind is not None:
        chosen = (catalog.find("kind of document", kind, chosen, lambda one: one.kind),)
    if check and output is None:
        raise DeclarationError("--check holds the files of a folder against the program: add -o")
    if output is not None:
        return _write(chosen, output, check=check)
    if kind is not None:
        console.emit_json(schema_of(chosen[0]))
    elif as_json:
        console.emit_json([{"kind": one.kind, one.field: one.version} for one in chosen])
    else:
        rows = [(one.kind, one.field, str(one.version)) for one in chosen]
        console.table(("kind", "field", "version"), rows, right="version")
    return ExitStatus.DONE


def _write(chosen: tuple[Published, ...], folder: Path, *, check: bool) -> int:
    """Write the files, or name those that differ."""
    differing = [one for one in chosen if _stored(_place(folder, one)) != encode(schema_of(one))]
    for one in differing:
        path = _place(folder, one)
        if check:
            console.fail(f"{path} is not what 'klein-bench schema {one.kind}' prints")
        else:
            write_whole(path, encode(schema_of(one)))
            console.say(str(path))
    return ExitStatus.FAILED if check and differing else ExitStatus.DONE


def _place(folder: Path, published: Published) -> Path:
    return folder / f"{published.kind}.json"


def _stored(path: Path) -> bytes | None:
    return read_bounded(path) if path.exists() else None
