"""Recall: every input is worked out once, and answered as the rules answer it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from kcb_core.family import Case, answer
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.recall import with_recall

CASES = (AMOUNTS.golden, *AMOUNTS.boundaries, *AMOUNTS.examples)


@pytest.mark.parametrize("case", CASES)
def test_answers_are_those_of_the_rules(case: Case) -> None:
    """Results and errors alike, the first time and the next."""
    recalling = with_recall(AMOUNTS)
    for _ in range(2):
        assert answer(recalling, case.input) == answer(AMOUNTS, case.input)


def test_the_rules_are_asked_once_for_each_input() -> None:
    """Numbers of two types and two orders of members are different inputs."""
    asked: list[Mapping[str, Any]] = []

    def evaluate(fields: Mapping[str, Any]) -> Any:
        asked.append(fields)
        return [*fields["amounts"]]

    family = with_recall(replace(AMOUNTS, evaluate=evaluate))
    inputs: list[dict[str, Any]] = [{"amounts": [n]} for n in (1, 1.0, True, {"a": 1, "b": 2})]
    inputs.append({"amounts": [{"b": 2, "a": 1}]})
    for fields in inputs * 2:
        given = [(type(value), str(value)) for value in fields["amounts"]]
        assert [(type(v), str(v)) for v in family.evaluate(fields)] == given
    assert len(asked) == len(inputs)


def test_no_two_askers_share_a_value() -> None:
    """A result that somebody changes stays as it was for everybody else."""
    family = with_recall(AMOUNTS)
    fields = {m.name: m.default for m in AMOUNTS.fields if m.has_default} | AMOUNTS.golden.input
    first = family.evaluate(fields)
    first["total"] = "changed"
    assert family.evaluate(fields)["total"] != "changed"
