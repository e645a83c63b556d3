"""Tokens to a tree, by recursive descent."""

from jotter.query.errors import QuerySyntaxError
from jotter.query.lexer import Lexer
from jotter.query.nodes import And, Not, Or
from jotter.query.terms import FIELDS, make_term

_ENDS_AND = ("OR", ")", "end")


class _Parser:
    def __init__(self, text):
        self.lexer = Lexer(text)
        self.field = None

    def whole(self):
        if self.lexer.next.kind == "end":
            raise QuerySyntaxError("empty query", 0)
        tree = self._or()
        if self.lexer.next.kind == ")":
            raise QuerySyntaxError("unexpected ')'", self.lexer.next.position)
        return tree

    def _or(self):
        tree = self._and(None)
        while self.lexer.next.kind == "OR":
            tree = Or(tree, self._and(self.lexer.take()))
        return tree

    def _and(self, operator):
        tree = self._not(operator)
        while self.lexer.next.kind not in _ENDS_AND:
            operator = self.lexer.take() if self.lexer.next.kind == "AND" else None
            tree = And(tree, self._not(operator))
        return tree

    def _not(self, operator):
        token = self.lexer.next
        if token.kind == "NOT":
            self.lexer.take()
            return Not(self._not(token))
        if token.kind in ("AND", "OR", ")", "end"):
            self._no_term(token, operator)
        return self._term(self.lexer.take())

    def _no_term(self, token, operator):
        if operator is not None:
            raise QuerySyntaxError(f"expected a term after {operator.kind}", operator.position)
        if token.kind == ")":
            raise QuerySyntaxError("unexpected ')'", token.position)
        raise QuerySyntaxError(f"expected a term before {token.kind}", token.position)

    def _term(self, token):
        if token.kind == "(":
            return self._group(token)
        if token.kind == "field":
            return self._fielded(token)
        return make_term(self.field or "any", token)

    def _group(self, opening):
        if self.lexer.next.kind == ")":
            raise QuerySyntaxError("nothing between parentheses", opening.position)
        if self.lexer.next.kind == "end":
            raise QuerySyntaxError("parenthesis is never closed", opening.position)
        tree = self._or()
        if self.lexer.next.kind != ")":
            raise QuerySyntaxError("parenthesis is never closed", opening.position)
        self.lexer.take()
        return tree

    def _fielded(self, field):
        if self.field is not None:
            raise QuerySyntaxError("fields cannot be nested", field.position)
        name = field.text.lower()
        if name not in FIELDS:
            raise QuerySyntaxError(f"unknown field {field.text!r}", field.position)
        if self.lexer.next.kind in ("nothing", "end", ")"):
            raise QuerySyntaxError(f"field {field.text!r} has no value", field.position)
        value = self.lexer.take()
        if value.kind != "(":
            return make_term(name, value)
        self.field = name
        tree = self._group(value)
        self.field = None
        return tree


def parse(text):
    """The tree of a query. Raises QuerySyntaxError."""
    return _Parser(text).whole()
