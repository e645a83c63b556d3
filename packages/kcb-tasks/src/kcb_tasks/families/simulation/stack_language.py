"""Stack language: a small language of words and control structures, compiled and run."""

from __future__ import annotations

import operator
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import MAX_INTEGER, Array, Integer, Text, optional, required

_SUMMARY = """\
Compiles `program`, then runs it on a stack of integers. The stack is `stack` at first, its last
element on top.

**Tokens.** Space, tab, CR (U+000D) and LF (U+000A) separate tokens, and nothing else does. Where a
token would start with `#`, a comment stands instead, up to the next LF or the end. Each token is

- a literal: digits from `0` to `9`, at least one, with or without a `-` before them. Its value must
  be from -2^63 to 2^63 - 1;
- a primitive: `+ - * / mod neg dup drop swap over rot depth = < > and or not .`;
- a control word: `if else then begin until while repeat : ;`;
- or else the name of a word that the program defines. All is case-sensitive.

**Structures.** A and B stand for any tokens and structures, also none.

- `: NAME A ;` defines the word NAME, the token after `:`, with the body A. A definition may not
  stand inside a definition or another structure. The main program is all that is outside
  definitions. A word can be used anywhere, also before its definition and in its own body.
- `if A then`: takes a number off the stack and runs A if it is not 0.
- `if A else B then`: takes a number and runs A if it is not 0, else B.
- `begin A until`: runs A, takes a number, and starts again if it is 0.
- `begin A while B repeat`: runs A and takes a number. If it is 0, the loop is over. If not, runs B
  and starts again.

**Running.** The main program runs from left to right. The name of a word calls it: its body is run.
A literal puts its value on the stack. A primitive takes its operands off the stack and puts its
results there; the top is on the right:

- `a b +`, `a b -`, `a b *`: a + b, a - b, a · b. `a b /`: a divided by b, rounded down (towards
  minus infinity). `a b mod`: a - b · (`a b /`), where only this final number has to be in range.
  `a neg`: -a.
- `a dup`: a a. `a drop`: nothing. `a b swap`: b a. `a b over`: a b a. `a b c rot`: b c a.
- `depth`: the number of elements that were on the stack.
- `a b =`, `a b <`, `a b >`: 1 if it is true, else 0. `a b and`, `a b or`, `a not`: the same, where
  every number but 0 counts as true.
- `a .`: nothing on the stack; a is appended to the output.

Each literal, primitive, call, `if`, `until` and `while` that is run is one step, each time that it
is run. Other control words are no steps."""

_RESULT = """\
An object with these members:

- `stack`: an array of the elements of the stack at the end, the top last.
- `output`: an array of the integers of the output, in order.
- `steps`: the number of steps."""

_PRECEDENCE = """\
The first seven are found before anything is run. The tokens are read from left to right, and the
first token that has one of the first five errors decides; if it has several, the first of the list.
If there is no such token, `unterminated` is tested, then `unknown_word`. The last six are found in
running. The first step that has one of them decides; if it has several, the first of the list."""

_RULES = """\
- `: #x` is a `:` and a comment. `a#b` is one token.
- 64 calls may be active. A call is active until its body has been run to the end, also if the call
  is the last token of another body.
- A word that is never called is compiled like all others."""

_LITERAL = re.compile(r"-?[0-9]+")
_SPACE = " \t\r\n"
_TOKEN = re.compile(rf"#[^\n]*|([^{_SPACE}]+)")
_CONTROL = frozenset({"if", "else", "then", "begin", "until", "while", "repeat", ":", ";"})
_MOST_CALLS = 64
_MOST_ELEMENTS = 256


@dataclass(slots=True)
class _Op:
    """One operation of compiled code.

    Attributes:
        kind: ``push``, ``primitive``, ``call``, ``unless`` (take a number, jump if it is 0) or
            ``jump``.
        value: what is pushed or called, or where it jumps in the same code.
    """

    kind: str
    value: Any = None


_Code = list[_Op]


class _Compiler:
    """Turns tokens into code; what is open is a stack of structures and places to come back to."""

    def __init__(self) -> None:
        self.main: _Code = []
        self.code = self.main
        self.words: dict[str, _Code] = {}
        self.called: set[str] = set()
        self.open: list[tuple[str, list[int]]] = []

    def compile(self, tokens: Sequence[str]) -> None:
        rest = iter(tokens)
        for token in rest:
            if token == ":":
                self.define(next(rest, ""))
            elif token in _CONTROL:
                self.control(token)
            elif token in _PRIMITIVES:
                self.code.append(_Op("primitive", token))
            elif _LITERAL.fullmatch(token):
                self.code.append(_Op("push", _checked(int(token), "bad_number")))
            else:
                self.called.add(token)
                self.code.append(_Op("call", token))
        if self.open:
            raise DomainError("unterminated")
        if not self.called <= self.words.keys():
            raise DomainError("unknown_word")

    def define(self, name: str) -> None:
        if self.open:
            raise DomainError("nested_definition")
        if not name or name in _RESERVED or _LITERAL.fullmatch(name):
            raise DomainError("bad_name")
        if name in self.words:
            raise DomainError("duplicate_word")
        self.words[name] = self.code = []
        self.open.append((":", []))

    def control(self, token: str) -> None:
        """Closes or divides the innermost structure, if the token fits it, or opens one."""
        here = len(self.code)
        if token in ("if", "begin"):
            self.open.append((token, [here]))
            if token == "if":
                self.code.append(_Op("unless"))
            return
        structure, places = self.open.pop() if self.open else ("", [])
        if token not in _FITTING.get(structure, ()):
            raise DomainError("unbalanced")
        if token == ";":
            self.code = self.main
        elif token == "else":
            self.code.append(_Op("jump"))
            self.code[places[0]].value = here + 1
            self.open.append(("else", [here]))
        elif token == "then":
            self.code[places[0]].value = here
        elif token == "until":
            self.code.append(_Op("unless", places[0]))
        elif token == "while":
            self.code.append(_Op("unless"))
            self.open.append(("while", [*places, here]))
        else:
            self.code.append(_Op("jump", places[0]))
            self.code[places[1]].value = here + 1


_FITTING = {
    ":": (";",),
    "if": ("else", "then"),
    "else": ("then",),
    "begin": ("until", "while"),
    "while": ("repeat",),
}
"""For each open structure, the tokens that close or divide it."""


def _checked(number: int, error: str) -> int:
    if not -(2**63) <= number < 2**63:
        raise DomainError(error)
    return number


class _Machine:
    """A stack, an output, and the calls that are active."""

    def __init__(self, words: Mapping[str, _Code], stack: Sequence[int], max_steps: int) -> None:
        self.words = words
        self.stack = list(stack)
        self.max_steps = max_steps
        self.output: list[int] = []
        self.steps = 0

    def run(self, main: _Code) -> None:
        code, at = main, 0
        callers: list[tuple[_Code, int]] = []
        while at < len(code) or callers:
            if at == len(code):
                code, at = callers.pop()
                continue
            op, at = code[at], at + 1
            if op.kind == "jump":
                at = op.value
                continue
            self.count()
            if op.kind == "call":
                if len(callers) == _MOST_CALLS:
                    raise DomainError("call_depth")
                callers.append((code, at))
                code, at = self.words[op.value], 0
            elif op.kind == "unless":
                (condition,) = self.take(1)
                at = at if condition else op.value
            else:
                self.step(op)

    def count(self) -> None:
        if self.steps == self.max_steps:
            raise DomainError("step_limit")
        self.steps += 1

    def step(self, op: _Op) -> None:
        if op.kind == "push":
            self.put([op.value])
        elif op.value == "depth":
            self.put([len(self.stack)])
        elif op.value == ".":
            self.output += self.take(1)
        else:
            operands, compute = _OPERATIONS[op.value]
            self.put(compute(*self.take(operands)))

    def take(self, count: int) -> list[int]:
        if len(self.stack) < count:
            raise DomainError("stack_underflow")
        taken = self.stack[-count:]
        del self.stack[-count:]
        return taken

    def put(self, values: Sequence[int]) -> None:
        self.stack += [_checked(value, "overflow") for value in values]
        if len(self.stack) > _MOST_ELEMENTS:
            raise DomainError("stack_overflow")


def _divided(compute: Callable[[int, int], int]) -> Callable[[int, int], list[int]]:
    def divided(a: int, b: int) -> list[int]:
        if b == 0:
            raise DomainError("division_by_zero")
        return [compute(a, b)]

    return divided


_OPERATIONS: dict[str, tuple[int, Callable[..., Sequence[int]]]] = {
    "+": (2, lambda a, b: [a + b]),
    "-": (2, lambda a, b: [a - b]),
    "*": (2, lambda a, b: [a * b]),
    "/": (2, _divided(operator.floordiv)),
    "mod": (2, _divided(operator.mod)),
    "neg": (1, lambda a: [-a]),
    "dup": (1, lambda a: [a, a]),
    "drop": (1, lambda a: []),
    "swap": (2, lambda a, b: [b, a]),
    "over": (2, lambda a, b: [a, b, a]),
    "rot": (3, lambda a, b, c: [b, c, a]),
    "=": (2, lambda a, b: [int(a == b)]),
    "<": (2, lambda a, b: [int(a < b)]),
    ">": (2, lambda a, b: [int(a > b)]),
    "and": (2, lambda a, b: [int(a != 0 and b != 0)]),
    "or": (2, lambda a, b: [int(a != 0 or b != 0)]),
    "not": (1, lambda a: [int(a == 0)]),
}
"""For each primitive, how many operands it takes and what it puts back."""

_PRIMITIVES = frozenset({*_OPERATIONS, "depth", "."})
_RESERVED = _PRIMITIVES | _CONTROL


def _evaluate(fields: Mapping[str, Any]) -> Json:
    tokens = [token for token in _TOKEN.findall(fields["program"]) if token]
    compiler = _Compiler()
    compiler.compile(tokens)
    machine = _Machine(compiler.words, fields["stack"], fields["max_steps"])
    machine.run(compiler.main)
    return {"stack": machine.stack, "output": machine.output, "steps": machine.steps}


def _generate(rng: random.Random) -> dict[str, Json]:
    fault = _DRAWN.get(rng.randrange(64), "")
    names = rng.sample(_NAMES, rng.randint(0, 3))
    parts = [_draw_code(rng, names, 2) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.5:
        parts.append(rng.choice(_LOOPS))
    if fault and fault not in ("bad_name", "unterminated"):
        parts.insert(rng.randint(0, len(parts)), rng.choice(_FAULTS[fault]))
    drawn: dict[str, Json] = {}
    if rng.random() < 0.8:
        drawn["stack"] = [rng.choice(_NUMBERS) for _ in range(rng.randint(9, 20))]
    else:
        parts.insert(0, "5 -2 0 7 3 1 1 0 2 9 4 0 6")
    for index, name in enumerate(names):
        body = _draw_code(rng, names[:index], 1)
        parts.insert(rng.randint(0, len(parts)), f": {name} {body} ;")
    if fault in ("bad_name", "unterminated"):
        parts.append(rng.choice(_FAULTS[fault]))
    drawn["program"] = "".join(_spaced(rng, part) for part in parts)
    if fault == "step_limit" or rng.random() < 0.2:
        drawn["max_steps"] = rng.choice([1, 7, 100]) if fault == "step_limit" else 20_000
    return drawn


def _draw_code(rng: random.Random, words: Sequence[str], depth: int) -> str:
    """Code that leaves at most a few elements more and needs at most a few."""
    parts: list[str] = []
    for _ in range(rng.randint(1, 4)):
        kind = rng.random()
        if kind < 0.15 and depth:
            inner = [_draw_code(rng, words, depth - 1) for _ in range(2)]
            parts.append(
                rng.choice(["{} if {} then", "{} if {} else {} then"]).format("dup", *inner)
            )
        elif kind < 0.3 and words:
            parts.append(rng.choice(words))
        else:
            parts.append(rng.choice(_SNIPPETS))
    return " ".join(parts)


def _spaced(rng: random.Random, part: str) -> str:
    gap = rng.choice([" ", " ", "\n", "\t", "\r\n", "  "])
    comment = rng.choice(["", "", "", "# : if ;\n", "#\n", "# é 𝒳\n"])
    return part.replace(" ", gap) + gap + comment


_NAMES = ("sq", "é", "e\u0301", "𝒳", "If", "+1", "a#b", "DUP", "--", "1x", "\u00a0", "２")

_NUMBERS = (0, 0, 1, 1, -1, 2, -3, 7, 12, MAX_INTEGER, -MAX_INTEGER)

_SNIPPETS = (
    *("1", "-7", "0", "007", "-0", "3 4 +", "2 -", "3 *", "2 /", "-2 /", "3 mod", "-3 mod", "neg"),
    *("dup drop", "swap", "over .", "1 2 3 rot", "depth .", "2 =", "1 <", "0 >", "dup and", "0 or"),
    *("not", "neg .", "dup .", "0 = .", "-9223372036854775808 .", "9223372036854775807 1 - ."),
)

_LOOPS = (
    "3 begin dup . 1 - dup not until drop",
    "4 begin dup while 1 - dup . repeat drop",
    "0 begin 1 + dup 3 = if 7 . then dup 5 = until .",
    "begin 1 until",
    "begin 0 while 1 . repeat",
)

# The numbers make the first 24 inputs of the shipped dataset reach every error.
_DRAWN = {
    0: "bad_number",
    9: "nested_definition",
    10: "bad_name",
    11: "duplicate_word",
    12: "unbalanced",
    17: "unterminated",
    18: "unknown_word",
    28: "step_limit",
    29: "stack_underflow",
    38: "call_depth",
    39: "division_by_zero",
    40: "overflow",
    44: "stack_overflow",
}

_FAULTS = {
    "bad_number": ("9223372036854775808", "-9223372036854775809 : :", "9" * 30),
    "nested_definition": ("1 if : x ; then", ": x : y ; ;", "begin : 5"),
    "bad_name": (": dup ;", ": ;", ": 5 ;", ": : ;", ": 99999999999999999999 ;", ": until ;", ":"),
    "duplicate_word": (": a ; : a", ": a 1 ; : b ; : a 2 ;"),
    "unbalanced": (
        "then",
        "begin if until",
        "1 if else else then",
        "begin while until",
        "repeat ;",
    ),
    "unterminated": ("1 foo if", ": a 1", "begin 1 while", "1 if else", ": a begin"),
    "unknown_word": ("foo", ": never foo ;", "0 if Dup then", "1.5", "+5", "1\u00a02"),
    "step_limit": ("begin 0 until", ": r 1 drop r ; r", "begin 1 while repeat 1 0 /"),
    "stack_underflow": ("begin drop 0 until", "begin + 0 until", "begin . 0 until"),
    "call_depth": (": r r ; r", ": p q ; : q p ; q", ": f dup if f then 1 ; 5 f"),
    "division_by_zero": ("1 0 /", "5 0 mod", "0 0 mod"),
    "overflow": (
        "-9223372036854775808 neg",
        "-9223372036854775808 -1 /",
        "9223372036854775807 1 +",
        "4294967296 2147483648 *",
        "-9223372036854775808 1 -",
    ),
    "stack_overflow": ("begin 1 0 until", "begin depth 0 until", "1 begin dup 0 until"),
}


def _run(program: str, stack: Sequence[int], steps: int, output: Sequence[int] = ()) -> Case:
    """A program without a stack at first."""
    result = {"stack": list(stack), "output": list(output), "steps": steps}
    return Case({"program": program}, result)


def _fails(error: str, program: str, **options: Json) -> Case:
    return Case({"program": program, **options}, error=error)


_FULL = "begin 7 depth 253 > until 7 7"
"""Leaves 256 elements after 1272 steps."""

_DOWN = ": f dup if 1 - f then ;"
"""A word that calls itself as often as the number on the stack says."""

_BOUNDARIES = (
    # Tokens: white space, comments, literals, names.
    _run("", [], 0),
    _run(" \t\r\n# 1", [], 0),
    Case({"program": "", "stack": [1, 2]}, {"stack": [1, 2], "output": [], "steps": 0}),
    _run("1\t2\r3\n4", [1, 2, 3, 4], 4),
    _run("1 #2 : if\n3#\n#\n: 3# 4 ; # x\r5\n6 #", [1, 4, 6], 4),
    _run(": 1#2 7 ; 1#2", [7], 2),
    _run(": # a\n b # c\n 1 ; b", [1], 2),
    _run("007 -0 -00012 000000000000000000000005", [7, 0, -12, 5], 4),
    _run(
        "9223372036854775807 -9223372036854775808",
        [9_223_372_036_854_775_807, -9_223_372_036_854_775_808],
        2,
    ),
    _run(": \u00a0 1 ; : \u2028\f 2 ; \u00a0 \u2028\f", [1, 2], 4),
    _run(": +1 1 + ; : := 3 ; 4 +1 :=", [5, 3], 6),
    _run(": If 3 ; : DUP dup ; If DUP", [3, 3], 4),
    _run(": 5x 1 ; : --5 2 ; : 1.5 3 ; : 𝒳 4 ; 5x --5 1.5 𝒳", [1, 2, 3, 4], 8),
    _run(": é 5 ; : two é é ; two # x", [5, 5], 5),
    # Arithmetic.
    _run("-7 2 / -7 2 mod 1 2 3 rot depth", [-4, 1, 2, 3, 1, 5], 11),
    _run("7 -2 / 7 -2 mod", [-4, -1], 6),
    _run("-7 -2 / -7 -2 mod", [3, -1], 6),
    _run("6 3 / -6 3 mod 0 -3 /", [2, 0, 0], 9),
    _run("9223372036854775807 2 / 9223372036854775807 3 mod", [4_611_686_018_427_387_903, 1], 6),
    _run("2 3 - 2 3 * 2 neg 0 neg", [-1, 6, -2, 0], 10),
    _run("3037000499 3037000499 *", [9_223_372_030_926_249_001], 3),
    _run("4611686018427387904 -2 *", [-9_223_372_036_854_775_808], 3),
    _run("-9223372036854775808 -1 mod", [0], 3),
    _run("9223372036854775807 neg 1 -", [-9_223_372_036_854_775_808], 4),
    Case(
        {"program": "+ dup . depth", "stack": [5, MAX_INTEGER, MAX_INTEGER]},
        {"stack": [5, 18_014_398_509_481_982, 2], "output": [18_014_398_509_481_982], "steps": 4},
    ),
    # Comparison, logic, the stack, output.
    _run("1 2 < 2 1 < 1 1 < 1 2 > 2 1 > 1 1 > 1 1 = 1 -1 =", [1, 0, 0, 0, 1, 0, 1, 0], 24),
    _run("2 -3 and 4 2 and 0 5 and 5 0 and", [1, 1, 0, 0], 12),
    _run("0 -1 or 2 0 or 4 3 or 0 0 or", [1, 1, 1, 0], 12),
    _run("7 not 0 not -1 not", [0, 1, 0], 6),
    _run("1 2 swap", [2, 1], 3),
    _run("1 2 over", [1, 2, 1], 3),
    _run("1 2 drop dup", [1, 1], 4),
    _run("4 1 2 3 rot", [4, 2, 3, 1], 5),
    _run("depth depth depth", [0, 1, 2], 3),
    _run("1 . 2 3 . .", [], 6, [1, 3, 2]),
    # Control structures, and which tokens are steps.
    _run("0 if 1 else 2 then 3", [2, 3], 4),
    _run("5 if 1 else 2 then", [1], 3),
    _run("-1 if 7 then 0 if 8 then", [7], 5),
    _run("1 if then 1 if else then 0 if else then", [], 6),
    _run("1 0 if 5 if 6 then else if 7 else 8 then then", [7], 5),
    _run("3 begin dup . 1 - dup not until", [0], 22, [3, 2, 1]),
    _run("begin -1 until", [], 2),
    _run("1 0 begin until", [], 4),
    _run("begin 0 while 9 repeat 4", [4], 3),
    _run("2 begin dup while 1 - repeat", [0], 11),
    _run("1 begin while 0 repeat", [], 4),
    _run("2 begin dup begin dup while dup . 1 - repeat drop 1 - dup not until", [0], 37, [2, 1, 1]),
    # Words.
    _run("w : w 1 ;", [1], 2),
    _run("1 : w 2 ; w 3", [1, 2, 3], 4),
    _run(": w ; w w", [], 2),
    _run(": down dup if dup . 1 - down then ; 3 down", [0], 25, [3, 2, 1]),
    _run(": a b ; : b 1 ; a", [1], 3),
    _run(": e ; " + "e " * 70, [], 70),
    _run(f"{_DOWN} 63 f", [0], 319),
    # Errors of a token.
    _fails("bad_number", "9223372036854775808 : :"),
    _fails("bad_number", "-9223372036854775809"),
    _fails("bad_number", ": a 0 if 9223372036854775808"),
    _fails("bad_number", "9" * 40 + " then"),
    _fails("nested_definition", "1 if : x ; then"),
    _fails("nested_definition", "1 if : dup ; then"),
    _fails("nested_definition", ": a : b ; ;"),
    _fails("nested_definition", ": a : ; ;"),
    _fails("nested_definition", "begin : 5"),
    _fails("nested_definition", "1 if else : a ; 9223372036854775808"),
    _fails("nested_definition", ": a ; begin 1 while : a"),
    *(_fails("bad_name", text) for text in (":", ": #a", ": 5 ;", ": -0 ;", ": dup ;", ": . ;")),
    *(_fails("bad_name", text) for text in (": if ;", "1 : repeat", ": : a ;", ": ;", ": - ;")),
    _fails("bad_name", ": depth then"),
    _fails("bad_name", ": 9223372036854775808 ;"),
    _fails("duplicate_word", ": a ; : a"),
    _fails("duplicate_word", ": a 1 ; : b ; : a then foo"),
    *(_fails("unbalanced", word) for word in ("else", "then", "until", "while", "repeat", ";")),
    _fails("unbalanced", ": é 5 ; : two é é ; two ; "),
    _fails("unbalanced", "begin if until"),
    _fails("unbalanced", "1 if else else then"),
    _fails("unbalanced", "1 if then else"),
    _fails("unbalanced", "1 if repeat"),
    _fails("unbalanced", "1 if ;"),
    _fails("unbalanced", "begin 1 while 1 while repeat"),
    _fails("unbalanced", "begin 1 while until"),
    _fails("unbalanced", "begin 1 if while then repeat"),
    _fails("unbalanced", "begin repeat"),
    _fails("unbalanced", "begin then"),
    _fails("unbalanced", "begin ;"),
    _fails("unbalanced", ": a if ; then"),
    _fails("unbalanced", ": a then ;"),
    _fails("unbalanced", ":x 1 ;"),
    _fails("unbalanced", "then 9223372036854775808"),
    _fails("unbalanced", "1 0 / then"),
    # Errors of the whole program.
    *(_fails("unterminated", text) for text in ("1 foo if", ": a", "begin", "begin 1 while foo")),
    *(
        _fails("unterminated", text)
        for text in ("1 if 2 else", ": a begin", "1 0 / begin 1 if then")
    ),
    *(_fails("unknown_word", text) for text in ("foo", ": never foo ; 1", "0 if foo then", "Dup")),
    *(
        _fails("unknown_word", text)
        for text in ("+5", "1.5", "1_0", "0x1", "２", "--1", "1\u00a02")
    ),
    *(_fails("unknown_word", text) for text in ("1\f2", "1\u20282", "1#2", "dup#", "1 0 / foo")),
    _fails("unknown_word", ": é 1 ; e\u0301"),
    _fails("unknown_word", ": a 1 ; A"),
    # Errors of a step.
    Case({"program": "1 2", "max_steps": 2}, {"stack": [1, 2], "output": [], "steps": 2}),
    Case(
        {"program": "1 if 5 else 6 then", "max_steps": 3},
        {"stack": [5], "output": [], "steps": 3},
    ),
    _run("1 drop 999 begin 1 - dup not until drop 5", [5], 5_000),
    _fails("step_limit", "1 drop 999 begin 1 - dup not until drop 5 6"),
    _fails("step_limit", "1 2", max_steps=1),
    _fails("step_limit", "begin 0 until", max_steps=10),
    _fails("step_limit", "begin 1 while repeat"),
    _fails("step_limit", "1 drop drop", max_steps=2),
    _fails("step_limit", ": r r ; r", max_steps=64),
    _fails("step_limit", ": e ; e e", max_steps=1),
    *(
        _fails("stack_underflow", text)
        for text in (
            *("neg", "dup", "drop", "not", ".", "if then", "begin until", "begin while repeat"),
            *("+", "1 +", "1 -", "1 *", "1 =", "1 <", "1 >", "1 and", "1 or", "1 swap", "1 over"),
            *("1 2 rot", "0 /", "0 mod", "1 2 drop swap", "1 . drop 1 0 /"),
        )
    ),
    _fails("call_depth", ": r r ; r"),
    _fails("call_depth", ": r r ; r", max_steps=65),
    _fails("call_depth", ": a b ; : b a ; a"),
    _fails("call_depth", f"{_DOWN} 64 f"),
    *(_fails("division_by_zero", text) for text in ("1 0 /", "1 0 mod", "0 0 /", "0 0 mod")),
    _fails("division_by_zero", "-9223372036854775808 0 / foo : foo ;"),
    *(
        _fails("overflow", text)
        for text in (
            "9223372036854775807 1 +",
            "-9223372036854775808 1 -",
            "4611686018427387904 2 *",
            "-9223372036854775808 neg",
            "-9223372036854775808 -1 /",
            "3037000500 3037000500 * 1 0 /",
        )
    ),
    _run(f"{_FULL} swap rot not +", [7] * 255, 1_276),
    _fails("stack_overflow", f"{_FULL} 7"),
    _fails("stack_overflow", f"{_FULL} dup"),
    _fails("stack_overflow", f"{_FULL} over drop"),
    _fails("stack_overflow", f"{_FULL} depth"),
    _fails("stack_overflow", "begin 1 0 until"),
)

FAMILY = Family(
    number=50,
    slug="stack-language",
    title="Stack language interpreter",
    category="simulation",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required("program", Text(0, 4_000), "The program."),
        optional(
            "stack",
            Array(Integer(-MAX_INTEGER, MAX_INTEGER), 0, 100),
            [],
            "The stack at first, the top last.",
        ),
        optional("max_steps", Integer(1, 20_000), 5_000, "How many steps may be run."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("bad_number", "The token is a literal whose value is out of range."),
        ErrorCode(
            "nested_definition", "The token is `:` inside a definition or another structure."
        ),
        ErrorCode(
            "bad_name",
            "The token is `:`, and the next token is missing, or a literal of any value, a "
            "primitive or a control word.",
        ),
        ErrorCode(
            "duplicate_word",
            "The token is the NAME of a definition, and a definition further left has it, too.",
        ),
        ErrorCode(
            "unbalanced",
            "The token is `else`, `then`, `until`, `while`, `repeat` or `;`, and no structure is "
            "open, or it does not belong to the innermost open one. `;` belongs to a definition; "
            "`else` and `then` to an `if`, but after its `else` only `then`; `until` and `while` "
            "to a `begin`, but after its `while` only `repeat`.",
        ),
        ErrorCode("unterminated", "At the end of the program a structure is open."),
        ErrorCode("unknown_word", "A token is a name, and the program does not define it."),
        ErrorCode("step_limit", "`max_steps` steps have been run before."),
        ErrorCode("stack_underflow", "The stack has fewer elements than the step takes."),
        ErrorCode("call_depth", "The step is a call, and 64 calls are active already."),
        ErrorCode("division_by_zero", "In `a b /` or `a b mod`, b is 0."),
        ErrorCode("overflow", "A result is below -2^63 or above 2^63 - 1."),
        ErrorCode("stack_overflow", "After the step there would be more than 256 elements."),
    ),
    precedence=_PRECEDENCE,
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "program": ": fact dup 2 < if drop 1 else dup 1 - fact * then ;  # factorial\n"
            "4 fact . begin dup while dup . 1 - repeat",
            "stack": [-7, 2],
        },
        {"stack": [-7, 0], "output": [24, 2, 1], "steps": 50},
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            {
                "program": ": half 2 / ;  # rounds down\n"
                "-7 half . 5 begin dup 1 > while half dup . repeat",
                "stack": [9],
            },
            {"stack": [9, 1], "output": [-4, 2, 1], "steps": 28},
        ),
        _fails("unbalanced", "1 0 / begin foo until then"),
    ),
    malformed=(
        {"program": None},
        {"program": 1},
        {"program": ["1", "dup"]},
        {"program": "1 " * 2_000 + "1"},
        {"program": "é" * 4_001},
        {"program": "1", "stack": None},
        {"program": "1", "stack": 1},
        {"program": "1", "stack": "1 2"},
        {"program": "1", "stack": {}},
        {"program": "1", "stack": [1, 2.0]},
        {"program": "1", "stack": [0.5]},
        {"program": "1", "stack": [True]},
        {"program": "1", "stack": ["1"]},
        {"program": "1", "stack": [None]},
        {"program": "1", "stack": [[1]]},
        {"program": "1", "stack": [0] * 101},
        {"program": "1", "max_steps": 0},
        {"program": "1", "max_steps": 20_001},
        {"program": "1", "max_steps": 100.0},
        {"program": "1", "max_steps": True},
        {"program": "1", "max_steps": "100"},
        {"program": "1 if", "max_steps": None},
    ),
)
