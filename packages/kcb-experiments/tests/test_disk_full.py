"""A full disk, wherever: a clear message, exit status 3, and it goes on with room."""

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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


@contextmanager
def disk(folder: Path, size: str) -> Iterator[Path]:
    """A file system of this size at a path, where this user may mount one."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a small file system takes root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True, timeout=30)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    with disk(tmp_path / "disk", "64k") as folder:
        yield folder


def test_a_full_disk(small_disk: Path) -> None:
    """The real thing: no space left, then room again."""
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * (40 << 10))
    first = fill(small_disk, attempts=300)
    ballast.unlink()
    check(small_disk, first, "No space left on device")


@pytest.mark.workspace
def test_a_full_disk_under_a_snapshot(lab: Any) -> None:
    """Nothing is left of the snapshot, and nobody else is asked until there is room."""
    from kcb_agents.testing.scripted_answer import Said  # noqa: PLC0415 - a sibling

    longer = f"# {' '.join(map(str, range(2000)))}\nimport json"
    lab.provider.usual = Said(content=lab.good.replace("import json", longer))
    lab.spec(tasks=2)
    with disk(lab.out / "projects", "4k") as projects:
        said = lab.run(status=3)
        assert "projects: cannot be written: No space left on device" in said
        assert "make room and run the same command again" in said
        assert list(projects.iterdir()) == []
    assert lab.statuses() == ["void interrupted"]
    assert len(lab.provider.requests) == 1
    lab.run()
    assert lab.statuses() == ["void interrupted", "completed", "completed"]


@pytest.mark.workspace
def test_a_subject_that_fills_the_disk_is_no_failure(lab: Any) -> None:
    """Its worker can say nothing of it any more; that is never taken for a zero."""
    code = f"""
        import os, pathlib
        (generation.project / "main.py").write_text({program(lab.good)!r})
        mark = pathlib.Path({str(lab.folder / "mark")!r})
        if not mark.exists():
            mark.touch()
            with open(os.environ["HOME"] + "/ballast", "wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(1 << 20))
                except OSError:
                    pass
    """
    lab.spec()
    spec = (lab.folder / "spec.toml").read_text().partition("[[subjects]]")[0]
    options = json.dumps(textwrap.dedent(code))
    subject = f'name = "a"\nagent = "snippet"\noptions = {{ code = {options} }}\n'
    (lab.folder / "spec.toml").write_text(f"{spec}[[subjects]]\n{subject}bounds.seconds = 60\n")
    with disk(lab.out, "270m"):
        said = lab.run(status=3)
        assert "make room and run the same command again" in said
        assert lab.statuses() == ["void interrupted"]
        (ballast,) = lab.out.glob("attempts/*/*/home/ballast")
        ballast.unlink()
        lab.run()
        assert lab.statuses() == ["void interrupted", "completed"]


def program(answer: str) -> str:
    """The one file in an answer."""
    return answer.split("```python\n")[1].partition("```")[0]


BOUNDED = """
import resource, sys
from kcb_core.cli import run
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.exit(run(sys.argv[2:]))
"""


@pytest.mark.workspace
def test_a_full_disk_under_a_page(lab: Any) -> None:
    """The old page stays whole, no part of a new one does, and with room the new one is there."""
    pytest.importorskip("vl_convert", reason="needs kcb-score[pages]")
    lab.spec()
    lab.run()
    page = lab.out / "report.html"
    page.write_text("old")

    def written(limit: int) -> subprocess.CompletedProcess[str]:
        words = ["experiment", "page", str(lab.out), "--dataset", str(lab.folder / "data")]
        command = [sys.executable, "-c", BOUNDED, str(limit), *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    first = written(5000)
    assert first.returncode == 3, first.stderr
    assert "cannot be written: File too large" in first.stderr
    assert page.read_text() == "old"
    assert not list(lab.out.glob(".*.html*"))
    second = written(1 << 30)
    assert second.returncode == 0, second.stderr
    assert page.read_text().startswith("<!")
