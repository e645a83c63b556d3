"""Whether verdicts hold still on a machine that is far too busy.

Forty deterministic projects are judged again and again while eight other processes keep the CPUs
busy, under every launcher that works here. A single verdict that changes is a failure. Run it with
``nox -s steady``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import msgspec
from programs import task

from kcb_core.report import Outcome
from kcb_core.submission import Submission, SubmittedFile
from kcb_core.task import Task
from kcb_runner.cancel import Cancel
from kcb_runner.judging import Bench, Judgement, judge
from kcb_runner.launch.forkserver import ForkserverLauncher
from kcb_runner.launch.interpreter import InterpreterLauncher

BUSY = 8
JOBS = 2
SCENARIOS = 3

_ECHO = """
import json
import sys
import time

for number, line in enumerate(sys.stdin.buffer):
    request = json.loads(line)
    response = {{"id": request["id"], "value": request["value"]}}
    {before}
    print(json.dumps(response), flush=True)
{after}
"""

Verdict = tuple[str, str, int]


def projects() -> dict[str, Submission]:
    """Forty projects whose verdict hangs on nothing but themselves."""
    made: dict[str, str] = {}
    for place in range(10):
        made[f"wrong at {place}"] = _echo(f"response['value'] = 0 if number == {place} else 1")
        made[f"ends at {place}"] = _echo(f"if number == {place}: sys.exit({place % 3})")
    for tenths in range(6):
        busy = f"if number == 0: spent = time.process_time() + {tenths / 15}"
        made[f"{tenths / 15:.2f} s of CPU"] = _echo(
            f"{busy}\n    while time.process_time() < spent: pass"
        )
    for lines in range(4):
        made[f"{lines} lines too many"] = _echo("pass", f"print('x\\n' * {lines}, end='')")
        made[f"leaves with {lines}"] = _echo("pass", f"sys.exit({lines})")
    for place in (0, 3, 9):
        made[f"hangs at {place}"] = _echo(f"while number == {place}: pass")
        made[f"sleeps at {place}"] = _echo(f"time.sleep(60 * (number == {place}))")
    return {
        name: Submission(files=(SubmittedFile("main.py", text.encode()),))
        for name, text in made.items()
    }


def _echo(before: str, after: str = "") -> str:
    return _ECHO.format(before=before, after=after)


@contextmanager
def busy_machine() -> Iterator[None]:
    """Other processes that want all of the CPUs, for the time of a block."""
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    try:
        yield
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


def verdict(judgement: Judgement) -> Verdict:
    """What must not change."""
    kind = judgement.failure.kind.value if judgement.failure else ""
    return judgement.outcome.value, kind, judgement.passed


def judged(name: str, submission: Submission, bench: Bench, played: Task) -> Verdict:
    """The verdict on a project; those that hang have a second, and others ten."""
    hangs = name.startswith(("hangs", "sleeps"))
    limit_s = 1.0 if hangs else played.timeout_seconds
    return verdict(
        judge(msgspec.structs.replace(played, timeout_seconds=limit_s), submission, bench)
    )


def main() -> None:
    """Print what was seen; status 1 if a verdict changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20)
    repeats = parser.parse_args().repeats
    seen: dict[str, set[Verdict]] = defaultdict(set)
    played, known = task(SCENARIOS), projects()
    started = time.monotonic()
    with ExitStack() as stack:
        cancel = Cancel()
        stack.callback(cancel.close)
        launchers = [stack.enter_context(InterpreterLauncher())]
        launchers.append(stack.enter_context(ForkserverLauncher()))
        stack.enter_context(busy_machine())
        for launcher in launchers:
            bench = Bench(launcher=launcher, cancel=cancel)
            for _ in range(repeats):
                with ThreadPoolExecutor(JOBS) as pool:
                    work = pool.map(
                        lambda one, b=bench: (one[0], judged(*one, b, played)), known.items()
                    )
                    for name, said in work:
                        seen[name].add(said)
    flips = {name: said for name, said in seen.items() if len(said) > 1}
    resolved = sum(any(v[0] == Outcome.RESOLVED for v in said) for said in seen.values())
    for name, said in flips.items():
        sys.stdout.write(f"{name}: {sorted(said)}\n")
    sys.stdout.write(
        f"{len(seen)} projects ({resolved} resolved), {repeats} times under {len(launchers)} "
        f"launchers beside {BUSY} busy processes: {len(flips)} verdicts changed; "
        f"{time.monotonic() - started:.0f} s\n"
    )
    sys.exit(1 if flips else 0)


if __name__ == "__main__":
    main()
