"""What a validation of the benchmark itself found on one host; never a score of a model."""

from __future__ import annotations

from pathlib import Path

import msgspec

from kcb_core.codec import canonical, decode_kind, digest
from kcb_core.provenance import Revision
from kcb_core.report import DatasetStamp, Host
from kcb_core.storage import read_bounded

VALIDATION_KIND = "validation-summary"
VALIDATION_FORMAT = 1
NOT_A_SCORE = "This validates the benchmark. It is not a score of any model."


class TierValidation(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in one tier."""

    subset: str
    tasks: int
    scenarios: int
    assertions: int
    references_resolved: int
    """Tasks whose reference resolved it."""
    empties_failed: int
    """Tasks that an empty project failed."""
    cheats_failed: dict[str, int] = {}
    """Tasks that each cheat failed, where cheats were tried."""


class ValidationSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in all of a dataset."""

    kind: str = VALIDATION_KIND
    format: int = VALIDATION_FORMAT
    note: str = NOT_A_SCORE
    dataset: DatasetStamp
    evaluator: Revision
    host: Host
    tiers: tuple[TierValidation, ...]
    problems: tuple[str, ...]
    """One line for each reference that did not resolve and each empty project that did not fail."""
    wall_s: float
    canary: str = ""
    """Marks it as test data."""

    @property
    def passed(self) -> bool:
        """Whether every reference resolved its task and every empty project failed it."""
        return not self.problems and all(
            tier.tasks == tier.references_resolved == tier.empties_failed for tier in self.tiers
        )

    @property
    def receipt(self) -> str:
        """The digest that a report carries of it; the canary of a later release changes none."""
        members: dict[str, object] = msgspec.to_builtins(self)
        del members["canary"]
        return digest(canonical(members))


def read_validation(path: Path) -> ValidationSummary:
    """The validation summary in a file.

    Raises:
        DeclarationError: the file cannot be read.
        DataError: it holds no validation summary, or one of a newer format.
    """
    return decode_kind(
        read_bounded(path),
        ValidationSummary,
        kind=VALIDATION_KIND,
        newest=VALIDATION_FORMAT,
        source=str(path),
    )
