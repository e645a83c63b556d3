"""The action loop as an agent: its options, and how a trial of it begins."""

from __future__ import annotations

from kcb_agents.action_loop.loop import play
from kcb_agents.bounds import PricedBounds
from kcb_agents.conduct import Conduct
from kcb_agents.endpoint.clock import Clock
from kcb_agents.endpoint.conversation import Message
from kcb_agents.endpoint_agent import EndpointAgent
from kcb_agents.line import Line
from kcb_agents.options import read_options
from kcb_agents.preamble import ACTION_LOOP, ACTION_LOOP_WORKSPACE, DRILL, Preamble
from kcb_agents.sandbox_shell import Level, Sandboxed, grounded, sandboxed
from kcb_agents.shell import OpenShell
from kcb_agents.tariff import tariff
from kcb_agents.trial import Ended, Trial
from kcb_agents.workspace import options_within
from kcb_core.roles import Generated, Generation, Ground
from kcb_core.transcript import Contract


class LoopOptions(PricedBounds, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the action loop: its bounds and prices, and how much of an output is shown."""

    shown: int = 8_000
    """Most characters of a command's standard output, and of its errors, that the model sees."""
    confine: Level = "full"
    """How far commands are confined; never less than this."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shown < 1:
            raise ValueError("field 'shown' must be 1 or more")


class ActionLoop(EndpointAgent):
    """Lets a model act by one command line a turn."""

    name = ACTION_LOOP.name
    version = ACTION_LOOP.version
    opening = ACTION_LOOP.text
    takes = LoopOptions

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

    def act(self, generation: Generation, ground: Ground) -> Generated:
        """Act in a prepared place; errors as in :meth:`generate`."""
        return self.conduct_in(ground, generation, self._lines.line(generation))

    def conduct(self, generation: Generation, line: Line) -> Generated:
        """Let whoever is at the end of a line write one project; errors as in :meth:`generate`."""
        options = _options(generation)
        preamble = ACTION_LOOP if generation.start is None else ACTION_LOOP_WORKSPACE
        shell = self._sandboxed(options.confine)
        return self._conduct(generation, line, options, preamble, shell).conduct()

    def conduct_in(self, ground: Ground, generation: Generation, line: Line) -> Generated:
        """Let whoever is at the end of a line act in a place; errors as in :meth:`generate`."""
        options = _options(generation)
        shell = grounded(options.confine, ground)
        return self._conduct(generation, line, options, DRILL, shell).act()

    def _conduct(
        self,
        generation: Generation,
        line: Line,
        options: LoopOptions,
        preamble: Preamble,
        open_shell: OpenShell,
    ) -> Conduct:
        def begin(trial: Trial) -> Ended:
            told = preamble.filled(
                path=trial.shell.root,
                turns=options.turns,
                seconds=f"{options.seconds:g}",
                command_s=f"{options.command_s:g}",
            )
            trial.transcript.record(
                Contract(
                    profile=f"{preamble.name}-v{preamble.version}",
                    preamble_sha256=preamble.stamp.sha256,
                    bounds=trial.meter.applied,
                    settings={"shown": options.shown},
                )
            )
            # One message of the user: the chat templates of some small models refuse another.
            trial.add(Message(role="user", text=told + generation.prompt))
            return play(trial, shown=options.shown)

        return Conduct(
            generation=generation,
            line=line,
            open_shell=open_shell,
            bounds=options.bounds,
            clock=self._clock,
            preamble=preamble.stamp,
            play=begin,
            tariff=tariff(generation, options, line, agent=ACTION_LOOP.name),
        )


def _options(generation: Generation) -> LoopOptions:
    given = options_within(generation, "turns", "seconds")
    return read_options(given, LoopOptions, agent=ACTION_LOOP.name)
