"""A comparison as text: titles, cells and sentences. Nothing is printed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kcb_score.compare.comparison import (
    ArmSummary,
    Comparison,
    Contrast,
    Discordant,
    Gate,
    Mark,
    Pair,
)
from kcb_score.grids import NOT_DEFINED, OVERALL, Grid, Row
from kcb_score.text import which_set

_LONGEST = 24
"""Characters of a name in the heading of a column."""

_MARKS = {
    Mark.PARTIAL: "partial: missing projects count as not resolved",
    Mark.BUDGET: "budgets differ",
}


def arms_sheet(comparison: Comparison) -> Grid:
    """What was lost of each arm."""
    columns = ("arm", "repetitions", "resolved", "failed", "missing", "void", "of")
    corrected = any(one.hand_corrected for one in comparison.arms)
    return Grid(
        title=_titled("projects of each arm", comparison.marks),
        columns=(*columns, *(("corrected by hand",) if corrected else ())),
        rows=tuple(Row(cells=_arm_row(one, corrected=corrected)) for one in comparison.arms),
        words=frozenset({"arm"}),
    )


def pair_sheet(pair: Pair, marks: Sequence[Mark], *, level: float) -> Grid:
    """The numbers of two arms, tier by tier and together."""
    first, second = _cut(pair.first), _cut(pair.second)
    adjusted = pair.overall.p_adjusted is not None
    several = sum(one.pairs > 0 for one in pair.tiers) > 1
    shown = (*pair.tiers, pair.overall) if several or not pair.tiers else pair.tiers
    return Grid(
        title=_titled(f"{pair.second} against {pair.first}", marks),
        columns=(
            *("tier", "pairs", first, second, "difference", f"{100 * level:g} % interval"),
            *("won", "lost", "p", *(("p, Holm",) if adjusted else ()), "could see"),
        ),
        rows=tuple(
            Row(cells=_contrast_row(one, adjusted=adjusted), overall=not one.tier) for one in shown
        ),
        words=frozenset({"tier"}),
    )


def discordant_sheet(pair: Pair, marks: Sequence[Mark]) -> Grid:
    """The tasks on which two arms differ."""
    columns = ("task", _cut(pair.first), _cut(pair.second))
    return Grid(
        title=_titled(f"{_tasks(len(pair.discordant))} on which they differ", marks),
        columns=columns,
        rows=tuple(Row(cells=_discordant_row(one)) for one in pair.discordant),
        words=frozenset(columns),
    )


def sheets(comparison: Comparison) -> Iterator[Grid]:
    """Every table of a comparison, in the order in which it is read."""
    yield arms_sheet(comparison)
    for pair in comparison.pairs:
        yield pair_sheet(pair, comparison.marks, level=comparison.level)
        if pair.discordant:
            yield discordant_sheet(pair, comparison.marks)


def verdict(pair: Pair) -> str:
    """What the numbers of two arms say, in a sentence or two."""
    whole = pair.overall
    if whole.difference is None or whole.interval is None:
        why = whole.reasons.get("interval", "there is no interval")
        return f"nothing can be said of {pair.second} against {pair.first}: {why}"
    where = f"{_signed(whole.interval.low)} to {_signed(whole.interval.high)}"
    noun = f"{100 * whole.interval.level:g} % interval {where}"
    found = f"{_found(pair, whole.difference)} ({noun})"
    if whole.interval.low > 0 or whole.interval.high < 0:
        if (whole.p_adjusted or 0) > 1 - whole.interval.level:
            return f"{found}: among so many pairs this may be noise"
        return f"{found}: more than noise"
    seen = f"{100 * (whole.smallest_difference or 0):.1f}"
    return (
        f"{found}: this may be noise; a difference of {seen} points is found in four of five "
        "studies like this one"
    )


def gate_line(gate: Gate) -> str:
    """The answer of the gate and why."""
    return f"{gate.answer}: {gate.reason}"


def warnings(comparison: Comparison) -> Iterator[str]:
    """What a reader must know before quoting a number."""
    for mark in comparison.marks:
        yield _MARKS[mark]
    for name in comparison.mixed:
        yield f"the reports differ in their {name}"
    if comparison.outside:
        yield f"{comparison.outside} reports of tasks that are not selected are not counted"
    for one in comparison.arms:
        if one.void:
            yield f"{one.name}: {one.void} void, and a task of which nothing is known is not paired"
        if one.hand_corrected:
            yield f"{one.name}: {one.hand_corrected} corrected by hand, which count as failed"
    if any(pair.overall.mcnemar is None and pair.overall.pairs for pair in comparison.pairs):
        yield (
            "several repetitions: a task counts by its share of resolved ones, and p is by "
            "swapping, since McNemar's test takes one project a task"
        )


def provenance(comparison: Comparison) -> Iterator[str]:
    """By what the arms were judged."""
    data, judge = comparison.dataset, comparison.evaluator
    yield f"{which_set(data)}, manifest {data.manifest_sha256}"
    yield (
        f"protocol {comparison.protocol_version}, evaluator {judge.distribution} {judge.version}, "
        f"{comparison.python}"
    )
    if comparison.selection:
        chosen = comparison.selection
        yield f"selection of {chosen.tasks} tasks, sha256 {chosen.sha256}"


def _tasks(number: int) -> str:
    return "1 task" if number == 1 else f"{number} tasks"


def _titled(title: str, marks: Sequence[Mark]) -> str:
    """A title that says what makes the arms unequal."""
    return f"{title} [{', '.join(marks)}]" if marks else title


def _arm_row(one: ArmSummary, *, corrected: bool) -> tuple[str, ...]:
    counts = (one.repetitions, one.resolved, one.failed, one.missing, one.void, one.expected)
    cells = (one.name, *map(str, counts))
    return (*cells, str(one.hand_corrected)) if corrected else cells


def _contrast_row(one: Contrast, *, adjusted: bool) -> tuple[str, ...]:
    interval = one.interval
    holm = (_pvalue(one.p_adjusted),) if adjusted else ()
    return (
        one.tier or OVERALL,
        f"{one.pairs}/{one.tasks}" if one.unpaired else str(one.pairs),
        _share(one.first),
        _share(one.second),
        NOT_DEFINED if one.difference is None else _signed(one.difference),
        f"{_signed(interval.low)} to {_signed(interval.high)}" if interval else NOT_DEFINED,
        str(one.second_better),
        str(one.first_better),
        _pvalue(one.p_value),
        *holm,
        NOT_DEFINED
        if one.smallest_difference is None
        else f"{100 * one.smallest_difference:.1f}",
    )  # fmt: skip


def _discordant_row(one: Discordant) -> tuple[str, ...]:
    return (
        one.task_id,
        _outcome(one.first, one.first_failure),
        _outcome(one.second, one.second_failure),
    )


def _outcome(share: float, failure: str) -> str:
    """``resolved``, the kind of failure, or the share of resolved repetitions beside it."""
    if share == 1:
        return "resolved"
    if share == 0:
        return failure or "failed"
    return f"{100 * share:.0f} % resolved, else {failure or 'failed'}"


def _found(pair: Pair, difference: float) -> str:
    if not difference:
        return f"{pair.second} resolves as many as {pair.first}"
    more = "more" if difference > 0 else "fewer"
    return f"{pair.second} resolves {100 * abs(difference):.1f} points {more} than {pair.first}"


def _share(value: float | None) -> str:
    return NOT_DEFINED if value is None else f"{100 * value:.1f} %"


def _signed(value: float) -> str:
    """A difference in points, never as nought with a sign."""
    text = f"{100 * value:+.1f}"
    return text if text.strip("+-0.") else "0.0"


def _pvalue(value: float | None) -> str:
    if value is None:
        return NOT_DEFINED
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
