"""Decisions on checks that have never failed."""

from datetime import date
from pathlib import Path

import pytest

from kcb_core.decision import Review, read_decisions
from kcb_core.errors import DataError, DeclarationError

DECLARATION = """
drill = "broken-config"
tool = "toytool"
prompt = "whatever else a declaration holds"

[[decisions]]
check = "exit-status"
date = 2026-01-31
decision = "kept"
why = "It failed before the fix of issue 12."

[[decisions]]
check = "exit-status"
date = "2026-03-31"
decision = "sharpened"
why = "Status 1 is asked for now."
"""


def test_decisions_stand_in_a_declaration(tmp_path: Path) -> None:
    """The rest of the declaration belongs to others, and is not looked at."""
    path = tmp_path / "drill.toml"
    path.write_text("\ufeff" + DECLARATION, encoding="utf-8")
    declared = read_decisions(path)
    assert (declared.drill, declared.tool) == ("broken-config", "toytool")
    assert [one.decision for one in declared.decisions] == [Review.KEPT, Review.SHARPENED]


def test_newest_decision_until_a_day_counts(tmp_path: Path) -> None:
    """What is decided after a cycle has begun came too late for it."""
    path = tmp_path / "drill.toml"
    path.write_text(DECLARATION)
    declared = read_decisions(path)
    found = [declared.latest("exit-status", date(2026, month, 31)) for month in (3, 1)]
    assert [one.decision for one in found if one] == ["sharpened", "kept"]
    assert declared.latest("exit-status", date(2026, 1, 30)) is None
    assert declared.latest("another", date(2026, 3, 31)) is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"kept"', '"keep"', "field 'decisions[0].decision': Invalid enum value 'keep'"),
        ("2026-01-31", "31", "field 'decisions[0].date': Expected 'date', got 'int'"),
        ("2026-03-31", "soon", "field 'decisions[1].date': Invalid RFC3339 encoded date"),
        ("why =", "wy =", "unknown field 'wy'; did you mean 'why'?"),
        ('"It failed before the fix of issue 12."', '""', "field 'decisions[0].why': Expected"),
        ('drill = "broken-config"', "", "missing required field 'drill'"),
    ],
)
def test_wrong_declaration_is_named_by_file_and_field(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """A decision that is not understood must not count as one."""
    path = tmp_path / "drill.toml"
    path.write_text(DECLARATION.replace(old, new, 1))
    with pytest.raises(DataError) as caught:
        read_decisions(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    with pytest.raises(DeclarationError):
        read_decisions(tmp_path / "nowhere.toml")
