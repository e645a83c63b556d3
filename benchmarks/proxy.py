"""What the metering proxy costs: requests and streams through it, as a ratio to none.

An endpoint, the proxy and the clients are three processes on this machine. Every round is done
directly and through the proxy, in turn, and the median of the rounds counts. Rows:

- `paced`: streams at once whose tokens come as fast as a quick hosted model makes them, after a
  time to the first one: what a user waits for. The time of a whole stream is compared, and how late
  each token is, from the endpoint's write to the client's read.
- `flat out`: the same without any pause, so that nothing but the machine holds them back.
- `request`: one request after the other, answered in one piece after that time to the first token.
- `bare request`: the same, answered at once: the proxy's own time, with nothing to hide behind.

Run it with ``python benchmarks/proxy.py``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import aiohttp
from aiohttp import web
from rich.console import Console
from rich.table import Table

from kcb_agents.proxy.serving import Proxy
from kcb_agents.proxy.subject import Subject
from kcb_agents.proxy.upstream import Bounds, Upstream

MODEL = "tiny"
TARGET = 1.15
HELD = ("paced", "request")
MESSAGES = [{"role": "user", "content": "x" * 20_000}]
FIRST_S = 0.25
"""Time to the first token: that of a quick hosted endpoint."""


Way = tuple[str, str]
"""A base URL and what is shown as a key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What the clients do in one round."""

    name: str
    at_once: int
    requests: int
    tokens: int
    """Events in each stream; 0 for an answer in one piece."""
    first_s: float
    pause_s: float
    """Between two tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What one round came to."""

    wall_s: float
    request_s: float
    """Median time of a request, to the end of its answer."""
    late_s: float
    """Median time of a token from its write to its read; 0 without a stream."""


def _event(stamp: float) -> bytes:
    delta = {"index": 0, "delta": {"content": " token"}, "finish_reason": None, "t": stamp}
    return b"data: " + json.dumps({"model": MODEL, "choices": [delta]}).encode() + b"\n\n"


USAGE = {"prompt_tokens": 5000, "completion_tokens": 100}


async def _endpoint(request: web.Request) -> web.StreamResponse:
    asked = await request.json()
    load = asked["load"]
    await asyncio.sleep(load["first_s"])
    if not asked.get("stream"):
        choice = {"message": {"content": "token " * 300}, "finish_reason": "stop"}
        return web.json_response({"model": MODEL, "choices": [choice], "usage": USAGE})
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    start = time.monotonic()
    for number in range(load["tokens"]):
        due = start + number * load["pause_s"]
        if (wait_s := due - time.monotonic()) > 0:
            await asyncio.sleep(wait_s)
        await response.write(_event(time.monotonic()))
    if asked.get("stream_options"):
        usage = {"model": MODEL, "choices": [], "usage": USAGE}
        await response.write(b"data: " + json.dumps(usage).encode() + b"\n\n")
    await response.write(b"data: [DONE]\n\n")
    return response


def serve_endpoint(pipe: Connection) -> None:
    """Runs the endpoint, and says its address."""

    async def run() -> None:
        app = web.Application(client_max_size=1 << 24)
        app.router.add_post("/v1/chat/completions", _endpoint)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0, backlog=128)
        await site.start()
        pipe.send(f"http://127.0.0.1:{runner.addresses[0][1]}/v1")
        await asyncio.get_running_loop().run_in_executor(None, pipe.recv)

    asyncio.run(run())


def serve_proxy(pipe: Connection) -> None:
    """Runs the proxy in front of an address that it is told; says its own, and a token."""
    upstream = Upstream(base_url=pipe.recv(), api_key="real")
    with tempfile.TemporaryDirectory() as folder, Proxy(upstream, bounds=Bounds()) as proxy:
        subject = Subject(profile="bench", models=(MODEL,), folder=Path(folder), key=b"key")
        lease = proxy.lease(subject)
        pipe.send((proxy.url + "/v1", lease.token))
        while pipe.recv():
            pipe.send(time.process_time())
        pipe.send(lease.end().usage_bearing)


async def _ask(
    session: aiohttp.ClientSession, url: str, load: Load, late: list[float], took: list[float]
) -> None:
    body = {"model": MODEL, "messages": MESSAGES, "stream": load.tokens > 0}
    body["load"] = {"first_s": load.first_s, "pause_s": load.pause_s, "tokens": load.tokens}
    begun = time.perf_counter()
    async with session.post(f"{url}/chat/completions", json=body) as reply:
        if reply.status != 200:
            raise SystemExit(f"HTTP {reply.status}: {await reply.text()}")
        async for line in reply.content:
            if load.tokens and line.startswith(b"data: {"):
                now = time.monotonic()
                choices = json.loads(line[6:])["choices"]
                late.extend(now - choice["t"] for choice in choices)
    took.append(time.perf_counter() - begun)


async def _play(url: str, token: str, load: Load) -> Round:
    late: list[float] = []
    took: list[float] = []
    headers = {"Authorization": f"Bearer {token}"}
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(headers=headers, connector=connector) as session:

        async def client() -> None:
            for _ in range(load.requests):
                await _ask(session, url, load, late, took)

        begun = time.perf_counter()
        await asyncio.gather(*(client() for _ in range(load.at_once)))
        wall_s = time.perf_counter() - begun
    expected = load.at_once * load.requests * load.tokens
    if len(late) != expected:
        raise SystemExit(f"{load.name}: {len(late)} tokens came, not {expected}")
    late_s = statistics.median(late) if late else 0.0
    return Round(wall_s=wall_s, request_s=statistics.median(took), late_s=late_s)


def compare(ways: tuple[Way, Way], load: Load, rounds: int) -> tuple[list[Round], list[Round]]:
    """The rounds of one load, directly and through the proxy, in turn."""
    results: tuple[list[Round], list[Round]] = ([], [])
    for _ in range(rounds):
        for (url, token), found in zip(ways, results, strict=True):
            found.append(asyncio.run(_play(url, token, load)))
    return results


def medians(results: tuple[list[Round], list[Round]], name: str) -> tuple[float, float]:
    """Medians of one figure, directly and through the proxy."""
    without, through = (
        statistics.median(getattr(each, name) for each in found) for found in results
    )
    return without, through


def loads(streams: int) -> tuple[Load, ...]:
    """What is measured."""
    paced = dict(at_once=streams, requests=1, tokens=100, first_s=FIRST_S)
    single = dict(at_once=1, tokens=0, pause_s=0.0)
    return (
        Load(name="paced", pause_s=0.02, **paced),
        Load(name="flat out", pause_s=0.0, **{**paced, "tokens": 400, "first_s": 0.0}),
        Load(name="request", requests=6, first_s=FIRST_S, **single),
        Load(name="bare request", requests=100, first_s=0.0, **single),
    )


def start() -> tuple[tuple[Way, Way], list[Connection]]:
    """Start the endpoint and the proxy; gives both ways, and the lines to both processes."""
    context = multiprocessing.get_context("spawn")
    pipes = []
    for work in (serve_endpoint, serve_proxy):
        ours, theirs = context.Pipe()
        context.Process(target=work, args=(theirs,), daemon=True).start()
        pipes.append(ours)
    endpoint, proxy = pipes
    direct = (endpoint.recv(), "none")
    proxy.send(direct[0])
    return (direct, proxy.recv()), pipes


def cpu_s(proxy: Connection) -> float:
    """CPU seconds of the proxy so far."""
    proxy.send(True)
    return float(proxy.recv())


def main(arguments: list[str]) -> int:
    """Measures, and prints a table; 1 if a stream or a request misses the target."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    ways, (endpoint, proxy) = start()
    title = f"directly → through the proxy; {options.streams} streams, {options.rounds} rounds"
    table = Table(title=title)
    headings = ("load", "wall", "request", "token late", "wall ratio", "request ratio", "proxy CPU")
    for heading in headings:
        table.add_column(heading)
    missed = False
    for load in loads(options.streams):
        before = cpu_s(proxy)
        results = compare(ways, load, options.rounds)
        spent_s = (cpu_s(proxy) - before) / (load.at_once * load.requests * options.rounds)
        wall, request, late = (medians(results, name) for name in Round.__slots__)
        ratios = wall[1] / wall[0], request[1] / request[0]
        missed = missed or (load.name in HELD and max(ratios) > TARGET)
        shown = [f"{1e3 * a:.2f} → {1e3 * b:.2f} ms" for a, b in (wall, request, late)]
        per = max(1, load.tokens)
        each = f"{1e6 * spent_s / per:.0f} µs a {'token' if load.tokens else 'request'}"
        table.add_row(load.name, *shown, *(f"{ratio:.3f}" for ratio in ratios), each)
    Console(width=140).print(table)
    for pipe in (endpoint, proxy):
        pipe.send(None)
    Console().print(f"{proxy.recv()} requests metered; target {TARGET} for {' and '.join(HELD)}")
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
