"""The checked-in experiments of external programs: what they freeze, and from plan to page.

Stand-ins play the programs wherever these are not installed: they are started by the presets' own
command lines, confined and metered as the programs are. The session ``cohorts`` has the real ones.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from kcb_agents.command.choices import CommandOptions
from kcb_agents.command.declaration import preset_names
from kcb_agents.options import read_options
from kcb_agents.testing.provider import Provider
from kcb_agents.testing.scripted_answer import Said
from kcb_core.catalog import load_catalog
from kcb_experiments.frozen import Experiment, freeze
from kcb_experiments.plan import make_plan
from kcb_experiments.spec import Subject, read_spec
from kcb_runner.machine import interpreter
from presets.driving import Driver, references
from presets.playing import easy_tasks

SPECS = Path(__file__).parent.parent / "examples" / "experiments"
ARMS = {"programs-single": 1, "programs-head-to-head": 2, "programs-cohort": 4}
WRITTEN = "http://127.0.0.1:8080/v1"
INSTALLED = "/opt/kcb/"
SUBSET = 'subset = "easy@20"'
TASKS = 1
CLOSED, BUILT = 'verify = "closed"', 'verify = "built"'

STAND_IN = """
import json, os, re, sys, urllib.request

told = "\\n".join([*sys.argv, *os.environ.values()])
ends = ("prompt.md", "settings.json")
told += "".join(open(word).read() for word in told.splitlines() if word.endswith(ends))
url = re.search(r"http://127\\.0\\.0\\.1:\\d+", told)[0] + "/v1/chat/completions"
key = os.environ.get("OPENAI_API_KEY") or os.environ["ANTHROPIC_AUTH_TOKEN"]
body = {"model": "small-model", "messages": [{"role": "user", "content": told}]}
request = urllib.request.Request(url, json.dumps(body).encode(), {"Authorization": "Bearer " + key})
answer = json.load(urllib.request.urlopen(request, timeout=60))
for path, text in json.loads(answer["choices"][0]["message"]["content"]).items():
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
"""
"""A program that finds the proxy in whatever it is told, and writes the files that it is given."""

STARTED = ("bin/aider", "bin/mini", "bin/node", "node_modules/opencode-ai/bin/opencode.exe")
"""What the presets start, below their toolchains."""


def frozen(name: str) -> Experiment:
    """A checked-in experiment as it would be run."""
    return freeze(read_spec(SPECS / f"{name}.toml"), load_catalog(), beside=SPECS)


def options_of(subject: Subject) -> CommandOptions:
    """What a subject tells its agent."""
    return read_options(subject.options, CommandOptions, agent=subject.agent)


@pytest.mark.parametrize("name", ARMS)
def test_a_checked_in_experiment_is_planned_and_never_costs_more_than_its_budget(name: str) -> None:
    """What it may come to is known before anything is asked, and there is room for all of it."""
    experiment = frozen(name)
    plan = make_plan(experiment)
    assert len(plan.arms) == ARMS[name]
    assert plan.cells == 20 * ARMS[name]
    assert not plan.unbounded
    caps = experiment.budget.capped
    assert set(caps) == {"tokens", "dollars"}
    assert all(getattr(plan.at_most, what) == pytest.approx(caps[what]) for what in caps)


@pytest.mark.parametrize("name", ARMS)
def test_a_checked_in_experiment_leaves_nothing_to_what_happens_to_be_there(name: str) -> None:
    """Dataset, executor, endpoint, model, program, its place, what it can see, and its effort."""
    spec, experiment = read_spec(SPECS / f"{name}.toml"), frozen(name)
    assert spec.benchmark.manifest_sha256 == experiment.dataset.manifest_sha256
    (executor,) = (e for e in load_catalog().executors() if e.name == spec.executor.name)
    assert spec.executor.version == executor.version
    for subject in experiment.subjects:
        options = options_of(subject)
        assert {"base_url", "model", "api", "api_key_env"} == set(subject.settings)
        assert (subject.name, options.confine) == (options.program, "full")
        assert options.verify == "closed"
        assert options.toolchain == INSTALLED + subject.name
        assert options.effort == subject.options["effort"] == options.declaration().effort
        assert options.declaration().show == ("{toolchain}",)
        assert options.tokens == subject.bounds.tokens
    one = experiment.subjects[0]
    assert all((s.bounds, s.price) == (one.bounds, one.price) for s in experiment.subjects)


def test_every_preset_has_its_part_in_a_checked_in_experiment() -> None:
    """A program that is declared here can be compared by what is here."""
    subjects = (subject for name in ARMS for subject in frozen(name).subjects)
    assert {options_of(subject).program for subject in subjects} == set(preset_names())


def here(
    name: str, provider: Provider, toolchains: Path, folder: Path, verify: str = CLOSED
) -> Path:
    """A checked-in spec at this machine's addresses, with few tasks."""
    tasks = [task.task_id for task in easy_tasks(TASKS)]
    text = (SPECS / f"{name}.toml").read_text()
    for written, real in (
        (WRITTEN, provider.url),
        (INSTALLED, f"{toolchains}/"),
        (SUBSET, f"tasks = {json.dumps(tasks)}"),
        (CLOSED, verify),
    ):
        assert written in text
        text = text.replace(written, real)
    path = folder / f"{name}.toml"
    path.write_text(text)
    return path


def klein_bench(*words: str | Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    """What became of a command; its exit status is checked."""
    argv = [str(Path(sys.executable).with_name("klein-bench")), *map(str, words)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == status, f"{argv}\n{done.stdout}\n{done.stderr}"
    return done


def plan_to_page(name: str, spec: Path, out: Path) -> None:
    """Plan, preflight and run, results, pair, page: every arm resolves every task."""
    klein_bench("experiment", "plan", spec)
    klein_bench("experiment", "run", spec, "--out", out)
    found = json.loads(klein_bench("experiment", "results", out, "--json").stdout)
    assert found["complete"]
    assert len(found["arms"]) == ARMS[name]
    assert {arm["resolved"] for arm in found["arms"]} == {TASKS}
    assert all(arm["charged"]["tokens"] > 0 for arm in found["arms"])
    if ARMS[name] > 1:
        one, other = (arm["subject"] for arm in found["arms"][:2])
        klein_bench("experiment", "pair", f"{out}:{one}", f"{out}:{other}")
    if find_spec("vl_convert") and find_spec("jinja2"):
        klein_bench("experiment", "page", out, "--output", out / "page.html")
        assert all(arm["subject"] in (out / "page.html").read_text() for arm in found["arms"])


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Toolchains of all presets, with the stand-in wherever one starts a program."""
    folder = tmp_path_factory.mktemp("toolchains")
    for name in preset_names():
        for place in STARTED:
            path = folder / name / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"#!{interpreter()} -I\n{STAND_IN}")
            path.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def giving() -> Iterator[Provider]:
    """A provider that gives the stand-ins the program that is right."""
    known = references(easy_tasks(TASKS))

    def answer(prompt: str) -> Said:
        found = [files for title, files in known.items() if title in prompt]
        return Said(content=json.dumps(found[0]))

    with Provider(usual=answer).serving() as serving:
        yield serving


@pytest.mark.flow
@pytest.mark.parametrize("name", ARMS)
def test_stand_ins_go_from_plan_to_page(
    name: str,
    giving: Provider,
    stand_ins: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The presets' own command lines are started, and told the effort that is frozen."""
    monkeypatch.setenv("PROVIDER_API_KEY", "sk-planted-0123456789")
    giving.requests.clear()
    plan_to_page(name, here(name, giving, stand_ins, tmp_path, BUILT), tmp_path / "out")
    told = [body["messages"][0]["content"] for body in giving.requests]
    assert len(told) == TASKS * ARMS[name]
    efforts = {options_of(subject).effort for subject in frozen(name).subjects}
    assert all(any(effort in text for effort in efforts) for text in told)


@pytest.mark.flow
def test_without_its_key_nothing_is_started(
    giving: Provider, stand_ins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The preflight names the variable, and no program is asked anything."""
    monkeypatch.delenv("PROVIDER_API_KEY", raising=False)
    giving.requests.clear()
    spec = here("programs-single", giving, stand_ins, tmp_path, BUILT)
    done = klein_bench("experiment", "run", spec, "--out", tmp_path / "out", status=2)
    assert "PROVIDER_API_KEY" in done.stderr
    assert not giving.requests


@pytest.mark.flow
def test_without_its_toolchains_nothing_is_started(
    giving: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The preflight names every arm that lacks one, and no program is asked anything."""
    monkeypatch.setenv("PROVIDER_API_KEY", "sk-planted-0123456789")
    giving.requests.clear()
    spec = here("programs-head-to-head", giving, tmp_path / "nowhere", tmp_path)
    done = klein_bench("experiment", "run", spec, "--out", tmp_path / "out", status=2)
    assert "claude-code" in done.stderr
    assert not giving.requests


@pytest.mark.cohorts
@pytest.mark.parametrize("name", ARMS)
def test_real_programs_go_from_plan_to_page(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each hands in a reference by its own tools, beside the others of its group."""
    installed = Path(os.environ.get("KCB_PROGRAMS", "/nonexistent"))
    if not installed.is_dir():
        pytest.skip("no programs are installed below KCB_PROGRAMS; see nox -s cohorts")
    monkeypatch.setenv("PROVIDER_API_KEY", "sk-planted-0123456789")
    with Driver(known=references(easy_tasks(TASKS))).serving() as driver:
        plan_to_page(name, here(name, driver, installed, tmp_path), tmp_path / "out")
