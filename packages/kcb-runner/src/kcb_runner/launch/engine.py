"""Container engines: which one answers here, and how a container is asked of it.

Podman is what the tests run. The command line for Docker is kept by a contract test; that a real
Docker takes it is not proven.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kcb_core.errors import DeclarationError, MachineError

ENGINES = ("podman", "docker")
"""Known engines, the first to be tried first."""

ENGINE_VARIABLE = "KCB_ENGINE"
"""Names the engine, where not the first is wanted that answers."""

CONTROL = "/kcb-control"
"""The folder in a container that holds the socket to whoever started it, until it is connected."""

SOCKET = "socket"
"""Name of that socket."""

ANSWER_S = 60.0
"""How long an engine may take for anything but an image."""

_OPEN_FILES = 4096
_PROCESSES = 4096
_BOX_FILES = 100_000


@dataclass(frozen=True, slots=True)
class Mount:
    """A file or folder of this machine that is seen in a container."""

    source: Path
    target: str
    writable: bool = False

    def __str__(self) -> str:
        return f"{self.source}:{self.target}:{'rw' if self.writable else 'ro'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One container, in which Python runs one program."""

    image: str
    """Name or id."""
    name: str
    labels: dict[str, str]
    program: tuple[str, ...]
    """The words after the interpreter."""
    workdir: str
    """Where it starts."""
    mounts: tuple[Mount, ...]
    """What it sees besides its image, its box and ``control``."""
    control: Path
    """The folder with the socket that the program connects to."""
    user: int
    """User id in the container, and outside of it."""
    group: int
    """The same for the group."""
    box: str
    """Where the box is in the container."""
    box_bytes: int
    memory_bytes: int
    """Most memory of the whole container; held only if it is limited."""
    processes: int
    """Most processes and threads of it; held only if it is limited."""
    limited: bool = True
    """Whether the engine is asked to hold these two, for which it needs control groups."""
    runtime: str = ""
    """Name of the runtime, or nothing for the engine's own choice."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables beside those of the image; the engine stores them, so none is a secret."""
    own_names: tuple[str, ...] = ()
    """Names of hosts that mean the container itself."""
    low_ports: bool = False
    """Whether its user may listen at ports below 1024."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A container engine that answers."""

    name: str
    path: str
    runtime: str = ""
    """The runtime that it chooses by itself."""

    def call(self, *words: str, data: Path | None = None, patience_s: float = ANSWER_S) -> str:
        """Run one of its commands to its end.

        Args:
            words: the command and its words.
            data: a file that it reads as its standard input.
            patience_s: how long that may take.

        Returns:
            Its standard output, without space around it.

        Raises:
            MachineError: it failed, or takes too long; its last line tells why.
        """
        source = data.open("rb") if data else None
        try:
            done = subprocess.run(
                (self.path, *words),
                stdin=source or subprocess.DEVNULL,
                capture_output=True,
                timeout=patience_s,
                start_new_session=True,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise MachineError(f"{self.name} {words[0]}: {error}") from error
        finally:
            if source:
                source.close()
        if done.returncode:
            raise MachineError(f"{self.name} {words[0]}: {last_line(done.stderr)}")
        return done.stdout.decode("utf-8", "replace").strip()

    def image_id(self, name: str) -> str:
        """Id of an image that this engine has; nothing is ever fetched.

        Raises:
            MachineError: it has no such image.
        """
        try:
            found = self.call("image", "inspect", "--format", "{{.Id}}", name)
        except MachineError as error:
            remedy = "'klein-bench image build' makes the one that is used by default"
            raise MachineError(f"no image {name!r}: {error}; {remedy}") from None
        return found.removeprefix("sha256:")

    def run_words(self, wanted: Wanted) -> list[str]:
        """The command line that starts a container and stays with it until it ends."""
        labels = [f"--label={name}={value}" for name, value in wanted.labels.items()]
        return [
            *(self.path, "run", "--rm", "--pull=never", "--log-driver=none"),
            *(f"--name={wanted.name}", *labels),
            *([f"--runtime={wanted.runtime}"] if wanted.runtime else []),
            *("--network=none", "--ipc=none", "--read-only", *self._own_words()),
            *("--cap-drop=ALL", "--security-opt=no-new-privileges", "--security-opt=label=disable"),
            f"--user={wanted.user}:{wanted.group}",
            *(f"--ulimit=nofile={_OPEN_FILES}:{_OPEN_FILES}", "--ulimit=core=0:0"),
            f"--ulimit=nproc={_PROCESSES}:{_PROCESSES}",
            *(_limits(wanted) if wanted.limited else ()),
            *(f"--env={name}={value}" for name, value in wanted.environment.items()),
            *(f"--add-host={name}:127.0.0.1" for name in wanted.own_names),
            *(["--sysctl=net.ipv4.ip_unprivileged_port_start=0"] if wanted.low_ports else []),
            f"--tmpfs={wanted.box}:{self._box_options(wanted)}",
            *(f"--volume={mount}" for mount in (*wanted.mounts, Mount(wanted.control, CONTROL))),
            *(f"--workdir={wanted.workdir}", "--entrypoint=python3", wanted.image),
            *wanted.program,
        ]

    def _box_options(self, wanted: Wanted) -> str:
        """A box that belongs to the user; each engine has another way to say so."""
        docker = f"uid={wanted.user},gid={wanted.group},nr_inodes={_BOX_FILES}"
        owned = "U" if self.name == "podman" else docker
        return f"rw,exec,nosuid,nodev,mode=755,size={wanted.box_bytes},{owned}"

    def _own_words(self) -> tuple[str, ...]:
        """What only Podman has to be told, and only it understands."""
        if self.name != "podman":
            return ()
        # It would mount writable folders at /tmp and /run, which outlive a session.
        words = ("--read-only-tmpfs=false",)
        return words if os.geteuid() == 0 else (*words, "--userns=keep-id")


def _limits(wanted: Wanted) -> Iterable[str]:
    return (f"--memory={wanted.memory_bytes}", f"--pids-limit={wanted.processes}")


def find_engine(name: str | None = None) -> Engine:
    """The engine of that name, or the first of the known ones that answers.

    Args:
        name: which; if not given, what the environment's ``KCB_ENGINE`` names.

    Raises:
        DeclarationError: no engine of that name is known.
        MachineError: none answers; for each it says why.
    """
    name = name or os.environ.get(ENGINE_VARIABLE)
    if name and name not in ENGINES:
        raise DeclarationError(f"unknown container engine {name!r}; known: {', '.join(ENGINES)}")
    problems = []
    for candidate in (name,) if name else ENGINES:
        try:
            return _asked(candidate)
        except MachineError as error:
            problems.append(str(error))
    raise MachineError(f"no container engine answers ({'; '.join(problems)}); install podman")


def answering_engines() -> list[Engine]:
    """Every engine that answers here."""
    found = []
    for name in ENGINES:
        try:
            found.append(_asked(name))
        except MachineError:
            continue
    return found


def _asked(name: str) -> Engine:
    path = shutil.which(name)
    if not path:
        raise MachineError(f"{name} is not installed")
    field = ".Host.OCIRuntime.Name" if name == "podman" else ".DefaultRuntime"
    runtime = Engine(name=name, path=path).call("info", "--format", f"{{{{{field}}}}}")
    return Engine(name=name, path=path, runtime=runtime)


def last_line(said: bytes) -> str:
    """The last line of what a program said, which is where it says why it failed."""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it failed and says nothing"
