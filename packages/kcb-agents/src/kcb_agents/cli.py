"""``klein-bench generate``: let an agent write projects."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.markup import escape
from rich.progress import Progress, TaskID

from kcb_agents.endpoint.settings import DEFAULT_TIMEOUT_S, chat_settings
from kcb_agents.generate import Assignment, Tally, Wanted, generate_all, split_finished
from kcb_agents.output import OutputFolder
from kcb_agents.record import GenerationRecord, StopReason
from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import FILE, dataset_option, datasets, find_task, json_option
from kcb_core.dataset import Dataset
from kcb_core.errors import DeclarationError, ExitStatus, MachineError, UnknownNameError
from kcb_core.report import dataset_stamp
from kcb_core.task import Task


@click.command()
@click.argument("task_ids", nargs=-1, metavar="[TASK]...")
@click.option("--subset", metavar="NAME", help="All tasks of this tier or named set.")
@click.option("--agent", default="one-shot", show_default=True, metavar="NAME",
              help="What writes the projects.")  # fmt: skip
@click.option("--base-url", required=True, metavar="URL",
              help="An OpenAI-style endpoint, such as http://localhost:8080/v1.")  # fmt: skip
@click.option("--model", required=True, metavar="NAME", help="The model's id, sent as it is.")
@click.option("-o", "--output", type=FILE, required=True, metavar="DIR",
              help="The folder of projects, each in a folder named by its task id.")  # fmt: skip
@dataset_option
@click.option("--temperature", type=float, metavar="F", help="Sent only if given, like the next.")
@click.option("--max-tokens", type=int, metavar="N", help="Most tokens of one reply.")
@click.option("--seed", type=int, metavar="N", help="Seed of the sampler.")
@click.option("--timeout", "timeout_s", type=float, default=DEFAULT_TIMEOUT_S, show_default=True,
              metavar="SECONDS", help="How long one reply may take.")  # fmt: skip
@click.option("--api-key-env", metavar="NAME", help="The environment variable that holds the key.")
@click.option("--again", is_flag=True, help="Ask for finished tasks too, and replace them.")
@json_option
@click.pass_obj
def generate(catalog: Catalog, /, **options: Any) -> int:
    """Ask a model for the projects of tasks, one request at a time.

    A finished task is kept and not asked again, so the same command goes on where it was stopped.
    'klein-bench evaluate --all DIR' judges the projects.

    Exit status 0 if the model had its turn at every task, whatever it wrote; 2 for a wrong
    invocation, 3 if the endpoint or this machine failed, 130 if it was interrupted.
    """
    wish = Wish(**options)
    wanted = wish.wanted(catalog)
    assignments = wish.assignments(catalog)
    output = OutputFolder(wish.output)
    with output.opened():
        todo, kept = split_finished(assignments, wanted, output)
        with console.progress() as bar:
            shown = bar.add_task("generating", total=len(todo), detail="")
            voice = Voice(bar=bar, shown=shown, as_json=wish.as_json)
            tally = generate_all(todo, kept, wanted, output, voice)
    return conclude(tally, wish)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the caller asked for, as it came from the command line."""

    task_ids: tuple[str, ...]
    subset: str | None
    agent: str
    base_url: str
    model: str
    output: Path
    dataset_path: Path | None
    temperature: float | None
    max_tokens: int | None
    seed: int | None
    timeout_s: float
    api_key_env: str | None
    again: bool
    as_json: bool

    def wanted(self, catalog: Catalog) -> Wanted:
        """Who is to be asked, and how.

        Raises:
            DeclarationError: there is no such agent, or a setting is wrong.
        """
        agent = catalog.find("agent", self.agent, catalog.agents(), lambda found: found.name)
        given = {
            "base_url": self.base_url,
            "model": self.model,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
            "timeout_s": self.timeout_s,
            "api_key_env": self.api_key_env,
        }
        checked = chat_settings({k: v for k, v in given.items() if v is not None})
        # The URL in its one spelling, and a missing key now and not after the first wait.
        settings = msgspec.to_builtins(checked) | {"base_url": checked.endpoint().base_url}
        return Wanted(agent=agent, settings=settings, again=self.again)

    def assignments(self, catalog: Catalog) -> list[Assignment]:
        """The tasks, each once, as an agent may see them.

        Raises:
            DeclarationError: none is named, or there is no such task or tier.
        """
        if bool(self.task_ids) == (self.subset is not None):
            raise DeclarationError("name tasks, or a tier with --subset, and not both")
        found = self._named(catalog) if self.task_ids else self._of_tier(catalog)
        return [
            Assignment(task_id=task.task_id, prompt=task.prompt, dataset=dataset_stamp(dataset))
            for task, dataset in found
        ]

    def _named(self, catalog: Catalog) -> Iterator[tuple[Task, Dataset]]:
        for task_id in dict.fromkeys(self.task_ids):
            yield find_task(catalog, task_id, self.dataset_path)

    def _of_tier(self, catalog: Catalog) -> Iterator[tuple[Task, Dataset]]:
        held = list(datasets(catalog, self.dataset_path))
        names = ((*d.manifest.totals, *d.manifest.sets) for d in held)
        known = dict.fromkeys(name for each in names for name in each)
        if self.subset not in known:
            raise UnknownNameError("subset", str(self.subset), known)
        for dataset in held:
            if self.subset in (*dataset.manifest.totals, *dataset.manifest.sets):
                yield from ((task, dataset) for task in dataset.tasks(self.subset))


@dataclass(slots=True, kw_only=True)
class Voice:
    """Says how it goes: a line on standard output for each task, the rest in the progress bar."""

    bar: Progress
    shown: TaskID
    as_json: bool
    in_vain: int = field(default=0, init=False)

    def begins(self, task_id: str) -> None:
        """A task is asked now."""
        self.bar.update(self.shown, description=task_id.partition("-")[2])
        self.tells("asking")

    def tells(self, line: str) -> None:
        """The agent says what it is doing."""
        unanswered = f"{self.in_vain} unanswered, " if self.in_vain else ""
        self.bar.update(self.shown, detail=escape(console.plain(unanswered + line)))

    def ended(self, record: GenerationRecord) -> None:
        """A task came to an end."""
        self.in_vain += not record.stop_reason.finished
        self.bar.update(self.shown, advance=1)
        if not self.as_json:
            console.say(headline(record))
            sys.stdout.flush()

    def unanswered(self, task_id: str, error: MachineError) -> None:
        """A task got no answer."""
        self.in_vain += 1
        self.bar.update(self.shown, advance=1)
        console.fail(f"{task_id}: {error}")


def headline(record: GenerationRecord) -> str:
    """One line on how a generation ended."""
    parts = [f"{record.task_id}: {record.stop_reason}"]
    if record.project is not msgspec.UNSET:
        files = record.project.files
        parts.append(f"{files} file{'' if files == 1 else 's'}")
    if record.usage is not msgspec.UNSET and record.usage.output_tokens is not msgspec.UNSET:
        parts.append(f"{record.usage.output_tokens} tokens out")
    parts.append(f"{record.wall_s:.1f} s")
    return ", ".join(parts) + (f" ({record.reason})" if record.reason else "")


def conclude(tally: Tally, wish: Wish) -> int:
    """Say what came of all tasks, and give the exit status."""
    if wish.as_json:
        console.emit_json(_result(tally, wish))
    elif tally.ended or tally.kept:
        console.say(_summary(tally))
    left = f"{len(tally.left)} of {len(tally.left) + _finished(tally)} tasks left"
    if tally.interrupted:
        console.fail(f"interrupted with {left}: {' '.join(tally.left)}")
    elif tally.outage:
        console.fail(f"{tally.outage}; {left}, the same command goes on")
    elif tally.left:
        console.fail(f"{left}, the same command goes on: {' '.join(tally.left)}")
    if tally.interrupted:
        console.note(f"to go on: {shlex.join(['klein-bench', *sys.argv[1:]])}")
        return ExitStatus.INTERRUPTED
    return ExitStatus.MACHINERY if tally.left or tally.outage else ExitStatus.DONE


def _finished(tally: Tally) -> int:
    return len(tally.kept) + sum(record.stop_reason.finished for record in tally.ended)


def _summary(tally: Tally) -> str:
    counts = {reason: sum(r.stop_reason is reason for r in tally.ended) for reason in StopReason}
    parts = [f"{count} {reason}" for reason, count in counts.items() if count]
    parts += [f"kept {len(tally.kept)}"] if tally.kept else []
    return f"asked {len(tally.ended)}: {', '.join(parts)}" if tally.ended else ", ".join(parts)


def _result(tally: Tally, wish: Wish) -> dict[str, Any]:
    output = OutputFolder(wish.output)
    return {
        "output": str(wish.output),
        "asked": [
            {
                "task_id": record.task_id,
                "stop_reason": record.stop_reason,
                "record": str(output.record(record.task_id)),
                **({"reason": record.reason} if record.reason else {}),
            }
            for record in tally.ended
        ],
        "kept": list(tally.kept),
        "left": tally.left,
    }
