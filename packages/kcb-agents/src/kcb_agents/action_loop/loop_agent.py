"""The action loop as an agent: its options, and how a trial of it begins."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from kcb_agents.action_loop.loop import play
from kcb_agents.bounds import Bounds
from kcb_agents.conduct import Conduct, Line
from kcb_agents.endpoint.clock import Clock
from kcb_agents.endpoint.conversation import Message
from kcb_agents.options import read_options
from kcb_agents.preamble import ACTION_LOOP
from kcb_agents.shell import OpenShell
from kcb_agents.trial import Ended, Trial
from kcb_core.roles import Generated, Generation
from kcb_core.transcript import Contract


class LoopOptions(Bounds, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the action loop: its bounds, and how much of an output is shown."""

    shown: int = 8_000
    """Most characters of a command's standard output, and of its errors, that the model sees."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shown < 1:
            raise ValueError("field 'shown' must be 1 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionLoop:
    """Plays the action loop over any line to a model and any shell."""

    clock: Clock
    open_shell: OpenShell

    def conduct(self, generation: Generation, line: Line) -> Generated:
        """Let the model at the end of a line write one project.

        Raises:
            DeclarationError: an option is wrong.
            MachineError: the endpoint or this machine failed.
        """
        options = read_options(generation.options, LoopOptions, agent=ACTION_LOOP.name)

        def begin(trial: Trial) -> Ended:
            told = ACTION_LOOP.filled(
                path=trial.shell.root,
                turns=options.turns,
                seconds=f"{options.seconds:g}",
                command_s=f"{options.command_s:g}",
            )
            trial.transcript.record(
                Contract(
                    profile=f"{ACTION_LOOP.name}-v{ACTION_LOOP.version}",
                    preamble_sha256=ACTION_LOOP.stamp.sha256,
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
            open_shell=self.open_shell,
            bounds=bounds_of(options),
            clock=self.clock,
            preamble=ACTION_LOOP.stamp,
            play=begin,
        ).conduct()


def bounds_of(options: Bounds) -> Bounds:
    """The bounds among an agent's options."""
    names = [field.name for field in msgspec.structs.fields(Bounds)]
    return Bounds(**{name: getattr(options, name) for name in names})
