"""Wrong programs on tokens: the scenarios of the toy family tell each apart."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from wrong_programs import Change, Outcome, Request, Wrong, WrongTables, in_tiers, on_parameter

from kcb_core.codec import Json, canonical, compact
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.tiers import durable, hard
from kcb_tasks.tiers.durable import MAX, same_request
from kcb_tasks.tiers.protocol import Failure, Operation, Operations, Oracle, Parameter, Run, is_name
from kcb_tasks.tiers.state import Remembered, State, freeze, thaw

Replay = Callable[[Operation, State, Request, Remembered], Outcome]

WITH_TOKEN = ("put", "delete", "batch")

WRONG = WrongTables()


def replayed(operation: Operation, state: State, request: Request, known: Remembered) -> Outcome:
    """What is right: the remembered result, and nothing is done."""
    return state, thaw(known.result)


def once(
    operation: Operation,
    *,
    same: Callable[[Request], bytes] = same_request,
    place: Callable[[Request], str] = lambda request: str(request["token"]),
    replay: Replay = replayed,
    clash: str = "token_conflict",
) -> Operation:
    """An operation that is carried out once for each token, each part of which may be wrong."""

    def run(state: State, request: Request) -> Outcome:
        if request.get("token") is None:
            return operation.run(state, request)
        known = state.tokens.get(place(request))
        if known is None:
            state, result = operation.run(state, request)
            return state.with_token(
                place(request), Remembered(same(request), freeze(result))
            ), result
        if known.request != same(request):
            raise Failure(clash)
        return replay(operation, state, request, known)

    return Operation((*operation.parameters, Parameter("token", is_name)), run)


def bare(table: Operations) -> Operations:
    """The operations of a max table without their tokens."""
    right = hard.with_transactions(durable.elements(AMOUNTS))
    return {**table, **{name: right[name] for name in WITH_TOKEN}}


def tokens(make: Callable[[Operation], Operation], *names: str) -> Change:
    """A table in which operations take tokens in another way."""
    return lambda table: {
        **table,
        **{name: make(bare(table)[name]) for name in names or WITH_TOKEN},
    }


def by_members(*names: str) -> Callable[[Request], bytes]:
    """Requests that are the same if some of their members are."""
    return lambda request: canonical({name: request.get(name) for name in names})


def by_value(request: Request) -> bytes:
    """Requests that are the same if Python finds them equal."""
    return same_request(_merged(request))


def _merged(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _merged(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_merged(inner) for inner in value]
    return float(value) if isinstance(value, bool | int) else value


def _numbers_merged(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _numbers_merged(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_numbers_merged(inner) for inner in value]
    return float(value) if type(value) is int else value


def _without_names(request: Request) -> bytes:
    """Requests that are the same but for ids and tokens of batch elements."""
    if request["op"] != "batch":
        return same_request(request)
    ops = [
        {k: v for k, v in e.items() if k not in ("id", "token")} if isinstance(e, dict) else e
        for e in request["ops"]
    ]
    return same_request({**request, "ops": ops})


def _in_order(request: Request) -> bytes:
    return compact({k: v for k, v in request.items() if k != "id"}).encode()


def _nested_order(request: Request) -> bytes:
    own = {name: freeze(request[name]) for name in sorted(request) if name != "id"}
    return canonical(own)


def _known_members(request: Request) -> bytes:
    known = ("op", "key", "value", "if_revision", "token", "ops")
    return canonical({name: request[name] for name in known if name in request})


def again(operation: Operation, state: State, request: Request, known: Remembered) -> Outcome:
    return operation.run(state, request)


def counted(operation: Operation, state: State, request: Request, known: Remembered) -> Outcome:
    return replace(state, counter=state.counter + 1), thaw(known.result)


def current(operation: Operation, state: State, request: Request, known: Remembered) -> Outcome:
    if request["op"] == "batch":
        return state, thaw(known.result)
    return state, {"revision": state.revision_of(request["key"])}


def marked(operation: Operation, state: State, request: Request, known: Remembered) -> Outcome:
    return state, {**thaw(known.result), "replayed": True}


def checked(operation: Operation, state: State, request: Request, known: Remembered) -> Outcome:
    revision = state.revision_of(request["key"]) if "key" in request else 0
    if request.get("if_revision", revision) != revision:
        raise Failure("conflict")
    return state, thaw(known.result)


def there(operation: Operation, state: State, request: Request, known: Remembered) -> Outcome:
    if request["op"] == "delete" and request["key"] not in state.documents:
        raise Failure("not_found")
    return state, thaw(known.result)


def remembered_in_history(
    operation: Operation, state: State, request: Request, known: Remembered
) -> Outcome:
    if request["op"] == "put":
        after = state.with_put(request["key"], request["value"])
        return replace(state, histories=after.histories), thaw(known.result)
    return state, thaw(known.result)


def _errors_first(operation: Operation) -> Operation:
    """Tokens that are looked up after the errors of the operation."""
    right = once(operation)

    def run(state: State, request: Request) -> Outcome:
        operation.run(state, request)
        return right.run(state, request)

    return replace(right, run=run)


def _lookup_first(operation: Operation) -> Operation:
    """Tokens that are looked up before the parameters are checked."""
    right = once(operation)

    def run(state: State, request: Request) -> Outcome:
        known = state.tokens.get(request["token"]) if is_name(request.get("token")) else None
        if known and known.request != same_request(request):
            raise Failure("token_conflict")
        if not all(parameter.fits(request) for parameter in right.parameters):
            raise Failure("bad_request")
        return right.run(state, request)

    return Operation((), run)


def _or_null(allows: Callable[[Json], bool]) -> Callable[[Json], bool]:
    return lambda value: value is None or allows(value)


WRONG |= {
    "tokens_are_ignored": bare,
    "put_has_no_token": tokens(lambda op: op, "put"),
    "delete_has_no_token": tokens(lambda op: op, "delete"),
    "batch_has_no_token": tokens(lambda op: op, "batch"),
    "get_has_a_token": lambda table: {**table, "get": once(table["get"])},
    "list_has_a_token": lambda table: {**table, "list": once(table["list"])},
    "begin_has_a_token": lambda table: {**table, "begin": once(table["begin"])},
    "evaluate_has_a_token": lambda table: {**table, "evaluate": once(table["evaluate"])},
    "unknown_members_do_not_matter": tokens(partial(once, same=_known_members)),
    "conditions_do_not_matter": tokens(partial(once, same=by_members("op", "key", "value", "ops"))),
    "only_values_matter": tokens(partial(once, same=by_members("value", "ops"))),
    "keys_do_not_matter": tokens(partial(once, same=by_members("op", "value", "ops"))),
    "absent_is_null": tokens(
        partial(
            once,
            same=lambda r: same_request(
                {**r, "value": {k: v for k, v in r["value"].items() if v is not None}}
                if isinstance(r.get("value"), dict)
                else r
            ),
        )
    ),
    "ids_matter": tokens(partial(once, same=canonical)),
    "the_order_of_members_matters": tokens(partial(once, same=_in_order)),
    "the_order_of_inner_members_matters": tokens(partial(once, same=_nested_order)),
    "true_is_one": tokens(partial(once, same=by_value)),
    "one_is_a_float": tokens(partial(once, same=lambda r: same_request(_numbers_merged(r)))),
    "names_in_elements_do_not_matter": tokens(partial(once, same=_without_names)),
    "the_order_of_elements_does_not_matter": tokens(
        partial(
            once,
            same=lambda r: (
                same_request({**r, "ops": sorted(map(compact, r["ops"]))})
                if r["op"] == "batch"
                else same_request(r)
            ),
        )
    ),
    "normal_forms_do_not_matter": tokens(
        partial(once, same=lambda r: unicodedata.normalize("NFC", compact(r)).encode())
    ),
    "any_request_is_the_same": tokens(partial(once, same=lambda r: b"")),
    "tokens_are_per_operation": tokens(partial(once, place=lambda r: f"{r['op']} {r['token']}")),
    "tokens_are_per_key": tokens(partial(once, place=lambda r: f"{r.get('key')} {r['token']}")),
    "tokens_are_trimmed": tokens(partial(once, place=lambda r: str(r["token"]).strip())),
    "tokens_are_folded": tokens(partial(once, place=lambda r: str(r["token"]).lower())),
    "tokens_are_normalised": tokens(
        partial(once, place=lambda r: unicodedata.normalize("NFC", r["token"]))
    ),
    "tokens_are_cut": tokens(partial(once, place=lambda r: str(r["token"])[:1])),
    "a_repeated_request_is_carried_out": tokens(partial(once, replay=again)),
    "a_repeated_request_counts": tokens(partial(once, replay=counted)),
    "a_repeated_request_gives_the_revision_of_now": tokens(partial(once, replay=current)),
    "a_repeated_request_is_marked": tokens(partial(once, replay=marked)),
    "a_repeated_condition_is_checked": tokens(partial(once, replay=checked)),
    "a_repeated_deletion_is_not_found": tokens(partial(once, replay=there)),
    "a_repeated_request_is_an_entry": tokens(partial(once, replay=remembered_in_history)),
    "another_request_is_a_conflict": tokens(partial(once, clash="conflict")),
    "another_request_is_bad": tokens(partial(once, clash="bad_request")),
    "errors_come_before_tokens": tokens(_errors_first),
    "tokens_come_before_parameters": tokens(_lookup_first),
    "a_null_token_is_none": on_parameter("token", _or_null(is_name)),
    "a_token_may_be_empty": on_parameter("token", lambda v: isinstance(v, str) and len(v) <= 128),
    "a_token_may_be_129_long": on_parameter(
        "token", lambda v: isinstance(v, str) and 0 < len(v) < 130
    ),
    "a_token_is_at_most_127_long": on_parameter(
        "token", lambda v: isinstance(v, str) and 0 < len(v) < 128
    ),
    "a_token_is_counted_in_bytes": on_parameter(
        "token", lambda v: isinstance(v, str) and 0 < len(v.encode()) <= 128
    ),
    "a_token_may_be_a_number": lambda table: on_parameter(
        "token", lambda v: type(v) is int or is_name(v)
    )(table),
    "a_wrong_token_is_ignored": lambda table: on_parameter("token", lambda v: True)(
        tokens(lambda op: _without_wrong_token(once(op)))(table)
    ),
}


def _without_wrong_token(operation: Operation) -> Operation:
    def run(state: State, request: Request) -> Outcome:
        if not is_name(request.get("token")):
            request = {k: v for k, v in request.items() if k != "token"}
        return operation.run(state, request)

    return replace(operation, run=run)


@WRONG.in_op("rollback")
def rollback_keeps_tokens(rollback: Run, state: State, request: Request) -> Outcome:
    after, result = rollback(state, request)
    return replace(after, tokens={**after.tokens, **state.tokens}), result


@WRONG.in_op("rollback")
def rollback_forgets_all_tokens(rollback: Run, state: State, request: Request) -> Outcome:
    after, result = rollback(state, request)
    return replace(after, tokens={}), result


@WRONG.in_op("commit")
def commit_forgets_tokens(commit: Run, state: State, request: Request) -> Outcome:
    after, result = commit(state, request)
    return replace(after, tokens=state.saved.tokens if state.saved else {}), result


@WRONG.in_op("begin")
def begin_hides_tokens(begin: Run, state: State, request: Request) -> Outcome:
    after, result = begin(state, request)
    return replace(after, tokens={}), result


class RemembersFailures(Oracle):
    """An oracle in which some errors take a token too."""

    def __init__(self, *codes: str) -> None:
        super().__init__(durable.operations(AMOUNTS), durable=True)
        self._codes = codes
        self._failed: dict[str, tuple[bytes, Json]] = {}

    def answer(self, line: str) -> Json:
        request = _request(line)
        token: Any = request.get("token")
        if request.get("op") not in WITH_TOKEN or not is_name(token):
            return super().answer(line)
        if token in self._failed:
            wanted, failed = self._failed[token]
            error = failed if wanted == same_request(request) else {"code": "token_conflict"}
            return {"id": request.get("id"), "ok": False, "error": error}
        answered = super().answer(line)
        if not answered["ok"] and answered["error"]["code"] in self._codes:
            self._failed[token] = (same_request(request), answered["error"])
        return answered


class RemembersIds(Oracle):
    """An oracle that answers a repeated request with the id of the first."""

    def __init__(self) -> None:
        super().__init__(durable.operations(AMOUNTS), durable=True)
        self._ids: dict[str, Json] = {}

    def answer(self, line: str) -> Json:
        answered = super().answer(line)
        request = _request(line)
        token: Any = request.get("token")
        if answered["ok"] and request.get("op") in WITH_TOKEN and is_name(token):
            return {**answered, "id": self._ids.setdefault(token, answered["id"])}
        return answered


def _request(line: str) -> Request:
    try:
        request = json.loads(line)
    except ValueError:
        return {}
    return request if isinstance(request, dict) else {}


def _with_table(change: Change) -> Oracle:
    return Oracle(change(durable.operations(AMOUNTS)), durable=True)


def _tokens_in_batches() -> Oracle:
    elements = durable.elements(AMOUNTS)
    elements = {**elements, "put": once(elements["put"]), "delete": once(elements["delete"])}
    table = {**elements, **durable.with_tokens(hard.with_transactions(elements))}
    return Oracle({**table, "put": elements["put"], "delete": elements["delete"]}, durable=True)


PROGRAMS = [
    *in_tiers([MAX], WRONG, lambda tier, change: _with_table(change)),
    Wrong("tokens_in_batches_count", MAX, _tokens_in_batches),
    Wrong("conflicts_take_a_token", MAX, partial(RemembersFailures, "conflict")),
    Wrong("missing_keys_take_a_token", MAX, partial(RemembersFailures, "not_found")),
    Wrong("bad_requests_take_a_token", MAX, partial(RemembersFailures, "bad_request")),
    Wrong("a_repeated_request_has_the_first_id", MAX, RemembersIds),
]


@pytest.mark.parametrize("wrong", PROGRAMS, ids=str)
def test_a_wrong_program_is_told_apart(
    wrong: Wrong, first_failure: Callable[..., str | None]
) -> None:
    """A rule that no scenario checks is a rule that a solution may break."""
    caught = first_failure(wrong.tier, wrong.start)
    assert caught, f"no scenario tells {wrong} from the oracle"


def test_a_right_program_of_these_parts_is_not_told_apart(
    first_failure: Callable[..., str | None],
) -> None:
    """Otherwise the other test would show nothing."""
    assert first_failure(MAX, lambda: _with_table(tokens(once))) is None
