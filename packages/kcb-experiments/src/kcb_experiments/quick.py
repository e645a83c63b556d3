"""An experiment of one subject, from its options on the command line to its page, in one go.

'klein-bench run' is this over a dataset; whoever brings another kind of tasks has a command of its
own around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import FILE
from kcb_core.errors import DeclarationError
from kcb_core.roles import Command
from kcb_experiments.engine.judged import reports_of
from kcb_experiments.engine.running import Wanted, run_experiment, say_outcome
from kcb_experiments.frozen import Experiment, freeze
from kcb_experiments.log import read_log
from kcb_experiments.paging import LACKING, PAGE_NAME, call, can_draw, selection_words, write_page
from kcb_experiments.selection import Retry
from kcb_experiments.spec import Benchmark, Bounds, Caps, Executor, Spec, Subject
from kcb_experiments.task_sets import frozen_task_set

F = TypeVar("F", bound=Callable[..., Any])

_SCORE = Command(name="score", summary="", target="kcb_score.cli:score")
RETRY = "--retry"
"""The option by which void tasks are tried again: a switch, since there is no other kind."""

_SENT = ("base_url", "model", "api", "api_key_env", "temperature", "max_tokens", "context_tokens")

_OPTIONS = (
    click.option("--base-url", metavar="URL", help="The endpoint of the model, such as "
                 "http://localhost:8080/v1."),
    click.option("--model", metavar="NAME", help="The model's id, sent as it is."),
    click.option("--api", metavar="FORM", help="How the endpoint is asked: auto, openai, "
                 "responses, anthropic or ollama."),
    click.option("--api-key-env", metavar="NAME", help="The environment variable that holds the "
                 "key."),
    click.option("-o", "--out", "folder", type=FILE, required=True, metavar="DIR",
                 help="Where all is kept; the same folder goes on with what is missing."),
    click.option("--temperature", type=float, metavar="F", help="Sent only if given."),
    click.option("--max-tokens", type=int, metavar="N", help="Most tokens of one reply."),
    click.option("--context", "context_tokens", type=int, metavar="N", help="Tokens of context."),
    click.option("--agent-option", "agent_options", multiple=True, metavar="NAME=VALUE",
                 help="An option of the agent; again for more."),
    click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True,
                 help="Tasks at once."),
    click.option("--preflight/--no-preflight", "check_endpoints", default=True,
                 help="Whether the endpoint is tried out first (default)."),
    click.option(RETRY, is_flag=True, help="Try tasks again of which nothing is known."),
)  # fmt: skip


def asking_options(command: F) -> F:
    """The options by which a subject is described, and where its run is kept."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What was asked for on the command line; the fields that options fill have their names."""

    agent: str
    benchmark: Benchmark
    base_url: str | None
    model: str | None
    api: str | None
    api_key_env: str | None
    folder: Path
    temperature: float | None
    max_tokens: int | None
    context_tokens: int | None
    agent_options: tuple[str, ...]
    bounds: Bounds
    repetitions: int = 1
    jobs: int
    check_endpoints: bool
    retry: bool
    dataset_path: Path | None
    """Where the set of tasks is, if no installed distribution holds it."""
    score_words: tuple[str, ...] = ()
    """Options for 'score' and 'report html'."""

    @property
    def spec(self) -> Spec:
        """The experiment that this comes to.

        Raises:
            DeclarationError: an option is no ``NAME=VALUE``.
        """
        given = {name: getattr(self, name) for name in _SENT}
        subject = Subject(
            name=_subject_name(self.model or self.agent),
            agent=self.agent,
            settings={name: value for name, value in given.items() if value is not None},
            options=dict(map(_option, self.agent_options)),
            credentials=(self.api_key_env,) if self.api_key_env else (),
            bounds=self.bounds,
        )
        return Spec(
            name=subject.name,
            benchmark=self.benchmark,
            subjects=(subject,),
            budget=Caps(),
            executor=Executor(settings={"check_endpoints": self.check_endpoints}),
            repetitions=self.repetitions,
            groups=self.jobs,
        )


def carry_out(catalog: Catalog, wish: Wish) -> int:
    """Run it, or what is missing of it, then score it and leave its page.

    Returns:
        The exit status: 0 if every task has a verdict, 3 if not, 130 if it was interrupted.

    Raises:
        DeclarationError: something is missing or wrong, and nothing was started.
        DataError: what is kept there is damaged.
        MachineError: this machine failed.
    """
    experiment = freeze(wish.spec, catalog, beside=Path.cwd(), dataset_path=wish.dataset_path)
    tasks = frozen_task_set(catalog, experiment.dataset, wish.dataset_path)
    wanted = Wanted(retry=(Retry.VOID,) if wish.retry else ())
    outcome = run_experiment(catalog, experiment, wish.folder, tasks, wanted)
    say_outcome(outcome, console.note, retry_void=RETRY)
    if not outcome.interrupted:
        _show(catalog, experiment, wish)
    return outcome.exit_status


def _show(catalog: Catalog, experiment: Experiment, wish: Wish) -> None:
    """The score as tables, and as a page where what makes pages is installed."""
    attempts = read_log(wish.folder).attempts
    reports = list(map(str, reports_of(experiment, attempts, wish.folder)))
    if not reports:
        console.note("no task has a verdict, so there is nothing to score")
        return
    words = [*reports, *wish.score_words, *_narrowed(experiment, wish)]
    call(_SCORE, words, catalog)
    if can_draw():
        write_page(catalog, words, wish.folder / PAGE_NAME)
    else:
        console.note(LACKING)


def _narrowed(experiment: Experiment, wish: Wish) -> list[str]:
    """By which tasks it is measured, where somebody named them one by one."""
    return selection_words(experiment, wish.folder) if wish.benchmark.tasks else []


def _subject_name(text: str) -> str:
    """A name of a subject from the id of a model, such as ``Qwen2.5-Coder-7B`` from a path."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", text.rpartition("/")[2]).strip("-._")
    return name[:64] or "subject"


def _option(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals):
        raise DeclarationError(f"--agent-option {word!r}: must be NAME=VALUE")
    return name, value
