"""What is taken into a snapshot, what is left out, and what is refused, of the oddest trees."""

from __future__ import annotations

import os
import socket
import stat
import time
from pathlib import Path

import pytest

from kcb_core.errors import DeclarationError
from kcb_core.limits import Limits
from kcb_runner import snapshot
from kcb_runner.snapshot import Rejected, take
from kcb_runner.tree import remove_tree


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a main.py."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "main.py").write_text("print()\n")
    return folder


def paths(folder: Path) -> list[str]:
    """Paths of what is taken."""
    return [file.path for file in take(folder).files]


def test_files_are_taken_whole_and_sorted(project):
    """The same tree gives the same submission, whatever order the file system lists it in."""
    (project / "b").mkdir()
    (project / "b" / "x.py").write_bytes(b"\x00\xff")
    (project / "a.txt").write_text("é")
    (project / "run").write_text("#!")
    (project / "run").chmod(0o755)
    taken = take(project)
    assert [f.path for f in taken.files] == ["a.txt", "b/x.py", "main.py", "run"]
    assert [f.executable for f in taken.files] == [False, False, False, True]
    assert taken.files[1].data == b"\x00\xff"
    assert taken.size == 2 + 2 + 8 + 2


def test_the_source_hash_depends_on_paths_and_bytes_alone(project, tmp_path):
    """A report's hash must name the same project on every host."""
    first = take(project).sha256
    os.utime(project / "main.py", (1, 1))
    (project / "main.py").chmod(0o755)
    assert take(project).sha256 == first
    (project / "main.py").write_text("print( )\n")
    assert take(project).sha256 != first


def test_caches_credentials_and_environments_are_left_out(project):
    """They are neither copied nor counted, and never looked into."""
    for name in (".git", ".venv", "node_modules", "__pycache__", ".tox"):
        (project / name).mkdir()
        (project / name / "x").write_text("x")
    for name in (".env", ".netrc", "id_rsa", "server.pem"):
        (project / name).write_text("secret")
    (project / "envy").mkdir()
    (project / "envy" / "pyvenv.cfg").write_text("home")
    (project / "envy" / "x.py").write_text("x")
    os.mkfifo(project / ".git" / "fifo")
    assert paths(project) == ["main.py"]


def test_a_pyvenv_cfg_at_the_root_leaves_nothing_else_out(project):
    """Else one stray file would make a whole project vanish."""
    (project / "pyvenv.cfg").write_text("home")
    assert paths(project) == ["main.py", "pyvenv.cfg"]


@pytest.mark.parametrize("kind", ["fifo", "socket", "device-link", "file-link", "dangling-link"])
def test_b17_special_files_and_links_to_files_are_refused(project, kind):
    """A FIFO or an endless device must not be opened, and answers come at once."""
    odd = project / "odd"
    if kind == "fifo":
        os.mkfifo(odd)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(os.path.relpath(odd))
    else:
        target = {"device-link": "/dev/zero", "file-link": "main.py", "dangling-link": "gone"}
        odd.symlink_to(target[kind])
    started = time.monotonic()
    with pytest.raises(Rejected) as caught:
        take(project)
    assert time.monotonic() - started < 1
    assert "odd" in caught.value.reason


@pytest.mark.skipif(os.geteuid() != 0, reason="making a device needs root")
def test_a_device_is_refused(project):
    """Reading from one can block, or have effects."""
    try:
        os.mknod(project / "zero", stat.S_IFCHR | 0o600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("this container makes no devices")
    with pytest.raises(Rejected, match="character device"):
        take(project)


def test_b17_a_link_to_a_folder_is_not_entered(project, tmp_path):
    """Nothing outside is read or copied."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    (project / "link").symlink_to(outside)
    (project / "loop").symlink_to(".")
    assert paths(project) == ["main.py"]


def test_b18_two_thousand_files_are_allowed_and_one_more_is_not(project):
    """The limit and the place are named, and counting stops early."""
    for number in range(1999):
        (project / f"f{number}").write_bytes(b"")
    assert len(take(project).files) == 2000
    (project / "one-more").write_bytes(b"")
    with pytest.raises(Rejected, match="more than 2,000 files"):
        take(project)


def test_b18_left_out_folders_do_not_count(project):
    """A node_modules of any size is not even listed."""
    (project / "node_modules").mkdir()
    for number in range(3000):
        (project / "node_modules" / str(number)).write_bytes(b"")
    assert paths(project) == ["main.py"]


def test_b18_twenty_million_bytes_are_allowed_and_one_more_is_not(project):
    """MB means 10^6."""
    (project / "big").write_bytes(b"x" * (20_000_000 - 8))
    assert take(project).size == 20_000_000
    (project / "big").write_bytes(b"x" * (20_000_000 - 7))
    with pytest.raises(Rejected, match="more than 20,000,000 bytes"):
        take(project)


def test_b18_a_sparse_file_is_refused_by_its_size(project):
    """It is never read."""
    with open(project / "sparse", "wb") as file:
        file.truncate(1 << 40)
    started = time.monotonic()
    with pytest.raises(Rejected):
        take(project)
    assert time.monotonic() - started < 1


def test_b18_a_file_that_grows_while_it_is_read_stays_within_the_limit(project, monkeypatch):
    """What is checked before reading may have changed by then."""
    grown = project / "grown"
    grown.write_bytes(b"x")
    real = os.fstat

    def grow(handle: int) -> os.stat_result:
        result = real(handle)
        if stat.S_ISREG(result.st_mode) and os.readlink(f"/proc/self/fd/{handle}") == str(grown):
            with open(grown, "ab") as file:
                file.write(b"y" * 5000)
        return result

    monkeypatch.setattr(snapshot.os, "fstat", grow)
    with pytest.raises(Rejected, match="more than 1,000 bytes"):
        take(project, Limits(submission_bytes=1000))


def test_a_file_that_turns_into_a_fifo_is_refused(project, monkeypatch):
    """Between listing and opening a file anything can happen to it."""
    os.mkfifo(project / "later")
    monkeypatch.setattr(snapshot.stat, "S_ISFIFO", lambda mode: False)
    real = os.lstat(project / "main.py")

    class Entry:
        name = "later"

        def stat(self, *, follow_symlinks: bool) -> os.stat_result:
            return real

    monkeypatch.setattr(snapshot, "_entries", lambda *_: iter([Entry()]))
    with pytest.raises(Rejected, match="changed while it was read"):
        take(project)


def test_a_deep_tree_is_refused_without_recursion(project):
    """1,500 levels end many a copy function in a RecursionError."""
    here = os.getcwd()
    os.chdir(project)
    try:
        for _ in range(1500):
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.chdir(here)
    try:
        with pytest.raises(Rejected, match="nested deeper than 64"):
            take(project)
    finally:
        remove_tree(project / "d")  # pytest's own clean-up would end in a RecursionError


def test_countless_folders_are_refused(project, monkeypatch):
    """Empty folders count as no file, so they have a limit of their own."""
    monkeypatch.setattr(snapshot, "MAX_FOLDERS", 10)
    for number in range(11):
        (project / f"d{number}").mkdir()
    with pytest.raises(Rejected, match="more than 10 folders"):
        take(project)


def test_a_folder_of_countless_entries_is_refused_early(project, monkeypatch):
    """A listing is held in memory, so it is bounded too."""
    monkeypatch.setattr(snapshot, "MAX_FOLDERS", 10)
    limits = Limits(submission_files=5)
    for number in range(20):
        (project / f"f{number}").write_bytes(b"")
    with pytest.raises(Rejected, match="more than 5 files"):
        take(project, limits)


def test_names_that_are_no_utf8_are_taken(project):
    """A file name is bytes; nothing may fall over one that is no text."""
    (Path(os.fsdecode(os.fsencode(project) + b"/\xff\xfe.txt"))).write_bytes(b"x")
    taken = take(project)
    assert taken.has("main.py")
    assert os.fsencode(taken.files[-1].path) == b"\xff\xfe.txt"
    assert len(taken.sha256) == 64


def test_what_cannot_be_read_is_the_callers_fault(project, tmp_path):
    """Exit 2 with the path, since the project itself may be right."""
    with pytest.raises(DeclarationError, match="gone"):
        take(tmp_path / "gone")
    with pytest.raises(DeclarationError, match="a project is a folder"):
        take(project / "main.py")


def test_an_unreadable_file_is_named(project, monkeypatch):
    """Root can read everything, so the refusal is made by hand."""
    real = os.open

    def refuse(path: str, flags: int, **options: int) -> int:
        if path == "main.py":
            raise PermissionError(13, "Permission denied", path)
        return real(path, flags, **options)

    monkeypatch.setattr(snapshot.os, "open", refuse)
    with pytest.raises(DeclarationError, match=r"main\.py: cannot be read: Permission denied"):
        take(project)
