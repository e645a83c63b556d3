"""Judges stored projects again: what a subject left is there, and nobody has to ask it twice."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import msgspec

from kcb_core import console
from kcb_core.errors import DeclarationError
from kcb_core.execution import Verification
from kcb_core.resources import usable_cpus
from kcb_experiments.attempts import Attempt, Attempts
from kcb_experiments.cells import Cell
from kcb_experiments.engine.artifacts import PROJECTS_NAME, attempt_folder, described
from kcb_experiments.engine.makings import making_of
from kcb_experiments.engine.orders import GENERATION_NAME
from kcb_experiments.engine.verdicts import DONE
from kcb_experiments.engine.workshop import Workshop
from kcb_experiments.frozen import Experiment
from kcb_experiments.records import AttemptEnd, Judged, Status
from kcb_experiments.selection import selected

_UNSCORED = ("", "cancelled", "rate_limited", "context_cut")
"""Stop reasons after which there is nothing to be judged."""

_WAKE_S = 0.2


@dataclass(frozen=True, slots=True)
class Project:
    """A stored project of an attempt that is over."""

    cell: Cell
    attempt: Attempt
    end: AttemptEnd
    path: str
    """Its folder, from the experiment's."""


@dataclass(slots=True)
class Done:
    """What came of judging again."""

    judged: int = 0
    changed: int = 0
    """Those whose score is another now."""


def projects_of(
    experiment: Experiment, attempts: Attempts, only: Collection[str] = ()
) -> list[Project]:
    """The project of every cell's selected attempt; else of its latest one that lacks a verdict.

    Raises:
        DeclarationError: a cell is named that is none.
    """
    wanted = {Cell.parse(text) for text in only}
    cells = list(experiment.cells())
    if unknown := wanted.difference(cells):
        raise DeclarationError(f"{min(unknown).id} is no cell of this experiment")
    chosen = [cell for cell in cells if not wanted or cell in wanted]
    return [project for cell in chosen for project in _project(cell, attempts.of(cell.id))]


def _project(cell: Cell, attempts: Sequence[Attempt]) -> Iterator[Project]:
    best = selected(attempts)
    for attempt in [best] if best else reversed(attempts):
        end = attempt.end
        if end is None or (best is None and end.stop_reason in _UNSCORED):
            continue
        for artifact in end.artifacts:
            if artifact.path.startswith(f"{PROJECTS_NAME}/"):
                yield Project(cell, attempt, end, artifact.path)
                return


class Regrading:
    """Judges projects of an experiment again."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    def judge_all(self, projects: Sequence[Project]) -> Done:
        """Judge them, as many at once as this machine has CPUs.

        Raises:
            MachineError: a verdict cannot be stored.
        """
        done = Done()
        with ThreadPoolExecutor(max_workers=usable_cpus()) as pool:
            waiting = {pool.submit(self._judge, project) for project in projects}
            while waiting:
                over, waiting = wait(waiting, timeout=_WAKE_S, return_when=FIRST_COMPLETED)
                if self._workshop.stopped():
                    self._workshop.verifier.stop()
                for changed in (future.result() for future in over):
                    done.judged += changed is not None
                    done.changed += bool(changed)
        return done

    def _judge(self, project: Project) -> bool | None:
        """Whether the new score is another; None if there is none."""
        shop, cell, end = self._workshop, project.cell, project.end
        if shop.stopped():
            return None
        place = attempt_folder(shop.folder, cell.key, project.attempt.start.term, end.attempt)
        generation = place / GENERATION_NAME
        record = generation if generation.exists() else None
        report = place / f"report-{shop.log.term}.json"
        verdict = shop.verifier.verify(
            Verification(
                task_id=cell.task_id,
                project=shop.folder / project.path,
                report=report,
                subject=cell.subject,
                repetition=cell.repetition,
                record=record,
                making=making_of(shop.experiment.subject_at(cell), project.attempt, record),
            )
        )
        if verdict.score is None:
            console.fail(f"{cell.id}: {verdict.reason}")
            return None
        before = project.attempt.score
        shop.log.append(_judged(project, verdict.score, shop, report))
        return before != verdict.score


def _judged(project: Project, score: float, shop: Workshop, report: Path) -> Judged:
    end = project.end
    status: Status | msgspec.UnsetType = msgspec.UNSET
    if end.status is Status.VOID:
        status = Status.COMPLETED if end.stop_reason == DONE else Status.SUBJECT_FAILED
    return Judged(
        cell=project.cell.id,
        attempt=end.attempt,
        score=score,
        status=status,
        verifier=shop.verifier.stamp,
        artifacts=(described(report, shop.folder),),
    )
