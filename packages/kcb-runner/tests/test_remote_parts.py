"""What a cluster's worker does and is asked, without any engine."""

from __future__ import annotations

import fcntl
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kcb_core.catalog import load_catalog
from kcb_core.dataset import encode_record
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.report import Confinement, FailureKind, Outcome, Void, VoidCause
from kcb_core.run_record import Making, RunRecord
from kcb_runner.cancel import Cancel, Cancelled
from kcb_runner.evaluator import evaluate, stamp_of
from kcb_runner.intake import submission_of
from kcb_runner.judging import Examination
from kcb_runner.players import LocalRunner, RunnerWish, open_player
from kcb_runner.remote import errand as work
from kcb_runner.remote.errand import Errand, Unfit
from kcb_runner.remote.fitness import Demand, Fitness, fitness_here, versions
from kcb_runner.remote.host_gate import HostGate
from kcb_runner.remote.runner import RemoteRunner
from kcb_runner.remote.seats import WAKE_S, Seats
from kcb_runner.report import Circumstances

LOST = Void(cause=VoidCause.MACHINE, reason="the worker at X was lost")


@pytest.fixture
def errand(arena, request) -> Errand:
    """A run of this client on workers like it."""
    demand = Demand(launcher="interpreter", versions=versions(), dataset="arena", manifest="")
    stamp = stamp_of(arena.task(), None)
    return Errand(run=request.node.name, demand=demand, dataset=stamp, jobs=3, subject="me")


def carry_out(what, arena, errand, main: str, *voids: Void, threads: int = 2, making=None):
    """Do one errand here."""
    project = submission_of({"main.py": main})
    return work.carry_out(threads, what, arena.task(), project, errand, making, voids)


def test_a_worker_reports_as_the_client_would(arena, echo, errand):
    """The client's words stand in the report, and the worker's own circumstances."""
    making = Making(record=RunRecord(seed=7), source_sha256="0" * 64)
    report = carry_out(work.play, arena, errand, echo, LOST, making=making)
    assert report.outcome is Outcome.RESOLVED
    assert (report.subject, report.jobs, report.voids) == ("me", 2, (LOST,))
    assert report.run_record == {"seed": 7, "hand_corrected": True}
    assert report.confinement == fitness_here("interpreter").confinement


def test_one_loss_is_void_and_two_are_the_projects_fault(arena, echo, errand):
    """The probe project works here, so the evidence is what became of the tries."""
    once = carry_out(work.examine_loss, arena, errand, echo, LOST)
    assert (once.outcome, once.void) == (Outcome.VOID, LOST)
    twice = carry_out(work.examine_loss, arena, errand, echo, LOST, LOST)
    assert twice.failure.kind is FailureKind.RESOURCE_LIMIT
    assert (twice.voids, twice.passed, twice.total) == ((LOST, LOST), 0, 1)


def test_a_loss_where_nothing_works_stays_void(arena, echo, errand, monkeypatch):
    """A machine that fails the probe project convicts nobody."""
    bad = Examination(fault="it does not start", session_s=1.0)
    monkeypatch.setattr(work, "examine_machine", lambda bench: bad)
    report = carry_out(work.examine_loss, arena, errand, echo, LOST, LOST)
    assert report.outcome is Outcome.VOID
    assert report.notes[-1] == f"{work.PROBE_FAILS}it does not start"


def test_a_run_that_is_over_stops_and_begins_nothing(arena, errand):
    """What is played when the client goes ends at once."""
    timer = threading.Timer(0.5, work.end_run, [errand.run])
    timer.start()
    started = time.monotonic()
    for _ in range(2):
        with pytest.raises(Cancelled):
            carry_out(work.play, arena, errand, "import time\ntime.sleep(30)\n")
    assert time.monotonic() - started < 8
    timer.join()
    work.end_run("unheard of")


def test_a_worker_refuses_clients_of_other_software_and_too_high_demands(arena, echo, errand):
    """It checks for itself, since it may have joined after the client looked."""
    other = asking(errand, versions={"kcb-core": "0.0.7"})
    with pytest.raises(Unfit, match=r"kcb-core .* there and 0.0.7 here"):
        carry_out(work.play, arena, other, echo)
    strict = asking(errand, confinement="full", versions={})
    if fitness_here("interpreter").confinement.level != "full":
        with pytest.raises(Unfit, match="confines at level"):
            carry_out(work.play, arena, strict, echo)


def asking(errand: Errand, **changes) -> Errand:
    """The same run with another demand."""
    return replace(errand, demand=replace(errand.demand, **changes))


def test_what_is_unforeseen_is_the_workers_fault(arena, echo, errand, monkeypatch):
    """An error of any kind must survive its way to the client."""
    monkeypatch.setattr(work, "judge", lambda *a, **k: 1 / 0)
    with pytest.raises(MachineError, match="unexpected ZeroDivisionError"):
        carry_out(work.play, arena, errand, echo)


def test_what_travels_arrives_unchanged_or_not_at_all(arena, echo):
    """Digests name what is sent, executable bits included."""
    record = encode_record(arena.task())
    assert work.unpack_task(record, work.digest(record)) == arena.task()
    with pytest.raises(MachineError, match="another digest"):
        work.unpack_task(record, "0" * 64)
    project = submission_of({"main.py": echo})
    assert work.unpack_submission(project, work.tree_digest(project)) is project
    with pytest.raises(MachineError, match="another digest"):
        work.unpack_submission(project, project.sha256[:-1] + "x")


def test_every_difference_is_named_with_both_sides():
    """One line is enough to know what to install where."""
    demand = Demand(
        launcher="x", versions={"kcb-core": "1", "Python": "3"}, dataset="kcb", manifest="a" * 64
    )
    there = Fitness(
        versions={"kcb-core": "2"},
        confinement=Confinement(level="basic"),
        manifests={"kcb": "b" * 64, "other": "c"},
    )
    assert demand.mismatch(there) == (
        "kcb-core 2 there and 1 here, Python missing there and 3 here, "
        f"dataset kcb has manifest {'b' * 12} there and {'a' * 12} here"
    )
    same = Fitness(versions=demand.versions, confinement=Confinement(level="basic"))
    assert demand.mismatch(same) is None
    assert demand.shortfall(same) is None


@pytest.mark.parametrize(("asked", "enough"), [("none", True), ("basic", True), ("full", False)])
def test_levels_of_confinement_are_ordered(asked, enough):
    """Basic is more than none, and less than full."""
    demand = Demand(launcher="x", versions={}, dataset="", manifest="", confinement=asked)
    there = Fitness(versions={}, confinement=Confinement(level="basic"))
    assert (demand.shortfall(there) is None) is enough


def test_workers_of_one_machine_leave_each_other_alone(tmp_path):
    """A timeout that is confirmed in one process must not be the fault of another's session."""
    script = """
import sys, time
from pathlib import Path
from kcb_runner.cancel import Cancel
from kcb_runner.remote.host_gate import HostGate

gate, kind, log = HostGate(Cancel(), Path(sys.argv[1])), sys.argv[2], Path(sys.argv[3])
for _ in range(10):
    with gate.alone() if kind == "alone" else gate.shared():
        with log.open("a") as file:
            file.write(f"+{kind}\\n")
        time.sleep(0.02)
        with log.open("a") as file:
            file.write(f"-{kind}\\n")
"""
    log = tmp_path / "log"
    words = [[sys.executable, "-c", script, str(tmp_path / "gate"), kind, str(log)]
             for kind in ("shared", "alone", "shared")]  # fmt: skip
    running = [subprocess.Popen(word) for word in words]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    inside: list[str] = []
    seen = set()
    for line in log.read_text().split():
        if line[0] == "+":
            inside.append(line[1:])
        else:
            inside.remove(line[1:])
        assert "alone" not in inside or len(inside) == 1
        seen.add(tuple(inside))
    assert ("alone",) in seen


def test_the_gates_folder_is_this_users_own(tmp_path):
    """Somebody else's file in a shared folder for temporary files must not be locked."""
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path)
    for wrong in (tmp_path / "file", tmp_path / "link", tmp_path / "gone" / "deeper"):
        with pytest.raises(MachineError):
            HostGate(Cancel(), wrong)
    (tmp_path / "gate").mkdir()
    (tmp_path / "gate" / "turn").symlink_to(tmp_path / "file")
    gate = HostGate(Cancel(), tmp_path / "gate")
    with pytest.raises(MachineError, match="turn"), gate.shared():
        pass


@pytest.mark.parametrize("held", ["turn", "room"])
def test_a_run_that_is_stopped_waits_at_no_gate(tmp_path, held):
    """Who holds it may belong to another run, which knows nothing of this one's end."""
    cancel = Cancel()
    gate = HostGate(cancel, tmp_path / "gate")
    with gate.shared():
        pass
    threading.Timer(0.3, cancel.throw).start()
    started = time.monotonic()
    with open(tmp_path / "gate" / held) as strange:
        fcntl.flock(strange, fcntl.LOCK_SH)
        with pytest.raises(Cancelled), gate.alone():
            pass
    assert 0.2 < time.monotonic() - started < 10


def test_who_came_first_gets_the_next_seat():
    """Else a project could wait for as long as others come, behind all that hang."""
    seats = Seats(lambda: 1, lambda: None)
    order: list[int] = []
    threads = []

    def sit(number: int) -> None:
        with seats.seat():
            order.append(number)

    with seats.seat():
        for number in range(8):
            threads.append(threading.Thread(target=sit, args=(number,)))
            threads[-1].start()
            while len(seats.queue) <= number:
                time.sleep(0.001)
        time.sleep(2.5 * WAKE_S)  # all have looked around and come back
    for thread in threads:
        thread.join(10)
    assert order == list(range(8))


def test_who_gives_up_leaves_the_queue():
    """A run that is stopped leaves nobody behind who blocks the others."""
    told = [Cancelled()]

    def idle() -> None:
        if told:
            raise told.pop()

    count = [0]
    seats = Seats(lambda: count[0], idle)
    with pytest.raises(Cancelled), seats.seat():
        pass
    count[0] = 1
    with seats.seat():
        assert not seats.queue


class Stranger:
    """A runner of another package."""

    name = "stranger"

    def evaluate(self, task, submission):
        return evaluate(task, submission)


def test_a_strangers_runner_plays_and_the_caller_is_named(arena, echo):
    """It knows tasks and projects alone."""
    stamp = stamp_of(arena.task(), None)
    about = Circumstances(dataset=stamp, bench=arena.bench, subject="me", repetition=2, jobs=3)
    making = Making(record=RunRecord(seed=7), source_sha256="")
    project = submission_of({"main.py": echo})
    with open_player(Stranger(), about, RunnerWish()) as player:
        report = player.play(arena.task(), project, making)
    assert player.at_once == 3
    assert (report.subject, report.repetition, report.run_record) == ("me", 2, {"seed": 7})
    for wish in (RunnerWish(scheduler="tcp://x"), RunnerWish(confinement="basic")):
        with pytest.raises(DeclarationError), open_player(Stranger(), about, wish):
            pass
    public = Circumstances(dataset=stamp, bench=arena.bench, public_only=True)
    refused = pytest.raises(DeclarationError, match="--public-only")
    with open_player(Stranger(), public, RunnerWish()) as player, refused:
        player.play(arena.task(), project, None)


def test_runners_enter_by_the_hook(arena, echo):
    """This machine is a runner like any other."""
    found = {runner.name: type(runner) for runner in load_catalog().runners()}
    assert found == {"local": LocalRunner, "remote": RemoteRunner}
    project = submission_of({"main.py": echo})
    assert LocalRunner().evaluate(arena.task(), project).outcome is Outcome.RESOLVED


def test_a_scheduler_goes_with_the_remote_runner_alone(arena, echo, capsys):
    """An address that nobody uses is a mistake; so is a runner that nobody brings."""
    arena.dataset()
    project = arena.project(echo)
    assert arena.evaluate(project, "--scheduler", "tcp://127.0.0.1:1") == 2
    assert "--scheduler goes with --runner remote" in capsys.readouterr().err
    assert arena.evaluate(project, "--runner", "cloud") == 2
    assert "unknown runner 'cloud'" in capsys.readouterr().err


def test_without_the_extra_one_line_says_what_to_install(arena, echo, capsys, monkeypatch):
    """An optional part that is missing is no traceback."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    for name in [n for n in sys.modules if n == "kcb_runner.remote.fleet"]:
        monkeypatch.delitem(sys.modules, name)
    arena.dataset()
    assert arena.evaluate(arena.project(echo), "--runner", "remote") == 2
    assert "pip install 'kcb-runner[remote]'" in capsys.readouterr().err
    assert not Path(arena.folder / "report.json").exists()
