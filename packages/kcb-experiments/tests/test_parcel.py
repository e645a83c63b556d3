"""Files of an attempt on their way home: all of them, as what they are, and within bounds."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from kcb_core.codec import digest
from kcb_core.errors import MachineError
from kcb_experiments.remote import parcel as module
from kcb_experiments.remote.parcel import LEFT_BEHIND, Entry, Parcel, pack, unpack


@pytest.fixture
def attempt(tmp_path: Path) -> Path:
    """A folder with one of each kind."""
    folder = tmp_path / "attempt"
    (folder / "project" / "empty").mkdir(parents=True)
    (folder / "project" / "main.py").write_bytes(b"print(1)\r\n\xff")
    (folder / "project" / "tool").write_text("#!/bin/sh")
    (folder / "project" / "tool").chmod(0o755)
    (folder / "project" / "passwd").symlink_to("/etc/passwd")
    (folder / "project" / "loop").symlink_to(".")
    os.mkfifo(folder / "pipe")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff\n")).write_text("odd")
    return folder


def test_everything_arrives_as_what_it_is(attempt: Path, tmp_path: Path) -> None:
    """A verifier has to refuse at home what it would have refused there."""
    home = tmp_path / "home"
    unpack(pack(attempt), home)
    assert tree(home) == tree(attempt)
    assert os.access(home / "project" / "tool", os.X_OK)
    assert not os.access(home / "project" / "main.py", os.X_OK)


def test_what_is_too_much_is_named_and_the_record_comes_first(
    attempt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a subject piles up, it is said how the attempt went."""
    (attempt / "generation.json").write_text("{}")
    (attempt / "aaa").write_bytes(bytes(100))
    monkeypatch.setattr(module, "MOST_BYTES", 60)
    home = tmp_path / "home"
    unpack(pack(attempt, ("generation.json", "project")), home)
    assert (home / "generation.json").read_text() == "{}"
    assert not (home / "aaa").exists()
    assert "aaa (100 bytes)" in (home / LEFT_BEHIND).read_text().splitlines()


def test_there_are_no_more_entries_than_the_bound(
    attempt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor more names of what was left behind than anybody reads."""
    monkeypatch.setattr(module, "MOST_ENTRIES", 3)
    monkeypatch.setattr(module, "_NAMED", 2)
    found = pack(attempt)
    assert len(found.entries) == 3
    unpack(found, tmp_path / "home")
    *named, rest = (tmp_path / "home" / LEFT_BEHIND).read_text().splitlines()
    assert len(named) == 2
    assert rest == f"and {len(found.left_behind) - 2} more"


@pytest.mark.parametrize("path", [b"../out", b"/tmp/out", b"a/../../out"])
def test_a_parcel_does_not_leave_its_folder(tmp_path: Path, path: bytes) -> None:
    """Whoever wrote it may not be who was asked."""
    entry = Entry(path, "file", b"x", digest(b"x"))
    with pytest.raises(MachineError, match="other than they were sent"):
        unpack(Parcel((entry,)), tmp_path / "home")
    assert not (tmp_path / "out").exists()


def test_nothing_is_written_through_a_link_of_the_same_parcel(tmp_path: Path) -> None:
    """In whatever order they come."""
    (tmp_path / "outside").mkdir()
    target = os.fsencode(tmp_path / "outside")
    link = Entry(b"door", "link", target, digest(target))
    file = Entry(b"door/file", "file", b"x", digest(b"x"))
    with pytest.raises(MachineError):
        unpack(Parcel((link, file)), tmp_path / "home")
    assert list((tmp_path / "outside").iterdir()) == []


def test_bytes_that_changed_on_the_way_are_seen(attempt: Path, tmp_path: Path) -> None:
    """They are evidence of nothing."""
    entries = [
        replace(entry, data=entry.data + b"!") if entry.data else entry
        for entry in pack(attempt).entries
    ]
    with pytest.raises(MachineError, match="other than they were sent"):
        unpack(Parcel(tuple(entries)), tmp_path / "home")


def test_a_file_that_cannot_be_read_is_left_behind(attempt: Path) -> None:
    """It keeps nothing else from coming home."""
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    (attempt / "closed").touch(mode=0)
    assert pack(attempt).left_behind == ("closed (0 bytes)",)


def tree(folder: Path) -> dict[bytes, object]:
    """What is in a folder, by path."""
    found: dict[bytes, object] = {}
    for parent, folders, files in os.walk(os.fsencode(folder)):
        for name in [*folders, *files]:
            path = os.path.join(parent, name)
            key = os.path.relpath(path, os.fsencode(folder))
            if os.path.islink(path):
                found[key] = os.readlink(path)
            elif os.path.isfile(path):
                found[key] = Path(os.fsdecode(path)).read_bytes()
            else:
                found[key] = os.path.isdir(path)
    return found
