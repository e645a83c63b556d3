"""Scripts on stored documents: revisions, values, deletion, evaluation of what is stored."""

from __future__ import annotations

from kcb_core.codec import Json
from kcb_core.task import Tag
from kcb_tasks.scenarios.play import Play, Script

VALUES: tuple[Json, ...] = (
    *(None, False, True, 0, 1, -7, 1.5, 1e2, 2.0, 1e-7, 2**53 - 1, -(2**53 - 1)),
    *("", " ", "null", "0", "é\u2028😀\0\n", [], {}, [[]], [None], {"": {}}, [0, False, "", None]),
    {"x": [[{"y": [None, True, 1, 1.5, {}]}]], "é": {"b": 1, "a": 2}, "key": "put", "value": None},
)
"""Values of every type, also those that a program may take for nothing at all."""


def _one_counter_for_all_keys(play: Play) -> None:
    play.put("a", 1)
    play.put("b", 1)
    play.get("a", "b")
    play.put("a", 1)
    play.get("a", "b")
    play.put("c", {"a": 1})
    play.delete("b")
    play.put("b", 2)
    play.delete("c")
    play.get("a", "b", "c")
    play.put("a", None)
    play.get("a", "b")


def _values_of_every_kind(play: Play) -> None:
    for index, value in enumerate(VALUES):
        play.put(f"v{index}", value)
    for index in range(len(VALUES)):
        play.get(f"v{index}")
    play.send('{"id":1,"op":"put","key":"e","value":[1e2,2.50,-1E-2,0e0]}')
    play.get("e")
    deep: Json = []
    for level in range(60):
        deep = {"d": deep} if level % 2 else [deep]
    play.put("v0", deep)
    play.get("v0", "v1")


def _replaced_many_times(play: Play) -> None:
    for number in range(20):
        play.put("a", [number] * (number % 3))
        if number % 5 == 0:
            play.get("a")
    for value in ("two", [3], None, {"a": None}, None, 1, True, 1, False, 0, [0], [False]):
        play.put("a", value)
        play.get("a")
    play.list()


def _deletions(play: Play) -> None:
    play.delete("a")
    play.put("a", 1)
    play.put("b", None)
    play.delete("a")
    play.get("a")
    play.delete("a")
    play.delete("b")
    play.get("b")
    play.list()
    play.put("a", 2)
    play.get("a")
    play.delete("a")
    play.put("a", None)
    play.get("a")
    play.list()


def _failures_change_nothing(play: Play) -> None:
    play.put("a", 1)
    play.delete("zz")
    play.get("zz")
    play.ask("put", key="a")
    play.ask("put", value=2)
    play.ask("put")
    play.put("", 2)
    play.put("a" * 129, 2)
    play.ask("PUT", key="a", value=2)
    play.ask("put ", key="a", value=2)
    play.ask("evaluate_stored")
    play.evaluate_stored("zz")
    play.evaluate_stored("a")
    play.evaluate({})
    play.send('{"id":1,"op":"put","key":"a","value":2')
    play.send('{"op":"put","key":"a","value":2},')
    play.ask("list", prefix=None)
    play.get("a")
    play.list()
    play.put("b", 1)
    play.get("b")


def _missing_parameters(play: Play) -> None:
    for op in ("get", "delete", "evaluate_stored", "put"):
        play.ask(op)
        play.ask(op, value=1, Key="a")
    play.ask("put", key="a", Value=1)
    play.list()
    play.put("a", None)
    play.get("a")
    play.ask("get", key="a", prefix=5, value=[], input=None, if_revision=None, limit="x")
    play.ask("evaluate_stored", key="zz", input={})
    play.list(key=None, value=1, input=2)
    play.delete("a", value=1)
    play.ask("evaluate", key="a")


def _stored_evaluation_leaves_the_store_alone(play: Play) -> None:
    plain = play.material.plain
    play.put("g", plain)
    play.put("other", 1)
    play.evaluate_stored("g")
    play.get("g")
    play.evaluate_stored("g")
    play.get("g")
    play.put("h", plain)
    play.evaluate_stored("h")
    play.get("g", "h")
    play.evaluate(plain)
    play.evaluate({})
    play.list()
    play.delete("g")
    play.evaluate_stored("g")
    play.evaluate_stored("h")


def _stored_evaluation_of_faulty_inputs(play: Play) -> None:
    values: list[Json] = [None, True, 1, 1.5, "{}", [], [play.material.plain], {}]
    values += [play.material.broken, *play.material.failing, {"note": 1, **play.material.plain}]
    for value in values:
        play.put("x", value)
        play.evaluate_stored("x")
        play.ask("evaluate", input=value)
    play.get("x")
    play.evaluate_stored("nope")
    play.evaluate_stored("")
    play.ask("evaluate_stored", input=play.material.plain)
    play.put("y", 1)


def _the_words_of_the_protocol_as_data(play: Play) -> None:
    for key in ("input", "id", "op", "put", "null", "revision", "__class__", "0"):
        play.put(key, {"op": "delete", "key": key, "id": 1})
    play.evaluate(play.material.plain)
    play.list()
    play.get("null", "id", "0", "__class__")
    play.delete("put")
    play.get("put", "op")
    play.list()


def _parameters_of_higher_tiers(play: Play) -> None:
    """What a lower tier ignores and a higher one refuses or heeds."""
    play.put("a", 1, if_revision=9, token=5)
    play.put("a", 1, token="t")
    play.put("a", 2, token="t")
    play.put("b", 1, if_revision=0, token="u")
    play.put("b", 2, if_revision=None)
    play.get("a", "b")
    play.list(limit=0, after=None)
    play.list(limit=1)
    play.list(after="a", limit="x")
    play.list(after="a")
    play.ask("get", key="a", token=None, limit=0, after=5)
    play.delete("b", if_revision=99, token="t")
    play.delete("a", token=None)
    play.list()
    play.put("c", 1)


DOCUMENTS = (
    Script(
        "changes-and-revisions",
        (Tag.CORE,),
        (_deletions, _one_counter_for_all_keys, _replaced_many_times),
    ),
    Script("values", (Tag.CORE,), (_values_of_every_kind, _the_words_of_the_protocol_as_data)),
    Script(
        "failures-change-nothing",
        (Tag.RECOVERY, Tag.PRECEDENCE),
        (_failures_change_nothing, _missing_parameters),
    ),
    Script(
        "stored-evaluation",
        (Tag.CORE, Tag.FIELD_ERRORS),
        (_stored_evaluation_leaves_the_store_alone, _stored_evaluation_of_faulty_inputs),
    ),
    Script("parameters-of-higher-tiers", (Tag.PRECEDENCE,), (_parameters_of_higher_tiers,)),
)
"""Scripts of the intermediate tier and up."""
