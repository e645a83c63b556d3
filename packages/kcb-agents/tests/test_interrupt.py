"""Ctrl-C and SIGTERM, in a process of their own."""

import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from kcb_agents.interrupt import Interrupts

FIRST = "toy-easy-001-echo"
SECOND = "toy-easy-002-add"
PROGRAM = "from kcb_core.cli import main; main()"


def start(bench: Any) -> "subprocess.Popen[str]":
    """``klein-bench generate`` for both tasks, as a user would start it."""
    words = ["generate", FIRST, SECOND, "--base-url", bench.script.url, "--model", "m"]
    words += ["--output", str(bench.output), "--dataset", str(bench.dataset)]
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_finished_and_names_what_is_left(
    bench: Any, number: int
) -> None:
    """Within seconds, though the model is still at work."""
    asked, release = threading.Event(), threading.Event()

    def hang() -> None:
        asked.set()
        release.wait(20)

    bench.script.says()
    bench.script.sends(b"", before=hang)
    with start(bench) as process:
        assert asked.wait(20)
        begun = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=10)
        release.set()
    assert time.monotonic() - begun < 5
    assert process.returncode == 130
    assert bench.record(FIRST)["stop_reason"] == "done"
    assert bench.record(SECOND)["stop_reason"] == "cancelled"
    assert bench.record(SECOND)["model"] == {"asked": "m"}
    assert not (bench.output / SECOND).exists()
    assert f"interrupted with 1 of 2 tasks left: {SECOND}" in err
    assert "to go on: klein-bench" in err
    assert out.splitlines()[-1] == "asked 2: 1 done, 1 cancelled"
    assert "Traceback" not in err
    bench.script.says()
    again = bench.generate("--model", "m")
    assert (again.status, again.out.splitlines()[-1]) == (0, "asked 1: 1 done, kept 1")


def test_a_shield_puts_one_interrupt_off() -> None:
    """A record and its project are stored together or not at all."""
    done = []

    def work() -> None:
        interrupts = Interrupts()
        with interrupts.caught(), interrupts.shielded():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            done.append("stored")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["stored"]


def test_a_second_interrupt_goes_through_the_shield() -> None:
    """Somebody who asks twice means it."""
    done = []

    def work() -> None:
        interrupts = Interrupts()
        with interrupts.caught(), interrupts.shielded():
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            done.append("stored")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == []


def test_the_handlers_of_the_caller_are_put_back() -> None:
    """The program goes on to other things."""
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with Interrupts().caught():
        assert signal.getsignal(signal.SIGTERM) is not before[1]
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
