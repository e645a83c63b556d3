"""Pages: what a section of an HTML report is given, and the few blocks that it may give back.

A section never gives HTML. Every block holds text, so that whatever a candidate wrote stays text;
the page's maker escapes it, draws the figures and sets the type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import quote

from kcb_core.report import Document, TaskReport
from kcb_core.score import Score


class Tone(StrEnum):
    """How loud a paragraph is."""

    PLAIN = "plain"
    NOTE = "note"
    """Quieter than the rest: how to read a number, where it comes from."""
    WARNING = "warning"
    """What a reader must know before quoting a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading below the section's own."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Running text; there is no markup in it."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One number, large, with its name above and what is to be known of it below."""

    name: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """A few numbers side by side, the first thing that is read."""

    items: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Cells of text under headings."""

    caption: str
    """What it shows, for those too who do not see it."""
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """As many cells in each as there are columns; the first names the row."""
    numeric: frozenset[str] = frozenset()
    """Headings of the columns that hold numbers and are set to the right."""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"table {self.caption!r}: each row needs one cell for every column")


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One chart of a figure."""

    spec: Mapping[str, Any]
    """A Vega-Lite specification with its data in it: nothing is ever loaded from elsewhere."""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One or more charts with one caption, and the same numbers as a table."""

    name: str
    """Short and of letters, digits and hyphens: the exported file is called by it."""
    caption: str
    panels: tuple[Panel, ...]
    legend: tuple[tuple[str, str], ...] = ()
    """What each colour means, where the charts do not say it: name and colour."""
    table: Table | None = None
    """The numbers, for those who do not see the charts; shown when asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preformatted:
    """Text whose line breaks and spaces count; control characters are shown as escapes."""

    text: str
    caption: str = ""
    folded: bool = False
    """Whether only its caption is seen until somebody opens it."""

    def __post_init__(self) -> None:
        if self.folded and not self.caption:
            raise ValueError("a text that is folded needs a caption to be opened by")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLink:
    """A file that lies near the page and goes where it goes."""

    text: str
    path: str
    """The file's path from the page's folder, its parts parted by ``/``."""
    fragment: str = ""
    """The id of an element in it, such as a task's on a page."""

    def __post_init__(self) -> None:
        if not self.path or self.path.startswith("/"):
            raise ValueError(f"{self.path!r} is no path from the page's folder")

    @property
    def href(self) -> str:
        """The address, which can be nothing but a path: whatever would be a scheme is quoted."""
        fragment = f"#{quote(self.fragment)}" if self.fragment else ""
        return quote(self.path.encode("utf-8", "surrogateescape")) + fragment


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskTable:
    """The table of all tasks, to be sorted and filtered, with what is known of each behind it.

    The page makes it of the reports; a section only says where it stands.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedProject:
    """What a report says of one project: the first wrong response and all around it."""

    sourced: SourcedReport


Block = (
    Heading
    | Paragraph
    | Facts
    | Table
    | Figure
    | Preformatted
    | FileLink
    | TaskTable
    | JudgedProject
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcedReport:
    """A report and the file that it was read from."""

    source: str
    report: TaskReport
    page: FileLink | None = None
    """The page on this one project, if there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageData:
    """What a page is about."""

    score: Score
    """All numbers of all subjects; nothing is counted anew."""
    reports: tuple[SourcedReport, ...]
    """The reports behind it, by subject, repetition and task."""
    beside: Sequence[Document] = ()
    """Further documents that the page was asked to show, such as a comparison or a history."""
