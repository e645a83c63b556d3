"""The values in kcb_core that scores and selections are made of."""

from pathlib import Path
from typing import Any

import pytest

from kcb_core.codec import encode
from kcb_core.errors import DataError, DeclarationError, UnknownNameError
from kcb_core.score import Measure
from kcb_core.selection import Selection, freeze_selection, read_selection, write_selection

EASY = tuple(f"kcb-easy-{n:03d}-family-{n}" for n in (1, 2, 3))


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({}, "needs a reason"),
        ({"at_least": 0.1, "reason": "x"}, "go together"),
        ({"at_most": 0.1, "reason": "x"}, "go together"),
        ({"value": 0.1, "at_least": 0.1, "at_most": 0.1}, "not both"),
        ({"at_least": 0.1, "at_most": 0.2}, "needs a reason"),
        ({"at_least": 0.2, "at_most": 0.1, "reason": "x"}, "not be greater"),
        ({"value": float("nan")}, "finite"),
        ({"value": float("inf")}, "finite"),
        ({"at_least": 0.0, "at_most": float("inf"), "reason": "x"}, "finite"),
    ],
)
def test_a_measure_is_a_number_a_pair_or_a_reason(fields: dict[str, Any], fault: str) -> None:
    """No command can write a number that is not finite."""
    with pytest.raises(ValueError, match=fault):
        Measure(**fields)


def test_a_selection_is_frozen_in_the_order_of_the_dataset(bench: Any) -> None:
    """So that the same choice is the same file and the same digest."""
    first = freeze_selection(bench.small, EASY)
    second = freeze_selection(bench.small, EASY[::-1])
    assert first == second
    assert first.sha256 == second.sha256
    assert first.tasks == EASY
    assert first.totals == {"easy": 3}
    assert first.sha256 != freeze_selection(bench.small, EASY[:1]).sha256


def test_a_selection_survives_its_file(bench: Any, tmp_path: Path) -> None:
    """It is written before the projects are and read long after."""
    selection = freeze_selection(bench.small, EASY)
    write_selection(selection, tmp_path / "chosen.json")
    assert read_selection(tmp_path / "chosen.json") == selection


def test_the_selection_of_format_1_is_kept(bench: Any) -> None:
    """A selection that was frozen once can be used for ever."""
    golden = Path(__file__).parent / "golden" / "selection-v1.json"
    assert encode(freeze_selection(bench.small, EASY)) == golden.read_bytes()
    assert read_selection(golden).tasks == EASY


def test_only_tasks_of_the_dataset_can_be_selected(bench: Any) -> None:
    """A selection of nothing, or of something unknown, is refused when it is made."""
    with pytest.raises(UnknownNameError, match="did you mean 'kcb-easy-001-family-1'"):
        freeze_selection(bench.small, ["kcb-easy-001-famly-1"])
    with pytest.raises(DataError, match="at least one task"):
        freeze_selection(bench.small, [])


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"kind": "selection"', '"kind": "score"', "field 'kind': 'score' is not 'selection'"),
        ('"format": 1', '"format": 2', "field 'format': 2 is not known"),
        ('"format": 1', '"format": 0', "field 'format': 0 is not known"),
        ('"format": 1', '"format": "1"', "field 'format'"),
        ('"tasks"', '"task"', "tasks"),
        ('"manifest_sha256": "', '"manifest_sha256": "x', "64 hexadecimal"),
        ("kcb-easy-002-family-2", "kcb-easy-001-family-1", "kcb-easy-001-family-1 twice"),
        ("kcb-easy-002-family-2", "toy-easy-002-family-2", "not of dataset 'kcb'"),
        ("kcb-easy-002-family-2", "family-2", "is no task id"),
        ('"version": "0.1.0"', '"version": NaN', "field 'version': NaN is not JSON"),
        ('"format": 1', '"format": 1, "format": 1', "stands twice"),
    ],
)
def test_a_damaged_selection_is_refused_by_file_and_field(
    bench: Any, tmp_path: Path, old: str, new: str, fault: str
) -> None:
    """A denominator that was meant otherwise is worse than none."""
    text = encode(freeze_selection(bench.small, EASY)).decode()
    path = tmp_path / "chosen.json"
    path.write_text(text.replace(old, new))
    with pytest.raises(DataError, match=fault) as caught:
        read_selection(path)
    assert str(path) in str(caught.value)


def test_a_selection_names_at_least_one_task(bench: Any, tmp_path: Path) -> None:
    """An empty denominator has no rate."""
    chosen = freeze_selection(bench.small, EASY)
    with pytest.raises(ValueError, match="names no task"):
        Selection(**{name: getattr(chosen, name) for name in ("kind", "format", "dataset",
                  "version", "manifest_sha256")}, tasks=())  # fmt: skip


def test_a_selection_that_is_not_there_is_named(tmp_path: Path) -> None:
    """One line instead of a traceback."""
    with pytest.raises(DeclarationError, match=r"gone\.json"):
        read_selection(tmp_path / "gone.json")
