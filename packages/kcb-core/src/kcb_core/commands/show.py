"""``klein-bench show``: a task's prompt, or what a report says."""

from __future__ import annotations

import os
from pathlib import Path

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import dataset_option, find_task, json_option
from kcb_core.report import Evidence, ScenarioOutcome, ScenarioReport, TaskReport, read_report


@click.command()
@click.argument("what", metavar="TASK|REPORT")
@dataset_option
@json_option
@click.pass_obj
def show(catalog: Catalog, what: str, dataset_path: Path | None, as_json: bool) -> None:
    """Show the prompt of a TASK, or what a REPORT file says."""
    if os.path.isfile(what):
        report = read_report(Path(what))
        if as_json:
            console.emit_json(report)
        else:
            _show_report(report)
        return
    task, _ = find_task(catalog, what, dataset_path)
    if as_json:
        facts = {name: getattr(task, name) for name in ("task_id", "subset", "family", "title")}
        console.emit_json({**facts, "start": task.start, "prompt": task.prompt})
    else:
        console.write(task.prompt)


def _show_report(report: TaskReport) -> None:
    console.say(f"{report.task_id}: {headline(report)}")
    console.say(f"assertions {report.passed}/{report.total}; launcher {report.launcher}, "
                f"confinement {report.confinement.level}; {report.wall_s:.1f} s")  # fmt: skip
    for line in report.notes:
        console.say(f"note: {line}")
    failed = [s for s in report.scenarios if s.outcome is ScenarioOutcome.FAILED]
    unreached = sum(s.outcome is ScenarioOutcome.UNREACHED for s in report.scenarios)
    if failed:
        console.table(
            ("scenario", "tags", "passed", "kind", "reason"),
            [_failed_row(scenario) for scenario in failed],
        )
    if unreached:
        console.say(f"{unreached} scenarios were not reached")
    if failed and failed[0].evidence:
        _show_evidence(failed[0].name, failed[0].evidence)


def headline(report: TaskReport) -> str:
    """The outcome of a report in one line."""
    if report.failure:
        return f"failed ({report.failure.kind}): {report.failure.reason}"
    if report.void:
        return f"void ({report.void.cause}): {report.void.reason}"
    if report.public_only:
        return "resolved (public examples only)"
    return "resolved (in training)" if report.training else "resolved"


def _failed_row(scenario: ScenarioReport) -> tuple[str, ...]:
    failure = scenario.failure
    passed = f"{scenario.passed}/{scenario.total}"
    why = (failure.kind, failure.reason) if failure else ("", "")
    return (scenario.name, ",".join(scenario.tags), passed, *why)


def _show_evidence(scenario: str, evidence: Evidence) -> None:
    console.say(f"first wrong response, scenario {scenario}:")
    for exchange in evidence.before:
        console.say(f"  > {exchange.request}\n  < {exchange.response}")
    console.say(f"  > {evidence.request}")
    console.say(f"  < {evidence.received}")
    console.say(f"  expected {evidence.expected}")
    if evidence.difference:
        console.say(f"  at {evidence.difference}")
