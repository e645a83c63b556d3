"""Wrong programs on histories and pages: the scenarios of the toy family tell each apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from wrong_programs import (
    Change,
    Outcome,
    Request,
    Wrong,
    WrongRun,
    WrongTables,
    in_tiers,
    on_op,
    on_parameter,
)

from kcb_core.codec import Json, compact
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.tiers import durable
from kcb_tasks.tiers.durable import MAX
from kcb_tasks.tiers.protocol import Failure, Operations, Oracle, Run, is_name
from kcb_tasks.tiers.state import State, freeze, thaw

WRONG = WrongTables()


@WRONG.in_op("rollback")
def rollback_keeps_histories(rollback: Run, state: State, request: Request) -> Outcome:
    after, result = rollback(state, request)
    return replace(after, histories=state.histories), result


@WRONG.in_op("rollback")
def rollback_keeps_empty_histories(rollback: Run, state: State, request: Request) -> Outcome:
    after, result = rollback(state, request)
    return replace(
        after, histories={**dict.fromkeys(state.histories, ()), **after.histories}
    ), result


@WRONG.in_op("commit")
def a_transaction_is_one_entry(commit: Run, state: State, request: Request) -> Outcome:
    after, result = commit(state, request)
    old = state.saved.histories if state.saved else {}
    squashed = {
        key: found if len(found) == len(old.get(key, ())) else (*old.get(key, ()), found[-1])
        for key, found in after.histories.items()
    }
    return replace(after, histories=squashed), result


@WRONG.in_op("delete")
def deletions_end_a_history(delete: Run, state: State, request: Request) -> Outcome:
    after, result = delete(state, request)
    return replace(
        after, histories={k: v for k, v in after.histories.items() if k != request["key"]}
    ), result


@WRONG.in_op("delete")
def deletions_start_a_new_history(delete: Run, state: State, request: Request) -> Outcome:
    after, result = delete(state, request)
    return replace(after, histories={**after.histories, request["key"]: ()}), result


@WRONG.in_op("delete")
def deletions_are_no_entries(delete: Run, state: State, request: Request) -> Outcome:
    after, result = delete(state, request)
    return replace(after, histories=state.histories), result


@WRONG.in_op("put")
def equal_values_are_no_entries(put: Run, state: State, request: Request) -> Outcome:
    after, result = put(state, request)
    old = state.documents.get(request["key"])
    if old and old.text == freeze(request["value"]):
        after = replace(after, histories=state.histories)
    return after, result


@WRONG.in_op("history")
def a_deleted_key_has_no_history(history: Run, state: State, request: Request) -> Outcome:
    if request["key"] not in state.documents:
        raise Failure("not_found")
    return history(state, request)


@WRONG.in_op("history")
def an_unknown_key_has_an_empty_history(history: Run, state: State, request: Request) -> Outcome:
    if request["key"] not in state.histories:
        return state, {"entries": []}
    return history(state, request)


@WRONG.in_op("history")
def a_history_is_of_all_keys(history: Run, state: State, request: Request) -> Outcome:
    every = sorted(
        (entry for found in state.histories.values() for entry in found),
        key=lambda entry: int(thaw(entry)["revision"]),
    )
    return history(
        replace(state, histories={**state.histories, request["key"]: tuple(every)}), request
    )


def _entries(change: Callable[[list[Json]], list[Json]]) -> Change:
    def run(history: Run, state: State, request: Request) -> Outcome:
        after, result = history(state, request)
        return after, {**result, "entries": change(result["entries"])}

    return on_op("history", run)


WRONG |= {
    "the_newest_comes_first": _entries(lambda found: found[::-1]),
    "deleted_entries_have_a_value": _entries(
        lambda found: [{**e, "value": None} if "deleted" in e else e for e in found]
    ),
    "all_entries_say_deleted": _entries(lambda found: [{"deleted": False, **e} for e in found]),
    "entries_have_no_revision": _entries(
        lambda found: [{k: v for k, v in e.items() if k != "revision"} for e in found]
    ),
    "null_entries_are_deletions": _entries(
        lambda found: [
            {"revision": e["revision"], "deleted": True} if e.get("value", 0) is None else e
            for e in found
        ]
    ),
    "entries_have_the_latest_value": _entries(
        lambda found: [{**e, "value": found[-1].get("value")} if "value" in e else e for e in found]
    ),
}

Page = Callable[[list[Any], Callable[[Any], Any], Request], tuple[list[Any], Json]]
"""Chooses a page: from all items, where each stands, and the request; the page and ``next``."""

NO_NEXT = object()


def paged(choose: Page, *names: str) -> Change:
    """A table whose pages are chosen in another way."""

    def on(member: str, place: Callable[[Any], Any]) -> WrongRun:
        def run(right: Run, state: State, request: Request) -> Outcome:
            rest = {k: v for k, v in request.items() if k not in ("after", "limit")}
            after, result = right(state, rest)
            page, following = choose(result[member], place, request)
            more = {} if following is NO_NEXT else {"next": following}
            return after, {member: page, **more}

        return run

    def change(table: Operations) -> Operations:
        table = on_op("list", on("keys", lambda key: key))(table)
        return on_op("history", on("entries", lambda entry: entry["revision"]))(table)

    return change


def _page(
    *,
    greater: Callable[[Any, Any], bool] = lambda place, after: bool(place > after),
    size: Callable[[int], int] = lambda limit: limit,
    following: Callable[[list[Any], list[Any]], Json] = lambda page, rest: page[-1],
    full: bool = False,
    default: int | None = None,
) -> Page:
    def choose(
        items: list[Any], place: Callable[[Any], Any], request: Request
    ) -> tuple[list[Any], Json]:
        rest = [i for i in items if "after" not in request or greater(place(i), request["after"])]
        limit = request.get("limit", default)
        page = rest if limit is None else rest[: size(limit)]
        some_left = len(page) < len(rest) or (full and limit is not None and len(page) == limit)
        told = (
            following([*map(place, page)], [*map(place, rest)]) if some_left and page else NO_NEXT
        )
        return page, told

    return choose


def _limit_first(
    items: list[Any], place: Callable[[Any], Any], request: Request
) -> tuple[list[Any], Json]:
    cut = items[: request.get("limit", len(items))]
    return [i for i in cut if "after" not in request or place(i) > request["after"]], (
        place(cut[-1]) if cut and len(cut) < len(items) else NO_NEXT
    )


def _after_must_exist(
    items: list[Any], place: Callable[[Any], Any], request: Request
) -> tuple[list[Any], Json]:
    if "after" in request and request["after"] not in [*map(place, items)]:
        return _page()(items, place, {k: v for k, v in request.items() if k != "after"})
    return _page()(items, place, request)


def _utf_16(place: Any, after: Any) -> bool:
    if isinstance(place, str):
        return bool(place.encode("utf-16-be") > after.encode("utf-16-be"))
    return bool(place > after)


def _empty_is_not_found(right: Run, state: State, request: Request) -> Outcome:
    after, result = right(state, request)
    if "after" in request and not result.get("keys", result.get("entries")):
        raise Failure("not_found")
    return after, result


def _prefix_after_limit(list_: Run, state: State, request: Request) -> Outcome:
    after, result = list_(state, {k: v for k, v in request.items() if k != "prefix"})
    keys = [key for key in result["keys"] if key.startswith(request.get("prefix", ""))]
    return after, {**result, "keys": keys}


def _whole(value: Json) -> bool:
    return isinstance(value, int | float) and value == int(value)


WRONG |= {
    "after_is_included": paged(_page(greater=lambda place, after: bool(place >= after))),
    "after_is_compared_in_utf_16": paged(_page(greater=_utf_16)),
    "after_is_compared_without_case": paged(
        _page(greater=lambda p, a: p.lower() > a.lower() if isinstance(p, str) else p > a)
    ),
    "after_must_exist": paged(_after_must_exist),
    "a_page_has_one_more": paged(_page(size=lambda limit: limit + 1)),
    "the_limit_comes_first": paged(_limit_first),
    "a_hundred_without_limit": paged(_page(default=100)),
    "next_comes_with_every_full_page": paged(_page(full=True)),
    "next_is_the_first_left_out": paged(_page(following=lambda page, rest: rest[len(page)])),
    "next_is_a_position": paged(_page(following=lambda page, rest: len(page))),
    "next_is_true": paged(_page(following=lambda page, rest: True)),
    "next_is_the_last_of_all": paged(_page(following=lambda page, rest: rest[-1])),
    "next_is_left_out": paged(_page(following=lambda page, rest: NO_NEXT)),
    "next_is_null_at_the_end": lambda table: _next_null("list")(_next_null("history")(table)),
    "an_empty_page_is_not_found": lambda table: on_op("list", _empty_is_not_found)(
        on_op("history", _empty_is_not_found)(table)
    ),
    "the_prefix_comes_after_the_limit": on_op("list", _prefix_after_limit),
    "a_limit_may_be_0": lambda table: on_parameter(
        "limit", lambda v: type(v) is int and 0 <= v <= 100
    )(paged(_page())(table)),
    "a_limit_may_be_101": on_parameter("limit", lambda v: type(v) is int and 1 <= v <= 101),
    "a_limit_may_be_99": on_parameter("limit", lambda v: type(v) is int and 1 <= v <= 99),
    "a_limit_may_be_true": on_parameter("limit", lambda v: isinstance(v, int) and 1 <= v <= 100),
    "a_limit_may_be_a_float": lambda table: on_parameter(
        "limit", lambda v: not isinstance(v, bool) and _whole(v) and 1 <= v <= 100
    )(paged(_page(size=int))(table)),
    "a_null_limit_is_none": lambda table: on_parameter(
        "limit", lambda v: v is None or (type(v) is int and 1 <= v <= 100)
    )(paged(_page())(table)),
    "a_null_after_is_none": lambda table: on_parameter(
        "after", lambda v: v is None or isinstance(v, str) or (type(v) is int and v >= 0)
    )(paged(_page(greater=lambda p, a: a is None or p > a))(table)),
    "after_may_be_negative": on_parameter("after", lambda v: type(v) is int, "history"),
    "after_may_be_true": on_parameter("after", lambda v: isinstance(v, int) and v >= 0, "history"),
    "after_may_be_a_float": on_parameter(
        "after",
        lambda v: isinstance(v, int | float) and not isinstance(v, bool) and v >= 0,
        "history",
    ),
    "after_must_be_a_key": on_parameter("after", is_name, "list"),
    "after_must_be_positive": on_parameter("after", lambda v: type(v) is int and v > 0, "history"),
}


def _next_null(name: str) -> Change:
    def run(right: Run, state: State, request: Request) -> Outcome:
        after, result = right(state, request)
        return after, {**result, "next": result.get("next")} if "limit" in request else result

    return on_op(name, run)


class EntriesOfFailedBatches(Oracle):
    """An oracle in which the changes of a failed batch are entries all the same."""

    def __init__(self) -> None:
        super().__init__(durable.operations(AMOUNTS), durable=True)

    def answer(self, line: str) -> Json:
        answered = super().answer(line)
        request = _request(line)
        index = answered.get("error", {}).get("index", 0)
        if request.get("op") == "batch" and index:
            before = self._state
            super().answer(compact({"op": "batch", "ops": request["ops"][:index]}))
            self._state = replace(before, histories=self._state.histories)
        return answered


def _request(line: str) -> Request:
    try:
        request = json.loads(line)
    except ValueError:
        return {}
    return request if isinstance(request, dict) else {}


def _with_table(change: Change) -> Oracle:
    return Oracle(change(durable.operations(AMOUNTS)), durable=True)


PROGRAMS = [
    *in_tiers([MAX], WRONG, lambda tier, change: _with_table(change)),
    Wrong("failed_batches_leave_entries", MAX, EntriesOfFailedBatches),
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
    assert first_failure(MAX, lambda: _with_table(paged(_page()))) is None
