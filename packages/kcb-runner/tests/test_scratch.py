"""Folders for sessions: fresh, and gone afterwards however they were left."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from kcb_core.errors import MachineError
from kcb_core.submission import Submission, SubmittedFile
from kcb_runner import scratch
from kcb_runner.launch import box, leftovers
from kcb_runner.launch.box import roomy_folder
from kcb_runner.launch.plain import PlainSlot
from kcb_runner.scratch import Scratch, modules_of, write_files
from kcb_runner.tree import remove_tree

FILES = (
    SubmittedFile("a/b/deep.txt", b"deep"),
    SubmittedFile("main.py", b"main"),
    SubmittedFile("run", b"#!", True),
)
SUBMISSION = Submission(files=FILES)


@pytest.fixture
def slot() -> Iterator[PlainSlot]:
    """A slot whose box is a folder of this machine."""
    made = PlainSlot()
    yield made
    made.close()
    assert not made.outside.exists()


def test_every_session_gets_its_own_whole_copy(slot):
    """What one session writes must not reach the next."""
    made = Scratch(SUBMISSION, slot)
    for _ in range(2):
        with made.place() as place:
            assert (place.project / "a/b/deep.txt").read_bytes() == b"deep"
            assert (place.project / "main.py").read_bytes() == b"main"
            assert os.access(place.project / "run", os.X_OK)
            assert list(place.home.iterdir()) == []
            (place.project / "main.py").write_bytes(b"changed")
            (place.project / "main.pyc").write_bytes(b"more")
            (place.home / "left").write_bytes(b"x")
        assert list(place.project.iterdir()) == list(place.home.iterdir()) == []


def test_a_state_directory_outlives_sessions_and_not_its_scenario(slot):
    """Only state is shared between the sessions of one scenario."""
    made = Scratch(SUBMISSION, slot)
    with made.state() as state:
        (state / "x").write_bytes(b"x")
        with made.place():
            assert (state / "x").exists()
    with made.state() as state:
        assert list(state.iterdir()) == []


def test_what_a_slot_held_before_is_gone(slot):
    """Another project's files, or its state, must not be found by the next."""
    for name in ("project", "home", "state"):
        (slot.outside / name / "left").mkdir()
    Scratch(SUBMISSION, slot)
    assert [list((slot.outside / name).iterdir()) for name in ("project", "home", "state")] == [
        [], [], []
    ]  # fmt: skip


def test_what_cannot_be_made_is_the_machines_fault(monkeypatch, slot):
    """A full disk is no verdict."""
    made = Scratch(SUBMISSION, slot)
    monkeypatch.setattr(scratch.os, "mkdir", _full)
    with pytest.raises(MachineError, match="No space left"), made.place():
        pass
    monkeypatch.undo()
    (slot.outside / "state").rmdir()
    with pytest.raises(MachineError), made.state():
        pass
    monkeypatch.setattr(leftovers.tempfile, "mkdtemp", _full)
    with pytest.raises(MachineError, match="no scratch folder"):
        PlainSlot()


def test_a_folder_that_was_swapped_for_a_link_is_not_followed(slot, tmp_path):
    """A project may leave a link to somebody's files where its own were."""
    (tmp_path / "precious").write_bytes(b"x")
    made = Scratch(SUBMISSION, slot)
    playing = made.place()
    project = playing.__enter__().project
    project.rename(slot.outside / "aside")
    project.symlink_to(tmp_path)
    with pytest.raises(MachineError):
        playing.__exit__(None, None, None)
    assert (tmp_path / "precious").exists()


def test_modules_of_a_project_are_known_whatever_their_kind():
    """One that shadows the library must not meet an interpreter that has it loaded already."""
    paths = ("json.py", "re/__init__.py", "abc.cpython-311-x86_64-linux-gnu.so", "main.py")
    submission = Submission(files=tuple(SubmittedFile(path, b"") for path in paths))
    assert modules_of(submission) == {"json", "re", "abc", "main"}


def test_deep_unreadable_and_oddly_named_trees_are_removed(tmp_path):
    """Each of these makes the usual way of removing a tree fail."""
    root = tmp_path / "root"
    root.mkdir()
    here = os.getcwd()
    os.chdir(root)
    try:
        for _ in range(1500):
            os.mkdir("d")
            os.chdir("d")
        Path("bottom").write_bytes(b"x")
    finally:
        os.chdir(here)
    os.mkdir(os.fsencode(root) + b"/\xff\xfe")
    (root / "locked" / "inner").mkdir(parents=True)
    (root / "locked" / "inner" / "file").write_bytes(b"x")
    (root / "locked" / "inner").chmod(0)
    (root / "locked").chmod(0)
    (root / "link").symlink_to("/etc")
    (root / ".removed-0").mkdir()
    (root / ".removed-0" / ".removed-1").mkdir()
    (root / ".removed-0" / ".removed-1" / "x").mkdir()
    os.mkfifo(root / "fifo")
    remove_tree(root)
    assert not root.exists()
    assert Path("/etc/passwd").exists()


def test_removing_what_is_not_there_is_nothing(tmp_path):
    """A candidate may have removed it itself."""
    remove_tree(tmp_path / "gone")


def test_a_submission_is_written_below_a_folder(tmp_path):
    """What is kept under a source hash is what was judged."""
    write_files(SUBMISSION, tmp_path)
    assert (tmp_path / "a/b/deep.txt").read_bytes() == b"deep"


def test_without_a_roomy_tmpfs_the_usual_place_is_taken(monkeypatch):
    """Slower, and the same verdicts."""
    monkeypatch.setattr(box.shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(1, 1, 0))
    assert roomy_folder() is None
    monkeypatch.setattr(box.shutil, "disk_usage", _full)
    assert roomy_folder() is None


def _full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")
