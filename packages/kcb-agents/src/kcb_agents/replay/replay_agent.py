"""The replay as an agent: it plays a script through the very loop that asked the model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from kcb_agents.action_loop.loop_agent import ActionLoop
from kcb_agents.coding.coding_agent import Coding
from kcb_agents.endpoint.clock import Clock, SystemClock
from kcb_agents.one_shot import OneShot
from kcb_agents.replay.script import find_script, read_script
from kcb_agents.replay.scripted_line import ScriptedLine
from kcb_agents.sandbox_shell import Sandboxed, sandboxed
from kcb_core.errors import DataError, DeclarationError
from kcb_core.roles import Generated, Generation

NAME = "replay"
VERSION = "1"

SCRIPT = "script"
"""The option that names a script, or a folder of scripts; the others go to the loop."""


class Replay:
    """Plays a script: no model is asked, and the same script comes to the same project."""

    def __init__(self, clock: Clock | None = None, sandboxed: Sandboxed = sandboxed) -> None:
        clock = clock or SystemClock()
        self._loops = {
            agent.name: agent
            for agent in (OneShot(clock), ActionLoop(clock, sandboxed), Coding(clock, sandboxed))
        }

    @property
    def name(self) -> str:
        """Its name for ``--agent``."""
        return NAME

    @property
    def version(self) -> str:
        """Raised when scripts are read in another way."""
        return VERSION

    @property
    def asks_model(self) -> bool:
        """No: the script answers."""
        return False

    def generate(self, generation: Generation) -> Generated:
        """Play the script of one project.

        Raises:
            DeclarationError: there is no script, or an option of its loop is wrong.
            DataError: the script is malformed, or at its end before the trial is.
            MachineError: this machine failed.
        """
        options = dict(generation.options)
        if not (place := options.pop(SCRIPT, "")):
            raise DeclarationError(
                f"agent {NAME!r} needs the option {SCRIPT!r}: --agent-option {SCRIPT}=PATH"
            )
        play = read_script(find_script(Path(place), generation.name))
        loop = self._loops.get(play.agent)
        if loop is None:
            raise DataError(f"{play.source}: what {play.agent!r} did cannot be played again")
        # No model is asked, so that nothing set of one may reach the loop.
        played = replace(generation, settings={}, options=options)
        return loop.conduct(played, ScriptedLine(play))
