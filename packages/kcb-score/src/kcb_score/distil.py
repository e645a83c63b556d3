"""What a whole report comes to: a small sample, and the circumstances that it shares with others.

Evidence and timings stay in the file; who needs them reads it again.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain
from typing import TypeVar

import msgspec

from kcb_core.codec import convert
from kcb_core.provenance import Revision
from kcb_core.report import (
    DatasetStamp,
    Document,
    ScenarioOutcome,
    ScenarioReport,
    TaskReport,
)
from kcb_core.run_record import StatedUsage, Usage
from kcb_core.score import Sample

UNKNOWN = "unknown"

T = TypeVar("T", bound=Hashable)
Tags = tuple[str, ...]


class Circumstances(Document, frozen=True, kw_only=True):
    """By what, and how, a project was judged: the same for nearly all reports of a set."""

    dataset: DatasetStamp
    protocol_version: str
    evaluator: Revision
    python: str
    """Implementation and minor version of the Python that ran the candidate: ``CPython 3.11``."""
    launcher: str
    confinement: str
    """Level of it."""
    budget: str = ""
    """Token, time and tool budget of the generation, as the run record says it."""
    seen_tasks: str = UNKNOWN
    """Whether the agent had seen other tasks or tiers before: ``yes``, ``no`` or ``unknown``."""
    memory_reset: str = UNKNOWN
    """Whether the agent's memory was reset before the task."""
    workspace_reset: str = UNKNOWN
    """Whether the agent's workspace was reset before the task."""


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
    """Makes samples that share what they have in common, so that many fit in memory."""

    def __init__(self) -> None:
        self._shared: dict[Hashable, Hashable] = {}
        self._circumstances: dict[Hashable, Circumstances] = {}

    def share(self, value: T) -> T:
        """The first object that was equal to this text or tuple of texts."""
        return self._shared.setdefault(value, value)  # type: ignore[return-value]

    def shared(self, sample: Sample) -> Sample:
        """The same sample, made of shared parts; for one that came from another process."""
        names = ("task_id", "tier", "family", "category", "subject", "failure")
        parts = {name: self.share(getattr(sample, name)) for name in names}
        for name in ("tags", "unclean", "first_failing"):
            parts[name] = self._tags(getattr(sample, name))
        return msgspec.structs.replace(sample, **parts)

    def distil(self, report: TaskReport, source: str) -> tuple[Sample, Circumstances]:
        """What a report comes to, and by what and how it was judged.

        Reports that agree in their circumstances get one object for them.

        Raises:
            DataError: its run record holds a value of the wrong type.
        """
        making = _NOTHING
        if report.run_record:
            making = convert(report.run_record, _Making, source=f"{source}: field 'run_record'")
        return self._sample(report, making), self._judged(report, making)

    def _sample(self, report: TaskReport, making: _Making) -> Sample:
        dirty = [one for one in report.scenarios if one.outcome is not ScenarioOutcome.PASSED]
        share = self.share
        return Sample(
            task_id=share(report.task_id),
            tier=share(report.subset),
            family=share(report.family),
            category=share(report.category),
            subject=share(report.subject),
            repetition=report.repetition,
            outcome=report.outcome,
            failure=report.failure.kind.value if report.failure else "",
            void=report.void,
            passed=report.passed,
            total=report.total,
            tags=self._tags(_union(report.scenarios)),
            unclean=self._tags(_union(dirty)) if dirty else (),
            first_failing=self._tags(dirty[0].tags) if dirty else (),
            wall_s=report.wall_s,
            generation_s=making.wall_s,
            usage=_plain(making.usage) if making.usage else None,
            dollars=making.cost.dollars if making.cost else None,
            dollars_at_least=making.cost.lower_bound if making.cost else False,
            hand_corrected=making.hand_corrected,
        )

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

    def _tags(self, tags: Tags) -> Tags:
        """The same tags, each text and the tuple of them one object for all samples."""
        known = self._shared.get(tags)
        if known is None:
            known = self.share(tuple(self.share(tag) for tag in tags))
        return known  # type: ignore[return-value]


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
