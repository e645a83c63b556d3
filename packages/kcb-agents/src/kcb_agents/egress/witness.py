"""Says what a subject would be and reach; run in its place, just before it, as it will be run.

It is handed to an interpreter as text, in the subject's own sandbox, and uses nothing but the
standard library. Its words are the name and port of the proxy, the host of its health page, a host
that is refused, the folder of what is published, and that of what is not. What it prints is judged
by :mod:`kcb_agents.egress.gates`.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import socket
import sys
from typing import Any

ANSWER_S = 20.0


def capabilities(process: str = "self") -> dict[str, str]:
    """Every set of capabilities of a process, in hexadecimal digits."""
    with open(f"/proc/{process}/status", encoding="ascii", errors="replace") as file:
        lines = (line.split() for line in file if line.startswith("Cap"))
        return {words[0].rstrip(":"): words[1] for words in lines}


def asked(name: str, port: int, host: str) -> dict[str, Any]:
    """What a proxy answers to a request for the first page of a host."""
    link = http.client.HTTPConnection(name, port, timeout=ANSWER_S)
    try:
        link.request("GET", f"http://{host}/", headers={"Host": host})
        reply = link.getresponse()
        return {"status": reply.status, "body": reply.read(1 << 12).decode("utf-8", "replace")}
    except OSError as error:
        return {"error": str(error)}
    finally:
        link.close()


def address_of(name: str) -> str:
    """What a name is looked up to, or nothing."""
    try:
        return socket.gethostbyname(name)
    except OSError:
        return ""


def published(folder: str) -> dict[str, str]:
    """Digests of the files of a folder, by name."""
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = hashlib.sha256(file.read(1 << 16)).hexdigest()
    return found


def main() -> None:
    """Print it, as one JSON object."""
    name, port, health, refused, folder, private = sys.argv[1:]
    said = {
        "capabilities": capabilities(),
        "namespace": os.readlink("/proc/self/ns/net"),
        "address": address_of(name),
        "health": asked(name, int(port), health),
        "refused": asked(name, int(port), refused),
        "published": published(folder),
        "writable": os.access(folder, os.W_OK),
        "private": os.path.lexists(private),
    }
    sys.stdout.write(json.dumps(said))


if __name__ == "__main__":
    main()
