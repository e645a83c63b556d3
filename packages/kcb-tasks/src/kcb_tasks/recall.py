"""Rules that work out the answer to each input once, however often it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kcb_core.codec import Json, compact
from kcb_core.family import DomainError, Family
from kcb_tasks.tiers.state import thaw


def with_recall(family: Family) -> Family:
    """The same family, for building: its tiers and scenarios ask for many inputs again.

    Answers are kept as text, so that no two askers share a value that one of them might change.

    Args:
        family: whose rules give equal answers to equal inputs.
    """
    results: dict[str, str] = {}
    errors: dict[str, str] = {}

    def evaluate(fields: Mapping[str, Any]) -> Json:
        asked = compact(fields)  # tells 1, 1.0 and true apart, and the order of members too
        if asked in errors:
            raise DomainError(errors[asked])
        if asked not in results:
            try:
                results[asked] = compact(family.evaluate(fields))
            except DomainError as error:
                errors[asked] = error.code
                raise
        return thaw(results[asked])

    return replace(family, evaluate=evaluate)
