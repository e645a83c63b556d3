"""Regular expressions of which the leftmost and then the longest match is taken."""

from __future__ import annotations

import random
import re
import string
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NoReturn, TypeAlias

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Boolean, Integer, Text, optional, required

_SUMMARY = """\
Finds matches of a regular expression in `text`. Of all matches that start at the same place, the
longest one is taken, whatever the order of alternatives is. So `a|ab` finds `ab` in `ab`. A
character is one code point. Place i is the place before the character with the index i (from 0);
the last place is the end of the text.

**Syntax.** `pattern` is alternatives between `|`. Each is a sequence of items, or empty. An item is
one of the following, and one quantifier may come after it:

- `(` alternatives as above `)`: a group.
- `.`: any one character but LF (U+000A).
- `^`: matches the empty string, but only at place 0; `$`: the same, but only at the end of `text`.
  They may stand anywhere, and must not have a quantifier.
- `[` members `]` or `[^` members `]`: a class, see below.
- `\\d`: one of `0` to `9`; `\\w`: one of `A` to `Z`, `a` to `z`, `0` to `9`, `_`; `\\s`: space,
  tab, CR or LF. `\\D`, `\\W`, `\\S`: one character that is not in `\\d`, `\\w`, `\\s`.
- `\\n`: LF; `\\t`: tab; `\\` before a character that is not an ASCII letter or digit: this
  character.
- any other character but `*`, `+`, `?`, `{`, `)`: itself. That includes `]`, `}`, `,` and `-`.

Quantifiers: `*` (any number of times, or none), `+` (once or more), `?` (once or not at all), `{m}`
(m times), `{m,}` (m times or more), `{m,n}` (m to n times). m and n are written with one or two
ASCII digits and are at most 50, and m <= n.

**Classes.** A class matches one character that is a member; with `^`, one that is no member. The
members go up to the next `]` that is not escaped by `\\`. They are read from the left. A member is
a single character (plain, or an escape as above that stands for one character) or one of `\\d`,
`\\w`, `\\s`, `\\D`, `\\W`, `\\S`. A single character, then a `-` that is not escaped, then one
more member are a range: all characters from the first to the second by code point. Every other
character stands for itself, also `-` and, if it is not the first, `^`.

**Case.** If `ignore_case` is true, an ASCII letter outside classes matches its lower-case and its
upper-case form. A class without `^` matches an ASCII letter if the lower-case or the upper-case
form of it is a member. A class with `^` matches exactly what it does not match without `^`. Nothing
changes for other characters.

**Scanning.** Start with p = 0. Find the smallest s >= p so that a match from place s to a place
e > s exists. Of these matches take the one with the greatest e. Go on with p = e, until there is no
such s. Empty matches are never reported. `^` and `$` always mean the whole text."""

_RESULT = """\
An object with these members:

- `matches`: an array of objects `{"start": s, "end": e, "text": t}`, the first `limit` matches that
  scanning finds, in order. t is the part of `text` from s to e.
- `total`: the number of all matches that scanning finds.
- `full`: `true` if there is a match from place 0 to the end of `text` (`text` may be empty), else
  `false`."""

_BAD_PATTERN = (
    "One of these is true: a `(` or `)` has no partner; a class is not closed or has no members "
    "(`[]`, `[^]`); a range has a first character greater than the second, or its second member is "
    "one of `\\d`, `\\w`, `\\s`, `\\D`, `\\W`, `\\S`; a quantifier has no item before it, or "
    "comes after another quantifier or after `^` or `$`; a `{` that is neither escaped nor in a "
    "class does not start a quantifier as defined above; `pattern` ends with a `\\` that is not "
    "escaped; a `\\` is before an ASCII letter or digit, and this is none of the escapes above."
)

_RULES = """\
- Size: a character, an escape, a class, `.`, `^` and `$` have the size 1. The sizes in a sequence,
  and those of alternatives, add up; a group has the size of its content. `*`, `+` and `?` keep the
  size. `{m}` multiplies it by m, `{m,}` by m + 1, `{m,n}` by n.
- `x{0}`, `()` and an empty pattern match only the empty string.
- In `[\\d-a]` the `-` stands for itself, because `\\d` is no single character. In `[+--]` the range
  goes from `+` to `-`."""

_LARGEST = 200
_MOST_TIMES = 50
_ENDLESS = float("inf")

_Test: TypeAlias = Callable[[str], bool]


class _Node(ABC):
    """A part of an expression."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The size that the contract defines."""

    @abstractmethod
    def ends(self, text: str, starts: set[int]) -> set[int]:
        """The places where matches end that start at one of some places."""


@dataclass(frozen=True, slots=True)
class _One(_Node):
    """One character."""

    test: _Test
    size: int = 1

    def ends(self, text: str, starts: set[int]) -> set[int]:
        return {start + 1 for start in starts if start < len(text) and self.test(text[start])}


@dataclass(frozen=True, slots=True)
class _Anchor(_Node):
    at_end: bool
    size: int = 1

    def ends(self, text: str, starts: set[int]) -> set[int]:
        return starts & {len(text) if self.at_end else 0}


@dataclass(frozen=True, slots=True)
class _Sequence(_Node):
    items: Sequence[_Node]

    @property
    def size(self) -> int:
        return sum(item.size for item in self.items)

    def ends(self, text: str, starts: set[int]) -> set[int]:
        return reduce(lambda places, item: item.ends(text, places), self.items, starts)


@dataclass(frozen=True, slots=True)
class _Choice(_Node):
    options: Sequence[_Node]

    @property
    def size(self) -> int:
        return sum(option.size for option in self.options)

    def ends(self, text: str, starts: set[int]) -> set[int]:
        return set().union(*(option.ends(text, starts) for option in self.options))


@dataclass(frozen=True, slots=True)
class _Repeat(_Node):
    """A part that is repeated; by how much that multiplies its size is known to the parser."""

    item: _Node
    low: int
    high: float
    factor: int

    @property
    def size(self) -> int:
        return self.item.size * self.factor

    def ends(self, text: str, starts: set[int]) -> set[int]:
        for _ in range(self.low):
            before, starts = starts, self.item.ends(text, starts)
            if starts == before:
                break
        reached, latest, times = set(starts), starts, self.low
        while latest and times < self.high:
            latest = self.item.ends(text, latest) - reached
            reached |= latest
            times += 1
        return reached


def _evaluate(fields: Mapping[str, Any]) -> Json:
    text = fields["text"]
    pattern = _Parser(fields["pattern"], fields["ignore_case"]).whole()
    if pattern.size > _LARGEST:
        raise DomainError("pattern_too_large")
    found = list(_scan(pattern, text))
    return {
        "matches": [
            {"start": start, "end": end, "text": text[start:end]}
            for start, end in found[: fields["limit"]]
        ],
        "total": len(found),
        "full": len(text) in pattern.ends(text, {0}),
    }


def _scan(pattern: _Node, text: str) -> Iterator[tuple[int, int]]:
    place = 0
    while place < len(text):
        end = max(pattern.ends(text, {place}), default=place)
        if end > place:
            yield place, end
        place = max(end, place + 1)


_QUANTIFIER = re.compile(r"[*+?]|\{([0-9]{1,2})(?:(,)([0-9]{1,2})?)?\}")

_WORD = frozenset(string.ascii_letters + string.digits + "_")
_SETS = {"d": frozenset(string.digits), "w": _WORD, "s": frozenset(" \t\r\n")}


def _refuse() -> NoReturn:
    raise DomainError("bad_pattern")


class _Parser:
    """Reads a pattern from left to right, with a method for each part of the syntax."""

    def __init__(self, pattern: str, ignore_case: bool) -> None:
        self.pattern = pattern
        self.ignore_case = ignore_case
        self.at = 0

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def next(self) -> str:
        if self.at == len(self.pattern):
            _refuse()
        self.at += 1
        return self.pattern[self.at - 1]

    def take(self, char: str) -> bool:
        """Whether this character is next; it is then passed over."""
        taken = self.peek() == char
        self.at += taken
        return taken

    def whole(self) -> _Node:
        node = self.choice()
        if self.at < len(self.pattern):
            _refuse()
        return node

    def choice(self) -> _Node:
        options = [self.sequence()]
        while self.take("|"):
            options.append(self.sequence())
        return _Choice(options)

    def sequence(self) -> _Node:
        items: list[_Node] = []
        while self.peek() not in ("", "|", ")"):
            items.append(self.item())
        return _Sequence(items)

    def item(self) -> _Node:
        if self.peek() in ("^", "$"):
            return _Anchor(at_end=self.next() == "$")
        node = self.group() if self.take("(") else _One(self.single())
        match = _QUANTIFIER.match(self.pattern, self.at)
        if match is None:
            return node
        self.at = match.end()
        return _repeated(node, match)

    def group(self) -> _Node:
        node = self.choice()
        if not self.take(")"):
            _refuse()
        return node

    def single(self) -> _Test:
        """What matches one character. A quantifier here has no item that it could belong to."""
        char = self.next()
        if char in "*+?{":
            _refuse()
        if char == "[":
            return self.members()
        if char == ".":
            return lambda c: c != "\n"
        return self.folded(_test(self.escape() if char == "\\" else char))

    def escape(self) -> str | _Test:
        """What a backslash and the characters after it stand for: a character, or one of a set."""
        char = self.next()
        if char.lower() in _SETS:
            chars, complement = _SETS[char.lower()], char.isupper()
            return lambda c: (c in chars) != complement
        if char in "nt":
            return {"n": "\n", "t": "\t"}[char]
        if char.isascii() and char.isalnum():
            _refuse()
        return char

    def members(self) -> _Test:
        negated = self.take("^")
        tests: list[_Test] = []
        while not self.take("]"):
            first = self.member()
            is_range = self.peek() == "-" and self.pattern[self.at + 1 : self.at + 2] != "]"
            if isinstance(first, str) and is_range:
                self.at += 1
                tests.append(_range(first, self.member()))
            else:
                tests.append(_test(first))
        if not tests:
            _refuse()
        test = self.folded(lambda c: any(member(c) for member in tests))
        return lambda c: test(c) != negated

    def member(self) -> str | _Test:
        char = self.next()
        return self.escape() if char == "\\" else char

    def folded(self, test: _Test) -> _Test:
        """The test, or one that both forms of an ASCII letter pass if one of them does."""
        if not self.ignore_case:
            return test
        return lambda c: test(c) or (c.isascii() and test(c.swapcase()))


def _test(member: str | _Test) -> _Test:
    return member.__eq__ if isinstance(member, str) else member


def _range(low: str, high: str | _Test) -> _Test:
    if not isinstance(high, str) or low > high:
        _refuse()
    return lambda c: low <= c <= high


def _repeated(node: _Node, quantifier: re.Match[str]) -> _Node:
    low, comma, high = quantifier.groups()
    if low is None:
        at_least, at_most = {"*": (0, _ENDLESS), "+": (1, _ENDLESS), "?": (0, 1)}[quantifier[0]]
        return _Repeat(node, at_least, at_most, 1)
    least = int(low)
    most = int(high or low)
    if not least <= most <= _MOST_TIMES:
        _refuse()
    if comma and not high:
        return _Repeat(node, least, _ENDLESS, least + 1)
    return _Repeat(node, least, most, most)


def _generate(rng: random.Random) -> dict[str, Json]:
    chance = rng.random()
    letters = rng.choice(["ab", "ab", "abc", "aB", "a1", "éa", "a😀", "a\u0301"])
    pattern = _draw_choice(rng, letters, rng.choice([1, 2, 2, 3]))
    if chance < 0.14:
        fault = rng.choice(_BAD_PARTS)
        pattern = rng.choice([fault, f"{pattern}{fault}", f"({pattern}|{fault}"])
    elif chance < 0.22:
        pattern = rng.choice(_LARGE_PARTS).format(rng.choice(letters))
    pieces = [*letters, *letters, *letters, *_TEXTS]
    text = "".join(rng.choice(pieces) for _ in range(rng.choice([0, 3, 8, 15, 30])))
    if rng.random() < 0.15:
        text = letters[0] * rng.randint(1, 60)
    drawn: dict[str, Json] = {"pattern": pattern[:100], "text": text}
    if rng.random() < 0.4:
        drawn["ignore_case"] = rng.random() < 0.8
    if rng.random() < 0.3:
        drawn["limit"] = rng.choice([1, 1, 2, 3, 200])
    return drawn


def _draw_choice(rng: random.Random, letters: str, depth: int) -> str:
    options = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        items = [_draw_item(rng, letters, depth) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
        options.append("".join(items))
    return "|".join(options) or rng.choice(letters)


def _draw_item(rng: random.Random, letters: str, depth: int) -> str:
    chance = rng.random()
    if chance < 0.08:
        return rng.choice("^$")
    if chance < 0.4:
        item = rng.choice(letters)
    elif chance < 0.65 and depth > 1:
        item = f"({_draw_choice(rng, letters, depth - 1)})"
    elif chance < 0.85:
        item = rng.choice(_CLASSES)
    else:
        item = rng.choice(_ITEMS)
    few = rng.choice(["{0}", "{1}", "{2}", "{1,}", "{2,}", "{0,2}", "{1,3}", "{02,4}"])
    return item + rng.choice(["", "", "", "", "*", "+", "?", few])


_TEXTS = (
    "A",
    "B",
    "c",
    "é",
    "É",
    "_",
    " ",
    "\t",
    "\n",
    "\r",
    "-",
    "]",
    ".",
    "1",
    "e\u0301",
    "😀",
    "\u212a",
)

_ITEMS = (
    *(
        ".",
        ".",
        "\\d",
        "\\w",
        "\\s",
        "\\D",
        "\\W",
        "\\S",
        "\\n",
        "\\t",
        "\\.",
        "\\\\",
        "\\é",
        "\\-",
    ),
    *("]", "}", ",", "-", " ", "_", "É", "😀"),
)

_CLASSES = (
    *("[ab]", "[^ab]", "[a-c]", "[^a-c]", "[A-C]", "[Z-a]", "[a-]", "[-a]", "[\\d-a]", "[\\]-_]"),
    *(
        "[^\\n]",
        "[\\w-]",
        "[^\\w\\s]",
        "[\\W]",
        "[+--]",
        "[a^]",
        "[^^]",
        "[.*]",
        "[à-ö]",
        "[^😀]",
        "[\\S]",
    ),
)

_BAD_PARTS = (
    *(
        "(",
        ")",
        "a)",
        "(a",
        "*",
        "|+",
        "(?a)",
        "a**",
        "a+?",
        "a{1}{2}",
        "^*",
        "$?",
        "a{",
        "a{}",
        "a{,2}",
    ),
    *(
        "a{3,2}",
        "a{51}",
        "a{1,99}",
        "a{100}",
        "a{1;2}",
        "[",
        "[a",
        "[]",
        "[^]",
        "[]a]",
        "[b-a]",
        "[a-\\d]",
    ),
    *("\\", "\\q", "\\1", "\\b", "[\\x]", "[a\\]", "{2}"),
)

_LARGE_PARTS = (
    *(
        "({0}b{{20}}){{50}}",
        "({0}{{50}}){{5}}",
        "{0}{{50}}{0}{{50}}{0}{{50}}{0}{{50}}",
        "({0}{{50,}}){{4}}",
    ),
    *(
        "(({0}|b){{2}}){{50}}",
        "({0}|bc){{50}}{0}{{49,}}$",
        "(({0}{{50}}){{50}}){{0}}{0}",
        "({0}{{9}}){{9}}*",
    ),
)


def _found(
    pattern: str, text: str, *spans: tuple[int, int], full: bool = False, **more: Json
) -> Case:
    """A case in which all matches are listed."""
    return _listed(pattern, text, len(spans), *spans, full=full, **more)


def _listed(
    pattern: str, text: str, total: int, *spans: tuple[int, int], full: bool = False, **more: Json
) -> Case:
    matches = [{"start": s, "end": e, "text": text[s:e]} for s, e in spans]
    result = {"matches": matches, "total": total, "full": full}
    return Case({"pattern": pattern, "text": text, **more}, result)


def _bad(*patterns: str) -> tuple[Case, ...]:
    return tuple(Case({"pattern": p, "text": ""}, error="bad_pattern") for p in patterns)


def _large(*patterns: str) -> tuple[Case, ...]:
    return tuple(Case({"pattern": p, "text": ""}, error="pattern_too_large") for p in patterns)


_IGNORED: dict[str, Json] = {"ignore_case": True}

_BOUNDARIES = (
    # The longest match counts, whatever the order of alternatives and however it is divided.
    _found("a|ab", "ab", (0, 2), full=True),
    _found("ab|a", "ab", (0, 2), full=True),
    _found("(a|ab)(c|bcd)(d*)", "abcd", (0, 4), full=True),
    _found("(a|b)*abb", "ababbabb", (0, 8), full=True),
    _found("(ab?){2}", "aba", (0, 3), full=True),
    _found("(x|xy)(yz|)$|^É", "Éxyxyz", (0, 1), (3, 6)),
    _found("a*(ab)?", "aab b", (0, 3)),
    # The smallest start comes before the longest match.
    _found("b|abc|bcdef", "abcdef", (0, 3)),
    _found("bcd|a|cd", "abcdcd", (0, 1), (1, 4), (4, 6)),
    # Empty matches are never reported.
    _found("x*", "aaxxa", (2, 4)),
    _found("", "", full=True),
    _found("", "a"),
    _found("()", "ab"),
    _found("a||b", "ba", (0, 1), (1, 2)),
    _found("(|a)b", "abxb", (0, 2), (3, 4)),
    _found("|", "", full=True),
    # Quantifiers.
    _found("(ab){0}c*", "abcc", (2, 4), limit=1),
    _found("a{2}", "aaaaa", (0, 2), (2, 4)),
    _found("a{2,3}", "aaaaa", (0, 3), (3, 5)),
    _found("a{2,}", "aaaa a", (0, 4)),
    _found("a{0}", "aa"),
    _found("a{0,2}", "aaa", (0, 2), (2, 3)),
    _found("a{00}b{02}", "abb", (1, 3)),
    _found("(a{2}){2,3}", "a" * 11, (0, 6), (6, 10)),
    _found("(a{2,3}){2}", "a" * 11, (0, 6), (6, 11)),
    _found("(a+b?)+", "aabab", (0, 5), full=True),
    _found("(a*)*b?", "aab", (0, 3), full=True),
    _found("(a|b*){2,}c", "abbac", (0, 5), full=True),
    _found("(a?){3}", "aaaa", (0, 3), (3, 4)),
    _found("((((((){50}){50}){50}){50}){50}){50}", "a"),
    _found("()*a", "a", (0, 1), full=True),
    # Anchors are for the whole text, may stand anywhere, and go with any p.
    _found("^a", "aa", (0, 1)),
    _found("a$", "aa", (1, 2)),
    _found("^a", "b\na"),
    _found("a$", "a\n"),
    _found("^$", "", full=True),
    _found("^$", "a"),
    _found("a^b|b$a|c", "abac", (3, 4)),
    _found("(^|,)x", "x,x x", (0, 1), (1, 3)),
    _found("(^)*a", "aa", (0, 1), (1, 2)),
    _found("($|b)+", "abb", (1, 3)),
    _found("a(b|$)", "aba", (0, 2), (2, 3)),
    # Characters: dots, escapes, and what is literal outside its construct.
    _found(".", "\n\r\u2028😀", (1, 2), (2, 3), (3, 4)),
    _found("]},-", "]},-", (0, 4), full=True),
    _found("\\.\\*\\é\\_\\ \\-\\\\", ".*é_ -\\", (0, 7), full=True),
    _found("\\\n\\n\\t", "\n\n\tnt", (0, 3)),
    _found("\\d+", "12\u0663²１3", (0, 2), (5, 6)),
    _found("\\w+", "aZ_9é-b", (0, 4), (6, 7)),
    _found("\\s+", " \t\r\n\u00a0\v\f\u2028 ", (0, 4), (8, 9)),
    _found("\\D\\W\\S", "a\u00a0é", (0, 3), full=True),
    _found("b", "😀b", (1, 2)),
    _found("e\u0301?", "éee\u0301", (1, 2), (2, 4)),
    # Classes: ranges, hyphens, carets, escapes.
    _found("[\\d-a]+|[+--]", "1-a,.", (0, 3), (3, 4), limit=9),
    _found("[a-c-e]+", "abc-ed", (0, 5)),
    _found("[a-]+[-b]", "a-b", (0, 3), full=True),
    _found("[a\\-c]+", "a-cb", (0, 3)),
    _found("[\\--/]+", "-./0,", (0, 3)),
    _found("[\\]-_]+", "]^_`\\", (0, 3)),
    _found("[\\d-\\w]+", "-a1 ", (0, 3)),
    _found("[a^]+", "a^b", (0, 2)),
    _found("[^^]", "^a", (1, 2)),
    _found("[^-a]", "-ab", (2, 3)),
    _found("[!a]+", "!ab", (0, 2)),
    _found("[\\^a]+", "a^b", (0, 2)),
    _found("[.*+?(){}|$,[]+", ".*+?(){}|$,[a", (0, 12)),
    _found("[^a]", "\na", (0, 1)),
    _found("[^\\W]+", "a_é", (0, 2)),
    _found("[\\D\\d]", "\n", (0, 1), full=True),
    _found("[\\t-\\n]+", "\t\n\v", (0, 2)),
    _found("[à-ö😀-😂]+", "é😁e\u0301", (0, 2)),
    # Both forms of ASCII letters, and of no others.
    _found("k", "kK\u212a", (0, 1), (1, 2), **_IGNORED),
    _found("[k]|[^k]x", "K\u212ax", (0, 1), (1, 3), **_IGNORED),
    _found("É|ſ|ß", "éÉsSſss", (1, 2), (4, 5), **_IGNORED),
    _found("(aB){2}", "ABab", (0, 4), full=True, **_IGNORED),
    _found("[A-C]+[^\\w\\s-]", "cab! a-", (0, 4), **_IGNORED),
    _found("[^a-c]", "AbxÉ", (2, 3), (3, 4), **_IGNORED),
    _found("[Z-a]+", "zA[bB", (0, 3), **_IGNORED),
    _found("[^B]", "bBa", (2, 3), **_IGNORED),
    _found("\\W|\\S", "aB", (0, 1), (1, 2), **_IGNORED),
    _found("[^\\W]", "aB-", (0, 1), (1, 2), **_IGNORED),
    _found("a|[B-D]", "AbcdE", **{"ignore_case": False}),
    # Only the first matches are listed.
    _listed("a", "aaa", 3, (0, 1), (1, 2), limit=2),
    _listed("a", "aaab", 3, (0, 1), limit=1),
    _listed("a", "a" * 101, 101, *((i, i + 1) for i in range(100))),
    # Sizes at the limit.
    _found("a{50}a{50}a{50}a{50}", "a" * 200, (0, 200), full=True),
    _found("a{50}|b{50}|c{50}|dx{49}", "d"),
    _found("a{49,}a{49,}a{49,}a{49,}", "a" * 196, (0, 196), full=True),
    _found("(a{50}){0,4}", "aaa"),
    _found("((a{50}){4})*", "b"),
    _found("(a{50}){3,}", "a" * 160, (0, 150)),
    _found("((a{50}){50}){0}b", "b", (0, 1), full=True),
    _found("([abc]|\\d|.|\\.){50}", "a1b.c" * 10, (0, 50), full=True),
    *_large("(ab{20}){50}", "a{50}a{50}a{50}a{50}a", "a{50}a{50}a{50}a{50}^"),
    *_large("a{50}|b{50}|c{50}|d{50}|e", "a{49,}a{49,}a{49,}a{50,}", "(a{50}){0,5}", "(a{50}){4,}"),
    *_large("((a{50}){4}$)*", "((a{50}){4})*b+", "([a-z]{2}){50}(a{2}){50}\\d?"),
    # What is no pattern; that comes before its size.
    *_bad("(", ")", "a)", "(a", "())", "((a)", "(a|b", "a|b)"),
    *_bad("*", "+a", "?", "{2}", "|*", "(*a)", "(?:a)", "a|+"),
    *_bad(
        "a**", "a+?", "a{2}{3}", "a{2}*", "a{1}?", "a{1,2}+", "a?+", "^*", "a$+", "^{2}", "(a)*{2}"
    ),
    *_bad("a{", "a{}", "a{,3}", "a{1", "a{1,2", "a{1,2,3}", "a{1 }", "a{x}", "a{-1}", "a{\u0663}"),
    *_bad("a{3,2}", "a{51}", "a{51,}", "a{1,51}", "a{100}", "a{001}", "a{1,100}"),
    *_bad("[", "[a", "[a-", "[a\\]", "[]", "[^]", "[]a]", "[^]a]", "[z-a]", "[a-\\]]", "[😀-é]"),
    *_bad("[a-\\d]", "[--\\w]", "[ -\\S]"),
    *_bad(
        "\\", "a\\", "\\q", "\\b", "\\1", "\\0", "\\r", "\\N", "\\x41", "[\\b]", "[\\", "[a-\\z]"
    ),
    *_bad("(ab{20}){50}[z-a]", "(a{50}){50})"),
)

FAMILY = Family(
    number=57,
    slug="regex-longest",
    title="Regular expressions, leftmost-longest",
    category="search-matching",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required("pattern", Text(0, 100), "The regular expression."),
        required("text", Text(0, 200), "The text to search."),
        optional("ignore_case", Boolean(), False, "Whether ASCII letters match in both forms."),
        optional("limit", Integer(1, 200), 100, "How many matches are listed at most."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("bad_pattern", _BAD_PATTERN),
        ErrorCode("pattern_too_large", "The size of the whole pattern is above 200 (see Rules)."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_found(
        "a|ab|[b-c]{2,}\\d?", "xabcb7a-bbccc9abc", (1, 3), (3, 6), (6, 7), (8, 14), (14, 16)
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _listed("b|(a|ab)(bc|c)?|[\\d-]+", "abcb 1-2a", 4, (0, 3), (3, 4), limit=2),
        Case({"pattern": "(x|yz{9}){20}", "text": ""}, error="pattern_too_large"),
    ),
    malformed=(
        {"pattern": None, "text": "a"},
        {"pattern": 1, "text": "1"},
        {"pattern": ["a"], "text": "a"},
        {"pattern": "a" * 101, "text": "a"},
        {"pattern": "(", "text": None},
        {"pattern": "a", "text": ["a"]},
        {"pattern": "a", "text": 1},
        {"pattern": "a", "text": "😀" * 201},
        {"pattern": "a"},
        {"text": "a"},
        {"pattern": "a", "text": "a", "ignore_case": "true"},
        {"pattern": "a", "text": "a", "ignore_case": 1},
        {"pattern": "a", "text": "a", "ignore_case": None},
        {"pattern": "a", "text": "a", "limit": 0},
        {"pattern": "a", "text": "a", "limit": 201},
        {"pattern": "a", "text": "a", "limit": True},
        {"pattern": "a", "text": "a", "limit": 10.0},
        {"pattern": "a", "text": "a", "limit": "10"},
        {"pattern": "a", "text": "a", "limit": None},
        {"pattern": "[", "text": "a", "limit": -1},
    ),
)
