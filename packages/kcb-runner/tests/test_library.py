"""Judging from another program: one project, many in a pool, and what a training loop gets."""

from __future__ import annotations

import gc
import math
import os
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import kcb_runner
from kcb_core.dataset import open_dataset
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.report import (
    Confinement,
    Failure,
    FailureKind,
    Outcome,
    Play,
    VoidCause,
)
from kcb_core.task import Scenario, Session
from kcb_runner import Cancelled, Pool, Reward, Terms, Training, calibrate, evaluate, reward
from kcb_runner.intake import submission_of
from kcb_runner.strain import forks, waited_s
from kcb_runner.training import LOST_SHARE, lost_s

ECHO = """
import json, sys
for line in sys.stdin.buffer:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], "value": request["value"]}), flush=True)
"""
WRONG = "import sys\nfor line in sys.stdin: print('{}', flush=True)\n"
HANGS = "import time\ntime.sleep(60)\n"
SPINS = "while True: pass\n"
LATE = "import time\ntime.sleep(0.8)\n" + ECHO


def session(*values: str | int) -> Session:
    """Requests with these values, each answered by an echo."""
    requests = tuple({"id": n, "value": value} for n, value in enumerate(values))
    return Session(requests=requests, expected=requests)


class DeadLauncher:
    """A machine on which nothing can be started."""

    name = "dead"
    closed = 0

    def confinement(self) -> Confinement:
        return Confinement(level="none")

    def at_level(self, level: str) -> DeadLauncher:
        return self

    @contextmanager
    def slot(self) -> Iterator[None]:
        raise MachineError("no more processes")
        yield

    def close(self) -> None:
        type(self).closed += 1


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which evaluations have their scratch, and nobody else."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    for module in ("box", "slots"):
        monkeypatch.setattr(f"kcb_runner.launch.{module}.roomy_folder", lambda: folder)
    return folder


def test_the_public_names_are_sorted_and_there():
    """What stands in the package is what other programs may use."""
    assert kcb_runner.__all__ == sorted(kcb_runner.__all__)
    assert all(hasattr(kcb_runner, name) for name in kcb_runner.__all__)


def test_importing_the_library_loads_no_command_line():
    """A training loop imports it in every worker."""
    code = "import sys, kcb_runner; print({'rich', 'click', 'distributed'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "set()"


def test_one_project_gives_the_report_of_the_command(arena, echo):
    """The same judgement, whoever asks; with a dataset it can be scored."""
    dataset = open_dataset(arena.dataset())
    task = dataset.task("arena-easy-001-echo")
    report = evaluate(task, arena.project(echo), terms=Terms(dataset=dataset, subject="me"))
    assert report.outcome is Outcome.RESOLVED
    assert report.dataset.manifest_sha256 == dataset.manifest.sha256
    assert (report.subject, report.training, report.jobs) == ("me", False, 1)


def test_without_a_dataset_the_report_names_no_manifest(arena, echo):
    """Such a report has no denominator, so it is never scored."""
    report = evaluate(arena.task(), {"main.py": echo})
    assert report.dataset.name == "arena"
    assert report.dataset.totals == {}


def test_a_mapping_is_judged_like_the_folder_with_the_same_files(arena, echo):
    """One project has one source hash, wherever it lies."""
    folder = arena.project(echo, data__txt="x")
    files = {"main.py": echo, "data.txt": b"x", "__pycache__/main.pyc": b"?", ".env": "secret"}
    assert evaluate(arena.task(), files).source == evaluate(arena.task(), folder).source


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"../main.py": ""}, "'../main.py' is no path below the project"),
        ({"/main.py": ""}, "no path below"),
        ({"a//b": ""}, "no path below"),
        ({"a\0b": ""}, "no path below"),
        ({"x" * 256: ""}, "too long"),
        ({"/".join(["y" * 200] * 11): ""}, "too long"),
        ({"/".join("z" * 65): ""}, "nested deeper"),
        ({"\ud800": ""}, "no file name"),
        ({"a": "", "a/b": ""}, "'a' is both a file and a folder"),
        ({str(n): "" for n in range(2001)}, "more than 2,000 files"),
        ({"big": b"x" * 20_000_001}, "more than 20,000,000 bytes"),
    ],
)
def test_a_mapping_that_is_no_project_is_rejected(arena, files, reason):
    """A model that writes impossible paths has failed; this machine has not."""
    report = evaluate(arena.task(), files)
    assert report.failure.kind is FailureKind.REJECTED
    assert reason in report.failure.reason


def test_text_that_is_no_utf8_is_the_projects_fault(arena):
    """A lone surrogate in a model's output must not stop the loop."""
    found = reward(arena.task(), {"main.py": "x = '\ud800'\n"})
    assert (found.valid, found.first_failure.kind) == (True, FailureKind.CRASH)


def test_a_pool_gives_reports_in_order_and_any_thread_may_use_it(arena, echo):
    """Two threads share one pool, and each gets what it asked for."""
    got: dict[str, list[Outcome]] = {}

    def use(name: str, mains: list[str]) -> None:
        items = ((arena.task(), {"main.py": main}) for main in mains)
        got[name] = [report.outcome for report in pool.map(items)]

    plans = {"a": [echo, WRONG] * 6, "b": [WRONG, WRONG, echo] * 4}
    with Pool(jobs=2) as pool:
        threads = [threading.Thread(target=use, args=plan) for plan in plans.items()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert pool.evaluate(arena.task(), {"main.py": echo}).jobs == 2
    words = {echo: Outcome.RESOLVED, WRONG: Outcome.FAILED}
    assert got == {name: [words[main] for main in mains] for name, mains in plans.items()}


def test_a_pool_pulls_items_lazily_and_its_memory_stays_flat(arena):
    """A stream of a thousand projects is never held at once."""
    pulled = 0
    seen = 0
    ahead = []

    def stream():
        nonlocal pulled
        for number in range(1000):
            pulled += 1
            yield arena.task(), {f"{number}.txt": b"x" * 100_000}

    tracemalloc.start()
    try:
        with Pool(jobs=2) as pool:
            for report in pool.map(stream()):
                seen += 1
                ahead.append(pulled - seen)
                assert report.failure.kind is FailureKind.MISSING_ENTRYPOINT
                if seen == 100:
                    gc.collect()
                    early, _ = tracemalloc.get_traced_memory()
                    tracemalloc.reset_peak()
        gc.collect()
        late, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert seen == 1000
    assert max(ahead) <= 4
    assert late - early < 1_000_000
    assert peak - early < 3_000_000


def test_leaving_a_pool_early_closes_everything(arena, scratch):
    """An exception in the loop stops what is played, and leaves neither threads nor files."""
    started = time.monotonic()
    DeadLauncher.closed = 0
    futures = []

    def loop() -> None:
        with Pool(jobs=2) as pool:
            futures.extend(pool.submit(arena.task(), {"main.py": HANGS}) for _ in range(4))
            time.sleep(0.3)
            assert list(scratch.iterdir())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        loop()
    assert time.monotonic() - started < 8
    assert [type(f.exception()) for f in futures if not f.cancelled()] == [Cancelled, Cancelled]
    assert list(scratch.iterdir()) == []
    assert not [t for t in threading.enumerate() if t.name.startswith("kcb-pool")]
    with Pool(jobs=1, launcher=DeadLauncher):
        pass
    assert DeadLauncher.closed == 1


def test_a_pool_that_is_cancelled_begins_nothing_more(arena):
    """Another thread can stop a loop that waits."""
    with Pool(jobs=1) as pool:
        future = pool.submit(arena.task(), {"main.py": HANGS})
        pool.cancel()
        with pytest.raises(Cancelled):
            future.result(timeout=10)
        with pytest.raises(DeclarationError, match="was stopped"):
            pool.submit(arena.task(), {})


def test_a_pool_is_used_in_its_block_only(arena):
    """Outside of it nobody would close what it opens."""
    pool = Pool(jobs=1)
    with pytest.raises(DeclarationError, match="not open"):
        pool.map([])
    with pool:
        assert list(pool.map([])) == []
    with pytest.raises(DeclarationError, match="not open"):
        pool.submit(arena.task(), {})
    with pytest.raises(DeclarationError, match="entered once"), pool:
        pass
    with pytest.raises(DeclarationError, match="at least one job"):
        Pool(jobs=0)


def test_an_unreadable_folder_is_the_callers_error(arena, tmp_path):
    """It says nothing of a project, and takes no other with it."""
    with Pool(jobs=1) as pool, pytest.raises(DeclarationError, match="gone"):
        pool.evaluate(arena.task(), tmp_path / "gone")


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_is_refused_and_stops_nothing(arena, echo):
    """A child that leaves the block, as after an error, must not close its parent's pool."""
    with Pool(jobs=1) as pool:
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                with pytest.raises(DeclarationError) as caught:
                    pool.evaluate(arena.task(), {"main.py": echo})
                os.write(write, str(caught.value).encode())
                pool.__exit__(ValueError, ValueError(), None)
                pool._stack.close()
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        os.close(write)
        with open(read, "rb") as pipe:
            assert f"belongs to process {os.getpid()}" in pipe.read().decode()
        assert pool.evaluate(arena.task(), {"main.py": echo}).outcome is Outcome.RESOLVED


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_fork_during_a_session_costs_no_project_its_reward(arena, monkeypatch):
    """The child holds the candidate's input open, so its end never comes: no hang of its own."""
    monkeypatch.setattr("kcb_runner.training.waited_s", lambda: 0.0)
    waits = "import sys, time\n" + ECHO  # it ends with its input
    counted = forks()
    with Pool(jobs=1, terms=Terms(training=Training(session_s=1.5, confirm_share=0))) as pool:
        slow = f"import time\ntime.sleep(0.6)\n{waits}"
        future = pool.submit(arena.task(), {"main.py": slow})
        time.sleep(0.4)
        pid = os.fork()
        if pid == 0:
            time.sleep(20)
            os._exit(0)
        try:
            found = Reward.of(future.result(timeout=20))
        finally:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
    assert forks() == counted + 1
    assert found.resolved


def test_a_reward_keeps_its_parts_apart(arena, echo):
    """Half right is not right, and is no more than half."""
    task = arena.task(session("a", "b"))
    half = ECHO.replace('request["value"]}', '"a"}')
    found = reward(task, {"main.py": half})
    assert (found.resolved, found.fraction, found.valid, found.confirmed) == (
        False,
        0.5,
        True,
        True,
    )
    assert found.first_failure.kind is FailureKind.WRONG_RESPONSE
    assert reward(task, {"main.py": echo}) == Reward(
        resolved=True, fraction=1.0, first_failure=None, valid=True, confirmed=True
    )


def test_a_void_is_no_zero(arena, echo):
    """A machine that cannot start anything says nothing of a project."""
    found = reward(arena.task(), {"main.py": echo}, launcher=DeadLauncher)
    assert not found.valid
    assert math.isnan(found.fraction)
    assert found.first_failure is None
    report = evaluate(arena.task(), {"main.py": echo}, launcher=DeadLauncher)
    assert report.void.cause is VoidCause.MACHINE


def test_training_stops_at_the_first_failed_session_and_says_what_it_is(arena):
    """The rest costs nothing, and the report cannot pass for one of a scored run."""
    scenarios = [Scenario(name=f"s{n}", sessions=(session(n),)) for n in range(5)]
    task = arena.task(scenarios=scenarios)
    terms = Terms(training=Training(session_s=5))
    report = evaluate(task, {"main.py": WRONG}, terms=terms)
    assert [s.outcome for s in report.scenarios] == ["failed", *["unreached"] * 4]
    assert report.training
    assert report.limits.session_s == 5
    assert not evaluate(task, {"main.py": WRONG}).training


@pytest.mark.parametrize("main", [HANGS, SPINS])
def test_a_hang_costs_the_calibrated_limit(arena, main, monkeypatch):
    """Where the machine kept nothing from it, one playing decides; the task's limit is 10 s."""
    monkeypatch.setattr("kcb_runner.training.waited_s", lambda: 0.0)
    terms = Terms(training=Training(session_s=0.4, confirm_share=0))
    report = evaluate(arena.task(), {"main.py": main}, terms=terms)
    (scenario,) = report.scenarios
    assert scenario.failure.kind is FailureKind.TIMEOUT
    assert len(scenario.plays) == 1
    assert report.wall_s < 5
    assert not Reward.of(report).confirmed
    assert Reward.of(report).valid


def test_a_project_that_a_busy_machine_held_up_is_played_again(arena, monkeypatch):
    """An unconfirmed timeout must not be a false zero: what may have waited gets a second try."""
    clock = iter(range(100))
    monkeypatch.setattr("kcb_runner.training.waited_s", lambda: float(next(clock)))
    twice = "from pathlib import Path\n" + LATE
    terms = Terms(training=Training(session_s=0.5, confirm_share=0))
    report = evaluate(arena.task(), {"main.py": twice}, terms=terms)
    assert len(report.scenarios[0].plays) == 2
    assert Reward.of(report).confirmed


def test_a_system_that_does_not_tell_confirms_what_idles(arena, monkeypatch):
    """Without evidence the evaluator waits once more; a project that computes convicts itself."""
    monkeypatch.setattr("kcb_runner.training.waited_s", lambda: None)
    terms = Terms(training=Training(session_s=0.4, confirm_share=0))
    report = evaluate(arena.task(), {"main.py": HANGS}, terms=terms)
    assert len(report.scenarios[0].plays) == 2


def test_the_sample_is_confirmed_and_depends_on_seed_task_and_project(arena):
    """The same project has the same fate in every run with the same seed."""
    task = arena.task()
    taken = [project_number(n) for n in range(400)]
    half = Training(confirm_share=0.5)
    chosen = [half.sampled(task, one) for one in taken]
    assert chosen == [half.sampled(task, one) for one in taken]
    assert 120 < sum(chosen) < 280
    assert chosen != [Training(confirm_share=0.5, seed=1).sampled(task, one) for one in taken]
    assert not any(Training(confirm_share=0).sampled(task, one) for one in taken)
    assert all(Training(confirm_share=1).sampled(task, one) for one in taken)
    terms = Terms(training=Training(session_s=0.3, confirm_share=1))
    report = evaluate(task, {"main.py": HANGS}, terms=terms)
    assert len(report.scenarios[0].plays) == 2


def project_number(number: int):
    """A project that differs from others in one number."""
    return submission_of({"main.py": str(number)})


def test_what_the_machine_kept_is_bounded_from_both_sides():
    """Neither the time it idled nor the time that others waited is exceeded."""
    failure = Failure(kind=FailureKind.TIMEOUT, reason="")
    play = Play(failure=failure, wall_s=2.0, cpu_s=0.5)
    assert lost_s(play, None) == 1.5
    assert lost_s(play, 0.25) == 0.25
    assert lost_s(play, 9.0) == 1.5
    assert lost_s(Play(wall_s=1.0, cpu_s=3.0), None) == 0
    assert 0 < LOST_SHARE < 1


def test_the_system_says_how_long_processes_waited(tmp_path, monkeypatch):
    """Linux counts it; where it does not, nobody guesses."""
    first, second = waited_s(), waited_s()
    if first is not None:
        assert second >= first > 0
    monkeypatch.setattr("kcb_runner.strain._PRESSURE", (tmp_path / "gone",))
    assert waited_s() is None


def test_a_wrong_training_value_is_refused():
    """A share of 5 is a mistake for 5 %."""
    for wrong in ({"session_s": 0}, {"confirm_share": 5}, {"session_s": math.nan}):
        with pytest.raises(DeclarationError, match=next(iter(wrong))):
            Training(**wrong)


def test_a_limit_is_calibrated_to_the_reference(arena, echo):
    """Ten times what a known-good project takes, and no more than the task itself allows."""
    quick = calibrate(arena.task(), {"main.py": echo}, jobs=1)
    slow = calibrate(arena.task(), {"main.py": LATE}, jobs=2, rounds=1, factor=2)
    assert 0.5 <= quick <= 10
    assert 1.6 <= slow <= 10
    assert calibrate(arena.task(timeout_s=1.0), {"main.py": LATE}, jobs=1, rounds=1) == 1.0
    assert Training(session_s=20).shorten(arena.task()) == arena.task()


def test_only_a_reference_calibrates(arena):
    """What fails has no time, and a machine that fails measures none."""
    with pytest.raises(DeclarationError, match="does not resolve"):
        calibrate(arena.task(), {"main.py": WRONG}, jobs=1)
    with pytest.raises(MachineError, match="no more processes"):
        calibrate(arena.task(), {"main.py": ECHO}, jobs=1, launcher=DeadLauncher)


def test_no_files_are_left(arena, echo, scratch):
    """A million rollouts on one machine must not fill it."""
    for main in (echo, WRONG, HANGS):
        reward(arena.task(), {"main.py": main}, training=Training(session_s=0.3))
    assert list(scratch.iterdir()) == []


def test_a_pool_is_used_inside_of_its_block_and_once(scratch):
    """Elsewhere there is nothing that could judge."""
    pool = Pool(jobs=1)
    with pytest.raises(DeclarationError, match="not open"):
        pool.cancel()
    with pool, pytest.raises(DeclarationError, match="entered once"):
        pool.__enter__()
    with pytest.raises(DeclarationError, match="not open"):
        pool.cancel()
