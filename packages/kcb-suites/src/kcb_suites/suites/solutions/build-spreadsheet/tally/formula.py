"""Parses formulas. The tree remembers where its references stand, so that they can be rewritten."""

import re
from dataclasses import dataclass
from typing import Any

from tally.refs import Area, Reference, parse_reference
from tally.values import NAMES, Error, error, literal

TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n]+)"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<word>[A-Za-z_$][A-Za-z0-9_.$]*)"
    r'|(?P<text>"(?:[^"]|"")*")'
    r"|(?P<error>" + "|".join(re.escape(name) for name in NAMES.values()) + ")"
    r"|(?P<operator><>|<=|>=|[-+*/^&=<>%(),:])"
)
COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")


class ParseError(Exception):
    """The formula is not of the right form."""


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Constant:
    value: Any


@dataclass(frozen=True)
class Cell:
    reference: Reference


@dataclass(frozen=True)
class Range:
    first: Reference
    last: Reference

    @property
    def area(self):
        return Area.between(self.first.place, self.last.place)


@dataclass(frozen=True)
class Operation:
    operator: str
    operands: tuple


@dataclass(frozen=True)
class Call:
    name: str
    arguments: tuple


@dataclass(frozen=True)
class Mention:
    """A reference or a range in the text of a formula: the places of its words."""

    references: tuple
    spans: tuple


@dataclass(frozen=True)
class Formula:
    """``tree`` is None if it could not be parsed."""

    text: str
    tree: Any = None
    mentions: tuple = ()


def tokenize(text, position):
    tokens = []
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise ParseError
        if match.lastgroup != "blank":
            tokens.append(Token(match.lastgroup, match[0], position, match.end()))
        position = match.end()
    return [*tokens, Token("end", "", position, position)]


class Parser:
    """Recursive descent along the grammar of the specification."""

    def __init__(self, text):
        self.tokens = tokenize(text, 1)
        self.index = 0
        self.mentions = []

    def peek(self, *operators):
        token = self.tokens[self.index]
        return token.kind == "operator" and token.text in operators

    def take(self):
        token = self.tokens[self.index]
        self.index += 1
        return token

    def expect(self, operator):
        if not self.peek(operator):
            raise ParseError
        return self.take()

    def parse(self):
        tree = self.expression()
        if self.tokens[self.index].kind != "end":
            raise ParseError
        return tree

    def chain(self, operators, part):
        left = part()
        while self.peek(*operators):
            left = Operation(self.take().text, (left, part()))
        return left

    def expression(self):
        return self.chain(COMPARISONS, self.joined)

    def joined(self):
        return self.chain(("&",), self.sum)

    def sum(self):
        return self.chain(("+", "-"), self.product)

    def product(self):
        return self.chain(("*", "/"), self.signed)

    def signed(self):
        if self.peek("-", "+"):
            return Operation(self.take().text, (self.signed(),))
        return self.power()

    def power(self):
        base = self.percent()
        if self.peek("^"):
            self.take()
            return Operation("^", (base, self.signed()))
        return base

    def percent(self):
        value = self.primary()
        while self.peek("%"):
            self.take()
            value = Operation("%", (value,))
        return value

    def primary(self):
        token = self.take()
        if token.kind == "number":
            return Constant(literal(token.text))
        if token.kind == "text":
            return Constant(token.text[1:-1].replace('""', '"'))
        if token.kind == "error":
            return Constant(Error(token.text))
        if token.kind == "word":
            return self.word(token)
        if token.kind == "operator" and token.text == "(":
            value = self.expression()
            self.expect(")")
            return value
        raise ParseError

    def word(self, token):
        if self.peek("("):
            return Call(token.text.upper(), self.arguments())
        if self.peek(":"):
            self.take()
            last = self.take()
            if last.kind != "word":
                raise ParseError
            return self.mentioned([token, last])
        truth = literal(token.text)
        return self.mentioned([token]) if truth is None else Constant(truth)

    def arguments(self):
        self.take()
        found = []
        while not self.peek(")"):
            if found:
                self.expect(",")
            found.append(self.expression())
        self.take()
        return tuple(found)

    def mentioned(self, tokens):
        references = [parse_reference(token.text) for token in tokens]
        if None in references:
            return Constant(error("NAME"))
        if not all(reference.exists for reference in references):
            return Constant(error("REF"))
        spans = tuple((token.start, token.end) for token in tokens)
        self.mentions.append(Mention(tuple(references), spans))
        return Cell(*references) if len(references) == 1 else Range(*references)


def parse_formula(text):
    """The formula of contents that start with ``=``."""
    try:
        parser = Parser(text)
        return Formula(text, parser.parse(), tuple(parser.mentions))
    except ParseError:
        return Formula(text)
