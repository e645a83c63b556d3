"""``klein-bench score``: report files in, tables or a JSON document out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import FILE, dataset_option, json_option
from kcb_core.errors import DataError, DeclarationError
from kcb_core.roles import Scorer
from kcb_core.score import Score
from kcb_core.storage import MAX_DOCUMENT_BYTES, read_bounded
from kcb_score.attempts import PassAtK
from kcb_score.batches import read_all
from kcb_score.collect import Collection, collect
from kcb_score.denominator import read_exclusions, settle
from kcb_score.files import Found, find_files, split_list
from kcb_score.lookup import manifest_of, selection_of, with_installed
from kcb_score.parquet import require_pyarrow, write_parquet
from kcb_score.passed_over import say_passed_over
from kcb_score.reading import Skipped
from kcb_score.renderers import RENDERERS
from kcb_score.summary import summarise
from kcb_score.tables import show
from kcb_score.text import one_line, warnings

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What was asked for on the command line."""

    paths: tuple[Path, ...]
    list_path: str | None
    selection_name: str | None
    dataset_path: Path | None
    exclude: tuple[str, ...]
    ks: tuple[int, ...]
    parquet: Path | None
    style: str
    as_json: bool


@click.command()
@click.argument("paths", nargs=-1, type=FILE, metavar="[REPORT|FOLDER]...")
@click.option("--from", "list_path", metavar="LIST", help="A file with one path a line; - reads "
              "standard input.")  # fmt: skip
@click.option("--selection", "selection_name", metavar="FILE|NAME", help="A frozen selection, a "
              "tier, or a named set such as easy@20: its tasks are the denominator.")  # fmt: skip
@click.option("--exclude", multiple=True, metavar="ID=REASON", help="Name a task that counts as "
              "not resolved, and why; it stays in the denominator.")  # fmt: skip
@click.option("--k", "ks", multiple=True, type=click.IntRange(min=1), metavar="N", help="Show "
              "pass@N and pass^N over all repetitions; may be given again. Default: the usual ones "
              "up to the number of repetitions.")  # fmt: skip
@click.option("--format", "style", type=click.Choice(("text", *RENDERERS, "json")), default="text",
              help="How the tables are printed.")  # fmt: skip
@click.option("--parquet", type=FILE, metavar="FILE", help="Store one row for each report, "
              "for notebooks; needs kcb-score[parquet].")  # fmt: skip
@dataset_option
@json_option
@click.pass_obj
def score(catalog: Catalog, /, **options: Any) -> None:
    """Score report files: resolve@1 for each tier, over all tasks of the dataset.

    Of a folder, every *.json file in and below it is read. A task without a report counts as not
    resolved. Two reports of the same task, subject and repetition are refused.
    """
    request = Request(**options)
    if request.parquet is not None:
        require_pyarrow()  # before anything is read
    collection = _collection(_files(request))
    result = _score(catalog, request, collection)
    if request.parquet is not None:
        write_parquet(collection.samples, request.parquet)
    del collection  # of many runs it is large, and so is the document that is printed now
    if request.as_json or request.style == "json":
        console.emit_json(result)
    elif request.style in RENDERERS:
        console.write(RENDERERS[request.style](result))
    else:
        show(result)
    for line in warnings(result):
        console.warn(one_line(line))


def _files(request: Request) -> tuple[Found, ...]:
    arguments = list(request.paths)
    if request.list_path is not None:
        arguments += split_list(_list_bytes(request.list_path))
    if not arguments:
        raise DeclarationError("no report given; name report files, folders, or a list with --from")
    return find_files(arguments)


def _list_bytes(name: str) -> bytes:
    if name != STANDARD_INPUT:
        return read_bounded(Path(name))
    data = sys.stdin.buffer.read(MAX_DOCUMENT_BYTES + 1)
    if len(data) > MAX_DOCUMENT_BYTES:
        raise DataError(f"standard input: more than {MAX_DOCUMENT_BYTES} bytes")
    return data


def _collection(files: Sequence[Found]) -> Collection:
    skipped: list[Skipped] = []
    with console.progress() as progress:
        task = progress.add_task("reading reports", total=len(files), detail="")
        filed = read_all(
            files, skipped=skipped.append, advanced=lambda n: progress.advance(task, n)
        )
    say_passed_over(skipped, "report")
    if not filed:
        raise DeclarationError("no report found, so there is nothing to score")
    return collect(filed)


def _score(catalog: Catalog, request: Request, collection: Collection) -> Score:
    sha256 = collection.filed[0].circumstances.dataset.manifest_sha256
    manifest = manifest_of(catalog, request.dataset_path, sha256)
    denominator = settle(
        collection,
        manifest=manifest,
        selection=selection_of(request.selection_name, manifest),
        excluded=read_exclusions(request.exclude),
    )
    scorers = [_asked(scorer, request.ks) for scorer in catalog.scorers()]
    result = summarise(collection, denominator, scorers, together=bool(request.ks))
    if not result.reports:
        raise DeclarationError(
            f"none of the {len(collection.filed)} reports is of a task in {request.selection_name}"
        )
    return with_installed(result, catalog, request.dataset_path)


def _asked(scorer: Scorer, ks: tuple[int, ...]) -> Scorer:
    return PassAtK(ks=tuple(sorted(set(ks)))) if isinstance(scorer, PassAtK) else scorer
