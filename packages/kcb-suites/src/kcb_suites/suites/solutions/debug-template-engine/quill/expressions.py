"""Parses expressions, from the loosest operator to the tightest."""

import re

from quill import nodes
from quill.errors import TemplateSyntaxError

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<string>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<operator>==|!=|<=|>=|[-+*/%~<>()\[\],.|]))",
    re.DOTALL,
)
ESCAPES = {"n": "\n", "t": "\t"}
CONSTANTS = {"true": True, "false": False, "none": None}
WORDS = {"and", "or", "not", "in", "if", "else", *CONSTANTS}
COMPARISONS = {"==", "!=", "<", "<=", ">", ">=", "in"}


def tokenize(source):
    tokens = []
    position = 0
    source = source.rstrip()
    while position < len(source):
        match = TOKEN.match(source, position)
        if match is None:
            rest = source[position:].lstrip()
            raise TemplateSyntaxError(f"unexpected {rest[0]}")
        tokens.append((match.lastgroup, match[match.lastgroup]))
        position = match.end()
    return tokens


class ExpressionParser:
    """Reads one expression from the tokens of a source."""

    def __init__(self, source):
        self.tokens = tokenize(source)
        self.index = 0

    # The tokens.

    def peek(self):
        return self.tokens[self.index] if self.index < len(self.tokens) else ("end", "the end")

    def take(self):
        token = self.peek()
        self.index += 1
        return token

    def at(self, *texts):
        """True if the next token is one of these operators or words."""
        kind, text = self.peek()
        return kind in ("operator", "name") and text in texts

    def accept(self, *texts):
        return self.take()[1] if self.at(*texts) else None

    def expect(self, text):
        if not self.accept(text):
            raise TemplateSyntaxError(f"expected {text}, found {self.peek()[1]}")

    def name(self):
        kind, text = self.take()
        if kind != "name" or text in WORDS:
            raise TemplateSyntaxError(f"expected a name, found {text}")
        return text

    def end(self):
        if self.peek()[0] != "end":
            raise TemplateSyntaxError(f"unexpected {self.peek()[1]}")

    # The grammar.

    def expression(self):
        value = self.disjunction()
        if self.accept("if"):
            condition = self.disjunction()
            self.expect("else")
            return nodes.Choice(condition, value, self.expression())
        return value

    def disjunction(self):
        left = self.conjunction()
        while self.accept("or"):
            left = nodes.Binary("or", left, self.conjunction())
        return left

    def conjunction(self):
        left = self.negation()
        while self.accept("and"):
            left = nodes.Binary("and", left, self.negation())
        return left

    def negation(self):
        if self.accept("not"):
            return nodes.Unary("not", self.negation())
        return self.comparison()

    def comparison(self):
        left = self.sum()
        if operator := self.accept(*COMPARISONS):
            return nodes.Binary(operator, left, self.sum())
        if self.accept("not"):
            self.expect("in")
            return nodes.Unary("not", nodes.Binary("in", left, self.sum()))
        return left

    def sum(self):
        left = self.product()
        while operator := self.accept("+", "-", "~"):
            left = nodes.Binary(operator, left, self.product())
        return left

    def product(self):
        left = self.unary()
        while operator := self.accept("*", "/", "%"):
            left = nodes.Binary(operator, left, self.unary())
        return left

    def unary(self):
        if self.accept("-"):
            return nodes.Unary("-", self.unary())
        return self.filtered()

    def filtered(self):
        value = self.lookup()
        while self.accept("|"):
            name = self.name()
            arguments = self.listed(")") if self.accept("(") else []
            value = nodes.Filtered(value, name, arguments)
        return value

    def lookup(self):
        value = self.primary()
        while True:
            if self.accept("."):
                value = nodes.Attribute(value, self.name())
            elif self.accept("["):
                value = nodes.Item(value, self.expression())
                self.expect("]")
            else:
                return value

    def primary(self):
        kind, text = self.take()
        if kind == "number":
            return nodes.Literal(float(text) if "." in text else int(text))
        if kind == "string":
            return nodes.Literal(unquote(text))
        if kind == "name" and text in CONSTANTS:
            return nodes.Literal(CONSTANTS[text])
        if kind == "name" and text not in WORDS:
            return nodes.Name(text)
        if text == "(":
            value = self.expression()
            self.expect(")")
            return value
        if text == "[":
            return nodes.ListOf(self.listed("]"))
        raise TemplateSyntaxError(f"unexpected {text}")

    def listed(self, closing):
        """Expressions with commas between them, up to ``closing``."""
        items = []
        while not self.accept(closing):
            if items:
                self.expect(",")
            items.append(self.expression())
        return items


def unquote(text):
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), text[1:-1], flags=re.S)


def parse_expression(source):
    """The node of ``source``, all of which has to be one expression."""
    parser = ExpressionParser(source)
    value = parser.expression()
    parser.end()
    return value
