"""The page that an experiment leaves, with one on every cell behind it.

The commands that score and draw are those of whoever brings them, called as a person would.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kcb_core.catalog import Catalog
from kcb_core.cli import load_command
from kcb_core.roles import Command
from kcb_core.selection import SELECTION_FORMAT, SELECTION_KIND, Selection, write_selection
from kcb_experiments.frozen import Experiment
from kcb_score.page.extra import REMEDY, lacking

PAGE_NAME = "report.html"
CELLS_NAME = "cells"
SELECTION_NAME = "selection.json"

LACKING = f"for a page: {REMEDY}; then the same command again"

_PAGE = Command(name="report html", summary="", target="kcb_score.page.html_command:html")


def can_draw() -> bool:
    """Whether what makes pages is installed."""
    return not lacking()


def write_page(catalog: Catalog, words: Sequence[str], page: Path) -> None:
    """Write a page, and one on each project into a folder beside it.

    Args:
        catalog: the plug-ins.
        words: reports and options of 'report html'.
        page: where it goes.

    Raises:
        DeclarationError: there is no report, or one cannot be read.
        DataError: a report is malformed, or two are not comparable.
        MachineError: it cannot be written.
    """
    places = ("--output", str(page), "--cells", str(page.parent / CELLS_NAME))
    call(_PAGE, (*words, *places), catalog)


def selection_words(experiment: Experiment, folder: Path) -> list[str]:
    """The option by which an experiment is measured by its own tasks; they are stored for it.

    Raises:
        MachineError: the selection cannot be written.
    """
    stamp, path = experiment.dataset, folder / SELECTION_NAME
    selection = Selection(
        kind=SELECTION_KIND,
        format=SELECTION_FORMAT,
        dataset=stamp.name,
        version=stamp.version,
        manifest_sha256=stamp.manifest_sha256,
        tasks=experiment.tasks,
        suite=stamp.kind,
    )
    write_selection(selection, path)
    return ["--selection", str(path)]


def call(command: Command, words: Sequence[str], catalog: Catalog) -> None:
    """Carry out a command; its errors go to whoever asked."""
    load_command(command).main(
        args=list(words),
        prog_name=f"klein-bench {command.name}",
        standalone_mode=False,
        obj=catalog,
    )
