"""Level 2: the real agent through the real sandbox, asking a scripted provider on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.testing.provider import Provider
from kcb_core.transcript import Message
from kcb_core.transcript_file import read_transcript

Call = Callable[..., Any]
Live = Callable[..., tuple[Any, dict[str, Any]]]

MODEL = "vendor/tiny-1:free"

pytestmark = [pytest.mark.workspace, pytest.mark.usefixtures("sandboxed")]


@pytest.fixture(autouse=True)
def _own_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks of this test alone: no other test is waited for."""
    for name in ("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"):
        (tmp_path / name.lower()).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name.lower()))


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A real HTTP server that answers by a script."""
    with Provider().serving() as serving:
        yield serving


@pytest.fixture
def live(folder: Path, tmp_path: Path, call: Call, provider: Provider) -> Live:
    """One trial of the drill ``say``, and its report as JSON; empty where there is none."""

    def run(*words: str, model: str = MODEL) -> tuple[Any, dict[str, Any]]:
        usual = ["drill", "run", folder, "--level", 2, "--drill", "say", "--out", tmp_path / "out"]
        usual += ["--model", model, "--base-url", provider.url, "--api", "openai"]
        done = call([*usual, *words])
        paths = sorted((tmp_path / "out/reports").glob("*.json"))
        return done, json.loads(paths[-1].read_bytes()) if paths else {}

    return run


def act(command: str | None, *, done: bool = False) -> str:
    """An action as a well-behaved model writes it."""
    return json.dumps({"done": done} if command is None else {"command": command, "done": done})


def statuses(report: dict[str, Any]) -> dict[str, str]:
    """The status of each check."""
    return {check["check"]: check["status"] for check in report["checks"]}


def test_passed(provider: Provider, live: Live) -> None:
    """The agent looks, follows the hint, and is done; the row has all that level 2 asks for."""
    provider.says(act("echoer"))
    provider.says(act("echoer say hello", done=True))
    done, report = live()
    assert done.status == 0, done.err
    assert (report["status"], report["level"]) == ("passed", 2)
    assert (report["model"], report["repetition"]) == (MODEL, 0)
    bounds = {"turns": 4, "wall_s": 60.0, "estimated_tokens": 20000, "command_s": 5.0}
    assert report["bounds"] == bounds
    assert [(s["command"], s["executed"], s["exit_status"]) for s in report["steps"]] == [
        ("echoer", True, 4),
        ("echoer say hello", True, 0),
    ]
    assert set(statuses(report).values()) == {"passed"}
    assert report["estimated_tokens"] > 0
    assert "Level 2 shows" in done.out


def test_failed_by_the_agent(provider: Provider, live: Live) -> None:
    """It spoils a file: exactly that check fails, with exactly one code."""
    provider.says(act("rm README.txt; echoer say hello", done=True))
    done, report = live()
    assert done.status == 0
    assert report["status"] == "failed"
    wrong = [check for check in report["checks"] if check["status"] != "passed"]
    assert [(c["check"], c["fault"], c["code"]) for c in wrong] == [
        ("readme-kept", "agent", "ERR_COLLATERAL_CHANGE")
    ]


def test_doing_nothing_is_not_passing(provider: Provider, live: Live) -> None:
    """An immediate done, whatever the model says beside it."""
    provider.says(
        '<think>I ran echoer say hello, and it said {"ok": true}.</think>' + act(None, done=True)
    )
    _, report = live()
    assert report["status"] == "failed"
    assert statuses(report)["acted"] == "failed"
    assert "steps" not in report or report["steps"] == []


def test_invalid_output(provider: Provider, live: Live) -> None:
    """Two replies in a row are no action: the agent's fault, of the whole trial."""
    provider.says(act("echoer say hello"))
    provider.says("I am done!")
    provider.says("Really.")
    _, report = live()
    assert report["status"] == "invalid_output"
    assert report["fault"]["code"] == "ERR_ACTION_FORMAT_VIOLATION"
    assert "fault" not in {key for check in report["checks"] for key in check}


def test_rate_limited(provider: Provider, live: Live) -> None:
    """Asked once more after the wait, then put off: no fault, and the delay is recorded."""
    for _ in range(2):
        provider.fails(429, Retry_After="2")
    done, report = live()
    assert done.status == 3
    assert report["status"] == "rate_limited"
    assert report["retry_delays_s"] == [2.0]
    assert set(statuses(report).values()) <= {"indeterminate", "passed"}
    assert "fault" not in report
    assert len(provider.requests) == 2
    assert {request["model"] for request in provider.requests} == {MODEL}


def test_a_bound_ends_a_trial_and_is_nobodys_fault(provider: Provider, live: Live) -> None:
    """The first bound that is reached is named; what is missing then is not blamed on anybody."""
    for _ in range(4):
        provider.says(act("echoer"))
    _, report = live()
    assert (report["status"], report["bound_reached"]) == ("failed", "turns")
    assert statuses(report) == {
        **{"acted": "passed", "said": "indeterminate", "hinted": "passed"},
        "readme-kept": "passed",
    }


def test_an_endpoint_that_fails_leaves_no_report(provider: Provider, live: Live) -> None:
    """Nothing is known of the model, so no row may say anything."""
    provider.fails(401, b'{"error": {"message": "no key"}}')
    done, report = live()
    assert (done.status, report) == (3, {})


def test_the_agent_is_told_prompt_and_path_and_nothing_else(
    provider: Provider, live: Live, tmp_path: Path
) -> None:
    """No check, no expected outcome and no word of the registry is in any context."""
    provider.says(act("ls", done=True))
    live()
    (path,) = (tmp_path / "out/transcripts").glob("*.jsonl")
    told = [e.event for e in read_transcript(path).entries if isinstance(e.event, Message)]
    first = told[0].text
    assert first.endswith("Let echoer say the word hello.")
    asked = json.dumps(provider.requests)
    for hidden in ("CANARY-LURE", "ERR_", "readme-kept", "distractor", "OLD.txt", "fixture"):
        assert hidden not in asked, hidden


def test_repetitions_and_models_are_rows_of_their_own_and_kept(
    provider: Provider, live: Live, tmp_path: Path
) -> None:
    """A second call asks only for what is missing."""
    for _ in range(4):
        provider.says(act("echoer say hello", done=True))
    done, _ = live("--repetitions", "2", "--model", "vendor/other")
    assert done.status == 0
    rows = [json.loads(p.read_bytes()) for p in (tmp_path / "out/reports").glob("*.json")]
    assert sorted((row["model"], row["repetition"]) for row in rows) == [
        *(("vendor/other", 0), ("vendor/other", 1), (MODEL, 0), (MODEL, 1)),
    ]
    live("--repetitions", "2", "--model", "vendor/other")
    assert len(provider.requests) == 4


def test_a_model_that_stands_in_is_named_with_the_one_that_was_meant(
    provider: Provider, live: Live
) -> None:
    """A substitution is the caller's decision, and never a silent one."""
    provider.says(act("echoer say hello", done=True))
    _, report = live("--instead-of", "vendor/meant")
    assert (report["model"], report["instead_of"]) == (MODEL, "vendor/meant")


def test_rows_of_live_trials_are_counted_routed_and_reviewed(
    provider: Provider, live: Live, call: Call, tmp_path: Path, folder: Path
) -> None:
    """Three models that do nothing make work on the channel; two do not; a check needs a look."""
    out = tmp_path / "out/reports"

    def routed() -> str:
        words = ["report", "route", out, "-o", tmp_path / "routed"]
        models = ("m1", "m2", "m3", "m4")
        said = call([*words, *(word for model in models for word in ("--model", model))])
        return str(said.out)

    for model in ("m1", "m2"):
        provider.says(act(None, done=True))
        live(model=model)
    assert "work on channels 0" in routed()
    provider.says(act(None, done=True))
    live(model="m3")
    assert "work on channels 2" in routed()
    aggregated = call(["report", "aggregate", out]).out
    assert "ERR_EMPTY_TRAJECTORY 1" in aggregated
    stale = call(["report", "stale", out, "--declarations", folder / "drills"])
    assert stale.status == 1
    assert "hinted" in stale.out
    drill = folder / "drills/say.toml"
    drill.write_text(drill.read_text() + "".join(DECISION % n for n in ("hinted", "readme-kept")))
    assert call(["report", "stale", out, "--declarations", folder / "drills"]).status == 0


DECISION = """
[[decisions]]
check = "%s"
date = 2026-01-31
decision = "kept"
why = "A tool that changes may break it."
"""


def test_no_key_is_in_anything_that_is_left(
    provider: Provider, live: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in reports and transcripts, nor in what an agent's command can see."""
    monkeypatch.setenv("DRILL_KEY", "sk-canary-0123456789")
    provider.says(act("env; echoer say hello", done=True))
    done, report = live("--api-key-env", "DRILL_KEY")
    assert report["status"] == "passed", done.err
    assert provider.headers[0]["Authorization"] == "Bearer sk-canary-0123456789"
    left = [path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert any(b"echoer say hello" in data for data in left)
    assert not any(b"sk-canary" in data for data in left)
    assert "sk-canary" not in done.out + done.err
