"""Wrong programs on transactions: the scenarios of the toy family tell each apart.

Each is tried in the hard and the max tier.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from wrong_programs import Change, Outcome, Request, Wrong, WrongTables, in_tiers, on_op, program

from kcb_core.codec import Json
from kcb_tasks.tiers import durable, hard
from kcb_tasks.tiers.protocol import Failure, Operations, Oracle, Parameter, Run, is_revision
from kcb_tasks.tiers.state import State

WRONG = WrongTables()


@WRONG.in_op("rollback")
def the_counter_is_not_rolled_back(rollback: Run, state: State, request: Request) -> Outcome:
    after, result = rollback(state, request)
    return replace(after, counter=state.counter), result


@WRONG.in_op("rollback")
def deletions_are_not_rolled_back(rollback: Run, state: State, request: Request) -> Outcome:
    after, result = rollback(state, request)
    kept = {k: v for k, v in after.documents.items() if k in state.documents}
    return replace(after, documents=kept), result


@WRONG.in_op("rollback")
def new_keys_are_not_rolled_back(rollback: Run, state: State, request: Request) -> Outcome:
    after, result = rollback(state, request)
    return replace(after, documents={**state.documents, **after.documents}), result


@WRONG.in_op("rollback")
def revisions_are_not_rolled_back(rollback: Run, state: State, request: Request) -> Outcome:
    after, result = rollback(state, request)
    documents = {
        key: replace(found, revision=state.documents.get(key, found).revision)
        for key, found in after.documents.items()
    }
    return replace(after, documents=documents), result


@WRONG.in_op("rollback")
def rollback_does_nothing(rollback: Run, state: State, request: Request) -> Outcome:
    after, result = rollback(state, request)
    return replace(state, saved=after.saved), result


@WRONG.in_op("rollback")
def rollback_ends_all(rollback: Run, state: State, request: Request) -> Outcome:
    rollback(state, request)
    return state.settled, {"depth": 0}


@WRONG.in_op("rollback")
def rollback_restores_the_outermost(rollback: Run, state: State, request: Request) -> Outcome:
    after, result = rollback(state, request)
    return replace(state.settled, saved=after.saved), result


@WRONG.in_op("commit")
def commit_ends_all(commit: Run, state: State, request: Request) -> Outcome:
    commit(state, request)
    return replace(state, saved=None), {"depth": 0}


@WRONG.in_op("commit")
def an_inner_commit_is_for_good(commit: Run, state: State, request: Request) -> Outcome:
    after, result = commit(state, request)
    copies = []
    saved = after.saved
    while saved is not None:
        copies.append(saved)
        saved = saved.saved
    kept: State | None = None
    for _ in copies:
        kept = replace(after, saved=kept)
    return replace(after, saved=kept), result


@WRONG.in_op("commit")
def commit_drops_the_outermost_copy(commit: Run, state: State, request: Request) -> Outcome:
    after, result = commit(state, request)
    if after.saved is None or state.saved is None:
        return after, result
    return replace(after, saved=replace(state.saved, saved=after.saved.saved)), result


@WRONG.in_op("commit")
def commit_numbers_anew(commit: Run, state: State, request: Request) -> Outcome:
    after, result = commit(state, request)
    base = state.saved.counter if state.saved else 0
    if after.counter > base + 1:
        return replace(after, counter=base + 1), result
    return after, result


@WRONG.in_op("commit")
def commit_counts(commit: Run, state: State, request: Request) -> Outcome:
    after, result = commit(state, request)
    return replace(after, counter=after.counter + 1), result


@WRONG.in_op("begin")
def begin_counts(begin: Run, state: State, request: Request) -> Outcome:
    after, result = begin(state, request)
    return replace(after, counter=after.counter + 1), result


@WRONG.in_op("get")
def reads_see_the_state_before_the_transaction(get: Run, state: State, request: Request) -> Outcome:
    _, result = get(state.settled, request)
    return state, result


@WRONG.in_op("list")
def lists_see_the_state_before_the_transaction(
    list_: Run, state: State, request: Request
) -> Outcome:
    _, result = list_(state.settled, request)
    return state, result


@WRONG.in_op("evaluate_stored")
def evaluations_see_the_state_before_the_transaction(
    run: Run, state: State, request: Request
) -> Outcome:
    _, result = run(state.settled, request)
    return state, result


def _depth(change: Callable[[int], int], *names: str) -> Change:
    """A program that tells another depth."""

    def told(run: Run, state: State, request: Request) -> Outcome:
        after, result = run(state, request)
        return after, {"depth": change(result["depth"])}

    def changed(table: Operations) -> Operations:
        for name in names:
            table = on_op(name, told)(table)
        return table

    return changed


def _most(limit: int) -> Change:
    def begin(run: Run, state: State, request: Request) -> Outcome:
        if state.depth >= limit:
            raise Failure("transaction_limit")
        after = replace(state, saved=state)
        return after, {"depth": after.depth}

    return on_op("begin", begin)


def _without(name: str, outcome: Callable[[State], Outcome]) -> Change:
    """A program that answers without a transaction in another way."""

    def run(right: Run, state: State, request: Request) -> Outcome:
        return outcome(state) if state.saved is None else right(state, request)

    return on_op(name, run)


WRONG |= {
    "begin_tells_the_depth_before": _depth(lambda depth: depth - 1, "begin"),
    "commit_tells_the_depth_before": _depth(lambda depth: depth + 1, "commit", "rollback"),
    "seven_may_be_open": _most(7),
    "nine_may_be_open": _most(9),
    "any_number_may_be_open": _most(1_000),
    "commit_needs_no_transaction": _without("commit", lambda state: (state, {"depth": 0})),
    "rollback_needs_no_transaction": _without("rollback", lambda state: (state, {"depth": 0})),
    "rollback_without_a_transaction_empties": _without(
        "rollback", lambda state: (State(), {"depth": 0})
    ),
    "begin_has_a_key": lambda table: {
        **table,
        "begin": replace(
            table["begin"], parameters=(Parameter("key", lambda v: isinstance(v, str)),)
        ),
    },
    "commit_has_a_condition": lambda table: {
        **table,
        "commit": replace(table["commit"], parameters=(Parameter("if_revision", is_revision),)),
    },
}


class EndedByErrors(Oracle):
    """An oracle in which an error rolls the latest transaction back."""

    def answer(self, line: str) -> Json:
        answered = super().answer(line)
        if not answered["ok"] and self._state.saved is not None:
            self._state = self._state.saved
        return answered


class ClosedAtTheLimit(Oracle):
    """An oracle in which one ``begin`` too many commits everything."""

    def answer(self, line: str) -> Json:
        answered = super().answer(line)
        if answered.get("error") == {"code": "transaction_limit"}:
            self._state = replace(self._state, saved=None)
        return answered


TIERS = (hard.HARD, durable.MAX)

PROGRAMS = [
    *in_tiers(TIERS, WRONG, lambda tier, change: program(tier, table=change)),
    *in_tiers(
        TIERS,
        {
            "errors_end_the_transactions": EndedByErrors,
            "an_error_at_the_limit_ends_the_transactions": ClosedAtTheLimit,
        },
        lambda tier, oracle: program(tier, oracle=oracle),
    ),
]


@pytest.mark.parametrize("wrong", PROGRAMS, ids=str)
def test_a_wrong_program_is_told_apart(
    wrong: Wrong, first_failure: Callable[..., str | None]
) -> None:
    """A rule that no scenario checks is a rule that a solution may break."""
    caught = first_failure(wrong.tier, wrong.start)
    assert caught, f"no scenario tells {wrong} from the oracle"
