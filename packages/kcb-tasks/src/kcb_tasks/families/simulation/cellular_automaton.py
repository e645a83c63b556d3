"""Cellular automaton: a life-like rule run on a small grid, with its peak and its cycle."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Boolean, Integer, Pattern, Text, optional, required

_SUMMARY = """\
Runs a cellular automaton. `grid` is an array of rows from top to bottom; a row has one character
for each cell: `#` for a live cell, `.` for a dead one. `rule` is `B`, digits, `/S`, digits. The
digits after `B` are the birth numbers, those after `/S` the survival numbers.

In one step all cells change at once. Each cell has 8 neighbour places: up, down, left, right and
the four diagonals. Its count is the number of these places that hold a live cell. A dead cell
becomes live if its count is a birth number. A live cell stays live if its count is a survival
number. All other cells are dead afterwards.

If `wrap` is false, every place outside the grid is dead. If it is true, a place beyond an edge is
the place at the opposite edge: rows are taken modulo the number of rows, columns modulo the number
of columns.

The grid at step 0 is the input. Exactly `steps` steps are run. The population of a grid is the
number of its live cells."""

_RESULT = """\
An object with these members:

- `grid`: the grid after the last step, an array of rows like the input.
- `population`: its population.
- `peak`: an object `{"step": t, "population": n}`: the largest population of all steps from 0 to
  `steps`, and the first step that has it.
- `repeat`: an object `{"first": t1, "period": p}`, or `null`. Find the first step t2 whose grid is
  equal to the grid of an earlier step, and let t1 be that earlier step. `first` is t1, `period` is
  t2 - t1. It is `null` if there is no such t2 from 1 to `steps`."""

_RULES = """\
- If `wrap` is true and the grid has fewer than 3 rows or columns, several of the 8 places can be
  the same cell, even the cell itself. It is then counted once for each of these places.
- A digit may stand in `rule` more than once, which changes nothing. There may be none.
- With `B0` a dead cell without live neighbours becomes live; places outside the grid stay dead."""

_Rows = tuple[str, ...]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    rows: _Rows = tuple(fields["grid"])
    if any(len(row) != len(rows[0]) for row in rows):
        raise DomainError("ragged_grid")
    if any(cell not in "#." for row in rows for cell in row):
        raise DomainError("bad_cell")
    born, survives = fields["rule"].removeprefix("B").split("/S")
    seen = {rows: 0}
    repeat = None
    peak = {"step": 0, "population": _population(rows)}
    for step in range(1, fields["steps"] + 1):
        rows = _next(rows, born, survives, fields["wrap"])
        if _population(rows) > peak["population"]:
            peak = {"step": step, "population": _population(rows)}
        first = seen.setdefault(rows, step)
        if first < step and repeat is None:
            repeat = {"first": first, "period": step - first}
    return {"grid": list(rows), "population": _population(rows), "peak": peak, "repeat": repeat}


def _population(rows: _Rows) -> int:
    return sum(row.count("#") for row in rows)


def _next(rows: _Rows, born: str, survives: str, wrap: bool) -> _Rows:
    around = _framed(rows, wrap)
    return tuple(
        "".join(
            "#" if str(_count(around, y, x)) in (survives if cell == "#" else born) else "."
            for x, cell in enumerate(row, start=1)
        )
        for y, row in enumerate(rows, start=1)
    )


def _framed(rows: _Rows, wrap: bool) -> _Rows:
    """The rows with one more place at each side, so that every cell has its 8 neighbours."""
    if wrap:
        wide = [row[-1] + row + row[0] for row in rows]
        return (wide[-1], *wide, wide[0])
    dead = "." * (len(rows[0]) + 2)
    return (dead, *(f".{row}." for row in rows), dead)


def _count(around: _Rows, y: int, x: int) -> int:
    """How many live places there are around a cell."""
    block = sum(row.count("#", x - 1, x + 2) for row in around[y - 1 : y + 2])
    return block - (around[y][x] == "#")


def _generate(rng: random.Random) -> dict[str, Json]:
    grid = list(rng.choice(_PATTERNS)) if rng.random() < 0.4 else _draw_grid(rng)
    fault = rng.random()
    if fault < 0.13:
        longer = rng.choice(grid) + rng.choice([".", "#", "..", "x"])
        grid.insert(rng.randint(0, len(grid)), longer)
    if 0.1 < fault < 0.26:
        row = rng.randrange(len(grid))
        at = rng.randrange(len(grid[row]))
        grid[row] = grid[row][:at] + rng.choice("oO 0＃𝒳\u0301\n") + grid[row][at + 1 :]
    drawn: dict[str, Json] = {"grid": grid, "steps": rng.choice([0, 1, 2, 3, 5, 8, 12])}
    if rng.random() < 0.5:
        drawn["rule"] = rng.choice(_RULES_DRAWN)
    if rng.random() < 0.7:
        drawn["wrap"] = rng.random() < 0.6
    return drawn


def _draw_grid(rng: random.Random) -> list[str]:
    height, width = rng.choice([1, 2, 3, 4, 5, 6]), rng.choice([1, 2, 3, 4, 6, 8])
    share = rng.choice([0.1, 0.35, 0.5, 0.9])
    cells = ["#" if rng.random() < share else "." for _ in range(height * width)]
    return ["".join(cells[width * row : width * (row + 1)]) for row in range(height)]


_PATTERNS = (
    (".#...", "..#..", "###..", ".....", "....."),
    (".....", "..#..", "..#..", "..#..", "....."),
    ("......", "..###.", ".###..", "......"),
    ("#..#", ".##.", ".##.", "#..#"),
    ("...", ".#.", "..."),
    ("##", "##"),
)

_RULES_DRAWN = (
    *("B3/S23", "B36/S23", "B2/S", "B/S", "B1/S012345678", "B0/S", "B012/S8", "B1357/S1357"),
    *("B33/S3223", "B876543210/S0", "B/S012345678", "B6/S", "B4678/S35678"),
)


def _run(
    rows: str,
    steps: int,
    after: str,
    peak: tuple[int, int],
    repeat: tuple[int, int] | None = None,
    **options: Json,
) -> Case:
    """A case in short: rows are joined by spaces, the peak is (step, population)."""
    grid = after.split(" ")
    result = {
        "grid": grid,
        "population": after.count("#"),
        "peak": {"step": peak[0], "population": peak[1]},
        "repeat": None if repeat is None else {"first": repeat[0], "period": repeat[1]},
    }
    return Case({"grid": rows.split(" "), "steps": steps, **options}, result)


def _fails(error: str, *rows: str) -> Case:
    return Case({"grid": list(rows), "steps": 0}, error=error)


_BOUNDARIES = (
    # No step, one cell, empty and full grids.
    _run("#.# .#.", 0, "#.# .#.", (0, 3)),
    _run(".", 0, ".", (0, 0)),
    _run(".", 1, ".", (0, 0), (0, 1)),
    _run("#", 1, ".", (0, 1)),
    _run("#", 100, ".", (0, 1), (1, 1)),
    _run("## ##", 3, "## ##", (0, 4), (0, 1)),
    _run("### ### ###", 1, "#.# ... #.#", (0, 9)),
    # Births and survivals at exactly their numbers.
    _run("..... ..#.. ..#.. ..#.. .....", 5, "..... ..... .###. ..... .....", (0, 3), (0, 2)),
    _run("##. ... ...", 1, "... ... ...", (0, 2)),
    _run("#.# ... .#.", 1, "... .#. ...", (0, 3)),
    _run("### .#. ...", 1, "### ### ...", (1, 6)),
    _run("#.# .#. #.#", 1, ".#. #.# .#.", (0, 5)),
    _run("#.# .#. #.#", 1, ".#. ### .#.", (0, 5), rule="B3/S4"),
    _run("##. #.. ...", 1, "##. ##. ...", (1, 4)),
    _run("### #.# ###", 1, "### ### ###", (1, 9), rule="B8/S012345678"),
    _run("### ### ###", 1, "... .#. ...", (0, 9), rule="B/S8"),
    _run("#.. ... ..#", 1, "#.. .#. ..#", (1, 3), rule="B2/S0"),
    _run("#.. .#.", 1, ".#. #..", (0, 2), rule="B2/S"),
    # Rules: any order, double digits, none.
    _run("##. #.. ...", 1, "##. ##. ...", (1, 4), rule="B333/S3232"),
    _run("#. .#", 2, ".. ..", (0, 2), (1, 1), rule="B/S"),
    _run("#. .#", 2, "#. .#", (0, 2), (0, 1), rule="B/S876543210"),
    _run("..", 1, "##", (1, 2), rule="B0/S"),
    _run("..", 2, "..", (1, 2), (0, 2), rule="B0/S"),
    _run("... ... ...", 2, "### #.# ###", (1, 9), rule="B0/S0345"),
    _run("...", 1, "###", (1, 3), rule="B0/S8", wrap=True),
    _run("...", 2, "###", (1, 3), (1, 1), rule="B0/S8", wrap=True),
    # At the edge, and beyond it.
    _run("#...", 1, ".#..", (0, 1), rule="B1/S"),
    _run("#...", 1, ".#..", (0, 1), rule="B1/S", wrap=False),
    _run("# . . .", 1, ". # . .", (0, 1), rule="B1/S"),
    _run("#... .... .... ....", 1, ".#.# ##.# .... ##.#", (1, 8), rule="B1/S", wrap=True),
    _run("##.. .... .... #...", 1, "##.. .... .... ##..", (1, 4), wrap=True),
    _run("..# ... ...", 1, "### ### ###", (1, 9), rule="B1/S0", wrap=True),
    _run("..#.. ..#.. ..... ..... ..#..", 1, ".###. ..... ..... ..... .....", (0, 3), wrap=True),
    # Narrow grids that wrap: a cell counts once for each place.
    _run("#.", 1, ".#", (0, 1), rule="B6/S", wrap=True),
    _run("#.", 1, "##", (1, 2), rule="B6/S2", wrap=True),
    _run("#", 1, "#", (0, 1), (0, 1), rule="B/S8", wrap=True),
    _run("#", 1, ".", (0, 1), rule="B/S01234567", wrap=True),
    _run("#. ..", 1, ".# #.", (1, 2), rule="B2/S1", wrap=True),
    _run("#. ..", 1, ".. .#", (0, 1), rule="B4/S", wrap=True),
    _run("# . .", 1, ". # #", (1, 2), rule="B3/S", wrap=True),
    _run("# . . .", 1, "# # . #", (1, 3), rule="B3/S2", wrap=True),
    # Peak and repeat: the earliest, and only up to the last step.
    _run("### .#. ...", 2, "#.# #.# .#.", (1, 6)),
    _run("..... ..#.. ..#.. ..#.. .....", 1, "..... ..... .###. ..... .....", (0, 3)),
    _run("..... ..#.. ..#.. ..#.. .....", 2, "..... ..#.. ..#.. ..#.. .....", (0, 3), (0, 2)),
    _run(".#.. ..#. ###. ....", 4, ".... ..#. ...# .###", (0, 5)),
    _run(
        ".#... ..#.. ###.. ..... .....",
        *(20, ".#... ..#.. ###.. ..... .....", (0, 5), (0, 20)),
        wrap=True,
    ),
    _run(".#... ..#.. ###.. ..... .....", 19, "#.... .##.. ##... ..... .....", (0, 5), wrap=True),
    _run("#....", 4, "..#.#", (2, 2), rule="B1/S"),
    _run("#..", 5, "...", (2, 2), (3, 1), rule="B1/S"),
    _run("#.", 4, "##", (2, 2), (1, 2), rule="B0/S"),
    # Errors, and which of two comes first.
    _fails("ragged_grid", "..", "..."),
    _fails("ragged_grid", "...", ".."),
    _fails("ragged_grid", "..", "..", "."),
    _fails("ragged_grid", "𝒳", ".."),
    _fails("ragged_grid", "x.", "..."),
    _fails("bad_cell", ".o"),
    _fails("bad_cell", ". ", ".."),
    _fails("bad_cell", "..", ".O"),
    _fails("bad_cell", "#.", "𝒳."),
    _fails("bad_cell", "##", "＃#"),
    _fails("bad_cell", "#\u0301"),
    _fails("bad_cell", "..\n"),
)

FAMILY = Family(
    number=46,
    slug="cellular-automaton",
    title="Life-like cellular automaton",
    category="simulation",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("grid", Array(Text(1, 32), 1, 24), "The rows of the grid."),
        optional(
            "rule",
            Pattern(
                r"B[0-8]{0,9}/S[0-8]{0,9}",
                "a string: `B`, 0 to 9 digits from `0` to `8`, `/S`, 0 to 9 digits from `0` to `8`",
                ("B3/S23", "B/S", "B876543210/S012345678", "B000000000/S"),
                (
                    *("S23/B3", "B3S23", "23/3", "b3/s23", "B9/S23", "B3/S9", "B3/", "B3/S23 "),
                    *("B0123456780/S", "B/S0123456780", "B3,6/S23", "B３/S23", "B-1/S", "B3/S23/"),
                ),
            ),
            "B3/S23",
        ),
        required("steps", Integer(0, 100), "How many steps are run."),
        optional("wrap", Boolean(), False, "Whether opposite edges of the grid are joined."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("ragged_grid", "Two rows of `grid` have different lengths."),
        ErrorCode("bad_cell", "A row has a character that is neither `#` nor `.`."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {"grid": ["....", ".##.", "..#.", ".#..", "...."], "steps": 3},
        {
            "grid": ["....", ".##.", ".##.", "....", "...."],
            "population": 4,
            "peak": {"step": 0, "population": 4},
            "repeat": {"first": 2, "period": 1},
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _run("#... ....", 5, ".... ##.#", (1, 3), (0, 4), rule="B2/S", wrap=True),
        _fails("ragged_grid", "#.#", "o."),
    ),
    malformed=(
        {"grid": [], "steps": 1},
        {"grid": "#.", "steps": 1},
        {"grid": [""], "steps": 1},
        {"grid": ["#.", None], "steps": 1},
        {"grid": [["#", "."]], "steps": 1},
        {"grid": ["." * 33], "steps": 1},
        {"grid": ["."] * 25, "steps": 1},
        {"grid": [1], "steps": 1},
        {"grid": None, "steps": 1},
        {"grid": ["."], "rule": "S23/B3", "steps": 0},
        {"grid": ["."], "rule": "b3/s23", "steps": 0},
        {"grid": ["."], "rule": "B3/S9", "steps": 0},
        {"grid": ["."], "rule": "23/3", "steps": 0},
        {"grid": ["."], "rule": "", "steps": 0},
        {"grid": ["."], "rule": None, "steps": 0},
        {"grid": ["."], "rule": ["B3", "S23"], "steps": 0},
        {"grid": ["."], "steps": -1},
        {"grid": ["."], "steps": 101},
        {"grid": ["."], "steps": 1.0},
        {"grid": ["."], "steps": True},
        {"grid": ["."], "steps": "3"},
        {"grid": ["x"], "steps": None},
        {"grid": ["."], "steps": 1, "wrap": 0},
        {"grid": ["."], "steps": 1, "wrap": "true"},
        {"grid": ["."], "steps": 1, "wrap": None},
    ),
)
