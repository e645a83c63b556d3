"""Declarations of drills: what a loader takes, and what it refuses by one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kcb_core.errors import DataError, KcbError, UnknownNameError
from kcb_suites.drills.battery import Battery, find_batteries, read_battery


def spoil(path: Path, old: str, new: str) -> None:
    """Replace a text that stands in a file."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_sound_battery_is_read(battery: Battery) -> None:
    """Drills by name, with what they find in the fixture and the registry."""
    assert [drill.drill for drill in battery.drills] == ["say", "still"]
    say = battery.drills[0]
    assert list(battery.material(say)) == ["README.txt"]
    assert [one.path for one in battery.distractors(say)] == ["OLD.txt"]
    assert say.contrived
    assert say.paths == ("README.txt",)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('failure_source = "issue 7"\n', "", "exactly one of both"),
        ('failure_source = "issue 7"', 'failure_source = "issue 7"\nstress_test = true', "exactly"),
        ('"issue 7"', '"somebody said so"', "failure_source"),
        ('kind = "guard"', 'kind = "spawned"', "TOOL_EXECUTION_HALLUCINATION"),
        ('fault = "ERR_EMPTY_TRAJECTORY"', 'fault = "tool"', "EMPTY_TRAJECTORY"),
        ('fault = "tool"', 'fault = "tool, ERR_HINT_IGNORED"', "fault"),
        ('fault = "tool"', 'fault = "ERR_NOBODY_BRINGS"', "no plug-in brings ERR_NOBODY_BRINGS"),
        ('fault = "tool"\n', "", "fault"),
        ('channel = "suggestions"\n', "", "channel"),
        ('channel = "suggestions"', 'channel = "stdout"', "channel"),
        ('check = "said"', 'check = "acted"', "'acted' twice"),
        ('holds = "every"\ngiven = { error = "usage" }\n', 'holds = "every"\n', "given"),
        ('hint = "echoer say WORD"', 'hint = "("', "no regular expression"),
        ('expect = { hint = "echoer say WORD", exit_status = [4] }', "expect = {}", "pattern"),
        ("unchanged = true\n", "", "could be wrong"),
        ('path = "README.txt"', 'path = "../README.txt"', "plain names"),
        ('path = "said.txt"', 'path = "/said.txt"', "plain names"),
        ('files = "small"', 'files = "large"', "no file in fixtures/large"),
        ('distractors = ["old"]', 'distractors = ["new"]', "unknown distractor 'new'"),
        ('path = "said.txt"\ntext', 'path = "OLD.txt"\ntext', "OLD.txt is task material"),
        ('name = "hintless"\nfails = ["hinted"]', 'name = "hintless"', "check 'hinted' fails"),
        ('fails = ["hinted"]', 'fails = ["hintd"]', "no check 'hintd'"),
        ('name = "good"', 'name = "good"\nfails = ["said"]', "every check passes"),
        ('name = "good"', 'name = "idle"', "'idle' twice"),
        ("level = 2", "level = 3", "level"),
        ('drill = "say"', 'drill = "tell"', "its file is called say.toml"),
        ('tool = "echoer"', 'tool = "other"', "the battery is about 'echoer'"),
        ('prompt = "Let', 'promt = "Let', "did you mean 'prompt'"),
        ('decision = "kept"', 'decision = "retired"', "'acted' was retired and is still declared"),
        ('check = "acted"\ndate', 'check = "gone"\ndate', "'gone' was kept and is not declared"),
        ("turns = 4", "turns = 0", "turns"),
        ("command_s = 5.0", "command_s = 0.0", "command_s"),
        ("command_s = 5.0", "comand_s = 5.0", "did you mean 'command_s'"),
    ],
)
def test_what_is_not_sound_is_refused_by_file_and_field(
    folder: Path, codes: frozenset[str], old: str, new: str, said: str
) -> None:
    """Whoever writes a drill learns from one line what to mend, and where."""
    path = folder / "drills/say.toml"
    spoil(path, old, new)
    with pytest.raises(KcbError, match=r"say\.toml") as refused:
        read_battery(folder, codes)
    assert said in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_a_live_drill_without_a_guard_is_refused(folder: Path, codes: frozenset[str]) -> None:
    """Else an agent passes by doing nothing; below level 2 no agent acts."""
    path = folder / "drills/still.toml"
    spoil(path, "level = 0", "level = 2")
    with pytest.raises(DataError, match="needs a check of kind 'guard'"):
        read_battery(folder, codes)


def test_a_step_check_parses_no_envelope(folder: Path, codes: frozenset[str]) -> None:
    """What a tool says in its envelope is asked where envelopes are read."""
    spoil(
        folder / "drills/say.toml",
        'kind = "envelope"\ncheck = "said"',
        'kind = "step"\ncheck = "said"',
    )
    with pytest.raises(DataError, match="kind 'envelope'"):
        read_battery(folder, codes)


def test_distractors_are_registered_once(folder: Path, codes: frozenset[str]) -> None:
    """A name stands for one file."""
    path = folder / "distractors/registry.json"
    one = path.read_text().removeprefix('{"distractors": [').strip().removesuffix("]}")
    path.write_text('{"distractors": [' + f"{one}, {one}" + "]}")
    with pytest.raises(DataError, match="'old' twice"):
        read_battery(folder, codes)


def test_a_battery_is_found_by_name_and_by_folder(folder: Path) -> None:
    """The shipped ones are all that is meant where none is named."""
    assert [path.name for path in find_batteries(None)] == ["klein-bench", "shelf"]
    assert [path.name for path in find_batteries("shelf")] == ["shelf"]
    assert find_batteries(str(folder)) == (folder,)
    with pytest.raises(UnknownNameError, match="did you mean 'shelf'"):
        find_batteries("shelff")
