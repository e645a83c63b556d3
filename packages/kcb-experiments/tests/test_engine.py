"""Real runs: real workers, a real server on loopback, real judging; and everything that goes wrong.

One agent of kcb-agents is the subject, since a worker loads only what is installed.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.testing.scripted_answer import Said
from kcb_experiments.attempts import Attempts
from kcb_experiments.log import read_log
from kcb_experiments.records import Phase, Status

pytestmark = pytest.mark.workspace

KEY = "sk-planted-0123456789"


def wait_until(there: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for something that must happen."""
    until = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_cancels_what_runs_and_the_same_command_goes_on(lab: Any, number: int) -> None:
    """Nothing new starts, children are gone, records are written, 130 within 10 s."""
    lab.provider.usual = Said(manner="mute")
    lab.spec("ab", tasks=3, groups=2)
    process = lab.start()
    wait_until(lambda: len(lab.provider.requests) == 4)
    begun = time.monotonic()
    process.send_signal(number)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130, err
    assert time.monotonic() - begun < 10
    assert lab.statuses() == ["void cancelled"] * 4
    assert [attempt.requests for attempt in lab.attempts()] == [1] * 4
    assert "to go on: klein-bench experiment run" in err
    wait_until(lambda: lab.workers() == [], 10)
    lab.provider.usual = Said(content=lab.good)
    lab.run()
    assert lab.statuses()[4:] == ["completed"] * 6
    assert len(lab.provider.requests) == 10


def test_a_second_signal_ends_at_once_and_the_log_can_be_read(lab: Any) -> None:
    """Whoever presses Ctrl-C twice is not kept waiting by anything."""
    lab.provider.usual = Said(manner="mute")
    lab.spec("ab", tasks=3, groups=2)
    process = lab.start()
    wait_until(lambda: len(lab.provider.requests) == 4)
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - begun < 2
    assert all(attempt.status is Status.VOID for attempt in lab.attempts())
    wait_until(lambda: lab.workers() == [], 10)


def test_workers_die_with_a_run_that_is_killed(lab: Any) -> None:
    """Whatever the run was killed by, no subject goes on asking, and paying, without it."""
    lab.provider.usual = Said(manner="mute")
    lab.spec("ab")
    process = lab.start()
    wait_until(lambda: len(lab.provider.requests) == 2)
    process.kill()
    process.communicate(timeout=20)
    wait_until(lambda: lab.workers() == [], 10)
    assert lab.statuses() == ["void interrupted"] * 2


def test_a_subject_is_cut_off_when_its_time_is_up(lab: Any) -> None:
    """A timeout is the subject's failure, its verdict stands, and it is billed in full."""
    lab.provider.usual = Said(manner="mute")
    lab.spec(seconds=3.0)
    lab.run()
    (attempt,) = lab.attempts()
    assert (attempt.status, attempt.score) == (Status.SUBJECT_FAILED, 0.0)
    assert attempt.end is not None
    assert attempt.end.reason == "cut off after 3 s"
    assert attempt.charged.tokens == 20_000
    assert lab.workers() == []


def test_a_subject_that_has_used_its_tokens_up_asks_no_more(lab: Any) -> None:
    """A cap on the budget is kept by bounds, and a bound by the agent: it reckons each request."""
    lab.provider.usual = Said(content='{"command": "true", "done": false}')
    lab.spec(seconds=100.0)
    path = lab.folder / "spec.toml"
    path.write_text(path.read_text().replace("one-shot", "action-loop"))
    lab.run()
    (attempt,) = lab.attempts()
    assert (attempt.status, attempt.score) == (Status.SUBJECT_FAILED, 0.0)
    assert attempt.end is not None
    assert "its 20000 tokens leave no room for another request" in attempt.end.reason
    assert 10_000 < attempt.charged.tokens <= 20_000
    assert all(body["max_tokens"] < 20_000 for body in lab.provider.requests)


def test_a_reply_is_limited_to_what_its_bound_leaves(lab: Any) -> None:
    """So that not even the only request of an attempt goes beyond it."""
    lab.spec()
    lab.run()
    (body,) = lab.provider.requests
    (prompt,) = (message["content"] for message in body["messages"])
    assert 10_000 < body["max_tokens"] < 20_000 - len(prompt)


def test_bounds_that_the_prompt_alone_goes_beyond_are_refused(lab: Any) -> None:
    """A subject that could never ask anything is no subject."""
    lab.spec()
    path = lab.folder / "spec.toml"
    path.write_text(path.read_text().replace("tokens = 20_000", "tokens = 10"))
    assert "its bounds allow 10 tokens" in lab.run(status=2)
    assert lab.attempts() == []


def test_what_nothing_has_begun_of_may_still_be_changed(lab: Any) -> None:
    """A slip that the preflight sees needs no other folder; a first attempt freezes all of it."""
    lab.spec(executor="colour = 1")
    lab.run(status=2)
    lab.spec()
    lab.run()
    path = lab.folder / "spec.toml"
    path.write_text(path.read_text().replace("tokens = 20_000", "tokens = 30_000"))
    assert "subjects 'a'.bounds.tokens: 20000 → 30000" in lab.run(status=2)
    assert lab.statuses() == ["completed"]


def test_what_an_endpoint_refused_costs_nothing(lab: Any) -> None:
    """A wrong key uses nothing up, so that the right one finds the whole budget."""
    lab.provider.fails(401)
    lab.spec(budget="tokens = 20_000")
    lab.run(status=3)
    assert lab.statuses() == ["void infrastructure"]
    assert read_log(lab.out).attempts.charged.tokens == 0
    lab.run("--retry", "void")
    assert lab.statuses()[1:] == ["completed"]


@pytest.mark.parametrize("status", [0, 401, 404])
def test_an_endpoint_that_answers_nobody_is_seen_before_the_first_cell(
    lab: Any, status: int
) -> None:
    """One line says what is wrong, in the place of one void cell after the other."""
    lab.spec(executor="")
    lab.provider.refuses = status
    spec = lab.folder / "spec.toml"
    if not status:
        spec.write_text(spec.read_text().replace(lab.provider.url, "http://127.0.0.1:1/v1"))
    said = lab.run(status=2)
    assert "nothing was started: subject 'a': http://127.0.0.1:" in said
    assert (f"HTTP {status}" if status else "is the server running?") in said
    assert lab.attempts() == []


def test_an_endpoint_that_is_only_busy_hinders_no_start(lab: Any) -> None:
    """Whoever puts us off now may answer later; that it could not be tried out is said."""
    lab.spec(executor="")
    lab.provider.refuses = 503
    assert "it could not be seen whether long prompts are seen whole" in lab.run(status=3)
    assert lab.statuses() == ["void infrastructure"]


def test_a_worker_that_was_killed_after_it_asked_has_failed(lab: Any) -> None:
    """With model work admitted, a dead subject is a failure and no reason to try again."""
    lab.provider.usual = Said(manner="mute")
    lab.spec()
    process = lab.start()
    wait_until(lambda: len(lab.provider.requests) == 1)
    (worker,) = lab.workers()
    os.kill(worker, signal.SIGKILL)
    process.communicate(timeout=60)
    (attempt,) = lab.attempts()
    assert (attempt.status, attempt.score) == (Status.SUBJECT_FAILED, 0.0)
    assert attempt.end is not None
    assert "signal 9" in attempt.end.reason


def test_the_advice_of_run_is_an_option_of_run(lab: Any) -> None:
    """There the switch takes no word, and who copies the line must not be refused."""
    lab.spec()
    lab.provider.fails(401)
    at = ("--dataset", str(lab.folder / "data"), "--out", str(lab.out))
    asked = ("--base-url", lab.provider.url, "--model", "m", "--no-preflight", "--subset", "easy")
    words = [str(Path(sys.executable).with_name("klein-bench")), "run", *asked, *at]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 3
    (advice,) = [line for line in done.stderr.splitlines() if "try again" in line]
    assert advice == "1 cell is void; try again with --retry"
    words += advice.rpartition(" with ")[2].split()
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert lab.statuses() == ["void infrastructure", "completed"]


def test_a_void_cell_is_tried_again_only_on_request(lab: Any) -> None:
    """An endpoint that fails is no zero, and no endless loop either."""
    lab.spec(tasks=2)
    lab.provider.fails(500)
    said = lab.run(status=3)
    assert lab.statuses() == ["void infrastructure", "completed"]
    assert "--retry void" in said
    lab.run(status=3)
    assert len(lab.attempts()) == 2
    lab.run("--cell", "toy-easy-002-t/r0/a", status=2)
    lab.run("--cell", "toy-easy-001-t/r0/a")
    assert lab.statuses() == ["void infrastructure", "completed", "completed"]
    assert lab.attempts()[2].start.why == "--cell"


def test_the_budget_is_never_overdrawn(lab: Any) -> None:
    """What has no room is recorded so, at no cost, and what is spent stays under the cap."""
    lab.provider.counts = False  # no usage ever arrives: each reservation stays charged in full
    lab.spec("ab", tasks=2, groups=2, budget="tokens = 70_000")
    lab.run(status=3)
    assert sorted(lab.statuses()) == ["budget_exhausted", *["completed"] * 3]
    assert read_log(lab.out).attempts.charged.tokens == 60_000


def test_sixteen_cells_at_once_never_exceed_a_cap(lab: Any) -> None:
    """After every record of the log, what is reserved and what was spent fit under it together."""
    usage = {"prompt": 12_000, "completion": 6_000}
    lab.provider.usual = Said(content=lab.good, usage=usage, pause_s=0.4)
    lab.spec("abcd", tasks=8, groups=4, budget="tokens = 410_000")
    lab.run(status=3)
    attempts = Attempts()
    most_at_once = 0
    for record in read_log(lab.out).records:
        attempts.add(record)
        running = [attempt for attempt in attempts if attempt.end is None]
        most_at_once = max(most_at_once, len(running))
        assert attempts.charged.tokens <= 410_000
    assert most_at_once == 16
    assert Counter(lab.statuses()) == {"completed": 22, "budget_exhausted": 10}
    exhausted = next(a for a in attempts if a.status is Status.BUDGET_EXHAUSTED)
    assert exhausted.end is not None
    assert exhausted.end.reason.endswith("tokens: 20,000 may be needed, and 14,000 left")
    assert attempts.charged.tokens == 18_000 * len(lab.provider.requests) == 396_000


def test_arms_start_together_and_those_of_one_slot_one_after_the_other(lab: Any) -> None:
    """No arm may meet another hour of the endpoint, unless the machine holds only one."""
    lab.provider.usual = Said(content=lab.good, pause_s=0.5)
    lab.spec("abc")
    lab.run()
    assert lab.provider.most_at_once >= 2
    starts = [attempt.start.clock_s for attempt in lab.attempts()]
    ends = [attempt.end.clock_s for attempt in lab.attempts() if attempt.end]
    assert max(starts) < min(ends)
    other = type(lab)(lab.folder / "slots", lab.provider)
    (other.folder / "run").mkdir(parents=True)
    lab.provider.most_at_once, lab.provider.usual = 0, Said(content=lab.good, pause_s=0.1)
    other.spec("abc", more='slot = "laptop"')
    other.run()
    assert lab.provider.most_at_once == 1
    waited = [attempt.end.waited_s for attempt in other.attempts() if attempt.end]
    assert sorted(waited)[2] > max(0.5, sorted(waited)[0])


def test_a_key_reaches_its_subject_and_no_file(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The declared variable arrives, and is in nothing that is kept."""
    monkeypatch.setenv("LAB_KEY", KEY)
    lab.provider.usual = Said(content=f"{lab.good}\nYour key is {KEY}.\n")
    lab.spec(settings=', api_key_env = "LAB_KEY"', more='credentials = ["LAB_KEY"]')
    said = lab.run()
    assert lab.provider.headers[0]["Authorization"] == f"Bearer {KEY}"
    kept = b"".join(path.read_bytes() for path in lab.out.rglob("*") if path.is_file())
    assert KEY.encode() not in kept
    assert KEY not in said


def test_a_variable_that_is_not_declared_does_not_reach_a_subject(lab: Any) -> None:
    """Whoever forgets to declare a key is told so before anything starts."""
    lab.spec(settings=', api_key_env = "LAB_KEY"')
    said = lab.run(status=2, LAB_KEY=KEY)
    assert "subject 'a': 'settings.api_key_env' names the variable LAB_KEY" in said
    assert not lab.out.exists()
    lab.spec(more='credentials = ["LAB_KEY"]')
    said = lab.run(status=2, LAB_KEY=KEY)
    assert 'set settings.api_key_env = "LAB_KEY"' in said
    assert (lab.out.exists(), lab.provider.requests) == (False, [])


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        pytest.param(
            {"more": 'credentials = ["NOT_SET"]', "settings": ', api_key_env = "NOT_SET"'},
            "a needs the variable NOT_SET",
            id="key",
        ),
        pytest.param({"top": 'version = "0.0.9"'}, "the spec asks for 0.0.9", id="version"),
        pytest.param({"executor": "colour = 1"}, "colour", id="setting"),
    ],
)
def test_what_is_missing_is_named_and_nothing_starts(
    lab: Any, more: dict[str, str], wanted: str
) -> None:
    """Every prerequisite is seen before the first trial, and costs nothing."""
    lab.spec(**more)  # type: ignore[arg-type]
    assert wanted in lab.run(status=2)
    assert lab.attempts() == []
    assert lab.provider.requests == []


def test_an_endpoint_that_cuts_prompts_is_seen_before_the_first_cell(lab: Any) -> None:
    """A context too small for the task would make every arm fail, for no fault of its own."""
    lab.provider.context = 50
    lab.spec(executor="check_endpoints = true")
    assert "subject 'a'" in lab.run(status=2)
    assert lab.attempts() == []


def test_a_signal_ends_a_preflight_too(lab: Any) -> None:
    """The first question of all may be the one that is never answered."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        lab.provider.url = f"http://127.0.0.1:{mute.getsockname()[1]}/v1"
        lab.spec(executor="check_endpoints = true")
        process = lab.start()
        mute.settimeout(60)
        connection, _ = mute.accept()
        with connection:
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=10)
    assert process.returncode == 130, err
    assert lab.attempts() == []


def test_every_file_of_an_attempt_is_recorded_with_its_digest(lab: Any) -> None:
    """What is published can be held against what was run."""
    lab.spec()
    lab.run()
    (attempt,) = lab.attempts()
    assert attempt.end is not None
    names = {artifact.path.rpartition("/")[2] for artifact in attempt.end.artifacts}
    assert {"transcript.jsonl", "generation.json", "report.json"} <= names
    report = next(a for a in attempt.end.artifacts if a.path.endswith("report.json"))
    found = json.loads((lab.out / report.path).read_text())
    assert (found["subject"], found["outcome"], found["repetition"]) == ("a", "resolved", 0)
    assert found["run_record"]["model_name"] == "m"
    assert (lab.out / report.path).stat().st_size == report.size


SLOW = """\
### main.py
```python
import json, sys, time

time.sleep(2)
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "ok": True}), flush=True)
```
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_run_that_ended_while_it_judged_asks_nobody_again(lab: Any, number: int) -> None:
    """What was generated, and paid, is judged by the next run as if nothing had been."""
    lab.provider.usual = Said(content=SLOW)
    price = "price = { input = 1.0, output = 1.0 }"
    lab.spec("ab", tasks=1, more=price, budget="dollars = 1.0")
    process = lab.start()
    wait_until(lambda: [a.phase for a in lab.logged()] == [Phase.JUDGING] * 2)
    process.send_signal(number)
    process.communicate(timeout=30)
    assert lab.statuses() == ["void interrupted"] * 2
    before = lab.attempts()
    paid = [attempt.charged for attempt in before]
    assert all(0 < amount.dollars < 0.001 for amount in paid), "not what was reserved"
    wait_until(lambda: lab.workers() == [], 10)
    said = lab.run()
    assert "2 of 2 cells have a valid attempt" in said
    after = lab.attempts()
    assert [(a.status, a.score, a.start) for a in after] == [
        (Status.COMPLETED, 1.0, attempt.start) for attempt in before
    ]
    assert [attempt.charged for attempt in after] == paid
    assert [attempt.end.usage for attempt in after] == [a.generated.usage for a in before]
    assert all((lab.out / file.path).exists() for a in after for file in a.end.artifacts)
    assert len(lab.provider.requests) == 2
    assert "2 of 2" in lab.run(), "there is nothing left to be done"
    assert len(lab.provider.requests) == 2


def test_what_waits_for_its_verdict_needs_no_budget(lab: Any) -> None:
    """The cap has no room for another attempt, and a verdict costs nothing."""
    lab.provider.usual = Said(content=SLOW)
    lab.spec(budget="tokens = 20_000")
    process = lab.start()
    wait_until(lambda: [a.phase for a in lab.logged()] == [Phase.JUDGING])
    process.kill()
    process.communicate(timeout=30)
    lab.run()
    assert lab.statuses() == ["completed"]
