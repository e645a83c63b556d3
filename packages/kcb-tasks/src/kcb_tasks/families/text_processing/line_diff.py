"""Line diff: two lists of lines compared, the differences as hunks with context."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Boolean, Integer, Text, optional, required

_SUMMARY = """\
Compares the lines of `old` with those of `new`. Two lines are equal if they are the same string;
if `ignore_trailing_space` is true, they are equal if they are the same after all spaces and tabs at
their ends are removed. Indices start at 0.

L(i, j) is the length of a longest common subsequence of `old[i:]` and `new[j:]`:

- 0 if i = len(old) or j = len(new);
- otherwise 1 + L(i+1, j+1) if `old[i]` and `new[j]` are equal;
- otherwise the greater of L(i+1, j) and L(i, j+1).

Build a script of steps. Start with i = j = 0 and repeat until i = len(old) and j = len(new). The
first rule that applies gives the next step:

1. Both i < len(old) and j < len(new), and `old[i]` and `new[j]` are equal: keep; add 1 to i and j.
2. i < len(old), and either j = len(new) or L(i+1, j) >= L(i, j+1): delete `old[i]`; add 1 to i.
3. Otherwise: insert `new[j]`; add 1 to j.

A run is a group of consecutive delete and insert steps, as large as possible. Cut hunks from the
script: two neighbouring runs are in the same hunk if at most 2 * `context` keep steps are between
them. A hunk goes from its first run to its last one, and also has the `context` keep steps before
and the `context` keep steps after them, or as many as there are."""

_RESULT = """\
An object with these members:

- `lcs`: L(0, 0), the number of keep steps.
- `added`, `removed`: the numbers of insert steps and of delete steps.
- `hunks`: an array of objects `{"header": h, "lines": [...]}` in the order of the script.

`lines` has one string for each step of the hunk, in order: for keep a space and the line as it is
in `old`; for delete `-` and the line; for insert `+` and the line.

`header` is `@@ -A,B +C,D @@`. B is the number of old lines in the hunk (keep and delete steps),
D the number of new lines (keep and insert steps). A is 1 + the number of old lines before the hunk,
but without the 1 if B is 0. C is 1 + the number of new lines before the hunk, but without the 1 if
D is 0. All four numbers are always written."""

_RULES = """\
- Without changes `hunks` is `[]`. With `context` 0 every run is a hunk of its own.
- Only space and tab are ignored at the end of a line, and only LF and CR are line breaks."""

_KEEP, _DELETE, _INSERT = " ", "-", "+"


@dataclass(frozen=True, slots=True)
class _Step:
    mark: str
    line: str


def _evaluate(fields: Mapping[str, Any]) -> Json:
    old, new = fields["old"], fields["new"]
    if any("\n" in line or "\r" in line for line in [*old, *new]):
        raise DomainError("newline_in_line")
    if len(old) * len(new) > 40_000:
        raise DomainError("too_large")
    script = list(_script(old, new, fields["ignore_trailing_space"]))
    marks = [step.mark for step in script]
    return {
        "lcs": marks.count(_KEEP),
        "added": marks.count(_INSERT),
        "removed": marks.count(_DELETE),
        "hunks": [_hunk(script, start, end) for start, end in _spans(marks, fields["context"])],
    }


def _script(old: Sequence[str], new: Sequence[str], trailing: bool) -> Iterator[_Step]:
    left = [line.rstrip(" \t") if trailing else line for line in old]
    right = [line.rstrip(" \t") if trailing else line for line in new]
    lengths = _lengths(left, right)
    i = j = 0
    while i < len(old) or j < len(new):
        if i < len(old) and j < len(new) and left[i] == right[j]:
            yield _Step(_KEEP, old[i])
            i, j = i + 1, j + 1
        elif i < len(old) and (j == len(new) or lengths[i + 1][j] >= lengths[i][j + 1]):
            yield _Step(_DELETE, old[i])
            i += 1
        else:
            yield _Step(_INSERT, new[j])
            j += 1


def _lengths(left: Sequence[str], right: Sequence[str]) -> list[list[int]]:
    """L(i, j) of the contract."""
    lengths = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in reversed(range(len(left))):
        row, below = lengths[i], lengths[i + 1]
        for j in reversed(range(len(right))):
            row[j] = 1 + below[j + 1] if left[i] == right[j] else max(below[j], row[j + 1])
    return lengths


def _spans(marks: Sequence[str], context: int) -> list[tuple[int, int]]:
    """Where each hunk starts and ends in the script."""
    changes = [index for index, mark in enumerate(marks) if mark != _KEEP]
    if not changes:
        return []
    breaks = [(a, b) for a, b in pairwise(changes) if b - a - 1 > 2 * context]
    starts = [changes[0], *(b for _, b in breaks)]
    ends = [*(a for a, _ in breaks), changes[-1]]
    return [
        (max(0, start - context), min(len(marks), end + 1 + context))
        for start, end in zip(starts, ends, strict=True)
    ]


def _hunk(script: Sequence[_Step], start: int, end: int) -> Json:
    old = _range(script, start, end, _INSERT)
    new = _range(script, start, end, _DELETE)
    lines = [step.mark + step.line for step in script[start:end]]
    return {"header": f"@@ -{old} +{new} @@", "lines": lines}


def _range(script: Sequence[_Step], start: int, end: int, other: str) -> str:
    """The lines of one side, that whose steps do not have the other mark."""
    before = sum(step.mark != other for step in script[:start])
    count = sum(step.mark != other for step in script[start:end])
    return f"{before + (count > 0)},{count}"


def _generate(rng: random.Random) -> dict[str, Json]:
    chance = rng.random()
    if chance < 0.1:
        return _draw_large(rng)
    old = [rng.choice(_LINES) for _ in range(rng.choice([0, 1, 3, 6, 10, 16, 24]))]
    new = _draw_new(rng, old)
    if chance < 0.25:
        side = rng.choice([old, new])
        side.insert(rng.randint(0, len(side)), rng.choice(["a\nb", "a\r", "\r\n", "\n"]))
    drawn: dict[str, Json] = {"old": old, "new": new}
    if rng.random() < 0.7:
        drawn["context"] = rng.choice([0, 0, 1, 1, 2, 10])
    if rng.random() < 0.6:
        drawn["ignore_trailing_space"] = rng.random() < 0.7
    return drawn


def _draw_large(rng: random.Random) -> dict[str, Json]:
    """Two lists around the limit, mostly above it."""
    old, new = rng.choice([(201, 200), (221, 181), (300, 134), (300, 133)])
    extra = rng.choice(["x", "x", "\r"])
    return {"old": ["x"] * old, "new": ["x"] * (new - 1) + [extra]}


def _draw_new(rng: random.Random, lines: Sequence[str]) -> list[str]:
    """The lines with some of them dropped, replaced, added, or given another end."""
    edited: list[str] = []
    share = rng.choice([0, 0.05, 0.1, 0.2, 0.5])
    for line in [*lines, ""]:
        change = rng.random()
        if change < share:
            edited += rng.choice([[], [rng.choice(_LINES)], [line, rng.choice(_LINES)]])
        elif change > 0.85:
            edited.append(line.rstrip(" \t") + rng.choice(["", " ", "\t", " \t "]))
        else:
            edited.append(line)
    return edited if rng.random() < 0.5 else edited[:-1]


_LINES = (
    *("a", "a", "b", "b", "c", "c", "d", "{", "}", "}", "", "", "    x", "\tx", "a ", "A"),
    *("é", "e\u0301", "日本", "𝒳", "a\u2028", "a\u00a0", "-a", "+a", "@@ -1,1 +1,1 @@"),
)


def _diff(lcs: int, added: int, removed: int, *hunks: tuple[str, list[Json]]) -> Json:
    listed = [{"header": header, "lines": lines} for header, lines in hunks]
    return {"lcs": lcs, "added": added, "removed": removed, "hunks": listed}


def _compared(old: str, new: str, context: int | None = None) -> dict[str, Json]:
    """An input whose lines are one character each."""
    fields: dict[str, Json] = {"old": list(old), "new": list(new)}
    return fields if context is None else {**fields, "context": context}


_BOUNDARIES = (
    # Empty lists, no changes, and the two kinds of a side without lines.
    Case(_compared("", ""), _diff(0, 0, 0)),
    Case({"old": ["same"], "new": ["same"]}, _diff(1, 0, 0)),
    Case(_compared("", "x"), _diff(0, 1, 0, ("@@ -0,0 +1,1 @@", ["+x"]))),
    Case(_compared("xy", ""), _diff(0, 0, 2, ("@@ -1,2 +0,0 @@", ["-x", "-y"]))),
    Case(_compared("ab", "axb", 0), _diff(2, 1, 0, ("@@ -1,0 +2,1 @@", ["+x"]))),
    Case(_compared("axb", "ab", 0), _diff(2, 0, 1, ("@@ -2,1 +1,0 @@", ["-x"]))),
    # The walk: delete before insert on a tie, keep whenever the lines are equal.
    Case(
        _compared("xy", "yx", 0),
        _diff(1, 1, 1, ("@@ -1,1 +0,0 @@", ["-x"]), ("@@ -2,0 +2,1 @@", ["+x"])),
    ),
    Case(
        _compared("abcabba", "cbabac", 0),
        _diff(
            *(4, 2, 3),
            ("@@ -1,2 +0,0 @@", ["-a", "-b"]),
            ("@@ -4,1 +1,0 @@", ["-a"]),
            ("@@ -5,0 +3,1 @@", ["+a"]),
            ("@@ -7,0 +6,1 @@", ["+c"]),
        ),
    ),
    Case(
        _compared("abcabba", "cbabac", 1),
        _diff(
            *(4, 2, 3),
            ("@@ -1,7 +1,6 @@", ["-a", "-b", " c", "-a", " b", "+a", " b", " a", "+c"]),
        ),
    ),
    Case(_compared("aab", "ab", 1), _diff(2, 0, 1, ("@@ -1,3 +1,2 @@", [" a", "-a", " b"]))),
    Case(
        _compared("pq", "rs"),
        _diff(0, 2, 2, ("@@ -1,2 +1,2 @@", ["-p", "-q", "+r", "+s"])),
    ),
    Case(
        _compared("ab", "xyb", 0),
        _diff(1, 2, 1, ("@@ -1,1 +1,2 @@", ["-a", "+x", "+y"])),
    ),
    # Context: 3 by default, cut at both ends, hunks joined at twice the context and not beyond.
    Case(
        _compared("123456789", "1234V6789"),
        _diff(8, 1, 1, ("@@ -2,7 +2,7 @@", [" 2", " 3", " 4", "-5", "+V", " 6", " 7", " 8"])),
    ),
    Case(
        _compared("xkly", "XklY", 1),
        _diff(2, 2, 2, ("@@ -1,4 +1,4 @@", ["-x", "+X", " k", " l", "-y", "+Y"])),
    ),
    Case(
        _compared("xklmy", "XklmY", 1),
        _diff(
            *(3, 2, 2),
            ("@@ -1,2 +1,2 @@", ["-x", "+X", " k"]),
            ("@@ -4,2 +4,2 @@", [" m", "-y", "+Y"]),
        ),
    ),
    Case(
        _compared("abcde", "abcdef", 10),
        _diff(5, 1, 0, ("@@ -1,5 +1,6 @@", [" a", " b", " c", " d", " e", "+f"])),
    ),
    Case(
        _compared("a12345678b", "12345678", 4),
        _diff(
            *(8, 0, 2),
            (
                "@@ -1,10 +1,8 @@",
                ["-a", " 1", " 2", " 3", " 4", " 5", " 6", " 7", " 8", "-b"],
            ),
        ),
    ),
    # Ignored ends: spaces and tabs only, at the end only; kept lines are those of the old list.
    Case(
        {"old": ["a \t", "b"], "new": ["a", "é"], "ignore_trailing_space": True},
        _diff(1, 1, 1, ("@@ -1,2 +1,2 @@", [" a \t", "-b", "+é"])),
    ),
    Case(
        {"old": ["a\u00a0", "b "], "new": ["a", "b"], "ignore_trailing_space": True},
        _diff(1, 1, 1, ("@@ -1,2 +1,2 @@", ["-a\u00a0", "+a", " b "])),
    ),
    Case(
        {"old": ["", " a"], "new": [" \t", "a  "], "ignore_trailing_space": True},
        _diff(1, 1, 1, ("@@ -1,2 +1,2 @@", [" ", "- a", "+a  "])),
    ),
    Case({"old": ["a"], "new": ["a "]}, _diff(0, 1, 1, ("@@ -1,1 +1,1 @@", ["-a", "+a "]))),
    Case(
        {"old": ["a\u2028", "é"], "new": ["a\x85", "e\u0301"]},
        _diff(0, 2, 2, ("@@ -1,2 +1,2 @@", ["-a\u2028", "-é", "+a\x85", "+e\u0301"])),
    ),
    # Errors, their limits, and which of two comes first.
    Case({"old": ["x"] * 200, "new": ["x"] * 200}, _diff(200, 0, 0)),
    Case({"old": ["x"] * 300, "new": []}, _diff(0, 0, 300, ("@@ -1,300 +0,0 @@", ["-x"] * 300))),
    Case({"old": ["x"] * 221, "new": ["x"] * 181}, error="too_large"),
    Case({"old": ["x"] * 201, "new": ["x"] * 201, "context": 0}, error="too_large"),
    Case({"old": ["x"] * 300, "new": ["x"] * 299 + ["\r"]}, error="newline_in_line"),
    Case({"old": ["a\nb"], "new": []}, error="newline_in_line"),
    Case({"old": ["a"], "new": ["a\r"], "ignore_trailing_space": True}, error="newline_in_line"),
)

FAMILY = Family(
    number=3,
    slug="line-diff",
    title="Line diff with unified hunks",
    category="text-processing",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required("old", Array(Text(0, 200), 0, 300), "The old lines."),
        required("new", Array(Text(0, 200), 0, 300), "The new lines."),
        optional("context", Integer(0, 10), 3, "Kept lines before and after the runs of a hunk."),
        optional("ignore_trailing_space", Boolean(), False),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "newline_in_line", "A line of `old` or `new` contains LF (U+000A) or CR (U+000D)."
        ),
        ErrorCode("too_large", "len(old) * len(new) is greater than 40000."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "old": ["a", "b", "c", "d", "e", "f"],
            "new": ["a", "B", "c", "d", "e", "f", "g"],
            "context": 1,
        },
        {
            "lcs": 5,
            "added": 2,
            "removed": 1,
            "hunks": [
                {"header": "@@ -1,3 +1,3 @@", "lines": [" a", "-b", "+B", " c"]},
                {"header": "@@ -6,1 +6,2 @@", "lines": [" f", "+g"]},
            ],
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            {
                "old": ["one", "two ", "three", "four", "five"],
                "new": ["zero", "one", "two", "three", "five"],
                "context": 0,
                "ignore_trailing_space": True,
            },
            _diff(4, 1, 1, ("@@ -0,0 +1,1 @@", ["+zero"]), ("@@ -4,1 +4,0 @@", ["-four"])),
        ),
        Case({"old": ["one", "two\n"], "new": ["one", "two"]}, error="newline_in_line"),
    ),
    malformed=(
        {"old": "a\nb", "new": []},
        {"old": None, "new": []},
        {"old": [], "new": {"0": "a"}},
        {"old": ["a", 1], "new": ["a"]},
        {"old": ["a"], "new": ["a", None]},
        {"old": ["a"], "new": [["a"]]},
        {"old": ["e\u0301" * 100 + "a"], "new": []},
        {"old": [], "new": ["a"] * 301},
        {"old": ["a\n"], "new": [], "context": 11},
        {"old": [], "new": [], "context": -1},
        {"old": [], "new": [], "context": 3.0},
        {"old": [], "new": [], "context": "3"},
        {"old": [], "new": [], "context": True},
        {"old": [], "new": [], "context": None},
        {"old": [], "new": [], "ignore_trailing_space": 1},
        {"old": [], "new": [], "ignore_trailing_space": "true"},
        {"old": [], "new": [], "ignore_trailing_space": None},
    ),
)
