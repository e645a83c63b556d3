"""What a container engine is asked, word by word; no engine is needed for that.

Podman is proven by ``test_container.py``. For Docker, this is all that is proven.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from kcb_core.cli import run
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.health import Verdict
from kcb_runner.checkup import container_check
from kcb_runner.launch import contained
from kcb_runner.launch.abandoned import reap_containers
from kcb_runner.launch.container import ContainerLauncher
from kcb_runner.launch.engine import find_engine

#: Keeps what it is told, answers as Docker would, and starts nothing.
FAKE = """#!{python}
import json, sys
words = sys.argv[1:]
with open({log!r}, "a") as file:
    file.write(json.dumps(words) + "\\n")
answers = {{
    "info": {runtime!r},
    "image": "sha256:0123abcd",
    "ps": "c1",
    "inspect": "/kcb-1-dead " + json.dumps({labels!r}),
    "rm": "c1",
}}
if words[0] in {broken!r}:
    sys.exit("Cannot connect to the Docker daemon. Is the docker daemon running?")
if words[0] == "run" and {supervisor!r}:
    exec({supervisor!r})
if words[0] == "run":
    print("docker: no containers today", file=sys.stderr)
    sys.exit(125)
print(answers[words[0]])
"""


#: Parts of a supervisor that goes wrong, run in place of a container.
CALLS = """
import os, socket, time
options = dict(word.split("=", 1) for word in words if word.startswith("--") and "=" in word)
control = next(w for w in words if w.endswith(":/kcb-control:ro")).split("=")[1].split(":")[0]
user = int(options["--user"].partition(":")[0])
def call(user):
    if os.getuid() == 0:
        os.setuid(user)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    made.connect(control + "/socket")
    return made
"""
NEVER_CALLS = f"{CALLS}time.sleep(60)"
QUITS = f"{CALLS}made = call(user); made.recv(1 << 16); sys.exit('no such plan')"
STRANGER = f"{CALLS}made = call(0); time.sleep(60)"
OLD = f"""{CALLS}
os.mkdir(control + "/box")
made = call(user)
made.recv(1 << 16)
said = dict(mechanisms=[], loaded=[], python="/usr/bin/python3", version="3.10.9")
socket.send_fds(made, [json.dumps(said).encode()], [os.open(control + "/box", os.O_PATH)])
made.recv(1)
"""


class Machine:
    """A machine on which the only engines are scripts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"

    def install(
        self,
        name: str,
        *,
        broken: str = "",
        labels: dict[str, str] | None = None,
        runtime: str = "runc",
        supervisor: str = "",
    ) -> None:
        """Put a script there, of whose commands one does not work."""
        path = self.folder / name
        values: dict[str, object] = {
            "log": str(self.log),
            "broken": [broken],
            "labels": labels or {},
        }
        values |= {"runtime": runtime, "supervisor": supervisor}
        path.write_text(FAKE.format(python=sys.executable, **values))
        path.chmod(0o755)

    def told(self, command: str) -> list[list[str]]:
        """The words of each call of a command."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [words for words in map(json.loads, lines) if words[0] == command]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine without an engine."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("KCB_ENGINE", raising=False)
    monkeypatch.delenv("KCB_IMAGE", raising=False)
    return Machine(tmp_path)


def asked(problem: str = "no containers today") -> None:
    """Ask for a container, which an engine of a script never starts."""
    with ContainerLauncher() as launcher, pytest.raises(MachineError, match=problem):
        launcher.confinement()


def test_docker_is_asked_for_exactly_this(machine: Machine) -> None:
    """A flag that is lost is a wall that is lost, and no test with Podman would see it."""
    machine.install("docker")
    asked()
    first, *_ = machine.told("run")
    named = {word.partition("=")[0]: word.partition("=")[2] for word in first if "=" in word}
    mounts = [word.removeprefix("--volume=") for word in first if word.startswith("--volume=")]
    assert [mount.split(":")[1:] for mount in mounts] == [
        ["/kcb-supervisor", "ro"],
        ["/kcb-control", "ro"],
    ]
    user, _, group = named["--user"].partition(":")
    assert user == group or os.geteuid() != 0
    assert user not in ("", "0")
    assert first == [
        *("run", "--rm", "--pull=never", "--log-driver=none"),
        f"--name={named['--name']}",
        *("--label=kcb=1", f"--label=kcb.evaluator={os.getpid()}"),
        *(word for word in first if word.startswith("--label=kcb.evaluator.")),
        *("--network=none", "--ipc=none", "--read-only"),
        *("--cap-drop=ALL", "--security-opt=no-new-privileges", "--security-opt=label=disable"),
        f"--user={user}:{group}",
        *("--ulimit=nofile=4096:4096", "--ulimit=core=0:0", "--ulimit=nproc=4096:4096"),
        f"--memory={(2 << 30) + (256 << 20) + 20_000_000}",
        "--pids-limit=136",
        f"--tmpfs=/kcb:rw,exec,nosuid,nodev,mode=755,size={(256 << 20) + 20_000_000},"
        f"uid={user},gid={group},nr_inodes=100000",
        *(f"--volume={mount}" for mount in mounts),
        *("--workdir=/kcb-supervisor", "--entrypoint=python3", "0123abcd"),
        *("-E", "-s", "-S", "main.py", "/kcb-control/socket"),
    ]


def test_podman_is_told_some_things_in_its_own_way(machine: Machine) -> None:
    """It would else mount folders that can be written, and map users so that nobody can."""
    machine.install("podman")
    asked()
    first, *_ = machine.told("run")
    more = {word for word in first if word.startswith(("--read-only-tmpfs", "--userns"))}
    rootless = {"--userns=keep-id"} if os.geteuid() else set()
    assert more == {"--read-only-tmpfs=false"} | rootless
    (box,) = (word for word in first if word.startswith("--tmpfs="))
    assert box.endswith(",U")


def test_what_refuses_limits_is_asked_once_more_without_them(machine: Machine) -> None:
    """Control groups are what an engine lacks most often; all other walls stay."""
    machine.install("docker")
    asked()
    first, second = machine.told("run")
    limits = ("--memory=", "--pids-limit=")
    unique = ("--name=", "--user=", "--tmpfs=", "--volume=")
    rest = [word for word in first if not word.startswith((*limits, *unique))]
    assert rest == [word for word in second if not word.startswith(unique)]


def test_another_runtime_is_tried_where_the_own_one_refuses(machine: Machine) -> None:
    """On machines with control groups of both versions only ``runc`` works."""
    machine.install("podman", runtime="crun")
    machine.install("runc")
    asked()
    runtimes = [[word for word in told if "runtime" in word] for told in machine.told("run")]
    assert runtimes == [[], ["--runtime=runc"]] * 2


@pytest.mark.parametrize(
    ("supervisor", "said"),
    [
        (NEVER_CALLS, "starts no container within 0.5 s"),
        (QUITS, "no such plan"),
        pytest.param(
            STRANGER,
            "calls from the container, not user",
            marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user"),
        ),
    ],
)
def test_a_supervisor_that_goes_wrong_is_refused(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, supervisor: str, said: str
) -> None:
    """Within a bounded time, and for the reason that it gives."""
    monkeypatch.setattr(contained, "START_S", 0.5 if supervisor is NEVER_CALLS else 20)
    monkeypatch.setattr(contained, "END_S", 0.5)
    machine.install("docker", supervisor=supervisor)
    asked(said)
    gone_by_itself = supervisor is QUITS
    assert bool(machine.told("rm")) is not gone_by_itself


def test_a_python_that_is_too_old_is_a_wrong_image(machine: Machine) -> None:
    """It would fail in the middle of a supervisor, and say nothing that helps."""
    machine.install("docker", supervisor=OLD)
    with ContainerLauncher() as launcher, pytest.raises(DeclarationError, match=r"3\.11 is needed"):
        launcher.confinement()


def test_the_first_engine_that_answers_is_taken(machine: Machine) -> None:
    """A client whose service does not run is no engine."""
    machine.install("podman", broken="info")
    machine.install("docker")
    assert find_engine().name == "docker"
    machine.install("podman")
    assert find_engine().name == "podman"
    assert find_engine("docker").name == "docker"


def test_the_environment_names_engine_and_image(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``evaluate`` has no options for what only one launcher knows."""
    for name in ("podman", "docker"):
        machine.install(name)
    monkeypatch.setenv("KCB_ENGINE", "docker")
    monkeypatch.setenv("KCB_IMAGE", "python:3.13")
    asked()
    assert machine.told("image") == [["image", "inspect", "--format", "{{.Id}}", "python:3.13"]]


def test_no_engine_says_what_each_lacks(machine: Machine) -> None:
    """In one line, with a remedy."""
    machine.install("docker", broken="info")
    with pytest.raises(MachineError) as caught:
        find_engine()
    said = str(caught.value)
    assert "podman is not installed" in said
    assert "Is the docker daemon running?" in said
    assert "install podman" in said
    assert "\n" not in said


def test_an_engine_that_is_not_known_is_a_wrong_invocation(machine: Machine) -> None:
    """It is not the machine that is at fault."""
    with pytest.raises(DeclarationError, match="known: podman, docker"):
        find_engine("nerdctl")


def test_a_missing_image_names_the_command_that_makes_it(machine: Machine) -> None:
    """It is never fetched."""
    machine.install("docker", broken="image")
    asked("klein-bench image build")
    assert machine.told("run") == machine.told("pull") == []


def test_an_image_needs_the_tools_of_debian(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    """Elsewhere it says in one line what is missing."""
    machine.install("docker")
    assert run(["image", "build"]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert "apt-get and dpkg-deb" in line


def test_docker_is_asked_to_remove_what_a_dead_evaluator_left(machine: Machine) -> None:
    """But not what an evaluator of another machine owns, whose process ids mean nothing here."""
    space = f"{Path('/proc/sys/kernel/random/boot_id').read_text().strip()}:"
    space += str(os.stat("/proc/self/ns/pid").st_ino)
    dead = {"kcb.evaluator": "1", "kcb.evaluator.started": "-1", "kcb.evaluator.space": space}
    machine.install("docker", labels={**dead, "kcb.evaluator.space": "elsewhere"})
    assert reap_containers() == []
    machine.install("docker", labels=dead)
    assert reap_containers() == ["kcb-1-dead"]
    assert machine.told("ps")[0] == ["ps", "--all", "--quiet", "--filter=label=kcb.evaluator"]
    assert machine.told("rm") == [["rm", "--force", "c1"]]


def test_doctor_needs_no_engine(machine: Machine) -> None:
    """Only one launcher does, so that a machine without an engine is a sound one."""
    assert container_check().verdict is Verdict.OK
