"""What several tests share: scenarios of the toy family, and how a service is judged by them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from kcb_core.equality import same
from kcb_core.task import Scenario, line_of
from kcb_core.testing.toy import AMOUNTS
from kcb_core.tier import Service
from kcb_tasks.build import SHIPPED_SEED
from kcb_tasks.tiers.layer import ServiceTier

# Test modules are imported by their path, so what they share has to be made importable.
sys.path.insert(0, str(Path(__file__).parent))

Judge = Callable[[ServiceTier, Callable[[], Service]], str | None]


@cache
def scenarios_of(tier: ServiceTier) -> tuple[Scenario, ...]:
    """The toy family's scenarios in a tier."""
    return tuple(tier.scenarios(AMOUNTS, SHIPPED_SEED))


@pytest.fixture(scope="session")
def scenarios() -> Callable[[ServiceTier], tuple[Scenario, ...]]:
    """Gives the toy family's scenarios in a tier."""
    return scenarios_of


@cache
def _lines_of(tier: ServiceTier) -> list[tuple[str, list[list[tuple[str, object]]]]]:
    """Names of the scenarios, and for each session the lines with their expected answers."""
    return [
        (
            scenario.name,
            [
                list(zip(map(line_of, session.requests), session.expected, strict=True))
                for session in scenario.sessions
            ],
        )
        for scenario in scenarios_of(tier)
    ]


@pytest.fixture(scope="session")
def first_failure() -> Judge:
    """Gives the name of the first scenario that tells a service from the oracle, if one does."""

    def judge(tier: ServiceTier, start: Callable[[], Service]) -> str | None:
        for name, sessions in _lines_of(tier):
            service = start()
            for session in sessions:
                if not all(same(right, service.answer(line)) for line, right in session):
                    return name
                service.kill()
        return None

    return judge
