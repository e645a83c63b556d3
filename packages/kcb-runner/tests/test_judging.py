"""What is made of all scenarios together: confirmation, void, and what stays unreached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from kcb_core.errors import MachineError
from kcb_core.report import Confinement, FailureKind, Outcome, ScenarioOutcome, VoidCause
from kcb_core.task import Scenario, Session
from kcb_runner import judging, probe
from kcb_runner.cancel import Cancelled
from kcb_runner.judging import Bench, examine_machine, judge
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.snapshot import take


def echoes(*values: Any) -> Session:
    """Requests with these values, each answered by an echo."""
    requests = tuple({"id": n, "value": value} for n, value in enumerate(values))
    return Session(requests=requests, expected=requests)


def scenarios(*names: str) -> list[Scenario]:
    """Scenarios whose one request holds their name."""
    return [Scenario(name=name, sessions=(echoes(name),)) for name in names]


class FaultyLauncher(InterpreterLauncher):
    """A machine that fails at chosen starts: what a test needs to see void arise."""

    name = "faulty"

    def __init__(self, fails: Any) -> None:
        super().__init__("none")
        self.fails = fails
        self.starts = 0

    @contextmanager
    def slot(self) -> Iterator[Any]:
        with super().slot() as slot:
            self.really = slot.launch
            slot.launch = self.launch
            yield slot

    def launch(self, request: Any) -> Any:
        self.starts += 1
        if self.fails(self.starts, request):
            raise MachineError("no more processes")
        return self.really(request)


def of_candidate(request: Any) -> bool:
    """Whether a start is of the arena's project and not of the probe."""
    return "--state-dir" not in request.argv


def test_other_scenarios_are_played_after_a_failure(arena, echo):
    """Partial success is diagnosis, so one wrong response ends its scenario alone."""
    main = echo.replace('request["value"]}', '{"b": "wrong"}.get(v := request["value"], v)}')
    judgement = arena.play(main, scenarios=scenarios("a", "b", "c"))
    assert [s.outcome.value for s in judgement.scenarios] == ["passed", "failed", "passed"]
    assert judgement.failure.kind is FailureKind.WRONG_RESPONSE
    assert (judgement.passed, judgement.total) == (2, 3)


def test_the_kind_is_that_of_the_first_failed_scenario(arena):
    """Dataset order decides, not the order in which workers finish."""
    main = """
        import json, sys
        request = json.loads(sys.stdin.readline())
        if request["value"] == "a": sys.exit(5)
        print("{}", flush=True)
    """
    judgement = arena.play(main, scenarios=scenarios("a", "b"))
    assert judgement.failure.kind is FailureKind.CRASH
    assert judgement.scenarios[1].failure.kind is FailureKind.WRONG_RESPONSE


def test_a_missing_entrypoint_starts_nothing(arena):
    """An empty project is a failure that costs no process."""
    project = arena.project("")
    (project / "main.py").unlink()
    judgement = arena.judge(project)
    assert judgement.failure.kind is FailureKind.MISSING_ENTRYPOINT
    assert (judgement.passed, judgement.total, judgement.scenarios) == (0, 1, ())


def test_a_timeout_is_confirmed_alone_and_two_of_them_end_the_task(arena):
    """A hanging project must not cost ten seconds a scenario, nor fail for a busy machine."""
    main = "import time; time.sleep(60)"
    judgement = arena.play(main, scenarios=scenarios("a", "b", "c"), timeout_s=1)
    assert judgement.failure.kind is FailureKind.TIMEOUT
    assert [len(s.plays) for s in judgement.scenarios] == [2, 2, 0]
    assert judgement.scenarios[2].outcome is ScenarioOutcome.UNREACHED


def test_a_timeout_that_is_not_confirmed_is_no_failure(arena, echo, tmp_path):
    """The second playing counts, and both are reported."""
    mark = tmp_path / "slow-once"
    main = f"""
import os, time
if not os.path.exists({str(mark)!r}):
    open({str(mark)!r}, "w").close()
    time.sleep(60)
{echo}"""
    judgement = arena.play(main, echoes("x"), timeout_s=1)
    assert judgement.outcome is Outcome.RESOLVED
    plays = judgement.scenarios[0].plays
    assert plays[0].failure.kind is FailureKind.TIMEOUT
    assert plays[1].failure is None


def test_an_extra_line_is_confirmed_like_a_timeout(arena):
    """Whether bytes arrive before the next request is a matter of time, so it is played again."""
    main = 'import sys\nsys.stdin.readline()\nprint(\'{"id": 0, "value": "x"}\\n{}\', flush=True)'
    judgement = arena.play(main, echoes("x", "y"))
    assert judgement.failure.kind is FailureKind.PROTOCOL_VIOLATION
    assert len(judgement.scenarios[0].plays) == 2


def test_a_machine_on_which_the_probe_fails_gives_void(arena, echo):
    """An outage is never a failed submission."""
    arena.bench = Bench(launcher=FaultyLauncher(lambda n, r: True), cancel=arena.bench.cancel)
    judgement = arena.play(echo, echoes("x"))
    assert judgement.outcome is Outcome.VOID
    assert judgement.void.cause is VoidCause.MACHINE
    assert "no more processes" in judgement.void.reason
    assert any("probe project fails here too" in note for note in judgement.notes)


def test_a_fault_that_passes_is_tried_again(arena, echo):
    """One hiccup of the machine costs a second try, and both stand in the report."""
    arena.bench = Bench(launcher=FaultyLauncher(lambda n, r: n == 1), cancel=arena.bench.cancel)
    judgement = arena.play(echo, echoes("x"))
    assert judgement.outcome is Outcome.RESOLVED
    assert [void.reason for void in judgement.voids] == ["no more processes"]


def test_a_project_that_voids_twice_where_the_probe_works_has_failed(arena, echo):
    """Else a project could void its own failure for ever."""
    launcher = FaultyLauncher(lambda n, r: of_candidate(r))
    arena.bench = Bench(launcher=launcher, cancel=arena.bench.cancel)
    judgement = arena.play(echo, echoes("x"))
    assert judgement.outcome is Outcome.FAILED
    assert judgement.failure.kind is FailureKind.RESOURCE_LIMIT
    assert len(judgement.voids) == 2


def test_an_established_failure_is_never_turned_into_void(arena):
    """A project that fails and then breaks the machine has failed."""
    launcher = FaultyLauncher(lambda n, r: n == 2)
    arena.bench = Bench(launcher=launcher, cancel=arena.bench.cancel)
    judgement = arena.play("print('{}', flush=True)", scenarios=scenarios("a", "b", "c"))
    assert judgement.outcome is Outcome.FAILED
    assert judgement.failure.kind is FailureKind.WRONG_RESPONSE
    assert len(judgement.voids) == 1
    assert [s.outcome.value for s in judgement.scenarios] == ["failed", "unreached", "unreached"]


def test_a_fault_of_our_own_is_void_of_unknown_cause(arena, echo, monkeypatch):
    """Where the evaluator itself is wrong, the model must not pay for it."""

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(judging, "play_scenario", broken)
    judgement = arena.play(echo, echoes("x"))
    assert judgement.outcome is Outcome.VOID
    assert judgement.void.cause is VoidCause.UNKNOWN
    assert "ZeroDivisionError" in judgement.void.reason


def test_a_slow_machine_makes_a_confirmed_timeout_void(arena, monkeypatch):
    """If a project that is known to work needs half the limit, the limit says nothing here."""
    monkeypatch.setattr(judging, "SLOW_PROBE_SHARE", 1e-6)
    judgement = arena.play("import time; time.sleep(60)", echoes("x"), timeout_s=1)
    # The probe works, only slowly, so the second try decides, and it says the same.
    assert judgement.outcome is Outcome.FAILED
    assert judgement.failure.kind is FailureKind.RESOURCE_LIMIT
    assert "too slow" in judgement.voids[0].reason


def test_a_slow_machine_without_a_working_probe_is_void(arena, monkeypatch):
    """The same, where the probe does not even work."""
    launcher = FaultyLauncher(lambda n, r: not of_candidate(r))
    arena.bench = Bench(launcher=launcher, cancel=arena.bench.cancel)
    judgement = arena.play("import time; time.sleep(60)", echoes("x"), timeout_s=1)
    assert judgement.outcome is Outcome.VOID
    assert judgement.scenarios[0].outcome is ScenarioOutcome.UNREACHED


def test_both_probes_are_judged_rightly_here(arena):
    """The probe is the evidence for everything above, so it must bite both ways."""
    found = examine_machine(arena.bench)
    assert found.fault == ""
    assert 0 < found.session_s < 10


def test_a_judge_that_passes_everything_is_found_out(arena, monkeypatch):
    """A machine on which wrong answers pass can judge nobody."""
    monkeypatch.setattr(probe, "broken", probe.working)
    assert "not seen to be broken" in examine_machine(arena.bench).fault


def test_a_probe_that_answers_wrongly_is_a_fault(arena, monkeypatch):
    """The reason of the probe's failure is what a user needs."""
    monkeypatch.setattr(probe, "working", probe.broken)
    assert "expected" in examine_machine(arena.bench).fault


def test_a_cancelled_run_gives_no_judgement(arena, echo):
    """An interrupt is no verdict: nothing may be written for a task that it cut off."""
    arena.bench.cancel.throw()
    with pytest.raises(Cancelled):
        arena.play(echo, echoes("x"))


def test_a_submission_that_wrecks_its_surroundings_harms_itself_alone(arena, echo):
    """A project that removes the folder around it is judged all the same, and the next one too."""
    wreck = """
import os, shutil
shutil.rmtree(os.path.dirname(os.getcwd()), ignore_errors=True)
"""
    judgement = arena.play(wreck + echo, scenarios=scenarios("a", "b"))
    assert judgement.outcome is Outcome.FAILED
    assert judgement.failure.kind is FailureKind.RESOURCE_LIMIT
    assert len(judgement.voids) == 2
    assert arena.play(echo, echoes("x")).outcome is Outcome.RESOLVED


def test_the_confinement_that_is_reported_is_the_launchers(arena):
    """A report must not claim more than what was in force."""
    assert isinstance(arena.bench.launcher.confinement(), Confinement)
    assert arena.bench.launcher.confinement().level == "none"


def test_judge_plays_only_the_examples_on_request(arena, echo):
    """A smoke test over the prompt's examples must not touch the acceptance tests."""
    project = arena.project(echo)
    judgement = judge(arena.task(), take(project), arena.bench, public_only=True)
    assert [s.name for s in judgement.scenarios] == ["public"]
