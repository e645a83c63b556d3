"""The checks of launchers pass a plain one and catch the ways in which one is wrong."""

import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from kcb_core.errors import MachineError
from kcb_core.report import Confinement
from kcb_core.roles import LaunchRequest
from kcb_core.testing import launcher_conformance
from kcb_core.testing.launcher_conformance import LauncherConformance


class PlainProcess:
    """A process in a group of its own, with nothing confined."""

    def __init__(self, argv: tuple[str, ...], cwd: Path, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            argv, cwd=cwd, env=dict(environment), stdin=-1, stdout=-1, stderr=-1, bufsize=0,
            start_new_session=True,
        )  # fmt: skip
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._pipes = [pipe for pipe in pipes if pipe]
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in self._pipes)
        self._exit_fd = os.pidfd_open(self._process.pid) if hasattr(os, "pidfd_open") else None
        self.survivors = 0

    @property
    def exit_fd(self) -> int | None:
        return self._exit_fd

    def poll(self) -> int | None:
        return self._process.poll()

    def close_stdin(self) -> None:
        self._pipes[0].close()

    def usage(self) -> tuple[int, int]:
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_text()
        except OSError:
            return 0, 0
        facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        return int(facts["VmRSS"].split()[0]) * 1024, int(facts["Threads"])

    def stop(self) -> float:
        ended = self.poll() is not None
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
            self.survivors = int(ended)
        self._process.wait()
        for pipe in self._pipes:
            pipe.close()
        if self._exit_fd is not None:
            os.close(self._exit_fd)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


class PlainLauncher:
    """Starts plain processes, and is its own slot."""

    name = "plain"
    level = "none"
    owner = None
    quick = None
    quick_sessions = 0
    python = None
    outside = inside = Path("/nowhere")

    def confinement(self) -> Confinement:
        return Confinement(level=self.level)

    def at_level(self, level: str) -> "PlainLauncher":
        return self

    @contextmanager
    def slot(self) -> Iterator["PlainLauncher"]:
        with TemporaryDirectory() as folder:
            self.outside = self.inside = Path(folder)
            for name in ("project", "home", "state"):
                (self.inside / name).mkdir()
            yield self

    def close(self) -> None:
        """Nothing is kept."""

    def launch(self, request: LaunchRequest) -> PlainProcess:
        try:
            return self.start(request)
        except OSError as error:
            raise MachineError(str(error)) from error

    def start(self, request: LaunchRequest) -> PlainProcess:
        """Start one; what subclasses do wrong."""
        return PlainProcess(request.argv, request.cwd, request.environment)


class TestPlainLauncher(LauncherConformance):
    """A launcher of a few lines keeps all of it."""

    launcher = PlainLauncher()


def clean_up(process: PlainProcess) -> None:
    """Undo what a wrong launcher left behind."""
    with suppress(ProcessLookupError):
        os.killpg(process._process.pid, signal.SIGKILL)
    process._process.wait()
    for pipe in process._pipes:
        with suppress(OSError):
            pipe.close()


def launcher(start: Callable[[LaunchRequest], PlainProcess]) -> PlainLauncher:
    """A launcher that starts processes like this."""
    return type("Wrong", (PlainLauncher,), {"start": lambda self, request: start(request)})()


def process(**parts: Any) -> PlainLauncher:
    """A launcher of processes that have these parts in place of the right ones."""
    kind: Any = type("WrongProcess", (PlainProcess,), parts)
    return launcher(lambda r: kind(r.argv, r.cwd, r.environment))


def named(**parts: Any) -> PlainLauncher:
    """A launcher that says this of itself."""
    return type("Wrong", (PlainLauncher,), parts)()


def through_a_shell(request: LaunchRequest) -> PlainProcess:
    """Quotes nothing."""
    words = ("/bin/sh", "-c", " ".join(request.argv))
    return PlainProcess(words, request.cwd, request.environment)


def with_more_environment(request: LaunchRequest) -> PlainProcess:
    """Lets a variable through."""
    more = {**request.environment, "TOKEN": "secret"}
    return PlainProcess(request.argv, request.cwd, more)


def elsewhere(request: LaunchRequest) -> PlainProcess:
    """Runs the right file in the wrong folder."""
    argv = tuple(str(request.cwd / w) if w == "main.py" else w for w in request.argv)
    return PlainProcess(argv, request.cwd.parent, request.environment)


def close_whatever_has_the_number(self: PlainProcess) -> None:
    """Closes by number, the second time too."""
    os.close(self.stdin)


def stop_the_first_only(self: PlainProcess) -> float:
    """Leaves the children of the process alone."""
    self._process.kill()
    self._process.wait()
    return 0.0


def stop_politely(self: PlainProcess) -> float:
    """Asks first, and waits for an answer that does not come."""
    self._process.terminate()
    with suppress(subprocess.TimeoutExpired):
        self._process.wait(0.9)
    return PlainProcess.stop(self)


MUTANTS: list[tuple[str, Any]] = [
    ("it_says_what_it_is", named(name="")),
    ("it_says_what_it_is", named(name="two words")),
    ("it_says_what_it_is", named(level="some")),
    ("it_says_what_it_is", object()),
    ("pipes_carry_lines_one_by_one", process(close_stdin=lambda self: None)),
    ("errors_come_apart_from_output", process(stderr=property(lambda s: s.stdout, lambda s, v: 0))),
    ("words_arrive_as_they_are", launcher(through_a_shell)),
    ("environment_is_exactly_what_was_given", launcher(with_more_environment)),
    ("it_runs_in_its_copy_of_the_project", launcher(elsewhere)),
    ("exit_status_is_reported", process(poll=lambda self: 0)),
    ("exit_status_is_reported", process(poll=lambda self: bool(self._process.poll()) or None)),
    ("signal_is_reported_as_negative_status",
     process(poll=lambda self: abs(self._process.poll() or 0) or None)),
    ("exit_descriptor_becomes_readable_at_the_end",
     process(exit_fd=property(lambda self: self.stdin))),
    ("exit_descriptor_becomes_readable_at_the_end",
     process(exit_fd=property(lambda self: os.open("/dev/null", os.O_RDONLY)))),
    ("closing_the_input_twice_is_harmless", process(close_stdin=close_whatever_has_the_number)),
    ("usage_is_that_of_a_running_session", process(usage=lambda self: (1 << 20, 2))),
    ("usage_is_that_of_a_running_session", process(usage=lambda self: (1 << 27, 1))),
    ("usage_is_that_of_a_running_session", process(usage=lambda self: (1 << 40, 2))),
    ("stop_kills_whoever_ignores_signals", process(stop=stop_the_first_only)),
    ("stop_kills_whoever_ignores_signals", process(stop=stop_politely)),
    ("survivors_are_counted", process(survivors=property(lambda self: 0, lambda self, n: None))),
    ("survivors_are_counted", process(survivors=property(lambda self: 1, lambda self, n: None))),
    ("stop_gives_everything_back", process(stop=stop_the_first_only)),
    ("what_cannot_be_started_is_the_machines_failure",
     named(launch=lambda self, request: self.start(request))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "wrong"), MUTANTS, ids=[f"{check}-{n}" for n, (check, _) in enumerate(MUTANTS)]
)
def test_wrong_launcher_is_caught(check: str, wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that nothing fails checks nothing."""
    monkeypatch.setattr(launcher_conformance, "PATIENCE_S", 0.7)
    started: list[PlainProcess] = []
    begin = getattr(wrong, "start", None)
    if begin:
        monkeypatch.setattr(
            wrong, "start", lambda request: started.append(begin(request)) or started[-1]
        )
    subject: Any = type("Subject", (LauncherConformance,), {"launcher": wrong})()
    arguments = {"exit_status_is_reported": (3,)}.get(check, ())
    try:
        with PlainLauncher().slot() as subject._slot:
            if isinstance(wrong, PlainLauncher):
                wrong.outside = wrong.inside = subject._slot.inside
                subject._slot = wrong
            with pytest.raises((AssertionError, OSError)):
                getattr(subject, f"test_{check}")(*arguments)
    finally:
        for playing in started:
            clean_up(playing)


def test_every_check_is_shown_to_catch_something() -> None:
    """Whoever adds a check adds a launcher that fails it."""
    names = {name for name in vars(LauncherConformance) if name.startswith("test_")}
    assert {f"test_{check}" for check, _ in MUTANTS} == names


def test_what_a_launcher_does_not_know_is_skipped() -> None:
    """Not every system tells; a check that cannot be made is not one that has passed."""
    unknowing = process(usage=lambda self: (0, 0), exit_fd=property(lambda self: None))
    subject: Any = type("Subject", (LauncherConformance,), {"launcher": unknowing})()
    for check in (
        "exit_descriptor_becomes_readable_at_the_end",
        "usage_is_that_of_a_running_session",
    ):
        with unknowing.slot() as subject._slot, pytest.raises(pytest.skip.Exception):
            getattr(subject, f"test_{check}")()


def test_plain_launcher_stops_soon() -> None:
    """The tests above would be slow if stopping were."""
    begin = time.monotonic()
    subject = TestPlainLauncher()
    with PlainLauncher().slot() as subject._slot:
        subject.test_stop_kills_whoever_ignores_signals()
    assert time.monotonic() - begin < 5
