"""Trial reports: what is stored, what contradicts itself, and what is read."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_core.codec import Json, decode, encode, parse
from kcb_core.errors import DataError
from kcb_core.run_record import StatedUsage
from kcb_core.testing.strategies import texts
from kcb_core.testing.values import small_check, small_trial
from kcb_core.trial import (
    FORMAT_VIOLATION,
    TOOL_HALLUCINATION,
    Attribution,
    BoundName,
    Bounds,
    Channel,
    CheckOutcome,
    CheckStatus,
    Code,
    FaultCode,
    Step,
    StepOutcome,
    TrialFault,
    TrialReport,
    TrialStatus,
    read_trial,
    write_trial,
)

GOLDEN = Path(__file__).parent / "golden"
CODES = (FORMAT_VIOLATION, TOOL_HALLUCINATION)
BROKEN_FORM = TrialFault(fault=Attribution.AGENT, code=FORMAT_VIOLATION, reason="no action, twice")
OPEN = small_check(status=CheckStatus.INDETERMINATE, reason="the trial ended before")
TOOL = small_check(fault="tool")
AGENT = small_check(fault="agent", code=TOOL_HALLUCINATION)


@st.composite
def trials(draw: st.DrawFn) -> TrialReport:
    """Trial reports of every status and level that hold together."""
    words = texts(12).filter(bool)
    names = draw(st.lists(words, min_size=1, max_size=3, unique=True))
    status = draw(st.sampled_from(TrialStatus))
    kinds = {TrialStatus.PASSED: (None,), TrialStatus.RATE_LIMITED: (None, OPEN)}
    checks = [
        msgspec.structs.replace(draw(st.sampled_from(kinds.get(status, (None, OPEN, TOOL, AGENT))))
                                or small_check(), check=name, reason=draw(texts()))
        for name in names
    ]  # fmt: skip
    if status is TrialStatus.FAILED:
        checks[0] = msgspec.structs.replace(draw(st.sampled_from([OPEN, TOOL, AGENT])),
                                            check=names[0])  # fmt: skip
    changes: dict[str, Any] = {"checks": tuple(checks), "status": status}
    if status is TrialStatus.INVALID_OUTPUT:
        changes["fault"] = BROKEN_FORM
    if status is TrialStatus.RATE_LIMITED:
        changes["retry_delays_s"] = (2.0,)
    if draw(st.booleans()):
        changes |= {"level": draw(st.sampled_from([0, 1])), "model": "", "steps": ()}
    changes |= {"drill": draw(words), "tool": draw(words), "finished": draw(texts(8))}
    return small_trial(**changes)


def stored(folder: Path, **changes: Json) -> Path:
    """A small report as a file in which some members were changed; an ellipsis takes one out."""
    document = parse(encode(small_trial())) | changes
    path = folder / "trial.json"
    path.write_bytes(encode({k: v for k, v in document.items() if v is not ...}))
    return path


@given(trials())
def test_report_comes_back_as_it_was(report: TrialReport) -> None:
    """Also with line separators and control characters in its texts."""
    data = encode(report)
    assert decode(data, TrialReport, source="r") == report
    assert b"null" not in data.replace(b'"null"', b"")


def test_golden_report_is_read_for_ever() -> None:
    """A file that somebody stored with version 1 must not become unreadable."""
    report = read_trial(GOLDEN / "trial-report-v1.json", CODES)
    assert (report.tool, report.status, report.live) == ("toytool", TrialStatus.FAILED, True)
    assert [check.status for check in report.checks] == ["passed", "failed", "failed"]
    assert encode(report) == (GOLDEN / "trial-report-v1.json").read_bytes()


def test_byte_order_mark_is_let_be(tmp_path: Path) -> None:
    """An editor may have put one there."""
    path = tmp_path / "r.json"
    path.write_bytes(b"\xef\xbb\xbf" + encode(small_trial()))
    assert read_trial(path, CODES) == small_trial()


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c", "\n"])
def test_line_separators_stay_in_their_string(tmp_path: Path, separator: str) -> None:
    """A reason is one string, whatever a program thinks a line is."""
    report = small_trial(checks=(small_check(reason=f"a{separator}b"),), drill=f"d{separator}")
    write_trial(report, tmp_path / "r.json")
    assert read_trial(tmp_path / "r.json", CODES) == report


def test_three_vocabularies_are_three_types() -> None:
    """What came of a trial, whose fault it is, and which fault are never mixed up."""
    words = [set(TrialStatus), set(Attribution), set(CODES)]
    assert len(set.union(*words)) == sum(map(len, words))
    assert Code.__supertype__ is str
    assert not issubclass(TrialStatus, Attribution)


def test_optional_fields_are_left_out(tmp_path: Path) -> None:
    """An unknown number is not zero, and nothing is ever null."""
    document = parse(encode(small_trial(checks=(TOOL,))))
    assert "code" not in document["checks"][0]
    assert {"fault", "usage", "bound_reached", "wall_s"} & document.keys() == set()
    for name in ("level", "repetition", "fault", "usage", "model", "harness"):
        with pytest.raises(DataError, match=f"field '{name}': Expected .*, got 'null'"):
            read_trial(stored(tmp_path, **{name: None}), CODES)


def test_a_row_with_a_model_is_live_unless_it_says_otherwise() -> None:
    """Rows that lack model attribution are never of level 2."""
    assert small_trial().live
    assert small_trial(level=msgspec.UNSET).live
    assert not small_trial(level=1, model="").live
    assert not small_trial(level=1).live
    assert not small_trial(level=msgspec.UNSET, model="").live


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"status": TrialStatus.INVALID_OUTPUT}, "'fault' goes with the status 'invalid_output'"),
        ({"fault": BROKEN_FORM}, "'fault' goes with the status 'invalid_output'"),
        ({"status": TrialStatus.RATE_LIMITED, "checks": (TOOL,), "retry_delays_s": (2.0,)},
         "rate limited has no fault"),
        ({"status": TrialStatus.RATE_LIMITED, "checks": (OPEN,)}, "'retry_delays_s': a trial is"),
        ({"status": TrialStatus.RATE_LIMITED, "fault": BROKEN_FORM, "retry_delays_s": (2.0,)},
         "'fault' goes with"),
        ({"retry_delays_s": (1.9,)}, "a retry waits at least 2 s"),
        ({"status": TrialStatus.PASSED, "checks": (TOOL,)}, "has passed every check"),
        ({"status": TrialStatus.PASSED, "checks": (OPEN,)}, "has passed every check"),
        ({"status": TrialStatus.FAILED}, "a trial that failed has a check that did not pass"),
        ({"bound_reached": BoundName.TURNS}, "stopped at a bound has failed"),
        ({"bound_reached": BoundName.WALL, "status": TrialStatus.FAILED, "level": 1,
          "bounds": Bounds(turns=1)}, "'bounds' has no value of wall"),
        ({"checks": (small_check("a"), small_check("a"))}, "'checks' has 'a' twice"),
        ({"model": ""}, "'model': a row of level 2"),
        ({"repetition": msgspec.UNSET}, "'repetition': a row of level 2"),
        ({"repetition": msgspec.UNSET, "level": msgspec.UNSET}, "'repetition': a row of level 2"),
        ({"bounds": Bounds(turns=1, wall_s=1.0)}, "has the bound of tokens"),
        ({"steps": ()}, "without an executed step has not passed"),
        ({"steps": (Step(command="x", executed=False, outcome=StepOutcome.NOT_SPAWNED),)},
         "without an executed step has not passed"),
        ({"instead_of": "vendor/small-1:free"}, "does not stand in for itself"),
        ({"stress_test": True, "failure_source": "issue 7"}, "not both"),
    ],
)  # fmt: skip
def test_report_that_contradicts_itself_is_refused(changes: dict[str, Any], message: str) -> None:
    """Whoever counts trusts these rules, so they hold in memory and in every file."""
    with pytest.raises(ValueError, match=message):
        small_trial(**changes)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: small_check(status=CheckStatus.FAILED), "'fault' goes with the status 'failed'"),
        (lambda: small_check(fault="tool", status=CheckStatus.INDETERMINATE), "'fault' goes with"),
        (lambda: small_check(fault="tool", code=TOOL_HALLUCINATION), "'code' goes with the fault"),
        (lambda: small_check(fault="agent"), "'code' goes with the fault"),
        (lambda: small_check(code=TOOL_HALLUCINATION), "'code' goes with the fault"),
        (lambda: TrialFault(fault=Attribution.TOOL, code=FORMAT_VIOLATION, reason=""), "agent's"),
        (lambda: TrialFault(fault=Attribution.AGENT, code=TOOL_HALLUCINATION, reason=""), "agent"),
        (lambda: Step(command="x", executed=False, outcome=StepOutcome.TERMINATED), "'executed'"),
        (lambda: Step(command="x", executed=True, outcome=StepOutcome.NOT_SPAWNED), "'executed'"),
        (lambda: Step(command="x", executed=True, outcome=StepOutcome.TERMINATED, exit_status=1),
         "'exit_status' goes with"),
        (lambda: FaultCode(code="err_small", summary=""), "no fault code"),
        (lambda: FaultCode(code="ERR_", summary=""), "no fault code"),
    ],
)  # fmt: skip
def test_part_that_contradicts_itself_is_refused(make: Any, message: str) -> None:
    """A tool fault has no code, an agent's fault exactly one, and anything else no fault."""
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "task-report"}, "field 'kind': 'task-report' is not 'trial-report'"),
        ({"kind": ...}, "field 'kind': None is not 'trial-report'"),
        ({"report_version": 2, "status": 7}, "field 'report_version': 2 is not known, this version "
         "reads 1; upgrade kcb-core"),
        ({"report_version": True}, "field 'report_version': True is not known"),
        ({"status": "error"}, "field 'status': Invalid enum value 'error'"),
        ({"checks": []}, "field 'checks': Expected 'array' of length >= 1"),
        ({"bounds": ...}, "Object missing required field 'bounds'"),
        ({"level": 3}, "field 'level': Expected 'int' <= 2"),
        ({"repetition": -1}, "field 'repetition': Expected 'int' >= 0"),
        ({"drill": ""}, "field 'drill': Expected 'str' of length >= 1"),
        ({"checks": [{"check": "a", "status": "failed", "reason": "", "fault": "agent",
          "code": "oops"}], "status": "failed"},
         "field 'checks[0].code': Expected 'str' matching"),
        ({"checks": [{"check": "a", "status": "failed", "reason": ""}], "status": "failed"},
         "field 'checks[0]': field 'fault' goes with the status 'failed'"),
        ({"checks": [{"check": "a", "status": "failed", "reason": "", "fault": "agent",
          "code": "ERR_ACTION_FORMAT_VIOLATIONS"}], "status": "failed"},
         "field 'checks[0].code': unknown fault code 'ERR_ACTION_FORMAT_VIOLATIONS'; did you mean "
         "'ERR_ACTION_FORMAT_VIOLATION'?; install the plug-in that brings it"),
    ],
)  # fmt: skip
def test_wrong_report_is_named_by_file_and_field(
    tmp_path: Path, changes: dict[str, Json], message: str
) -> None:
    """What cannot be counted rightly is not counted at all."""
    path = stored(tmp_path, **changes)
    with pytest.raises(DataError) as caught:
        read_trial(path, CODES)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_unknown_fields_are_skipped_within_a_version(tmp_path: Path) -> None:
    """An old reader works with what a newer writer of the same version adds, at any depth."""
    document = parse(encode(small_trial(usage=StatedUsage(input_tokens=1))))
    document["checks"][0]["mood"] = "bright"
    document["usage"]["telepathy_tokens"] = 7
    document["bounds"]["patience"] = 1
    path = stored(tmp_path, mood=1, **{k: document[k] for k in ("checks", "usage", "bounds")})
    assert read_trial(path, CODES) == small_trial(usage=StatedUsage(input_tokens=1))


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"\xff\xfe{}", b'{"kind": NaN}', b'{"kind": 1, "kind": 2}', b"[" * 10_000],
)
def test_file_that_is_no_report_is_one_line(tmp_path: Path, data: bytes) -> None:
    """Truncated, foreign or hostile: named, and never a traceback."""
    path = tmp_path / "r.json"
    path.write_bytes(data)
    with pytest.raises(DataError) as caught:
        read_trial(path, CODES)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_every_channel_is_one_of_four() -> None:
    """Work is routed to a channel, so there must be somebody to whom it belongs."""
    assert set(Channel) == {"suggestions", "envelope", "managed-block", "artifact"}
    assert json.loads(encode(CheckOutcome(check="a", status=CheckStatus.PASSED, reason="",
                                          channel=Channel.MANAGED_BLOCK)))["channel"] == (
        "managed-block"
    )  # fmt: skip
