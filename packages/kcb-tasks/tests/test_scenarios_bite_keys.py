"""Wrong programs on keys and their lists: the scenarios of the toy family tell each apart.

Each breaks one rule on keys, so each is tried in every tier that has documents.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from wrong_programs import (
    Outcome,
    Request,
    Wrong,
    WrongRun,
    WrongTables,
    in_tiers,
    on_member,
    on_op,
    on_parameter,
    program,
)

from kcb_core.codec import Json
from kcb_tasks.tiers import durable, hard, intermediate
from kcb_tasks.tiers.protocol import Failure, Parameter, Run
from kcb_tasks.tiers.state import Document, State

WRONG = WrongTables()

TIERS = (intermediate.INTERMEDIATE, hard.HARD, durable.MAX)


def text(change: Callable[[str], str]) -> Callable[[Json], Json]:
    """Changes strings and leaves other values alone."""
    return lambda value: change(value) if isinstance(value, str) else value


@WRONG.in_op("list")
def keys_in_order_of_insertion(list_: Run, state: State, request: Request) -> Outcome:
    _, result = list_(state, request)
    found = [key for key in state.documents if key in result["keys"]]
    return state, {**result, "keys": found}


def _sorted(by: Callable[[str], Any]) -> WrongRun:
    def run(list_: Run, state: State, request: Request) -> Outcome:
        _, result = list_(state, request)
        return state, {**result, "keys": sorted(result["keys"], key=by)}

    return run


def _matched(matches: Callable[[str, str], bool]) -> WrongRun:
    def run(list_: Run, state: State, request: Request) -> Outcome:
        prefix = request.get("prefix", "")
        found = {k: v for k, v in state.documents.items() if matches(k, prefix)}
        _, result = list_(replace(state, documents=found), {**request, "prefix": ""})
        return state, result

    return run


@WRONG.in_op("list")
def deleted_keys_are_listed(list_: Run, state: State, request: Request) -> Outcome:
    ever = {key: Document("null", 0) for key in state.histories}
    _, result = list_(replace(state, documents=ever), request)
    return state, result


@WRONG.in_op("list")
def an_empty_list_is_not_found(list_: Run, state: State, request: Request) -> Outcome:
    _, result = list_(state, request)
    if not result["keys"]:
        raise Failure("not_found")
    return state, result


@WRONG.in_op("list")
def values_are_listed(list_: Run, state: State, request: Request) -> Outcome:
    _, result = list_(state, request)
    return state, {**result, "values": []}


def _lenient(run: Run) -> Run:
    """An operation for which a wrong key is one that is not stored."""

    def changed(state: State, request: Request) -> Outcome:
        key = request.get("key")
        if not isinstance(key, str) or not 1 <= len(key) <= 128:
            raise Failure("not_found")
        return run(state, request)

    return changed


WRONG |= {
    "keys_are_normalised": on_member("key", text(lambda k: unicodedata.normalize("NFC", k))),
    "keys_are_decomposed": on_member("key", text(lambda k: unicodedata.normalize("NFD", k))),
    "keys_are_simplified": on_member("key", text(lambda k: unicodedata.normalize("NFKC", k))),
    "keys_are_folded": on_member("key", text(str.lower)),
    "keys_are_casefolded": on_member("key", text(str.casefold)),
    "keys_are_trimmed": on_member("key", text(lambda k: k.strip() or k)),
    "keys_end_at_a_nul": on_member("key", text(lambda k: k.split("\0")[0] or k)),
    "keys_are_paths": on_member("key", text(lambda k: k.replace("\\", "/").removeprefix("./"))),
    "keys_are_cut": on_member("key", text(lambda k: k[:100])),
    "keys_are_numbers": on_member("key", text(lambda k: str(int(k)) if k.isdecimal() else k)),
    "keys_are_decoded": on_member("key", text(lambda k: k.replace("%2F", "/"))),
    "keys_may_be_empty": on_parameter("key", lambda k: isinstance(k, str) and len(k) <= 128),
    "keys_may_be_129_long": on_parameter("key", lambda k: isinstance(k, str) and 0 < len(k) < 130),
    "keys_are_at_most_127_long": on_parameter(
        "key", lambda k: isinstance(k, str) and 0 < len(k) < 128
    ),
    "keys_are_counted_in_bytes": on_parameter(
        "key", lambda k: isinstance(k, str) and 0 < len(k.encode()) <= 128
    ),
    "keys_are_counted_in_utf_16": on_parameter(
        "key", lambda k: isinstance(k, str) and 0 < len(k.encode("utf-16-le")) <= 256
    ),
    "keys_are_printable": on_parameter(
        "key", lambda k: isinstance(k, str) and 0 < len(k) <= 128 and k.isprintable()
    ),
    "keys_are_no_blanks": on_parameter(
        "key", lambda k: isinstance(k, str) and len(k) <= 128 and bool(k.strip())
    ),
    "keys_may_be_numbers": lambda table: on_member("key", str)(
        on_parameter("key", lambda k: type(k) is int or (isinstance(k, str) and 0 < len(k) < 129))(
            table
        )
    ),
    "get_checks_no_key": lambda table: {
        **table,
        "get": replace(table["get"], parameters=(), run=_lenient(table["get"].run)),
    },
    "delete_checks_no_key": lambda table: {
        **table,
        "delete": replace(table["delete"], parameters=(), run=_lenient(table["delete"].run)),
    },
    "evaluate_stored_checks_no_key": lambda table: {
        **table,
        "evaluate_stored": replace(
            table["evaluate_stored"], parameters=(), run=_lenient(table["evaluate_stored"].run)
        ),
    },
    "keys_by_utf_16": on_op("list", _sorted(lambda key: key.encode("utf-16-be"))),
    "keys_without_case": on_op("list", _sorted(str.casefold)),
    "keys_by_number": on_op(
        "list", _sorted(lambda k: (not k.isdecimal(), len(k) if k.isdecimal() else 0, k))
    ),
    "keys_by_normal_form": on_op("list", _sorted(lambda k: unicodedata.normalize("NFD", k))),
    "keys_backwards": on_op("list", _sorted(lambda k: [-ord(c) for c in k])),
    "prefixes_without_case": on_op("list", _matched(lambda k, p: k.lower().startswith(p.lower()))),
    "prefixes_by_normal_form": on_op(
        "list",
        _matched(
            lambda k, p: unicodedata.normalize("NFD", k).startswith(unicodedata.normalize("NFD", p))
        ),
    ),
    "prefixes_anywhere": on_op("list", _matched(lambda k, p: p in k)),
    "prefixes_trimmed": on_op("list", _matched(lambda k, p: k.startswith(p.strip()))),
    "prefixes_are_proper": on_op("list", _matched(lambda k, p: k.startswith(p) and k != p)),
    "prefixes_as_patterns": on_op("list", _matched(lambda k, p: k.startswith(p.rstrip("*")))),
    "prefixes_are_ignored": on_op("list", _matched(lambda k, p: True)),
    "prefixes_are_keys": on_parameter(
        "prefix", lambda p: isinstance(p, str) and 1 <= len(p) <= 128
    ),
    "prefixes_are_short": on_parameter("prefix", lambda p: isinstance(p, str) and len(p) <= 128),
    "a_null_prefix_is_empty": lambda table: on_member("prefix", lambda p: p or "")(
        on_parameter("prefix", lambda p: p is None or isinstance(p, str))(table)
    ),
    "a_wrong_prefix_is_ignored": lambda table: on_member(
        "prefix", lambda p: p if isinstance(p, str) else ""
    )(on_parameter("prefix", lambda p: True)(table)),
    "get_looks_at_prefix": lambda table: {
        **table,
        "get": replace(
            table["get"],
            parameters=(*table["get"].parameters, Parameter("prefix", lambda p: p is None)),
        ),
    },
    "list_needs_a_prefix": on_parameter("prefix", lambda p: isinstance(p, str), required=True),
}


PROGRAMS = in_tiers(TIERS, WRONG, program)


@pytest.mark.parametrize("wrong", PROGRAMS, ids=str)
def test_a_wrong_program_is_told_apart(
    wrong: Wrong, first_failure: Callable[..., str | None]
) -> None:
    """A rule that no scenario checks is a rule that a solution may break."""
    caught = first_failure(wrong.tier, wrong.start)
    assert caught, f"no scenario tells {wrong} from the oracle"
