"""Scripts on transactions."""

from __future__ import annotations

from kcb_core.task import Tag
from kcb_tasks.scenarios.batches import delete, get, put
from kcb_tasks.scenarios.play import Play, Script

MOST_OPEN = 8
"""Transactions that may be open at once."""


def _rollback_restores_everything(play: Play) -> None:
    first = play.put("a", 1)
    second = play.put("d", {"x": 1})
    play.begin()
    play.put("a", 2)
    play.delete("a")
    play.put("b", 1)
    play.delete("d")
    play.put("d", None)
    play.list()
    play.get("a", "b", "d")
    play.rollback()
    play.list()
    play.get("a", "b", "d")
    play.put("c", 1)
    play.put("a", 3, if_revision=first)
    play.put("d", 3, if_revision=second)
    play.rollback()


def _commit_keeps_everything(play: Play) -> None:
    play.put("a", 1)
    play.begin()
    second = play.put("a", 2)
    play.put("b", 1)
    play.delete("b")
    play.commit()
    play.get("a", "b")
    play.list()
    play.put("a", 3, if_revision=second)
    play.commit()
    play.begin()
    play.commit()
    play.begin()
    play.rollback()
    play.rollback()
    play.get("a")
    play.put("b", 1)


def _inner_commit_and_outer_rollback(play: Play) -> None:
    play.begin()
    play.put("a", 1)
    play.begin()
    play.put("b", 1)
    play.delete("a")
    play.commit()
    play.list()
    play.put("c", 1)
    play.rollback()
    play.list()
    play.commit()
    kept = play.put("b", 2)
    play.begin()
    play.begin()
    play.put("b", 3)
    play.commit()
    play.begin()
    play.delete("b")
    play.commit()
    play.get("b")
    play.rollback()
    play.get("b")
    play.put("b", 4, if_revision=kept)


def _inner_rollback_and_outer_commit(play: Play) -> None:
    play.begin()
    play.put("p", 1)
    play.begin()
    play.put("p", 2)
    play.put("q", 1)
    play.rollback()
    play.get("p", "q")
    play.put("r", 1)
    play.begin()
    play.delete("p")
    play.rollback()
    play.commit()
    play.list()
    play.get("p", "r")
    play.put("q", 1, if_revision=0)


def _eight_may_be_open(play: Play) -> None:
    for depth in range(MOST_OPEN):
        play.begin()
        play.put("a", depth)
    play.begin()
    play.begin()
    play.get("a")
    play.rollback()
    play.get("a")
    play.begin()
    play.begin()
    for _ in range(3):
        play.commit()
    play.get("a")
    for _ in range(MOST_OPEN):
        play.rollback()
        play.get("a")
    play.put("b", 1)


def _eight_commits(play: Play) -> None:
    for depth in range(MOST_OPEN):
        play.put("a", depth)
        play.begin()
    play.delete("a")
    play.begin()
    for _ in range(MOST_OPEN + 1):
        play.commit()
    play.list()
    play.put("a", 1)
    for _ in range(MOST_OPEN + 1):
        play.begin()


def _without_a_transaction(play: Play) -> None:
    play.commit()
    play.rollback()
    play.put("a", 1)
    play.rollback()
    play.commit()
    play.get("a")
    play.ask("begin", key=5, ops=None, depth=3, id_="x")
    play.ask("commit", key=None, token=5, if_revision="x")
    play.ask("rollback", depth=0)
    play.ask("Begin")
    play.ask("begin ", key="a")
    play.ask("abort")
    play.commit()
    play.put("b", 1)


def _errors_leave_a_transaction_open(play: Play) -> None:
    play.begin()
    play.put("a", 1)
    play.get("zz")
    play.put("a", 2, if_revision=99)
    play.batch(put("a", 2), get("zz"))
    play.send("{")
    play.evaluate({})
    play.ask("put", key="a")
    play.ask("none")
    play.get("a")
    play.batch(put("a", 3), put("b", 1))
    play.batch(delete("b"), delete("b"))
    play.begin()
    play.batch(delete("a"), put("c", 1))
    play.rollback()
    play.list()
    play.get("a")
    play.commit()
    play.get("a", "b")
    play.put("c", 1)


def _conditions_look_at_the_changed_state(play: Play) -> None:
    first = play.put("a", 1)
    play.begin()
    second = play.put("a", 2, if_revision=first)
    play.put("a", 3, if_revision=first)
    play.batch(put("a", 4, if_revision=second), put("a", 5, if_revision=second + 1))
    play.delete("a", if_revision=second + 2)
    last = play.put("a", 6, if_revision=0)
    play.rollback()
    play.put("a", 7, if_revision=last)
    play.put("a", 7, if_revision=second)
    again = play.put("a", 7, if_revision=first)
    play.get("a")
    batch = (put("b", 1, if_revision=0), put("a", 8, if_revision=again))
    play.begin()
    play.batch(*batch)
    play.rollback()
    play.batch(*batch)
    play.batch(*batch)
    play.get("a", "b")


def _evaluation_in_a_transaction(play: Play) -> None:
    first, last = play.material.plain, play.material.valid[-1]
    play.put("g", first)
    play.begin()
    play.evaluate_stored("g")
    play.put("g", last)
    play.evaluate_stored("g")
    play.begin()
    play.put("g", {})
    play.evaluate_stored("g")
    play.rollback()
    play.evaluate_stored("g")
    play.get("g")
    play.rollback()
    play.evaluate_stored("g")
    play.get("g")
    play.evaluate(last)


def _input_ends_with_open_transactions(play: Play) -> None:
    play.put("a", 1)
    play.begin()
    play.put("a", 2)
    play.begin()
    play.put("b", 1)
    play.list()


TRANSACTIONS = (
    Script(
        "rollback-and-commit",
        (Tag.ROLLBACK,),
        (_rollback_restores_everything, _commit_keeps_everything),
    ),
    Script(
        "nested-transactions",
        (Tag.ROLLBACK,),
        (_inner_commit_and_outer_rollback, _inner_rollback_and_outer_commit),
    ),
    Script("most-open-transactions", (Tag.ROLLBACK,), (_eight_may_be_open, _eight_commits)),
    Script(
        "errors-around-transactions",
        (Tag.ROLLBACK, Tag.RECOVERY),
        (_without_a_transaction, _errors_leave_a_transaction_open),
    ),
    Script(
        "conditions-in-transactions",
        (Tag.ROLLBACK, Tag.ATOMICITY),
        (
            _conditions_look_at_the_changed_state,
            _evaluation_in_a_transaction,
            _input_ends_with_open_transactions,
        ),
    ),
)
"""Scripts of the hard tier and up."""
