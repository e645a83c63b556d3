"""One writer at a time, by processes that really live and really die."""

import errno
import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from kcb_core.codec import decode
from kcb_core.errors import DeclarationError, MachineError
from kcb_experiments.lock import LOCK_NAME, current_holder, hold_writer_lock, this_process
from kcb_experiments.records import Holder

HOLD = """
import os, sys, time
from pathlib import Path
from kcb_experiments.lock import hold_writer_lock

with hold_writer_lock(Path(sys.argv[1]), print):
    if "fork" in sys.argv:
        if os.fork() == 0:
            os.close(1)
            time.sleep(20)
            os._exit(0)
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def holding(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lock until its standard input ends, or it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdin
    assert process.stdout
    try:
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.stdin.close()
        process.stdout.close()
        process.wait(timeout=10)


def test_the_second_writer_is_refused_and_the_first_is_named(
    tmp_path: Path, told: list[str]
) -> None:
    """Whoever is refused must know whom to wait for, and look on meanwhile."""
    with holding(tmp_path) as process:
        holder = current_holder(tmp_path)
        assert holder is not None
        assert (holder.pid, holder.host) == (process.pid, this_process().host)
        with (
            pytest.raises(
                DeclarationError, match=f"process {process.pid} on .* is writing"
            ) as caught,
            hold_writer_lock(tmp_path, told.append),
        ):
            pass
    assert caught.value.exit_status == 2
    assert told == []


def test_the_lock_of_a_killed_writer_is_taken_over_with_a_line(
    tmp_path: Path, told: list[str]
) -> None:
    """A leftover file is proven dead by the system, so no person has to remove it."""
    with holding(tmp_path) as process:
        process.kill()
        process.wait(timeout=10)
        assert current_holder(tmp_path) is None
        with hold_writer_lock(tmp_path, told.append):
            pass
    assert len(told) == 1
    assert f"process {process.pid} on" in told[0]
    assert "takes over" in told[0]


def test_a_child_that_outlives_its_killed_parent_holds_nothing(
    tmp_path: Path, told: list[str]
) -> None:
    """A worker that was forked has a copy of the open file, and must not keep the folder shut."""
    with holding(tmp_path, "fork") as process:
        process.kill()
        process.wait(timeout=10)
        with hold_writer_lock(tmp_path, told.append):
            pass
    assert len(told) == 1


def test_a_writer_that_ends_leaves_no_trace(tmp_path: Path, told: list[str]) -> None:
    """The next one starts without a word; the file itself stays, since removing it is a race."""
    for _ in range(2):
        with hold_writer_lock(tmp_path, told.append):
            assert current_holder(tmp_path) == this_process_since(tmp_path)
    assert told == []
    assert (tmp_path / LOCK_NAME).read_bytes() == b""


def this_process_since(folder: Path) -> object:
    """The holder as it signed; its time is a label and stands only in the file."""
    return decode((folder / LOCK_NAME).read_bytes(), Holder, source="lock")


def test_two_in_one_process_are_two_writers(tmp_path: Path, told: list[str]) -> None:
    """A lock that belonged to the process would let a second thread in."""
    with (
        hold_writer_lock(tmp_path, told.append),
        pytest.raises(DeclarationError, match=f"process {os.getpid()}"),
        hold_writer_lock(tmp_path, told.append),
    ):
        pass


def test_a_look_at_the_holder_refuses_no_writer(tmp_path: Path, told: list[str]) -> None:
    """``status`` may be called in a loop beside a run that just starts."""
    (tmp_path / LOCK_NAME).touch()
    look = os.open(tmp_path / LOCK_NAME, os.O_RDWR)
    fcntl.flock(look, fcntl.LOCK_EX)
    # The look ends with the last process that has the open file.
    with subprocess.Popen(["sleep", "0.2"], pass_fds=(look,)):
        os.close(look)
        with hold_writer_lock(tmp_path, told.append):
            pass


def test_a_removed_lock_file_stops_its_writer(tmp_path: Path, told: list[str]) -> None:
    """Whoever made the file anew may be writing; two must never."""
    with hold_writer_lock(tmp_path, told.append) as lock:
        lock.check()
        (tmp_path / LOCK_NAME).unlink()
        with pytest.raises(MachineError, match="removed or replaced"):
            lock.check()


@pytest.mark.parametrize("says", ["no locks", "yes to everybody"])
def test_where_nothing_locks_a_leftover_needs_a_person(
    tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch, says: str
) -> None:
    """On such a file system nobody can tell a dead holder from a live one."""

    def flock(handle: int, how: int) -> None:
        if says == "no locks":
            raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    with hold_writer_lock(tmp_path, told.append):
        left = (tmp_path / LOCK_NAME).read_bytes()
    assert not (tmp_path / LOCK_NAME).exists()
    (tmp_path / LOCK_NAME).write_bytes(left)
    refusal = rf"no locks, and process {os.getpid()} on .* remove the file"
    with pytest.raises(DeclarationError, match=refusal), hold_writer_lock(tmp_path, told.append):
        pass
    assert (tmp_path / LOCK_NAME).read_bytes() == left
    (tmp_path / LOCK_NAME).unlink()
    with hold_writer_lock(tmp_path, told.append):
        pass
    assert told == []


def test_a_signature_that_was_cut_off_is_still_a_leftover(tmp_path: Path, told: list[str]) -> None:
    """A process may die while it signs; its folder is taken over all the same."""
    (tmp_path / LOCK_NAME).write_bytes(b'{"host": "h')
    with hold_writer_lock(tmp_path, told.append):
        pass
    assert "an unknown host" in told[0]


def test_a_folder_that_is_not_there_has_no_holder(tmp_path: Path) -> None:
    """Looking changes nothing: no file is made."""
    assert current_holder(tmp_path) is None
    assert list(tmp_path.iterdir()) == []
