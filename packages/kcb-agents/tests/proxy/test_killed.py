"""A harness that is killed in the middle of streams, as a real process."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kcb_agents.prices import FREE, PriceBook
from kcb_agents.proxy.bill import bill
from kcb_agents.proxy.checkpoint import checkpoint_path, recover_checkpoint

HARNESS = """
import sys
from pathlib import Path
from kcb_agents.proxy.subject import Subject
from kcb_agents.proxy.serving import Proxy
from kcb_agents.proxy.upstream import Upstream

with Proxy(Upstream(base_url=sys.argv[1])) as proxy:
    subject = Subject(profile="toy", models=("m",), folder=Path(sys.argv[2]), key=b"host")
    print(proxy.url, proxy.lease(subject).token, flush=True)
    sys.stdin.read()
"""

OUTPUT_TOKENS = 20
"""What the provider bills for each answer, whoever reads it."""


def event(**members: Any) -> bytes:
    """One server-sent event."""
    return b"data: " + json.dumps(members).encode() + b"\n\n"


def start(url: str, folder: Path) -> tuple[subprocess.Popen[str], str, str]:
    """A harness in a process of its own, with its proxy's address and a token."""
    harness = subprocess.Popen(
        [sys.executable, "-c", HARNESS, url, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert harness.stdout is not None
    url, token = harness.stdout.readline().split()
    return harness, url.removeprefix("http://"), token


def stop(harness: subprocess.Popen[str]) -> None:
    """Kills a harness as nothing can prepare for."""
    harness.send_signal(signal.SIGKILL)
    harness.communicate(timeout=10)
    assert harness.returncode == -signal.SIGKILL


@contextmanager
def ask(address: str, token: str, *, streamed: bool) -> Iterator[http.client.HTTPResponse]:
    """Asks, and reads nothing of the answer yet."""
    body = json.dumps({"model": "m", "stream": streamed})
    headers = {"Authorization": f"Bearer {token}"}
    with closing(http.client.HTTPConnection(address, timeout=20)) as connection:
        connection.request("POST", "/chat/completions", body, headers)
        with connection.getresponse() as reply:
            yield reply


def test_a_killed_harness_leaves_a_lower_bound_with_its_gap(endpoint: Any, tmp_path: Path) -> None:
    """Recorded usage never exceeds what the provider counted, and what is missing is listed.

    Four answers were whole. Three were begun when the harness died: the provider bills them, so
    they stand in the record as admitted, and nothing is made up for them.
    """
    billed: list[int] = []
    lock, killed = threading.Lock(), threading.Event()
    usage = {"prompt_tokens": 100, "completion_tokens": OUTPUT_TOKENS}

    def play(handler: Any) -> None:
        with lock:
            billed.append(OUTPUT_TOKENS)
        if not json.loads(handler.body)["stream"]:
            handler.whole(200, json.dumps({"choices": [], "usage": usage}).encode())
            return
        handler.begin()
        handler.part(event(choices=[{"delta": {"content": "hel"}}]))
        assert killed.wait(20)
        handler.part(event(choices=[], usage=usage))
        handler.end()

    endpoint.plays.append(play)
    harness, address, token = start(endpoint.url, tmp_path)
    with ExitStack() as stack:
        stack.callback(killed.set)
        for _ in range(4):
            with ask(address, token, streamed=False) as reply:
                assert reply.read()
        for _ in range(3):
            cut = stack.enter_context(ask(address, token, streamed=True))
            assert cut.readline().startswith(b"data: ")
        stop(harness)

    checkpoint = recover_checkpoint(checkpoint_path(tmp_path, "toy"), b"host")
    assert checkpoint is not None
    assert (checkpoint.requests, checkpoint.admitted, checkpoint.in_flight) == (7, 7, 3)
    assert not checkpoint.settled
    local = PriceBook(
        base_url=endpoint.url, at=datetime(2026, 1, 1, tzinfo=UTC), declared={"m": FREE}
    )
    found = bill(checkpoint, local)
    assert found.usage.output_tokens == 4 * OUTPUT_TOKENS <= sum(billed)
    missing = sum(billed) - found.usage.output_tokens
    assert missing == found.admitted_without_usage * OUTPUT_TOKENS
    assert found.admitted_without_usage == 3
    assert (found.usage_complete, found.cost_usd, found.cost_is_lower_bound) == (False, None, True)


def test_a_harness_killed_at_any_moment_leaves_a_checkpoint(endpoint: Any, tmp_path: Path) -> None:
    """Killed in the midst of many quick requests, the record is whole and never too high."""
    billed = [0]
    lock = threading.Lock()
    usage = {"prompt_tokens": 100, "completion_tokens": OUTPUT_TOKENS}

    def play(handler: Any) -> None:
        with lock:
            billed[0] += OUTPUT_TOKENS
        handler.whole(200, json.dumps({"choices": [], "usage": usage}).encode())

    endpoint.plays.append(play)
    harness, address, token = start(endpoint.url, tmp_path)
    answered = [0]

    def client() -> None:
        try:
            while True:
                with ask(address, token, streamed=False) as reply:
                    reply.read()
                answered[0] += 1
        except (OSError, http.client.HTTPException):
            pass  # the harness is dead

    clients = [threading.Thread(target=client) for _ in range(4)]
    for thread in clients:
        thread.start()
    while answered[0] < 40:
        assert harness.poll() is None
        os.sched_yield()
    stop(harness)
    for thread in clients:
        thread.join(20)
    checkpoint = recover_checkpoint(checkpoint_path(tmp_path, "toy"), b"host")
    assert checkpoint is not None
    (row,) = checkpoint.models
    counted = row.usage.output_tokens
    assert counted + 4 * OUTPUT_TOKENS >= 40 * OUTPUT_TOKENS
    assert counted <= billed[0]
    assert counted == checkpoint.usage_bearing * OUTPUT_TOKENS
    assert billed[0] - counted <= checkpoint.in_flight * OUTPUT_TOKENS


def test_a_dead_harness_frees_its_port(endpoint: Any, tmp_path: Path) -> None:
    """Whoever comes back finds nobody, and no token works any more."""
    harness, address, _ = start(endpoint.url, tmp_path)
    stop(harness)
    host, port = address.split(":")
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except ConnectionRefusedError:
        return
    raise AssertionError("somebody still listens")
