"""What the driver makes of every kind of behaviour; a real process each time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from kcb_core.report import FailureKind, Outcome
from kcb_core.task import Scenario, Session

K = FailureKind


def echoes(*values: Any) -> Session:
    """Requests with these values, each answered by an echo."""
    requests = tuple({"id": n, "value": value} for n, value in enumerate(values))
    return Session(requests=requests, expected=requests)


def alive(pid: int, started: str) -> bool:
    """Whether the process with this pid and start time lives; a zombie does not."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return words[19] == started and words[0] not in "ZX"


def test_a_right_solution_resolves(arena, echo):
    """The plainest case: everything else is measured against it."""
    judgement = arena.play(echo, echoes("a", "b", "c"))
    assert judgement.outcome is Outcome.RESOLVED
    assert (judgement.passed, judgement.total) == (3, 3)


@pytest.mark.parametrize(
    ("main", "kind", "reason"),
    [
        ("print('{\"id\": 0, \"value\": \"y\"}', flush=True); input(); input()", K.WRONG_RESPONSE,
         'request 1 of 2: $.value: expected "x", received "y"'),
        ("input(); print('hello', flush=True); input()", K.PROTOCOL_VIOLATION, "not a JSON line"),
        ("input(); print('[1]', flush=True); input()", K.PROTOCOL_VIOLATION, "no object"),
        ("input(); print('{\"a\": NaN}', flush=True); input()", K.PROTOCOL_VIOLATION, "NaN"),
        ("input(); print('{\"a\": 1, \"a\": 1}', flush=True); input()", K.PROTOCOL_VIOLATION,
         "twice"),
        ("input(); print('{\"a\": ' + '[' * 500 + ']' * 500 + '}', flush=True); input()",
         K.PROTOCOL_VIOLATION, "deeper"),
        ("input(); print('{\"a\": ' + '1' * 5000 + '}', flush=True); input()",
         K.PROTOCOL_VIOLATION, "digits"),
        ("input(); print('{\"id\": 0, \"value\": \"x\"}\\n{}', flush=True); input(); input()",
         K.PROTOCOL_VIOLATION, "more output after the response: {}"),
        ("raise SystemExit(3)", K.CRASH, "it ended with status 3"),
        ("import os; input(); os.kill(os.getpid(), 11)", K.CRASH, "it was ended by signal 11"),
        ("raise SystemExit(0)", K.PROTOCOL_VIOLATION, "ended with status 0 instead of answering"),
        ("import os, time; os.close(1); time.sleep(60)", K.PROTOCOL_VIOLATION, "lives on"),
        ("print('x' * (2 << 20), end='', flush=True)", K.OUTPUT_LIMIT, "1,048,576 bytes"),
        ("import time; time.sleep(60)", K.TIMEOUT, "within the session's 1 s; 0 bytes received"),
    ],
)  # fmt: skip
def test_each_misbehaviour_has_its_kind_and_reason(arena, main, kind, reason):
    """Users must be able to tell the cases of one kind apart from one line."""
    judgement = arena.play(main, echoes("x", "x"), timeout_s=1 if kind is K.TIMEOUT else 10)
    assert judgement.outcome is Outcome.FAILED
    assert judgement.failure.kind is kind
    assert reason in judgement.failure.reason


@pytest.mark.parametrize(
    ("tail", "kind", "reason"),
    [
        ("sys.exit(4)", K.CRASH, "after the last response: it ended with status 4"),
        ("print('bye', flush=True)", K.PROTOCOL_VIOLATION, "after the last response: more output"),
        ("time.sleep(60)", K.TIMEOUT, "after the last response: it does not end"),
    ],
)
def test_the_end_of_a_session_is_judged_too(arena, echo, tail, kind, reason):
    """Normal tiers must exit with status 0 on end of input, and say nothing more."""
    main = "import time\n" + echo + tail
    judgement = arena.play(main, echoes("x"), timeout_s=1)
    assert judgement.failure.kind is kind
    assert reason in judgement.failure.reason
    assert judgement.passed == 1


def test_b01_a_last_line_without_line_end_counts_at_a_good_end(arena):
    """Line readers that lose an unterminated last line fail right programs."""
    main = """
        import sys
        sys.stdin.readline()
        sys.stdout.write('{"id": 0, "value": "x"}')
    """
    assert arena.play(main, echoes("x")).outcome is Outcome.RESOLVED
    crash = arena.play(
        main.rstrip(" ") + " " * 8 + "sys.stdout.flush(); sys.exit(1)\n", echoes("x")
    )
    assert crash.failure.kind is K.CRASH


def test_b01_a_reply_without_line_end_is_told_from_no_reply(arena):
    """The reason says what was received, and nothing hangs."""
    waits = """
        import sys
        sys.stdin.readline()
        sys.stdout.write('{"id": 0, "value": "x"}')
        sys.stdout.flush()
        sys.stdin.readline()
    """
    judgement = arena.play(
        waits.rstrip(" ") + " " * 8 + "sys.stdin.readline()\n", echoes("x", "x"), timeout_s=1
    )
    assert judgement.failure.kind is K.TIMEOUT
    assert '23 bytes received without a line end: {"id": 0, "value": "x"}' in (
        judgement.failure.reason
    )
    never_flushed = """
        import sys
        sys.stdin.readline()
        sys.stdout.write('{"id": 0, "value": "x"}\\n')
        while True: pass
    """
    judgement = arena.play(never_flushed, echoes("x"), timeout_s=1)
    assert judgement.failure.kind is K.TIMEOUT
    assert "0 bytes received" in judgement.failure.reason


def test_b02_a_process_that_ignores_signals_is_killed(arena, tmp_path):
    """A liveness check that a zombie fools, or a polite signal, leaves a spinning process."""
    mark = tmp_path / "pid"
    main = f"""
        import json, os, signal, sys
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with open({str(mark)!r}, "w") as file:
            stat = open("/proc/self/stat").read().rpartition(")")[2].split()
            file.write(f"{{os.getpid()}} {{stat[19]}}")
        request = json.loads(sys.stdin.readline())
        print(json.dumps(request), flush=True)
        while True: pass
    """
    started = time.monotonic()
    judgement = arena.play(main, echoes("x", "y"), timeout_s=1)
    assert judgement.failure.kind is K.TIMEOUT
    assert time.monotonic() - started < 2 * (1 + 2) + 5
    assert [play.passed for play in judgement.scenarios[0].plays] == [1, 1]
    pid, since = mark.read_text().split()
    assert not alive(int(pid), since)
    assert not Path(f"/proc/{pid}").exists()


def test_b03_a_grandchild_that_holds_the_output_is_killed_and_noted(arena, echo, tmp_path):
    """A reader that waits for the end of the pipe waits for the grandchild instead."""
    mark = tmp_path / "pid"
    main = f"""
import subprocess
child = subprocess.Popen(["sleep", "600"])
started = open(f"/proc/{{child.pid}}/stat").read().rpartition(")")[2].split()[19]
with open({str(mark)!r}, "w") as file: file.write(f"{{child.pid}} {{started}}")
{echo}"""
    began = time.monotonic()
    judgement = arena.play(main, echoes("x"))
    assert judgement.outcome is Outcome.RESOLVED
    assert time.monotonic() - began < 5
    assert judgement.notes == ("1 surviving child killed",)
    pid, started = mark.read_text().split()
    deadline = time.monotonic() + 2
    while alive(int(pid), started) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not alive(int(pid), started)


def test_b04_a_flood_ends_promptly_and_stderr_never_blocks(arena, echo):
    """Full pipes must neither deadlock nor run into the time limit."""
    started = time.monotonic()
    flood = arena.play(
        "import time\nprint('x' * (2 << 20), flush=True); time.sleep(60)",
        echoes("x"),
    )
    assert flood.failure.kind is K.OUTPUT_LIMIT
    assert time.monotonic() - started < 5
    chatty = "import sys\nsys.stderr.write('é' * (5 << 19) + 'end'); sys.stderr.flush()\n" + echo
    assert arena.play(chatty, echoes("x")).outcome is Outcome.RESOLVED


def test_b04_the_last_8_kib_of_stderr_are_kept_on_a_character_boundary(arena):
    """The end of a traceback is what a reader needs."""
    main = "import sys\nsys.stderr.write('é' * (5 << 19) + 'end'); sys.stderr.flush(); sys.exit(1)"
    play = arena.play(main, echoes("x")).scenarios[0].plays[-1]
    assert play.stderr_bytes == 2 * (5 << 19) + 3
    assert play.stderr_tail == "é" * ((8192 - 3) // 2) + "end"


def test_b04_both_sides_may_write_at_once(arena):
    """A driver that writes a large request before it reads deadlocks here."""
    big = "x" * 200_000
    main = """
        import json, sys
        answer = json.dumps({"id": 0, "value": "y" * 300_000})
        print(answer, flush=True)
        sys.stdin.readline()
    """
    one = Session(
        requests=({"id": 0, "value": big},), expected=({"id": 0, "value": "y" * 300_000},)
    )
    assert arena.play(main, one).outcome is Outcome.RESOLVED


def test_b12_line_separators_inside_a_reply_do_not_split_it(arena, echo):
    """Only the byte 0A ends a line; ``splitlines`` would make three of this one."""
    odd = "a\u2028b\u2029c\u0085d\u000be\u001cf"
    raw = echo.replace("json.dumps(", "json.dumps(ensure_ascii=False, obj=").replace(
        "print(", "sys.stdout.reconfigure(encoding='utf-8'); print("
    )
    judgement = arena.play(raw, echoes(odd, odd))
    assert judgement.outcome is Outcome.RESOLVED


def test_b13_a_lone_surrogate_is_compared_and_shown_escaped(arena):
    """Strict encoders elsewhere lose the whole run to one such string."""
    main = 'input(); print(\'{"id": 0, "value": "\\\\ud800"}\', flush=True); input()'
    main = main.replace("; input()", "\ntry: input()\nexcept EOFError: pass")
    differs = arena.play(main, echoes("x"))
    assert differs.failure.kind is K.WRONG_RESPONSE
    assert "\\ud800" in differs.scenarios[0].evidence.received
    same = Session(requests=({"id": 0},), expected=({"id": 0, "value": "\ud800"},))
    assert arena.play(main, same).outcome is Outcome.RESOLVED
    raw = "import os\ninput(); os.write(1, b'\"\\xed\\xa0\\x80\"\\n')"
    invalid = arena.play(raw, echoes("x"))
    assert invalid.failure.kind is K.PROTOCOL_VIOLATION
    assert "invalid UTF-8" in invalid.failure.reason


def test_b14_a_byte_order_mark_is_a_violation_that_is_named(arena):
    """CPython takes it as bytes and refuses it as text, so chance would decide."""
    main = (
        "import sys\ninput(); sys.stdout.buffer.write(b'\\xef\\xbb\\xbf{}\\n'); sys.stdout.flush()"
    )
    judgement = arena.play(main, echoes("x"))
    assert judgement.failure.kind is K.PROTOCOL_VIOLATION
    assert "byte-order mark" in judgement.failure.reason


def test_a_durable_session_ends_with_a_kill_and_keeps_its_state(arena, echo):
    """In the max tier what follows the last answer is not judged, and only state outlives it."""
    main = """
        import json, os, sys, time
        state = os.path.join(sys.argv[sys.argv.index("--state-dir") + 1], "n")
        here = os.path.exists("here") or os.path.exists(os.path.join(os.environ["HOME"], "here"))
        open("here", "w"); open(os.path.join(os.environ["TMPDIR"], "here"), "w")
        for line in sys.stdin:
            n = int(open(state).read()) if os.path.exists(state) else 0
            with open(state, "w") as file: file.write(str(n + 1))
            print(json.dumps({"n": n, "here": here}), flush=True)
            print("not judged when it is the last", end="") if n == 1 else None
        time.sleep(60)
    """
    first = Session(requests=({}, {}), expected=({"n": 0, "here": False}, {"n": 1, "here": False}))
    second = Session(requests=({},), expected=({"n": 2, "here": False},))
    judgement = arena.play(main, first, second, durable=True)
    assert judgement.outcome is Outcome.RESOLVED, judgement.failure


def test_a_scenario_starts_with_an_empty_state_directory(arena):
    """Nothing but the sessions of one scenario share state."""
    main = """
        import json, os, sys
        state = sys.argv[sys.argv.index("--state-dir") + 1]
        for line in sys.stdin:
            seen, absolute = os.listdir(state), os.path.isabs(state)
            print(json.dumps({"seen": seen, "absolute": absolute}), flush=True)
            open(os.path.join(state, "x"), "w").close()
    """
    one = Session(requests=({},), expected=({"seen": [], "absolute": True},))
    scenarios = [Scenario(name=name, sessions=(one,)) for name in ("a", "b")]
    judgement = arena.play(main, scenarios=scenarios, durable=True)
    assert judgement.outcome is Outcome.RESOLVED, judgement.failure


def test_the_candidate_sees_a_clean_environment_and_the_plain_flags(arena, monkeypatch):
    """No inherited variable, credential or interpreter flag reaches a candidate."""
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    main = """
        import json, os, sys
        input()
        print(json.dumps({
            "env": sorted(os.environ), "path": os.environ["PATH"], "lang": os.environ["LANG"],
            "home": os.listdir(os.environ["HOME"]), "argv": sys.argv, "orig": sys.orig_argv[1:],
            "first": sys.path[0] == os.getcwd(),
            "site": any("site-packages" in entry for entry in sys.path), "kcb": os.listdir(".."),
        }), flush=True)
    """
    expected = {
        "env": ["HOME", "LANG", "PATH", "TMPDIR"], "path": "/usr/bin:/bin", "lang": "C.UTF-8",
        "home": [], "argv": ["main.py"], "orig": ["-E", "-s", "-S", "main.py"], "first": True,
        "site": False, "kcb": ["home", "project", "state"],
    }  # fmt: skip
    expected["kcb"] = sorted(expected["kcb"])
    one = Session(requests=({},), expected=(expected,))
    judgement = arena.play(main.replace('os.listdir("..")', 'sorted(os.listdir(".."))'), one)
    assert judgement.outcome is Outcome.RESOLVED, judgement.failure


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_memory_and_process_hogs_hit_their_limit(arena):
    """The plain launcher looks now and then; a hog that stays is caught and named."""
    hog = "import time\nblock = bytearray(1200 << 20)\ntime.sleep(8)"
    judgement = arena.play(hog, echoes("x"))
    assert judgement.failure.kind is K.RESOURCE_LIMIT
    assert "MiB of resident memory" in judgement.failure.reason
    crowd = (
        "import threading, time\n"
        "for _ in range(100): threading.Thread(target=time.sleep, args=(8,), daemon=True).start()\n"
        "time.sleep(8)"
    )
    judgement = arena.play(crowd, echoes("x"))
    assert judgement.failure.kind is K.RESOURCE_LIMIT
    assert "64 allowed" in judgement.failure.reason


def test_file_size_and_open_files_are_limited(arena):
    """A candidate that writes a huge file gets an error of its own, not a full disk of ours."""
    main = """
        import json, os
        input()
        answer = {}
        try:
            with open("big", "wb") as file: file.truncate(65 << 20)
        except OSError as error: answer["file"] = error.errno
        try: keep = [open("/dev/null") for _ in range(300)]
        except OSError as error: answer["files"] = error.errno
        print(json.dumps(answer), flush=True)
    """
    one = Session(requests=({},), expected=({"file": 27, "files": 24},))
    assert arena.play(main, one).outcome is Outcome.RESOLVED


def test_the_evidence_holds_the_first_wrong_response_and_what_led_to_it(arena):
    """A user should see at once what was asked, answered and expected."""
    main = """
        import json, sys
        for line in sys.stdin:
            request = json.loads(line)
            value = request["value"] if request["id"] < 12 else "wrong" * 2000
            print(json.dumps({"id": request["id"], "value": value}), flush=True)
    """
    evidence = arena.play(main, echoes(*range(15))).scenarios[0].evidence
    assert (evidence.session, evidence.request_index) == (0, 12)
    assert evidence.request == '{"id":12,"value":12}'
    assert evidence.expected == '{"id":12,"value":12}'
    assert len(evidence.received.encode()) == 4096
    assert evidence.difference.startswith("$.value: expected 12")
    assert [e.request for e in evidence.before] == [
        f'{{"id":{n},"value":{n}}}' for n in range(2, 12)
    ]


def test_no_answers_leaves_requests_and_responses_out(arena):
    """Reports that are shared with an agent's author must not hold answers."""
    arena.bench = type(arena.bench)(
        launcher=arena.bench.launcher, cancel=arena.bench.cancel, keep_answers=False
    )
    judgement = arena.play("input(); print('{}', flush=True)", echoes("x"))
    assert judgement.failure.kind is K.WRONG_RESPONSE
    assert judgement.scenarios[0].evidence is None
