"""The first program in a worker's container: calls home, opens the doors, and becomes the worker.

It starts with the standard library alone, so that whoever started it learns which Python this is
before any package is loaded that may not fit it.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import socket
import sys
from functools import partial
from typing import Any

from kcb_experiments.engine.relay import Relay

CONTROL, TALK, ERRORS = "/kcb-control", "socket", "errors"
"""The folder with the sockets to whoever started this, and their names."""

HELLO, READY = "hello", "ready"
"""Events: this is the Python here; everything is loaded."""

_BACKLOG = 64
_PR_SET_DUMPABLE = 4


def main() -> int:
    """Run as the first process of a container; see :func:`_boarded` for what it is told."""
    _keep_to_itself()
    talk = _called(TALK)
    os.dup2(_called(ERRORS).detach(), 2)
    for number in (0, 1):
        os.dup2(talk.fileno(), number)
    talk.close()
    _say(HELLO, platform.python_version())
    line = sys.stdin.buffer.readline()
    if not line:
        return 0  # nobody wants more than to know that
    return _boarded(json.loads(line))


def _boarded(told: dict[str, Any]) -> int:
    """Make everything ready, and be the worker.

    Args:
        told: ``environment``, all of it; ``doors``, of each the address, port and socket; and
            ``agents``, the names of those that must be there; and ``third_party``, whether the
            plug-ins of others are loaded.
    """
    path = os.environ.get("PATH", "")
    os.environ.clear()
    os.environ.update(told["environment"])
    os.environ["PATH"] = path or os.environ["PATH"]  # where programs are is the image's affair
    os.makedirs(os.environ["TMPDIR"], exist_ok=True)
    relays = [_door(*door) for door in told["doors"]]
    from kcb_core.catalog import load_catalog  # noqa: PLC0415 - only now is it known to fit
    from kcb_core.errors import KcbError  # noqa: PLC0415
    from kcb_experiments.engine import worker  # noqa: PLC0415

    try:
        catalog = load_catalog(third_party=told["third_party"])
        for name in told["agents"]:
            catalog.find("agent", name, catalog.agents(), lambda found: found.name)
    except KcbError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    _say(READY)
    status = worker.main()
    for relay in relays:
        relay.close()
    return status


def _door(address: str, port: int, path: str) -> Relay:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.create_server((address, port), family=family, backlog=_BACKLOG)
    return Relay(listener, partial(_called, path))


def _called(name: str) -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.connect(f"{CONTROL}/{name}")
    return made


def _say(event: str, line: str = "") -> None:
    os.write(1, json.dumps({"event": event, "line": line}).encode() + b"\n")


def _keep_to_itself() -> None:
    """Keep the environment and memory of this process from others of the same user."""
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


if __name__ == "__main__":
    sys.exit(main())
