"""``klein-bench evaluate`` as a user meets it: outcomes, exit statuses, and what stays on disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from kcb_core import console
from kcb_core.codec import encode
from kcb_core.provenance import Revision
from kcb_core.quiet import generating
from kcb_core.report import DatasetStamp, FailureKind, Outcome
from kcb_core.task import Scenario
from kcb_core.validation import TierValidation, ValidationSummary
from kcb_runner import checkup, judging, players, probe
from kcb_runner.machine import host
from kcb_runner.snapshot import take

WRONG = (
    "import json\nfor _ in iter(input, None): print(json.dumps({'id': 0, 'value': 1}), flush=True)"
)
HANGS = "import time; time.sleep(60)"
END_BY_S = 30.0


def test_a_resolved_project_is_exit_0_and_a_whole_report(arena, echo):
    """The report carries what a score, and a reader in a year, needs."""
    arena.dataset()
    assert arena.evaluate(arena.project(echo), "--subject", "me", "--repetition", "2") == 0
    report = arena.report()
    assert report.outcome is Outcome.RESOLVED
    assert (report.passed, report.total) == (1, 1)
    assert (report.subject, report.repetition) == ("me", 2)
    assert report.dataset.totals == {"easy": 1}
    assert len(report.dataset.manifest_sha256) == 64
    assert report.evaluator.distribution == "kcb-runner"
    assert report.host.python.startswith("3.")
    assert report.limits.session_s == 10
    assert report.plugins["kcb-runner"] == report.evaluator.version
    assert None not in arena.raw().values()


def test_judging_waits_while_a_model_writes_on_this_machine(arena, echo, monkeypatch):
    """Beside one every session takes longer, and what is measured is the model's load."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(arena.folder))
    arena.dataset()
    writing, waited = threading.Event(), threading.Event()
    noted: list[str] = []

    def note(line: str) -> None:
        noted.append(line)
        waited.set()

    def write() -> None:
        with generating():
            writing.set()
            assert waited.wait(END_BY_S)

    monkeypatch.setattr(console, "note", note)
    thread = threading.Thread(target=write)
    thread.start()
    assert writing.wait(END_BY_S)
    assert arena.evaluate(arena.project(echo)) == 0
    thread.join(END_BY_S)
    (line,) = noted
    assert line.startswith("waiting for a model that writes on this machine")


def test_a_failed_project_is_exit_1_and_one_line(arena, capsys):
    """A user sees the task, the kind and the reason."""
    arena.dataset()
    assert arena.evaluate(arena.project(WRONG)) == 1
    line = capsys.readouterr().out.splitlines()[0]
    assert line.startswith(
        "arena-easy-001-echo: failed (wrong_response): scenario only, request 1 of 1"
    )


def test_a_rejected_project_starts_nothing(arena, echo, capsys):
    """Limits are checked before anything runs."""
    arena.dataset()
    project = arena.project("open('/tmp/started', 'w')")
    os.mkfifo(project / "fifo")
    assert arena.evaluate(project) == 1
    assert "failed (rejected): fifo is a FIFO" in capsys.readouterr().out
    report = arena.report()
    assert report.failure.kind is FailureKind.REJECTED
    assert report.source is None
    assert (report.passed, report.total) == (0, 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("evaluate",), "Missing option"),
        (("evaluate", "-o", "x.json"), "TASK_ID and --solution DIR are needed"),
        (("evaluate", "nonsense", "--solution", ".", "-o", "x.json"), "is no task id"),
        (("evaluate", "arena-easy-002-echo", "--solution", ".", "-o", "x.json"), "unknown task"),
        (("evaluate", "kcb-easy-001-nope", "--solution", ".", "-o", "x.json"), "unknown task"),
        (("evaluate", "arena-easy-001-echo", "--solution", "gone", "-o", "x.json"), "gone"),
        (("evaluate", "arena-easy-001-echo", "--solution", ".", "-o", "."), "is a folder"),
        (("evaluate", "--all", ".", "arena-easy-001-echo", "-o", "x"), "goes with neither TASK_ID"),
        (("evaluate", "--all", "gone", "-o", "x"), "is no folder"),
        (("evaluate", "--all", "empty", "-o", "x"), "holds no project"),
        (("evaluate", "--all", "strange", "-o", "x"), "unknown task"),
        (("evaluate", "--all", "empty", "-o", "file"), "is a file"),
        (("evaluate", "arena-easy-001-echo", "--solution", ".", "-o", "x.json", "--launch", "warp"),
         "unknown launcher 'warp'"),
        (("evaluate", "arena-easy-001-echo", "--solution", ".", "-o", "x.json",
          "--confine", "basic", "--require-confinement"), "asks for 'full'"),
        (("evaluate", "arena-easy-001-echo", "--solution", ".", "-o", "x.json", "--record",
          "record.toml"), "did you mean 'model_name'"),
        (("evaluate", "arena-easy-001-echo", "--solution", ".", "-o", "x.json", "--validated",
          "gone.json"), "gone.json"),
    ],
)  # fmt: skip
def test_a_wrong_invocation_is_exit_2_and_one_line(
    arena, tmp_path, monkeypatch, capsys, words, message
):
    """It names the thing and the fix, and writes nothing."""
    dataset = arena.dataset()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "strange" / "kcb-easy-009-x").mkdir(parents=True)
    (tmp_path / "file").write_text("")
    (tmp_path / "record.toml").write_text('model_nam = "x"\n')
    if len(words) > 1:
        words = (*words, "--dataset", dataset)
    assert arena.command(*words) == 2
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err
    assert not (tmp_path / "x.json").exists()


def test_an_unknown_dataset_name_is_exit_2(arena, echo, capsys):
    """Nothing installed holds it."""
    words = ("evaluate", "nowhere-easy-001-x", "--solution", arena.project(echo), "-o", "x.json")
    assert arena.command(*words) == 2
    assert "unknown dataset 'nowhere'" in capsys.readouterr().err


def test_a_tampered_dataset_is_refused(arena, echo, capsys):
    """Test data that disagrees with its manifest judges nobody."""
    folder = arena.dataset()
    path = folder / "easy.jsonl"
    path.write_bytes(path.read_bytes().replace(b"Echo.", b"Ecco."))
    assert arena.evaluate(arena.project(echo)) == 2
    assert "manifest.json says" in capsys.readouterr().err


def test_public_only_is_marked(arena, echo):
    """Such a report can never be scored."""
    arena.dataset()
    assert arena.evaluate(arena.project(echo), "--public-only") == 0
    assert arena.report().public_only is True


def test_a_record_is_taken_into_the_report_with_what_is_missing(arena, echo, tmp_path):
    """What is unknown is listed, never guessed."""
    arena.dataset()
    (tmp_path / "record.toml").write_text('model_name = "m"\nsampling = { temperature = 0.0 }\n')
    assert arena.evaluate(arena.project(echo), "--record", tmp_path / "record.toml") == 0
    report = arena.report()
    assert report.run_record == {"model_name": "m", "sampling": {"temperature": 0.0}}
    assert "quantization" in report.missing_fields
    assert "model_name" not in report.missing_fields


def test_the_records_of_generate_are_taken_by_themselves(arena, echo, tmp_path):
    """A project that was changed after it was generated is found out by its source hash."""
    folder = folder_of_projects(arena, {1: echo, 2: echo, 3: echo})
    for number, sha in ((1, take(folder / "arena-easy-001-echo").sha256), (2, "0" * 64)):
        record = {"kind": "generation", "project": {"sha256": sha}, "run_record": {"seed": 7}}
        name = f"arena-easy-00{number}-echo.json"
        (folder / ".generation" / name).write_text(json.dumps(record))
    words = ("evaluate", "--all", folder, "-o", arena.folder / "r", "--dataset",
             arena.folder / "dataset")  # fmt: skip
    (tmp_path / "hand.toml").write_text('model_name = "m"\nhand_corrected = true\n')
    assert arena.command(*words) == 0
    reports = [arena.report(f"r/arena-easy-00{n}-echo.json") for n in (1, 2, 3)]
    assert [r.run_record for r in reports] == [
        {"seed": 7}, {"seed": 7, "hand_corrected": True}, {},
    ]  # fmt: skip
    words = (*words[:4], arena.folder / "again", *words[5:], "--record", tmp_path / "hand.toml")
    assert arena.command(*words) == 0
    reports_again = [arena.report(f"again/arena-easy-00{n}-echo.json") for n in (1, 3)]
    assert [r.run_record for r in reports_again] == [
        {"seed": 7}, {"model_name": "m", "hand_corrected": True},
    ]  # fmt: skip
    assert "changed after it was generated" in reports[1].notes[0]


def test_keep_stores_the_project_under_its_source_hash(arena, echo, tmp_path):
    """The project that was judged can be looked at, and judged again."""
    arena.dataset()
    for name in ("a.json", "b.json"):
        assert arena.evaluate(arena.project(echo), "--keep", tmp_path / "kept", name=name) == 0
    kept = tmp_path / "kept" / arena.report("a.json").source.sha256
    assert [p.name for p in kept.parent.iterdir()] == [kept.name]
    assert (kept / "main.py").read_text() == echo


def test_what_cannot_be_kept_is_exit_3(arena, echo, tmp_path):
    """The report is written all the same, or not at all; nothing is half stored."""
    arena.dataset()
    (tmp_path / "file").write_text("")
    assert arena.evaluate(arena.project(echo), "--keep", tmp_path / "file") == 3
    assert not (arena.folder / "report.json").exists()


def test_a_reader_that_has_gone_changes_no_exit_status(arena, tmp_path):
    """``evaluate | head`` must not turn a failed project into a resolved one."""
    arena.dataset()
    words = ["evaluate", "arena-easy-001-echo", "--solution", str(arena.project(WRONG))]
    words += ["--dataset", str(arena.folder / "dataset"), "-o", str(tmp_path / "r.json")]
    process = subprocess.Popen(
        [sys.executable, "-m", "kcb_core", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=30) == 1, err
    assert "Traceback" not in err
    assert (tmp_path / "r.json").exists()


def test_no_answers_keeps_exchanges_out(arena):
    """Reports without answers may be shown to an agent's author."""
    arena.dataset()
    assert arena.evaluate(arena.project(WRONG), "--no-answers") == 1
    assert "evidence" not in json.dumps(arena.raw())


def test_a_finished_report_is_kept_and_never_overwritten_by_another(arena, echo, capsys):
    """Stale results must not be reused, nor true ones lost."""
    arena.dataset()
    project = arena.project(echo)
    assert arena.evaluate(project) == 0
    before = (arena.folder / "report.json").read_bytes()
    assert arena.evaluate(project) == 0
    assert "kept 1 finished reports" in capsys.readouterr().err
    assert arena.evaluate(arena.project(WRONG)) == 2
    assert "holds the report of another project" in capsys.readouterr().err
    assert arena.evaluate(project, "--public-only") == 2
    assert arena.evaluate(project, "--subject", "other") == 2
    assert (arena.folder / "report.json").read_bytes() == before


def test_a_rejected_report_is_kept_too(arena):
    """The project is still the one that breaks a rule."""
    arena.dataset()
    project = arena.project("")
    os.mkfifo(project / "fifo")
    assert arena.evaluate(project) == 1
    assert arena.evaluate(project) == 1
    (project / "fifo").unlink()
    assert arena.evaluate(project) == 2


def test_what_is_no_report_is_not_overwritten(arena, echo, capsys):
    """The caller's file may be anything."""
    arena.dataset()
    (arena.folder / "report.json").write_text("my notes")
    assert arena.evaluate(arena.project(echo)) == 2
    assert "it would be overwritten" in capsys.readouterr().err
    assert (arena.folder / "report.json").read_text() == "my notes"


def test_a_void_report_is_exit_3_and_is_replaced(arena, echo, monkeypatch, capsys):
    """An outage can be tried again, and its report does not stand in the way."""
    arena.dataset()
    project = arena.project(echo)

    really, played = judging.play_scenario, []

    def broken(scenario: Scenario, *setting: Any, **options: Any) -> Any:
        played.append(scenario.name)
        if len(played) > 1:  # the first is the probe project, which is measured before the run
            raise ZeroDivisionError("ours")
        return really(scenario, *setting, **options)

    monkeypatch.setattr(judging, "play_scenario", broken)
    assert arena.evaluate(project) == 3
    assert arena.report().outcome is Outcome.VOID
    assert "void (unknown)" in capsys.readouterr().out
    monkeypatch.undo()
    assert arena.evaluate(project) == 0
    assert arena.report().outcome is Outcome.RESOLVED


def test_a_report_that_cannot_be_written_is_exit_3(arena, echo, capsys):
    """A full or missing disk says nothing of the project."""
    arena.dataset()
    (arena.folder / "file").write_text("")
    status = arena.evaluate(arena.project(echo), name="file/report.json")
    assert status == 3
    assert "cannot be written" in capsys.readouterr().err


def test_a_receipt_is_taken_only_of_a_passed_validation_of_this_dataset(arena, echo, capsys):
    """A receipt says that this host judged all references rightly."""
    arena.dataset()
    project = arena.project(echo)
    assert arena.evaluate(project, name="first.json") == 0
    sha = arena.report("first.json").dataset.manifest_sha256

    def summary(manifest: str, resolved: int) -> Path:
        made = ValidationSummary(
            dataset=DatasetStamp(name="arena", version="1", manifest_sha256=manifest, totals={}),
            evaluator=Revision(distribution="kcb-runner", version="0"),
            host=host(),
            tiers=(TierValidation(subset="easy", tasks=1, scenarios=1, assertions=1,
                                  references_resolved=resolved, empties_failed=1),),
            problems=(),
            wall_s=1.0,
        )  # fmt: skip
        path = arena.folder / "validation.json"
        path.write_bytes(encode(made))
        return path

    assert arena.evaluate(project, "--validated", summary("0" * 64, 1), name="a.json") == 2
    assert "another dataset manifest" in capsys.readouterr().err
    assert arena.evaluate(project, "--validated", summary(sha, 0), name="a.json") == 2
    assert "the validation failed" in capsys.readouterr().err
    partial = summary(sha, 1)
    partial.write_bytes(partial.read_bytes().replace(b'"subset": "easy"', b'"subset": "odd"'))
    assert arena.evaluate(project, "--validated", partial, name="a.json") == 2
    assert "only some of the tiers" in capsys.readouterr().err
    assert arena.evaluate(project, "--validated", summary(sha, 1), name="a.json") == 0
    assert len(arena.report("a.json").validation_receipt) == 64


def folder_of_projects(arena: Any, mains: dict[int, str], timeout_s: float = 10) -> Path:
    """A dataset of as many tasks, and a folder of projects named by task id."""
    tasks = [arena.task(number=number, timeout_s=timeout_s) for number in mains]
    arena.dataset(*tasks)
    folder = arena.folder / "projects"
    folder.mkdir()
    for task, main in zip(tasks, mains.values(), strict=True):
        arena.project(main).rename(folder / task.task_id)
    (folder / ".generation").mkdir()
    return folder


def test_all_judges_a_folder_of_projects(arena, echo, capsys):
    """Many tasks at once; each report stands alone, and a second run keeps them."""
    folder = folder_of_projects(arena, {1: echo, 2: WRONG, 3: echo})
    out = arena.folder / "reports"
    words = ("evaluate", "--all", folder, "-o", out, "--dataset", arena.folder / "dataset")
    assert arena.command(*words, "--jobs", "2") == 1
    assert sorted(p.name for p in out.iterdir()) == [
        f"arena-easy-00{n}-echo.json" for n in (1, 2, 3)
    ]
    assert "3 judged: 2 resolved, 1 failed, 0 void" in capsys.readouterr().out
    (out / "arena-easy-002-echo.json").unlink()
    assert arena.command(*words, "--json") == 1
    captured = capsys.readouterr()
    assert "kept 2 finished reports" in captured.err
    assert [r["task_id"] for r in json.loads(captured.out)] == ["arena-easy-002-echo"]


def test_one_unreadable_project_takes_no_other_with_it(arena, echo, capsys):
    """The rest of the folder is judged, and the exit status is the gravest."""
    folder = folder_of_projects(arena, {1: echo, 2: echo})
    broken = folder / "arena-easy-001-echo"
    (broken / "main.py").unlink()
    broken.rmdir()
    broken.write_text("no folder")
    words = ("evaluate", "--all", folder, "-o", arena.folder / "r", "--dataset",
             arena.folder / "dataset")  # fmt: skip
    assert arena.command(*words) == 2
    assert "a project is a folder" in capsys.readouterr().err
    assert (arena.folder / "r" / "arena-easy-002-echo.json").exists()


def test_verdicts_do_not_depend_on_the_number_of_workers(arena, echo):
    """The same projects, alone and crowded, give the same verdicts to the byte."""
    crash = "raise SystemExit(3)"
    mains = {n: (echo, WRONG, crash, "print('x')")[n % 4] for n in range(1, 13)}
    folder = folder_of_projects(arena, mains)
    seen = []
    for jobs in ("1", "8"):
        out = arena.folder / f"reports-{jobs}"
        arena.command("evaluate", "--all", folder, "-o", out, "--dataset",
                      arena.folder / "dataset", "--jobs", jobs)  # fmt: skip
        reports = [json.loads(p.read_bytes()) for p in sorted(out.iterdir())]
        seen.append([(r["task_id"], r["outcome"], r.get("failure"), r["passed"]) for r in reports])
    assert seen[0] == seen[1]


def start(arena: Any, folder: Path, *words: str) -> subprocess.Popen[str]:
    """``evaluate --all`` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "kcb_core", "evaluate", "--all", str(folder), "-o",
         str(arena.folder / "reports"), "--dataset", str(arena.folder / "dataset"), *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def alive(pid: str) -> bool:
    """Whether a process lives; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def descendants(pid: int) -> set[str]:
    """All living processes that this one has started, and those that they have."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and alive(folder.name):
            with suppress(OSError):
                words = (folder / "stat").read_text().rpartition(")")[2].split()
                parents[folder.name] = words[1]
    found: set[str] = set()
    new = {str(pid)}
    while new:
        new = {child for child, parent in parents.items() if parent in new} - found
        found |= new
    return found


@pytest.mark.parametrize(
    ("number", "jobs", "again", "level"),
    [(signal.SIGINT, "4", False, "full"), (signal.SIGINT, "1", False, "none"),
     (signal.SIGTERM, "4", False, "none"), (signal.SIGINT, "4", True, "full"),
     (signal.SIGINT, "4", True, "none")],
)  # fmt: skip
def test_b16_an_interrupt_stops_in_good_order(arena, echo, number, jobs, again, level):
    """No new task starts, children are gone, finished reports stay, and exit is 130."""
    mains = {n: echo if n <= 2 else "import time; time.sleep(60)" for n in range(1, 13)}
    folder = folder_of_projects(arena, mains)
    process = start(arena, folder, "--jobs", jobs, "--confine", level)
    reports = arena.folder / "reports"
    deadline = time.monotonic() + 20
    while len(list(reports.glob("*.json"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    while not (pids := descendants(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    asked = time.monotonic()
    process.send_signal(number)
    if again:
        process.send_signal(number)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130, err
    assert time.monotonic() - asked < 10
    assert sorted(p.name for p in reports.iterdir()) == [
        "arena-easy-001-echo.json", "arena-easy-002-echo.json",
    ]  # fmt: skip
    assert pids
    while any(map(alive, pids)) and time.monotonic() - asked < 10:
        time.sleep(0.05)  # a killed process takes its time to go on a busy machine
    assert not [pid for pid in pids if alive(pid)]
    if not again:
        assert "interrupted with 10 of 12 projects not judged" in err
        assert "to go on: klein-bench evaluate --all" in err
        assert "Traceback" not in err
    for name in list(folder.iterdir()):
        if name.name.startswith("arena"):
            (name / "main.py").write_text(echo)
    done = start(arena, folder, "--jobs", "2")
    _, err = done.communicate(timeout=60)
    assert done.returncode == 0, err
    assert "kept 2 finished reports" in err


def test_every_failure_kind_has_its_line(arena, echo, capsys):
    """What a user sees for each kind, in the order in which kinds are decided."""
    provoking = {
        "missing_entrypoint": None,
        "output_limit": "print('x' * 2_000_000, end='', flush=True)",
        "protocol_violation": "print('hello', flush=True); input()",
        "wrong_response": WRONG,
        "crash": "raise SystemExit(7)",
        "timeout": HANGS,
        "resource_limit": "import time\nblock = bytearray(1300 << 20)\ntime.sleep(5)",
    }
    for kind, main in provoking.items():
        limit = 1 if kind == "timeout" else 10
        arena.dataset(arena.task(timeout_s=limit))
        project = arena.project(main or "")
        if main is None:
            (project / "main.py").unlink()
        assert arena.evaluate(project, name=f"{kind}.json") == 1
        line = capsys.readouterr().out.splitlines()[0]
        assert line.startswith(f"arena-easy-001-echo: failed ({kind}): "), line
        assert arena.report(f"{kind}.json").failure.kind == kind


def test_doctor_plays_the_probes(arena, capsys, monkeypatch):
    """A user sees before a run whether this machine can judge at all."""
    assert arena.command("doctor", "--json") == 0
    answers = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert answers["runner.probe"]["verdict"] == "ok"
    assert answers["runner.scratch"]["verdict"] in ("ok", "warning")
    monkeypatch.setattr(probe, "broken", probe.working)
    monkeypatch.setattr(checkup, "roomy_folder", lambda: None)
    assert arena.command("doctor", "--json") == 3
    answers = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert answers["runner.probe"]["verdict"] == "broken"
    assert answers["runner.scratch"]["verdict"] == "warning"


def test_an_interrupt_inside_the_process_is_130_too(arena, echo, capsys):
    """The same as with a process of its own, where the summary can be looked at."""
    folder = folder_of_projects(arena, {1: echo, 2: HANGS, 3: HANGS})
    words = ("evaluate", "--all", folder, "-o", arena.folder / "r", "--dataset",
             arena.folder / "dataset", "--jobs", "1")  # fmt: skip

    def interrupt() -> None:
        end = time.monotonic() + END_BY_S
        while time.monotonic() < end and not list((arena.folder / "r").glob("*.json")):
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    assert arena.command(*words) == 130
    captured = capsys.readouterr()
    assert "interrupted with 2 of 3 projects not judged" in captured.err
    assert "finished: " in captured.err


def test_a_fault_of_the_program_is_exit_3(arena, echo, monkeypatch, capsys):
    """An uncaught exception is a fault of this program and never a failed submission."""

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("ours")

    arena.dataset()
    monkeypatch.setattr(players, "compose", broken)
    assert arena.evaluate(arena.project(echo)) == 3
    assert "unexpected ZeroDivisionError" in capsys.readouterr().err


def test_b15_a_broken_plugin_stops_no_judging_that_does_not_need_it(arena, echo, tmp_path):
    """One warning that names entry point and distribution, and the verdict is the same."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "plugin_broken.py").write_text("import a_module_that_is_not_installed\n")
    info = site / "kcb_broken-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kcb-broken\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text("[kcb]\nthird-broken = plugin_broken\n")
    arena.dataset()
    words = ["evaluate", "arena-easy-001-echo", "--solution", str(arena.project(echo))]
    words += ["--dataset", str(arena.folder / "dataset"), "-o", str(tmp_path / "r.json")]
    done = subprocess.run(
        [sys.executable, "-m", "kcb_core", *words],
        capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "PYTHONPATH": str(site)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("arena-easy-001-echo: resolved")
    assert done.stderr.count("'third-broken' of kcb-broken 1.2") == 1
    assert "Traceback" not in done.stderr
    report = json.loads((tmp_path / "r.json").read_bytes())
    assert "kcb-broken" not in report["plugins"]
    assert "kcb-runner" in report["plugins"]
