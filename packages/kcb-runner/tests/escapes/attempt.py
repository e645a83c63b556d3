"""Plays the probe project in a slot of this machine, among victims, and prints what it reached.

``python attempt.py LAUNCHER LEVEL`` prints a JSON object: what confines, and for each attempt
``reached``, ``refused`` or ``unknown`` if this kernel does not have what was tried. It is a program
so that it can be run as another user and by another interpreter.
"""

import ctypes
import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from kcb_core.environment import clean_environment
from kcb_core.roles import LaunchRequest
from kcb_core.submission import Submission, SubmittedFile
from kcb_runner import driver
from kcb_runner.launch.forkserver import ForkserverLauncher
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.machine import interpreter
from kcb_runner.scratch import Scratch

PROBE = Path(__file__).with_name("probe.py")
LAUNCHERS = {kind.name: kind for kind in (InterpreterLauncher, ForkserverLauncher)}
SECRET = "the answer that nobody may know"
PATIENCE_S = 60.0

_SLEEPERS = ("pid", "stopped", "killed", "killed too", "asked")
_SLEEP = "import time; held = 'x' * 4096; print(id(held), flush=True); time.sleep(600)"
_libc = ctypes.CDLL(None, use_errno=True)


class Victims:
    """What there is to get at: files, processes and sockets of the user."""

    def __init__(self, folder: Path, stack_of: Callable[[socket.socket], None]) -> None:
        """Make them.

        Args:
            folder: a folder in the user's home.
            stack_of: told of each socket that has to be closed.
        """
        self.folder = folder
        mark = f"kcb-escape-{os.getpid()}"
        self.targets: dict[str, Any] = {
            "home": str(folder),
            "tmp": f"/tmp/{mark}",
            "shm": f"/dev/shm/{mark}",
            "source": driver.__file__,
            "mounted": str(folder / "mounted"),
            "unix": str(folder / "socket"),
            "abstract": mark,
            "key": os.getpid(),
        }
        (folder / "mounted").mkdir()
        for name in ("secret", "written", "deleted", "chmod", "utime", "xattr", "linked"):
            self.targets[name] = str(folder / name)
            (folder / name).write_text(SECRET)
            (folder / name).chmod(0o600)
        self.processes = {name: self._sleeper() for name in _SLEEPERS}
        for name, process in self.processes.items():
            self.targets[name] = process.pid
        assert self.processes["pid"].stdout
        self.targets["address"] = int(self.processes["pid"].stdout.readline())
        self._listen(stack_of)

    def _sleeper(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-S", "-c", _SLEEP],
            stdout=subprocess.PIPE,
            env={"SECRET": SECRET},
        )

    def _listen(self, stack_of: Callable[[socket.socket], None]) -> None:
        tcp = socket.create_server(("127.0.0.1", 0))
        path, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        path.bind(self.targets["unix"])
        abstract.bind("\0" + self.targets["abstract"])
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.targets["tcp"], self.targets["udp"] = tcp.getsockname()[1], self.udp.getsockname()[1]
        for listener in (tcp, path, abstract):
            listener.listen()
            threading.Thread(target=_answer, args=(listener,), daemon=True).start()
        for handle in (tcp, path, abstract, self.udp):
            stack_of(handle)

    def reached(self, name: str, got: Any) -> bool:
        """Whether an attempt did what its name says, by what can be seen from here."""
        seen = self._seen().get(name)
        return bool(got) if seen is None else seen(got)

    def _seen(self) -> dict[str, Callable[[Any], bool]]:
        file = {name: Path(self.targets[name]) for name in self.targets if name in _FILES}

        def secret(got: Any) -> bool:
            return got == SECRET

        return {
            "write a file into the user's home": lambda _: (self.folder / "planted").exists(),
            "write a file into `/tmp`": lambda _: os.path.exists(self.targets["tmp"]),
            "write a file into `/dev/shm`": lambda _: os.path.exists(self.targets["shm"]),
            "overwrite a file of the user": lambda _: file["written"].read_text() != SECRET,
            "delete a file of the user": lambda _: not file["deleted"].exists(),
            "change the mode of a file of the user": lambda _: _mode(file["chmod"]) == 0o777,
            "change the times of a file of the user": lambda _: file["utime"].stat().st_mtime == 1,
            "set an attribute of a file of the user": lambda _: bool(os.listxattr(file["xattr"])),
            "link a file of the user into the project": lambda _: (
                file["linked"].stat().st_nlink > 1
            ),
            "read a file in the user's home": secret,
            "read it through `/proc/self/root`": secret,
            "read it through a link in the project": secret,
            "reach files through another process's root": secret,
            "read the evaluator's source": lambda got: "class Played" in str(got),
            "see the command lines of other processes": lambda got: "time.sleep" in str(got),
            "read the environment of another process": lambda got: SECRET in str(got),
            "stop another process": lambda _: self._state("stopped") == "T",
            "kill another process": lambda _: self._ended("killed"),
            "kill another process through a descriptor of it": lambda _: self._ended("killed too"),
            "have a signal sent to another process by a pipe": lambda _: self._ended("asked"),
            "connect to a TCP port of this machine": secret,
            "connect to a Unix socket by its path": secret,
            "connect to an abstract Unix socket": secret,
            "send over UDP": lambda _: bool(select.select([self.udp], [], [], 0)[0]),
            "mount a file system": lambda _: os.path.ismount(self.targets["mounted"]),
        }

    def _state(self, name: str) -> str:
        text = Path(f"/proc/{self.targets[name]}/stat").read_text()
        return text.rpartition(")")[2].split()[0]

    def _ended(self, name: str) -> bool:
        try:
            return self.processes[name].wait(0.3) is not None
        except subprocess.TimeoutExpired:
            return False

    def close(self) -> None:
        """Take back what an attempt at level none may have left."""
        for process in self.processes.values():
            process.kill()
            process.wait()
            assert process.stdout
            process.stdout.close()
        if os.path.ismount(self.targets["mounted"]):
            _libc.umount2(self.targets["mounted"].encode(), 2)
        for name in ("tmp", "shm"):
            Path(self.targets[name]).unlink(missing_ok=True)
        self._remove_ipc()

    def _remove_ipc(self) -> None:
        key = self.targets["key"]
        _libc.shmctl(_libc.shmget(key, 0, 0), 0, None)
        _libc.semctl(_libc.semget(key, 0, 0), 0, 0)
        _libc.msgctl(_libc.msgget(key, 0), 0, None)
        _libc.syscall(241, f"kcb-{key}".encode())


_FILES = ("written", "deleted", "chmod", "utime", "xattr", "linked")


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def _answer(listener: socket.socket) -> None:
    """Tell the secret to whoever comes."""
    while True:
        try:
            peer, _ = listener.accept()
        except OSError:
            return
        with peer:
            peer.sendall(SECRET.encode())


@contextmanager
def victims() -> Iterator[Victims]:
    """Victims that are gone afterwards."""
    sockets: list[socket.socket] = []
    folder = Path(tempfile.mkdtemp(prefix=".kcb-escape-", dir=Path.home()))
    made = None
    try:
        made = Victims(folder, sockets.append)
        yield made
    finally:
        for handle in sockets:
            handle.close()
        if made:
            made.close()
        shutil.rmtree(folder)


def converse(slot: Any, main: bytes, said: str, *, fresh: bool) -> bytes:
    """Play a program in a slot with one line of input; its first line of output."""
    submission = Submission(files=(SubmittedFile("main.py", main, False),))
    with Scratch(submission, slot).place() as place:
        request = LaunchRequest(
            argv=(interpreter(), "-E", "-s", "-S", "main.py"),
            cwd=place.project,
            environment=clean_environment(home=place.home, scratch=place.home),
            fresh=fresh,
        )
        process = slot.launch(request)
        try:
            with suppress(BrokenPipeError):  # it may have ended without reading
                os.write(process.stdin, f"{said}\n".encode())
            return _line_of(process.stdout, process.stderr)
        finally:
            process.stop()


def _line_of(output: int, errors: int) -> bytes:
    data, deadline = b"", time.monotonic() + PATIENCE_S
    while not data.endswith(b"\n") and time.monotonic() < deadline:
        ready, _, _ = select.select([output], [], [], 0.2)
        if ready:
            chunk = os.read(output, 1 << 16)
            if not chunk:
                break
            data += chunk
    if not data and select.select([errors], [], [], 0)[0]:
        sys.stderr.buffer.write(os.read(errors, 1 << 16))
    return data


def main(launcher: str, level: str) -> None:
    """Play the probe, and print what it reached."""
    with victims() as among, LAUNCHERS[launcher](level) as started, started.slot() as slot:
        said = json.dumps(among.targets)
        found = json.loads(converse(slot, PROBE.read_bytes(), said, fresh=slot.quick is None))
        outcomes = {
            name: "reached"
            if among.reached(name, came["got"])
            else "unknown"
            if came.get("unknown")
            else "refused"
            for name, came in found.items()
        }
        confinement = started.confinement()
        reasons = {name: came.get("refused") for name, came in found.items()}
    said = {
        "level": confinement.level,
        "mechanisms": confinement.mechanisms,
        "outcomes": outcomes,
        "reasons": reasons,
    }
    sys.stdout.write(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
