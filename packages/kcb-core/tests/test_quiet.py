"""A model that writes and a judge that measures time do not share a machine, and nobody hangs."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from kcb_core import quiet
from kcb_core.lock_holders import holders_of, named
from kcb_core.quiet import Manners, alone, generating, judging

HOLD = """
import sys, time
from kcb_core import quiet
with getattr(quiet, sys.argv[1])():
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def _own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks of this test alone."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


def brief(told: list[str] | None = None, patience_s: float = 0.2) -> Manners:
    """Waits for a moment."""
    return Manners(tell=(told if told is not None else []).append, patience_s=patience_s)


@pytest.mark.parametrize(("first", "second"), [(generating, judging), (judging, generating)])
def test_the_two_sides_exclude_each_other(
    first: Callable[[], AbstractContextManager[bool]],
    second: Callable[[Manners], AbstractContextManager[bool]],
) -> None:
    """Whoever has waited long enough goes on, and says so."""
    told: list[str] = []
    with first() as held, second(brief(told)) as also:
        assert held
        assert not also
    assert [line.split()[0] for line in told] == ["waiting", "waited"]
    with second(brief(told)) as held:
        assert held
    assert len(told) == 2


@pytest.mark.parametrize("side", [generating, judging])
def test_a_side_shares_with_itself(side: Callable[[], AbstractContextManager[bool]]) -> None:
    """Several tasks are judged at once, and two servers may stand on one machine."""
    with side() as first, side() as second, side() as third:
        assert first
        assert second
        assert third


def test_a_name_has_one_holder() -> None:
    """One request at a time to one server."""
    with alone("endpoint-1") as first, alone("endpoint-1", brief()) as second:
        assert (first, second) == (True, False)
    with alone("endpoint-1") as first, alone("endpoint-2") as second:
        assert (first, second) == (True, True)


def test_a_side_that_never_pauses_does_not_keep_the_other_out() -> None:
    """Judging with several jobs leaves no moment without a judge, unless somebody waits."""
    stop = threading.Event()

    def judge_on() -> None:
        while not stop.is_set():
            with judging():
                time.sleep(0.05)

    threads = [threading.Thread(target=judge_on) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        time.sleep(0.1)
        with generating(brief(patience_s=20)) as held:
            assert held
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize(("name", "other"), [("generating", judging), ("judging", generating)])
def test_a_holder_that_is_killed_holds_nothing(
    name: str, other: Callable[[Manners], AbstractContextManager[bool]]
) -> None:
    """The operating system lets go, so nobody has to clean up."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, name], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with other(brief()) as held:
            assert not held
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
        with other(brief(patience_s=5)) as held:
            assert held


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="this system does not tell")
@pytest.mark.parametrize(("name", "other"), [("generating", judging), ("judging", generating)])
def test_who_waits_is_told_for_whom(
    name: str, other: Callable[[Manners], AbstractContextManager[bool]]
) -> None:
    """A run that stands still must name the process that somebody may want to end."""
    told: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, name], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        program = Path(f"/proc/{holder.pid}/comm").read_text().strip()
        with other(brief(told)) as held:
            assert not held
        holder.kill()
    assert len(told) == 2
    assert all(f"on this machine (process {holder.pid}, {program})" in line for line in told)


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="this system does not tell")
def test_who_waits_behind_another_is_told_behind_whom(tmp_path: Path) -> None:
    """An interpreter is called by its script, and never by what it was given."""
    script = tmp_path / "hold_on.py"
    script.write_text(HOLD.replace("getattr(quiet, sys.argv[1])()", "quiet.alone('turnstile')"))
    told: list[str] = []
    words = [sys.executable, str(script), "--key=sk-secret"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with judging(brief(told)) as held:
            assert not held
        holder.kill()
    waiting = f"a model that writes on this machine (behind process {holder.pid}, hold_on.py)"
    assert told == [f"waiting for {waiting}", f"waited 0.2 s for {waiting}, going on beside it"]


def test_holders_are_told_without_their_arguments(tmp_path: Path) -> None:
    """A file that nobody holds has none, one whose holder ended either, and many are a number."""
    with (tmp_path / "free").open("w") as free:
        assert holders_of(free.fileno()) == ()
    assert named(()) == ""
    gone = 2**22 + 1  # beyond the largest id that Linux gives
    assert named((gone,)) == f"process {gone}"
    assert named(tuple(range(gone, gone + 5))).endswith("; 2 more")


def test_who_has_given_up_waits_no_longer() -> None:
    """Ctrl-C must not take a quarter of an hour."""
    begun = time.monotonic()
    manners = Manners(given_up=lambda: True)
    with generating(), judging(manners) as held:
        assert not held
    assert time.monotonic() - begun < 5


def test_a_folder_that_is_not_ours_alone_is_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else could hold us up there; then nothing is waited for."""
    folder = tmp_path / f"klein-bench-{os.getuid()}"
    folder.mkdir()
    folder.chmod(0o777)
    assert quiet.lock_folder() is None
    with generating() as held, judging() as also, alone("x") as third:
        assert (held, also, third) == (False, False, False)
    folder.rmdir()
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    assert quiet.lock_folder() is None
    folder.unlink()
    assert quiet.lock_folder() == folder
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert quiet.lock_folder() is not None
