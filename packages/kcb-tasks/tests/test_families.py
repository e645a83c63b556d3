"""Every shipped family: its hand-worked cases, its generator, its invariants and its mutants.

A mutant is a family with one plausible mistake in its rules. The cases that judge a solution must
tell it from the family, else a program with that mistake would pass.
"""

import copy
import dataclasses
import importlib
import inspect
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest

from kcb_core.codec import canonical, compact
from kcb_core.equality import same
from kcb_core.errors import DuplicateNameError
from kcb_core.family import Case, Family, answer, generated_inputs
from kcb_core.shape import MAX_INTEGER
from kcb_tasks.families import discover, in_order

SEED = 1729
DRAWN = 24
"""How many generated inputs there are beside the cases that are worked out by hand."""

MODELS = (
    "word-frequency",
    "rational-matrix",
    "tax-lots",
    "expression-evaluator",
    "cache-simulator",
)
"""The families that the others were written after; the others have tests of their own."""

FAMILIES = {family.slug: family for family in discover() if family.slug in MODELS}

Mutants = Mapping[str, Mapping[str, str]]
"""For a piece of a family's module, each mistake and what stands there instead."""

WORD_FREQUENCY: Mutants = {
    "else str.casefold\n": {"lower for casefold": "else str.lower\n"},
    'return unicodedata.normalize("NFC", text)': {
        "NFKC for NFC": 'return unicodedata.normalize("NFKC", text)',
        "NFD for NFC": 'return unicodedata.normalize("NFD", text)',
        "no normalization": "return text",
    },
    "in map(fold, tokens)": {"normalized again after folding": "in map(_nfc, map(fold, tokens))"},
    r"""[^\W_]+(?:'[^\W_]+)*")""": {
        "the underscore is a word character": r"""\w+(?:'\w+)*")""",
        "ASCII letters and digits only": r"""[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*")""",
        "letters only, no digits": r"""[^\W\d_]+(?:'[^\W\d_]+)*")""",
        "U+2019 joins too": r"""[^\W_]+(?:['’][^\W_]+)*")""",
        "the hyphen joins too": r"""[^\W_]+(?:['-][^\W_]+)*")""",
        "nothing joins": r"""[^\W_]+")""",
        "several apostrophes join": r"""[^\W_]+(?:'+[^\W_]+)*")""",
        "an apostrophe at the end is part of the word": r"""[^\W_]+(?:'[^\W_]+)*'?")""",
        "combining marks are word characters": r"""[^\W_](?:[^\W_]|[̀-ͯ])*(?:'[^\W_]+)*")""",
    },
    'if len(token) >= fields["min_length"]': {
        "min_length is exclusive": 'if len(token) > fields["min_length"]',
        "lengths in UTF-16 units": (
            'if len(token.encode("utf-16-le")) // 2 >= fields["min_length"]'
        ),
    },
    "for token in map(fold, tokens)\n        if len(token)": {
        "min_length applies before folding": (
            "for raw in tokens\n        for token in [fold(raw)]\n        if len(raw)"
        ),
    },
    '{fold(_nfc(word)) for word in fields["stopwords"]}': {
        "stop words are not folded": '{_nfc(word) for word in fields["stopwords"]}',
        "stop words are not normalized": '{fold(word) for word in fields["stopwords"]}',
        "stop words are always folded": ('{_nfc(word).casefold() for word in fields["stopwords"]}'),
        "stop words are cut into tokens": (
            '{fold(t) for word in fields["stopwords"] for t in _TOKEN.findall(_nfc(word))}'
        ),
    },
    "    ranked = sorted(": {
        "an error if all tokens are dropped": (
            '    if not kept:\n        raise DomainError("no_words")\n    ranked = sorted('
        ),
    },
    "    if not tokens:": {"no error for a text without tokens": "    if tokens is None:"},
    "key=lambda item: (-item[1], item[0]))": {
        "ties in the order of the text": "key=lambda item: -item[1])",
        "ties in descending order": "key=lambda item: (item[1], item[0]), reverse=True)",
        "ties in the order of UTF-16": (
            'key=lambda item: (-item[1], item[0].encode("utf-16-be")))'
        ),
        "ties without regard to case": ("key=lambda item: (-item[1], item[0].lower(), item[0]))"),
        "words before counts": "key=lambda item: item[0])",
    },
    '"total": kept.total(),': {"dropped tokens are in the total": '"total": len(tokens),'},
    '"distinct": len(kept),': {"only listed words are distinct": '"distinct": len(listed),'},
    "kept.total() - sum(count for _, count in listed)": {
        "other counts words, not occurrences": "len(kept) - len(listed)",
    },
}

RATIONAL_MATRIX: Mutants = {
    "[Fraction(text) for text in row]": {
        "doubles for fractions": "[Fraction(float(Fraction(text))) for text in row]",
    },
    "[str(value) for value in row]": {
        "always with a denominator": '[f"{v.numerator}/{v.denominator}" for v in row]',
        "numbers where there is no denominator": (
            "[int(v) if v.denominator == 1 else str(v) for v in row]"
        ),
    },
    "any(len(row) != width for row in matrix)": {
        "only the last row is compared": "len(matrix[-1]) != width",
        "rows may be longer than the first": "any(len(row) < width for row in matrix)",
    },
    '        raise DomainError("ragged_matrix")\n': {
        "a missing right side before ragged rows": (
            '        raise DomainError("ragged_matrix" if rhs or op != "solve"'
            ' else "missing_operand")\n'
        ),
        "a right side of a wrong length before ragged rows": (
            '        raise DomainError("ragged_matrix" if not rhs or len(rhs) == height'
            ' else "rhs_mismatch")\n'
        ),
        "not square before ragged rows": (
            '        raise DomainError("not_square" if op == "det" else "ragged_matrix")\n'
        ),
    },
    '    if op == "rref":\n': {
        "a right side that is ignored must fit": (
            "    if rhs is not None and len(rhs) != height:\n"
            '        raise DomainError("rhs_mismatch")\n'
            '    if op == "rref":\n'
        ),
        "rref needs a square matrix": (
            '    if op == "rref" and height != width:\n'
            '        raise DomainError("not_square")\n'
            '    if op == "rref":\n'
        ),
    },
    "        if len(rhs) != height:": {
        "the right side has one number per column": "        if len(rhs) != width:",
        "a longer right side is cut": "        rhs = rhs[:height]\n        if len(rhs) != height:",
    },
    "        return _solutions(matrix, _exact(rhs))": {
        "solve needs a square matrix": (
            '        if height != width:\n            raise DomainError("not_square")\n'
            "        return _solutions(matrix, _exact(rhs))"
        ),
    },
    '        return {"det": str(_determinant(matrix))}': {
        "det refuses a singular matrix": (
            '        if not _determinant(matrix):\n            raise DomainError("singular")\n'
            '        return {"det": str(_determinant(matrix))}'
        ),
        "the determinant without its sign": (
            '        return {"det": str(abs(_determinant(matrix)))}'
        ),
    },
    "(-1) ** column * value": {"the permanent for the determinant": "value"},
    "if pivots != list(range(size)):": {
        "singular only if zero": "if not any(any(row) for row in matrix):",
    },
    "rows = [_minus(row, row[column], pivot_row) for row in rows]": {
        "rows above a pivot are not reduced": (
            "rows = rows[:top] + [_minus(row, row[column], pivot_row) for row in rows[top:]]"
        ),
    },
    "rows.insert(top, pivot_row)": {
        "pivots that are not 1": "rows.insert(top, found)",
        "rows in the order of the input": "rows.insert(index, pivot_row)",
    },
    '"pivots": pivots,': {"columns from 1": '"pivots": [column + 1 for column in pivots],'},
    '"rank": len(pivots)': {"the rank is the number of rows": '"rank": len(rows)'},
    '"infinite" if free else "unique"': {
        "infinite if wider than high": '"infinite" if width > len(matrix) else "unique"',
    },
    'return {"kind": "none", "solution": None, "basis": []}': {
        "no solution is an empty one": 'return {"kind": "none", "solution": [], "basis": []}',
    },
    "solution = [Fraction(0)] * width": {
        "free variables are 1": "solution = [Fraction(c not in pivots) for c in range(width)]",
    },
    "vector[pivot] = -row[free]": {"a basis of the wrong sign": "vector[pivot] = row[free]"},
    "for column in free]\n": {"the basis from the right": "for column in reversed(free)]\n"},
}

TAX_LOTS: Mutants = {
    "cost = (2 * self.cost * qty + self.qty) // (2 * self.qty)": {
        "halves to even": "cost = round(Fraction(self.cost * qty, self.qty))",
        "rounded down": "cost = self.cost * qty // self.qty",
        "rounded up": "cost = -(-self.cost * qty // self.qty)",
        "the cost per unit is rounded": (
            "cost = self.cost if qty == self.qty else qty * round(self.cost / self.qty)"
        ),
    },
    "(-Fraction(lot.cost, lot.qty), lot.number)": {
        "costs per unit as doubles": "(-(lot.cost / lot.qty), lot.number)",
        "costs per unit in whole cents": "(-(lot.cost // lot.qty), lot.number)",
        "ties to the highest number": "(-Fraction(lot.cost, lot.qty), -lot.number)",
        "the cost of the lot, not of a unit": "(-lot.cost, lot.number)",
        "the lowest cost first": "(Fraction(lot.cost, lot.qty), lot.number)",
    },
    '"fifo": lambda lot: lot.number,\n    "lifo": lambda lot: -lot.number,': {
        "fifo and lifo exchanged": (
            '"fifo": lambda lot: -lot.number,\n    "lifo": lambda lot: lot.number,'
        ),
    },
    "            taken.append(lot.take(min(wanted, lot.qty), _day(event)))\n": {
        "a lot is taken whole": (
            "            wanted = max(wanted, lot.qty)\n"
            "            taken.append(lot.take(min(wanted, lot.qty), _day(event)))\n"
        ),
    },
    "    taken: list[dict[str, Json]] = []\n    for lot in ranked:\n        if wanted:\n": {
        "ranked anew after every unit": """\
    taken: list[dict[str, Json]] = []
    while wanted and ranked == sorted(ranked, key=_RANKS["hifo"]):
        lot = min((lot for lot in ranked if lot.qty), key=_RANKS["hifo"])
        part = lot.take(1, _day(event))
        wanted -= 1
        if taken and taken[-1]["lot"] == lot.number:
            part["qty"] += taken[-1]["qty"]
            part["cost"] += taken.pop()["cost"]
        taken.append(part)
        ranked = sorted((lot for lot in ranked if lot.qty), key=_RANKS["hifo"])
    for lot in ranked:
        if wanted:
""",
    },
    'event["qty"] * event["price"] + event.get("fee", 0)': {
        "no fee in the cost": 'event["qty"] * event["price"]',
        "the fee is charged for every unit": (
            'event["qty"] * (event["price"] + event.get("fee", 0))'
        ),
    },
    'event["qty"] * event["price"] - event.get("fee", 0)': {
        "the fee is added to the proceeds": 'event["qty"] * event["price"] + event.get("fee", 0)',
        "proceeds are never negative": (
            'max(0, event["qty"] * event["price"] - event.get("fee", 0))'
        ),
    },
    '"days": (day - self.bought).days}': {
        "the first day counts": '"days": (day - self.bought).days + 1}',
    },
    'later["date"] < earlier["date"]': {
        "two events on one day are out of order": 'later["date"] <= earlier["date"]',
        "dates may run backwards between symbols": (
            'later["date"] < earlier["date"] and later["symbol"] == earlier["symbol"]'
        ),
    },
    '        raise DomainError("out_of_order")\n': {
        "dates are looked at as events are carried out": (
            "        late = [b['date'] < a['date'] for a, b in pairwise(events)].index(True) + 1\n"
            "        _evaluate({**fields, 'events': events[:late]})\n"
            '        raise DomainError("out_of_order")\n'
        ),
    },
    "lots.append(_buy(number, event))": {
        "lots are numbered by purchases": (
            'lots.append(_buy(sum(e["type"] == "buy" for e in events[:number]), event))'
        ),
    },
    'if lot.symbol == event["symbol"]]': {
        "all symbols are one": "]",
        "symbols without case": 'if lot.symbol.lower() == event["symbol"].lower()]',
        "symbols without outer space": 'if lot.symbol.strip() == event["symbol"].strip()]',
    },
    '        lot.qty = lot.qty * event["num"] // event["den"]\n': {
        "a split changes the cost": (
            '        lot.qty = lot.qty * event["num"] // event["den"]\n'
            '        lot.cost = lot.cost * event["num"] // event["den"]\n'
        ),
        "num and den exchanged": (
            '        lot.qty = lot.qty * event["den"] // event["num"] or 1\n'
        ),
        "only the first lot is split": (
            '        held[0].qty = held[0].qty * event["num"] // event["den"]\n        break\n'
        ),
    },
    'any(lot.qty * event["num"] % event["den"] for lot in held)': {
        "fractional by the sum of the lots": (
            'sum(lot.qty for lot in held) * event["num"] % event["den"]'
        ),
        "fractional by the ratio": 'held and event["num"] % event["den"]',
        "a split of nothing can be fractional": (
            'not held and event["num"] % event["den"] or'
            ' any(lot.qty * event["num"] % event["den"] for lot in held)'
        ),
        "fractions are cut off": "False",
    },
    "if wanted > sum(lot.qty for lot in ranked):": {
        "not everything can be sold": "if wanted >= sum(lot.qty for lot in ranked):",
        "anything can be sold": "if not ranked:",
    },
    'sum(sale["gain"] for sale in sales)': {
        "losses are not realized": 'sum(max(0, sale["gain"]) for sale in sales)',
    },
    '"lots": taken,': {
        "the lots of a sale by number": '"lots": sorted(taken, key=lambda part: part["lot"]),',
    },
}

EXPRESSION_EVALUATOR: Mutants = {
    "return lambda: Fraction(token)\n": {
        "numbers are doubles": "return lambda: Fraction(float(token))\n",
    },
    '_TOKEN.findall(fields["expr"])': {
        "digits of any script": (
            '_TOKEN.findall("".join(str(int(c)) if c.isdecimal() else c for c in fields["expr"]))'
        ),
        "numbers may end in a point": (
            r'_TOKEN.findall(re.sub(r"(?<=\d)\.(?!\d)", ".0", fields["expr"]))'
        ),
        "numbers may start with a point": (
            r'_TOKEN.findall(re.sub(r"(?<!\d)\.(?=\d)", "0.", fields["expr"]))'
        ),
        "spaces do not separate": '_TOKEN.findall("".join(fields["expr"].split()))',
        "compatible characters are the same": (
            '_TOKEN.findall(__import__("unicodedata").normalize("NFKC", fields["expr"]))'
        ),
    },
    r'_NUMBER = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?")': {
        "numbers of any length": r'_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")',
        "18 digits in all": r'_NUMBER = re.compile(r"(?!.{20})[0-9]{1,18}(?:\.[0-9]{1,18})?")',
    },
    r'_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")': {
        "names of any length": r'_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")',
        "names of at most 31": r'_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,30}")',
    },
    r"[^ \t\r\n]": {"any white space separates": r"[^\s]"},
    "> _MOST_OPEN:": {"20 brackets are too deep": ">= _MOST_OPEN:"},
    "    return max(accumulate(": {
        "brackets are counted, not depth": '    return text.count("(")\n    return max(accumulate(',
    },
    '(c == "(") - (c == ")") for c in text': {
        "only balanced brackets are deep": (
            '(c == "(") - (c == ")") for c in text * (text.count("(") == text.count(")"))'
        ),
    },
    '        if not self.take("?"):\n            return condition\n        yes = self.expr()': {
        "the middle of a condition is an or": (
            '        if not self.take("?"):\n            return condition\n        yes = self.or_()'
        ),
    },
    "        no = self.expr()\n": {
        "conditions do not nest at the end": "        no = self.or_()\n"
    },
    "return lambda: yes() if condition() else no()": {
        "both branches are evaluated": (
            "return lambda: _apply(lambda c, a, b: a if c else b, condition, yes, no)()"
        ),
        "true is what is above zero": "return lambda: yes() if condition() > 0 else no()",
    },
    '        node = self.and_()\n        while self.take("||"):\n'
    "            node = _either(node, self.and_())\n": {
        "|| and && bind alike": """\
        node = self.cmp()
        while sign := self.take("||", "&&"):
            node = (_either if sign == "||" else _both)(node, self.cmp())
""",
    },
    "        return _apply(_COMPARISONS[sign], node, self.sum()) if sign else node\n": {
        "comparisons chain": """\
        while sign:
            node = _apply(_COMPARISONS[sign], node, self.sum())
            sign = self.take(*_COMPARISONS)
        return node
""",
    },
    "        sign = self.take(*_UNARY)\n": {
        "! binds as loosely as a comparison": (
            '        if self.take("!"):\n            return _apply(operator.not_, self.cmp())\n'
            "        sign = self.take(*_UNARY)\n"
        ),
    },
    "        return _apply(_UNARY[sign], self.unary()) if sign else self.power()\n": {
        "a sign binds closer than ^": """\
        if not sign:
            return self.power()
        node = _apply(_UNARY[sign], self.atom())
        return _apply(_ARITHMETIC["^"], node, self.unary()) if self.take("^") else node
""",
    },
    '        return _apply(_ARITHMETIC["^"], base, self.unary()) if self.take("^") else base\n': {
        "^ from left to right": """\
        while self.take("^"):
            sign = self.take("-")
            exponent = _apply(operator.neg, self.atom()) if sign else self.atom()
            base = _apply(_ARITHMETIC["^"], base, exponent)
        return base
""",
    },
    "operation(*[operand() for operand in operands])": {
        "operands from right to left": (
            "operation(*[operand() for operand in operands[::-1]][::-1])"
        ),
    },
    "Fraction(bool(left() or right()))": {
        "|| gives its operand": "left() or right()",
        "|| evaluates both": "Fraction(any([left(), right()]))",
    },
    "Fraction(bool(left() and right()))": {
        "&& gives its operand": "left() and right()",
        "&& evaluates both": "Fraction(all([left(), right()]))",
    },
    '"//": _limited(operator.floordiv)': {
        "// cuts off": '"//": _limited(lambda a, b: math.trunc(a / b))',
    },
    '"%": _limited(operator.mod)': {
        "% has the sign of the dividend": ('"%": _limited(lambda a, b: a - b * math.trunc(a / b))'),
        "% limits its quotient too": (
            '"%": _limited(lambda a, b: a - _ARITHMETIC["*"](b, _ARITHMETIC["//"](a, b)))'
        ),
    },
    "    return _sign(value) * math.floor(abs(value) + Fraction(1, 2))\n": {
        "halves to even": "    return round(value)\n",
        "halves up": "    return math.floor(value + Fraction(1, 2))\n",
    },
    '"ceil": math.ceil': {"ceil is floor + 1": '"ceil": lambda value: math.floor(value) + 1'},
    '"floor": math.floor': {"floor cuts off": '"floor": math.trunc'},
    '        raise DomainError("bad_argument")\n    return math.gcd(': {
        "gcd of 0 and 0 is 1": (
            '        raise DomainError("bad_argument")\n    return math.gcd('
        ).replace("return math.gcd(", "return not left and not right or math.gcd("),
    },
    "    if left.denominator != 1 or right.denominator != 1:\n": {
        "gcd of fractions": "    if False:\n",
    },
    "abs(exponent) > _LARGEST_EXPONENT": {
        "exponents below 64": "abs(exponent) >= _LARGEST_EXPONENT",
        "exponents may be very negative": "exponent > _LARGEST_EXPONENT",
    },
    "    if exponent.denominator != 1 or": {
        "0 to a negative power before a bad exponent": (
            "    if base == 0 and exponent < 0:\n        raise ZeroDivisionError\n"
            "    if exponent.denominator != 1 or"
        ),
        "0^0 is not allowed": (
            "    if base == 0 == exponent:\n        raise ZeroDivisionError\n"
            "    if exponent.denominator != 1 or"
        ),
    },
    "max(abs(result.numerator), result.denominator) > _LARGEST": {
        "10^100 is too large": "max(abs(result.numerator), result.denominator) >= _LARGEST",
        "denominators may be large": "abs(result.numerator) > _LARGEST",
        "negative values may be large": "max(result.numerator, result.denominator) > _LARGEST",
        "nothing is too large": "False",
    },
    "    if any(name not in _FUNCTIONS for name, _ in parser.calls):": {
        "arity before unknown functions": (
            "    if any(_ARITIES.get(name, count) != count for name, count in parser.calls):\n"
            '        raise DomainError("bad_arity")\n'
            "    if any(name not in _FUNCTIONS for name, _ in parser.calls):"
        ),
        "variables before functions": (
            '    if not parser.names <= fields["vars"].keys():\n'
            '        raise DomainError("unknown_variable")\n'
            "    if any(name not in _FUNCTIONS for name, _ in parser.calls):"
        ),
    },
    "        arguments = [self.expr()]\n": {
        "functions without regard to case": (
            "        name = name.lower()\n        arguments = [self.expr()]\n"
        ),
    },
    '        raise DomainError("unknown_variable")\n    value = expression()\n': {
        "unknown variables only where they are evaluated": (
            "        try:\n            expression()\n        except KeyError:\n"
            '            raise DomainError("unknown_variable") from None\n'
            "    value = expression()\n"
        ),
        "division by zero before unknown variables": (
            '        raise DomainError("division_by_zero" if "1/0" in fields["expr"]'
            ' else "unknown_variable")\n    value = expression()\n'
        ),
    },
    "        self.calls.append((name, len(arguments)))\n": {
        "names of functions are variables": (
            "        self.calls.append((name, len(arguments)))\n        self.names.add(name)\n"
        ),
    },
    '        if self.take("("):\n            return self.call(token)\n': {
        "functions may have no arguments": """\
        if self.take("("):
            if self.take(")"):
                self.calls.append((token, 0))
                return lambda: Fraction(0)
            return self.call(token)
""",
    },
    "sorted(parser.names)": {
        "names without regard to case": "sorted(parser.names, key=str.lower)",
        "all variables that are given": 'sorted(fields["vars"])',
    },
    '"integer": value.denominator == 1': {
        "integers in the text only": '"integer": "/" not in fields["expr"]',
    },
    "        if self.tokens[self.at]:\n": {"what follows is ignored": "        if False:\n"},
}

CACHE_SIMULATOR: Mutants = {
    'later["t"] < earlier["t"]': {
        "two operations at one time": 'later["t"] <= earlier["t"]',
    },
    "entry.expiry <= now": {"an entry lives through its expiry time": "entry.expiry < now"},
    "(entry.expiry, entry.insertion, entry.key)": {
        "expired by insertion": "(0, entry.insertion, entry.key)",
        "expired by last use": "(entry.expiry, entry.last_use, entry.key)",
        "expired by key": "(entry.expiry, 0, entry.key)",
    },
    "        cache.expire(now)\n": {
        "only the entry in question expires": (
            "        if key in cache.entries and (cache.entries[key].expiry or now + 1) <= now:\n"
            "            cache.expired.append(key)\n            del cache.entries[key]\n"
        ),
        "nothing expires before a del": (
            '        if operation["op"] != "del":\n            cache.expire(now)\n'
        ),
        "nothing expires before a put": (
            '        if operation["op"] != "put":\n            cache.expire(now)\n'
        ),
    },
    '    return {\n        "hits"': {
        "entries expire after the last operation": (
            '    cache.expire(2 * 10**9)\n    return {\n        "hits"'
        ),
    },
    "            self.expired.append(key)\n": {
        "expired entries are evicted too": (
            "            self.expired.append(key)\n            self.evicted.append(key)\n"
        ),
    },
    '"lru": lambda entry: entry.last_use': {
        "the most recently used": '"lru": lambda entry: -entry.last_use',
        "lru goes by insertion": '"lru": lambda entry: entry.insertion',
    },
    '"fifo": lambda entry: entry.insertion': {
        "fifo goes by last use": '"fifo": lambda entry: entry.last_use',
    },
    "(entry.frequency, entry.last_use)": {
        "ties of lfu by insertion": "(entry.frequency, entry.insertion)",
        "ties of lfu by the latest use": "(entry.frequency, -entry.last_use)",
        "lfu goes by size": "(entry.size, entry.last_use)",
    },
    "        entry.frequency += 1\n": {"hits do not count for lfu": ""},
    "        entry.last_use = position\n": {"hits do not count for lru": ""},
    "        self.misses += 1\n": {
        "a miss stores the key": (
            "        self.misses += 1\n            self.put(key, 1, None, position)\n"
        ),
    },
    "        old = self.entries.pop(key, None)\n        if size > self.capacity:\n": {
        "a rejected put leaves the entry": (
            "        if size > self.capacity:\n            self.rejected += 1\n            return\n"
            "        old = self.entries.pop(key, None)\n        if size > self.capacity:\n"
        ),
        "what fits exactly is rejected": (
            "        old = self.entries.pop(key, None)\n        if size >= self.capacity:\n"
        ),
        "the key itself can be evicted": (
            "        old = self.entries.get(key)\n        if size > self.capacity:\n"
        ),
        "a rejected put evicts all": (
            "        old = self.entries.pop(key, None)\n        if size > self.capacity:\n"
            "            self.evicted += [entry.key for entry in self.ranked()]\n"
            "            self.entries.clear()\n"
        ),
        "a rejected entry counts as evicted": (
            "        old = self.entries.pop(key, None)\n"
            "        if old and size > self.capacity:\n            self.evicted.append(key)\n"
            "        if size > self.capacity:\n"
        ),
    },
    "while self.used + size > self.capacity:": {
        "one place stays free": ("while self.entries and self.used + size >= self.capacity:"),
        "one eviction is enough": "if self.used + size > self.capacity:",
        "entries are counted, not sizes": "while len(self.entries) + 1 > self.capacity:",
    },
    "position)\n            self.insertions += 1\n": {
        "an insertion number is the number of entries": (
            "position)\n            self.insertions = len(self.entries)\n"
        ),
    },
    "            frequency = old.frequency + 1\n": {
        "a replacement starts at frequency 1": "            frequency = 1\n",
        "a replacement is no use": "            frequency = old.frequency\n",
        "a replacement keeps the last use": (
            "            frequency = old.frequency + 1\n            position = old.last_use\n"
        ),
        "a replacement keeps the expiry": (
            "            frequency = old.frequency + 1\n"
            "            expiry = old.expiry if expiry is None else expiry\n"
        ),
        "a replacement keeps the size": (
            "            frequency = old.frequency + 1\n            size = old.size\n"
        ),
    },
    "expiry, old.insertion, frequency": {
        "a replacement is inserted anew": "expiry, self.insertions + position, frequency",
    },
    "            cache.entries.pop(key, None)\n": {
        "a del is a hit or a miss": (
            "            cache.get(key, position)\n            cache.entries.pop(key, None)\n"
        ),
        "a deleted entry is evicted": (
            "            if cache.entries.pop(key, None):\n"
            "                cache.evicted.append(key)\n"
        ),
    },
    "[entry.key for entry in cache.ranked()]": {
        "contents in the order of storing": "list(cache.entries)",
        "contents sorted": "sorted(cache.entries)",
    },
    '"used": cache.used': {"used counts entries": '"used": len(cache.entries)'},
}

MUTANTS: Mapping[str, Mutants] = {
    "word-frequency": WORD_FREQUENCY,
    "rational-matrix": RATIONAL_MATRIX,
    "tax-lots": TAX_LOTS,
    "expression-evaluator": EXPRESSION_EVALUATOR,
    "cache-simulator": CACHE_SIMULATOR,
}

every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)


def module_name(family: Family) -> str:
    """Where a family must be declared."""
    package, module = (name.replace("-", "_") for name in (family.category, family.slug))
    return f"kcb_tasks.families.{package}.{module}"


def worked_by_hand(family: Family) -> tuple[Case, ...]:
    """All cases that do not come from the family's own functions."""
    return (family.golden, *family.boundaries, *family.examples)


def judged_by(family: Family) -> Iterator[dict[str, Any]]:
    """The inputs that tell a right program from a wrong one."""
    for case in (family.golden, *family.boundaries):
        yield case.input
    yield from generated_inputs(family, SEED, DRAWN)


def results(slug: str, count: int = 200) -> Iterator[tuple[dict[str, Any], Any]]:
    """Random inputs that have a result, with it."""
    for fields in generated_inputs(FAMILIES[slug], 7, count):
        answered = answer(FAMILIES[slug], fields)
        if "result" in answered:
            yield fields, answered["result"]


def scalars(value: Any) -> Iterator[Any]:
    """Everything in a JSON value that is no container, names of members too."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from scalars(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from scalars(inner)
    else:
        yield value


def test_families_are_ordered_by_number() -> None:
    """The order of the families is the order of the dataset."""
    numbers = [family.number for family in discover()]
    assert numbers == sorted(numbers)


@every_family
def test_family_is_declared_where_its_name_says(family: Family) -> None:
    """A reader who knows category and slug finds the file."""
    assert importlib.import_module(module_name(family)).FAMILY is family


@pytest.mark.parametrize("change", [{"slug": "other"}, {"number": 999}])
def test_two_families_of_one_name_or_number_are_refused(change: dict[str, Any]) -> None:
    """A second family must not silently take the place of the first."""
    family = FAMILIES["word-frequency"]
    with pytest.raises(DuplicateNameError) as caught:
        in_order({"here": family, "there": dataclasses.replace(family, **change)})
    assert caught.value.owners == ("here", "there")


@every_family
def test_rules_agree_with_the_cases_worked_out_by_hand(family: Family) -> None:
    """The rules in code and the rules in words were compared by hand, case by case."""
    for case in worked_by_hand(family):
        expected = {"error": {"code": case.error}} if case.error else {"result": case.result}
        assert answer(family, case.input) == expected, compact(case.input)


@every_family
def test_examples_show_a_result_and_an_error_and_give_nothing_away(family: Family) -> None:
    """What the prompt shows must not be what a solution is judged by."""
    assert [case.error is None for case in family.examples] == [True, False]
    judged = {canonical(fields) for fields in judged_by(family)}
    assert not judged & {canonical(case.input) for case in family.examples}


@every_family
def test_boundaries_differ_and_reach_every_error(family: Family) -> None:
    """A case that stands twice, or an error without a case, is an oversight."""
    inputs = [canonical(case.input) for case in (family.golden, *family.boundaries)]
    assert len(inputs) == len(set(inputs))
    assert {error.code for error in family.errors} <= {case.error for case in family.boundaries}


@every_family
def test_malformed_inputs_have_an_invalid_field(family: Family) -> None:
    """They probe the checks of fields, which come before the rules of the family."""
    for fields in family.malformed:
        assert answer(family, fields)["error"]["code"] == "invalid_field", compact(fields)


@every_family
def test_inputs_may_be_sent(family: Family) -> None:
    """The protocol rules out some values; a text must be assigned in the oldest Unicode."""
    written = [case.input for case in worked_by_hand(family)]
    for fields in [*written, *family.malformed, *generated_inputs(family, 7, 200)]:
        for value in scalars(fields):
            if isinstance(value, str):
                assert not {unicodedata.category(c) for c in value} & {"Cn", "Cs", "Co"}
            elif isinstance(value, int):
                assert abs(value) <= MAX_INTEGER
        assert len(compact(fields).encode()) < 16_384


@every_family
def test_generated_inputs_have_valid_fields_and_results_without_floats(family: Family) -> None:
    """What is drawn probes the rules of the family, not the checks of fields."""
    codes = {error.code for error in family.errors}
    for fields in generated_inputs(family, 7, 200):
        answered = answer(family, fields)
        if "error" in answered:
            assert answered["error"]["code"] in codes
        else:
            assert not any(isinstance(value, float) for value in scalars(answered["result"]))


@every_family
def test_generated_inputs_reach_results_and_every_error(family: Family) -> None:
    """The few inputs of a task must show everything that can be answered."""
    answers = [answer(family, fields) for fields in generated_inputs(family, SEED, DRAWN)]
    seen = {answered["error"]["code"] for answered in answers if "error" in answered}
    assert seen == {error.code for error in family.errors}
    assert sum("result" in answered for answered in answers) >= DRAWN // 2


@every_family
def test_evaluate_leaves_its_input_alone(family: Family) -> None:
    """A stored value is evaluated again and again."""
    for fields in judged_by(family):
        before = copy.deepcopy(fields)
        first = answer(family, fields)
        assert fields == before
        assert answer(family, fields) == first


@every_family
def test_generator_draws_from_its_random_numbers_only(family: Family) -> None:
    """A seed gives the same inputs again, whatever was drawn before."""
    first = [canonical(fields) for fields in generated_inputs(family, SEED, DRAWN)]
    random.random()
    assert [canonical(fields) for fields in generated_inputs(family, SEED, DRAWN)] == first


def mutate(family: Family, right: str, wrong: str) -> Family:
    """A family as it would be if its module read otherwise in one place."""
    module = importlib.import_module(module_name(family))
    source = inspect.getsource(module)
    assert source.count(right) == 1, f"{right!r} must stand once in {module.__name__}"
    namespace: dict[str, Any] = {"__name__": module.__name__}
    exec(compile(source.replace(right, wrong), f"mutant of {family.slug}", "exec"), namespace)
    mutant: Family = namespace["FAMILY"]
    return mutant


@pytest.mark.parametrize(
    ("slug", "right", "wrong"),
    [
        pytest.param(slug, right, wrong, id=f"{slug}: {mistake}")
        for slug, mutants in MUTANTS.items()
        for right, mistakes in mutants.items()
        for mistake, wrong in mistakes.items()
    ],
)
def test_mutant_is_caught(slug: str, right: str, wrong: str) -> None:
    """A program with this one mistake must not pass."""
    family = FAMILIES[slug]
    mutant = mutate(family, right, wrong)
    assert any(
        not same(answer(family, fields), answer(mutant, fields)) for fields in judged_by(family)
    )


def test_word_counts_add_up_and_top_only_appends() -> None:
    """Listed and other words together are all words, however many are listed."""
    for fields, result in results("word-frequency"):
        listed = sum(word["count"] for word in result["words"])
        assert listed + result["other"] == result["total"]
        more = answer(FAMILIES["word-frequency"], {**fields, "top": 1_000})["result"]
        assert more["words"][: len(result["words"])] == result["words"]
        assert len(more["words"]) == result["distinct"]


def test_word_order_in_the_text_does_not_matter() -> None:
    """Tokens that are shuffled are the same tokens."""
    for fields, result in results("word-frequency"):
        text = unicodedata.normalize("NFC", fields["text"])
        tokens = re.findall(r"[^\W_]+(?:'[^\W_]+)*", text)
        random.Random(1).shuffle(tokens)
        shuffled = answer(FAMILIES["word-frequency"], {**fields, "text": " ".join(tokens)})
        assert shuffled == {"result": result}


def numbers(rows: list[list[str]]) -> list[list[Fraction]]:
    """A matrix of texts as a matrix of fractions."""
    return [[Fraction(text) for text in row] for row in rows]


def times(matrix: list[list[Fraction]], vector: list[Fraction]) -> list[Fraction]:
    """The product of a matrix and a vector."""
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def test_matrix_times_its_inverse_is_the_identity() -> None:
    """The columns of the inverse are sent to the unit vectors."""
    for fields, result in results("rational-matrix"):
        if fields["op"] == "inverse":
            matrix, inverse = numbers(fields["matrix"]), numbers(result["rows"])
            for index, column in enumerate(zip(*inverse, strict=True)):
                unit = [Fraction(row == index) for row in range(len(matrix))]
                assert times(matrix, list(column)) == unit


def test_solutions_solve_and_rank_and_basis_fill_the_columns() -> None:
    """The basis is sent to zero, and there is a vector for each column without pivot."""
    for fields, result in results("rational-matrix"):
        if fields["op"] == "solve" and result["kind"] != "none":
            matrix = numbers(fields["matrix"])
            solution, *_ = numbers([result["solution"]])
            assert times(matrix, solution) == numbers([fields["rhs"]])[0]
            for vector in numbers(result["basis"]):
                assert not any(times(matrix, vector))
            reduced = answer(FAMILIES["rational-matrix"], {**fields, "op": "rref"})["result"]
            assert reduced["rank"] + len(result["basis"]) == len(matrix[0])
            assert (result["kind"] == "unique") == (not result["basis"])


def test_no_cent_is_lost_between_lots_and_sales() -> None:
    """For each symbol, what was paid is what was sold or is still there."""
    for fields, result in results("tax-lots"):
        events, paid = fields["events"], Counter[str]()
        for event in events:
            if event["type"] == "buy":
                paid[event["symbol"]] += event["qty"] * event["price"] + event.get("fee", 0)
        for sale in result["sales"]:
            paid[events[sale["event"]]["symbol"]] -= sale["cost"]
            assert sale["cost"] == sum(lot["cost"] for lot in sale["lots"])
        for lot in result["open"]:
            paid[lot["symbol"]] -= lot["cost"]
        assert not any(paid.values())
        gains = [sale["proceeds"] - sale["cost"] for sale in result["sales"]]
        assert result["realized"] == sum(gains)


def test_brackets_around_an_expression_change_nothing() -> None:
    """They only group what is grouped already."""
    for fields, result in results("expression-evaluator"):
        wrapped = answer(
            FAMILIES["expression-evaluator"], {**fields, "expr": f"({fields['expr']})"}
        )
        assert wrapped == {"result": result}


def test_values_in_place_of_variables_change_only_the_names() -> None:
    """A variable stands for its value, in brackets."""
    for fields, result in results("expression-evaluator"):
        expr = re.sub(
            r"[A-Za-z_][A-Za-z0-9_]*(?!\w*\s*\()",
            lambda name: f"({fields['vars'][name[0]]})",  # noqa: B023
            fields["expr"],
        )
        if len(expr) <= 200:
            replaced = answer(FAMILIES["expression-evaluator"], {"expr": expr})
            assert replaced == {"result": {**result, "names": []}}


def test_cache_counts_every_get_and_is_never_too_full() -> None:
    """After any number of operations, the sizes fit."""
    for fields, result in results("cache-simulator", 60):
        gets = [operation for operation in fields["ops"] if operation["op"] == "get"]
        assert result["hits"] + result["misses"] == len(gets)
        for count in range(len(fields["ops"])):
            before = answer(FAMILIES["cache-simulator"], {**fields, "ops": fields["ops"][:count]})
            assert before["result"]["used"] <= fields["capacity"]


def test_a_larger_lru_cache_never_has_fewer_hits() -> None:
    """It holds all that a smaller one holds, if all sizes are one and nothing expires."""
    for fields, _ in results("cache-simulator"):
        ops = [{name: step[name] for name in ("t", "op", "key")} for step in fields["ops"]]
        hits = [
            answer(
                FAMILIES["cache-simulator"], {"policy": "lru", "capacity": capacity, "ops": ops}
            )["result"]["hits"]
            for capacity in range(1, 8)
        ]
        assert hits == sorted(hits)
