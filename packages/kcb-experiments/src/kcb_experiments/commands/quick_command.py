"""``klein-bench run``: one agent over some tasks, from prompts to a page, in one command."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.cli import load_command
from kcb_core.commands.options import FILE, dataset_option
from kcb_core.dataset import open_dataset
from kcb_core.errors import DeclarationError
from kcb_core.roles import Command
from kcb_experiments.engine.judged import reports_of
from kcb_experiments.engine.opening import dataset_of
from kcb_experiments.engine.running import Wanted, run_experiment, say_outcome
from kcb_experiments.frozen import Experiment, freeze
from kcb_experiments.log import read_log
from kcb_experiments.selection import Retry
from kcb_experiments.spec import Benchmark, Bounds, Caps, Executor, Spec, Subject

PAGE_NAME = "report.html"

_SCORE = Command(name="score", summary="", target="kcb_score.cli:score")
_PAGE = Command(name="report html", summary="", target="kcb_score.page.html_command:html")
_OF_THE_PAGE = ("jinja2", "vl_convert")
_SENT = ("base_url", "model", "api", "api_key_env", "temperature", "max_tokens", "context_tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What was asked for on the command line."""

    agent: str
    base_url: str | None
    model: str | None
    api: str | None
    api_key_env: str | None
    subset: str
    folder: Path
    temperature: float | None
    max_tokens: int | None
    context_tokens: int | None
    agent_options: tuple[str, ...]
    seconds: float
    jobs: int
    check_endpoints: bool
    retry: bool
    dataset_path: Path | None

    def spec(self, name: str) -> Spec:
        """The experiment that this comes to: one subject, one repetition.

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
            bounds=Bounds(seconds=self.seconds),
        )
        frozen = Path(self.subset).is_file()
        return Spec(
            name=subject.name,
            benchmark=Benchmark(
                dataset=name,
                subset="" if frozen else self.subset,
                selection=self.subset if frozen else "",
            ),
            subjects=(subject,),
            budget=Caps(),
            executor=Executor(settings={"check_endpoints": self.check_endpoints}),
            groups=self.jobs,
        )


@click.command()
@click.option("--agent", default="one-shot", show_default=True, metavar="NAME",
              help="What writes the projects.")  # fmt: skip
@click.option("--base-url", metavar="URL", help="The endpoint of the model, such as "
              "http://localhost:8080/v1.")  # fmt: skip
@click.option("--model", metavar="NAME", help="The model's id, sent as it is.")
@click.option("--api", metavar="FORM", help="How the endpoint is asked: auto, openai, responses, "
              "anthropic or ollama.")  # fmt: skip
@click.option("--api-key-env", metavar="NAME", help="The environment variable that holds the key.")
@click.option("--subset", required=True, metavar="NAME",
              help="A tier, a named set such as easy@20, or a frozen selection.")  # fmt: skip
@click.option("-o", "--out", "folder", type=FILE, required=True, metavar="DIR",
              help="Where all is kept; the same folder goes on with what is missing.")  # fmt: skip
@click.option("--temperature", type=float, metavar="F", help="Sent only if given.")
@click.option("--max-tokens", type=int, metavar="N", help="Most tokens of one reply.")
@click.option("--context", "context_tokens", type=int, metavar="N", help="Tokens of context.")
@click.option("--agent-option", "agent_options", multiple=True, metavar="NAME=VALUE",
              help="An option of the agent; again for more.")  # fmt: skip
@click.option("--seconds", type=float, default=900.0, show_default=True, metavar="N",
              help="Working time after which the agent is cut off at a task.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True,
              help="Tasks at once.")  # fmt: skip
@click.option("--preflight/--no-preflight", "check_endpoints", default=True,
              help="Whether the endpoint is tried out first (default).")  # fmt: skip
@click.option("--retry", is_flag=True, help="Try tasks again of which nothing is known.")
@dataset_option
@click.pass_obj
def run(catalog: Catalog, /, **options: Any) -> int:
    """Let an agent write the projects of some tasks, judge, score, and leave a page.

    It is an experiment of one subject and one repetition, so all commands of 'experiment' work on
    its folder.

    Exit status 0 if every task has a verdict, whatever it is; 2 for a wrong invocation, 3 if of
    some tasks nothing is known, 130 if it was interrupted; the same command goes on.
    """
    wish = Wish(**options)
    name = open_dataset(wish.dataset_path).manifest.dataset if wish.dataset_path else "kcb"
    spec = wish.spec(name)
    experiment = freeze(spec, catalog, beside=Path.cwd(), dataset_path=wish.dataset_path)
    dataset = dataset_of(catalog, experiment, wish.dataset_path)
    wanted = Wanted(retry=(Retry.VOID,) if wish.retry else ())
    outcome = run_experiment(catalog, experiment, wish.folder, dataset, wanted)
    say_outcome(outcome, console.note)
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
    at = ["--dataset", str(wish.dataset_path)] if wish.dataset_path else []
    _call(_SCORE, [*reports, *at], catalog)
    if any(find_spec(module) is None for module in _OF_THE_PAGE):
        console.note("for a page too: pip install 'kcb-score[pages]', then the same command again")
        return
    _call(_PAGE, [*reports, *at, "--output", str(wish.folder / PAGE_NAME)], catalog)


def _call(command: Command, words: list[str], catalog: Catalog) -> None:
    load_command(command).main(
        args=words, prog_name=f"klein-bench {command.name}", standalone_mode=False, obj=catalog
    )


def _subject_name(text: str) -> str:
    """A name of a subject from the id of a model, such as ``Qwen2.5-Coder-7B`` from a path."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", text.rpartition("/")[2]).strip("-._")
    return name[:64] or "subject"


def _option(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals):
        raise DeclarationError(f"--agent-option {word!r}: must be NAME=VALUE")
    return name, value
