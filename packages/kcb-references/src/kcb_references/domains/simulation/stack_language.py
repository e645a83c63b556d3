# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Compiles a program of a stack language, then runs it."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

_LOWEST, _HIGHEST = -(2**63), 2**63 - 1
_MAX_CALLS = 64
_MAX_STACK = 256
_MAX_ELEMENT = 2**53 - 1

# A comment is tried first, but only where a token would start: `a#b` is a token.
_TOKEN = re.compile(r"#[^\n]*|[^ \t\r\n]+")
# `[0-9]` and not `\d`, which also takes the digits of other scripts.
_LITERAL = re.compile(r"-?[0-9]+")


class _ProgramError(Exception):
    """The program cannot be compiled or run; the message is the code of the error."""


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Compile and run a program.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    machine = _Machine(fields.get("stack", []), fields.get("max_steps", 5000))
    try:
        machine.run(_Compiler(fields["program"]).compile())
    except _ProgramError as program_error:
        return {"error": {"code": str(program_error)}}
    return {"result": machine.report()}


# ------------------------------------------------------------------------------------ compilation


@dataclass
class _Code:
    """One thing for the machine to do.

    Its kind is `push` (of `number`), `primitive` or `call` (of `name`), `branch` (take a number,
    and if it is 0, go to the address `number`) or `jump` (go there in any case).
    """

    kind: str
    number: int = 0
    name: str = ""


_Body = list[_Code]


class _Program(NamedTuple):
    """A program that is ready to run: its main program and the bodies of its words."""

    main: _Body
    words: dict[str, _Body]


class _Structure(NamedTuple):
    """A structure that is open.

    `word` is the control word of it that was read last. `start` is the address to go back to from
    its end, and `leap` is what goes to an address behind it that is not known yet.
    """

    word: str
    start: int = 0
    leap: _Code | None = None


# For each control word that goes on with a structure or ends it: after which words it may come.
_PREDECESSORS = {
    "else": ("if",),
    "then": ("if", "else"),
    "until": ("begin",),
    "while": ("begin",),
    "repeat": ("while",),
    ";": (":",),
}
_CONTROL_WORDS = {"if", "begin", ":", *_PREDECESSORS}


class _Compiler:
    """Compiles the tokens of a program from left to right."""

    def __init__(self, text: str) -> None:
        self._tokens = [token for token in _TOKEN.findall(text) if not token.startswith("#")]
        self._main: _Body = []
        self._words: dict[str, _Body] = {}
        self._body = self._main
        self._open: list[_Structure] = []

    def compile(self) -> _Program:
        """Compile all tokens.

        Returns:
            The program.

        Raises:
            _ProgramError: The program cannot be compiled.
        """
        tokens = iter(self._tokens)
        for token in tokens:
            if token == ":":
                self._begin_definition(next(tokens, None))
            elif token in _CONTROL_WORDS:
                self._control(token)
            else:
                self._body.append(_plain(token))
        if self._open:
            raise _ProgramError("unterminated")
        codes = [code for body in (self._main, *self._words.values()) for code in body]
        if any(code.kind == "call" and code.name not in self._words for code in codes):
            raise _ProgramError("unknown_word")
        return _Program(self._main, self._words)

    def _begin_definition(self, name: str | None) -> None:
        """Begin the definition of a word; the name is `None` if the program ends before it."""
        if self._open:
            raise _ProgramError("nested_definition")
        if name is None or not _is_name(name):
            raise _ProgramError("bad_name")
        if name in self._words:
            raise _ProgramError("duplicate_word")
        self._open.append(_Structure(":"))
        self._body = self._words[name] = []

    def _control(self, word: str) -> None:
        """Compile a control word other than `:`."""
        body = self._body
        match word:
            case "if":
                self._open.append(_Structure("if", leap=self._add("branch")))
                return
            case "begin":
                self._open.append(_Structure("begin", start=len(body)))
                return
        structure = self._close(word)
        match word:
            case "else":
                self._open.append(_Structure("else", leap=self._add("jump")))
            case "until":
                self._add("branch", structure.start)
            case "while":
                self._open.append(_Structure("while", structure.start, self._add("branch")))
            case "repeat":
                self._add("jump", structure.start)
            case ";":
                self._body = self._main
        if structure.leap is not None:
            structure.leap.number = len(body)

    def _close(self, word: str) -> _Structure:
        """Take the innermost structure away; a control word goes on with it or ends it."""
        if not self._open or self._open[-1].word not in _PREDECESSORS[word]:
            raise _ProgramError("unbalanced")
        return self._open.pop()

    def _add(self, kind: str, address: int = 0) -> _Code:
        """Add a `branch` or `jump` to the body and give it."""
        code = _Code(kind, address)
        self._body.append(code)
        return code


def _is_name(token: str) -> bool:
    """Tell whether a token can be the name of a word."""
    return not (token in _PRIMITIVES or token in _CONTROL_WORDS or _LITERAL.fullmatch(token))


def _plain(token: str) -> _Code:
    """Compile a token that is no control word."""
    if token in _PRIMITIVES:
        return _Code("primitive", name=token)
    if not _LITERAL.fullmatch(token):
        return _Code("call", name=token)
    number = int(token)
    if not _LOWEST <= number <= _HIGHEST:
        raise _ProgramError("bad_number")
    return _Code("push", number)


# ---------------------------------------------------------------------------------------- running


@dataclass
class _Frame:
    """A body that is being run, and the address of what comes next in it."""

    body: _Body
    next: int = 0


class _Machine:
    """A stack and what happens to it."""

    def __init__(self, stack: list[int], max_steps: int) -> None:
        self._stack = list(stack)
        self._max_steps = max_steps
        self._steps = 0
        self._output: list[int] = []
        self._frames: list[_Frame] = []

    def run(self, program: _Program) -> None:
        """Run a program to its end.

        Args:
            program: The program.

        Raises:
            _ProgramError: A step cannot be carried out.
        """
        # The main program is a frame, too, but no call.
        self._frames = [_Frame(program.main)]
        while self._frames:
            frame = self._frames[-1]
            if frame.next == len(frame.body):
                self._frames.pop()
                continue
            code = frame.body[frame.next]
            frame.next += 1
            if code.kind == "jump":
                frame.next = code.number
            else:
                self._step(code, frame, program.words)

    def report(self) -> dict[str, Any]:
        """Make the result of the contract."""
        return {"stack": self._stack, "output": self._output, "steps": self._steps}

    def _step(self, code: _Code, frame: _Frame, words: dict[str, _Body]) -> None:
        """Carry out a step."""
        if self._steps == self._max_steps:
            raise _ProgramError("step_limit")
        self._steps += 1
        match code.kind:
            case "push":
                self._stack.append(code.number)
            case "primitive":
                self._compute(code.name)
            case "branch":
                if self._take(1) == [0]:
                    frame.next = code.number
            case "call":
                if len(self._frames) > _MAX_CALLS:
                    raise _ProgramError("call_depth")
                self._frames.append(_Frame(words[code.name]))
        if len(self._stack) > _MAX_STACK:
            raise _ProgramError("stack_overflow")

    def _take(self, count: int) -> list[int]:
        """Take elements off the stack; the last one was on top."""
        if len(self._stack) < count:
            raise _ProgramError("stack_underflow")
        rest = len(self._stack) - count
        taken = self._stack[rest:]
        del self._stack[rest:]
        return taken

    def _compute(self, name: str) -> None:
        """Carry out a primitive."""
        primitive = _PRIMITIVES[name]
        operands = self._take(primitive.takes)
        match name:
            case ".":
                self._output += operands
                return
            case "depth":
                operands = [len(self._stack)]
        results = primitive.compute(*operands)
        if any(not _LOWEST <= result <= _HIGHEST for result in results):
            raise _ProgramError("overflow")
        self._stack += results


class _Primitive(NamedTuple):
    """A primitive: how many elements it takes, and what it makes of them."""

    takes: int
    compute: Callable[..., tuple[int, ...]]


def _of_two(compute: Callable[[int, int], int]) -> _Primitive:
    """Make a primitive of two elements and one result; a truth as the result is 1 or 0."""
    return _Primitive(2, lambda a, b: (int(compute(a, b)),))


def _of_divisor(compute: Callable[[int, int], int]) -> _Primitive:
    """Make a primitive of two elements the second of which must not be 0."""

    def computed(a: int, b: int) -> tuple[int]:
        if b == 0:
            raise _ProgramError("division_by_zero")
        return (compute(a, b),)

    return _Primitive(2, computed)


# The operators of Python round down, too, and the rest has the sign of the divisor.
_PRIMITIVES: dict[str, _Primitive] = {
    "+": _of_two(operator.add),
    "-": _of_two(operator.sub),
    "*": _of_two(operator.mul),
    "/": _of_divisor(operator.floordiv),
    "mod": _of_divisor(operator.mod),
    "neg": _Primitive(1, lambda a: (-a,)),
    "dup": _Primitive(1, lambda a: (a, a)),
    "drop": _Primitive(1, lambda _: ()),
    "swap": _Primitive(2, lambda a, b: (b, a)),
    "over": _Primitive(2, lambda a, b: (a, b, a)),
    "rot": _Primitive(3, lambda a, b, c: (b, c, a)),
    "depth": _Primitive(0, lambda depth: (depth,)),
    "=": _of_two(operator.eq),
    "<": _of_two(operator.lt),
    ">": _of_two(operator.gt),
    "and": _of_two(lambda a, b: a != 0 and b != 0),
    "or": _of_two(lambda a, b: a != 0 or b != 0),
    "not": _Primitive(1, lambda a: (int(a == 0),)),
    ".": _Primitive(1, lambda a: (a,)),
}


# ------------------------------------------------------------------------------------- the fields


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_stack(value: Any) -> bool:
    """Tell whether a value is an array that the contract allows as the stack."""
    return (
        isinstance(value, list)
        and len(value) <= 100
        and all(_is_integer(element, -_MAX_ELEMENT, _MAX_ELEMENT) for element in value)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "program": lambda value: isinstance(value, str) and len(value) <= 4000,
    "stack": _is_stack,
    "max_steps": lambda value: _is_integer(value, 1, 20_000),
}
_REQUIRED = ("program",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
