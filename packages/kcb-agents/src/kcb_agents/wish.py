"""What a caller of ``generate`` asked for, from the command line to tasks and settings.

The only module here that knows tasks: behind it one is an id and a prompt, and its tests are out of
reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from kcb_agents.endpoint.address import is_nearby
from kcb_agents.endpoint.settings import endpoint_settings
from kcb_agents.generate import Assignment, Wanted
from kcb_agents.options import split_options
from kcb_agents.registry import Entry, read_registry, refuse_unnamed
from kcb_agents.schedule import read_duration
from kcb_core.catalog import Catalog
from kcb_core.commands.options import datasets, find_task
from kcb_core.dataset import Dataset
from kcb_core.errors import DeclarationError, UnknownNameError
from kcb_core.report import dataset_stamp
from kcb_core.roles import Agent
from kcb_core.selection import read_selection
from kcb_core.task import Task

_SENT = (
    *("temperature", "top_p", "top_k", "min_p", "max_tokens", "seed", "context_tokens", "think"),
    *("stream", "timeout_s", "max_retries", "queue"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the caller asked for, as it came from the command line."""

    task_ids: tuple[str, ...]
    subset: str | None
    agent: str
    base_url: str | None
    model: str | None
    registry_path: Path | None
    api: str | None
    output: Path
    dataset_path: Path | None
    temperature: float | None
    top_p: float | None
    top_k: int | None
    min_p: float | None
    max_tokens: int | None
    seed: int | None
    context_tokens: int | None
    think: bool | None
    stream: bool
    timeout_s: float
    max_retries: int
    queue: bool
    preflight: bool | None
    time_budget: str | None
    api_key_env: str | None
    agent_options: tuple[str, ...]
    again: bool
    as_json: bool

    @property
    def budget_s(self) -> float | None:
        """How long all tasks together may take, in seconds."""
        return None if self.time_budget is None else read_duration(self.time_budget)

    def wanted(self, catalog: Catalog) -> Wanted:
        """Who is to be asked, and how.

        Raises:
            DeclarationError: there is no such agent, or a setting is wrong.
        """
        agent = catalog.find("agent", self.agent, catalog.agents(), lambda found: found.name)
        settings, secrets = self._settings(agent)
        return Wanted(
            agent=agent,
            settings=settings,
            options=split_options(self.agent_options),
            secrets=secrets,
            again=self.again,
        )

    def _settings(self, agent: Agent) -> tuple[dict[str, Any], tuple[str, ...]]:
        """How the model is asked, and what may not be stored of it."""
        if not agent.asks_model:
            if self.model or self.base_url:
                raise DeclarationError(f"agent {agent.name!r} asks no model; leave --model out")
            return {}, ()
        if not self.model:
            raise DeclarationError(f"agent {agent.name!r} asks a model: name it with --model")
        listed = self._listed(self.model)
        given = {name: getattr(self, name) for name in _SENT} | {
            "base_url": self.base_url or listed.base_url,
            "model": self.model,
            "api": self.api or listed.api,
            "api_key_env": self.api_key_env or listed.api_key_env,
        }
        checked = endpoint_settings({k: v for k, v in given.items() if v is not None})
        # The URL in its one spelling, and a missing key now and not after the first wait.
        endpoint = checked.endpoint()
        settings = msgspec.to_builtins(checked) | {"base_url": endpoint.base_url}
        return settings, (endpoint.api_key,)

    def tries_out(self, wanted: Wanted) -> bool:
        """Whether long prompts are tried out first; elsewhere that costs money or quota."""
        if self.preflight is None:
            return bool(wanted.settings) and is_nearby(wanted.settings["base_url"])
        return self.preflight

    def _listed(self, model: str) -> Entry:
        """What the list of models says of this one; it is not asked where an address is given."""
        if self.base_url:
            return Entry(id=model, base_url=self.base_url)
        registry, _ = read_registry(self.registry_path)
        return refuse_unnamed(model, registry)

    def assignments(self, catalog: Catalog) -> list[Assignment]:
        """The tasks, each once, as an agent may see them.

        Raises:
            DeclarationError: none is named, or there is no such task or tier.
        """
        if bool(self.task_ids) == (self.subset is not None):
            raise DeclarationError("name tasks, or a tier with --subset, and not both")
        found = self._named(catalog) if self.task_ids else self._of_subset(catalog)
        return [
            Assignment(task_id=task.task_id, prompt=task.prompt, dataset=dataset_stamp(dataset))
            for task, dataset in found
        ]

    def _named(self, catalog: Catalog) -> Iterator[tuple[Task, Dataset]]:
        for task_id in dict.fromkeys(self.task_ids):
            yield find_task(catalog, task_id, self.dataset_path)

    def _of_subset(self, catalog: Catalog) -> Iterator[tuple[Task, Dataset]]:
        held = list(datasets(catalog, self.dataset_path))
        names = ((*d.manifest.totals, *d.manifest.sets) for d in held)
        known = dict.fromkeys(name for each in names for name in each)
        if self.subset not in known:
            yield from self._selected(held, known)
            return
        for dataset in held:
            if self.subset in (*dataset.manifest.totals, *dataset.manifest.sets):
                yield from ((task, dataset) for task in dataset.tasks(self.subset))

    def _selected(
        self, held: list[Dataset], known: dict[str, None]
    ) -> Iterator[tuple[Task, Dataset]]:
        """The tasks of a frozen selection, if the name is that of its file."""
        path = Path(str(self.subset))
        if not path.is_file():
            raise UnknownNameError("subset", str(self.subset), known)
        selection = read_selection(path)
        for dataset in held:
            if dataset.manifest.sha256 == selection.manifest_sha256:
                yield from ((dataset.task(task_id), dataset) for task_id in selection.tasks)
                return
        raise DeclarationError(
            f"{path}: is of dataset {selection.dataset!r} {selection.version}, manifest "
            f"{selection.manifest_sha256[:12]}, which is not here"
        )
