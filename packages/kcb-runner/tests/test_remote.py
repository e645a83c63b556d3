"""A real scheduler and two worker processes: what is lost is played again, and nothing else counts.

Every wait is bounded. The engine's own parts are started as their users start them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kcb_core.errors import DeclarationError, MachineError
from kcb_core.report import Confinement, FailureKind, Outcome, TaskReport, read_report
from kcb_runner.evaluator import stamp_of
from kcb_runner.intake import submission_of
from kcb_runner.players import Player, RunnerWish
from kcb_runner.remote.runner import RemoteRunner
from kcb_runner.report import Circumstances

pytestmark = [pytest.mark.remote, pytest.mark.xdist_group("remote")]

WAIT_S = 90.0
WRONG = "import sys\nfor line in sys.stdin: print('{}', flush=True)\n"
SLOW = "import time\ntime.sleep(0.4)\n"

#: Loaded by every worker: a project with such a file kills it, once if the file names a mark.
#: It stands for a candidate that breaks out, whatever the launcher would keep it from.
PRELOAD = """
import os
from pathlib import Path
from kcb_runner.remote import errand

# A worker may load this twice.
errand.honest = honest = getattr(errand, "honest", errand.judge)


def judge(task, submission, *rest, **options):
    for file in submission.files:
        mark = file.data.decode()
        if file.path == "kills-its-worker" and not (mark and Path(mark).exists()):
            if mark:
                Path(mark).touch()
            os.kill(os.getpid(), 9)
    return honest(task, submission, *rest, **options)


errand.judge = judge
"""


def candidates(mark: str) -> list[str]:
    """Processes that run in a copy of a project whose main.py holds a mark."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, UnicodeDecodeError):
            if mark in (process / "cwd" / "main.py").read_text():
                found.append(process.name)
    return found


def wait_until(what: Any, limit_s: float = WAIT_S) -> Any:
    """The first true value that a question gives."""
    end = time.monotonic() + limit_s
    while not (found := what()):
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.1)
    return found


@dataclass
class Cluster:
    """A scheduler with two workers, each under a nanny, and a client that looks at them."""

    file: Path
    client: Any

    def pids(self) -> dict[str, int]:
        """Process of each worker by its address."""
        found: dict[str, int] = self.client.run(os.getpid, on_error="ignore")
        return found

    def two(self) -> dict[str, int]:
        """The same once there are two, as after a restart."""
        self.client.wait_for_workers(2, timeout=WAIT_S)
        return wait_until(lambda: len(found := self.pids()) == 2 and found)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One cluster for all tests; what a test breaks, the nannies mend."""
    from distributed import Client  # noqa: PLC0415 - an extra

    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    quiet = {"DASK_LOGGING__DISTRIBUTED": "critical", "DASK_TEMPORARY_DIRECTORY": str(folder)}
    once = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    dask = str(Path(sys.executable).with_name("dask"))
    words = ["--scheduler-file", str(file), "--no-dashboard"]
    ours = {**os.environ, **quiet, **once}
    options: dict[str, Any] = {"env": ours, "cwd": folder, "start_new_session": True}
    parts = [[dask, "scheduler", "--host", "127.0.0.1", "--port", "0", *words]]
    (folder / "preload.py").write_text(PRELOAD)
    worker = [dask, "worker", "--host", "127.0.0.1", "--nthreads", "1", "--preload", "preload.py"]
    parts += [[*worker, *words]] * 2
    started = []
    try:
        for part in parts:
            with open(folder / "log", "ab") as log:
                started.append(subprocess.Popen(part, stdout=log, stderr=log, **options))
            wait_until(file.exists)
        with Client(scheduler_file=str(file), timeout=WAIT_S, set_as_default=False) as client:
            made = Cluster(file, client)
            made.two()
            yield made
            client.shutdown()
    finally:
        for process in started:
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(10)


@contextmanager
def fleet(arena: Any, where: Cluster, **wish: Any) -> Iterator[Player]:
    """The cluster as a player."""
    about = Circumstances(dataset=stamp_of(arena.task(), None), bench=arena.bench, subject="me")
    with RemoteRunner().open(about, RunnerWish(scheduler=str(where.file), **wish)) as player:
        yield player


def play(player: Player, arena: Any, main: str, **files: str) -> TaskReport:
    """Judge one main.py by an echo, with other files beside it."""
    return player.play(arena.task(), submission_of({"main.py": main, **files}), None)


def folder_of(arena: Any, mains: list[str], **options: Any) -> Path:
    """A folder of projects, one for each task of a dataset; options as for ``Arena.task``."""
    arena.dataset(*(arena.task(number=n + 1, **options) for n in range(len(mains))))
    folder: Path = arena.folder / "projects"
    folder.mkdir()
    for number, main in enumerate(mains):
        (folder / f"arena-easy-{number + 1:03d}-echo").mkdir()
        (folder / f"arena-easy-{number + 1:03d}-echo" / "main.py").write_text(main)
    return folder


def command(arena: Any, folder: Path, output: str, *words: str) -> subprocess.Popen[str]:
    """``klein-bench evaluate --all`` in a process group of its own."""
    data = ["--dataset", str(arena.folder / "dataset"), "-o", str(arena.folder / output)]
    return subprocess.Popen(
        [sys.executable, "-m", "kcb_core", "evaluate", "--all", str(folder), *data, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def reports(arena: Any, output: str) -> dict[str, TaskReport]:
    """Every report of a run by the name of its file."""
    return {path.name: read_report(path) for path in (arena.folder / output).glob("*.json")}


def test_a_worker_that_is_killed_in_mid_run_costs_no_report(arena, echo, cluster):
    """All reports are there, and they say what the runner of one machine says."""
    folder = folder_of(arena, [SLOW + echo, WRONG, echo] * 4)
    run = command(arena, folder, "remote", "--runner", "remote", "--scheduler", str(cluster.file))
    before = cluster.two()
    wait_until(lambda: len(list((arena.folder / "remote").glob("*.json"))) >= 3)
    os.kill(next(iter(before.values())), signal.SIGKILL)
    out, err = run.communicate(timeout=WAIT_S)
    assert run.returncode == 1, err
    assert "12 judged: 8 resolved, 4 failed, 0 void" in out
    alone = command(arena, folder, "local")
    assert alone.wait(WAIT_S) == 1
    alone.communicate()
    here, there = reports(arena, "local"), reports(arena, "remote")
    assert {k: (r.outcome, r.failure, r.source) for k, r in here.items()} == {
        k: (r.outcome, r.failure, r.source) for k, r in there.items()
    }
    assert set(cluster.two().values()) != set(before.values())


def test_the_same_bytes_are_handed_over_once(arena, echo, cluster):
    """A task that many projects are judged by is on the cluster once, under its digest."""
    with fleet(arena, cluster) as player:
        found = [play(player, arena, f"{echo}\n# {n}") for n in range(5)]
        keys = cluster.client.run_on_scheduler(
            lambda dask_scheduler: [str(key) for key in dask_scheduler.tasks]
        )
    assert [report.outcome for report in found] == [Outcome.RESOLVED] * 5
    assert len([key for key in keys if "unpack_task" in key]) == 1
    assert {(report.subject, report.jobs) for report in found} == {("me", 1)}


def test_a_project_that_kills_its_worker_twice_is_at_fault(arena, echo, cluster):
    """It costs two restarts, and neither verdict nor report of any other."""
    cluster.two()
    with fleet(arena, cluster) as player:
        report = play(player, arena, echo, **{"kills-its-worker": ""})
        assert play(player, arena, echo).outcome is Outcome.RESOLVED
    assert report.failure.kind is FailureKind.RESOURCE_LIMIT
    assert "two workers were lost" in report.failure.reason
    assert len(report.voids) == 2


def test_a_project_whose_worker_was_lost_once_is_judged_by_the_next(arena, echo, cluster):
    """A lost worker is no verdict: the second try decides, and the report names the loss."""
    mark = str(arena.folder / "been here")
    cluster.two()
    with fleet(arena, cluster) as player:
        report = play(player, arena, echo, **{"kills-its-worker": mark})
    assert report.outcome is Outcome.RESOLVED
    assert "was lost" in report.voids[0].reason


def test_other_software_on_a_worker_is_refused(arena, cluster, monkeypatch):
    """One line names both; nothing is judged by two evaluators."""
    monkeypatch.setattr("kcb_runner.remote.fleet.versions", lambda: {"kcb-runner": "0.0.7"})
    with pytest.raises(DeclarationError) as caught, fleet(arena, cluster):
        pass
    assert "runs other software: kcb-runner" in str(caught.value)
    assert "there and 0.0.7 here" in str(caught.value)


def boast(level: str) -> None:
    """In a worker: claim this level of confinement."""
    import kcb_runner.remote.fitness as fitness  # noqa: PLC0415 - it runs elsewhere

    kind = type(fitness.launcher_here("interpreter"))
    if level:
        kind.honest = getattr(kind, "honest", kind.confinement)
        kind.confinement = lambda self: Confinement(level=level)
    elif hasattr(kind, "honest"):
        kind.confinement = kind.honest


@pytest.fixture
def boasting(cluster: Cluster) -> Iterator[list[str]]:
    """Two workers, the first of which confines nothing, the second everything."""
    import cloudpickle  # noqa: PLC0415 - comes with the extra

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    addresses = list(cluster.two())
    for address, level in zip(addresses, ("none", "full"), strict=True):
        cluster.client.run(boast, level, workers=[address])
    yield addresses
    cluster.client.run(boast, "")
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


def test_a_worker_that_cannot_confine_gets_no_tasks(arena, echo, cluster, boasting, capsys):
    """It says so, and the other one plays everything."""
    with fleet(arena, cluster, confinement="full") as player:
        found = [play(player, arena, f"{echo}\n# {n}") for n in range(6)]
    assert {report.confinement.level for report in found} == {"full"}
    assert f"worker {boasting[0]} gets no tasks: " in capsys.readouterr().err
    for address in boasting:
        cluster.client.run(boast, "none", workers=[address])
    refused = pytest.raises(MachineError, match="confines at level 'none' there")
    with refused, fleet(arena, cluster, confinement="full"):
        pass


def test_an_interrupted_run_keeps_what_is_finished(arena, echo):
    """Ctrl-C reaches every process of the terminal, and still no finished report is lost.

    One project hangs for longer than the test takes, and leaves the other worker to the rest: which
    of two comes first is not for the test to say.
    """
    mark = f"# {arena.folder}"
    hangs = f"import time\ntime.sleep(600)\n{mark}\n"
    folder = folder_of(arena, [echo, hangs, echo, echo], timeout_s=2 * WAIT_S)
    run = command(arena, folder, "out", "--runner", "remote", "--jobs", "2")
    wait_until(lambda: len(list((arena.folder / "out").glob("*.json"))) >= 2)
    wait_until(lambda: candidates(mark))
    started = time.monotonic()
    os.killpg(run.pid, signal.SIGINT)
    _, err = run.communicate(timeout=WAIT_S)
    assert run.returncode == 130, err
    assert time.monotonic() - started < 30
    assert "interrupted with" in err
    assert "Traceback" not in err
    found = reports(arena, "out")
    assert len(found) in (2, 3)
    assert {report.outcome for report in found.values()} == {Outcome.RESOLVED}
    assert candidates(mark) == []


def test_nobody_at_an_address_is_this_machines_fault(arena, monkeypatch):
    """It is exit 3: nothing is said of any project."""
    monkeypatch.setattr("kcb_runner.remote.cluster.CONNECT_S", 1.0)
    about = Circumstances(dataset=stamp_of(arena.task(), None), bench=arena.bench)
    for scheduler, error in (
        ("tcp://127.0.0.1:9", MachineError),
        (str(arena.folder / "gone.json"), DeclarationError),
    ):
        with pytest.raises(error), RemoteRunner().open(about, RunnerWish(scheduler=scheduler)):
            pass
