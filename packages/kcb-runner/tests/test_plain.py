"""The plain launcher by itself: what it starts, counts and kills."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kcb_core.errors import MachineError
from kcb_core.roles import LaunchRequest
from kcb_runner import driver, machine
from kcb_runner.launch import plain
from kcb_runner.launch.interpreter import kill_everything
from kcb_runner.launch.plain import PlainSlot


def started(request: LaunchRequest) -> plain.GroupProcess:
    """A process in a slot that is gone again: this one needs none of its folders."""
    slot = PlainSlot()
    try:
        return slot.launch(request)
    finally:
        slot.close()


def launch(code: str, folder: Path) -> plain.GroupProcess:
    """A process that runs this code."""
    argv = (sys.executable, "-c", code)
    request = LaunchRequest(argv=argv, cwd=folder, environment={})
    return started(request)


def wait_for(process: plain.GroupProcess) -> int | None:
    """The exit status, once there is one."""
    deadline = time.monotonic() + 10
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    return process.poll()


def test_what_cannot_be_started_is_the_machines_fault(tmp_path):
    """No such interpreter, or no more processes, says nothing of the project."""
    request = LaunchRequest(argv=("/nowhere/python",), cwd=tmp_path, environment={})
    with pytest.raises(MachineError, match="cannot start"):
        started(request)


@pytest.mark.skipif(plain._limiter() is None, reason="there is no prlimit")
def test_limits_hold_before_the_first_line_is_run(tmp_path, monkeypatch):
    """However late this process gets its turn: a verdict must not hang on the machine's load."""
    monkeypatch.setattr(plain, "_limit", lambda pid, limits: None)
    process = launch("open('sparse', 'wb').truncate(1 << 40)", tmp_path)
    assert wait_for(process) == 1
    process.stop()
    assert (tmp_path / "sparse").stat().st_size == 0


@pytest.mark.skipif(sys.platform != "linux", reason="processes are limited on Linux only")
def test_without_the_limiter_limits_are_set_from_outside(tmp_path, monkeypatch):
    """As soon as the process is there, which is all that is left."""
    monkeypatch.setattr(plain, "_limiter", lambda: None)
    code = "import resource, sys; input(); sys.exit(resource.getrlimit(resource.RLIMIT_CORE)[0])"
    process = launch(code, tmp_path)
    os.write(process.stdin, b"\n")
    assert wait_for(process) == 0
    process.stop()


def test_usage_is_that_of_the_whole_group(tmp_path):
    """Memory may sit in a child."""
    code = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'input()'])"
    process = launch(code, tmp_path)
    deadline = time.monotonic() + 10
    while process.usage()[1] < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    resident, tasks = process.usage()
    assert tasks == 2
    assert resident > 5 << 20
    process.stop()
    assert process.poll() == -signal.SIGKILL


def test_a_process_that_outlives_its_kill_is_the_machines_fault(tmp_path, monkeypatch):
    """A process stuck in the kernel is abandoned and reported, not waited for."""
    process = launch("import time; time.sleep(60)", tmp_path)
    monkeypatch.setattr(plain, "_kill", lambda group: None)
    monkeypatch.setattr(plain, "KILL_GRACE_S", 0.05)
    with pytest.raises(MachineError, match="after a kill"):
        process.stop()
    os.killpg(process._pid, signal.SIGKILL)
    wait_for(process)


def test_at_the_last_moment_everything_is_killed(tmp_path):
    """What a second Ctrl-C does before the process ends."""
    process = launch("input()", tmp_path)
    kill_everything()
    assert wait_for(process) == -signal.SIGKILL
    process.stop()
    kill_everything()


def test_a_status_that_somebody_else_took_counts_as_a_good_end(tmp_path):
    """A program that embeds this one may reap all children; nothing must hang on it."""
    process = launch("pass", tmp_path)
    os.waitpid(process._pid, 0)
    assert process.poll() == 0
    process.stop()


def test_a_group_of_another_user_is_still_alive(monkeypatch):
    """A refusal to signal is no proof of death."""

    def refuse(group: int, number: int) -> None:
        raise PermissionError

    monkeypatch.setattr(plain.os, "killpg", refuse)
    assert plain._group_alive(1)
    plain._kill(1)


def test_without_proc_nothing_is_watched(monkeypatch, tmp_path):
    """Elsewhere than on Linux the report says so, and nothing fails."""
    monkeypatch.setattr(plain, "_PROC", tmp_path / "none")
    assert plain._group_stats() == []
    monkeypatch.setattr(plain.sys, "platform", "darwin")
    process = launch("pass", tmp_path)
    assert wait_for(process) == 0
    process.stop()


def test_a_system_without_exit_descriptors_judges_the_same(arena, echo, monkeypatch):
    """On macOS the driver looks now and then instead."""
    monkeypatch.delattr(plain.os, "pidfd_open")
    assert arena.play(echo).outcome == "resolved"
    ended = arena.play("raise SystemExit(3)")
    assert ended.failure.kind == "crash"
    assert driver._BLIND_SLICE_S < 0.1


def test_a_kernel_without_exit_descriptors_judges_the_same(arena, echo, monkeypatch):
    """Linux before 5.3, and tools that run a process on a kernel of their own, refuse the call."""

    def refused(pid):
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(plain.os, "pidfd_open", refused)
    assert arena.play(echo).outcome == "resolved"


def test_the_interpreter_is_a_real_program():
    """A shell script found on PATH would cost more than the whole session."""
    path = Path(machine.interpreter())
    assert path.is_absolute()
    assert not path.is_symlink()
    assert path.read_bytes()[:2] != b"#!"
    done = subprocess.run(
        [path, "-E", "-s", "-S", "-c", "print(1)"], capture_output=True, check=True
    )
    assert done.stdout == b"1\n"


def test_a_host_without_affinity_or_cpuinfo_is_described_too(monkeypatch, tmp_path):
    """What is not known is left out."""
    monkeypatch.delattr(machine.os, "sched_getaffinity")
    assert machine.host().cpus >= 1
    monkeypatch.setattr(machine, "Path", lambda _: tmp_path / "none")
    assert isinstance(machine._cpu_model(), str)
