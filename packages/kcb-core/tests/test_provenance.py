"""Which code said it."""

import json
import subprocess
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from kcb_core import provenance
from kcb_core.codec import decode, digest, encode
from kcb_core.provenance import Revision, commit_of, revision


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Nothing that one test found is remembered in another."""
    revision.cache_clear()
    provenance._commit.cache_clear()
    yield
    revision.cache_clear()
    provenance._commit.cache_clear()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A distribution kcb-made that is installed in a folder of its own."""
    folder = tmp_path / "site" / "kcb_made-1.5.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: kcb-made\nVersion: 1.5\n")
    (folder / "RECORD").write_text("kcb_made/__init__.py,sha256=abc,0\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return folder


def git(folder: Path, *words: str) -> str:
    """What a git command prints, without the user's settings."""
    settings = ("-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", "-C", str(folder), *settings, *words], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def edited_in(install: Path, folder: Path) -> None:
    """Let the distribution run from a folder, as an editable installation does."""
    origin = {"url": folder.as_uri(), "dir_info": {"editable": True}}
    (install / "direct_url.json").write_text(json.dumps(origin))


def test_installed_distribution_is_named_by_version_and_record(install: Path) -> None:
    """The list of installed files holds a digest of each, so one changed file shows."""
    record = (install / "RECORD").read_bytes()
    assert revision("kcb-made") == Revision(
        distribution="kcb-made", version="1.5", record_sha256=digest(record)
    )


def test_distribution_without_a_record_has_no_digest(install: Path) -> None:
    """Some installers leave none; nothing is invented."""
    (install / "RECORD").unlink()
    assert revision("kcb-made") == Revision(distribution="kcb-made", version="1.5")


def test_distribution_that_is_not_installed_is_unknown() -> None:
    """Code that runs from a folder on the path has no version that anybody could trust."""
    assert revision("kcb-nowhere") == Revision(distribution="kcb-nowhere", version="unknown")


def test_clone_is_named_by_its_commit_and_whether_it_was_changed(
    install: Path, tmp_path: Path
) -> None:
    """A report from a changed clone cannot be repeated from its commit alone."""
    clone = tmp_path / "a clone"
    (clone / "src").mkdir(parents=True)
    (clone / "src" / "file").write_text("1")
    git(clone, "init", "-q")
    git(clone, "add", ".")
    git(clone, "commit", "-q", "-m", "first")
    edited_in(install, clone / "src")
    commit = git(clone, "rev-parse", "HEAD")
    assert revision("kcb-made").commit == commit
    (clone / "src" / "file").write_text("2")
    revision.cache_clear()
    provenance._commit.cache_clear()
    assert revision("kcb-made").commit == f"{commit}-dirty"


@pytest.mark.parametrize(
    "origin",
    [
        '{"url": "file:///somewhere", "dir_info": {}}',
        '{"url": "file:///somewhere", "dir_info": {"editable": false}}',
        '{"url": "https://example.invalid/kcb_made.whl", "archive_info": {"hash": "sha256=1"}}',
        '{"url": "file:///nowhere/at/all", "dir_info": {"editable": true}}',
    ],
    ids=["copied", "not editable", "archive", "folder that has gone"],
)
def test_what_does_not_run_from_a_clone_has_no_commit(install: Path, origin: str) -> None:
    """The commit of another project's clone, or of none, would be a false witness."""
    (install / "direct_url.json").write_text(origin)
    assert revision("kcb-made").commit == ""


def test_commit_is_left_out_where_there_is_no_git(
    install: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """git is nothing that an evaluation needs."""
    monkeypatch.setenv("PATH", "")
    edited_in(install, Path(__file__).parent)
    assert revision("kcb-made").commit == ""


def test_file_is_named_by_the_clone_that_tracks_it(tmp_path: Path) -> None:
    """A dataset that lies in a clone is of that commit; one that was copied there is not."""
    git(tmp_path, "init", "-q")
    (tmp_path / "tracked").touch()
    git(tmp_path, "add", "tracked")
    git(tmp_path, "commit", "-q", "-m", "first")
    (tmp_path / "copied").touch()
    assert commit_of(tmp_path / "tracked") == git(tmp_path, "rev-parse", "HEAD")
    assert commit_of(tmp_path / "copied") == ""
    assert commit_of(tmp_path / "nowhere" / "file") == ""


def test_own_version_is_that_of_the_distribution() -> None:
    """The version stands in one place."""
    assert revision("kcb-core").version == metadata.version("kcb-core")


def test_revision_is_stored_without_what_is_not_known() -> None:
    """Absent is left out, and never an empty string in a report."""
    known = Revision(distribution="kcb-made", version="1.5")
    assert decode(encode(known), dict[str, str], source="r") == {
        "distribution": "kcb-made",
        "version": "1.5",
    }
