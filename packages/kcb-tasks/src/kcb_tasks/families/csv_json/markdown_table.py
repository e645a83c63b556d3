"""Markdown table: cells cleaned, measured in columns of a terminal, and aligned."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Choice, Text, absentable, required

_SUMMARY = """\
Writes `header` and `rows` as a Markdown table with aligned columns.

1. Clean every cell, also those of `header`, in this order: take the spaces and tabs from both ends;
   replace every line break by `<br>`; replace every `|` by `\\|`. A line break is CR directly
   followed by LF, or a single CR, or a single LF.
2. Add empty cells to the end of each row that has fewer cells than `header`.
3. The display width of a cell is the sum of the widths of its code points:
   - 0 for U+0300 to U+036F, U+200B to U+200D, and U+FE00 to U+FE0F;
   - 2 for U+1100 to U+115F, U+2E80 to U+A4CF, U+AC00 to U+D7A3, U+F900 to U+FAFF, U+FE30 to U+FE6F,
     U+FF00 to U+FF60, U+FFE0 to U+FFE6, U+1F300 to U+1F64F, and U+1F900 to U+1F9FF;
   - 1 for every other one.
4. The width w of a column is the greatest of 3 and the display widths of its cleaned cells, the
   header's included.
5. Pad each cell, also those of the header, with p spaces, where p is w minus the display width of
   the cell. The alignment of the column says where:
   - `none`, `left`: all behind the cell;
   - `right`: all in front of it;
   - `center`: floor(p / 2) in front, the rest behind.
6. The rule has one cell for each column, w characters wide:
   - `none`: w times `-`;
   - `left`: `:`, then w - 1 times `-`;
   - `right`: w - 1 times `-`, then `:`;
   - `center`: `:`, then w - 2 times `-`, then `:`.
7. A line starts with `|` and a space, has a space, `|` and a space between its cells, and ends with
   a space and `|`."""

_RESULT = """\
An object with these members:

- `lines`: an array of strings: the line of the header, the line of the rule, and one line for each
  row, in order.
- `widths`: an array of the widths of the columns, integers."""

_RULES = """\
- Backslashes are not changed.
- A cell that is only a LF becomes `<br>`. Spaces beside a line break inside a cell stay.
- An `align` of `[]` is given, so it is an error."""

_BREAK = re.compile(r"\r\n|\r|\n")

_ZERO = ((0x300, 0x36F), (0x200B, 0x200D), (0xFE00, 0xFE0F))
_WIDE = (
    *((0x1100, 0x115F), (0x2E80, 0xA4CF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFE30, 0xFE6F)),
    *((0xFF00, 0xFF60), (0xFFE0, 0xFFE6), (0x1F300, 0x1F64F), (0x1F900, 0x1F9FF)),
)


def _evaluate(fields: Mapping[str, Any]) -> Json:
    header, rows = fields["header"], fields["rows"]
    align = fields.get("align", ["none"] * len(header))
    if len(align) != len(header):
        raise DomainError("align_mismatch")
    if any(len(row) > len(header) for row in rows):
        raise DomainError("row_too_long")
    table = [
        [_cleaned(cell) for cell in row] + [""] * (len(header) - len(row))
        for row in (header, *rows)
    ]
    widths = [max(3, *map(_width, column)) for column in zip(*table, strict=True)]
    columns = list(zip(widths, align, strict=True))
    lines = [
        _line([_padded(cell, *column) for cell, column in zip(row, columns, strict=True)])
        for row in table
    ]
    rule = _line([_rule(width, side) for width, side in columns])
    return {"lines": [lines[0], rule, *lines[1:]], "widths": widths}


def _cleaned(cell: str) -> str:
    return _BREAK.sub("<br>", cell.strip(" \t")).replace("|", "\\|")


def _width(text: str) -> int:
    return sum(map(_width_of, map(ord, text)))


def _width_of(code: int) -> int:
    if any(low <= code <= high for low, high in _ZERO):
        return 0
    return 2 if any(low <= code <= high for low, high in _WIDE) else 1


def _padded(cell: str, width: int, side: str) -> str:
    spaces = width - _width(cell)
    front = {"right": spaces, "center": spaces // 2}.get(side, 0)
    return " " * front + cell + " " * (spaces - front)


def _rule(width: int, side: str) -> str:
    front = ":" if side in ("left", "center") else "-"
    back = ":" if side in ("right", "center") else "-"
    return front + "-" * (width - 2) + back


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _generate(rng: random.Random) -> dict[str, Json]:
    width = rng.choice([1, 1, 2, 3, 4, 6])
    rows = [
        [_draw_cell(rng) for _ in range(rng.choice([width, width, width, rng.randint(0, width)]))]
        for _ in range(rng.choice([0, 1, 2, 4, 6]))
    ]
    if rows and rng.random() < 0.16:
        row = rng.choice(rows)
        row += [_draw_cell(rng) for _ in range(width + 1 - len(row))]
    drawn: dict[str, Json] = {"header": [_draw_cell(rng) for _ in range(width)], "rows": rows}
    if rng.random() < 0.8:
        drawn["align"] = [rng.choice(["none", "left", "right", "center"]) for _ in range(width)]
        if rng.random() < 0.18:
            drawn["align"] = rng.choice([[], drawn["align"][1:], [*drawn["align"], "none"]])
    return drawn


def _draw_cell(rng: random.Random) -> str:
    text = "".join(rng.choice(_PIECES) for _ in range(rng.choice([0, 1, 1, 2, 3, 5])))
    return rng.choice(["", "", "", " ", "\t "]) + text + rng.choice(["", "", "", " ", " \t"])


_PIECES = (
    *("a", "Qty", "word", "12", " ", " ", "|", "||", "\\", "\\|", "\n", "\r\n", "\r", "\n\r"),
    *("é", "e\u0301", "日本", "한", "\u1100\u1161", "ｱ", "Ａ", "！", "￥", "︰"),
    *("豈", "👍", "👍🏽", "❤\ufe0f", "👩\u200d🚀", "\u200b", "𝒳", "🜀", "🧀"),
    *("\u00a0", "\t", "-", ":", "<br>"),
)


def _drawn(lines: Sequence[str], *widths: int) -> Json:
    return {"lines": list(lines), "widths": list(widths)}


def _measured(codes: str, inside: int) -> Case:
    """A header with four copies of each code point.

    Of each four code points the first and the last stand outside a range and are 1 wide, the two
    between them at its ends; those are 0 or 2 wide.
    """
    header = [4 * code for code in codes]
    within = [index % 4 in (1, 2) for index in range(len(codes))]
    widths = [max(3, 4 * inside) if ends else 4 for ends in within]
    spaces = "   " if inside == 0 else ""
    padded = [c + spaces if ends else c for c, ends in zip(header, within, strict=True)]
    rule = ["-" * width for width in widths]
    lines = [f"| {' | '.join(cells)} |" for cells in (padded, rule)]
    return Case({"header": header, "rows": []}, _drawn(lines, *widths))


_BOUNDARIES = (
    # Alignment: where the spaces go, and the rule.
    Case(
        {
            "header": ["ab", "ab", "ab", "ab"],
            "rows": [["12345", "12345", "12345", "12345"]],
            "align": ["none", "left", "right", "center"],
        },
        _drawn(
            [
                "| ab    | ab    |    ab |  ab   |",
                "| ----- | :---- | ----: | :---: |",
                "| 12345 | 12345 | 12345 | 12345 |",
            ],
            *(5, 5, 5, 5),
        ),
    ),
    Case(
        {"header": ["日本"], "rows": [["a"], ["1é"]], "align": ["center"]},
        _drawn(["| 日本 |", "| :--: |", "|  a   |", "|  1é  |"], 4),
    ),
    Case(
        {"header": [""], "rows": [], "align": ["center"]},
        _drawn(["|     |", "| :-: |"], 3),
    ),
    Case(
        {"header": ["x", "y"], "rows": [], "align": ["right", "left"]},
        _drawn(["|   x | y   |", "| --: | :-- |"], 3, 3),
    ),
    # Widths: at least 3, and the greatest of header and rows.
    Case(
        {"header": ["abc", "abcd"], "rows": []},
        _drawn(["| abc | abcd |", "| --- | ---- |"], 3, 4),
    ),
    Case(
        {"header": ["a", "bbbb", "c"], "rows": [[], ["1", "2"], ["1", "", "33333"]]},
        _drawn(
            [
                "| a   | bbbb | c     |",
                "| --- | ---- | ----- |",
                "|     |      |       |",
                "| 1   | 2    |       |",
                "| 1   |      | 33333 |",
            ],
            *(3, 4, 5),
        ),
    ),
    # Cleaning: ends, then line breaks, then pipes; backslashes stay.
    Case(
        {"header": ["e\u0301"], "rows": [["\n"], []]},
        _drawn(["| e\u0301    |", "| ---- |", "| <br> |", "|      |"], 4),
    ),
    Case(
        {"header": ["x"], "rows": [[" \t|\\|\t "]]},
        _drawn(["| x     |", "| ----- |", "| \\|\\\\| |"], 5),
    ),
    Case(
        {"header": [" a|b\n"], "rows": [["\\"]]},
        _drawn(["| a\\|b<br> |", "| -------- |", "| \\        |"], 8),
    ),
    Case(
        {"header": ["a\r\nb\rc\nd\n\re"], "rows": [["\r\r\n"]]},
        _drawn(
            [
                "| a<br>b<br>c<br>d<br><br>e |",
                "| ------------------------- |",
                "| <br><br>                  |",
            ],
            25,
        ),
    ),
    Case(
        {"header": ["h"], "rows": [[" \n "], ["\n a\tb \n"]]},
        _drawn(
            ["| h             |", "| ------------- |", "| <br>          |", "| <br> a\tb <br> |"],
            13,
        ),
    ),
    Case(
        {"header": ["\u00a0a\u00a0", "\u3000", "a\u2028b\x85"], "rows": []},
        _drawn(["| \u00a0a\u00a0 | \u3000  | a\u2028b\x85 |", "| --- | --- | ---- |"], 3, 3, 4),
    ),
    # Display widths: combined characters, and the ends of every range.
    Case(
        {"header": ["👍🏽", "❤\ufe0f", "👩\u200d🚀", "🧀𝒳"], "rows": []},
        _drawn(
            ["| 👍🏽 | ❤\ufe0f   | 👩\u200d🚀 | 🧀𝒳 |", "| ---- | --- | --- | --- |"], 4, 3, 3, 3
        ),
    ),
    _measured("\u02ff\u0300\u036f\u0370\u200a\u200b\u200d\u200e\ufdff\ufe00\ufe0f\ufe10", 0),
    _measured("\u10ff\u1100\u115f\u1160\u2e7f\u2e80\ua4cf\ua4d0\uabff\uac00\ud7a3\ud7a4", 2),
    _measured("\uf8ff\uf900\ufaff\ufb00\ufe2f\ufe30\ufe6f\ufe70\ufefe\uff00\uff60\uff61", 2),
    _measured(
        "\uffdf\uffe0\uffe6\uffe7"
        "\U0001f2ff\U0001f300\U0001f64f\U0001f650"
        "\U0001f8ff\U0001f900\U0001f9ff\U0001fa00",
        2,
    ),
    # Errors: the alignment first, then the rows.
    Case({"header": ["a"], "rows": [["1", "2"]], "align": []}, error="align_mismatch"),
    Case({"header": ["a"], "rows": [], "align": []}, error="align_mismatch"),
    Case({"header": ["a"], "rows": [["1"]], "align": ["left", "left"]}, error="align_mismatch"),
    Case({"header": ["a", "b"], "rows": [], "align": ["none"]}, error="align_mismatch"),
    Case({"header": ["a"], "rows": [["1", "2"]]}, error="row_too_long"),
    Case(
        {"header": ["a", "b"], "rows": [["1"], ["1", "2", ""]], "align": ["left", "left"]},
        error="row_too_long",
    ),
)

FAMILY = Family(
    number=10,
    slug="markdown-table",
    title="Markdown table formatter",
    category="csv-json",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("header", Array(Text(0, 200), 1, 20), "The cells of the header."),
        required("rows", Array(Array(Text(0, 200), 0, 40), 0, 200), "The cells of each row."),
        absentable(
            "align",
            Array(Choice("none", "left", "right", "center"), 0, 40),
            "The alignment of each column; `none` for all columns if it is not given.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "align_mismatch",
            "`align` is given and has not as many elements as `header`.",
        ),
        ErrorCode("row_too_long", "A row has more cells than `header`."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "header": ["Item", "Qty", "Note"],
            "rows": [["tea|mate", "7", " a\nb "], ["日本", "12"]],
            "align": ["left", "right", "center"],
        },
        {
            "lines": [
                "| Item      | Qty |  Note  |",
                "| :-------- | --: | :----: |",
                "| tea\\|mate |   7 | a<br>b |",
                "| 日本      |  12 |        |",
            ],
            "widths": [9, 3, 6],
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            {
                "header": ["Käse", "e\u0301|", "n"],
                "rows": [["チーズ", "\t|\r\n\\ ", "1"], ["🧀"]],
                "align": ["center", "none", "right"],
            },
            _drawn(
                [
                    "|  Käse  | e\u0301\\|     |   n |",
                    "| :----: | ------- | --: |",
                    "| チーズ | \\|<br>\\ |   1 |",
                    "|   🧀   |         |     |",
                ],
                *(6, 7, 3),
            ),
        ),
        Case(
            {"header": ["a", "b"], "rows": [["1", "2"]], "align": ["left"]}, error="align_mismatch"
        ),
    ),
    malformed=(
        {"header": [], "rows": []},
        {"header": ["a"] * 21, "rows": []},
        {"header": "a", "rows": []},
        {"header": ["a", None], "rows": []},
        {"header": ["a", 1], "rows": []},
        {"header": ["e\u0301" * 100 + "a"], "rows": []},
        {"header": ["a"], "rows": None},
        {"header": ["a"], "rows": ["1"]},
        {"header": ["a"], "rows": [["1"], "2"]},
        {"header": ["a"], "rows": [[1]]},
        {"header": ["a"], "rows": [[True]]},
        {"header": ["a"], "rows": [{"a": "1"}]},
        {"header": ["a"], "rows": [[["1"]]]},
        {"header": ["a"], "rows": [["1"] * 41]},
        {"header": ["a"], "rows": [[]] * 201},
        {"header": ["a"], "rows": [], "align": None},
        {"header": ["a"], "rows": [], "align": "left"},
        {"header": ["a"], "rows": [], "align": ["Left"]},
        {"header": ["a"], "rows": [], "align": ["centre"]},
        {"header": ["a"], "rows": [["1", "2"]], "align": ["none"] * 41},
        {"header": ["a"], "rows": [], "align": [None]},
    ),
)
