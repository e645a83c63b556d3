"""Which cells run when, and what their ends come to; with an executor and a verifier by hook."""

import errno
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from kcb_core.catalog import load_catalog
from kcb_core.dataset import Dataset
from kcb_core.errors import DeclarationError, ExitStatus, MachineError
from kcb_core.execution import Casting, Errand, Left, Setup, Verdict, Verification
from kcb_core.roles import DatasetSource, Generated, Generation
from kcb_core.run_record import Usage
from kcb_core.testing.values import plugin_giving, small_task, write_dataset
from kcb_experiments.attempts import Attempt
from kcb_experiments.engine.opening import open_workshop
from kcb_experiments.engine.regrading import Regrading, projects_of
from kcb_experiments.engine.running import Outcome, Wanted, run_experiment
from kcb_experiments.frozen import Experiment, freeze
from kcb_experiments.log import read_log
from kcb_experiments.records import Cause, Status
from kcb_experiments.selection import Retry
from kcb_experiments.spec import Benchmark, Bounds, Caps, Executor, Spec, Subject, Verifier
from kcb_experiments.task_sets import Datasets, DatasetTasks

Play = Callable[[Errand], Left]


def left(errand: Errand, stop_reason: str = "done") -> Left:
    """A subject that came back, with a small project."""
    project = errand.folder / "project"
    project.mkdir(parents=True, exist_ok=True)
    (project / "main.py").write_text("pass\n")
    return Left(returned=True, stop_reason=stop_reason, project=project)


class Silent:
    """An agent that only has a name."""

    name = "silent"
    version = "1"
    asks_model = True

    def generate(self, generation: Generation) -> Generated:
        """Never called: the executor of these tests plays its part."""
        raise NotImplementedError


class Stage:
    """An executor that plays what a test says, and counts what runs at once."""

    name = "stage"
    version = "3"
    enforces_proxy = True

    def __init__(self, play: Play) -> None:
        self.play = play
        self.running: set[str] = set()
        self.together: list[frozenset[str]] = []
        self._lock = threading.Lock()

    @contextmanager
    def open(self, setup: Setup) -> Iterator["Stage"]:
        """Itself."""
        yield self

    def preflight(self, castings: Sequence[Casting], prompt: str) -> tuple[str, ...]:
        """Nothing is missing."""
        return ()

    def run(self, errand: Errand) -> Left:
        """Play one part."""
        with self._lock:
            self.running.add(errand.name)
            self.together.append(frozenset(self.running))
        try:
            time.sleep(0.05)
            return self.play(errand)
        finally:
            with self._lock:
                self.running.discard(errand.name)


class Jury:
    """A verifier whose verdict is one score for all, or none."""

    name = "jury"
    stamp = "jury 1"

    def __init__(self, score: float | None = 1.0) -> None:
        self.score = score

    @contextmanager
    def open(self, setup: Setup) -> Iterator["Jury"]:
        """Itself."""
        yield self

    def preflight(self) -> tuple[str, ...]:
        """All is well."""
        return ()

    def verify(self, verification: Verification) -> Verdict:
        """The one verdict."""
        if self.score is None:
            return Verdict(score=None, reason="the jury is out")
        verification.report.write_text("{}\n")
        return Verdict(score=self.score)

    def stop(self) -> None:
        """Nothing to stop."""


class House:
    """A folder with a dataset of three tasks, and experiments that run in it."""

    def __init__(self, folder: Path) -> None:
        tasks = [small_task(f"toy-easy-{number:03}-t") for number in (1, 2, 3)]
        self.dataset: Dataset = write_dataset(folder / "data", *tasks)
        self.out = folder / "out"
        self.stage = Stage(left)
        self.jury = Jury()

    def experiment(self, arms: str = "a", **more: object) -> Experiment:
        """One with an arm for each letter."""
        bounds = Bounds(tokens=100, seconds=10.0)
        given: dict[str, object] = {"budget": Caps(), "groups": 1} | more
        spec = Spec(
            name="house",
            benchmark=Benchmark(dataset="toy", subset="easy"),
            subjects=tuple(Subject(name=arm, agent="silent", bounds=bounds) for arm in arms),
            executor=Executor(name="stage", version="3"),
            verifier=Verifier(name="jury"),
            **given,  # type: ignore[arg-type]
        )
        return freeze(spec, self.catalog, beside=self.out.parent)

    @property
    def catalog(self):  # type: ignore[no-untyped-def]
        """What the plug-ins of these tests bring."""
        plugin = plugin_giving(
            agents=[Silent()],
            executors=[self.stage],
            verifiers=[self.jury],
            task_sources=[Datasets()],
            dataset_sources=[DatasetSource(name="toy", folder=self.dataset.folder)],
        )
        return load_catalog([("house", plugin)])

    def run(self, experiment: Experiment, **wanted: object) -> Outcome:
        """Run it, or go on."""
        asked = Wanted(**wanted)  # type: ignore[arg-type]
        return run_experiment(self.catalog, experiment, self.out, DatasetTasks(self.dataset), asked)

    def attempts(self) -> list[Attempt]:
        """All attempts so far."""
        return list(read_log(self.out).attempts)


@pytest.fixture
def house(tmp_path: Path) -> House:
    """Everything, and nothing run yet."""
    return House(tmp_path)


@pytest.mark.parametrize("groups", [1, 2])
def test_no_more_groups_run_at_once_than_were_frozen(house: House, groups: int) -> None:
    """Whole groups start together, and the limit is of groups and not of cells."""
    met: list[str] = []
    everybody = threading.Barrier(3 * groups)

    def meeting(errand: Errand) -> Left:
        if not met:  # the first ones wait for each other, and the rest for nobody
            everybody.wait(20)
            met.append(errand.name)
        return left(errand)

    house.stage.play = meeting
    assert house.run(house.experiment("abc", groups=groups)).exit_status is ExitStatus.DONE
    most = max(house.stage.together, key=len)
    assert len(most) == 3 * groups
    for names in house.stage.together:
        assert len({name.rpartition("/")[0] for name in names}) <= groups


def test_a_budget_that_holds_one_arm_lets_the_others_follow(house: House) -> None:
    """Two arms that fit only one after the other must not wait for each other for ever."""

    def answered(errand: Errand) -> Left:
        errand.observer.asked()
        errand.observer.answered(Usage(input_tokens=10), None)
        return left(errand)

    house.stage.play = answered
    house.run(house.experiment("ab", budget=Caps(tokens=155)))
    assert [attempt.status for attempt in house.attempts()] == [Status.COMPLETED] * 6
    assert read_log(house.out).attempts.charged.tokens == 60
    assert max(map(len, house.stage.together)) == 1


def test_an_executor_that_fails_says_nothing_of_the_subject(house: House) -> None:
    """A fault of ours is void, by its cause, and the other cells go on."""
    faults = {"001": MachineError("the disk has gone"), "002": ValueError("a slip")}

    def failing(errand: Errand) -> Left:
        number = errand.task.task_id.split("-")[2]
        if number in faults:
            raise faults[number]
        return left(errand)

    house.stage.play = failing
    assert house.run(house.experiment()).exit_status is ExitStatus.MACHINERY
    first, second, third = house.attempts()
    assert (first.cause, second.cause) == (Cause.INFRASTRUCTURE, Cause.UNKNOWN)
    assert third.status is Status.COMPLETED
    assert first.charged.tokens == 100, "what was spent is not known, so all of it is charged"
    house.stage.play = left
    assert house.run(house.experiment(), retry=(Retry.VOID,)).scored == 3
    assert [attempt.start.why for attempt in house.attempts()[3:]] == ["--retry void"] * 2


@pytest.mark.parametrize(
    ("stop_reason", "status"),
    [
        ("done", "completed"),
        ("turns", "subject_failed"),
        ("no_project", "subject_failed"),
        ("rate_limited", "void"),
        ("context_cut", "void"),
    ],
)
def test_a_stop_reason_explains_and_only_two_make_an_attempt_void(
    house: House, stop_reason: str, status: str
) -> None:
    """The vocabulary of outcomes is closed, and a rate limit is never a zero."""
    house.stage.play = lambda errand: left(errand, stop_reason)
    house.run(house.experiment())
    assert {str(attempt.status) for attempt in house.attempts()} == {status}


def test_a_subject_that_was_never_started_costs_nothing(house: House) -> None:
    """Nobody is billed for what was not begun."""
    house.stage.play = lambda errand: Left(started=False, reason="no worker")
    house.run(house.experiment())
    attempt = house.attempts()[0]
    assert attempt.cause is Cause.NEVER_STARTED
    assert attempt.charged.tokens == 0


def test_another_version_of_the_executor_is_refused(house: House) -> None:
    """What was frozen is what runs."""
    experiment = house.experiment()
    house.stage.version = "4"  # type: ignore[misc]
    with pytest.raises(DeclarationError, match="asks for 3"):
        house.run(experiment)


def regraded(house: House, experiment: Experiment) -> tuple[int, int]:
    """How many projects were judged again, and how many otherwise."""
    tasks = DatasetTasks(house.dataset)
    with open_workshop(
        house.catalog, experiment, house.out, tasks=tasks, tell=lambda line: None
    ) as shop:
        projects = projects_of(experiment, shop.log.attempts)
        done = Regrading(shop).judge_all(projects)
    return done.judged, done.changed


def test_projects_are_judged_again_and_the_newest_verdict_counts(house: House) -> None:
    """A repaired judge must not cost a second generation, and the first verdict is kept."""
    experiment = house.experiment()
    house.run(experiment)
    house.jury.score = 0.0
    assert regraded(house, experiment) == (3, 3)
    attempts = house.attempts()
    assert [attempt.score for attempt in attempts] == [0.0] * 3
    assert [attempt.end.score for attempt in attempts if attempt.end] == [1.0] * 3
    assert regraded(house, experiment) == (3, 0)


def test_a_verdict_that_was_missing_is_given_afterwards(house: House) -> None:
    """The subject had done its part, so that the cell need not be run again."""
    experiment = house.experiment()
    house.jury.score = None
    assert house.run(experiment).scored == 0
    assert {attempt.cause for attempt in house.attempts()} == {Cause.INFRASTRUCTURE}
    house.jury.score = 1.0
    assert regraded(house, experiment) == (3, 3)
    assert {attempt.status for attempt in house.attempts()} == {Status.COMPLETED}
    assert house.run(experiment).ran == 0


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_under_a_report_ends_the_run(
    house: House, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """No other subject is asked in vain; with room again, the stored project is judged."""

    def full(verification: Verification) -> Verdict:
        raise MachineError("report.json: cannot be written") from OSError(number, "full")

    experiment = house.experiment()
    with monkeypatch.context() as patch:
        patch.setattr(house.jury, "verify", full)
        with pytest.raises(MachineError, match="make room and run the same command again"):
            house.run(experiment)
    assert [(a.status, a.cause) for a in house.attempts()] == [(Status.VOID, Cause.INTERRUPTED)]
    played = len(house.stage.together)
    assert house.run(experiment).exit_status is ExitStatus.DONE
    assert [attempt.score for attempt in house.attempts()] == [1.0] * 3
    assert len(house.stage.together) == played + 2


def test_a_fault_of_the_verifier_ends_one_attempt_alone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is room on the disk, so the others go on; what the subject has used is on record."""

    def faulty(verification: Verification) -> Verdict:
        raise MachineError("no judge") from OSError(errno.EIO, "no luck")

    monkeypatch.setattr(house.jury, "verify", faulty)
    assert house.run(house.experiment()).exit_status is ExitStatus.MACHINERY
    ends = [(a.cause, a.end.reason, a.end.stop_reason) for a in house.attempts() if a.end]
    assert ends == [(Cause.INFRASTRUCTURE, "no judge", "done")] * 3
