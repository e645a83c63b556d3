"""A release proves itself: what the rehearsal finds wrong, and that it finds nothing else."""

from __future__ import annotations

import copy
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from release.archives import build_twice, differences, digests, git, members
from release.installing import StepError, declared
from release.packages import Package, disagreements, read_packages
from release.papers import read_bill, require_whole
from release.stranger import loaded_from_outside, require_installed
from release.workflow import DryRun, read_workflow
from snippets import blocks, section

ROOT = Path(__file__).parent.parent
WORKFLOW = ROOT / ".github/workflows/release.yml"
TAG = "kcb-core-v0.2.0"
STEM = "kcb_core-0.2.0"


def package(version: str = "0.2.0", heading: str = "0.2.0") -> Package:
    """A package that is fit to be released, unless something else is said."""
    return Package(name="kcb-core", folder=Path("x"), version=version, heading=heading)


def wheel(folder: Path, content: str, mode: int = 0o644) -> Path:
    """A folder with one wheel that holds one file and metadata."""
    folder.mkdir()
    with zipfile.ZipFile(folder / f"{STEM}-py3-none-any.whl", "w") as packed:
        info = zipfile.ZipInfo("kcb_core/value.py")
        info.external_attr = mode << 16
        packed.writestr(info, content)
        lines = ("Name: kcb-core", "Requires-Dist: click>=8", "Requires-Dist: uv; extra == 'x'")
        pages = "Requires-Dist: jinja2>=3; extra == 'pages'"
        packed.writestr(f"{STEM}.dist-info/METADATA", "\n".join((*lines, pages)))
    return folder


def test_the_packages_of_this_tree_agree_with_their_changelogs() -> None:
    """Before any tag, a package has changes to come, or is at the version it was released with."""
    packages = read_packages(ROOT)
    assert len(packages) == 9
    assert [*disagreements(packages, ())] == []


@pytest.mark.parametrize(
    ("found", "tags", "said"),
    [
        (package(), (TAG,), None),
        (package(heading="Unreleased"), (), None),
        (package(heading="0.1.0"), (), "pyproject.toml says 0.2.0, the first heading"),
        (package(heading="Unreleased"), (TAG,), "the tag says 0.2.0, pyproject.toml 0.2.0"),
        (package("0.3.0", "0.3.0"), (TAG,), "the tag says 0.2.0, pyproject.toml 0.3.0"),
        (package(), ("kcb-cor-v0.2.0",), "the tag kcb-cor-v0.2.0 names no package"),
        (package(), ("v0.2.0",), "the tag v0.2.0 names no package"),
    ],
)
def test_a_tag_a_version_and_a_changelog_say_the_same(
    found: Package, tags: tuple[str, ...], said: str | None
) -> None:
    """Whoever installs a version must find its changes under that version."""
    faults = [*disagreements((found,), tags)]
    assert (said is None) == (faults == [])
    assert said is None or said in faults[0]


def test_a_tree_without_packages_is_no_tree(tmp_path: Path) -> None:
    """All checks pass over nothing."""
    with pytest.raises(LookupError):
        read_packages(tmp_path)


def test_builds_that_differ_are_found_with_the_file_that_differs(tmp_path: Path) -> None:
    """Content, mode, and an archive that only one builder made."""
    first = wheel(tmp_path / "first", "1")
    assert [*differences(first, wheel(tmp_path / "same", "1"))] == []
    name = f"{STEM}-py3-none-any.whl"
    found = [*differences(first, wheel(tmp_path / "content", "2"))]
    assert found == [f"{name}: differs in kcb_core/value.py"]
    found = [*differences(first, wheel(tmp_path / "mode", "1", 0o600))]
    assert found == [f"{name}: differs in kcb_core/value.py"]
    (tmp_path / "none").mkdir()
    assert [*differences(first, tmp_path / "none")] == [f"{name}: built only once"]


PROJECT = """
[build-system]
requires = ["hatchling>=1.27,!=1.32.1"]
build-backend = "hatchling.build"

[project]
name = "one"
version = "1.0.0"
requires-python = ">=3.11"

[tool.hatch.build.targets.wheel]
packages = ["one"]
artifacts = ["one/made.txt"]
"""

HOOK = """
import os, pathlib
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

class Hook(BuildHookInterface):
    def initialize(self, version, build_data):
        (pathlib.Path(self.root) / "one" / "made.txt").write_text(os.environ["TZ"])
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one package, of which nothing is committed yet."""
    folder = tmp_path / "repository/packages/one"
    (folder / "one").mkdir(parents=True)
    (folder / "one/__init__.py").write_text("")
    (folder / "pyproject.toml").write_text(PROJECT)
    git(tmp_path / "repository", "init", "--quiet")
    return tmp_path / "repository"


def commit(repository: Path) -> None:
    """Commit all that is there."""
    git(repository, "add", "--all")
    who = ("-c", "user.name=x", "-c", "user.email=x@x.example")
    git(repository, *who, "commit", "--quiet", "--message=x")


@pytest.mark.flow
def test_two_unlike_builders_make_the_same_of_a_commit(repository: Path, tmp_path: Path) -> None:
    """And nothing that lies beside the commit gets into it."""
    commit(repository)
    (repository / "packages/one/one/stray.py").write_text("")
    first, second = build_twice(repository, "HEAD", tmp_path)
    assert sorted(digests(first)) == ["one-1.0.0-py3-none-any.whl", "one-1.0.0.tar.gz"]
    assert [*differences(first, second)] == []
    assert not any("stray" in name for name in members(first / "one-1.0.0.tar.gz"))


@pytest.mark.flow
def test_a_package_that_knows_its_builder_is_found(repository: Path, tmp_path: Path) -> None:
    """The two builders are unlike enough to see a build that looks around."""
    package = repository / "packages/one"
    (package / "hatch_build.py").write_text(HOOK)
    with (package / "pyproject.toml").open("a") as project:
        project.write("\n[tool.hatch.build.hooks.custom]\n")
    commit(repository)
    faults = [*differences(*build_twice(repository, "HEAD", tmp_path))]
    assert len(faults) == 2
    assert all("one/made.txt" in fault for fault in faults)


def test_the_owner_of_a_file_in_an_sdist_is_a_difference(tmp_path: Path) -> None:
    """The name of a builder's user is in nobody else's build."""
    for user in ("one", "two"):
        (tmp_path / user).mkdir()
        with tarfile.open(tmp_path / user / f"{STEM}.tar.gz", "w") as packed:
            info = tarfile.TarInfo("pyproject.toml")
            info.uname = user
            packed.addfile(info)
    (found,) = differences(tmp_path / "one", tmp_path / "two")
    assert found == f"{STEM}.tar.gz: differs in pyproject.toml"


def test_what_wheels_declare_is_read_with_the_extras_of_a_rehearsal(tmp_path: Path) -> None:
    """An extra that nobody installs is not fetched."""
    found = [*declared(wheel(tmp_path / "built", "1"))]
    assert [each.name for each in found] == ["click", "jinja2"]
    assert Requirement("click>=8") in found


def test_the_default_set_is_whole_and_has_no_answers() -> None:
    """A package too many is as wrong as one too few, and so is one of another version."""
    both = (package(), Package(name="kcb-suites", folder=Path("x"), version="1.0.0", heading=""))
    require_installed({"kcb-core": "0.2.0", "click": "8"}, both, without={"kcb-suites"})
    require_installed({"kcb-core": "0.2.0", "kcb-suites": "1.0.0"}, both)
    for found in ({"kcb-core": "0.2.0"}, {"kcb-core": "0.1.0", "kcb-suites": "1.0.0"}):
        with pytest.raises(StepError):
            require_installed(found, both)
    with pytest.raises(StepError):
        require_installed(
            {"kcb-core": "0.2.0", "kcb-suites": "1.0.0"}, both, without={"kcb-suites"}
        )


def test_what_a_page_loads_is_told_from_what_it_links() -> None:
    """A link is followed by a reader, a script by the browser."""
    links = '<a href="https://x.example/">x</a><svg xmlns="http://www.w3.org/2000/svg">'
    assert loaded_from_outside(f'{links}<img src="data:image/png;base64,//8">') == []
    for loading in (
        '<script src="https://x.example/a.js">',
        "<img src=//x.example/a.png>",
        '<link rel="stylesheet" href="https://x.example/a.css">',
        "<style>@import 'https://x.example/a.css'</style>",
        "<style>b{background:url(https://x.example/a.png)}</style>",
    ):
        assert len(loaded_from_outside(links + loading)) == 1, loading


def test_a_bill_that_is_not_whole_is_found() -> None:
    """A bill that leaves a package out hides what is installed."""
    root = {"name": "klein-code-bench", "version": "1"}
    bill = {"metadata": {"component": root}, "components": [{"name": "click", "version": "8"}]}
    require_whole(read_bill(bill), {"klein-code-bench": "1", "click": "8"})
    for installed in ({"klein-code-bench": "1"}, {"klein-code-bench": "1", "click": "9"}):
        with pytest.raises(StepError, match="click"):
            require_whole(read_bill(bill), installed)


def test_the_readme_has_a_quick_start_to_play() -> None:
    """A section that is gone or empty would be played without fault."""
    text = (ROOT / "README.md").read_text("utf-8")
    played = blocks(section(text, "## Quick start"), ROOT)
    assert [block.language for block in played] == ["console", "console"]
    with pytest.raises(LookupError):
        section(text, "## Slow start")


@pytest.fixture
def dry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DryRun:
    """A dry run over a folder with what the tag would publish; commands are not executed."""
    for folder in ("dist", "dist/tagged"):
        (tmp_path / folder).mkdir()
        for end in ("-py3-none-any.whl", ".tar.gz"):
            (tmp_path / folder / f"{STEM}{end}").write_text("")
    (tmp_path / "dist/papers").mkdir()
    (tmp_path / "dist/papers/sbom.cdx.json").write_text("{}")
    monkeypatch.setattr(DryRun, "_run", lambda self, command: None)
    monkeypatch.setattr(DryRun, "_python", lambda self, version: version)
    return DryRun(tmp_path, TAG)


def test_every_step_of_the_workflow_is_tried(dry: DryRun) -> None:
    """The workflow as it is declared has no step that is first tried on the day of a release."""
    workflow = read_workflow(WORKFLOW)
    assert len([*dry.play(workflow)]) == sum(len(j["steps"]) for j in workflow["jobs"].values())


def _append(job: str, step: dict[str, Any]) -> Any:
    return lambda jobs: jobs[job]["steps"].append(step)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_append("build", {"run": "curl x"}), "nobody knows how to try"),
        (_append("build", {"uses": "someone/thing@v1"}), "nobody knows how to try"),
        (_append("build", {"uses": "actions/checkout"}), "nobody knows how to try"),
        (lambda jobs: jobs["publish"].pop("needs"), "which this job does not need"),
        (lambda jobs: jobs["publish"].update(needs="built"), "which is no job"),
        (lambda jobs: jobs["publish"].pop("permissions"), "id-token"),
        (lambda jobs: jobs["build"].pop("timeout-minutes"), "run for ever"),
        (lambda jobs: jobs["build"]["steps"][-2]["with"].update(path="no/"), "nothing to upload"),
        (lambda jobs: jobs["build"]["steps"][-2]["with"].update(path="dist/"), "would publish"),
        (lambda jobs: jobs["build"]["steps"][-2]["with"].update(name="d"), "nothing uploads"),
    ],
)
def test_a_workflow_that_would_fail_is_found_without_running_it(
    dry: DryRun, change: Any, said: str
) -> None:
    """Each of these would otherwise be seen only after a tag is published."""
    workflow = copy.deepcopy(read_workflow(WORKFLOW))
    change(workflow["jobs"])
    with pytest.raises(StepError, match=said):
        [*dry.play(workflow)]


def test_a_command_of_the_workflow_that_fails_is_found(tmp_path: Path) -> None:
    """Commands are executed, in their dry form."""
    jobs = {"build": {"timeout-minutes": 1, "steps": [{"run": "nox --session no-such-session"}]}}
    with pytest.raises(StepError, match="Sessions not found: no-such-session"):
        [*DryRun(ROOT, TAG).play({"jobs": jobs})]
