"""What can be seen of subjects before any of them runs, and what their workers are given."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from kcb_core.errors import DeclarationError, KcbError
from kcb_core.execution import Casting, Errand
from kcb_core.roles import Agent, InstalledAgent, PreflightingAgent
from kcb_experiments.engine.orders import START_NAME, WorkOrder

FIXED = {"DEBIAN_FRONTEND": "noninteractive", "TZ": "Etc/UTC"}
"""The same for every subject, wherever it runs."""


def lacking_credentials(castings: Iterable[Casting]) -> list[str]:
    """One line for each variable that a subject needs and that is not set here, or is empty."""
    return [
        f"{casting.subject} needs the variable {name}"
        for casting in castings
        for name in casting.credentials
        if not os.environ.get(name, "").strip()
    ]


def require_credentials(castings: Iterable[Casting]) -> None:
    """Make sure that all credentials are there.

    Raises:
        DeclarationError: some are not; all of them are named.
    """
    if missing := lacking_credentials(castings):
        raise DeclarationError(f"credentials are not set: {'; '.join(missing)}")


def require_installed(castings: Iterable[Casting], agents: Iterable[Agent]) -> None:
    """Make sure that every program on this machine which is pinned is as it was pinned.

    Raises:
        DeclarationError: one is not; its subject is named.
    """
    known = {agent.name: agent for agent in agents}
    for casting in castings:
        agent = known[casting.agent]
        if isinstance(agent, InstalledAgent):
            try:
                agent.preflight_installation(casting.options)
            except KcbError as error:
                raise DeclarationError(f"subject {casting.subject!r}: {error}") from None


def secrets_of(casting: Casting) -> Mapping[str, str]:
    """The credentials of a subject, as far as they are set here."""
    return {name: os.environ[name] for name in casting.credentials if name in os.environ}


def tried_out(
    castings: Sequence[Casting],
    agents: Iterable[Agent],
    prompt: str,
    tell: Callable[[str], None],
) -> Iterator[str]:
    """Have each agent that can do so try out its endpoint with a prompt; warnings, one line each.

    Raises:
        DeclarationError: a subject would not work; it is named.
    """
    known = {agent.name: agent for agent in agents}
    for casting in castings:
        agent = known[casting.agent]
        if not isinstance(agent, PreflightingAgent):
            continue
        try:
            warnings = agent.preflight(prompt, casting.settings, tell)
        except KcbError as error:
            raise DeclarationError(f"subject {casting.subject!r}: {error}") from None
        yield from (f"subject {casting.subject!r}: {line}" for line in warnings)


def order_of(errand: Errand, folder: Path, *, third_party: bool) -> WorkOrder:
    """What a worker is told.

    Args:
        errand: the subject and its task; what that starts from is laid out in its folder.
        folder: the same folder as the worker sees it.
        third_party: whether it loads the plug-ins of others.
    """
    casting = errand.casting
    return WorkOrder(
        name=errand.name,
        folder=str(folder),
        dataset=errand.dataset,
        prompt=errand.task.prompt,
        task_id=errand.task.task_id,
        start=str(folder / START_NAME) if errand.task.lay_out else "",
        budget=errand.budget,
        tokens=errand.tokens,
        agent=casting.agent,
        settings=dict(casting.settings),
        options={**errand.task.options, **casting.options},
        credentials=casting.credentials,
        third_party=third_party,
    )
