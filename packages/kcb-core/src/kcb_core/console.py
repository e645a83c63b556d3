"""The one place that prints: results to standard output, everything else to standard error.

Results are tables for people or JSON for programs. Text from a candidate never reaches a terminal
as it is: control characters are shown as escapes.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import islice
from typing import TextIO

import msgspec
from rich.console import Console, JustifyMethod
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from kcb_core.codec import Json

_CHUNKS = 4096
"""Chunks of JSON, of some bytes each, that are joined to one text."""


def prepare_streams() -> None:
    """Make standard output and error carry any text, whatever the locale: what cannot be encoded
    is written as an escape instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            with suppress(ValueError):  # a closed stream stays as it is
                stream.reconfigure(errors="backslashreplace")


def out() -> Console:
    """The console for results."""
    return _console(sys.stdout)


def err() -> Console:
    """The console for progress, warnings and errors."""
    return _console(sys.stderr)


def say(text: str) -> None:
    """Print a line of a result, as it is but for control characters."""
    write(plain(text) + "\n")


def write(text: str) -> None:
    """Print a result as it is, at once. If nobody reads it any more, the work still goes on."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def note(text: str) -> None:
    """Print a line that is no result."""
    sys.stderr.write(plain(text) + "\n")


def warn(text: str) -> None:
    """Print a warning."""
    _labelled("warning:", "yellow", text)


def fail(text: str) -> None:
    """Print an error."""
    _labelled("error:", "bold red", text)


def emit_json(value: object) -> None:
    """Print a value as JSON, and nothing else.

    Raises:
        ValueError: it holds a float that is not finite; nothing is printed then.
    """
    plain_value: Json = msgspec.to_builtins(value)
    chunks = json.JSONEncoder(indent=2, allow_nan=False).iterencode(plain_value)
    # A document of some megabytes has a million chunks, which are larger than their text.
    pieces = list(iter(lambda: "".join(islice(chunks, _CHUNKS)), ""))
    for piece in pieces:
        write(piece)
    write("\n")


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "", right: str = ""
) -> None:
    """Print a table: drawn on a terminal, plain text with tabs between its cells elsewhere.

    Args:
        columns: headings.
        rows: cells of each row, as text.
        title: what stands above it.
        right: headings, separated by commas, of columns that hold numbers.
    """
    console = out()
    numeric = set(right.split(","))
    if not console.is_terminal:
        say("\t".join(columns))
        for row in rows:
            say("\t".join(" ".join(cell.split()) for cell in row))
        return
    drawn = Table(title=title or None, title_justify="left")
    for column in columns:
        justify: JustifyMethod = "right" if column in numeric else "left"
        drawn.add_column(column, justify=justify, overflow="fold")  # a path must not lose its end
    for row in rows:
        drawn.add_row(*(Text(plain(cell)) for cell in row))
    console.print(drawn)


def progress() -> Progress:
    """A progress bar on standard error: shown where that is a terminal, and silent elsewhere."""
    console = err()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[detail]}"),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),  # a file keeps its results while the bar is shown
        transient=True,
    )


def plain(text: str) -> str:
    """Text without control characters: each is shown as its escape, but for the line feed and tab.

    Terminal escape sequences in a candidate's messages are made harmless by this.
    """
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def _labelled(label: str, style: str, text: str) -> None:
    line = Text.assemble((label, style), " ", plain(text))
    err().print(line, highlight=False, soft_wrap=True)


def _console(stream: TextIO) -> Console:
    return Console(file=stream, width=None if stream.isatty() else 200)
