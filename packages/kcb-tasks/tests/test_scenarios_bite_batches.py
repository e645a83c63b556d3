"""Wrong programs on batches: the scenarios of the toy family tell each apart.

Each is tried in the hard and the max tier.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from wrong_programs import (
    Change,
    Kept,
    Leaky,
    Outcome,
    Wrong,
    WrongTables,
    in_tiers,
    on_op,
    on_parameter,
    program,
)

from kcb_core.codec import Json
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.tiers import durable, hard, intermediate
from kcb_tasks.tiers.layer import ServiceTier
from kcb_tasks.tiers.protocol import Failure, Operations, carry_out
from kcb_tasks.tiers.state import State

Batch = Callable[[Operations, State, list[Json]], Outcome]

TABLES = WrongTables()


def batch_of(run: Batch, table: Operations) -> Operations:
    """A table whose batches are carried out in another way."""
    elements = {name: table[name] for name in intermediate.operations(AMOUNTS)}
    batch = replace(table["batch"], run=lambda s, r: run(elements, s, r["ops"]))
    return {**table, "batch": batch}


def in_batch(run: Batch) -> None:
    """Enter a program whose batches are carried out in another way."""
    TABLES[run.__name__] = lambda table: batch_of(run, table)


def in_turn(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    """A batch as it is right."""
    results = []
    for index, element in enumerate(ops):
        try:
            state, result = carry_out(elements, state, element)
        except Failure as failure:
            raise Failure(**failure.error, index=index) from None
        results.append(result)
    return state, {"results": results}


def _failing(keep: Callable[[State, State], State]) -> Change:
    """A program whose failed batches leave a state, made of the ones before and at the failure."""

    def run(elements: Operations, state: State, ops: list[Json]) -> Outcome:
        before, results = state, []
        for index, element in enumerate(ops):
            try:
                state, result = carry_out(elements, state, element)
            except Failure as failure:
                raise Kept(keep(before, state), Failure(**failure.error, index=index)) from None
            results.append(result)
        return state, {"results": results}

    return lambda table: batch_of(run, table)


TABLES |= {
    "a_failed_batch_keeps_its_first_changes": _failing(lambda before, at: at),
    "a_failed_batch_keeps_the_counter": _failing(
        lambda before, at: replace(before, counter=at.counter)
    ),
    "a_failed_batch_keeps_its_deletions": _failing(
        lambda before, at: replace(
            before, documents={k: v for k, v in before.documents.items() if k in at.documents}
        )
    ),
    "a_failed_batch_keeps_new_keys": _failing(
        lambda before, at: replace(before, documents={**at.documents, **before.documents})
    ),
    "a_failed_batch_rolls_back": _failing(lambda before, at: before.saved or before),
    "a_failed_batch_ends_the_transaction": _failing(lambda before, at: replace(before, saved=None)),
}


@in_batch
def failures_have_no_index(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    try:
        return in_turn(elements, state, ops)
    except Failure as failure:
        raise Failure(**{k: v for k, v in failure.error.items() if k != "index"}) from None


@in_batch
def the_index_starts_at_one(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    try:
        return in_turn(elements, state, ops)
    except Failure as failure:
        raise Failure(**{**failure.error, "index": failure.error["index"] + 1}) from None


@in_batch
def only_the_code_and_the_index_are_told(
    elements: Operations, state: State, ops: list[Json]
) -> Outcome:
    try:
        return in_turn(elements, state, ops)
    except Failure as failure:
        raise Failure(failure.error["code"], index=failure.error["index"]) from None


@in_batch
def unknown_operations_fail_without_index(
    elements: Operations, state: State, ops: list[Json]
) -> Outcome:
    try:
        return in_turn(elements, state, ops)
    except Failure as failure:
        if failure.error["code"] in ("unknown_op", "bad_request"):
            raise Failure(failure.error["code"]) from None
        raise


@in_batch
def illegal_elements_are_found_first(
    elements: Operations, state: State, ops: list[Json]
) -> Outcome:
    for index, element in enumerate(ops):
        if not isinstance(element, dict) or not isinstance(element.get("op"), str):
            raise Failure("bad_request", index=index)
    return in_turn(elements, state, ops)


@in_batch
def unknown_operations_are_found_first(
    elements: Operations, state: State, ops: list[Json]
) -> Outcome:
    for index, element in enumerate(ops):
        if isinstance(element, dict) and element.get("op") in ("begin", "batch"):
            raise Failure("unknown_op", index=index)
    return in_turn(elements, state, ops)


@in_batch
def wrong_parameters_are_found_first(
    elements: Operations, state: State, ops: list[Json]
) -> Outcome:
    for index, element in enumerate(ops):
        try:
            carry_out(elements, state, element)
        except Failure as failure:
            if failure.error["code"] == "bad_request":
                raise Failure("bad_request", index=index) from None
    return in_turn(elements, state, ops)


@in_batch
def the_last_failure_is_told(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    failed = None
    for index, element in enumerate(ops):
        try:
            state, _ = carry_out(elements, state, element)
        except Failure as failure:
            failed = Failure(**failure.error, index=index)
    if failed:
        raise failed
    return in_turn(elements, state, ops)


@in_batch
def elements_see_the_state_before(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    after, result = in_turn(elements, state, ops)
    for index, element in enumerate(ops):
        if element["op"] in ("get", "list", "evaluate_stored"):
            try:
                result["results"][index] = carry_out(elements, state, element)[1]
            except Failure as failure:
                raise Failure(**failure.error, index=index) from None
    return after, result


@in_batch
def results_have_envelopes(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    after, result = in_turn(elements, state, ops)
    return after, {"results": [{"ok": True, "result": r} for r in result["results"]]}


@in_batch
def results_have_ids(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    after, result = in_turn(elements, state, ops)
    pairs = zip(ops, result["results"], strict=True)
    return after, {"results": [{**r, "id": o["id"]} if "id" in o else r for o, r in pairs]}


@in_batch
def only_changes_have_results(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    after, result = in_turn(elements, state, ops)
    pairs = zip(ops, result["results"], strict=True)
    return after, {"results": [r for o, r in pairs if o["op"] in ("put", "delete")]}


@in_batch
def a_batch_has_one_revision(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    after, result = in_turn(elements, state, ops)
    if after.counter > state.counter:
        after = replace(after, counter=state.counter + 1)
    return after, result


@in_batch
def reads_do_not_fail(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    results: list[Json] = []
    for index, element in enumerate(ops):
        try:
            state, result = carry_out(elements, state, element)
        except Failure as failure:
            if isinstance(element, dict) and element.get("op") == "get":
                results.append(None)
                continue
            raise Failure(**failure.error, index=index) from None
        results.append(result)
    return state, {"results": results}


@in_batch
def evaluations_do_not_fail(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    results: list[Json] = []
    for index, element in enumerate(ops):
        try:
            state, result = carry_out(elements, state, element)
        except Failure as failure:
            if failure.error["code"] in ("missing_field", "invalid_field", "no_amounts"):
                results.append({"error": failure.error})
                continue
            raise Failure(**failure.error, index=index) from None
        results.append(result)
    return state, {"results": results}


@in_batch
def elements_have_valid_ids(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    for index, element in enumerate(ops):
        if isinstance(element, dict) and not isinstance(element.get("id", 0), int | str):
            raise Failure("bad_request", index=index)
    return in_turn(elements, state, ops)


@in_batch
def an_empty_batch_is_refused(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    if not ops:
        raise Failure("bad_request")
    return in_turn(elements, state, ops)


@in_batch
def an_empty_batch_counts(elements: Operations, state: State, ops: list[Json]) -> Outcome:
    if not ops:
        return replace(state, counter=state.counter + 1), {"results": []}
    return in_turn(elements, state, ops)


@in_batch
def a_single_element_that_fails_has_no_index(
    elements: Operations, state: State, ops: list[Json]
) -> Outcome:
    try:
        return in_turn(elements, state, ops)
    except Failure as failure:
        if len(ops) > 1:
            raise
        raise Failure(**{k: v for k, v in failure.error.items() if k != "index"}) from None


def _with_ops(*names: str) -> Change:
    """A program in whose batches more operations may stand."""

    def change(table: Operations) -> Operations:
        more = {name: table[name] for name in names if name in table}
        elements = {name: table[name] for name in intermediate.operations(AMOUNTS)} | more
        batch = replace(table["batch"], run=lambda s, r: in_turn(elements, s, r["ops"]))
        return {**table, "batch": batch}

    return change


TABLES |= {
    "batches_may_be_nested": _with_ops("batch"),
    "begin_may_stand_in_a_batch": _with_ops("begin"),
    "commit_may_stand_in_a_batch": _with_ops("commit"),
    "rollback_may_stand_in_a_batch": _with_ops("rollback"),
    "a_batch_may_have_101_elements": on_parameter(
        "ops", lambda v: isinstance(v, list) and len(v) <= 101, required=True
    ),
    "a_batch_may_have_99_elements": on_parameter(
        "ops", lambda v: isinstance(v, list) and len(v) < 100, required=True
    ),
    "a_batch_holds_objects": on_parameter(
        "ops",
        lambda v: isinstance(v, list) and len(v) <= 100 and all(isinstance(e, dict) for e in v),
        required=True,
    ),
    "a_batch_may_be_left_out": lambda table: on_parameter("ops", lambda v: isinstance(v, list))(
        on_op("batch", lambda run, s, r: run(s, {"ops": [], **r}))(table)
    ),
    "a_batch_may_be_an_object": lambda table: on_parameter(
        "ops", lambda v: isinstance(v, list | dict) and len(v) <= 100, required=True
    )(on_op("batch", lambda run, s, r: run(s, {**r, "ops": list(r["ops"])}))(table)),
}


PROGRAMS = in_tiers(
    (hard.HARD, durable.MAX), TABLES, lambda tier, change: program(tier, table=change, oracle=Leaky)
)


@pytest.mark.parametrize("wrong", PROGRAMS, ids=str)
def test_a_wrong_program_is_told_apart(
    wrong: Wrong, first_failure: Callable[..., str | None]
) -> None:
    """A rule that no scenario checks is a rule that a solution may break."""
    caught = first_failure(wrong.tier, wrong.start)
    assert caught, f"no scenario tells {wrong} from the oracle"


@pytest.mark.parametrize("tier", [hard.HARD, durable.MAX], ids=lambda tier: str(tier.name))
def test_a_right_program_of_these_parts_is_not_told_apart(
    tier: ServiceTier, first_failure: Callable[..., str | None]
) -> None:
    """Otherwise the other test would show nothing."""
    right = _failing(lambda before, at: before)
    assert first_failure(tier, lambda: program(tier, table=right, oracle=Leaky)) is None
