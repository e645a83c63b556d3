"""Gives the values of expressions."""
from collections.abc import Mapping
from quill import nodes
from quill.errors import RenderError
from quill.values import Undefined, text_of

class Evaluator:
    """Evaluates nodes in a context, with the filters of an engine."""

    def __init__(self, context, filters):
        self.context = context
        self.filters = filters

    def value(self, node):
        return None

    def Literal(self, node):
        return None

    def ListOf(self, node):
        return None

    def Name(self, node):
        return None

    def Attribute(self, node):
        return None

    def Item(self, node):
        return None

    def look_up(self, value, key):
        """A key of a mapping, a place of a list, or a public attribute of an object."""
        return None

    def Choice(self, node):
        return None

    def Filtered(self, node):
        return None

    def Unary(self, node):
        return None

    def Binary(self, node):
        return None

def contains(container, value):
    return None

def compare(operator, left, right):
    return None

def calculate(operator, left, right):
    return None

def need_number(value, operator):
    return None
