"""``klein-bench drill check``: levels 0 and 1 in one go, without a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import json_option
from kcb_core.errors import ExitStatus
from kcb_core.trial import CheckStatus, TrialReport, TrialStatus
from kcb_suites.drills.drill import Drill
from kcb_suites.drills.drill_options import (
    battery_argument,
    chosen_batteries,
    chosen_drills,
    confine_option,
    drill_option,
)
from kcb_suites.drills.level_one import replay_all
from kcb_suites.drills.level_zero import check_statically
from kcb_suites.drills.provisioning import Bench, opened


@click.command()
@battery_argument
@drill_option
@confine_option
@json_option
@click.pass_obj
def check(
    catalog: Catalog, where: str | None, names: tuple[str, ...], level: str, as_json: bool
) -> int:
    """Check a BATTERY, by name or folder, or all that are shipped, without any model.

    Every drill is looked through, its tool is started, and its trajectories are played: each check
    has to pass where it must and to fail where it must. While you write a drill, this says what is
    still missing.

    Exit status 0 if all is well, 1 if not, 2 if a declaration is malformed, 3 if this machine
    failed.
    """
    chosen = chosen_drills(chosen_batteries(catalog, where), names)
    reports: list[TrialReport] = []
    with console.progress() as bar:
        shown = bar.add_task("checking", total=sum(len(d) for _, d in chosen), detail="")
        for battery, drills in chosen:
            with opened(battery, level) as bench:
                for drill in drills:
                    bar.update(shown, detail=drill.drill)
                    reports += _levels(bench, drill)
                    bar.advance(shown)
    if as_json:
        console.emit_json(reports)
    else:
        _show(reports)
    sound = all(report.status is TrialStatus.PASSED for report in reports)
    return ExitStatus.DONE if sound else ExitStatus.FAILED


def _levels(bench: Bench, drill: Drill) -> Iterator[TrialReport]:
    """Level 0, and if that is well and there is more, level 1."""
    static = check_statically(bench, drill)
    yield static
    if static.status is TrialStatus.PASSED and drill.level > 0:
        yield replay_all(bench, drill)


def _show(reports: Sequence[TrialReport]) -> None:
    for report in reports:
        for check in report.checks:
            if check.status is not CheckStatus.PASSED:
                console.say(f"{report.drill}: {check.check}: {check.status}: {check.reason}")
    played = [check for report in reports if report.level == 1 for check in report.checks]
    sound = sum(check.status is CheckStatus.PASSED for check in played)
    drills = {(report.tool, report.drill) for report in reports}
    console.say(
        f"drills {len(drills)}, checks that are shown to pass and to fail {sound} of {len(played)}"
    )
