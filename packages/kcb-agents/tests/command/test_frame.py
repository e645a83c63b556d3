"""The result frame: what the bundled wrapper says, and what nobody else can."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kcb_agents.command import wrapper
from kcb_agents.command.frame import MAX_FRAME_BYTES, Frame, read_frame
from kcb_agents.command.wrapper import sealed

TOKEN = bytes(range(32))


def wrap(source: str) -> "subprocess.CompletedProcess[bytes]":
    """What the wrapper does around some lines of Python."""
    return subprocess.run(
        [sys.executable, "-I", wrapper.__file__, sys.executable, "-I", "-c", source],
        input=TOKEN.hex().encode() + b"\n",
        capture_output=True,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("source", "frame"),
    [
        ("pass", Frame(status="completed")),
        ("import sys; sys.exit(3)", Frame(status="failed", exit=3)),
        ("import os; os.kill(os.getpid(), 9)", Frame(status="failed", signal=9)),
    ],
)
def test_the_frame_and_the_exit_code_say_the_same(source: str, frame: Frame) -> None:
    """Both come of one status, and the program's output of both streams stays apart."""
    both = "import sys; print('out', flush=True); print('err', file=sys.stderr, flush=True);"
    done = wrap(both + source)
    assert read_frame(done.stderr, TOKEN) == frame
    assert (done.returncode == 0) == frame.completed(done.returncode)
    assert done.stdout == b"out\nerr\n"


def test_a_program_that_is_not_there_is_none_that_failed() -> None:
    """It is the caller's mistake."""
    done = subprocess.run(
        [sys.executable, "-I", wrapper.__file__, "/nowhere"],
        input=TOKEN.hex().encode() + b"\n",
        capture_output=True,
        timeout=60,
    )
    frame = read_frame(done.stderr, TOKEN)
    assert frame is not None
    assert (frame.not_started, frame.reason) == (True, "No such file or directory")
    assert done.returncode == 1


GOOD = {"format": 1, "status": "completed", "exit": 0, "signal": 0}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        sealed(GOOD, TOKEN)[:-1],
        sealed(GOOD, TOKEN) * 2,
        b"noise\n" + sealed(GOOD, TOKEN),
        sealed(GOOD, b"another token"),
        sealed(GOOD | {"pad": "x" * MAX_FRAME_BYTES}, TOKEN),
        sealed(GOOD, TOKEN).replace(b'"completed"', b'"failed"'),
        sealed(GOOD | {"status": "great"}, TOKEN),
        sealed(GOOD | {"exit": "0"}, TOKEN),
        b'{"status":"completed"}\n',
        b'{"status":"completed","hmac":null}\n',
        b'{"hmac":"\xff"}\n',
        b"[]\n",
    ],
)
def test_anything_else_is_no_frame(data: bytes) -> None:
    """Cut, doubled, forged, too large or of another form."""
    assert read_frame(data, TOKEN) is None


def test_the_exit_code_counts_only_without_a_status() -> None:
    """A frame that is readable goes first."""
    bare = read_frame(sealed({"format": 1}, TOKEN), TOKEN)
    assert bare is not None
    assert (bare.completed(0), bare.completed(1)) == (True, False)
    assert Frame(status="failed").completed(0) is False
    assert Frame(status="completed").completed(1) is True


FORGER = """
import os, sys
parent = os.getppid()
tried = []
for name in ("fd/0", "fd/2", "mem", "environ"):
    try:
        handle = os.open(f"/proc/{parent}/{name}", os.O_RDWR if name == "mem" else os.O_RDONLY)
        tried.append(name)
        os.write(os.open(f"/proc/{parent}/{name}", os.O_WRONLY), b"{}")
    except OSError:
        pass
for handle in range(3, 64):
    try:
        os.write(handle, b"forged")
        tried.append(str(handle))
    except OSError:
        pass
write(" ".join(tried) + "#")
print('{"format":1,"status":"completed","exit":0,"signal":0}')
sys.exit(5)
"""


def test_a_program_cannot_speak_for_its_wrapper(bench: Any, program: Any) -> None:
    """Inside it reaches neither the token nor the place of the frame, whatever it prints."""
    done = program(FORGER, result="protocol-v1")
    assert done.reason == ("program_failed", "the program ended with exit code 5")
    assert bench.files() == {"main.py": "#"}


def test_a_program_that_ends_its_wrapper_has_failed(program: Any) -> None:
    """Without a frame the exit code counts, and there is none of 0."""
    done = program("write(); os.kill(os.getppid(), 9); time.sleep(60)", result="protocol-v1")
    assert done.reason == ("program_failed", "the program was ended by signal 9")


def test_the_wrapper_needs_nothing_of_ours() -> None:
    """It works alone, where no package of this project can be read."""
    source = Path(wrapper.__file__).read_text()
    assert "kcb" not in source
    assert os.path.basename(wrapper.__file__) == "wrapper.py"
