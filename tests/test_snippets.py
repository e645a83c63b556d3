"""What the documentation shows is what happens.

A page is played from top to bottom in an empty folder: a code block with a file name is written
there, and the commands of a ``console`` block are run. What they print must be the lines below
them, standard error first, where ``...`` stands for any lines or any part of one. What a page
installs is seen by its own commands only.
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = (
    "README.md",
    "docs/tutorial/first-task.md",
    "docs/how-to/evaluate-a-project.md",
    "docs/how-to/compare-two-models.md",
    pytest.param(
        "docs/how-to/read-the-page.md",
        marks=pytest.mark.skipif(find_spec("vl_convert") is None, reason="needs kcb-score[pages]"),
    ),
    "docs/how-to/reward-a-training-loop.md",
    "docs/how-to/route-faults.md",
    "docs/how-to/run-a-suite.md",
    "docs/how-to/write-a-drill.md",
    "docs/how-to/write-a-family.md",
    "docs/how-to/write-a-suite-task.md",
)
COLUMNS = 100

#: Where a page's ``pip`` installs, in its folder.
SITE = ".site"

#: Makes packages that are installed there editable seen as they are in any other place.
SITE_CUSTOMIZE = "import os, site\n\nsite.addsitedir(os.path.dirname(__file__))\n"

pytestmark = pytest.mark.flow


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fenced block of a page."""

    language: str
    title: str
    text: str


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order, with the files that they include."""
    included = re.compile(r"^--8<--\n(.+)\n--8<--\n", re.MULTILINE)
    shown = included.sub(lambda match: (ROOT / match[1]).read_text(), page.read_text())
    pattern = r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$'
    found = re.findall(pattern, shown, re.MULTILINE | re.DOTALL)
    return [Block(language=language, title=title, text=text) for language, title, text in found]


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Each command of a ``console`` block, with the lines that stand below it."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found[-1][0].endswith("\\"):
            found[-1] = (f"{found[-1][0]}\n{line}", [])
        else:
            found[-1][1].append(line)
    return found


def run(command: str, folder: Path, before: int) -> tuple[str, int]:
    """What a command prints, results as a terminal shows them, and its exit status.

    Args:
        command: what is typed into a shell.
        folder: where it is typed.
        before: exit status of the command before it, for ``echo $?``.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    settings = {"LANG": "C.UTF-8", "TERM": "xterm", "NO_COLOR": "1"}
    environment = {"PATH": path, "HOME": str(folder), "PYTHONPATH": str(folder / SITE), **settings}
    if command.startswith("pip install "):
        command = f"{sys.executable} -m uv {command} --no-deps --target {folder / SITE}"
        environment = {**os.environ, **settings}  # an installer has its own certificates and cache
    process = subprocess.Popen(
        ["sh", "-c", f"(exit {before})\n{command}"],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
    )
    os.close(theirs)
    with ThreadPoolExecutor() as pool:
        results = pool.submit(read_terminal, ours)
        _, notes = process.communicate()
        shown = notes.decode() + results.result()
    return "".join(f"{line.rstrip()}\n" for line in shown.splitlines()), process.returncode


def read_terminal(terminal: int) -> str:
    """All that is shown on a terminal until its last writer has gone, without styling."""
    shown = b""
    with suppress(OSError):  # on Linux, how a terminal says that nobody writes to it any more
        while chunk := os.read(terminal, 65536):
            shown += chunk
    os.close(terminal)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())


def as_pattern(lines: list[str]) -> str:
    """A regular expression for what is shown; ``...`` is any lines, or any part of a line."""
    return "".join(
        r"(?:.*\n)*" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + r"\n"
        for line in lines
    )


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_happens(page: str, tmp_path: Path) -> None:
    """A reader who types along should meet no difference."""
    (tmp_path / SITE).mkdir()
    (tmp_path / SITE / "sitecustomize.py").write_text(SITE_CUSTOMIZE)
    status = 0
    for block in blocks(ROOT / page):
        if block.title:
            (tmp_path / block.title).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / block.title).write_text(block.text)
        elif block.language == "console":
            for command, expected in commands(block.text):
                shown, status = run(command, tmp_path, status)
                assert re.fullmatch(as_pattern(expected), shown), f"$ {command}\n{shown}"
