"""Bank reconciliation: which lines of a bank account and entries of a ledger belong together."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import combinations
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import (
    Array,
    Checked,
    Integer,
    Nullable,
    Record,
    Text,
    calendar_date,
    label,
    optional,
    required,
)

_SUMMARY = """\
Matches the lines of a bank account with the entries of a ledger. A line is an element of `bank`,
an entry is an element of `ledger`. The position of a line or an entry is its place in its list,
counted from 0. "In order" means in ascending order of positions.

- The distance of a line and an entry is the number of days between their dates, never negative.
  They are near each other if the distance is not greater than `window_days`.
- The key of a line or an entry is made of its `ref`: remove all characters but the ASCII letters
  and the ASCII digits, then turn the letters to upper case. If nothing is left or `ref` is `null`,
  it has no key.

At first all lines and entries are free. What is matched is not free any more. There are four
phases, one after the other:

1. `reference`: go through the lines in order. If a line has a key, match it with the first free
   entry that has the same key and the same amount. The distance does not matter.
2. `exact`: take all pairs of a free line and a free entry that have the same amount and are near
   each other. Go through all these pairs in ascending order of the distance, then of the position
   of the line, then of the position of the entry. Match each pair of which both are still free.
3. `split_ledger`: go through the free lines in order. For each, look for a set of 2 or 3 free
   entries that are all near the line and whose amounts add up to the amount of the line. Match
   the line with the first such set. Sets of 2 come before sets of 3. To order two sets of one
   size, write the positions of each in ascending order and compare the first position, then the
   second, then the third: (0, 5) comes before (1, 2).
4. `split_bank`: the same with the roles exchanged: go through the free entries in order, and look
   for sets of 2 or 3 free lines for each."""

_RESULT = """\
An object with these members:

- `matches`: an array with one object for each match, in the order in which they were made:
  `{"rule": r, "bank": [...], "ledger": [...]}`. `rule` is the name of the phase. `bank` and
  `ledger` are the arrays of the `id` of the matched lines and entries, in order.
- `unmatched_bank`, `unmatched_ledger`: the arrays of the `id` of the lines and of the entries that
  are still free at the end, in order.
- `difference`: the sum of the amounts of the free lines minus the sum of the amounts of the free
  entries."""

_RULES = """\
- Amounts have a sign, and a set can have amounts of both signs.
- The members of a set need not be near each other.
- What phase 1 does not match can still be matched by a later phase.
- The same `id` in both lists is no error and means nothing. Ids are compared exactly."""


@dataclass(frozen=True, slots=True)
class _Item:
    """A line or an entry."""

    position: int
    name: str
    day: date
    amount: int
    key: str


@dataclass(slots=True)
class _Books:
    """What is free of both lists, in order, and the matches that were made."""

    bank: list[_Item]
    ledger: list[_Item]
    window: int
    matches: list[Json] = field(default_factory=list)

    def match(self, rule: str, lines: Sequence[_Item], entries: Sequence[_Item]) -> None:
        self.matches.append({"rule": rule, "bank": _names(lines), "ledger": _names(entries)})
        self.bank = [line for line in self.bank if line not in lines]
        self.ledger = [entry for entry in self.ledger if entry not in entries]

    def match_references(self) -> None:
        for line in self.bank:
            for entry in self.ledger:
                if line.key and (line.key, line.amount) == (entry.key, entry.amount):
                    self.match("reference", [line], [entry])
                    break

    def match_pairs(self) -> None:
        pairs = [
            (_distance(line, entry), line.position, entry.position, line, entry)
            for line in self.bank
            for entry in self.ledger
            if line.amount == entry.amount and _distance(line, entry) <= self.window
        ]
        for *_, line, entry in sorted(pairs, key=lambda pair: pair[:3]):
            if line in self.bank and entry in self.ledger:
                self.match("exact", [line], [entry])

    def split_ledger(self) -> None:
        for line in self.bank:
            if parts := self._parts(line, self.ledger):
                self.match("split_ledger", [line], parts)

    def split_bank(self) -> None:
        for entry in self.ledger:
            if parts := self._parts(entry, self.bank):
                self.match("split_bank", parts, [entry])

    def _parts(self, whole: _Item, others: Sequence[_Item]) -> Sequence[_Item]:
        """The first set whose amounts add up; none if there is no such set."""
        near = [other for other in others if _distance(whole, other) <= self.window]
        for size in (2, 3):
            for parts in combinations(near, size):
                if _total(parts) == whole.amount:
                    return parts
        return ()


def _evaluate(fields: Mapping[str, Any]) -> Json:
    for listed in (fields["bank"], fields["ledger"]):
        if len({item["id"] for item in listed}) < len(listed):
            raise DomainError("duplicate_id")
    books = _Books(_items(fields["bank"]), _items(fields["ledger"]), fields["window_days"])
    books.match_references()
    books.match_pairs()
    books.split_ledger()
    books.split_bank()
    return {
        "matches": books.matches,
        "unmatched_bank": _names(books.bank),
        "unmatched_ledger": _names(books.ledger),
        "difference": _total(books.bank) - _total(books.ledger),
    }


def _items(listed: Iterable[Mapping[str, Any]]) -> list[_Item]:
    return [
        _Item(
            position,
            item["id"],
            date.fromisoformat(item["date"]),
            item["amount"],
            re.sub("[^A-Za-z0-9]", "", item.get("ref") or "").upper(),
        )
        for position, item in enumerate(listed)
    ]


def _distance(one: _Item, other: _Item) -> int:
    return abs((one.day - other.day).days)


def _total(items: Iterable[_Item]) -> int:
    return sum(item.amount for item in items)


def _names(items: Iterable[_Item]) -> list[Json]:
    return [item.name for item in items]


def _generate(rng: random.Random) -> dict[str, Json]:
    """Groups of lines and entries that fit together, with some that fit nothing, shuffled."""
    start = rng.choice([date(2024, 2, 26), date(2023, 12, 28), date(2100, 2, 26)])
    bank: list[dict[str, Json]] = []
    ledger: list[dict[str, Json]] = []
    for _ in range(rng.choice([0, 1, 3, 5, 6, 7])):
        one, other = rng.sample([bank, ledger], 2)
        kind = rng.choice(["pair", "pair", "reference", "reference", "split", "split", "loose"])
        parts = [_draw_amount(rng) for _ in range(rng.randint(2, 3) if kind == "split" else 1)]
        ref = rng.choice(_REFS) if kind == "reference" or rng.random() < 0.1 else None
        if kind != "loose":
            whole = sum(parts) or 1
            other.append(_draw_item(rng, start, whole, ref))
        one += [_draw_item(rng, start, amount, ref and _respelled(rng, ref)) for amount in parts]
    drawn: dict[str, Json] = {}
    for name, items in (("bank", bank), ("ledger", ledger)):
        rng.shuffle(items)
        names = rng.sample(_IDS, len(items))
        drawn[name] = [{"id": id_, **item} for id_, item in zip(names, items, strict=True)]
    if rng.random() < 0.75:
        drawn["window_days"] = rng.choice([0, 1, 2, 3, 5, 60])
    longer = rng.choice([side for side in (bank, ledger) if len(side) > 1] or [[]])
    if longer and rng.random() < 0.3:
        listed = drawn["bank" if longer is bank else "ledger"]
        listed[-1]["id"] = listed[0]["id"]
    return drawn


def _draw_item(rng: random.Random, start: date, amount: int, ref: str | None) -> dict[str, Json]:
    day = start + timedelta(days=rng.choice([0, 1, 2, 3, 3, 4, 5, 6, 9]))
    item: dict[str, Json] = {"date": day.isoformat(), "amount": amount}
    return {**item, "ref": ref} if ref is not None or rng.random() < 0.2 else item


def _draw_amount(rng: random.Random) -> int:
    return rng.choice([1, 1, 2, 2, 3, 4, 5, -1, -2, -3, 100, 250, 250, 10**11])


def _respelled(rng: random.Random, ref: str) -> str:
    """A text with mostly the same key."""
    return rng.choice(
        [ref.lower(), ref.upper(), f"#{ref[:38]}.", ref.replace("-", " "), f"0{ref[:39]}"]
    )


_REFS = (
    "INV-7",
    "inv 12",
    "a",
    "Ref:ä1",
    "ref:A1",
    "ß",
    "--",
    "",
    "№ 7",
    "\U0001f4b07",
    "e\u0301-7",
)

_IDS = (
    *("1", "2", "3", "10", "a", "A", "b", "x-1", "x-2", "é", "e\u0301", "日", "\U0001f4b6", " "),
    *("\u2028", "p", "q", "r", "s", "t", "u", "v", "w", "z"),
)


def _item(name: str, amount: int, day: str = "2024-05-10", ref: str | None = None) -> Json:
    item = {"id": name, "date": day, "amount": amount}
    return item if ref is None else {**item, "ref": ref}


def _input(bank: list[Json], ledger: list[Json], **window: Json) -> dict[str, Json]:
    return {"bank": bank, "ledger": ledger, **window}


def _few(prefix: str, *amounts: int) -> list[Json]:
    """Items of one day, named by a letter and their position."""
    return [_item(f"{prefix}{position}", amount) for position, amount in enumerate(amounts)]


def _report(
    difference: int, *matches: tuple[str, str, str], bank: str = "", ledger: str = ""
) -> Json:
    """A result in short; ids are separated by spaces."""
    return {
        "matches": [
            {"rule": rule, "bank": lines.split(), "ledger": entries.split()}
            for rule, lines, entries in matches
        ],
        "unmatched_bank": bank.split(),
        "unmatched_ledger": ledger.split(),
        "difference": difference,
    }


_BOUNDARIES = (
    # Keys: letters and digits of ASCII only, upper case after the rest has been removed.
    Case(
        _input([_item("x", 100, ref="é--")], [_item("x", 100, "2024-05-14", "é--")]),
        _report(0, bank="x", ledger="x"),
    ),
    Case(
        _input(
            [_item("b", 5, ref="inv 007")],
            [_item("l", 5, "2024-01-01", "INV-7"), _item("m", 5, "2025-01-01", "Inv007!")],
        ),
        _report(-5, ("reference", "b", "m"), ledger="l"),
    ),
    Case(
        _input(
            [_item("b", 5, ref="007")],
            [_item("l", 5, "2024-06-10", "7"), _item("m", 5, "2024-06-11", "00-7")],
        ),
        _report(-5, ("reference", "b", "m"), ledger="l"),
    ),
    Case(
        _input(
            [_item("b", 5, ref="ß"), _item("c", 6, ref="ı"), _item("d", 7, ref="ſ")],
            [
                _item("l", 5, "2024-06-10", "SS"),
                _item("m", 6, "2024-06-10", "I"),
                _item("n", 7, "2024-06-10", "s"),
            ],
        ),
        _report(0, bank="b c d", ledger="l m n"),
    ),
    Case(
        _input(
            [
                _item("b", 5, ref="Ä1"),
                _item("c", 6, ref="１２"),
                _item("d", 7, ref="\U0001f6007_a"),
            ],
            [
                _item("l", 7, "2024-06-10", "7A"),
                _item("m", 5, "2024-06-10", "1"),
                _item("n", 6, "2024-06-10", "１２"),
            ],
        ),
        _report(0, ("reference", "b", "m"), ("reference", "d", "l"), bank="c", ledger="n"),
    ),
    Case(
        _input(
            [{**_item("b", 5), "ref": None}, _item("c", 6, ref="")],
            [_item("l", 5, "2024-06-10", "none"), _item("m", 6, "2024-05-11", "")],
        ),
        _report(0, ("exact", "c", "m"), bank="b", ledger="l"),
    ),
    # References: first to first, whatever the dates; the amount has to be the same.
    Case(
        _input(
            [_item("b", 5, ref="A"), _item("c", 5, ref="a")],
            [_item("l", 5, "2199-12-31", "a."), _item("m", 5, "2024-05-10", "a")],
        ),
        _report(0, ("reference", "b", "l"), ("reference", "c", "m")),
    ),
    Case(
        _input(
            [_item("b", 5, ref="A")],
            [_item("k", -5, ref="A"), _item("l", 6, ref="A"), _item("m", 5, ref="B")],
        ),
        _report(-1, ("exact", "b", "m"), ledger="k l"),
    ),
    Case(
        _input([_item("b", 5, ref="A")], [_item("l", 5), _item("m", 5, "2024-08-10", "A")]),
        _report(-5, ("reference", "b", "m"), ledger="l"),
    ),
    Case(
        _input([_item("b", 5), _item("c", 5, ref="A")], [_item("l", 5, "2024-06-10", "A")]),
        _report(5, ("reference", "c", "l"), bank="b"),
    ),
    # The window: 3 days by default, in both directions, over the end of a month.
    Case(
        _input(
            [_item("b", 5, "2024-02-28"), _item("c", 6, "2024-03-02")],
            [_item("l", 5, "2024-03-02"), _item("m", 6, "2024-02-28")],
        ),
        _report(0, ("exact", "b", "l"), ("exact", "c", "m")),
    ),
    Case(
        _input(
            [_item("b", 5, "2024-02-28"), _item("c", 6, "2024-03-03")],
            [_item("l", 5, "2024-03-03"), _item("m", 6, "2024-02-28")],
        ),
        _report(0, bank="b c", ledger="l m"),
    ),
    Case(
        _input(
            [_item("b", 5, "2024-01-01"), _item("c", 6, "2024-01-01")],
            [_item("l", 5, "2024-03-02"), _item("m", 6, "2024-03-01")],
            window_days=60,
        ),
        _report(0, ("exact", "c", "m"), bank="b", ledger="l"),
    ),
    Case(
        _input(
            [_item("b", 5, "2023-12-31"), _item("c", 6)],
            [_item("l", 5, "2024-01-01"), _item("m", 6)],
            window_days=0,
        ),
        _report(0, ("exact", "c", "m"), bank="b", ledger="l"),
    ),
    # Pairs of one amount: the nearest first, over all lines; then by position.
    Case(
        _input(
            [_item("b", 5, "2024-05-10"), _item("c", 5, "2024-05-12")],
            [_item("l", 5, "2024-05-12")],
        ),
        _report(5, ("exact", "c", "l"), bank="b"),
    ),
    Case(
        _input(
            [_item("b", 5, "2024-05-10"), _item("c", 5, "2024-05-12")],
            [_item("l", 5, "2024-05-11")],
        ),
        _report(5, ("exact", "b", "l"), bank="c"),
    ),
    Case(
        _input(
            [_item("b", 5, "2024-05-10")],
            [_item("l", 5, "2024-05-11"), _item("m", 5, "2024-05-09")],
        ),
        _report(-5, ("exact", "b", "l"), ledger="m"),
    ),
    Case(
        _input(
            [_item("b", 5, "2024-05-12"), _item("c", 5, "2024-05-10")],
            [_item("l", 5, "2024-05-09"), _item("m", 5, "2024-05-11")],
        ),
        _report(0, ("exact", "b", "m"), ("exact", "c", "l")),
    ),
    # Sets: pairs before triples, then by positions.
    Case(
        _input(_few("b", 6), _few("l", 1, 2, 3, 4, 2)),
        _report(-6, ("split_ledger", "b0", "l1 l3"), ledger="l0 l2 l4"),
    ),
    Case(
        _input(_few("b", 6), _few("l", 1, 2, 4, 9, 9, 5)),
        _report(-24, ("split_ledger", "b0", "l0 l5"), ledger="l1 l2 l3 l4"),
    ),
    Case(
        _input(_few("b", 9), _few("l", 2, 3, 1, 4, 5)),
        _report(-6, ("split_ledger", "b0", "l3 l4"), ledger="l0 l1 l2"),
    ),
    Case(
        _input(_few("b", 60), _few("l", 10, 7, 20, 7, 30, 13)),
        _report(-27, ("split_ledger", "b0", "l0 l2 l4"), ledger="l1 l3 l5"),
    ),
    Case(_input(_few("b", 10), _few("l", 1, 2, 3, 4)), _report(0, bank="b0", ledger="l0 l1 l2 l3")),
    Case(
        _input(_few("x", 5), _few("l", 9, 6, -1, -4), window_days=0),
        _report(-5, ("split_ledger", "x0", "l0 l3"), ledger="l1 l2"),
    ),
    Case(
        _input(_few("b", 10**12, -(10**12)), _few("l", 10**12 - 1, 1, -1, 1 - 10**12)),
        _report(0, ("split_ledger", "b0", "l0 l1"), ("split_ledger", "b1", "l2 l3")),
    ),
    # Each member of a set is near the whole, and not always near the others.
    Case(
        _input(_few("b", 5), [_item("l", 2, "2024-05-07"), _item("m", 3, "2024-05-13")]),
        _report(0, ("split_ledger", "b0", "l m")),
    ),
    Case(
        _input(
            _few("b", 5),
            [
                _item("k", 1),
                _item("l", 2),
                _item("m", 3, "2024-05-14"),
                _item("n", 4, "2024-05-07"),
            ],
        ),
        _report(-5, ("split_ledger", "b0", "k n"), ledger="l m"),
    ),
    # What is matched is gone: for later phases and for later lines.
    Case(
        _input(_few("b", 3, 5), _few("l", 3, 2)),
        _report(3, ("exact", "b0", "l0"), bank="b1", ledger="l1"),
    ),
    Case(
        _input(_few("b", 5, 5, 5), _few("l", 2, 3, 1, 4)),
        _report(5, ("split_ledger", "b0", "l0 l1"), ("split_ledger", "b1", "l2 l3"), bank="b2"),
    ),
    Case(
        _input(_few("b", 5, -3), _few("l", 2, 3)),
        _report(-3, ("split_ledger", "b0", "l0 l1"), bank="b1"),
    ),
    # The other way round.
    Case(
        _input(_few("b", 1, 2, 3), _few("l", 6, 4)),
        _report(-4, ("split_bank", "b0 b1 b2", "l0"), ledger="l1"),
    ),
    Case(
        _input(_few("b", 1, 2, 4), _few("l", 3, 5)),
        _report(-1, ("split_bank", "b0 b1", "l0"), bank="b2", ledger="l1"),
    ),
    Case(
        _input(
            [_item("b", 2, "2024-05-13"), _item("c", 3, "2024-05-06"), _item("d", 3, "2024-05-08")],
            _few("l", 5),
        ),
        _report(3, ("split_bank", "b d", "l0"), bank="c"),
    ),
    # Nothing at all; ids that differ, and ids that do not.
    Case(_input([], []), _report(0)),
    Case(
        _input([_item("é", 1), _item("e\u0301", 2), _item("E", 4)], [_item("é", 8)]),
        _report(-1, bank="é e\u0301 E", ledger="é"),
    ),
    Case(_input([], _few("p", 9)[:1] * 2), error="duplicate_id"),
    Case(
        _input([_item("p", 1), _item("q", 2), _item("p", 3, "2024-05-11")], [_item("r", 1)]),
        error="duplicate_id",
    ),
)

_AMOUNT = Checked(
    Integer(-(10**12), 10**12),
    bool,
    "an integer from -1000000000000 to 1000000000000, but not 0",
    (1, -1, 10**12, -(10**12)),
    (0,),
)

_LISTED = Array(
    Record(
        (
            required("id", label()),
            required("date", calendar_date()),
            required("amount", _AMOUNT),
            optional("ref", Nullable(Text(0, 40)), None),
        )
    ),
    0,
    40,
)

FAMILY = Family(
    number=35,
    slug="bank-reconciliation",
    title="Bank reconciliation",
    category="ledgers",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required("bank", _LISTED, "The lines of the bank account."),
        required("ledger", _LISTED, "The entries of the ledger."),
        optional("window_days", Integer(0, 60), 3, "The greatest distance that is near."),
    ),
    result=_RESULT,
    errors=(ErrorCode("duplicate_id", "Two lines have the same `id`, or two entries have."),),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "bank": [
                _item("b1", 500, "2024-05-10", "inv-7"),
                _item("b2", 300, "2024-05-10"),
                _item("b3", 300, "2024-05-12"),
                _item("b4", 900, "2024-05-20"),
                _item("b5", 70, "2024-05-21"),
                _item("b6", 80, "2024-05-21"),
                _item("b7", -5, "2024-05-30"),
            ],
            "ledger": [
                _item("l1", 500, "2024-05-01", "INV 7"),
                _item("l2", 300, "2024-05-12"),
                _item("l3", 400, "2024-05-19"),
                _item("l4", 500, "2024-05-22"),
                _item("l5", 150, "2024-05-20"),
                _item("l6", 300, "2024-05-13"),
            ],
        },
        {
            "matches": [
                {"rule": "reference", "bank": ["b1"], "ledger": ["l1"]},
                {"rule": "exact", "bank": ["b3"], "ledger": ["l2"]},
                {"rule": "exact", "bank": ["b2"], "ledger": ["l6"]},
                {"rule": "split_ledger", "bank": ["b4"], "ledger": ["l3", "l4"]},
                {"rule": "split_bank", "bank": ["b5", "b6"], "ledger": ["l5"]},
            ],
            "unmatched_bank": ["b7"],
            "unmatched_ledger": [],
            "difference": -5,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _input(
                [
                    _item("b1", 80, "2024-05-10"),
                    _item("b2", 60, "2024-05-10", "no. 4/a"),
                    _item("b3", 80, "2024-05-12"),
                    _item("b4", 25, "2024-05-20"),
                    _item("b5", 15, "2024-05-18"),
                ],
                [
                    _item("e1", 60, "2024-05-10"),
                    _item("e2", 60, "2024-04-01", "No4A"),
                    _item("e3", 80, "2024-05-13"),
                    _item("e4", 40, "2024-05-19", "x"),
                    _item("e5", 20, "2024-05-08"),
                ],
                window_days=2,
            ),
            _report(
                0,
                ("reference", "b2", "e2"),
                ("exact", "b3", "e3"),
                ("split_ledger", "b1", "e1 e5"),
                ("split_bank", "b4 b5", "e4"),
            ),
        ),
        Case(_input([_item("a", 1)], [_item("b", 1), _item("b", 2)]), error="duplicate_id"),
    ),
    malformed=(
        {"bank": []},
        {"ledger": []},
        _input([_item("a", 0)], []),
        _input([], [_item("a", 10**12 + 1)]),
        _input([_item("a", True)], []),
        _input([{"id": "a", "date": "2024-05-10", "amount": 1.0}], []),
        _input([{"id": "a", "date": "2024-05-10", "amount": "1"}], []),
        _input([{"id": "a", "date": "2024-05-10"}], []),
        _input([], [{"id": "a", "amount": 1}]),
        _input([], [{"date": "2024-05-10", "amount": 1}]),
        _input([_item("", 1)], []),
        _input([_item("a" * 41, 1)], []),
        _input([{"id": 1, "date": "2024-05-10", "amount": 1}], []),
        _input([_item("a", 1, "2024-5-10")], []),
        _input([_item("a", 1, "2023-02-29")], []),
        _input([_item("a", 1, "2024-05-10T00:00:00")], []),
        _input([], [_item("a", 1, ref="r" * 41)]),
        _input([], [{**_item("a", 1), "ref": 7}]),
        _input([], [{**_item("a", 1), "ref": ["r"]}]),
        _input([["a", "2024-05-10", 1]], []),
        {"bank": None, "ledger": []},
        {"bank": {}, "ledger": []},
        _input(_few("b", *range(1, 42)), []),
        _input([], [], window_days=-1),
        _input([], [], window_days=61),
        _input([], [], window_days=3.0),
        _input([], [], window_days=None),
        _input([], [], window_days=True),
    ),
)
