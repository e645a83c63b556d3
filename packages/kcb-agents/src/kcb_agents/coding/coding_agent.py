"""The coding agent as an agent: its options, and how a trial of it begins."""

from __future__ import annotations

import msgspec

from kcb_agents.bounds import PricedBounds
from kcb_agents.coding.bench import Bench
from kcb_agents.coding.coding_loop import work_on
from kcb_agents.coding.compaction import Compactor
from kcb_agents.coding.profile import PROFILES, SYSTEM, WORKSPACE_NAME, Route, Session
from kcb_agents.conduct import Conduct
from kcb_agents.endpoint.clock import Clock
from kcb_agents.endpoint.conversation import Message
from kcb_agents.endpoint_agent import EndpointAgent
from kcb_agents.line import Line
from kcb_agents.options import read_options
from kcb_agents.sandbox_shell import Level, Sandboxed, sandboxed
from kcb_agents.tariff import tariff
from kcb_agents.trial import Ended, Trial
from kcb_agents.workspace import options_within
from kcb_core.roles import Generated, Generation

NAME = "coding"
VERSION = "1"

WINDOW_TOKENS = 32_768
"""Tokens of a context that nobody knows the size of."""


class CodingOptions(PricedBounds, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the coding agent: bounds, its route, and when its context is compacted."""

    turns: int = 100
    route: Route = "write-edit"
    """Which tools write files."""
    window: int | msgspec.UnsetType = msgspec.UNSET
    """Tokens of the model's context, if the server does not say; else 32768."""
    compact_at: float = 0.75
    """Part of the window, by the estimate, from which on older messages give way to a summary."""
    shown: int = 16_000
    """Most characters of a result that the model sees at once."""
    confine: Level = "full"
    """How far tools are confined; never less than this."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shown < 1:
            raise ValueError("field 'shown' must be 1 or more")
        if not 0.1 <= self.compact_at <= 1:
            raise ValueError("field 'compact_at' must be between 0.1 and 1")
        if self.window is not msgspec.UNSET and self.window < 1024:
            raise ValueError("field 'window' must be 1024 or more")


class Coding(EndpointAgent):
    """Lets a model work with the tools of ``headless-coding-v1``."""

    name = NAME
    version = VERSION
    opening = SYSTEM
    takes = CodingOptions

    def __init__(self, clock: Clock | None = None, sandboxed: Sandboxed = sandboxed) -> None:
        super().__init__(clock)
        self._sandboxed = sandboxed

    def generate(self, generation: Generation) -> Generated:
        """Write one project.

        Raises:
            DeclarationError: a setting or an option is wrong.
            MachineError: the endpoint or this machine failed; nothing is said of the model.
        """
        return self.conduct(generation, self._lines.line(generation))

    def conduct(self, generation: Generation, line: Line) -> Generated:
        """Let whoever is at the end of a line write one project; errors as in :meth:`generate`."""
        options = _options(generation)
        session = _session(generation, options)
        known = line.run_record().context_tokens
        window = next(w for w in (options.window, known, WINDOW_TOKENS) if w is not msgspec.UNSET)
        settings = {"window": window, "compact_at": options.compact_at, "shown": options.shown}

        def begin(trial: Trial) -> Ended:
            trial.transcript.record(session.contract(trial.meter.applied, settings))
            trial.add(Message(role="system", text=session.profile.system))
            folder = session.profile.folder
            told = f"The {folder}'s folder is {trial.shell.root}.\n\n{generation.prompt}"
            trial.add(Message(role="user", text=told))
            compactor = Compactor(trial=trial, window_tokens=window, share=options.compact_at)
            return work_on(trial, Bench(trial, session, options.shown), compactor)

        return Conduct(
            generation=generation,
            line=line,
            open_shell=self._sandboxed(options.confine),
            bounds=options.bounds,
            clock=self._clock,
            preamble=session.stamp,
            play=begin,
            tools=session.tools,
            tariff=tariff(generation, options, line, agent=NAME),
        ).conduct()


def _options(generation: Generation) -> CodingOptions:
    given = options_within(generation, "turns", "seconds")
    return read_options(given, CodingOptions, agent=NAME)


def _session(generation: Generation, options: CodingOptions) -> Session:
    if generation.start is None:
        return Session(route=options.route)
    return Session(route=options.route, profile=PROFILES[WORKSPACE_NAME])
