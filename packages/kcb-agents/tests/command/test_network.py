"""A program with a network, run as an agent: refused early, or kept to its proxy and told of."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.command.command_agent import CommandAgent
from kcb_agents.egress.component import PIN, VARIABLE
from kcb_agents.plugin import kcb_register_health_checks
from kcb_agents.testing.policed import why_not
from kcb_core.health import Verdict
from kcb_core.roles import NetworkedAgent

LOOKS = """
import socket, urllib.error, urllib.request

def status(url):
    try:
        return urllib.request.urlopen(url, timeout=20).status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError as error:
        return type(error).__name__

def direct(place):
    try:
        socket.create_connection(place, 20)
    except OSError as error:
        return type(error).__name__

found = {
    "model": ask("hello"),
    "refused": status("http://terminal-bench.invalid/"),
    "tunnel": status("https://www.tbench.ai/"),
    "nearby": status("http://127.0.0.2:9/"),
    "direct": direct(("1.1.1.1", 443)),
}
write(json.dumps(found))
"""


def with_proxy(*more: str) -> tuple[str, ...]:
    """Words that give a program its network."""
    return "--agent-option", f"egress_proxy={PIN}", *more


def test_the_agent_says_that_it_can_be_kept_to_a_proxy() -> None:
    """By the role that executors ask for."""
    assert isinstance(CommandAgent(), NetworkedAgent)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--agent-option", "egress_proxy=mitmproxy"), "is not pinned: say 'mitmproxy=="),
        (("--agent-option", "egress_proxy=mitmproxy==1.0"), "is not known: say 'mitmproxy=="),
        (with_proxy("--agent-option", "confine=none"), "'egress_proxy' needs the level 'full'"),
        (("--agent-option", "egress_blocked=x-bench"), "of no use without 'egress_proxy'"),
    ],
)
def test_a_proxy_that_would_not_be_enforced_is_refused(
    program: Any, words: tuple[str, ...], says: str
) -> None:
    """Before anything is started: a subject that is not kept to it would not be told apart."""
    done = program("write()", *words)
    assert done.outcome.status == 2
    assert says in " ".join(done.outcome.err.split())
    assert not done.record


def test_without_its_environment_nothing_is_started(
    program: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is missing is named, whichever that is here."""
    monkeypatch.delenv(VARIABLE, raising=False)
    done = program("write()", *with_proxy())
    assert done.outcome.status == 2
    assert VARIABLE in done.outcome.err or "no egress policy here" in done.outcome.err


def test_doctor_says_whether_a_subject_can_have_a_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is no fault of a machine that it cannot: most subjects have none."""
    (check,) = [one for one in kcb_register_health_checks() if one.name == "agents.egress"]
    if not why_not():
        assert (found := check.check()).verdict is Verdict.OK
        assert PIN in found.summary
    monkeypatch.delenv(VARIABLE, raising=False)
    assert (found := check.check()).verdict is Verdict.OK
    assert found.summary.startswith("none, and only subjects with a network need it: ")


def test_a_program_reaches_its_model_and_its_proxy_and_the_record_says_so(
    namespaces: None, bench: Any, program: Any
) -> None:
    """The provider's proxy listens on loopback still; the other one judges all that goes out."""
    bench.script.says("hello")
    done = program(LOOKS, *with_proxy("--agent-option", "egress_blocked=another-bench"))
    assert done.reason == ("done", ""), done.outcome.err
    found = json.loads(bench.files()["main.py"])
    assert found["model"] == "hello"
    assert found["refused"] == 403
    assert found["tunnel"] == "URLError"
    assert found["nearby"] == 502
    assert found["direct"] in ("OSError", "ConnectionRefusedError", "PermissionError")
    told = done.record["egress"]
    assert (told["proxy"], told["blocked"]) == (PIN, ["another-bench"])
    assert (told["truncated"], told["refused"] >= 3) == (False, True)
    (record,) = bench.output.rglob("egress.jsonl")
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    assert {"www.tbench.ai", "terminal-bench.invalid"} <= {line.get("host") for line in lines}


def proxies() -> Iterator[int]:
    """Process ids of the proxies that this process has started."""
    for path in Path("/proc/self/task").glob("*/children"):
        for pid in map(int, path.read_text().split()):
            if b"mitmdump" in Path(f"/proc/{pid}/cmdline").read_bytes():
                yield pid


@pytest.fixture
def killer(bench: Any) -> Iterator[Callable[[], None]]:
    """Kills the proxy of a program that has asked its model."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.05):
            if bench.script.requests:
                for pid in proxies():
                    os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=work)
    yield thread.start
    over.set()
    thread.join()


OUTLIVES = """
import socket

ask("hello")
try:
    while True:
        socket.create_connection(("kcb-egress-proxy", 8080), 5).close()
        time.sleep(0.1)
except OSError:
    write()
"""


def test_a_record_that_is_missing_makes_the_attempt_void(
    namespaces: None, bench: Any, program: Any, killer: Callable[[], None]
) -> None:
    """The machinery failed: nothing is said of the program, and no project is kept."""
    bench.script.says("hello")
    killer()
    done = program(OUTLIVES, *with_proxy())
    assert done.outcome.status == 3
    assert "egress record has no end" in " ".join(done.outcome.err.split())
    assert bench.files() == {}
