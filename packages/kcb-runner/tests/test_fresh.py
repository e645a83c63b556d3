"""A forked session looks like a new interpreter, but for what the page on launchers lists."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from kcb_core.errors import MachineError
from kcb_core.report import Outcome
from kcb_core.task import Scenario, Session
from kcb_runner.judging import CHECKED_PASSES, Bench, judge
from kcb_runner.launch.forkserver import PRELOADED, ForkserverLauncher
from kcb_runner.snapshot import take

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "docs/explanation/launchers.md"

spec = spec_from_file_location("kcb_fresh_attempt", HERE / "escapes/attempt.py")
assert spec
assert spec.loader
attempt = module_from_spec(spec)
spec.loader.exec_module(attempt)


def allowed() -> set[str]:
    """The differences that the page lists."""
    section = PAGE.read_text().partition("## What a forked session can see of it")[2]
    rows = re.findall(r"^\| ([^|]+?) \| [^|]+ \|$", section.partition("\n## ")[0], re.M)
    return set(rows) - {"what", "---"}


@pytest.fixture(params=["full", "basic", "none"])
def launcher(request: pytest.FixtureRequest) -> Iterator[ForkserverLauncher]:
    """The launcher that forks, at one level."""
    with ForkserverLauncher(request.param) as made:
        try:
            made.confinement()
        except MachineError as error:
            pytest.skip(str(error))
        yield made


def test_a_forked_session_differs_in_what_the_page_lists_and_in_nothing_else(
    launcher: ForkserverLauncher,
) -> None:
    """Whatever else a program saw could make it behave in another way than for its author."""
    probe = (HERE / "fresh/probe.py").read_bytes()
    with launcher.slot() as slot:
        new, again, forked, sibling = (
            json.loads(attempt.converse(slot, probe, "go", fresh=fresh))
            for fresh in (True, True, False, False)
        )
    assert list(new) == list(forked)
    assert allowed() <= set(new), "the page lists what nobody looks at"
    assert {name for name in new if new[name] != again[name]} == {"hash of a text"}
    for found in (forked, sibling):
        assert {name for name in new if new[name] != found[name]} <= allowed()
    assert set(new["loaded modules"]) < set(forked["loaded modules"])
    assert not {"reaper", "serve", "confine", "candidate"} & set(forked["loaded modules"])


def test_new_interpreters_and_forks_end_alike(launcher: ForkserverLauncher) -> None:
    """Exit status, exit handlers and threads that run on are part of how a program ends."""
    endings = {
        "import sys; sys.exit(3)": 3,
        "1 / 0": 1,
        "raise SystemExit('word')": 1,
        "import os; os._exit(4)": 4,
        "import os; os.kill(os.getpid(), 15)": -15,
        "import os, signal; os.kill(os.getpid(), signal.SIGINT)": -2,
        "import atexit, os; atexit.register(os._exit, 5)": 5,
        "import os, threading; threading.Timer(0.05, os._exit, (6,)).start()": 6,
        "import signal; signal.raise_signal(signal.SIGPIPE)": 0,
    }
    with launcher.slot() as slot:
        for program, expected in endings.items():
            for fresh in (True, False):
                assert status(slot, program, fresh=fresh) == expected, (program, fresh)


def status(slot: Any, program: str, *, fresh: bool) -> int:
    """How a program ends."""
    submission = attempt.Submission(
        files=(attempt.SubmittedFile("main.py", program.encode(), False),)
    )
    with attempt.Scratch(submission, slot).place() as place:
        process = slot.launch(
            attempt.LaunchRequest(
                argv=(attempt.interpreter(), "-E", "-s", "-S", "main.py"),
                cwd=place.project,
                environment=attempt.clean_environment(home=place.home, scratch=place.home),
                fresh=fresh,
            )
        )
        try:
            assert attempt.select.select([process.exit_fd], [], [], 20)[0]
            found = process.poll()
            assert found is not None
            return int(found)
        finally:
            process.stop()


LOADED = """
import sys
loaded = "decimal" in sys.modules
import json
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "loaded": loaded}), flush=True)
"""


def test_a_program_with_a_module_of_its_own_is_started_fresh(
    launcher: ForkserverLauncher, arena: Any
) -> None:
    """Its import has to find its own file, and not what was loaded before it came."""
    arena.bench = attempt_bench(arena, launcher)
    for names, loaded in (((), True), (("csv.py",), False), (("zlib.so",), False)):
        project = arena.project(LOADED)
        for name in names:
            (project / name).write_text("raise ImportError")
        session = Session(requests=({"id": 1},), expected=({"id": 1, "loaded": loaded},))
        judgement = arena.judge(project, arena.task(session))
        assert judgement.outcome is Outcome.RESOLVED, (names, judgement)
        assert len(judgement.scenarios[0].plays) == 1


def test_a_sample_of_what_passes_is_played_with_new_interpreters(
    launcher: ForkserverLauncher, arena: Any
) -> None:
    """A program that passes by what is loaded already must be found out now and then, and told."""
    arena.bench = attempt_bench(arena, launcher)
    session = Session(requests=({"id": 1},), expected=({"id": 1, "loaded": True},))
    scenarios = [Scenario(name=f"s{n}", sessions=(session,)) for n in range(3 * CHECKED_PASSES)]
    task = arena.task(scenarios=scenarios)
    project = arena.project(LOADED)
    judgement, again = arena.judge(project, task), arena.judge(project, task)
    failed = [found.name for found in judgement.scenarios if found.failure]
    assert 0 < len(failed) < len(scenarios) / 4
    assert judgement.outcome is Outcome.FAILED
    assert [len(found.plays) for found in judgement.scenarios if found.failure] == [2] * len(failed)
    assert [found.name for found in again.scenarios if found.failure] == failed
    assert all(note.startswith(f"scenario {failed[0]} passed in") for note in judgement.notes[:1])
    assert len(judgement.notes) == len(failed)
    training = judge(task, take(project), arena.bench, until_failure=True)
    assert training.outcome is Outcome.RESOLVED


HASHES = """
import json, os, sys
path = os.path.join(sys.argv[sys.argv.index("--state-dir") + 1], "hashes")
for line in sys.stdin:
    before = open(path).read().split() if os.path.exists(path) else []
    mine = str(hash("a"))
    with open(path, "w") as file:
        file.write(" ".join([*before, mine]))
    answer = {"id": json.loads(line)["id"], "before": len(before), "shared": mine in before}
    print(json.dumps(answer), flush=True)
"""


def test_no_two_sessions_of_a_scenario_share_a_hash_seed(
    launcher: ForkserverLauncher, arena: Any
) -> None:
    """A program that stores a hash must lose by it, however its sessions are started."""
    arena.bench = attempt_bench(arena, launcher)
    sessions = tuple(
        Session(requests=({"id": n},), expected=({"id": n, "before": n, "shared": False},))
        for n in range(4)
    )
    scenarios = [Scenario(name=f"s{n}", sessions=sessions) for n in range(3)]
    judgement = arena.play(HASHES, scenarios=scenarios, durable=True)
    assert judgement.outcome is Outcome.RESOLVED, judgement
    assert not any(scenario.plays[0].failure for scenario in judgement.scenarios)


def attempt_bench(arena: Any, launcher: ForkserverLauncher) -> Any:
    """The arena's bench with another launcher."""
    return Bench(launcher=launcher, cancel=arena.bench.cancel)


def test_what_is_loaded_beforehand_is_there_in_every_python() -> None:
    """A name that a later version drops would keep the launcher from starting at all."""
    assert {name.partition(".")[0] for name in PRELOADED} <= sys.stdlib_module_names
