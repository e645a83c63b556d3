"""Glob selection: paths selected by an ordered list of patterns; the last match decides."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NoReturn, TypeAlias

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Boolean, Text, optional, required

_SUMMARY = """\
Selects paths by an ordered list of patterns. A path is cut into segments at every `/`. A character
is one code point. Characters are compared exactly, so upper and lower case differ.

**Patterns.** If a pattern starts with `!`, it is negative, and this `!` is dropped; otherwise it is
positive. If it then starts with `/`, it is anchored, and this `/` is dropped. What is left is cut
into segments at every `/` that is not escaped. A segment is a sequence of these constructs:

- `\\` and a character: this character, literally. The character is called escaped; it has no other
  meaning, wherever it stands.
- `?`: any one character.
- `*`: any number of any characters, or none. Several `*` side by side mean the same.
- `[` members `]`, a class: one character that is a member. `[!` members `]`: one character that is
  not a member. The members go up to the next `]` that is not escaped. They are read from the left:
  a character, then a `-` that is not escaped, then one more member character are a range, which
  holds all characters from the first to the second by code point. Every other character stands for
  itself. `\\` escapes here too; `*`, `?`, `[`, `{`, `}` and `,` have no special meaning here.
- `{x,y,...}`: one of the alternatives between the commas, which may be one or more. Each is a
  sequence of the other constructs, or empty. `{}` has one alternative, the empty one.
- any other character: itself, literally. That includes `!`, and `]`, `}` and `,` where they do not
  belong to the constructs above.

A segment that is written exactly `**` is a globstar; it matches any number of whole path segments,
or none. Every other segment (also `{**}`) matches exactly one path segment, the whole of it.

**Matching.** A pattern with only one segment that is not anchored matches a path if its segment
matches the last segment of the path. Every other pattern matches a path if its segments, in order,
match all segments of the path.

**Dots.** If `dotfiles` is false, a path segment that starts with `.` is matched only by a pattern
segment that begins with a literal `.` (plain or escaped) once its alternatives are chosen. No
globstar matches it. So `.*` and `{,x}.md` match `.md`, but `*`, `*.md`, `?md` and `[.]md` do not.

**Selection.** The last pattern in `patterns` that matches a path decides on it. The path is
selected if this pattern is positive. A path that no pattern matches is not selected."""

_RESULT = """\
An object `{"results": [...], "selected": n}`. `results` has one object
`{"path": p, "selected": s, "pattern": i}` for each path, in the order of `paths`: the path, `true`
or `false`, and the index (from 0) in `patterns` of the pattern that decides, or `null` if none
matches. `n` is the number of selected paths."""

_BAD_PATTERN = (
    "One of these is true of some pattern: nothing is left after `!` and `/` are dropped; a "
    "segment has no characters (`a//b`, `a/`); the last character is a `\\` that is not escaped; a "
    "class `[` or a brace `{` is not closed; a class has no members (`[]`, `[!]`); the first "
    "character of a range is greater than the second; a `{` that is not escaped is in braces (and "
    "not in a class); a `/` that is not escaped is in a class or in braces; the numbers of "
    "alternatives of all braces of one segment, multiplied, are more than 64; more than 4 segments "
    "are globstars."
)

_RULES = """\
- An escaped `/` does not separate segments. It is literal, and so it matches nothing in a path.
- The single pattern `**` matches the last segment of every path, unless the rule on dots forbids
  it. `/**` matches all segments.
- `a/**/b` matches `a/b`, and `**/b` matches `b`.
- In paths no character but `/` is special. `.` and `..` are names like others."""

_MOST_COMBINATIONS = 64
_MOST_GLOBSTARS = 4


@dataclass(frozen=True, slots=True)
class _Class:
    """One character out of some ranges, or one that is in none of them."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool

    def holds(self, char: str) -> bool:
        return any(low <= char <= high for low, high in self.ranges) != self.negated


@dataclass(frozen=True, slots=True)
class _Braces:
    alternatives: list[list[_Item]]


class _Star:
    """Any number of characters."""


_Item: TypeAlias = str | _Class | _Star | _Braces
_WILDCARDS: dict[str, _Item] = {"*": _Star(), "?": _Class((), negated=True)}
_GLOBSTAR: list[_Item] = []


@dataclass(frozen=True, slots=True)
class _Pattern:
    negative: bool
    whole: bool
    segments: list[list[_Item]]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    patterns = [_parsed(text) for text in fields["patterns"]]
    if any("" in path.split("/") for path in fields["paths"]):
        raise DomainError("bad_path")
    results = [_decided(path, patterns, fields["dotfiles"]) for path in fields["paths"]]
    return {"results": results, "selected": sum(result["selected"] for result in results)}


def _parsed(text: str) -> _Pattern:
    rest = text.removeprefix("!")
    parser = _Parser(rest.removeprefix("/"))
    segments = [parser.segment()]
    while parser.take("/"):
        segments.append(parser.segment())
    if sum(segment is _GLOBSTAR for segment in segments) > _MOST_GLOBSTARS:
        _refuse()
    whole = rest.startswith("/") or len(segments) > 1
    return _Pattern(text.startswith("!"), whole, segments)


def _refuse() -> NoReturn:
    raise DomainError("bad_pattern")


class _Parser:
    """Reads the segments of a pattern from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def next(self) -> str:
        if self.at == len(self.text):
            _refuse()
        self.at += 1
        return self.text[self.at - 1]

    def take(self, char: str) -> bool:
        """Whether this character is next; it is then passed over."""
        taken = self.peek() == char
        self.at += taken
        return taken

    def segment(self) -> list[_Item]:
        start = self.at
        items: list[_Item] = []
        while self.peek() not in ("", "/"):
            items.append(self.braces() if self.take("{") else self.item())
        counts = [len(item.alternatives) for item in items if isinstance(item, _Braces)]
        if not items or prod(counts) > _MOST_COMBINATIONS:
            _refuse()
        return _GLOBSTAR if self.text[start : self.at] == "**" else items

    def item(self) -> _Item:
        char = self.next()
        if char == "\\":
            return self.next()
        if char == "[":
            return self.members()
        return _WILDCARDS.get(char, char)

    def braces(self) -> _Braces:
        alternatives: list[list[_Item]] = [[]]
        while not self.take("}"):
            if self.peek() in ("{", "/"):
                _refuse()
            if self.take(","):
                alternatives.append([])
            else:
                alternatives[-1].append(self.item())
        return _Braces(alternatives)

    def members(self) -> _Class:
        negated = self.take("!")
        ranges: list[tuple[str, str]] = []
        while not self.take("]"):
            low = high = self.member()
            if self.peek() == "-" and self.text[self.at + 1 : self.at + 2] != "]":
                self.at += 1
                high = self.member()
            ranges.append((low, high))
        if not ranges or any(low > high for low, high in ranges):
            _refuse()
        return _Class(tuple(ranges), negated)

    def member(self) -> str:
        char = self.next()
        if char == "/":
            _refuse()
        return self.next() if char == "\\" else char


def _decided(path: str, patterns: Sequence[_Pattern], dotfiles: bool) -> dict[str, Json]:
    segments = path.split("/")
    matching = [
        index
        for index, pattern in enumerate(patterns)
        if _matches(pattern, segments if pattern.whole else segments[-1:], dotfiles)
    ]
    last = matching[-1] if matching else None
    selected = last is not None and not patterns[last].negative
    return {"path": path, "selected": selected, "pattern": last}


def _matches(pattern: _Pattern, path: Sequence[str], dotfiles: bool) -> bool:
    """Whether all segments of a path are matched; what is followed is how many so far."""
    ends = {0}
    for segment in pattern.segments:
        if segment is _GLOBSTAR:
            for end, name in enumerate(path):
                if end in ends and (dotfiles or not name.startswith(".")):
                    ends.add(end + 1)
        else:
            ends = {
                end + 1 for end in ends if end < len(path) and _fits(segment, path[end], dotfiles)
            }
    return len(path) in ends


def _fits(segment: Sequence[_Item], name: str, dotfiles: bool) -> bool:
    hidden = name.startswith(".") and not dotfiles
    return len(name) in _ends(segment, name, {0}, hidden)


def _ends(items: Sequence[_Item], name: str, ends: set[int], hidden: bool) -> set[int]:
    """Where in a name a match of the items can end that starts at one of these places.

    Only a literal dot leads away from the start of a hidden name.
    """
    for item in items:
        if isinstance(item, _Braces):
            ends = set().union(*(_ends(a, name, ends, hidden) for a in item.alternatives))
            continue
        if hidden and item != ".":
            ends = ends - {0}
        if isinstance(item, _Star):
            ends = set(range(min(ends), len(name) + 1)) if ends else ends
        else:
            ends = {end + 1 for end in ends if end < len(name) and _holds(item, name[end])}
    return ends


def _holds(item: str | _Class, char: str) -> bool:
    return item == char if isinstance(item, str) else item.holds(char)


def _generate(rng: random.Random) -> dict[str, Json]:
    chance = rng.random()
    patterns = [_draw_pattern(rng) for _ in range(rng.choice([1, 2, 3, 4, 6]))]
    paths = [_draw_path(rng) for _ in range(rng.choice([0, 2, 5, 8, 12]))]
    if rng.random() < 0.6:
        # Some paths that a pattern without its special characters spells, or nearly so.
        paths += [path for path in map(_plain, patterns) if 0 < len(path) <= 100]
    if chance < 0.15:
        patterns.insert(rng.randint(0, len(patterns)), rng.choice(_BAD_PATTERNS))
    if 0.12 < chance < 0.25:
        paths.insert(rng.randint(0, len(paths)), rng.choice(["/", "/a", "a/", "a//b", "é/😀/"]))
    drawn: dict[str, Json] = {"patterns": patterns, "paths": paths}
    if rng.random() < 0.5:
        drawn["dotfiles"] = rng.random() < 0.6
    return drawn


def _draw_pattern(rng: random.Random) -> str:
    count = rng.choice([1, 1, 1, 2, 2, 3])
    segments = [rng.choice(_SEGMENTS) for _ in range(count)]
    if rng.random() < 0.4:
        segments[rng.randrange(count)] = rng.choice(["**", "**", "*"])
    mark = rng.choice(["", "", "", "!", "!", "/", "!/", "\\!"])
    return mark + "/".join(segments)


def _draw_path(rng: random.Random) -> str:
    return "/".join(rng.choice(_NAMES) for _ in range(rng.choice([1, 1, 2, 2, 3, 4])))


def _plain(pattern: str) -> str:
    """A valid path that is made of the letters of a pattern."""
    kept = "".join(char for char in pattern if char not in "!*?[]{}\\,")
    return "/".join(name for name in kept.split("/") if name)


_SEGMENTS = (
    *(
        "a",
        "b*",
        "*.c",
        "*.{c,h}",
        "?",
        "??",
        "a?",
        "*a*",
        "[a-c]*",
        "[!a-c]*",
        "[!.]*",
        ".*",
        ".a",
    ),
    *("\\.a", "[.]a", "{,.}a", "{.,}?*", "?{,?,??}", "{a,b,ab}", "{}a", "{*.c,b?}", "***", "a**"),
    *("{**}", "[a-]", "[\\]\\-]", "[*?{},]*", "[!!-]", "\\*", "\\?x", "a\\/b", "É*"),
    *(
        "é",
        "e\u0301*",
        "[À-ÿ]",
        "😀",
        "[😀-😂]",
        "[!😀]",
        "x,y",
        "}",
        "{\\,,\\}}",
        "[^a]",
        "{[,}],b}",
    ),
)

_NAMES = (
    *(
        "a",
        "b",
        "ab",
        "abc",
        "A",
        "a.c",
        "b.h",
        "ab.c",
        ".a",
        ".ab.c",
        ".",
        "..",
        "-",
        "]",
        "*",
        "?x",
    ),
    *(
        "!a",
        "!",
        "a\\",
        "{a}",
        "é",
        "e\u0301",
        "É",
        "😀",
        "😁x",
        "x,y",
        "}",
        ",",
        "^",
        "[a]",
        "c",
        ".😀",
    ),
)

_BAD_PATTERNS = (
    *("!", "/", "!/", "//a", "a//b", "a/", "a\\", "\\", "[a", "[!", "[]", "[!]", "[]a]", "[c-a]"),
    *("{a", "{a,b", "{a,{b}}", "{a/b}", "[a/b]", "[a\\]", "{a\\}", "{,}" * 7, "**/" * 5 + "a"),
    *("{" + "," * 64 + "}", "[😂-😀]", "{[}", "a/{b,[}]", "!/a/"),
)


def _chosen(
    patterns: list[Json], paths: Mapping[str, tuple[bool, int | None]], dotfiles: bool | None = None
) -> Case:
    """A case from what is decided on each path."""
    results = [{"path": p, "selected": yes, "pattern": i} for p, (yes, i) in paths.items()]
    fields: dict[str, Json] = {"patterns": patterns, "paths": list(paths)}
    if dotfiles is not None:
        fields["dotfiles"] = dotfiles
    return Case(fields, {"results": results, "selected": sum(yes for yes, _ in paths.values())})


def _matched(pattern: str, yes: str, no: str = "", dotfiles: bool | None = None) -> Case:
    """A case of one positive pattern: the paths that it matches, and those that it does not."""
    paths: dict[str, tuple[bool, int | None]] = dict.fromkeys(yes.split(), (True, 0))
    return _chosen([pattern], {**paths, **dict.fromkeys(no.split(), (False, None))}, dotfiles)


def _bad(pattern: str) -> Case:
    return Case({"patterns": [pattern], "paths": []}, error="bad_pattern")


_YES, _NO = (True, 0), (False, None)

_BOUNDARIES = (
    # The last match decides, whatever matched before.
    _chosen(
        ["*.txt", "!b*", "b?.txt"],
        {"a.txt": _YES, "b.txt": (False, 1), "b1.txt": (True, 2), "c": _NO},
    ),
    _chosen(["!a"], {"a": (False, 0), "b": _NO}),
    _chosen(["a", "a", "!b", "a"], {"a": (True, 3), "b": (False, 2), "a/a": (True, 3)}),
    _chosen(["*", "!*", "x"], {"a": (False, 1), "x": (True, 2)}),
    Case({"patterns": ["a"], "paths": []}, {"results": [], "selected": 0}),
    Case(
        {"patterns": ["a"], "paths": ["a", "a"]},
        {"results": [{"path": "a", "selected": True, "pattern": 0}] * 2, "selected": 2},
    ),
    # One segment is for the last name only; several, or a slash in front, are for the whole path.
    _matched("a", "a x/a x/y/a", "a/x A b"),
    _matched("/a", "a", "x/a a/x"),
    _matched("/*", "a", "x/a"),
    _matched("a/*", "a/b", "a x/a/b a/b/c"),
    _matched("*.c", "a.c .git/a.c x/y/b.c", "a.c/x a.h"),
    # An exclamation mark is special at the very start only.
    _chosen(["*", "!!a"], {"!a": (False, 1), "a": _YES}),
    _chosen(["*", "!/a"], {"a": (False, 1), "x/a": _YES}),
    _matched("\\!a", "!a x/!a", "a"),
    _matched("/!a", "!a", "a x/!a"),
    _matched("a!", "a!", "a"),
    # Globstars: none, one or more segments, but only if written as such.
    _chosen(["**"], {"a/é": _YES, "a/.b": _NO}),
    _matched("/**", "a a/b a/b/c", ".a a/.b .a/b"),
    _matched("a/**", "a a/b a/b/c", "b x/a a/.b a/b/.c"),
    _matched("**/b", "b a/b a/x/b", "b/a .a/b a/.x/b"),
    _matched("**/.b", ".b x/.b", ".x/.b b"),
    _matched("a/**/b", "a/b a/x/b a/x/y/b a/b/b", "a b a/x x/a/b"),
    _matched("a/**/b/**", "a/b a/x/b/y a/.x/b", dotfiles=True),
    _matched("**/a/**/a", "a/a x/a/a a/x/a a/a/a", "a x/a"),
    _matched("a/{**}", "a/b", "a a/b/c"),
    _matched("a/b**", "a/b a/bcd", "a/b/c a"),
    _matched("a/***", "a/b", "a a/b/c"),
    _matched("/\\**", "* *x", "x **/x"),
    _matched("**/**/**/**/a", "a x/a x/y/a", "b"),
    _matched("**a/**/**/**/**", "ba ba/x/y", "x"),
    # Wildcards: one character is one code point.
    _matched("a*b*", "ab axb abx aab axbxbx", "a b ba"),
    _matched("?", "a 😀 é ?", "ab e\u0301"),
    _matched("??", "ab e\u0301", "a é 😀"),
    _matched("É*", "É Éé", "é E\u0301"),
    _matched("a]}", "a]}", "a a]"),
    _matched("a,b", "a,b", "a b"),
    _matched("\\a\\*\\?\\\\\\[\\{", "a*?\\[{", "a*?[{ ab?\\[{"),
    # Classes: where they end, what is a range, what is literal.
    _matched("[a-c]", "a b c", "d - A ab"),
    _matched("[!a-c]", "d - 😀 !", "a b c dd"),
    _matched("[a-]", "a -", "b"),
    _matched("[-a]", "a -", "b"),
    _matched("[a-c-e]", "a b c - e", "d"),
    _matched("[!-a]", "b !", "a -"),
    _matched("[a\\-c]", "a - c", "b \\"),
    _matched("[\\]a]", "] a", "\\ a] \\a]"),
    _matched("[\\]-_]", "] ^ _", "- \\ a"),
    _matched("[A-\\]]", "A Z [ \\ ]", "^ a"),
    _matched("[--0]", "- 0", "1 , . --"),
    _matched("[!!]", "a", "!"),
    _matched("[a!]", "a !", "b"),
    _matched("[^a]", "^ a", "b"),
    _matched("[*?[{},]x", "*x ?x [x {x }x ,x", "ax"),
    _matched("[à-ö😀-😂]", "é 😁 à ö 😂", "ÿ e 😃 e\u0301"),
    _matched("[\\/a]", "a", "x"),
    # Braces.
    _matched("{a,bc}d", "ad bcd", "d abcd a,bcd"),
    _matched("{a,}{b,}c", "c ac bc abc", "bac ab"),
    _matched("{}a", "a", "{}a"),
    _matched("{}", "", "a {}"),
    _matched("x{a}", "xa", "x x{a}"),
    _matched("{*.c,h?}", "a.c h1 x/ha", "h a.h"),
    _matched("{[,}],b}x", ",x }x bx", "x [x"),
    _matched("{\\,,\\}}", ", }", "\\ a"),
    _matched("{a,b}/{a,b}", "a/a b/a", "a a/c"),
    _matched("{a*b,a}c", "abc ac axbc", "axc"),
    # An escaped slash matches nothing.
    _matched("a\\/b", "", "a/b a b a\\/b"),
    _matched("{\\/,a}", "a x/a", "b"),
    # Dots.
    _chosen(
        ["*.txt", "{,x}.md", "\\!a[\\]-]"],
        {".txt": _NO, ".md": (True, 1), "!a]": (True, 2), "!a-": (True, 2)},
    ),
    _matched("*", "a a.b x/a .x/a", ".a . .. x/.a"),
    _matched(".*", ".a . .. x/.a", "a a.b"),
    _matched("\\.?", ".a ..", "a .ab"),
    _matched("?a", "ba", ".a"),
    _matched("[.]a", "", ".a"),
    _matched("[!b]a", "aa", ".a ba"),
    _matched("[.]a", ".a", "a", dotfiles=True),
    _matched("*a", ".a a ba", "b", dotfiles=True),
    _matched("{.,}a", ".a a", "..a"),
    _matched("{*,.}a", ".a a ba", ".ba"),
    _matched("{,*}.a", ".a b.a", ".b.a"),
    _matched("{}{.a,b}", ".a b", "a"),
    _matched("a/*", "a/b", "a/.b"),
    _matched("*/a", "b/a", ".b/a"),
    _matched("**/a", "a .b/a b/.c/a", "b", dotfiles=True),
    _matched("**", "a .a x/.a", "", dotfiles=True),
    _matched("*", "a", ".a", dotfiles=False),
    # Exact limits of combinations and globstars.
    _matched("{,}" * 6 + "a", "a", "b"),
    _matched("{a,b,c,d}" * 3 + "/{a,b}", "aaa/b dcb/a", "aaa"),
    _matched("{" + "," * 62 + ",a}", "a", "b"),
    _bad("{,}" * 7),
    _bad("a/" + "{a,b,c,d}" * 3 + "{a,a}"),
    _bad("{" + "," * 64 + "}"),
    _bad("**/**/**/**/**/a"),
    _bad("a/**/**/b/**/c/**/**"),
    # Everything else that is wrong with a pattern.
    *(_bad(pattern) for pattern in ("!", "/", "!/", "//", "//a", "a//b", "a/", "!a/", "/**/")),
    *(_bad(pattern) for pattern in ("\\", "a\\", "!\\", "[a\\", "{a\\", "a/b\\")),
    *(_bad(pattern) for pattern in ("[", "[a", "[!", "[a-", "[a\\]", "{", "{a", "{a,b", "{a\\}")),
    *(_bad(pattern) for pattern in ("[]", "[!]", "[]a]", "[!]a]", "{a,[]}", "{[}", "{[}]")),
    *(_bad(pattern) for pattern in ("[z-a]", "[😀-é]", "[a-\\]]", "[!b-a]")),
    *(_bad(pattern) for pattern in ("{a,{b}}", "{{}}", "{a/b}", "{/}", "[a/b]", "[/]", "[+-/]")),
    # Bad patterns come before bad paths.
    Case(
        {
            "patterns": ["*.txt", "{,x}.md", "\\!a[]-]"],
            "paths": [".txt", ".md", "!a]", "!a-"],
        },
        error="bad_pattern",
    ),
    Case({"patterns": ["a//b"], "paths": ["/"]}, error="bad_pattern"),
    Case({"patterns": ["a", "!"], "paths": ["a/"]}, error="bad_pattern"),
    Case({"patterns": ["a"], "paths": ["a/"]}, error="bad_path"),
    *(
        Case({"patterns": ["/a/**"], "paths": ["a", path]}, error="bad_path")
        for path in ("/", "a/", "/a", "a//b", "a/b//", "//")
    ),
)

FAMILY = Family(
    number=56,
    slug="glob-select",
    title="Glob path selection",
    category="search-matching",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("patterns", Array(Text(1, 100), 1, 20), "The patterns, in order."),
        required("paths", Array(Text(1, 100), 0, 100), "The paths to decide on."),
        optional("dotfiles", Boolean(), False, "If true, the rule on dots does not apply."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("bad_pattern", _BAD_PATTERN),
        ErrorCode(
            "bad_path", "A path has an empty segment, so it starts or ends with `/`, or has `//`."
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_chosen(
        ["src/**/*.{c,h}", "!*_test.?", "/doc/[!a-c]*", ".env"],
        {
            "src/main.c": _YES,
            "src/a/b/x_test.c": (False, 1),
            "src/.git/y.h": _NO,
            "doc/intro.md": (True, 2),
            "doc/api.md": _NO,
            "x/.env": (True, 3),
            "doc/sub/z": _NO,
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _chosen(
            ["/lib/**", "*.{md,txt}", "!lib/**/t[0-9].py", ".*"],
            {
                "lib/a/b.py": _YES,
                "lib/t1.py": (False, 2),
                "lib/.x/t2.py": _NO,
                "docs/a.md": (True, 1),
                "docs/.md": (True, 3),
                "lib": _YES,
            },
        ),
        Case({"patterns": ["*.c", "{a,[!]}"], "paths": ["a/"]}, error="bad_pattern"),
    ),
    malformed=(
        {"patterns": [], "paths": ["a"]},
        {"patterns": "*", "paths": ["a"]},
        {"patterns": None, "paths": ["a"]},
        {"patterns": ["*", ""], "paths": ["a"]},
        {"patterns": ["*", None], "paths": ["a"]},
        {"patterns": [1], "paths": ["a"]},
        {"patterns": [["*"]], "paths": ["a"]},
        {"patterns": [{"glob": "*"}], "paths": ["a"]},
        {"patterns": ["*"] * 21, "paths": ["a"]},
        {"patterns": ["a" * 101], "paths": ["a"]},
        {"patterns": ["*"]},
        {"paths": ["a"]},
        {"patterns": ["*"], "paths": "a"},
        {"patterns": ["*"], "paths": None},
        {"patterns": ["*"], "paths": ["a", ""]},
        {"patterns": ["*"], "paths": ["a", 1]},
        {"patterns": ["*"], "paths": [["a", "b"]]},
        {"patterns": ["*"], "paths": ["😀" * 101]},
        {"patterns": ["*"], "paths": ["a"] * 101},
        {"patterns": ["a//b"], "paths": [True]},
        {"patterns": ["*"], "paths": ["a"], "dotfiles": "true"},
        {"patterns": ["*"], "paths": ["a"], "dotfiles": 1},
        {"patterns": ["*"], "paths": ["a"], "dotfiles": None},
    ),
)
