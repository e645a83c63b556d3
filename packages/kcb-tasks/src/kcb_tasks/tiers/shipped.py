"""The shipped tiers, the lowest first."""

from __future__ import annotations

from kcb_tasks.tiers.durable import MAX
from kcb_tasks.tiers.easy import EASY
from kcb_tasks.tiers.hard import HARD
from kcb_tasks.tiers.intermediate import INTERMEDIATE

TIERS = (EASY, INTERMEDIATE, HARD, MAX)
"""Every tier that kcb-tasks brings; each holds all that the ones before it hold."""
