# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Posts the entries of a journal and reports the balances of the accounts."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import date
from typing import Any

# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DEBIT_TYPES = ("asset", "expense")
_TYPES = (*_DEBIT_TYPES, "liability", "equity", "income")


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Post the entries of a journal and report the balances.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    accounts: list[dict[str, Any]] = fields["accounts"]
    entries: list[dict[str, Any]] = fields["entries"]
    code = _booking_error(accounts, entries)
    if code is not None:
        return {"error": {"code": code}}
    as_of = fields.get("as_of")
    # Dates of this form are in the order of their texts.
    posted = [entry for entry in entries if as_of is None or entry["date"] <= as_of]
    return {"result": _report(accounts, posted)}


def _booking_error(accounts: list[dict[str, Any]], entries: list[dict[str, Any]]) -> str | None:
    """Give the code of the first error of accounts and entries, or `None` if there is none."""
    codes = {account["code"] for account in accounts}
    if len(codes) < len(accounts):
        return "duplicate_account"
    return next(filter(None, (_entry_error(entry["lines"], codes) for entry in entries)), None)


def _entry_error(lines: list[dict[str, Any]], codes: set[str]) -> str | None:
    """Give the code of the error of an entry that the contract names first, if it has one."""
    if any(line["account"] not in codes for line in lines):
        return "unknown_account"
    # Exactly one side is to be greater than 0.
    if any((_debit(line) > 0) == (_credit(line) > 0) for line in lines):
        return "bad_line"
    if sum(map(_debit, lines)) != sum(map(_credit, lines)):
        return "unbalanced_entry"
    return None


def _debit(line: dict[str, Any]) -> int:
    """Give what a line books as debit."""
    amount: int = line.get("debit", 0)
    return amount


def _credit(line: dict[str, Any]) -> int:
    """Give what a line books as credit."""
    amount: int = line.get("credit", 0)
    return amount


def _report(accounts: list[dict[str, Any]], posted: list[dict[str, Any]]) -> dict[str, Any]:
    """Make the result of the contract.

    Args:
        accounts: Valid accounts, no two with one code.
        posted: The entries to post, all without errors.

    Returns:
        The result of the contract.
    """
    debits: Counter[str] = Counter()
    credits: Counter[str] = Counter()
    for entry in posted:
        for line in entry["lines"]:
            debits[line["account"]] += _debit(line)
            credits[line["account"]] += _credit(line)
    rows: list[dict[str, Any]] = []
    sums: Counter[str] = Counter()  # of the balances, by type
    for account in sorted(accounts, key=lambda account: str(account["code"])):
        code, kind = account["code"], account["type"]
        debit, credit = debits[code], credits[code]
        balance = debit - credit if kind in _DEBIT_TYPES else credit - debit
        sums[kind] += balance
        rows.append({"code": code, "debit": debit, "credit": credit, "balance": balance})
    return {
        "accounts": rows,
        "total_debit": sum(row["debit"] for row in rows),
        "total_credit": sum(row["credit"] for row in rows),
        "net_income": sums["income"] - sums["expense"],
        "assets": sums["asset"],
        "liabilities": sums["liability"],
        "equity": sums["equity"],
        "posted": len(posted),
    }


def _is_code(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


def _is_amount(value: Any) -> bool:
    """Tell whether a value is an amount of cents that a line can book; a boolean is none."""
    return type(value) is int and 0 <= value <= 1_000_000_000_000


def _is_date(value: Any) -> bool:
    """Tell whether a value is a date that the contract allows."""
    # The form is tested apart, because `fromisoformat` also reads other forms.
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return False
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return False
    return 1900 <= day.year <= 2199


def _is_account(value: Any) -> bool:
    """Tell whether a value is an account that the contract allows."""
    return isinstance(value, dict) and _is_code(value.get("code")) and value.get("type") in _TYPES


def _is_line(value: Any) -> bool:
    """Tell whether a value is a line that the contract allows."""
    return (
        isinstance(value, dict)
        and _is_code(value.get("account"))
        and _is_amount(value.get("debit", 0))
        and _is_amount(value.get("credit", 0))
    )


def _is_entry(value: Any) -> bool:
    """Tell whether a value is an entry that the contract allows."""
    return (
        isinstance(value, dict)
        and _is_date(value.get("date"))
        and _is_array(value.get("lines"), 1, 50, _is_line)
    )


def _is_array(value: Any, low: int, high: int, allows: Callable[[Any], bool]) -> bool:
    """Tell whether a value is an array of a length in a range, all elements being allowed."""
    return isinstance(value, list) and low <= len(value) <= high and all(map(allows, value))


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "accounts": lambda value: _is_array(value, 1, 100, _is_account),
    "entries": lambda value: _is_array(value, 0, 300, _is_entry),
    "as_of": lambda value: value is None or _is_date(value),
}
_REQUIRED = ("accounts", "entries")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
