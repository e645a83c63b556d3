"""Experiments from a spec to a page, as a user runs them, with a scripted provider."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from kcb_agents.testing.provider import Provider
from kcb_agents.testing.scripted_answer import Said
from kcb_core.catalog import load_catalog, open_source
from kcb_core.dataset import open_dataset
from kcb_core.selection import freeze_selection, write_selection
from kcb_core.task import Task
from kcb_references.export import project_files

ROOT = Path(__file__).parent.parent
SPECS = ROOT / "examples" / "experiments"
WRITTEN = "http://127.0.0.1:8080/v1"
RIGHT = "kcb-easy-001-word-frequency"
WRONG = "kcb-easy-033-loan-amortization"
pytestmark = pytest.mark.flow


def klein_bench(*words: str | Path, status: int = 0, folder: Path | None = None) -> str:
    """What a command prints on standard output; its exit status is checked."""
    argv = [str(Path(sys.executable).with_name("klein-bench")), *map(str, words)]
    done = subprocess.run(
        argv, capture_output=True, text=True, check=False, timeout=280, cwd=folder
    )
    assert done.returncode == status, f"{argv}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def files_of(task: Task) -> dict[str, str]:
    """The known-good program of a task."""
    domains = {each.family: each.domain for each in load_catalog().references()}
    return project_files("easy", domains[f"kcb/{task.family}"].read_text())


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """Answers one task with the program that is right, and any other with one that is not."""
    dataset = open_dataset(open_source(load_catalog(), "kcb").folder)
    task = dataset.task(RIGHT)
    blocks = [f"### {path}\n````python\n{text}````\n" for path, text in files_of(task).items()]
    title = task.prompt.split("\n", 1)[0]

    def answer(prompt: str) -> Said:
        if '"done"' in prompt:  # the loop's contract, which wants actions
            return Said(content='{"done": true}')
        right = title in prompt
        return Said(content="\n".join(blocks) if right else "### main.py\n```python\n0\n```\n")

    with Provider(usual=answer).serving() as serving:
        yield serving


def spec_for(name: str, provider: Provider, folder: Path) -> Path:
    """A checked-in spec, asking the scripted provider."""
    path = folder / f"{name}.toml"
    path.write_text((SPECS / f"{name}.toml").read_text().replace(WRITTEN, provider.url))
    return path


@pytest.mark.parametrize(
    ("name", "arms"), [("single", 1), ("head-to-head", 2), ("cohort", 4), ("replay", 2)]
)
def test_a_checked_in_spec_is_planned_as_it_says(name: str, arms: int, tmp_path: Path) -> None:
    """What is shown before anything is paid is what will be run; the environment has no part."""
    plan = json.loads(klein_bench("experiment", "plan", SPECS / f"{name}.toml", "--json"))
    assert len(plan["arms"]) == arms
    assert plan["cells"] == plan["tasks"] * plan["repetitions"] * arms


def test_a_spec_goes_from_plan_to_page(provider: Provider, tmp_path: Path) -> None:
    """Plan, run, results, pair, judge again, page: each reads what the one before has left."""
    spec, out = spec_for("head-to-head", provider, tmp_path), tmp_path / "out"
    klein_bench("experiment", "plan", spec)
    klein_bench("experiment", "run", spec, "--out", out)
    log = (out / "attempts.jsonl").read_bytes()
    found = json.loads(klein_bench("experiment", "results", out, "--json"))
    once, loop = found["arms"]
    assert found["complete"]
    assert (once["resolved"], loop["resolved"]) == (1, 0)
    assert once["charged"]["tokens"] > 0
    assert once["charged"]["dollars"] > 0
    klein_bench("experiment", "pair", f"{out}:once", f"{out}:loop")
    made = [json.loads(path.read_text())["run_record"] for path in out.rglob("report.json")]
    assert {record["budget"] for record in made} == {"300 s, 60000 tokens"}
    paid = sum(record["cost"]["dollars"] for record in made)
    assert paid == pytest.approx(sum(arm["charged"]["dollars"] for arm in found["arms"]))
    klein_bench("experiment", "page", out)
    page = (out / "report.html").read_text()
    assert "budgets differ" not in page
    assert "made up for this example" in page
    asked = len(provider.requests)
    klein_bench("experiment", "run", spec, "--out", out)
    assert len(provider.requests) == asked, "a finished cell was asked again"
    assert (out / "attempts.jsonl").read_bytes().startswith(log)
    said = klein_bench("experiment", "regrade", out)
    assert said == "4 of 4 projects judged again, 0 otherwise\n"
    assert len(provider.requests) == asked


def block_below(page: str, heading: str) -> list[str]:
    """The commands of the first block of a page below a heading."""
    text = (ROOT / "docs" / "how-to" / page).read_text("utf-8")
    return (
        text.split(f"## {heading}\n", 1)[1].split("```sh\n", 1)[1].split("```", 1)[0].splitlines()
    )


def test_an_experiment_without_a_model_does_what_the_page_says(tmp_path: Path) -> None:
    """A newcomer types these lines, in a clone and with no model anywhere near."""
    out, said = str(tmp_path / "tried-out"), {}
    for line in block_below("run-an-experiment.md", "Try one without a model"):
        program, *words = line.replace("tried-out", out).split()
        assert program == "klein-bench"
        said[words[1]] = klein_bench(*words, folder=ROOT)
    assert "subjects 2 = 20 cells" in said["plan"]
    assert "20 of 20 cells have a valid attempt" in said["run"]
    assert "second less first: +40.0 points [-8.4, +59.4]" in said["pair"]
    results = json.loads(klein_bench("experiment", "results", out, "--json"))
    resolved = {arm["subject"]: arm["resolved"] for arm in results["arms"]}
    assert resolved == {"hasty": 6, "careful": 10}
    assert (tmp_path / "tried-out" / "report.html").exists()
    for line in block_below("compare-two-models.md", "Let an experiment make both"):
        klein_bench(*line.replace("tried-out", out).split()[1:], folder=ROOT)
    compared = klein_bench("compare", f"{out}/attempts", "--selection", "easy@10", "--json")
    difference = json.loads(compared)["pairs"][0]["overall"]["difference"]
    assert abs(difference) == pytest.approx(0.4)


def test_one_command_goes_from_a_model_to_a_score(provider: Provider, tmp_path: Path) -> None:
    """``run`` generates, judges and scores, and leaves a page where pages can be made."""
    selection = tmp_path / "two.json"
    dataset = open_dataset(open_source(load_catalog(), "kcb").folder)
    write_selection(freeze_selection(dataset.manifest, (RIGHT, WRONG)), selection)
    words = ("run", "--agent", "one-shot", "--base-url", provider.url, "--model", "org/scripted:1",
             "--subset", selection, "--out", tmp_path / "out", "--jobs", "2")  # fmt: skip
    said = klein_bench(*words)
    assert "scripted-1" in said
    page = tmp_path / "out" / "report.html"
    drawn = bool(find_spec("vl_convert") and find_spec("jinja2"))
    assert page.exists() == drawn
    cells = sorted((tmp_path / "out" / "cells" / "scripted-1").glob("*.html"))
    assert [cell.stem for cell in cells] == (sorted((RIGHT, WRONG)) if drawn else [])
    assert all("Turn 1<" in cell.read_text() for cell in cells)
    assert all(f"cells/scripted-1/{cell.name}" in page.read_text() for cell in cells)
