"""Which files may be a project."""

from pathlib import Path

import pytest

from kcb_agents.project import path_fault, project_fault, read_project, write_project
from kcb_core.errors import MachineError
from kcb_core.limits import Limits
from kcb_core.submission import Submission, SubmittedFile


def project(*paths: str, data: bytes = b"x") -> Submission:
    """A project with some paths, all of one content."""
    return Submission(files=tuple(SubmittedFile(path, data) for path in sorted(paths)))


@pytest.mark.parametrize("path", ["main.py", "a/b_c/d-e.txt", "naïve.py", "a b.txt", "Makefile"])
def test_a_plain_path_is_allowed(path: str) -> None:
    """Whatever a listing shows."""
    assert path_fault(path) == ""


@pytest.mark.parametrize(
    "path",
    [
        *("", "/a.py", "~/a.py", "..", "../a.py", "a/../../b.py", "a/..", ".", "./a.py", "a//b.py"),
        *("a/", ".env", ".git/config", "a/.hidden/b.py", "a.", "a /b.py", "a\\b.py", "C:a.py"),
        *("a\0b.py", "a\nb.py", "a\u202eyp.py", "\ud83d.py", "__pycache__/a.py"),
        *("node_modules/a.js", "x" * 256, "a/" * 64 + "b", "/".join(["y" * 200] * 6)),
    ],
)
def test_a_path_that_hides_or_leads_elsewhere_is_not(path: str) -> None:
    """Each of these means something else somewhere, or is not seen."""
    assert path_fault(path) != ""


def test_paths_that_clash_are_no_project() -> None:
    """On some systems one of them would overwrite the other."""
    assert "cannot both be there" in project_fault(project("a.py", "A.py"))
    assert "cannot both be there" in project_fault(project("a", "a/b.py"))
    assert "cannot both be there" in project_fault(project("lib/a.py", "Lib/b.py"))
    assert "cannot both be there" in project_fault(project("é.py", "e\u0301.py"))
    assert project_fault(project("a/b.py", "a/c.py", "main.py")) == ""


def test_the_limits_of_a_submission_hold() -> None:
    """What the judge would reject is not written in the first place."""
    assert "files" in project_fault(project("a", "b"), Limits(submission_files=1))
    assert "bytes" in project_fault(project("a", data=b"xx"), Limits(submission_bytes=1))


def test_a_project_is_read_as_it_was_written(tmp_path: Path) -> None:
    """So that the digest in the record names what the judge will find."""
    submission = project("main.py", "a/b/c.py", data="é\n".encode())
    write_project(submission, tmp_path)
    assert read_project(tmp_path) == submission
    (tmp_path / "link").symlink_to("main.py")
    assert read_project(tmp_path).sha256 == submission.sha256


def test_a_file_is_never_written_over_or_through_another(tmp_path: Path) -> None:
    """Not even if something was put into the folder meanwhile."""
    (tmp_path / "main.py").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(MachineError):
        write_project(project("main.py"), tmp_path)
    assert not (tmp_path / "elsewhere").exists()
