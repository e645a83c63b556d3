"""The first assertion that tells a service from the oracle, and what is never reached behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from kcb_core.codec import Json
from kcb_core.equality import same
from kcb_core.task import Scenario, line_of
from kcb_core.testing.toy import AMOUNTS
from kcb_core.tier import Service
from kcb_tasks.build import SHIPPED_SEED
from kcb_tasks.tiers.layer import ServiceTier

Lines = list[tuple[str, Json]]
"""The lines of one session, each with the right answer."""

Played = tuple[Scenario, list[Lines]]
"""A scenario with its sessions, ready to be played many times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """The first wrong answer of a service."""

    scenario: Scenario
    """Where it was given."""
    right: int
    """Right answers before it, in this scenario and those before it."""
    total: int
    """Assertions of all scenarios."""

    @property
    def unreached(self) -> float:
        """Share of the assertions that stand behind it, from 0 to 1."""
        return 1 - (self.right + 1) / self.total


def ready(scenarios: Sequence[Scenario]) -> list[Played]:
    """Scenarios with every request as the line that is sent."""
    return [
        (
            scenario,
            [
                list(zip(map(line_of, session.requests), session.expected, strict=True))
                for session in scenario.sessions
            ],
        )
        for scenario in scenarios
    ]


@cache
def toy_scenarios(tier: ServiceTier) -> tuple[Scenario, ...]:
    """The toy family's scenarios in a tier."""
    return tuple(tier.scenarios(AMOUNTS, SHIPPED_SEED))


@cache
def toy_played(tier: ServiceTier) -> list[Played]:
    """The toy family's scenarios in a tier, ready to be played."""
    return ready(toy_scenarios(tier))


def first_kill(played: Sequence[Played], start: Callable[[], Service]) -> Kill | None:
    """The first wrong answer of a service; None if all are right.

    Args:
        played: what is asked, with the right answers.
        start: makes a service without state, for each scenario anew.
    """
    total = sum(scenario.assertions for scenario, _ in played)
    right = 0
    for scenario, sessions in played:
        service = start()
        for lines in sessions:
            for line, expected in lines:
                if not same(expected, service.answer(line)):
                    return Kill(scenario=scenario, right=right, total=total)
                right += 1
            service.kill()
    return None


def topic(scenario: Scenario) -> str:
    """What a scenario is about: its name without the number of its part."""
    return re.sub(r"-\d+$", "", scenario.name)
