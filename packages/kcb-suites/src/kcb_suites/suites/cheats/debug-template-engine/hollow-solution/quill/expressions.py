"""Parses expressions, from the loosest operator to the tightest."""
import re
from quill import nodes
from quill.errors import TemplateSyntaxError
TOKEN = re.compile('\\s*(?:(?P<number>\\d+(?:\\.\\d+)?)|(?P<name>[A-Za-z_]\\w*)|(?P<string>\'(?:[^\'\\\\]|\\\\.)*\'|\\"(?:[^\\"\\\\]|\\\\.)*\\")|(?P<operator>==|!=|<=|>=|[-+*/%~<>()\\[\\],.|]))', re.DOTALL)
ESCAPES = {'n': '\n', 't': '\t'}
CONSTANTS = {'true': True, 'false': False, 'none': None}
WORDS = {'and', 'or', 'not', 'in', 'if', 'else', *CONSTANTS}
COMPARISONS = {'==', '!=', '<', '<=', '>', '>=', 'in'}

def tokenize(source):
    return None

class ExpressionParser:
    """Reads one expression from the tokens of a source."""

    def __init__(self, source):
        self.tokens = tokenize(source)
        self.index = 0

    def peek(self):
        return None

    def take(self):
        return None

    def at(self, *texts):
        """True if the next token is one of these operators or words."""
        return None

    def accept(self, *texts):
        return None

    def expect(self, text):
        return None

    def name(self):
        return None

    def end(self):
        return None

    def expression(self):
        return None

    def disjunction(self):
        return None

    def conjunction(self):
        return None

    def negation(self):
        return None

    def comparison(self):
        return None

    def sum(self):
        return None

    def product(self):
        return None

    def unary(self):
        return None

    def filtered(self):
        return None

    def lookup(self):
        return None

    def primary(self):
        return None

    def listed(self, closing):
        """Expressions with commas between them, up to ``closing``."""
        return None

def unquote(text):
    return None

def parse_expression(source):
    """The node of ``source``, all of which has to be one expression."""
    return None
