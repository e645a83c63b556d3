"""Building: the same bytes everywhere, and no dataset from families that contradict themselves."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kcb_core.dataset import Manifest, decode_record, encode_record, open_dataset
from kcb_core.errors import DeclarationError, DuplicateNameError
from kcb_core.family import Case, ErrorCode, Family
from kcb_core.shape import Checked, Integer, required
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks import build as build_module
from kcb_tasks.build import Built, build
from kcb_tasks.cases import check_cases
from kcb_tasks.task import build_task
from kcb_tasks.tiers.easy import EASY
from kcb_tasks.tiers.shipped import TIERS

SECOND = replace(AMOUNTS, number=2, slug="more-amounts", title="More amounts")

PRINT_DIGESTS = """
import hashlib
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.build import build
from kcb_tasks.tiers.shipped import TIERS
built = build([AMOUNTS], TIERS, seed=1729, version="1", packages={"x": "1"})
for name, data in built.files.items():
    print(name, hashlib.sha256(data).hexdigest())
"""


def _built(*families: Family, seed: int = 1729) -> Built:
    return build(families, TIERS, seed=seed, version="1", packages={"x": "1"})


def test_the_same_bytes_in_every_process() -> None:
    """A dataset that depends on hash order could never be checked against its source."""
    printed = {
        subprocess.run(
            [sys.executable, "-c", PRINT_DIGESTS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "4242")
    }
    here = _built(AMOUNTS).files
    lines = (f"{name} {hashlib.sha256(data).hexdigest()}\n" for name, data in here.items())
    assert printed == {"".join(lines)}


def test_a_built_dataset_is_read_back_as_it_was(tmp_path: Path) -> None:
    """Files, manifest and tasks agree, for several families in all tiers."""
    built = _built(SECOND, AMOUNTS)
    for name, data in built.files.items():
        (tmp_path / name).write_bytes(data)
    dataset = open_dataset(tmp_path)
    assert dataset.manifest == built.manifest
    assert dataset.task_ids[:2] == ("toy-easy-001-amounts", "toy-easy-002-more-amounts")
    assert dataset.manifest.totals == {"easy": 2, "intermediate": 2, "hard": 2, "max": 2}
    for task, tier in zip(dataset.tasks(), [t for t in TIERS for _ in range(2)], strict=True):
        assert task.start == tier.start
        assert task.subset == tier.name
        assert task.timeout_seconds == 10
        assert task.durable == (tier.name == "max")
        assert len(task.public_tests) == 2
    for file in dataset.manifest.files:
        tasks = list(dataset.tasks(file.subset))
        assert file.assertions == sum(task.assertions for task in tasks)
        assert file.scenarios == sum(len(task.acceptance_tests) for task in tasks)


def test_a_record_holds_its_task() -> None:
    """Nothing is lost between a task and its line."""
    task = build_task(AMOUNTS, TIERS[3], 1)
    assert decode_record(encode_record(task), source="test") == task


def test_the_manifest_names_what_it_was_built_from() -> None:
    """Another seed is another dataset."""
    manifest: Manifest = _built(AMOUNTS, seed=5).manifest
    assert (manifest.dataset, manifest.version, manifest.seed) == ("toy", "1", 5)
    assert manifest.packages == {"x": "1"}
    assert manifest.sha256 != _built(AMOUNTS).manifest.sha256


def test_each_task_is_told_when_it_is_done() -> None:
    """A progress bar moves by it."""
    told: list[str] = []
    build(
        [AMOUNTS],
        TIERS[:2],
        seed=1,
        version="1",
        packages={},
        done=told.append,
    )
    assert told == ["toy-easy-001-amounts", "toy-intermediate-001-amounts"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"golden": Case({"amounts": [1], "unit": "m"}, {"total": 2})}, "golden case: result: "),
        ({"golden": AMOUNTS.boundaries[0]}, "golden case: it must have a result"),
        ({"golden": AMOUNTS.examples[0]}, "golden case: the prompt shows this input"),
        (
            {"boundaries": (AMOUNTS.golden, Case({"amounts": [1], "unit": "m"}, error="over_cap"))},
            "boundary case 2: expected error over_cap, got {.*total",
        ),
        (
            {"boundaries": (Case({"amounts": [], "unit": "m"}, {}),)},
            "boundary case 1: expected a result, got {.*no_amounts",
        ),
        (
            {"boundaries": (Case(AMOUNTS.golden.input, {"total": 9.0, "mean": 3.0, "label": ""}),)},
            "boundary case 1: result.total: expected 9.0, received 9|result.label",
        ),
        ({"examples": (AMOUNTS.examples[1], Case({}, error="invalid_field"))}, "example 2: "),
        ({"malformed": ({"amounts": [], "unit": "m"},)}, "malformed input 1: .* no_amounts, not"),
        ({"malformed": (AMOUNTS.golden.input,)}, "malformed input 1: .* a result, not"),
    ],
)
def test_a_wrong_case_stops_the_build(change: Mapping[str, Any], message: str) -> None:
    """A case that was worked out by hand is the evidence that the rules are right."""
    family = replace(AMOUNTS, **change)
    with pytest.raises(DeclarationError, match=f"family toy/amounts, {message}"):
        check_cases(family)
    with pytest.raises(DeclarationError, match="family toy/amounts"):
        _built(family)


def test_a_field_that_cannot_be_wrong_stops_the_build() -> None:
    """Nothing could tell whether a program checks it."""

    class Anything(Checked):
        def admits(self, value: Any) -> bool:
            return True

    anything = required("x", Anything(Integer(0, 1), lambda value: True, "anything", (1,), ()))
    with pytest.raises(DeclarationError, match="field x: its shape offers no violation"):
        check_cases(replace(AMOUNTS, fields=(*AMOUNTS.fields, anything)))
    with pytest.raises(DeclarationError, match="it has no field"):
        check_cases(replace(AMOUNTS, fields=()))


def test_an_error_that_never_comes_stops_the_build() -> None:
    """A code that no scenario reaches would be untested."""
    errors = (*AMOUNTS.errors, ErrorCode("too_odd", "Never."))
    with pytest.raises(DeclarationError, match=r"toy-easy-001-amounts: no scenario .* too_odd"):
        _built(replace(AMOUNTS, errors=errors))


def test_a_field_that_is_never_wrong_stops_the_build() -> None:
    """A shape that admits everything it offers as a violation tests nothing."""

    class Open(Checked):
        def admits(self, value: Any) -> bool:
            return bool(value != "never")

    shape = Open(Integer(0, 1), lambda value: True, "anything", (1,), ("never",))
    fields = (*AMOUNTS.fields, required("extra", shape))

    def with_extra(case: Case) -> Case:
        return replace(case, input={**case.input, "extra": 1})

    family = replace(
        AMOUNTS,
        fields=fields,
        golden=with_extra(AMOUNTS.golden),
        boundaries=tuple(map(with_extra, AMOUNTS.boundaries)),
        examples=(with_extra(AMOUNTS.examples[0]), with_extra(AMOUNTS.examples[1])),
        generate=lambda rng: {**AMOUNTS.generate(rng), "extra": 1},
        malformed=(),
    )
    assert build_task(family, EASY, 1).assertions > 0

    class Closed(Open):
        def admits(self, value: Any) -> bool:
            return True

        def violations(self) -> Any:
            return iter(["never"])

    fields = (*AMOUNTS.fields, required("extra", Closed(shape, shape.check, "any", (1,), ())))
    with pytest.raises(DeclarationError, match=r"no scenario .* invalid_field for extra"):
        build_task(replace(family, fields=fields), EASY, 1)


def test_families_of_one_dataset_and_distinct_numbers_are_needed() -> None:
    """A plug-in's families form a dataset of their own, and ids are unique."""
    with pytest.raises(DeclarationError, match="at least one family"):
        _built()
    with pytest.raises(DeclarationError, match="several datasets: other, toy"):
        _built(AMOUNTS, replace(SECOND, dataset="other"))
    with pytest.raises(DuplicateNameError, match="001"):
        _built(AMOUNTS, replace(SECOND, number=1))


def test_the_shipped_dataset_has_a_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plug-in's has none, and the shipped one's is in proportion to its families."""
    monkeypatch.setattr(build_module, "FLOORS", {"easy": 65_000})
    _built(AMOUNTS)
    message = r"easy.jsonl: \d+ assertions for 2 families, at least 2000 are needed"
    with pytest.raises(DeclarationError, match=message):
        _built(*(replace(family, dataset="kcb") for family in (AMOUNTS, SECOND)))


def test_an_evaluation_that_changes_its_input_stops_the_build() -> None:
    """Its cases would change from one use to the next, and with them the expected answers."""

    def evaluate(fields: Mapping[str, Any]) -> Any:
        fields["amounts"].sort()
        return AMOUNTS.evaluate(fields)

    with pytest.raises(DeclarationError, match="golden case: evaluate changes its input"):
        _built(replace(AMOUNTS, evaluate=evaluate))
    assert AMOUNTS.golden.input["amounts"] == [10, -4, 3]
