"""The machine of the live test: ``world.py FOLDER``, in network and mount namespaces of its own.

It has a wire to an internet, which knows nothing of it, and one to a neighbour whose packets it
forwards. What comes of everything is printed as one JSON object. Nothing outlasts it.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from ipaddress import IPv4Address
from pathlib import Path

from kcb_agents.egress.component import find_component
from kcb_agents.egress.gates import capability_faults
from kcb_agents.egress.namespace import Namespace, call
from kcb_agents.egress.passage import Passage, listed_alone, prepared
from kcb_agents.egress.policy import rules
from kcb_agents.egress.witness import capabilities
from kcb_core.errors import MachineError
from kcb_core.roles import EGRESS_RECORD
from kcb_runner.machine import interpreter
from kcb_runner.sandbox import Sandbox

HERE = Path(__file__).parent
NAMES = ("pages.example.org", "tbench.ai", "www.tbench.ai")
HOSTS = {
    **dict.fromkeys(NAMES, "93.184.215.14"),
    "nearby.example.org": "10.0.0.1",
    "ours.example.org": "93.184.215.1",
    "loop.example.org": "127.0.0.1",
}
ALONE = """
import urllib.request
try:
    print(urllib.request.urlopen("http://pages.example.org/", timeout=10).status)
except OSError as error:
    print(error)
"""
HOLD, GONE_S = "--hold", 30.0
NEAR = IPv4Address("198.18.9.1")


def ip(*words: str) -> None:
    """Change this machine's network."""
    call("ip", *words)


def say(process: subprocess.Popen[str], line: str = "") -> str:
    """What a process answers to a line."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    return process.stdout.readline()


@contextmanager
def running(*argv: str):
    """A program of the live test, and its process id, which it says first."""
    process = subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert process.stdout is not None
        yield process, int(process.stdout.readline())
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def lay_wires(internet: int, neighbour: int) -> None:
    """Addresses and routes of all three."""
    ip("link", "set", "lo", "up")
    ip("link", "add", "out", "type", "veth", "peer", "name", "eth0", "netns", str(internet))
    ip("link", "add", "near", "type", "veth", "peer", "name", "eth0", "netns", str(neighbour))
    for device, addresses in {
        "out": ("93.184.215.1/24", "2606:2800:21f::1/64"),
        "near": (f"{NEAR}/30", "fd00:9::1/64"),
    }.items():
        for address in addresses:
            ip("address", "add", address, "dev", device, *(["nodad"] if ":" in address else []))
        ip("link", "set", device, "up")
    for family in ("ipv4/ip_forward", "ipv6/conf/all/forwarding"):
        Path("/proc/sys/net", family).write_text("1", "ascii")
    routes = {"93.184.215.1": "default", "2606:2800:21f::1": "default"}
    inside(internet, ("93.184.215.14/24", "2606:2800:21f::14/64"), routes)
    routes = {str(NEAR): "default", "fd00:9::1": "default"}
    inside(neighbour, ("198.18.9.2/30", "fd00:9::2/64"), routes)


def inside(pid: int, addresses: tuple[str, ...], routes: dict[str, str]) -> None:
    """Addresses and routes at the other end of a wire."""
    with Namespace(pid) as namespace:
        namespace.run("ip", "link", "set", "lo", "up")
        namespace.run("ip", "link", "set", "eth0", "up")
        for address in addresses:
            flag = ["nodad"] if ":" in address else []
            namespace.run("ip", "address", "add", address, "dev", "eth0", *flag)
        for gateway, target in routes.items():
            namespace.run("ip", "route", "add", target, "via", gateway)


def listen(place: tuple[str, int]) -> None:
    """A server of this machine that answers with what it gets."""
    listener = socket.create_server(place)

    def work() -> None:
        while True:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(connection.recv(1 << 12))

    threading.Thread(target=work, daemon=True).start()


def name_hosts(folder: Path) -> None:
    """Give this machine, and none else, names of the internet's hosts."""
    lines = (f"{address} {name}\n" for name, address in HOSTS.items())
    (folder / "hosts").write_text("".join(lines), "ascii")
    call("mount", "--bind", str(folder / "hosts"), "/etc/hosts")


def policed(neighbour: subprocess.Popen[str], pid: int) -> dict[str, object]:
    """What a neighbour reaches without rules, with them, and whether the gate would let it in."""
    before = json.loads(say(neighbour))
    asked = rules(NEAR, 8080)
    with Namespace(pid) as namespace:
        namespace.run("nft", "-f", "-", text=asked)
        same = namespace.run("nft", "list", "ruleset") == listed_alone(asked)
    after = json.loads(say(neighbour))
    faults = [*capability_faults(capabilities())]
    return {"before": before, "after": after, "same": same, "faults": faults}


@contextmanager
def connected(folder: Path, *, named: bool = True, wide: bool = False):
    """A sandbox that is connected, with its passage."""
    folder.mkdir()
    with prepared(find_component(), names=("another-bench",)) as passage:
        hosts = passage.hosts if named else {}
        seen = passage.published.parent if wide else passage.published
        with Sandbox(folder, show=(seen,), hosts=hosts) as box:
            passage.connect(box)
            yield passage, box


def passed(folder: Path) -> dict[str, object]:
    """What a subject reaches in its sandbox, and what the record says of it."""
    with connected(folder / "project") as (passage, box):
        argv = (interpreter(), "-I", "-c", (HERE / "subject.py").read_text("utf-8"))
        words = (str(passage.ends.outside), str(passage.private))
        done = box.run((*argv, *words), timeout_s=120, environment=passage.environment)
        if done.status != 0:
            sys.exit(done.stderr.decode())
        assert passage.proxy is not None
        proxy = capabilities(str(passage.proxy.pid))
        audit = passage.end(folder / "kept")
        record = (folder / "kept" / EGRESS_RECORD).read_text("utf-8")
        again = box.run((*argv[:3], ALONE), timeout_s=60, environment=passage.environment)
    lines = [json.loads(line) for line in record.splitlines()]
    for line in lines:
        line.pop("at_s")
    return {
        "said": json.loads(done.stdout), "lines": lines, "audit": [audit.passed, audit.refused],
        "proxy": proxy, "without": again.stdout.decode(),
    }  # fmt: skip


def died(folder: Path) -> str:
    """What is said of a subject whose proxy was killed."""
    with connected(folder / "second") as (passage, _):
        kill(passage)
        return failure(lambda: passage.end(folder / "kept-second"))


def kill(passage: Passage) -> None:
    """End a proxy the hard way, by its own process id."""
    assert passage.proxy is not None
    os.kill(passage.proxy.pid, signal.SIGKILL)


def shown(folder: Path) -> str:
    """What is said if a subject is shown where its proxy keeps what is private."""

    def work() -> None:
        with connected(folder / "fourth", wide=True):
            pass

    return failure(work)


def unnamed(folder: Path) -> str:
    """What is said if the proxy's name is not in the subject's hosts."""

    def work() -> None:
        with connected(folder / "third", named=False):
            pass

    return failure(work)


def hold(folder: Path) -> None:
    """Be a harness in the middle of an attempt: say the process id of its proxy, and wait."""
    with connected(folder) as (passage, _):
        assert passage.proxy is not None
        sys.stdout.write(f"{passage.proxy.pid}\n")
        sys.stdout.flush()
        sys.stdin.read()


def abandoned(folder: Path) -> dict[str, bool]:
    """What is left of an attempt whose harness is killed: its proxy, and its wire."""
    with running(sys.executable, str(HERE / "world.py"), HOLD, str(folder / "held")) as held:
        harness, proxy = held
        there = {"proxy": lambda: Path(f"/proc/{proxy}").exists(), "wire": wired}
        before = all(look() for look in there.values())
        os.kill(harness.pid, signal.SIGKILL)
        until = time.monotonic() + GONE_S
        while any(look() for look in there.values()) and time.monotonic() < until:
            time.sleep(0.1)
        return {"before": before, **{name: look() for name, look in there.items()}}


def wired() -> bool:
    """Whether this machine has an end of a wire to a subject."""
    devices = json.loads(call("ip", "-json", "link", "show"))
    return any(device["ifname"].startswith("kcb") for device in devices)


def failure(work) -> str:
    """The fault of this machine that something ends with."""
    try:
        work()
    except MachineError as error:
        return str(error)
    return "nothing failed"


def main() -> None:
    """Build it, try everything, and say what came of it."""
    if sys.argv[1] == HOLD:
        hold(Path(sys.argv[2]))
        return
    folder = Path(sys.argv[1])
    make = (find_component().command[0], "-I", str(HERE / "certify.py"), str(folder), *NAMES)
    call(*make)
    os.environ["SSL_CERT_FILE"] = str(folder / "authority.pem")
    name_hosts(folder)
    with (
        running(sys.executable, str(HERE / "internet.py"), str(folder / "host.pem")) as internet,
        running(sys.executable, str(HERE / "neighbour.py")) as neighbour,
    ):
        lay_wires(internet[1], neighbour[1])
        for place in ((str(NEAR), 8080), ("0.0.0.0", 9000)):
            listen(place)
        say(internet[0])
        found = {"policy": policed(*neighbour), "passage": passed(folder)}
        found |= {"died": died(folder), "unnamed": unnamed(folder), "shown": shown(folder)}
        found["abandoned"] = abandoned(folder)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
