"""The executor for containers, with a real engine, and an image that is built for these tests."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kcb_core.catalog import load_catalog
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.execution import Casting, Left, Setup
from kcb_core.testing.values import small_task, write_dataset
from kcb_experiments.engine.container_executor import ContainerExecutor
from kcb_experiments.engine.containers import Bounds, Containers
from kcb_experiments.task_sets import DatasetTasks
from kcb_experiments.testing.executor_conformance import (
    SECRET,
    ExecutorConformance,
    casting,
    dedented,
    new_name,
    processes,
)
from kcb_runner.launch.engine import Engine, find_engine
from kcb_runner.launch.image import build_image

pytestmark = [pytest.mark.container, pytest.mark.workspace]

IMAGE = "kcb-test-cells"
PATIENCE_S = 90.0


@pytest.fixture(scope="module")
def engine() -> Engine:
    """The engine of this machine."""
    try:
        return find_engine()
    except MachineError as error:
        if "container" in os.environ.get("KCB_REQUIRE", ""):
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="module", autouse=True)
def image(engine: Engine) -> Iterator[None]:
    """The image that ``image build`` makes here, removed afterwards."""
    build_image(engine, IMAGE)
    yield
    engine.call("image", "rm", "--force", IMAGE)


def containers(engine: Engine, pid: int) -> list[str]:
    """Containers of a process, running or not."""
    label = f"--filter=label=kcb.evaluator={pid}"
    return engine.call("ps", "--all", "--quiet", label).split()


def wait_until(there: Callable[[], Any], what: str) -> None:
    """Wait for something that must happen."""
    until = time.monotonic() + PATIENCE_S
    while not there():
        assert time.monotonic() < until, f"it did not happen: {what}"
        time.sleep(0.1)


class TestConformance(ExecutorConformance):
    """What every executor keeps."""

    executor = ContainerExecutor()
    settings: ClassVar = {"image": IMAGE}

    def test_what_it_ran_in_is_told_by_name(
        self, play: Callable[..., Left], engine: Engine
    ) -> None:
        """A tag is what this machine calls it, and no claim to be the same elsewhere."""
        assert play("pass").deployment == {"engine": engine.name, "image": IMAGE}

    def test_nothing_of_the_host_is_seen(self, play: Callable[..., Left], stage: Any) -> None:
        """Neither files nor processes; only the attempt and scratch space can be written to."""
        code = f"""
            import os
            from pathlib import Path
            def tried(path):
                try:
                    Path(path, "kcb-escape").write_text("x")
                except OSError:
                    return False
                return True
            seen = [path for path in {[str(Path(__file__)), str(stage.folder), str(Path.home())]!r}
                    if os.path.exists(path)]
            written = [path for path in ("/", "/usr", "/etc", "/kcb-packages", "/kcb-control")
                       if tried(path)]
            pids = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
            ids = os.getuid(), os.geteuid()
            try:
                os.setuid(0)
                ids += (0,)
            except OSError:
                pass
            found = dict(seen=seen, written=written, pids=pids, root=0 in ids)
            (generation.project / "main.py").write_text(repr(found))
        """
        left = play(dedented(code))
        assert left.project is not None, left.reason
        found = (left.project / "main.py").read_text()
        assert found == repr({"seen": [], "written": [], "pids": [1], "root": False})

    def test_there_is_no_network_but_what_is_declared(
        self, play: Callable[..., Left], stage: Any
    ) -> None:
        """The server that a subject names answers it; its neighbour on this machine does not."""
        with (
            socket.create_server(("127.0.0.1", 0)) as one,
            socket.create_server(("127.0.0.1", 0)) as other,
        ):
            for server in (one, other):
                threading.Thread(target=greet, args=(server,), daemon=True).start()
            ports = [server.getsockname()[1] for server in (one, other)]
            code = f"""
                import socket
                said = []
                for place in [("localhost", port) for port in {ports!r}] + [("1.1.1.1", 80)]:
                    try:
                        with socket.create_connection(place, 3) as server:
                            said.append(server.recv(5).decode())
                    except OSError:
                        said.append("")
                (generation.project / "main.py").write_text(repr(said))
            """
            settings = {"base_url": f"http://localhost:{ports[0]}/v1"}
            left = play(dedented(code), settings=settings)
        assert left.project is not None, left.reason
        assert (left.project / "main.py").read_text() == repr(["hello", "", ""])

    def test_an_endpoint_answers_under_its_own_name_and_port(
        self, play: Callable[..., Left], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Also below 1024, as with TLS: the name is what a certificate is held against."""
        reached: list[tuple[str, int]] = []
        connect = socket.create_connection
        with socket.create_server(("127.0.0.1", 0)) as server:
            threading.Thread(target=greet, args=(server,), daemon=True).start()

            def connected(place: tuple[str, int], *more: Any) -> socket.socket:
                reached.append(place)
                return connect(server.getsockname(), *more)

            monkeypatch.setattr(socket, "create_connection", connected)
            code = """
                import socket
                with socket.create_connection(("models.kcb.test", 443), 20) as server:
                    (generation.project / "main.py").write_text(server.recv(5).decode())
            """
            left = play(dedented(code), settings={"url": "https://models.kcb.test/v1"})
        assert left.project is not None, left.reason
        assert (left.project / "main.py").read_text() == "hello"
        assert reached == [("models.kcb.test", 443)]

    def test_a_secret_is_not_in_what_the_engine_knows(
        self, play: Callable[..., Left], engine: Engine
    ) -> None:
        """Whoever may ask the engine would else have the key, while the cell runs and after."""
        said: list[str] = []

        def stopped() -> bool:
            for found in containers(engine, os.getpid()):
                with suppress(MachineError):
                    said.append(engine.call("inspect", found))
            return bool(said)

        left = play("import time; time.sleep(60)", stopped=stopped)
        assert left.cancelled
        assert said
        assert SECRET not in "".join(said)

    def test_a_container_is_gone_with_its_cell_though_its_engine_was_killed(
        self, play: Callable[..., Left], engine: Engine
    ) -> None:
        """The process that started it is only a client, and says nothing of the subject."""
        name = new_name()

        def kill_engine() -> bool:
            if processes(name):
                for pid in clients(os.getpid()):
                    with suppress(OSError):
                        os.kill(pid, signal.SIGKILL)
            return False

        code = f"import ctypes, time; ctypes.CDLL(None).prctl(15, {name.encode()!r}, 0, 0, 0)"
        left = play(f"{code}\ntime.sleep(2)", stopped=kill_engine)
        assert left.returned, left.reason
        wait_until(lambda: containers(engine, os.getpid()) == [], "no container")


def clients(parent: int) -> list[int]:
    """Children of a process that are an engine's ``run``."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (place / "cmdline").read_bytes().split(b"\0")
            stat = (place / "stat").read_text().rpartition(")")[2].split()
            if int(stat[1]) == parent and words[1:2] == [b"run"]:
                found.append(int(place.name))
    return found


def greet(server: socket.socket) -> None:
    """Say hello to whoever comes, until the server is closed."""
    with suppress(OSError):
        while True:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"hello")


class TestRuns:
    """Whole experiments."""

    def test_an_experiment_comes_to_the_same_as_in_processes(self, lab: Any) -> None:
        """Statuses, scores, requests and kinds of files: only where it ran differs."""
        found = {}
        for executor, image in (("process", ""), ("container", f', image = "{IMAGE}"')):
            settings = f"check_endpoints = false{image}"
            place = type(lab)(lab.folder / executor, lab.provider)
            (place.folder / "run").mkdir(parents=True)
            lab.provider.answers.clear()
            lab.provider.says("no project in this one")
            place.spec(tasks=2, top=f'name = "{executor}"', executor=settings)
            place.run()
            found[executor] = [
                (
                    attempt.status,
                    attempt.score,
                    attempt.requests,
                    attempt.end.stop_reason,
                    {
                        file.path.split("/", 3)[-1]
                        for file in attempt.end.artifacts
                        if file.path.startswith("attempts/")
                    },
                )
                for attempt in place.attempts()
            ]
            deployments = [attempt.end.deployment.get("image", "") for attempt in place.attempts()]
            assert deployments == [IMAGE if executor == "container" else ""] * 2
        assert found["container"] == found["process"]
        assert [status for status, *_ in found["process"]] == ["subject_failed", "completed"]

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
    def test_containers_end_with_a_run(
        self, lab: Any, engine: Engine, number: signal.Signals
    ) -> None:
        """In order or not, no subject goes on asking, and paying, without it."""
        from kcb_agents.testing.scripted_answer import Said  # noqa: PLC0415 - a sibling

        lab.provider.usual = Said(manner="mute")
        lab.spec(
            "ab", top='name = "container"', executor=f'check_endpoints = false, image = "{IMAGE}"'
        )
        process: subprocess.Popen[str] = lab.start()
        wait_until(lambda: len(lab.provider.requests) == 2, "two requests")
        assert len(containers(engine, process.pid)) == 2
        process.send_signal(number)
        process.communicate(timeout=PATIENCE_S)
        wait_until(lambda: containers(engine, process.pid) == [], "no container")
        cause = "cancelled" if number == signal.SIGTERM else "interrupted"
        assert lab.statuses() == [f"void {cause}"] * 2


class TestLacks:
    """What is missing is named before anything starts, with what helps."""

    def preflight(self, tmp_path: Path, *castings: Casting, **settings: Any) -> tuple[str, ...]:
        """Look over these subjects."""
        dataset = write_dataset(tmp_path / "data", small_task())
        setup = Setup(
            tasks=DatasetTasks(dataset),
            settings={"image": IMAGE, "check_endpoints": False, **settings},
            agents=load_catalog().agents(),
        )
        with ContainerExecutor().open(setup) as opened:
            return opened.preflight(castings, "")

    def test_an_image_that_is_not_there(self, tmp_path: Path) -> None:
        """It is never fetched."""
        with pytest.raises(DeclarationError, match="klein-bench image build"):
            self.preflight(tmp_path, image="kcb-no-such-image")

    def test_no_engine(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each that is known is named with what it lacks."""
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(DeclarationError, match="podman is not installed"):
            self.preflight(tmp_path)

    def test_a_credential_that_is_not_set(self, tmp_path: Path) -> None:
        """By the name of its variable."""
        with pytest.raises(DeclarationError, match="me needs the variable KCB_CONFORMANCE_KEY"):
            self.preflight(tmp_path, casting("pass"))

    def test_a_python_that_packages_do_not_fit(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Compiled parts of another version would not load, and say so in no helpful way."""
        monkeypatch.setattr("kcb_experiments.engine.containers.PYTHON", "3.99")
        with pytest.raises(DeclarationError, match=r"name an image with Python 3\.99"):
            self.preflight(tmp_path)

    def test_without_a_preflight_nothing_starts(self, tmp_path: Path) -> None:
        """Nobody has found out how."""
        bounds = Bounds(memory_bytes=1 << 30, processes=9, scratch_bytes=1 << 20)
        with pytest.raises(MachineError, match="there was no preflight"):
            Containers(tmp_path, IMAGE, "", bounds).start(tmp_path, {}, (), third_party=True)
