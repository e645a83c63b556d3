"""Authored trajectories: what an agent might do in a drill, good or bad, written by a person.

A step is really executed, unless it says what came of it: then that is taken as it is, which is how
a check of the tool is shown to fail although the tool is sound.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from kcb_core.trial import StepOutcome
from kcb_suites.drills.drill_checks import refuse_twice

_Slug = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]


class Recorded(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What came of a step that is not executed but told."""

    outcome: StepOutcome = StepOutcome.COMPLETED
    exit_status: int | msgspec.UnsetType = msgspec.UNSET
    """Of a completed one; 0 if it is left out."""
    stdout: str = ""
    stderr: str = ""

    def __post_init__(self) -> None:
        completed = self.outcome is StepOutcome.COMPLETED
        if self.exit_status is not msgspec.UNSET and not completed:
            raise ValueError("field 'exit_status' goes with the outcome 'completed' and no other")
        if self.outcome is StepOutcome.NOT_SPAWNED and (self.stdout or self.stderr):
            raise ValueError("a process that was not started prints nothing")


class AuthoredStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One action."""

    command: str
    """A command line for ``/bin/sh -c``."""
    recorded: Recorded | msgspec.UnsetType = msgspec.UNSET
    """What came of it, if it is not to be executed."""


class Trajectory(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole trajectory, and what the checks have to make of it."""

    name: _Slug
    steps: tuple[AuthoredStep, ...] = ()
    fails: tuple[str, ...] = ()
    """The checks that have to fail, and no others; a good trajectory has none."""
    open: tuple[str, ...] = ()
    """The checks of which nothing can be said, and no others."""

    def __post_init__(self) -> None:
        refuse_twice("fails", [*self.fails, *self.open])

    @property
    def good(self) -> bool:
        """Whether every check has to pass."""
        return not self.fails and not self.open
