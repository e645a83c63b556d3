"""Exported tasks in the real Harbor, over Podman: who hands in a reference is rewarded, an empty
hand is not, and both reports are like any other.

The session ``harbor`` makes what is needed: ``KCB_HARBOR`` names a folder with Harbor's own
environment ``venv`` and the folder ``wheels``, and the image is there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import open_dataset
from kcb_core.report import Outcome, dataset_stamp, read_report

TASKS = ("kcb-easy-001-word-frequency", "kcb-easy-002-paragraph-justify")

IMAGE = "localhost/kcb-harbor"

PATIENCE_S = 1200
"""For one job of two trials, on a busy machine."""

pytestmark = pytest.mark.harbor


def klein_bench(*words: object) -> None:
    """Run a command as a user does."""
    subprocess.run([sys.executable, "-m", "kcb_core", *map(str, words)], check=True, timeout=300)


@pytest.fixture(scope="module")
def tools() -> Path:
    """The folder that the session made."""
    return Path(os.environ["KCB_HARBOR"])


@pytest.fixture(scope="module")
def tasks(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tasks with their references, exported."""
    folder = tmp_path_factory.mktemp("export")
    for task in TASKS:
        klein_bench("reference", task, "--output", folder / "solutions" / task)
    klein_bench(
        *("experiment", "export", *TASKS, "--output", folder / "tasks", "--image", IMAGE),
        *("--wheels", tools / "wheels", "--solutions", folder / "solutions"),
    )
    return folder / "tasks"


@pytest.mark.parametrize(("agent", "reward"), [("oracle", 1.0), ("nop", 0.0)])
def test_an_agent_gets_what_it_earned(
    tools: Path, tasks: Path, tmp_path: Path, agent: str, reward: float
) -> None:
    """Reward, exceptions and reports of both trials, as Harbor stored them."""
    programs = tools / "venv" / "bin"
    environment = {
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # it would be fetched
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
    }
    words = [programs / "harbor", "run", "--path", tasks, "--agent", agent, "--env", "podman"]
    words += ["--n-concurrent", "1", "--no-delete", "--yes", "--quiet", "--jobs-dir", tmp_path]
    subprocess.run(
        [*map(str, words), "--job-name", "job"],
        check=True,
        stdin=subprocess.DEVNULL,
        env=environment,
        timeout=PATIENCE_S,
    )
    trials = [path.parent for path in sorted(tmp_path.glob("job/*/result.json"))]
    results = [json.loads((trial / "result.json").read_text()) for trial in trials]
    assert [result["exception_info"] for result in results] == [None, None]
    assert [result["verifier_result"]["rewards"] for result in results] == [{"reward": reward}] * 2
    reports = [read_report(trial / "verifier" / "report.json") for trial in trials]
    assert [report.task_id for report in reports] == list(TASKS)
    earned = Outcome.RESOLVED if reward else Outcome.FAILED
    assert [report.outcome for report in reports] == [earned] * 2
    shipped = dataset_stamp(open_dataset(open_source(load_catalog(), "kcb").folder))
    assert {report.dataset.manifest_sha256 for report in reports} == {shipped.manifest_sha256}
