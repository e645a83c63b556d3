"""A stranger's family, installed beside the house: everything it needs comes through the hooks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parent.parent / "examples" / "kcb-hello"
TIERS = ("easy", "intermediate", "hard", "max")

pytestmark = pytest.mark.flow


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the example installed from a wheel, for the import path."""
    folder = tmp_path_factory.mktemp("installed")
    uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps"]
    subprocess.run([*uv, "--target", folder, EXAMPLE], check=True, timeout=300)
    return folder


def kcb(installed: Path, *words: str | Path, status: int = 0) -> str:
    """What a command prints when the example is installed; its exit status is checked."""
    argv = [sys.executable, "-m", "klein_code_bench", *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run(
        argv, capture_output=True, text=True, check=False, env=environment, timeout=300
    )
    assert done.returncode == status, f"{argv}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_it_declares_kcb_core_alone():
    """A family must need nothing else of ours."""
    text = (EXAMPLE / "pyproject.toml").read_text()
    assert 'dependencies = ["kcb-core>=0.1,<0.2"]' in text


def test_it_is_listed_in_all_four_tiers(installed):
    """Nobody had to edit a list for it."""
    listed = kcb(installed, "list").splitlines()
    assert [f"hello-{tier}-001-greeting" in listed for tier in TIERS] == [True] * 4
    assert "hello" in kcb(installed, "plugins")
    assert "hello-easy-001-greeting" not in kcb(installed, "--no-plugins", "list").splitlines()


def test_its_dataset_is_what_its_source_builds(installed, tmp_path):
    """The data that it ships is not stale, and the shipped dataset knows nothing of it."""
    kcb(installed, "build", "--families", "hello", "--output", tmp_path / "built")
    shipped = installed / "kcb_hello" / "data"
    for path in sorted((tmp_path / "built").iterdir()):
        assert path.read_bytes() == (shipped / path.name).read_bytes(), path.name


def test_its_reference_passes_the_houses_own_gate(installed, tmp_path):
    """Every reference resolves its task, and every empty project fails it."""
    data = installed / "kcb_hello" / "data"
    summary = tmp_path / "summary.json"
    kcb(installed, "validate", "--dataset", data, "--output", summary)
    tiers = json.loads(summary.read_text())["tiers"]
    assert [tier["references_resolved"] for tier in tiers] == [1, 1, 1, 1]
    assert [tier["empties_failed"] for tier in tiers] == [1, 1, 1, 1]


def test_a_project_for_it_is_prepared_judged_and_scored(installed, tmp_path):
    """Its tasks are tasks like any other."""
    task = "hello-max-001-greeting"
    kcb(installed, "prepare", task, "--output", tmp_path / "workspace")
    assert "Greets people." in (tmp_path / "workspace" / "PROMPT.md").read_text()
    kcb(installed, "reference", task, "--output", tmp_path / "project")
    report = tmp_path / "report.json"
    kcb(installed, "evaluate", task, "--solution", tmp_path / "project", "--output", report)
    assert json.loads(report.read_text())["plugins"]["kcb-hello"] == "0.1.0"
    kcb(installed, "score", report)
