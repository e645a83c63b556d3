"""What every distribution must carry, and that the versions in this tree fit each other."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from kcb_agents.egress.component import PIN

ROOT = Path(__file__).parent.parent
PROJECTS: dict[str, dict[str, Any]] = {
    path.parent.name: tomllib.loads(path.read_text())["project"]
    for path in sorted(ROOT.glob("packages/*/pyproject.toml"))
}
PACKAGES = tuple(PROJECTS)

#: Which external programs there are toolchains of.
TOOLCHAINS = ROOT / "packages/kcb-agents/src/kcb_agents/toolchain/toolchains.toml"

#: The umbrella; it registers nothing of its own.
WITHOUT_PLUGIN = {"klein-code-bench"}


def requirements(project: dict[str, Any]) -> list[Requirement]:
    """All requirements of a project, those of its extras included."""
    extras = project.get("optional-dependencies", {}).values()
    lines = [*project["dependencies"], *(line for group in extras for line in group)]
    return [Requirement(line) for line in lines]


def test_the_nine_distributions_are_here() -> None:
    """The glob that all these tests stand on must not silently find nothing."""
    assert len(PACKAGES) == 9


def test_the_default_set_makes_pages() -> None:
    """Whoever runs what the README says, from packages or from a clone, is promised a page."""
    extras = {one.name: one.extras for one in requirements(PROJECTS["klein-code-bench"])}
    assert extras["kcb-score"] == {"pages"}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_carries_its_files(name: str) -> None:
    """Each is published alone, so each has its own page, changes, licence and type marker."""
    folder = ROOT / "packages" / name
    module = folder / "src" / name.replace("-", "_")
    wanted = ("README.md", "CHANGELOG.md", "LICENSE", module / "__init__.py", module / "py.typed")
    assert [str(file) for file in wanted if not (folder / file).is_file()] == []


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_has_the_licence_of_the_repository(name: str) -> None:
    """Nine copies of one text must stay one text."""
    licence = (ROOT / "packages" / name / "LICENSE").read_text()
    assert licence == (ROOT / "LICENSE").read_text()


@pytest.mark.parametrize("name", PACKAGES)
def test_a_version_is_plain_and_stands_in_one_place(name: str) -> None:
    """A version is three numbers in pyproject.toml; source that repeats it would go stale."""
    version = PROJECTS[name]["version"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    sources = (ROOT / "packages" / name / "src").rglob("*.py")
    assert [str(path) for path in sources if "__version__ =" in path.read_text()] == []


@pytest.mark.parametrize("name", PACKAGES)
def test_a_changelog_starts_with_what_is_next_or_with_this_version(name: str) -> None:
    """A release moves the entries under its version, so nothing else can be on top."""
    text = (ROOT / "packages" / name / "CHANGELOG.md").read_text()
    headings = re.findall(r"^## \[?([^\s\]]+)", text, re.MULTILINE)
    assert headings[:1] in (["Unreleased"], [PROJECTS[name]["version"]])


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_registers_through_one_entry_point(name: str) -> None:
    """Built-in things come through the door that a stranger's plug-in uses, and only through it."""
    points = PROJECTS[name].get("entry-points", {}).get("kcb", {})
    if name in WITHOUT_PLUGIN:
        assert points == {}
        return
    module = name.replace("-", "_")
    assert points == {name.removeprefix("kcb-"): f"{module}.plugin"}
    assert (ROOT / "packages" / name / "src" / module / "plugin.py").is_file()


@pytest.mark.parametrize("name", PACKAGES)
def test_sibling_ranges_have_both_ends_and_admit_the_present_sibling(name: str) -> None:
    """A range without an end breaks later, one that excludes the present sibling breaks now."""
    for requirement in requirements(PROJECTS[name]):
        if requirement.name not in PROJECTS:
            continue
        assert {part.operator for part in requirement.specifier} == {">=", "<"}, str(requirement)
        version = Version(PROJECTS[requirement.name]["version"])
        assert requirement.specifier.contains(version), f"{requirement} excludes {version}"


@pytest.mark.parametrize("name", PACKAGES)
def test_every_outside_requirement_has_a_floor(name: str) -> None:
    """The ``minimums`` session can only try the lowest versions if there are some."""
    for requirement in requirements(PROJECTS[name]):
        operators = {part.operator for part in requirement.specifier}
        assert operators & {">=", "~="}, str(requirement)


def test_presets_name_the_versions_that_are_tested() -> None:
    """The toolchains of programs, their presets and the page on them say the same."""
    pins = programs_of_toolchains()
    folder = ROOT / "packages/kcb-agents/src/kcb_agents/command/presets"
    presets = {path.stem: path.read_text() for path in folder.glob("*.toml")}
    page = (ROOT / "docs/how-to/bring-your-own-agent.md").read_text()
    assert set(pins) == set(presets)
    for name, pin in pins.items():
        version = re.split(r"==|(?<=\w)@", pin)[-1]
        assert pin in presets[name]
        assert f"tested with {version}" in presets[name]
        assert re.search(rf"^\| `{name}` \|.*\| {re.escape(version)} \|$", page, re.MULTILINE)


def programs_of_toolchains() -> dict[str, str]:
    """External programs by name, each pinned as its toolchain is locked."""
    given = tomllib.loads(TOOLCHAINS.read_text())
    return {name: wanted[0] for name, wanted in given["pip"].items()} | given["npm"]


def test_every_page_names_the_egress_proxy_by_its_pin() -> None:
    """Another version is refused, so that a page with one would not work."""
    pages = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("packages/*/*.md")]
    pages += ROOT.glob("packages/kcb-*/src/**/spec.py")
    named = {pin for page in pages for pin in re.findall(r"mitmproxy==[\w.]+\w", page.read_text())}
    assert named == {PIN}
