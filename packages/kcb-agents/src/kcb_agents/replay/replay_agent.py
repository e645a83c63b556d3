"""The replay as an agent: it plays a script through the very loop that asked the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kcb_agents.action_loop.loop_agent import ActionLoop
from kcb_agents.coding.coding_agent import Coding
from kcb_agents.endpoint.clock import Clock, SystemClock
from kcb_agents.one_shot import OneShot
from kcb_agents.options import read_options
from kcb_agents.replay.script import Play, find_script, read_script
from kcb_agents.replay.scripted_line import ScriptedLine
from kcb_agents.sandbox_shell import Sandboxed, sandboxed
from kcb_core.errors import DataError, DeclarationError
from kcb_core.roles import Generated, Generation, Needs

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

    def check_told(
        self, settings: Mapping[str, Any], options: Mapping[str, str], names: Sequence[str]
    ) -> Needs:
        """See whether there is a script for each name, and options that its loop takes.

        Raises:
            DeclarationError: there is no script, or an option of its loop is wrong.
            DataError: a script is malformed.
        """
        place, others = _place(options)
        paths = {name: find_script(place, name) for name in names}
        for path in dict.fromkeys(paths.values()):
            loop = self._loop(read_script(path))
            read_options(others, loop.takes, agent=loop.name)
        if not place.is_dir():
            return Needs(files={SCRIPT: place})
        return Needs(files={f"{SCRIPT}/{path.name}": path for path in paths.values()})

    def generate(self, generation: Generation) -> Generated:
        """Play the script of one project.

        Raises:
            DeclarationError: there is no script, or an option of its loop is wrong.
            DataError: the script is malformed, or at its end before the trial is.
            MachineError: this machine failed.
        """
        place, options = _place(generation.options)
        play = read_script(find_script(place, generation.name))
        loop = self._loop(play)
        # No model is asked, so that nothing set of one may reach the loop.
        played = replace(generation, settings={}, options=options)
        return loop.conduct(played, ScriptedLine(play))

    def _loop(self, play: Play) -> OneShot | ActionLoop | Coding:
        """The loop that a script goes through."""
        loop = self._loops.get(play.agent)
        if loop is None:
            raise DataError(f"{play.source}: what {play.agent!r} did cannot be played again")
        return loop


def _place(options: Mapping[str, str]) -> tuple[Path, dict[str, str]]:
    """Where the script is, and the options of its loop."""
    others = dict(options)
    if not (place := others.pop(SCRIPT, "")):
        raise DeclarationError(
            f"agent {NAME!r} needs the option {SCRIPT!r}: a script, or a folder of scripts"
        )
    return Path(place), others
