"""One wrong variant of a source text, and the order in which such variants are drawn.

A draw depends on the seed and on the line that is changed, and hardly on anything else of the text:
an edit elsewhere leaves most of a sample as it was.
"""

from __future__ import annotations

import ast
import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

from kcb_core.codec import digest
from kcb_references.mutants.operators import (
    KINDS,
    Node,
    Operator,
    kind_of,
    lifts_restriction,
    operators,
)

Key = tuple[str, str, str, str, str, int]
"""What tells a mutant from all others: its fields but for the whole text, in their order."""


_OF_VALUES: Mapping[type[ast.cmpop], type[ast.cmpop]] = {ast.Is: ast.Eq, ast.IsNot: ast.NotEq}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A source text with one change."""

    module: str
    """Name of the module that is changed."""
    place: str
    """The function or class around the change, such as ``Journal.append``; empty for none."""
    operator: str
    """Name of the operator that changed it."""
    was: str
    """The lines that are changed, as one line."""
    becomes: str
    """What stands there instead, as one line."""
    nth: int = 1
    """Which of the equal lines of its place it is."""
    text: str = field(repr=False)
    """The whole text."""

    @property
    def key(self) -> Key:
        """What tells it from all other mutants."""
        return self.module, self.place, self.operator, self.was, self.becomes, self.nth

    def __str__(self) -> str:
        return f"{self.module} {self.place or '-'} {self.operator}: {self.was} -> {self.becomes}"


@dataclass(frozen=True, slots=True)
class _Position:
    """Where an operator can be applied."""

    operator: str
    occurrence: int
    """Which of all its places in the text this is."""
    place: str
    line: str
    nth: int
    rank: str
    """Decides when it is drawn."""


def draw(module: str, source: str, seed: int) -> Iterator[Mutant]:
    """All mutants of a text, each kind of change in its turn.

    A text that Python refuses is none, nor is one that differs in nothing that has an effect, or
    that another operator has given already.

    Args:
        module: the name under which they are known.
        source: the text.
        seed: decides the order.
    """
    known = operators()
    seen = {_skeleton(source)}
    for position in _in_turn(list(_positions(module, source, seed, known))):
        text = mutate_code(source, known[position.operator], position.occurrence)
        skeleton = None if text is None else _skeleton(text)
        if text is None or skeleton is None or skeleton in seen:
            continue
        seen.add(skeleton)
        was, becomes = _change(source, text)
        yield Mutant(
            module=module,
            place=position.place,
            operator=position.operator,
            was=was,
            becomes=becomes,
            nth=position.nth,
            text=text,
        )


def _positions(
    module: str, source: str, seed: int, known: Mapping[str, Operator]
) -> Iterator[_Position]:
    """Everything that the operators can change, in the order in which each of them counts."""
    lines = source.splitlines()
    counts: dict[str, int] = defaultdict(int)
    on_line: dict[tuple[str, int], int] = defaultdict(int)
    equal: dict[tuple[str, str], list[int]] = defaultdict(list)
    for node in ast_nodes(get_ast(source)):
        for name, operator in known.items():
            for (number, _), _ in operator.mutation_positions(node):
                counts[name] += 1
                if lifts_restriction(name, node):
                    continue
                place, line = _place(node), lines[number - 1].strip()
                alike = equal[place, line]
                if number not in alike:
                    alike.append(number)
                nth, index = alike.index(number) + 1, on_line[name, number]
                words = (seed, module, name, place, line, nth, index)
                rank = digest("/".join(map(str, words)).encode())
                yield _Position(name, counts[name] - 1, place, line, nth, rank)
                on_line[name, number] += 1


def _in_turn(positions: list[_Position]) -> Iterator[_Position]:
    """The positions by rank, one of each kind of change after the other."""
    ordered = sorted(positions, key=lambda position: position.rank)
    by_kind = [[p for p in ordered if kind_of(p.operator) == kind] for kind in KINDS]
    yield from (p for p in chain.from_iterable(zip_longest(*by_kind)) if p is not None)


def _place(node: Node) -> str:
    """The names of the functions and classes around a node, the outermost first."""
    names = []
    while node is not None:
        if node.type in ("funcdef", "classdef"):
            names.append(node.name.value)
        node = node.parent
    return ".".join(reversed(names))


def _change(before: str, after: str) -> tuple[str, str]:
    """The lines in which two texts differ, of each text as one line."""
    old, new = before.splitlines(), after.splitlines()
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return " ".join(" ".join(old).split()), " ".join(" ".join(new).split())


def _skeleton(source: str) -> str | None:
    """What of a text can have an effect, or None if Python refuses it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            compile(source, "<mutant>", "exec", dont_inherit=True)
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        _strip(node)
    return digest(ast.dump(tree).encode())


def _strip(node: ast.AST) -> None:
    """Take off a node what has no effect: annotations, docstrings, and the end of a function.

    Two types are equal if they are one, so that both comparisons of types are made the same.
    """
    if isinstance(node, ast.arg):
        node.annotation = None
    elif isinstance(node, ast.AnnAssign):
        node.annotation = ast.Constant(None)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        node.returns = None
    elif isinstance(node, ast.Compare) and _is_type(node.left):
        node.ops = [_OF_VALUES.get(type(sign), type(sign))() for sign in node.ops]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
        node.body = [part for part in node.body if not _is_text(part)]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        while node.body and _ends_anyway(node.body[-1]):
            node.body.pop()


def _is_type(node: ast.expr) -> bool:
    """Whether an expression asks for the type of something."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _ends_anyway(node: ast.stmt) -> bool:
    """Whether a function does the same without this last statement."""
    if isinstance(node, ast.Return):
        return node.value is None or ast.dump(node.value) == ast.dump(ast.Constant(None))
    return isinstance(node, ast.Pass)
