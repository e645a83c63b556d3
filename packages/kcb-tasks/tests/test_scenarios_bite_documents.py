"""Wrong programs of the intermediate shell: the scenarios of the toy family tell each apart.

Each breaks one rule on documents, so each is also tried in the hard and the max tier.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from wrong_programs import (
    Kept,
    Leaky,
    Outcome,
    Request,
    Wrong,
    WrongTables,
    in_tiers,
    on_member,
    on_parameter,
    program,
)

from kcb_core.family import answer
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.tiers import durable, hard, intermediate
from kcb_tasks.tiers.layer import ServiceTier
from kcb_tasks.tiers.protocol import Failure, Operations, Oracle, Run
from kcb_tasks.tiers.state import Document, State, freeze, thaw

WRONG = WrongTables()

TIERS = (intermediate.INTERMEDIATE, hard.HARD, durable.MAX)


@WRONG.in_op("put")
def revisions_are_per_key(put: Run, state: State, request: Request) -> Outcome:
    after, _ = put(state, request)
    count = sum(1 for entry in state.histories.get(request["key"], ())) + 1
    stored = Document(freeze(request["value"]), count)
    return replace(after, documents={**after.documents, request["key"]: stored}), {
        "revision": count
    }


@WRONG.in_op("put")
def an_equal_value_is_no_change(put: Run, state: State, request: Request) -> Outcome:
    old = state.documents.get(request["key"])
    if old and old.text == freeze(request["value"]):
        return state, {"revision": old.revision}
    return put(state, request)


@WRONG.in_op("put")
def an_equal_number_is_no_new_value(put: Run, state: State, request: Request) -> Outcome:
    old = state.documents.get(request["key"])
    if old and thaw(old.text) == request["value"]:
        request = {**request, "value": thaw(old.text)}
    return put(state, request)


@WRONG.in_op("put")
def the_value_is_in_the_result(put: Run, state: State, request: Request) -> Outcome:
    after, result = put(state, request)
    return after, {**result, "value": request["value"]}


@WRONG.in_op("put")
def null_deletes(put: Run, state: State, request: Request) -> Outcome:
    after, result = put(state, request)
    if request["value"] is None:
        after = replace(after, documents={**state.documents} | {}, counter=after.counter)
        after = replace(
            after, documents={k: v for k, v in after.documents.items() if k != request["key"]}
        )
    return after, result


@WRONG.in_op("get")
def falsy_values_are_not_found(get: Run, state: State, request: Request) -> Outcome:
    after, result = get(state, request)
    if not result["value"]:
        raise Failure("not_found")
    return after, result


@WRONG.in_op("get")
def null_is_not_found(get: Run, state: State, request: Request) -> Outcome:
    after, result = get(state, request)
    if result["value"] is None:
        raise Failure("not_found")
    return after, result


@WRONG.in_op("get")
def a_value_has_the_latest_revision(get: Run, state: State, request: Request) -> Outcome:
    after, result = get(state, request)
    return after, {**result, "revision": state.counter}


@WRONG.in_op("get")
def a_value_has_no_revision(get: Run, state: State, request: Request) -> Outcome:
    after, result = get(state, request)
    return after, {"value": result["value"]}


@WRONG.in_op("get")
def a_missing_value_is_null(get: Run, state: State, request: Request) -> Outcome:
    if request["key"] not in state.documents:
        return state, {"value": None, "revision": 0}
    return get(state, request)


@WRONG.in_op("get")
def deep_values_are_cut(get: Run, state: State, request: Request) -> Outcome:
    after, result = get(state, request)
    return after, {**result, "value": None} if freeze(result).count("[") > 25 else result


@WRONG.in_op("delete")
def deletions_do_not_count(delete: Run, state: State, request: Request) -> Outcome:
    after, _ = delete(state, request)
    return replace(after, counter=state.counter), {"revision": state.counter}


@WRONG.in_op("delete")
def deletions_give_the_old_revision(delete: Run, state: State, request: Request) -> Outcome:
    after, _ = delete(state, request)
    return after, {"revision": state.revision_of(request["key"])}


@WRONG.in_op("delete")
def a_missing_key_is_deleted(delete: Run, state: State, request: Request) -> Outcome:
    if request["key"] not in state.documents:
        return state, {"revision": state.counter}
    return delete(state, request)


@WRONG.in_op("delete")
def a_deleted_key_is_null(delete: Run, state: State, request: Request) -> Outcome:
    after, result = delete(state, request)
    stored = Document("null", after.counter)
    return replace(after, documents={**after.documents, request["key"]: stored}), result


@WRONG.in_op("evaluate_stored")
def evaluation_sorts_the_stored_value(run: Run, state: State, request: Request) -> Outcome:
    outcome = run(state, request)
    old = state.documents[request["key"]]
    value = thaw(old.text)
    if isinstance(value.get("amounts"), list):
        value["amounts"].sort()
    documents = {**state.documents, request["key"]: Document(freeze(value), old.revision)}
    return replace(state, documents=documents), outcome[1]


@WRONG.in_op("evaluate_stored")
def evaluation_fills_in_defaults(run: Run, state: State, request: Request) -> Outcome:
    outcome = run(state, request)
    old = state.documents[request["key"]]
    value = {**thaw(old.text), "cap": 1_000}
    documents = {**state.documents, request["key"]: Document(freeze(value), old.revision)}
    return replace(state, documents=documents), outcome[1]


@WRONG.in_op("evaluate_stored")
def evaluation_is_a_change(run: Run, state: State, request: Request) -> Outcome:
    after, result = run(state, request)
    return replace(after, counter=after.counter + 1), result


@WRONG.in_op("evaluate_stored")
def evaluation_of_a_missing_key_is_a_missing_field(
    run: Run, state: State, request: Request
) -> Outcome:
    if request["key"] not in state.documents:
        raise Failure("missing_field", field="amounts")
    return run(state, request)


@WRONG.in_op("evaluate_stored")
def evaluation_of_no_object_is_a_field_error(run: Run, state: State, request: Request) -> Outcome:
    found = state.documents.get(request["key"])
    if found and not isinstance(thaw(found.text), dict):
        raise Failure("missing_field", field="amounts")
    return run(state, request)


@WRONG.in_op("evaluate_stored")
def a_stored_null_is_not_found(run: Run, state: State, request: Request) -> Outcome:
    found = state.documents.get(request["key"])
    if found and found.text == "null":
        raise Failure("not_found")
    return run(state, request)


@WRONG.in_op("evaluate_stored")
def an_empty_stored_object_is_no_object(run: Run, state: State, request: Request) -> Outcome:
    found = state.documents.get(request["key"])
    if found and found.text == "{}":
        raise Failure("bad_request")
    return run(state, request)


@WRONG.in_op("evaluate_stored")
def the_revision_is_in_the_result(run: Run, state: State, request: Request) -> Outcome:
    after, result = run(state, request)
    return after, {**result, "revision": state.revision_of(request["key"])}


@WRONG.in_op("evaluate_stored")
def fields_are_not_checked_again(run: Run, state: State, request: Request) -> Outcome:
    found = state.documents.get(request["key"])
    value = thaw(found.text) if found else None
    if isinstance(value, dict):
        known = {k: v for k, v in value.items() if k != "cap"}
        judged = answer(AMOUNTS, known)
        if "result" in judged:
            return state, judged["result"]
    return run(state, request)


@WRONG.in_op("evaluate")
def evaluated_inputs_are_stored(run: Run, state: State, request: Request) -> Outcome:
    after, result = run(state, request)
    return after.with_put("input", request["input"]), result


@WRONG.in_op("evaluate")
def a_failed_evaluation_is_a_change(run: Run, state: State, request: Request) -> Outcome:
    try:
        return run(state, request)
    except Failure as failure:
        raise Kept(replace(state, counter=state.counter + 1), failure) from None


def _with_value(put: Run) -> Run:
    return lambda state, request: put(state, {"value": None, **request})


WRONG |= {
    "put_needs_no_value": lambda table: on_member("value", lambda v: v)(
        on_parameter("value", lambda value: True, required=False)(
            {**table, "put": replace(table["put"], run=_with_value(table["put"].run))}
        )
    ),
    "null_is_no_value": on_parameter("value", lambda value: value is not None),
}


def _higher_parameters(lower: ServiceTier, table: Operations) -> Oracle:
    """A program that heeds parameters which its tier ignores."""
    return Oracle({name: table[name] for name in lower.operations(AMOUNTS)})


def _higher_operation(lower: ServiceTier, name: str) -> Oracle:
    """A program that knows an operation which its tier does not."""
    return Oracle({**lower.operations(AMOUNTS), name: durable.operations(AMOUNTS)[name]})


def _unknown(lower: ServiceTier) -> dict[str, str]:
    """The operations that a tier does not know."""
    names = sorted(set(durable.operations(AMOUNTS)) - set(lower.operations(AMOUNTS)))
    return {f"{name}_is_known": name for name in names}


_MAX = {"parameters_of_max_are_heeded": durable.operations(AMOUNTS)}
_HIGHER = {
    "parameters_of_hard_are_heeded": hard.elements(AMOUNTS),
    "parameters_of_max_without_tokens_are_heeded": durable.elements(AMOUNTS),
    **_MAX,
}

PROGRAMS = [
    *in_tiers(TIERS, WRONG, partial(program, oracle=Leaky)),
    *in_tiers(TIERS[:1], _HIGHER, _higher_parameters),
    *in_tiers(TIERS[1:2], _MAX, _higher_parameters),
    *in_tiers(TIERS[:1], _unknown(TIERS[0]), _higher_operation),
    *in_tiers(TIERS[1:2], _unknown(TIERS[1]), _higher_operation),
]


@pytest.mark.parametrize("wrong", PROGRAMS, ids=str)
def test_a_wrong_program_is_told_apart(
    wrong: Wrong, first_failure: Callable[..., str | None]
) -> None:
    """A rule that no scenario checks is a rule that a solution may break."""
    caught = first_failure(wrong.tier, wrong.start)
    assert caught, f"no scenario tells {wrong} from the oracle"


@pytest.mark.parametrize("tier", TIERS, ids=lambda tier: str(tier.name))
def test_the_oracle_itself_is_not_told_apart(
    tier: ServiceTier, first_failure: Callable[..., str | None]
) -> None:
    """Otherwise the other test would show nothing."""
    assert first_failure(tier, lambda: program(tier, oracle=Leaky)) is None
