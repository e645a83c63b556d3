"""What a whole report comes to: a small sample, and the circumstances that it shares with others.

Evidence and timings stay in the file; who needs them reads it again.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain

import msgspec

from kcb_core.codec import convert
from kcb_core.report import ScenarioOutcome, ScenarioReport, TaskReport
from kcb_core.run_record import StatedUsage, Usage
from kcb_core.score import Sample
from kcb_score.circumstances import UNKNOWN, Circumstances

Tags = tuple[str, ...]


class _Cost(msgspec.Struct, frozen=True, kw_only=True):
    dollars: float
    lower_bound: bool = False


class _Making(msgspec.Struct, frozen=True, kw_only=True):
    """What a score needs of a run record; whatever else stands in it is let be."""

    usage: StatedUsage | None = None
    cost: _Cost | None = None
    wall_s: float | None = None
    hand_corrected: bool = False
    budget: str = ""
    seen_tasks: tuple[str, ...] | None = None
    memory_reset: bool | None = None
    workspace_reset: bool | None = None


_NOTHING = _Making()


class Distiller:
    """Makes samples, with one object for circumstances that agree."""

    def __init__(self) -> None:
        self._circumstances: dict[Hashable, Circumstances] = {}

    def distil(self, report: TaskReport, source: str) -> tuple[Sample, Circumstances]:
        """What a report comes to, and by what and how it was judged.

        Reports that agree in their circumstances get one object for them.

        Raises:
            DataError: its run record holds a value of the wrong type.
        """
        making = _NOTHING
        if report.run_record:
            making = convert(report.run_record, _Making, source=f"{source}: field 'run_record'")
        return _sample(report, making), self._judged(report, making)

    def _judged(self, report: TaskReport, making: _Making) -> Circumstances:
        dataset, evaluator, host = report.dataset, report.evaluator, report.host
        key = (
            *(dataset.name, dataset.version, dataset.manifest_sha256, dataset.commit),
            tuple(dataset.totals.items()),
            *(evaluator.distribution, evaluator.version, evaluator.record_sha256),
            *(evaluator.commit, report.protocol_version, report.launcher),
            *(report.confinement.level, host.python, host.python_implementation),
            *(making.budget, making.seen_tasks is None, bool(making.seen_tasks)),
            *(making.memory_reset, making.workspace_reset),
        )
        if key not in self._circumstances:
            self._circumstances[key] = _circumstances(report, making)
        return self._circumstances[key]


def _sample(report: TaskReport, making: _Making) -> Sample:
    dirty = [one for one in report.scenarios if one.outcome is not ScenarioOutcome.PASSED]
    return Sample(
        task_id=report.task_id,
        tier=report.subset,
        family=report.family,
        category=report.category,
        subject=report.subject,
        repetition=report.repetition,
        outcome=report.outcome,
        failure=report.failure.kind.value if report.failure else "",
        void=report.void,
        passed=report.passed,
        total=report.total,
        tags=_union(report.scenarios),
        unclean=_union(dirty) if dirty else (),
        first_failing=dirty[0].tags if dirty else (),
        wall_s=report.wall_s,
        generation_s=making.wall_s,
        usage=_plain(making.usage) if making.usage else None,
        dollars=making.cost.dollars if making.cost else None,
        dollars_at_least=making.cost.lower_bound if making.cost else False,
        hand_corrected=making.hand_corrected,
    )


def _circumstances(report: TaskReport, making: _Making) -> Circumstances:
    host = report.host
    return Circumstances(
        dataset=report.dataset,
        protocol_version=report.protocol_version,
        evaluator=report.evaluator,
        python=f"{host.python_implementation} {'.'.join(host.python.split('.')[:2])}",
        launcher=report.launcher,
        confinement=report.confinement.level,
        budget=making.budget,
        seen_tasks=_told(None if making.seen_tasks is None else bool(making.seen_tasks)),
        memory_reset=_told(making.memory_reset),
        workspace_reset=_told(making.workspace_reset),
    )


def _plain(tokens: StatedUsage) -> Usage:
    return Usage(**{name: getattr(tokens, name) for name in Usage.__struct_fields__})


def _told(fact: bool | None) -> str:
    return UNKNOWN if fact is None else "yes" if fact else "no"


def _union(scenarios: Sequence[ScenarioReport]) -> Tags:
    return tuple(sorted(set(chain.from_iterable([one.tags for one in scenarios]))))
