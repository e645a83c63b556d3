"""The ways in which a source text is made wrong: operators of cosmic-ray, and two that it lacks.

Left out are the two that draw without a seed, and those that replace a comparison of values by one
of identity: whether two equal values are one object is the affair of an interpreter's version. Nor
is a restriction lifted that only forbids what no right program does, such as ``strict`` of ``zip``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from cosmic_ray.operators.provider import OperatorProvider
from parso.python.tree import Keyword

Node = Any
"""A node of a syntax tree, as parso makes it."""

Positions = Iterator[tuple[tuple[int, int], tuple[int, int]]]
"""Where an operator can change a node: line and column of the start and the end of each place."""

KINDS: Mapping[str, tuple[str, ...]] = {
    "arithmetic": ("ReplaceBinaryOperator_", "ReplaceUnaryOperator_"),
    "comparison": ("ReplaceComparisonOperator_", "ReplaceMembership"),
    "boolean": (
        "AddNot",
        "ReplaceTrueWithFalse",
        "ReplaceFalseWithTrue",
        "ReplaceAndWithOr",
        "ReplaceOrWithAnd",
        "ReplaceUnaryOperator_Delete_Not",
    ),
    "constant": ("NumberReplacer",),
    "flow": (
        "ReplaceBreakWithContinue",
        "ReplaceContinueWithBreak",
        "ExceptionReplacer",
        "ZeroIterationForLoop",
        "RemoveDecorator",
    ),
    "statement": ("StatementDeletion",),
}
"""For each kind of change how the names of its operators begin; the longest beginning counts."""

RESTRICTIONS = ("strict", "frozen", "slots")
"""Named arguments that, if they are true, make an error of what no right program does."""

_HEADS = ("parameters", "lambdef")
_IDENTITY = ("Is", "IsNot")
_DECLARATIONS = ("import_name", "import_from", "global_stmt", "nonlocal_stmt", "string")


class Operator(Protocol):
    """One kind of change, as cosmic-ray asks for it."""

    def mutation_positions(self, node: Node) -> Positions:
        """Each way in which this node can be changed, by its place."""
        ...

    def mutate(self, node: Node, index: int) -> Node:
        """The node that stands there instead, changed in one of these ways."""
        ...


class StatementDeletion:
    """Puts ``pass`` in the place of a simple statement that does something."""

    def mutation_positions(self, node: Node) -> Positions:
        """The node itself, if it is such a statement."""
        if node.parent is not None and node.parent.type == "simple_stmt" and _acts(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Node, index: int) -> Node:
        """The statement that does nothing."""
        return Keyword("pass", node.start_pos, node.get_first_leaf().prefix)


class ReplaceMembership:
    """Puts ``not in`` in the place of ``in``, and the other way round."""

    _OTHER: Mapping[str, str] = {"in": " not in", "not in": " in"}

    def mutation_positions(self, node: Node) -> Positions:
        """Every such sign of a comparison."""
        for _, sign in self._signs(node):
            yield sign.start_pos, sign.end_pos

    def mutate(self, node: Node, index: int) -> Node:
        """The comparison with one of the signs replaced."""
        at, sign = list(self._signs(node))[index]
        node.children[at] = Keyword(self._OTHER[_words(sign)], sign.start_pos)
        return node

    def _signs(self, node: Node) -> Iterator[tuple[int, Node]]:
        if node.type == "comparison":
            for at, sign in enumerate(node.children):
                if at % 2 and _words(sign) in self._OTHER:
                    yield at, sign


def operators() -> dict[str, Operator]:
    """Every operator in use, by its name."""
    provider = OperatorProvider()
    known = {name: provider[name] for name in provider}
    found = {name: make() for name, make in known.items() if kind_of(name)}
    return {
        **found,
        "StatementDeletion": StatementDeletion(),
        "ReplaceMembership": ReplaceMembership(),
    }


def lifts_restriction(operator: str, node: Node) -> bool:
    """Whether an operator only makes a program allow what it does not do anyway."""
    above = "" if node.parent is None else node.parent.type
    if operator == "ReplaceTrueWithFalse" and above == "argument":
        return _words(node.parent.children[0]) in RESTRICTIONS
    # The star behind which parameters have to be named is taken for a product.
    return operator.startswith("ReplaceBinaryOperator_") and above in _HEADS


def kind_of(operator: str) -> str:
    """The kind of an operator by its name; empty for one that is not in use."""
    words = operator.split("_")
    if (
        words[0] == "ReplaceComparisonOperator"
        and words[2] in _IDENTITY
        and words[1] not in _IDENTITY
    ):
        return ""
    beginnings = {
        beginning: kind
        for kind, known in KINDS.items()
        for beginning in known
        if operator.startswith(beginning)
    }
    return beginnings[max(beginnings, key=len)] if beginnings else ""


def _acts(node: Node) -> bool:
    """Whether a part of a line of simple statements is a statement that does something.

    An assertion does not: in a right program it holds.
    """
    idle = ("newline", "operator", "assert_stmt", *_DECLARATIONS)
    if node.type in idle or node.get_code().strip() == "pass":
        return False
    second = node.children[1] if node.type == "expr_stmt" else None
    return second is None or second.type != "annassign" or len(second.children) > 2


def _words(node: Node) -> str:
    return " ".join(str(node.get_code(include_prefix=False)).split())
