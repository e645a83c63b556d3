"""What every executor keeps, as a class that a plug-in's own tests inherit.

::

    class TestMyExecutor(ExecutorConformance):
        executor = MyExecutor()

It needs the extra ``kcb-experiments[testing]``, and the agent ``snippet`` of kcb-agents, by which
the subject is any code at all. It says nothing of how well an executor confines.
"""

from __future__ import annotations

import os
import secrets
import signal
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kcb_core.catalog import load_catalog
from kcb_core.execution import Casting, Errand, Executor, Left, OpenExecutor, Setup
from kcb_core.run_record import Usage
from kcb_core.testing.values import small_task, write_dataset
from kcb_experiments.engine.artifacts import files_of
from kcb_experiments.engine.worker import MAX_FILE_BYTES
from kcb_experiments.task_sets import DatasetTasks

PATIENCE_S = 60.0
"""How long something that should happen at once may take on a busy machine."""

SECRET_NAME, SECRET = "KCB_CONFORMANCE_KEY", "sk-planted-9876543210"
"""The credential that every subject declares."""

PLANTED = "KCB_CONFORMANCE_PLANTED"
"""A variable that no subject declares."""

_ASKS = """
    from kcb_core.run_record import StatedUsage
    from kcb_core.transcript import Reply, Request
    def ask():
        generation.transcript.record(Request(messages=(), sha256="0" * 64))
        used = StatedUsage(input_tokens=7, output_tokens=3)
        generation.transcript.record(Reply(usage=used))
"""

_HIDES = """
    import ctypes, os, signal, time
    def hide(name):
        ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)
    def stray(name):
        if os.fork():
            return
        os.setsid()
        if os.fork():
            os._exit(0)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        hide(name)
        time.sleep(600)
"""


@dataclass(slots=True)
class Watch:
    """Whoever follows an execution."""

    requests: int = 0
    usages: list[Usage | None] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def asked(self) -> None:
        """A request."""
        self.requests += 1

    def answered(self, usage: Usage | None, dollars: float | None) -> None:
        """Its answer."""
        self.usages.append(usage)

    def told(self, line: str) -> None:
        """A line."""
        self.lines.append(line)


@dataclass(slots=True)
class Stage:
    """An open executor, and what its subjects are played with."""

    opened: OpenExecutor
    setup: Setup
    folder: Path
    """Where the attempts are."""


class ExecutorConformance:
    """What every executor keeps. A subclass sets :attr:`executor`."""

    executor: ClassVar[Executor]
    """The executor under test."""
    settings: ClassVar[Mapping[str, Any]] = {}
    """Its settings."""
    watch: Watch

    @pytest.fixture(scope="class")
    @classmethod
    def stage(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
        """The executor under test, open and looked over."""
        folder = tmp_path_factory.mktemp("executor")
        dataset = write_dataset(folder / "data", small_task())
        tasks = DatasetTasks(dataset)
        setup = Setup(tasks=tasks, settings=cls.settings, agents=load_catalog().agents(), at_once=2)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(SECRET_NAME, SECRET)
            patch.setenv(PLANTED, "planted")
            with cls.executor.open(setup) as opened:
                opened.preflight([casting("pass")], "Write a program.")
                yield Stage(opened, setup, folder)

    @pytest.fixture
    def play(self, stage: Stage) -> Callable[..., Left]:
        """Runs code as a subject; what its end came to, and :attr:`watch` what was heard."""
        self.watch = Watch()
        place = stage.folder / secrets.token_hex(4)
        task = stage.setup.tasks.brief(small_task().task_id)
        errand = Errand(
            name=f"{task.task_id}/r0/me",
            task=task,
            dataset=stage.setup.tasks.stamp,
            casting=casting(""),
            folder=place,
            seconds=300.0,
            observer=self.watch,
            used_up=lambda: "",
            stopped=lambda: False,
        )

        def played(code: str, *, settings: Mapping[str, Any] | None = None, **changes: Any) -> Left:
            cast = replace(casting(code), settings=settings or {})
            return stage.opened.run(replace(errand, casting=cast, **changes))

        self.place = place
        return played

    def test_it_says_what_it_is(self) -> None:
        """Its name stands in specs, and its version may be asked for there."""
        assert isinstance(self.executor, Executor)
        assert len(self.executor.name.split()) == 1
        assert self.executor.version.strip()

    def test_a_subject_that_is_done_leaves_its_project(self, play: Callable[..., Left]) -> None:
        """And word of how it was made; nothing else went on."""
        left = play(f"{_WRITES}generation.tell('a moment')\n")
        assert (left.started, left.returned) == (True, True), left.reason
        assert not any((left.cancelled, left.raised, left.timed_out, left.killed))
        assert left.stop_reason == "done", left.reason
        assert left.project is not None
        assert (left.project / "main.py").read_text() == "print(1)\n"
        assert left.project.is_relative_to(self.place)
        assert left.record is not None
        assert left.record.is_relative_to(self.place)
        assert (self.place / "transcript.jsonl").is_file()
        assert left.run_record.agent == "snippet"
        assert self.watch.lines == ["a moment"]

    def test_a_subject_may_end_without_success(self, play: Callable[..., Left]) -> None:
        """What it says of it is handed on, and decides nothing here."""
        left = play("stop_reason = 'no_project'")
        assert (left.returned, left.raised, left.stop_reason) == (True, False, "no_project")

    def test_what_a_task_starts_from_is_there(
        self, play: Callable[..., Left], stage: Stage
    ) -> None:
        """With the options that come with the task, which a subject's own outdo."""

        def lay_out(folder: Path) -> None:
            (folder / "deep").mkdir(parents=True)
            (folder / "deep" / "given.txt").write_text("given")

        task = replace(
            stage.setup.tasks.brief(small_task().task_id),
            lay_out=lay_out,
            options={"code": "raise ValueError('of the task')"},
        )
        code = """
            given = generation.start / "deep" / "given.txt"
            (generation.project / "main.py").write_text(given.read_text())
        """
        left = play(dedented(code), task=task)
        assert left.project is not None, left.reason
        assert (left.project / "main.py").read_text() == "given"
        assert not (self.place / "start").exists()

    def test_a_call_that_fails_says_nothing_of_the_subject(self, play: Callable[..., Left]) -> None:
        """It is told apart from a subject that gave up."""
        left = play(f"{_WRITES}raise ValueError('no such thing')")
        assert (left.started, left.raised, left.returned, left.killed) == (True, True, False, False)
        assert "ValueError: no such thing" in left.reason

    def test_a_crash_is_told_with_its_status(self, play: Callable[..., Left]) -> None:
        """What the subject had written by then is there."""
        left = play(f"{_WRITES}import os; os._exit(7)")
        assert (left.killed, left.returned, left.raised) == (True, False, False)
        assert "exit status 7" in left.reason
        assert left.project == self.place / "project"
        assert (left.project / "main.py").exists()

    def test_a_worker_that_is_killed_is_told_as_that(self, play: Callable[..., Left]) -> None:
        """By the system, for want of memory, or by anybody."""
        name = new_name()
        left = play(
            f"{_WRITES}{dedented(_HIDES)}hide({name!r}); time.sleep(600)", stopped=killer(name)
        )
        assert (left.killed, left.cancelled, left.timed_out) == (True, False, False)
        assert "signal 9" in left.reason
        assert left.project == self.place / "project"
        assert (left.project / "main.py").exists()

    def test_its_time_is_bounded(self, play: Callable[..., Left]) -> None:
        """Whatever it does, and whether it has begun to do anything by then."""
        begun = time.monotonic()
        left = play("import time; time.sleep(600)", seconds=2.0)
        assert time.monotonic() - begun < PATIENCE_S
        assert (left.timed_out, left.cancelled, left.killed) == (True, False, False)
        assert left.reason == "cut off after 2 s"

    def test_another_bound_cuts_it_off_too(self, play: Callable[..., Left]) -> None:
        """Whoever follows knows what is used up; the executor asks, and keeps what is written."""
        code = f"{_WRITES}{dedented(_ASKS)}import time\nwhile True: ask(); time.sleep(0.05)"
        left = play(code, used_up=lambda: "3 requests" if self.watch.requests >= 3 else "")
        assert left.timed_out
        assert left.reason == "cut off after 3 requests"
        assert left.project == self.place / "project"
        assert (left.project / "main.py").exists()

    def test_requests_and_answers_are_heard(self, play: Callable[..., Left]) -> None:
        """Budgets are kept by them."""
        assert play(f"{dedented(_ASKS)}ask(); ask()").returned
        assert self.watch.requests == 2
        assert [usage and usage.input_tokens for usage in self.watch.usages] == [7, 7]

    def test_it_stops_when_it_is_told_to(self, play: Callable[..., Left]) -> None:
        """Within a bounded time, whatever the subject does."""
        name = new_name()
        code = (
            f"{dedented(_HIDES)}hide({name!r})\nsignal.signal(15, signal.SIG_IGN); time.sleep(600)"
        )
        begun = time.monotonic()
        left = play(code, stopped=lambda: bool(processes(name)))
        assert time.monotonic() - begun < PATIENCE_S
        assert (left.cancelled, left.timed_out) == (True, False)
        assert processes(name) == []

    @pytest.mark.parametrize("cut_off", [False, True])
    def test_nothing_is_left_running(self, play: Callable[..., Left], cut_off: bool) -> None:
        """A process in a session of its own that ignores signals is gone too."""
        name = new_name()
        seen: list[int] = []

        def used_up() -> str:
            seen.extend(processes(name))
            return "a moment" if cut_off and seen else ""

        more = "time.sleep(600 if CUT_OFF else 1)"
        code = f"CUT_OFF = {cut_off}\n{dedented(_HIDES)}stray({name!r})\n{more}"
        assert play(code, used_up=used_up).timed_out is cut_off
        assert seen, "there was no such process"
        until = time.monotonic() + PATIENCE_S
        while processes(name):
            assert time.monotonic() < until, "a process is left"
            time.sleep(0.05)

    def test_its_environment_is_what_is_declared(self, play: Callable[..., Left]) -> None:
        """Its credential, the same words for everybody, and nothing else of the caller's."""
        code = """
            import os
            known = {name: os.environ.get(name) for name in NAMES}
            (generation.project / "main.py").write_text(repr(known))
        """
        names = (SECRET_NAME, PLANTED, "TZ", "DEBIAN_FRONTEND")
        left = play(f"NAMES = {names!r}\n{dedented(code)}")
        assert left.project is not None, left.reason
        found = (left.project / "main.py").read_text()
        values = (SECRET, None, "Etc/UTC", "noninteractive")
        assert found == repr(dict(zip(names, values, strict=True)))

    def test_a_secret_is_in_nothing_that_is_kept(self, play: Callable[..., Left]) -> None:
        """Whatever way it is said in; the project alone is the subject's own."""
        code = f"""
            import os, sys
            from kcb_core.transcript import Note
            key = os.environ[{SECRET_NAME!r}]
            print(key, file=sys.stderr, flush=True)
            print(key, flush=True)
            generation.tell("the key is " + key)
            generation.transcript.record(Note(text="the key is " + key))
            raise ValueError(key)
        """
        left = play(dedented(code))
        files = [path for path in self.place.rglob("*") if path.is_file()]
        assert len(files) >= 3
        assert [path.name for path in files if SECRET.encode() in path.read_bytes()] == []
        assert SECRET not in left.reason
        assert SECRET not in "".join(self.watch.lines)

    def test_a_link_in_place_of_a_project_is_none(
        self, play: Callable[..., Left], stage: Stage
    ) -> None:
        """Who follows it would hand in a folder that the subject itself may never have seen."""
        elsewhere = stage.folder / "solution"
        elsewhere.mkdir(exist_ok=True)
        (elsewhere / "main.py").write_text("the answer")
        code = f"""
            generation.project.rmdir()
            generation.project.symlink_to({str(elsewhere)!r})
        """
        assert play(dedented(code)).project is None

    def test_a_hostile_workspace_harms_nobody(self, play: Callable[..., Left]) -> None:
        """Names that are no text, what cannot be read, pipes, links and loops of links."""
        code = """
            import os
            home = os.environ["HOME"]
            open(os.fsencode(home) + b"/\\xff\\n", "w").write("x")
            os.mkfifo(home + "/pipe")
            os.symlink("/etc/passwd", home + "/passwd")
            os.symlink(".", home + "/loop")
            os.symlink("/etc/passwd", generation.project / "passwd")
            os.close(os.open(home + "/closed", os.O_CREAT | os.O_WRONLY, 0))
            os.mkdir(home + "/shut", 0)
        """
        left = play(dedented(code))
        assert left.returned, left.reason
        assert left.project is not None
        assert (left.project / "passwd").is_symlink(), "a verifier has to see it to refuse it"
        found = {file.path for file in files_of(self.place, self.place, without=left.project)}
        assert {"home/\\xff\n", "transcript.jsonl", "generation.json"} <= found
        assert not {path for path in found if path.endswith(("passwd", "pipe"))}

    def test_a_huge_file_is_refused_while_it_is_written(self, play: Callable[..., Left]) -> None:
        """Else the digest of a file with nothing in it would take for ever."""
        code = f"""
            import os
            with open(os.environ["HOME"] + "/huge", "wb") as file:
                try:
                    file.truncate(1 << 40)
                except OSError:
                    stop_reason = "output_limit"
                file.truncate({MAX_FILE_BYTES >> 10})
        """
        assert play(dedented(code)).stop_reason == "output_limit"


_WRITES = "(generation.project / 'main.py').write_text('print(1)\\n')\n"


def casting(code: str) -> Casting:
    """A subject that runs some code."""
    return Casting(
        subject="me", agent="snippet", options={"code": code}, credentials=(SECRET_NAME,)
    )


def dedented(code: str) -> str:
    """Code as a program, with an end of line at its end."""
    return textwrap.dedent(code)


def new_name() -> str:
    """A name that no process has; the system keeps fifteen characters."""
    return f"kcb{secrets.token_hex(5)}"


def processes(name: str) -> list[int]:
    """Processes of this machine that call themselves so."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (place / "comm").read_text().strip() == name:
                found.append(int(place.name))
    return found


def killer(name: str) -> Callable[[], bool]:
    """Kills whoever calls itself so, and never wants anything stopped."""

    def kill() -> bool:
        for pid in processes(name):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        return False

    return kill
