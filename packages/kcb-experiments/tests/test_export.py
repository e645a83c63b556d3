"""``klein-bench experiment export``: tasks that Harbor runs, and what judges them there."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kcb_core.canary import CANARY_ID
from kcb_core.dataset import decode_record, encode_record, open_dataset
from kcb_core.errors import DataError, DeclarationError
from kcb_core.report import Outcome, Void, VoidCause, dataset_stamp
from kcb_core.selection import freeze_selection, write_selection
from kcb_core.testing.values import small_report
from kcb_experiments.harbor import judge
from kcb_experiments.harbor.wheels import read_wheels

Run = Callable[..., Any]

TASKS = ("toy-easy-001-x", "toy-easy-002-y")

ANSWER = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "ok": True}), flush=True)
"""


@pytest.fixture
def export(klein_bench: Run, wheels: Path, tmp_path: Path) -> Run:
    """Exports tasks of the toy dataset into ``out``."""

    def run(*words: object, to: str = "out") -> Any:
        return klein_bench(
            *("experiment", "export", "--wheels", wheels, "-o", tmp_path / to), *words
        )

    return run


def content(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_task_has_what_harbor_reads(export: Run, tmp_path: Path, toy_dataset: Path) -> None:
    """The prompt is all that an agent is told, and the record is whole."""
    done = export(*TASKS)
    assert (done.status, done.err) == (0, "")
    assert done.out.split() == [str(tmp_path / "out" / task) for task in TASKS]
    files = content(tmp_path / "out" / TASKS[0])
    assert sorted(name for name in files if "wheels" not in name) == [
        *("environment/Dockerfile", "instruction.md", "task.toml"),
        *("tests/judge.py", "tests/manifest.json", "tests/task.jsonl", "tests/test.sh"),
    ]
    task = open_dataset(toy_dataset).task(TASKS[0])
    assert files["instruction.md"].decode().startswith(task.prompt)
    assert decode_record(files["tests/task.jsonl"], source="x") == task
    config = tomllib.loads(files["task.toml"].decode())
    assert config["task"]["name"] == f"klein-code-bench/{TASKS[0]}"
    assert config["task"]["description"] == "Amounts"
    assert config["artifacts"] == ["/app"]
    assert config["verifier"]["environment_mode"] == "separate"


def test_what_judges_is_under_tests_alone_and_marked(export: Run, tmp_path: Path) -> None:
    """An agent sees the instruction and the environment; no answer may stand there."""
    solutions = tmp_path / "solutions"
    (solutions / TASKS[0]).mkdir(parents=True)
    (solutions / TASKS[0] / "main.py").write_text(ANSWER)
    assert export(TASKS[0], "--solutions", solutions).status == 0
    files = content(tmp_path / "out" / TASKS[0])
    hidden = {name for name, data in files.items() if CANARY_ID.encode() in data}
    assert {name for name in hidden if "wheels" not in name} == {
        *("tests/task.jsonl", "tests/test.sh", "solution/solve.sh"),
    }
    assert files["solution/project/main.py"].decode() == ANSWER
    assert not [name for name, data in files.items() if b"core-2" in data and "tests/" not in name]


def test_a_second_export_is_the_same_to_the_byte(export: Run, tmp_path: Path) -> None:
    """So that two machines can be compared by their digests."""
    assert export(*TASKS, to="one").status == export(*TASKS, to="two").status == 0
    assert content(tmp_path / "one") == content(tmp_path / "two") != {}


def test_an_image_takes_the_place_of_a_dockerfile(export: Run, tmp_path: Path) -> None:
    """Nothing is built then."""
    assert export(TASKS[0], "--image", 'localhost/a"b').status == 0
    files = content(tmp_path / "out" / TASKS[0])
    assert "environment/Dockerfile" not in files
    config = tomllib.loads(files["task.toml"].decode())
    assert config["environment"]["docker_image"] == 'localhost/a"b'


def test_tasks_come_from_a_tier_or_a_frozen_selection(
    export: Run, tmp_path: Path, toy_dataset: Path
) -> None:
    """As wherever tasks are named."""
    path = tmp_path / "selection.json"
    write_selection(freeze_selection(open_dataset(toy_dataset).manifest, TASKS[1:]), path)
    assert export("--subset", path).status == 0
    assert export("--subset", "easy", "--dataset", toy_dataset, to="tier").status == 0
    assert [p.name for p in (tmp_path / "out").iterdir()] == [TASKS[1]]
    assert len(list((tmp_path / "tier").iterdir())) == 3


def test_slips_are_named_and_nothing_is_written(export: Run, tmp_path: Path) -> None:
    """Each before the first file."""
    assert "not both" in export().err
    assert "not both" in export(TASKS[0], "--subset", "easy").err
    assert "toy-easy-009-w" in export("toy-easy-009-w").err
    assert "there is no solution" in export(TASKS[0], "--solutions", tmp_path).err
    assert not (tmp_path / "out").exists()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").touch()
    done = export(TASKS[0])
    assert done.status == 2
    assert "is not empty" in done.err


def test_wheels_have_to_be_enough(tmp_path: Path, write_wheel: Run) -> None:
    """A trial that cannot judge would only be found after the agent was paid."""
    folder = tmp_path / "w"
    with pytest.raises(DeclarationError, match="holds no wheels; 'pip wheel"):
        read_wheels(folder)
    write_wheel(folder, "kcb-core", "msgspec>=0.21", 'x; extra == "y"', 'z; os_name == "nt"')
    with pytest.raises(DeclarationError, match="no wheel of kcb-runner, msgspec;"):
        read_wheels(folder)
    write_wheel(folder, "kcb-runner")
    write_wheel(folder, "MsgSpec", at="0.23")
    assert [name.split("-")[0] for name in read_wheels(folder)] == [
        *("MsgSpec", "kcb_core", "kcb_runner"),
    ]
    write_wheel(folder, "kcb-core", at="9.9")
    with pytest.raises(DeclarationError, match="two wheels of kcb-core"):
        read_wheels(folder)


def test_wheels_of_another_version_are_refused(tmp_path: Path, write_wheel: Run) -> None:
    """A report would name an evaluator that is not the one that is installed."""
    write_wheel(tmp_path, "kcb-core", at="9.9")
    write_wheel(tmp_path, "kcb-runner")
    with pytest.raises(DeclarationError, match=r"has kcb-core 9\.9, and"):
        read_wheels(tmp_path)


def test_a_file_that_is_no_wheel_is_named(tmp_path: Path) -> None:
    """A download that broke off, for instance."""
    (tmp_path / "a.whl").write_bytes(b"PK")
    with pytest.raises(DataError, match=r"a\.whl: is no wheel"):
        read_wheels(tmp_path)


@pytest.mark.parametrize(("program", "reward"), [(ANSWER, "1\n"), ("", "0\n"), (None, "0\n")])
def test_the_test_script_judges(
    export: Run, tmp_path: Path, toy_dataset: Path, program: str | None, reward: str
) -> None:
    """Played with the folders of a container put elsewhere: reward and report are written."""
    assert export(TASKS[0]).status == 0
    tests, project, logs = (tmp_path / name for name in ("out", "app", "logs"))
    tests /= f"{TASKS[0]}/tests"
    project.mkdir()
    if program is not None:
        (project / "main.py").write_text(program)
    script = (tests / "test.sh").read_text()
    for place, here in (("/tests", tests), ("/app", project), ("/logs/verifier", logs)):
        script = script.replace(f"{place}/", f"{here}/").replace(f" {place} ", f" {here} ")
        script = script.replace(f" {place}\n", f" {here}\n")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "TMPDIR": str(tmp_path)}
    subprocess.run(["sh", "-c", script], check=True, timeout=120, env=environment)
    assert (logs / "reward.txt").read_text() == reward
    report = json.loads((logs / "report.json").read_text())
    stamp = dataset_stamp(open_dataset(toy_dataset))
    assert report["dataset"]["manifest_sha256"] == stamp.manifest_sha256
    assert report["outcome"] == ("resolved" if reward == "1\n" else "failed")


def test_a_fault_of_the_machine_is_no_reward(
    monkeypatch: pytest.MonkeyPatch, toy_dataset: Path, tmp_path: Path
) -> None:
    """Harbor takes a missing reward for an error, and any number for a verdict."""
    tests = tmp_path / "tests"
    tests.mkdir()
    shutil.copy(toy_dataset / "manifest.json", tests)
    task = open_dataset(toy_dataset).task(TASKS[0])
    (tests / judge.TASK_NAME).write_bytes(encode_record(task))
    void = Void(cause=VoidCause.MACHINE, reason="the disk is full")
    report = small_report(outcome=Outcome.VOID, void=void)
    monkeypatch.setattr(judge, "evaluate", lambda *_, **__: report)
    logs = tmp_path / "logs"
    assert judge.main([str(tmp_path), str(tests), str(logs)]) == 3
    assert [path.name for path in logs.iterdir()] == [judge.REPORT_NAME]
