"""What every launcher keeps, as a class that a plug-in's own tests inherit.

::

    class TestMyLauncher(LauncherConformance):
        launcher = MyLauncher()

It needs the extra ``kcb-core[testing]``. It says nothing of how well a launcher confines: that is
its own promise, and tested beside it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar

import pytest

from kcb_core.environment import clean_environment
from kcb_core.errors import MachineError
from kcb_core.limits import LIMITS
from kcb_core.roles import Launched, Launcher, LaunchRequest, Slot

PATIENCE_S = 10.0
"""How long something that should happen at once may take on a busy machine."""

_ADDED_BY_THE_SYSTEM = {"__CF_USER_TEXT_ENCODING"}  # macOS, in every process

_ECHO = """
    import sys
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
"""

_STUBBORN = """
    import os, signal, sys, time
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    if os.fork():
        print("ready", flush=True)
    time.sleep(600)
"""


class LauncherConformance:
    """What every launcher keeps. A subclass sets :attr:`launcher`."""

    launcher: ClassVar[Launcher]
    """The launcher under test."""
    python: ClassVar[str] = os.path.realpath(sys.executable)
    """Absolute path, as the candidate sees it, of an interpreter that it may run."""
    _slot: Slot

    @pytest.fixture(autouse=True)
    def _box(self) -> Iterator[None]:
        """A slot of the launcher under test, and nothing of it left afterwards."""
        try:
            with self.launcher.slot() as self._slot:
                yield
        finally:
            self.launcher.close()

    def test_it_says_what_it_is(self) -> None:
        """Name and confinement stand in every report."""
        assert isinstance(self.launcher, Launcher)
        assert self.launcher.name.strip(), "it has no name"
        assert not any(c.isspace() for c in self.launcher.name), "its name is no single word"
        assert self.launcher.confinement().level in ("none", "basic", "full")

    def test_pipes_carry_lines_one_by_one(self) -> None:
        """The driver sends a line only after the answer to the last; nothing may be held back."""
        with self._started(_ECHO) as playing:
            for line in (b"1\n", "\u2028 \U0001f600\n".encode(), b"x" * 200_000 + b"\n"):
                playing.send(line)
                assert playing.output(len(line)) == line
            playing.process.close_stdin()
            assert playing.output() == b"", "output does not end when the program does"

    def test_errors_come_apart_from_output(self) -> None:
        """Standard error is kept for people and never judged."""
        program = """
            import sys
            sys.stderr.write("complaint")
            sys.stdout.write("answer")
        """
        with self._started(program) as playing:
            assert playing.output() == b"answer"
            assert _read(playing.process.stderr) == b"complaint"

    def test_words_arrive_as_they_are(self) -> None:
        """No shell is involved, so no word of a start command can be taken for syntax."""
        words = ("a b", "", "$HOME", "*", "';exit 3", '"', "\\", "é\n", "--")
        program = "import json, sys; print(json.dumps(sys.argv[1:]))"
        with self._started(program, *words) as playing:
            assert playing.output() == f"{json.dumps(words)}\n".encode()

    def test_environment_is_exactly_what_was_given(self) -> None:
        """What is inherited besides could hold a credential, or make a verdict depend on a host."""
        program = "import json, os; print(json.dumps(dict(os.environ)))"
        given = self._environment()
        with self._started(program, environment=given) as playing:
            found = json.loads(playing.output())
            assert {n: v for n, v in found.items() if n not in _ADDED_BY_THE_SYSTEM} == given

    def test_it_runs_in_its_copy_of_the_project(self) -> None:
        """A program finds the files beside it by their bare names, and may write there."""
        program = """
            import pathlib
            pathlib.Path("made.txt").write_text(pathlib.Path("given.txt").read_text() + "!")
            print(pathlib.Path("made.txt").read_text())
        """
        self._fill(program)
        self._write("given.txt", "found")
        with self._started(program) as playing:
            assert playing.output() == b"found!\n"

    @pytest.mark.parametrize("status", [0, 3])
    def test_exit_status_is_reported(self, status: int) -> None:
        """A crash and a clean end are told apart by it."""
        program = f"import sys; sys.stdin.read(); sys.exit({status})"
        with self._started(program) as playing:
            assert playing.process.poll() is None, "it has a status while it runs"
            playing.process.close_stdin()
            assert playing.status() == status
            assert playing.process.poll() == status, "the second time it has another status"

    def test_signal_is_reported_as_negative_status(self) -> None:
        """A program that a signal ended says so in its failure's reason."""
        program = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
        with self._started(program) as playing:
            assert playing.status() == -signal.SIGKILL

    def test_exit_descriptor_becomes_readable_at_the_end(self) -> None:
        """The driver waits for it together with the pipes, instead of asking again and again."""
        with self._started(_ECHO) as playing:
            handle = playing.process.exit_fd
            if handle is None:
                pytest.skip("this launcher has no such descriptor here")
            assert not select.select([handle], [], [], 0.05)[0], "it is readable while it runs"
            playing.process.close_stdin()
            assert select.select([handle], [], [], PATIENCE_S)[0], "it never becomes readable"

    def test_closing_the_input_twice_is_harmless(self) -> None:
        """A descriptor's number may belong to another session by then."""
        with self._started(_ECHO) as playing:
            playing.process.close_stdin()
            reader, writer = os.pipe()
            playing.process.close_stdin()
            os.close(writer)
            os.close(reader)
            assert playing.status() == 0

    def test_usage_is_that_of_a_running_session(self) -> None:
        """Limits on memory and processes are held by looking at it."""
        program = """
            import sys, threading
            held = b"x" * (64 << 20)
            threading.Thread(target=sys.stdin.read).start()
            print("ready", flush=True)
        """
        with self._started(program) as playing:
            assert playing.output(6) == b"ready\n"
            resident, tasks = playing.process.usage()
            if (resident, tasks) == (0, 0):
                pytest.skip("this launcher does not know it here")
            assert 64 << 20 <= resident < LIMITS.memory_bytes, f"{resident} bytes resident"
            assert 2 <= tasks < LIMITS.processes, f"{tasks} processes and threads"

    def test_stop_kills_whoever_ignores_signals(self) -> None:
        """A program that is over its time is gone, and with it what it has started."""
        with self._started(_STUBBORN) as playing:
            assert playing.output(6) == b"ready\n"
            output = os.dup(playing.process.stdout)
            begin = time.monotonic()
            assert playing.stop() >= 0
            took = time.monotonic() - begin
            try:
                assert _read(output) == b"", "somebody still holds the output"
            finally:
                os.close(output)
            assert took < PATIENCE_S, f"it took {took:.1f} s"

    def test_survivors_are_counted(self) -> None:
        """A report notes what a program left running; it is killed all the same."""
        program = """
            import os, time
            if not os.fork():
                time.sleep(600)
        """
        for source, expected in ((program, 1), ("pass", 0)):
            with self._started(source) as playing:
                assert playing.status() == 0
                playing.stop()
                assert playing.process.survivors == expected

    def test_stop_gives_everything_back(self) -> None:
        """Thousands of sessions are played in one process, which may open so many files only."""
        counts = []
        for _ in range(4):
            with self._started("pass") as playing:
                playing.status()
                playing.stop()
            counts.append(len(os.listdir("/dev/fd")))
        assert counts[1:] == counts[:-1], f"open descriptors after each session: {counts}"

    def test_what_cannot_be_started_is_the_machines_failure(self) -> None:
        """A missing interpreter says nothing of the program that it would have run."""
        self._fill("pass")
        request = LaunchRequest(
            argv=("/nowhere/python", "main.py"),
            cwd=self._slot.inside / "project",
            environment=self._environment(),
        )
        with pytest.raises(MachineError):
            self._slot.launch(request)

    @contextmanager
    def _started(
        self, program: str, *words: str, environment: Mapping[str, str] | None = None
    ) -> Iterator[_Playing]:
        """A process that runs a program, stopped in any case."""
        self._fill(program)
        request = LaunchRequest(
            argv=(self.python, "-E", "-s", "-S", "main.py", *words),
            cwd=self._slot.inside / "project",
            environment=environment or self._environment(),
            fresh=self._slot.quick is None,
        )
        playing = _Playing(self._slot.launch(request))
        try:
            yield playing
        finally:
            if not playing.stopped:
                playing.stop()

    def _fill(self, program: str) -> None:
        """Make a program the project's ``main.py``."""
        self._write("main.py", textwrap.dedent(program))

    def _write(self, name: str, text: str) -> None:
        """Put a file into the project, as the evaluator does."""
        path = self._slot.outside / "project" / name
        path.write_text(text, encoding="utf-8")
        if self._slot.owner is not None:
            os.chown(path, self._slot.owner, self._slot.owner)

    def _environment(self) -> dict[str, str]:
        home = self._slot.inside / "home"
        return clean_environment(home=home, scratch=home)


class _Playing:
    """A process that was started, and how to talk to it without waiting for ever."""

    def __init__(self, process: Launched) -> None:
        self.process = process
        self.stopped = False

    def stop(self) -> float:
        self.stopped = True
        return self.process.stop()

    def status(self) -> int:
        """The exit status, as soon as there is one."""
        deadline = time.monotonic() + PATIENCE_S
        while (status := self.process.poll()) is None:
            assert time.monotonic() < deadline, "the process does not end"
            time.sleep(0.005)
        return status

    def send(self, data: bytes) -> None:
        """Write all of some bytes to its input."""
        deadline = time.monotonic() + PATIENCE_S
        while data:
            assert time.monotonic() < deadline, f"{len(data)} bytes cannot be sent"
            if select.select([], [self.process.stdin], [], 0.1)[1]:
                data = data[os.write(self.process.stdin, data[: select.PIPE_BUF]) :]

    def output(self, count: int | None = None) -> bytes:
        """So many bytes of its output, or all of it."""
        return _read(self.process.stdout, count)


def _read(handle: int, count: int | None = None) -> bytes:
    """So many bytes from a descriptor, or all until its end."""
    deadline = time.monotonic() + PATIENCE_S
    data = b""
    while count is None or len(data) < count:
        assert time.monotonic() < deadline, f"no more than {data[:80]!r} arrives"
        if select.select([handle], [], [], 0.1)[0]:
            chunk = os.read(handle, 65_536 if count is None else count - len(data))
            if not chunk:
                break
            data += chunk
    return data
