"""Wrong programs on conditions: the scenarios of the toy family tell each apart.

Each is tried in the hard and the max tier.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from wrong_programs import Change, Outcome, Request, Wrong, in_tiers, on_parameter, program

from kcb_core.codec import Json
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.tiers import durable, hard, intermediate
from kcb_tasks.tiers.protocol import Failure, Operation, Parameter, Run, is_revision
from kcb_tasks.tiers.state import State, thaw


def on_condition(fits: Callable[[State, Request], bool], *, first: bool = False) -> Change:
    """A table whose changes look at their condition in another way.

    Args:
        fits: whether the condition of a request fits.
        first: whether it is looked at before the errors of the operation.
    """
    right = intermediate.operations(AMOUNTS)

    def changed(operation: Operation, bare: Run) -> Operation:
        def run(state: State, request: Request) -> Outcome:
            outcome = None if first else bare(state, request)
            if "if_revision" in request and not fits(state, request):
                raise Failure("conflict")
            return outcome or bare(state, request)

        return replace(operation, run=run)

    return lambda table: {
        **table,
        **{op: changed(table[op], right[op].run) for op in ("put", "delete")},
    }


def allowing(change: Change, allows: Callable[[Json], bool]) -> Change:
    """A change of conditions together with other values that a condition may have."""
    return lambda table: on_parameter("if_revision", allows)(change(table))


def _revision(state: State, request: Request) -> int:
    return state.revision_of(request["key"])


def _latest(state: State, request: Request) -> int:
    """The revision of the latest change of the key, deletions too."""
    entries = state.histories.get(request["key"], ())
    found: int = thaw(entries[-1])["revision"] if entries else 0
    return found


WRONG: Mapping[str, Change] = {
    "conditions_are_ignored": on_condition(lambda s, r: True),
    "a_null_condition_is_none": allowing(
        on_condition(lambda s, r: r["if_revision"] in (None, _revision(s, r))),
        lambda value: value is None or is_revision(value),
    ),
    "booleans_are_conditions": allowing(
        on_condition(lambda s, r: int(r["if_revision"]) == _revision(s, r)),
        lambda value: isinstance(value, int) and value >= 0,
    ),
    "floats_are_conditions": allowing(
        on_condition(lambda s, r: r["if_revision"] == _revision(s, r)),
        lambda value: (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and value == int(value) >= 0
        ),
    ),
    "strings_are_conditions": allowing(
        on_condition(lambda s, r: str(r["if_revision"]) == str(_revision(s, r))),
        lambda value: str(value).isdecimal(),
    ),
    "a_negative_condition_is_a_conflict": on_parameter("if_revision", lambda v: type(v) is int),
    "a_wrong_condition_is_a_conflict": on_parameter("if_revision", lambda v: True),
    "the_condition_is_on_the_counter": on_condition(lambda s, r: r["if_revision"] == s.counter),
    "a_higher_condition_fits": on_condition(lambda s, r: r["if_revision"] >= _revision(s, r)),
    "a_lower_condition_fits": on_condition(lambda s, r: r["if_revision"] <= _revision(s, r)),
    "zero_is_no_condition": on_condition(lambda s, r: r["if_revision"] in (0, _revision(s, r))),
    "a_missing_key_fits_any_condition": on_condition(
        lambda s, r: _revision(s, r) in (0, r["if_revision"])
    ),
    "a_missing_key_fits_no_condition": on_condition(
        lambda s, r: r["if_revision"] == _revision(s, r) > 0
    ),
    "a_deleted_key_keeps_its_revision": on_condition(
        lambda s, r: r["if_revision"] == _latest(s, r)
    ),
    "conflicts_come_before_not_found": on_condition(
        lambda s, r: r["if_revision"] == _revision(s, r), first=True
    ),
    "any_condition_of_a_missing_deletion_conflicts": on_condition(
        lambda s, r: (
            r["if_revision"] == _revision(s, r) and (r["op"] == "put" or _revision(s, r) > 0)
        ),
        first=True,
    ),
    "the_condition_is_on_the_state_before_the_transaction": on_condition(
        lambda s, r: r["if_revision"] == _revision(s.settled, r)
    ),
    "the_condition_is_on_the_state_before_the_latest_begin": on_condition(
        lambda s, r: r["if_revision"] == _revision(s.saved or s, r)
    ),
    "delete_has_no_condition": lambda table: {
        **table,
        "delete": intermediate.operations(AMOUNTS)["delete"],
    },
    "put_has_no_condition": lambda table: {**table, "put": intermediate.operations(AMOUNTS)["put"]},
    "get_has_a_condition": lambda table: {
        **table,
        "get": replace(
            table["get"],
            parameters=(*table["get"].parameters, Parameter("if_revision", is_revision)),
        ),
    },
}


PROGRAMS = in_tiers((hard.HARD, durable.MAX), WRONG, program)


@pytest.mark.parametrize("wrong", PROGRAMS, ids=str)
def test_a_wrong_program_is_told_apart(
    wrong: Wrong, first_failure: Callable[..., str | None]
) -> None:
    """A rule that no scenario checks is a rule that a solution may break."""
    caught = first_failure(wrong.tier, wrong.start)
    assert caught, f"no scenario tells {wrong} from the oracle"
