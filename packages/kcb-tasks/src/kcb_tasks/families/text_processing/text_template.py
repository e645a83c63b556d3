"""Text template: insertions with filters, conditions and loops, parsed whole and then rendered."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import MAX_INTEGER, Boolean, Document, Text, nested, optional, required

_SUMMARY = """\
Renders `template` with the values in `data`. A character is one code point. White space is space,
tab, CR (U+000D) and LF (U+000A).

Read the template from left to right. A tag starts at `{{` and ends at the next `}}` after that. All
text outside tags is copied, also a `}}` that ends no tag. The body of a tag is the text in between,
without white space at both its ends. It has one of these forms:

- `!` and any text: a comment, which renders nothing.
- `#if PATH` or `#each PATH`, with one or more white space characters before PATH: opens a block.
- `#else`: divides an `#if` block.
- `#end`: closes the innermost open block.
- `PATH`, `PATH | FILTER`, `PATH | FILTER | FILTER` and so on, with white space allowed around each
  `|`: an insertion.

PATH is segments joined by `.`, without white space. The first is `this`, `@index` or NAME; each
further one is NAME or DIGITS. After `@index` there is none. NAME is an ASCII letter or `_`, then
any number of ASCII letters, ASCII digits and `_`. DIGITS is `0`, or 1 to 4 ASCII digits of which
the first is not `0`. FILTER is one or more of the letters `a` to `z`.

Rendering:

- `#if` renders what stands before its `#else` (or `#end`) if the value of the path is truthy, else
  what stands between `#else` and `#end` (nothing without `#else`). Every value is truthy but
  undefined, `false`, `null`, `0`, `""`, `[]` and `{}`.
- `#each` takes an array and renders its content once for each element, in order. That element is
  then the current element of the `#each`.
- An insertion applies its filters to the value of the path, from left to right, and inserts the
  final value: a string as it is, an integer in decimal, `true` and `false` as these words, `null`
  as the empty string.

The value of the first segment:

- `this`: the current element of the innermost `#each` around; outside every `#each`, `data`.
- `@index`: the index, from 0, of that element in its array; outside every `#each`, undefined.
- NAME: the member of this name in the current element of an `#each` around, or in `data`. Look in
  the innermost `#each` first, go outwards, and look in `data` last. Skip elements that are not
  objects. The first that has the member gives the value. If none has it, the value is undefined.

A further segment takes the member of this name from an object, or the element with the index DIGITS
from an array. In every other case the value is undefined.

Filters:

- `upper`, `lower`: a string, with only its ASCII letters changed.
- `trim`: a string, without white space at both ends.
- `len`: the number of characters of a string, elements of an array or members of an object.
- `join`: for an array that has no arrays and objects in it, its elements as they would be
  inserted, joined by `, `."""

_RESULT = """\
An object: `output`, the rendered text, a string; `length`, its number of characters."""

_RULES = """\
- If `strict` is false, an undefined value of an insertion becomes `""` before the filters, and
  `#each` of an undefined value renders nothing. An undefined value in `#if` is never an error.
- What is not rendered raises no render error, but it is parsed.
- Inserted text is not parsed again."""

_SPACE = " \t\r\n"
_LIMIT = 5


@dataclass(frozen=True, slots=True)
class _Insertion:
    path: list[str]
    filters: list[str]


@dataclass(frozen=True, slots=True)
class _Block:
    keyword: str
    path: list[str]
    parts: list[list[_Node]] = field(default_factory=lambda: [[]])


_Node: TypeAlias = str | _Insertion | _Block

_NAME = "[A-Za-z_][A-Za-z0-9_]*"
_PATH = rf"(?:@index|{_NAME}(?:\.(?:{_NAME}|0|[1-9][0-9]{{0,3}}))*)"
_BODY = re.compile(
    rf"(?P<comment>!.*)|#(?P<mark>else|end)|#(?P<keyword>if|each)[{_SPACE}]+(?P<of>{_PATH})"
    rf"|(?P<path>{_PATH})(?P<filters>(?:[{_SPACE}]*\|[{_SPACE}]*[a-z]+)*)",
    re.DOTALL,
)


def _evaluate(fields: Mapping[str, Any]) -> Json:
    nodes = _Parser(fields["template"]).parse()
    output = _rendered(nodes, _Scope(fields["data"], fields["strict"]))
    return {"output": output, "length": len(output)}


class _Parser:
    """Turns a template into nodes; what is open is a stack of blocks."""

    def __init__(self, template: str) -> None:
        self.template = template
        self.nodes: list[_Node] = []
        self.open: list[_Block] = []

    def parse(self) -> list[_Node]:
        at = 0
        while (start := self.template.find("{{", at)) >= 0:
            end = self.template.find("}}", start + 2)
            if end < 0:
                raise DomainError("unclosed_tag")
            self.add(self.template[at:start])
            self.tag(self.template[start + 2 : end].strip(_SPACE))
            at = end + 2
        if self.open:
            raise DomainError("unclosed_block")
        return [*self.nodes, self.template[at:]]

    def add(self, node: _Node) -> None:
        target = self.open[-1].parts[-1] if self.open else self.nodes
        target.append(node)

    def tag(self, body: str) -> None:
        match = _BODY.fullmatch(body)
        if match is None:
            raise DomainError("bad_tag")
        if match["path"]:
            filters = [name.strip(_SPACE) for name in match["filters"].split("|")[1:]]
            if not all(name in _FILTERS for name in filters):
                raise DomainError("unknown_filter")
            self.add(_Insertion(match["path"].split("."), filters))
        elif match["keyword"]:
            if len(self.open) == _LIMIT:
                raise DomainError("nesting_too_deep")
            block = _Block(match["keyword"], match["of"].split("."))
            self.add(block)
            self.open.append(block)
        elif match["mark"]:
            self.mark(match["mark"])

    def mark(self, mark: str) -> None:
        if not self.open:
            raise DomainError("unexpected_tag")
        if mark == "end":
            self.open.pop()
            return
        block = self.open[-1]
        if block.keyword != "if" or len(block.parts) == 2:
            raise DomainError("unexpected_tag")
        block.parts.append([])


_UNDEFINED = object()


@dataclass(frozen=True, slots=True)
class _Scope:
    """What paths are looked up in: the data, and element and index of each loop around."""

    data: Json
    strict: bool
    loops: tuple[tuple[Json, int], ...] = ()

    def value(self, path: Sequence[str]) -> Json:
        value = self.first(path[0])
        for segment in path[1:]:
            value = _inside(value, segment)
        return value

    def first(self, segment: str) -> Json:
        if segment == "this":
            return self.loops[-1][0] if self.loops else self.data
        if segment == "@index":
            return self.loops[-1][1] if self.loops else _UNDEFINED
        elements = [self.data, *(element for element, _ in self.loops)]
        found = (e[segment] for e in reversed(elements) if isinstance(e, dict) and segment in e)
        return next(found, _UNDEFINED)


def _inside(value: Json, segment: str) -> Json:
    if isinstance(value, dict):
        return value.get(segment, _UNDEFINED)
    if isinstance(value, list) and segment.isdigit() and int(segment) < len(value):
        return value[int(segment)]
    return _UNDEFINED


def _rendered(nodes: Sequence[_Node], scope: _Scope) -> str:
    return "".join(_pieces(nodes, scope))


def _pieces(nodes: Sequence[_Node], scope: _Scope) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, str):
            yield node
        elif isinstance(node, _Insertion):
            yield _inserted(node, scope)
        elif node.keyword == "if":
            value = scope.value(node.path)
            part = 0 if value is not _UNDEFINED and value else 1
            yield from (_rendered(content, scope) for content in node.parts[part : part + 1])
        else:
            for index, element in enumerate(_elements(node, scope)):
                inner = replace(scope, loops=(*scope.loops, (element, index)))
                yield _rendered(node.parts[0], inner)


def _elements(block: _Block, scope: _Scope) -> list[Json]:
    value = scope.value(block.path)
    if value is _UNDEFINED:
        if scope.strict:
            raise DomainError("undefined_name")
        return []
    if not isinstance(value, list):
        raise DomainError("not_iterable")
    return value


def _inserted(node: _Insertion, scope: _Scope) -> str:
    value = scope.value(node.path)
    if value is _UNDEFINED:
        if scope.strict:
            raise DomainError("undefined_name")
        value = ""
    for name in node.filters:
        takes, apply = _FILTERS[name]
        if not isinstance(value, takes):
            raise DomainError("bad_filter_input")
        value = apply(value)
    if isinstance(value, list | dict):
        raise DomainError("not_renderable")
    return _spelled(value)


def _spelled(value: Json) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _joined(values: list[Json]) -> str:
    if any(isinstance(value, list | dict) for value in values):
        raise DomainError("bad_filter_input")
    return ", ".join(map(_spelled, values))


_UPPER = str.maketrans(string.ascii_lowercase, string.ascii_uppercase)
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)

_FILTERS: dict[str, tuple[tuple[type, ...], Callable[[Any], Json]]] = {
    "upper": ((str,), lambda text: text.translate(_UPPER)),
    "lower": ((str,), lambda text: text.translate(_LOWER)),
    "trim": ((str,), lambda text: text.strip(_SPACE)),
    "len": ((str, list, dict), len),
    "join": ((list,), _joined),
}


_DATA = Document(
    only_object=True,
    valid=(
        {},
        {"": None, "é😀": [True, MAX_INTEGER, -MAX_INTEGER, "😀" * 1_000]},
        nested(8, {}),
        {"😀" * 100: 0},
        {"a": [0] * 1_998},
    ),
    invalid=(
        *({"a": 1.5}, {"a": [{"b": 2.0}]}),
        nested(9, {}),
        {"a": "a" * 1_001},
        {"a" * 101: 0},
        {"a": [0] * 1_999},
    ),
)


def _generate(rng: random.Random) -> dict[str, Json]:
    parts = _draw_parts(rng, rng.randint(1, 5), _INSERTIONS, 0)
    drawn: dict[str, Json] = {}
    if rng.random() < 0.25:
        for _ in range(rng.choice([1, 1, 1, 2])):
            place = rng.choice([0, len(parts), len(parts)])
            parts.insert(place, rng.choice(rng.choice(_FAULTS)))
    elif rng.random() < 0.4:
        drawn["strict"] = False
        parts.append(rng.choice(_UNDEFINED_PARTS))
    if rng.random() < 0.2:
        drawn["strict"] = True
    return {"template": "".join(parts), "data": _draw_data(rng), **drawn}


def _draw_parts(rng: random.Random, count: int, insertions: Sequence[str], depth: int) -> list[str]:
    """Pieces of a template that fit the data: texts, insertions, blocks, comments."""
    parts: list[str] = []
    for _ in range(count):
        kind = rng.choice(["text", "insert", "insert", "insert", "if", "each", "each", "comment"])
        if kind == "if" and depth < 3:
            parts.append(_draw_if(rng, insertions, depth))
        elif kind == "each" and depth < 2:
            path, inner = rng.choice(_LOOPS[depth:])
            content = "".join(_draw_parts(rng, rng.randint(0, 3), inner, depth + 1))
            parts.append(f"{{{{#each {path}}}}}{content}{rng.choice(_TEXTS)}{{{{#end}}}}")
        elif kind == "comment":
            parts.append(rng.choice(["{{!}}", "{{ ! {{ x | y }}", "{{!\n#end}}"]))
        elif kind == "insert":
            blank = rng.choice(["", "", " ", "\n\t"])
            parts.append(f"{{{{{blank}{rng.choice(insertions)}{blank}}}}}")
        else:
            parts.append(rng.choice(_TEXTS))
    return parts


def _draw_if(rng: random.Random, insertions: Sequence[str], depth: int) -> str:
    path = rng.choice([*_CONDITIONS, *(text for text in insertions if "|" not in text)])
    first, second = (
        "".join(_draw_parts(rng, rng.randint(0, 2), insertions, depth + 1)) for _ in range(2)
    )
    otherwise = f"{{{{#else}}}}{second}" if rng.random() < 0.6 else ""
    return f"{{{{#if {path}}}}}{first}{otherwise}{{{{ #end }}}}"


def _draw_data(rng: random.Random) -> dict[str, Json]:
    items: list[Json] = [
        {"sku": sku, "qty": rng.randint(-1, 3), "parts": rng.sample([0, "x", None, True, "é"], 2)}
        for sku in rng.sample(["A", "b\t", "é", "𝒳", "title"], rng.randint(0, 3))
    ]
    for item in items:
        if rng.random() < 0.4:
            item["name"] = rng.choice(["own", "", None, 0, False])
    return {
        "name": rng.choice(["Ann", " Zoë ", "straße", "𐐨e\u0301", "{{n}}"]),
        "title": rng.choice(["", "  a b\n", "\u00a0X\u00a0"]),
        "n": rng.choice([0, 7, -12, MAX_INTEGER]),
        "flag": rng.choice([True, False]),
        "none": None,
        "tags": rng.sample(["x", "é", 0, 10, None, False, True, "", "𝒳𝒳"], rng.randint(0, 4)),
        "grid": [[1, 2], [], ["z"]],
        "obj": {"a": ["p", {"0": "zero"}], "else": rng.choice([1, "", None])},
        "items": items,
    }


_TEXTS = (" ", "x", "é, ", "}}", "{ ", "}", "\n", "𝒳\u2028", "e\u0301", ": ")

_INSERTIONS = (
    *("name", "name|upper", "title | trim", "title|trim|len", "n", "flag", "none", "tags|join"),
    *("tags|len", "grid.0.1", "obj.a.1.0", "obj|len", "this.n", "this|len", "obj.else"),
    "name|lower",
)

_LOOPS = (
    ("this.items", ("this|len", "sku|trim", "qty", "@index", "obj.a.0")),
    ("items", ("sku", "sku|upper", "this.qty", "@index", "name", "parts|join", "parts.1", "n")),
    ("tags", ("this", "@index", "n", "name|len")),
    ("grid", ("this|join", "this|len", "@index", "obj.a.0")),
)

_CONDITIONS = ("flag", "n", "tags", "title", "none", "nowhere.else", "this", "obj.a.7", "name.0")

_UNDEFINED_PARTS = (
    *("[{{nowhere}}]", "{{nowhere|len}}", "{{@index}}", "{{tags.9999|upper}}", "{{obj.a.b}}"),
    *("{{#each nowhere}}x{{#end}}", "{{#each obj.b}}{{y|z}}{{#end}}"),
)

# Pieces that are an error wherever they stand, by the error.
_FAULTS = (
    ("{{}}", "{{name upper}}", "{{#if}}", "{{obj.01}}", "{{name|Upper}}", "{{ é }}"),
    ("{{n|upper}}", "{{grid|join}}", "{{n|len}}", "{{tags|trim}}"),
    ("{{ name", "{{", "{{name}"),
    ("{{#if flag}}", "{{#each tags}}{{this}}"),
    ("{{#end}}", "{{#else}}", "{{#each tags}}{{#else}}{{#end}}", "{{#if n}}{{#else}}{{#else}}"),
    ("{{name|shout}}", "{{name|capitalize|upper}}"),
    ("{{#each name}}{{#end}}", "{{#each obj}}{{#end}}", "{{#each none}}{{#end}}"),
    ("{{#if flag}}" * 6, "{{#each grid}}" * 5 + "{{#if flag}}{{#end}}"),
    ("{{obj}}", "{{grid.1}}"),
    ("{{nobody}}", "{{obj.a.x|upper}}", "{{#each nobody}}{{#end}}"),
)


def _text(output: str) -> Json:
    return {"output": output, "length": len(output)}


def _case(template: str, data: Json, output: str | None = None, **more: Json) -> Case:
    """A case; without output, ``error`` names its error, and ``strict`` is given if not true."""
    error = more.pop("error", None)
    fields = {"template": template, "data": data, **more}
    return Case(fields, error=error) if output is None else Case(fields, _text(output))


_BOUNDARIES = (
    # What is a tag and what is not.
    Case(
        {
            "template": "a}}b {{tags|join}} {{tags|len}} {{m.0.1}}",
            "data": {"tags": ["é", 1, None, True], "m": [[5, 6]]},
        },
        {"output": "a}}b é, 1, , true 4 6", "length": 21},
    ),
    Case({"template": "", "data": {}}, {"output": "", "length": 0}),
    Case({"template": "e\u0301𝒳{ {x} }", "data": {}}, {"output": "e\u0301𝒳{ {x} }", "length": 10}),
    _case("{{x}}}}{{x}}}", {"x": "{{y}}"}, "{{y}}}}{{y}}}"),
    _case("{{\n x\t|\r\nupper|lower\n}} ", {"x": "aB"}, "ab "),
    _case("x{{!}}{{! {{ } |y}}z{{!#if a}}}", {}, "xz}"),
    _case("{{#if\t\na}}1{{\r#end }}", {"a": 1}, "1"),
    _case("{{if}}{{_9}}{{else.end}}", {"if": 1, "_9": 2, "else": {"end": 3}}, "123"),
    # Blocks: nested, five deep, divided, not rendered.
    _case(
        "{{#if a}}{{#if b}}1{{#else}}2{{#end}}{{#else}}3{{#end}}{{#if b}}4{{#end}}",
        {"a": 1, "b": 0},
        "2",
    ),
    _case("{{#if a}}" * 5 + "x" + "{{#end}}" * 5 + "{{#if a}}y{{#end}}", {"a": 1}, "xy"),
    # Each `#if` has an `#else` of its own, also one that stands behind an `#else`.
    _case("{{#if a}}1{{#else}}{{#if b}}2{{#else}}3{{#end}}4{{#end}}", {"a": 0, "b": 0}, "34"),
    _case("{{#if no.such}}{{boom}}{{#else}}ok{{#end}}", {}, "ok"),
    _case("{{#each e}}{{x|upper}}{{#end}}{{#if e}}{{#each n}}{{#end}}{{#end}}", {"e": []}, ""),
    _case(
        "{{#each v}}{{#if this}}1{{#else}}0{{#end}}{{#end}}",
        {"v": [False, None, 0, "", [], {}, True, -1, "0", " ", [0], {"a": 0}]},
        "000000111111",
    ),
    # Paths: scopes from the inside to the outside, the first that has the name decides.
    _case(
        "{{#each a}}{{#each b}}{{n}}{{this}}{{@index}} {{#end}}{{#end}}{{n}}",
        {"a": [{"b": [7, 8], "n": "x"}], "n": "o"},
        "x70 x81 o",
    ),
    _case(
        "{{#each a}}{{#each this}}{{@index}}{{#end}}{{@index}};{{#end}}",
        {"a": [[1, 2], [3]]},
        "010;01;",
    ),
    _case("{{#each a}}[{{n}}]{{#end}}", {"a": [{"n": None}, {}], "n": "o"}, "[][o]"),
    _case("{{#each a}}[{{n.b}}]{{#end}}", {"a": [{"n": 5}], "n": {"b": 1}}, "[]", strict=False),
    _case("{{#each a}}{{n.b}}{{#end}}", {"a": [{"n": 5}], "n": {"b": 1}}, error="undefined_name"),
    _case("{{this.this}}{{this|len}}", {"this": 1, "b": 2}, "12"),
    _case("{{#each a}}{{this.this}}{{a|len}}{{#end}}", {"a": [{"this": "t"}]}, "t1"),
    _case("{{#each a}}{{#if @index}}i{{#else}}0{{#end}}{{#end}}", {"a": [1, 2]}, "0i"),
    _case("{{m.0}}{{a.10}}{{a.1.0}}", {"m": {"0": "z"}, "a": [0, ["y"], *range(9)]}, "z8y"),
    _case(
        "[{{a.1}}{{a.b}}{{s.0}}{{s.len}}{{n.x}}{{z.x}}{{m.1}}]",
        {"a": [1], "s": "str", "n": 5, "z": None, "m": {"b": 0}},
        "[]",
        strict=False,
    ),
    # Filters and scalars.
    _case("{{a}} {{b}} {{c}}{{d}}", {"a": -5, "b": True, "c": None, "d": False}, "-5 true false"),
    _case("{{n}}", {"n": 9_007_199_254_740_991}, "9007199254740991"),
    _case("{{a|upper}} {{b|lower}}", {"a": "straße é𐐨", "b": "ÀB Σ"}, "STRAßE é𐐨 Àb Σ"),
    _case("[{{a|trim}}]", {"a": "\r\n\u00a0 a\u3000\t "}, "[\u00a0 a\u3000]"),
    _case("{{a|len}}{{b|len}}{{c|len}}", {"a": "e\u0301𝒳", "b": [1, [2, 3]], "c": {}}, "320"),
    _case("[{{a|join}}][{{a|join|len}}]", {"a": []}, "[][0]"),
    _case("{{a|join|upper}}", {"a": ["x", 0, False]}, "X, 0, FALSE"),
    _case("[{{x|trim|len}}]", {}, "[0]", strict=False),
    _case("[{{x}}{{#each x}}{{y|join}}{{#end}}{{@index}}]", {}, "[]", strict=False),
    # Errors in parsing.
    _case("{{x}} {{ y", {}, error="unclosed_tag"),
    _case("{{ y }", {"y": 1}, error="unclosed_tag"),
    _case("{{#if}}", {}, error="bad_tag"),
    _case("{{}}", {}, error="bad_tag"),
    _case("{{{x}}}", {"x": 1}, error="bad_tag"),
    _case("{{x\u00a0}}", {"x": 1}, error="bad_tag"),
    _case("{{é}}", {"é": 1}, error="bad_tag"),
    _case("{{x .y}}", {"x": {"y": 1}}, error="bad_tag"),
    _case("{{a.01}}", {"a": [1, 2]}, error="bad_tag"),
    _case("{{a.10000}}", {"a": {"10000": 1}}, error="bad_tag"),
    _case("{{@index.x}}", {}, error="bad_tag"),
    _case("{{x|}}", {"x": "a"}, error="bad_tag"),
    _case("{{x|Upper}}", {"x": "a"}, error="bad_tag"),
    _case("{{x|shout|Upper}}", {"x": "a"}, error="bad_tag"),
    _case("{{#if x|len}}{{#end}}", {"x": "a"}, error="bad_tag"),
    _case("{{#each x}}{{#end each}}", {"x": []}, error="bad_tag"),
    _case("{{# if x}}{{#end}}", {"x": 1}, error="bad_tag"),
    _case("{{#if x}}a{{#else if y}}b{{#end}}", {"x": 1, "y": 1}, error="bad_tag"),
    _case("{{#if no}}{{x|shout}}{{#end}}", {"no": 0}, error="unknown_filter"),
    _case("{{x|trim|shout}}", {"x": 5}, error="unknown_filter"),
    _case("{{#else}}", {}, error="unexpected_tag"),
    _case("{{#if a}}{{#end}}{{#end}}", {"a": 1}, error="unexpected_tag"),
    _case("{{#if a}}{{#else}}{{#else}}{{#end}}", {"a": 1}, error="unexpected_tag"),
    _case("{{#if a}}{{#each b}}{{#else}}{{#end}}{{#end}}", {"b": []}, error="unexpected_tag"),
    _case("{{#if a}}" * 6, {}, error="nesting_too_deep"),
    _case("{{#if a}}" * 5 + "{{#each a}}" + "{{#end}}" * 6, {"a": 0}, error="nesting_too_deep"),
    _case("{{x}}{{#if y}}", {}, error="unclosed_block"),
    _case("{{#each x}}{{#end}}{{#if x}}{{#else}}", {"x": []}, error="unclosed_block"),
    # Of two errors in parsing the first from the left is reported.
    _case("{{x|shout}}{{", {}, error="unknown_filter"),
    _case("{{x|shout}}{{}}", {}, error="unknown_filter"),
    _case("{{#end}}{{x|shout}}", {}, error="unexpected_tag"),
    _case("{{#if a}}" * 5 + "{{#if}}{{#if a}}", {}, error="bad_tag"),
    _case("{{#if a}}{{x", {"x": 1}, error="unclosed_tag"),
    # Errors in rendering.
    _case("{{@index}}", {"@index": 1}, error="undefined_name"),
    _case("{{#each a}}{{#end}}{{#each b}}{{#end}}", {"a": []}, error="undefined_name"),
    _case("{{m.a}}{{m.b}}", {"m": {"a": None}, "b": 1}, error="undefined_name"),
    _case("{{a.1}}", {"a": [1]}, error="undefined_name"),
    _case("{{a.1.b|len}}", {"a": [1, None]}, error="undefined_name"),
    _case("{{#each x}}{{#end}}", {"x": "abc"}, error="not_iterable"),
    _case("{{#each x}}{{#end}}", {"x": None}, strict=False, error="not_iterable"),
    _case("{{#each x}}{{#end}}", {"x": {"a": 1}}, error="not_iterable"),
    _case("{{x|upper}}", {"x": 5}, error="bad_filter_input"),
    _case("{{x|len|trim}}", {"x": "a"}, error="bad_filter_input"),
    _case("{{x|len}}", {"x": None}, error="bad_filter_input"),
    _case("{{x|join}}", {"x": [1, []]}, error="bad_filter_input"),
    _case("{{x|join}}", {"x": {"a": 1}}, error="bad_filter_input"),
    _case("{{x|join}}", {}, strict=False, error="bad_filter_input"),
    _case("{{x}}", {"x": []}, error="not_renderable"),
    _case("{{this}}", {}, strict=False, error="not_renderable"),
    # Of two errors in rendering the first that is met is reported, after all of parsing.
    _case("{{x|upper}}{{y}}", {"x": 5}, error="bad_filter_input"),
    _case("{{y|upper}}{{x|upper}}", {"x": 5}, error="undefined_name"),
    _case("{{x|trim}}", {"x": {}}, error="bad_filter_input"),
    _case(
        "{{#each x}}{{y}}{{#end}}{{#each y}}{{#end}}", {"x": [1], "y": {}}, error="not_renderable"
    ),
    _case("{{x|upper}}{{#each x}}", {"x": 5}, error="unclosed_block"),
)

FAMILY = Family(
    number=4,
    slug="text-template",
    title="Text template engine",
    category="text-processing",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required("template", Text(0, 4_000)),
        required("data", _DATA),
        optional("strict", Boolean(), True, "Whether undefined values are errors."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("unclosed_tag", "There is a `{{` without a `}}` after it."),
        ErrorCode("bad_tag", "The body of a tag has none of the forms; it may be empty."),
        ErrorCode(
            "unknown_filter", "An insertion has a FILTER that is not one of the five filters."
        ),
        ErrorCode(
            "unexpected_tag",
            "`#end` while no block is open; `#else` while no block is open, or while the innermost "
            "open block is an `#each`, or an `#if` that has an `#else` already.",
        ),
        ErrorCode("nesting_too_deep", "A tag opens a block while 5 blocks are open."),
        ErrorCode("unclosed_block", "A block is open at the end of the template."),
        ErrorCode(
            "undefined_name",
            "`strict` is true and the value of an insertion's path or of the path of a rendered "
            "`#each` is undefined.",
        ),
        ErrorCode("not_iterable", "The value for `#each` is defined and not an array."),
        ErrorCode("bad_filter_input", "A filter gets a value of a kind that it does not take."),
        ErrorCode("not_renderable", "The final value of an insertion is an array or object."),
    ),
    precedence=(
        "First the whole template is parsed, from left to right. The first tag with one of the "
        "errors 1 to 5 decides; of two errors of one tag, the first in this list. Without them, "
        "error 6 is tested. Only a template without these errors is rendered, also from left to "
        "right, and the first of the errors 7 to 10 that is met is the answer."
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "template": (
                "Hi {{ name | upper }}!{{#each items}} {{@index}}={{this.sku}}x{{qty}}"
                "{{#if gift}}*{{#else}}.{{#end}}{{#end}}{{! done }}"
            ),
            "data": {
                "name": "Ann",
                "qty": 9,
                "items": [{"sku": "A", "qty": 2, "gift": True}, {"sku": "B"}],
            },
        },
        {"output": "Hi ANN! 0=Ax2* 1=Bx9.", "length": 21},
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case(
            "{{!list}}{{#each rows}}{{@index}}:{{#each this.tags}} {{this|upper}}-{{unit}}{{#end}}"
            "{{#if note}} ({{ note | trim }}){{#else}} -{{#end}}\n{{#end}}{{tags|len}}{{none}}}}",
            {
                "unit": "kg",
                "note": "",
                "none": None,
                "tags": {"0": 1},
                "rows": [{"tags": ["a", "é"], "note": " new "}, {"tags": [], "unit": "m"}],
            },
            "0: A-kg é-kg (new)\n1: -\n1}}",
        ),
        _case(
            "{{a|len}} {{#if b}}{{a|len|upper}}{{#else}}{{b}}{{#end}}",
            {"a": [0]},
            error="undefined_name",
        ),
    ),
    malformed=(
        {"template": None, "data": {}},
        {"template": ["x"], "data": {}},
        {"template": "{{" * 2_001, "data": {}},
        {"template": "{{", "data": []},
        {"template": "x", "data": None},
        {"template": "x", "data": "{}"},
        {"template": "x", "data": {"a": 1.0}},
        {"template": "x", "data": {"a": [1, {"b": 0.5}]}},
        {"template": "x", "data": {"a": 1e2}},
        {"template": "x", "data": nested(9, {})},
        {"template": "x", "data": {"a": [[[[[[[[]]]]]]]]}},
        {"template": "x", "data": {"a": ["e\u0301" * 500 + "a"]}},
        {"template": "x", "data": {"b": {"a" * 101: 1}}},
        {"template": "x", "data": {"a": [[]] * 1_999}},
        {"template": "x", "data": {}, "strict": "false"},
        {"template": "x", "data": {}, "strict": 0},
        {"template": "x", "data": {}, "strict": None},
    ),
)
