"""Renders the tree of a template."""

from collections.abc import Mapping

from quill import nodes
from quill.errors import RenderError, TemplateError
from quill.evaluator import Evaluator
from quill.values import Safe, escape, is_missing, text_of

DEEPEST = 20
"""Templates that may include each other at most."""


class Renderer:
    """Renders templates of one engine in one context."""

    def __init__(self, engine, context):
        self.engine = engine
        self.context = context
        self.evaluator = Evaluator(context, engine.filters)
        self.including = []

    def render(self, template):
        if len(self.including) == DEEPEST:
            raise RenderError("templates include each other too deep")
        self.including.append(template.name)
        try:
            return self.body(template.body)
        finally:
            self.including.pop()

    def body(self, statements):
        return "".join(self.statement(statement) for statement in statements)

    def statement(self, node):
        if isinstance(node, nodes.Text):
            return node.text
        try:
            return getattr(self, type(node).__name__)(node)
        except TemplateError as error:
            raise error.at(self.including[-1], node.line) from None

    def Output(self, node):
        value = self.evaluator.value(node.expression)
        text = text_of(value)
        if self.engine.autoescape and not isinstance(value, Safe):
            return escape(text)
        return text

    def If(self, node):
        for condition, body, line in node.branches:
            if condition is None or self.condition(condition, line):
                return self.body(body)
        return ""

    def condition(self, expression, line):
        try:
            return self.evaluator.value(expression)
        except TemplateError as error:
            raise error.at(self.including[-1], line) from None

    def Set(self, node):
        self.context.set(node.name, self.evaluator.value(node.expression))
        return ""

    def Include(self, node):
        name = text_of(self.evaluator.value(node.name))
        template = self.engine.template(name, self.including[-1])
        with self.context.scope():
            return self.render(template)

    def For(self, node):
        values = iterable(self.evaluator.value(node.over))
        if not values:
            return self.body(node.otherwise)
        parent = self.context.get("loop")
        parts = []
        for index, value in enumerate(values):
            with self.context.scope():
                self.bind(node.names, value)
                self.context.set("loop", loop_facts(index, len(values), parent))
                parts.append(self.body(node.body))
        return "".join(parts)

    def bind(self, names, value):
        if len(names) == 1:
            self.context.set(names[0], value)
            return
        if not isinstance(value, list | tuple) or len(value) != len(names):
            raise RenderError(f"cannot take {len(names)} names from a value")
        for name, part in zip(names, value, strict=True):
            self.context.set(name, part)


def iterable(value):
    """What a loop goes over: a list, or the keys of a mapping; nothing for what is missing."""
    if is_missing(value):
        return []
    if not isinstance(value, list | tuple | Mapping):
        raise RenderError("for needs a list or a mapping")
    return list(value)


def loop_facts(index, length, parent):
    return {
        "index": index + 1,
        "index0": index,
        "first": index == 0,
        "last": index == length - 1,
        "length": length,
        "parent": None if is_missing(parent) else parent,
    }
