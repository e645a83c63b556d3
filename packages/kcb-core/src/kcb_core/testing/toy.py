"""A toy family, small enough to be worked out in the head: the contract of the transcripts.

It is registered nowhere; tests hand it to whatever they test.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Integer, Text, optional, required


def _evaluate(fields: Mapping[str, Any]) -> Json:
    amounts = fields["amounts"]
    if not amounts:
        raise DomainError("no_amounts")
    total = sum(amounts)
    if total > fields["cap"]:
        raise DomainError("over_cap")
    return {"total": total, "mean": total / len(amounts), "label": f"{total} {fields['unit']}"}


def _generate(rng: random.Random) -> dict[str, Json]:
    amounts: list[Json] = [rng.randint(-300, 600) for _ in range(rng.randint(0, 8))]
    drawn: dict[str, Json] = {
        "amounts": amounts,
        "unit": rng.choice(["kg", "m", "µs", "é", "円", "😀"]),
    }
    if rng.random() < 0.5:
        drawn["cap"] = rng.randint(0, 2_000)
    return drawn


AMOUNTS = Family(
    number=1,
    slug="amounts",
    title="Amounts",
    category="toys",
    difficulty=Difficulty.STRAIGHTFORWARD,
    dataset="toy",
    summary="Adds up amounts of one unit.",
    fields=(
        required("amounts", Array(Integer(-1_000, 1_000), 0, 20)),
        required("unit", Text(1, 10)),
        optional("cap", Integer(0, 10_000), 1_000, note="The largest sum that is allowed."),
    ),
    result=(
        "An object: `total`, the sum of `amounts`; `mean`, the sum divided by their number, a "
        "number; `label`, a string: the sum in decimal, a space, then `unit`."
    ),
    errors=(
        ErrorCode("no_amounts", "`amounts` is empty."),
        ErrorCode("over_cap", "The sum is greater than `cap`."),
    ),
    evaluate=_evaluate,
    generate=_generate,
    golden=Case({"amounts": [10, -4, 3], "unit": "kg"}, {"total": 9, "mean": 3.0, "label": "9 kg"}),
    boundaries=(
        Case({"amounts": [], "unit": "kg", "cap": 0}, error="no_amounts"),
        Case({"amounts": [3, 4], "unit": "kg", "cap": 6}, error="over_cap"),
        Case(
            {"amounts": [3, 4], "unit": "kg", "cap": 7},
            {"total": 7, "mean": 3.5, "label": "7 kg"},
        ),
        Case(
            {"amounts": [1_000], "unit": "\u2028é😀"},
            {"total": 1_000, "mean": 1_000.0, "label": "1000 \u2028é😀"},
        ),
        Case({"amounts": [1_000, 1], "unit": "kg"}, error="over_cap"),
        Case(
            {"amounts": [-1_000], "unit": "m", "cap": 0},
            {"total": -1_000, "mean": -1_000.0, "label": "-1000 m"},
        ),
    ),
    examples=(
        Case({"amounts": [2, 5], "unit": "m"}, {"total": 7, "mean": 3.5, "label": "7 m"}),
        Case({"amounts": [5, 6], "unit": "kg", "cap": 10}, error="over_cap"),
    ),
    malformed=(
        {"amounts": "1,2,3", "unit": "kg"},
        {"amounts": [1, None], "unit": "kg"},
        {"amounts": [["1"]], "unit": "kg"},
        {"amounts": [1], "unit": "kilograms and more"},
        {"amounts": {"0": 1}, "unit": "kg", "cap": 5},
    ),
)
"""The ``amounts`` contract: a sum, a mean and a label, with two errors of its own."""
