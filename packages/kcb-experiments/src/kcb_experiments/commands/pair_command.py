"""``klein-bench experiment pair``: two arms on what both finished."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core import console
from kcb_core.commands.options import json_option
from kcb_core.errors import DeclarationError
from kcb_experiments.frozen import EXPERIMENT_NAME
from kcb_experiments.pairing import Pairing, Side, SideResult
from kcb_experiments.pairing import pair as pair_sides
from kcb_experiments.progress import read_results
from kcb_experiments.wording import counted, difference, points, share


@click.command()
@click.argument("first", metavar="FIRST")
@click.argument("second", metavar="SECOND")
@json_option
def pair(first: str, second: str, as_json: bool) -> None:
    """Compare arm SECOND with arm FIRST, on the tasks and repetitions that both finished.

    An arm is DIR:SUBJECT, or DIR where an experiment has one subject. What has no partner is
    discarded, and shown as unmatched.
    """
    found = pair_sides(_side(first), _side(second))
    if as_json:
        console.emit_json(found)
    else:
        _show(found)


def _side(arm: str) -> Side:
    folder, subject = _place(arm)
    experiment, results = read_results(folder)
    names = [one.name for one in experiment.subjects]
    if not subject and len(names) > 1:
        raise DeclarationError(f"{arm}: name one of its subjects, such as {arm}:{names[0]}")
    chosen = experiment.subject(subject or names[0])
    return Side(subject=chosen.name, dataset=experiment.dataset, results=results)


def _place(arm: str) -> tuple[Path, str]:
    """Folder and subject; a folder's own name may hold colons."""
    if (Path(arm) / EXPERIMENT_NAME).exists():
        return Path(arm), ""
    folder, _, subject = arm.rpartition(":")
    return (Path(folder), subject) if folder else (Path(arm), "")


def _show(found: Pairing) -> None:
    console.say(f"{counted(found.pairs, 'pair')} of {counted(found.tasks, 'task')}")
    console.table(
        ("arm", "subject", "cells", "unfinished", "unmatched", "mean of pairs", "alone resolved"),
        [_row("first", found.first), _row("second", found.second)],
        right="cells,unfinished,unmatched,mean of pairs,alone resolved",
    )
    told = found.difference
    console.say(f"second less first: {difference(told)} {told.reason}".rstrip())
    if found.p_value is not None:
        console.say(f"McNemar's exact test: p = {found.p_value:.3g}")
    if found.smallest_visible is not None:
        visible = points(found.smallest_visible)
        console.say(f"the smallest difference that these pairs find at 80 % power: {visible}")
    for note in (told.note, *found.notes):
        if note:
            console.say(note)


def _row(arm: str, side: SideResult) -> tuple[str, ...]:
    return (
        arm,
        side.subject,
        str(side.cells),
        str(sum(side.unfinished.values())),
        str(side.unmatched),
        "–" if side.mean is None else share(side.mean),
        "–" if side.only is None else str(side.only),
    )
