"""Scripts on ``if_revision``."""

from __future__ import annotations

from kcb_core.codec import Json
from kcb_core.task import Tag
from kcb_tasks.scenarios.play import Play, Script

WRONG_REVISIONS: tuple[Json, ...] = (
    *(True, False, None, "0", "1", -1, 0.0, 1.0, 1.5, [], [1], {}, {"revision": 1}),
)
"""Values that are no revision."""


def _creating_and_replacing_on_condition(play: Play) -> None:
    first = play.put("a", 1, if_revision=0)
    play.put("a", 2, if_revision=0)
    second = play.put("a", 2, if_revision=first)
    play.put("a", 3, if_revision=first)
    play.put("a", 3, if_revision=second + 1)
    for revision in (first, second, second + 1, 2**53 - 1):
        play.put("b", 1, if_revision=revision)
    other = play.put("b", 1, if_revision=0)
    # The counter and the revisions of other keys fit no key but their own.
    play.put("a", 4, if_revision=other)
    third = play.put("a", 4, if_revision=second)
    play.get("a", "b")
    play.put("b", 4, if_revision=third)
    play.put("c", None, if_revision=0)
    play.put("c", 1, if_revision=0)
    play.put("c", 1)
    play.list()


def _deleting_on_condition(play: Play) -> None:
    first = play.put("a", 1)
    other = play.put("b", 1)
    play.delete("a", if_revision=0)
    play.delete("a", if_revision=other)
    for revision in (0, first, other + 1):
        play.delete("zz", if_revision=revision)
    gone = play.delete("a", if_revision=first)
    play.delete("a", if_revision=first)
    play.delete("a", if_revision=gone)
    play.put("a", 2, if_revision=first)
    play.put("a", 2, if_revision=gone)
    again = play.put("a", 2, if_revision=0)
    play.delete("a", if_revision=first)
    play.delete("a", if_revision=again)
    play.delete("b", if_revision=other)
    play.list()


def _values_that_are_no_revision(play: Play) -> None:
    play.put("a", 1)
    for wrong in WRONG_REVISIONS:
        play.put("a", 2, if_revision=wrong)
        play.delete("a", if_revision=wrong)
        play.put("new", 2, if_revision=wrong)
        play.delete("zz", if_revision=wrong)
    play.send('{"id":2,"op":"put","key":"a","value":2,"if_revision":1e0}')
    play.send('{"id":3,"op":"put","key":"new","value":2,"if_revision":0E0}')
    play.get("a")
    play.list()
    play.put("b", 1)


def _errors_before_a_conflict(play: Play) -> None:
    first = play.put("a", 1)
    play.ask("put", key="a", if_revision=7)
    play.ask("put", value=1, if_revision=7)
    play.put("", 1, if_revision=7)
    play.put(5, 1, if_revision=True)
    play.delete(None, if_revision=7)
    play.ask("Put", key="a", value=1, if_revision=7)
    play.delete("zz", if_revision=7)
    play.ask("get", key="a", if_revision=7)
    play.ask("list", if_revision=None)
    play.ask("evaluate_stored", key="a", if_revision="x")
    play.evaluate(play.material.plain)
    play.put("a", 1, if_revision=first + 1, If_revision=first)
    second = play.put("a", play.material.plain, if_revision=first)
    play.evaluate_stored("a")
    play.put("a", 3, if_revision=second)
    play.put("a", 4, if_revision=second)


REVISIONS = (
    Script(
        "conditions",
        (Tag.ATOMICITY,),
        (_creating_and_replacing_on_condition, _deleting_on_condition),
    ),
    Script(
        "wrong-conditions",
        (Tag.PRECEDENCE, Tag.ATOMICITY),
        (_values_that_are_no_revision, _errors_before_a_conflict),
    ),
)
"""Scripts of the hard tier and up."""
