"""Scripts on batches."""

from __future__ import annotations

from kcb_core.codec import Json
from kcb_core.task import Tag
from kcb_tasks.scenarios.envelope import NO_STRINGS
from kcb_tasks.scenarios.keys import WRONG_NAMES
from kcb_tasks.scenarios.play import Play, Script
from kcb_tasks.scenarios.revisions import WRONG_REVISIONS

FULL = 100
"""Most elements of a batch."""


def put(key: Json, value: Json, **members: Json) -> dict[str, Json]:
    """An element that stores a value."""
    return {"op": "put", "key": key, "value": value, **members}


def delete(key: Json, **members: Json) -> dict[str, Json]:
    """An element that deletes a key."""
    return {"op": "delete", "key": key, **members}


def get(key: Json) -> dict[str, Json]:
    """An element that reads a value."""
    return {"op": "get", "key": key}


def _a_batch_sees_its_own_changes(play: Play) -> None:
    plain = play.material.plain
    stored: Json = {"op": "evaluate_stored", "key": "b"}
    evaluated: Json = {"op": "evaluate", "input": plain}
    keys: Json = {"op": "list", "prefix": ""}
    changes = play.batch(
        *(put("a", 1), get("a"), put("b", plain, if_revision=0), stored, keys, get("b")),
        *(delete("a"), keys, evaluated, get("b"), put("a", None, if_revision=0)),
    )
    play.list()
    play.get("a", "b")
    last = changes["results"][-1]["revision"]
    play.batch(
        put("a", 2, if_revision=last),
        put("a", 3, if_revision=last + 1),
        delete("a", if_revision=last + 2),
    )
    play.batch(keys, stored, get("b"))
    play.put("c", 1)
    play.batch(put("c", 2), put("c", 3), put("c", 4), get("c"))
    play.get("c")
    play.evaluate_stored("b")


def _a_failed_batch_changes_nothing(play: Play) -> None:
    first = play.put("a", 1)
    second = play.put("b", {"x": [1]})
    writes = (put("a", 2), delete("b"), put("c", 1), put("a", 9, if_revision=second + 1))
    failing: tuple[Json, ...] = (put("a", 9, if_revision=first), get("b"), delete("b"), put("", 1))
    for last in (*failing, {"op": "begin"}, None):
        play.batch(*writes, last)
        play.get("a", "b")
        play.list()
    play.batch(*writes, {"op": "evaluate", "input": {}})
    play.batch(*writes, {"op": "evaluate_stored", "key": "a"})
    play.get("a", "b", "c")
    play.put("a", 3, if_revision=first)
    play.delete("b", if_revision=second)
    play.batch(put("c", 1))
    play.list()


def _the_first_failing_element_is_the_answer(play: Play) -> None:
    first = put("m", 1)
    play.batch(get("m"), {"op": "begin"}, 7)
    play.batch(first, get("zz"), {"op": 5})
    play.batch(first, {"op": "begin"}, get("zz"))
    play.batch(first, first, 7, {"op": "begin"})
    play.batch(first, put("m", 2, if_revision=0), get("zz"))
    play.batch(first, put("m", 2, if_revision=None), get("zz"))
    play.batch(first, {"op": "put", "key": "m"}, None)
    play.batch(None, first)
    play.batch(*[first] * (FULL - 1), get("zz"))
    play.batch(*[get("m")] * FULL)
    play.batch(first, delete("m"), delete("m"), first)
    play.batch(delete("m", if_revision=0))
    play.batch(first, delete("m", if_revision=0))
    play.list()
    play.put("n", 1)


def _elements_that_are_no_request(play: Play) -> None:
    first = put("a", 1)
    for wrong in (None, True, 7, 1.5, "put", '{"op":"list"}', [], [first], {}, {"key": "a"}):
        play.batch(first, wrong)
    for op in (*NO_STRINGS, "", "Put", "put ", "none", "ops"):
        play.batch(first, {"op": op, "key": "a", "value": 2})
    for op in ("batch", "begin", "commit", "rollback", "history"):
        play.batch({"op": op, "ops": [], "key": "a"})
        play.batch(first, {"op": op, "ops": None})
    play.list()
    play.commit()
    play.put("b", 1)


def _elements_with_wrong_parameters(play: Play) -> None:
    play.put("a", 1)
    for key in WRONG_NAMES:
        play.batch(get("a"), put(key, 2))
    for op in ("get", "delete", "evaluate_stored", "put", "evaluate"):
        play.batch({"op": op}, put("b", 1))
    for wrong in WRONG_REVISIONS:
        play.batch(put("a", 2, if_revision=wrong))
    play.batch({"op": "list", "prefix": None})
    play.batch({"op": "evaluate", "input": [play.material.plain]})
    play.batch(put("n", None), {"op": "evaluate_stored", "key": "n"})
    play.batch({"op": "evaluate_stored", "key": "zz"})
    play.list()
    play.get("a")


def _sizes_of_a_batch(play: Play) -> None:
    keys: Json = {"op": "list"}
    play.batch()
    play.list()
    play.batch(*[keys] * FULL)
    play.batch(*[keys] * (FULL + 1))
    play.batch(put("a", 1), *[keys] * FULL)
    play.batch(*[7] * (FULL + 1))
    play.list()
    play.batch(*(put(f"k{n}", n) for n in range(FULL)))
    play.get("k0", "k99")
    play.list()
    play.batch(*(delete(f"k{n}") for n in range(FULL)))
    play.list()
    play.put("a", 1)


def _values_that_are_no_batch(play: Play) -> None:
    first = put("a", 1)
    play.ask("batch")
    play.ask("batch", Ops=[first])
    for wrong in (None, True, 0, 1.5, "", "[]", {}, {"0": first}, first):
        play.ask("batch", ops=wrong)
    play.list()
    play.batch(first, if_revision=None, key=5, prefix=1)
    play.get("a")


def _members_of_elements_that_are_ignored(play: Play) -> None:
    names: tuple[Json, ...] = (1, "x", None, [1], {"id": 2}, True)
    elements = [{"id": name, "token": name, **put("a", n)} for n, name in enumerate(names)]
    play.batch(*elements)
    play.get("a")
    play.batch(*({"token": name, "id": name, "input": 1, **get("a")} for name in names))
    play.batch({"op": "list", "ops": 5, "key": None}, {"op": "get", "key": "a", "if_revision": "x"})
    play.batch({"id": 9, **get("zz")})


def _field_errors_in_a_batch(play: Play) -> None:
    material = play.material
    faulty: list[Json] = [{}, material.broken, *material.failing]
    for index, fields in enumerate(faulty):
        good: list[Json] = [{"op": "evaluate", "input": i} for i in material.valid[:index]]
        play.batch(*good, put("a", index), {"op": "evaluate", "input": fields})
        play.batch(put("a", fields), {"op": "evaluate_stored", "key": "a"}, *good)
    play.list()
    play.put("a", 1)


BATCHES = (
    Script(
        "batches-see-their-changes",
        (Tag.ATOMICITY,),
        (_a_batch_sees_its_own_changes, _members_of_elements_that_are_ignored),
    ),
    Script(
        "failed-batches-change-nothing",
        (Tag.ATOMICITY, Tag.PRECEDENCE),
        (_a_failed_batch_changes_nothing, _the_first_failing_element_is_the_answer),
    ),
    Script(
        "wrong-elements",
        (Tag.PRECEDENCE, Tag.ATOMICITY),
        (_elements_that_are_no_request, _elements_with_wrong_parameters),
    ),
    Script("sizes-of-batches", (Tag.ATOMICITY,), (_sizes_of_a_batch, _values_that_are_no_batch)),
    Script(
        "field-errors-in-batches", (Tag.FIELD_ERRORS, Tag.ATOMICITY), (_field_errors_in_a_batch,)
    ),
)
"""Scripts of the hard tier and up."""
