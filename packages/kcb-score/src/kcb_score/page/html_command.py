"""``klein-bench report html``: report files in, one HTML file out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import FILE, dataset_option
from kcb_core.errors import DeclarationError
from kcb_core.page import Figure, PageData
from kcb_core.storage import write_whole
from kcb_score.page.assembly import ask, page
from kcb_score.page.cells.finding import Transcripts
from kcb_score.page.cells.writing import with_cells, write_cells
from kcb_score.page.document import Rendered
from kcb_score.page.drawing import ImageFormat, exported
from kcb_score.page.extra import REMEDY, lacking
from kcb_score.page.gather import Scope, gather, gather_weeks


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What was asked for on the command line."""

    paths: tuple[Path, ...]
    output: Path
    figures: Path | None
    as_history: bool
    control: str | None
    cells: Path | None
    projects: tuple[Path, ...]
    scope: Scope


@click.command()
@click.argument("paths", nargs=-1, type=FILE, metavar="[REPORT|FOLDER]...")
@click.option("-o", "--output", type=FILE, default=Path("report.html"), show_default=True,
              metavar="FILE", help="The page.")  # fmt: skip
@click.option("--figures", type=FILE, metavar="DIR", help="Store every chart in this folder too, "
              "as SVG and as PNG, for a paper.")  # fmt: skip
@click.option("--history", "as_history", is_flag=True, help="Show how subjects changed from week "
              "to week, by the time at which reports were finished.")  # fmt: skip
@click.option("--control", metavar="SUBJECT", help="With --history: the subject that is held "
              "fixed, so that what moves it moves all.")  # fmt: skip
@click.option("--cells", type=FILE, metavar="DIR", help="Write a page on every project too, with "
              "its transcript, and link it: DIR/SUBJECT/TASK.html.")  # fmt: skip
@click.option("--projects", type=FILE, multiple=True, metavar="DIR", help="With --cells: a folder "
              "that 'generate' wrote, whose transcripts are shown; again for more.")  # fmt: skip
@click.option("--selection", "selection_name", metavar="FILE|NAME", help="A frozen selection, a "
              "tier, or a named set such as easy@20: the page is of its tasks.")  # fmt: skip
@dataset_option
@click.pass_obj
def html(
    catalog: Catalog,
    /,
    selection_name: str | None,
    dataset_path: Path | None,
    **options: Any,
) -> None:
    """Write a page on report files: one HTML file that needs no network.

    Of a folder, every *.json file in and below it is read. Reports of several subjects stand side
    by side. What a project printed is shown as text and cannot act.
    """
    _require_extra()
    scope = Scope(dataset=dataset_path, selection=selection_name)
    wish = Wish(scope=scope, **options)
    transcripts = _transcripts(wish)
    data = _gathered(catalog, wish)
    if wish.cells is not None:
        data = with_cells(data, wish.cells, wish.output)
    sections = ask(catalog.report_sections(), data)
    written = page(sections, data)
    if wish.cells is not None:
        _write_cells(data, wish.cells, wish.output, transcripts)
    write_whole(wish.output, written)
    console.say(f"{wish.output}: {len(data.reports)} reports")
    if wish.figures is not None:
        for path in _export(sections, wish.figures):
            console.say(str(path))


def _gathered(catalog: Catalog, wish: Wish) -> PageData:
    if not wish.paths:
        raise DeclarationError("no report given; name report files or folders")
    if wish.as_history and wish.control is not None:
        return gather_weeks(catalog, wish.paths, wish.scope, wish.control)
    if wish.as_history or wish.control is not None:
        raise DeclarationError("--history and --control SUBJECT go together")
    return gather(catalog, wish.paths, wish.scope)


def _transcripts(wish: Wish) -> Transcripts:
    if wish.projects and wish.cells is None:
        raise DeclarationError("--projects goes with --cells DIR, the pages that show transcripts")
    return Transcripts(wish.projects)


def _write_cells(data: PageData, folder: Path, main: Path, transcripts: Transcripts) -> None:
    with console.progress() as progress:
        bar = progress.add_task("writing pages", total=len(data.reports), detail="")
        write_cells(data.reports, folder, main, transcripts, advanced=lambda: progress.advance(bar))


def _require_extra() -> None:
    if missing := lacking():
        raise DeclarationError(f"'report html' needs {' and '.join(missing)}: {REMEDY}")


def _export(sections: Iterable[Rendered], folder: Path) -> Iterator[Path]:
    """The files of every chart; the panels of one figure are numbered."""
    for figure in (figure for section in sections for figure in section.figures):
        for number in range(len(figure.panels)):
            for form in ImageFormat:
                path = folder / f"{_file_name(figure, number)}.{form}"
                write_whole(path, exported(figure, figure.panels[number], form))
                yield path


def _file_name(figure: Figure, number: int) -> str:
    return figure.name if len(figure.panels) == 1 else f"{figure.name}-{number + 1:02d}"
