"""What an intermediate program adds: documents under keys, and one counter for all of them."""

from __future__ import annotations

from functools import partial

from kcb_core.codec import Json
from kcb_core.family import Family
from kcb_tasks.scenarios.documents import DOCUMENTS
from kcb_tasks.scenarios.keys import KEYS
from kcb_tasks.scenarios.routes import STORED
from kcb_tasks.tiers import easy
from kcb_tasks.tiers.layer import ServiceTier
from kcb_tasks.tiers.protocol import (
    Failure,
    Operation,
    Operations,
    Parameter,
    anything,
    is_name,
    is_string,
)
from kcb_tasks.tiers.state import Document, State, thaw

KEY = Parameter("key", is_name, required=True)


def operations(family: Family) -> Operations:
    """The operations of the intermediate tier.

    Args:
        family: whose contract the evaluations follow.
    """
    return {
        **easy.operations(family),
        "put": Operation((KEY, Parameter("value", anything, required=True)), _put),
        "get": Operation((KEY,), _get),
        "delete": Operation((KEY,), _delete),
        "list": Operation((Parameter("prefix", is_string),), _list),
        "evaluate_stored": Operation((KEY,), partial(_evaluate_stored, family)),
    }


def _put(state: State, request: dict[str, Json]) -> tuple[State, Json]:
    after = state.with_put(request["key"], request["value"])
    return after, {"revision": after.counter}


def _get(state: State, request: dict[str, Json]) -> tuple[State, Json]:
    document = _stored(state, request["key"])
    return state, {"value": thaw(document.text), "revision": document.revision}


def _delete(state: State, request: dict[str, Json]) -> tuple[State, Json]:
    _stored(state, request["key"])
    after = state.with_delete(request["key"])
    return after, {"revision": after.counter}


def _list(state: State, request: dict[str, Json]) -> tuple[State, Json]:
    prefix = request.get("prefix", "")
    return state, {"keys": sorted(key for key in state.documents if key.startswith(prefix))}


def _evaluate_stored(family: Family, state: State, request: dict[str, Json]) -> tuple[State, Json]:
    value = thaw(_stored(state, request["key"]).text)
    if not isinstance(value, dict):
        raise Failure("bad_request")
    return state, easy.judged(family, value)


def _stored(state: State, key: str) -> Document:
    document = state.documents.get(key)
    if document is None:
        raise Failure("not_found")
    return document


BLOCKS = (*easy.BLOCKS, "documents.md")
"""Blocks of the prompt after the *Program* block."""

SCRIPTS = (*STORED, *DOCUMENTS, *KEYS)
"""What is played beyond the contract and the envelope."""

INTERMEDIATE = ServiceTier(
    name="intermediate",
    rank=1,
    target_model_parameters="8-16B",
    blocks=BLOCKS,
    operations=operations,
    scripts=SCRIPTS,
    joined=48,
)
"""A service with documents, revisions, listing and evaluation of what is stored."""
