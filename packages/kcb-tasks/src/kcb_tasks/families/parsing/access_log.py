"""Access log: lines of a web server's log, parsed and summed up."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Integer, Text, optional, required

_SUMMARY = """\
Reads the lines of a web access log and sums them up. A digit is an ASCII digit, a space is U+0020.
A line that is empty or only spaces is ignored. A line is valid if it is, as a whole,

`HOST USER [STAMP] "METHOD TARGET" STATUS BYTES MS`

with exactly one space where this form has one, and

- HOST, USER: each one or more characters other than the space;
- STAMP: `YYYY-MM-DDTHH:MM:SS` in digits: a date that exists in the Gregorian calendar, with a year
  from 1900 to 2199, and a time from `00:00:00` to `23:59:59`;
- METHOD: 1 to 10 letters from `A` to `Z`;
- TARGET: one or more items. An item is a character other than the space, `"` and `\\`, or it is
  `\\"`, which stands for `"`, or `\\\\`, which stands for `\\`;
- STATUS: three digits, the first from `1` to `5`;
- BYTES: 1 to 12 digits, or `-`, which counts as 0;
- MS: 1 to 9 digits.

All other lines are bad. Every valid line is one request. Its path is TARGET with each `\\"` and
`\\\\` replaced by what it stands for, cut off before the first `?` or `#`.

Sessions: for each host, sort its requests by time. The first request starts a session. Any other
request starts a session if it is more than `session_gap` seconds later than the one before it."""

_RESULT = """\
An object with these members:

- `ok`: the number of valid lines.
- `bad`: an array of the numbers of the bad lines, ascending. All lines are numbered from 1, ignored
  ones too.
- `status`: an object with the five members `1xx`, `2xx`, `3xx`, `4xx` and `5xx`: the number of
  requests whose STATUS starts with that digit, also if it is 0.
- `bytes`: the sum of BYTES.
- `hosts`: the number of different hosts.
- `sessions`: the number of sessions of all hosts.
- `busiest_hour`: an object `{"hour": h, "hits": n}`. `hour` is the start of a STAMP, up to its
  hours, `YYYY-MM-DDTHH`: the one that most requests have, the earliest of several such. `hits` is
  how many have it.
- `paths`: an array of objects `{"path": p, "hits": n, "errors": e, "p95": q, "max": m}`, one for
  each different path `p`. `hits` is the number of its requests, `errors` the number of those with
  STATUS 500 or above, `max` the largest MS. `p95` is the k-th smallest MS, where k is
  95 · `hits` / 100, rounded up to an integer. Higher `hits` come first; equal ones are
  in ascending order of the path by code point. Only the first `top` objects are in the array."""

_RULES = """\
- Lines need not be in order of time. A gap of exactly `session_gap` seconds starts no session.
- Leading zeros of numbers are allowed. A path may be empty: that of the TARGET `?a` is.
- Hosts and paths are compared exactly. USER and METHOD only matter for whether a line is valid."""

_LINE = re.compile(
    r"(?P<host>[^ ]+) [^ ]+ \[(?P<stamp>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})\] "
    r'"[A-Z]{1,10} (?P<target>(?:[^ "\\]|\\["\\])+)" '
    r"(?P<status>[1-5][0-9]{2}) (?P<bytes>-|[0-9]{1,12}) (?P<ms>[0-9]{1,9})"
)


@dataclass(frozen=True, slots=True)
class _Request:
    host: str
    time: datetime
    path: str
    status: int
    size: int
    ms: int


def _evaluate(fields: Mapping[str, Any]) -> Json:
    requests: list[_Request] = []
    bad: list[int] = []
    for number, line in enumerate(fields["lines"], start=1):
        if not line.strip(" "):
            continue
        request = _parsed(line)
        if request is None:
            bad.append(number)
        else:
            requests.append(request)
    if len(bad) > fields["max_bad"]:
        raise DomainError("too_many_bad")
    if not requests:
        raise DomainError("no_valid_lines")
    classes = Counter(request.status // 100 for request in requests)
    return {
        "ok": len(requests),
        "bad": bad,
        "status": {f"{digit}xx": classes[digit] for digit in range(1, 6)},
        "bytes": sum(request.size for request in requests),
        "hosts": len({request.host for request in requests}),
        "sessions": _sessions(requests, timedelta(seconds=fields["session_gap"])),
        "busiest_hour": _busiest_hour(requests),
        "paths": _paths(requests)[: fields["top"]],
    }


def _parsed(line: str) -> _Request | None:
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    try:
        time = datetime.strptime(match["stamp"], "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        return None
    if not 1900 <= time.year <= 2199:
        return None
    target = re.sub(r"\\(.)", r"\1", match["target"])
    return _Request(
        host=match["host"],
        time=time,
        path=re.split("[?#]", target)[0],
        status=int(match["status"]),
        size=0 if match["bytes"] == "-" else int(match["bytes"]),
        ms=int(match["ms"]),
    )


def _sessions(requests: Iterable[_Request], gap: timedelta) -> int:
    times: dict[str, list[datetime]] = {}
    for request in requests:
        times.setdefault(request.host, []).append(request.time)
    pairs = [pair for own in times.values() for pair in pairwise(sorted(own))]
    return len(times) + sum(later - earlier > gap for earlier, later in pairs)


def _busiest_hour(requests: Iterable[_Request]) -> Json:
    counts = Counter(request.time.isoformat()[:13] for request in requests)
    hour, hits = min(counts.items(), key=lambda item: (-item[1], item[0]))
    return {"hour": hour, "hits": hits}


def _paths(requests: Iterable[_Request]) -> list[Json]:
    groups: dict[str, list[_Request]] = {}
    for request in requests:
        groups.setdefault(request.path, []).append(request)
    ranked = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return [_path(path, group) for path, group in ranked]


def _path(path: str, group: Sequence[_Request]) -> Json:
    times = sorted(request.ms for request in group)
    return {
        "path": path,
        "hits": len(group),
        "errors": sum(request.status >= 500 for request in group),
        "p95": times[-(-95 * len(times) // 100) - 1],
        "max": times[-1],
    }


def _generate(rng: random.Random) -> dict[str, Json]:
    hosts, targets = rng.sample(_HOSTS, 3), rng.sample(_TARGETS, rng.choice([1, 2, 3, 5, 6]))
    start = datetime(*rng.choice(_STARTS))
    gap = rng.choice([0, 1, 60, 1_800, 86_400])
    kind = rng.choice(["", "", "", "", "", "", "", "too_many_bad", "no_valid_lines"])
    count = 0 if kind == "no_valid_lines" else rng.choice([1, 3, 8, 12, 25, 45])
    lines = [_draw_line(rng, hosts, targets, start, gap) for _ in range(count)]
    bad = [rng.choice(_BAD) for _ in range(rng.choice([0, 0, 1, 2, 4]))]
    bad += [rng.choice(_BAD)] * (kind == "too_many_bad" and not bad)
    ignored = [rng.choice(["", " ", "   "]) for _ in range(rng.choice([0, 0, 1, 2]))]
    lines += bad + ignored
    if rng.random() < 0.8:
        rng.shuffle(lines)
    drawn: dict[str, Json] = {"lines": lines}
    if rng.random() < 0.5:
        drawn["top"] = rng.choice([1, 2, 3, 100])
    if gap != 1_800 or rng.random() < 0.5:
        drawn["session_gap"] = gap
    if kind == "too_many_bad":
        drawn["max_bad"] = len(bad) - 1
    elif rng.random() < 0.4:
        drawn["max_bad"] = rng.choice([len(bad), len(bad), len(bad) + 1, 2_000])
    return drawn


def _draw_line(
    rng: random.Random, hosts: Sequence[str], targets: Sequence[str], start: datetime, gap: int
) -> str:
    """A valid line; many are one gap apart, or nearly so."""
    steps, second = rng.choice([0, 0, 1, 1, 2, 3]), rng.choice([0, 0, 1, -1, 59])
    time = start + timedelta(seconds=max(0, steps * max(gap, 1_200) + second))
    user = rng.choice(["-", "bob", "é", "[x]", '"', "\t"])
    method = rng.choice(["GET", "GET", "POST", "G", "PROPPATCHX"])
    status = rng.choice(
        ["200", "200", "204", "301", "404", "499", "500", "503", "599", "100", "123"]
    )
    size = rng.choice(["-", "0", "7", "0012", "999999999999", str(rng.randint(1, 5_000))])
    ms = rng.choice(["0", "007", *(str(rng.randint(1, 300)) for _ in range(9)), "999999999"])
    first = f"{rng.choice(hosts)} {user} [{time.isoformat()}]"
    return f'{first} "{method} {rng.choice(targets)}" {status} {size} {ms}'


_HOSTS = ("h1", "H1", "10.0.0.1", "é", "e\u0301", "𝒳", "-")

_TARGETS = (
    *("/", "/a", "/a?x=1", "/a#t", "/a?#", "/A", '/b\\"q\\\\#z', '/b\\"q\\\\'),
    *("/é", "/e\u0301", "/𝒳", "/ｚ", "?q", "#", "/a%3fb", "/\\\\?", "*", "/\u2028\t"),
)

_STARTS = (
    (2024, 5, 1, 9, 59, 59),
    (2023, 12, 31, 23, 0, 1),
    (2024, 2, 28, 22, 30, 0),
    (1900, 1, 1),
)

_BAD = (
    "?",
    "h  u",
    "\t",
    "\u00a0",
    'h u [2024-02-30T11:00:01] "GET /" 200 1 2',
    'h u [1899-12-31T23:59:59] "GET /" 200 1 2',
    'h u [2024-05-01T24:00:00] "GET /" 200 1 2',
    'h u [2024-05-01 10:00:00] "GET /" 200 1 2',
    'h u [2024-05-01T10:00:00] "GET /a HTTP/1.1" 200 1 2',
    'h u [2024-05-01T10:00:00] "get /" 200 1 2',
    'h u [2024-05-01T10:00:00] "GET /a"b" 200 1 2',
    'h u [2024-05-01T10:00:00] "GET /a\\b" 200 1 2',
    'h u [2024-05-01T10:00:00] "GET /" 600 1 2',
    'h u [2024-05-01T10:00:00] "GET /" 200 -1 2',
    'h u [2024-05-01T10:00:00] "GET /" 200 1 -',
    'h u [2024-05-01T10:00:00] "GET /" 200 1 ２',
    'h u [2024-05-01T10:00:00] "GET /" 200 1 2 ',
    'h u [2024-05-01T10:00:00] "GET /"  200 1 2',
    'h [2024-05-01T10:00:00] "GET /" 200 1 2',
)


def _line(
    stamp: str = "2024-05-01T10:00:00",
    target: str = "/",
    status: str = "200",
    size: str = "1",
    ms: str = "1",
    host: str = "h",
) -> str:
    """A line, in which every part that is not given is a plain one."""
    return f'{host} - [{stamp}] "GET {target}" {status} {size} {ms}'


def _path_of(path: str, hits: int, errors: int, p95: int, longest: int) -> Json:
    return {"path": path, "hits": hits, "errors": errors, "p95": p95, "max": longest}


def _report(ok: int, **parts: Json) -> Json:
    """A result; what is not given is that of `ok` plain lines."""
    return {
        "ok": ok,
        "bad": [],
        "status": {"1xx": 0, "2xx": ok, "3xx": 0, "4xx": 0, "5xx": 0},
        "bytes": ok,
        "hosts": 1,
        "sessions": 1,
        "busiest_hour": {"hour": "2024-05-01T10", "hits": ok},
        "paths": [_path_of("/", ok, 0, 1, 1)],
        **parts,
    }


def _rejects(*lines: str) -> Case:
    """Lines that are all bad, around one that is valid."""
    bad = [number for number in range(1, len(lines) + 2) if number != 2]
    return Case({"lines": [lines[0], _line(), *lines[1:]]}, _report(1, bad=bad))


def _accepts(line: str, path: str, **parts: Json) -> Case:
    """A valid line and its path."""
    return Case({"lines": [line]}, _report(1, paths=[_path_of(path, 1, 0, 1, 1)], **parts))


def _timed(gap: int, sessions: int, *times: str) -> Case:
    """Plain lines of one host in one hour, at these minutes and seconds."""
    lines = [_line(f"2024-05-01T10:{time}") for time in times]
    return Case({"lines": lines, "session_gap": gap}, _report(len(lines), sessions=sessions))


def _lasting(p95: int, *times: int) -> Case:
    """Plain lines of one path that take these times."""
    lines = [_line(ms=str(ms)) for ms in times]
    path = _path_of("/", len(times), 0, p95, max(times))
    return Case({"lines": lines}, _report(len(times), paths=[path]))


def _hour(hour: str, hits: int) -> Json:
    return {"busiest_hour": {"hour": hour, "hits": hits}}


_STAMPS = (
    *("2023-02-29T10:00:00", "2024-04-31T10:00:00", "2024-13-01T10:00:00", "2024-00-01T10:00:00"),
    *("2024-05-00T10:00:00", "1900-02-29T10:00:00", "1899-12-31T10:00:00", "2200-01-01T00:00:00"),
    *("0000-05-01T10:00:00", "2024-05-01T24:00:00", "2024-05-01T10:60:00", "2024-05-01T10:00:60"),
    *("2024-05-01 10:00:00", "2024-05-01t10:00:00", "2024-5-01T10:00:00", "20240501T100000"),
    *("2024-05-01T10:00", "2024-05-01T10:00:00Z", "2024-05-01T10:00:00.0", "٢٠٢٤-05-01T10:00:00"),
    *("02024-05-01T10:00:00", "", " 2024-05-01T10:00:00", "+024-05-01T10:00:00"),
)

_BOUNDARIES = (
    Case(
        {"lines": ['x y [2024-01-01T00:00:00] "G ?q" 500 1 1', " ", "x  y"], "max_bad": 1},
        _report(
            1,
            bad=[3],
            status={"1xx": 0, "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 1},
            paths=[_path_of("", 1, 1, 1, 1)],
            **_hour("2024-01-01T00", 1),
        ),
    ),
    # Which lines are valid.
    _rejects(*(_line(stamp) for stamp in _STAMPS)),
    _accepts(_line("2024-02-29T23:59:59"), "/", **_hour("2024-02-29T23", 1)),
    _accepts(_line("1900-01-01T00:00:00"), "/", **_hour("1900-01-01T00", 1)),
    _accepts(_line("2199-12-31T00:00:01"), "/", **_hour("2199-12-31T00", 1)),
    _rejects(*(_line(target=t) for t in ("", "/a b", '/a"b', "/a\\", "/\\a", '/"', '/\\\\"'))),
    _accepts(_line(target='/\\"a\\\\b\\\\\\"'), '/"a\\b\\"'),
    _accepts(_line(target="/é\t\n\u00a0\U0001f600'%22[]"), "/é\t\n\u00a0\U0001f600'%22[]"),
    _accepts(_line(target="a?b#c"), "a"),
    _accepts(_line(target="a#b?c"), "a"),
    _accepts(_line(target='#\\"'), ""),
    _accepts(_line(target="\\\\?"), "\\"),
    _rejects(
        *(
            _line(status=s)
            for s in ("099", "600", "20", "2000", "2x0", "２００", "20０", "-200", "")
        )
    ),
    _rejects(*(_line(size=s) for s in ("--", "-1", "+1", "1.0", "1000000000000", "", "１", "1k"))),
    _rejects(*(_line(ms=ms) for ms in ("-", "-1", "1.5", "1000000000", "", "٣", "1ms", "1 1"))),
    _accepts(_line(size="-"), "/", bytes=0),
    _accepts(_line(size="999999999999"), "/", bytes=999_999_999_999),
    _accepts(_line(size="000000000012", ms="000000001"), "/", bytes=12),
    Case(
        {"lines": [_line(ms="999999999"), _line(ms="0")]},
        _report(2, paths=[_path_of("/", 2, 0, 999_999_999, 999_999_999)]),
    ),
    _rejects(
        *(
            _line().replace("GET", method)
            for method in ("", "get", "GEt", "GETGETGETGE", "É", "G T")
        ),
        *(f" {_line()}", f"{_line()} ", f"{_line()}\n", f"{_line()} x"),
        *(_line().replace(" ", space, 1) for space in ("", "  ", "\t", "\u00a0")),
        *(_line().replace(' "', gap) for gap in ('"', '  "', " ")),
        *(_line().replace(a, b) for a, b in ((" -", ""), (" [", " "), ('" 2', '"2'), ("]", ""))),
    ),
    _accepts(f"\t{_line()}", "/"),
    _accepts('[a] "b\t\\ [2024-05-01T10:00:00] "GETGETGETG /" 200 1 1', "/"),
    _accepts('\u2028 𝒳\n [2024-05-01T10:00:00] "G /" 299 1 1', "/"),
    Case(
        {"lines": ["", "  ", "\t", "\u00a0", " \n", _line(), " " * 500]},
        _report(1, bad=[3, 4, 5]),
    ),
    # Numbers that are added up.
    Case(
        {"lines": [_line(status=s) for s in ("100", "199", "300", "399", "400", "499", "599")]},
        _report(
            7,
            status={"1xx": 2, "2xx": 0, "3xx": 2, "4xx": 2, "5xx": 1},
            paths=[_path_of("/", 7, 1, 1, 1)],
        ),
    ),
    Case(
        {"lines": [_line(status="499"), _line(status="500"), _line("2024-05-01T11:00:00")]},
        _report(
            3,
            status={"1xx": 0, "2xx": 1, "3xx": 0, "4xx": 1, "5xx": 1},
            sessions=2,
            paths=[_path_of("/", 3, 1, 1, 1)],
            **_hour("2024-05-01T10", 2),
        ),
    ),
    Case(
        {"lines": [_line(host=host) for host in ("h", "H", "é", "e\u0301", "h", "h.")]},
        _report(6, hosts=5, sessions=5),
    ),
    # Sessions: more than the gap, between neighbours in time, for each host.
    _timed(60, 1, "00:00", "01:00", "02:00"),
    _timed(60, 2, "00:00", "01:01", "02:01"),
    _timed(60, 3, "05:00", "00:00", "10:00"),
    _timed(60, 1, "02:00", "00:00", "01:00"),
    _timed(0, 2, "00:00", "00:00", "00:01"),
    _timed(86_400, 1, "00:00", "59:59"),
    Case({"lines": [_line(), _line("2024-05-01T10:30:00")]}, _report(2)),
    Case({"lines": [_line(), _line("2024-05-01T10:30:01")]}, _report(2, sessions=2)),
    Case(
        {
            "lines": [
                _line("2024-05-01T10:00:00", host="a"),
                _line("2024-05-01T10:00:40", host="b"),
                _line("2024-05-01T10:01:20", host="a"),
            ],
            "session_gap": 60,
        },
        _report(3, hosts=2, sessions=3),
    ),
    Case(
        {
            "lines": [_line("2024-03-01T00:00:00"), _line("2024-02-28T23:59:59")],
            "session_gap": 86_400,
        },
        _report(2, sessions=2, **_hour("2024-02-28T23", 1)),
    ),
    # The busiest hour.
    Case(
        {"lines": [_line("2024-05-01T11:00:00"), _line("2024-05-01T10:59:59")]},
        _report(2, **_hour("2024-05-01T10", 1)),
    ),
    Case(
        {
            "lines": [
                _line("2024-05-01T10:00:00"),
                _line("2024-05-02T10:00:00"),
                _line("2024-05-02T10:10:00"),
            ]
        },
        _report(3, sessions=2, **_hour("2024-05-02T10", 2)),
    ),
    # Paths: order, ties, how many.
    Case(
        {"lines": [_line(target=t) for t in ("/b", "/a", "/b", "/é", "/𝒳", "/ｚ", "/A")], "top": 6},
        _report(
            7,
            paths=[
                _path_of("/b", 2, 0, 1, 1),
                *(_path_of(path, 1, 0, 1, 1) for path in ("/A", "/a", "/é", "/ｚ", "/𝒳")),
            ],
        ),
    ),
    Case(
        {"lines": [_line(target=t) for t in ("f", "e", "d", "c", "b", "a")]},
        _report(6, paths=[_path_of(path, 1, 0, 1, 1) for path in "abcde"]),
    ),
    Case(
        {"lines": [_line(target=t) for t in ("/a?x", "/a#y", "/a", "/a/", "/%61")], "top": 1},
        _report(5, paths=[_path_of("/a", 3, 0, 1, 1)]),
    ),
    # The smallest time that 95 % do not exceed, exactly.
    _lasting(7, 7),
    _lasting(10, 9, 10),
    _lasting(19, *range(20, 0, -1)),
    _lasting(20, *range(1, 22)),
    _lasting(19, *range(1, 20)),
    _lasting(38, *range(1, 41)),
    _lasting(39, *range(1, 42)),
    _lasting(100, 9, 100, 25),
    # Errors, and which of two comes first.
    Case({"lines": ["?", _line()], "max_bad": 1}, _report(1, bad=[1])),
    Case({"lines": ["?", _line(), "?"], "max_bad": 1}, error="too_many_bad"),
    Case({"lines": ["?"], "max_bad": 0}, error="too_many_bad"),
    Case({"lines": ["?", "  ", "?"], "max_bad": 1}, error="too_many_bad"),
    Case({"lines": ["?", "  "]}, error="no_valid_lines"),
    Case({"lines": ["?"], "max_bad": 1}, error="no_valid_lines"),
    Case({"lines": ["", " "], "max_bad": 0}, error="no_valid_lines"),
    Case({"lines": []}, error="no_valid_lines"),
)

FAMILY = Family(
    number=45,
    slug="access-log",
    title="Access log parsing and summary",
    category="parsing",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("lines", Array(Text(0, 500), 0, 2_000), "The lines of the log."),
        optional("top", Integer(1, 100), 5, "How many paths are listed at most."),
        optional("session_gap", Integer(0, 86_400), 1_800, "Longest gap in a session, in seconds."),
        optional("max_bad", Integer(0, 2_000), 2_000, "How many bad lines are no error."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("too_many_bad", "There are more than `max_bad` bad lines."),
        ErrorCode("no_valid_lines", "There is no valid line."),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "lines": [
                'h1 - [2024-05-01T10:00:00] "GET /a?x=1 HTTP" 200 10 5',
                'h1 - [2024-05-01T10:00:00] "GET /a?x=1" 200 10 5',
                "",
                'h2 bob [2024-05-01T09:59:59] "POST /b\\"q\\\\#z" 503 - 70',
                'h1 - [2024-05-01T10:30:01] "GET /a" 404 7 09',
                'h1 - [2024-05-01T11:00:01] "GET /é" 301 1 2',
                'h1 - [2024-02-30T11:00:01] "GET /" 200 1 2',
            ],
            "top": 2,
        },
        {
            "ok": 4,
            "bad": [1, 7],
            "status": {"1xx": 0, "2xx": 1, "3xx": 1, "4xx": 1, "5xx": 1},
            "bytes": 18,
            "hosts": 2,
            "sessions": 3,
            "busiest_hour": {"hour": "2024-05-01T10", "hits": 2},
            "paths": [
                {"path": "/a", "hits": 2, "errors": 0, "p95": 9, "max": 9},
                {"path": '/b"q\\', "hits": 1, "errors": 1, "p95": 70, "max": 70},
            ],
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            {
                "lines": [
                    'b.example ann [2023-12-31T23:59:30] "POST /up?\\"a\\"" 500 0120 31',
                    "",
                    'a - [2024-01-01T00:00:31] "GET /x\\\\y" 204 - 4',
                    'a - [2023-12-31T23:59:30] "GET /up#top" 302 8 007',
                    'a - [2024-01-01T00:00:60] "GET /" 200 8 7',
                ],
                "session_gap": 60,
                "top": 1,
            },
            {
                "ok": 3,
                "bad": [5],
                "status": {"1xx": 0, "2xx": 1, "3xx": 1, "4xx": 0, "5xx": 1},
                "bytes": 128,
                "hosts": 2,
                "sessions": 3,
                "busiest_hour": {"hour": "2023-12-31T23", "hits": 2},
                "paths": [{"path": "/up", "hits": 2, "errors": 1, "p95": 31, "max": 31}],
            },
        ),
        Case(
            {
                "lines": ['a - [2024-01-01T00:00:31] "GET /x y" 200 1 4', " "],
                "max_bad": 0,
            },
            error="too_many_bad",
        ),
    ),
    malformed=(
        {"lines": None},
        {"lines": _line()},
        {"lines": {"1": _line()}},
        {"lines": [_line(), None]},
        {"lines": [[_line()]]},
        {"lines": [_line(), 5]},
        {"lines": [_line(), _line(target="/" + "é" * 500)]},
        {"lines": ["?"] * 2_001},
        {"lines": [], "top": 0},
        {"lines": [_line()], "top": 101},
        {"lines": [_line()], "top": True},
        {"lines": [_line()], "top": 5.0},
        {"lines": [_line()], "session_gap": -1},
        {"lines": [_line()], "session_gap": 86_401},
        {"lines": [_line()], "session_gap": "1800"},
        {"lines": [_line()], "session_gap": None},
        {"lines": ["?"], "max_bad": 2_001},
        {"lines": ["?"], "max_bad": False},
        {"lines": ["?"], "max_bad": -1},
    ),
)
