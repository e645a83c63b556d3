"""The batteries that are shipped: what is in them, and where their drills are from."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kcb_core.equality import same
from kcb_core.trial import Attribution, Channel
from kcb_suites.drills.battery import SHIPPED, Battery, find_batteries, read_battery
from kcb_suites.drills.bundling import bundle, required
from kcb_suites.drills.drill import Drill
from kcb_suites.drills.drill_checks import Guard

REPOSITORY = Path(__file__).parents[4]
SHELF = SHIPPED / "shelf/tool/shelf.py"

Shelf = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def batteries(codes: frozenset[str]) -> dict[str, Battery]:
    """All of them, by name."""
    found = [read_battery(folder, codes) for folder in find_batteries(None)]
    return {battery.name: battery for battery in found}


@pytest.fixture
def drills(batteries: dict[str, Battery]) -> list[Drill]:
    """Every drill of all of them."""
    return [drill for battery in batteries.values() for drill in battery.drills]


def test_there_are_enough_live_drills_about_two_tools(batteries: dict[str, Battery]) -> None:
    """One tool that is shipped for it, and this product's own command line."""
    live = {n: sum(d.level == 2 for d in b.drills) for n, b in batteries.items()}
    assert live["shelf"] >= 8
    assert live["klein-bench"] >= 4


def test_every_channel_is_probed_and_both_can_be_at_fault(drills: list[Drill]) -> None:
    """A battery that only ever blames the agent says nothing of its tool."""
    checks = [check for drill in drills for check in drill.checks]
    assert {check.channel for check in checks} == set(Channel)
    for drill in drills:
        assert {check.attribution for check in drill.checks} == set(Attribution), drill.drill
        assert any(isinstance(check, Guard) for check in drill.checks)


def test_no_prompt_gives_a_check_away(drills: list[Drill]) -> None:
    """Names of checks, codes and distractors are for authors alone."""
    for drill in drills:
        hidden = [check.check for check in drill.checks] + ["ERR_", "distractor", "drill"]
        assert [word for word in hidden if word in drill.prompt] == []


def test_sources_of_failures_are_commits_of_this_repository(drills: list[Drill]) -> None:
    """A drill that names an observed failure names one that can be looked up."""
    named = [d.failure_source for d in drills if d.failure_source is not msgspec.UNSET]
    assert named
    for source in named:
        commit = re.fullmatch(r"commit ([0-9a-f]{7,40})", source)
        if commit is None:
            continue
        if not (REPOSITORY / ".git").exists():
            pytest.skip("this is no clone")
        if _git("rev-parse", "--is-shallow-repository") == "true":
            pytest.skip("this clone has no history")
        assert _git("cat-file", "-t", commit[1]) == "commit"


def test_a_bundle_starts_alone_and_holds_only_what_is_required(tmp_path: Path) -> None:
    """An agent that could read answers or tests with the tool would be told too much."""
    program = bundle("kcb-runner", "klein-bench", tmp_path / "lib")
    names = {one.name for one in required("kcb-runner")}
    assert "kcb-core" in names
    assert not names & {"kcb-tasks", "kcb-references", "kcb-suites", "kcb-score"}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", str(program), "plugins", "--json"],
        capture_output=True,
        timeout=60,
        cwd=tmp_path,
        check=True,
    )
    found = [plugin["name"] for plugin in json.loads(done.stdout)]
    assert found == ["core", "runner"]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """The tool ``shelf`` in an empty folder, one call after the other."""

    def call(*words: str) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-I", str(SHELF), *words],
            cwd=tmp_path,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.stderr == b""
        said: dict[str, Any] = json.loads(done.stdout)
        assert done.returncode == (0 if said["ok"] else 4)
        return said

    return call


def test_shelf_keeps_archives_and_indexes(shelf: Shelf, tmp_path: Path) -> None:
    """The tool is a real one: its main ways work, and every refusal names a way on that works."""
    assert shelf("list")["error"]["hint"] == "shelf init"
    shelf("init")
    first = shelf("add", "--title", "Zwölf", "--tag", "n")["data"]
    shelf("add", "--title", "eins")
    assert [n["title"] for n in shelf("list")["data"]["notes"]] == ["eins", "Zwölf"]
    assert shelf("find", "Zwo\u0308lf")["data"]["notes"][0]["id"] == first["id"]
    refused = shelf("archive", "--tag", "n")["error"]
    assert refused["code"] == "plan_needed"
    plan = shelf(*refused["hint"].split()[1:])["data"]
    assert same(["Zwölf"], plan["would_archive"])
    assert shelf(*plan["apply"].split()[1:])["ok"]
    assert shelf("sync")["ok"]
    index = tmp_path / "INDEX.md"
    index.write_text(index.read_text().replace("- eins", "- one"))
    refused = shelf("sync")["error"]
    assert refused["code"] == "block_edited"
    assert shelf(*refused["hint"].split()[1:])["ok"]
    assert "- eins" in index.read_text()


def _git(*words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(REPOSITORY), *words], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()
