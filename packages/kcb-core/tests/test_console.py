"""The one place that prints."""

import io
import json
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_core import console
from kcb_core.testing.values import small_report

HOSTILE = "a\x1b[31mb\x07\r\u2028\u202e\ud800\x9b1m :heart: [bold]x[/] \\"
SHOWN = "a\\x1b[31mb\\x07\\r\\u2028\\u202e\\ud800\\x9b1m :heart: [bold]x[/] \\"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def terminal_as(name: str, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal that is wide enough, in the place of one of the standard streams."""
    stream = Terminal()
    monkeypatch.setattr(sys, name, stream)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return stream


@given(st.text())
def test_plain_text_holds_no_control_character(text: str) -> None:
    """Whatever a candidate wrote, it cannot move the cursor or recolour the screen."""
    shown = console.plain(text)
    assert all(character.isprintable() or character in "\n\t" for character in shown)
    shown.encode()


def test_plain_text_shows_what_was_there() -> None:
    """An escape is readable, and ordinary text of any script is left alone."""
    assert console.plain(HOSTILE) == SHOWN
    assert console.plain("é 円 😀\n\t") == "é 円 😀\n\t"


@pytest.mark.parametrize(
    ("write", "out", "err"),
    [
        (console.say, f"{SHOWN}\n", ""),
        (console.note, "", f"{SHOWN}\n"),
        (console.warn, "", f"warning: {SHOWN}\n"),
        (console.fail, "", f"error: {SHOWN}\n"),
    ],
)
def test_results_go_to_output_and_all_else_to_error_unchanged(
    capsys: pytest.CaptureFixture[str], write: Callable[[str], None], out: str, err: str
) -> None:
    """A pipe gets results only; names are not taken for markup, and never become pictures."""
    write(HOSTILE)
    assert capsys.readouterr() == (out, err)


@pytest.mark.parametrize("write", [console.say, console.warn, console.fail])
def test_long_lines_are_not_wrapped(
    capsys: pytest.CaptureFixture[str], write: Callable[[str], None]
) -> None:
    """A path that is broken in two cannot be copied, and a program reads lines."""
    write("word " * 100 + "x" * 500)
    captured = capsys.readouterr()
    assert (captured.out + captured.err).count("\n") == 1


def test_table_is_tabs_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    """One row is one line and one tab is one column, whatever stands in the cells."""
    console.table(("a", "b"), [("1\t2", "x\ny"), ("\x1b[0m", ""), ("[b]", ":heart:")], title="T")
    assert capsys.readouterr().out == "a\tb\n1 2\tx y\n\\x1b[0m\t\n[b]\t:heart:\n"


def test_table_is_drawn_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """People get columns; cells are shown as they are all the same."""
    terminal = terminal_as("stdout", monkeypatch)
    console.table(("name", "n"), [("[red]a[/]\x1b[0m:heart:", "7")], title="Title", right="n")
    drawn = terminal.getvalue()
    assert "Title" in drawn
    assert "[red]a[/]\\x1b[0m:heart:" in drawn
    assert " 7 " in drawn
    assert "│" in drawn


def test_warnings_are_coloured_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Colour is for people; a log file gets the words."""
    console.warn("x")
    assert capsys.readouterr().err == "warning: x\n"
    stream = terminal_as("stderr", monkeypatch)
    console.warn("x")
    assert "\x1b[" in stream.getvalue()


def test_json_is_ascii_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    """A program reads all of standard output, in any locale."""
    console.emit_json({"b": "é\ud800\x1b", "a": [1, None], "report": small_report()})
    out = capsys.readouterr().out
    assert out.isascii()
    assert json.loads(out)["b"] == "é\ud800\x1b"
    assert json.loads(out)["report"]["task_id"] == "toy-easy-001-amounts"
    assert list(json.loads(out)) == ["b", "a", "report"]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_json_never_holds_what_is_no_number(
    capsys: pytest.CaptureFixture[str], number: float
) -> None:
    """Half of the readers would fail, and the other half would average it."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        console.emit_json({"x": number})
    assert capsys.readouterr().out == ""


def test_streams_carry_any_text_in_any_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    """A locale without the character is no reason to lose the result."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii", errors="strict"))
    console.prepare_streams()
    console.say("é 😀")
    sys.stdout.flush()
    assert raw.getvalue() == b"\\xe9 \\U0001f600\n"


def test_streams_that_cannot_be_prepared_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed or replaced stream is its owner's affair."""
    closed = io.TextIOWrapper(io.BytesIO())
    closed.close()
    monkeypatch.setattr(sys, "stdout", closed)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    console.prepare_streams()


def test_progress_is_silent_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    """A log file does not want a thousand states of one bar."""
    with console.progress() as bar:
        bar.advance(bar.add_task("playing", total=2, detail="1 failed"))
    assert capsys.readouterr() == ("", "")


def test_progress_is_shown_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It goes to standard error, so that a pipe gets results only."""
    stream = terminal_as("stderr", monkeypatch)
    with console.progress() as bar:
        bar.advance(bar.add_task("playing", total=2, detail="1 failed"))
    assert "playing" in stream.getvalue()
    assert "1/2" in stream.getvalue()
    assert capsys.readouterr().out == ""


def test_table_on_a_narrow_terminal_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path whose end is cut off cannot be opened."""
    stream = terminal_as("stdout", monkeypatch)
    monkeypatch.setenv("COLUMNS", "30")
    console.table(("file", "why"), [("a" * 60, "x" * 40)])
    shown = stream.getvalue()
    assert "…" not in shown
    assert (shown.count("a"), shown.count("x")) == (60, 40)
