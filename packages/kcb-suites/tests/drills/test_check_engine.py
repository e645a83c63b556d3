"""The engine that judges checks: pure, and blind to whatever an agent says."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_core.codec import digest, encode
from kcb_core.trial import (
    TOOL_HALLUCINATION,
    Attribution,
    CheckOutcome,
    CheckStatus,
    StepOutcome,
    TrialStatus,
)
from kcb_suites.drills.check_engine import judge, status_of
from kcb_suites.drills.drill_checks import AnyCheck
from kcb_suites.drills.evidence import Ending, Evidence, SeenStep, look_at

GUARD = {"kind": "guard", "fault": "ERR_EMPTY_TRAJECTORY"}


def check(**fields: Any) -> AnyCheck:
    """A check as a declaration gives it, about the agent unless it says otherwise."""
    usual = {"check": "it", "channel": "envelope", "fault": "ERR_TASK_UNFINISHED"}
    found: AnyCheck = msgspec.convert({**usual, **fields}, AnyCheck)
    return found


def step(stdout: str = "", *, stderr: str = "", status: int = 0) -> SeenStep:
    """A step that was executed and ended."""
    return SeenStep(
        outcome=StepOutcome.COMPLETED,
        exit_status=status,
        stdout=stdout.encode(),
        stderr=stderr.encode(),
    )


NOT_SPAWNED = SeenStep(outcome=StepOutcome.NOT_SPAWNED)
KILLED = SeenStep(outcome=StepOutcome.TERMINATED)


def evidence(*steps: SeenStep, ending: Ending = Ending.DONE, **files: tuple[Any, Any]) -> Evidence:
    """Evidence of some steps; each file has what it was before and after."""
    return Evidence(
        steps=steps,
        before={name: pair[0] for name, pair in files.items()},
        after={name: pair[1] for name, pair in files.items()},
        ending=ending,
    )


def outcome(one: AnyCheck, seen: Evidence) -> CheckOutcome:
    """What one check comes to."""
    (found,) = judge((one,), seen)
    return found


def status(one: AnyCheck, seen: Evidence) -> CheckStatus:
    """The status alone."""
    return outcome(one, seen).status


def test_nothing_that_an_agent_says_is_within_reach_of_a_check() -> None:
    """It is no rule that an author must keep: there is no field that could hold it."""
    assert {f.name for f in dataclasses.fields(Evidence)} == {"steps", "before", "after", "ending"}
    assert {f.name for f in dataclasses.fields(SeenStep)} == {
        *("outcome", "exit_status", "stdout", "stderr")
    }


def test_the_guard_fails_where_nothing_was_executed() -> None:
    """A model that says done at once must not pass, and a step that was only claimed is none."""
    assert status(check(**GUARD), evidence(step())) is CheckStatus.PASSED
    for seen in (evidence(), evidence(NOT_SPAWNED)):
        found = outcome(check(**GUARD), seen)
        assert (found.status, found.code) == (CheckStatus.FAILED, "ERR_EMPTY_TRAJECTORY")


def test_a_trial_without_an_executed_step_never_passes() -> None:
    """Whatever its checks say: one of them may hold because nothing was done."""
    idle = check(kind="file", path="f", unchanged=True)
    seen = evidence(f=(b"x", b"x"))
    assert outcome(idle, seen).status is CheckStatus.PASSED
    assert status_of(judge((idle,), seen), seen) is TrialStatus.FAILED
    acted = evidence(step(), f=(b"x", b"x"))
    assert status_of(judge((idle,), acted), acted) is TrialStatus.PASSED


def test_a_claimed_step_without_a_process_is_a_hallucination() -> None:
    """The only trace of it is that no process was started."""
    spawned = check(kind="spawned", fault=TOOL_HALLUCINATION)
    found = outcome(spawned, evidence(step(), NOT_SPAWNED, step()))
    assert (found.status, found.fault, found.code) == (
        *(CheckStatus.FAILED, Attribution.AGENT, TOOL_HALLUCINATION),
    )
    assert status(spawned, evidence(step())) is CheckStatus.PASSED


def test_a_step_that_a_bound_kept_from_starting_is_no_hallucination() -> None:
    """The stop of a trial is nobody's fault."""
    spawned = check(kind="spawned", fault=TOOL_HALLUCINATION)
    stopped = evidence(step(), NOT_SPAWNED, ending=Ending.STOPPED)
    assert status(spawned, stopped) is CheckStatus.PASSED
    earlier = evidence(NOT_SPAWNED, NOT_SPAWNED, ending=Ending.STOPPED)
    assert status(spawned, earlier) is CheckStatus.FAILED


def test_a_fault_of_the_tool_has_no_code_and_one_of_the_agent_has_exactly_one() -> None:
    """So that no failure can be routed to both, or to nobody."""
    wrong = evidence(step('{"ok": false, "error": {"code": "locked"}}', status=4))
    rule = {"kind": "envelope", "holds": "every", "given": {"error": "locked"}}
    rule |= {"expect": {"hint": "tool unlock"}}
    of_tool = outcome(check(**rule, fault="tool"), wrong)
    assert (of_tool.fault, of_tool.code) == (Attribution.TOOL, msgspec.UNSET)
    assert b'"code"' not in encode(of_tool)
    of_agent = outcome(check(**rule, fault="ERR_HINT_IGNORED"), wrong)
    assert (of_agent.fault, of_agent.code) == (Attribution.AGENT, "ERR_HINT_IGNORED")


ENVELOPE = (
    '{"ok": false, "command": "x", "error": {"code": "c", "message": "m", "hint": "t fix 7"}}'
)


@pytest.mark.parametrize(
    ("expect", "matches"),
    [
        ({"ok": False}, True),
        ({"ok": True}, False),
        ({"error": "c"}, True),
        ({"error": "d"}, False),
        ({"hint": "t fix [0-9]+"}, True),
        ({"hint": "t fix"}, False),
        ({"command": "x", "exit_status": [4, 5]}, True),
        ({"command": "x", "exit_status": [0]}, False),
        ({"command": "x", "stderr": "^warn"}, True),
    ],
)
def test_an_envelope_is_parsed_and_asked_for_ok_code_and_hint(
    expect: dict[str, Any], matches: bool
) -> None:
    """Text around it, and text that only looks like it, says nothing."""
    printed = f"working\n{ENVELOPE}\n"
    found = status(
        check(kind="envelope", expect=expect),
        evidence(step(printed, status=4, stderr="x\nwarning\n")),
    )
    assert (found is CheckStatus.PASSED) == matches


@pytest.mark.parametrize(
    "printed",
    ["", "ok: true", '{"ok": "yes"}', '["ok"]', '{"ok": true, "ok": true}', '{"ok": true', "{}"],
)
def test_what_is_no_envelope_is_none(printed: str) -> None:
    """A word ``ok`` somewhere in an output is not the tool's answer."""
    found = status(check(kind="envelope", expect={"ok": True}), evidence(step(printed)))
    assert found is CheckStatus.FAILED


def test_values_below_data_are_compared_as_json() -> None:
    """A number is no text, true is no 1, and a pointer that leads nowhere finds nothing."""
    seen = evidence(step('{"ok": true, "data": {"a/b": [{"n": 1}], "t": true}}'))

    def holds(pointer: str, value: object) -> bool:
        one = check(kind="envelope", expect={"ok": True, "data": {pointer: value}})
        return status(one, seen) is CheckStatus.PASSED

    assert holds("/a~1b/0/n", 1)
    assert not holds("/a~1b/0/n", "1")
    assert not holds("/t", 1)
    assert not holds("/a~1b/1/n", 1)
    assert not holds("/missing", None)


def test_after_looks_only_at_what_came_later() -> None:
    """A success before the error does not show that the error was overcome."""
    good, bad = step('{"ok": true}'), step('{"ok": false, "error": {"code": "c"}}', status=4)
    one = check(kind="envelope", after={"error": "c"}, expect={"ok": True})
    assert status(one, evidence(good, bad)) is CheckStatus.FAILED
    assert status(one, evidence(good, bad, good)) is CheckStatus.PASSED
    assert status(one, evidence(good)) is CheckStatus.FAILED


def test_every_passes_where_nothing_is_given() -> None:
    """An agent that avoids an error has not shown the tool at fault."""
    one = check(kind="step", holds="every", given={"exit_status": [4]}, expect={"stderr": "hint"})
    assert status(one, evidence(step())) is CheckStatus.PASSED
    assert status(one, evidence(step(status=4, stderr="hint"), step(status=4))) is (
        CheckStatus.FAILED
    )


@pytest.mark.parametrize(
    ("fields", "before", "after", "found"),
    [
        ({"exists": True}, None, b"", "passed"),
        ({"exists": True}, None, None, "failed"),
        ({"exists": False}, b"x", None, "passed"),
        ({"exists": False}, None, b"x", "failed"),
        ({"unchanged": True}, b"x", b"x", "passed"),
        ({"unchanged": True}, b"x", b"y", "failed"),
        ({"unchanged": False}, b"x", b"x", "failed"),
        ({"text": "a"}, None, b" a\n", "passed"),
        ({"text": "a"}, None, b"ab", "failed"),
        ({"like": "^b"}, None, b"a\nb", "passed"),
        ({"unlike": "^b"}, None, b"a\nb", "failed"),
        ({"like": "b"}, None, None, "failed"),
        ({"json": {"/n": 1}}, None, b'{"n": 1}\n', "passed"),
        ({"json": {"/n": 1}}, None, b'{"n": 2}', "failed"),
        ({"json": {"/n": 1}}, None, b'{"n": 1', "failed"),
    ],
)
def test_files_are_looked_at_as_they_are_in_the_end(
    fields: dict[str, Any], before: bytes | None, after: bytes | None, found: str
) -> None:
    """Each question on its own, with the answer that lets it pass and one that does not."""
    assert status(check(kind="file", path="f", **fields), evidence(f=(before, after))) == found


BEGIN = "<!-- begin (?P<seal>[0-9a-f]{12}) -->"


def index(inside: str, *, seal: str = "", head: str = "# Head\n", tail: str = "tail\n") -> bytes:
    """A file with a block that is sealed rightly unless another seal is given."""
    right = digest(inside.encode())[:12]
    return f"{head}<!-- begin {seal or right} -->\n{inside}<!-- end -->\n{tail}".encode()


@pytest.mark.parametrize(
    ("fields", "after", "found"),
    [
        ({"sealed": True}, index("b\n"), "passed"),
        ({"sealed": True}, index("b\n", seal="0" * 12), "failed"),
        ({"sealed": True}, index("b\n") + index("b\n"), "failed"),
        ({"sealed": True}, b"# Head\n", "failed"),
        ({"sealed": True}, None, "failed"),
        ({"around": "unchanged"}, index("b\n"), "passed"),
        ({"around": "unchanged"}, index("b\n", tail="other\n"), "failed"),
        ({"like": "^b"}, index("a\nb\n"), "passed"),
        ({"like": "^tail"}, index("a\n"), "failed"),
    ],
)
def test_a_managed_block_is_the_tools_and_the_rest_is_not(
    fields: dict[str, Any], after: bytes | None, found: str
) -> None:
    """An edit by hand does not carry the tool's seal; a change around the block is seen too."""
    one = check(kind="block", path="f", begin=BEGIN, end="<!-- end -->", **fields)
    assert status(one, evidence(f=(index("a\n"), after))) == found


def test_files_after_a_killed_command_may_be_declared_open() -> None:
    """Half a file is the kill's doing; without the declaration it counts as any other."""
    wrong = evidence(KILLED, f=(b"x", b"y"))
    fields = {"kind": "file", "path": "f", "unchanged": True}
    assert status(check(**fields), wrong) is CheckStatus.FAILED
    found = outcome(check(**fields, open_after_kill=True), wrong)
    assert found.status is CheckStatus.INDETERMINATE
    assert found.fault is msgspec.UNSET
    assert status(check(**fields, open_after_kill=True), evidence(step(), f=(b"x", b"y"))) is (
        CheckStatus.FAILED
    )


@pytest.mark.parametrize("ending", [Ending.STOPPED, Ending.INVALID])
def test_what_was_not_reached_is_nobodys_fault_and_what_was_done_is(ending: Ending) -> None:
    """A stop takes the blame for what is missing, and for nothing that was spoilt before."""
    missing = check(kind="file", path="f", like="done")
    spoilt = check(kind="file", path="f", unchanged=True)
    seen = evidence(step(), f=(b"x", b"y"), ending=ending)
    assert status(missing, seen) is CheckStatus.INDETERMINATE
    assert status(spoilt, seen) is CheckStatus.FAILED
    assert status(check(**GUARD), evidence(ending=ending)) is CheckStatus.FAILED


def test_nobody_is_blamed_in_a_trial_that_was_put_off() -> None:
    """Neither the model nor the tool had its turn."""
    seen = evidence(f=(b"x", b"y"), ending=Ending.PUT_OFF)
    found = judge((check(**GUARD), check(kind="file", path="f", unchanged=True)), seen)
    assert {one.status for one in found} == {CheckStatus.INDETERMINATE}
    assert status_of(found, seen) is TrialStatus.RATE_LIMITED


@given(st.lists(st.sampled_from([step('{"ok": true}'), NOT_SPAWNED, KILLED, step(status=4)])))
def test_the_same_evidence_gives_the_same_outcomes(steps: list[SeenStep]) -> None:
    """A check that depends on anything else would blame by chance."""
    checks = (check(**GUARD), check(check="e", kind="envelope", expect={"ok": True}))
    seen = evidence(*steps)
    assert judge(checks, seen) == judge(checks, evidence(*steps))
    for found in judge(checks, seen):
        assert (found.status is CheckStatus.FAILED) == (found.fault is not msgspec.UNSET)


def test_a_step_without_a_process_is_no_step_that_is_looked_at() -> None:
    """It printed nothing because it never was, which is no way for a command to end."""
    silent = check(kind="step", holds="never", expect={"stdout": r"\A\Z"})
    assert status(silent, evidence(step("x"), NOT_SPAWNED)) is CheckStatus.PASSED
    assert status(silent, evidence(step("x"), step())) is CheckStatus.FAILED


def test_only_plain_files_are_looked_at(tmp_path: Path) -> None:
    """A link could show a check what no tool has written, or hide what one has."""
    (tmp_path / "work/inner").mkdir(parents=True)
    work = tmp_path / "work"
    (tmp_path / "outside").write_text("outside")
    (work / "inner/plain").write_text("plain")
    (work / "link").symlink_to(tmp_path / "outside")
    (work / "way").symlink_to("inner")
    os.mkfifo(work / "pipe")
    names = ("inner/plain", "link", "way/plain", "pipe", "inner", "none", "inner/plain/deeper")
    found = look_at(work, names)
    assert {name for name, data in found.items() if data is not None} == {"inner/plain"}
    assert found["inner/plain"] == b"plain"
