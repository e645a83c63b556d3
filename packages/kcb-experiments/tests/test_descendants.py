"""Whatever a subject starts is found again, also when it leaves its session."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from kcb_experiments.engine.descendants import Known, descendants, kill_below, kill_known

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs the process table of Linux")

LEADER = "import os, time; os.fork() or (os.setsid(), time.sleep(60)); time.sleep(60)"


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_session_leader_below_is_found_and_killed() -> None:
    """A shell with a session of its own is in no process group that anybody recorded."""
    process = subprocess.Popen([sys.executable, "-c", LEADER])
    try:
        until = time.monotonic() + 20
        while not (below := descendants(process.pid)) and time.monotonic() < until:
            time.sleep(0.02)
        assert [known.pid for known in below] != []
        kill_below(process.pid)
        assert [known for known in below if alive(known.pid)] == []
        assert process.poll() is None, "the process itself is not below itself"
    finally:
        process.kill()
        process.wait(10)


def test_another_process_with_the_same_number_is_let_be() -> None:
    """Numbers are used again, and a stranger must not die for it."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        kill_known([Known(process.pid, "1")])
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.3)
    finally:
        process.kill()
        process.wait(10)
