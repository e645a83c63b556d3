"""An evaluator that is killed takes its candidates with it, and what it left can be removed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kcb_core.cli import run
from kcb_core.errors import MachineError
from kcb_runner import clean_cli
from kcb_runner.checkup import left_check
from kcb_runner.launch import leftovers
from kcb_runner.launch.leftovers import left_behind, make_folder

GONE_S = 2.0
"""How long anything of a killed evaluator may live on."""

EVALUATOR = """
import pathlib, sys, time
sys.path.insert(0, {escapes!r})
from kcb_runner.launch import box, leftovers
box.TMPFS = leftovers.TMPFS = pathlib.Path({place!r})
from attempt import LAUNCHERS, converse
with LAUNCHERS[{launcher!r}]({level!r}) as launcher, launcher.slot() as slot:
    import attempt
    held = attempt._line_of
    def keep(output, errors):
        line = held(output, errors)
        sys.stdout.write(line.decode()); sys.stdout.flush()
        time.sleep(600)
    attempt._line_of = keep
    converse(slot, {program!r}.encode(), "go", fresh=slot.quick is None)
"""

CANDIDATE = """
import ctypes, os, signal, sys, time
sys.stdin.readline()
ctypes.CDLL(None).prctl(15, b"NAME", 0, 0, 0)
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
for _ in range(3):
    if os.fork() == 0:
        try:
            os.setsid()
        except OSError:
            pass
        if os.fork() == 0:
            time.sleep(600)
            os._exit(0)
        time.sleep(600)
        os._exit(0)
print("ready", flush=True)
time.sleep(600)
"""


def named(name: str) -> list[int]:
    """Living processes with this name, in all namespaces below this one."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            dead = (path / "stat").read_bytes().rpartition(b")")[2].split()[0] == b"Z"
            if (path / "comm").read_text().strip() == name and not dead:
                found.append(int(path.name))
        except OSError:
            continue
    return found


def settles(holds: Callable[[], bool]) -> bool:
    """Whether something comes to hold within the time that nothing may live longer."""
    deadline = time.monotonic() + GONE_S
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def mounts() -> str:
    """What is mounted here, but for what has nothing to do with slots."""
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return "\n".join(line for line in lines if "kcb" in line)


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A place for folders of slots that no other test cleans."""
    with tempfile.TemporaryDirectory(prefix="kcb-test-", dir=leftovers.TMPFS) as made:
        os.chmod(made, 0o755)
        monkeypatch.setattr(leftovers, "TMPFS", Path(made))
        yield Path(made)


@pytest.mark.skipif(sys.platform != "linux", reason="confinement is there on Linux only")
@pytest.mark.parametrize("level", ["full", "basic"])
@pytest.mark.parametrize("launcher", ["interpreter", "forkserver"])
def test_nothing_outlives_a_killed_evaluator(
    launcher: str, level: str, arena: Any, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SIGKILL leaves nobody to clean up: the supervisor sees the end of its socket and kills all.
    The folders stay, and ``clean`` removes them."""
    name = f"kcb{os.getpid()}{level[0]}{launcher[0]}"
    program = CANDIDATE.replace("NAME", name)
    escapes = str(Path(__file__).parent / "escapes")
    source = EVALUATOR.format(
        escapes=escapes, place=str(place), launcher=launcher, level=level, program=program
    )
    before = mounts()
    evaluator = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)
    try:
        assert evaluator.stdout
        line = evaluator.stdout.readline()
        if not line:
            pytest.skip(f"no level {level} here")
        assert line == "ready\n"
        assert settles(lambda: len(named(name)) == 7)
        assert not [path for path in left_behind() if str(evaluator.pid) in path.name]
    finally:
        evaluator.send_signal(signal.SIGKILL)
        evaluator.wait()
        evaluator.stdout.close()  # type: ignore[union-attr]
    assert settles(lambda: not named(name)), named(name)
    assert mounts() == before
    left = [path for path in left_behind() if f"-{evaluator.pid}-" in path.name]
    assert left
    assert left_check().remedy == "klein-bench clean"
    capsys.readouterr()
    assert arena.command("clean") == 0
    said = capsys.readouterr().out
    assert all(str(path) in said for path in left)
    assert not any(path.exists() for path in left)


def test_folders_of_the_living_stay(tmp_path, monkeypatch, arena, capsys):
    """Another evaluator may be at work in them, and other names are none of ours."""
    monkeypatch.setattr(leftovers, "TMPFS", tmp_path)
    mine = make_folder("slot", tmp_path)
    for name in ("kcb-1234567890123", "kcb-slot-x-y", "other"):
        (tmp_path / name).mkdir()
    dead = tmp_path / "kcb-slot-99999999-abc"
    (dead / "project").mkdir(parents=True)
    assert next(iter(left_behind())) == dead
    assert arena.command("clean", "--dry-run", "--json") == 0
    assert str(dead) in json.loads(capsys.readouterr().out)
    assert dead.exists()
    assert arena.command("clean") == 0
    assert not dead.exists()
    assert mine.exists()
    assert len(os.listdir(tmp_path)) == 4


def test_what_cannot_be_removed_is_said(tmp_path, monkeypatch, arena, capsys):
    """Exit status 3: this machine failed."""
    monkeypatch.setattr(leftovers, "TMPFS", tmp_path)
    (tmp_path / "kcb-slot-99999999-abc").mkdir()

    def refuse(path: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(leftovers, "remove_tree", refuse)
    assert arena.command("clean") == 3
    assert "kcb-slot-99999999-abc: Operation not permitted" in capsys.readouterr().err


def test_clean_names_and_removes_containers_too(monkeypatch, capsys):
    """An engine that cannot remove one is said, and what else there is goes all the same."""
    removed = []

    class Abandoned:
        name = "kcb-abandoned"

        def remove(self) -> None:
            removed.append(self.name)

    monkeypatch.setattr(clean_cli, "abandoned_containers", lambda: iter([Abandoned()]))
    assert run(["clean", "--dry-run"]) == 0
    assert "kcb-abandoned" in capsys.readouterr().out
    assert removed == []
    assert run(["clean", "--json"]) == 0
    assert "kcb-abandoned" in json.loads(capsys.readouterr().out)
    assert removed == ["kcb-abandoned"]

    def refuse() -> None:
        raise MachineError("the engine does not answer")

    monkeypatch.setattr(clean_cli, "abandoned_containers", refuse)
    assert run(["clean"]) == 3
    assert "the engine does not answer" in capsys.readouterr().err
