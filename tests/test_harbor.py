"""The real Harbor, over Podman: who hands in a reference is rewarded, an empty hand is not, and
both reports are like any other; by hand with exported tasks, and as the cells of an experiment.

The session ``harbor`` makes what is needed: ``KCB_HARBOR`` names Harbor's command in an environment
of its own, ``KCB_HARBOR_WHEELS`` a folder of wheels, and the image is there.
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
from kcb_experiments.frozen import read_experiment
from kcb_experiments.log import read_log
from kcb_experiments.records import Status
from kcb_experiments.results import derive

TASKS = ("kcb-easy-001-word-frequency", "kcb-easy-002-paragraph-justify")

IMAGE = "localhost/kcb-harbor"

PATIENCE_S = 1200
"""For one job of two trials, on a busy machine."""

RETRIES = "2"
"""On a busy machine podman-compose sometimes hears nothing of Podman. Harbor tries again only what
failed before an agent or a verifier had its say."""

SPEC = f"""\
name = "trials"
[benchmark]
dataset = "kcb"
tasks = ["{TASKS[0]}"]
[budget]
seconds = 10_000
[executor]
name = "harbor"
settings = {{{{ environment = "podman", image = "{IMAGE}", solutions = "{{solutions}}" }}}}
[verifier]
name = "harbor"
[[subjects]]
name = "right"
agent = "harbor"
slot = "harbor"
options = {{{{ agent = "oracle" }}}}
bounds = {{{{ seconds = 600 }}}}
[[subjects]]
name = "idle"
agent = "harbor"
slot = "harbor"
options = {{{{ agent = "nop" }}}}
bounds = {{{{ seconds = 600 }}}}
"""

pytestmark = pytest.mark.harbor


def klein_bench(*words: object) -> None:
    """Run a command as a user does."""
    subprocess.run([sys.executable, "-m", "kcb_core", *map(str, words)], check=True, timeout=300)


@pytest.fixture(scope="module")
def solutions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The references of two tasks."""
    folder = tmp_path_factory.mktemp("solutions")
    for task in TASKS:
        klein_bench("reference", task, "--output", folder / task)
    return folder


@pytest.fixture(scope="module")
def tasks(solutions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tasks with their references, exported."""
    folder = tmp_path_factory.mktemp("export") / "tasks"
    klein_bench(
        *("experiment", "export", *TASKS, "--output", folder, "--image", IMAGE),
        *("--wheels", os.environ["KCB_HARBOR_WHEELS"], "--solutions", solutions),
    )
    return folder


@pytest.mark.parametrize(("agent", "reward"), [("oracle", 1.0), ("nop", 0.0)])
def test_an_agent_gets_what_it_earned(
    tasks: Path, tmp_path: Path, agent: str, reward: float
) -> None:
    """Reward, exceptions and reports of both trials, as Harbor stored them."""
    program = Path(os.environ["KCB_HARBOR"])
    environment = {
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # it would be fetched
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
    }
    words = [program, "run", "--path", tasks, "--agent", agent, "--env", "podman"]
    words += ["--n-concurrent", "1", "--no-delete", "--yes", "--quiet", "--jobs-dir", tmp_path]
    words += ["--max-retries", RETRIES]
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


def test_an_experiment_runs_there(solutions: Path, tmp_path: Path) -> None:
    """Both agents come to a valid attempt each, with what the trial's own report says."""
    spec, out = tmp_path / "spec.toml", tmp_path / "out"
    spec.write_text(SPEC.format(solutions=solutions))
    for more in ((), ("--retry", "void")):
        words = map(str, ("experiment", "run", spec, "--out", out, *more))
        subprocess.run([sys.executable, "-m", "kcb_core", *words], check=False, timeout=PATIENCE_S)
    results = derive(read_experiment(out), read_log(out).attempts)
    assert results.complete
    last = {each.start.cell: each for each in read_log(out).attempts}
    found = {cell.rpartition("/")[2]: (a.status, a.score) for cell, a in last.items()}
    assert found == {"right": (Status.COMPLETED, 1.0), "idle": (Status.COMPLETED, 0.0)}
    assert {a.end.deployment["image"] for a in last.values() if a.end} == {IMAGE}
