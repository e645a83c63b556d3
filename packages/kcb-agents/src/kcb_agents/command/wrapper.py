"""Runs a program and says how it ended, in one frame that the program cannot write itself.

This file is copied into the sandbox and uses nothing but the standard library. The program gets the
wrapper's standard output for all that it writes; the frame goes to the wrapper's standard error,
which the program never holds. It is sealed with a token that comes on standard input and that the
program never gets: the wrapper's memory and descriptors are closed to it before it is started.
"""

from __future__ import annotations

import ctypes
import hashlib
import hmac
import json
import os
import subprocess
import sys
from typing import Any

COMPLETED = "completed"
FAILED = "failed"
NOT_STARTED = "not_started"

_SEAL = "hmac"
_NOT_DUMPABLE = (4, 0, 0, 0, 0)  # prctl(PR_SET_DUMPABLE, 0)


def sealed(facts: dict[str, Any], token: bytes) -> bytes:
    """A frame: one line of JSON with the seal of its facts."""
    return _canonical({**facts, _SEAL: seal(facts, token)}) + b"\n"


def seal(facts: dict[str, Any], token: bytes) -> str:
    """HMAC-SHA-256 of the facts, without a seal among them, in hexadecimal digits."""
    bare = {name: value for name, value in facts.items() if name != _SEAL}
    return hmac.new(token, _canonical(bare), hashlib.sha256).hexdigest()


def _canonical(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def ended(argv: list[str]) -> dict[str, Any]:
    """Run the program to its end, and say what became of it."""
    try:
        program = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    except OSError as error:
        return {"format": 1, "status": NOT_STARTED, "reason": os.strerror(error.errno or 0)}
    code = program.wait()
    status = COMPLETED if code == 0 else FAILED
    return {"format": 1, "status": status, "exit": max(code, 0), "signal": max(-code, 0)}


def main() -> int:
    """The exit code, which comes of the very status that stands in the frame."""
    token = bytes.fromhex(sys.stdin.readline())
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(*_NOT_DUMPABLE)
    facts = ended(sys.argv[1:])
    os.write(sys.stderr.fileno(), sealed(facts, token))
    return 0 if facts["status"] == COMPLETED else 1


if __name__ == "__main__":
    sys.exit(main())
