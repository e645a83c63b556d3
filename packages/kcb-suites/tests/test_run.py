"""``suite run`` as a user calls it: real agents in real sandboxes, real graders, real kills."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.endpoint.conversation import ToolCall
from kcb_agents.testing.provider import Provider
from kcb_core.codec import encode
from kcb_core.report import TaskReport, read_report
from kcb_experiments.attempts import Attempt
from kcb_experiments.log import read_log
from kcb_suites.fixture import tree_sha256
from kcb_suites.testing.tiny_tree import FILES, TASK, write, write_manifest
from kcb_suites.tree import Tree
from kcb_suites.vendoring import vendor

pytestmark = pytest.mark.workspace

OTHER, BROKEN = "fix-other", "fix-broken"
MARK = "7391" + "5082"
"""Stands in graders alone; whoever finds it has found one."""

CRASH = 'raise OSError("the grader has a fault")\n'
MEND = "printf 'def total(numbers):\\n    return sum(numbers)\\n' > total.py"


@dataclass(slots=True)
class Lab:
    """A tree of tasks, scripts for agents, and ``klein-bench`` in processes of its own."""

    folder: Path
    scripts: dict[str, list[str]] = field(default_factory=dict)
    """Commands of the action loop by task; the usual one mends the fault."""

    @property
    def root(self) -> Path:
        """The tree."""
        return self.folder / "tree"

    @property
    def out(self) -> Path:
        """The folder of the run."""
        return self.folder / "out"

    def build(self, *ids: str, **changed: Any) -> None:
        """Write the tree, its manifest and the scripts; every task is a copy of the tiny one."""
        for task_id in ids:
            files = {name.replace(TASK, task_id): text for name, text in FILES.items()}
            grade = f"graders/{task_id}/grade.py"
            files[grade] = CRASH if task_id == BROKEN else f"{files[grade]}# {MARK}\n"
            files[f"scripts/{task_id}.json"] = self._script(task_id)
            write(self.root, files)
        manifest = {"schema_version": 1, "kind": "suite", "id": "tiny", "title": "A tiny suite"}
        more = changed.pop("tasks", {})
        tasks = [self.task(task_id, **more) for task_id in ids]
        write_manifest(self.root, manifest | {"tasks": tasks} | changed)
        vendor(Tree.at(self.root))

    def task(self, task_id: str, **changed: Any) -> dict[str, Any]:
        """One task of the manifest."""
        fixture = f"fixtures/{task_id}"
        pinned = {"path": fixture, "tree_sha256": tree_sha256(self.root / fixture)}
        return {
            "id": task_id,
            "title": "Sums",
            "tags": ["bug-fix", "python"],
            "runtimes": ["python"],
            "fixture": pinned,
            "grader": f"graders/{task_id}",
            "prompt": "Our totals are wrong for some lists. Mend total.py.",
        } | changed

    def _script(self, task_id: str) -> str:
        commands = self.scripts.get(task_id, [MEND])
        actions = [*({"command": command} for command in commands), {"done": True}]
        script = {"kind": "replay", "format": 1, "agent": "action-loop", "actions": actions}
        return encode(script).decode()

    def start(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        """``klein-bench`` with these words, in a process of its own."""
        own = {"XDG_RUNTIME_DIR": str(self.folder / "run"), **environment}
        return subprocess.Popen(
            [str(Path(sys.executable).with_name("klein-bench")), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | own,
        )

    def call(self, *words: str, status: int = 0, **environment: str) -> str:
        """Call it, check the exit status, and give what was said."""
        process = self.start(*words, **environment)
        out, err = process.communicate(timeout=120)
        assert process.returncode == status, out + err
        return out + err

    @property
    def usual(self) -> tuple[str, ...]:
        """The words of a run that plays the scripts."""
        scripts = ("--agent-option", f"script={self.root / 'scripts'}")
        return ("suite", "run", str(self.root), "--agent", "replay", *scripts, "-o", str(self.out))

    def run(self, *words: str, status: int = 0, **environment: str) -> str:
        """Play the scripts of all tasks."""
        return self.call(*self.usual, *words, status=status, **environment)

    def attempts(self) -> dict[str, list[Attempt]]:
        """All attempts so far, by task."""
        found: dict[str, list[Attempt]] = {}
        for attempt in read_log(self.out).attempts:
            found.setdefault(attempt.start.cell.partition("/")[0], []).append(attempt)
        return found

    def report(self, task_id: str) -> TaskReport:
        """The one report of a task."""
        found = map(read_report, self.out.glob("attempts/*/*/report.json"))
        (report,) = (report for report in found if report.task_id == task_id)
        return report

    def generation(self) -> dict[str, Any]:
        """What is stored of how the one project was made."""
        (path,) = self.out.glob("attempts/*/*/generation.json")
        stored: dict[str, Any] = json.loads(path.read_bytes())
        return stored

    def project(self, name: str) -> str:
        """A file of the one project that is kept."""
        (path,) = self.out.glob(f"projects/*/{name}")
        return path.read_text()


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """Nothing built yet."""
    (tmp_path / "run").mkdir()
    return Lab(tmp_path)


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A real HTTP server on loopback that answers by a script."""
    provider = Provider()
    with provider.serving():
        yield provider


def test_three_tasks_are_solved_failed_and_void(lab: Lab) -> None:
    """Each by its grader's verdict, in the same records, scores and page as any other task."""
    lab.scripts[OTHER] = ["echo '# no change' >> total.py"]
    lab.build(TASK, OTHER, BROKEN)
    said = lab.run(status=3)
    solved, failed = lab.report(TASK), lab.report(OTHER)
    assert (solved.outcome, solved.passed, solved.total) == ("resolved", 1, 1)
    assert (solved.subset, solved.category, solved.dataset.kind) == ("suite", "bug-fix", "suite")
    assert solved.dataset.totals == {"suite": 3}
    assert failed.failure is not None
    assert failed.failure.kind == "wrong_response"
    assert any("expected" in problem for problem in failed.scenarios[0].problems)
    assert failed.failure.reason.startswith(failed.scenarios[0].problems[0])
    (void,) = lab.attempts()[BROKEN]
    assert (void.status, void.cause, void.score) == ("void", "infrastructure", None)
    assert "the grader has a fault" in (void.end.reason if void.end else "")
    assert "suite tiny, of kind suite: 3 tasks" in said
    assert "1/3" in said, "what is void may be resolved yet, and is missing until then"
    page = (lab.out / "report.html").read_text()
    assert "resolved tasks by tag" in page
    assert "all tiers" not in page
    assert not list(lab.out.glob("attempts/*/*/start")), "what an agent starts from is not kept"


def test_the_task_s_budget_reaches_the_agent(lab: Lab) -> None:
    """And what cuts it off from outside leaves it a minute to end by itself."""
    lab.build(TASK, tasks={"budget": {"turns": 7, "dollars": 0.25, "seconds": 90.0}})
    lab.run()
    bounds = lab.generation()["said"]["bounds"]
    assert (bounds["turns"], bounds["seconds"]) == (7, 90.0)
    frozen = json.loads((lab.out / "experiment.json").read_bytes())
    assert frozen["budgets"] == {TASK: {"turns": 7, "dollars": 0.25, "seconds": 90.0}}
    pins = {"fixtures/fix-sum", "graders/fix-sum"}
    assert frozen["pins"].keys() == pins
    assert all(frozen["pins"][name] == tree_sha256(lab.root / name) for name in pins)
    assert lab.generation()["said"]["preamble"]["name"] == "action-loop-workspace"


def test_the_agent_can_neither_find_read_nor_replace_the_grader(lab: Lab) -> None:
    """It knows the very path, and has a whole machine to look through."""
    lab.build(TASK)
    grader = lab.root / "graders" / TASK / "grade.py"
    before = grader.read_bytes()
    lab.scripts[TASK] = [
        f"cat {grader} > found.txt 2>/dev/null",
        f"echo 'print(\"PASS\")' > {grader}",
        "find / -name 'grade*.py' -not -path '/proc/*' >> found.txt 2>/dev/null",
        f"grep -rls {MARK[:4]}''{MARK[4:]} / --exclude-dir=proc --exclude-dir=sys "
        "--exclude-dir=usr >> found.txt",
        "cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -i '[g]rader' "
        ">> found.txt",
        f"ln -s {lab.root}/graders here; cat here/{TASK}/grade.py >> found.txt; rm here",
    ]
    lab.build(TASK)
    lab.run()
    assert lab.project("found.txt") == ""
    assert grader.read_bytes() == before
    assert lab.report(TASK).outcome == "failed"


def test_an_agent_that_nothing_confines_does_find_it(lab: Lab) -> None:
    """So the test above is worth something, and the record says that such a run is not."""
    lab.build(TASK)
    lab.scripts[TASK] = [f"cat {lab.root}/graders/{TASK}/grade.py > found.txt"]
    lab.build(TASK)
    lab.run("--agent-option", "confine=none")
    assert MARK in lab.project("found.txt")
    assert lab.generation()["said"]["confinement"]["level"] == "none"


def test_a_killed_run_goes_on_where_it_was(lab: Lab) -> None:
    """No finished attempt is repeated; what was cut off gets another one."""
    lab.scripts[OTHER] = ["sleep 10", MEND]
    lab.build(TASK, OTHER)
    process = lab.start(*lab.usual)
    _wait_for(lambda: lab.out.exists() and len(lab.attempts().get(OTHER, ())) == 1)
    process.kill()
    process.communicate(timeout=30)
    place = lab.root / "scripts" / f"{OTHER}.json"
    frozen = place.read_bytes()
    place.write_bytes(frozen.replace(b"sleep 10", b"sleep 11"))
    assert f"content of options.script/{OTHER}.json" in lab.run(status=2), "another experiment"
    place.write_bytes(frozen)
    lab.run()
    assert [a.status for a in lab.attempts()[TASK]] == ["completed"]
    cut_off, again = lab.attempts()[OTHER]
    assert (cut_off.cause, again.score) == ("interrupted", 1.0)


def test_a_stopped_run_ends_in_order_and_goes_on(lab: Lab) -> None:
    """Ctrl-C cancels what runs; the same command goes on."""
    lab.scripts[TASK] = ["sleep 60"]
    lab.build(TASK)
    process = lab.start(*lab.usual)
    _wait_for(lambda: lab.out.exists() and len(lab.attempts().get(TASK, ())) == 1)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, out + err
    assert "to go on" in err
    (attempt,) = lab.attempts()[TASK]
    assert attempt.cause == "cancelled"


def test_what_this_machine_lacks_is_said_before_anything_runs(lab: Lab) -> None:
    """A missing runtime is an unmet prerequisite and no failure of anybody."""
    lab.build(TASK, tasks={"runtimes": ["python", "node"]})
    tools = lab.folder / "tools"
    tools.mkdir()
    (tools / "git").symlink_to(shutil.which("git") or "")
    said = lab.run(status=2, PATH=str(tools))
    assert "nothing was started: this machine lacks node 20 or newer, and fix-sum needs it" in said
    assert lab.attempts() == {}


def test_a_fixture_that_changed_stops_the_run(lab: Lab) -> None:
    """The new digest is said, and written nowhere."""
    lab.build(TASK)
    readme = lab.root / "fixtures" / TASK / "README.md"
    readme.write_text("Something else.\n")
    said = lab.run(status=2)
    assert tree_sha256(readme.parent) in said
    assert lab.attempts() == {}


def test_a_deterministic_suite_is_played_and_asks_nobody(lab: Lab) -> None:
    """Its scripts come with its tasks, and an agent that asks a model is refused."""
    lab.build(TASK)
    task = lab.task(TASK, script=f"scripts/{TASK}.json")
    manifest = json.loads((lab.root / "manifests" / "tiny.json").read_bytes())
    write_manifest(lab.root, manifest | {"kind": "deterministic", "tasks": [task]})
    words = ("suite", "run", str(lab.root), "-o", str(lab.out))
    said = lab.call(*words, "--agent", "coding", status=2)
    assert "agent 'coding' asks a model; name the agent 'replay'" in said
    assert "of kind deterministic" in lab.call(*words)
    assert lab.report(TASK).dataset.kind == "deterministic"
    assert lab.report(TASK).outcome == "resolved"


def test_what_is_live_is_called_live(lab: Lab, provider: Provider) -> None:
    """A real agent over HTTP, shown the files in its prompt; its records say that it was live."""
    lab.build(TASK, kind="live")
    answer = "### total.py\n```python\ndef total(numbers):\n    return sum(numbers)\n```\n"
    provider.says(answer, usage={"prompt": 400, "completion": 7})
    given = ("--base-url", provider.url, "--model", "m", "--no-preflight")
    words = ("suite", "run", str(lab.root), "--agent", "one-shot", "-o", str(lab.out))
    assert "of kind live: 1 task\n" in lab.call(*words, *given)
    report = lab.report(TASK)
    assert (report.outcome, report.dataset.kind, report.subject) == ("resolved", "live", "m")
    (asked,) = provider.requests
    assert "### total.py\n```\ndef total(numbers):" in asked["messages"][0]["content"]
    assert MARK not in json.dumps(provider.requests), "no grader in what a model is told"


LOOK = ToolCall(id="1", name="Bash", arguments='{"command": "ls"}')
RIGHT = ToolCall(
    id="1",
    name="Write",
    arguments=json.dumps(
        {"file_path": "total.py", "content": "def total(numbers):\n    return sum(numbers)\n"}
    ),
)


def test_a_model_works_with_tools_from_the_repository_to_the_page(
    lab: Lab, provider: Provider
) -> None:
    """The usual agent: it looks, writes, and is done; people see each task as it ends."""
    lab.build(TASK, OTHER)
    for _ in range(2):
        provider.says(None, calls=(LOOK,))
        provider.says(None, calls=(RIGHT,))
        provider.says("Done.")
    words = ("suite", "run", str(lab.root), "-o", str(lab.out))
    said = lab.call(*words, "--base-url", provider.url, "--model", "m", "--no-preflight")
    for task_id in (TASK, OTHER):
        assert f"{task_id}/r0/m: completed, score 1" in said
    assert "2 of 2 cells have a valid attempt" in said
    page = (lab.out / "report.html").read_text()
    assert TASK in page
    assert "resolved tasks by tag" in page
    asked = len(provider.requests)
    assert asked == 6
    lab.call(*words, "--base-url", provider.url, "--model", "m", "--no-preflight")
    assert len(provider.requests) == asked, "what is finished is never asked for again"


PRICED = ("--agent-option", "price_input=1000", "--agent-option", "price_output=1000")


@pytest.mark.parametrize(
    ("budget", "given", "reason", "asked"),
    [
        ({"turns": 2, "dollars": 5.0, "seconds": 90.0}, (), "turns", 2),
        ({"turns": 9, "dollars": 0.01, "seconds": 90.0}, PRICED, "dollars", 1),
    ],
)
def test_the_task_s_budget_ends_a_model_that_would_go_on(
    lab: Lab,
    provider: Provider,
    budget: dict[str, float],
    given: tuple[str, ...],
    reason: str,
    asked: int,
) -> None:
    """By its turns, or by its dollars where a price is known; what it left is graded then."""
    lab.build(TASK, tasks={"budget": budget})
    provider.says(None, calls=(RIGHT,))
    for _ in range(4):
        provider.says(None, calls=(LOOK,))
    words = ("suite", "run", str(lab.root), "-o", str(lab.out), "--no-preflight", *given)
    lab.call(*words, "--base-url", provider.url, "--model", "m")
    assert (lab.generation()["stop_reason"], len(provider.requests)) == (reason, asked)
    assert lab.report(TASK).outcome == "resolved"


def test_some_tasks_are_measured_by_themselves(lab: Lab) -> None:
    """Named one by one, or by a tag; an unknown one is answered with the nearest."""
    lab.build(TASK, OTHER)
    said = lab.run("--task", TASK, "--repetitions", "2")
    assert [a.score for a in lab.attempts()[TASK]] == [1.0, 1.0]
    assert "selection of 1 tasks" in said
    assert "1/1" in said
    assert "did you mean 'fix-sum'?" in lab.run("--task", "fix-sun", status=2)
    assert "known: all, bug-fix, python" in lab.run("--tag", "rust", status=2)


def test_a_suite_is_the_tasks_of_an_experiment(lab: Lab) -> None:
    """Two arms by a spec, the verifier by the suite; judged again, and compared."""
    lab.scripts[OTHER] = []
    lab.build(TASK, OTHER)
    arms = "".join(
        f'[[subjects]]\nname = "{name}"\nagent = "replay"\n'
        f'options = {{ script = "{lab.root / "scripts"}", turns = "{turns}" }}\n'
        for name, turns in (("patient", 9), ("hasty", 1))
    )
    spec = lab.folder / "spec.toml"
    benchmark = '[benchmark]\ndataset = "tiny"\nsubset = "all"\n[budget]\n'
    spec.write_text(f'name = "two"\ngroups = 2\n{benchmark}{arms}')
    at = ("--dataset", str(lab.root))
    plan = lab.call("experiment", "plan", str(spec), *at)
    assert "tasks 2 × repetitions 1 × subjects 2 = 4 cells" in plan
    lab.call("experiment", "run", str(spec), "-o", str(lab.out), *at)
    results = json.loads(lab.call("experiment", "results", str(lab.out), "--json"))
    assert [arm["resolved"] for arm in results["arms"]] == [1, 1]
    assert results["verifiers"] == [results["cells"][0]["verifier"]]
    assert results["verifiers"][0].startswith("grader ")
    lab.call("compare", str(lab.out / "attempts"), "--allow", "budget")
    assert "4 of 4 projects judged again, 0 otherwise" in lab.call(
        "experiment", "regrade", str(lab.out), *at
    )
    pair = lab.call("experiment", "pair", f"{lab.out}:patient", f"{lab.out}:hasty")
    assert "2 pairs of 2 tasks" in pair


def test_a_suite_s_tasks_are_not_judged_by_the_runner(lab: Lab) -> None:
    """Whoever names the wrong verifier is told the right one."""
    lab.build(TASK)
    spec = lab.folder / "spec.toml"
    spec.write_text(
        'name = "x"\n[benchmark]\ndataset = "tiny"\nsubset = "all"\n[budget]\n'
        '[verifier]\nname = "runner"\n[[subjects]]\nname = "a"\nagent = "replay"\n'
        f'options = {{ script = "{lab.root / "scripts"}" }}\n'
    )
    at = ("--dataset", str(lab.root))
    said = lab.call("experiment", "run", str(spec), "-o", str(lab.out), *at, status=2)
    assert "leave 'verifier' out, or name 'grader'" in said


def _wait_for(holds: Any, seconds: float = 60.0) -> None:
    """Wait until something holds; a record that is half written holds nothing yet."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError("it did not come about in time")
