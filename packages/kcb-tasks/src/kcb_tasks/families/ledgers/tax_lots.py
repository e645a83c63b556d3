"""Tax lots: what was bought when, at what cost, and which of it a sale takes."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import (
    Array,
    Choice,
    Integer,
    Record,
    Tagged,
    calendar_date,
    label,
    optional,
    required,
)

_SUMMARY = """\
Tracks lots that were bought and computes the gain of each sale. All money is in whole cents, as
integers. The events are carried out in the order of `events`; the first has number 0.

- `buy` opens a lot of its `symbol`. The lot has the number of the event. At first its quantity is
  `qty` and its cost is `qty * price + fee`.
- `sell` takes `qty` units from the open lots of its `symbol`. The proceeds of the sale are
  `qty * price - fee`. First the open lots of the symbol are put in the order of `method`. Then the
  sale goes through them in this order and takes from each as many units as it still needs, but not
  more than the lot has.
  - If it takes all units of a lot, it takes the whole cost of the lot, and the lot is closed.
  - If it takes q of the n units of a lot, q < n, and the lot has the cost c, it takes the cost
    c * q / n, rounded to the nearest integer, halves up (2.5 becomes 3). The lot stays open with
    the quantity n - q and the rest of the cost.
- `split` multiplies the quantity of every open lot of its `symbol` by `num / den`. The costs stay
  as they are.

The order of `method`:

- `fifo`: the lowest lot number first.
- `lifo`: the highest lot number first.
- `hifo`: the highest cost per unit first. This is the cost of the lot divided by its quantity, both
  as they are when the sale starts. It is compared exactly, without rounding. Of equal ones the
  lowest lot number comes first. The order does not change while the sale takes units."""

_RESULT = """\
An object `{"sales": [...], "open": [...], "realized": r}`. All its numbers are integers, exact
however large they get.

- `sales`: one object per `sell`, in the order of the events:
  `{"event": i, "proceeds": p, "cost": c, "gain": g, "lots": [...]}`.
  - `event` is the number of the event; `cost` is the sum of the costs that the sale took;
    `gain` is `proceeds` minus `cost`.
  - `lots` has one object per lot from which the sale took units, in the order in which it did so:
    `{"lot": n, "qty": q, "cost": c, "days": d}`. `lot` is the number of the lot. `qty` and `cost`
    are what the sale took from it. `days` is the number of days from the date of the event that
    bought the lot to the date of the sale, 0 on the same day.
- `open`: the lots that are open after the last event, of all symbols, in ascending order of their
  numbers: `{"lot": n, "symbol": s, "qty": q, "cost": c}`.
- `realized`: the sum of all gains, 0 if there are none."""

_RULES = """\
- Symbols are compared exactly: `ax` and `AX` are different.
- An event may have other members than those of its type. They are ignored.
- A split of a symbol without open lots does nothing.
- Proceeds and gains can be negative."""


@dataclass(slots=True)
class _Lot:
    number: int
    symbol: str
    bought: date
    qty: int
    cost: int

    def take(self, qty: int, day: date) -> dict[str, Json]:
        """What a sale takes from this lot; the lot keeps the rest."""
        cost = (2 * self.cost * qty + self.qty) // (2 * self.qty)  # halves up
        self.qty -= qty
        self.cost -= cost
        return {"lot": self.number, "qty": qty, "cost": cost, "days": (day - self.bought).days}


_RANKS = {
    "fifo": lambda lot: lot.number,
    "lifo": lambda lot: -lot.number,
    "hifo": lambda lot: (-Fraction(lot.cost, lot.qty), lot.number),
}


def _evaluate(fields: Mapping[str, Any]) -> Json:
    events = fields["events"]
    if any(later["date"] < earlier["date"] for earlier, later in pairwise(events)):
        raise DomainError("out_of_order")
    lots: list[_Lot] = []
    sales: list[dict[str, Json]] = []
    for number, event in enumerate(events):
        held = [lot for lot in lots if lot.symbol == event["symbol"]]
        if event["type"] == "buy":
            lots.append(_buy(number, event))
        elif event["type"] == "sell":
            sales.append(_sell(number, event, sorted(held, key=_RANKS[fields["method"]])))
            lots = [lot for lot in lots if lot.qty]
        else:
            _split(event, held)
    return {
        "sales": sales,
        "open": [
            {"lot": lot.number, "symbol": lot.symbol, "qty": lot.qty, "cost": lot.cost}
            for lot in lots
        ],
        "realized": sum(sale["gain"] for sale in sales),
    }


def _buy(number: int, event: Mapping[str, Any]) -> _Lot:
    cost = event["qty"] * event["price"] + event.get("fee", 0)
    return _Lot(number, event["symbol"], _day(event), event["qty"], cost)


def _sell(number: int, event: Mapping[str, Any], ranked: list[_Lot]) -> dict[str, Json]:
    wanted = event["qty"]
    if wanted > sum(lot.qty for lot in ranked):
        raise DomainError("insufficient_quantity")
    taken: list[dict[str, Json]] = []
    for lot in ranked:
        if wanted:
            taken.append(lot.take(min(wanted, lot.qty), _day(event)))
            wanted -= taken[-1]["qty"]
    proceeds = event["qty"] * event["price"] - event.get("fee", 0)
    cost = sum(part["cost"] for part in taken)
    return {
        "event": number,
        "proceeds": proceeds,
        "cost": cost,
        "gain": proceeds - cost,
        "lots": taken,
    }


def _split(event: Mapping[str, Any], held: list[_Lot]) -> None:
    if any(lot.qty * event["num"] % event["den"] for lot in held):
        raise DomainError("fractional_split")
    for lot in held:
        lot.qty = lot.qty * event["num"] // event["den"]


def _day(event: Mapping[str, Any]) -> date:
    return date.fromisoformat(event["date"])


def _generate(rng: random.Random) -> dict[str, Json]:
    held = dict.fromkeys(rng.sample(_SYMBOLS, rng.randint(1, 3)), 0)
    day = rng.choice([date(2023, 12, 30), date(2024, 2, 27), date(1999, 6, 1), date(2100, 2, 27)])
    events: list[dict[str, Json]] = []
    for _ in range(rng.choice([0, 3, 6, 9, 12, 16])):
        day += timedelta(days=rng.choice([0, 0, 1, 2, 30, 366]))
        events.append({"date": day.isoformat(), **_draw_event(rng, held)})
    if len(events) > 1 and rng.random() < 0.1:
        late = rng.randrange(1, len(events))
        events[late]["date"] = (_day(events[late - 1]) - timedelta(days=1)).isoformat()
    drawn: dict[str, Json] = {"events": events}
    if rng.random() < 0.8:
        drawn["method"] = rng.choice(["fifo", "lifo", "hifo", "hifo"])
    return drawn


def _draw_event(rng: random.Random, held: dict[str, int]) -> dict[str, Json]:
    """An event that mostly fits what is held of its symbol; the tally of what is held follows."""
    symbol = rng.choice(list(held))
    kind = rng.choice(["buy", "buy", "buy", "sell", "sell", "sell", "sell", "split"])
    if kind == "split":
        num, den = rng.choice([(2, 1), (3, 1), (3, 1), (10, 5), (3, 2), (1, 2)])
        held[symbol] = held[symbol] * num // den
        return {"type": "split", "symbol": symbol, "num": num, "den": den}
    if kind == "sell" and not held[symbol] and rng.random() < 0.9:
        kind = "buy"
    if kind == "buy":
        qty = rng.choice([1, 2, 2, 3, 4, 6, 12, 1_000])
        held[symbol] += qty
    else:
        most = max(1, held[symbol])
        qty = rng.choice([1, most, rng.randint(1, most), rng.randint(1, most)])
        qty = min(qty + (rng.random() < 0.03), 1_000_000)
        held[symbol] = max(0, held[symbol] - qty)
    price = rng.choice([0, 1, 5, 5, 7, 10, 333, 10**9])
    fee = {"fee": rng.choice([0, 1, 2, 3, 50])} if rng.random() < 0.5 else {}
    return {"type": kind, "symbol": symbol, "qty": qty, "price": price, **fee}


_SYMBOLS = ("AX", "ax", "AX ", "é", "e\u0301", "株", "📈", "\u2028", "BRK.B")


def _input(*events: Json, **method: str) -> dict[str, Json]:
    return {**method, "events": list(events)}


def _bought(
    qty: int, price: int, fee: int = 0, *, symbol: str = "a", day: str = "2024-01-01"
) -> Json:
    event = {"type": "buy", "date": day, "symbol": symbol, "qty": qty, "price": price}
    return {**event, "fee": fee} if fee else event


def _sold(
    qty: int, price: int, fee: int = 0, *, symbol: str = "a", day: str = "2024-01-01"
) -> Json:
    return {**_bought(qty, price, fee, symbol=symbol, day=day), "type": "sell"}


def _divided(num: int, den: int, *, symbol: str = "a", day: str = "2024-01-01") -> Json:
    return {"type": "split", "date": day, "symbol": symbol, "num": num, "den": den}


def _sale(
    event: int, proceeds: int, cost: int, gain: int, *lots: tuple[int, int, int, int]
) -> Json:
    taken = [dict(zip(("lot", "qty", "cost", "days"), lot, strict=True)) for lot in lots]
    return {"event": event, "proceeds": proceeds, "cost": cost, "gain": gain, "lots": taken}


def _report(realized: int, sales: list[Json], *still_open: tuple[int, str, int, int]) -> Json:
    names = ("lot", "symbol", "qty", "cost")
    lots = [dict(zip(names, lot, strict=True)) for lot in still_open]
    return {"sales": sales, "open": lots, "realized": realized}


_BOUNDARIES = (
    # Partial takings: halves up, pro rata on what is left, nothing lost at the end.
    Case(
        _input(
            _bought(2, 5, 1, symbol="é"),
            _sold(1, 9, symbol="é"),
            _sold(1, 9, symbol="é", day="2024-01-02"),
        ),
        _report(7, [_sale(1, 9, 6, 3, (0, 1, 6, 0)), _sale(2, 9, 5, 4, (0, 1, 5, 1))]),
    ),
    Case(
        _input(_bought(2, 0, 5), _sold(1, 4)),
        _report(1, [_sale(1, 4, 3, 1, (0, 1, 3, 0))], (0, "a", 1, 2)),
    ),
    Case(
        _input(_bought(3, 0, 4), _sold(1, 0), _sold(1, 0), _sold(1, 0)),
        _report(
            -4,
            [
                _sale(1, 0, 1, -1, (0, 1, 1, 0)),
                _sale(2, 0, 2, -2, (0, 1, 2, 0)),
                _sale(3, 0, 1, -1, (0, 1, 1, 0)),
            ],
        ),
    ),
    Case(
        _input(_bought(3, 0, 5), _sold(2, 2)),
        _report(1, [_sale(1, 4, 3, 1, (0, 2, 3, 0))], (0, "a", 1, 2)),
    ),
    # The order of consumption.
    Case(
        _input(_bought(2, 2), _bought(1, 7), _sold(2, 5)),
        _report(6, [_sale(2, 10, 4, 6, (0, 2, 4, 0))], (1, "a", 1, 7)),
    ),
    Case(
        _input(_bought(2, 2), _bought(1, 7), _sold(3, 5, 4), method="fifo"),
        _report(0, [_sale(2, 11, 11, 0, (0, 2, 4, 0), (1, 1, 7, 0))]),
    ),
    Case(
        _input(_bought(2, 2), _bought(1, 7), _sold(2, 5), method="lifo"),
        _report(1, [_sale(2, 10, 9, 1, (1, 1, 7, 0), (0, 1, 2, 0))], (0, "a", 1, 2)),
    ),
    Case(
        _input(
            _bought(1, 5), _bought(1, 7), _divided(1, 3, symbol="b"), _sold(1, 6), method="lifo"
        ),
        _report(-1, [_sale(3, 6, 7, -1, (1, 1, 7, 0))], (0, "a", 1, 5)),
    ),
    # The highest cost per unit: ties, differences below the precision of a double, present values.
    Case(
        _input(_bought(2, 5), _bought(3, 5), _sold(1, 5), method="hifo"),
        _report(0, [_sale(2, 5, 5, 0, (0, 1, 5, 0))], (0, "a", 1, 5), (1, "a", 3, 15)),
    ),
    Case(
        _input(
            _bought(1_000_000, 999_999_999, 1),
            _bought(999_999, 999_999_999, 1),
            _sold(1, 0),
            method="hifo",
        ),
        _report(
            -999_999_999,
            [_sale(2, 0, 999_999_999, -999_999_999, (1, 1, 999_999_999, 0))],
            (0, "a", 1_000_000, 999_999_999_000_001),
            (1, "a", 999_998, 999_997_999_000_003),
        ),
    ),
    Case(
        _input(_bought(1, 10), _divided(2, 1), _bought(1, 6), _sold(2, 6), method="hifo"),
        _report(1, [_sale(3, 12, 11, 1, (2, 1, 6, 0), (0, 1, 5, 0))], (0, "a", 1, 5)),
    ),
    Case(
        _input(_bought(2, 0, 5), _bought(4, 0, 9), _sold(1, 0), _sold(1, 0), method="hifo"),
        _report(
            -5,
            [_sale(2, 0, 3, -3, (0, 1, 3, 0)), _sale(3, 0, 2, -2, (1, 1, 2, 0))],
            (0, "a", 1, 2),
            (1, "a", 3, 7),
        ),
    ),
    Case(
        _input(_bought(2, 0, 5), _bought(4, 0, 9), _sold(2, 0), method="hifo"),
        _report(-5, [_sale(2, 0, 5, -5, (0, 2, 5, 0))], (1, "a", 4, 9)),
    ),
    # Splits: of all lots of one symbol and of no other, with costs as they were.
    Case(
        _input(_bought(3, 3, 1), _divided(2, 3), _sold(1, 6)),
        _report(1, [_sale(2, 6, 5, 1, (0, 1, 5, 0))], (0, "a", 1, 5)),
    ),
    Case(
        _input(_bought(6, 1), _divided(2, 4), _sold(3, 1)),
        _report(-3, [_sale(2, 3, 6, -3, (0, 3, 6, 0))]),
    ),
    Case(
        _input(
            _bought(1, 1), _bought(1, 1, symbol="A"), _bought(3, 1), _divided(3, 1), method="lifo"
        ),
        _report(0, [], (0, "a", 3, 1), (1, "A", 1, 1), (2, "a", 9, 3)),
    ),
    Case(
        _input(_bought(1, 1, symbol="é"), _divided(1, 2, symbol="e\u0301")),
        _report(0, [], (0, "é", 1, 1)),
    ),
    Case(
        _input(_bought(1, 1), _bought(1, 1, symbol="a "), _divided(2, 1)),
        _report(0, [], (0, "a", 2, 1), (1, "a ", 1, 1)),
    ),
    Case(
        _input(_bought(1, 1), _sold(1, 2), _divided(1, 2)),
        _report(1, [_sale(1, 2, 1, 1, (0, 1, 1, 0))]),
    ),
    Case(
        _input(_bought(1_000_000, 10**9, 10**9), _divided(100, 1)),
        _report(0, [], (0, "a", 100_000_000, 1_000_001_000_000_000)),
    ),
    # Days, negative proceeds, nothing at all, members of another type.
    Case(
        _input(
            _bought(3, 1, day="1900-01-01"),
            _sold(1, 1, day="1900-03-01"),
            _sold(1, 1, day="2000-03-01"),
            _sold(1, 1, day="2199-12-31"),
        ),
        _report(
            0,
            [
                _sale(1, 1, 1, 0, (0, 1, 1, 59)),
                _sale(2, 1, 1, 0, (0, 1, 1, 36_584)),
                _sale(3, 1, 1, 0, (0, 1, 1, 109_572)),
            ],
        ),
    ),
    Case(
        _input(_bought(1, 0), _sold(1, 0, 7)),
        _report(-7, [_sale(1, -7, 0, -7, (0, 1, 0, 0))]),
    ),
    Case(_input(), _report(0, [])),
    Case(_input({**_bought(1, 1), "num": 0, "note": None}), _report(0, [], (0, "a", 1, 1))),
    # The order of the dates is looked at first, over all events and symbols.
    Case(_input(_sold(1, 5), _bought(1, 5, day="2023-12-31")), error="out_of_order"),
    Case(
        _input(
            _bought(1, 1, day="2024-01-01"),
            _bought(1, 1, day="2024-01-03"),
            _bought(1, 1, day="2024-01-02", symbol="b"),
        ),
        error="out_of_order",
    ),
    # Then the first error that is met.
    Case(
        _input(_bought(1, 5), _sold(2, 5, day="2024-01-02"), _divided(1, 2, day="2024-01-02")),
        error="insufficient_quantity",
    ),
    Case(
        _input(_bought(3, 5), _divided(1, 2, day="2024-01-02"), _sold(9, 5, day="2024-01-02")),
        error="fractional_split",
    ),
    Case(_input(_bought(5, 1), _sold(1, 1, symbol="b")), error="insufficient_quantity"),
    Case(_input(_bought(1, 1), _bought(1, 1), _sold(3, 1)), error="insufficient_quantity"),
    Case(_input(_bought(1, 1), _bought(3, 1), _divided(1, 2)), error="fractional_split"),
    Case(_input(_bought(4, 1), _sold(1, 1), _divided(1, 2)), error="fractional_split"),
)

_TRADE = (
    required("date", calendar_date()),
    required("symbol", label()),
    required("qty", Integer(1, 10**6)),
    required("price", Integer(0, 10**9)),
    optional("fee", Integer(0, 10**9), 0),
)

_EVENT = Tagged(
    "type",
    {
        "buy": Record(_TRADE),
        "sell": Record(_TRADE),
        "split": Record(
            (
                required("date", calendar_date()),
                required("symbol", label()),
                required("num", Integer(1, 100)),
                required("den", Integer(1, 100)),
            )
        ),
    },
)

FAMILY = Family(
    number=32,
    slug="tax-lots",
    title="Tax lots: FIFO, LIFO, HIFO",
    category="ledgers",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        optional(
            "method",
            Choice("fifo", "lifo", "hifo"),
            "fifo",
            "The order in which a sale takes from the lots.",
        ),
        required(
            "events",
            Array(_EVENT, 0, 300),
            "The events in the order in which they are carried out; `price` is the price of one "
            "unit.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("out_of_order", "The `date` of an event is before that of the event before it."),
        ErrorCode(
            "insufficient_quantity",
            "The `qty` of a sale is greater than the sum of the quantities of all open lots of its "
            "symbol.",
        ),
        ErrorCode(
            "fractional_split",
            "A split would give an open lot of its symbol a quantity that is not an integer.",
        ),
    ),
    precedence=(
        "`out_of_order` is tested first, over all events. Then the events are carried out in "
        "order, and the first of the other two errors that is met is the answer."
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "method": "hifo",
            "events": [
                {
                    "type": "buy",
                    "date": "2024-01-01",
                    "symbol": "AX",
                    "qty": 3,
                    "price": 100,
                    "fee": 1,
                },
                {"type": "buy", "date": "2024-01-10", "symbol": "AX", "qty": 2, "price": 150},
                {"type": "split", "date": "2024-02-01", "symbol": "AX", "num": 2, "den": 1},
                {
                    "type": "sell",
                    "date": "2024-03-01",
                    "symbol": "AX",
                    "qty": 6,
                    "price": 80,
                    "fee": 5,
                },
            ],
        },
        {
            "sales": [
                {
                    "event": 3,
                    "proceeds": 475,
                    "cost": 400,
                    "gain": 75,
                    "lots": [
                        {"lot": 1, "qty": 4, "cost": 300, "days": 51},
                        {"lot": 0, "qty": 2, "cost": 100, "days": 60},
                    ],
                }
            ],
            "open": [{"lot": 0, "symbol": "AX", "qty": 4, "cost": 201}],
            "realized": 75,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            {
                "method": "lifo",
                "events": [
                    _bought(3, 100, 1, symbol="AX", day="2024-01-30"),
                    _bought(1, 90, symbol="AX", day="2024-02-10"),
                    _divided(2, 1, symbol="AX", day="2024-02-20"),
                    _sold(5, 60, 4, symbol="AX", day="2024-03-01"),
                ],
            },
            _report(
                55, [_sale(3, 296, 241, 55, (1, 2, 90, 20), (0, 3, 151, 31))], (0, "AX", 3, 150)
            ),
        ),
        Case({"events": [_bought(3, 10), _sold(2, 12), _divided(3, 2)]}, error="fractional_split"),
    ),
    malformed=(
        {"method": "FIFO", "events": []},
        {"method": None, "events": []},
        {"method": "average", "events": []},
        {"events": {}},
        {"events": [[]]},
        {"events": [{**_bought(1, 1), "type": "Buy"}]},
        {"events": [{**_bought(1, 1), "type": "transfer"}]},
        {"events": [{**_bought(1, 1), "type": ["buy"]}]},
        {"events": [{"date": "2024-01-01", "symbol": "a", "qty": 1, "price": 1}]},
        {"events": [{"type": "buy", "date": "2024-01-01", "symbol": "a", "price": 1}]},
        {"events": [{"type": "sell", "date": "2024-01-01", "symbol": "a", "qty": 1}]},
        {"events": [{"type": "split", "date": "2024-01-01", "symbol": "a", "num": 2}]},
        {"events": [{**_divided(2, 1), "type": "buy"}]},
        {"events": [_bought(0, 1)]},
        {"events": [_bought(1_000_001, 1)]},
        {"events": [_bought(1, -1)]},
        {"events": [{**_bought(1, 1), "qty": True}]},
        {"events": [{**_bought(1, 1), "qty": 1.0}]},
        {"events": [{**_bought(1, 1), "qty": "1"}]},
        {"events": [{**_bought(1, 1), "fee": None}]},
        {"events": [_bought(1, 1), _sold(1, 1, -1)]},
        {"events": [_bought(1, 1, day="2023-02-29")]},
        {"events": [_bought(1, 1, day="2100-02-29")]},
        {"events": [_bought(1, 1, day="1899-12-31")]},
        {"events": [_bought(1, 1, day="2024-1-01")]},
        {"events": [_bought(1, 1, day="20240101")]},
        {"events": [_bought(1, 1, day="2024-01-01T00:00:00")]},
        {"events": [_bought(1, 1, symbol="")]},
        {"events": [_bought(1, 1, symbol="e\u0301" * 20 + "a")]},
        {"events": [_divided(0, 1)]},
        {"events": [_divided(1, 0)]},
        {"events": [_divided(1, 101)]},
        {"events": [{**_divided(1, 1), "den": False}]},
    ),
)
