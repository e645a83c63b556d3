"""What was played: the evidence, and apart from it the command lines that an agent wrote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from kcb_core.trial import Step
from kcb_suites.drills.evidence import Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One trial, before it is judged."""

    commands: tuple[str, ...]
    """The command line of each step: for the report, and for no check."""
    evidence: Evidence

    def steps(self) -> Iterator[Step]:
        """Every step as a report holds it."""
        for command, seen in zip(self.commands, self.evidence.steps, strict=True):
            yield Step(
                command=command,
                executed=seen.executed,
                outcome=seen.outcome,
                exit_status=msgspec.UNSET if seen.exit_status is None else seen.exit_status,
            )
