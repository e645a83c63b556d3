"""What the reports of one score must agree in, and what they may differ in if that is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from kcb_core.codec import compact
from kcb_core.errors import DataError
from kcb_core.provenance import Revision
from kcb_score.circumstances import UNKNOWN, Circumstances
from kcb_score.shelf import Filed

Aspect = Callable[[Circumstances], str]


def _evaluator(one: Circumstances) -> str:
    return f"{one.evaluator.distribution} {one.evaluator.version}"


def _evaluator_revision(one: Circumstances) -> str:
    return one.evaluator.commit or one.evaluator.record_sha256 or "unknown"


MUST_AGREE: tuple[tuple[str, Aspect], ...] = (
    ("dataset.manifest_sha256", lambda one: one.dataset.manifest_sha256),
    ("dataset.name", lambda one: one.dataset.name),
    ("dataset.version", lambda one: one.dataset.version),
    ("dataset.totals", lambda one: compact(dict(sorted(one.dataset.totals.items())))),
    ("protocol_version", lambda one: one.protocol_version),
    ("evaluator.version", _evaluator),
    ("host.python", lambda one: one.python),
)
"""Fields in which two reports must not differ, and what of each is compared."""

CONDITIONS: tuple[tuple[str, Aspect], ...] = (
    ("launcher", lambda one: one.launcher),
    ("confinement", lambda one: one.confinement),
    ("evaluator revision", _evaluator_revision),
    ("budget", lambda one: one.budget or UNKNOWN),
    ("other tasks seen", lambda one: one.seen_tasks),
    ("memory reset", lambda one: one.memory_reset),
    ("workspace reset", lambda one: one.workspace_reset),
)
"""What may differ within a set, but not unsaid."""


def require_agreement(filed: Sequence[Filed]) -> None:
    """Refuse reports that are not comparable.

    Raises:
        DataError: two differ in one of :data:`MUST_AGREE`; both files and values are named.
    """
    # Reports that were read together share their circumstances: few are left to compare.
    firsts: dict[int, Filed] = {}
    for one in filed:
        firsts.setdefault(id(one.circumstances), one)
    distinct = list(firsts.values())
    for field, aspect in MUST_AGREE:
        for one in distinct[1:]:
            first, other = aspect(distinct[0].circumstances), aspect(one.circumstances)
            if first != other:
                raise DataError(
                    f"{one.source}: field '{field}': {other}, but {distinct[0].source} has "
                    f"{first}; score them apart"
                )


def conditions(filed: Iterable[Filed]) -> dict[str, dict[str, int]]:
    """Number of reports by value, for each of :data:`CONDITIONS`; values are sorted."""
    numbers = _numbers(filed)
    counted: dict[str, dict[str, int]] = {}
    for name, aspect in CONDITIONS:
        count: Counter[str] = Counter()
        for one, number in numbers:
            count[aspect(one)] += number
        counted[name] = dict(sorted(count.items()))
    return counted


def common_evaluator(filed: Sequence[Filed]) -> Revision:
    """The evaluator of all reports, without the digest or commit in which they differ.

    Args:
        filed: at least one, all of one evaluator version.
    """
    first = filed[0].circumstances.evaluator
    every = [one.evaluator for one, _ in _numbers(filed)]
    return Revision(
        distribution=first.distribution,
        version=first.version,
        record_sha256=first.record_sha256 if len({one.record_sha256 for one in every}) == 1 else "",
        commit=first.commit if len({one.commit for one in every}) == 1 else "",
    )


def _numbers(filed: Iterable[Filed]) -> list[tuple[Circumstances, int]]:
    """The distinct circumstances, and how many reports have each."""
    held: dict[int, Circumstances] = {}
    count: Counter[int] = Counter()
    for one in filed:
        key = id(one.circumstances)
        held[key] = one.circumstances
        count[key] += 1
    return [(held[key], number) for key, number in count.items()]
