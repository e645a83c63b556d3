"""Levels 0 and 1: no model, and real commands in a real sandbox."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest

from kcb_suites.drills import level_one
from kcb_suites.drills.battery import Battery
from kcb_suites.drills.level_one import replay, replay_all
from kcb_suites.drills.provisioning import opened

Call = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("sandboxed")


def spoil(path: Path, old: str, new: str) -> None:
    """Replace a text that stands in a file."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def reports(folder: Path) -> dict[str, dict[str, Any]]:
    """The trial reports of a run, by drill."""
    found = [json.loads(path.read_bytes()) for path in sorted(folder.glob("reports/*.json"))]
    return {report["drill"]: report for report in found}


def test_the_tool_is_on_the_path_and_the_folder_holds_what_is_declared(battery: Battery) -> None:
    """Task material, contrived failure, distractor: and nothing of checks or registry."""
    say = battery.drills[0]
    with opened(battery, "full") as bench, bench.ground(say) as ground:
        with bench.sandbox(ground) as box:
            found = box.run(("find", ".", "-type", "f"), timeout_s=20).stdout.decode().split()
            where = box.run(("/bin/sh", "-c", "command -v echoer"), timeout_s=20).stdout.decode()
            said = box.run(("echoer", "say", "x"), timeout_s=20)
            seen = box.run(("grep", "-rl", "CANARY-LURE", "/tmp", "."), timeout_s=20)
        assert sorted(found) == ["./OLD.txt", "./README.txt", "./said.txt"]
        assert where.strip() == str(bench.tools / "bin/echoer")
        assert json.loads(said.stdout)["ok"] is True
        assert seen.stdout == b""
        tools = bench.tools
    assert not tools.exists()


def test_each_trajectory_has_a_fixture_of_its_own(battery: Battery) -> None:
    """What one leaves must not help or hurt the next."""
    say = battery.drills[0]
    with opened(battery, "full") as bench:
        played = {one.name: replay(bench, say, one) for one in say.trajectories}
    assert played["spoils"].evidence.after["README.txt"] is None
    assert played["good"].evidence.after["README.txt"] == b"Say a word.\n"
    first, second = played["good"].evidence.steps
    assert (first.exit_status, second.exit_status) == (4, 0)
    assert json.loads(first.stdout)["error"]["code"] == "usage"


def test_trajectories_are_played_at_once_and_reported_in_order(
    battery: Battery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has everything of its own, so a battery takes no longer than it must."""
    meeting, met = Barrier(2), []

    def together(*given: Any) -> Any:
        try:
            meeting.wait(20)
            met.append(given)
        except BrokenBarrierError:
            pass  # the last of an odd number meets nobody
        return replay(*given)

    monkeypatch.setattr(level_one, "usable_cpus", lambda: 2)
    monkeypatch.setattr(level_one, "replay", together)
    with opened(battery, "full") as bench:
        report = replay_all(bench, battery.drills[0])
    assert len(met) >= 2
    assert report.status == "passed"
    assert [step.command for step in report.steps] == ["echoer", "echoer say hello"]


@pytest.mark.parametrize("level", [0, 1])
def test_a_sound_battery_passes_and_leaves_reports(
    folder: Path, tmp_path: Path, call: Call, level: int
) -> None:
    """They are read by the commands that count, route and review, and say what they show."""
    done = call(["drill", "run", folder, "--level", level, "--out", tmp_path / "out"])
    assert done.status == 0, done.err
    found = reports(tmp_path / "out")
    assert list(found) == (["say", "still"] if level == 0 else ["say"])
    say = found["say"]
    assert (say["status"], say["level"], say["tool_version"]) == ("passed", level, "echoer 1")
    assert [check["check"] for check in say["checks"]] == ["acted", "said", "hinted", "readme-kept"]
    assert say["failure_source"] == "issue 7"
    assert say["contrived"]
    assert "model" not in say
    counted = call(["report", "aggregate", tmp_path / "out/reports"])
    assert counted.status == 0
    claim = "static checks" if level == 0 else "no evidence of how a live agent behaves"
    assert claim in counted.out
    assert claim in done.out
    assert "not level 2" in counted.out
    routed = call(["report", "route", tmp_path / "out/reports", "-o", tmp_path / "routed"])
    assert "ticket drafts 0, work on channels 0" in routed.out


def test_a_check_that_cannot_fail_is_found(folder: Path, tmp_path: Path, call: Call) -> None:
    """Its bad trajectory passes: nobody is blamed, and the level does not pass."""
    spoil(
        folder / "drills/say.toml",
        'hint = "echoer say WORD", exit_status = [4]',
        "exit_status = [4]",
    )
    done = call(["drill", "run", folder, "--level", 1, "--out", tmp_path / "out"])
    assert done.status == 1
    checks = {check["check"]: check for check in reports(tmp_path / "out")["say"]["checks"]}
    assert checks["hinted"]["status"] == "indeterminate"
    assert "trajectory 'hintless'" in checks["hinted"]["reason"]
    assert call(["drill", "check", folder]).status == 1


def test_a_tool_that_breaks_is_a_fault_of_the_tool(
    folder: Path, tmp_path: Path, call: Call
) -> None:
    """The good trajectory finds it, and it becomes a ticket draft of the tool's."""
    spoil(folder / "tool/echoer.py", '"hint": "echoer say WORD"', '"hint": ""')
    done = call(["drill", "run", folder, "--level", 1, "--out", tmp_path / "out"])
    assert done.status == 1
    checks = {check["check"]: check for check in reports(tmp_path / "out")["say"]["checks"]}
    assert (checks["hinted"]["status"], checks["hinted"]["fault"]) == ("failed", "tool")
    assert "code" not in checks["hinted"]
    routed = call(["report", "route", tmp_path / "out/reports", "-o", tmp_path / "routed"])
    assert "ticket drafts 1, work on channels 0" in routed.out


def test_a_tool_that_does_not_start_passes_no_level(
    folder: Path, tmp_path: Path, call: Call
) -> None:
    """At level 0 it is said of every check; above it nothing is played at all."""
    (folder / "tool/echoer.py").write_text("raise SystemExit('no disk')\n")
    done = call(["drill", "run", folder, "--level", 0, "--out", tmp_path / "out"])
    assert done.status == 1
    say = reports(tmp_path / "out")["say"]
    assert {check["status"] for check in say["checks"]} == {"indeterminate"}
    assert "no disk" in say["checks"][0]["reason"]
    played = call(["drill", "run", folder, "--level", 1, "--out", tmp_path / "out"])
    assert played.status == 2
    assert "no disk" in played.err


def test_a_check_that_does_not_fit_the_fixture_is_found(
    folder: Path, tmp_path: Path, call: Call
) -> None:
    """What was never there cannot stay unchanged: the check would pass for nothing."""
    spoil(folder / "drills/say.toml", 'path = "README.txt"', 'path = "REDME.txt"')
    done = call(["drill", "run", folder, "--level", 0, "--out", tmp_path / "out"])
    assert done.status == 2
    assert "no REDME.txt that could stay unchanged" in done.err


def test_check_says_how_many_checks_are_shown_to_work(folder: Path, call: Call) -> None:
    """The author's guide, and the same as JSON."""
    done = call(["drill", "check", folder])
    assert (done.status, done.out) == (
        0,
        "drills 2, checks that are shown to pass and to fail 4 of 4\n",
    )
    assert [one["level"] for one in json.loads(call(["drill", "check", folder, "--json"]).out)] == [
        *(0, 1, 0),
    ]


def test_a_killed_command_is_a_step_of_its_own_kind(folder: Path, battery: Battery) -> None:
    """A runaway ends with its command, and the trajectory goes on."""
    spoil(folder / "drills/say.toml", "command_s = 5.0", "command_s = 0.5")
    spoil(folder / "drills/say.toml", 'command = "echoer"\n', 'command = "sleep 60"\n')
    from kcb_core.catalog import load_catalog  # noqa: PLC0415
    from kcb_suites.drills.battery import read_battery  # noqa: PLC0415

    codes = [code.code for code in load_catalog().fault_codes()]
    say = read_battery(folder, codes).drills[0]
    with opened(battery, "full") as bench:
        played = replay(bench, say, say.trajectories[0])
    assert [step.outcome for step in played.steps()] == ["terminated", "completed"]
    assert played.evidence.terminated


def test_list_shows_every_drill(folder: Path, call: Call) -> None:
    """With its level, what it probes and where the idea is from."""
    shown = call(["drill", "list", folder, "--json"])
    say, still = json.loads(shown.out)
    assert (say["drill"], say["level"], say["source"]) == ("say", 2, "issue 7")
    assert say["channels"] == ["artifact", "envelope", "suggestions"]
    assert still["source"] == "stress test"
    assert "say\techoer\t2" in call(["drill", "list", folder]).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--level", "2"], "name it with --model"),
        (["--level", "1", "--model", "m"], "level 1 asks no model"),
        (["--level", "2", "--model", "m", "--agent", "one-shot"], "'action-loop' does"),
        (["--level", "2", "--model", "m", "--instead-of", "m"], "--instead-of"),
        (["--level", "1", "--drill", "sai"], "did you mean 'say'"),
        (["--level", "2", "--model", "m", "--agent-option", "turns"], "NAME=VALUE"),
    ],
)
def test_what_makes_no_sense_is_refused(
    folder: Path, tmp_path: Path, call: Call, words: list[str], said: str
) -> None:
    """Before anything is asked or paid."""
    done = call(["drill", "run", folder, *words, "--out", tmp_path / "out"])
    assert done.status == 2
    assert said in done.err
