"""What several tests share: scenarios of the toy family, and how a service is judged by them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kcb_core.task import Scenario
from kcb_core.tier import Service
from kcb_tasks.tiers.layer import ServiceTier

# Test modules are imported by their path, so what they share has to be made importable.
sys.path.insert(0, str(Path(__file__).parent))

from first_kill import first_kill, toy_played, toy_scenarios

Judge = Callable[[ServiceTier, Callable[[], Service]], str | None]


@pytest.fixture(scope="session")
def scenarios() -> Callable[[ServiceTier], tuple[Scenario, ...]]:
    """Gives the toy family's scenarios in a tier."""
    return toy_scenarios


@pytest.fixture(scope="session")
def first_failure() -> Judge:
    """Gives the name of the first scenario that tells a service from the oracle, if one does."""

    def judge(tier: ServiceTier, start: Callable[[], Service]) -> str | None:
        kill = first_kill(toy_played(tier), start)
        return kill.scenario.name if kill else None

    return judge
