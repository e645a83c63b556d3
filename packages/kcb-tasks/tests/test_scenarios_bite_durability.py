"""Wrong programs of the max shell that lose, keep or mistake state over kills."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from wrong_programs import Wrong, in_tiers

from kcb_core.codec import Json
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.tiers import durable
from kcb_tasks.tiers.durable import MAX
from kcb_tasks.tiers.protocol import Oracle
from kcb_tasks.tiers.state import Document, State, thaw

Keep = Callable[[State, State, State, str], State]
"""What is on disk after a request: from what was, the states before and after it, and its op."""

Load = Callable[[State], State]
"""What a new start makes of the disk."""


class OnDisk(Oracle):
    """An oracle with a disk of its own, that a kill leaves and a start reads."""

    def __init__(self, keep: Keep, load: Load) -> None:
        super().__init__(durable.operations(AMOUNTS), durable=True)
        self._keep = keep
        self._load = load
        self._disk = State()

    def answer(self, line: str) -> Json:
        before = self._state
        answered = super().answer(line)
        op = json.loads(line)["op"] if answered["ok"] else "error"
        self._disk = self._keep(self._disk, before, self._state, op)
        return answered

    def kill(self) -> None:
        self._state = self._disk = self._load(self._disk)


def all_of_it(disk: State, before: State, after: State, op: str) -> State:
    """What is right: the state without what open transactions changed."""
    return after.settled


def as_it_is(disk: State) -> State:
    """What is right: nothing is lost by reading."""
    return disk


def closed(state: State) -> State:
    """The state with all its changes, as if nothing were open."""
    return replace(state, saved=None)


def but_for(*ops: str) -> Keep:
    """Some operations do not reach the disk by themselves."""
    return lambda disk, before, after, op: disk if op in ops else after.settled


def documents(change: Callable[[dict[str, Document]], dict[str, Document]]) -> Load:
    """A start that reads other documents."""
    return lambda disk: replace(disk, documents=change({**disk.documents}))


def renamed(change: Callable[[str], str]) -> Load:
    """A start that reads other keys."""
    return documents(lambda found: {change(key): value for key, value in found.items()})


def without_keys(lost: Callable[[str], bool]) -> Load:
    """A start that loses some keys."""
    return documents(lambda found: {k: v for k, v in found.items() if not lost(k)})


def without_values(lost: Callable[[Json], bool]) -> Load:
    """A start that loses some values."""
    return documents(lambda found: {k: v for k, v in found.items() if not lost(thaw(v.text))})


def entries(change: Callable[[str, tuple[str, ...]], tuple[str, ...]]) -> Load:
    """A start that reads other histories; those that become empty are gone."""

    def load(disk: State) -> State:
        changed = {key: change(key, found) for key, found in disk.histories.items()}
        return replace(disk, histories={key: found for key, found in changed.items() if found})

    return load


def _log_without_deletions(disk: State, before: State, after: State, op: str) -> State:
    settled = after.settled
    return replace(settled, documents={**disk.documents, **settled.documents})


def _written_at_once(disk: State, before: State, after: State, op: str) -> State:
    return closed(after)


def _never_taken_back(disk: State, before: State, after: State, op: str) -> State:
    return disk if op == "rollback" else closed(after)


def _inner_commits_count(disk: State, before: State, after: State, op: str) -> State:
    if op == "commit":
        return closed(after)
    return disk if after.saved is not None else after


def _counter_of_transactions(disk: State, before: State, after: State, op: str) -> State:
    return replace(after.settled, counter=after.counter)


def _tokens_of_transactions(disk: State, before: State, after: State, op: str) -> State:
    return replace(after.settled, tokens=after.tokens)


def _histories_of_transactions(disk: State, before: State, after: State, op: str) -> State:
    return replace(after.settled, histories=after.histories)


def _open_transactions(disk: State, before: State, after: State, op: str) -> State:
    return after


def _one_request_late(disk: State, before: State, after: State, op: str) -> State:
    return before.settled


def _nothing_in_transactions(disk: State, before: State, after: State, op: str) -> State:
    """A begin also forgets what was written before it."""
    return State() if after.saved is not None else after


KEPT: dict[str, Keep] = {
    "puts_are_written_late": but_for("put"),
    "deletions_are_written_late": but_for("delete"),
    "batches_are_written_late": but_for("batch"),
    "outer_commits_are_written_late": but_for("commit"),
    "rollbacks_are_written_late": _never_taken_back,
    "deletions_are_not_in_the_log": _log_without_deletions,
    "changes_in_transactions_are_written_at_once": _written_at_once,
    "inner_commits_are_for_good": _inner_commits_count,
    "the_counter_of_open_transactions_is_kept": _counter_of_transactions,
    "tokens_of_open_transactions_are_kept": _tokens_of_transactions,
    "histories_of_open_transactions_are_kept": _histories_of_transactions,
    "transactions_stay_open": _open_transactions,
    "the_latest_request_is_lost": _one_request_late,
    "begin_forgets_what_was_before": _nothing_in_transactions,
}

LOADED: dict[str, Load] = {
    "nothing_is_kept": lambda disk: State(),
    "the_counter_starts_again": lambda disk: replace(disk, counter=0),
    "the_counter_is_the_number_of_keys": lambda disk: replace(disk, counter=len(disk.documents)),
    "the_counter_is_the_highest_stored": lambda disk: replace(
        disk, counter=max((found.revision for found in disk.documents.values()), default=0)
    ),
    "revisions_are_numbered_anew": documents(
        lambda found: {k: replace(v, revision=n) for n, (k, v) in enumerate(found.items(), 1)}
    ),
    "revisions_become_the_counter": lambda disk: replace(
        disk,
        documents={k: replace(v, revision=disk.counter) for k, v in disk.documents.items()},
    ),
    "null_values_are_lost": without_values(lambda value: value is None),
    "falsy_values_are_lost": without_values(lambda value: not value),
    "objects_are_lost": without_values(lambda value: isinstance(value, dict)),
    "floats_become_integers": documents(
        lambda found: {
            k: replace(v, text=str(int(thaw(v.text)))) if isinstance(thaw(v.text), float) else v
            for k, v in found.items()
        }
    ),
    "booleans_become_integers": documents(
        lambda found: {
            k: replace(v, text=str(int(thaw(v.text)))) if isinstance(thaw(v.text), bool) else v
            for k, v in found.items()
        }
    ),
    "keys_with_slashes_are_lost": without_keys(lambda key: "/" in key),
    "keys_with_line_feeds_are_lost": without_keys(lambda key: "\n" in key),
    "keys_with_a_nul_are_lost": without_keys(lambda key: "\0" in key),
    "keys_that_are_dots_are_lost": without_keys(lambda key: key in (".", "..")),
    "long_keys_are_lost": without_keys(lambda key: len(key.encode()) > 250),
    "astral_keys_are_lost": without_keys(lambda key: key > "\uffff"),
    "keys_lose_their_case": renamed(str.lower),
    "keys_are_trimmed": renamed(lambda key: key.strip() or key),
    "keys_are_normalised": renamed(partial(unicodedata.normalize, "NFC")),
    "tokens_are_lost": lambda disk: replace(disk, tokens={}),
    "tokens_of_batches_are_lost": lambda disk: replace(
        disk,
        tokens={k: v for k, v in disk.tokens.items() if json.loads(v.request)["op"] != "batch"},
    ),
    "tokens_of_deletions_are_lost": lambda disk: replace(
        disk,
        tokens={k: v for k, v in disk.tokens.items() if json.loads(v.request)["op"] != "delete"},
    ),
    "results_of_tokens_are_lost": lambda disk: replace(
        disk, tokens={k: replace(v, result='{"revision":0}') for k, v in disk.tokens.items()}
    ),
    "histories_are_lost": lambda disk: replace(disk, histories={}),
    "only_the_last_entry_is_kept": entries(lambda key, found: found[-1:]),
    "entries_of_deletions_are_lost": entries(
        lambda key, found: tuple(entry for entry in found if "deleted" not in thaw(entry))
    ),
    "histories_of_deleted_keys_are_lost": lambda disk: replace(
        disk, histories={k: v for k, v in disk.histories.items() if k in disk.documents}
    ),
    "entries_of_null_are_lost": entries(
        lambda key, found: tuple(
            entry for entry in found if thaw(entry).get("value", 0) is not None
        )
    ),
}


class ReadOnlyOnce(Oracle):
    """An oracle that writes only in its first life."""

    def __init__(self) -> None:
        super().__init__(durable.operations(AMOUNTS), durable=True)
        self._first: State | None = None

    def kill(self) -> None:
        super().kill()
        self._first = self._state = self._first or self._state


class EmptiedByReading(Oracle):
    """An oracle whose state file is emptied by a start and written by the first change."""

    def __init__(self) -> None:
        super().__init__(durable.operations(AMOUNTS), durable=True)
        self._read = State()

    def kill(self) -> None:
        super().kill()
        if self._state == self._read:
            self._state = State()
        self._read = self._state


PROGRAMS = [
    *in_tiers([MAX], KEPT, lambda tier, keep: OnDisk(keep, as_it_is)),
    *in_tiers([MAX], LOADED, lambda tier, load: OnDisk(all_of_it, load)),
    Wrong("only_the_first_life_is_kept", MAX, ReadOnlyOnce),
    Wrong("a_life_without_changes_empties_the_file", MAX, EmptiedByReading),
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
    assert first_failure(MAX, lambda: OnDisk(all_of_it, as_it_is)) is None
