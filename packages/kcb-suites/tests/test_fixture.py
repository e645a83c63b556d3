"""Fixtures are pinned, copied and never changed; overlays stay inside the workspace."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from kcb_core.errors import DataError, DeclarationError
from kcb_suites import fixture as module
from kcb_suites.fixture import (
    TooLarge,
    digest_of,
    make_workspace,
    overlay,
    read_workspace,
    tree_sha256,
)
from kcb_suites.testing.tiny_tree import write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small tree."""
    return write(tmp_path / "fixture", {"a.txt": "a", "in/b.txt": "b", "run.sh": "r"})


@pytest.fixture
def workspace(folder: Path, tmp_path: Path) -> Path:
    """A workspace that was made of it."""
    make_workspace(folder, tmp_path / "work", tree_sha256=tree_sha256(folder))
    return tmp_path / "work"


def test_the_digest_is_of_paths_bytes_and_the_executable_bit(folder: Path) -> None:
    """Each of the three changes it, and nothing else does."""
    seen = {first := tree_sha256(folder)}
    (folder / "run.sh").chmod(0o755)
    seen.add(tree_sha256(folder))
    (folder / "a.txt").write_text("A")
    seen.add(tree_sha256(folder))
    (folder / "a.txt").rename(folder / "c.txt")
    seen.add(tree_sha256(folder))
    assert len(seen) == 4
    (folder / "c.txt").rename(folder / "a.txt")
    (folder / "a.txt").write_text("a")
    (folder / "run.sh").chmod(0o640)
    (folder / "empty").mkdir()
    write(folder, {"in/__pycache__/b.pyc": "compiled"})
    os.utime(folder / "a.txt", (1, 1))
    assert tree_sha256(folder) == first


@pytest.mark.parametrize("kind", ["link", "link to a folder", "fifo", "history", "nothing"])
def test_what_is_no_file_is_refused(folder: Path, kind: str) -> None:
    """Another machine could not be given the same thing."""
    place = folder / "odd"
    if kind == "link":
        place.symlink_to("a.txt")
    elif kind == "link to a folder":
        place.symlink_to("in")
    elif kind == "fifo":
        os.mkfifo(place)
    elif kind == "history":
        (folder / ".git").mkdir()
    else:
        (folder := folder / "empty").mkdir()
    with pytest.raises(DataError):
        tree_sha256(folder)


def test_a_changed_fixture_stops_everything_and_names_the_new_digest(
    folder: Path, tmp_path: Path
) -> None:
    """A person copies the value into the manifest, so that the change is seen in review."""
    with pytest.raises(DataError, match=tree_sha256(folder)):
        make_workspace(folder, tmp_path / "work", tree_sha256="0" * 64)
    assert not (tmp_path / "work").exists()


def test_a_workspace_is_a_repository_with_one_commit(
    folder: Path, workspace: Path, tmp_path: Path
) -> None:
    """Its commit is the same on every machine, whatever its user has set for git."""
    commit = git(workspace, "rev-parse", "HEAD")
    assert git(workspace, "log", "--format=%an <%ae> %s") == (
        "Klein-Code-Bench <suites@localhost> Start"
    )
    assert git(workspace, "status", "--porcelain") == ""
    make_workspace(folder, tmp_path / "again", tree_sha256=tree_sha256(folder))
    assert git(tmp_path / "again", "rev-parse", "HEAD") == commit


def test_settings_of_the_user_do_not_reach_the_commit(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook or a signing key of the person who runs the suite is none of the agent's."""
    home = write(
        tmp_path / "home", {".gitconfig": "[commit]\n\tgpgSign = true\n[user]\n\tname=x\n"}
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    make_workspace(folder, tmp_path / "work", tree_sha256=tree_sha256(folder))
    assert "Klein-Code-Bench" in git(tmp_path / "work", "log", "--format=%an")


def test_a_workspace_is_never_made_where_something_is(folder: Path, workspace: Path) -> None:
    """What an agent left is not written over."""
    with pytest.raises(DeclarationError, match="is there already"):
        make_workspace(folder, workspace, tree_sha256=tree_sha256(folder))


def test_no_git_is_said(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a prerequisite, and no fault of the fixture."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeclarationError, match="git is not installed"):
        make_workspace(folder, tmp_path / "work", tree_sha256=tree_sha256(folder))


def test_the_stored_fixture_never_changes(folder: Path, workspace: Path) -> None:
    """All that is done in a workspace stays there."""
    before = tree_sha256(folder)
    write(workspace, {"a.txt": "changed", "in/new.txt": "new"})
    assert tree_sha256(folder) == before


def test_what_an_agent_left_is_read_in_whatever_state(workspace: Path) -> None:
    """Links, special files and the history of git are left out, and so take nobody anywhere."""
    before = digest_of(read_workspace(workspace))
    (workspace / "link").symlink_to("/etc/passwd")
    (workspace / "folder").symlink_to("/etc")
    os.mkfifo(workspace / "pipe")
    (workspace / "loop").symlink_to("loop")
    write(workspace, {".git/config": "[core]\n\tfsmonitor = touch /tmp/owned\n"})
    assert digest_of(read_workspace(workspace)) == before


@pytest.mark.parametrize("bound", ["MAX_FILES", "MAX_BYTES", "MAX_DEPTH"])
def test_a_workspace_without_end_is_not_read_to_its_end(
    workspace: Path, bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sparse file of any size costs nothing."""
    monkeypatch.setattr(module._Room.__init__, "__defaults__", (20, 1 << 20))
    monkeypatch.setattr(module, "MAX_DEPTH", 20)
    if bound == "MAX_FILES":
        write(workspace, {f"f{number}": "" for number in range(30)})
    elif bound == "MAX_BYTES":
        os.truncate(workspace / "a.txt", 1 << 40)
    else:
        (workspace / "/".join("d" * 30)).mkdir(parents=True)
    with pytest.raises(TooLarge):
        read_workspace(workspace)


def test_an_overlay_puts_files_in_place_and_takes_files_away(
    workspace: Path, tmp_path: Path
) -> None:
    """Whatever lies where a file goes makes room: a folder, a link, or a file on the way."""
    (workspace / "link").symlink_to("a.txt")
    files = {"DELETE": "a.txt\n\n", "in": "now a file", "link": "mine", "run.sh/x": "below a file"}
    write(tmp_path / "over", files)
    (tmp_path / "over" / "in").chmod(0o755)
    overlay(tmp_path / "over", workspace)
    assert not (workspace / "a.txt").exists()
    assert not (workspace / "DELETE").exists()
    assert (workspace / "in").read_text() == "now a file"
    assert os.access(workspace / "in", os.X_OK)
    assert not (workspace / "link").is_symlink()
    assert (workspace / "run.sh" / "x").read_text() == "below a file"


@pytest.mark.parametrize("path", ["../outside", "/etc/hostname", "in/../../outside", "out/x", "."])
def test_a_deletion_outside_of_the_workspace_is_refused(
    workspace: Path, tmp_path: Path, path: str
) -> None:
    """By words or by a link that lies in the workspace."""
    write(tmp_path, {"outside": "keep", "there/x": "keep"})
    (workspace / "out").symlink_to(tmp_path / "there")
    write(tmp_path / "over", {"DELETE": f"{path}\n"})
    with pytest.raises(DataError, match="leaves the workspace"):
        overlay(tmp_path / "over", workspace)
    assert (tmp_path / "outside").exists()
    assert (tmp_path / "there" / "x").exists()


def test_a_deletion_of_nothing_is_refused(workspace: Path, tmp_path: Path) -> None:
    """The fixture has changed, and the overlay was not seen to."""
    write(tmp_path / "over", {"DELETE": "gone.txt\n"})
    with pytest.raises(DataError, match="not in the workspace"):
        overlay(tmp_path / "over", workspace)


def git(folder: Path, *words: str) -> str:
    """What git says in a workspace."""
    command = ["git", "-c", f"safe.directory={folder}", *words]
    found = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return found.stdout.strip()
