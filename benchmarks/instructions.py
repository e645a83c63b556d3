"""Instructions that the evaluator itself executes for one session, counted by callgrind.

It needs valgrind; candidates run outside of it. The count of a short run is taken from that of a
longer one, so that start-up does not count. A valgrind that does not know ``pidfd_open`` (3.19 and
older) makes the unconfined launcher look for an exit now and then, which is counted with it. Run it
with ``python benchmarks/instructions.py``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from programs import minimal, task

from kcb_runner.cancel import Cancel
from kcb_runner.judging import Bench, judge
from kcb_runner.launch.forkserver import ForkserverLauncher
from kcb_runner.launch.interpreter import InterpreterLauncher

FEW, MANY = 10, 60
LIMIT_S = 600
LAUNCHERS = {
    "interpreter-none": lambda: InterpreterLauncher("none"),
    "interpreter-full": lambda: InterpreterLauncher("full"),
    "forkserver-full": lambda: ForkserverLauncher("full"),
}


def play(name: str, sessions: int) -> None:
    """Judge the minimal program by so many sessions."""
    cancel = Cancel()
    with LAUNCHERS[name]() as launcher:
        judgement = judge(task(sessions), minimal(), Bench(launcher=launcher, cancel=cancel))
    cancel.close()
    if judgement.outcome != "resolved":
        sys.exit(f"{name}: {judgement.failure or judgement.void}")


def counted(name: str, sessions: int) -> int:
    """Instructions of an evaluator that plays so many sessions."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *("valgrind", "--tool=callgrind", "--trace-children=no", "--error-limit=no"),
            *(f"--callgrind-out-file={folder}/out", sys.executable, __file__, name, str(sessions)),
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=LIMIT_S)
        text = Path(folder, "out").read_text(encoding="utf-8", errors="replace")
    (total,) = re.findall(r"^(?:summary|totals): (\d+)", text, re.M)[:1]
    return int(total)


def main() -> None:
    """Print a line for each launcher."""
    if len(sys.argv) == 3:
        play(sys.argv[1], int(sys.argv[2]))
        return
    if not shutil.which("valgrind"):
        sys.exit("valgrind is needed; on Debian: apt-get install valgrind")
    for name in LAUNCHERS:
        each = (counted(name, MANY) - counted(name, FEW)) / (MANY - FEW)
        sys.stdout.write(f"{name}: {each / 1e6:.2f} million instructions a session\n")


if __name__ == "__main__":
    main()
