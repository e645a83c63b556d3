"""The executor for clusters, with a real scheduler and real workers. Every wait is bounded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kcb_core.catalog import load_catalog
from kcb_core.errors import DeclarationError
from kcb_core.execution import Errand, OpenExecutor, Setup
from kcb_core.testing.values import small_task, write_dataset
from kcb_experiments.remote.remote_executor import RemoteExecutor
from kcb_experiments.task_sets import DatasetTasks
from kcb_experiments.testing.executor_conformance import (
    SECRET,
    SECRET_NAME,
    ExecutorConformance,
    Watch,
    casting,
    new_name,
    processes,
)

pytestmark = [pytest.mark.remote, pytest.mark.workspace, pytest.mark.xdist_group("remote")]

WAIT_S = 90.0

PRELOAD = """
from kcb_experiments.remote import posting
posting.LEASE_S = 8.0
"""


def wait_until(what: Callable[[], Any]) -> Any:
    """The first true value that a question gives."""
    end = time.monotonic() + WAIT_S
    while not (found := what()):
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.1)
    return found


class TestConformance(ExecutorConformance):
    """What every executor keeps, on a cluster of this machine that is made for the run."""

    executor = RemoteExecutor()
    settings: ClassVar = {"workers": 2}


@dataclass
class Cluster:
    """A scheduler with two workers, each under a nanny, and a client that looks at them."""

    file: Path
    client: Any

    def pids(self) -> list[int]:
        """The processes of both workers, once there are two."""
        self.client.wait_for_workers(2, timeout=WAIT_S)
        found: dict[str, int] = wait_until(
            lambda: len(pids := self.client.run(os.getpid, on_error="ignore")) == 2 and pids
        )
        return list(found.values())


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One cluster for all tests, which has the credential; what a test breaks the nannies mend."""
    from distributed import Client  # noqa: PLC0415 - an extra

    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    (folder / "preload.py").write_text(PRELOAD)
    quiet = {"DASK_LOGGING__DISTRIBUTED": "critical", "DASK_TEMPORARY_DIRECTORY": str(folder)}
    environment = {**os.environ, **quiet, SECRET_NAME: SECRET}
    dask = str(Path(sys.executable).with_name("dask"))
    words = ["--scheduler-file", str(file), "--no-dashboard"]
    parts = [[dask, "scheduler", "--host", "127.0.0.1", "--port", "0", *words]]
    worker = [dask, "worker", "--host", "127.0.0.1", "--nthreads", "2", "--preload", "preload.py"]
    parts += [[*worker, *words]] * 2
    started = []
    try:
        for part in parts:
            with open(folder / "log", "ab") as log:
                started.append(
                    subprocess.Popen(
                        part, stdout=log, stderr=log, env=environment, cwd=folder,
                        start_new_session=True,
                    )
                )  # fmt: skip
            wait_until(file.exists)
        with Client(scheduler_file=str(file), timeout=WAIT_S, set_as_default=False) as client:
            made = Cluster(file, client)
            made.pids()
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
def opened(tmp_path: Path, cluster: Cluster, *castings: Any, **settings: Any) -> Iterator[Any]:
    """The executor on that cluster, after its preflight; and an errand without a subject."""
    tasks = DatasetTasks(write_dataset(tmp_path / "data", small_task()))
    task = tasks.brief(small_task().task_id)
    given = {"scheduler": str(cluster.file), **settings}
    setup = Setup(tasks=tasks, settings=given, agents=load_catalog().agents(), at_once=2)
    errand = Errand(
        name=f"{task.task_id}/r0/me",
        task=task,
        dataset=tasks.stamp,
        casting=casting("pass"),
        folder=tmp_path / "attempt",
        seconds=60.0,
        observer=Watch(),
        used_up=lambda: "",
        stopped=lambda: False,
    )
    with RemoteExecutor().open(setup) as executor:
        executor.preflight(castings, "")
        yield executor, errand


def ran(executor: OpenExecutor, errand: Errand, code: str, **changes: Any) -> Any:
    """What came of some code."""
    return executor.run(replace(errand, casting=casting(code), **changes))


def test_a_lost_worker_says_nothing_of_the_subject(tmp_path: Path, cluster: Cluster) -> None:
    """The subject is ended with it and not begun anew behind anybody's back; the next one runs."""
    before, name = cluster.pids(), new_name()
    hide = f"import ctypes, time; ctypes.CDLL(None).prctl(15, {name.encode()!r}, 0, 0, 0)"

    def kill() -> bool:
        for pid in processes(name):
            with suppress(OSError):
                os.kill(parent(pid), signal.SIGKILL)
        return False

    with opened(tmp_path, cluster) as (executor, errand):
        left = ran(executor, errand, f"{hide}; time.sleep(600)", stopped=kill)
        assert (left.started, left.raised, left.killed, left.cancelled) == (
            True,
            True,
            False,
            False,
        )
        assert "was lost" in left.reason
        assert left.deployment["worker"].startswith("tcp://")
        wait_until(lambda: not processes(name))
        assert ran(executor, errand, "pass", folder=tmp_path / "second").returned
    assert set(cluster.pids()) != set(before)


def parent(pid: int) -> int:
    """Parent of a process."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_other_software_on_a_worker_is_refused(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line names both; no arm runs on two versions."""
    monkeypatch.setattr(
        "kcb_experiments.remote.dispatch.versions", lambda names: {"kcb-experiments": "0.0.7"}
    )
    refused = pytest.raises(DeclarationError, match=r"kcb-experiments .* there and 0\.0\.7 here")
    with refused, opened(tmp_path, cluster):
        pass


def test_what_workers_lack_is_named(tmp_path: Path, cluster: Cluster) -> None:
    """A key is the worker's own, and never sent."""
    keyless = replace(casting("pass"), credentials=("KCB_NOWHERE",))
    refused = pytest.raises(DeclarationError, match="variable KCB_NOWHERE on worker tcp://")
    with refused, opened(tmp_path, cluster, keyless):
        pass


def test_nobody_at_an_address_is_said_with_what_helps(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was started by then."""
    monkeypatch.setattr("kcb_runner.remote.cluster.CONNECT_S", 1.0)
    refused = pytest.raises(DeclarationError, match=r"127\.0\.0\.1:9.*start 'dask scheduler'")
    with refused, opened(tmp_path, cluster, scheduler="tcp://127.0.0.1:9"):
        pass


def spec(lab: Any, cluster: Cluster, arms: str = "a", **more: Any) -> None:
    """An experiment on that cluster."""
    settings = f'check_endpoints = false, scheduler = "{cluster.file}"'
    lab.spec(arms, top='name = "remote"', executor=settings, **more)


def test_an_experiment_comes_to_the_same_as_in_processes(lab: Any, cluster: Cluster) -> None:
    """Statuses, scores, requests and kinds of files: only where it ran differs."""
    found = {}
    for executor in ("process", "remote"):
        place = type(lab)(lab.folder / executor, lab.provider)
        (place.folder / "run").mkdir(parents=True)
        lab.provider.answers.clear()
        lab.provider.says("no project in this one")
        place.spec(tasks=2) if executor == "process" else spec(place, cluster, tasks=2)
        place.run()
        found[executor] = [
            (
                attempt.status,
                attempt.score,
                attempt.requests,
                attempt.end.stop_reason,
                attempt.charged.tokens,
                {
                    file.path.split("/", 3)[-1]
                    for file in attempt.end.artifacts
                    if file.path.startswith("attempts/")
                },
            )
            for attempt in place.attempts()
        ]
    assert found["remote"] == found["process"]
    assert [status for status, *_ in found["process"]] == ["subject_failed", "completed"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_cells_end_with_their_experiment(
    lab: Any, cluster: Cluster, number: signal.Signals
) -> None:
    """In order, or when nobody has spoken to their workers for a while; nobody pays on."""
    from kcb_agents.testing.scripted_answer import Said  # noqa: PLC0415 - a sibling

    lab.provider.usual = Said(manner="mute")
    spec(lab, cluster, "ab")
    process: subprocess.Popen[str] = lab.start()
    wait_until(lambda: len(lab.provider.requests) == 2)
    assert len(workers(cluster)) == 2
    process.send_signal(number)
    process.communicate(timeout=WAIT_S)
    wait_until(lambda: workers(cluster) == [])
    cause = "cancelled" if number == signal.SIGTERM else "interrupted"
    assert lab.statuses() == [f"void {cause}"] * 2


def workers(cluster: Cluster) -> list[int]:
    """Processes of subjects below the cluster's workers."""
    above = set(cluster.pids())
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (place / "cmdline").read_bytes()
            if b"kcb_experiments.engine.worker" in words and parent(int(place.name)) in above:
                found.append(int(place.name))
    return found
