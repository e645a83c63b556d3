"""Folders for sessions: fresh, and gone afterwards however they were left."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from kcb_core.errors import MachineError
from kcb_core.submission import Submission, SubmittedFile
from kcb_runner import scratch
from kcb_runner.scratch import Scratch, remove_tree, roomy_folder, write_files

FILES = (
    SubmittedFile("a/b/deep.txt", b"deep"),
    SubmittedFile("main.py", b"main"),
    SubmittedFile("run", b"#!", True),
)
SUBMISSION = Submission(files=FILES)


def test_every_session_gets_its_own_whole_copy():
    """What one session writes must not reach the next."""
    with Scratch(SUBMISSION) as made:
        with made.place() as place:
            assert (place.project / "a/b/deep.txt").read_bytes() == b"deep"
            assert os.access(place.project / "run", os.X_OK)
            assert list(place.home.iterdir()) == []
            (place.project / "main.py").write_bytes(b"changed")
            (place.home / "left").write_bytes(b"x")
            first = place.project
        assert not first.exists()
        with made.place() as place:
            assert (place.project / "main.py").read_bytes() == b"main"
            assert list(place.home.iterdir()) == []
        root = first.parent.parent
    assert not root.exists()


def test_a_state_directory_outlives_sessions_and_not_its_scenario():
    """Only state is shared between the sessions of one scenario."""
    with Scratch(SUBMISSION) as made:
        with made.state() as state:
            (state / "x").write_bytes(b"x")
            with made.place():
                assert (state / "x").exists()
        assert not state.exists()


def test_what_cannot_be_made_is_the_machines_fault(monkeypatch, tmp_path):
    """A full disk is no verdict."""
    with Scratch(SUBMISSION) as made:
        monkeypatch.setattr(scratch.os, "mkdir", _full)
        with pytest.raises(MachineError, match="No space left"), made.place():
            pass
        monkeypatch.undo()
        remove_tree(made._root)
        with pytest.raises(MachineError), made.state():
            pass
    monkeypatch.setattr(scratch.tempfile, "mkdtemp", _full)
    with pytest.raises(MachineError, match="no scratch folder"), Scratch(SUBMISSION):
        pass


def test_what_cannot_be_removed_is_said(monkeypatch):
    """A failed clean-up is a note with a path, never a lost result."""
    made = Scratch(SUBMISSION)
    with made:
        monkeypatch.setattr(scratch, "remove_tree", _full)
        with made.place() as place:
            pass
        monkeypatch.undo()
    assert made.leftovers == [f"{place.project.parent}: No space left on device"]


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
    monkeypatch.setattr(scratch.shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(1, 1, 0))
    assert roomy_folder() is None
    monkeypatch.setattr(scratch.shutil, "disk_usage", _full)
    assert roomy_folder() is None


def _full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")
