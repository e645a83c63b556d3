"""Judges shell-log-rotator: rotate does what docs/rotate.md says, the rest stays as it was."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

from cases import CASES, Case, Files
from steps import Grader, Run, main

VISIBLE = ["harness", "run", "test_config", "test_rotate", "test_status"]


class Box:
    """A directory of its own in the copy of the workspace: a configuration and files."""

    def __init__(self, grader: Grader, name: str, conf: str, files: Files) -> None:
        self.grader, self.name = grader, name
        self.folder = grader.work.path(name)
        for path, content in {"logtend.conf": conf + "\n", **files}.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(_packed(path, content))

    def call(self, *arguments: str) -> Run:
        """Call logtend from the root of the workspace."""
        command = ["bash", "bin/logtend", "-c", f"{self.name}/logtend.conf", *arguments]
        return self.grader.work.run(command, timeout_s=10)

    def tree(self) -> dict[str, bytes]:
        """All files and their contents, unpacked; links and directories have remarks instead."""
        return {str(p.relative_to(self.folder)): _content(p) for p in self.folder.rglob("*")}

    def equal(self, actual: object, expected: object, about: str) -> None:
        """Compare, and name the sandbox in a complaint."""
        self.grader.equal(actual, expected, f"{self.name}: {about}")


def _packed(path: str, content: str | bytes) -> bytes:
    data = content.encode() if isinstance(content, str) else content
    return gzip.compress(data, mtime=0) if path.endswith(".gz") else data


def _content(path: Path) -> bytes:
    if path.is_symlink():
        return b"(link)"
    if not path.is_file():
        return b"(directory)"
    data = path.read_bytes()
    if path.suffix != ".gz":
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError):
        return b"(not compressed) " + data


def play(grader: Grader, case: Case) -> None:
    """The dry run first, which changes nothing; then the real one."""
    box = Box(grader, case.name, case.conf, case.files)
    for name in case.directories:
        (box.folder / name).mkdir()
    before = box.tree()
    errors = "".join(
        line
        for line in case.errors.splitlines(keepends=True)
        if line.startswith(("error: in", "warn"))
    )
    dry = box.call("rotate", "--dry-run", *case.arguments)
    box.equal(dry.stdout, f"{case.lines}would rotate {case.rotated} logs\n", "a dry run's output")
    box.equal(dry.stderr, errors, "a dry run's errors")
    box.equal(dry.status, int("error" in errors), "a dry run's exit status")
    box.equal(box.tree() == before, True, "a dry run changes nothing")
    run = box.call("rotate", *case.arguments)
    box.equal(run.stdout, f"{case.lines}rotated {case.rotated} logs\n", "output")
    box.equal(run.stderr, case.errors, "errors")
    box.equal(run.status, case.status, "exit status")
    expected = dict(before)
    if case.tree is not None:
        files = {"logtend.conf": case.conf + "\n", **case.tree}
        expected = {name: c.encode() if isinstance(c, str) else c for name, c in files.items()}
        expected |= {name: c for name, c in before.items() if c == b"(directory)"}
    box.equal(box.tree(), expected, "the files")


def files_themselves(grader: Grader) -> None:
    """Permissions, times and inodes."""
    for mode in ("move", "copy"):
        conf = f"[a]\nfiles = a.log\nmode = {mode}\ncompress = late\nkeep = 3"
        box = Box(grader, f"inodes-{mode}", conf, {"a.log": "new", "a.log.1": "1", "a.log.2": "2"})
        log = box.folder / "a.log"
        log.chmod(0o640)
        (box.folder / "a.log.1").chmod(0o604)
        os.utime(log, (1_000_000, 1_000_000))
        inode = log.stat().st_ino
        box.call("rotate")
        first, second = box.folder / "a.log.1", box.folder / "a.log.2.gz"
        for path, permissions in ((log, 0o640), (first, 0o640), (second, 0o604)):
            actual = path.stat().st_mode & 0o777 if path.is_file() else None
            box.equal(actual, permissions, f"permissions of {path.name}")
        time = first.stat().st_mtime if first.is_file() else None
        box.equal(time, 1_000_000, "time of a.log.1")
        same = (log if mode == "copy" else first).stat().st_ino
        box.equal(same == inode, True, "the inode")
        header = second.read_bytes()[:8] if second.is_file() else b""
        box.equal(header[3:8], b"\0\0\0\0\0", "gzip -n: no name and no time in the file")


def links(grader: Grader) -> None:
    """Links are no logs, and in the way as old logs."""
    box = Box(grader, "links", "[a]\nfiles = *.log", {"a.log": "1", "b.log": "2", "b.log.2": "3"})
    (box.folder / "c.log").symlink_to("a.log")
    (box.folder / "b.log.2.gz").symlink_to("missing")
    run = box.call("rotate")
    box.equal(run.stdout, "move a.log -> a.log.1\ncreate a.log\nrotated 1 logs\n", "output")
    said = "warning: not a regular file: c.log\nerror: in the way: b.log.2.gz\n"
    box.equal(run.stderr, said, "errors")
    box.equal(run.status, 1, "exit status")
    box.equal((box.folder / "b.log.2.gz").is_symlink(), True, "the link stays")


def locks(grader: Grader) -> None:
    """The lock is there while a command runs, is respected, and goes at the end."""
    conf = "[a]\nfiles = a.log\nafter = ls -d .logtend.lock; exit 4"
    box = Box(grader, "locks", conf, {"a.log": "1"})
    lock = box.folder / ".logtend.lock"
    lock.mkdir()
    run = box.call("rotate")
    box.equal((run.status, run.stdout), (1, ""), "a run that finds the lock")
    box.equal(run.stderr, "error: locked: .logtend.lock\n", "what it says")
    box.equal(lock.is_dir(), True, "the lock of another run stays")
    dry = box.call("rotate", "--dry-run").stdout.splitlines()[-1:]
    box.equal(dry, ["would rotate 1 logs"], "a dry run does not look at the lock")
    if lock.is_dir():
        lock.rmdir()
    run = box.call("rotate")
    said = ".logtend.lock\nerror: after a: exit status 4\n"
    box.equal((run.status, run.stderr), (1, said), "a run whose command looks at the lock")
    box.equal(lock.exists(), False, "the lock goes after a failure")


def command_line(grader: Grader) -> None:
    """Wrong calls do nothing; the usage knows the command; twice is twice."""
    box = Box(grader, "command-line", "[a]\nfiles = a.log\n[b]\nfiles = b", {"a.log": "1"})
    before = box.tree()
    wrong = (["nobody"], ["a", "nobody"], ["--dry"], ["--dry-run", "--all"], ["a", "--force"])
    for arguments in wrong:
        run = box.call("rotate", *arguments)
        box.equal((run.status, run.stdout), (2, ""), f"rotate {' '.join(arguments)}")
    box.equal(box.tree(), before, "the files after wrong calls")
    usage = grader.work.run(["bash", "bin/logtend", "-h"])
    box.equal("rotate" in usage.stdout and usage.status == 0, True, "rotate in the usage")
    grader.work.run(["bash", "../bin/logtend", "rotate", "a"], cwd="command-line")
    box.equal(sorted(box.tree()), ["a.log", "a.log.1", "logtend.conf"], "called without -c")
    run = box.call("rotate", "--force", "--dry-run", "a")
    box.equal(run.stdout, "would rotate 0 logs\n", "a second time")


def old_commands(grader: Grader) -> None:
    """check and status are as they were."""
    conf = "[defaults]\nmax_total = 1m\n[a]\nfiles = *.log\nfiles = x y\n[b]\nfiles = x y\nkeep = 0"
    box = Box(
        grader, "old-commands", conf, {"a.log": "123", "a.log.1": "1", "x y": "", "x y.3": ""}
    )
    common = "min_size = 1\nkeep = {}\ncompress = no\nmode = move\nmax_total = 1m\n"
    said = "[a]\nfiles = *.log\nfiles = x y\n" + common.format(4)
    said += "[b]\nfiles = x y\n" + common.format(0)
    box.equal(box.call("check").stdout, said, "check")
    lines = [
        "a a.log: 3 bytes, 1 old logs of 1 bytes",
        "a x y: 0 bytes, 1 old logs of 0 bytes",
        "b x y: 0 bytes, 1 old logs of 0 bytes",
    ]
    box.equal(box.call("status").stdout.splitlines(), lines, "status")
    box.equal(box.call("status", "b").stdout.splitlines(), lines[2:], "status of a section")
    box.equal(box.call("status", "c").status, 2, "status of no section")
    box.equal(box.call("turn").status, 2, "an unknown command")


def grade(grader: Grader) -> None:
    """All cases, then what does not fit their form, then the visible tests."""
    for case in CASES:
        play(grader, case)
    for judge in (files_themselves, links, locks, command_line, old_commands):
        judge(grader)
    grader.visible_tests(["bash", "tests/run.sh"], [f"tests/{name}.sh" for name in VISIBLE])


main(grade)
