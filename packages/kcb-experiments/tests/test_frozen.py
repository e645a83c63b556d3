"""Freezing and planning: everything expanded, nothing of the environment, no change afterwards."""

import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kcb_core.catalog import Catalog, load_catalog
from kcb_core.codec import encode
from kcb_core.dataset import open_dataset
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.roles import DatasetSource
from kcb_core.selection import freeze_selection, write_selection
from kcb_core.testing.values import plugin_giving
from kcb_experiments.frozen import EXPERIMENT_NAME, Experiment, freeze, read_experiment, store
from kcb_experiments.plan import make_plan
from kcb_experiments.spec import Benchmark, Bounds, Caps, Price, Spec, Subject
from kcb_experiments.task_sets import Datasets


class Stub:
    """An agent that is only looked up."""

    name = "toy-agent"
    version = "7"
    asks_model = False

    def generate(self, generation: object) -> Any:
        """Never called."""
        raise AssertionError


@pytest.fixture
def catalog(toy_dataset: Path) -> Catalog:
    """A dataset and an agent."""
    source = DatasetSource(name="toy", folder=toy_dataset)
    plugin = plugin_giving(agents=[Stub()], dataset_sources=[source], task_sources=[Datasets()])
    return load_catalog([("toys", plugin)])


def spec_of(**changes: Any) -> Spec:
    """Two arms on the easy tier of the toy dataset, or with other fields."""
    known: dict[str, Any] = {
        "name": "small",
        "benchmark": Benchmark(dataset="toy", subset="easy"),
        "subjects": tuple(Subject(name=name, agent="toy-agent") for name in "ab"),
        "budget": Caps(),
    }
    return Spec(**(known | changes))


def test_a_frozen_experiment_names_tasks_versions_and_data(
    catalog: Catalog, tmp_path: Path, toy_dataset: Path
) -> None:
    """Whoever reads it later needs neither the spec nor the same installation."""
    made = freeze(spec_of(repetitions=2), catalog, beside=tmp_path)
    assert made.tasks == ("toy-easy-001-x", "toy-easy-002-y", "toy-easy-003-z")
    assert {arm.agent_version for arm in made.arms} == {"7"}
    assert made.dataset.manifest_sha256 == open_dataset(toy_dataset).manifest.sha256
    assert len(list(made.cells())) == 12
    assert store(made, tmp_path)
    assert not store(made, tmp_path)
    assert read_experiment(tmp_path) == made
    assert made.subject("b").name == "b"
    with pytest.raises(UnknownNameError, match="unknown subject 'c'"):
        made.subject("c")


def test_the_environment_has_no_part_in_a_plan(
    catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variables serve credentials and paths of this machine, and nothing else."""
    first = freeze(spec_of(), catalog, beside=tmp_path).sha256
    for name in ("OPENAI_BASE_URL", "MODEL", "KCB_DATASET", "HOME", "TZ", "LANG", "PYTHONHASHSEED"):
        monkeypatch.setenv(name, "other")
    assert freeze(spec_of(), catalog, beside=tmp_path).sha256 == first


def test_the_same_data_elsewhere_make_the_same_experiment(
    catalog: Catalog, tmp_path: Path, toy_dataset: Path
) -> None:
    """Where files lie is the machine's business."""
    moved = toy_dataset.rename(tmp_path / "elsewhere")
    other = freeze(spec_of(), catalog, beside=Path("/"), dataset_path=moved)
    moved.rename(toy_dataset)
    assert freeze(spec_of(), catalog, beside=tmp_path) == other


def test_what_is_frozen_never_changes(catalog: Catalog, tmp_path: Path) -> None:
    """A folder of two experiments would be a folder of none; the difference is named."""
    store(freeze(spec_of(), catalog, beside=tmp_path), tmp_path)
    before = (tmp_path / EXPERIMENT_NAME).read_bytes()
    with pytest.raises(DeclarationError, match="another experiment: repetitions: 1 → 2; what is"):
        store(freeze(spec_of(repetitions=2), catalog, beside=tmp_path), tmp_path)
    assert (tmp_path / EXPERIMENT_NAME).read_bytes() == before


def named(*subjects: Subject, **changes: Any) -> Spec:
    """A spec with these subjects."""
    return spec_of(subjects=subjects, **changes)


WARM = Subject(name="b", agent="toy-agent", settings={"temperature": 0.3, "model": "m" * 90})
COOL = msgspec.structs.replace(WARM, settings=WARM.settings | {"temperature": 0.2, "seed": 1})
OTHER = Subject(name="a", agent="toy-agent", credentials=("KEY",))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            named(COOL, budget=Caps(seconds=9000.0)),
            named(WARM, budget=Caps(seconds=9001.0)),
            "budget.seconds: 9000.0 → 9001.0; subjects 'b'.settings.temperature: 0.2 → 0.3; "
            "subjects 'b'.settings.seed: 1 → left out",
        ),
        (named(OTHER, WARM), named(WARM, OTHER), "subjects: the same in another order"),
        (
            named(OTHER),
            named(msgspec.structs.replace(OTHER, credentials=("A", "B"), slot="x")),
            'subjects \'a\'.credentials: 2 more ("A"), 1 fewer ("KEY"); '
            "subjects 'a'.slot: left out → \"x\"",
        ),
        (
            spec_of(),
            spec_of(benchmark=Benchmark(dataset="toy", tasks=("toy-easy-002-y",))),
            'tasks: 2 fewer ("toy-easy-001-x")',
        ),
        (
            named(COOL),
            named(Subject(name="b", agent="toy-agent", settings={f"s{n}": n for n in range(9)})),
            "subjects 'b'.settings.temperature: 0.2 → left out; "
            f"subjects 'b'.settings.model: \"{'m' * 59}… → left out; subjects 'b'.settings.seed: "
            "1 → left out; subjects 'b'.settings.s0: left out → 0; ",
        ),
    ],
    ids=["settings", "order", "lists", "tasks", "many"],
)
def test_every_difference_is_named_by_the_words_of_the_spec(
    catalog: Catalog, tmp_path: Path, old: Spec, new: Spec, says: str
) -> None:
    """Which subject and which setting, with both values: nobody has to hold two files together."""
    store(freeze(old, catalog, beside=tmp_path), tmp_path)
    with pytest.raises(DeclarationError) as caught:
        store(freeze(new, catalog, beside=tmp_path), tmp_path)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 1500
    assert ("; and 4 more; what is run" in str(caught.value)) == ("s0" in says)


def test_settings_of_every_kind_survive(catalog: Catalog, tmp_path: Path) -> None:
    """A date of a TOML file becomes text; the experiment must still equal itself."""
    settings = {"since": datetime.date(2026, 1, 31), "nested": {"list": [1, 2.5, True]}}
    spec = spec_of(subjects=(Subject(name="a", agent="toy-agent", settings=settings),))
    assert store(freeze(spec, catalog, beside=tmp_path), tmp_path)
    assert not store(freeze(spec, catalog, beside=tmp_path), tmp_path)


def test_tasks_are_named_by_id_or_by_a_frozen_selection(
    catalog: Catalog, tmp_path: Path, toy_dataset: Path
) -> None:
    """Both come out in the order of the dataset, so that ids and order do not depend on taste."""
    named = Benchmark(dataset="toy", tasks=("toy-easy-003-z", "toy-easy-001-x"))
    made = freeze(spec_of(benchmark=named), catalog, beside=tmp_path)
    assert made.tasks == ("toy-easy-001-x", "toy-easy-003-z")
    manifest = open_dataset(toy_dataset).manifest
    write_selection(freeze_selection(manifest, ["toy-easy-002-y"]), tmp_path / "selection.json")
    chosen = Benchmark(dataset="toy", selection="selection.json")
    assert freeze(spec_of(benchmark=chosen), catalog, beside=tmp_path).tasks == ("toy-easy-002-y",)
    other = msgspec.structs.replace(manifest, version="2")
    write_selection(freeze_selection(other, ["toy-easy-002-y"]), tmp_path / "selection.json")
    with pytest.raises(DataError, match="not of the one that is here"):
        freeze(spec_of(benchmark=chosen), catalog, beside=tmp_path)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"benchmark": Benchmark(dataset="tyo", subset="easy")}, "did you mean 'toy'"),
        ({"benchmark": Benchmark(dataset="toy", subset="eazy")}, "did you mean 'easy'"),
        ({"benchmark": Benchmark(dataset="toy", tasks=("toy-easy-009-q",))}, "unknown task"),
        (
            {"benchmark": Benchmark(dataset="toy", subset="easy", manifest_sha256="0" * 64)},
            "install the version that the spec names",
        ),
        ({"subjects": (Subject(name="a", agent="toy-agnet"),)}, "did you mean 'toy-agent'"),
    ],
)
def test_what_is_not_there_is_named(
    catalog: Catalog, tmp_path: Path, changes: dict[str, Any], says: str
) -> None:
    """Before a folder is made or anything is asked."""
    with pytest.raises((DeclarationError, DataError), match=says) as caught:
        freeze(spec_of(**changes), catalog, beside=tmp_path)
    assert caught.value.exit_status == 2


def test_a_broken_experiment_is_named(tmp_path: Path) -> None:
    """A file of a newer version, or of another kind, is no experiment of ours."""
    (tmp_path / EXPERIMENT_NAME).write_bytes(encode({"kind": "experiment", "format": 2}))
    with pytest.raises(DataError, match="field 'format': 2 is not known"):
        read_experiment(tmp_path)


def test_a_plan_adds_up(experiment: Experiment) -> None:
    """12 cells of at most 1,000 tokens at $2 a million; two groups at once of a minute each."""
    plan = make_plan(experiment)
    assert (plan.cells, plan.groups, plan.tasks, plan.families) == (12, 6, 3, 3)
    assert (plan.load.arms, plan.load.groups, plan.load.cells) == (2, 2, 4)
    assert plan.arms[0].worst_of_all.dollars == pytest.approx(6 * 0.002)
    assert (plan.at_most.tokens, plan.at_most.seconds) == (12_000, 720)
    assert plan.elapsed_s == 180
    assert plan.unbounded == ()


def test_a_plan_sees_no_difference_beyond_the_disagreement(experiment: Experiment) -> None:
    """Arms that are alike on nine tasks of ten are never further apart than a tenth."""
    (few, *_) = make_plan(experiment).sees
    assert (few.disagreement, few.difference) == (0.1, None)
    assert few.reason == "there are too few tasks to find any"
    many = tuple(f"toy-easy-{number:03d}-f{number}" for number in range(1, 401))
    sees = make_plan(msgspec.structs.replace(experiment, tasks=many)).sees
    assert [sight.disagreement for sight in sees] == [0.1, 0.2, 0.4]
    differences = [sight.difference or 0.0 for sight in sees]
    assert differences == sorted(differences)
    assert all(0 < sight.difference <= sight.disagreement for sight in sees if sight.difference)
    assert all(sight.difference for sight in sees)


def test_subjects_of_one_slot_wait_for_each_other(experiment: Experiment) -> None:
    """Two models of one laptop: no group limit makes them faster."""
    arms = tuple(
        msgspec.structs.replace(arm, subject=msgspec.structs.replace(arm.subject, slot="laptop"))
        for arm in experiment.arms
    )
    assert make_plan(msgspec.structs.replace(experiment, arms=arms)).elapsed_s == 12 * 60


def test_a_budget_bounds_what_a_plan_may_cost(experiment: Experiment) -> None:
    """Whatever the cells could cost, the cap is never exceeded."""
    capped = msgspec.structs.replace(experiment, budget=Caps(tokens=5000))
    assert make_plan(capped).at_most.tokens == 5000


def test_one_arm_compares_nothing_and_one_family_tells_nothing(experiment: Experiment) -> None:
    """A number that is not defined is left out, with its reason."""
    alone = msgspec.structs.replace(experiment, arms=experiment.arms[:1])
    assert make_plan(alone).sees == ()
    family = msgspec.structs.replace(experiment, tasks=experiment.tasks[:1])
    (sight, *_) = make_plan(family).sees
    assert sight.difference is None
    assert "single family" in sight.reason


def test_what_nobody_bounded_is_named(catalog: Catalog, tmp_path: Path) -> None:
    """A plan must not say $0 where it means that it does not know."""
    plan = make_plan(freeze(spec_of(), catalog, beside=tmp_path))
    assert plan.unbounded == ("dollars", "tokens")
    bounds = Bounds(tokens=10)
    priced = Subject(name="a", agent="toy-agent", bounds=bounds, price=Price(input=1, output=1))
    assert make_plan(freeze(spec_of(subjects=(priced,)), catalog, beside=tmp_path)).unbounded == ()
