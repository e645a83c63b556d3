"""The launcher for containers, with a real engine, and an image that is built for these tests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kcb_core.catalog import load_catalog, open_source
from kcb_core.cli import run
from kcb_core.dataset import open_dataset
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.health import Verdict
from kcb_core.ids import SHIPPED_DATASET
from kcb_core.report import Outcome
from kcb_core.testing.launcher_conformance import LauncherConformance
from kcb_runner.cancel import Cancel
from kcb_runner.checkup import container_check
from kcb_runner.judging import Bench
from kcb_runner.launch.abandoned import evaluator_labels, reap_containers
from kcb_runner.launch.container import ContainerLauncher
from kcb_runner.launch.engine import Engine, find_engine
from kcb_runner.launch.interpreter import InterpreterLauncher

pytestmark = pytest.mark.container

IMAGE = "kcb-test"

#: How long a container may take to be gone on a busy machine.
PATIENCE_S = 30.0


@pytest.fixture(scope="module")
def engine(lacking: Any) -> Engine:
    """The engine of this machine."""
    try:
        return find_engine()
    except MachineError as error:
        lacking("container", error)
        raise


@pytest.fixture(scope="module", autouse=True)
def image(engine: Engine) -> Iterator[str]:
    """The image that ``image build`` makes here, used by every test, and removed afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KCB_IMAGE", IMAGE)
        assert run(["image", "build", "--tag", IMAGE, "--package", "netbase"]) == 0
        yield engine.image_id(IMAGE)
    engine.call("image", "rm", "--force", IMAGE)


@pytest.fixture(scope="module")
def launcher() -> Iterator[ContainerLauncher]:
    """One launcher for all tests that only play something."""
    with ContainerLauncher() as launcher:
        yield launcher


@pytest.fixture(scope="module")
def usual() -> Iterator[InterpreterLauncher]:
    """The launcher that is compared with, at the level that promises as much."""
    with InterpreterLauncher("full") as launcher:
        try:
            launcher.confinement()
        except MachineError as error:
            pytest.skip(f"nothing to compare with: {error}")
        yield launcher


def containers(engine: Engine, label: str = "kcb.evaluator") -> list[str]:
    """Ids of all containers with this label, running or not."""
    return engine.call("ps", "--all", "--quiet", f"--filter=label={label}").split()


class TestConformance(LauncherConformance):
    """What every launcher keeps."""

    launcher = ContainerLauncher()
    python = "/usr/bin/python3"


class TestImage:
    """What ``image build`` leaves."""

    def test_it_is_labelled_and_says_what_is_in_it(self, engine: Engine) -> None:
        """Whoever finds it on a machine should see whose it is, and which Python it has."""
        said = engine.call("image", "inspect", "--format", "{{json .Config.Labels}}", IMAGE)
        labels = json.loads(said)
        assert labels["kcb"] == "1"
        assert labels["kcb.python"].startswith("3.")
        assert f"python3-minimal={labels['kcb.python']}-" in labels["kcb.packages"]
        assert ",netbase=" in labels["kcb.packages"], "--package had no effect"

    def test_a_package_that_is_not_known_is_one_clear_line(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """And the machine's fault: nothing is said of any project."""
        assert run(["image", "build", "--tag", "kcb-never", "--package", "no-such-thing"]) == 3
        (line,) = capsys.readouterr().err.splitlines()
        assert "no-such-thing" in line
        assert "apt-get update" in line


class TestConfinement:
    """What is in force, and is said to be."""

    def test_the_report_says_engine_image_and_python(
        self, arena: Any, echo: str, image: str, engine: Engine
    ) -> None:
        """Two results compare only if they ran on the same Python."""
        arena.dataset()
        assert arena.evaluate(arena.project(echo), "--launch", "container") == 0
        report = arena.report()
        assert report.launcher == "container"
        assert report.confinement.level == "full"
        assert report.confinement.mechanisms[:2] == ("container", engine.name)
        assert report.confinement.image == image
        assert report.confinement.python == report.host.python
        shown = '{{index .Config.Labels "kcb.python"}}'
        assert report.host.python == engine.call("image", "inspect", "--format", shown, image)

    def test_the_wall_holds(self, arena: Any, launcher: ContainerLauncher) -> None:
        """No network, nothing writable but the box, no way up, and nobody else to be seen."""
        program = """
            import json, os, socket, sys
            def tried(what):
                try:
                    what()
                except OSError:
                    return None
                return "done"
            def write(folder):
                with open(folder + "/kcb-escape", "w") as file:
                    file.write("x")
            request = json.loads(sys.stdin.readline())
            done = {p: tried(lambda: write(p)) for p in (
                "/", "/kcb", "/usr", "/etc", "/var", "/dev", "/run", "/dev/mqueue",
                "/kcb-supervisor", "/kcb-control")}
            done["shm"] = tried(lambda: write("/dev/shm"))
            done["connect"] = tried(lambda: socket.create_connection(("127.0.0.1", 9), 1))
            call = socket.socketpair()[0]
            done["control"] = tried(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            done["control files"] = os.listdir("/kcb-control") or None
            done["root"] = tried(lambda: os.setuid(0))
            done["kill"] = None if os.kill(1, 9) is None and os.path.exists("/proc/1") else "killed"
            pids = sorted(int(p) for p in os.listdir("/proc") if p.isdigit())
            done["others"] = None if pids == [1, os.getpid()] else pids
            write("/tmp"); write(os.environ["HOME"]); write(".")
            value = {name: found for name, found in done.items() if found}
            print(json.dumps({"id": request["id"], "value": value or "x"}), flush=True)
        """
        judgement = self.played(arena, launcher, program)
        assert judgement.outcome is Outcome.RESOLVED, judgement

    def test_level_full_is_the_only_one(self, launcher: ContainerLauncher) -> None:
        """There is no container that confines less."""
        assert launcher.at_level("full").confinement().level == "full"
        with pytest.raises(DeclarationError, match="'basic'"):
            launcher.at_level("basic")

    def played(self, arena: Any, launcher: ContainerLauncher, main: str) -> Any:
        """What comes of a project in a container."""
        arena.bench = replace(arena.bench, launcher=launcher)
        return arena.play(main)


HOSTILE = {
    "right": 'import sys; [print(line, end="", flush=True) for line in sys.stdin]',
    "empty": "",
    "fork bomb": """
        import os, sys
        while True:
            try:
                os.fork()
            except OSError:
                pass
    """,
    "child in a session of its own": """
        import os, subprocess, sys
        subprocess.Popen(["/bin/sleep", "600"], start_new_session=True)
        for line in sys.stdin:
            print(line, end="", flush=True)
    """,
    "stopped orphan that holds the pipes": """
        import os, signal, sys, time
        if os.fork() == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(0.2)
        sys.exit(3)
    """,
    "memory hog": """
        import time
        held = [b"x" * (16 << 20)]
        while True:
            held.append(bytes([len(held) % 251]) * (16 << 20))
    """,
    "disk hog": """
        import errno, json, sys
        request = json.loads(sys.stdin.readline())
        try:
            for number in range(20):
                with open(f"hog-{number}", "wb") as file:
                    for _ in range(60):
                        file.write(bytes(1 << 20))
        except OSError as error:
            print(json.dumps({"id": request["id"], "value": errno.errorcode[error.errno]}))
    """,
    "kills all that it can": """
        import os, signal
        os.kill(1, signal.SIGSTOP)
        os.kill(-1, signal.SIGKILL)
        raise SystemExit(4)
    """,
}


#: Those that answer rightly all the same.
WELL = {"right", "child in a session of its own"}


@pytest.mark.workspace
@pytest.mark.parametrize("tier", ["easy", "max"])
def test_a_reference_resolves_and_the_empty_project_fails(
    launcher: ContainerLauncher, tier: str
) -> None:
    """Real tasks, the second of them with state that outlives a kill."""
    validate = pytest.importorskip("kcb_references.validate")
    catalog = load_catalog()
    dataset = open_dataset(open_source(catalog, SHIPPED_DATASET).folder)
    task = next(dataset.task(name) for name in dataset.task_ids if f"-{tier}-" in name)
    with closing(Cancel()) as cancel:
        bench = Bench(launcher=launcher, cancel=cancel)
        finding = validate.examine(task, catalog, bench)
    assert finding.resolved, finding
    assert finding.failed == {"empty": True}


class TestHostile:
    """Whatever a project tries, it is judged as it is without a container."""

    @pytest.mark.parametrize("name", HOSTILE)
    def test_it_is_judged_the_same(
        self, arena: Any, launcher: ContainerLauncher, usual: InterpreterLauncher, name: str
    ) -> None:
        """Outcome and kind of failure, and what is left running."""
        found = []
        for one in (usual, launcher):
            arena.bench = replace(arena.bench, launcher=one)
            judgement = arena.play(HOSTILE[name], timeout_s=5)
            kind = judgement.failure.kind if judgement.failure else None
            found.append((judgement.outcome, kind, judgement.notes))
        assert found[0] == found[1]
        assert found[1][0] is (Outcome.RESOLVED if name in WELL else Outcome.FAILED)

    def test_the_next_project_is_unharmed(
        self, arena: Any, launcher: ContainerLauncher, echo: str
    ) -> None:
        """After all of these."""
        arena.bench = replace(arena.bench, launcher=launcher)
        assert arena.play(echo).outcome is Outcome.RESOLVED


class TestClean:
    """Nothing is left, however an evaluator ends."""

    def test_nothing_is_left_after_a_killed_evaluator(
        self, arena: Any, engine: Engine, tmp_path: Path
    ) -> None:
        """It could tell nobody, so the containers have to end by themselves."""
        arena.dataset()
        project = arena.project("import time; time.sleep(600)")
        words = ["evaluate", "arena-easy-001-echo", "--solution", project, "--launch", "container"]
        words += ["--dataset", arena.folder / "dataset", "--output", tmp_path / "never.json"]
        evaluator = subprocess.Popen([sys.executable, "-m", "kcb_core", *words])
        try:
            label = f"kcb.evaluator={evaluator.pid}"
            self.await_count(engine, label, 1)
            evaluator.send_signal(signal.SIGKILL)
        finally:
            evaluator.kill()
            evaluator.wait()
        self.await_count(engine, label, 0)
        assert reap_containers() == []

    def test_the_containers_of_dead_evaluators_are_removed_and_no_others(
        self, engine: Engine, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """A machine may lose its power before an engine has removed anything."""
        ended = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        dead, living = evaluator_labels(ended.pid), evaluator_labels(os.getpid())
        ended.communicate(b"\n")
        elsewhere = {**dead, "kcb.evaluator.space": "another machine"}
        names = {"dead": dead, "living": living, "elsewhere": elsewhere}
        for name, labels in names.items():
            words = [f"--label={key}={value}" for key, value in labels.items()]
            engine.call("create", f"--name=kcb-test-{name}", *words, "--entrypoint=python3", IMAGE)
        try:
            assert run(["clean", "--dry-run"]) == 0
            named = capsys.readouterr().out.splitlines()
            assert [name for name in named if "kcb-test" in name] == ["kcb-test-dead"]
            assert reap_containers(engine) == ["kcb-test-dead"]
            assert len(containers(engine)) == 2
        finally:
            engine.call("rm", "--force", "kcb-test-living", "kcb-test-elsewhere")

    def test_each_slot_is_a_container_of_its_own(
        self, engine: Engine, launcher: ContainerLauncher
    ) -> None:
        """And is gone when it is given back."""
        label = f"kcb.evaluator={os.getpid()}"
        with launcher.slot(), launcher.slot():
            assert len(containers(engine, label)) == 2
        assert containers(engine, label) == []

    def await_count(self, engine: Engine, label: str, count: int) -> None:
        """Wait until there are so many containers with this label."""
        until = time.monotonic() + PATIENCE_S
        while len(containers(engine, label)) != count:
            assert time.monotonic() < until, f"not {count} containers with {label}"
            time.sleep(0.1)


class TestDoctor:
    """What ``doctor`` says of containers."""

    def test_an_engine_with_an_image_is_fine(self, engine: Engine) -> None:
        """With its Python, which is that of the results."""
        health = container_check()
        assert health.verdict is Verdict.OK or "not held" in health.summary
        assert health.summary.startswith(f"{engine.name} ")
        assert "Python 3." in health.summary

    def test_an_engine_without_an_image_is_worth_a_warning(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whoever has an engine may mean to use it."""
        monkeypatch.setenv("KCB_IMAGE", "kcb-no-such-image")
        health = container_check()
        assert health.verdict is Verdict.WARNING
        assert health.remedy == "klein-bench image build"


class TestLacks:
    """What is missing is told in one line, and never decides about a project."""

    def test_an_image_that_is_not_there(
        self, arena: Any, echo: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
    ) -> None:
        """It is not fetched from anywhere, and the remedy is named."""
        monkeypatch.setenv("KCB_IMAGE", "kcb-no-such-image")
        arena.dataset()
        assert arena.evaluate(arena.project(echo), "--launch", "container") == 3
        (line,) = capsys.readouterr().err.splitlines()
        assert "kcb-no-such-image" in line
        assert "klein-bench image build" in line
        assert not (arena.folder / "report.json").exists()

    def test_a_failing_limit_is_told_and_the_rest_still_holds(
        self, monkeypatch: pytest.MonkeyPatch, engine: Engine, tmp_path: Path
    ) -> None:
        """Some machines give an engine no control groups; the driver still watches."""
        refusing = tmp_path / engine.name
        refusing.write_text(
            '#!/bin/sh\ncase "$*" in *--pids-limit*) echo "no cgroups here" >&2; exit 125;; esac\n'
            f'exec {engine.path} "$@"\n'
        )
        refusing.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        monkeypatch.setenv("KCB_ENGINE", engine.name)
        with ContainerLauncher() as launcher:
            found = launcher.confinement()
        assert found.level == "full"
        assert "no cgroups here" in found.reason
        assert found.reason.startswith("memory and pids: watched, but not held")
        assert not {"memory-cgroup", "pids-cgroup"} & set(found.mechanisms)
