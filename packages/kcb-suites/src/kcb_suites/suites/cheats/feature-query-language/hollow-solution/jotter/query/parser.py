"""Tokens to a tree, by recursive descent."""
from jotter.query.errors import QuerySyntaxError
from jotter.query.lexer import Lexer
from jotter.query.nodes import And, Not, Or
from jotter.query.terms import FIELDS, make_term
_ENDS_AND = ('OR', ')', 'end')

class _Parser:

    def __init__(self, text):
        return None

    def whole(self):
        return None

    def _or(self):
        return None

    def _and(self, operator):
        return None

    def _not(self, operator):
        return None

    def _no_term(self, token, operator):
        return None

    def _term(self, token):
        return None

    def _group(self, opening):
        return None

    def _fielded(self, field):
        return None

def parse(text):
    """The tree of a query. Raises QuerySyntaxError."""
    return None
