"""Serves the evaluator: starts a session, looks at it, ends it, one after the other.

A message is a JSON object and its answer another, over a socket that keeps them apart. A start
brings the candidate's three pipes along, and its answer a descriptor of the new process. The
supervisor reads nothing that a candidate writes, and knows nothing that a candidate may not know.
"""

from __future__ import annotations

import array
import errno
import gc
import json
import os
import signal
import socket
import sys
from collections.abc import Mapping
from typing import NoReturn

from kcb_runner.slot import confine, kernel
from kcb_runner.slot.plan import MESSAGE_BYTES, Plan
from kcb_runner.slot.reaper import Reaper

_DESCRIPTORS = 4
_DEFAULTS = (signal.SIGPIPE, signal.SIGXFSZ)
"""Signals that Python ignores and a new program expects as the system has them."""


def serve(control: socket.socket) -> tuple[list[str], dict[str, str]]:
    """Set the slot up and serve sessions until the evaluator is gone.

    Args:
        control: the socket to the evaluator.

    Returns:
        Words and environment of a session, in the process that is forked to play it, which runs
        the candidate next. The supervisor itself never returns.
    """
    message = control.recv(MESSAGE_BYTES)
    if not message:
        os._exit(0)
    plan = Plan.decode(message)
    try:
        for name in plan.preload:
            __import__(name)
        # Of the signals that have a handler, a candidate could send one to the first process.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        box = confine.enter_namespaces(plan) if plan.level == "full" else None
        mechanisms, fence = confine.restrain(plan) if plan.level != "none" else ((), None)
        confine.settle(plan)
        reaper = Reaper(_way(plan))
    except (OSError, confine.Refused) as error:
        _answer(control, {"error": str(error)})
        os._exit(1)
    gc.collect()
    gc.freeze()
    said: dict[str, object] = {
        "mechanisms": mechanisms,
        "loaded": _loaded(plan),
        "python": os.path.realpath(sys.executable),
        "version": ".".join(map(str, sys.version_info[:3])),
    }
    _answer(control, said, *([] if box is None else [box]))
    if box is not None:
        os.close(box)
    return _Server(control, plan, reaper, fence).run()


def _way(plan: Plan) -> str:
    if plan.level == "full":
        return "namespace"
    return "group" if plan.user is None else "user"


def _loaded(plan: Plan) -> list[str]:
    """Top-level names that an import in a forked process finds loaded already."""
    if not plan.preload:
        return []
    return sorted({name.partition(".")[0] for name in sys.modules} - {"__main__"})


def _answer(control: socket.socket, said: Mapping[str, object], *descriptors: int) -> None:
    sent = array.array("i", descriptors).tobytes()
    extra = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, sent)] if descriptors else []
    control.sendmsg([json.dumps(said).encode()], extra)


def _found(name: str, environment: Mapping[str, str]) -> str:
    """The program of a name, looked for where the session itself would.

    Raises:
        OSError: there is none.
    """
    if "/" in name:
        return name
    for folder in environment.get("PATH", "").split(":"):
        path = f"{folder}/{name}"
        if folder and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise FileNotFoundError(errno.ENOENT, "no such program", name)


class _Forked(Exception):
    """Leaves the server, in the process that was forked to play a session."""


class _Server:
    """What goes on between supervisor and evaluator once the slot is set up."""

    def __init__(
        self, control: socket.socket, plan: Plan, reaper: Reaper, fence: confine.Fence | None
    ) -> None:
        self._control = control
        self._fence = fence
        self._plan = plan
        self._reaper = reaper
        self._request: tuple[list[str], dict[str, str]] = ([], {})

    def run(self) -> tuple[list[str], dict[str, str]]:
        """Answer until there is nobody to answer, or as the process that plays a session."""
        while True:
            message, descriptors = self._receive()
            if not message:
                self._leave()
            said = json.loads(message)
            try:
                self._handle(said, descriptors)
            except _Forked:
                return self._request
            except OSError as error:
                _answer(self._control, {"error": str(error), "number": error.errno})
            for handle in descriptors:
                os.close(handle)

    def _receive(self) -> tuple[bytes, list[int]]:
        space = socket.CMSG_LEN(_DESCRIPTORS * array.array("i").itemsize)
        try:
            message, extra, _, _ = self._control.recvmsg(
                MESSAGE_BYTES, space, socket.MSG_CMSG_CLOEXEC
            )
        except ConnectionError:
            return b"", []
        descriptors = array.array("i")
        for level, kind, data in extra:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
        return message, descriptors.tolist()

    def _leave(self) -> NoReturn:
        """The evaluator is gone: nothing may stay."""
        self._reaper.abandon()
        os._exit(0)

    def _handle(self, said: dict[str, object], descriptors: list[int]) -> None:
        if "start" in said:
            start = said["start"]
            assert isinstance(start, dict)
            pid = self._start(start, descriptors)
            self._reaper.watch(pid)
            watcher = os.pidfd_open(pid)
            try:
                _answer(self._control, {"pid": pid}, watcher)
            finally:
                os.close(watcher)
        elif "listen" in said:
            with socket.create_server(("127.0.0.1", int(str(said["listen"])))) as listener:
                _answer(self._control, {}, listener.fileno())
        elif "usage" in said:
            resident, tasks = self._reaper.usage()
            _answer(self._control, {"resident": resident, "tasks": tasks})
        else:
            status, cpu_s, survivors = self._reaper.end()
            _answer(self._control, {"status": status, "cpu_s": cpu_s, "survivors": survivors})

    def _start(self, start: dict[str, object], pipes: list[int]) -> int:
        argv, environment, fork = start["argv"], start["environment"], start["fork"]
        assert isinstance(argv, list)
        assert isinstance(environment, dict)
        if fork:
            pid = os.fork()
            if pid == 0:
                self._leave_supervisor(pipes)
                os.closerange(3, self._plan.open_files)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                kernel.prctl(kernel.PR_SET_DUMPABLE, 1, "showing this process again")
                self._request = (argv, environment)
                raise _Forked
            return pid
        program = _found(argv[0], environment)
        if self._fence:
            return self._spawn_fenced(program, argv, environment, pipes)
        actions = [(os.POSIX_SPAWN_DUP2, pipe, place) for place, pipe in enumerate(pipes)]
        return os.posix_spawn(
            program,
            argv,
            environment,
            file_actions=actions,
            setsigdef=_DEFAULTS,
            setsid=True,
        )

    def _spawn_fenced(
        self, program: str, argv: list[str], environment: dict[str, str], pipes: list[int]
    ) -> int:
        """Start a program inside a fence of its own, which no spawning call can put up."""
        failed, report = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                self._leave_supervisor(pipes)
                for default in _DEFAULTS:
                    signal.signal(default, signal.SIG_DFL)
                os.execve(program, argv, environment)
            except OSError as error:
                os.write(report, f"{error.errno} {error.strerror}: {program}".encode())
            finally:
                os._exit(1)
        os.close(report)
        with open(failed, "rb") as file:
            problem = file.read()  # ends as soon as the program is running
        if problem:
            os.waitpid(pid, 0)
            number, _, what = problem.decode().partition(" ")
            raise OSError(int(number), what)
        return pid

    def _leave_supervisor(self, pipes: list[int]) -> None:
        """In a forked process: have its own process group and pipes, and go inside the fence."""
        os.setsid()
        for place, pipe in enumerate(pipes):
            os.dup2(pipe, place)
        if self._fence:
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL, "following the supervisor")
            self._fence.close()
