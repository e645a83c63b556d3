"""Shapes of input fields: what a value may be, in code and in words from one declaration.

A family declares the shape of each field once. The contract in the prompt is its
:meth:`~Shape.describe`, the oracle's check its :meth:`~Shape.admits`, and the scenarios that probe
the check are its :meth:`~Shape.violations` and :meth:`~Shape.extremes`; so the three cannot drift.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import chain, islice

from kcb_core.codec import Json, ascii_line

MAX_INTEGER = 2**53 - 1
"""Largest integer, either way, that is ever sent to a candidate."""

DOCUMENT_DEPTH = 8
DOCUMENT_VALUES = 2_000
DOCUMENT_TEXT = 1_000
DOCUMENT_NAME = 100
"""Limits of a :class:`Document`: nesting, values at any depth, code points of strings and names."""

MAX_SAMPLE = 1_200
"""Longest array that a shape offers as an extreme; longer ones make poor scenarios."""

_WRONG_TYPES: tuple[Json, ...] = (None, True, 1, 1.5, "1", [], {})


class Shape(ABC):
    """What one value may be."""

    @abstractmethod
    def describe(self) -> str:
        """A noun phrase for the contract, such as ``an integer from 1 to 50``."""

    @abstractmethod
    def admits(self, value: Json) -> bool:
        """Whether a JSON value is allowed."""

    @abstractmethod
    def sample(self) -> Json:
        """The plainest value that is allowed."""

    def extremes(self) -> Iterator[Json]:
        """Allowed values that stand at the edge of what is allowed."""
        yield from ()

    def violations(self) -> Iterator[Json]:
        """Values that are not allowed, the most telling first; never one that may not be sent."""
        near = chain(self._near_misses(), _WRONG_TYPES)
        seen: set[str] = set()
        for value in near:
            text = ascii_line(value)
            if text not in seen and not self.admits(value):
                seen.add(text)
                yield value

    def _near_misses(self) -> Iterator[Json]:
        yield from ()


@dataclass(frozen=True, slots=True)
class Integer(Shape):
    """A JSON integer within bounds; booleans and ``2.0`` are none."""

    low: int
    high: int

    def describe(self) -> str:
        return f"an integer from {self.low} to {self.high}"

    def admits(self, value: Json) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def sample(self) -> Json:
        return min(max(0, self.low), self.high)

    def extremes(self) -> Iterator[Json]:
        yield self.low
        yield self.high

    def _near_misses(self) -> Iterator[Json]:
        yield from (n for n in (self.low - 1, self.high + 1) if abs(n) <= MAX_INTEGER)
        yield float(max(1, self.low))
        yield str(max(1, self.low))


@dataclass(frozen=True, slots=True)
class Text(Shape):
    """A string, its length counted in Unicode code points."""

    low: int
    high: int

    def describe(self) -> str:
        return f"a string of {self.low} to {self.high} code points"

    def admits(self, value: Json) -> bool:
        return isinstance(value, str) and self.low <= len(value) <= self.high

    def sample(self) -> Json:
        return "a" * max(self.low, min(1, self.high))

    def extremes(self) -> Iterator[Json]:
        yield "a" * self.low
        yield "\U0001f600" * min(self.high, MAX_SAMPLE)
        if self.high > MAX_SAMPLE:
            yield "a " * (self.high // 2) + "a" * (self.high % 2)

    def _near_misses(self) -> Iterator[Json]:
        if self.low > 0:
            yield "a" * (self.low - 1)
        yield "a" * (self.high + 1)


@dataclass(frozen=True, slots=True)
class Boolean(Shape):
    """``true`` or ``false``."""

    def describe(self) -> str:
        return "`true` or `false`"

    def admits(self, value: Json) -> bool:
        return isinstance(value, bool)

    def sample(self) -> Json:
        return False

    def extremes(self) -> Iterator[Json]:
        yield True
        yield False

    def _near_misses(self) -> Iterator[Json]:
        yield 0
        yield "true"


class Choice(Shape):
    """One of a few strings, exactly."""

    def __init__(self, *options: str) -> None:
        self.options = options

    def describe(self) -> str:
        return "one of " + ", ".join(f"`{ascii_line(option)}`" for option in self.options)

    def admits(self, value: Json) -> bool:
        return isinstance(value, str) and value in self.options

    def sample(self) -> Json:
        return self.options[0]

    def extremes(self) -> Iterator[Json]:
        yield from self.options

    def _near_misses(self) -> Iterator[Json]:
        yield self.options[0].upper()
        yield self.options[0] + " "
        yield ""


@dataclass(frozen=True, slots=True)
class Pattern(Shape):
    """A string that a regular expression matches whole.

    Attributes:
        regex: the expression, with ASCII classes.
        words: the noun phrase for the contract.
        valid: strings that match, the plainest first.
        invalid: strings that nearly match.
        check: a further condition, which the words name too.
    """

    regex: str
    words: str
    valid: Sequence[str]
    invalid: Sequence[Json]
    check: Callable[[str], bool] | None = None

    def describe(self) -> str:
        return self.words

    def admits(self, value: Json) -> bool:
        return (
            isinstance(value, str)
            and re.fullmatch(self.regex, value, re.ASCII) is not None
            and (self.check is None or self.check(value))
        )

    def sample(self) -> Json:
        return self.valid[0]

    def extremes(self) -> Iterator[Json]:
        yield from self.valid[1:]

    def _near_misses(self) -> Iterator[Json]:
        yield from self.invalid
        yield ""
        yield self.valid[0] + "\n"
        yield " " + self.valid[0]


@dataclass(frozen=True, slots=True)
class Nullable(Shape):
    """A value of another shape, or ``null``."""

    of: Shape

    def describe(self) -> str:
        return f"{self.of.describe()}, or `null`"

    def admits(self, value: Json) -> bool:
        return value is None or self.of.admits(value)

    def sample(self) -> Json:
        return None

    def extremes(self) -> Iterator[Json]:
        yield None
        yield from self.of.extremes()

    def _near_misses(self) -> Iterator[Json]:
        yield from self.of.violations()


@dataclass(frozen=True, slots=True)
class AnyOf(Shape):
    """A value of one of several shapes."""

    options: tuple[Shape, ...]

    def describe(self) -> str:
        return " or ".join(option.describe() for option in self.options)

    def admits(self, value: Json) -> bool:
        return any(option.admits(value) for option in self.options)

    def sample(self) -> Json:
        return self.options[0].sample()

    def extremes(self) -> Iterator[Json]:
        for option in self.options:
            yield option.sample()
            yield from option.extremes()

    def _near_misses(self) -> Iterator[Json]:
        for option in self.options:
            yield from option.violations()


@dataclass(frozen=True, slots=True)
class Array(Shape):
    """A JSON array of some length whose elements all have one shape."""

    of: Shape
    low: int
    high: int

    def describe(self) -> str:
        return f"an array of {self.low} to {self.high} elements, each {self.of.describe()}"

    def admits(self, value: Json) -> bool:
        return (
            isinstance(value, list)
            and self.low <= len(value) <= self.high
            and all(self.of.admits(element) for element in value)
        )

    def sample(self) -> Json:
        return [self.of.sample()] * max(self.low, min(1, self.high))

    def extremes(self) -> Iterator[Json]:
        yield [self.of.sample()] * self.low
        if self.high <= MAX_SAMPLE:
            yield [self.of.sample()] * self.high
        if self.high > 0:
            for element in self.of.extremes():
                yield self._with(element)

    def _near_misses(self) -> Iterator[Json]:
        if self.low > 0:
            yield [self.of.sample()] * (self.low - 1)
        if self.high <= MAX_SAMPLE:
            yield [self.of.sample()] * (self.high + 1)
        for element in self.of.violations():
            yield self._with(element)

    def _with(self, element: Json) -> list[Json]:
        """An array of a good length whose last element is this one."""
        return [self.of.sample()] * max(self.low - 1, 0) + [element]


class Fixed(Shape):
    """A JSON array of exactly these elements, each with a shape of its own."""

    def __init__(self, *elements: Shape) -> None:
        self.elements = elements

    def describe(self) -> str:
        inner = ", then ".join(element.describe() for element in self.elements)
        return f"an array of exactly {len(self.elements)} elements: {inner}"

    def admits(self, value: Json) -> bool:
        return (
            isinstance(value, list)
            and len(value) == len(self.elements)
            and all(shape.admits(v) for shape, v in zip(self.elements, value, strict=True))
        )

    def sample(self) -> Json:
        return [element.sample() for element in self.elements]

    def extremes(self) -> Iterator[Json]:
        for index, element in enumerate(self.elements):
            for value in element.extremes():
                yield self._with(index, value)

    def _near_misses(self) -> Iterator[Json]:
        yield self.sample()[:-1]
        yield [*self.sample(), self.elements[-1].sample()]
        for index, element in enumerate(self.elements):
            for value in islice(element.violations(), 3):
                yield self._with(index, value)

    def _with(self, index: int, value: Json) -> list[Json]:
        whole: list[Json] = self.sample()
        whole[index] = value
        return whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One named member of an object: of the input itself, or of an object inside it."""

    name: str
    """The member's name."""
    shape: Shape
    """What its value may be."""
    required: bool = False
    """Whether it may not be left out."""
    default: Json = None
    """The value that stands for it when it is left out, if :attr:`has_default`."""
    has_default: bool = False
    """Whether a value stands for it when it is left out; else it is simply not given."""
    note: str = ""
    """A sentence for the contract on what the field means; empty where the name says it."""


def required(name: str, shape: Shape, note: str = "") -> Field:
    """A field that may not be left out."""
    return Field(name=name, shape=shape, required=True, note=note)


def optional(name: str, shape: Shape, default: Json, note: str = "") -> Field:
    """A field for which a default stands when it is left out."""
    return Field(name=name, shape=shape, default=default, has_default=True, note=note)


def absentable(name: str, shape: Shape, note: str = "") -> Field:
    """A field that may be left out and has no default: it is then simply not given."""
    return Field(name=name, shape=shape, note=note)


@dataclass(frozen=True, slots=True)
class Record(Shape):
    """A JSON object with named members; members that it does not name are ignored."""

    fields: tuple[Field, ...]
    label: str = "an object"

    def describe(self) -> str:
        members = ", ".join(self._member(member) for member in self.fields)
        return f"{self.label} with {members}" if members else self.label

    @staticmethod
    def _member(member: Field) -> str:
        text = f"`{member.name}`: {member.shape.describe()}"
        if member.has_default:
            return f"{text} (optional, default `{ascii_line(member.default)}`)"
        return text if member.required else f"{text} (optional)"

    def admits(self, value: Json) -> bool:
        return isinstance(value, dict) and all(
            member.shape.admits(value[member.name]) if member.name in value else not member.required
            for member in self.fields
        )

    def sample(self) -> Json:
        return {m.name: m.shape.sample() for m in self.fields if m.required}

    def extremes(self) -> Iterator[Json]:
        for member in self.fields:
            for value in member.shape.extremes():
                yield {**self.sample(), member.name: value}

    def _near_misses(self) -> Iterator[Json]:
        for member in self.fields:
            if member.required:
                yield {k: v for k, v in self.sample().items() if k != member.name}
        for member in self.fields:
            for value in islice(member.shape.violations(), 4):
                yield {**self.sample(), member.name: value}


@dataclass(frozen=True, slots=True)
class Tagged(Shape):
    """A JSON object whose members depend on the value of one of them.

    Attributes:
        tag: the member that decides.
        variants: the shape of the object for each value of the tag, the tag itself left out.
    """

    tag: str
    variants: Mapping[str, Record] = field(default_factory=dict)

    def describe(self) -> str:
        cases = "; ".join(
            f'if `{self.tag}` is `"{value}"`, {record.describe()}'
            for value, record in self.variants.items()
        )
        return f"an object with a member `{self.tag}`: {cases}"

    def admits(self, value: Json) -> bool:
        if not isinstance(value, dict):
            return False
        tag = value.get(self.tag)
        return isinstance(tag, str) and tag in self.variants and self.variants[tag].admits(value)

    def sample(self) -> Json:
        tag, record = next(iter(self.variants.items()))
        return {self.tag: tag, **record.sample()}

    def extremes(self) -> Iterator[Json]:
        for tag, record in self.variants.items():
            yield {self.tag: tag, **record.sample()}
            for value in record.extremes():
                yield {self.tag: tag, **value}

    def _near_misses(self) -> Iterator[Json]:
        _, first = next(iter(self.variants.items()))
        yield first.sample()
        yield {self.tag: "", **first.sample()}
        yield {self.tag: None, **first.sample()}
        for tag, record in self.variants.items():
            for value in record.violations():
                if isinstance(value, dict):
                    yield {self.tag: tag, **value}


@dataclass(frozen=True, slots=True)
class Mapped(Shape):
    """A JSON object whose names and values each have one shape.

    Attributes:
        names: the shape of every name.
        of: the shape of every value.
        high: the most members that it may have.
    """

    names: Shape
    of: Shape
    high: int

    def describe(self) -> str:
        return (
            f"an object of at most {self.high} members, each name {self.names.describe()}, "
            f"each value {self.of.describe()}"
        )

    def admits(self, value: Json) -> bool:
        return (
            isinstance(value, dict)
            and len(value) <= self.high
            and all(self.names.admits(k) and self.of.admits(v) for k, v in value.items())
        )

    def sample(self) -> Json:
        return {}

    def extremes(self) -> Iterator[Json]:
        yield {}
        for value in self.of.extremes():
            yield {self.names.sample(): value}
        for name in self.names.extremes():
            yield {name: self.of.sample()}

    def _near_misses(self) -> Iterator[Json]:
        for value in islice(self.of.violations(), 4):
            yield {self.names.sample(): value}
        for name in islice((n for n in self.names.violations() if isinstance(n, str)), 4):
            yield {name: self.of.sample()}


def label() -> Text:
    """A name in a request: 1 to 40 code points, any of them, compared exactly."""
    return Text(1, 40)


def calendar_date() -> Pattern:
    """A day from 1900-01-01 to 2199-12-31 as ``YYYY-MM-DD``."""
    return Pattern(
        r"(?:19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}",
        "a date `YYYY-MM-DD` (ASCII digits) that exists in the Gregorian calendar, "
        "from `1900-01-01` to `2199-12-31`",
        ("2024-02-29", "1900-01-01", "2199-12-31", "2000-02-29"),
        ("1900-02-29", "2023-02-29", "1899-12-31", "2200-01-01", "2024-13-01", "2024-1-01",
         "2024-04-31", "2024-01-00", "20240101", "2024-01-01T00:00:00", "２０２４-01-01"),
        check=_is_date,
    )  # fmt: skip


def rational() -> Pattern:
    """An exact fraction as text, not necessarily in lowest terms."""
    return Pattern(
        r"-?(?:0|[1-9][0-9]{0,17})(?:/[1-9][0-9]{0,17})?",
        "a fraction: a string `n` or `n/d`. n is `0`, or 1 to 18 ASCII digits of which the first "
        "is not `0`; a `-` may stand before it. d is 1 to 18 ASCII digits of which the first is "
        "not `0`. `2/4` and `-0` are allowed",
        ("1", "0", "-0", "2/4", "-7/3", "9" * 18, "-1/" + "9" * 18),
        ("01", "1/0", "1/-2", "+1", "1.5", "1 /2", "-", "1/", "1/02", "1" * 19, "1/" + "1" * 19,
         "1e3", "١"),
    )  # fmt: skip


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Checked(Shape):
    """Another shape with one more condition.

    Attributes:
        of: the shape underneath.
        check: the further condition on a value that the shape underneath admits.
        words: the whole noun phrase for the contract.
        valid: values that are allowed, the plainest first.
        invalid: values that the shape underneath admits and the condition does not.
    """

    of: Shape
    check: Callable[[Json], bool]
    words: str
    valid: Sequence[Json]
    invalid: Sequence[Json]

    def describe(self) -> str:
        return self.words

    def admits(self, value: Json) -> bool:
        return self.of.admits(value) and self.check(value)

    def sample(self) -> Json:
        return self.valid[0]

    def extremes(self) -> Iterator[Json]:
        yield from self.valid[1:]
        yield from (value for value in self.of.extremes() if self.check(value))

    def _near_misses(self) -> Iterator[Json]:
        yield from self.invalid
        yield from self.of.violations()


def nested(depth: int, innermost: Json) -> Json:
    """A document so many levels deep, with an empty array or object in the middle."""
    return {"a": nested(depth - 1, innermost)} if depth > 1 else innermost


def count_values(document: Json) -> int:
    """How many values there are in a document, itself and at any depth."""
    inner: Iterable[Json] = ()
    if isinstance(document, list | dict):
        inner = document.values() if isinstance(document, dict) else document
    return 1 + sum(map(count_values, inner))


_DOCUMENTS: tuple[Json, ...] = (
    *(None, False, 0, -MAX_INTEGER, "", [], {}),
    {"": None, "é😀": [True, MAX_INTEGER, "😀" * DOCUMENT_TEXT], "😀" * DOCUMENT_NAME: {}},
    nested(DOCUMENT_DEPTH, []),
    [0] * (DOCUMENT_VALUES - 1),
)
_NO_DOCUMENTS: tuple[Json, ...] = (
    *(1.5, {"a": [2.0]}),
    nested(DOCUMENT_DEPTH + 1, []),
    ["a" * (DOCUMENT_TEXT + 1)],
    {"a" * (DOCUMENT_NAME + 1): 0},
    [0] * DOCUMENT_VALUES,
)


@dataclass(frozen=True, slots=True)
class Document(Shape):
    """Any JSON value of limited size and depth whose numbers are all integers.

    Attributes:
        words: the noun phrase for the contract, where another field has told the limits.
        only_object: whether it must be an object.
        valid: values at the edge of what is allowed, some of which may be no objects.
        invalid: values just beyond it.
    """

    words: str = ""
    only_object: bool = False
    valid: Sequence[Json] = _DOCUMENTS
    invalid: Sequence[Json] = _NO_DOCUMENTS

    def describe(self) -> str:
        what = "an object" if self.only_object else "any JSON value"
        flat = "{}" if self.only_object else "[]"
        return self.words or (
            f"{what}, nested at most {DOCUMENT_DEPTH} deep (`{flat}` is 1 deep), of at most "
            f"{DOCUMENT_VALUES} values (itself and every element and member's value at any depth), "
            "in which every number is an integer from -(2^53 - 1) to 2^53 - 1, every string has at "
            f"most {DOCUMENT_TEXT} code points, and every member name at most {DOCUMENT_NAME}"
        )

    def admits(self, value: Json) -> bool:
        return (
            (isinstance(value, dict) or not self.only_object)
            and _fits_document(value, DOCUMENT_DEPTH)
            and count_values(value) <= DOCUMENT_VALUES
        )

    def sample(self) -> Json:
        return {}

    def extremes(self) -> Iterator[Json]:
        yield from filter(self.admits, self.valid)

    def _near_misses(self) -> Iterator[Json]:
        yield from self.invalid


def _fits_document(value: Json, depth: int) -> bool:
    """Whether names, strings, numbers and nesting are within the limits."""
    if isinstance(value, dict):
        names_fit = all(len(name) <= DOCUMENT_NAME for name in value)
        return depth > 0 and names_fit and all(_fits_document(v, depth - 1) for v in value.values())
    if isinstance(value, list):
        return depth > 0 and all(_fits_document(element, depth - 1) for element in value)
    if isinstance(value, str):
        return len(value) <= DOCUMENT_TEXT
    integer = isinstance(value, int) and abs(value) <= MAX_INTEGER
    return value is None or isinstance(value, bool) or integer
