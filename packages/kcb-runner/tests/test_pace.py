"""Before a run: how long a session takes here, and how many tasks may run at once."""

from __future__ import annotations

import pytest

from kcb_core.errors import MachineError
from kcb_core.report import Calibration
from kcb_runner import cli, probe
from kcb_runner.pace import settle_jobs


def measured(*seconds: float):
    """A measurement that gives these numbers one after the other, and notes what it was asked."""
    left = list(seconds)
    asked = []

    def measure(bench, jobs):
        asked.append(jobs)
        return left.pop(0)

    return measure, asked


def test_the_probe_is_really_played(arena):
    """The numbers in a report are measured on this machine, alone and in the crowd asked for."""
    found = settle_jobs(arena.bench, 2, 10.0)
    assert (found.asked_jobs, found.jobs) == (2, 2)
    assert 0 < found.alone_s < 10
    assert found.factor == round(found.crowded_s / found.alone_s, 2) or found.factor > 0


def test_jobs_are_lowered_until_start_up_leaves_room(arena):
    """Above a quarter of the limit, a crowd would decide verdicts."""
    measure, asked = measured(0.1, 4.0, 2.6, 2.4)
    found = settle_jobs(arena.bench, 16, 10.0, measure)
    assert asked == [1, 16, 8, 4]
    assert (found.asked_jobs, found.jobs, found.crowded_s, found.factor) == (16, 4, 2.4, 24.0)


def test_one_job_is_never_lowered(arena):
    """What is too slow even alone is found out by the probe after a timeout."""
    measure, asked = measured(6.0)
    found = settle_jobs(arena.bench, 1, 10.0, measure)
    assert asked == [1]
    assert (found.jobs, found.factor) == (1, 1.0)
    measure, asked = measured(6.0, 9.0, 6.0)
    assert settle_jobs(arena.bench, 2, 10.0, measure).jobs == 1


def test_a_machine_on_which_the_probe_fails_judges_nothing(arena, monkeypatch):
    """It would fail every project."""
    monkeypatch.setattr(probe, "working", probe.broken)
    with pytest.raises(MachineError, match="the probe project fails"):
        settle_jobs(arena.bench, 1, 10.0)


def test_a_report_holds_what_was_measured(arena, echo, capsys):
    """Timing depends on the machine, so that a reader can see what it was like."""
    arena.dataset()
    assert arena.evaluate(arena.project(echo)) == 0
    assert arena.report().calibration.jobs == 1
    assert arena.report().calibration.alone_s > 0


def test_a_timeout_names_its_timer(arena):
    """Wall and CPU time both stand beside it."""
    judgement = arena.play("import time; time.sleep(60)", timeout_s=1)
    play = judgement.scenarios[0].plays[0]
    assert play.timer == "wall"
    assert play.wall_s >= 1 > play.cpu_s


def test_a_run_with_fewer_jobs_says_so(arena, echo, capsys, monkeypatch):
    """The report names both numbers, and a line says why."""
    lowered = Calibration(asked_jobs=4, jobs=1, alone_s=2.0, crowded_s=2.0, factor=1.0)
    monkeypatch.setattr(cli, "settle_jobs", lambda *_: lowered)
    arena.dataset()
    assert arena.evaluate(arena.project(echo)) == 0
    assert "jobs lowered from 4 to 1" in capsys.readouterr().err
    assert arena.report().jobs == 1
