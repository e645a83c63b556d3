"""A family, and the answers that its rules give."""

import dataclasses
import random
from collections.abc import Mapping
from typing import Any

import pytest

from kcb_core.codec import Json
from kcb_core.errors import DeclarationError
from kcb_core.family import (
    RESERVED_CODES,
    Case,
    DomainError,
    ErrorCode,
    Family,
    answer,
    generated_inputs,
)
from kcb_core.shape import Array, Integer, Text, absentable, optional, required
from kcb_core.testing.toy import AMOUNTS


def taking(*fields: Any, evaluate: Any = dict) -> Family:
    """A family with these fields that gives back what it is given."""
    return dataclasses.replace(AMOUNTS, fields=tuple(fields), evaluate=evaluate)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"number": 0}, "number 1 to 999 and a slug are needed"),
        ({"number": 1_000}, "number 1 to 999 and a slug are needed"),
        ({"slug": "Word"}, "number 1 to 999 and a slug are needed"),
        ({"slug": "a_b"}, "number 1 to 999 and a slug are needed"),
        ({"slug": "a/../b"}, "number 1 to 999 and a slug are needed"),
        ({"slug": ""}, "number 1 to 999 and a slug are needed"),
        ({"dataset": "My-Set"}, "dataset 'My-Set' is no name"),
        ({"dataset": ""}, "dataset '' is no name"),
        ({"errors": (ErrorCode("Bad", "x"),)}, "error code 'Bad' is reserved or misspelt"),
        ({"errors": (ErrorCode("1st", "x"),)}, "error code '1st' is reserved or misspelt"),
        *(
            ({"errors": (ErrorCode(code, "x"),)}, "is reserved or misspelt")
            for code in sorted(RESERVED_CODES)
        ),
    ],
)
def test_wrong_declarations_are_refused(change: dict[str, Any], message: str) -> None:
    """A name becomes part of ids and paths, and a code must not be taken for the protocol's."""
    with pytest.raises(DeclarationError, match=message):
        dataclasses.replace(AMOUNTS, **change)


def test_reserved_codes_are_those_of_the_protocol() -> None:
    """They stand in every prompt; a contract that used one would be ambiguous."""
    assert sorted(RESERVED_CODES) == [
        *("bad_json", "bad_request", "conflict", "invalid_field", "missing_field"),
        *("no_transaction", "not_found", "token_conflict", "transaction_limit", "unknown_op"),
    ]


def test_name_is_unique_among_datasets() -> None:
    """Two datasets may each have a family of one slug."""
    assert AMOUNTS.name == "toy/amounts"


def test_missing_fields_come_before_invalid_ones_in_the_order_of_the_contract() -> None:
    """The prompt says so, and two programs must name the same field."""
    family = taking(required("b", Integer(0, 9)), optional("c", Integer(0, 9), 1),
                    required("a", Integer(0, 9)))  # fmt: skip
    assert answer(family, {}) == {"error": {"code": "missing_field", "field": "b"}}
    assert answer(family, {"b": -1}) == {"error": {"code": "missing_field", "field": "a"}}
    assert answer(family, {"a": -1, "c": -1, "b": 0}) == {
        "error": {"code": "invalid_field", "field": "c"}
    }
    assert answer(family, {"a": -1, "b": -1}) == {"error": {"code": "invalid_field", "field": "b"}}


def test_null_is_a_value_and_not_an_absent_field() -> None:
    """Absent and null are different, also where a default stands for the absent one."""
    family = taking(required("a", Integer(0, 9)), optional("b", Integer(0, 9), 1))
    assert answer(family, {"a": None}) == {"error": {"code": "invalid_field", "field": "a"}}
    assert answer(family, {"a": 1, "b": None}) == {"error": {"code": "invalid_field", "field": "b"}}


def test_defaults_stand_for_what_is_left_out() -> None:
    """The rules see a complete input, except for what has no default and was not given."""
    family = taking(
        required("a", Integer(0, 9)), optional("b", Integer(0, 9), 5), absentable("c", Text(0, 9))
    )
    assert answer(family, {"a": 1}) == {"result": {"a": 1, "b": 5}}
    assert answer(family, {"c": "x", "a": 1, "b": 2}) == {"result": {"a": 1, "b": 2, "c": "x"}}


def test_fields_that_the_contract_does_not_name_are_ignored() -> None:
    """The prompt says so; the rules must not even see them."""
    assert answer(taking(required("a", Integer(0, 9))), {"a": 1, "z": 2}) == {"result": {"a": 1}}


def test_default_is_fresh_each_time() -> None:
    """Rules that change the list they are given would change the contract for everybody."""

    def spoil(fields: Mapping[str, Any]) -> Json:
        fields["list"].append(1)
        return len(fields["list"])

    family = taking(optional("list", Array(Integer(0, 9), 0, 9), []), evaluate=spoil)
    assert answer(family, {}) == answer(family, {}) == {"result": 1}


def test_domain_error_is_an_answer() -> None:
    """An error of the contract carries its code and nothing else."""

    def refuse(fields: Mapping[str, Any]) -> Json:
        raise DomainError("over_cap")

    assert answer(taking(evaluate=refuse), {}) == {"error": {"code": "over_cap"}}


def test_null_can_be_a_result() -> None:
    """A result is told from an error by its member, not by being something."""
    assert answer(taking(evaluate=lambda fields: None), {}) == {"result": None}
    assert Case({}).result is None


def test_fault_of_the_rules_is_no_answer() -> None:
    """A bug of ours must stop the build, and never become an expected response."""
    with pytest.raises(ZeroDivisionError):
        answer(taking(evaluate=lambda fields: 1 // 0), {})


def test_seed_gives_the_same_inputs_whatever_else_is_drawn() -> None:
    """The dataset is rebuilt to the byte on every host; one input does not depend on another."""
    first = generated_inputs(AMOUNTS, 1729, 10)
    random.seed(3)
    assert generated_inputs(AMOUNTS, 1729, 10) == first
    assert generated_inputs(AMOUNTS, 1729, 4) == first[:4]
    assert generated_inputs(AMOUNTS, 1730, 10) != first


def test_drawn_inputs_never_change() -> None:
    """They are part of the dataset; a new interpreter must draw the same."""
    assert generated_inputs(AMOUNTS, 1729, 2) == [
        *generated_inputs(dataclasses.replace(AMOUNTS, title="Other", category="other"), 1729, 2)
    ]
    rng = random.Random("1729/toy/amounts/0")
    assert generated_inputs(AMOUNTS, 1729, 1) == [AMOUNTS.generate(rng)]


def test_families_of_one_slug_draw_other_inputs_in_other_datasets() -> None:
    """A stranger's dataset shares no inputs with the shipped one."""
    other = dataclasses.replace(AMOUNTS, dataset="other")
    assert generated_inputs(other, 1729, 5) != generated_inputs(AMOUNTS, 1729, 5)
