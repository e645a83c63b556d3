"""Where an experiment stands: read beside a live writer, and by no clock that can be set."""

import time
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kcb_experiments.amount import Amount
from kcb_experiments.attempts import Attempts, fold
from kcb_experiments.frozen import Experiment
from kcb_experiments.lock import boot_id, this_process
from kcb_experiments.progress import progress_of
from kcb_experiments.records import (
    AttemptEnd,
    AttemptStart,
    Cause,
    Holder,
    Load,
    Moved,
    Opened,
    Phase,
    Record,
    Request,
    Status,
)
from kcb_experiments.selection import CellState

Folded = Callable[..., Attempts]
HERE = this_process()
NOW = time.monotonic()


def live(*records: Record) -> Attempts:
    """What the log of a run of this process comes to."""
    opened = Opened(term=1, experiment_sha256="e", holder=HERE, load=Load(arms=2, groups=2))
    return fold([opened, *(msgspec.structs.replace(record, term=1) for record in records)])


def started(cell: str, clock_s: float = NOW) -> AttemptStart:
    """The start of an attempt with a reservation."""
    reserved = Amount(dollars=0.25, tokens=100, seconds=60)
    return AttemptStart(cell=cell, attempt=1, reserved=reserved, clock_s=clock_s)


def ended(cell: str, clock_s: float = NOW) -> AttemptEnd:
    """The end of one that cost less than it had reserved."""
    spent = Amount(dollars=0.1)
    return AttemptEnd(
        cell=cell, attempt=1, status=Status.COMPLETED, score=1.0, spent=spent, clock_s=clock_s
    )


@pytest.fixture
def cells(experiment: Experiment) -> list[str]:
    """Ids of the experiment's cells."""
    return [cell.id for cell in experiment.cells()]


def test_a_live_run(experiment: Experiment, cells: list[str]) -> None:
    """States, rate, cost against the cap, and the longest silent first."""
    now = time.monotonic()
    attempts = live(
        started(cells[0], now - 3600),
        ended(cells[0], now),
        started(cells[1], now - 500),
        Request(cell=cells[1], attempt=1, number=1, clock_s=now - 5),
        started(cells[2], now - 100),
        Moved(cell=cells[2], attempt=1, phase=Phase.JUDGING, clock_s=now - 90),
    )
    found = progress_of(experiment, attempts, HERE)
    assert found.states == {"pending": 9, "running": 2, "completed": 1}
    assert found.cells == 12
    assert found.per_hour == pytest.approx(1.0, rel=0.01)
    assert found.charged.dollars == pytest.approx(0.6)
    assert found.in_flight.dollars == 0.5
    assert found.caps == {"dollars": 1.0}
    first, second = found.running
    assert (first.cell, first.phase, second.cell, second.requests) == (
        *(cells[2], "judging"),
        *(cells[1], 1),
    )
    assert first.silent_s == pytest.approx(90, abs=20)
    assert second.age_s == pytest.approx(500, abs=20)


def test_nobody_writes(experiment: Experiment, cells: list[str]) -> None:
    """What was running when its writer died was interrupted, however long ago."""
    attempts = live(started(cells[0], NOW - 10), ended(cells[0]), started(cells[1]))
    found = progress_of(experiment, attempts, None)
    assert found.states == {"pending": 10, "interrupted": 1, "completed": 1}
    assert found.running == ()
    assert found.in_flight == Amount()
    assert found.charged.dollars == pytest.approx(0.35)
    assert found.per_hour == pytest.approx(360)


def test_what_a_fault_ended_at_once_is_no_speed(experiment: Experiment, cells: list[str]) -> None:
    """An endpoint that refuses lets attempts end by the hundred thousand in an hour."""
    refused = AttemptEnd(
        cell=cells[0],
        attempt=1,
        status=Status.VOID,
        cause=Cause.INFRASTRUCTURE,
        clock_s=NOW - 9.99,
    )
    first = (started(cells[0], NOW - 10), refused)
    assert progress_of(experiment, live(*first), None).per_hour is None
    found = progress_of(experiment, live(*first, started(cells[1]), ended(cells[1])), None)
    assert found.per_hour == pytest.approx(360)


def test_a_writer_that_has_not_begun_is_not_the_one_before(
    experiment: Experiment, cells: list[str]
) -> None:
    """Process ids come again: the start of the process and of the machine tell two apart."""
    attempts = live(started(cells[0]))
    for other in (
        msgspec.structs.replace(HERE, started="1"),
        msgspec.structs.replace(HERE, boot_id="other"),
        msgspec.structs.replace(HERE, host="other"),
        Holder(host=HERE.host, pid=HERE.pid + 1),
    ):
        found = progress_of(experiment, attempts, other)
        assert found.states == {"pending": 11, "interrupted": 1}


@pytest.mark.skipif(not boot_id(), reason="this system does not tell its starts apart")
def test_ages_on_another_machine_are_unknown(experiment: Experiment, cells: list[str]) -> None:
    """A monotonic clock says nothing on any machine but its own."""
    away = msgspec.structs.replace(HERE, boot_id="other")
    opened = Opened(term=1, experiment_sha256="e", holder=away, load=Load(arms=2, groups=2))
    attempts = fold([opened, msgspec.structs.replace(started(cells[0]), term=1)])
    found = progress_of(experiment, attempts, away)
    assert [(one.age_s, one.silent_s) for one in found.running] == [(None, None)]


@given(clocks=st.lists(st.floats(-1e12, 1e12), min_size=9, max_size=9), at=st.lists(
    st.sampled_from(["1970-01-01T00:00:00+00:00", "2999-01-01T00:00:00+00:00", "yesterday"]),
    min_size=3, max_size=3))  # fmt: skip
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_clocks_that_jump_change_no_state(
    experiment: Experiment, cells: list[str], clocks: list[float], at: list[str]
) -> None:
    """Nothing expires and the order stays: states, order and cost come from the records alone."""
    records: list[Record] = []
    for index, cell in enumerate(cells[:3]):
        records.append(msgspec.structs.replace(started(cell, clocks[3 * index]), at=at[index]))
        records.append(
            Moved(cell=cell, attempt=1, phase=Phase.WAITING, clock_s=clocks[3 * index + 1])
        )
        if index < 2:
            end = ended(cell, clocks[3 * index + 2])
            records.append(msgspec.structs.replace(end, at=at[index]))
    found = progress_of(experiment, live(*records), HERE)
    assert found.states == {"pending": 9, "running": 1, "completed": 2}
    assert found.charged.dollars == pytest.approx(0.45)
    assert [attempt.start.cell for attempt in live(*records)] == cells[:3]
    assert all((one.age_s or 0) >= 0 and (one.silent_s or 0) >= 0 for one in found.running)
    assert found.per_hour is None or found.per_hour > 0


def test_every_state_is_counted_under_its_own_name() -> None:
    """A status that was read by a program must not lose a word on the way."""
    assert [state.value for state in CellState] == [
        *("pending", "running", "interrupted", "completed", "subject_failed", "void"),
        "budget_exhausted",
    ]
