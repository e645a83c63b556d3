"""What a hard program adds: revision checks, batches, nested transactions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from kcb_core.codec import Json
from kcb_core.family import Family
from kcb_tasks.scenarios.batches import BATCHES
from kcb_tasks.scenarios.revisions import REVISIONS
from kcb_tasks.scenarios.routes import BATCHED
from kcb_tasks.scenarios.transactions import TRANSACTIONS
from kcb_tasks.tiers import intermediate
from kcb_tasks.tiers.layer import ServiceTier
from kcb_tasks.tiers.protocol import (
    Failure,
    Operation,
    Operations,
    Parameter,
    carry_out,
    is_batch,
    is_revision,
)
from kcb_tasks.tiers.state import State

MAX_DEPTH = 8
"""Transactions that may be open at once."""


def operations(family: Family) -> Operations:
    """The operations of the hard tier.

    Args:
        family: whose contract the evaluations follow.
    """
    return with_transactions(elements(family))


def elements(family: Family) -> Operations:
    """The operations that may also stand in a batch."""
    table = intermediate.operations(family)
    return {**table, "put": _checked(table["put"]), "delete": _checked(table["delete"])}


def with_transactions(table: Operations) -> Operations:
    """A table together with batches of its operations, and with transactions.

    Args:
        table: the operations that may stand in a batch.
    """
    return {
        **table,
        "batch": Operation((Parameter("ops", is_batch, required=True),), partial(_batch, table)),
        "begin": Operation((), _begin),
        "commit": Operation((), _commit),
        "rollback": Operation((), _rollback),
    }


def _checked(operation: Operation) -> Operation:
    """An operation on a key that also looks at ``if_revision``, after its own errors."""

    def run(state: State, request: dict[str, Json]) -> tuple[State, Json]:
        outcome = operation.run(state, request)
        revision = state.revision_of(request["key"])
        if request.get("if_revision", revision) != revision:
            raise Failure("conflict")
        return outcome

    return Operation((*operation.parameters, Parameter("if_revision", is_revision)), run)


def _batch(table: Operations, state: State, request: dict[str, Json]) -> tuple[State, Json]:
    results = []
    for index, element in enumerate(request["ops"]):
        try:
            state, result = carry_out(table, state, element)
        except Failure as failure:
            raise Failure(**failure.error, index=index) from None
        results.append(result)
    return state, {"results": results}


def _begin(state: State, request: dict[str, Json]) -> tuple[State, Json]:
    if state.depth == MAX_DEPTH:
        raise Failure("transaction_limit")
    return _at_depth(replace(state, saved=state))


def _commit(state: State, request: dict[str, Json]) -> tuple[State, Json]:
    return _at_depth(replace(state, saved=_latest_copy(state).saved))


def _rollback(state: State, request: dict[str, Json]) -> tuple[State, Json]:
    return _at_depth(_latest_copy(state))


def _latest_copy(state: State) -> State:
    if state.saved is None:
        raise Failure("no_transaction")
    return state.saved


def _at_depth(state: State) -> tuple[State, Json]:
    return state, {"depth": state.depth}


BLOCKS = (*intermediate.BLOCKS, "atomicity.md")
"""Blocks of the prompt after the *Program* block."""

SCRIPTS = (*intermediate.SCRIPTS, *BATCHED, *REVISIONS, *BATCHES, *TRANSACTIONS)
"""What is played beyond the contract and the envelope."""

HARD = ServiceTier(
    name="hard",
    rank=2,
    target_model_parameters="16-32B",
    blocks=BLOCKS,
    operations=operations,
    scripts=SCRIPTS,
    joined=72,
)
"""A service whose changes are conditional, atomic and can be undone."""
