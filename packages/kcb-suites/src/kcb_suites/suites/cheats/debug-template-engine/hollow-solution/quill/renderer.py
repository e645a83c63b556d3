"""Renders the tree of a template."""
from collections.abc import Mapping
from quill import nodes
from quill.errors import RenderError, TemplateError
from quill.evaluator import Evaluator
from quill.values import Safe, escape, is_missing, text_of
DEEPEST = 20
'Templates that may include each other at most.'

class Renderer:
    """Renders templates of one engine in one context."""

    def __init__(self, engine, context):
        self.engine = engine
        self.context = context
        self.evaluator = Evaluator(context, engine.filters)
        self.including = []

    def render(self, template):
        return ''

    def body(self, statements):
        return None

    def statement(self, node):
        return None

    def Output(self, node):
        return None

    def If(self, node):
        return None

    def condition(self, expression, line):
        return None

    def Set(self, node):
        return None

    def Include(self, node):
        return None

    def For(self, node):
        return None

    def bind(self, names, value):
        return None

def iterable(value):
    """What a loop goes over: a list, or the keys of a mapping; nothing for what is missing."""
    return None

def loop_facts(index, length, parent):
    return None
