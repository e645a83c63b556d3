"""Files written whole or not at all, and read within bounds."""

import os
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kcb_core.errors import DataError, DeclarationError, MachineError
from kcb_core.storage import read_bounded, write_whole

FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from kcb_core.errors import MachineError
from kcb_core.storage import write_whole

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_whole(Path(sys.argv[1]), b"new" * 1000)
except MachineError as error:
    print(error)
"""


def open_descriptors() -> int:
    """How many descriptors this process holds."""
    return len(os.listdir("/dev/fd"))


def test_file_is_written_with_the_folders_above_it(tmp_path: Path) -> None:
    """Reports go where the caller says, whether or not the folder is there yet."""
    write_whole(tmp_path / "a" / "b" / "report.json", b"new")
    assert (tmp_path / "a" / "b" / "report.json").read_bytes() == b"new"


def test_file_can_be_read_by_others(tmp_path: Path) -> None:
    """A temporary file is private; a report is not."""
    write_whole(tmp_path / "report.json", b"new")
    assert stat.S_IMODE((tmp_path / "report.json").stat().st_mode) == 0o644


def test_old_content_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    """A folder of reports holds reports only."""
    path = tmp_path / ("é" * 100 + ".json")
    path.write_bytes(b"a much longer old content")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_full_disk_leaves_the_old_content(tmp_path: Path) -> None:
    """A report that is cut off would be taken for another; this one is the machine's failure."""
    path = tmp_path / "report.json"
    path.write_bytes(b"old")
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"{path}: cannot be written: File too large")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_interrupt_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C may come at any moment."""

    def interrupted(handle: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "report.json"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_target_that_is_a_folder_is_kept(tmp_path: Path) -> None:
    """The last step fails here, when everything else has been done."""
    (tmp_path / "report.json").mkdir()
    with pytest.raises(MachineError, match=r"report\.json: cannot be written: Is a directory"):
        write_whole(tmp_path / "report.json", b"new")
    assert list(tmp_path.iterdir()) == [tmp_path / "report.json"]


def test_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    """The caller sees which path it was."""
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(MachineError, match=r"a/report\.json: cannot be written"):
        write_whole(tmp_path / "a" / "report.json", b"new")


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_folder_without_permission_is_the_machines_failure(tmp_path: Path) -> None:
    """It says nothing of the submission, which can be evaluated again."""
    tmp_path.chmod(0o500)
    with pytest.raises(MachineError, match="Permission denied"):
        write_whole(tmp_path / "report.json", b"new")
    assert list(tmp_path.iterdir()) == []


def test_readers_see_the_old_content_or_the_new(tmp_path: Path) -> None:
    """A page that is rebuilt while an experiment runs must never meet half a report."""
    path = tmp_path / "report.json"
    contents = {b"a" * 100_000, b"b" * 150_000}
    write_whole(path, b"a" * 100_000)
    done = threading.Event()

    def write() -> None:
        for _ in range(30):
            for content in contents:
                write_whole(path, content)
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    seen = set()
    while not done.is_set():
        seen.add(read_bounded(path))
    writer.join()
    assert seen <= contents


def test_whole_file_is_read(tmp_path: Path) -> None:
    """Also one that is exactly as large as may be, or empty."""
    (tmp_path / "f").write_bytes(b"1234")
    assert read_bounded(tmp_path / "f") == b"1234"
    assert read_bounded(tmp_path / "f", 4) == b"1234"
    (tmp_path / "empty").touch()
    assert read_bounded(tmp_path / "empty", 0) == b""


def test_link_to_a_file_is_read(tmp_path: Path) -> None:
    """What the caller names may be a link; it is the caller's own."""
    (tmp_path / "f").write_bytes(b"1234")
    (tmp_path / "link").symlink_to("f")
    assert read_bounded(tmp_path / "link") == b"1234"


def test_too_large_a_file_is_refused(tmp_path: Path) -> None:
    """A huge file must not fill the memory before anybody has looked at it."""
    (tmp_path / "f").write_bytes(b"12345")
    with pytest.raises(DataError, match="f: more than 4 bytes"):
        read_bounded(tmp_path / "f", 4)


def test_sparse_file_of_a_terabyte_is_refused_at_once(tmp_path: Path) -> None:
    """Its size costs nobody anything, but reading it would."""
    with (tmp_path / "f").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(DataError, match="more than 1000 bytes"):
        read_bounded(tmp_path / "f", 1000)


def test_fifo_is_refused_without_waiting(tmp_path: Path) -> None:
    """Opening one waits for a writer that never comes."""
    os.mkfifo(tmp_path / "f")
    with pytest.raises(DeclarationError, match="f: not a regular file"):
        read_bounded(tmp_path / "f")


def test_what_is_no_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders, sockets and devices hold no document."""
    monkeypatch.chdir(tmp_path)  # the name of a socket may not be long
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        for path in (tmp_path, tmp_path / "s", Path("/dev/zero"), Path("/dev/null")):
            with pytest.raises(DeclarationError, match=str(path)):
                read_bounded(path)


def test_missing_file_is_named(tmp_path: Path) -> None:
    """The message says which of many arguments it was."""
    with pytest.raises(DeclarationError, match="nowhere: No such file or directory"):
        read_bounded(tmp_path / "nowhere")


def test_name_that_cannot_be_one_is_refused(tmp_path: Path) -> None:
    """A manifest may name any file; no name may end the command in an unexpected error."""
    for name in ("a\0b", "a" * 300, "\ud800\udfff"):
        with pytest.raises(DeclarationError):
            read_bounded(tmp_path / name)


def test_refusals_leave_no_descriptor_open(tmp_path: Path) -> None:
    """Thousands of folders given by mistake must not use up what a process may open."""
    os.mkfifo(tmp_path / "f")
    before = open_descriptors()
    for path in (tmp_path, tmp_path / "f", tmp_path / "nowhere"):
        with pytest.raises(DeclarationError):
            read_bounded(path)
    assert open_descriptors() == before
