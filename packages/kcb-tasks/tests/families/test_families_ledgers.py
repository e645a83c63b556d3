"""The families about money: conformance, invariants, and wrong variants that the cases catch."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from wrong_families import Mistake, mistakes

from kcb_core.codec import Json
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.ledgers import (
    bank_reconciliation,
    loan_amortization,
    tax_brackets,
    trial_balance,
)

pytestmark = pytest.mark.families


class TestTrialBalance(FamilyConformance):
    """What every family keeps."""

    family = trial_balance.FAMILY


class TestLoanAmortization(FamilyConformance):
    """What every family keeps."""

    family = loan_amortization.FAMILY


class TestTaxBrackets(FamilyConformance):
    """What every family keeps."""

    family = tax_brackets.FAMILY


class TestBankReconciliation(FamilyConformance):
    """What every family keeps."""

    family = bank_reconciliation.FAMILY


def _results(family: Family, count: int = 100) -> Iterator[tuple[dict[str, Json], Json]]:
    """Random inputs with a result, and the result."""
    found = 0
    for fields in generated_inputs(family, 4_242, 3 * count):
        given = answer(family, fields)
        if "result" in given and found < count:
            found += 1
            yield fields, given["result"]
    assert found == count


def test_books_balance_in_any_order_of_entries() -> None:
    """Double entry: what is owned is what is owed, whatever the order of the journal."""
    rng = random.Random(31)
    for fields, result in _results(trial_balance.FAMILY):
        assert result["total_debit"] == result["total_credit"]
        owed = result["liabilities"] + result["equity"] + result["net_income"]
        assert result["assets"] == owed
        entries = rng.sample(fields["entries"], len(fields["entries"]))
        assert answer(trial_balance.FAMILY, {**fields, "entries": entries})["result"] == result


def test_loans_are_paid_back_to_the_cent() -> None:
    """No cent is lost to rounding, and a loan is over by its term."""
    for fields, result in _results(loan_amortization.FAMILY):
        assert result["total_paid"] == fields["principal"] + result["total_interest"]
        months = result["months"]
        last = {**fields, "show": [months, months - 1 or months]}
        rows = answer(loan_amortization.FAMILY, last)["result"]["rows"]
        assert rows[-1]["month"] == months
        assert rows[-1]["balance"] == 0
        assert months == 1 or rows[0]["balance"] > 0
        assert months <= fields.get("term", 600)


def test_taxes_add_up_and_hardly_depend_on_the_rounding() -> None:
    """Each bracket rounds away less than one unit."""
    for fields, result in _results(tax_brackets.FAMILY):
        assert sum(part["amount"] for part in result["parts"]) == result["taxable"]
        left = result["gross"] - result["credit_used"] - fields.get("refundable", 0)
        assert left == result["net"]
        other = "total" if fields.get("rounding") == "per_bracket" else "per_bracket"
        gross = answer(tax_brackets.FAMILY, {**fields, "rounding": other})["result"]["gross"]
        assert abs(gross - result["gross"]) < len(fields["brackets"])


def test_matches_balance_and_lose_nothing() -> None:
    """Each line and each entry is matched once or free, and what is matched cancels out."""
    for fields, result in _results(bank_reconciliation.FAMILY):
        totals = []
        for side in ("bank", "ledger"):
            amounts = {item["id"]: item["amount"] for item in fields[side]}
            totals.append(amounts)
            placed = [id_ for match in result["matches"] for id_ in match[side]]
            assert sorted(placed + result[f"unmatched_{side}"]) == sorted(amounts)
        bank, ledger = totals
        assert result["difference"] == sum(bank.values()) - sum(ledger.values())
        for match in result["matches"]:
            lines = sum(bank[id_] for id_ in match["bank"])
            assert lines == sum(ledger[id_] for id_ in match["ledger"])


_UPPER_FIRST = 're.sub("[^A-Z0-9]", "", (item.get("ref") or "").upper())'
_ANY_LETTER = '"".join(c for c in item.get("ref") or "" if c.isalnum()).upper()'
_KEY = 're.sub("[^A-Za-z0-9]", "", item.get("ref") or "").upper()'
_CHECKS = 'for entry in fields["entries"]:\n        _check(entry["lines"], types)'
_FLOAT_PAYMENT = "floor(principal * float(rate) / (1 - (1 + float(rate)) ** -months) + 0.5)"

_WRONG = {
    trial_balance: [
        ('entry["date"] <= as_of', 'entry["date"] < as_of'),
        ('if as_of is None or entry["date"] <= as_of', ""),
        (
            _CHECKS,
            'for entry in fields["entries"]:\n        if entry["date"] <= (fields["as_of"] or "3"):'
            '\n            _check(entry["lines"], types)',
        ),
        (_CHECKS, '_check([n for e in fields["entries"] for n in e["lines"]], types)'),
        (
            _CHECKS,
            'for entry in sorted(fields["entries"], key=lambda e: e["date"]):\n'
            '        _check(entry["lines"], types)',
        ),
        (
            'if any(line["account"] not in types for line in lines):',
            'if any(line["account"] not in types for line in lines) and all('
            '(n.get("debit", 0) > 0) != (n.get("credit", 0) > 0) for n in lines):',
        ),
        ("(debit > 0) == (credit > 0)", "debit == credit == 0"),
        ("(debit > 0) == (credit > 0)", "debit > 0 and credit > 0"),
        ("if sum(debit - credit for debit, credit in sides):", "if False:"),
        ('"income": -1', '"income": 1'),
        ('"equity": -1', '"equity": 1'),
        ('"expense": 1', '"expense": -1'),
        ('sums["income"] - sums["expense"]', 'sums["income"] + sums["expense"]'),
        ('"equity": sums["equity"]', '"equity": sums["asset"] - sums["liability"]'),
        ("for c in sorted(types)", "for c in types"),
        ("for c in sorted(types)", "for c in sorted(types, key=str.lower)"),
        ("for c in sorted(types)", "for c in sorted(types, key=lambda c: c.encode('utf-16-be'))"),
        ("for c in sorted(types)", "for c in sorted(types) if debits[c] or credits[c]"),
        ("len(posted)", 'len(fields["entries"])'),
        ('if len(types) < len(fields["accounts"]):', "if False:"),
        ('debits[line["account"]] +=', 'debits[line["account"]] ='),
    ],
    loan_amortization: [
        ("return floor(value + Fraction(1, 2))", "return round(value)"),
        ("return floor(value + Fraction(1, 2))", "return floor(value)"),
        ("return floor(value + Fraction(1, 2))", "return -floor(-value)"),
        ("_rounded(principal * rate / (1 - (1 + rate) ** -months))", _FLOAT_PAYMENT),
        ("-(-principal // months)", "principal // months"),
        ("-(-principal // months)", "_rounded(Fraction(principal, months))"),
        ("due if due <= payment or month == term", "due if due <= payment"),
        ("due if due <= payment or month == term", "due if month == term"),
        ("payment <= _rounded(principal * rate)", "payment < _rounded(principal * rate)"),
        ("payment <= _rounded(principal * rate)", "payment <= principal * rate"),
        ("if term is None and payment <=", "if payment <="),
        ('(term is None) == ("payment" not in fields)', 'not term and "payment" not in fields'),
        ("min(extras[month], due - regular)", "extras[month]"),
        ("min(extras[month], due - regular)", "0"),
        ('extras[extra["month"]] +=', 'extras[extra["month"]] ='),
        (
            "interest = _rounded(balance * rate)",
            "interest = _rounded((balance - min(balance, extras[month])) * rate)",
        ),
        (
            '[row for row in rows if row["month"] in fields["show"]]',
            '[row for month in fields["show"] for row in rows if row["month"] == month]',
        ),
        (
            '[row for row in rows if row["month"] in fields["show"]]',
            '[rows[month - 1] for month in sorted(set(fields["show"]))]',
        ),
        ("_LONGEST = 600", "_LONGEST = 599"),
        ("range(1, _LONGEST + 1)", "range(1, _LONGEST + 2)"),
        ('row["principal"] + row["extra"]', 'row["principal"]'),
        ('last["interest"] + last["principal"]', 'last["principal"]'),
        (
            'last["interest"] + last["principal"]',
            'last["interest"] + last["principal"] + last["extra"]',
        ),
        ('"principal": regular - interest', '"principal": regular'),
        (
            'Fraction(fields["rate_bps"], 120_000)',
            'Fraction(fields["rate_bps"] * 10**4 // 12, 10**8)',
        ),
        ("balance = due - regular - extra", "balance = due - regular - (extra if term else 0)"),
    ],
    tax_brackets: [
        ("return floor(value + Fraction(1, 2))", "return round(value)"),
        ("return floor(value + Fraction(1, 2))", "return floor(value)"),
        ('if fields["rounding"] == "per_bracket":', "if False:"),
        ('if fields["rounding"] == "per_bracket":', "if True:"),
        ('taxable < b["up_to"]', 'taxable <= b["up_to"]'),
        ('fields["credit"], income, ', 'fields["credit"], taxable, '),
        ('-(-max(0, income - phaseout["start"]) //', '(max(0, income - phaseout["start"]) //'),
        ('-(-max(0, income - phaseout["start"])', '-(-max(0, income + 1 - phaseout["start"])'),
        ("max(0, income - phaseout", "abs(income - phaseout"),
        ("return max(0, credit - started", "return (credit - started"),
        ("used = min(gross, _credit(", "used = max(0, _credit("),
        (
            "net = gross - used - fields",
            "net = gross - used - min(gross - used, 1) * fields",
        ),
        ("net = gross - used - fields", "net = gross - fields"),
        ("10_000 * max(net, 0) // income if income", "10_000 * net // income if income"),
        ("10_000 * max(net, 0) // income if income", "10_000 * gross // income if income"),
        ("max(net, 0) // income if income", "max(net, 0) // taxable if taxable"),
        ("10_000 * max(net, 0) // income if", "round(10_000 * max(net, 0) / income) if"),
        ("if top > lower:", "if top >= lower:"),
        ("if top > lower:", 'if top > lower and bracket["rate_bps"]:'),
        ("all(lower < upper", "all(lower <= upper"),
        ("last is None\n        and ", ""),
        ("and len(numbers) == len(closed)", ""),
        ('max(0, income - fields["deduction"])', 'income - fields["deduction"]'),
        (
            "_rounded(sum((tax for _, _, tax in parts), Fraction(0)))",
            "sum(_rounded(tax) for _, _, tax in parts)",
        ),
        ('"tax": str(t)', '"tax": str(_rounded(t))'),
    ],
    bank_reconciliation: [
        (_KEY, _UPPER_FIRST),
        (_KEY, _ANY_LETTER),
        (_KEY, _KEY.removesuffix(".upper()")),
        (_KEY, '(item.get("ref") or "").upper()'),
        (_KEY, _KEY + '.lstrip("0")'),
        ('item.get("ref") or ""', 'str(item.get("ref"))'),
        ("if line.key and (", "if ("),
        (
            "== (entry.key, entry.amount):",
            "== (entry.key, entry.amount) and (_distance(line, entry) <= self.window):",
        ),
        ("(line.key, line.amount) == (entry.key, entry.amount)", "line.key == entry.key"),
        ("_distance(line, entry) <= self.window\n", "_distance(line, entry) < self.window\n"),
        ("pair[:3]", "(pair[1], pair[0], pair[2])"),
        ("pair[:3]", "(pair[0], pair[2], pair[1])"),
        ("pair[:3]", "pair[1:3]"),
        ("line.amount == entry.amount and", "abs(line.amount) == abs(entry.amount) and"),
        ("abs((one.day - other.day).days)", "(one.day - other.day).days"),
        ("abs((one.day - other.day).days)", "abs(one.day.day - other.day.day)"),
        ("for size in (2, 3)", "for size in (2,)"),
        ("for size in (2, 3)", "for size in (3, 2)"),
        ("for size in (2, 3)", "for size in (2, 3, 4)"),
        (
            "books.split_ledger()\n    books.split_bank()",
            "books.split_bank()\n    books.split_ledger()",
        ),
        (
            "books.match_references()\n    books.match_pairs()",
            "books.match_pairs()\n    books.match_references()",
        ),
        ("\n    books.split_bank()", ""),
        ("combinations(near, size)", "combinations(near[::-1], size)"),
        ("combinations(near, size)", "combinations(sorted(near, key=lambda n: n.amount), size)"),
        (
            "if _total(parts) == whole.amount:",
            "if _total(parts) == whole.amount and all("
            "_distance(p, q) <= self.window for p, q in combinations(parts, 2)):",
        ),
        (
            "near = [other for other in others if _distance(whole, other) <= self.window]",
            "near = others",
        ),
        (
            "_distance(whole, other) <= self.window",
            "_distance(whole, other) <= self.window and other.amount * whole.amount > 0",
        ),
        (
            'for listed in (fields["bank"], fields["ledger"]):',
            'for listed in (fields["bank"] + fields["ledger"],):',
        ),
        ('for listed in (fields["bank"], fields["ledger"]):', 'for listed in (fields["bank"],):'),
        ("_total(books.bank) - _total(books.ledger)", "_total(books.ledger) - _total(books.bank)"),
        ('"matches": books.matches', '"matches": sorted(books.matches, key=lambda m: m["bank"])'),
        ("self.ledger = [entry for entry in self.ledger if entry not in entries]", "pass"),
    ],
}

MISTAKES = mistakes(_WRONG)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
