"""A sandbox for one scenario: a configuration, a source, a store, and calls of keepsake."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from steps import Grader, Run


class Box:
    """A directory of its own inside the copy of the workspace."""

    def __init__(self, grader: Grader, name: str, *options: str, ending: str = "\n") -> None:
        self.grader = grader
        self.name = name
        self.folder = grader.work.path(name)
        self.folder.mkdir()
        self.configure(*options, ending=ending)

    def configure(self, *options: str, ending: str = "\n") -> None:
        """Write the configuration; the last line ends with ``ending``."""
        sources = [] if any(line.startswith("source") for line in options) else ["source = data"]
        lines = [*sources, "store = store", *options]
        (self.folder / "keepsake.conf").write_text("\n".join(lines) + ending, "utf-8")

    def write(self, path: str, text: str = "text\n", mode: int = 0o644) -> None:
        """Make a file, and the directories on the way."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        file.chmod(mode)

    def call(self, *arguments: str) -> Run:
        """Call keepsake from the root of the workspace."""
        command = ["bash", "bin/keepsake", "-c", f"{self.name}/keepsake.conf", *arguments]
        return self.grader.work.run(command, timeout_s=10)

    def take(self, stamp: str) -> Run:
        """Take a snapshot."""
        return self.call("run", "--at", stamp)

    def tree(self, path: str) -> list[str]:
        """What is under ``path``, sorted; directories end with a slash, links with an at sign."""
        root = self.folder / path
        return sorted(str(entry.relative_to(root)) + _suffix(entry) for entry in _entries(root))

    def read(self, path: str) -> str:
        """The text of a file; a remark if there is none."""
        file = self.folder / path
        return file.read_text("utf-8") if file.is_file() else f"no file {path}"

    def shared(self, one: str, other: str) -> bool:
        """True if both are one file of the disk."""
        first, second = self.folder / one, self.folder / other
        return first.is_file() and second.is_file() and os.path.samefile(first, second)

    def equal(self, actual: object, expected: object, about: str) -> None:
        """Compare, and name the scenario in a complaint."""
        self.grader.equal(actual, expected, f"{self.name}: {about}")

    def says(self, run: Run, status: int, *lines: str) -> None:
        """Compare the exit status and standard output."""
        self.equal(run.status, status, f"exit status ({run.tail()})")
        self.equal(run.stdout.splitlines(), list(lines), "output")


def scenario(
    grader: Grader, make: Callable[[Box], None], *options: str, ending: str = "\n"
) -> None:
    """Play one scenario; its sandbox has the function's name."""
    make(Box(grader, make.__name__, *options, ending=ending))


def _entries(root: Path) -> list[Path]:
    return list(root.rglob("*")) if root.is_dir() else []


def _suffix(entry: Path) -> str:
    if entry.is_symlink():
        return "@"
    return "/" if entry.is_dir() else ""
