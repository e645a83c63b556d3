"""Every kind of agent through the real start path: command line, HTTP on loopback, sandbox."""

import json
import os
import signal
import threading
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kcb_agents.action_loop.loop_agent import ActionLoop
from kcb_agents.coding.coding_agent import Coding
from kcb_agents.coding.profile import SYSTEM
from kcb_agents.endpoint.conversation import ToolCall
from kcb_agents.replay.replay_agent import Replay
from kcb_agents.shell import OpenShell
from kcb_core.codec import digest
from kcb_core.errors import MachineError
from kcb_core.testing.agent_conformance import AgentConformance
from kcb_core.transcript import Reply, Request

FIRST = "toy-easy-001-echo"

KEY = "sk-planted-0123456789abcdef"

ACTION = '{"command": "echo 1 > main.py", "done": true}'
WRITE = ToolCall(id="c1", name="Write", arguments='{"file_path": "main.py", "content": "1"}')


class TestActionLoop(AgentConformance):
    """It keeps what every agent keeps."""

    agent = ActionLoop()
    wrong_settings: ClassVar = {"base_url": "http://localhost/v1", "model": "m", "top": 1}

    @pytest.fixture(autouse=True)
    def _endpoint(self, script: Any, clock: Any) -> None:
        script.fails(409)
        script.says(ACTION, reasoning="hm")
        self.agent = ActionLoop(clock)
        self.settings = {"base_url": script.url, "model": "m"}


class TestCoding(AgentConformance):
    """It keeps what every agent keeps."""

    agent = Coding()
    wrong_settings: ClassVar = {"base_url": "http://localhost/v1", "model": "m", "top": 1}

    @pytest.fixture(autouse=True)
    def _endpoint(self, script: Any, clock: Any) -> None:
        script.says(calls=(WRITE,), finish="tool_calls")
        script.says("Complete.")
        self.agent = Coding(clock)
        self.settings = {"base_url": script.url, "model": "m"}


class TestReplay(AgentConformance):
    """It keeps what every agent keeps."""

    agent = Replay()

    @pytest.fixture(autouse=True)
    def _script(self, tmp_path_factory: pytest.TempPathFactory) -> None:
        script = tmp_path_factory.mktemp("script") / "s.json"
        actions = [{"command": "echo 1 > main.py", "done": True}]
        text = {"kind": "replay", "format": 1, "agent": "action-loop", "actions": actions}
        script.write_text(json.dumps(text))
        self.options = {"script": str(script)}


FORMS = ("openai", "responses", "anthropic", "ollama")


@pytest.mark.parametrize("api", FORMS)
def test_the_action_loop_works_over_every_form(bench: Any, api: str) -> None:
    """From the command line to a project, with usage summed over the turns."""
    bench.script.says('{"command": "ls", "done": false}')
    bench.script.says(ACTION)
    outcome = bench.generate("--agent", "action-loop", "--api", api, tasks=[FIRST])
    assert (outcome.status, outcome.err) == (0, "")
    assert bench.files() == {"main.py": "1\n"}
    record = bench.record()
    assert (record["agent"], record["stop_reason"]) == ("action-loop", "done")
    assert record["model"] == {"asked": "tiny:free", "answered": "tiny-4b-q4"}
    replies = [e.event for e in bench.transcript().entries if isinstance(e.event, Reply)]
    assert record["usage"]["output_tokens"] == sum(r.usage.output_tokens for r in replies)
    assert len(record["attempts"]) == 2


@pytest.mark.parametrize("api", FORMS)
def test_the_coding_agent_works_over_every_form(bench: Any, api: str) -> None:
    """Calls there, results back, in each form's own way."""
    bench.script.says(calls=(WRITE,), finish="tool_calls")
    bench.script.says("Complete.")
    outcome = bench.generate("--agent", "coding", "--api", api, tasks=[FIRST])
    assert (outcome.status, outcome.err) == (0, "")
    assert bench.files() == {"main.py": "1"}
    assert "main.py: written, 1 characters" in json.dumps(bench.script.requests[1])


def test_the_first_request_of_the_coding_agent_is_pinned(bench: Any) -> None:
    """Developer prompt and tool schema as they are sent, byte for byte."""
    bench.script.says("Nothing to do.")
    bench.generate("--agent", "coding", "--api", "openai", tasks=[FIRST])
    (request,) = bench.script.requests
    developer = request["messages"][0]
    assert (developer["role"], developer["content"]) == ("system", SYSTEM)
    tools = json.dumps(request["tools"], sort_keys=True, separators=(",", ":")).encode()
    assert digest(developer["content"].encode()) == (
        "706879f0793a7a9601c8b3a191e9d5dda31d90ca2ef322f8430fa86136369947"
    )
    assert digest(tools) == "56f78d1fc12c2f6083e2127efeeb417d32d7cad1afbde53558efcfd6f0de2391"
    names = [tool["function"]["name"] for tool in request["tools"]]
    assert names == ["Read", "Write", "Edit", "Glob", "Grep", "Bash"]


def test_what_is_asked_over_http_is_what_the_transcript_says(bench: Any) -> None:
    """And nothing else: no check, no id of a task, no other file."""
    bench.script.says('{"command": "echo seen", "done": false}')
    bench.script.says("nonsense")
    bench.script.says(ACTION)
    bench.generate("--agent", "action-loop", "--api", "openai", tasks=[FIRST])
    entries = {entry.seq: entry.event for entry in bench.transcript().entries}
    requests = [event for event in entries.values() if isinstance(event, Request)]
    for request, body in zip(requests, bench.script.requests, strict=True):
        numbers = [n for first, last in request.messages for n in range(first, last + 1)]
        said = [(entries[n].role, entries[n].text) for n in numbers]
        assert [(m["role"], m["content"]) for m in body["messages"]] == said
        assert "CANARY" not in json.dumps(body)
        assert "tools" not in body


@pytest.mark.parametrize("agent", ["one-shot", "action-loop", "coding"])
def test_no_artifact_holds_a_key(bench: Any, monkeypatch: pytest.MonkeyPatch, agent: str) -> None:
    """Though the model repeats it, and a command prints it."""
    monkeypatch.setenv("MY_KEY", KEY)
    command = f"echo {KEY} > /tmp/k; echo {KEY[:8]}; printf '%s%s' {KEY[:8]} {KEY[8:]}; exit 1"
    bash = ToolCall(id="c", name="Bash", arguments=json.dumps({"command": command}))
    said = {
        "one-shot": [{"content": f"{KEY}\n### main.py\n```python\nk = '{KEY}'\n```"}],
        "action-loop": [
            {"content": json.dumps({"command": command, "done": False}), "reasoning": KEY},
            {"content": ACTION},
        ],
        "coding": [
            {"calls": (bash, WRITE), "finish": "tool_calls", "reasoning": KEY},
            {"content": f"Done with {KEY}."},
        ],
    }
    for answer in said[agent]:
        bench.script.says(**answer)
    outcome = bench.generate("--agent", agent, "--api-key-env", "MY_KEY", tasks=[FIRST])
    assert outcome.status == 0
    held = b"".join(p.read_bytes() for p in bench.output.rglob("*") if p.is_file())
    assert KEY.encode() not in held + (outcome.out + outcome.err).encode()
    assert KEY in bench.script.headers[0]["Authorization"]


@pytest.mark.parametrize("agent", ["action-loop", "coding"])
def test_being_put_off_is_void_and_asked_again(bench: Any, agent: str) -> None:
    """Nothing is known of the model, and the transcript of the first try stays."""
    for _ in range(2):
        bench.script.fails(429)
    assert bench.generate("--agent", agent, tasks=[FIRST]).status == 3
    assert bench.record()["stop_reason"] == "rate_limited"
    assert bench.record()["attempts"][0]["wait_s"] == 5.0
    if agent == "coding":
        bench.script.says(calls=(WRITE,), finish="tool_calls")
    bench.script.says(ACTION)
    assert bench.generate("--agent", agent, tasks=[FIRST]).status == 0
    assert bench.record()["transcript"]["file"].endswith("/2.jsonl")
    assert bench.transcript(number=1).entries[-1].event.stop_reason == "rate_limited"


def test_a_model_that_takes_too_long_reaches_the_bound_of_the_trial(bench: Any) -> None:
    """A reply gets no more time than the trial has left."""
    bench.script.says(manner="silent")
    done = bench.generate(
        "--agent", "action-loop", "--agent-option", "seconds=1", "--no-preflight", tasks=[FIRST]
    )
    assert done.status == 0
    assert bench.record()["stop_reason"] == "time"
    assert bench.record()["wall_s"] < 15


def test_ctrl_c_ends_a_command_at_once(bench: Any) -> None:
    """The record says that it was cancelled, and the same command goes on."""
    bench.script.says('{"command": "echo 1 > main.py; sleep 60", "done": true}')
    timer = threading.Timer(4.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    outcome = bench.generate("--agent", "action-loop", tasks=[FIRST])
    timer.cancel()
    assert outcome.status == 130
    record = bench.record()
    assert record["stop_reason"] == "cancelled"
    assert record["wall_s"] < 20
    assert not (bench.output / FIRST).exists()


def test_no_sandbox_is_no_run(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused, and not weakened; the message says what to do."""

    def refused(level: str) -> OpenShell:
        raise MachineError(f"no sandbox at level {level!r}: user namespaces are off")

    monkeypatch.setattr(bench.plugin, "sandboxed", refused)
    outcome = bench.generate("--agent", "action-loop", tasks=[FIRST])
    assert outcome.status == 3
    assert "no sandbox at level 'full'" in outcome.err
    assert bench.script.requests == []


def test_a_replay_needs_no_model(bench: Any, tmp_path: Path) -> None:
    """And takes none, so that no record names one that was never asked."""
    script = tmp_path / f"{FIRST}.toml"
    script.write_text(
        'kind = "replay"\nformat = 1\nagent = "action-loop"\n'
        '[[actions]]\ncommand = "echo 1 > main.py"\ndone = true\n'
    )
    words = ["generate", FIRST, "--agent", "replay", "--agent-option", f"script={tmp_path}"]
    words += ["--output", str(bench.output), "--dataset", str(bench.dataset)]
    assert bench.call(words).status == 0
    assert bench.files() == {"main.py": "1\n"}
    assert bench.record()["settings"] == {}
    assert bench.call([*words, "--model", "m", "--again"]).status == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--agent-option", "turns"], "must be NAME=VALUE"),
        (["--agent-option", "=3"], "must be NAME=VALUE"),
        (["--agent-option", "turns=1", "--agent-option", "turns=2"], "given twice"),
        (["--agent-option", "turns=1"], "agent 'one-shot' has no option 'turns'; it has none"),
        (["--agent", "action-loop", "--agent-option", "turn=1"], "did you mean 'turns'"),
        (["--agent", "replay"], "asks no model"),
        (["--agent", "action-lop"], "did you mean 'action-loop'"),
    ],
)
def test_wrong_words_are_refused_in_one_line(bench: Any, words: list[str], said: str) -> None:
    """Before anything is asked, with exit status 2."""
    outcome = bench.generate(*words, "--no-preflight", tasks=[FIRST])
    assert outcome.status == 2
    assert said in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1
    assert bench.script.requests == []


def test_other_options_make_another_project(bench: Any) -> None:
    """A folder of projects is of one subject."""
    bench.script.says(ACTION)
    usual = ("--agent", "action-loop", "--agent-option")
    assert bench.generate(*usual, "turns=3", tasks=[FIRST]).status == 0
    assert bench.generate(*usual, "turns=3", tasks=[FIRST]).status == 0
    outcome = bench.generate(*usual, "turns=4", tasks=[FIRST])
    assert outcome.status == 2
    assert "option of the agent" in outcome.err
