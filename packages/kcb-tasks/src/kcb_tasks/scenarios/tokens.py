"""Scripts on tokens."""

from __future__ import annotations

from kcb_core.codec import Json
from kcb_core.task import Tag
from kcb_tasks.scenarios.batches import delete, get, put
from kcb_tasks.scenarios.keys import WRONG_NAMES
from kcb_tasks.scenarios.play import Play, Script
from kcb_tasks.scenarios.spelling import escaped, scrambled


def _the_same_request_again(play: Play) -> None:
    first = play.put("a", 1, if_revision=0, token="t1")
    play.put("a", 1, if_revision=0, token="t1")
    second = play.put("a", 2, if_revision=first)
    play.put("a", 1, if_revision=0)
    play.put("a", 1, if_revision=0, token="t1")
    play.get("a")
    play.delete("a", if_revision=second, token="t2")
    play.delete("a", if_revision=second, token="t2")
    play.put("a", 1, if_revision=0, token="t1")
    play.get("a")
    play.history("a")
    play.put("b", None, token="t3")
    play.put("b", None, token="t3")
    play.put("b", None, token="t4")
    play.get("b")


def _the_same_request_after_a_kill(play: Play) -> None:
    play.put("c", {"x": 1}, if_revision=0, token="k1")
    play.delete("c", token="k2")
    play.batch(put("d", 1), get("d"), token="k3")
    play.kill()
    play.put("c", {"x": 1}, if_revision=0, token="k1")
    play.send({"token": "k2", "key": "c", "op": "delete", "id": [None]})
    play.batch(put("d", 1), get("d"), token="k3")
    play.put("c", {"x": 2}, if_revision=0, token="k1")
    play.put("d", 2)
    play.kill()
    play.batch(put("d", 1), get("d"), token="k3")
    play.batch(put("d", 1), get("d"))
    play.history("d")
    play.delete("c", token="k1")
    play.list()


def _requests_that_are_another(play: Play) -> None:
    value: Json = {"n": 1, "s": "é", "l": [1, 2], "z": None, "f": False}
    play.put("a", value, token="t")
    for n, s, z in ((1.0, "é", None), (True, "é", None), ("1", "é", None), (1, "e\u0301", None)):
        play.put("a", {"n": n, "s": s, "l": [1, 2], "z": z, "f": False}, token="t")
    changes: tuple[dict[str, Json], ...] = ({"l": [2, 1]}, {"l": [1]}, {"z": 0}, {"f": 0}, {"y": 1})
    for changed in changes:
        play.put("a", {**value, **changed}, token="t")
    play.put("a", {name: inner for name, inner in value.items() if name != "z"}, token="t")
    play.put("b", value, token="t")
    play.put("a", value, token="t", note="x")
    play.put("a", value, token="t", if_revision=1)
    play.ask("put", key="a", value=value, token="t", Id=1)
    play.delete("a", token="t")
    play.batch(token="t")
    play.batch(put("a", value), token="t")
    play.put("a", value, token="t")
    play.get("a")
    play.put("b", 1)


def _requests_that_are_the_same(play: Play) -> None:
    value: Json = {"x": {"b": 1, "a": [1.5, {"d": None, "c": "é/"}]}, "é": True}
    turned: Json = {"é": True, "x": {"a": [1.5, {"c": "é/", "d": None}], "b": 1}}
    request: dict[str, Json] = {"op": "put", "key": "é", "value": value, "note": 1, "token": "s"}
    play.send({"id": 1, **request})
    for name in ({"id": 1}, {"id": None}, {"id": [1.0]}, {"id": "t"}, {}):
        play.send({**request, **name})
    play.send({"id": 2, "token": "s", "note": 1, "value": turned, "key": "é", "op": "put"})
    play.send(escaped({"id": 3, **request}))
    play.send(scrambled({**request, "id": 4}, play.rng))
    play.get("é")
    batch: dict[str, Json] = {"op": "batch", "ops": [put("b", {"y": 1, "x": 2})], "token": "b"}
    play.send({"id": 5, **batch})
    play.send({**batch, "ops": [{"value": {"x": 2, "y": 1}, "key": "b", "op": "put"}], "id": 6})
    play.put("c", 1)


def _failures_leave_no_token(play: Play) -> None:
    play.put("a", 1, if_revision=7, token="t")
    play.put("a", 1, if_revision=7, token="t")
    play.delete("a", token="t")
    play.batch(put("a", 1), get("zz"), token="t")
    play.ask("put", key="a", token="t")
    play.batch(put("zz", 1, token="t"), 5, token="t")
    first = play.put("a", 1, token="t")
    play.put("a", 1, token="t")
    # A condition that fits only later: the same request is carried out then.
    play.delete("a", token="u", if_revision=first + 1)
    play.put("a", 2)
    play.delete("a", token="u", if_revision=first + 1)
    play.delete("a", token="u", if_revision=first + 1)
    play.delete("b", token="v")
    play.put("b", 1)
    play.delete("b", token="v")
    play.put("b", 1, if_revision=0, token="t")
    play.put("b", 1, if_revision=0, token="w")
    play.list()


def _failures_leave_no_token_after_a_kill(play: Play) -> None:
    play.put("p", 1, if_revision=1, token="x")
    play.batch(put("p", 1), get("zz"), token="y")
    play.put("q", 1)
    play.kill()
    stored = play.put("p", 2, token="x")
    play.batch(put("p", 1, if_revision=stored), token="y")
    play.put("p", 3, token="y")
    play.kill()
    play.put("p", 2, token="x")
    play.put("p", 2, token="y")
    play.get("p")


def _a_token_is_looked_up_before_errors_of_the_op(play: Play) -> None:
    play.put("a", 1, token="t")
    play.delete("zz", token="t")
    play.put("a", 2, if_revision=9, token="t")
    play.batch(get("zz"), token="t")
    play.batch(7, token="t")
    play.put("", 1, token="t")
    play.ask("put", key="a", token="t")
    play.put("a", 1, if_revision=None, token="t")
    play.ask("batch", ops=5, token="t")
    play.ask("Put", key="a", value=1, token="t")
    play.delete("a", token="d")
    play.delete("a", token="d")
    play.delete("a", token="e")
    play.put("a", 1, token="t")
    play.get("a")


def _rollback_forgets_tokens(play: Play) -> None:
    play.put("z", 0, token="before")
    play.begin()
    play.put("a", 1, token="t")
    play.put("a", 1, token="t")
    play.put("z", 0, token="before")
    play.delete("z", token="before")
    play.rollback()
    play.put("z", 0, token="before")
    play.put("a", 2, token="t")
    play.get("a", "z")
    play.begin()
    play.begin()
    play.put("b", 1, token="u")
    play.commit()
    play.put("b", 1, token="u")
    play.rollback()
    play.put("b", 2, token="u")
    play.begin()
    play.begin()
    play.put("c", 1, token="v")
    play.rollback()
    play.delete("b", token="v")
    play.commit()
    play.delete("b", token="v")
    play.put("c", 1, token="v")
    play.list()


def _a_kill_forgets_tokens_of_open_transactions(play: Play) -> None:
    play.begin()
    play.put("k", 1, token="k1")
    play.begin()
    play.batch(put("l", 1), token="k2")
    play.commit()
    play.kill()
    play.put("k", 2, token="k1")
    play.delete("k", token="k2")
    play.begin()
    play.put("k", 3, token="k3")
    play.put("k", 2, token="k1")
    play.commit()
    play.kill()
    play.put("k", 3, token="k3")
    play.put("k", 3, token="k1")
    play.delete("k", token="k2")
    play.get("k")


def _batches_with_a_token(play: Play) -> None:
    elements: tuple[Json, ...] = (put("a", 1, token="i"), get("a"), delete("a"), {"op": "list"})
    play.batch(*elements, token="b")
    play.put("z", 0)
    play.batch(*elements, token="b")
    play.put("a", 2, token="i")
    play.batch(*elements[:-1], token="b")
    play.batch(*reversed(elements), token="b")
    play.batch({**put("a", 1, token="j")}, *elements[1:], token="b")
    play.batch({**put("a", 1, token="i"), "id": 1}, *elements[1:], token="b")
    play.batch(token="e")
    play.batch(token="e")
    play.batch({"op": "list"}, token="e")
    play.batch(put("c", 1, token=None), put("c", 2, token=5), put("c", 3, token="b"))
    play.put("c", 4, token="j")
    play.history("c")


def _operations_that_have_no_token(play: Play) -> None:
    play.put("a", play.material.plain, token="t")
    for token in ("t", "u", None, 5):
        play.ask("get", key="a", token=token)
        play.ask("list", token=token)
        play.ask("evaluate", input=play.material.plain, token=token)
        play.ask("evaluate_stored", key="a", token=token)
        play.ask("history", key="a", token=token)
    play.ask("begin", token="t")
    play.ask("rollback", token="t")
    play.ask("commit", token="u")
    play.put("b", 1, token="u")
    play.ask("get", key="b", token="u")


def _values_that_are_no_token(play: Play) -> None:
    play.put("a", 1)
    for token in WRONG_NAMES:
        play.put("a", 2, token=token)
        play.delete("a", token=token)
        play.ask("batch", ops=[put("a", 2)], token=token)
    play.get("a")
    for number, token in enumerate(("k" * 128, "😀" * 128, "k", "K", "k ", "é", "e\u0301", "\0")):
        play.put("a", number, token=token)
    play.put("a", 0, token="k" * 128)
    play.put("a", 0, token="é")
    play.get("a")


TOKENS = (
    Script(
        "same-request-again",
        (Tag.TOKENS, Tag.DURABILITY),
        (_the_same_request_again, _the_same_request_after_a_kill),
    ),
    Script(
        "same-or-another-request",
        (Tag.TOKENS, Tag.UNICODE),
        (_requests_that_are_another, _requests_that_are_the_same),
    ),
    Script(
        "failures-leave-no-token",
        (Tag.TOKENS, Tag.DURABILITY),
        (_failures_leave_no_token, _failures_leave_no_token_after_a_kill),
    ),
    Script(
        "tokens-before-errors",
        (Tag.TOKENS, Tag.PRECEDENCE),
        (_a_token_is_looked_up_before_errors_of_the_op,),
    ),
    Script(
        "tokens-rolled-back",
        (Tag.TOKENS, Tag.ROLLBACK),
        (_rollback_forgets_tokens, _a_kill_forgets_tokens_of_open_transactions),
    ),
    Script("tokens-of-batches", (Tag.TOKENS, Tag.ATOMICITY), (_batches_with_a_token,)),
    Script(
        "wrong-tokens",
        (Tag.TOKENS, Tag.PRECEDENCE),
        (_operations_that_have_no_token, _values_that_are_no_token),
    ),
)
"""Scripts of the max tier."""
