"""The same tables for a paper, a pull request, a spreadsheet and a notebook."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kcb_score import parquet
from kcb_score.grids import grids
from kcb_score.renderers import RENDERERS

EASY = tuple(f"kcb-easy-{n:03d}-family-{n}" for n in (1, 2, 3))
HOSTILE = "=cmd|'!A1 \\input{x} $_%&#~^ <script> | `a` [b](c) \x1b[31m\n\u202eevil"


@pytest.fixture
def hostile(bench: Any) -> Any:
    """A score of two repetitions whose subject has a name made of traps."""
    return bench.score(
        *(
            bench.report(task, outcome, of=bench.small, subject=HOSTILE, repetition=n)
            for n in range(2)
            for task, outcome in zip(EASY, ("resolved", "failed", "void"), strict=True)
        )
    )


def test_every_renderer_draws_every_table(hostile: Any) -> None:
    """One model of tables, so none can say less than another."""
    for name, render in RENDERERS.items():
        text = render(hostile)
        assert text.endswith("\n"), name
        assert "\x1b" not in text, name
        assert "\u202e" not in text, name
        for grid in grids(hostile):
            for row in grid.rows:
                assert row.cells[0] in text


def test_markdown_cells_stay_in_their_cells(hostile: Any) -> None:
    """A pipe or tag in a name opens nothing."""
    lines = RENDERERS["markdown"](hostile).splitlines()
    tables = [line for line in lines if line.startswith("|")]
    widths = [line.replace("\\|", "").count("|") for line in tables]
    start = 0
    for grid in grids(hostile):
        end = start + 2 + len(grid.rows)
        assert set(widths[start:end]) == {len(grid.columns) + 1}
        start = end
    assert start == len(tables)
    assert "\\<script\\>" in "\n".join(lines)


def test_csv_is_read_back(hostile: Any) -> None:
    """Title, headings, rows, an empty line; and no cell is a formula."""
    rows = list(csv.reader(io.StringIO(RENDERERS["csv"](hostile))))
    expected: list[list[str]] = []
    for grid in grids(hostile):
        expected += [[grid.title], list(grid.columns), *(list(row.cells) for row in grid.rows), []]
    assert [len(row) for row in rows] == [len(row) for row in expected[:-1]]
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
    score = next(iter(grids(hostile)))
    assert rows[2] == list(score.rows[0].cells)


def test_a_formula_is_text(bench: Any) -> None:
    """The subject stands in the title, which starts with our own words; a topic may not."""
    report = bench.report(EASY[0], of=bench.small)
    scenario = type(report.scenarios[0])(
        name="s", tags=("=1+1",), outcome=report.scenarios[0].outcome, passed=10, total=10
    )
    text = RENDERERS["csv"](bench.score(bench.report(EASY[0], scenarios=(scenario,))))
    assert "\n'=1+1," in text


def test_latex_opens_nothing_that_it_does_not_close(hostile: Any) -> None:
    """No command, brace or comment of a report's reaches TeX; in a comment all is inert."""
    lines = RENDERERS["latex"](hostile).splitlines()
    body = [line for line in lines if line and not line.startswith("%")]
    assert "\\input" not in "\n".join(body)
    begun = sum(line.startswith("\\begin{tabular}") for line in body)
    assert begun == sum(line == "\\end{tabular}" for line in body) == len(list(grids(hostile)))
    for line in body:
        plain = line.replace("\\{", "").replace("\\}", "")
        assert plain.count("{") == plain.count("}")
    for grid in grids(hostile):
        for row in grid.rows:
            rendered = next(line for line in body if line.startswith(row.cells[0]))
            assert rendered.endswith(" \\\\")


def test_the_command_prints_each_format(
    bench: Any, klein_bench: Callable[..., Any], tmp_path: Path
) -> None:
    """And ``--json`` is ``--format json``."""
    bench.write(tmp_path, *(bench.report(task, of=bench.small) for task in EASY))
    starts = {"text": "dataset kcb", "markdown": "- dataset kcb", "csv": "no subject", "latex": "%"}
    for name, start in starts.items():
        done = klein_bench("score", tmp_path, "--format", name)
        assert done.status == 0
        assert done.out.startswith(start)
    as_json = klein_bench("score", tmp_path, "--format", "json")
    assert as_json.out == klein_bench("score", tmp_path, "--json").out
    assert json.loads(as_json.out)["kind"] == "score"


def test_parquet_has_a_row_for_each_report(
    bench: Any, klein_bench: Callable[..., Any], tmp_path: Path
) -> None:
    """What a notebook needs, with types; what is not known is empty."""
    read_table = pytest.importorskip("pyarrow.parquet").read_table
    record = {
        "usage": {"input_tokens": 5, "output_tokens": 7},
        "cost": {"dollars": 0.25, "lower_bound": True},
        "wall_s": 1.5,
    }
    bench.write(
        tmp_path / "r",
        bench.report(EASY[0], of=bench.small, run_record=record),
        bench.report(EASY[1], "void", of=bench.small),
    )
    done = klein_bench("score", tmp_path / "r", "--parquet", tmp_path / "out" / "all.parquet")
    assert done.status == 0
    table = read_table(tmp_path / "out" / "all.parquet")
    assert table.column_names == list(parquet.COLUMNS)
    first, second = table.to_pylist()
    assert (first["task_id"], first["resolved"], first["outcome"]) == (EASY[0], True, "resolved")
    assert (first["dollars"], first["dollars_at_least"], first["generation_s"]) == (0.25, True, 1.5)
    assert (first["input_tokens"], first["output_tokens"]) == (5, 7)
    assert first["cache_read_tokens"] is None
    assert (second["void_cause"], second["failure"], second["dollars"]) == ("machine", None, None)


def test_parquet_is_made_part_by_part(
    bench: Any, klein_bench: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one part ends and the next begins no row is lost."""
    read_table = pytest.importorskip("pyarrow.parquet").read_table
    monkeypatch.setattr(parquet, "_TOGETHER", 2)
    bench.write(tmp_path / "r", *(bench.report(task) for task in bench.tasks("easy")[:5]))
    assert klein_bench("score", tmp_path / "r", "--parquet", tmp_path / "all.parquet").status == 0
    rows = read_table(tmp_path / "all.parquet").to_pylist()
    assert [row["task_id"] for row in rows] == list(bench.tasks("easy")[:5])


def test_without_pyarrow_the_remedy_is_named(
    bench: Any, klein_bench: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a quarter of a million files are read."""

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(parquet, "import_module", missing)
    bench.write(tmp_path / "r", bench.report(EASY[0], of=bench.small))
    done = klein_bench("score", tmp_path / "r", "--parquet", tmp_path / "x.parquet")
    assert (done.status, done.out) == (2, "")
    assert "pip install 'kcb-score[parquet]'" in done.err
    assert not (tmp_path / "x.parquet").exists()


def test_what_fits_no_row_is_one_line(
    bench: Any, klein_bench: Callable[..., Any], tmp_path: Path
) -> None:
    """Half a character has no place in a Parquet file, and nothing is written."""
    pytest.importorskip("pyarrow")
    bench.write(tmp_path / "r", bench.report(EASY[0], of=bench.small, category="\ud800"))
    done = klein_bench("score", tmp_path / "r", "--parquet", tmp_path / "x.parquet")
    assert (done.status, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert not (tmp_path / "x.parquet").exists()
