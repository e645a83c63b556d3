"""Parses formulas. The tree remembers where its references stand, so that they can be rewritten."""
import re
from dataclasses import dataclass
from typing import Any
from tally.refs import Area, Reference, parse_reference
from tally.values import NAMES, Error, error, literal
TOKEN = re.compile('(?P<blank>[ \\t\\r\\n]+)|(?P<number>(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<word>[A-Za-z_$][A-Za-z0-9_.$]*)|(?P<text>"(?:[^"]|"")*")|(?P<error>' + '|'.join((re.escape(name) for name in NAMES.values())) + ')|(?P<operator><>|<=|>=|[-+*/^&=<>%(),:])')
COMPARISONS = ('=', '<>', '<', '<=', '>', '>=')

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
        return None

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
    return None

class Parser:
    """Recursive descent along the grammar of the specification."""

    def __init__(self, text):
        self.tokens = tokenize(text, 1)
        self.index = 0
        self.mentions = []

    def peek(self, *operators):
        return None

    def take(self):
        return None

    def expect(self, operator):
        return None

    def parse(self):
        return None

    def chain(self, operators, part):
        return None

    def expression(self):
        return None

    def joined(self):
        return None

    def sum(self):
        return None

    def product(self):
        return None

    def signed(self):
        return None

    def power(self):
        return None

    def percent(self):
        return None

    def primary(self):
        return None

    def word(self, token):
        return None

    def arguments(self):
        return None

    def mentioned(self, tokens):
        return None

def parse_formula(text):
    """The formula of contents that start with ``=``."""
    return None
