"""What the page knows of one project behind its row: the first wrong response and all around it.

Everything here is text for a script that sets it as text. How much of it there is depends on how
many projects share a page, so that its size stays within bounds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kcb_core.page import SourcedReport
from kcb_core.report import Evidence, Outcome, Play, ScenarioReport, TaskReport
from kcb_score.page.difference import Line, Mark, diff
from kcb_score.page.visible import around, shown

PAGE_ROOM = 1_200_000
"""Characters of evidence that all projects of a page share."""

_LEAST_ROOM, _MOST_ROOM = 1_200, 12_000
"""Bounds of the characters of evidence of one project."""

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Room:
    """How many characters of evidence one project gets."""

    characters: int

    @property
    def lines(self) -> int:
        """Lines of a diff."""
        return max(8, self.characters // 120)

    @property
    def exchange(self) -> int:
        """Characters of each request and response before the wrong one."""
        return self.characters // 24

    @property
    def text(self) -> int:
        """Characters of a request, or of standard error."""
        return self.characters // 6


def room_for(reports: Iterable[TaskReport]) -> Room:
    """The room of each project, so that all failed ones together fit into one page."""
    failed = sum(report.outcome is Outcome.FAILED for report in reports)
    return Room(max(_LEAST_ROOM, min(_MOST_ROOM, PAGE_ROOM // max(failed, 1))))


def details(sourced: SourcedReport, room: Room) -> Json:
    """What is known of one project, with short names, as it stands in the page.

    ``wrong`` is the first wrong response that the report holds. A value that is not there is left
    out.
    """
    report = sourced.report
    failing = next((s for s in report.scenarios if s.evidence), None)
    ended = failing or next((s for s in report.scenarios if s.failure), None)
    return _without_empty(
        {
            "subject": shown(report.subject, 120),
            "repetition": report.repetition,
            "outcome": str(report.outcome),
            "kind": str(report.failure.kind).replace("_", " ") if report.failure else "",
            "reason": shown(_reason(report), room.text),
            "file": shown(sourced.source, 400),
            "page": [sourced.page.href, sourced.page.text] if sourced.page else [],
            "passed": report.passed,
            "total": report.total,
            "wall_s": round(report.wall_s, 3),
            "cpu_s": round(report.cpu_s, 3),
            "finished": shown(report.finished, 40),
            "problems": [shown(line, 400) for s in report.scenarios for line in s.problems[:40]],
            "notes": [shown(note, 400) for note in report.notes[:8]],
            "scenarios": [_scenario(scenario) for scenario in report.scenarios],
            "wrong": _wrong(failing, failing.evidence, room)
            if failing and failing.evidence
            else {},
            "ended": _ended(ended, room) if ended else {},
        }
    )


def _reason(report: TaskReport) -> str:
    if report.failure:
        return report.failure.reason
    return report.void.reason if report.void else ""


def _scenario(scenario: ScenarioReport) -> list[object]:
    """Name, tags, outcome, right and expected responses."""
    tags = ", ".join(scenario.tags)
    return [
        *(shown(scenario.name, 80), shown(tags, 80), str(scenario.outcome)),
        *(scenario.passed, scenario.total),
    ]


def _wrong(scenario: ScenarioReport, evidence: Evidence, room: Room) -> Json:
    lines = diff(evidence.expected, evidence.received, most=room.lines)
    return _without_empty(
        {
            "scenario": shown(scenario.name, 80),
            "session": evidence.session,
            "request": evidence.request_index,
            "sent": shown(evidence.request, room.text),
            "silent": not evidence.received,
            "difference": shown(evidence.difference, room.text),
            "lines": [_line(line) for line in lines],
            "first": next((n for n, one in enumerate(lines) if one.mark is not Mark.BOTH), -1),
            "before": [
                [around(e.request, 0, room.exchange), shown(e.response, room.exchange)]
                for e in evidence.before
            ],
        }
    )


def _line(line: Line) -> list[object]:
    return [str(line.mark), line.depth, line.text]


def _ended(scenario: ScenarioReport, room: Room) -> Json:
    """The playing that counts: how long it took and what it said on standard error."""
    play = scenario.plays[-1] if scenario.plays else Play()
    tail = play.stderr_tail
    return _without_empty(
        {
            "scenario": shown(scenario.name, 80),
            "plays": len(scenario.plays),
            "wall_s": round(play.wall_s, 4),
            "cpu_s": round(play.cpu_s, 4),
            "timer": shown(play.timer, 20),
            "stderr": shown(tail[-room.text :]),
            "stderr_bytes": play.stderr_bytes,
            "stdout_bytes": play.stdout_bytes,
            "survivors": play.survivors_killed,
        }
    )


def _without_empty(value: Json) -> Json:
    return {name: held for name, held in value.items() if held not in ("", [], {}, None, False)}
