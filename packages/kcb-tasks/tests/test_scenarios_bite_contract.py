"""Wrong programs in the evaluation of inputs: the scenarios of the toy family tell each apart.

Each breaks one rule that every tier has, so each is also tried in the max tier.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from wrong_programs import (
    Answer,
    Wrong,
    answering,
    error,
    in_tiers,
    on_answers,
    on_codes,
    on_contract,
    on_input,
)

from kcb_core.codec import Json
from kcb_core.family import Family, answer
from kcb_core.shape import Integer, Text
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.tiers.durable import MAX
from kcb_tasks.tiers.easy import EASY


def first_fault(family: Family, fields: dict[str, Json], order: list[Any]) -> dict[str, Json]:
    """The judgement when each field is checked for both faults before the next one is."""
    for member in order:
        if member.name not in fields:
            if member.required:
                return error("missing_field", field=member.name)
        elif not member.shape.admits(fields[member.name]):
            return error("invalid_field", field=member.name)
    return answer(family, fields)


def _whole(n: Json) -> Json:
    return int(n) if isinstance(n, float) and n.is_integer() else n


def _with_amounts(i: Json, change: Callable[[Json], Json]) -> Json:
    if not isinstance(i, dict) or not isinstance(i.get("amounts"), list):
        return i
    return {**i, "amounts": [change(n) for n in i["amounts"]]}


def _reversed(family: Family, fields: dict[str, Json]) -> dict[str, Json]:
    judged = answer(family, fields)
    code = judged.get("error", {}).get("code")
    for member in reversed(family.fields):
        missing = member.name not in fields
        if code == "missing_field" and missing and member.required:
            return error(code, field=member.name)
        if code == "invalid_field" and not missing and not member.shape.admits(fields[member.name]):
            return error(code, field=member.name)
    return judged


def _by_request(family: Family, fields: dict[str, Json]) -> dict[str, Json]:
    judged = answer(family, fields)
    if judged.get("error", {}).get("code") != "invalid_field":
        return judged
    shapes = {member.name: member.shape for member in family.fields}
    wrong_ones = [n for n, v in fields.items() if n in shapes and not shapes[n].admits(v)]
    return error("invalid_field", field=wrong_ones[0])


def _without_cap_first(family: Family, fields: dict[str, Json]) -> dict[str, Json]:
    judged = answer(family, fields)
    if judged.get("error") == {"code": "invalid_field", "field": "cap"}:
        early = answer(family, {k: v for k, v in fields.items() if k != "cap"})
        return early if "error" in early else judged
    return judged


def _closed(family: Family, fields: dict[str, Json]) -> dict[str, Json]:
    known = {member.name for member in family.fields}
    extra = [name for name in fields if name not in known]
    return error("invalid_field", field=extra[0]) if extra else answer(family, fields)


def _with_path(family: Family, fields: dict[str, Json]) -> dict[str, Json]:
    judged = answer(family, fields)
    if judged.get("error", {}).get("field") == "amounts" and isinstance(
        fields.get("amounts"), list
    ):
        return error(judged["error"]["code"], field="amounts[0]")
    return judged


def _long_unit(fields: dict[str, Json], encoding: str, width: int) -> dict[str, Json]:
    judged = answer(AMOUNTS, fields)
    if "result" in judged and len(fields["unit"].encode(encoding)) > 10 * width:
        return error("invalid_field", field="unit")
    return judged


def _stricter(family: Family, fields: dict[str, Json]) -> dict[str, Json]:
    judged = answer(family, fields)
    if "result" in judged and not Text(1, 9).admits(fields["unit"]):
        return error("invalid_field", field="unit")
    return judged


def _looser(family: Family, fields: dict[str, Json]) -> dict[str, Json]:
    judged = answer(family, fields)
    cap = fields.get("cap")
    if judged.get("error") == {"code": "invalid_field", "field": "cap"} and Integer(
        -(2**53), 2**53
    ).admits(cap):
        return answer(family, {k: v for k, v in fields.items() if k != "cap"})
    return judged


WRONG: dict[str, Answer] = {
    "names_of_fields_are_folded": on_input(
        lambda i: {k.lower().strip(): v for k, v in i.items()} if isinstance(i, dict) else i
    ),
    "null_fields_are_missing": on_input(
        lambda i: {k: v for k, v in i.items() if v is not None} if isinstance(i, dict) else i
    ),
    "null_optional_fields_are_absent": on_input(
        lambda i: (
            {k: v for k, v in i.items() if (k, v) != ("cap", None)} if isinstance(i, dict) else i
        )
    ),
    "optional_fields_are_not_checked": on_input(
        lambda i: (
            {k: v for k, v in i.items() if k != "cap" or type(v) is int}
            if isinstance(i, dict)
            else i
        )
    ),
    "floats_are_integers": on_input(lambda i: _with_amounts(i, _whole)),
    "booleans_are_integers": on_input(
        lambda i: _with_amounts(i, lambda n: int(n) if isinstance(n, bool) else n)
    ),
    "strings_are_integers": on_input(
        lambda i: _with_amounts(i, lambda n: int(n) if str(n).isdecimal() else n)
    ),
    "only_invalid_fields_come_in_order": on_contract(
        lambda family, fields: first_fault(family, fields, [*family.fields])
    ),
    "faults_come_by_name": on_contract(
        lambda f, fields: first_fault(f, fields, sorted(f.fields, key=lambda m: m.name)[::-1])
    ),
    "the_last_fault_is_told": on_contract(lambda f, fields: _reversed(f, fields)),
    "the_first_of_the_request_is_told": on_contract(lambda f, fields: _by_request(f, fields)),
    "the_contract_comes_before_optional_fields": on_contract(
        lambda f, fields: _without_cap_first(f, fields)
    ),
    "unknown_fields_are_invalid": on_contract(lambda f, fields: _closed(f, fields)),
    "the_place_of_a_fault_is_told": on_contract(lambda f, fields: _with_path(f, fields)),
    "field_errors_do_not_name_the_field": on_answers(
        lambda a, r: a if a["ok"] else {**a, **error(a["error"]["code"])}
    ),
    "every_error_of_evaluate_names_a_field": on_answers(
        lambda a, r: {**a, "error": {"field": None, **a["error"]}} if not a["ok"] else a
    ),
    "lengths_are_bytes": on_contract(lambda f, fields: _long_unit(fields, "utf-8", 1)),
    "lengths_are_utf_16": on_contract(lambda f, fields: _long_unit(fields, "utf-16-le", 2)),
    "bounds_are_exclusive": on_contract(lambda f, fields: _stricter(f, fields)),
    "bounds_are_not_checked": on_contract(lambda f, fields: _looser(f, fields)),
    "the_default_is_another": on_input(lambda i: {"cap": 999, **i} if isinstance(i, dict) else i),
    "the_first_error_of_the_contract_is_the_last": on_codes(no_amounts="over_cap"),
}
"""How each wrong program answers."""


PROGRAMS = in_tiers((EASY, MAX), WRONG, answering)


@pytest.mark.parametrize("wrong", PROGRAMS, ids=str)
def test_a_wrong_program_is_told_apart(
    wrong: Wrong, first_failure: Callable[..., str | None]
) -> None:
    """A rule that no scenario checks is a rule that a solution may break."""
    caught = first_failure(wrong.tier, wrong.start)
    assert caught, f"no scenario tells {wrong} from the oracle"
