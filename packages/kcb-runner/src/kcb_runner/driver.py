"""Plays one session in lockstep, and is the only judge of what a candidate prints.

The verdict is decided by the bytes that were read: not by how they were cut into pieces, not by how
the process was started, and by nothing that the candidate says of itself.
"""

from __future__ import annotations

import os
import select
import time
from dataclasses import dataclass, field
from typing import Final

from kcb_core.codec import Json, parse
from kcb_core.equality import difference
from kcb_core.errors import MalformedJson
from kcb_core.limits import Limits
from kcb_core.report import Failure, FailureKind
from kcb_core.roles import Launched
from kcb_core.task import Session, line_of
from kcb_runner.cancel import Cancel, Cancelled

END_GRACE_S: Final = 2.0
"""How long a process may take to end after it closed its output, before that alone is the fault."""

SAMPLE_S: Final = 0.1
"""How often the resources of a session are looked at while the driver waits."""

_BLIND_SLICE_S: Final = 0.02
"""How long to wait at most where the system cannot tell that a process has ended."""

_CHUNK: Final = 1 << 16


@dataclass(slots=True)
class Played:
    """What came of one session."""

    passed: int = 0
    """Right responses."""
    failure: Failure | None = None
    """What ended it, or nothing if it passed."""
    confirm: bool = False
    """Whether the failure hangs on time, so that the scenario has to be played again."""
    at: int = 0
    """Index of the request at which it ended."""
    received: bytes = b""
    """The response, or what there was of it, at which it ended."""
    difference: str = ""
    """Where a wrong response differs from the expected one."""
    responses: list[bytes] = field(default_factory=list)
    """Right responses, as they were read."""
    stdout_bytes: int = 0
    stderr_bytes: int = 0
    stderr_tail: bytes = b""


class _Ended(Exception):
    """Ends a session with a failure, from wherever it is found."""

    def __init__(self, kind: FailureKind, reason: str, *, confirm: bool = False) -> None:
        self.failure = Failure(kind=kind, reason=reason)
        self.confirm = confirm
        super().__init__(reason)


def play(
    process: Launched,
    session: Session,
    *,
    durable: bool,
    limits: Limits,
    deadline: float,
    cancel: Cancel,
) -> Played:
    """Play one session with a process that has just been started; the caller stops the process.

    Args:
        process: the candidate.
        session: what is asked, and what must be answered.
        durable: whether the session ends with a kill right after the last response, so that
            neither later output nor an exit status is judged.
        limits: what the session may use.
        deadline: when the session's time is over, on the monotonic clock.
        cancel: stops the session from outside.

    Raises:
        Cancelled: the run was stopped.
    """
    played = Played()
    talk = _Talk(process, limits, deadline, cancel, durable)
    try:
        for index, (request, expected) in enumerate(
            zip(session.requests, session.expected, strict=True)
        ):
            played.at = index
            played.received = b""
            talk.where = f"request {index + 1} of {len(session.requests)}"
            talk.send(line_of(request).encode("utf-8") + b"\n")
            played.received = talk.read_line()
            killed_next = durable and index + 1 == len(session.requests)
            _judge(played, expected, talk, alone=not killed_next)
            played.passed += 1
            played.responses.append(played.received)
        if not durable:
            talk.finish()
    except _Ended as ended:
        played.failure = ended.failure
        played.confirm = ended.confirm
        played.received = played.received or talk.pending
    played.stdout_bytes = talk.stdout_bytes
    played.stderr_bytes = talk.stderr_bytes
    played.stderr_tail = bytes(talk.stderr_tail)
    return played


def _judge(played: Played, expected: Json, talk: _Talk, *, alone: bool) -> None:
    """End the session unless the line that was read is the expected response, and stands alone
    where it has to."""
    try:
        response = parse(played.received)
    except MalformedJson as error:
        raise _Ended(
            FailureKind.PROTOCOL_VIOLATION, f"{talk.where}: not a JSON line: {error.reason}"
        ) from None
    if not isinstance(response, dict):
        raise _Ended(
            FailureKind.PROTOCOL_VIOLATION, f"{talk.where}: the line is JSON but no object"
        )
    if alone and talk.pending:
        raise _Ended(
            FailureKind.PROTOCOL_VIOLATION,
            f"{talk.where}: more output after the response: {show(talk.pending[:60])}",
            confirm=True,
        )
    found = difference(expected, response)
    if found:
        played.difference = found
        raise _Ended(FailureKind.WRONG_RESPONSE, f"{talk.where}: {_shorten(found)}")


class _Talk:
    """The three pipes of one process: bytes in and out, and nothing of what they mean."""

    def __init__(
        self, process: Launched, limits: Limits, deadline: float, cancel: Cancel, durable: bool
    ) -> None:
        self._process = process
        self._limits = limits
        self._deadline = deadline
        self._cancel = cancel
        self._durable = durable
        self._started = time.monotonic()
        self._next_sample = self._started + SAMPLE_S
        self._unsent = memoryview(b"")
        self._buffer = bytearray()
        self._stdout_open = True
        self._exited = False
        self._closing = False
        self._poll = select.poll()
        self._watched: dict[int, int] = {}
        self._watch(process.stdout, select.POLLIN)
        self._watch(process.stderr, select.POLLIN)
        self._watch(cancel.fd, select.POLLIN)
        if process.exit_fd is not None:
            self._watch(process.exit_fd, select.POLLIN)
        self.where = ""
        self.stdout_bytes = 0
        self.stderr_bytes = 0
        self.stderr_tail = bytearray()

    @property
    def pending(self) -> bytes:
        """Bytes that were read and belong to no response yet."""
        return bytes(self._buffer)

    def send(self, data: bytes) -> None:
        """Hand over a line; what the pipe does not take at once goes along while waiting."""
        self._unsent = memoryview(data)
        self._write()

    def read_line(self) -> bytes:
        """The next line of output, without its line end."""
        searched = 0
        while True:
            end = self._buffer.find(b"\n", searched)
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                return line
            searched = len(self._buffer)
            if self._exited or not self._stdout_open:
                return self._last_line()
            self._wait()

    def finish(self) -> None:
        """Close the candidate's input, and see to it that it ends well and says nothing more."""
        self.where = "after the last response"
        self._closing = True
        self._write()
        while not self._exited:
            if self._buffer:
                break
            self._wait()
        if self._buffer:
            raise _Ended(
                FailureKind.PROTOCOL_VIOLATION,
                f"{self.where}: more output: {show(self.pending[:60])}",
                confirm=True,
            )
        status = self._process.poll()
        if status:
            raise _Ended(FailureKind.CRASH, f"{self.where}: {_ending(status)}")

    def _last_line(self) -> bytes:
        """Output has ended without a line end: a response if all else is well, or a failure."""
        if not self._exited:
            self._await_exit(min(self._deadline, time.monotonic() + END_GRACE_S))
        status = self._process.poll()
        if status is None:
            raise _Ended(
                FailureKind.PROTOCOL_VIOLATION,
                f"{self.where}: it closed its standard output and lives on",
            )
        if status != 0:
            raise _Ended(FailureKind.CRASH, f"{self.where}: {_ending(status)}")
        if self._buffer and not self._durable:
            line = self.pending
            self._buffer.clear()
            return line
        raise _Ended(
            FailureKind.PROTOCOL_VIOLATION,
            f"{self.where}: it ended with status 0 instead of answering{self._partial()}",
        )

    def _await_exit(self, until: float) -> None:
        """Wait for the process itself to end, its output being over already."""
        while not self._exited and time.monotonic() < until:
            self._wait(until)

    def _wait(self, until: float | None = None) -> None:
        """Wait for anything to happen, and take it in; at most until the session's time is over."""
        now = time.monotonic()
        if now >= self._deadline:
            raise self._timeout()
        if now >= self._next_sample:
            self._sample()
            self._next_sample = now + SAMPLE_S
        end = min(self._deadline, self._next_sample, until or self._deadline)
        if self._process.exit_fd is None:
            end = min(end, now + _BLIND_SLICE_S)
        ready = {fd for fd, _ in self._poll.poll(max(0.0, end - now) * 1000)}
        if self._cancel.fd in ready:
            raise Cancelled
        if self._process.stdin in ready:
            self._write()
        if self._process.stderr in ready:
            self._read_stderr()
        if self._process.stdout in ready:
            self._read_stdout()
        if self._process.exit_fd in ready or self._process.exit_fd is None:
            self._note_exit()

    def _note_exit(self) -> None:
        """Once the process has ended, take what is left in its pipes, whoever still holds them."""
        if self._process.poll() is None:
            return
        self._exited = True
        while self._stdout_open and self._read_stdout():
            pass
        while self._process.stderr in self._watched and self._read_stderr():
            pass

    def _read_stdout(self) -> bool:
        """Take in one piece of output; whether there may be more."""
        room = self._limits.stdout_bytes - self.stdout_bytes
        data = _read(self._process.stdout, min(_CHUNK, room + 1))
        if data is None:
            return False
        if not data:
            self._stdout_open = False
            self._unwatch(self._process.stdout)
            return False
        self.stdout_bytes += len(data)
        self._buffer += data
        if self.stdout_bytes > self._limits.stdout_bytes:
            raise _Ended(
                FailureKind.OUTPUT_LIMIT,
                f"{self.where}: more than {self._limits.stdout_bytes:,} bytes on standard output",
            )
        return True

    def _read_stderr(self) -> bool:
        data = _read(self._process.stderr, _CHUNK)
        if data is None:
            return False
        if not data:
            self._unwatch(self._process.stderr)
            return False
        self.stderr_bytes += len(data)
        self.stderr_tail += data
        del self.stderr_tail[: -self._limits.stderr_bytes]
        return True

    def _write(self) -> None:
        """Hand over as much as the pipe takes; watch the pipe only while something is left."""
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._process.stdin, self._unsent) :]
        except BlockingIOError:
            self._watch(self._process.stdin, select.POLLOUT)
            return
        except BrokenPipeError:  # it reads no more: what it says, or its end, decides
            self._unsent = memoryview(b"")
        self._unwatch(self._process.stdin)
        if self._closing:
            self._process.close_stdin()

    def _sample(self) -> None:
        resident, tasks = self._process.usage()
        if resident > self._limits.memory_bytes:
            raise _Ended(
                FailureKind.RESOURCE_LIMIT,
                f"{self.where}: {resident >> 20} MiB of resident memory, "
                f"{self._limits.memory_bytes >> 20} MiB allowed",
            )
        if tasks > self._limits.processes:
            raise _Ended(
                FailureKind.RESOURCE_LIMIT,
                f"{self.where}: {tasks} processes and threads, {self._limits.processes} allowed",
            )

    def _timeout(self) -> _Ended:
        limit = f"{self._limits.session_s:g} s"
        if self.where == "after the last response":
            reason = f"{self.where}: it does not end within the session's {limit}"
        else:
            reason = f"{self.where}: no response within the session's {limit}{self._partial()}"
        return _Ended(FailureKind.TIMEOUT, reason, confirm=True)

    def _partial(self) -> str:
        if not self._buffer:
            return "; 0 bytes received"
        start = show(self.pending[:60])
        return f"; {len(self._buffer)} bytes received without a line end: {start}"

    def _watch(self, fd: int, events: int) -> None:
        if self._watched.get(fd) != events:
            self._watched[fd] = events
            self._poll.register(fd, events)

    def _unwatch(self, fd: int) -> None:
        if self._watched.pop(fd, None) is not None:
            self._poll.unregister(fd)


def show(data: bytes) -> str:
    """Bytes as text fit for a report: what is no UTF-8 stands there as an escape."""
    return data.decode("utf-8", "backslashreplace")


def _read(fd: int, size: int) -> bytes | None:
    """What a pipe holds, empty at its end, or None if there is nothing now."""
    try:
        return os.read(fd, size)
    except BlockingIOError:
        return None


def _ending(status: int) -> str:
    if status < 0:
        return f"it was ended by signal {-status}"
    return f"it ended with status {status}"


def _shorten(text: str, limit: int = 300) -> str:
    return text if len(text) <= limit else text[: limit - 3] + "..."
