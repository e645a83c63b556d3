"""Where the numbers come from, how the projects were made, and how far the numbers reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from kcb_core.codec import compact
from kcb_core.page import Block, Heading, PageData, Paragraph, Preformatted, Table, Tone
from kcb_core.report import TaskReport
from kcb_core.run_record import RunRecord
from kcb_score.page.recorded import held, setting
from kcb_score.page.visible import shown
from kcb_score.page.wording import NOT_KNOWN, subject_name
from kcb_score.text import provenance_lines

CLAIM_LIMITS = (
    "The numbers speak of these tasks, judged on this machine by this version, with one project a "
    "task as it was handed in. An interval covers the drawing of tasks and nothing else: no other "
    "seed, prompt, day or setting of the model.",
)

_PER_PROJECT = frozenset({"usage", "cost", "wall_s", "stop_reason", "interventions"})
"""Fields of a run record that say something of one project, and so differ from task to task."""


class Origin:
    """Provenance and claim limits."""

    name = "How far this reaches"
    order = 900

    def render(self, data: PageData) -> Iterable[Block]:
        """Limits of the claim, how the projects were made, and by what they were judged."""
        for text in (*CLAIM_LIMITS, *data.score.notes):
            yield Paragraph(text=text)
        yield Heading(text="How the projects were made")
        subjects = [subject.subject for subject in data.score.subjects]
        reports = {
            name: [s.report for s in data.reports if s.report.subject == name] for name in subjects
        }
        table = _settings(reports)
        if table.rows:
            yield table
        else:
            yield Paragraph(text="The reports hold no run record.", tone=Tone.NOTE)
        for name, told in _missing(reports):
            yield Paragraph(text=f"Not known of {subject_name(name)}: {told}.", tone=Tone.NOTE)
        yield Heading(text="By what they were judged")
        lines = "\n".join(shown(line, 2000) for line in provenance_lines(data.score))
        yield Preformatted(text="\n".join((lines, *_hosts(data))))


def _settings(reports: dict[str, list[TaskReport]]) -> Table:
    names = [name for name in RunRecord.__struct_fields__ if name not in _PER_PROJECT]
    rows = []
    for path in (*((name,) for name in names), ("cost", "prices")):
        cells = tuple(_value(those, *path) for those in reports.values())
        if any(cell != NOT_KNOWN for cell in cells):
            rows.append((path[-1].replace("_", " "), *cells))
    return Table(
        caption="Run records: what all projects of a subject have in common",
        columns=("setting", *(subject_name(name) for name in reports)),
        rows=tuple(rows),
    )


def _value(reports: Iterable[TaskReport], *path: str) -> str:
    """What the records of one subject say at a place, or how many things they say."""
    stated = (held(report.run_record, *path) for report in reports)
    found = Counter(setting(value) for value in stated if value is not None)
    if not found:
        return NOT_KNOWN
    first = shown(next(iter(found)), 160)
    return first if len(found) == 1 else f"{first} and {len(found) - 1} others"


def _missing(reports: dict[str, list[TaskReport]]) -> Iterator[tuple[str, str]]:
    for name, those in reports.items():
        fields = sorted({field for report in those for field in report.missing_fields})
        if fields:
            yield name, ", ".join(field.replace("_", " ") for field in fields)


def _hosts(data: PageData) -> Iterator[str]:
    hosts = Counter(
        f"{host.system} {host.machine}, {host.cpus} CPUs {host.cpu_model}".strip()
        for host in (sourced.report.host for sourced in data.reports)
    )
    for host, number in hosts.most_common(8):
        yield f"{shown(host, 200)}: {number} reports"
    plugins = {compact(dict(sorted(s.report.plugins.items()))) for s in data.reports}
    if len(plugins) > 1:
        yield f"plug-ins differ: {len(plugins)} sets of versions"
