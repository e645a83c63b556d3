"""Scripts on what outlives a kill, and what does not."""

from __future__ import annotations

from kcb_core.task import Tag
from kcb_tasks.scenarios.batches import delete, get, put
from kcb_tasks.scenarios.documents import VALUES
from kcb_tasks.scenarios.keys import ODD_KEYS
from kcb_tasks.scenarios.play import Play, Script
from kcb_tasks.scenarios.transactions import MOST_OPEN


def _writes_outlive_a_kill(play: Play) -> None:
    play.put("a", 1)
    play.kill()
    play.get("a")
    play.put("b", None)
    second = play.put("a", {"x": [2, 2.5]})
    play.kill()
    play.get("a", "b")
    play.list()
    play.put("a", 3, if_revision=second)
    play.kill()
    play.get("a")
    play.put("c", 1)


def _deletions_outlive_a_kill(play: Play) -> None:
    play.put("x", 1)
    kept = play.put("y", 1)
    play.delete("x")
    play.kill()
    play.list()
    play.get("x")
    play.delete("y", if_revision=kept)
    play.kill()
    play.list()
    play.put("y", 1, if_revision=0)
    play.delete("y")
    play.kill()
    play.delete("y")
    play.put("x", 2)
    play.get("x")


def _nothing_but_reading_between_kills(play: Play) -> None:
    play.list()
    play.kill()
    play.evaluate(play.material.plain)
    play.kill()
    play.get("a")
    play.put("a", 1)
    play.kill()
    play.get("a")
    play.kill()
    play.list()
    play.kill()
    play.get("a")
    play.put("b", 1)


def _failures_leave_nothing_behind(play: Play) -> None:
    play.put("a", 1)
    play.put("a", 2, if_revision=0)
    play.delete("zz")
    play.ask("put", key="b")
    play.batch(put("a", 3), put("b", 1), get("zz"))
    play.send('{"op":"put","key":"b","value":1')
    play.kill()
    play.get("a", "b")
    play.list()
    play.put("b", 1)


def _batches_outlive_a_kill_as_a_whole(play: Play) -> None:
    first = play.put("z", 1)
    play.batch(put("a", 1), put("b", 2), delete("z"), put("a", 3, if_revision=first + 1))
    play.kill()
    play.list()
    play.get("a", "b", "z")
    play.batch(put("c", 1), delete("zz"))
    play.kill()
    play.batch()
    last = play.batch(*(put(f"k{n}", [n]) for n in range(100)))["results"][-1]["revision"]
    play.kill()
    play.list()
    play.get("k99")
    play.put("k99", 4, if_revision=last)


def _open_transactions_are_lost(play: Play) -> None:
    play.put("a", 1)
    play.put("d", 1)
    play.begin()
    play.put("a", 2)
    play.delete("d")
    play.begin()
    play.put("b", 1)
    play.commit()
    play.get("a", "b")
    play.kill()
    play.list()
    play.get("a", "d")
    play.commit()
    play.rollback()
    play.put("b", 2)
    play.begin()
    play.put("b", 3)
    play.kill()
    play.rollback()
    play.get("b")
    play.put("c", 1)


def _outer_commits_outlive_a_kill(play: Play) -> None:
    play.put("d", 1)
    play.begin()
    play.put("a", 1)
    play.begin()
    play.put("a", 2)
    play.delete("d")
    play.commit()
    play.commit()
    play.kill()
    play.list()
    play.get("a")
    play.rollback()
    play.begin()
    play.put("a", 3)
    play.commit()
    play.begin()
    play.put("a", 4)
    play.kill()
    play.get("a")
    play.put("b", 1)


def _rollbacks_are_not_undone_by_a_kill(play: Play) -> None:
    play.put("a", 1)
    play.begin()
    play.put("a", 2)
    play.put("b", 1)
    play.rollback()
    play.kill()
    play.get("a", "b")
    play.begin()
    kept = play.put("a", 3)
    play.begin()
    play.put("a", 4)
    play.rollback()
    play.put("c", 1)
    play.commit()
    play.kill()
    play.get("a", "c")
    play.list()
    play.begin()
    play.put("a", 5)
    play.rollback()
    play.put("e", 1)
    play.kill()
    play.list()
    play.put("a", 6, if_revision=kept)


def _none_is_open_after_a_kill(play: Play) -> None:
    for _ in range(MOST_OPEN):
        play.begin()
    play.put("a", 1)
    play.kill()
    play.commit()
    for _ in range(MOST_OPEN + 1):
        play.begin()
    play.put("a", 2)
    for _ in range(MOST_OPEN):
        play.commit()
    play.kill()
    play.rollback()
    play.get("a")


def _keys_and_values_outlive_a_kill(play: Play) -> None:
    for number, key in enumerate(ODD_KEYS):
        play.put(key, VALUES[number % len(VALUES)])
    play.delete("a ")
    play.kill()
    play.list()
    for key in ODD_KEYS:
        play.get(key)
    play.delete("é")
    play.put("/", "/")
    play.kill()
    play.list()
    play.get("e\u0301", "é", "/", "a ")


def _many_writes_and_many_kills(play: Play) -> None:
    for number in range(24):
        play.put(f"k{number % 7}", [number])
        if number % 5 == 4:
            play.delete(f"k{number % 7}")
        if number % 4 == 3:
            play.kill()
    play.list()
    for number in range(7):
        play.get(f"k{number}")
    play.put("k0", 0)


DURABILITY = (
    Script(
        "writes-after-kills", (Tag.DURABILITY,), (_writes_outlive_a_kill, _deletions_outlive_a_kill)
    ),
    Script(
        "nothing-written-between-kills",
        (Tag.DURABILITY, Tag.RECOVERY),
        (_nothing_but_reading_between_kills, _failures_leave_nothing_behind),
    ),
    Script(
        "batches-after-kills",
        (Tag.DURABILITY, Tag.ATOMICITY),
        (_batches_outlive_a_kill_as_a_whole,),
    ),
    Script(
        "open-transactions-lost",
        (Tag.DURABILITY, Tag.ROLLBACK),
        (_open_transactions_are_lost, _none_is_open_after_a_kill),
    ),
    Script(
        "outer-commits-after-kills",
        (Tag.DURABILITY, Tag.ROLLBACK),
        (_outer_commits_outlive_a_kill,),
    ),
    Script(
        "rollbacks-after-kills",
        (Tag.DURABILITY, Tag.ROLLBACK),
        (_rollbacks_are_not_undone_by_a_kill,),
    ),
    Script(
        "keys-and-values-after-kills",
        (Tag.DURABILITY, Tag.UNICODE),
        (_keys_and_values_outlive_a_kill,),
    ),
    Script("many-kills", (Tag.DURABILITY,), (_many_writes_and_many_kills,)),
)
"""Scripts of the max tier."""
