"""How long a session takes here before a candidate has done anything, alone and in a crowd.

The built-in probe project is played as often at once as tasks are to be judged at once. Where its
start-up alone uses up too much of a session's time, fewer tasks are judged at once.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from kcb_core.errors import MachineError
from kcb_core.report import Calibration
from kcb_runner.judging import Bench, Examination, play_probe

STARTUP_SHARE = 0.25
"""Share of a session's limit that start-up may use before jobs are lowered."""


def settle_jobs(
    bench: Bench,
    jobs: int,
    limit_s: float,
    measure: Callable[[Bench, int], float] | None = None,
) -> Calibration:
    """Measure the probe project, and settle how many tasks may run at once.

    Args:
        bench: where tasks are to be played.
        jobs: how many are asked for.
        limit_s: wall time of a session in seconds.
        measure: gives the mean seconds of a session while so many run at once.

    Raises:
        MachineError: the probe project does not work here, so that nothing can be judged.
        Cancelled: the run was stopped.
    """
    measured = measure or session_s
    alone_s = measured(bench, 1)
    allowed = jobs
    crowded_s = measured(bench, allowed) if allowed > 1 else alone_s
    while allowed > 1 and crowded_s > STARTUP_SHARE * limit_s:
        allowed //= 2
        crowded_s = measured(bench, allowed) if allowed > 1 else alone_s
    return Calibration(
        asked_jobs=jobs,
        jobs=allowed,
        alone_s=round(alone_s, 4),
        crowded_s=round(crowded_s, 4),
        factor=round(crowded_s / alone_s, 2) if alone_s else 1.0,
    )


def session_s(bench: Bench, jobs: int) -> float:
    """Mean wall time of the probe's sessions in seconds, played so many times at once.

    Raises:
        MachineError: the probe project does not work here.
    """
    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda _: _examined(bench), range(jobs)))
    return sum(examination.session_s for examination in found) / jobs


def _examined(bench: Bench) -> Examination:
    """The probe played once, and a second time if it failed: one hiccup is no broken machine."""
    found = play_probe(bench)
    if found.fault:
        found = play_probe(bench)
    if found.fault:
        raise MachineError(f"nothing can be judged here, the probe project fails: {found.fault}")
    return found
