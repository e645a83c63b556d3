"""``klein-bench drill run``: a battery at one level, and a trial report for each trial."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.claims import claims_of
from kcb_core.commands.options import FILE, json_option
from kcb_core.errors import DeclarationError, ExitStatus
from kcb_core.roles import ActingAgent
from kcb_core.trial import TrialReport, TrialStatus, read_trial, write_trial
from kcb_suites.drills.battery import Battery
from kcb_suites.drills.drill import LIVE_LEVEL, Drill
from kcb_suites.drills.drill_options import (
    battery_argument,
    chosen_batteries,
    chosen_drills,
    confine_option,
    drill_option,
)
from kcb_suites.drills.level_one import replay_all
from kcb_suites.drills.level_two import Cell, act
from kcb_suites.drills.level_zero import check_statically
from kcb_suites.drills.provisioning import Bench, opened
from kcb_suites.drills.trial_reports import TRANSCRIPTS, report_path, trial_name

_OF_MODELS = ("base_url", "api", "api_key_env", "temperature", "max_tokens")
"""What is set of every model that is asked."""

_COLUMNS = ("drill", "model", "repetition", "status", "checks", "report")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What was asked for on the command line."""

    where: str | None
    names: tuple[str, ...]
    depth: int
    folder: Path
    level: str
    agent: str
    models: tuple[str, ...]
    base_url: str | None
    api: str | None
    api_key_env: str | None
    temperature: float | None
    max_tokens: int | None
    agent_options: tuple[str, ...]
    repetitions: int
    instead_of: str
    as_json: bool

    def __post_init__(self) -> None:
        """Refuse what says nothing at this level.

        Raises:
            DeclarationError: there is no model at level 2, or one below it.
        """
        if self.depth < LIVE_LEVEL and (self.models or self.base_url or self.agent_options):
            raise DeclarationError(f"level {self.depth} asks no model; leave its options out")
        if self.depth == LIVE_LEVEL and not self.models:
            raise DeclarationError("level 2 asks a model: name it with --model")
        if self.instead_of and (len(self.models) != 1 or self.instead_of in self.models):
            raise DeclarationError("--instead-of goes with one other --model")

    def cells(self, catalog: Catalog, drill: Drill) -> Iterator[Cell]:
        """The live trials of one drill, the first repetition of every model first.

        Raises:
            DeclarationError: the agent is not there or cannot act, or an option is wrong.
        """
        agent = catalog.find("agent", self.agent, catalog.agents(), lambda found: found.name)
        if not isinstance(agent, ActingAgent) or not agent.asks_model:
            raise DeclarationError(
                f"agent {self.agent!r} does not act by command lines of a model; 'action-loop' does"
            )
        given = {name: getattr(self, name) for name in _OF_MODELS}
        settings = {name: value for name, value in given.items() if value is not None}
        key = os.environ.get(self.api_key_env or "", "")
        for repetition in range(self.repetitions):
            for model in self.models:
                yield Cell(
                    drill=drill,
                    agent=agent,
                    settings=settings | {"model": model},
                    options={"confine": self.level, **dict(map(_option, self.agent_options))},
                    repetition=repetition,
                    instead_of=self.instead_of,
                    secrets=(key,) if key else (),
                )


@click.command()
@battery_argument
@click.option("--level", "depth", type=click.IntRange(0, 2), required=True, metavar="N",
              help="0: static checks; 1: authored trajectories; 2: a live model.")  # fmt: skip
@drill_option
@click.option("-o", "--out", "folder", type=FILE, required=True, metavar="DIR",
              help="Where reports and transcripts go; what is there is kept, and not tried "
              "again.")  # fmt: skip
@confine_option
@click.option("--agent", default="action-loop", show_default=True, metavar="NAME",
              help="What acts at level 2.")  # fmt: skip
@click.option("--model", "models", multiple=True, metavar="ID",
              help="The id of a model, sent as it is; again for more.")  # fmt: skip
@click.option("--base-url", metavar="URL", help="The endpoint of the models.")
@click.option("--api", metavar="FORM", help="How the endpoint is asked: auto, openai, responses, "
              "anthropic or ollama.")  # fmt: skip
@click.option("--api-key-env", metavar="NAME", help="The environment variable that holds the key.")
@click.option("--temperature", type=float, metavar="F", help="Sent only if given.")
@click.option("--max-tokens", type=int, metavar="N", help="Most tokens of one reply.")
@click.option("--agent-option", "agent_options", multiple=True, metavar="NAME=VALUE",
              help="An option of the agent, also a bound in place of the drill's.")  # fmt: skip
@click.option("--repetitions", type=click.IntRange(1), default=1, show_default=True, metavar="N",
              help="Trials of each drill by each model.")  # fmt: skip
@click.option("--instead-of", default="", metavar="ID",
              help="The configured model that the one of --model stands in for.")  # fmt: skip
@json_option
@click.pass_obj
def run(catalog: Catalog, /, **options: Any) -> int:
    """Run a BATTERY, by name or folder, or all that are shipped, at one level.

    'klein-bench report aggregate|route|stale DIR/reports' reads what is left. What the numbers of a
    level show, and what they do not, stands below them.

    Exit status 0 if levels 0 and 1 passed, or if level 2 has an outcome for every trial, whatever
    it is; 1 if level 0 or 1 did not pass, 2 for a wrong invocation, 3 if an endpoint or this
    machine failed or put a trial off, 130 if it was interrupted.
    """
    wish = Wish(**options)
    chosen = chosen_drills(chosen_batteries(catalog, wish.where), wish.names)
    done: list[tuple[str, TrialReport]] = []
    with console.progress() as bar:
        shown = bar.add_task("drills", total=sum(len(d) for _, d in chosen), detail="")
        for battery, drills in chosen:
            for name, report in _of_battery(catalog, wish, battery, drills):
                done.append((name, report))
                bar.update(shown, detail=f"{report.drill}: {report.status}")
            bar.advance(shown, len(drills))
    _show(wish, done)
    return _exit_status(wish, [report for _, report in done])


def _of_battery(
    catalog: Catalog, wish: Wish, battery: Battery, drills: tuple[Drill, ...]
) -> Iterator[tuple[str, TrialReport]]:
    """Name and report of every trial, each on disk before the next begins."""
    with opened(battery, wish.level) as bench:
        for drill in drills:
            if drill.level < wish.depth:
                console.note(f"{drill.drill}: runs at level {drill.level} and not above; left out")
                continue
            for name, play in _trials(catalog, wish, bench, drill):
                path = report_path(wish.folder, name)
                if path.exists() and wish.depth == LIVE_LEVEL:
                    yield name, read_trial(path, [code.code for code in catalog.fault_codes()])
                    continue
                report = play()
                write_trial(report, path)
                yield name, report


def _trials(
    catalog: Catalog, wish: Wish, bench: Bench, drill: Drill
) -> Iterator[tuple[str, Callable[[], TrialReport]]]:
    """The name of each trial, and what plays it."""
    if wish.depth == 0:
        yield trial_name(drill, 0), partial(check_statically, bench, drill)
        return
    if wish.depth == 1:
        yield trial_name(drill, 1), partial(replay_all, bench, drill)
        return
    for cell in wish.cells(catalog, drill):
        name = trial_name(drill, LIVE_LEVEL, cell.model, cell.repetition)
        transcript = _fresh(wish.folder / TRANSCRIPTS, name)
        yield name, partial(act, bench, cell, transcript, console.note)


def _fresh(folder: Path, name: str) -> Path:
    """A transcript that is not there yet: one of a trial that came to nothing is kept."""
    number = 1
    while (path := folder / f"{name}-{number}.jsonl").exists():
        number += 1
    return path


def _show(wish: Wish, done: list[tuple[str, TrialReport]]) -> None:
    if wish.as_json:
        console.emit_json([report for _, report in done])
        return
    rows = [
        (
            report.drill,
            report.model,
            str(report.repetition) if isinstance(report.repetition, int) else "",
            report.status.value,
            ", ".join(f"{c.check} {c.status}" for c in report.checks if c.status != "passed"),
            str(report_path(wish.folder, name)),
        )
        for name, report in done
    ]
    console.table(_COLUMNS, rows, right="repetition")
    for claim in claims_of(report for _, report in done):
        console.say(claim)


def _exit_status(wish: Wish, reports: list[TrialReport]) -> int:
    if wish.depth == LIVE_LEVEL:
        put_off = any(report.status is TrialStatus.RATE_LIMITED for report in reports)
        return ExitStatus.MACHINERY if put_off else ExitStatus.DONE
    passed = all(report.status is TrialStatus.PASSED for report in reports)
    return ExitStatus.DONE if passed else ExitStatus.FAILED


def _option(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals):
        raise DeclarationError(f"--agent-option {word!r}: must be NAME=VALUE")
    return name, value
