"""Damaged and hostile report files: one line that names the file, and never a traceback or a hang.

Some hundred mutants in every run; ``nox -s fuzz`` takes ten thousand.
"""

import copy
import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kcb_core.codec import encode
from kcb_core.errors import DataError
from kcb_core.report import Evidence, Exchange, Play, ScenarioReport, TaskReport
from kcb_score.files import Found
from kcb_score.reading import Reader

SEED = 20_221
FEW, MANY = 300, 10_000
SLOWEST_S = 60.0
"""A mutant is read in milliseconds; a busy machine gets a thousand times that."""

VALUES: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2**63, 10**400, -1e308, 1e-320, "", "x", "\x1b[2J\nerror: x"),
    *("\ud800", "\u2028", "=1+1", "</script>", "a" * 10_000, [], {}, [[]], [None], {"": 1}, "NaN"),
)
RAW = (
    *(b"NaN", b"Infinity", b"-Infinity", b"1e999", b"01", b"nul", b"'x'", b"\xff\xfe", b"\x00"),
    *(b"[" * 300 + b"]" * 300, b"[" * 100_000, b'{"a":' * 5_000, b"9" * 5_000, b'"\\ud800"'),
    *(b'"\\x"', b'"', b",", b"}", b'"kind": "task-report", ', b"\xef\xbb\xbf", b"/**/"),
)


def whole(bench: Any) -> TaskReport:
    """A report with something in nearly every field."""
    play = Play(wall_s=0.25, cpu_s=0.125, passed=7, stderr_tail="Traceback", stdout_bytes=999)
    exchange = Exchange(request='{"id":1}', response='{"id":1,"ok":true}')
    evidence = Evidence(
        session=0, request_index=3, request="{}", expected="1", received="2", before=(exchange,)
    )
    report: TaskReport = bench.report("kcb-easy-001-family-1", "failed", of=bench.small)
    scenario = ScenarioReport(
        name="golden",
        tags=("core", "unicode"),
        outcome=report.scenarios[0].outcome,
        passed=7,
        total=10,
        failure=report.failure,
        evidence=evidence,
        plays=(play,),
    )
    record = {"usage": {"input_tokens": 10}, "cost": {"dollars": 0.5}, "seen_tasks": []}
    changed = bench.report(
        "kcb-easy-001-family-1",
        "failed",
        of=bench.small,
        scenarios=(scenario,),
        run_record={**record, "hand_corrected": False, "budget": "b"},
        plugins={"kcb-core": "0.1.0"},
        notes=("a note",),
    )
    return changed  # type: ignore[no-any-return]


def mutants(text: bytes, number: int) -> Iterator[bytes]:
    """Damaged texts, the same ones each time."""
    draw = random.Random(SEED)
    plain = json.loads(text)
    for _ in range(number):
        kind = draw.randrange(5)
        place = draw.randrange(len(text))
        if kind == 0:
            yield text[:place]
        elif kind == 1:
            yield text[:place] + bytes([draw.randrange(256)]) + text[place + 1 :]
        elif kind == 2:
            end = place + draw.randrange(40)
            yield text[:place] + draw.choice(RAW) + text[end:]
        elif kind == 3:
            yield _doubled(text, draw)
        else:
            yield _replaced(plain, draw)


def _doubled(text: bytes, draw: random.Random) -> bytes:
    """A line that stands twice: often a member."""
    lines = text.split(b"\n")
    index = draw.randrange(len(lines))
    return b"\n".join([*lines[: index + 1], *lines[index:]])


def _replaced(plain: Any, draw: random.Random) -> bytes:
    """Some value, at any depth, that became another one, or lost its place."""
    value = copy.deepcopy(plain)
    place = value
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = draw.choice(keys)
        deeper = place[key]
        if isinstance(deeper, dict | list) and deeper and draw.random() < 0.7:
            place = deeper
            continue
        if draw.random() < 0.2:
            del place[key]
        else:
            place[key] = draw.choice(VALUES)
        return json.dumps(value, indent=1).encode()


def read(path: Path) -> tuple[str, str]:
    """Whether a file is read or refused, and what is said of it."""
    try:
        Reader().read(Found(path=str(path)))
    except DataError as error:
        return "refused", str(error)
    return "read", ""


def check(data: bytes, path: Path, klein_bench: Callable[..., Any], *, score: bool) -> str:
    """Read one mutant, and perhaps score it; gives what came of it."""
    path.write_bytes(data)
    start = time.monotonic()
    came, said = read(path)
    assert came == "read" or said.startswith(f"{path}: ")
    if score:
        done = klein_bench("score", path.parent, "--json")
        assert done.status == (0 if came == "read" else 2), done.err
        assert "Traceback" not in done.err + done.out
        if came == "refused":
            (line,) = done.err.splitlines()
            assert line.startswith(f"error: {path}: ")
            assert done.out == ""
    assert time.monotonic() - start < SLOWEST_S
    return came


@pytest.mark.parametrize("number", [FEW, pytest.param(MANY, marks=pytest.mark.fuzz)])
def test_no_damaged_file_is_more_than_one_line(
    bench: Any, klein_bench: Callable[..., Any], tmp_path: Path, number: int
) -> None:
    """Whatever stands in the file: it is read, or refused by its name; every tenth is scored."""
    text = encode(whole(bench))
    came = [
        check(data, tmp_path / "mutant.json", klein_bench, score=index % 10 == 0)
        for index, data in enumerate(mutants(text, number))
    ]
    assert came.count("refused") > number // 2
    assert came.count("read") > number // 20


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "Expecting value"),
        (b'{"kind": "task-report", ', "Expecting"),
        (b'{"kind": "stranger"}', "field 'kind'"),
        (b"[" * 300, "nested deeper"),
        (b"\xff", "invalid UTF-8"),
    ],
)
def test_one_wrong_file_among_a_thousand_stops_everything(
    bench: Any, klein_bench: Callable[..., Any], tmp_path: Path, data: bytes, fault: str
) -> None:
    """One line with its name, status 2, no table, and no Parquet file half-written or whole."""
    pytest.importorskip("pyarrow")
    text = encode(whole(bench)).replace(b'"repetition": 0', b'"repetition": @')
    folder = tmp_path / "r"
    folder.mkdir()
    for n in range(1_000):
        (folder / f"{n:04d}.json").write_bytes(text.replace(b"@", str(n).encode()))
    wrong = folder / "0500.json"
    wrong.write_bytes(data)
    done = klein_bench("score", folder, "--parquet", tmp_path / "x.parquet")
    assert (done.status, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.startswith(f"error: {wrong}: ")
    assert fault in line
    assert not list(tmp_path.glob("*.parquet"))
