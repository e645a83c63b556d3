"""Trial balance: journal entries checked and posted, with the balances of all accounts."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import (
    Array,
    Choice,
    Integer,
    Nullable,
    Record,
    calendar_date,
    label,
    optional,
    required,
)

_SUMMARY = """\
Posts the entries of a journal to accounts and reports the balances. All money is in whole cents,
as integers.

- A line of an entry books its `debit` or its `credit` on the account whose `code` is equal to the
  `account` of the line.
- An entry is posted if `as_of` is `null` or if the `date` of the entry is not after `as_of`. All
  other entries have no effect on the result. But they are checked for errors too.
- The debit of an account is the sum of `debit` over all lines of posted entries that name the
  account. Its credit is the sum of `credit` over the same lines.
- The balance of an account depends on its `type`. For `asset` and `expense` it is debit minus
  credit. For `liability`, `equity` and `income` it is credit minus debit."""

_RESULT = """\
An object with these members. All numbers are integers; balances and their sums can be negative.

- `accounts`: one object for each account, with or without lines, in ascending order of `code` by
  code point: `{"code": c, "debit": n, "credit": n, "balance": n}`.
- `total_debit`, `total_credit`: the sum of all `debit` and the sum of all `credit` in `accounts`.
- `net_income`: the sum of the balances of the `income` accounts minus the sum of the balances of
  the `expense` accounts.
- `assets`, `liabilities`, `equity`: the sum of the balances of the `asset`, of the `liability` and
  of the `equity` accounts.
- `posted`: the number of posted entries."""

_RULES = """\
- `equity` does not contain the net income.
- The entries can be in any order of dates.
- Several lines of one entry can name the same account, also on both sides.
- Codes are compared exactly: `a` and `A` are different."""

_SIGNS = {"asset": 1, "expense": 1, "liability": -1, "equity": -1, "income": -1}


def _evaluate(fields: Mapping[str, Any]) -> Json:
    types = {account["code"]: account["type"] for account in fields["accounts"]}
    if len(types) < len(fields["accounts"]):
        raise DomainError("duplicate_account")
    for entry in fields["entries"]:
        _check(entry["lines"], types)
    as_of = fields["as_of"]
    posted = [entry for entry in fields["entries"] if as_of is None or entry["date"] <= as_of]
    debits, credits = dict.fromkeys(types, 0), dict.fromkeys(types, 0)
    for line in (line for entry in posted for line in entry["lines"]):
        debits[line["account"]] += line.get("debit", 0)
        credits[line["account"]] += line.get("credit", 0)
    balances = {code: _SIGNS[types[code]] * (debits[code] - credits[code]) for code in types}
    sums = dict.fromkeys(_SIGNS, 0)
    for code, balance in balances.items():
        sums[types[code]] += balance
    return {
        "accounts": [
            {"code": c, "debit": debits[c], "credit": credits[c], "balance": balances[c]}
            for c in sorted(types)
        ],
        "total_debit": sum(debits.values()),
        "total_credit": sum(credits.values()),
        "net_income": sums["income"] - sums["expense"],
        "assets": sums["asset"],
        "liabilities": sums["liability"],
        "equity": sums["equity"],
        "posted": len(posted),
    }


def _check(lines: list[Mapping[str, Any]], types: Mapping[str, str]) -> None:
    if any(line["account"] not in types for line in lines):
        raise DomainError("unknown_account")
    sides = [(line.get("debit", 0), line.get("credit", 0)) for line in lines]
    if any((debit > 0) == (credit > 0) for debit, credit in sides):
        raise DomainError("bad_line")
    if sum(debit - credit for debit, credit in sides):
        raise DomainError("unbalanced_entry")


def _generate(rng: random.Random) -> dict[str, Json]:
    codes = rng.sample(_CODES, rng.randint(2, 8))
    accounts: list[Json] = [{"code": code, "type": rng.choice(list(_SIGNS))} for code in codes]
    entries = [_draw_entry(rng, codes) for _ in range(rng.choice([0, 1, 2, 4, 6, 9]))]
    if rng.random() < 0.07:
        accounts.append({"code": rng.choice(codes), "type": rng.choice(list(_SIGNS))})
    if entries and rng.random() < 0.27:
        for _ in range(rng.randint(1, 2)):
            _spoil(rng, rng.choice(entries)["lines"])
    drawn: dict[str, Json] = {"accounts": accounts, "entries": entries}
    if rng.random() < 0.8:
        drawn["as_of"] = rng.choice([None, *_DATES])
    return drawn


def _draw_entry(rng: random.Random, codes: list[str]) -> dict[str, Json]:
    """An entry in balance: some amounts on one side, the same or their sum on the other."""
    amounts = [rng.choice([1, 2, 99, 500, 1_200, 10**12]) for _ in range(rng.randint(1, 3))]
    whole = sum(amounts)
    others = [whole] if whole <= 10**12 and rng.random() < 0.6 else amounts
    sides = rng.sample(["debit", "credit"], 2)
    lines: list[Json] = []
    for side, other, sums in ((*sides, amounts), (*reversed(sides), others)):
        for amount in sums:
            zero = {other: 0} if rng.random() < 0.2 else {}
            lines.append({"account": rng.choice(codes), side: amount, **zero})
    rng.shuffle(lines)
    return {"date": rng.choice(_DATES), "lines": lines}


def _spoil(rng: random.Random, lines: list[dict[str, Json]]) -> None:
    """One mistake in an entry."""
    line = rng.choice(lines)
    side = "debit" if line.get("debit") else "credit"
    kind = rng.choice(["account", "both", "neither", "sum"])
    if kind == "account":
        line["account"] = rng.choice(["a ", "?", "e\u0301\u0301", "\U0001f4b1"])
    elif kind == "both":
        line["debit"] = line["credit"] = rng.randint(1, 500)
    elif kind == "neither":
        line.pop(side, None)
    else:
        line[side] = max(1, line.get(side, 0) - 1) if rng.random() < 0.5 else 3


_CODES = (
    *("1000", "2000", "10", "3000", "a", "A", "Z", "cash", "Cash", " ", "ä", "a\u0308", "日本"),
    *("ｚ", "\U0001f4b0", "\U0001f4b0\ufe0f", "\u2028", "\ufffd"),
)

_DATES = (
    *("2023-12-31", "2024-01-01", "2024-02-28", "2024-02-29", "2024-03-01", "2024-03-01"),
    *("2024-10-09", "1900-01-01", "2199-12-31"),
)


def _input(accounts: Mapping[str, str], *entries: Json, **as_of: Json) -> dict[str, Json]:
    listed = [{"code": code, "type": type_} for code, type_ in accounts.items()]
    return {"accounts": listed, "entries": list(entries), **as_of}


def _entry(*lines: Json, date: str = "2024-01-01") -> dict[str, Json]:
    return {"date": date, "lines": list(lines)}


def _debit(account: str, amount: int) -> dict[str, Json]:
    return {"account": account, "debit": amount}


def _credit(account: str, amount: int) -> dict[str, Json]:
    return {"account": account, "credit": amount}


def _report(accounts: Mapping[str, tuple[int, int, int]], total: int, **others: int) -> Json:
    """A result in short; what is not given of the other members is 0."""
    names = ("debit", "credit", "balance")
    return {
        "accounts": [
            {"code": code, **dict(zip(names, sums, strict=True))} for code, sums in accounts.items()
        ],
        "total_debit": total,
        "total_credit": total,
        **dict.fromkeys(("net_income", "assets", "liabilities", "equity", "posted"), 0),
        **others,
    }


_CHART = {"4000": "income", "1000": "asset", "3000": "equity", "5000": "expense"}
_TWO = {"a": "asset", "b": "liability"}
_EACH = {"a": "asset", "b": "liability", "c": "equity", "d": "income", "e": "expense"}

_BOUNDARIES = (
    # One account on both sides, and in several lines.
    Case(
        _input({"ä": "asset"}, _entry(_debit("ä", 5), _credit("ä", 5))),
        _report({"ä": (5, 5, 0)}, 5, posted=1),
    ),
    Case(
        _input(_TWO, _entry(_debit("a", 2), _credit("b", 9), _debit("a", 8), _credit("a", 1))),
        _report({"a": (10, 1, 9), "b": (0, 9, 9)}, 10, assets=9, liabilities=9, posted=1),
    ),
    # The sign of the balance of each type, in both directions.
    Case(
        _input(
            _EACH,
            _entry(
                _debit("a", 1),
                _debit("b", 20),
                _debit("c", 300),
                _debit("d", 4_000),
                _debit("e", 50_000),
                _credit("a", 54_321),
            ),
        ),
        _report(
            {
                "a": (1, 54_321, -54_320),
                "b": (20, 0, -20),
                "c": (300, 0, -300),
                "d": (4_000, 0, -4_000),
                "e": (50_000, 0, 50_000),
            },
            54_321,
            net_income=-54_000,
            assets=-54_320,
            liabilities=-20,
            equity=-300,
            posted=1,
        ),
    ),
    Case(
        _input(
            {**_EACH, "f": "income", "g": "expense"},
            _entry(_credit("d", 7), _credit("f", 40), _debit("a", 47)),
            _entry(_credit("e", 3), _debit("g", 10), _credit("b", 7)),
        ),
        _report(
            {
                "a": (47, 0, 47),
                "b": (0, 7, 7),
                "c": (0, 0, 0),
                "d": (0, 7, 7),
                "e": (0, 3, -3),
                "f": (0, 40, 40),
                "g": (10, 0, 10),
            },
            57,
            net_income=40,
            assets=47,
            liabilities=7,
            posted=2,
        ),
    ),
    # Accounts in order of code points; neither UTF-16 order nor normalized.
    Case(
        _input(dict.fromkeys(("\U0001f600", "ｚ", "é", "e\u0301", "a", "Z", "10", "9"), "equity")),
        _report(
            dict.fromkeys(("10", "9", "Z", "a", "e\u0301", "é", "ｚ", "\U0001f600"), (0, 0, 0)), 0
        ),
    ),
    # Dates: the day itself is posted, the next is not; the order of the entries is free.
    Case(
        _input(
            _TWO,
            _entry(_debit("a", 4), _credit("b", 4), date="2024-03-01"),
            _entry(_debit("a", 2), _credit("b", 2), date="2024-02-29"),
            _entry(_debit("a", 1), _credit("b", 1), date="1900-01-01"),
            as_of="2024-02-29",
        ),
        _report({"a": (3, 0, 3), "b": (0, 3, 3)}, 3, assets=3, liabilities=3, posted=2),
    ),
    Case(
        _input(_TWO, _entry(_debit("b", 4), _credit("a", 4), date="2199-12-31"), as_of=None),
        _report({"a": (0, 4, -4), "b": (4, 0, -4)}, 4, assets=-4, liabilities=-4, posted=1),
    ),
    Case(
        _input(_TWO, _entry(_debit("a", 4), _credit("b", 4)), as_of="2023-12-31"),
        _report({"a": (0, 0, 0), "b": (0, 0, 0)}, 0),
    ),
    # Zeros that are written out, members that are not named, sums beyond the limit of an amount.
    Case(
        _input(
            _TWO,
            _entry({**_debit("a", 6), "credit": 0, "memo": 1}, {**_credit("b", 6), "debit": 0}),
        ),
        _report({"a": (6, 0, 6), "b": (0, 6, 6)}, 6, assets=6, liabilities=6, posted=1),
    ),
    Case(
        _input(
            _TWO,
            _entry(*[_debit("a", 10**12)] * 3, *[_credit("b", 10**12)] * 3),
            _entry(_credit("b", 1), _debit("a", 1)),
        ),
        _report(
            {"a": (3 * 10**12 + 1, 0, 3 * 10**12 + 1), "b": (0, 3 * 10**12 + 1, 3 * 10**12 + 1)},
            3 * 10**12 + 1,
            assets=3 * 10**12 + 1,
            liabilities=3 * 10**12 + 1,
            posted=2,
        ),
    ),
    # Repeated codes come before everything else.
    Case(
        {"accounts": [{"code": "4000", "type": "income"}] * 2, "entries": []},
        error="duplicate_account",
    ),
    Case(
        {
            "accounts": [
                {"code": "x", "type": "income"},
                {"code": "y", "type": "asset"},
                {"code": "x", "type": "expense"},
            ],
            "entries": [_entry(_debit("z", 1))],
        },
        error="duplicate_account",
    ),
    # Entries one after the other: the first that has an error decides.
    Case(
        _input(_CHART, _entry(_debit("1000", 1), _credit("3000", 2)), _entry(_debit("x", 1))),
        error="unbalanced_entry",
    ),
    Case(
        _input(_TWO, _entry(_debit("a", 1), {"account": "b"}), _entry(_debit("x", 1))),
        error="bad_line",
    ),
    Case(
        _input(
            _TWO,
            _entry(_debit("a", 1), _credit("b", 1)),
            _entry(_debit("x", 1), _credit("b", 1), date="2024-05-01"),
            _entry(_debit("a", 1), date="2024-01-01"),
            as_of="2024-02-01",
        ),
        error="unknown_account",
    ),
    # Within an entry each error is looked for in all lines before the next.
    Case(_input(_CHART, _entry({"account": "x"})), error="unknown_account"),
    Case(
        _input(_TWO, _entry({"account": "a"}, _debit("a", 3), _credit("B", 3))),
        error="unknown_account",
    ),
    Case(
        _input(_TWO, _entry(_debit("a", 5), _credit("b", 3), {**_debit("b", 2), "credit": 4})),
        error="bad_line",
    ),
    # What makes a line bad, or an entry unbalanced, posted or not.
    Case(
        _input(_CHART, _entry({"account": "1000", "debit": 3, "credit": 3}), as_of="2023-01-01"),
        error="bad_line",
    ),
    Case(
        _input(_TWO, _entry(_debit("a", 1), _credit("b", 1), {**_debit("a", 0), "credit": 0})),
        error="bad_line",
    ),
    Case(_input(_TWO, _entry(_debit("a", 1))), error="unbalanced_entry"),
    Case(
        _input(_TWO, _entry(_credit("b", 10**12), _debit("a", 10**12), _debit("a", 1))),
        error="unbalanced_entry",
    ),
    Case(_input(_TWO, _entry(_debit("a", 1)), _entry(_credit("b", 1))), error="unbalanced_entry"),
    Case(
        _input(
            _TWO,
            _entry(_debit("a", 2), _credit("b", 2)),
            _entry(_debit("a", 2), _credit("b", 1), date="2024-01-02"),
            as_of="2024-01-01",
        ),
        error="unbalanced_entry",
    ),
    Case(
        _input({"é": "asset"}, _entry(_debit("e\u0301", 1), _credit("é", 1))),
        error="unknown_account",
    ),
)

_LINE = Record(
    (
        required("account", label()),
        optional("debit", Integer(0, 10**12), 0),
        optional("credit", Integer(0, 10**12), 0),
    )
)

FAMILY = Family(
    number=31,
    slug="trial-balance",
    title="Double-entry trial balance",
    category="ledgers",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required(
            "accounts",
            Array(Record((required("code", label()), required("type", Choice(*_SIGNS)))), 1, 100),
            "The accounts, in any order.",
        ),
        required(
            "entries",
            Array(
                Record((required("date", calendar_date()), required("lines", Array(_LINE, 1, 50)))),
                0,
                300,
            ),
            "The entries of the journal.",
        ),
        optional(
            "as_of", Nullable(calendar_date()), None, "The last day whose entries are posted."
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_account", "Two accounts have the same `code`."),
        ErrorCode("unknown_account", "The `account` of a line is the `code` of no account."),
        ErrorCode(
            "bad_line",
            "In a line both `debit` and `credit` are 0, or both are greater than 0.",
        ),
        ErrorCode(
            "unbalanced_entry",
            "The sum of `debit` over the lines of an entry is not equal to the sum of `credit` "
            "over its lines.",
        ),
    ),
    precedence=(
        "`duplicate_account` is tested first. Then the entries are checked one by one, in the "
        "order of `entries`, and the first entry that has an error decides. If it has several "
        "errors, the answer is the one that is first in this list."
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        _input(
            _CHART,
            _entry(_debit("1000", 50_000), _credit("3000", 50_000)),
            _entry(
                _debit("5000", 1_200),
                _debit("1000", 300),
                _credit("4000", 1_500),
                date="2024-02-01",
            ),
            _entry(_credit("1000", 99), _debit("5000", 99), date="2024-03-01"),
            as_of="2024-02-29",
        ),
        {
            "accounts": [
                {"code": "1000", "debit": 50_300, "credit": 0, "balance": 50_300},
                {"code": "3000", "debit": 0, "credit": 50_000, "balance": 50_000},
                {"code": "4000", "debit": 0, "credit": 1_500, "balance": 1_500},
                {"code": "5000", "debit": 1_200, "credit": 0, "balance": 1_200},
            ],
            "total_debit": 51_500,
            "total_credit": 51_500,
            "net_income": 300,
            "assets": 50_300,
            "liabilities": 0,
            "equity": 50_000,
            "posted": 2,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            _input(
                {"rent": "expense", "bank": "asset", "loan": "liability", "sales": "income"},
                _entry(_credit("bank", 40), _debit("rent", 40), date="2024-03-02"),
                _entry(_debit("bank", 100), _credit("loan", 100), date="2024-03-03"),
                _entry(
                    _debit("bank", 30), _debit("loan", 20), _credit("sales", 50), date="2024-03-01"
                ),
                as_of="2024-03-02",
            ),
            _report(
                {
                    "bank": (30, 40, -10),
                    "loan": (20, 0, -20),
                    "rent": (40, 0, 40),
                    "sales": (0, 50, 50),
                },
                90,
                net_income=10,
                assets=-10,
                liabilities=-20,
                posted=2,
            ),
        ),
        Case(
            _input(
                {"bank": "asset", "sales": "income"},
                _entry({"account": "bank", "debit": 9, "credit": 9}, date="2024-03-02"),
                as_of="2024-03-01",
            ),
            error="bad_line",
        ),
    ),
    malformed=(
        {"accounts": [], "entries": []},
        {"accounts": {"a": "asset"}, "entries": []},
        {"accounts": [{"code": "a"}], "entries": []},
        {"accounts": [{"type": "asset"}], "entries": []},
        _input({"a": "Asset"}),
        _input({"a": "revenue"}),
        _input({"": "asset"}),
        _input({"a" * 41: "asset"}),
        {"accounts": [{"code": 1000, "type": "asset"}], "entries": []},
        {"accounts": [{"code": "a", "type": "asset"}], "entries": None},
        _input(_TWO, _entry()),
        _input(_TWO, _entry(_debit("a", 1), date="2023-02-29")),
        _input(_TWO, _entry(_debit("a", 1), date="2024-1-1")),
        _input(_TWO, {"date": "2024-01-01"}),
        _input(_TWO, {"lines": [_debit("a", 1)]}),
        _input(_TWO, _entry({"debit": 1})),
        _input(_TWO, _entry(_debit("a", -1), _credit("a", -1))),
        _input(_TWO, _entry(_debit("a", True), _credit("b", True))),
        _input(_TWO, _entry({"account": "a", "debit": 1.0}, _credit("b", 1))),
        _input(_TWO, _entry({"account": "a", "debit": "1"}, _credit("b", 1))),
        _input(_TWO, _entry({**_debit("a", 1), "credit": None}, _credit("b", 1))),
        _input(_TWO, _entry(_debit("a", 10**12 + 1), _credit("b", 10**12 + 1))),
        _input(_TWO, as_of=""),
        _input(_TWO, as_of="1899-12-31"),
        _input(_TWO, as_of=20240101),
        _input(_TWO, as_of="2024-04-31"),
    ),
)
