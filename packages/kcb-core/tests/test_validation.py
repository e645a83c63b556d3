"""Validation summaries."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from kcb_core.canary import CANARY
from kcb_core.codec import canonical, digest, encode
from kcb_core.errors import DataError
from kcb_core.provenance import Revision
from kcb_core.testing.values import small_report
from kcb_core.validation import (
    NOT_A_SCORE,
    TierValidation,
    ValidationSummary,
    read_validation,
)

GOOD = TierValidation(
    subset="easy", tasks=3, scenarios=9, assertions=27, references_resolved=3, empties_failed=3
)


def summary(**changes: Any) -> ValidationSummary:
    """A summary in which everything was as it should be, or not."""
    report = small_report()
    known: dict[str, Any] = {
        "dataset": report.dataset,
        "evaluator": Revision(distribution="kcb-runner", version="0.1.0"),
        "host": report.host,
        "tiers": (GOOD,),
        "problems": (),
        "wall_s": 12.5,
    }
    return ValidationSummary(**(known | changes))


def test_summary_is_read_back_and_says_that_it_is_no_score(tmp_path: Path) -> None:
    """It is published beside scores, and must not be taken for one."""
    (tmp_path / "v.json").write_bytes(encode(summary()))
    assert read_validation(tmp_path / "v.json") == summary()
    assert NOT_A_SCORE.encode() in (tmp_path / "v.json").read_bytes()


def test_receipt_names_one_summary() -> None:
    """Reports from a host carry it as evidence that the host can judge."""
    assert summary().receipt == summary().receipt
    assert summary().receipt != summary(wall_s=13.0).receipt


def test_a_summary_without_canary_is_read_and_keeps_its_receipt(tmp_path: Path) -> None:
    """Summaries and the receipts in reports are older than the canary in them."""
    old = msgspec.to_builtins(summary())
    del old["canary"]
    (tmp_path / "v.json").write_bytes(encode(old))
    read = read_validation(tmp_path / "v.json")
    assert read.canary == ""
    assert read.receipt == digest(canonical(old)) == summary(canary=CANARY).receipt


@pytest.mark.parametrize(
    ("changes", "passed"),
    [
        ({}, True),
        ({"problems": ("reference kcb-easy-001-x: failed",)}, False),
        ({"tiers": (GOOD, msgspec.structs.replace(GOOD, references_resolved=2))}, False),
        ({"tiers": (GOOD, msgspec.structs.replace(GOOD, empties_failed=2))}, False),
    ],
)
def test_every_reference_must_resolve_and_every_empty_project_fail(
    changes: dict[str, Any], passed: bool
) -> None:
    """Either alone would be passed by a judge that says the same of everything."""
    assert summary(**changes).passed is passed


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "score"}, "field 'kind': 'score' is not 'validation-summary'"),
        ({"format": 2}, "field 'format': 2 is not known, this version reads 1"),
    ],
)
def test_other_documents_are_refused(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    """A receipt of anything else would be no evidence."""
    (tmp_path / "v.json").write_bytes(encode(summary(**changes)))
    with pytest.raises(DataError, match=message):
        read_validation(tmp_path / "v.json")
