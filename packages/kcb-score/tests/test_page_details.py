"""What the page knows of one project: the first wrong response, cut to its room and inert."""

import json
from typing import Any

import msgspec

from kcb_core.page import SourcedReport
from kcb_core.report import Evidence, Exchange, Play, ScenarioReport, TaskReport
from kcb_score.page.details import Room, details, room_for


def wrong(bench: Any, **changes: Any) -> TaskReport:
    """A failed report with evidence, of which ``changes`` are fields."""
    evidence = Evidence(
        session=1,
        request_index=4,
        request='{"id":5}',
        expected='{"id":5,"ok":true}',
        received='{"id":5,"ok":false}',
        difference="$.ok: expected true, received false",
        before=(Exchange(request="q", response="a"),),
    )
    report: TaskReport = bench.report(bench.tasks("easy")[0], "failed")
    scenario: ScenarioReport = msgspec.structs.replace(
        report.scenarios[0],
        evidence=msgspec.structs.replace(evidence, **changes),
        plays=(Play(wall_s=0.25, cpu_s=0.125, stderr_tail="warned\n", stderr_bytes=7),),
    )
    return msgspec.structs.replace(report, scenarios=(scenario,))


def told(report: TaskReport, characters: int = 12_000) -> Any:
    """The details of a report, as a script reads them."""
    found = details(SourcedReport(source="a.json", report=report), Room(characters))
    return json.loads(json.dumps(found))


def test_the_first_wrong_response_is_told_whole(bench: Any) -> None:
    """Where it stands, what was sent, how it differs, what led to it, how it ended."""
    found = told(wrong(bench))
    assert found["wrong"]["session"] == 1
    assert found["wrong"]["request"] == 4
    assert found["wrong"]["difference"] == "$.ok: expected true, received false"
    assert found["wrong"]["lines"][found["wrong"]["first"]] == ["-", 1, '"ok": true']
    assert found["wrong"]["before"] == [["q", "a"]]
    assert found["ended"]["stderr"] == "warned\n"
    assert found["ended"]["wall_s"] == 0.25
    assert found["file"] == "a.json"


def test_a_resolved_project_has_no_wrong_response(bench: Any) -> None:
    """Nothing is made up where there is nothing."""
    found = told(bench.report(bench.tasks("easy")[0]))
    assert "wrong" not in found
    assert found["outcome"] == "resolved"


def test_no_response_is_said(bench: Any) -> None:
    """An empty response and no response look alike otherwise."""
    assert told(wrong(bench, received=""))["wrong"]["silent"] is True


def test_control_characters_and_reordering_stand_as_escapes(bench: Any) -> None:
    """A response may hold anything; nothing of it hides or turns around what stands beside it."""
    hostile = "\x1b]0;title\x07\u202eabc\u2028\ud800</script>"
    text = json.dumps(told(wrong(bench, received=hostile, difference=hostile)), ensure_ascii=False)
    assert not {"\x1b", "\x07", "\u202e", "\u2028", "\ud800"} & set(text)
    assert "\\\\u202e" in text


def test_long_evidence_keeps_to_its_room(bench: Any) -> None:
    """A project that prints megabytes takes no more of the page than any other."""
    long = json.dumps({"rows": ["<" * 300] * 3000})
    report = wrong(bench, received=long, request=long, before=(Exchange(request=long),) * 10)
    assert len(json.dumps(told(report, 2_000))) < 12_000


def test_the_more_failed_the_less_each_is_given(bench: Any) -> None:
    """The page stays of one size; few failures are shown in full."""
    failed = [bench.report(task, "failed") for task in bench.tasks("easy")]
    assert room_for(failed[:1]).characters > room_for(failed * 30).characters
    assert room_for([]).characters > 0
