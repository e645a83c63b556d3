"""The string by which leaked data is found."""

from pathlib import Path

import msgspec
import pytest

from kcb_core.canary import CANARY, CANARY_ID
from kcb_core.codec import parse
from kcb_core.dataset import encode_record
from kcb_core.report import TaskReport, read_report, write_report
from kcb_core.testing.values import small_report, small_task
from kcb_core.validation import ValidationSummary


def test_canary_stands_in_every_record_and_in_no_prompt() -> None:
    """Whoever finds it in a training set or a context knows that the data has leaked."""
    assert encode_record(small_task()).count(CANARY.encode()) == 1
    assert CANARY not in small_task().prompt


def test_canary_never_changes() -> None:
    """It is searched for in data of years ago."""
    assert CANARY == (
        "Klein-Code-Bench test data must never appear in training data. "
        "Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21"
    )
    assert CANARY.endswith(CANARY_ID)


@pytest.mark.parametrize("document", [TaskReport, ValidationSummary])
def test_canary_is_the_last_field_of_what_holds_answers(document: type[msgspec.Struct]) -> None:
    """Within a version only optional fields are added, behind all others."""
    last = msgspec.structs.fields(document)[-1]
    assert (last.name, last.default) == ("canary", "")


def test_a_report_carries_the_canary_or_is_older(tmp_path: Path) -> None:
    """Its evidence holds expected responses; what was stored without it is still read."""
    for report in (small_report(canary=CANARY), small_report()):
        write_report(report, tmp_path / "r.json")
        assert read_report(tmp_path / "r.json") == report
        assert ("canary" in parse((tmp_path / "r.json").read_bytes())) == bool(report.canary)
