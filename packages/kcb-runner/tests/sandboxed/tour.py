"""Opens a sandbox as whoever runs this, tries what must not work, and prints what it found.

``python tour.py FOLDER SECRET``: an empty folder to work in, and a file that everybody may read.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from kcb_runner.sandbox import CommandResult, Sandbox

PYTHON = "/usr/bin/python3"
PATIENCE_S = 60.0

CONNECT = """
import socket, sys
try:
    family, kind = (getattr(socket, name) for name in sys.argv[1:3])
    made = socket.socket(family, kind, 1 if kind == socket.SOCK_RAW else 0)
    made.settimeout(5)
    address = sys.argv[3].replace("@", chr(0)) if len(sys.argv) == 4 else (sys.argv[3], int(sys.argv[4]))
    made.connect(address)
    made.send(b"x")
    print("reached")
except OSError as error:
    print(type(error).__name__)
"""  # noqa: E501 - one line of a program
SERVE = """
import socket
server = socket.create_server(("127.0.0.1", 4711))
print("up", flush=True)
while True:
    server.accept()[0].sendall(b"hello")
"""
CALL = """
import socket
print(socket.create_connection(("localhost", %d), 20).recv(9).decode())
"""
LINGER = """
import os, sys, time
if os.fork():
    while not os.path.exists(sys.argv[1]):
        time.sleep(0.01)
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
while True:
    with open(sys.argv[1], "a") as file:
        file.write("x")
    time.sleep(0.02)
"""
IMPORT = "import importlib.util as u; print([n for n in ('kcb_core', 'kcb_runner', 'msgspec') if u.find_spec(n)])"  # noqa: E501


class Outside:
    """Services of this machine that no program inside must reach."""

    def __init__(self, folder: Path) -> None:
        """Start them; ``folder`` takes the Unix socket."""
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.unix = socket.socket(socket.AF_UNIX)
        self.path = str(folder / "socket")
        self.unix.bind(self.path)
        self.abstract = socket.socket(socket.AF_UNIX)
        self.name = f"kcb-{os.getpid()}"
        self.abstract.bind(f"\0{self.name}")
        for made in (self.unix, self.abstract):
            made.listen()

    def tried_from(self, box: Sandbox) -> dict[str, str]:
        """What comes of an attempt to reach each, and two hosts elsewhere."""
        targets = {
            "tcp here": ("AF_INET", "SOCK_STREAM", "127.0.0.1", str(self.tcp.getsockname()[1])),
            "unix here": ("AF_UNIX", "SOCK_STREAM", self.path),
            "abstract here": ("AF_UNIX", "SOCK_STREAM", f"@{self.name}"),
            "tcp elsewhere": ("AF_INET", "SOCK_STREAM", "192.0.2.1", "80"),
            "udp elsewhere": ("AF_INET", "SOCK_DGRAM", "192.0.2.1", "53"),
            "raw": ("AF_INET", "SOCK_RAW", "127.0.0.1", "1"),
            "packet": ("AF_PACKET", "SOCK_RAW", "lo", "1"),
        }
        return {name: text(python(box, CONNECT, *words)) for name, words in targets.items()}


def python(box: Sandbox, program: str, *words: str) -> CommandResult:
    """Run a small program in the sandbox."""
    return box.run([PYTHON, "-c", program, *words], timeout_s=PATIENCE_S)


def text(result: CommandResult) -> str:
    """What it printed."""
    return (result.stdout or result.stderr).decode().strip()


def hears(listener: socket.socket) -> None:
    """Answer one call from inside."""
    with suppress(OSError):
        listener.accept()[0].sendall(b"proxy")


def main() -> dict[str, Any]:
    """All of it."""
    folder, secret = Path(sys.argv[1]), sys.argv[2]
    found: dict[str, Any] = {}
    with Sandbox(folder) as box:
        found["level"] = box.confinement.level
        found["secret"] = box.run(["cat", secret], timeout_s=PATIENCE_S).status
        found["packages"] = text(python(box, IMPORT))
        search = ["sh", "-c", "find / -name 'kcb[_-]*' 2>/dev/null | grep -v ^/proc"]
        found["files"] = text(box.run(search, timeout_s=PATIENCE_S))
        found["outside"] = Outside(Path(secret).parent).tried_from(box)
        server = box.start([PYTHON, "-c", SERVE])
        while server.stdout != b"up\n" and server.running:
            time.sleep(0.01)
        found["loopback"] = text(python(box, CALL % 4711))
        with box.listen(8080) as listener:
            threading.Thread(target=hears, args=(listener,), daemon=True).start()
            found["listen"] = text(python(box, CALL % 8080))
        with suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", 8080), 1).close()
            found["listens outside too"] = True
        for way in ("first", "second"):
            python(box, LINGER, way)
            size = (folder / way).stat().st_size
            time.sleep(0.3)
            found[f"lingers {way}"] = (folder / way).stat().st_size > size
        found["server still runs"] = server.running
        box.run(["sh", "-c", "mkdir made && echo kept > made/file"], timeout_s=PATIENCE_S)
    found["server in the end"] = server.running
    found["kept"] = (folder / "made" / "file").read_text()
    found["owner"] = {path.lstat().st_uid for path in folder.rglob("*")} == {os.getuid()}
    return found


if __name__ == "__main__":
    print(json.dumps(main()))  # noqa: T201 - it is how it answers
