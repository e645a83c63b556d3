"""The attempt log: what a cut, a full disk or a careless hand may do to it, and what not."""

import errno
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kcb_core.errors import DataError, MachineError
from kcb_experiments.attempts import Attempts
from kcb_experiments.lock import LOCK_NAME
from kcb_experiments.log import LOG_NAME, Log, encode_record, parse_log, read_log
from kcb_experiments.records import (
    AttemptEnd,
    AttemptStart,
    Generated,
    Holder,
    Load,
    Moved,
    Opened,
    Phase,
    Record,
    Request,
    Status,
)

Opening = Callable[[], AbstractContextManager[Log]]

CELL = "kcb-easy-001-a/r0/small"
HALF = b'{"record":"end","term":1,"seq":2,"ce'


def start(cell: str = CELL, attempt: int = 1) -> AttemptStart:
    """The start of an attempt."""
    return AttemptStart(cell=cell, attempt=attempt)


def end(cell: str = CELL, attempt: int = 1, score: float = 1.0) -> AttemptEnd:
    """The end of an attempt that counts."""
    return AttemptEnd(cell=cell, attempt=attempt, status=Status.COMPLETED, score=score)


def ended(attempts: Attempts) -> list[tuple[str, int, float | None]]:
    """The finished attempts, in order."""
    return [(a.start.cell, a.start.attempt, a.score) for a in attempts if a.end]


@pytest.fixture
def log_file(tmp_path: Path, opening: Opening) -> Path:
    """A log of three good records: a term, and one whole attempt."""
    with opening() as log:
        log.append(start())
        log.append(end())
    return tmp_path / LOG_NAME


def test_what_was_appended_is_read_again(log_file: Path) -> None:
    """Records come back as they were written, with term and number."""
    reading = read_log(log_file.parent)
    assert [(r.term, r.seq) for r in reading.records] == [(1, 0), (1, 1), (1, 2)]
    assert ended(reading.attempts) == [(CELL, 1, 1.0)]


@pytest.mark.parametrize(
    "fragment",
    [
        pytest.param(HALF, id="a half object"),
        pytest.param('{"record":"end","reason":"é'.encode()[:-1], id="c inside a character"),
        pytest.param(HALF + b"\n\n", id="d a fragment and an empty line"),
        pytest.param(b"\0" * 40, id="zeros of a lost page"),
    ],
)
def test_a_torn_tail_is_set_aside_and_the_next_record_has_its_own_line(
    log_file: Path, opening: Opening, told: list[str], fragment: bytes
) -> None:
    """One cut write must not block the run that it was cut in, nor be forgotten."""
    good = log_file.read_bytes()
    log_file.write_bytes(good + fragment)
    with opening() as log:
        assert ended(log.attempts) == [(CELL, 1, 1.0)]
        log.append(start(attempt=2))
    assert log_file.read_bytes().startswith(good + b'{"record":"opened"')
    assert len(read_log(log_file.parent).records) == 5
    assert log_file.with_name("attempts.fragment-1").read_bytes() == fragment
    assert [line for line in told if "after record 3" in line and "fragment-1" in line]


def test_a_record_without_line_end_counts(log_file: Path, opening: Opening) -> None:
    """Only its line end was lost, so its attempt is over and is not run again."""
    log_file.write_bytes(log_file.read_bytes()[:-1])
    assert len(read_log(log_file.parent).records) == 3
    with opening() as log:
        assert ended(log.attempts) == [(CELL, 1, 1.0)]
    assert len(read_log(log_file.parent).records) == 4
    assert not list(log_file.parent.glob("attempts.fragment-*"))


BROKEN = ":2: the record is broken"

DAMAGE: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "e": (lambda lines: [lines[0], HALF, *lines[2:]], BROKEN),
    "empty line": (lambda lines: [lines[0], b"", *lines[1:]], BROKEN),
    "two fragments": (lambda lines: [*lines[:3], HALF, HALF], ":4: the record is broken"),
    "lost line": (lambda lines: [lines[0], *lines[2:]], ":2: record 2 of term 1 stands where"),
    "lost opening": (lambda lines: lines[1:], ":1: record 1 of term 1 stands where"),
    "changed last record": (
        lambda lines: [*lines[:2], lines[2].replace(b"1.0", b"0.0"), b""],
        ":3: the record differs from its checksum",
    ),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_stops_and_changes_nothing(log_file: Path, opening: Opening, kind: str) -> None:
    """What no interruption can do is for a person to look at; file and line are named."""
    spoil, named = DAMAGE[kind]
    spoilt = b"\n".join(spoil(log_file.read_bytes().split(b"\n")))
    log_file.write_bytes(spoilt)
    with pytest.raises(DataError, match="attempts.jsonl" + named) as caught, opening():
        pass
    assert caught.value.exit_status == 2
    assert log_file.read_bytes() == spoilt


def test_separators_inside_a_record_end_no_line(tmp_path: Path, opening: Opening) -> None:
    """U+2028 and its like end a line for many readers, and for none of ours."""
    reason = "a\u2028b\u2029c\u0085d\u000be\u001cf\rg"
    with opening() as log:
        log.append(start())
        log.append(
            AttemptEnd(cell=CELL, attempt=1, status=Status.COMPLETED, score=0.0, reason=reason)
        )
    raw = (tmp_path / LOG_NAME).read_bytes()
    assert raw.count(b"\n") == 3
    last = read_log(tmp_path).records[-1]
    assert isinstance(last, AttemptEnd)
    assert last.reason == reason


def test_a_contradiction_never_reaches_the_disk(tmp_path: Path, opening: Opening) -> None:
    """An end without a start would make the whole log unreadable at the next opening."""
    with opening() as log:
        with pytest.raises(DataError, match="has no start in term 1"):
            log.append(end())
        log.append(start())
    assert len(read_log(tmp_path).records) == 2


def test_a_record_that_may_not_be_on_disk_is_taken_back(
    log_file: Path, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a failed sync nobody knows what is on disk, so the record must not be relied on."""
    with opening() as log:
        before = log_file.read_bytes()

        def fsync(handle: int) -> None:
            raise OSError(errno.EIO, "Input/output error")

        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", fsync)
            with pytest.raises(MachineError, match="Input/output error") as caught:
                log.append(start(attempt=2))
        assert caught.value.exit_status == 3
        assert log_file.read_bytes() == before
        assert len(log.attempts.of(CELL)) == 1
        with pytest.raises(MachineError, match="takes no more records"):
            log.append(start(attempt=2))


def test_a_writer_whose_lock_was_replaced_writes_nothing(log_file: Path, opening: Opening) -> None:
    """Somebody removed the lock file, so another may be writing already."""
    with opening() as log:
        before = log_file.read_bytes()
        log_file.with_name(LOCK_NAME).unlink()
        with pytest.raises(MachineError, match="removed or replaced"):
            log.append(start(attempt=2))
        assert log_file.read_bytes() == before


def test_a_closed_log_takes_nothing(opening: Opening) -> None:
    """A thread that outlives its run must not write into a folder that another may hold."""
    with opening() as log:
        pass
    with pytest.raises(MachineError, match="takes no more records"):
        log.append(start())


def test_a_newer_format_is_refused(log_file: Path) -> None:
    """An old program must not misread what a new one wrote."""
    records = read_log(log_file.parent).records
    opened = records[0]
    assert isinstance(opened, Opened)
    newer = Opened(format=99, term=1, experiment_sha256="", holder=opened.holder, load=opened.load)
    log_file.write_bytes(encode_record(newer))
    with pytest.raises(DataError, match=r":1: field 'format': 99 is not known"):
        read_log(log_file.parent)


@st.composite
def logs(draw: st.DrawFn) -> list[Record]:
    """A log as writers leave it: several terms, each cut off wherever it happened to be."""
    records: list[Record] = []
    tried: dict[str, int] = {}
    for term in range(1, draw(st.integers(1, 3)) + 1):
        written = _one_term(draw, tried)
        opened = Opened(
            experiment_sha256="e" * 64,
            holder=Holder(host="h", pid=draw(st.integers(1, 9))),
            load=Load(arms=2, groups=1),
        )
        for seq, record in enumerate([opened, *written]):
            records.append(_numbered(record, term, seq))
    return records


def _one_term(draw: st.DrawFn, tried: dict[str, int]) -> list[Record]:
    running: dict[str, int] = {}
    made: dict[str, int] = {}
    written: list[Record] = []
    clocks = st.floats(-1e9, 1e9)  # a clock that jumps, in both directions
    for _ in range(draw(st.integers(0, 8))):
        cell = draw(st.sampled_from(["t/r0/a", "t/r0/b", "t/r1/a"]))
        clock = draw(clocks)
        if cell not in running:
            tried[cell] = running[cell] = tried.get(cell, 0) + 1
            made[cell] = 0
            written.append(AttemptStart(cell=cell, attempt=running[cell], clock_s=clock))
        elif draw(st.booleans()):
            made[cell] += 1
            number = made[cell]
            written.append(Moved(cell=cell, attempt=running[cell], phase=Phase.GENERATING))
            written.append(Request(cell=cell, attempt=running[cell], number=number, clock_s=clock))
        else:
            if draw(st.booleans()):
                written.append(Generated(cell=cell, attempt=running[cell], clock_s=clock))
            score = draw(st.sampled_from([0.0, 0.5, 1.0]))
            reason = draw(st.text(max_size=4))
            reason = reason.encode("utf-8", "replace").decode()
            written.append(
                AttemptEnd(
                    cell=cell,
                    attempt=running.pop(cell),
                    status=Status.COMPLETED,
                    score=score,
                    reason=reason,
                    clock_s=clock,
                )
            )
    return written


def _numbered(record: Record, term: int, seq: int) -> Record:
    return replace(record, term=term, seq=seq)


@given(records=logs(), data=st.data())
@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_any_prefix_holds_exactly_the_records_that_are_whole(
    records: list[Record], data: st.DataObject
) -> None:
    """Cut at any byte, no finished attempt is lost and none is invented."""
    lines = [encode_record(record) for record in records]
    whole = b"".join(lines)
    cut = data.draw(st.integers(0, len(whole)))
    reading = parse_log(whole[:cut], source="log")
    count, at = 0, 0
    while count < len(lines) and at + len(lines[count]) - 1 <= cut:
        at += len(lines[count])
        count += 1
    assert list(reading.records) == records[:count]
    assert reading.fragment == whole[at:cut]
    finished = [(r.cell, r.attempt, r.score) for r in records[:count] if isinstance(r, AttemptEnd)]
    assert sorted(ended(reading.attempts)) == sorted(finished)
