"""Tax brackets: a progressive tax, rounded once or in each bracket, less two credits."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Choice, Integer, Nullable, Record, optional, required

_SUMMARY = """\
Computes a progressive tax. All money is in whole cents, as integers. "Rounded" means: to the
nearest integer, halves up (2.5 becomes 3). Before rounding all is exact.

1. The taxable income is `income` minus `deduction`, but at least 0.
2. Each bracket covers the part of the taxable income that is above its lower end and not above its
   `up_to`. Its lower end is the `up_to` of the bracket before it, and 0 for the first bracket. An
   `up_to` that is `null` is no limit. The amount of a bracket is the size of this part, which can
   be 0. Its exact tax is amount * `rate_bps` / 10000.
3. The gross tax depends on `rounding`. With `total` it is the sum of all exact taxes, rounded. With
   `per_bracket` the exact tax of each bracket is rounded, and the gross tax is the sum of these.
4. The credit is `credit`. If `phaseout` is not `null` and `income` is greater than its `start`, the
   credit is reduced: take (`income` - `start`) / `per`, rounded up to an integer, times
   `reduce`, and subtract it from the credit. If the credit is then below 0, it is 0.
5. The credit used is the credit, but not more than the gross tax.
6. The net tax is the gross tax minus the credit used minus `refundable`. It can be negative."""

_RESULT = """\
An object with these members. All are integers but `parts`.

- `taxable`: the taxable income.
- `parts`: an array with one object for each bracket whose amount is greater than 0, in the order of
  `brackets`: `{"rate_bps": r, "amount": a, "tax": t}`. `tax` is a string. With `total` it is the
  exact tax as a fraction in lowest terms, written `n`, or `n/d` with d > 1. With `per_bracket` it
  is the rounded tax, such as `"12"`.
- `gross`, `credit_used`, `net`: the gross tax, the credit used, the net tax.
- `marginal_bps`: the `rate_bps` of the first bracket whose `up_to` is `null` or greater than the
  taxable income.
- `effective_bps`: 10000 * `net` / `income`, rounded down to an integer. It is 0 if `net` is
  negative or `income` is 0."""

_RULES = """\
- If the taxable income is equal to an `up_to`, all of it lies in that bracket and those before it.
  But `marginal_bps` is the rate of the next bracket.
- The reduction of step 4 looks at `income`, not at the taxable income. One unit above `start`
  costs one `reduce`, `per` units above it cost one too, and `per` + 1 units cost two."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    income, brackets = fields["income"], fields["brackets"]
    limits = [bracket["up_to"] for bracket in brackets]
    if not _ascending(limits):
        raise DomainError("bad_brackets")
    taxable = max(0, income - fields["deduction"])
    parts: list[tuple[int, int, Fraction]] = []
    for bracket, lower in zip(brackets, [0, *limits], strict=False):
        top = taxable if bracket["up_to"] is None else min(taxable, bracket["up_to"])
        if top > lower:
            tax = Fraction((top - lower) * bracket["rate_bps"], 10_000)
            if fields["rounding"] == "per_bracket":
                tax = Fraction(_rounded(tax))
            parts.append((bracket["rate_bps"], top - lower, tax))
    gross = _rounded(sum((tax for _, _, tax in parts), Fraction(0)))
    used = min(gross, _credit(fields["credit"], income, fields["phaseout"]))
    net = gross - used - fields["refundable"]
    above = (b for b in brackets if b["up_to"] is None or taxable < b["up_to"])
    return {
        "taxable": taxable,
        "parts": [{"rate_bps": r, "amount": a, "tax": str(t)} for r, a, t in parts],
        "gross": gross,
        "credit_used": used,
        "net": net,
        "marginal_bps": next(above)["rate_bps"],
        "effective_bps": 10_000 * max(net, 0) // income if income else 0,
    }


def _ascending(limits: Sequence[int | None]) -> bool:
    """Whether the limits go up strictly, and the last one and no other is open."""
    *closed, last = limits
    numbers = [limit for limit in closed if limit is not None]
    return (
        last is None
        and len(numbers) == len(closed)
        and all(lower < upper for lower, upper in pairwise(numbers))
    )


def _credit(credit: int, income: int, phaseout: Mapping[str, int] | None) -> int:
    if phaseout is None:
        return credit
    started = -(-max(0, income - phaseout["start"]) // phaseout["per"])
    return max(0, credit - started * phaseout["reduce"])


def _rounded(value: Fraction) -> int:
    """The nearest integer, halves up; no value here is negative."""
    return floor(value + Fraction(1, 2))


def _generate(rng: random.Random) -> dict[str, Json]:
    limits = sorted(rng.sample(_LIMITS, rng.choice([0, 1, 2, 3, 5])))
    brackets: list[Json] = [{"up_to": u, "rate_bps": rng.choice(_RATES)} for u in [*limits, None]]
    if rng.random() < 0.22:
        _spoil(rng, brackets)
    near = rng.choice([*limits, *_LIMITS, 0, 10**12 - 1])
    taxable = max(0, near + rng.choice([-1, 0, 0, 1, 2, 5]))
    deduction = rng.choice([0, 0, 1, 500, 12_345])
    income = min(taxable + deduction, 10**12)
    drawn: dict[str, Json] = {"income": income, "brackets": brackets}
    if deduction or rng.random() < 0.2:
        drawn["deduction"] = deduction if rng.random() < 0.9 else 10**12
    if rng.random() < 0.7:
        drawn["credit"] = rng.choice([0, 1, 7, 100, 400, 5_000, 10**12])
        if rng.random() < 0.8:
            drawn["phaseout"] = _draw_phaseout(rng, income) if rng.random() < 0.9 else None
    if rng.random() < 0.3:
        drawn["refundable"] = rng.choice([0, 1, 30, 1_000, 10**12])
    if rng.random() < 0.7:
        drawn["rounding"] = rng.choice(["per_bracket", "per_bracket", "total"])
    return drawn


def _draw_phaseout(rng: random.Random, income: int) -> dict[str, Json]:
    """A phase-out that starts a few steps below the income, or about where the income is."""
    per = rng.choice([1, 2, 10, 250, 1_000])
    start = income - rng.choice([0, 1, 2, 3]) * per + rng.choice([-1, 0, 0, 1])
    return {"start": min(max(0, start), 10**12), "per": per, "reduce": rng.choice([0, 1, 3, 40])}


def _spoil(rng: random.Random, brackets: list[Json]) -> None:
    """One mistake in the limits."""
    kind = rng.choice(["closed", "open", "equal", "falling"])
    last = len(brackets) - 1
    if kind == "closed" or not last:
        brackets[last]["up_to"] = 10**12
    elif kind == "open":
        brackets[rng.randrange(last)]["up_to"] = None
    else:
        brackets.insert(last, {**brackets[last - 1], "rate_bps": 100})
        brackets[last - 1]["up_to"] += 1 if kind == "falling" else 0


_LIMITS = (1, 2, 3, 5, 10, 15, 99, 1_000, 1_001, 4_000, 25_000, 999_999, 10**9)

_RATES = (0, 1, 250, 1_000, 1_050, 2_001, 2_500, 3_333, 5_000, 9_999, 10_000)


def _input(income: int, *brackets: tuple[int | None, int], **others: Json) -> dict[str, Json]:
    listed = [{"up_to": up_to, "rate_bps": rate} for up_to, rate in brackets]
    return {"income": income, "brackets": listed, **others}


def _phaseout(start: int, per: int, reduce: int) -> Json:
    return {"start": start, "per": per, "reduce": reduce}


def _report(
    taxable: int, *parts: tuple[int, int, str], gross: int, used: int = 0, net: int, bps: list[int]
) -> Json:
    """A result in short; ``bps`` holds the marginal and the effective rate."""
    return {
        "taxable": taxable,
        "parts": [dict(zip(("rate_bps", "amount", "tax"), part, strict=True)) for part in parts],
        "gross": gross,
        "credit_used": used,
        "net": net,
        "marginal_bps": bps[0],
        "effective_bps": bps[1],
    }


_THREE = ((1_000, 1_050), (4_000, 2_001), (None, 4_000))
_HALF = (None, 5_000)
_STEPS = {"credit": 20, "phaseout": _phaseout(100, 10, 7)}

_BOUNDARIES = (
    # Around a limit: which bracket has the last unit, and which the next.
    Case(
        _input(1_000, *_THREE, credit=999),
        _report(1_000, (1_050, 1_000, "105"), gross=105, used=105, net=0, bps=[2_001, 0]),
    ),
    Case(
        _input(999, *_THREE),
        _report(999, (1_050, 999, "20979/200"), gross=105, net=105, bps=[1_050, 1_051]),
    ),
    Case(
        _input(1_001, *_THREE),
        _report(
            1_001,
            (1_050, 1_000, "105"),
            (2_001, 1, "2001/10000"),
            gross=105,
            net=105,
            bps=[2_001, 1_048],
        ),
    ),
    Case(
        _input(4_000, *_THREE),
        _report(
            4_000,
            (1_050, 1_000, "105"),
            (2_001, 3_000, "6003/10"),
            gross=705,
            net=705,
            bps=[4_000, 1_762],
        ),
    ),
    Case(
        _input(150, (100, 0), (None, 10_000)),
        _report(150, (0, 100, "0"), (10_000, 50, "50"), gross=50, net=50, bps=[10_000, 3_333]),
    ),
    # Nothing is taxable.
    Case(
        _input(0, (None, 1), deduction=5, refundable=7),
        _report(0, gross=0, net=-7, bps=[1, 0]),
    ),
    Case(_input(5, *_THREE, deduction=5), _report(0, gross=0, net=0, bps=[1_050, 0])),
    Case(
        _input(5, *_THREE, deduction=10**12, credit=3, phaseout=_phaseout(0, 1, 1)),
        _report(0, gross=0, net=0, bps=[1_050, 0]),
    ),
    Case(
        _input(6, (None, 10_000), deduction=5),
        _report(1, (10_000, 1, "1"), gross=1, net=1, bps=[10_000, 1_666]),
    ),
    # Rounding: halves go up, once or in each bracket.
    Case(
        _input(5, (None, 1_000)), _report(5, (1_000, 5, "1/2"), gross=1, net=1, bps=[1_000, 2_000])
    ),
    Case(
        _input(25, (None, 1_000), rounding="total"),
        _report(25, (1_000, 25, "5/2"), gross=3, net=3, bps=[1_000, 1_200]),
    ),
    Case(
        _input(24, (None, 1_000)),
        _report(24, (1_000, 24, "12/5"), gross=2, net=2, bps=[1_000, 833]),
    ),
    Case(
        _input(10, (5, 1_000), (None, 3_000), rounding="per_bracket"),
        _report(10, (1_000, 5, "1"), (3_000, 5, "2"), gross=3, net=3, bps=[3_000, 3_000]),
    ),
    Case(
        _input(10, (5, 1_000), (None, 3_000)),
        _report(10, (1_000, 5, "1/2"), (3_000, 5, "3/2"), gross=2, net=2, bps=[3_000, 2_000]),
    ),
    Case(
        _input(2, (1, 2_500), (None, 7_500), rounding="per_bracket"),
        _report(2, (2_500, 1, "0"), (7_500, 1, "1"), gross=1, net=1, bps=[7_500, 5_000]),
    ),
    Case(
        _input(3, (1, 5_000), (2, 5_000), (None, 5_000)),
        _report(
            3,
            (5_000, 1, "1/2"),
            (5_000, 1, "1/2"),
            (5_000, 1, "1/2"),
            gross=2,
            net=2,
            bps=[5_000, 6_666],
        ),
    ),
    Case(
        _input(10**12 - 1, (None, 1)),
        _report(
            10**12 - 1, (1, 10**12 - 1, "999999999999/10000"), gross=10**8, net=10**8, bps=[1, 1]
        ),
    ),
    Case(
        _input(10**12, (10**12, 9_999), (None, 5), rounding="per_bracket"),
        _report(
            10**12,
            (9_999, 10**12, "999900000000"),
            gross=999_900_000_000,
            net=999_900_000_000,
            bps=[5, 9_999],
        ),
    ),
    # The phase-out: none at its start, then one reduction for every step that has begun.
    Case(
        _input(100, _HALF, **_STEPS),
        _report(100, (5_000, 100, "50"), gross=50, used=20, net=30, bps=[5_000, 3_000]),
    ),
    Case(
        _input(101, _HALF, **_STEPS),
        _report(101, (5_000, 101, "101/2"), gross=51, used=13, net=38, bps=[5_000, 3_762]),
    ),
    Case(
        _input(110, _HALF, **_STEPS),
        _report(110, (5_000, 110, "55"), gross=55, used=13, net=42, bps=[5_000, 3_818]),
    ),
    Case(
        _input(111, _HALF, **_STEPS),
        _report(111, (5_000, 111, "111/2"), gross=56, used=6, net=50, bps=[5_000, 4_504]),
    ),
    Case(
        _input(121, _HALF, **_STEPS),
        _report(121, (5_000, 121, "121/2"), gross=61, used=0, net=61, bps=[5_000, 5_041]),
    ),
    Case(
        _input(110, _HALF, deduction=60, **_STEPS),
        _report(50, (5_000, 50, "25"), gross=25, used=13, net=12, bps=[5_000, 1_090]),
    ),
    Case(
        _input(90, _HALF, **_STEPS),
        _report(90, (5_000, 90, "45"), gross=45, used=20, net=25, bps=[5_000, 2_777]),
    ),
    Case(
        _input(20, _HALF, credit=17, phaseout=_phaseout(0, 20, 2)),
        _report(20, (5_000, 20, "10"), gross=10, used=10, net=0, bps=[5_000, 0]),
    ),
    Case(
        _input(10**12, (None, 1), credit=10**12, phaseout=_phaseout(0, 1, 10**12)),
        _report(10**12, (1, 10**12, "100000000"), gross=10**8, net=10**8, bps=[1, 1]),
    ),
    # The refundable credit comes last, in full.
    Case(
        _input(1_000, (None, 1_000), refundable=30, phaseout=None),
        _report(1_000, (1_000, 1_000, "100"), gross=100, net=70, bps=[1_000, 700]),
    ),
    Case(
        _input(10, (None, 0), credit=5, refundable=3, phaseout=_phaseout(0, 1, 9)),
        _report(10, (0, 10, "0"), gross=0, net=-3, bps=[0, 0]),
    ),
    Case(
        _input(1_000, (None, 1_000), credit=80, refundable=30),
        _report(1_000, (1_000, 1_000, "100"), gross=100, used=80, net=-10, bps=[1_000, 0]),
    ),
    # Limits that do not go up, or that are open or closed at the wrong place.
    Case(_input(10, (5, 0), (5, 0), (None, 0)), error="bad_brackets"),
    Case(_input(10, (5, 0)), error="bad_brackets"),
    Case(_input(1, (5, 0), (4, 0), (None, 0)), error="bad_brackets"),
    Case(_input(0, (None, 100), (None, 200)), error="bad_brackets"),
    Case(_input(10, (None, 100), (5, 200)), error="bad_brackets"),
    Case(_input(10, (5, 100), (None, 150), (7, 200), (None, 250)), error="bad_brackets"),
    Case(_input(10, (5, 100), (10, 150)), error="bad_brackets"),
    # An income of one unit, and all of it is tax.
    Case(
        _input(1, (None, 10_000)),
        _report(1, (10_000, 1, "1"), gross=1, net=1, bps=[10_000, 10_000]),
    ),
)

FAMILY = Family(
    number=34,
    slug="tax-brackets",
    title="Progressive tax with credits",
    category="ledgers",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("income", Integer(0, 10**12)),
        optional("deduction", Integer(0, 10**12), 0),
        required(
            "brackets",
            Array(
                Record(
                    (
                        required("up_to", Nullable(Integer(1, 10**12))),
                        required("rate_bps", Integer(0, 10_000)),
                    )
                ),
                1,
                20,
            ),
            "The brackets from the lowest to the highest. `rate_bps` is the rate in hundredths of "
            "a percent.",
        ),
        optional("credit", Integer(0, 10**12), 0, "A credit up to the gross tax."),
        optional(
            "refundable", Integer(0, 10**12), 0, "A credit that is never reduced and has no limit."
        ),
        optional(
            "phaseout",
            Nullable(
                Record(
                    (
                        required("start", Integer(0, 10**12)),
                        required("per", Integer(1, 10**12)),
                        required("reduce", Integer(0, 10**12)),
                    )
                )
            ),
            None,
            "How `credit` is reduced. The field may be `null`, its members may not.",
        ),
        optional("rounding", Choice("total", "per_bracket"), "total", "When the tax is rounded."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "bad_brackets",
            "The `up_to` of the last bracket is not `null`, or that of another bracket is `null`, "
            "or an `up_to` is not greater than the one before it.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        _input(
            4_505,
            *_THREE,
            deduction=500,
            credit=300,
            phaseout=_phaseout(4_000, 250, 40),
            refundable=10,
        ),
        {
            "taxable": 4_005,
            "parts": [
                {"rate_bps": 1_050, "amount": 1_000, "tax": "105"},
                {"rate_bps": 2_001, "amount": 3_000, "tax": "6003/10"},
                {"rate_bps": 4_000, "amount": 5, "tax": "2"},
            ],
            "gross": 707,
            "credit_used": 180,
            "net": 517,
            "marginal_bps": 4_000,
            "effective_bps": 1_147,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _input(
                230,
                (30, 0),
                (130, 1_005),
                (None, 2_500),
                deduction=100,
                credit=8,
                phaseout=_phaseout(200, 20, 3),
                refundable=1,
            ),
            _report(
                130,
                (0, 30, "0"),
                (1_005, 100, "201/20"),
                gross=10,
                used=2,
                net=7,
                bps=[2_500, 304],
            ),
        ),
        Case(_input(50, (100, 500), (None, 900), (None, 1_000)), error="bad_brackets"),
    ),
    malformed=(
        {"income": 10},
        {"brackets": [{"up_to": None, "rate_bps": 1}]},
        _input(-1, _HALF),
        {"income": 10.0, "brackets": [{"up_to": None, "rate_bps": 1}]},
        {"income": True, "brackets": [{"up_to": None, "rate_bps": 1}]},
        {"income": "10", "brackets": [{"up_to": None, "rate_bps": 1}]},
        {"income": None, "brackets": [{"up_to": None, "rate_bps": 1}]},
        _input(10**12 + 1, _HALF),
        _input(10),
        _input(10, *[_HALF] * 21),
        _input(10, (0, 100), _HALF),
        _input(10, (5, 10_001), _HALF),
        _input(10, (None, -1)),
        _input(10, (True, 100), _HALF),
        {"income": 10, "brackets": [{"rate_bps": 1}]},
        {"income": 10, "brackets": [{"up_to": None}]},
        {"income": 10, "brackets": [{"up_to": None, "rate_bps": 0.5}]},
        {"income": 10, "brackets": [[None, 1]]},
        _input(10, _HALF, deduction=None),
        _input(10, _HALF, credit=-1),
        _input(10, _HALF, refundable="0"),
        _input(10, _HALF, phaseout={}),
        _input(10, _HALF, phaseout={"start": 0, "per": 1}),
        _input(10, _HALF, phaseout={"start": 0, "reduce": 1}),
        _input(10, _HALF, phaseout=_phaseout(0, 0, 1)),
        _input(10, _HALF, phaseout={"start": None, "per": 1, "reduce": 1}),
        _input(10, _HALF, phaseout={"start": 0, "per": 1.0, "reduce": 1}),
        _input(10, _HALF, phaseout=[0, 1, 1]),
        _input(10, _HALF, rounding="Total"),
        _input(10, _HALF, rounding="half_up"),
        _input(10, _HALF, rounding=None),
    ),
)
