"""What comparisons store and print fits the JSON Schemas that are published of it."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from kcb_core.codec import Json, encode, parse
from kcb_core.schemas import schema_of
from kcb_score.compare.arm import Arm, Result
from kcb_score.compare.documents import DOCUMENTS
from kcb_score.compare.history import Week, history


def validator(kind: str) -> jsonschema.Draft202012Validator:
    """A validator that knows nothing but the published schema."""
    return jsonschema.Draft202012Validator(
        schema_of(next(one for one in DOCUMENTS if one.kind == kind))
    )


@pytest.fixture
def reports(bench: Any, tmp_path: Path) -> Path:
    """Three subjects, one of them with a void task, so that every kind of number is there."""
    for subject, outcomes in (("a", "rrfr"), ("b", "rffv"), ("c", "ffff")):
        told = [{"r": "resolved", "f": "failed", "v": "void"}[letter] for letter in outcomes]
        made = zip(bench.tasks("easy"), told, strict=False)
        bench.write(tmp_path / subject, *(bench.report(t, o, subject=subject) for t, o in made))
    return tmp_path


def told_by(klein_bench: Any, *words: object) -> Json:
    """The document of ``compare --json``."""
    done = klein_bench("compare", *words, "--allow", "partial", "--json")
    assert done.out, done.err
    return parse(done.out.encode())


def test_comparisons_fit(klein_bench: Any, reports: Path) -> None:
    """With many subjects, and of two with a gate."""
    places = [reports / name for name in "abc"]
    many = told_by(klein_bench, *places)
    gated = told_by(klein_bench, *places[:2], "--gate", "--margin", "0.1")
    for document in (many, gated):
        validator("comparison").validate(document)
        assert not validator("comparison").is_valid(document | {"format": 2})
        assert not validator("comparison").is_valid(document | {"pairs": None})


def test_a_baseline_fits(klein_bench: Any, reports: Path) -> None:
    """It is kept beside the code of an agent, where other programs may read it."""
    assert klein_bench("compare", reports / "a", "--write-baseline", reports / "b.json").status == 0
    document = parse((reports / "b.json").read_bytes())
    validator("baseline").validate(document)
    assert not validator("baseline").is_valid(document | {"runs": [{"resolved": "all"}]})


def test_a_history_fits() -> None:
    """Two weeks of an arm beside the control."""
    tasks = [f"kcb-easy-{n:03d}-family-{n}" for n in range(1, 5)]
    arms = {
        name: Arm(name=name, runs=({task: Result(resolved=True) for task in tasks},))
        for name in ("fixed", "mine")
    }
    weeks = [Week(label=label, arms=arms) for label in ("2026-W10", "2026-W11")]
    document = parse(encode(history(weeks, control="fixed", tasks=tasks)))
    validator("history").validate(document)
    assert not validator("history").is_valid(document | {"kind": "comparison"})
