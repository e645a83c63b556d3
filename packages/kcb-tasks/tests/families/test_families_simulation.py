"""The families that simulate: conformance, invariants, and wrong variants that are caught."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

import pytest
from wrong_families import Mistake, named_mistakes

from kcb_core.codec import Json
from kcb_core.equality import same
from kcb_core.family import Case, Family, answer, generated_inputs
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.simulation import cellular_automaton, elevator, stack_language, token_bucket

pytestmark = pytest.mark.families

Mutants = Mapping[str, Mapping[str, str]]
"""For a piece of a family's module, each mistake and what stands there instead."""


class TestCellularAutomaton(FamilyConformance):
    """What every family keeps."""

    family = cellular_automaton.FAMILY


class TestElevator(FamilyConformance):
    """What every family keeps."""

    family = elevator.FAMILY


class TestTokenBucket(FamilyConformance):
    """What every family keeps."""

    family = token_bucket.FAMILY


class TestStackLanguage(FamilyConformance):
    """What every family keeps."""

    family = stack_language.FAMILY


MODULES = {
    module.FAMILY.slug: module
    for module in (cellular_automaton, elevator, token_bucket, stack_language)
}


def _cases(family: Family) -> tuple[Case, ...]:
    return (family.golden, *family.boundaries, *family.examples)


@pytest.mark.parametrize("slug", MODULES)
def test_cases_agree_with_the_rules(slug: str) -> None:
    """Golden case, boundaries and examples were worked out apart from the code."""
    family = MODULES[slug].FAMILY
    for case in _cases(family):
        expected = {"error": {"code": case.error}} if case.error else {"result": case.result}
        assert same(answer(family, case.input), expected), case.input


@pytest.mark.parametrize("slug", MODULES)
def test_drawn_inputs_reach_every_error_and_give_results(slug: str) -> None:
    """The few inputs of a task must show everything; 13 errors leave 11 of 24 for results."""
    family = MODULES[slug].FAMILY
    answers = [answer(family, fields) for fields in generated_inputs(family, 1729, 24)]
    codes = {given["error"]["code"] for given in answers if "error" in given}
    assert codes == {error.code for error in family.errors}
    assert sum("result" in given for given in answers) >= min(12, 24 - len(family.errors))


def _results(family: Family, count: int = 100) -> Iterator[tuple[dict[str, Json], Json]]:
    """Random inputs with a result, and the result."""
    found = 0
    for fields in generated_inputs(family, 4_242, 4 * count):
        given = answer(family, fields)
        if "result" in given and found < count:
            found += 1
            yield fields, given["result"]
    assert found == count


def test_a_torus_has_no_first_row_or_column() -> None:
    """A rotated grid gives the rotated grid, if its edges are joined."""
    for fields, result in _results(cellular_automaton.FAMILY):
        if fields.get("wrap"):
            for turn in (_rows_turned, _columns_turned):
                given = answer(cellular_automaton.FAMILY, {**fields, "grid": turn(fields["grid"])})
                assert given["result"] == {**result, "grid": turn(result["grid"])}


def _rows_turned(grid: list[str]) -> list[str]:
    return grid[1:] + grid[:1]


def _columns_turned(grid: list[str]) -> list[str]:
    return [row[1:] + row[:1] for row in grid]


def test_steps_can_be_run_in_two_parts() -> None:
    """The grid holds all that the next step depends on."""
    for fields, result in _results(cellular_automaton.FAMILY):
        half = fields["steps"] // 2
        first = answer(cellular_automaton.FAMILY, {**fields, "steps": half})["result"]
        rest = {**fields, "steps": fields["steps"] - half, "grid": first["grid"]}
        second = answer(cellular_automaton.FAMILY, rest)["result"]
        assert second["grid"] == result["grid"]
        assert result["peak"] in (
            first["peak"],
            {**second["peak"], "step": second["peak"]["step"] + half},
        )


def test_elevator_never_holds_too_many_and_is_never_too_fast() -> None:
    """Rides have their shortest time, and ids mean nothing."""
    for fields, result in _results(elevator.FAMILY):
        rides = list(zip(fields["requests"], result["passengers"], strict=True))
        for request, ride in rides:
            assert ride["board"] >= request["time"]
            shortest = abs(request["to"] - request["from"]) * fields.get("travel", 1)
            assert ride["exit"] - ride["board"] >= shortest
            now = ride["board"]
            held = sum(other["board"] <= now < other["exit"] for _, other in rides)
            assert held <= fields.get("capacity", 8)
        assert result["finish"] >= max(ride["exit"] for _, ride in rides)
        named = [{**request, "id": f"p{n}"} for n, (request, _) in enumerate(rides)]
        renamed = [{**ride, "id": f"p{n}"} for n, (_, ride) in enumerate(rides)]
        given = answer(elevator.FAMILY, {**fields, "requests": named})["result"]
        assert given == {**result, "passengers": renamed}


def test_no_bucket_gives_more_than_it_holds_and_gains() -> None:
    """Between any two times, the allowed costs of a key are bounded."""
    for fields, result in _results(token_bucket.FAMILY):
        calls = list(zip(fields["calls"], result["decisions"], strict=True))
        for key in {call["key"] for call, _ in calls}:
            limit = fields.get("overrides", {}).get(key, fields["limit"])
            own = [call for call, d in calls if call["key"] == key and d["allowed"]]
            for first, start in enumerate(own):
                spent = 0
                for call in own[first:]:
                    spent += call.get("cost", 1)
                    gained = Fraction((call["t"] - start["t"]) * limit["refill"], limit["every"])
                    assert spent <= limit["capacity"] + gained


def test_a_denied_call_is_allowed_when_it_was_promised_and_not_before() -> None:
    """The time to wait is neither too long nor too short."""
    for fields, result in _results(token_bucket.FAMILY):
        for index, decision in enumerate(result["decisions"]):
            call, wait = fields["calls"][index], decision["retry_after"]
            if wait and call["t"] + wait <= 10**12:
                for later, allowed in ((wait, True), (wait - 1, False)):
                    again = {**call, "t": call["t"] + later}
                    calls = [*fields["calls"][: index + 1], again]
                    given = answer(token_bucket.FAMILY, {**fields, "calls": calls})["result"]
                    assert given["decisions"][-1]["allowed"] is allowed


def test_as_many_steps_as_were_run_are_enough_and_one_less_is_not() -> None:
    """Steps are counted as they are limited."""
    for fields, result in _results(stack_language.FAMILY):
        exact = {**fields, "max_steps": max(1, result["steps"])}
        assert answer(stack_language.FAMILY, exact) == {"result": result}
        if result["steps"] > 1:
            given = answer(stack_language.FAMILY, {**fields, "max_steps": result["steps"] - 1})
            assert given == {"error": {"code": "step_limit"}}


def test_a_call_does_what_its_body_does() -> None:
    """Bodies in place of calls give the same, in fewer steps."""
    for fields, result in _results(stack_language.FAMILY):
        tokens = re.findall(r"(?:(?<=[ \t\r\n])|^)#[^\n]*|([^ \t\r\n]+)", fields["program"])
        main, words = _taken_apart([token for token in tokens if token])
        while any(token in words for token in main):
            main = [t for token in main for t in words.get(token, [token])]
        program = " ".join(main)
        if len(program) <= 4_000:
            given = answer(stack_language.FAMILY, {**fields, "program": program})["result"]
            assert {**given, "steps": 0} == {**result, "steps": 0}
            assert given["steps"] <= result["steps"]


def _taken_apart(tokens: list[str]) -> tuple[list[str], dict[str, list[str]]]:
    """The main program, and the body of each word."""
    main: list[str] = []
    words: dict[str, list[str]] = {}
    rest = iter(tokens)
    for token in rest:
        if token == ":":
            name = next(rest)
            words[name] = list(iter(lambda: next(rest), ";"))
        else:
            main.append(token)
    return main, words


CELLULAR_AUTOMATON: Mutants = {
    'raise DomainError("ragged_grid")': {
        "bad cells come first": (
            'raise DomainError("bad_cell" if set("".join(rows)) - set("#.") else "ragged_grid")'
        ),
    },
    "any(len(row) != len(rows[0]) for row in rows)": {
        "rows may be shorter": "any(len(row) > len(rows[0]) for row in rows)",
        "lengths in UTF-16": (
            "any(len(row.encode('utf-16-le')) != len(rows[0].encode('utf-16-le')) for row in rows)"
        ),
    },
    'cell not in "#."': {
        "spaces are dead": 'cell not in "#. "',
        "only the first row is checked": 'row is rows[0] and cell not in "#."',
    },
    '> peak["population"]:': {"the latest peak": '>= peak["population"]:'},
    'peak = {"step": 0, "population": _population(rows)}': {
        "the start is no peak": 'peak = {"step": 0, "population": -1}',
    },
    "if first < step and repeat is None:": {
        "the last repeat": "if first < step:",
        "only the start can come back": "if first == 0 and repeat is None:",
    },
    '            repeat = {"first"': {
        "running stops at a repeat": (
            '            return {"grid": list(rows), "population": _population(rows), '
            '"peak": peak, "repeat": {"first": first, "period": step - first}}\n'
            '            repeat = {"first"'
        ),
    },
    '"period": step - first}': {"the period is the step": '"period": step}'},
    'range(1, fields["steps"] + 1)': {"one step less": 'range(1, fields["steps"])'},
    'in (survives if cell == "#" else born)': {
        "B for all cells": "in born",
        "only the first digit counts": 'in (survives[:1] if cell == "#" else born[:1])',
        "birth and survival exchanged": 'in (born if cell == "#" else survives)',
    },
    "wide = [row[-1] + row + row[0] for row in rows]": {
        "only rows wrap": 'wide = ["." + row + "." for row in rows]',
    },
    "return (wide[-1], *wide, wide[0])": {
        "only columns wrap": 'return ("." * len(wide[0]), *wide, "." * len(wide[0]))',
    },
    '    dead = "." * (len(rows[0]) + 2)': {
        "outside is live with B0": '    dead = "#" * (len(rows[0]) + 2)',
        "always a torus": "    return _framed(rows, True)\n    dead = ''",
    },
    "    if wrap:\n": {
        "narrow grids do not wrap": "    if wrap and len(rows) > 2 and len(rows[0]) > 2:\n",
    },
    'return block - (around[y][x] == "#")': {
        "a cell is its own neighbour": "return block",
        "no diagonals": (
            "return sum(c == '#' for c in (around[y - 1][x], around[y + 1][x], around[y][x - 1], "
            "around[y][x + 1]))"
        ),
    },
    "around[y - 1 : y + 2]": {"no row below": "around[y - 1 : y + 1]"},
    '"population": _population(rows), "peak"': {
        "the population of the peak": '"population": peak["population"], "peak"',
    },
}

ELEVATOR: Mutants = {
    "p.time <= self.now]": {
        "known only later": "p.time < self.now]",
        "everything is known": "p.time <= self.now + 10**6]",
    },
    "sorted(known, key=lambda p: p.time)": {
        "the order of the requests": "known",
        "the latest first": "sorted(known, key=lambda p: -p.time)",
        "by time and id": "sorted(known, key=lambda p: (p.time, p.id))",
    },
    "min(waiting, key=lambda p: abs(p.origin - self.floor))": {
        "the earliest, not the nearest": "waiting[0]",
        "the nearest in the order of requests": (
            "min((p for p in self.passengers if p in waiting), "
            "key=lambda p: abs(p.origin - self.floor))"
        ),
        "the lower of two": "min(waiting, key=lambda p: (abs(p.origin - self.floor), p.origin))",
    },
    "            return nearest.way\n": {"up from the own floor": "            return _UP\n"},
    "return beyond or bool(self.at_floor(way))": {
        "those at the floor are no work": "return beyond"
    },
    "        floors += [p.origin for p in self.waiting()]\n": {
        "those who wait are no work": "        floors += []\n",
        "only those who travel on are work": (
            "        floors += [p.origin for p in self.waiting() if p.way == way]\n"
        ),
    },
    "        boarding = self.at_floor(self.direction)[:room]\n": {
        "no capacity": "        boarding = self.at_floor(self.direction)\n",
        "one more than there is room": (
            "        boarding = self.at_floor(self.direction)[: room + 1]\n"
        ),
    },
    "p.origin == self.floor and p.way == way]": {
        "all board, wherever they want": "p.origin == self.floor and way]",
    },
    "                self.stops += 1\n": {
        "leaving and boarding are two stops": (
            "                self.stops += bool(left) + bool(boarded)\n"
        ),
        "the direction is chosen anew after a stop": (
            "                self.stops += 1\n                self.direction = _NONE\n"
        ),
        "each passenger takes time": (
            "                self.stops += 1\n                self.now += left + boarded - 1\n"
        ),
    },
    "                self.now += dwell\n": {
        "dwell is always 2": "                self.now += 2\n",
        "the car moves on at once": (
            "                self.now += dwell\n"
            "                if any(p.riding for p in self.passengers):\n"
            "                    self.moves += 1\n"
            "                    self.floor += self.direction\n"
            "                    self.now += travel\n"
        ),
    },
    "                self.now = min(later)\n": {
        "an idle car goes to the ground": (
            "                self.now = min(later)\n                self.floor = 0\n"
        ),
        "the next in the list, not in time": "                self.now = later[0]\n",
    },
    (
        "            left = self.leave()\n"
        "            self.direction = self.turned()\n"
        "            boarded = self.board()\n"
    ): {
        "boarding before leaving": (
            "            self.direction = self.turned()\n"
            "            boarded = self.board()\n"
            "            left = self.leave()\n"
        ),
    },
    '"finish": elevator.now,': {
        "finished at the last exit": '"finish": max((p.exit for p in served), default=0),',
    },
    "str(Fraction(sum(values), len(values)))": {
        "whole averages": "str(sum(values) // len(values))",
        "decimal averages": "str(sum(values) / len(values))",
    },
    "if values else None": {"0 without requests": 'if values else "0"'},
    "p.board - p.time for p in served": {
        "waiting until the exit": "p.exit - p.time for p in served"
    },
    'if max(floors) >= fields["floors"]:': {
        "the number of floors is a floor": 'if max(floors) > fields["floors"]:',
        "the start is not checked": 'if max(floors[1:], default=0) >= fields["floors"]:',
    },
    'raise DomainError("duplicate_id")': {
        "bad floors before duplicates": (
            'raise DomainError("bad_floor" if fields["start"] >= fields["floors"] '
            'else "duplicate_id")'
        ),
    },
    'raise DomainError("bad_floor")': {
        "equal floors before bad ones": (
            'raise DomainError("same_floor" if any(r["from"] == r["to"] for r in requests) '
            'else "bad_floor")'
        ),
    },
    'if len({request["id"] for request in requests})': {
        "ids without case": 'if len({request["id"].lower() for request in requests})',
    },
}

TOKEN_BUCKET: Mutants = {
    'later["t"] < earlier["t"] for': {
        "equal times are reversed": 'later["t"] <= earlier["t"] for',
        "only within a key": 'later["t"] < earlier["t"] and later["key"] == earlier["key"] for',
    },
    'call.get("cost", 1)': {"every call costs 1": "1"},
    'fields["overrides"].get(key, fields["limit"])': {
        "no overrides": 'fields["limit"]',
        "the smaller limit": (
            'min(fields["overrides"].get(key, fields["limit"]), fields["limit"], '
            'key=lambda limit: limit["capacity"])'
        ),
    },
    'Fraction(limit["refill"], limit["every"])\n': {
        "a rate in doubles": (
            'limit["refill"] / limit["every"]\n        Fraction = float  # type: ignore\n'
        ),
        "whole tokens per unit": 'Fraction(limit["refill"] // limit["every"])\n',
    },
    "gained = (now - last.get(key, now)) * rate": {
        "only whole tokens are gained": "gained = Fraction(int((now - last.get(key, now)) * rate))",
        "only whole periods count": (
            'gained = (now - last.get(key, now)) // limit["every"] * Fraction(limit["refill"])'
        ),
        "periods start at 0": (
            'gained = (now // limit["every"] - last.get(key, now) // limit["every"]) '
            '* Fraction(limit["refill"])'
        ),
    },
    "tokens.get(key, Fraction(capacity))": {
        "an empty bucket at first": "tokens.get(key, now * rate)"
    },
    "+ gained, Fraction(capacity))": {"more than the capacity": "+ gained, Fraction(10**30))"},
    "if held >= cost:": {"all tokens cannot be taken": "if held > cost:"},
    "            held -= cost\n": {
        "an allowed call leaves no fraction": ("            held = Fraction(int(held - cost))\n")
    },
    "            denied[key] += 1\n": {
        "a denied call leaves no fraction": (
            "            denied[key] += 1\n            held = Fraction(int(held))\n"
        ),
        "a denied call takes what there is": (
            "            denied[key] += 1\n            held = Fraction(0)\n"
        ),
    },
    "math.ceil((cost - held) / rate) if cost <= capacity": {
        "rounded down": "math.floor((cost - held) / rate) if cost <= capacity",
        "rounded down, plus 1": "math.floor((cost - held) / rate) + 1 if cost <= capacity",
        "in doubles": "math.ceil(float(cost - held) / float(rate)) if cost <= capacity",
        "from whole tokens": "math.ceil((cost - int(held)) / rate) if cost <= capacity",
        "never for the whole capacity": "math.ceil((cost - held) / rate) if cost < capacity",
        "a time for what never is": "math.ceil((cost - held) / rate) if cost",
        "whole periods": (
            'math.ceil((cost - held) / limit["refill"]) * limit["every"] if cost <= capacity'
        ),
    },
    '"remaining": int(held)': {
        "remaining is rounded": '"remaining": round(held)',
        "remaining is rounded up": '"remaining": math.ceil(held)',
        "remaining before the call": '"remaining": int(held + cost * allowed)',
    },
    'key, now, cost = call["key"], ': {
        "one bucket for all": 'key, now, cost = "a", ',
        "keys without case": 'key, now, cost = call["key"].lower(), ',
    },
    "- denied.total()": {"denied keys, not calls": "- len(denied)"},
    '"denied": dict(denied)': {
        "keys without denied calls": '"denied": {key: denied[key] for key in tokens}',
    },
}

STACK_LANGUAGE: Mutants = {
    'rf"#[^\\n]*|([^{_SPACE}]+)"': {
        "comments inside tokens": 'rf"#[^\\n]*|([^{_SPACE}#]+)"',
        "comments end at CR, too": 'rf"#[^\\r\\n]*|([^{_SPACE}]+)"',
        "any white space": 'r"#[^\\n]*|(\\S+)"',
        "comments need a space": 'rf"#(?=[{_SPACE}])[^\\n]*|([^{_SPACE}]+)"',
    },
    're.compile(r"-?[0-9]+")': {
        "a plus sign": 're.compile(r"[+-]?[0-9]+")',
        "digits of any script": 're.compile(r"-?\\d+")',
        "no leading zeros": 're.compile(r"-?(0|[1-9][0-9]*)")',
    },
    '_TOKEN.findall(fields["program"])': {
        "words without case": '_TOKEN.findall(fields["program"].lower())',
    },
    "if not -(2**63) <= number < 2**63:": {
        "2^63 fits": "if not -(2**63) <= number <= 2**63:",
        "-2^63 does not fit": "if not -(2**63) < number < 2**63:",
        "doubles": "number = int(float(number))\n    if not -(2**63) <= number < 2**63:",
        "32 bits": "if not -(2**31) <= number < 2**31:",
    },
    '[_checked(value, "overflow") for value in values]': {
        "results wrap around": "[(value + 2**63) % 2**64 - 2**63 for value in values]",
        "results of any size": "values",
    },
    "_MOST_CALLS = 64": {"63 calls": "_MOST_CALLS = 63", "65 calls": "_MOST_CALLS = 65"},
    "_MOST_ELEMENTS = 256": {
        "255 elements": "_MOST_ELEMENTS = 255",
        "257 elements": "_MOST_ELEMENTS = 257",
    },
    "                callers.append((code, at))\n": {
        "the last call of a body is free": (
            "                if at < len(code) or code is main:\n"
            "                    callers.append((code, at))\n"
        ),
    },
    '                raise DomainError("call_depth")': {
        "calls without limit": "                pass",
    },
    "if self.steps == self.max_steps:": {
        "one step more": "if self.steps > self.max_steps:",
        "one step less": "if self.steps + 1 == self.max_steps:",
    },
    '            if op.kind == "jump":\n': {
        "else and repeat are steps": (
            '            if op.kind == "jump":\n                self.count()\n'
        ),
    },
    '            self.count()\n            if op.kind == "call":\n': {
        "calls are no steps": (
            '            if op.kind != "call":\n                self.count()\n'
            '            if op.kind == "call":\n'
        ),
        "conditions are no steps": (
            '            if op.kind != "unless":\n                self.count()\n'
            '            if op.kind == "call":\n'
        ),
        "other errors before the limit": (
            '            if op.kind == "primitive" and not self.stack and op.value != "depth":\n'
            '                raise DomainError("stack_underflow")\n'
            '            self.count()\n            if op.kind == "call":\n'
        ),
    },
    "at = at if condition else op.value": {
        "only 1 is true": "at = at if condition == 1 else op.value",
        "only positive numbers are true": "at = at if condition > 0 else op.value",
        "0 is true": "at = op.value if condition else at",
    },
    "                (condition,) = self.take(1)\n": {
        "conditions stay on the stack": (
            "                (condition,) = self.take(1)\n"
            "                self.put([condition] * (op.value is None))\n"
            "                self.put([] if op.value > at else [condition])\n"
        ),
    },
    "if len(self.stack) < count:": {
        "an empty stack gives 0": (
            "while len(self.stack) < count:\n            self.stack.insert(0, 0)\n        if False:"
        ),
    },
    "self.output += self.take(1)": {
        "printing leaves the number": (
            "self.output += self.take(1)\n            self.stack += self.output[-1:]"
        ),
    },
    "_divided(operator.floordiv)": {
        "towards zero": "_divided(lambda a, b: abs(a) // abs(b) * (1 if a * b >= 0 else -1))",
        "doubles are divided": "_divided(lambda a, b: int(a / b // 1))",
    },
    "_divided(operator.mod)": {
        "the sign of the dividend": (
            "_divided(lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1))"
        ),
        "never negative": "_divided(lambda a, b: a % abs(b))",
    },
    "[a, b, a]": {"over copies the top": "[a, b, b]"},
    "[b, c, a]": {"rot the other way": "[c, a, b]", "rot turns round": "[c, b, a]"},
    "[int(a < b)]": {"less is greater": "[int(b < a)]", "less or equal": "[int(a <= b)]"},
    "[int(a == b)]": {"true is -1": "[-int(a == b)]"},
    "[int(a != 0 and b != 0)]": {"bitwise and": "[a & b]", "and gives an operand": "[a and b]"},
    "[int(a != 0 or b != 0)]": {"bitwise or": "[a | b]", "or gives an operand": "[a or b]"},
    "[int(a == 0)]": {"bitwise not": "[~a]"},
    "self.put([len(self.stack)])": {"depth counts itself": "self.put([len(self.stack) + 1])"},
    '        if self.open:\n            raise DomainError("nested_definition")\n': {
        "definitions inside structures": (
            '        if any(structure == ":" for structure, _ in self.open):\n'
            '            raise DomainError("nested_definition")\n'
        ),
        "names come before nesting": (
            "        if self.open and name not in _PRIMITIVES:\n"
            '            raise DomainError("nested_definition")\n'
        ),
    },
    "or name in _RESERVED or _LITERAL.fullmatch(name)": {
        "primitives can be defined": "or name in _CONTROL or _LITERAL.fullmatch(name)",
        "numbers can be defined": "or name in _RESERVED",
        "numbers are checked first": (
            "or name in _RESERVED or (_LITERAL.fullmatch(name) "
            'and _checked(int(name), "bad_number") is not None)'
        ),
    },
    '            raise DomainError("duplicate_word")': {
        "words can be defined anew": "            pass"
    },
    "                self.called.add(token)\n": {
        "words must be defined before": (
            "                if token not in self.words:\n"
            '                    raise DomainError("unknown_word")\n'
        ),
        "unused words are not compiled": (
            "                if not self.open or self.open[0][0] != ':':\n"
            "                    self.called.add(token)\n"
        ),
    },
    '            raise DomainError("unterminated")': {
        "open structures end with the program": "            pass",
        "unknown words before open structures": (
            "            unknown = not self.called <= self.words.keys()\n"
            '            raise DomainError("unknown_word" if unknown else "unterminated")'
        ),
    },
    '"else": ("then",),': {"a second else": '"else": ("then", "else"),'},
    '"while": ("repeat",),': {
        "until after while": '"while": ("repeat", "until"),',
        "a second while": '"while": ("repeat", "while"),',
    },
    '"begin": ("until", "while"),': {
        "repeat without while": '"begin": ("until", "while", "repeat"),',
    },
    '"stack": machine.stack,': {"the top first": '"stack": machine.stack[::-1],'},
}

MUTANTS = {
    "cellular-automaton": CELLULAR_AUTOMATON,
    "elevator": ELEVATOR,
    "token-bucket": TOKEN_BUCKET,
    "stack-language": STACK_LANGUAGE,
}

MISTAKES = [
    mistake
    for slug, passages in MUTANTS.items()
    for mistake in named_mistakes(MODULES[slug], passages)
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
