"""The reports behind an experiment's results: of each cell the one of the attempt that counts."""

from __future__ import annotations

from pathlib import Path

from kcb_experiments.attempts import Attempts
from kcb_experiments.frozen import Experiment
from kcb_experiments.records import Artifact
from kcb_experiments.selection import selected

REPORT_PREFIX = "report"


def reports_of(experiment: Experiment, attempts: Attempts, folder: Path) -> list[Path]:
    """The report file of every cell that has a valid attempt, the newest where it was judged again.

    A cell whose subject failed without a verdict has none.
    """
    found: list[Path] = []
    for cell in experiment.cells():
        attempt = selected(attempts.of(cell.id))
        if attempt is None or attempt.end is None:
            continue
        artifacts: tuple[Artifact, ...] = attempt.end.artifacts
        if attempt.judged:
            artifacts = attempt.judged.artifacts
        names = [each.path for each in artifacts if _is_report(each.path)]
        found += [folder / name for name in names[-1:]]
    return found


def _is_report(path: str) -> bool:
    name = path.rpartition("/")[2]
    return path.startswith("attempts/") and name.startswith(REPORT_PREFIX) and path.count("/") == 3
