"""A disk without room under the attempt log: a clear message, exit status 3, and it goes on."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kcb_experiments.log import LOG_NAME, read_log

FILL = """
import json, resource, sys
from pathlib import Path
from kcb_core.errors import MachineError
from kcb_experiments.lock import hold_writer_lock
from kcb_experiments.log import open_log
from kcb_experiments.records import AttemptEnd, AttemptStart, Load, Status

folder, limit = Path(sys.argv[1]), int(sys.argv[2])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
done = []
try:
    with (
        hold_writer_lock(folder, lambda line: None) as lock,
        open_log(folder, lock, experiment_sha256="e" * 64, load=Load(arms=1, groups=1),
                 tell=lambda line: None) as log,
    ):
        for number in range(int(sys.argv[3])):
            cell = f"t/r{number}/{log.term}"
            log.append(AttemptStart(cell=cell, attempt=1))
            log.append(AttemptEnd(cell=cell, attempt=1, status=Status.COMPLETED, score=1.0,
                                  reason="x" * 200))
            done.append(cell)
except MachineError as error:
    print(json.dumps({"done": done, "error": str(error)}))
    sys.exit(error.exit_status)
print(json.dumps({"done": done}))
"""


def fill(folder: Path, *, limit: int = 0, attempts: int) -> tuple[int, dict[str, list[str]]]:
    """Write attempts in a process of its own: its exit status, and what it says was finished."""
    command = [sys.executable, "-c", FILL, str(folder), str(limit), str(attempts)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert not run.stderr
    return run.returncode, json.loads(run.stdout)


def check(folder: Path, first: tuple[int, dict[str, list[str]]], reason: str) -> None:
    """What was finished is there, nothing is torn, and a run with room goes on."""
    status, said = first
    assert status == 3
    assert f"{LOG_NAME}: cannot be written: {reason}" in said["error"]
    assert "make room and run the same command again" in said["error"]
    reading = read_log(folder)
    kept = [a.start.cell for a in reading.attempts if a.end]
    assert kept == said["done"]
    assert kept
    assert reading.fragment == b""
    status, more = fill(folder, attempts=3)
    assert status == 0
    after = [a.start.cell for a in read_log(folder).attempts if a.end]
    assert after == [*kept, *more["done"]]
    assert len(more["done"]) == 3


@pytest.mark.parametrize("limit", [4000, 4001, 4100, 4250])
def test_a_limit_on_the_file(tmp_path: Path, limit: int) -> None:
    """The limit falls at several places of a record; what was written of it is taken back."""
    check(tmp_path, fill(tmp_path, limit=limit, attempts=100), "File too large")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB, where this user may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a small file system takes root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True, timeout=30)


def test_a_full_disk(small_disk: Path) -> None:
    """The real thing: no space left, then room again."""
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * (40 << 10))
    first = fill(small_disk, attempts=300)
    ballast.unlink()
    check(small_disk, first, "No space left on device")
