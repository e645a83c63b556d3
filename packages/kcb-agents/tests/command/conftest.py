"""External programs of a few lines, run as agents through the command line."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

FIRST = "toy-easy-001-echo"

LIBRARY = '''
import http.client, json, os, subprocess, sys, time
from urllib.parse import urlsplit

def post(body, token=os.environ.get("OPENAI_API_KEY", "")):
    """Status and text of an answer."""
    base = urlsplit(os.environ["OPENAI_BASE_URL"])
    connection = http.client.HTTPConnection(base.hostname, base.port, timeout=30)
    head = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
    connection.request("POST", base.path + "/chat/completions", json.dumps(body), head)
    reply = connection.getresponse()
    return reply.status, reply.read().decode()

def ask(text="hello"):
    """What the model says, or the status."""
    messages = [{"role": "user", "content": text}]
    status, said = post({"model": os.environ["MODEL"], "messages": messages})
    return json.loads(said)["choices"][0]["message"]["content"] if status == 200 else status

def write(text="print(1)\\n", name="main.py"):
    with open(name, "w") as file:
        file.write(text)
'''


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What became of a program."""

    outcome: Any
    record: dict[str, Any]
    bench: Any

    @property
    def reason(self) -> tuple[str, str]:
        """Stop reason, and what it leaves open."""
        return self.record["stop_reason"], self.record.get("reason", "")


@pytest.fixture
def program(bench: Any, tmp_path: Path) -> Callable[..., Done]:
    """Runs the lines of a program as an agent, behind the proxy and in the sandbox."""
    folder = tmp_path / "toolchain"

    def run(source: str, *words: str, result: str = "exit-code", **more: Any) -> Done:
        folder.mkdir(exist_ok=True)
        (folder / "agent.py").write_text(LIBRARY + source)
        declared = {
            "format": 1,
            "name": "toy",
            "argv": ["{python}", "-I", "{toolchain}/agent.py", "{prompt_file}"],
            "environment": {"OPENAI_BASE_URL": "{base_url}/v1", "MODEL": "{model}"},
            "credentials": ["OPENAI_API_KEY"],
            "result": result,
            "show": ["{toolchain}"],
        }
        # JSON is read too, where the name of a file does not end in .toml.
        declaration = tmp_path / "program.json"
        declaration.write_text(json.dumps(declared | more))
        options = {"program": declaration, "toolchain": folder, "seconds": 60}
        usual = ["--agent", "command", "--api", "openai", "--no-preflight"]
        for name, value in options.items():
            if not any(word.startswith(f"{name}=") for word in words):
                usual += ["--agent-option", f"{name}={value}"]
        outcome = bench.generate(*usual, *words, tasks=[FIRST])
        found = bench.record_path().exists()
        return Done(outcome=outcome, record=bench.record() if found else {}, bench=bench)

    return run
