"""``klein-bench generate``: let an agent write projects."""

from __future__ import annotations

import time
from typing import Any

import click

from kcb_agents.endpoint.settings import DEFAULT_RETRIES, DEFAULT_TIMEOUT_S
from kcb_agents.generate import generate_all, split_finished, try_out
from kcb_agents.output import OutputFolder
from kcb_agents.schedule import Schedule
from kcb_agents.voice import Voice, conclude
from kcb_agents.wish import Wish
from kcb_core import console
from kcb_core.catalog import Catalog
from kcb_core.commands.options import FILE, dataset_option, json_option

APIS = ("auto", "openai", "responses", "anthropic", "ollama")


@click.command()
@click.argument("task_ids", nargs=-1, metavar="[TASK]...")
@click.option("--subset", metavar="NAME",
              help="All tasks of this tier, named set, or file of a frozen selection.")  # fmt: skip
@click.option("--agent", default="one-shot", show_default=True, metavar="NAME",
              help="What writes the projects.")  # fmt: skip
@click.option("--base-url", metavar="URL",
              help="An endpoint, such as http://localhost:8080/v1. Default: the one that "
              "'klein-bench agents models' lists for the model.")  # fmt: skip
@click.option("--model", metavar="NAME",
              help="The model's id, sent as it is; for every agent that asks one.")  # fmt: skip
@click.option("--models", "registry_path", type=FILE, metavar="FILE",
              help="Another list of models, as TOML.")  # fmt: skip
@click.option("--api", type=click.Choice(APIS), metavar="FORM",
              help="How the endpoint is asked: auto (default: the server is asked what it is), "
              "openai, responses, anthropic or ollama.")  # fmt: skip
@click.option("-o", "--output", type=FILE, required=True, metavar="DIR",
              help="The folder of projects, each in a folder named by its task id.")  # fmt: skip
@dataset_option
@click.option("--temperature", type=float, metavar="F",
              help="Sent only if given, else the server's own holds.")  # fmt: skip
@click.option("--top-p", type=float, metavar="F", help="Share of likely tokens to choose from.")
@click.option("--top-k", type=int, metavar="N", help="Number of likely tokens to choose from.")
@click.option("--min-p", type=float, metavar="F", help="Least share of the likeliest token's.")
@click.option("--max-tokens", type=int, metavar="N", help="Most tokens of one reply.")
@click.option("--seed", type=int, metavar="N", help="Seed of the sampler.")
@click.option("--context", "context_tokens", type=int, metavar="N",
              help="Tokens of context: set with Ollama, made sure of elsewhere.")  # fmt: skip
@click.option("--think/--no-think", default=None, help="Whether the model is to think first.")
@click.option("--stream/--no-stream", default=True,
              help="Whether replies come bit by bit (default) or in one piece.")  # fmt: skip
@click.option("--timeout", "timeout_s", type=float, default=DEFAULT_TIMEOUT_S, show_default=True,
              metavar="SECONDS", help="How long one reply may take.")  # fmt: skip
@click.option("--max-retries", type=int, default=DEFAULT_RETRIES, show_default=True, metavar="N",
              help="How often a request that failed is made again at most.")  # fmt: skip
@click.option("--queue/--no-queue", default=True,
              help="Whether a request to this machine waits (default) for other requests there, "
              "and for judging.")  # fmt: skip
@click.option("--preflight/--no-preflight", default=None,
              help="Whether to try out first that long prompts are seen whole. Default: only with "
              "servers nearby.")  # fmt: skip
@click.option("--time-budget", metavar="TIME",
              help="Begin no task that would end after this, such as 90m or 2h.")  # fmt: skip
@click.option("--api-key-env", metavar="NAME", help="The environment variable that holds the key.")
@click.option("--agent-option", "agent_options", multiple=True, metavar="NAME=VALUE",
              help="An option of the agent, such as turns=20; again for more.")  # fmt: skip
@click.option("--again", is_flag=True, help="Ask for finished tasks too, and replace them.")
@json_option
@click.pass_obj
def generate(catalog: Catalog, /, **options: Any) -> int:
    """Ask a model for the projects of tasks, one request at a time.

    A finished task is kept and not asked again, so the same command goes on where it was stopped.
    'klein-bench evaluate --all DIR' judges the projects.

    Exit status 0 if the model had its turn at every task, whatever it wrote; 2 for a wrong
    invocation or a server that cuts prompts, 3 if the endpoint or this machine failed or the time
    budget was used up, 130 if it was interrupted.
    """
    wish = Wish(**options)
    wanted = wish.wanted(catalog)
    assignments = wish.assignments(catalog)
    budget_s = wish.budget_s
    output = OutputFolder(wish.output)
    with output.opened():
        todo, kept = split_finished(assignments, wanted, output)
        with console.progress() as bar:
            shown = bar.add_task("generating", total=len(todo), detail="")
            voice = Voice(bar=bar, shown=shown, as_json=wish.as_json)
            if wish.tries_out(wanted):
                for line in try_out(todo, wanted, voice.tells):
                    console.warn(line)
            schedule = Schedule(now=time.monotonic, budget_s=budget_s)
            tally = generate_all(todo, kept, wanted, output, voice, schedule)
    return conclude(tally, output, as_json=wish.as_json)
