"""``klein-bench show``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kcb_core.claims import CONTRIVED, LIVE
from kcb_core.report import (
    Outcome,
    ScenarioOutcome,
    ScenarioReport,
    TaskReport,
    Void,
    VoidCause,
    write_report,
)
from kcb_core.testing.values import small_report, small_task, small_trial
from kcb_core.trial import (
    FORMAT_VIOLATION,
    Attribution,
    TrialFault,
    TrialStatus,
    write_trial,
)

Run = Callable[..., Any]
GOLDEN = Path(__file__).parent / "golden"


def test_prompt_is_shown_as_it_is(klein_bench: Run, toy_plugin: tuple[str, object]) -> None:
    """It can be piped to a model: not one character more or less."""
    done = klein_bench("show", "toy-easy-001-amounts", plugins=[toy_plugin])
    assert (done.status, done.out, done.err) == (0, small_task().prompt, "")


def test_task_is_shown_for_programs(klein_bench: Run, toy_plugin: tuple[str, object]) -> None:
    """No test stands in it, so that it may be handed to whoever writes the program."""
    done = klein_bench("show", "toy-max-001-amounts", "--json", plugins=[toy_plugin])
    shown = json.loads(done.out)
    assert list(shown) == ["task_id", "subset", "family", "title", "start", "prompt"]
    assert shown["prompt"] == small_task().prompt


def test_failed_report_shows_what_went_wrong_first(klein_bench: Run) -> None:
    """The first wrong response beside the expected one is what people look for."""
    done = klein_bench("show", GOLDEN / "report-v1.json")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines() == [
        "kcb-max-001-word-frequency: failed (wrong_response): session 1, request 2: "
        '$.result.revision: expected 2, received "\\ud800"',
        "assertions 5/12; launcher interpreter, confinement basic; 12.5 s",
        "note: 1 surviving child killed",
        "scenario\ttags\tpassed\tkind\treason",
        "durability-1\tdurability,tokens\t3/6\twrong_response\tsession 1, request 2: "
        '$.result.revision: expected 2, received "\\ud800"',
        "1 scenarios were not reached",
        "first wrong response, scenario durability-1:",
        '  > {"id":2,"op":"begin"}',
        '  < {"id":2,"ok":true}',
        "  > {",
        "  < ",
        '  > {"id":3,"op":"get","key":"é\\u2028😀"}',
        '  < {"id":3,"ok":true,"result":{"revision":"\\ud800"}}',
        '  expected {"id":3,"ok":true,"result":{"revision":2}}',
        '  at $.result.revision: expected 2, received "\\ud800"',
    ]


@pytest.mark.parametrize(
    ("report", "line"),
    [
        (small_report(), "resolved"),
        (small_report(public_only=True), "resolved (public examples only)"),
        (small_report(training=True), "resolved (in training)"),
        (
            small_report(
                outcome=Outcome.VOID, void=Void(cause=VoidCause.MACHINE, reason="disk full")
            ),
            "void (machine): disk full",
        ),
    ],
    ids=["resolved", "public", "training", "void"],
)
def test_outcome_is_one_line(
    klein_bench: Run, tmp_path: Path, report: TaskReport, line: str
) -> None:
    """Whoever loops over a thousand reports reads the first line of each."""
    write_report(report, tmp_path / "r.json")
    done = klein_bench("show", tmp_path / "r.json")
    assert done.status == 0
    assert done.out.splitlines()[0] == f"toy-easy-001-amounts: {line}"
    assert len(done.out.splitlines()) == 2


def test_report_is_shown_for_programs(klein_bench: Run) -> None:
    """It is the report itself."""
    done = klein_bench("show", GOLDEN / "report-v1.json", "--json")
    stored = json.loads((GOLDEN / "report-v1.json").read_text())
    assert json.loads(done.out) == stored


def test_failed_scenario_without_a_failure_is_shown_all_the_same(
    klein_bench: Run, tmp_path: Path
) -> None:
    """Another program's report may say less; that is no fault of this one."""
    scenario = ScenarioReport(name="s", outcome=ScenarioOutcome.FAILED, passed=0, total=1)
    write_report(small_report(scenarios=(scenario,)), tmp_path / "r.json")
    done = klein_bench("show", tmp_path / "r.json")
    assert done.status == 0
    assert done.out.splitlines()[-1] == "s\t\t0/1\t\t"


def test_hostile_text_in_a_report_does_not_reach_the_terminal(
    klein_bench: Run, tmp_path: Path
) -> None:
    """A report holds what a candidate wrote."""
    write_report(small_report(notes=("\x1b]0;owned\x07[bold]\u202e",)), tmp_path / "r.json")
    done = klein_bench("show", tmp_path / "r.json")
    assert done.out.splitlines()[-1] == "note: \\x1b]0;owned\\x07[bold]\\u202e"


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (
            "nonsense",
            "error: 'nonsense' is no task id; one looks like kcb-easy-001-word-frequency\n",
        ),
        ("kcb-easy-001-x", "error: unknown dataset 'kcb'; no dataset is installed\n"),
        ("results/first", "error: results/first: no such file\n"),
        ("first.json", "error: first.json: no such file\n"),
    ],
)
def test_what_is_neither_is_refused(klein_bench: Run, what: str, message: str) -> None:
    """One line says what was expected."""
    done = klein_bench("show", what)
    assert (done.status, done.out, done.err) == (2, "", message)


def test_name_that_no_file_could_have_is_refused(klein_bench: Run) -> None:
    """A prompt pasted in place of its name is the caller's mistake, and no fault of ours."""
    done = klein_bench("show", "x" * 5_000)
    assert done.status == 2
    assert "is no task id" in done.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"kind": "baseline"}',
            "field 'kind': 'baseline' is not shown; documents of these kinds are: task-report, "
            "trial-report, run-record, generation, and transcripts in *.jsonl",
        ),
        ('{"kind": "task-report"}', "field 'report_version': None is not known"),
    ],
)
def test_what_is_no_report_is_refused(
    klein_bench: Run, tmp_path: Path, text: str, message: str
) -> None:
    """Exit status 2: the file is the caller's, and the line says what would be shown."""
    (tmp_path / "r.json").write_text(text)
    done = klein_bench("show", tmp_path / "r.json")
    assert done.status == 2
    assert done.err.startswith(f"error: {tmp_path}/r.json: {message}")


def test_trial_report_shows_every_check_with_whose_fault_it_is(klein_bench: Run) -> None:
    """A tool's fault has no code, an agent's has one."""
    done = klein_bench("show", GOLDEN / "trial-report-v1.json")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[:2] == [
        "toytool, drill broken-config, level 2, model vendor/small-1:free: failed",
        "stopped at the bound of turns",
    ]
    rows = [line.split("\t") for line in lines[3:-2]]
    assert [row[:4] for row in rows] == [
        ["step-executed", "envelope", "passed", ""],
        ["names-the-missing-key", "envelope", "failed", "tool"],
        ["follows-the-hint", "suggestions", "failed", "agent ERR_TOOL_EXECUTION_HALLUCINATION"],
    ]
    assert lines[-2:] == [LIVE, CONTRIVED]
    stored = json.loads((GOLDEN / "trial-report-v1.json").read_text())
    assert json.loads(klein_bench("show", GOLDEN / "trial-report-v1.json", "--json").out) == stored


def test_invalid_output_shows_the_fault_of_the_whole_trial(
    klein_bench: Run, tmp_path: Path
) -> None:
    """It is of no check."""
    fault = TrialFault(fault=Attribution.AGENT, code=FORMAT_VIOLATION, reason="no action, twice")
    report = small_trial(status=TrialStatus.INVALID_OUTPUT, fault=fault)
    write_trial(report, tmp_path / "t.json")
    assert klein_bench("show", tmp_path / "t.json").out.splitlines()[1] == (
        "fault of the agent, ERR_ACTION_FORMAT_VIOLATION: no action, twice"
    )


def test_run_record_shows_what_is_known_and_what_is_not(klein_bench: Run, tmp_path: Path) -> None:
    """Whoever fills one in sees what is still to be found out."""
    path = tmp_path / "r.toml"
    path.write_text('model_name = "m"\ntools = []\n[usage]\ninput_tokens = 3\n')
    done = klein_bench("show", path)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[:4] == ["field\tvalue", "model_name\tm", "tools\t[]", 'usage\t{"input_tokens":3}']
    assert lines[4].startswith("not known: model_version, parameters, quantization, ")
    assert "usage.reasoning_tokens" in lines[4]
    assert json.loads(klein_bench("show", path, "--json").out) == {
        "model_name": "m",
        "tools": [],
        "usage": {"input_tokens": 3},
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [("r.toml", "sead = 7"), ("r.toml", "seed ="), ("r.json", "{"), ("r.json", '{"kind": 7}')],
)
def test_file_that_cannot_be_shown_is_one_line(
    klein_bench: Run, tmp_path: Path, name: str, text: str
) -> None:
    """It names the file, whatever the file was meant to be."""
    (tmp_path / name).write_text(text)
    done = klein_bench("show", tmp_path / name)
    assert (done.status, done.out) == (2, "")
    assert f"{name}: " in done.err
