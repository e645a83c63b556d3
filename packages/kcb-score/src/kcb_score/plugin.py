"""What kcb-score brings: commands, scorers, a ticket sink, sections of a page, documents."""

from __future__ import annotations

from collections.abc import Iterable

from kcb_core import hookimpl
from kcb_core.roles import Command, ReportSection, Scorer, TicketSink
from kcb_core.schemas import Published


@hookimpl
def kcb_register_scorers() -> Iterable[Scorer]:
    """resolve@1, and pass@k with pass^k."""
    # Imported when a score is made: no other command has to wait for numpy.
    from kcb_score.attempts import PassAtK  # noqa: PLC0415
    from kcb_score.resolve import ResolveAtOne  # noqa: PLC0415

    return (ResolveAtOne(), PassAtK())


@hookimpl
def kcb_register_ticket_sinks() -> Iterable[TicketSink]:
    """Markdown files in a folder."""
    # Imported when faults are routed: no other command has to wait for it.
    from kcb_score.trials.drafts import FileSink  # noqa: PLC0415

    return (FileSink(),)


@hookimpl
def kcb_register_report_sections() -> Iterable[ReportSection]:
    """The page's own sections."""
    # Imported when a page is written: no other command has to wait for it.
    from kcb_score.page.sections import own_sections  # noqa: PLC0415

    return own_sections()


@hookimpl
def kcb_register_documents() -> Iterable[Published]:
    """Comparisons, frozen baselines, and histories."""
    # Imported when schemas are asked for: no other command has to wait for numpy.
    from kcb_score.compare.documents import DOCUMENTS  # noqa: PLC0415

    return DOCUMENTS


@hookimpl
def kcb_register_commands() -> Iterable[Command]:
    """What turns report files into scores, comparisons, counts and drafts."""
    return (
        Command(
            name="score",
            summary="Score report files: resolve@1 for each tier.",
            target="kcb_score.cli:score",
        ),
        Command(
            name="compare",
            summary="Compare two or more subjects on the same tasks.",
            target="kcb_score.compare.compare_command:compare",
        ),
        Command(
            name="report",
            summary="Look at many reports together: pages, counts, routing, worn-out checks.",
            target="kcb_score.report_command:report",
        ),
    )
