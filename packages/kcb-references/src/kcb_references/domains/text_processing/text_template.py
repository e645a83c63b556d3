# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Renders a text template with the values of a JSON object."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

_WHITE_SPACE = " \t\r\n"
_SPACE = "[ \\t\\r\\n]"
_NAME = "[A-Za-z_][A-Za-z0-9_]*"
# `this` has the form of a name.
_PATH = rf"@index|{_NAME}(?:\.(?:{_NAME}|0|[1-9][0-9]{{0,3}}))*"
_OPENING = re.compile(rf"#(if|each){_SPACE}+({_PATH})")
_INSERTION = re.compile(rf"({_PATH})((?:{_SPACE}*\|{_SPACE}*[a-z]+)*)")
_FILTER = re.compile("[a-z]+")
_MAX_OPEN = 5

# No JSON value is this object.
_UNDEFINED: Any = object()


class _TemplateError(Exception):
    """The template cannot be parsed or rendered; the message is the code of the error."""


class _Insertion(NamedTuple):
    """A tag that inserts a value."""

    path: list[str]
    filters: list[str]


class _Block:
    """An `#if` or `#each` with what stands in it."""

    def __init__(self, keyword: str, path: list[str]) -> None:
        self.keyword = keyword
        self.path = path
        # The second one is what stands behind an `#else`.
        self.branches: list[list[_Node]] = [[]]


# A string is text to copy.
_Node = str | _Insertion | _Block


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Render a template.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    renderer = _Renderer(fields["data"], fields.get("strict", True))
    try:
        renderer.render(_parse(fields["template"]))
    except _TemplateError as template_error:
        return {"error": {"code": str(template_error)}}
    output = "".join(renderer.output)
    return {"result": {"output": output, "length": len(output)}}


# ------------------------------------------------------------------------------------- the parser


def _parse(template: str) -> list[_Node]:
    """Parse a template.

    Args:
        template: The text of the template.

    Returns:
        What it consists of, in order.

    Raises:
        _TemplateError: The template is wrong.
    """
    nodes: list[_Node] = []
    open_blocks: list[_Block] = []
    position = 0
    while True:
        target = open_blocks[-1].branches[-1] if open_blocks else nodes
        start = template.find("{{", position)
        if start < 0:
            target.append(template[position:])
            break
        target.append(template[position:start])
        end = template.find("}}", start + 2)
        if end < 0:
            raise _TemplateError("unclosed_tag")
        _take_tag(template[start + 2 : end].strip(_WHITE_SPACE), target, open_blocks)
        position = end + 2
    if open_blocks:
        raise _TemplateError("unclosed_block")
    return nodes


def _take_tag(body: str, target: list[_Node], open_blocks: list[_Block]) -> None:
    """Parse a tag.

    Args:
        body: The body of the tag, without white space at its ends.
        target: The nodes of the innermost open block, to which those of the tag belong.
        open_blocks: The open blocks, the innermost one last; it is brought up to date.

    Raises:
        _TemplateError: The tag is wrong.
    """
    if body.startswith("!"):
        return
    if body == "#end":
        if not open_blocks:
            raise _TemplateError("unexpected_tag")
        open_blocks.pop()
    elif body == "#else":
        _take_else(open_blocks)
    elif opening := _OPENING.fullmatch(body):
        if len(open_blocks) >= _MAX_OPEN:
            raise _TemplateError("nesting_too_deep")
        block = _Block(opening[1], opening[2].split("."))
        target.append(block)
        open_blocks.append(block)
    elif insertion := _INSERTION.fullmatch(body):
        filters = _FILTER.findall(insertion[2])
        if any(name not in _FILTERS for name in filters):
            raise _TemplateError("unknown_filter")
        target.append(_Insertion(insertion[1].split("."), filters))
    else:
        raise _TemplateError("bad_tag")


def _take_else(open_blocks: list[_Block]) -> None:
    """Begin the second branch of the innermost open block."""
    if not open_blocks or open_blocks[-1].keyword != "if" or len(open_blocks[-1].branches) > 1:
        raise _TemplateError("unexpected_tag")
    open_blocks[-1].branches.append([])


# ----------------------------------------------------------------------------------- the renderer


class _Renderer:
    """Renders nodes; what it has rendered is in `output`."""

    def __init__(self, data: dict[str, Any], strict: bool) -> None:
        self.output: list[str] = []
        self._data = data
        self._strict = strict
        # The current element of each `#each` around, with its index; the innermost one is last.
        self._elements: list[tuple[Any, int]] = []

    def render(self, nodes: list[_Node]) -> None:
        """Render nodes in order.

        Args:
            nodes: What a template or a branch of a block consists of.

        Raises:
            _TemplateError: Something that is rendered is wrong.
        """
        for node in nodes:
            if isinstance(node, str):
                self.output.append(node)
            elif isinstance(node, _Insertion):
                self._insert(node)
            elif node.keyword == "each":
                self._repeat(node)
            elif self._is_truthy(node.path):
                self.render(node.branches[0])
            elif len(node.branches) > 1:
                self.render(node.branches[1])

    def _insert(self, insertion: _Insertion) -> None:
        """Render an insertion."""
        value = self._value(insertion.path)
        if value is _UNDEFINED:
            if self._strict:
                raise _TemplateError("undefined_name")
            value = ""
        for name in insertion.filters:
            value = _FILTERS[name](value)
        if isinstance(value, list | dict):
            raise _TemplateError("not_renderable")
        self.output.append(_text(value))

    def _repeat(self, block: _Block) -> None:
        """Render an `#each`."""
        array = self._value(block.path)
        if array is _UNDEFINED:
            if self._strict:
                raise _TemplateError("undefined_name")
            return
        if not isinstance(array, list):
            raise _TemplateError("not_iterable")
        for index, element in enumerate(array):
            self._elements.append((element, index))
            self.render(block.branches[0])
            self._elements.pop()

    def _is_truthy(self, path: list[str]) -> bool:
        """Tell whether an `#if` renders its first branch."""
        value = self._value(path)
        # Of the JSON values just those of the contract are false in Python.
        return value is not _UNDEFINED and bool(value)

    def _value(self, path: list[str]) -> Any:
        """Give the value of a path, which may be undefined."""
        value = self._first_value(path[0])
        for segment in path[1:]:
            value = _part(value, segment)
        return value

    def _first_value(self, segment: str) -> Any:
        """Give the value of the first segment of a path, which may be undefined."""
        match segment:
            case "this":
                return self._elements[-1][0] if self._elements else self._data
            case "@index":
                return self._elements[-1][1] if self._elements else _UNDEFINED
        for element, _ in reversed(self._elements):
            if isinstance(element, dict) and segment in element:
                return element[segment]
        return self._data.get(segment, _UNDEFINED)


def _part(value: Any, segment: str) -> Any:
    """Give the value of a further segment, which may be undefined.

    Args:
        value: The value of the path in front of it, which may be undefined.
        segment: A name, or an index in digits, which is also the name of a member of an object.

    Returns:
        The member or the element.
    """
    if isinstance(value, dict):
        return value.get(segment, _UNDEFINED)
    if isinstance(value, list) and segment.isdecimal() and int(segment) < len(value):
        return value[int(segment)]
    return _UNDEFINED


def _text(value: Any) -> str:
    """Write a value that is no array and no object."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


# ------------------------------------------------------------------------------------ the filters


# Only ASCII letters are changed, which `str.upper` and `str.lower` do not promise.
_LOWER_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_TO_UPPER = str.maketrans(_LOWER_LETTERS, _LOWER_LETTERS.upper())
_TO_LOWER = str.maketrans(_LOWER_LETTERS.upper(), _LOWER_LETTERS)


def _string(value: Any) -> str:
    """Give a value that must be a string."""
    if not isinstance(value, str):
        raise _TemplateError("bad_filter_input")
    return value


def _length(value: Any) -> int:
    """Count the characters, elements or members of a value."""
    if not isinstance(value, str | list | dict):
        raise _TemplateError("bad_filter_input")
    return len(value)


def _join(value: Any) -> str:
    """Join the elements of an array."""
    if not isinstance(value, list) or any(isinstance(element, list | dict) for element in value):
        raise _TemplateError("bad_filter_input")
    return ", ".join(map(_text, value))


_FILTERS: dict[str, Callable[[Any], Any]] = {
    "upper": lambda value: _string(value).translate(_TO_UPPER),
    "lower": lambda value: _string(value).translate(_TO_LOWER),
    "trim": lambda value: _string(value).strip(_WHITE_SPACE),
    "len": _length,
    "join": _join,
}


# ------------------------------------------------------------------------------------- the fields


def _is_small_document(value: Any) -> bool:
    """Tell whether a value is within the limits that the contract has for JSON values.

    It goes from layer to layer, so that no nesting is too deep for it.
    """
    layer = [value]
    depth = count = 0
    while layer:
        count += len(layer)
        depth += any(isinstance(item, dict | list) for item in layer)
        if count > 2000 or depth > 8 or not all(map(_is_small_item, layer)):
            return False
        layer = [part for item in layer for part in _parts(item)]
    return True


def _is_small_item(item: Any) -> bool:
    """Tell whether a value is within the limits, not looking at what is in it."""
    if isinstance(item, dict):
        return all(len(name) <= 100 for name in item)
    if isinstance(item, str):
        return len(item) <= 1000
    if type(item) is int:
        return abs(item) < 2**53
    return item is None or isinstance(item, bool | list)


def _parts(item: Any) -> list[Any]:
    """Give the elements of an array or the values of the members of an object."""
    if isinstance(item, dict):
        return list(item.values())
    return item if isinstance(item, list) else []


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "template": lambda value: isinstance(value, str) and len(value) <= 4000,
    "data": lambda value: isinstance(value, dict) and _is_small_document(value),
    "strict": lambda value: isinstance(value, bool),
}
_REQUIRED = ("template", "data")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
