"""Sets of tasks of any kind: found by name or path, frozen with what they say of themselves."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from kcb_core.catalog import Catalog, load_catalog
from kcb_core.errors import DataError, DeclarationError, DuplicateNameError, UnknownNameError
from kcb_core.limits import TaskBudget
from kcb_core.report import DatasetStamp
from kcb_core.roles import DatasetSource, Generated, Generation
from kcb_core.tasksets import Brief, Whereabouts
from kcb_core.testing.values import plugin_giving
from kcb_experiments.cells import Cell
from kcb_experiments.frozen import Experiment, freeze
from kcb_experiments.plan import make_plan
from kcb_experiments.spec import Benchmark, Bounds, Caps, Price, Spec, Subject, Verifier
from kcb_experiments.task_sets import Datasets, frozen_task_set, open_task_set

SHORT = TaskBudget(turns=5, dollars=0.5, seconds=100.0)
LONG = TaskBudget(turns=50, dollars=5.0, seconds=1000.0)


class Puzzles:
    """A set of two tasks, of a kind that nothing here knows."""

    verifier = "oracle"
    task_ids = ("easy-one", "long-one")
    stamp = DatasetStamp(
        name="puzzles", version="1", manifest_sha256="a" * 64, totals={"suite": 2}, kind="live"
    )

    def __init__(self, *, scripted: bool = False) -> None:
        self.scripted = scripted

    def members(self, subset: str) -> tuple[str, ...]:
        """All of it."""
        if subset != "all":
            raise UnknownNameError("subset", subset, ["all"])
        return self.task_ids

    def brief(self, task_id: str) -> Brief:
        """A prompt."""
        return Brief(task_id=task_id, prompt="Solve it.")

    def budgets(self, task_ids: Sequence[str]) -> Mapping[str, TaskBudget]:
        """One is short, and one long."""
        both = dict(zip(self.task_ids, (SHORT, LONG), strict=True))
        return {task_id: both[task_id] for task_id in task_ids}

    def options(self, task_ids: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
        """None."""
        return {}

    def pins(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """A digest for each."""
        return {f"boards/{task_id}": "b" * 64 for task_id in task_ids}

    def unmet(self, task_ids: Sequence[str]) -> tuple[str, ...]:
        """Nothing."""
        return ()


class PuzzleSource:
    """Brings the set by name, and knows no path."""

    name = "puzzle"

    def __init__(self, puzzles: Puzzles, called: str = "puzzles") -> None:
        self.puzzles, self.called = puzzles, called

    def sets(self, at: Whereabouts) -> Mapping[str, Callable[[], Puzzles]]:
        """The one set."""
        if at.path is not None:
            raise DeclarationError(f"{at.path}: holds no puzzles")
        return {self.called: lambda: self.puzzles}


class Agent:
    """An agent that asks a model, or does not."""

    version = "1"

    def __init__(self, name: str, *, asks_model: bool) -> None:
        self.name, self.asks_model = name, asks_model

    def generate(self, generation: Generation) -> Generated:
        """Never called."""
        raise NotImplementedError


def catalog_of(toy_dataset: Path, *sources: PuzzleSource) -> Catalog:
    """Datasets, and these sources."""
    plugin = plugin_giving(
        agents=[Agent("asker", asks_model=True), Agent("player", asks_model=False)],
        dataset_sources=[DatasetSource(name="toy", folder=toy_dataset)],
        task_sources=[Datasets(), *sources],
    )
    return load_catalog([("toys", plugin)])


@pytest.fixture
def catalog(toy_dataset: Path) -> Catalog:
    """With one kind besides datasets."""
    return catalog_of(toy_dataset, PuzzleSource(Puzzles()))


def frozen(catalog: Catalog, agent: str = "asker", **more: object) -> Experiment:
    """An experiment over all puzzles."""
    subject = Subject(name="a", agent=agent, **more)  # type: ignore[arg-type]
    benchmark = Benchmark(dataset="puzzles", subset="all")
    spec = Spec(name="x", benchmark=benchmark, subjects=(subject,), budget=Caps())
    return freeze(spec, catalog, beside=Path())


def test_an_experiment_is_frozen_with_what_its_tasks_say(catalog: Catalog) -> None:
    """Who judges them, what they allow, and the digests that results depend on."""
    experiment = frozen(catalog)
    assert experiment.dataset == Puzzles.stamp
    assert experiment.verifier == Verifier(name="oracle")
    assert experiment.budgets == {"easy-one": SHORT, "long-one": LONG}
    assert experiment.pins == {"boards/easy-one": "b" * 64, "boards/long-one": "b" * 64}
    changed = replace(experiment, pins={"boards/easy-one": "c" * 64})
    assert changed.sha256 != experiment.sha256


def test_a_dataset_adds_nothing_to_an_experiment(catalog: Catalog, tmp_path: Path) -> None:
    """So that its digest is what it was before there were other kinds."""
    subject = Subject(name="a", agent="asker")
    benchmark = Benchmark(dataset="toy", subset="easy")
    spec = Spec(name="x", benchmark=benchmark, subjects=(subject,), budget=Caps())
    experiment = freeze(spec, catalog, beside=tmp_path)
    assert (experiment.budgets, experiment.pins) == ({}, {})
    assert experiment.verifier == Verifier(name="runner")
    assert experiment.subject_at(Cell("toy-easy-001-x", 0, "a")).bounds.limit_s == 900


@pytest.mark.parametrize(
    ("bounds", "price", "expected"),
    [
        (Bounds(), False, (1060.0, None)),
        (Bounds(), True, (1060.0, 5.0)),
        (Bounds(seconds=7.0, dollars=1.0), True, (7.0, 1.0)),
        (Bounds(dollars=1.0), False, (1060.0, 1.0)),
    ],
)
def test_a_task_bounds_what_the_spec_leaves_open(
    catalog: Catalog, bounds: Bounds, price: bool, expected: tuple[float, float | None]
) -> None:
    """Its time with a minute to end in, and its dollars where they can be counted."""
    more = {"price": Price(input=1.0, output=1.0)} if price else {}
    found = frozen(catalog, bounds=bounds, **more).subject_at(Cell("long-one", 0, "a")).bounds
    dollars = found.dollars if isinstance(found.dollars, float) else None
    assert (found.limit_s, dollars) == expected


def test_a_plan_adds_up_what_each_task_may_take(catalog: Catalog) -> None:
    """The dearest attempt, and all of them together."""
    plan = make_plan(frozen(catalog, price=Price(input=1.0, output=1.0)))
    (arm,) = plan.arms
    assert (arm.worst.seconds, arm.worst.dollars) == (1060.0, 5.0)
    assert (arm.worst_of_all.seconds, arm.worst_of_all.dollars) == (1220.0, 5.5)
    assert plan.families == plan.tasks == 2


def test_only_who_asks_nobody_plays_what_is_scripted(toy_dataset: Path) -> None:
    """A run that goes the same way each time has no model in it."""
    catalog = catalog_of(toy_dataset, PuzzleSource(Puzzles(scripted=True)))
    assert frozen(catalog, "player").arms[0].subject.agent == "player"
    with pytest.raises(DeclarationError, match="agent 'asker' asks a model; name the agent"):
        frozen(catalog, "asker")


def test_a_set_that_nobody_brings_is_answered_with_those_that_are_there(catalog: Catalog) -> None:
    """Of every kind."""
    with pytest.raises(UnknownNameError, match="did you mean 'puzzles'"):
        open_task_set(catalog, "puzzle")


def test_two_kinds_must_not_share_a_name(toy_dataset: Path) -> None:
    """Or nobody would know which tasks a spec means."""
    catalog = catalog_of(toy_dataset, PuzzleSource(Puzzles(), called="toy"))
    with pytest.raises(DuplicateNameError):
        open_task_set(catalog, "toy")


def test_a_path_is_opened_by_the_kind_that_knows_it(
    catalog: Catalog, toy_dataset: Path, tmp_path: Path
) -> None:
    """And where none does, each says what it looked for."""
    assert open_task_set(catalog, "toy", toy_dataset).verifier == "runner"
    (tmp_path / "empty").mkdir()
    with pytest.raises(DeclarationError, match=r"manifest\.json.*; .*holds no puzzles"):
        open_task_set(catalog, "toy", tmp_path / "empty")


def test_another_version_of_a_set_is_not_gone_on_with(catalog: Catalog) -> None:
    """An experiment never changes its tasks."""
    stamp = replace(Puzzles.stamp, manifest_sha256="f" * 64)
    with pytest.raises(DataError, match="was frozen with ffffffffffff"):
        frozen_task_set(catalog, stamp)
