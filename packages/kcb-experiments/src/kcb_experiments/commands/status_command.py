"""``klein-bench experiment status``: where an experiment stands, also while it runs."""

from __future__ import annotations

from pathlib import Path

import click

from kcb_core import console
from kcb_core.commands.options import FILE, json_option
from kcb_experiments.progress import SILENT_S, Progress, Running, read_progress
from kcb_experiments.wording import amount, duration, of_name


@click.command()
@click.argument("folder", type=FILE, metavar="DIR")
@json_option
def status(folder: Path, as_json: bool) -> None:
    """Show the cells by state, the rate, the cost against the caps, and who is silent.

    It only reads, and whoever writes to the folder goes on. What an attempt that runs has reserved
    counts as cost until it ends.
    """
    found = read_progress(folder)
    if as_json:
        console.emit_json(found)
    else:
        _show(found)


def _show(progress: Progress) -> None:
    writer = f"written by {progress.writer}" if progress.writer else "nobody writes to it"
    console.say(f"{progress.name}: {progress.cells} cells; {writer}")
    console.table(
        ("state", "cells"),
        [(state, str(number)) for state, number in progress.states.items()],
        right="cells",
    )
    if progress.per_hour is not None:
        console.say(f"{progress.per_hour:,.0f} attempts an hour")
    console.say(f"charged {amount(progress.charged)}; {_reserved(progress)}")
    for name, cap in progress.caps.items():
        used = getattr(progress.charged, name)
        console.say(f"{name}: {of_name(name, used)} of {of_name(name, cap)} ({used / cap:.0%})")
    _show_running(progress.running)


def _reserved(progress: Progress) -> str:
    return f"of that, attempts that run have reserved {amount(progress.in_flight)}"


def _show_running(running: tuple[Running, ...]) -> None:
    if not running:
        return
    console.table(
        ("cell", "attempt", "phase", "age", "silent for", "requests"),
        [_row(one) for one in running],
        right="attempt,age,silent for,requests",
    )
    silent = sum((one.silent_s or 0.0) >= SILENT_S for one in running)
    if silent:
        console.warn(f"{silent} of {len(running)} cells that run gave no sign for {SILENT_S:.0f} s")


def _row(one: Running) -> tuple[str, ...]:
    number, requests = str(one.attempt), str(one.requests)
    return (one.cell, number, one.phase, _age(one.age_s), _silent(one), requests)


def _age(seconds: float | None) -> str:
    return "unknown" if seconds is None else duration(seconds)


def _silent(one: Running) -> str:
    mark = " !" if (one.silent_s or 0.0) >= SILENT_S else ""
    return _age(one.silent_s) + mark
