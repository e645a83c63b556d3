"""Cells whose subjects have a network: what is refused before any starts, and what is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.command.command_agent import CommandAgent
from kcb_agents.egress.component import PIN, VARIABLE
from kcb_agents.testing.policed import why_not
from kcb_core.errors import DeclarationError
from kcb_core.execution import Casting, Errand, Setup
from kcb_core.report import DatasetStamp
from kcb_core.roles import Generated, Generation
from kcb_core.run_record import Usage
from kcb_core.tasksets import Brief
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


PROGRAM = """
import json, os, urllib.error, urllib.request
try:
    found = urllib.request.urlopen("http://x.invalid/another_bench", timeout=20).status
except urllib.error.HTTPError as error:
    found = error.code
open("main.py", "w").write(json.dumps([found, os.environ["HTTPS_PROXY"]]))
"""


def test_a_cell_has_the_network_that_its_executor_says_and_keeps_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The subject declared nothing; the record lies among the files of its attempt."""
    if reason := why_not():
        pytest.skip(reason)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "agent.py").write_text(PROGRAM)
    casting = Casting(
        subject="one",
        agent="command",
        settings={"base_url": "http://127.0.0.1:9/v1", "model": "m", "api": "openai"},
        options={"toolchain": str(tools), "argv": "{python} -I {toolchain}/agent.py"},
    )
    executor = opened(setup(PIN, {"egress_blocked": ["another-bench"], "check_endpoints": False}))
    executor.preflight([casting], "")
    folder = tmp_path / "attempt"
    folder.mkdir()
    left = executor.run(
        Errand(
            name="cell",
            task=Brief(task_id="toy-easy-001-echo", prompt="Write it.\n"),
            dataset=DatasetStamp(name="toy", version="1", manifest_sha256="0" * 64, totals={}),
            casting=casting,
            folder=folder,
            seconds=120,
            observer=Quiet(),
            used_up=lambda: "",
            stopped=lambda: False,
        )
    )
    assert (left.stop_reason, left.reason) == ("done", "")
    assert left.project is not None
    assert json.loads((left.project / "main.py").read_text()) == [
        403,
        "http://kcb-egress-proxy:8080",
    ]
    (record,) = folder.rglob("egress.jsonl")
    assert '"configured names: another-bench"' in record.read_text()
    making = json.loads((folder / "generation.json").read_text())
    assert making["said"]["egress"]["proxy"] == PIN
    assert making["options"]["egress_proxy"] == PIN
