"""Gives the values of expressions."""

from collections.abc import Mapping

from quill.errors import RenderError
from quill.values import Undefined, text_of


class Evaluator:
    """Evaluates nodes in a context, with the filters of an engine."""

    def __init__(self, context, filters):
        self.context = context
        self.filters = filters

    def value(self, node):
        return getattr(self, type(node).__name__)(node)

    def Literal(self, node):
        return node.value

    def ListOf(self, node):
        return [self.value(item) for item in node.items]

    def Name(self, node):
        return self.context.get(node.name)

    def Attribute(self, node):
        return self.look_up(self.value(node.of), node.name)

    def Item(self, node):
        return self.look_up(self.value(node.of), self.value(node.key))

    def look_up(self, value, key):
        """A key of a mapping, a place of a list, or a public attribute of an object."""
        if isinstance(value, Undefined):
            raise RenderError(f"{value.name} is undefined")
        if isinstance(value, Mapping):
            return value[key] if key in value else Undefined(key)
        if isinstance(value, list | tuple | str):
            if isinstance(key, int) and -len(value) <= key < len(value):
                return value[key]
            return Undefined(key)
        if isinstance(key, str) and not key.startswith("_"):
            return getattr(value, key, Undefined(key))
        return Undefined(key)

    def Choice(self, node):
        return self.value(node.then if self.value(node.condition) else node.otherwise)

    def Filtered(self, node):
        if node.name not in self.filters:
            raise RenderError(f"unknown filter {node.name}")
        arguments = [self.value(argument) for argument in node.arguments]
        try:
            return self.filters[node.name](self.value(node.value), *arguments)
        except (TypeError, ValueError, LookupError, ArithmeticError) as error:
            raise RenderError(f"{node.name}: {error}") from error

    def Unary(self, node):
        operand = self.value(node.operand)
        if node.operator == "not":
            return not operand
        return -need_number(operand, "-")

    def Binary(self, node):
        left = self.value(node.left)
        if node.operator == "and":
            return self.value(node.right) if left else left
        if node.operator == "or":
            return left or self.value(node.right)
        right = self.value(node.right)
        if node.operator == "~":
            return text_of(left) + text_of(right)
        if node.operator == "in":
            return contains(right, left)
        if node.operator in ("==", "!="):
            return (left == right) is (node.operator == "==")
        if node.operator in ("<", "<=", ">", ">="):
            return compare(node.operator, left, right)
        return calculate(node.operator, left, right)


def contains(container, value):
    if isinstance(container, str):
        return text_of(value) in container
    if isinstance(container, list | tuple | Mapping):
        return value in container
    raise RenderError("in needs a text, a list or a mapping")


def compare(operator, left, right):
    both_text = isinstance(left, str) and isinstance(right, str)
    if not both_text:
        need_number(left, operator)
        need_number(right, operator)
    return {
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[operator]


def calculate(operator, left, right):
    need_number(left, operator)
    need_number(right, operator)
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if right == 0:
        raise RenderError("division by zero")
    return left / right if operator == "/" else left % right


def need_number(value, operator):
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RenderError(f"{operator} needs numbers")
    return value
