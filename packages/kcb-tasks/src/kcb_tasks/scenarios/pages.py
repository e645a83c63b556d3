"""Scripts on the history of keys, and on pages of keys and of histories."""

from __future__ import annotations

from kcb_core.codec import Json
from kcb_core.task import Tag
from kcb_tasks.scenarios.batches import delete, get, put
from kcb_tasks.scenarios.envelope import NO_STRINGS
from kcb_tasks.scenarios.keys import WRONG_NAMES
from kcb_tasks.scenarios.play import Play, Script
from kcb_tasks.scenarios.revisions import WRONG_REVISIONS

WRONG_LIMITS: tuple[Json, ...] = (0, -1, 101, True, False, None, 1.0, 2.5, "1", [], {})
"""Values that are no limit."""


def _every_change_is_an_entry(play: Play) -> None:
    first = play.put("a", 1)
    play.put("b", {"x": [1]})
    play.delete("a")
    play.put("a", None)
    play.put("a", None)
    play.history("a")
    play.history("b")
    gone = play.delete("b")
    play.history("b")
    play.put("b", 1, if_revision=gone)
    play.delete("a", if_revision=first)
    play.history("b")
    play.batch(put("b", 2), get("b"), delete("b"), put("b", 3))
    play.history("b")
    play.history("zz")
    play.get("zz")
    play.history("zz")
    play.delete("zz")
    play.history("zz")
    play.evaluate({})


def _pages_of_a_history(play: Play) -> None:
    for number in range(5):
        play.put("a", number)
        play.put("b", number)
    play.delete("a")
    for limit in (1, 2, 5, 6, 7, 100):
        play.history("a", limit=limit)
    for after in (0, 1, 2, 8, 9, 10, 11, 99, 2**53 - 1):
        play.history("a", after=after)
    for after, limit in ((0, 1), (1, 1), (2, 2), (7, 2), (7, 3), (8, 2), (9, 1), (9, 2), (11, 1)):
        play.history("a", after=after, limit=limit)
    play.put("a", 9)
    play.history("a", after=9, limit=2)
    play.history("a", after=11, limit=1)
    play.history("b", limit=4, after=2)
    play.history("a", prefix=5, token=None, if_revision="x")


def _undone_changes_are_no_entries(play: Play) -> None:
    first = play.put("a", 1)
    play.begin()
    play.put("a", 2)
    play.put("z", 1)
    play.history("a")
    play.begin()
    play.delete("a")
    play.history("a")
    play.rollback()
    play.history("a")
    play.rollback()
    play.history("a")
    play.history("z")
    play.batch(put("a", 3), put("z", 1), get("zz"))
    play.history("a")
    play.history("z")
    play.begin()
    play.put("a", 4)
    play.begin()
    play.put("a", 5)
    play.commit()
    play.commit()
    play.history("a")
    play.put("a", 6, if_revision=first)
    play.history("a", after=first, limit=1)


def _histories_outlive_a_kill(play: Play) -> None:
    play.put("a", 1)
    play.put("b", 1)
    play.put("a", {"é": [None]})
    play.delete("b")
    play.put("a", None)
    play.kill()
    play.history("a")
    play.history("b")
    play.put("b", 2)
    play.history("b", after=2, limit=1)
    play.begin()
    play.put("a", 3)
    play.delete("b")
    play.history("a")
    play.kill()
    play.history("a")
    play.history("b")
    play.delete("a")
    play.kill()
    play.history("a", limit=2)
    play.history("a", after=3)


def _wrong_parameters_of_a_history(play: Play) -> None:
    play.put("a", 1)
    for limit in WRONG_LIMITS:
        play.history("a", limit=limit)
        play.history("zz", limit=limit)
    for after in WRONG_REVISIONS:
        play.history("a", after=after)
        play.history("zz", after=after, limit=1)
    play.send('{"id":4,"op":"history","key":"a","limit":1e0}')
    play.send('{"id":5,"op":"history","key":"a","after":0e0}')
    for key in WRONG_NAMES:
        play.history(key)
    play.ask("history")
    play.history("zz", after=0, limit=1)
    play.history("a", after=1, limit=1)
    play.batch({"op": "history", "key": "a"})


def _stored_evaluation_leaves_the_history_alone(play: Play) -> None:
    for fields in (play.material.plain, play.material.valid[-1], play.material.broken):
        play.put("s", fields)
        play.evaluate_stored("s")
    play.history("s")
    play.put("s", 1)
    play.history("s", limit=2)


def _a_long_history(play: Play) -> None:
    results = play.batch(*(put("long", number) for number in range(100)))["results"]
    first = results[0]["revision"]
    play.history("long", limit=100)
    play.put("long", 100)
    play.history("long", limit=100)
    play.history("long", after=first + 99, limit=100)
    play.history("long", after=first + 49, limit=3)
    play.history("long", after=first + 97)


def _pages_of_keys(play: Play) -> None:
    play.batch(*(put(key, 0) for key in ("a1", "a2", "a3", "b", "A")))
    for limit in (1, 2, 4, 5, 6, 100):
        play.list(limit=limit)
    for after in ("", "A", "a", "a1", "a1x", "a3", "b", "c", "\0", "a" * 200):
        play.list(after=after)
        play.list(after=after, limit=2)
    for prefix, after, limit in (
        *(("a", "", 3), ("a", "", 2), ("a", "a1", 1), ("a", "a1", 2), ("a", "a1", 3)),
        *(("a", "A", 1), ("a", "b", 1), ("b", "a3", 1), ("", "a2", 2), ("c", "", 1)),
    ):
        play.list(prefix=prefix, after=after, limit=limit)
    play.list(prefix="a", limit=3)
    play.list(prefix="a", limit=2)
    play.list(prefix="a", after="a1")
    play.batch({"op": "list", "limit": 2}, {"op": "list", "after": "a2", "limit": 1})
    play.batch({"op": "list", "limit": 0})
    play.batch({"op": "list", "after": None})


def _pages_of_keys_by_code_point(play: Play) -> None:
    for key in ("😀", "\uffff", "é", "e\u0301", "z", "Z", "\0", " "):
        play.put(key, 0)
    last = ""
    for key in ("\0", " ", "Z", "e\u0301", "z", "é", "\uffff", "😀"):
        play.list(after=last, limit=1)
        last = key
    play.list(after="\uffff")
    play.list(after="😀")
    play.list(after="\ue000", limit=1)
    play.list(after="e", limit=2)


def _pages_while_keys_change(play: Play) -> None:
    play.batch(*(put(f"k{n}", n) for n in range(6)))
    play.list(prefix="k", limit=2)
    play.delete("k1")
    play.delete("k3")
    play.put("k0", 9)
    play.put("k10", 9)
    play.list(prefix="k", after="k1", limit=2)
    play.begin()
    play.batch(delete("k5"), put("k7", 1))
    play.list(prefix="k", after="k4", limit=1)
    play.rollback()
    play.list(prefix="k", after="k4", limit=1)
    play.kill()
    play.list(prefix="k", after="k1", limit=3)
    play.list(after="k10", limit=3)


def _wrong_parameters_of_a_list(play: Play) -> None:
    play.put("a", 1)
    for limit in WRONG_LIMITS:
        play.list(limit=limit)
    for after in NO_STRINGS:
        play.list(after=after)
        play.list(after=after, limit=1, prefix="a")
    play.list(prefix=None, limit=1)
    play.list(limit=1)


def _many_keys(play: Play) -> None:
    play.batch(*(put(f"m{number}", 0) for number in range(100)))
    play.list(prefix="m", limit=100)
    play.put("mx", 0)
    play.list(prefix="m", limit=100)
    play.list(limit=3, after="m98")
    play.list(limit=4, after="m98")


PAGES = (
    Script(
        "entries-of-a-history",
        (Tag.PAGING,),
        (_every_change_is_an_entry, _stored_evaluation_leaves_the_history_alone),
    ),
    Script("pages-of-a-history", (Tag.PAGING,), (_pages_of_a_history, _a_long_history)),
    Script(
        "undone-changes-are-no-entries",
        (Tag.PAGING, Tag.ROLLBACK),
        (_undone_changes_are_no_entries,),
    ),
    Script("histories-after-kills", (Tag.PAGING, Tag.DURABILITY), (_histories_outlive_a_kill,)),
    Script(
        "wrong-pages",
        (Tag.PAGING, Tag.PRECEDENCE),
        (_wrong_parameters_of_a_history, _wrong_parameters_of_a_list),
    ),
    Script("pages-of-keys", (Tag.PAGING,), (_pages_of_keys, _many_keys)),
    Script(
        "pages-by-code-point",
        (Tag.PAGING, Tag.UNICODE),
        (_pages_of_keys_by_code_point, _pages_while_keys_change),
    ),
)
"""Scripts of the max tier."""
