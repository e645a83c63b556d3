"""What a max program adds: tokens, history and pages.

That state outlives a kill is not seen here: the oracle keeps it, without its open transactions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from kcb_core.codec import Json, canonical
from kcb_core.family import Family
from kcb_tasks.scenarios.durability import DURABILITY
from kcb_tasks.scenarios.pages import PAGES
from kcb_tasks.scenarios.routes import RESTARTED
from kcb_tasks.scenarios.tokens import TOKENS
from kcb_tasks.tiers import hard
from kcb_tasks.tiers.intermediate import KEY
from kcb_tasks.tiers.layer import ServiceTier
from kcb_tasks.tiers.protocol import (
    Failure,
    Operation,
    Operations,
    Parameter,
    is_limit,
    is_name,
    is_revision,
    is_string,
)
from kcb_tasks.tiers.state import Remembered, State, freeze, thaw

T = TypeVar("T")

_LIMIT = Parameter("limit", is_limit)


def operations(family: Family) -> Operations:
    """The operations of the max tier.

    Args:
        family: whose contract the evaluations follow.
    """
    return with_tokens(hard.with_transactions(elements(family)))


def elements(family: Family) -> Operations:
    """The operations that may also stand in a batch."""
    table = hard.elements(family)
    return {**table, "list": _paged(table["list"])}


def with_tokens(table: Operations) -> Operations:
    """A table whose changes are carried out once for each token, together with histories.

    Args:
        table: the operations of a service with transactions.
    """
    once = {name: _once(table[name]) for name in ("put", "delete", "batch")}
    return {**table, **once, "history": _HISTORY}


def same_request(request: dict[str, Json]) -> bytes:
    """What two requests share if and only if they are the same apart from their own ``id``."""
    return canonical({name: value for name, value in request.items() if name != "id"})


def _once(operation: Operation) -> Operation:
    """An operation that is carried out only once for each token."""

    def run(state: State, request: dict[str, Json]) -> tuple[State, Json]:
        token = request.get("token")
        if token is None:
            return operation.run(state, request)
        wanted = same_request(request)
        known = state.tokens.get(token)
        if known is None:
            state, result = operation.run(state, request)
            return state.with_token(token, Remembered(wanted, freeze(result))), result
        if known.request != wanted:
            raise Failure("token_conflict")
        return state, thaw(known.result)

    return Operation((*operation.parameters, Parameter("token", is_name)), run)


def _paged(operation: Operation) -> Operation:
    """A ``list`` that gives a page of the keys."""

    def run(state: State, request: dict[str, Json]) -> tuple[State, Json]:
        state, result = operation.run(state, request)
        return state, _page("keys", result["keys"], str, request)

    return Operation((*operation.parameters, Parameter("after", is_string), _LIMIT), run)


def _history(state: State, request: dict[str, Json]) -> tuple[State, Json]:
    entries = state.histories.get(request["key"])
    if entries is None:
        raise Failure("not_found")
    return state, _page("entries", [thaw(entry) for entry in entries], _revision, request)


_HISTORY = Operation((KEY, Parameter("after", is_revision), _LIMIT), _history)


def _page(
    name: str, items: list[T], place: Callable[[T], Json], request: dict[str, Json]
) -> dict[str, Json]:
    """The items that ``after`` and ``limit`` leave, and ``next`` if ``limit`` left some out.

    Args:
        name: the member of the result that holds the items.
        items: all items in order.
        place: what ``after`` is compared with, and what ``next`` gives, for one item.
        request: the request with the two parameters.
    """
    rest = [item for item in items if "after" not in request or place(item) > request["after"]]
    page = rest[: request.get("limit", len(rest))]
    result: dict[str, Json] = {name: page}
    if len(page) < len(rest):
        result["next"] = place(page[-1])
    return result


def _revision(entry: dict[str, Json]) -> int:
    revision: int = entry["revision"]
    return revision


MAX = ServiceTier(
    name="max",
    rank=3,
    target_model_parameters="60-200B",
    blocks=(*hard.BLOCKS, "durability.md"),
    operations=operations,
    scripts=(*hard.SCRIPTS, *RESTARTED, *DURABILITY, *TOKENS, *PAGES),
    joined=96,
    durable=True,
)
"""A service whose state outlives kills, with tokens, histories and pages."""
