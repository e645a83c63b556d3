"""Loan amortization: the monthly schedule of a loan, exact to the cent, with extra payments."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import floor
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Integer, Record, absentable, optional, required

_SUMMARY = """\
Builds the monthly schedule of a loan. All money is in whole cents, as integers. The interest rate
of a month is r = `rate_bps` / 120000. "Rounded" means: to the nearest integer, halves up (2.5
becomes 3). Use integers or fractions before rounding: floating point gives wrong cents.

Exactly one of `term` and `payment` is given. `term` is a number n of months. With `term`, the
payment p is `principal` * r / (1 - (1 + r)^-n), rounded; but if r = 0, it is `principal` / n,
rounded up to an integer. Otherwise p is `payment`.

The balance is `principal` at first. The months have the numbers 1, 2, 3, ... In month k:

1. The interest is balance * r, rounded. The amount due is the balance plus the interest.
2. The regular payment is p. But it is the amount due if that is not greater than p, or if `term` is
   given and k = n.
3. The balance becomes the amount due minus the regular payment.
4. The extra payment is the sum of `amount` over all `extras` whose `month` is k, but not more than
   the balance. It is 0 if there are none. It is subtracted from the balance.
5. If the balance is 0, the loan ends and month k is the last month."""

_RESULT = """\
An object with these members. All numbers are integers.

- `payment`: p.
- `months`: the number of the last month.
- `total_interest`: the sum of the interest of all months.
- `total_paid`: the sum of all regular payments and all extra payments.
- `last_payment`: the regular payment of the last month.
- `rows`: one object for each month that is in `show` and not after the last month, in ascending
  order of months, each month once:
  `{"month": k, "interest": i, "principal": c, "extra": e, "balance": b}`. `principal` is the
  regular payment minus the interest, `extra` the extra payment after step 4, `balance` the balance
  at the end of the month."""

_RULES = """\
- With `term`, the regular payment of month n takes up all that rounding has left, so it can be
  smaller or greater than p.
- Extra payments do not change p. They only make the loan shorter.
- `extras` and `show` can hold months after the last one; these are ignored. Both can hold a month
  more than once, in any order."""

_LONGEST = 600
"""The last month that a loan may reach."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    principal, term = fields["principal"], fields.get("term")
    rate = Fraction(fields["rate_bps"], 120_000)
    if (term is None) == ("payment" not in fields):
        raise DomainError("bad_terms")
    payment = fields["payment"] if term is None else _payment(principal, rate, term)
    if term is None and payment <= _rounded(principal * rate):
        raise DomainError("payment_too_small")
    extras: Counter[int] = Counter()
    for extra in fields["extras"]:
        extras[extra["month"]] += extra["amount"]
    rows = list(_months(principal, rate, payment, term, extras))
    last = rows[-1]
    if last["balance"]:
        raise DomainError("too_long")
    interest = sum(row["interest"] for row in rows)
    return {
        "payment": payment,
        "months": len(rows),
        "total_interest": interest,
        "total_paid": interest + sum(row["principal"] + row["extra"] for row in rows),
        "last_payment": last["interest"] + last["principal"],
        "rows": [row for row in rows if row["month"] in fields["show"]],
    }


def _payment(principal: int, rate: Fraction, months: int) -> int:
    if not rate:
        return -(-principal // months)
    return _rounded(principal * rate / (1 - (1 + rate) ** -months))


def _months(
    balance: int, rate: Fraction, payment: int, term: int | None, extras: Mapping[int, int]
) -> Iterator[dict[str, int]]:
    """The months of the schedule, at most as many as a loan may have."""
    for month in range(1, _LONGEST + 1):
        interest = _rounded(balance * rate)
        due = balance + interest
        regular = due if due <= payment or month == term else payment
        extra = min(extras[month], due - regular)
        balance = due - regular - extra
        yield {
            "month": month,
            "interest": interest,
            "principal": regular - interest,
            "extra": extra,
            "balance": balance,
        }
        if not balance:
            return


def _rounded(value: Fraction) -> int:
    """The nearest integer, halves up; no value here is negative."""
    return floor(value + Fraction(1, 2))


def _generate(rng: random.Random) -> dict[str, Json]:
    rate = rng.choice([0, 0, 1, 425, 599, 1_200, 1_200, 10_000])
    principal = rng.choice([50, 600, 5_000, 123_450, 20_000_000, 999_999_999_999])
    principal = rng.randint(max(1, principal - 40), principal)
    drawn: dict[str, Json] = {"principal": principal, "rate_bps": rate}
    bad = rng.random() < 0.08
    both = bad and rng.random() < 0.5
    if both or (not bad and rng.random() < 0.45):
        drawn["term"] = rng.choice([1, 2, 3, 7, 12, 13, 36, 120, 359, 480])
    if both or not (bad or "term" in drawn):
        drawn["payment"] = _draw_payment(rng, principal, Fraction(rate, 120_000))
    if rng.random() < 0.6:
        drawn["extras"] = [_draw_extra(rng, principal) for _ in range(rng.randint(0, 5))]
    if rng.random() < 0.9:
        drawn["show"] = [rng.choice(_SHOWN) for _ in range(rng.randint(0, 8))]
    return drawn


def _draw_payment(rng: random.Random, principal: int, rate: Fraction) -> int:
    """Often a payment for some tens of months; else one that is hardly more than the interest."""
    interest = _rounded(principal * rate)
    kind = rng.random()
    if kind < 0.25:
        more = rng.choice([-1, 0, 0])
    elif kind < 0.5:
        more = rng.choice([1, 1 + principal // 10**6])
    else:
        more = -(-principal // rng.choice([1, 2, 3, 10, 30, 100, 599, 600]))
    return min(max(1, interest + more), 10**12)


def _draw_extra(rng: random.Random, principal: int) -> dict[str, Json]:
    amount = -(-principal // rng.choice([1, 3, 10, 50, 1_000]))
    return {"month": rng.choice([1, 1, 2, 2, 3, 5, 12, 24, 600]), "amount": amount}


_SHOWN = (1, 1, 2, 2, 3, 4, 6, 7, 10, 11, 12, 13, 25, 36, 100, 120, 359, 480, 600)


def _loan(principal: int, rate_bps: int, **others: Json) -> dict[str, Json]:
    return {"principal": principal, "rate_bps": rate_bps, **others}


def _extras(*extras: tuple[int, int]) -> Json:
    return [{"month": month, "amount": amount} for month, amount in extras]


def _report(
    payment: int, months: int, interest: int, paid: int, last: int, *rows: tuple[int, ...]
) -> Json:
    """A result in short, for the cases below."""
    names = ("month", "interest", "principal", "extra", "balance")
    return {
        "payment": payment,
        "months": months,
        "total_interest": interest,
        "total_paid": paid,
        "last_payment": last,
        "rows": [dict(zip(names, row, strict=True)) for row in rows],
    }


_BOUNDARIES = (
    # No interest: the payment is rounded up, and the loan may end before its term.
    Case(
        _loan(1_000, 0, term=3, extras=_extras((1, 100), (1, 9), (3, 5)), show=[1]),
        _report(334, 3, 0, 1_000, 223, (1, 0, 334, 109, 557)),
    ),
    Case(_loan(100, 0, term=3), _report(34, 3, 0, 100, 32)),
    Case(_loan(5, 0, term=4), _report(2, 3, 0, 5, 1)),
    Case(_loan(2, 0, term=480, show=[2, 3]), _report(1, 2, 0, 2, 1, (2, 0, 1, 0, 0))),
    Case(_loan(10**12, 0, term=1), _report(10**12, 1, 0, 10**12, 10**12)),
    # Halves of a cent go up, in the payment and in the interest, at any size.
    Case(_loan(60_000, 1, term=1), _report(60_001, 1, 1, 60_001, 60_001)),
    Case(_loan(59_999, 1, term=1), _report(59_999, 1, 0, 59_999, 59_999)),
    Case(
        _loan(150, 10_000, term=2, show=[1, 2]),
        _report(85, 2, 20, 170, 85, (1, 13, 72, 0, 78), (2, 7, 78, 0, 0)),
    ),
    Case(
        _loan(999_999_999_150, 10_000, term=2, show=[1]),
        _report(
            563_333_332_855,
            2,
            126_666_666_560,
            1_126_666_665_710,
            563_333_332_855,
            (1, 83_333_333_263, 479_999_999_592, 0, 519_999_999_558),
        ),
    ),
    Case(_loan(150, 1_200, payment=100), _report(100, 2, 3, 153, 53)),
    # The last payment of a term: nothing before it pays anything back, or there is no payment.
    Case(
        _loan(6, 10_000, term=480, show=[479, 480]),
        _report(1, 480, 480, 486, 7, (479, 1, 0, 0, 6), (480, 1, 6, 0, 0)),
    ),
    Case(
        _loan(1, 10_000, term=480, show=[1, 480]),
        _report(0, 480, 0, 1, 1, (1, 0, 0, 0, 1), (480, 0, 1, 0, 0)),
    ),
    # A payment that is given: just the amount due, one less, one more than the interest.
    Case(_loan(50, 1_200, payment=60), _report(60, 1, 1, 51, 51)),
    Case(_loan(100, 1_200, payment=101), _report(101, 1, 1, 101, 101)),
    Case(
        _loan(100, 1_200, payment=100, show=[1, 2]),
        _report(100, 2, 1, 101, 1, (1, 1, 99, 0, 1), (2, 0, 1, 0, 0)),
    ),
    Case(_loan(50, 1_200, payment=2), _report(2, 26, 1, 51, 1)),
    # Extra payments: capped, added up, ignored, and always after the regular payment.
    Case(
        _loan(100, 0, payment=60, extras=_extras((1, 1_000)), show=[1, 2]),
        _report(60, 1, 0, 100, 60, (1, 0, 60, 40, 0)),
    ),
    Case(
        _loan(100, 0, payment=100, extras=_extras((1, 5)), show=[1]),
        _report(100, 1, 0, 100, 100, (1, 0, 100, 0, 0)),
    ),
    Case(
        _loan(1_000, 0, term=4, extras=_extras((3, 1), (2, 200), (2, 100)), show=[3, 2, 3, 4]),
        _report(250, 3, 0, 1_000, 200, (2, 0, 250, 300, 200), (3, 0, 200, 0, 0)),
    ),
    Case(
        _loan(1_000, 1_200, payment=500, extras=_extras((1, 10), (4, 9)), show=[3, 1, 2, 3]),
        _report(
            500,
            3,
            15,
            1_015,
            5,
            (1, 10, 490, 10, 500),
            (2, 5, 495, 0, 5),
            (3, 0, 5, 0, 0),
        ),
    ),
    Case(
        _loan(1_000, 1_200, payment=500, extras=_extras((1, 200)), show=[1, 2]),
        _report(500, 2, 13, 1_013, 313, (1, 10, 490, 200, 310), (2, 3, 310, 0, 0)),
    ),
    Case(
        _loan(100, 0, payment=40, extras=_extras((1, 10**12), (1, 10**12))),
        _report(40, 1, 0, 100, 40),
    ),
    # 600 months are allowed, with or without an extra payment at the end.
    Case(_loan(600, 0, payment=1, show=[600]), _report(1, 600, 0, 600, 1, (600, 0, 1, 0, 0))),
    Case(
        _loan(601, 0, payment=1, extras=_extras((600, 1)), show=[600, 599]),
        _report(1, 600, 0, 601, 1, (599, 0, 1, 0, 2), (600, 0, 1, 1, 0)),
    ),
    Case(_loan(601, 0, payment=1), error="too_long"),
    Case(_loan(602, 0, payment=1, extras=_extras((600, 1))), error="too_long"),
    Case(_loan(1_000_000, 0, payment=1), error="too_long"),
    # Both or neither, which is tested first; then the first interest as it is rounded.
    Case(_loan(100, 0), error="bad_terms"),
    Case(_loan(100, 0, term=12, payment=50), error="bad_terms"),
    Case(_loan(10_000, 1_200, term=12, payment=1), error="bad_terms"),
    Case(_loan(10_000, 1_200, payment=100), error="payment_too_small"),
    Case(_loan(50, 1_200, payment=1), error="payment_too_small"),
    Case(_loan(10_000, 1_200, payment=99, extras=_extras((1, 10_000))), error="payment_too_small"),
)

FAMILY = Family(
    number=33,
    slug="loan-amortization",
    title="Loan amortization with extra payments",
    category="ledgers",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("principal", Integer(1, 10**12), "The amount of the loan."),
        required(
            "rate_bps",
            Integer(0, 10_000),
            "The interest rate of a year in hundredths of a percent.",
        ),
        absentable("term", Integer(1, 480), "The number n of months."),
        absentable("payment", Integer(1, 10**12), "The payment of a month."),
        optional(
            "extras",
            Array(
                Record(
                    (
                        required("month", Integer(1, _LONGEST)),
                        required("amount", Integer(1, 10**12)),
                    )
                ),
                0,
                100,
            ),
            [],
            "Extra payments, each with its month.",
        ),
        optional("show", Array(Integer(1, _LONGEST), 0, 60), [], "The months that `rows` lists."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("bad_terms", "Both `term` and `payment` are given, or neither is."),
        ErrorCode(
            "payment_too_small",
            "`payment` is given and is not greater than the interest of month 1, rounded.",
        ),
        ErrorCode(
            "too_long", "`payment` is given and the balance at the end of month 600 is not 0."
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        _loan(100_000, 1_200, term=3, show=[3, 1, 9]),
        {
            "payment": 34_002,
            "months": 3,
            "total_interest": 2_007,
            "total_paid": 102_007,
            "last_payment": 34_003,
            "rows": [
                {
                    "month": 1,
                    "interest": 1_000,
                    "principal": 33_002,
                    "extra": 0,
                    "balance": 66_998,
                },
                {"month": 3, "interest": 337, "principal": 33_666, "extra": 0, "balance": 0},
            ],
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _loan(1_000, 1_800, term=3, extras=_extras((2, 50), (1, 100), (1, 50)), show=[5, 2, 1]),
            _report(343, 3, 25, 1_025, 139, (1, 15, 328, 150, 522), (2, 8, 335, 50, 137)),
        ),
        Case(_loan(9_950, 1_200, payment=100), error="payment_too_small"),
    ),
    malformed=(
        {"principal": 100, "term": 12},
        _loan(0, 100, term=12),
        _loan(10**12 + 1, 100, term=12),
        {"principal": 100.0, "rate_bps": 100, "term": 12},
        {"principal": "100", "rate_bps": 100, "term": 12},
        {"principal": True, "rate_bps": 100, "term": 12},
        _loan(100, -1, term=12),
        _loan(100, 10_001, term=12),
        {"principal": 100, "rate_bps": 4.25, "term": 12},
        _loan(100, 100, term=0),
        _loan(100, 100, term=481),
        _loan(100, 100, term=None, payment=50),
        _loan(100, 100, payment=0),
        _loan(100, 100, payment=None),
        _loan(100, 100, term=12, payment="50"),
        _loan(100, 100, term=12, extras=None),
        _loan(100, 100, term=12, extras=[[1, 5]]),
        _loan(100, 100, term=12, extras=[{"month": 1}]),
        _loan(100, 100, term=12, extras=[{"amount": 1}]),
        _loan(100, 100, term=12, extras=_extras((0, 5))),
        _loan(100, 100, term=12, extras=_extras((601, 5))),
        _loan(100, 100, term=12, extras=_extras((1, 0))),
        _loan(100, 100, term=12, extras=_extras((True, 5))),
        _loan(100, 100, term=12, extras=[{"month": 1, "amount": 5.0}]),
        _loan(100, 100, term=12, show=1),
        _loan(100, 100, term=12, show=[1, 601]),
        _loan(100, 100, term=12, show=[0]),
        _loan(100, 100, term=12, show=[True]),
        _loan(100, 100, show=["1"]),
    ),
)
