"""The action loop over scripted replies, with real commands in a real sandbox."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.action_loop.action import NoAction, TurnAction, read_action
from kcb_agents.action_loop.loop import observe
from kcb_agents.action_loop.loop_agent import ActionLoop
from kcb_agents.endpoint.conversation import Answer
from kcb_agents.preamble import ACTION_LOOP, DRILL
from kcb_agents.replay.script import Play as ReplayPlay
from kcb_agents.replay.scripted_line import ScriptedLine
from kcb_agents.shell import Ending, Ran
from kcb_agents.trial import shorten
from kcb_core.codec import ascii_line
from kcb_core.errors import DeclarationError
from kcb_core.roles import ActingAgent, Generated, Generation, Ground
from kcb_core.testing.values import new_transcript
from kcb_core.transcript import Action, FormatError, Message, Outcome, Request
from kcb_core.transcript_file import read_transcript

Play = Callable[..., Any]


@pytest.fixture
def play(played: Play) -> Play:
    """Plays replies through the action loop."""

    def run(*replies: str, **options: str) -> Any:
        return played(ActionLoop(), replies, options)

    return run


def act(command: str | None, *, done: bool = False) -> str:
    """An action as a well-behaved model writes it."""
    return ascii_line({"done": done} if command is None else {"command": command, "done": done})


@pytest.mark.parametrize(
    ("content", "action"),
    [
        ('{"command": "ls", "done": false}', TurnAction(command="ls", done=False)),
        ('  {"done": true}\n', TurnAction(done=True)),
        (
            'Now:\n```json\n{"command": "ls", "done": true}\n```\n',
            TurnAction(command="ls", done=True),
        ),
        ('<think>{"done": true}</think>{"done": false}', TurnAction(done=False)),
        ('{"command": "", "done": false}', TurnAction(command="", done=False)),
    ],
)
def test_an_action_is_read(content: str, action: TurnAction) -> None:
    """As models write it: bare, in the one fenced block, or after their thoughts."""
    assert read_action(content) == action


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "empty"),
        ("ls -la", "no JSON"),
        ("[]", "no JSON object"),
        ('{"command": "ls"}', "'done' must be"),
        ('{"command": "ls", "done": "yes"}', "'done' must be"),
        ('{"command": null, "done": false}', "'command' must be text"),
        ('{"command": "ls", "done": false, "why": ""}', "no field 'why'"),
        ('{"done": true, "done": false}', "twice"),
        ('{"done": true}{"done": true}', "no JSON"),
        ('{"command": "a\\u0000b", "done": false}', "NUL"),
        ('{"command": "\\ud800", "done": false}', "surrogate"),
    ],
)
def test_what_is_no_action_is_told_why(content: str, why: str) -> None:
    """The model is asked again with this, so it must say what to mend."""
    with pytest.raises(NoAction, match=why):
        read_action(content)


def test_a_project_is_written_by_commands(play: Play) -> None:
    """The main job: what the commands left is the project."""
    done = play(
        act("echo 'print(1)' > main.py && mkdir lib && echo x > lib/a.txt"), act("ls", done=True)
    )
    assert done.generated.stop_reason == "done"
    assert done.files == {"main.py": "print(1)\n", "lib/a.txt": "x\n"}
    assert done.generated.files == 2
    record = done.generated.record
    assert record["totals"]["turns"] == 2
    assert record["confinement"]["level"] == "full"
    assert record["preamble"]["sha256"] == ACTION_LOOP.stamp.sha256
    assert record["run_record"]["preamble_sha256"] == ACTION_LOOP.stamp.sha256


def test_the_command_of_the_last_action_is_run_too(play: Play) -> None:
    """``done`` ends it after the command, which counts as a step; without one nothing is run."""
    done = play(act("echo 1 > main.py", done=True))
    assert list(done.files) == ["main.py"]
    assert len(done.events(Action)) == 1
    done = play(act("echo 1 > main.py"), act(None, done=True))
    assert [event.executed for event in done.events(Action)] == [True]


def test_the_whole_context_is_preamble_prompt_path_and_own_observations(play: Play) -> None:
    """Nothing of any check, and no listing of files that the model did not ask for itself."""
    first, last = act("echo out; echo err >&2; exit 3"), act("true", done=True)
    done = play(first, "nonsense", act(None), last)
    root = done.messages[0].text.partition("in the folder ")[2].partition(",")[0]
    told = ACTION_LOOP.filled(path=root, turns=50, seconds="1800", command_s="60")
    assert "<" not in told.replace("<<'EOF'", "")
    assert [(m.role, m.text) for m in done.messages] == [
        ("user", told + done.prompt),
        ("assistant", first),
        ("user", "Exit status 3.\nstdout:\nout\n\nstderr:\nerr\n"),
        ("assistant", "nonsense"),
        (
            "user",
            "Your reply was no action: it is no JSON: Expecting value at character 0. Reply with "
            'one JSON object and nothing else, such as {"command": "ls", "done": false}.',
        ),
        ("assistant", act(None)),
        ("user", "No command was given, and nothing was run."),
        ("assistant", last),
    ]
    assert [len(asked) for asked in done.line.asked] == [1, 3, 5, 7]
    assert done.line.offered == [()] * 4


def test_a_transcript_tells_every_context_to_the_letter(play: Play) -> None:
    """From the numbers in a request its messages can be put together, and its digest be checked."""
    done = play(act("ls"), "nonsense", act("true", done=True))
    requests = done.events(Request)
    by_seq = {e.seq: e.event for e in done.transcript.entries if isinstance(e.event, Message)}
    for request, asked in zip(requests, done.line.asked, strict=True):
        numbers = [n for first, last in request.messages for n in range(first, last + 1)]
        rebuilt = [by_seq[number] for number in numbers]
        assert [(m.role, m.text) for m in rebuilt] == [(m.role, m.text) for m in asked]
        assert request.sha256 == done.digest(asked)


def test_two_bad_replies_in_a_row_are_a_fault_of_the_agent(play: Play) -> None:
    """And no more than that: it has a code of its own."""
    done = play(act("echo 1 > main.py"), "one", "two", act("never", done=True))
    record = done.generated.record
    assert done.generated.stop_reason == "invalid_output"
    assert record["fault"] == "ERR_ACTION_FORMAT_VIOLATION"
    assert len(done.line.asked) == 3
    assert [event.error for event in done.events(FormatError)] == [
        "it is no JSON: Expecting value at character 0"
    ] * 2
    assert list(done.files) == ["main.py"]


def test_a_good_reply_resets_the_one_that_is_asked_again(play: Play) -> None:
    """The mercy is per reply, not per trial."""
    done = play("one", act("echo 1 > main.py"), "two", act(None, done=True))
    assert done.generated.stop_reason == "done"
    assert done.generated.record["fault"] == ""


def test_the_cap_of_turns_wins_over_a_bad_reply(play: Play) -> None:
    """Asking again uses a turn; there is none left, and that names the bound and no fault."""
    done = play(act("echo 1 > main.py"), "one", turns="2")
    assert (done.generated.stop_reason, done.generated.record["fault"]) == ("turns", "")
    assert "2 turns" in done.generated.record["reason"]
    assert list(done.files) == ["main.py"]


def test_a_bound_of_tokens_counts_all_traffic(play: Play) -> None:
    """Every prompt counts anew; the estimate is labelled as what it is."""
    done = play(*[act("true")] * 50, tokens="1500")
    assert done.generated.stop_reason == "tokens"
    sent = sum(len(m.text) for asked in done.line.asked for m in asked)
    said = sum(len(act("true")) for _ in done.line.asked)
    totals = done.generated.record["totals"]
    assert totals["tokens_estimated"] == (sent + said) // 4 <= 1500
    assert totals["tokens_heuristic"] == "characters / 4"
    assert "usage" not in done.generated.record


def test_a_bound_of_time_ends_a_command_and_the_trial(play: Play) -> None:
    """A command gets no more time than the trial has left."""
    done = play(act("echo 1 > main.py; sleep 60"), act(None, done=True), seconds="1")
    assert done.generated.stop_reason == "time"
    (outcome,) = done.events(Outcome)
    assert outcome.ending == "timed_out"
    assert outcome.wall_s < 10
    assert done.generated.record["bounds"] == {
        "turns": 50,
        "seconds": 1.0,
        "tokens": 2_000_000,
        "command_s": 60.0,
    }


def test_a_command_that_takes_too_long_is_killed_with_all_it_started(play: Play) -> None:
    """The step has an outcome of its own, and the trial goes on."""
    done = play(
        act("(sleep 1; echo late > late.txt) & sleep 60"),
        act("sleep 1.5; echo 1 > main.py", done=True),
        command_s="0.5",
    )
    assert [event.ending for event in done.events(Outcome)] == ["timed_out", "timed_out"]
    assert done.messages[2].text == "The command was killed: it took too long."
    assert done.generated.stop_reason == "no_project"


def test_what_is_left_running_is_dead_before_the_files_are_taken(play: Play) -> None:
    """A process that outlived its model could change what is judged."""
    spoil = "nohup setsid sh -c 'while true; do date > main.py; sleep 0.01; done' >/dev/null 2>&1 &"
    done = play(
        act(f"{spoil} sleep 0.3"), act("cp main.py old; sleep 0.3; cmp main.py old", done=True)
    )
    assert [event.status for event in done.events(Outcome)] == [0, 0]


def test_streams_are_kept_byte_for_byte_and_only_shown_shortened(play: Play) -> None:
    """What the model sees is bounded; what is stored is all of it, whatever bytes it is."""
    done = play(
        act("printf 'a\\377\\000b\\342\\200\\250'; seq 100000 >&2; exit 0"),
        act("true", done=True),
        shown="100",
    )
    outcome = done.events(Outcome)[0]
    assert done.transcript.stream(outcome.stdout) == b"a\xff\0b\xe2\x80\xa8"
    errors = "".join(f"{n}\n" for n in range(1, 100_001)).encode()
    assert done.transcript.stream(outcome.stderr) == errors
    shown = done.messages[2].text
    assert "a\\xff\0b\u2028" in shown
    assert f"[... {len(errors) - 100} characters left out ...]" in shown
    assert len(shown) < 400


def test_a_command_that_is_too_long_is_not_run_and_says_so(play: Play) -> None:
    """It is no fault of this machine, and no step."""
    done = play(act("true " + "x" * 200_000), act("true", done=True))
    first, second = done.events(Action)
    assert (first.executed, second.executed) == (False, True)
    assert done.messages[2].text.startswith("The command was not run:")


def test_commands_see_an_isolated_home_and_no_secret(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that can print a key can publish it."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
    done = play(act("env | sort; ls -A $HOME; cd; pwd"), act("true", done=True))
    text = done.transcript.stream(done.events(Outcome)[0].stdout).decode()
    assert "sk-planted" not in text
    names = {line.partition("=")[0] for line in text.split("\n") if "=" in line}
    assert names - {"PWD", "OLDPWD", "SHLVL", "_"} == {"PATH", "LANG", "HOME", "TMPDIR"}
    assert str(Path.home()) not in text.split("\n")


def test_commands_have_no_network_and_see_nothing_of_this_project(play: Play) -> None:
    """Neither the answers nor a server of the evaluator's is within reach."""
    probe = (
        "import importlib.util as u, socket\n"
        "print([n for n in ('kcb_core', 'kcb_tasks', 'kcb_agents') if u.find_spec(n)])\n"
        "for a in (('1.1.1.1', 53), ('127.0.0.1', 22)):\n"
        "    try:\n        socket.create_connection(a, 2)\n"
        "    except OSError as e:\n        print('denied')\n"
    )
    done = play(
        act(f"python3 - <<'EOF'\n{probe}EOF\nls /work {Path(__file__).parent}"),
        act(None, done=True),
    )
    text = done.transcript.stream(done.events(Outcome)[0].stdout).decode()
    assert text == "[]\ndenied\ndenied\n"


def test_a_tree_that_is_no_project_is_none(play: Play) -> None:
    """Links, pipes and floods of files are the model's doing, and never this machine's fault."""
    for hostile in (
        "ln -s /etc/passwd main.py",
        "mkfifo main.py",
        "seq 3000 | xargs touch main.py",
    ):
        done = play(act(hostile, done=True))
        assert done.generated.stop_reason == "no_project"
        assert done.generated.record["reason"]
        assert done.files == {}


def test_endings_are_told_apart() -> None:
    """By words that say which, and not by a number alone."""
    usual: Any = {"stdout": b"", "stderr": b"", "wall_s": 1.0}
    told = [
        observe(Ran(ending=ending, status=9, exceeded="memory", **usual), 10) for ending in Ending
    ]
    assert told == [
        "Exit status 9.",
        "The command was ended by signal 9.",
        "The command was killed: it took too long.",
        "The command was killed: it had too much of memory.",
    ]
    lost = observe(Ran(ending=Ending.EXITED, status=0, stdout_lost=7, **usual), 10)
    assert lost.endswith("[7 more bytes were not kept]")


def test_shortening_keeps_both_ends() -> None:
    """The error is as often at the start as at the end."""
    assert shorten("abcdefghij", 10) == "abcdefghij"
    assert shorten("abcdefghijk", 4) == "ab\n[... 7 characters left out ...]\njk"
    assert shorten("abc", 1) == "a\n[... 2 characters left out ...]\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"turn": "3"}, "no option 'turn'; did you mean 'turns'"),
        ({"turns": "many"}, "field 'turns': Expected 'int'"),
        ({"turns": "0"}, "'turns' must be 1 or more"),
        ({"seconds": "inf"}, "'seconds' must be between"),
        ({"seconds": "nan"}, "'seconds' must be between"),
        ({"command_s": "-1"}, "'command_s' must be between"),
        ({"tokens": ""}, "field 'tokens': Expected 'int'"),
        ({"confine": "some"}, "confine"),
    ],
)
def test_wrong_options_are_refused(play: Play, options: dict[str, str], said: str) -> None:
    """No bound can be unset, and a misspelt one is not passed over."""
    with pytest.raises(DeclarationError, match=said):
        play(act(None, done=True), **options)


def acted(tmp_path: Path, *replies: str, **options: str) -> tuple[Generated, ScriptedLine, Ground]:
    """Plays replies through the loop in a prepared place with a tool beside it."""
    work, tool = tmp_path / "work", tmp_path / "tool"
    work.mkdir()
    tool.mkdir(mode=0o755)
    (work / "there.txt").write_text("before\n")
    (tool / "hail").write_text("#!/bin/sh\necho hail $1\n")
    (tool / "hail").chmod(0o755)
    ground = Ground(folder=work, show=(tool,), environment={"PATH": f"{tool}:/usr/bin:/bin"})
    answers = tuple(Answer(content=reply) for reply in replies)
    line = ScriptedLine(ReplayPlay(agent="action-loop", answers=answers, source=tmp_path))
    (tmp_path / "project").mkdir()
    with new_transcript(tmp_path / "t.jsonl", "action-loop", "1") as transcript:
        generation = Generation(
            prompt="Hail.\n",
            project=tmp_path / "project",
            transcript=transcript,
            options=options,
        )
        return ActionLoop().conduct_in(ground, generation, line), line, ground


def test_in_a_prepared_place_what_is_left_stays_and_a_tool_is_at_hand(tmp_path: Path) -> None:
    """The caller looks at the place itself: nothing is handed in, and no entrypoint is missed."""
    command = "cat there.txt && hail you > said.txt && rm there.txt"
    assert isinstance(ActionLoop(), ActingAgent)
    generated, _, ground = acted(tmp_path, act(command, done=True))
    assert (generated.stop_reason, generated.files) == ("done", 0)
    assert [path.name for path in ground.folder.iterdir()] == ["said.txt"]
    assert (ground.folder / "said.txt").read_text() == "hail you\n"
    assert list((tmp_path / "project").iterdir()) == []
    assert generated.record["bounds"]["turns"] == 50
    events = [entry.event for entry in read_transcript(tmp_path / "t.jsonl").entries]
    assert [e.arguments for e in events if isinstance(e, Action)] == [command]


def test_in_a_prepared_place_prompt_and_path_are_all_that_is_told(tmp_path: Path) -> None:
    """Neither what lies there nor what is beside it; that is for its own commands to find."""
    _, line, _ = acted(tmp_path, act("true", done=True), turns="7")
    path = line.asked[0][0].text.partition("in the folder ")[2].partition(". You")[0]
    told = DRILL.filled(path=path, turns=7, seconds="1800", command_s="60")
    assert [message.text for message in line.asked[0]] == [told + "Hail.\n"]
    assert "main.py" not in told


def test_a_bound_leaves_the_prepared_place_as_it_is(tmp_path: Path) -> None:
    """What was done until then is what came of it; nothing of it runs on."""
    generated, _, ground = acted(tmp_path, act("echo x > half.txt; sleep 600 & true"), turns="1")
    assert generated.stop_reason == "turns"
    assert (ground.folder / "half.txt").read_text() == "x\n"
