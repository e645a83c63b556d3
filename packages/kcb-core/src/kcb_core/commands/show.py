"""``klein-bench show``: a task's prompt, or what a report, a run record or a transcript says."""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.claims import claims_of
from kcb_core.codec import compact, parse_by_name
from kcb_core.commands.options import dataset_option, find_task, json_option
from kcb_core.commands.show_transcript import show_transcript, transcript_json
from kcb_core.errors import DataError, DeclarationError
from kcb_core.report import (
    REPORT_KIND,
    Evidence,
    ScenarioOutcome,
    ScenarioReport,
    TaskReport,
    read_report,
)
from kcb_core.run_record import RUN_RECORD_KIND, RunRecord, missing_fields, read_making
from kcb_core.storage import read_bounded
from kcb_core.transcript_file import is_transcript, read_transcript
from kcb_core.trial import TRIAL_KIND, CheckOutcome, TrialReport, read_trial

_MADE = (RUN_RECORD_KIND, "generation")
"""Kinds of documents that say how a project was made, and nothing of what came of it."""

_ENDINGS = (".json", ".jsonl", ".toml")
"""How files end that are shown; no task id does."""


@click.command()
@click.argument("what", metavar="TASK|FILE")
@dataset_option
@json_option
@click.pass_obj
def show(catalog: Catalog, what: str, dataset_path: Path | None, as_json: bool) -> None:
    """Show the prompt of a TASK, or what a FILE says: a task or trial report, or a run record.

    A FILE whose name ends with .jsonl is the transcript of an agent.
    """
    if os.path.isfile(what):
        _show_file(catalog, Path(what), as_json)
        return
    if os.sep in what or Path(what).suffix in _ENDINGS:
        raise DeclarationError(f"{what}: no such file")
    task, _ = find_task(catalog, what, dataset_path)
    if as_json:
        facts = {name: getattr(task, name) for name in ("task_id", "subset", "family", "title")}
        console.emit_json({**facts, "start": task.start, "prompt": task.prompt})
    else:
        console.write(task.prompt)


def _show_file(catalog: Catalog, path: Path, as_json: bool) -> None:
    if is_transcript(path):
        _show_transcript(path, as_json)
        return
    kind = _kind(path)
    document: msgspec.Struct
    if kind == TRIAL_KIND:
        document = trial = read_trial(path, [code.code for code in catalog.fault_codes()])
        if not as_json:
            _show_trial(trial)
    elif kind in _MADE or path.suffix == ".toml":
        document = record = read_making(path).record
        if not as_json:
            _show_record(record)
    elif kind == REPORT_KIND:
        document = report = read_report(path)
        if not as_json:
            _show_report(report)
    else:
        shown = ", ".join((REPORT_KIND, TRIAL_KIND, *_MADE))
        raise DataError(
            f"{path}: field 'kind': {kind!r} is not shown; documents of these kinds are: {shown}, "
            "and transcripts in *.jsonl"
        )
    if as_json:
        console.emit_json(document)


def _show_transcript(path: Path, as_json: bool) -> None:
    transcript = read_transcript(path)
    if as_json:
        console.emit_json(transcript_json(transcript))
    else:
        show_transcript(transcript)


def _kind(path: Path) -> object:
    value = parse_by_name(read_bounded(path), source=str(path))
    return value.get("kind") if isinstance(value, dict) else None


def _show_record(record: RunRecord) -> None:
    """What is known of how a project was made, then the names of what is not."""
    known = msgspec.to_builtins(record)
    rows = [(name, v if isinstance(v, str) else compact(v)) for name, v in known.items()]
    console.table(("field", "value"), rows)
    console.say(f"not known: {', '.join(missing_fields(record)) or 'nothing'}")


def _show_trial(report: TrialReport) -> None:
    level = "level 2" if report.live else "not level 2"
    model = f", model {report.model}" if report.model else ""
    console.say(f"{report.tool}, drill {report.drill}, {level}{model}: {report.status}")
    if report.bound_reached:
        console.say(f"stopped at the bound of {report.bound_reached}")
    if report.fault:
        console.say(f"fault of the agent, {report.fault.code}: {report.fault.reason}")
    columns = ("check", "channel", "status", "fault", "reason")
    console.table(columns, [_check_row(check) for check in report.checks])
    for claim in claims_of([report]):
        console.say(claim)


def _check_row(check: CheckOutcome) -> tuple[str, ...]:
    fault = " ".join(str(word) for word in (check.fault, check.code) if word)
    return (check.check, str(check.channel or ""), check.status, fault, check.reason)


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
