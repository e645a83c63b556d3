"""Cells whose subjects have a network: what is refused before any starts, and what is kept."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.command.command_agent import CommandAgent
from kcb_agents.egress.component import PIN, VARIABLE
from kcb_agents.testing.policed import why_not
from kcb_core.errors import DeclarationError
from kcb_core.execution import Casting, Errand, Left, Setup
from kcb_core.report import DatasetStamp
from kcb_core.roles import EGRESS_RECORD, Generated, Generation
from kcb_core.run_record import Usage
from kcb_core.tasksets import Brief
from kcb_core.transcript_file import TRANSCRIPT_NAME, side_folder
from kcb_experiments.engine.descendants import descendants
from kcb_experiments.engine.network import witnessed
from kcb_experiments.engine.process_executor import OpenProcesses, ProcessExecutor

pytestmark = pytest.mark.workspace


class Plain:
    """An agent that cannot be kept to anything."""

    name = "plain"
    version = "1"
    asks_model = False

    def generate(self, generation: Generation) -> Generated:
        """Never called."""
        raise NotImplementedError


class Quiet:
    """An observer that nobody reads."""

    def asked(self) -> None:
        """The subject asks."""

    def answered(self, usage: Usage | None, dollars: float | None) -> None:
        """It is answered."""

    def told(self, line: str) -> None:
        """It waits."""


def setup(proxy: str = PIN, settings: Mapping[str, Any] | None = None) -> Setup:
    """What the executor is opened with."""
    tasks: Any = None  # nothing here asks for any
    agents = (Plain(), CommandAgent())
    return Setup(tasks=tasks, settings=settings or {}, egress_proxy=proxy, agents=agents)


def opened(given: Setup) -> OpenProcesses:
    """The executor, open."""
    with ProcessExecutor().open(given) as found:
        return found


def test_an_agent_that_cannot_be_kept_to_the_proxy_is_refused_by_name() -> None:
    """An arm with a free network beside one without would be no comparison."""
    castings = [Casting(subject="free", agent="plain")]
    with pytest.raises(DeclarationError, match="'free': agent 'plain' cannot be kept to a proxy"):
        opened(setup()).preflight(castings, "")


@pytest.mark.parametrize(
    ("proxy", "says"),
    [("mitmproxy==1.0", "is not known: say"), (PIN, f"{VARIABLE}|no egress policy here")],
)
def test_what_the_machine_lacks_is_named_before_the_first_cell(
    proxy: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version is as bad as none."""
    monkeypatch.delenv(VARIABLE, raising=False)
    castings = [Casting(subject="one", agent="command")]
    with pytest.raises(DeclarationError, match=rf"subject 'one': .*(?:{says})"):
        opened(setup(proxy)).preflight(castings, "")


def test_a_name_that_would_refuse_everything_is_refused_itself() -> None:
    """It is looked at before the first cell, and not by a proxy that then does not start."""
    castings = [Casting(subject="one", agent="command")]
    with pytest.raises(DeclarationError, match=r"'egress_blocked': 'a' is no name"):
        opened(setup(PIN, {"egress_blocked": ["a"]})).preflight(castings, "")


def test_names_to_refuse_need_a_proxy_that_refuses_them() -> None:
    """A setting without effect would be believed to have one."""
    with pytest.raises(DeclarationError, match=r"of no use without 'executor.egress_proxy'"):
        opened(setup("", {"egress_blocked": ["x-bench"]}))


@pytest.mark.parametrize(
    ("left", "raised"),
    [
        (Left(returned=True, stop_reason="done"), True),
        (Left(timed_out=True, reason="cut off after 60 s"), True),
        (Left(killed=True, reason="the worker died: signal 9"), True),
        (Left(cancelled=True), False),
        (Left(started=False), False),
    ],
)
def test_without_a_record_nothing_is_said_of_a_subject(
    tmp_path: Path, left: Left, raised: bool
) -> None:
    """However it ended, and whatever it paid: the attempt is void, and can be tried again."""
    found = witnessed(left, tmp_path)
    assert found.raised is raised
    assert ("egress record is missing" in found.reason) is raised
    project = tmp_path / "project"
    project.mkdir()
    (project / EGRESS_RECORD).write_text("{}")
    assert witnessed(left, tmp_path) == found, "what a subject writes is no record"
    record = side_folder(tmp_path / TRANSCRIPT_NAME)
    record.mkdir()
    (record / EGRESS_RECORD).write_text("{}")
    assert witnessed(left, tmp_path) == left


PROGRAM = """
import json, os, sys, time, urllib.error, urllib.request
try:
    found = urllib.request.urlopen("http://x.invalid/another_bench", timeout=20).status
except urllib.error.HTTPError as error:
    found = error.code
open("main.py", "w").write(json.dumps([found, os.environ["HTTPS_PROXY"]]))
time.sleep(float(sys.argv[1]))
"""


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Left]:
    """Runs a cell with a network whose subject stays for so many seconds."""
    if reason := why_not():
        pytest.skip(reason)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where a killed one leaves what it had
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "agent.py").write_text(PROGRAM)
    executor = opened(setup(PIN, {"egress_blocked": ["another-bench"], "check_endpoints": False}))

    def run(seconds: str) -> Left:
        casting = Casting(
            subject="one",
            agent="command",
            settings={"base_url": "http://127.0.0.1:9/v1", "model": "m", "api": "openai"},
            options={
                "toolchain": str(tools),
                "argv": f"{{python}} -I {{toolchain}}/agent.py {seconds}",
            },
        )
        executor.preflight([casting], "")
        (tmp_path / "attempt").mkdir()
        return executor.run(
            Errand(
                name="cell",
                task=Brief(task_id="toy-easy-001-echo", prompt="Write it.\n"),
                dataset=DatasetStamp(name="toy", version="1", manifest_sha256="0" * 64, totals={}),
                casting=casting,
                folder=tmp_path / "attempt",
                seconds=120,
                observer=Quiet(),
                used_up=lambda: "",
                stopped=lambda: False,
            )
        )

    return run


def test_a_cell_has_the_network_that_its_executor_says_and_keeps_the_record(
    running: Callable[[str], Left], tmp_path: Path
) -> None:
    """The subject declared nothing; the record lies among the files of its attempt."""
    left = running("0")
    assert (left.stop_reason, left.reason) == ("done", "")
    assert left.project is not None
    said = json.loads((left.project / "main.py").read_text())
    assert said == [403, "http://kcb-egress-proxy:8080"]
    record = side_folder(tmp_path / "attempt" / TRANSCRIPT_NAME) / EGRESS_RECORD
    assert '"configured names: another-bench"' in record.read_text()
    making = json.loads((tmp_path / "attempt" / "generation.json").read_text())
    assert making["said"]["egress"]["proxy"] == PIN
    assert making["options"]["egress_proxy"] == PIN


def command_lines() -> dict[int, bytes]:
    """What this process has started, and what that has, by process id."""
    found = {}
    for process in descendants(os.getpid()):
        with suppress(OSError):
            found[process.pid] = Path(f"/proc/{process.pid}/cmdline").read_bytes()
    return found


def test_a_worker_that_is_killed_leaves_an_attempt_that_says_nothing(
    running: Callable[[str], Left],
) -> None:
    """Its subject was at work, and may have asked anything."""
    over = threading.Event()

    def kill() -> None:
        while not over.wait(0.1):
            lines = command_lines()
            if any(b"/agent.py" in line for line in lines.values()):
                for pid in (pid for pid, line in lines.items() if b"engine.worker" in line):
                    os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        left = running("60")
    finally:
        over.set()
        thread.join()
    assert left.raised
    assert left.reason.startswith("the egress record is missing: the worker died: signal 9")
