"""Runs a program that ends with whoever started it, in order if it can::

    python -P -m kcb_experiments.harbor.leash GRACE_S PROGRAM [WORD]...

When standard input is at its end, the program is asked to end, for it to remove its containers.
What has not done so by then is killed, with all that it has started.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Event, Thread

from kcb_experiments.engine.descendants import descendants, kill_known


def main(words: Sequence[str]) -> int:
    """Run the program; its exit status, negative for a signal."""
    program = subprocess.Popen(words[1:], stdin=subprocess.DEVNULL)
    let_go = Event()
    holder = Thread(target=_hold, args=(program, float(words[0]), let_go), daemon=True)
    holder.start()
    status = program.wait()
    if let_go.is_set():
        holder.join()
    return status


def _hold(program: subprocess.Popen[bytes], grace_s: float, let_go: Event) -> None:
    """Wait for the end of standard input, and end the program."""
    while os.read(0, 1 << 12):
        pass
    let_go.set()
    below = descendants(program.pid)
    program.terminate()
    with suppress(subprocess.TimeoutExpired):
        program.wait(grace_s)
    below += descendants(program.pid)
    program.kill()
    kill_known(below)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
