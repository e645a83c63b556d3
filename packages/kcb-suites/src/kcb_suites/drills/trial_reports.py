"""Trial reports of drills: what all levels say in the same way, and where the files lie."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from kcb_core.codec import digest
from kcb_core.provenance import revision
from kcb_core.trial import (
    TRIAL_KIND,
    TRIAL_VERSION,
    Bounds,
    CheckOutcome,
    TrialReport,
    TrialStatus,
)
from kcb_suites.drills.drill import Drill

REPORTS = "reports"
"""Where reports lie below the folder of a run: these files alone are what ``report`` reads."""

TRANSCRIPTS = "transcripts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What is known of a trial before it is played."""

    drill: Drill
    tool_version: str
    level: int
    begun: float = field(default_factory=time.monotonic)

    def report(
        self, status: TrialStatus, outcomes: Sequence[CheckOutcome], bounds: Bounds, **more: Any
    ) -> TrialReport:
        """The report of the trial, which is over now.

        Args:
            status: what it came to.
            outcomes: one for each check of the drill.
            bounds: those that were applied.
            more: further fields of the report.
        """
        source = self.drill.failure_source
        return TrialReport(
            kind=TRIAL_KIND,
            report_version=TRIAL_VERSION,
            drill=self.drill.drill,
            tool=self.drill.tool,
            tool_version=self.tool_version,
            status=status,
            level=self.level,
            checks=tuple(outcomes),
            bounds=bounds,
            contrived=self.drill.contrived,
            stress_test=self.drill.stress_test,
            failure_source="" if source is msgspec.UNSET else source,
            harness=revision("kcb-suites"),
            wall_s=round(time.monotonic() - self.begun, 3),
            finished=datetime.now(UTC).isoformat(timespec="seconds"),
            **more,
        )


def trial_name(drill: Drill, level: int, model: str = "", repetition: int = 0) -> str:
    """The name of a trial in files: the same for the same drill, level, model and repetition."""
    if not model:
        return f"{drill.tool}-{drill.drill}-level-{level}"
    slug = re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")[:48]
    return f"{drill.tool}-{drill.drill}-{slug}-{digest(model.encode())[:8]}-r{repetition}"


def report_path(folder: Path, name: str) -> Path:
    """Where the report of a trial lies below the folder of a run."""
    return folder / REPORTS / f"{name}.json"
