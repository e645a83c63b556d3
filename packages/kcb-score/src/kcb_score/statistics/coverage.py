"""How often each interval that a score or comparison shows holds the true number.

Runs of subjects are drawn whose families differ, from rates and family effects that are known, and
each interval is asked for. ``python -m kcb_score.statistics.coverage`` prints the table and ends
with status 1 if an interval that says 95 % holds the truth less or more often than it may.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import scipy

from kcb_core.score import Interval
from kcb_score.statistics.clustered import clustered_difference, clustered_rate
from kcb_score.statistics.drawn_runs import (
    FAMILIES,
    Booleans,
    Draw,
    beta,
    logit_normal,
    pair,
)
from kcb_score.statistics.proportions import mcnemar, wilson
from kcb_score.statistics.swapping import swap_test

SEED = 1729
RATES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98)
PAIRS = (
    *((0.5, 0.5), (0.5, 0.6), (0.1, 0.1), (0.1, 0.2), (0.9, 0.9), (0.9, 0.75), (0.3, 0.7)),
    *((0.02, 0.02), (0.05, 0.1), (0.95, 0.95), (0.98, 0.9)),
)
INNER = (0.1, 0.9)
"""Between these rates an interval that says 95 % must hold the truth in 93 to 97 % of runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """How an interval did in one setting."""

    interval: str
    setting: str
    rate: str
    share: float
    """Share of runs in which the interval held the truth; of a test, in which it cried wolf."""
    width: float
    """Mean width of the intervals."""
    least: float
    most: float

    @property
    def kept(self) -> bool:
        """Whether the share is where it must be."""
        return self.least <= self.share <= self.most


def rate_rows(chance: np.random.Generator, runs: int) -> Iterator[Row]:
    """Intervals of rates: of one tier by itself, and of four tiers that share their families."""
    for rate in RATES:
        least, most = bounds(rate)
        settings: list[tuple[str, Draw]] = [
            *((f"beta, {c:g}", beta(rate, c)) for c in (0.0, 0.1, 0.3, 0.6)),
            *((f"logit, {s:g}", logit_normal([rate], s)) for s in (1.0, 3.0)),
        ]
        for setting, draw in settings:
            for tiers, name, interval, times in (
                (1, "Wilson, one tier", plain, 4 * runs),  # it is quick, and near a bound at 0.1
                (4, "Wilson with effective n, four tiers", across, runs),
            ):
                found = [interval(one) for one in draw(chance, times, tiers)]
                yield Row(
                    interval=name,
                    setting=setting,
                    rate=f"{rate:g}",
                    share=share_of(found, rate),
                    width=width_of(found),
                    least=least,
                    most=most,
                )


def uneven_rows(chance: np.random.Generator, runs: int) -> Iterator[Row]:
    """The same interval where the tiers themselves differ, as they are meant to."""
    for rates in ((0.9, 0.7, 0.4, 0.1), (0.6, 0.3, 0.1, 0.02)):
        for spread in (0.0, 1.0, 3.0):
            draw, rate = logit_normal(rates, spread), sum(rates) / len(rates)
            found = [across(one) for one in draw(chance, runs, len(rates))]
            least, most = bounds(rate)
            yield Row(
                interval="Wilson with effective n, tiers that differ",
                setting=f"logit, {spread:g}",
                rate=" ".join(f"{one:g}" for one in rates),
                share=share_of(found, rate),
                width=width_of(found),
                least=least,
                most=most,
            )


def paired_rows(chance: np.random.Generator, runs: int) -> Iterator[Row]:
    """Intervals of differences of two subjects on the same tasks, and the test of none."""
    for tiers in (1, 4):
        where = "one tier" if tiers == 1 else "four tiers"
        for first, second in PAIRS:
            for shared, own in ((0.0, 0.0), (1.5, 0.5), (3.0, 1.0)):
                one, two = pair(chance, runs, tiers, (first, second), shared, own)
                found = [difference(a, b) for a, b in zip(one, two, strict=True)]
                least, most = max(bounds(first), bounds(second), key=lambda b: b[1] - b[0])
                setting, rates = f"logit, {shared:g} and {own:g}", f"{first:g}, {second:g}"
                yield Row(
                    interval=f"paired difference, {where}",
                    setting=setting,
                    rate=rates,
                    share=share_of(found, second - first),
                    width=width_of(found),
                    least=least,
                    most=most,
                )
                if first == second:
                    yield from alarm_rows(one, two, where, setting, rates)


def alarm_rows(
    first: Booleans, second: Booleans, where: str, setting: str, rates: str
) -> Iterator[Row]:
    """How often the tests call two equal subjects different."""
    tests: list[tuple[str, Callable[[Booleans, Booleans], float], float]] = [
        ("exact test by swapping", _swapped, 0.06),
        ("McNemar's test, families forgotten", _mcnemar, 1.0),
    ]
    if first.shape[2] == 1:
        tests = [("McNemar's exact test", _mcnemar, 0.06)]
    for name, test, most in tests:
        yield Row(
            interval=f"{name}, {where}",
            setting=setting,
            rate=rates,
            share=alarms(test, first, second),
            width=0.0,
            least=0.0,
            most=most,
        )


def bounds(rate: float) -> tuple[float, float]:
    """The shares between which the coverage must lie at a rate."""
    return (0.93, 0.97) if INNER[0] <= rate <= INNER[1] else (0.90, 1.0)


def plain(results: Booleans) -> Interval:
    """The interval that is shown of one tier."""
    return _wilson(int(results.sum()))


@lru_cache
def _wilson(resolved: int) -> Interval:
    return wilson(resolved, FAMILIES)


def across(results: Booleans) -> Interval:
    """The interval that is shown of several tiers."""
    found = clustered_rate(results.ravel(), _families(results.shape[1]))
    if found is None:
        raise AssertionError("there are several families")
    return found


def difference(first: Booleans, second: Booleans) -> Interval:
    """The interval that is shown of two subjects."""
    values = second.ravel().astype(float) - first.ravel()
    found = clustered_difference(values, _families(first.shape[1]))
    if found is None:
        raise AssertionError("there are several families")
    return found


def alarms(test: Callable[[Booleans, Booleans], float], first: Booleans, second: Booleans) -> float:
    """Share of runs in which a test at 5 % calls two equal subjects different."""
    return float(np.mean([test(a, b) <= 0.05 for a, b in zip(first, second, strict=True)]))


def _mcnemar(first: Booleans, second: Booleans) -> float:
    return _of_counts(int((first & ~second).sum()), int((second & ~first).sum()))


@cache
def _of_counts(only_first: int, only_second: int) -> float:
    return mcnemar(only_first, only_second)


def _swapped(first: Booleans, second: Booleans) -> float:
    sums = first.sum(axis=1) - second.sum(axis=1, dtype=int)
    return swap_test([int(one) for one in sums], range(FAMILIES))


@lru_cache
def _families(tiers: int) -> tuple[int, ...]:
    return tuple(family for family in range(FAMILIES) for _ in range(tiers))


def share_of(found: Sequence[Interval], truth: float) -> float:
    """Share of the intervals that hold the truth."""
    near = 1e-12  # a difference of two rates is not exact
    return float(np.mean([one.low - near <= truth <= one.high + near for one in found]))


def width_of(found: Sequence[Interval]) -> float:
    """Mean width of some intervals."""
    return float(np.mean([one.high - one.low for one in found]))


def exact_rows() -> Iterator[Row]:
    """Wilson's worst and best coverage of one tier at all rates in steps of 0.001, by summing."""
    successes = np.arange(FAMILIES + 1)
    ends = [_wilson(int(resolved)) for resolved in successes]
    rates = np.arange(1, 1000) / 1000
    chances = scipy.stats.binom.pmf(successes, FAMILIES, rates[:, None])
    held = [[one.low <= rate <= one.high for one in ends] for rate in rates]
    shares = np.sum(chances * np.array(held), axis=1)
    inner = (rates >= INNER[0]) & (rates <= INNER[1])
    for name, extreme in (("worst", np.min), ("best", np.max)):
        yield Row(
            interval="Wilson, one tier",
            setting=f"exact, {name}",
            rate=f"{INNER[0]:g} to {INNER[1]:g}",
            share=float(extreme(shares[inner])),
            width=0.0,
            least=0.93,
            most=0.97,
        )


def study(runs: int, seed: int = SEED) -> list[Row]:
    """Every row of the table, from so many drawn runs each."""
    chance = np.random.default_rng(seed)
    return [
        *rate_rows(chance, runs),
        *exact_rows(),
        *uneven_rows(chance, runs),
        *paired_rows(chance, runs),
    ]


def table(rows: Sequence[Row]) -> Iterator[str]:
    """A Markdown table with one line for each interval and rate, over all family effects."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.interval, row.rate), []).append(row)
    yield "| interval or test | rate | family effects | coverage or size | allowed | mean width |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    order = list(dict.fromkeys(row.interval for row in rows))
    for name, rate in sorted(groups, key=lambda key: order.index(key[0])):
        held = groups[name, rate]
        shares, width = [row.share for row in held], np.mean([row.width for row in held])
        yield (
            f"| {name} | {rate} | {len(held)} | {between(min(shares), max(shares))} | "
            f"{between(held[0].least, held[0].most)} | {f'{width:.3f}' if width else ''} |"
        )


def between(low: float, high: float) -> str:
    """Two shares in per cent."""
    return f"{100 * low:.1f}–{100 * high:.1f} %"


def main(words: Sequence[str] | None = None) -> int:
    """Print the table; status 1 if an interval is not what it says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2500, help="runs drawn in each setting")
    runs = parser.parse_args(words).runs
    rows = study(runs)
    broken = [row for row in rows if not row.kept]
    lines = [*table(rows), "", f"{len(rows)} settings of {runs} runs, {len(broken)} out of bounds"]
    lines += [
        f"{row.interval}, {row.setting}, rate {row.rate}: {100 * row.share:.1f} %" for row in broken
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
