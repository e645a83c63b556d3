"""Workspaces."""

import os
from pathlib import Path

import pytest

from kcb_core.errors import DeclarationError, MachineError
from kcb_core.testing.values import small_task
from kcb_core.workspace import lay_out


def test_workspace_holds_the_prompt_and_an_empty_folder(tmp_path: Path) -> None:
    """Nothing else: no starter code, no test, no trace of an answer."""
    folder = tmp_path / "a" / "b"
    lay_out(small_task(), folder)
    assert sorted(folder.rglob("*")) == [folder / "PROMPT.md", folder / "project"]
    assert (folder / "project").is_dir()


def test_prompt_is_written_as_it_is(tmp_path: Path) -> None:
    """UTF-8 whatever the locale, no byte-order mark, no translated line ends."""
    task = small_task(prompt="a\nb\r\n\u2028é😀\n")
    lay_out(task, tmp_path / "w")
    data = (tmp_path / "w" / "PROMPT.md").read_bytes()
    assert data == "a\nb\r\n\u2028é😀\n".encode()
    assert not data.startswith(b"\xef\xbb\xbf")


def test_acceptance_tests_do_not_reach_the_workspace(tmp_path: Path) -> None:
    """A model that could read what it is judged by would not have to solve anything."""
    task = small_task()
    lay_out(task, tmp_path / "w")
    held = b"".join(path.read_bytes() for path in (tmp_path / "w").rglob("*") if path.is_file())
    for scenario in task.acceptance_tests:
        assert scenario.name.encode() not in held


def test_empty_folder_is_filled(tmp_path: Path) -> None:
    """Whoever made the folder beforehand did nothing wrong."""
    lay_out(small_task(), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["PROMPT.md", "project"]


def test_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    """Another's work must not be mixed up with a new attempt; hidden files count."""
    (tmp_path / ".hidden").touch()
    with pytest.raises(DeclarationError, match="is not empty; name a new or an empty folder"):
        lay_out(small_task(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".hidden"]


def test_second_time_is_refused(tmp_path: Path) -> None:
    """What a model has written is not overwritten."""
    lay_out(small_task(), tmp_path / "w")
    with pytest.raises(DeclarationError, match="is not empty"):
        lay_out(small_task(), tmp_path / "w")


@pytest.mark.parametrize("kind", ["file", "dangling link", "link to a file", "fifo"])
def test_what_is_no_folder_is_refused(tmp_path: Path, kind: str) -> None:
    """Nothing is written through a link to who knows where."""
    path = tmp_path / "w"
    (tmp_path / "file").touch()
    if kind == "file":
        path.touch()
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to(tmp_path / ("file" if kind == "link to a file" else "nowhere"))
    with pytest.raises(DeclarationError, match="w: is no folder"):
        lay_out(small_task(), path)
    assert not (tmp_path / "nowhere").exists()


def test_place_that_cannot_be_written_is_the_machines_failure(tmp_path: Path) -> None:
    """It says nothing about the task."""
    (tmp_path / "file").touch()
    with pytest.raises(MachineError, match="file/w: cannot be written"):
        lay_out(small_task(), tmp_path / "file" / "w")
    with pytest.raises(MachineError, match="cannot be written: File name too long"):
        lay_out(small_task(), tmp_path / ("x" * 300))
