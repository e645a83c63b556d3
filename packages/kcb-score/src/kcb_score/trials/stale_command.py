"""``klein-bench report stale``: checks that have never failed, as a gate before a cycle begins."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.claims import GREEN
from kcb_core.commands.options import FILE, json_option
from kcb_core.errors import DeclarationError, ExitStatus
from kcb_core.findings import StaleCheck, Staleness
from kcb_score.text import one_line
from kcb_score.trials.rows import read_rows
from kcb_score.trials.staleness import find_declarations, find_stale


@click.command()
@click.argument("paths", nargs=-1, type=FILE, metavar="[FILE|FOLDER]...")
@click.option("--declarations", multiple=True, type=FILE, metavar="PATH", help="A drill's "
              "declaration with its decisions, or a folder of them; can be given several "
              "times.")  # fmt: skip
@click.option("--cycle", "cycle_text", metavar="DATE", help="The day on which the next cycle of "
              "live trials begins. Default: today, in UTC.")  # fmt: skip
@json_option
@click.pass_obj
def stale(
    catalog: Catalog,
    paths: tuple[Path, ...],
    declarations: tuple[Path, ...],
    cycle_text: str | None,
    as_json: bool,
) -> int:
    """List checks that have never failed over the recorded runs of their drills.

    Each needs a decision in its drill's declaration: kept, sharpened or retired. The exit status is
    1 if one is missing on the day on which the next cycle begins, or later.
    """
    today = datetime.now(UTC).date()
    cycle = today if cycle_text is None else _day(cycle_text)
    declared = find_declarations(declarations)
    reports = [row.report for row in read_rows(catalog, paths)]
    found = find_stale(reports, declared, cycle=cycle, today=today)
    if as_json:
        console.emit_json(found)
    else:
        _show(found)
    for one in found.unmatched:
        words = f"a decision on check {one.check!r} of drill {one.drill!r} of {one.tool}, which "
        console.warn(one_line(f"{words}no recorded run has"))
    return ExitStatus.FAILED if found.begun and found.undecided else ExitStatus.DONE


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise DeclarationError(f"--cycle {text!r} is no day; write it as 2026-03-31") from None


def _show(found: Staleness) -> None:
    if found.checks:
        columns = ("tool", "drill", "check", "passed", "indeterminate", "decision")
        rows = [_cells(check) for check in found.checks]
        console.table(columns, rows, right="passed,indeterminate")
    when = "began" if found.begun else "begins"
    console.say(
        f"trial reports {found.reports}, checks that have never failed {len(found.checks)}, "
        f"without a decision {found.undecided}; the next cycle {when} on {found.cycle}"
    )
    for tool in found.always_green:
        console.say(one_line(f"always green: {tool}"))
    if found.always_green:
        console.say(GREEN)


def _cells(check: StaleCheck) -> tuple[str, ...]:
    decision = check.decision
    said = f"{decision.decision}, {decision.date}: {decision.why}" if decision else "none"
    numbers = (str(check.passed), str(check.indeterminate))
    return (*map(one_line, (check.tool, check.drill, check.check)), *numbers, one_line(said))
