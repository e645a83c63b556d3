"""The commands that a page shows, played as a reader would type them.

A page is played from top to bottom in one folder: a code block with a file name is written there,
and the commands of a ``console`` block are run. What they print must be the lines below them,
standard error first, where ``...`` stands for any lines or any part of one.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

#: The pages of this repository that are played.
PLAYED = (
    "README.md",
    "docs/tutorial/first-task.md",
    "docs/how-to/evaluate-a-project.md",
    "docs/how-to/integrate.md",
    "docs/how-to/compare-two-models.md",
    "docs/how-to/read-the-page.md",
    "docs/how-to/reward-a-training-loop.md",
    "docs/how-to/route-faults.md",
    "docs/how-to/run-a-suite.md",
    "docs/how-to/write-a-drill.md",
    "docs/how-to/write-a-family.md",
    "docs/how-to/write-a-suite-task.md",
    "docs/reference/task-report.md",
)

#: Those of them for which charts are drawn.
DRAWN = frozenset({"docs/how-to/read-the-page.md"})

COLUMNS = 100

#: No command of a page takes longer; a page that waits is a fault, and no reason to wait with it.
TIMEOUT_S = 600

#: Where a page's ``pip`` installs, in its folder.
SITE = ".site"

#: Makes packages that are installed there editable seen as they are in any other place.
SITE_CUSTOMIZE = "import os, site\n\nsite.addsitedir(os.path.dirname(__file__))\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fenced block of a page."""

    language: str
    title: str
    text: str

    @property
    def playable(self) -> bool:
        """Whether it does something when its page is played."""
        return bool(self.title) or self.language == "console"


def blocks(text: str, root: Path) -> list[Block]:
    """The fenced blocks of a page, in order, with the files of ``root`` that they include."""
    included = re.compile(r"^--8<--\n(.+)\n--8<--\n", re.MULTILINE)
    shown = included.sub(lambda match: (root / match[1]).read_text(), text)
    pattern = r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$'
    found = re.findall(pattern, shown, re.MULTILINE | re.DOTALL)
    return [Block(language=language, title=title, text=text) for language, title, text in found]


def section(text: str, heading: str) -> str:
    """What stands under a heading of a page, up to the next heading of its level or above."""
    level = len(heading.split(" ", 1)[0])
    end = rf"(?=^#{{1,{level}}} |\Z)"
    found = re.search(rf"^{re.escape(heading)}$(.*?){end}", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise LookupError(f"there is no heading {heading!r}")
    return found[1]


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


@dataclass(frozen=True, slots=True)
class Player:
    """Plays pages with the programs of one virtual environment.

    Args:
        programs: the folder of the environment's programs; first on the PATH of every command.
        folder: where commands are typed and files are written; what a page installs by ``pip``
            is seen by its own commands only, in a folder in there.
    """

    programs: Path
    folder: Path

    def play(self, page: Iterable[Block]) -> Iterator[str]:
        """What differs between a page and what happens, one text for each command.

        Nothing after the first difference is played, since it would start from another state.
        """
        (self.folder / SITE).mkdir(exist_ok=True, mode=0o700)
        (self.folder / SITE / "sitecustomize.py").write_text(SITE_CUSTOMIZE)
        status = 0
        for block in page:
            if block.title:
                (self.folder / block.title).parent.mkdir(parents=True, exist_ok=True)
                (self.folder / block.title).write_text(block.text)
            elif block.language == "console":
                for command, expected in commands(block.text):
                    shown, status = self.run(command, status)
                    if not re.fullmatch(as_pattern(expected), shown):
                        yield f"$ {command}\n{shown}"
                        return

    def run(self, command: str, before: int) -> tuple[str, int]:
        """What a command prints, results as a terminal shows them, and its exit status.

        Args:
            command: what is typed into a shell.
            before: exit status of the command before it, for ``echo $?``.
        """
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
        command, environment = self._prepared(command)
        process = subprocess.Popen(
            ["sh", "-c", f"(exit {before})\n{command}"],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=subprocess.PIPE,
            process_group=0,
        )
        os.close(theirs)
        with ThreadPoolExecutor() as pool:
            results = pool.submit(read_terminal, ours)
            try:
                _, notes = process.communicate(timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)  # all of them hold the terminal
                raise
            shown = notes.decode() + results.result()
        return "".join(f"{line.rstrip()}\n" for line in shown.splitlines()), process.returncode

    def _prepared(self, command: str) -> tuple[str, dict[str, str]]:
        """The command as it is given to the shell, and the environment that it gets."""
        settings = {"LANG": "C.UTF-8", "TERM": "xterm", "NO_COLOR": "1"}
        if command.startswith("pip install "):
            python = self.programs / "python"
            command = f"{python} -m uv {command} --no-deps --target {self.folder / SITE}"
            return command, {**os.environ, **settings}  # it has its own certificates and cache
        path = f"{self.programs}:{os.environ['PATH']}"
        places = {
            "HOME": self.folder,
            "PYTHONPATH": self.folder / SITE,
            "XDG_RUNTIME_DIR": self.folder / SITE,  # a model at work elsewhere is no concern of it
        }
        return command, {"PATH": path, **settings, **{k: str(v) for k, v in places.items()}}


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
