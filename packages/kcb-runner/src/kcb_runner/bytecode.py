"""The bytecode of a project's modules, compiled once for the many quick sessions that load them.

A session would compile every module again, since its copy is fresh. The bytecode is only valid for
the very source beside it, so that a program that rewrites its own modules behaves as ever.
"""

from __future__ import annotations

import os
import re
import time
from importlib.resources import files

from kcb_core.environment import clean_environment
from kcb_core.limits import Limits
from kcb_core.roles import Launched, LaunchRequest, Slot
from kcb_core.submission import Submission, SubmittedFile
from kcb_runner.launch.supervisor import readable
from kcb_runner.slot.plan import HOME, PROJECT

MAX_BYTES = 64 << 20
"""Most bytecode that is taken; a project with more is played without."""

WORTH_BYTES = 16 << 10
"""Source that takes as long to compile as the process that compiles it once takes to run."""

_CHUNK = 1 << 16
_HEADER = re.compile(rb"(\d{1,9}) (\d{1,9})\n")
_INSIDE = re.compile(r"(?:[^/]+/)*__pycache__/[^/]+\.pyc")


def worth_it(submission: Submission, sessions: int) -> bool:
    """True if sessions would spend more time on compiling than one more process costs.

    The first session's own compiling is saved as little as that of the process.
    """
    source = sum(len(file.data) for file in submission.files if file.path.endswith(".py"))
    return source * (sessions - 1) >= WORTH_BYTES


def compile_in(slot: Slot, python: str, limits: Limits) -> Submission:
    """Compile the project that lies in a slot, by a process that is confined like its sessions.

    Args:
        slot: where a copy of the project lies.
        python: the interpreter that candidates run on.
        limits: what a session may use.

    Returns:
        The files to put beside the project's; none if anything at all went wrong.

    Raises:
        MachineError: the process could not be started or ended.
    """
    program = (files("kcb_runner.slot") / "compiling.py").read_text(encoding="utf-8")
    home = slot.inside / HOME
    request = LaunchRequest(
        argv=(python, "-I", "-S", "-c", program),
        cwd=slot.inside / PROJECT,
        environment=clean_environment(home=home, scratch=home),
        limits=limits,
        fresh=True,
    )
    process = slot.launch(request)
    try:
        printed = _all_of(process, limits.session_s)
    finally:
        process.stop()
    return Submission(files=_unpacked(printed))


def _all_of(process: Launched, patience_s: float) -> bytes:
    """What the process prints until it ends; nothing if that is too much or takes too long."""
    printed = bytearray()
    deadline = time.monotonic() + patience_s
    while len(printed) <= MAX_BYTES:
        left = deadline - time.monotonic()
        if left <= 0 or not readable(process.stdout, left):
            return b""
        chunk = os.read(process.stdout, _CHUNK)
        if not chunk:
            return bytes(printed)
        printed += chunk
    return b""


def _unpacked(printed: bytes) -> tuple[SubmittedFile, ...]:
    """The files in what was printed; none if it is not as it has to be."""
    found = []
    place = 0
    while place < len(printed):
        header = _HEADER.match(printed, place)
        if not header:
            return ()
        path_end = header.end() + int(header[1])
        place = path_end + int(header[2])
        path = os.fsdecode(printed[header.end() : path_end])
        if place > len(printed) or not _INSIDE.fullmatch(path) or ".." in path.split("/"):
            return ()
        found.append(SubmittedFile(path, printed[path_end:place]))
    return tuple(found)
