"""Worker processes: the same rows as in this process, and failures that are told and never hang."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from kcb_core.catalog import Catalog, load_catalog
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.family import Family
from kcb_core.resources import usable_cpus
from kcb_tasks import plugin, workers
from kcb_tasks.build import Built, build
from kcb_tasks.rows import Work, in_turn
from kcb_tasks.tiers.easy import EASY
from kcb_tasks.workers import in_workers, workers_for

STRANGER = """
import os
import time
from dataclasses import replace

from kcb_core import hookimpl
from kcb_core.testing.toy import AMOUNTS

WRONG = os.environ.get("STRANGER_WRONG")
PARENT = os.environ["STRANGER_PARENT"]


def family(number):
    changes = {"number": number, "slug": f"amounts-{number}", "dataset": "stranger"}
    changes["evaluate"] = lambda fields: AMOUNTS.evaluate(fields)  # no lambda can be pickled
    if WRONG == "case" and number == 3:
        changes["golden"] = replace(AMOUNTS.golden, result={"total": -1})
    if WRONG == "end" and number == 5 and str(os.getpid()) != PARENT:
        changes["evaluate"] = lambda fields: os._exit(9)
    if WRONG == "stuck":
        changes["evaluate"] = stuck
    return replace(AMOUNTS, **changes)


def stuck(fields):
    with open(os.environ["STRANGER_PIDS"], "a") as pids:
        pids.write(f"{os.getpid()}\\n")
    time.sleep(60)


@hookimpl
def kcb_register_families():
    return [family(number) for number in range(1, 9)]
"""


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed plug-in with eight families whose rules are lambdas."""
    (tmp_path / "stranger.py").write_text(STRANGER)
    info = tmp_path / "stranger-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[kcb]\nstranger = stranger\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "stranger", raising=False)
    monkeypatch.setenv("STRANGER_PARENT", str(os.getpid()))
    return tmp_path


def _families(catalog: Catalog) -> list[Family]:
    return [family for family in catalog.families() if family.dataset == "stranger"]


def _built(catalog: Catalog, work: Work) -> Built:
    return build(_families(catalog), [EASY], seed=3, version="1", packages={}, work=work)


_in_two = partial(in_workers, True, 2)


@pytest.mark.usefixtures("stranger")
def test_workers_give_the_same_bytes() -> None:
    """A dataset does not tell on how many processors it was built, nor who wrote its families."""
    catalog = load_catalog()
    told: list[str] = []
    one = _built(catalog, in_turn)
    two = build(
        _families(catalog),
        [EASY],
        seed=3,
        version="1",
        packages={},
        work=_in_two,
        done=told.append,
    )
    assert two == one
    assert told == list(one.manifest.members())


@pytest.mark.usefixtures("stranger")
def test_a_fault_of_a_family_comes_in_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes a family reads the same line, wherever it was built."""
    monkeypatch.setenv("STRANGER_WRONG", "case")
    catalog = load_catalog()
    faults = []
    for work in (in_turn, _in_two):
        with pytest.raises(DeclarationError, match="stranger/amounts-3, golden case") as caught:
            _built(catalog, work)
        faults.append(str(caught.value))
    assert faults[0] == faults[1]


@pytest.mark.usefixtures("stranger")
def test_a_worker_that_ends_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel may kill one for its memory; nothing waits for it."""
    monkeypatch.setenv("STRANGER_WRONG", "end")
    with pytest.raises(MachineError, match="ended before its work was done"):
        _built(load_catalog(), _in_two)


def test_few_families_one_processor_or_given_plugins_need_no_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Starting one takes longer than the work, and an object cannot be sent to it."""
    installed, given = load_catalog(), load_catalog([("tasks", plugin)])
    monkeypatch.setattr(workers, "usable_cpus", lambda: 4)
    assert workers_for(installed, 65) is not in_turn
    assert workers_for(installed, 7) is in_turn
    assert workers_for(given, 65) is in_turn
    monkeypatch.setattr(workers, "usable_cpus", lambda: 1)
    assert workers_for(installed, 65) is in_turn


@pytest.mark.skipif(usable_cpus() < 2, reason="one processor needs no worker")
@pytest.mark.parametrize(("stop", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_no_worker_outlives_the_build(
    stranger: Path, monkeypatch: pytest.MonkeyPatch, stop: signal.Signals, status: int
) -> None:
    """Whoever stops it, or whatever kills it, gets the processors back at once."""
    pids = stranger / "pids"
    pids.touch()
    monkeypatch.setenv("STRANGER_WRONG", "stuck")
    monkeypatch.setenv("STRANGER_PIDS", str(pids))
    command = ["build", "--families", "stranger", "--output", str(stranger / "data")]
    # Tests that run in the background ignore interruptions, and so does all that they start.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    build = subprocess.Popen(
        [sys.executable, "-c", f"{heard}; from kcb_core.cli import main; main()", *command],
        env={**os.environ, "PYTHONPATH": str(stranger)},
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
    )
    _wait_for(lambda: len(pids.read_text().splitlines()) == 2)
    if stop is signal.SIGINT:
        os.killpg(build.pid, stop)  # as a terminal does
    else:
        build.send_signal(stop)
    said = build.communicate(timeout=30)[1]
    assert build.returncode == status
    assert "Traceback" not in said
    workers = [int(pid) for pid in pids.read_text().split()]
    _wait_for(lambda: not any(map(_runs, workers)))


def _wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 50
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    """Whether a process is there and has not ended, collected or not."""
    command = ["ps", "-o", "stat=", "-p", str(pid)]
    state = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return state != "" and not state.startswith("Z")
