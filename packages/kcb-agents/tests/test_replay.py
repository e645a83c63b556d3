"""The replay: authored scripts and earlier transcripts, played without a model."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kcb_agents.action_loop.loop_agent import ActionLoop
from kcb_agents.replay.replay_agent import Replay
from kcb_agents.replay.script import find_script, read_script
from kcb_core.errors import DataError, DeclarationError
from kcb_core.roles import Generation
from kcb_core.testing.values import new_transcript
from kcb_core.transcript_file import read_transcript

Play = Callable[..., Any]

TRAJECTORY = """\
kind = "replay"
format = 1
agent = "action-loop"

[[actions]]
command = "echo 'print(1)' > main.py"

[[actions]]
command = "python3 main.py"
done = true
"""

REPLIES: dict[str, Any] = {
    "kind": "replay",
    "format": 1,
    "agent": "coding",
    "replies": [
        {"calls": [{"name": "Write", "arguments": {"file_path": "main.py", "content": "1"}}]},
        {"calls": [{"name": "Bash", "arguments": "{"}]},
        {"content": "Complete.", "reasoning": "hm"},
    ],
}

ONE_SHOT = {
    "kind": "replay",
    "format": 1,
    "agent": "one-shot",
    "replies": [{"content": "### main.py\n```python\nprint(1)\n```\n"}],
}


@pytest.fixture
def replay(tmp_path: Path) -> Play:
    """Plays a script as the agent does."""
    made: list[Path] = []

    def run(script: Path, **options: str) -> Any:
        folder = tmp_path / f"replayed-{len(made)}"
        made.append(folder)
        (folder / "project").mkdir(parents=True)
        with new_transcript(folder / "t.jsonl", "replay") as transcript:
            generated = Replay().generate(
                Generation(
                    prompt="Write it.",
                    project=folder / "project",
                    transcript=transcript,
                    name="toy-easy-001-echo",
                    options={"script": str(script), **options},
                )
            )
        project = folder / "project"
        files = {p.name: p.read_text() for p in project.rglob("*") if p.is_file()}
        return generated, files, read_transcript(folder / "t.jsonl")

    return run


@pytest.mark.parametrize(
    ("name", "text", "files"),
    [
        ("s.toml", TRAJECTORY, {"main.py": "print(1)\n"}),
        ("s.json", json.dumps(REPLIES), {"main.py": "1"}),
        ("s.json", "\ufeff" + json.dumps(ONE_SHOT), {"main.py": "print(1)\n"}),
    ],
)
def test_a_script_is_played_the_same_every_time(
    replay: Play, tmp_path: Path, name: str, text: str, files: dict[str, str]
) -> None:
    """Whatever kind of agent it is for; no model is asked, and the record says so."""
    script = tmp_path / name
    script.write_text(text)
    first, second = replay(script), replay(script)
    for generated, found, _ in (first, second):
        assert (generated.stop_reason, found) == ("done", files)
        assert generated.record["notes"] == [f"replayed from {name}; no model was asked"]
        assert "usage" not in generated.record
        assert "endpoint" not in generated.record
    assert [_without_times(entry.event) for entry in first[2].entries] == [
        _without_times(entry.event) for entry in second[2].entries
    ]


def _without_times(event: Any) -> Any:
    value = msgspec.to_builtins(event)
    value.pop("wall_s", None)
    return value


def test_a_transcript_can_be_played_again(replay: Play, played: Play, tmp_path: Path) -> None:
    """The same replies through the same loop come to the same project."""
    actions = ['{"command": "echo 1 > main.py", "done": false}', "nonsense", '{"done": true}']
    before = played(ActionLoop(), actions, {})
    generated, files, transcript = replay(before.transcript.path)
    assert (generated.stop_reason, files) == ("done", before.files)
    sent = [e.event.text for e in transcript.entries if type(e.event).__name__ == "Message"]
    assert sent[1:] == [message.text for message in before.messages][1:]


def test_a_folder_holds_a_script_for_each_task(tmp_path: Path) -> None:
    """By the name of what is made."""
    (tmp_path / "toy-1.toml").write_text(TRAJECTORY)
    (tmp_path / "toy-2.json").write_text("")
    (tmp_path / "toy-2.toml").write_text("")
    assert find_script(tmp_path, "toy-1") == tmp_path / "toy-1.toml"
    with pytest.raises(DeclarationError, match=r"no script for 'toy-3', such as toy-3\.toml"):
        find_script(tmp_path, "toy-3")
    with pytest.raises(DeclarationError, match="more than one script"):
        find_script(tmp_path, "toy-2")


def test_options_go_to_the_loop(replay: Play, tmp_path: Path) -> None:
    """So that a bound can be shown without a model."""
    script = tmp_path / "s.toml"
    script.write_text(TRAJECTORY)
    generated, _, _ = replay(script, turns="1")
    assert generated.stop_reason == "turns"
    with pytest.raises(DeclarationError, match="no option 'turn'"):
        replay(script, turn="1")


def test_a_script_that_ends_too_soon_is_the_scripts_fault(replay: Play, tmp_path: Path) -> None:
    """And says nothing of any model or machine."""
    script = tmp_path / "s.toml"
    script.write_text(TRAJECTORY.replace("done = true", ""))
    with pytest.raises(DataError, match="at its end after 2 replies"):
        replay(script)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kind": "reply"}, "kind"),
        ({"format": 2}, "format"),
        ({"agent": "command"}, "agent"),
        ({"replies": []}, "either 'replies' or 'actions'"),
        ({"actions": [{"done": True}]}, "either 'replies' or 'actions'"),
        ({"replies": [], "actions": [{"done": True}]}, "only the agent 'action-loop'"),
        ({"replies": [{"contents": ""}]}, "did you mean 'content'"),
    ],
)
def test_a_malformed_script_is_refused_by_field(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    """With the file's name in front."""
    script = tmp_path / "s.json"
    script.write_text(json.dumps(REPLIES | changes))
    with pytest.raises(DataError, match=said) as caught:
        read_script(script)
    assert str(caught.value).startswith(str(script))


def test_a_transcript_without_replies_is_refused(tmp_path: Path) -> None:
    """There is nothing to be played."""
    new_transcript(tmp_path / "t.jsonl").close()
    with pytest.raises(DataError, match="holds no reply"):
        read_script(tmp_path / "t.jsonl")
