"""By what reports were judged, and what of it two sets must have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kcb_core.errors import DataError
from kcb_core.provenance import Revision
from kcb_core.report import DatasetStamp

Conditions = Mapping[str, Mapping[str, int]]
"""Number of reports by value, for each condition that may differ within a set."""

BUDGET = "budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """By what a set of reports was judged: all of them agree in it."""

    dataset: DatasetStamp
    protocol_version: str
    evaluator: Revision
    python: str
    conditions: Conditions

    def require_same(self, other: Judged, *, source: str) -> None:
        """Refuse another set that was judged by something else.

        Args:
            source: where this set comes from, for the error to name.

        Raises:
            DataError: the sets differ; the field and both values are named.
        """
        for field, one in self._facts().items():
            two = other._facts()[field]
            if one != two:
                raise DataError(
                    f"{source}: field '{field}': {one}, but the reports have {two}; make a new "
                    "baseline with --write-baseline"
                )

    def mixed(self, other: Conditions) -> tuple[str, ...]:
        """The conditions in which this set, or this and another together, are not of one kind.

        Differing budgets have a mark of their own.
        """
        return tuple(
            name
            for name, values in self.conditions.items()
            if name != BUDGET and len({*values, *other.get(name, values)}) > 1
        )

    def _facts(self) -> dict[str, str]:
        return {
            "dataset.manifest_sha256": self.dataset.manifest_sha256,
            "dataset": str(self.dataset.identity),
            "protocol_version": self.protocol_version,
            "evaluator": f"{self.evaluator.distribution} {self.evaluator.version}",
            "python": self.python,
        }
