"""``klein-bench experiment`` as people and programs call it."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from kcb_core.codec import encode
from kcb_experiments.experiment_command import SUBCOMMANDS
from kcb_experiments.frozen import Experiment, store
from kcb_experiments.log import LOG_NAME
from kcb_experiments.spec import read_spec

Run = Callable[..., Any]

SPEC = """
name = "small"
repetitions = 2
[benchmark]
dataset = "toy"
subset = "easy"
[budget]
[[subjects]]
name = "a"
agent = "toy-agent"
[[subjects]]
name = "b"
agent = "toy-agent"
"""

WRITE = """
import sys, time
from pathlib import Path
from kcb_experiments.amount import Amount
from kcb_experiments.frozen import read_experiment
from kcb_experiments.lock import hold_writer_lock
from kcb_experiments.log import open_log
from kcb_experiments.records import AttemptEnd, AttemptStart, Status

folder = Path(sys.argv[1])
experiment = read_experiment(folder)
run = {"experiment_sha256": experiment.sha256, "load": experiment.load, "tell": print}
with hold_writer_lock(folder, print) as lock, open_log(folder, lock, **run) as log:
    cells = [cell.id for cell in experiment.cells()]
    worst = Amount(dollars=0.1, tokens=100)
    for number, cell in enumerate(cells[:9]):
        clock = time.monotonic() - 45
        log.append(AttemptStart(cell=cell, attempt=1, reserved=worst, clock_s=clock))
        if number < 8:
            score = float(cell.endswith("/b") or number < 2)
            end = AttemptEnd(cell=cell, attempt=1, status=Status.COMPLETED, score=score,
                             duration_s=5.0, spent=Amount(dollars=0.05), clock_s=clock)
            log.append(end)
    print("written", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def running(tmp_path: Path, experiment: Experiment) -> Iterator[Path]:
    """A folder to which a real process writes: eight attempts ended, one running."""
    folder = tmp_path / "out"
    store(experiment, folder)
    with subprocess.Popen(
        [sys.executable, "-c", WRITE, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stdout.readline() == "written\n"
        yield folder
        process.stdin.close()
        process.wait(timeout=20)


def test_the_group_lists_its_commands_without_importing_them(klein_bench: Run) -> None:
    """Help must not wait for numpy."""
    done = klein_bench("experiment", "--help")
    assert done.status == 0
    assert all(command.name in done.out for command in SUBCOMMANDS)
    code = (
        "import sys; from kcb_core.cli import run; run(['experiment', '--help']); "
        "slow = ('kcb_experiments.commands.', 'numpy', 'scipy'); "
        "assert not [name for name in sys.modules if name.startswith(slow)]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=60)
    done = klein_bench("experiment", "statsu", "x")
    assert (done.status, done.out) == (2, "")
    assert "did you mean 'experiment status'?" in done.err


def test_the_example_is_a_spec_and_is_never_written_over(klein_bench: Run, tmp_path: Path) -> None:
    """What a newcomer starts from must be right, and what he made of it stays his."""
    path = tmp_path / "mine.toml"
    done = klein_bench("experiment", "new", path)
    assert done.status == 0
    assert f"klein-bench experiment plan {path}" in done.out
    spec = read_spec(path)
    assert [subject.name for subject in spec.subjects] == ["cool", "warm"]
    path.write_text("mine")
    done = klein_bench("experiment", "new", path)
    assert (done.status, path.read_text()) == (2, "mine")
    assert "is there already" in done.err
    assert klein_bench("experiment", "new", tmp_path / "mine.json").status == 2


def test_every_line_of_the_example_that_is_commented_out_is_right_too(tmp_path: Path) -> None:
    """A remark that teaches a field that is not there is worse than none."""
    text = files("kcb_experiments").joinpath("example.toml").read_text()
    lines = []
    for line in text.splitlines():
        bare = line.removeprefix("# ")
        named = bare.split("=")[0].strip()
        alone = named in ("selection", "tasks")  # only one way at a time
        lines.append(bare if "=" in bare and named.isidentifier() and not alone else line)
    uncommented = "\n".join(lines).replace("# [subjects.price]", "[subjects.price]")
    warm = "\n[subjects.price]\ninput = 1\noutput = 1\n"
    whole = uncommented + "\ntokens = 32_000\n" + warm
    (tmp_path / "all.toml").write_text(whole)
    spec = read_spec(tmp_path / "all.toml")
    assert spec.budget.dollars == 5.0
    assert spec.subjects[0].credentials == ("PROVIDER_API_KEY",)


def test_a_plan_asks_nothing_and_writes_nothing(klein_bench: Run, tmp_path: Path) -> None:
    """Cells, bounds and what it can see, for people and for programs."""
    path = tmp_path / "spec.toml"
    path.write_text(SPEC)
    before = sorted(tmp_path.rglob("*"))
    done = klein_bench("experiment", "plan", path)
    assert (done.status, done.err) == (0, "")
    assert "tasks 3 × repetitions 2 × subjects 2 = 12 cells" in done.out
    assert "dollars unknown, tokens unknown" in done.out
    assert done.out.count("no difference is found at 80 % power, since there are too few") == 3
    plan = json.loads(klein_bench("experiment", "plan", path, "--json").out)
    assert (plan["kind"], plan["cells"], plan["unbounded"]) == (
        *("experiment-plan", 12),
        ["dollars", "tokens"],
    )
    assert sorted(tmp_path.rglob("*")) == before


def test_a_slip_in_a_spec_is_one_line(klein_bench: Run, tmp_path: Path) -> None:
    """File and field, and the nearest name."""
    path = tmp_path / "spec.toml"
    path.write_text(SPEC.replace("repetitions", "repetition"))
    done = klein_bench("experiment", "plan", path)
    assert (done.status, done.out) == (2, "")
    assert f"{path}: " in done.err
    assert "did you mean 'repetitions'?" in done.err


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[budget]", '[executor]\nname = "proces"\n[budget]', "did you mean 'process'"),
        ("[budget]", "[executor]\nsettings = { check_endpoint = true }\n[budget]",
         "executor.settings: Object contains unknown field 'check_endpoint'; did you mean "),
        ("[budget]", '[executor]\nname = "container"\nsettings = { processes = 0 }\n[budget]',
         "'processes' must be greater than 0"),
        ("[budget]", '[executor]\nname = "remote"\nsettings = { clutser = "a" }\n[budget]',
         "executor.settings: Object contains unknown field 'clutser'"),
        ("[budget]", '[executor]\nname = "harbor"\nsettings = { wheel = "a" }\n[budget]',
         "executor.settings: Object contains unknown field 'wheel'"),
        ("[budget]", '[executor]\nversion = "0.0.9"\n[budget]', "the spec asks for 0.0.9"),
        ("[budget]", '[verifier]\nname = "runer"\n[budget]', "did you mean 'runner'"),
        ("[budget]", '[verifier]\nname = "runner"\nsettings = { keep = true }\n[budget]',
         "verifier.settings: Object contains unknown field 'keep'"),
        ("[budget]", '[verifier]\nname = "harbor"\nsettings = { keep = true }\n[budget]',
         "verifier.settings: Object contains unknown field 'keep'"),
        ("[budget]", "[budget]\nseconds = 600",
         "field 'budget.seconds': 10 min leave no room for one attempt of subject 'a', which may "
         "take 15 min; raise it, or lower the subject's 'bounds.seconds'"),
        ("[budget]\n[[subjects]]", "[budget]\ntokens = 20\n[[subjects]]\nbounds.tokens = 10\n",
         "subject 'b' has no bound in tokens"),
    ],
)  # fmt: skip
def test_a_plan_refuses_what_a_run_would(
    klein_bench: Run, tmp_path: Path, old: str, new: str, says: str
) -> None:
    """In one line and with status 2; and no folder is left in which the mended spec is another."""
    path, out = tmp_path / "spec.toml", tmp_path / "out"
    path.write_text(SPEC.replace(old, new))
    for words in (("plan", path), ("run", path, "--out", out)):
        done = klein_bench("experiment", *words)
        assert (done.status, done.out) == (2, "")
        assert says in done.err
        assert len(done.err.splitlines()) == 1
    assert not out.exists()


def test_status_reads_beside_a_live_run(klein_bench: Run, running: Path) -> None:
    """It shows who writes and who is silent, and disturbs nobody."""
    before = (running / LOG_NAME).read_bytes()
    done = klein_bench("experiment", "status", running)
    assert done.status == 0
    assert "written by process" in done.out
    assert "completed\t8" in done.out
    assert "running\t1" in done.out
    assert "dollars: $0.5000 of $1.00 (50%)" in done.out
    assert "1 of 1 cells that run gave no sign for 30 s" in done.err
    found = json.loads(klein_bench("experiment", "status", running, "--json").out)
    assert found["states"] == {"pending": 3, "running": 1, "completed": 8}
    assert found["running"][0]["silent_s"] >= 45
    assert (running / LOG_NAME).read_bytes() == before


def test_results_and_pairs_are_derived_beside_a_live_run(klein_bench: Run, running: Path) -> None:
    """The summary must be there while stragglers are."""
    done = klein_bench("experiment", "results", running, "--cells")
    assert done.status == 0
    assert "small: 12 cells, not complete" in done.out
    assert "toy-easy-001-x/r0/a\tcompleted\t\t1\t1.00" in done.out
    found = json.loads(klein_bench("experiment", "results", running, "--json").out)
    assert [arm["subject"] for arm in found["arms"]] == ["a", "b"]
    assert found["occasions"] == [{"load": {"arms": 2, "groups": 2}, "runs": 1}]
    arms = (f"{running}:a", f"{running}:b")
    done = klein_bench("experiment", "pair", *arms)
    assert done.status == 0
    assert "4 pairs of 3 tasks" in done.out
    assert "second less first: +75.0 points [" in done.out
    assert "a: 2 of 6 cells without a score (1 running, 1 pending)" in done.out
    assert "find at 80 % power: 100.0 points" in done.out
    found = json.loads(
        klein_bench("experiment", "pair", f"{running}:a", f"{running}:b", "--json").out
    )
    assert (found["pairs"], found["first"]["only"], found["second"]["only"]) == (4, 0, 3)


def test_an_arm_is_named_where_there_are_several(klein_bench: Run, running: Path) -> None:
    """And a wrong name is met with the right ones."""
    done = klein_bench("experiment", "pair", running, f"{running}:b")
    assert done.status == 2
    assert f"such as {running}:a" in done.err
    done = klein_bench("experiment", "pair", f"{running}:c", f"{running}:b")
    assert done.status == 2
    assert "unknown subject 'c'" in done.err


def test_a_damaged_log_is_named(klein_bench: Run, tmp_path: Path, experiment: Experiment) -> None:
    """Exit status 2, file and line, for every command that reads it."""
    folder = tmp_path / "out"
    store(experiment, folder)
    (folder / LOG_NAME).write_bytes(encode({"record": "end"}).replace(b"\n", b"") + b"\n")
    for words in (("status", folder), ("results", folder)):
        done = klein_bench("experiment", *words)
        assert done.status == 2
        assert f"{LOG_NAME}:1: the record differs from its checksum" in done.err


def test_a_folder_without_an_experiment_is_named(klein_bench: Run, tmp_path: Path) -> None:
    """The file that is missing, and no traceback."""
    done = klein_bench("experiment", "status", tmp_path)
    assert done.status == 2
    assert "experiment.json: No such file" in done.err
