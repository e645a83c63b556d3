"""The steps that graders have in common; a copy lies in each grader's directory.

A grader is called as ``python3 GRADER_DIR/grade.py WORKSPACE``. It prints one line ``FAIL REASON``
a problem, ends with ``PASS`` or ``FAIL``, and exits with 0 for ``PASS`` alone, 1 for ``FAIL``.
Anything else, an exception in the grader above all, says nothing about the workspace.

The grader never imports what it judges. It copies the workspace, runs programs in the copy, each
with a time limit and a bounded output, and compares what they answer with what it knows. So a
workspace that rewrites its test framework, plants modules or leaves early gains nothing: only
right answers count. Where the kernel has Landlock, these programs can write to nothing but their
copy and their HOME, and can neither read the grader's directory nor reach its process. Only the
standard library of Python 3.10 is used.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import select
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

GRADER_DIR = Path(__file__).resolve().parent
MOST_OUTPUT = 1 << 20
"""Bytes kept of each stream of a program."""

_VARYING = re.compile(
    r"\S*/grade-\w+/\w+-\w+/(?:work/)?|\(?duration_ms[: ]*[\d.]+\)?|(?<= )in [\d.]+s\b|\([\d.]+ms\)"
)
"""Temporary folders and times in what test frameworks print."""

PATIENCE = 4
"""How many times as long tests are given again that did not end in their time."""

MOST_PROBLEMS = 200
LONGEST_REASON = 400

_PYTHON_ASKER = """
import json, sys
workspace, answers, driver = sys.argv[1:4]
sys.path.insert(0, workspace)
sys.argv = [driver]
with open(driver, encoding="utf-8") as file:
    source = file.read()
names = {"__name__": "driver", "__file__": driver}
exec(compile(source, driver, "exec"), names)
questions = json.load(sys.stdin)
with open(answers, "w", encoding="utf-8") as file:
    for question in questions:
        try:
            said = {"value": names["answer"](question)}
            line = json.dumps(said)
        except BaseException as error:
            line = json.dumps({"raised": type(error).__name__, "message": str(error)})
        file.write(line + "\\n")
        file.flush()
"""

_NODE_ASKER = """
const fs = require("node:fs");
const { pathToFileURL } = require("node:url");
const [workspace, answers, driver] = process.argv.slice(1);
(async () => {
  process.chdir(workspace);
  const { answer } = await import(pathToFileURL(driver).href);
  const questions = JSON.parse(fs.readFileSync(0, "utf8"));
  const file = fs.openSync(answers, "w");
  for (const question of questions) {
    let said;
    try {
      const value = await answer(question);
      said = { value: value === undefined ? null : value };
    } catch (error) {
      said = { raised: error?.name ?? "Error", message: String(error?.message ?? error) };
    }
    fs.writeSync(file, JSON.stringify(said) + "\\n");
  }
  fs.closeSync(file);
  process.exit(0);
})();
"""


class Run(NamedTuple):
    """How a program went."""

    status: int
    """Exit status; the negative number of the signal that ended it."""
    stdout: str
    stderr: str
    timed_out: bool = False

    @property
    def ok(self) -> bool:
        """True if it ended by itself, with status 0."""
        return self.status == 0 and not self.timed_out

    def tail(self) -> str:
        """The last words of a run that failed, on one line, the same in every grading."""
        if self.timed_out:
            return "it did not end in time"
        words = " ".join(_VARYING.sub("", self.stderr or self.stdout).split())
        return f"exit status {self.status}: {words[-200:]}"


class Raised:
    """An exception that the judged code raised where a value was asked for."""

    def __init__(self, name: str, message: str = "") -> None:
        self.name = name
        self.message = message

    def __repr__(self) -> str:
        return f"Raised(name={self.name!r}, message={self.message!r})"

    def __eq__(self, other: object) -> bool:
        """Equal by name, and by message where both have one."""
        if not isinstance(other, Raised):
            return NotImplemented
        return self.name == other.name and (
            not self.message or not other.message or self.message == other.message
        )

    __hash__ = None  # type: ignore[assignment]


class NoAnswer:
    """Stands where the judged code died before it answered."""

    def __repr__(self) -> str:
        return "no answer: the program ended before"


class Workspace:
    """A copy of what is judged, or of what it should be; programs run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        """The file ``name`` of the copy."""
        return self.folder / name

    def has(self, name: str) -> bool:
        """True if ``name`` is a regular file, and no link."""
        path = self.folder / name
        return path.is_file() and not path.is_symlink()

    def read(self, name: str) -> str:
        """The text of the file ``name``; empty if there is none, or it is no UTF-8."""
        try:
            return self.path(name).read_text("utf-8") if self.has(name) else ""
        except (OSError, UnicodeDecodeError):
            return ""

    def overlay(self, folder: Path) -> None:
        """Put every file under ``folder`` in its place, whatever lies there."""
        for source in sorted(folder.rglob("*")):
            if source.is_file():
                target = self.folder / source.relative_to(folder)
                _clear_way(self.folder, target)
                shutil.copy2(source, target)

    def copy(self) -> Workspace:
        """Another copy of this copy, for what must not see what ran here before."""
        return Workspace(_copied(self.folder))

    def run(
        self,
        command: Sequence[str],
        *,
        stdin: str = "",
        env: dict[str, str] | None = None,
        timeout_s: float = 20.0,
        cwd: str = ".",
    ) -> Run:
        """Run ``command`` in the copy, with an environment of its own.

        Everything that it started is killed when it ends or when its time is up.
        """
        return self._run(command, stdin, env or {}, timeout_s, cwd)

    def _run(
        self,
        command: Sequence[str],
        stdin: str,
        env: dict[str, str],
        timeout_s: float,
        cwd: str = ".",
        answers: Path | None = None,
    ) -> Run:
        home = tempfile.mkdtemp(prefix="home-", dir=_scratch())
        # In HOME, so that a program may open /dev/stdin, /dev/stdout and /dev/stderr once more.
        with (
            tempfile.TemporaryFile(dir=home) as out,
            tempfile.TemporaryFile(dir=home) as err,
            tempfile.TemporaryFile(dir=home) as into,
            _Fence([self.folder, Path(home), *([answers] if answers else [])]) as fence,
        ):
            into.write(stdin.encode())
            into.seek(0)
            try:
                process = subprocess.Popen(
                    list(command),
                    cwd=self.folder / cwd,
                    env={**_environment(home), **env},
                    stdin=into,
                    stdout=out,
                    stderr=err,
                    preexec_fn=fence.enter,
                )
            except OSError as error:
                return Run(127, "", str(error))
            try:
                late = not _ends(process, timeout_s)
            finally:
                _kill_group(process)
            status = -signal.SIGKILL if late else process.returncode
            return Run(status, _kept(out), _kept(err), late)

    def ask(self, driver: str, questions: Sequence[Any], *, timeout_s: float = 30.0) -> list[Any]:
        """Put ``questions`` (JSON values) to the judged code; the answers, in their order.

        ``driver`` is a file of the grader's directory, ``*.py`` or ``*.mjs``, which imports the
        judged code (its folder is the working directory and, for Python, on the path) and defines
        ``answer(question)``, which gives a JSON value. What it raises becomes ``Raised``; where
        the program died, ``NoAnswer`` stands.
        """
        answers = Path(tempfile.mkdtemp(prefix="answers-", dir=_scratch())) / "answers.jsonl"
        copied = answers.with_name(Path(driver).name)
        shutil.copy2(GRADER_DIR / driver, copied)
        asker = (
            ["python3", "-I", "-c", _PYTHON_ASKER]
            if driver.endswith(".py")
            else ["node", "-e", _NODE_ASKER]
        )
        self._run(
            [*asker, str(self.folder), str(answers), str(copied)],
            json.dumps(list(questions)),
            {},
            timeout_s,
            answers=answers.parent,
        )
        return _answers(answers, len(questions))


class Grader:
    """Collects what is wrong with a workspace; each check says whether it held."""

    def __init__(self, workspace: Path) -> None:
        self.original = workspace
        self.work = Workspace(_copied(workspace))
        self.problems: list[str] = []
        self.checked = 0

    def fail(self, reason: str) -> None:
        """Note one problem."""
        self.problems.append(" ".join(str(reason).split())[:LONGEST_REASON])

    def check(self, holds: bool, reason: str) -> bool:
        """Note ``reason`` unless ``holds``."""
        self.checked += 1
        if not holds:
            self.fail(reason)
        return holds

    def equal(self, actual: Any, expected: Any, about: str) -> bool:
        """Note a difference, which the types of JSON numbers and truth values are part of."""
        same = _same(actual, expected)
        return self.check(same, f"{about}: expected {expected!r}, received {actual!r}"[:2000])

    def answers(
        self,
        driver: str,
        cases: Sequence[tuple[str, Any, Any]],
        *,
        timeout_s: float = 30.0,
        work: Workspace | None = None,
    ) -> None:
        """Ask each case ``(about, question, expected answer)`` and compare; see `Workspace.ask`."""
        where = work or self.work
        given = where.ask(driver, [question for _, question, _ in cases], timeout_s=timeout_s)
        for (about, _, expected), actual in zip(cases, given, strict=True):
            self.equal(actual, expected, about)

    def visible_tests(
        self, command: Sequence[str], files: Sequence[str], *, timeout_s: float = 60.0
    ) -> None:
        """Fail if a visible test is gone, or if ``command`` fails with the tests as handed out.

        ``files`` lie under ``visible/`` in the grader's directory, as the fixture has them: what
        the workspace made of them is not run. A leading ``python3 -m unittest`` is started so that
        no module of the workspace can stand in for the test framework.
        """
        for name in files:
            self.check(self.work.has(name), f"the visible test {name} is gone")
        trial = self.work.copy()
        for name in files:
            target = trial.path(name)
            _clear_way(trial.folder, target)
            shutil.copy2(GRADER_DIR / "visible" / name, target)
        run = trial.run(_trusted(command), timeout_s=timeout_s)
        self.check(run.ok, f"the visible tests fail: {run.tail()}")

    def mutants(
        self,
        command: Sequence[str],
        tests: Sequence[str],
        *,
        timeout_s: float = 20.0,
        least: int | None = None,
    ) -> None:
        """Judge the workspace's own tests: right code passes them, each mutant fails them.

        The grader's directory holds ``reference/`` (the code as handed out), ``equivalents/NAME/``
        (the same behaviour in other words, so that tests which look at the text fail) and
        ``mutants/NAME/`` (one fault each), all laid over a copy that holds nothing of the workspace
        but the files and folders ``tests``. ``least`` mutants must be killed; by default all.
        The names of those that live are written to standard error, for the author.

        ``timeout_s`` is for right code. What does not end in its time is played once more with
        ``PATIENCE`` times as much, since a machine may be slow; a mutant that does not end then
        either is killed, if right code still ends well within that time. If it does not, nothing is
        known, and the grader gives no verdict.
        """
        bench = _Bench(self._only_tests(tests), _trusted(command), timeout_s)
        for name in ("reference", *_names("equivalents")):
            run = bench.right("" if name == "reference" else f"equivalents/{name}")
            what = "the code as handed out" if name == "reference" else "equivalent code"
            if not self.check(run.ok, f"the tests fail on {what}: {run.tail()}"):
                return
        mutants = _names("mutants")
        alive = [name for name in mutants if not bench.kills(f"mutants/{name}")]
        for name in alive:
            print(f"not noticed: {name}", file=sys.stderr)
        killed = len(mutants) - len(alive)
        wanted = len(mutants) if least is None else least
        self.checked += len(mutants)
        if killed < wanted:
            self.fail(f"the tests notice {killed} of {len(mutants)} faults, {wanted} are asked for")

    def _only_tests(self, tests: Sequence[str]) -> Workspace:
        folder = Workspace(Path(tempfile.mkdtemp(prefix="trial-", dir=_scratch())))
        folder.overlay(GRADER_DIR / "reference")
        for name in tests:
            source = self.work.path(name)
            if source.is_dir() and not source.is_symlink():
                _copy_tree(source, folder.path(name))
            elif self.check(self.work.has(name), f"there is no {name}"):
                folder.path(name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, folder.path(name))
        return folder


class _Bench:
    """Plays tests on the code that they are written for, and on variants of it."""

    def __init__(self, reference: Workspace, command: Sequence[str], timeout_s: float) -> None:
        self._reference = reference
        self._command = command
        self._timeout_s = timeout_s
        self._longest_s = 0.0

    def right(self, variant: str) -> Run:
        """Play the tests on code that is right: a folder of the grader, or none for it as it is."""
        begun = time.monotonic()
        run = self._patiently(variant, self._timeout_s)
        self._longest_s = max(self._longest_s, time.monotonic() - begun)
        return run

    def kills(self, mutant: str) -> bool:
        """True if the tests fail on this one, or do not end by its fault."""
        limit_s = max(self._timeout_s / PATIENCE, PATIENCE * self._longest_s)
        run = self._patiently(mutant, limit_s)
        if run.timed_out and self._play("", limit_s).timed_out:
            raise TimeoutError(f"this machine is too slow by now to tell whether {mutant} ends")
        return not run.ok

    def _patiently(self, variant: str, timeout_s: float) -> Run:
        run = self._play(variant, timeout_s)
        return self._play(variant, PATIENCE * timeout_s) if run.timed_out else run

    def _play(self, variant: str, timeout_s: float) -> Run:
        trial = self._reference.copy()
        if variant:
            trial.overlay(GRADER_DIR / variant)
        try:
            return trial.run(self._command, timeout_s=timeout_s)
        finally:
            shutil.rmtree(trial.folder, ignore_errors=True)


def main(grade: Callable[[Grader], None]) -> NoReturn:
    """Judge the workspace that the command line names, and say the verdict as graders do.

    Exits with 2, and no verdict, if the grader itself fails.
    """
    try:
        if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
            raise SystemExit("usage: python3 grade.py WORKSPACE")
        grader = Grader(Path(sys.argv[1]).resolve())
        grade(grader)
        if not grader.checked:
            raise AssertionError("the grader checked nothing")
    except SystemExit as error:
        print(error, file=sys.stderr)
        _leave(2)
    except BaseException:
        import traceback  # most graders never need it

        traceback.print_exc()
        _leave(2)
    for reason in grader.problems[:MOST_PROBLEMS]:
        print(f"FAIL {reason}")
    print("FAIL" if grader.problems else "PASS")
    print(f"{grader.checked} checks", file=sys.stderr)
    _leave(1 if grader.problems else 0)


_SCRATCH: list[str] = []
_LIBC = ctypes.CDLL(None, use_errno=True)


def _scratch() -> str:
    """A folder of this grading, made when it is first asked for and removed at the end."""
    if not _SCRATCH:
        _SCRATCH.append(tempfile.mkdtemp(prefix="grade-"))
    return _SCRATCH[0]


def _leave(status: int) -> NoReturn:
    for folder in _SCRATCH:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _copied(folder: Path) -> Path:
    target = Path(tempfile.mkdtemp(prefix="trial-", dir=_scratch())) / "work"
    _copy_tree(folder, target)
    return target


def _copy_tree(source: Path, target: Path) -> None:
    """Copy files and folders; links and special files are left out, the history of git as well."""

    def unwanted(folder: str, names: list[str]) -> set[str]:
        return {
            name
            for name in names
            if name == ".git"
            or (path := Path(folder, name)).is_symlink()
            or not (path.is_file() or path.is_dir())
        }

    shutil.copytree(source, target, ignore=unwanted, dirs_exist_ok=True)


def _clear_way(root: Path, target: Path) -> None:
    """Make room for a file: links and files on the way to it, and what lies in its place."""
    for part in reversed(target.relative_to(root).parents[:-1]):
        step = root / part
        if step.is_symlink() or step.is_file():
            step.unlink()
        step.mkdir(exist_ok=True)
    if target.is_symlink() or target.is_file():
        target.unlink()
    elif target.is_dir():
        shutil.rmtree(target)


def _trusted(command: Sequence[str]) -> list[str]:
    """``python3 -m unittest`` with the real framework, loaded before the workspace can be."""
    if list(command[:3]) != ["python3", "-m", "unittest"]:
        return list(command)
    start = (
        "import json, re, sys, unittest; sys.path.insert(0, '');"
        "unittest.main(module=None, argv=['unittest', *sys.argv[1:]])"
    )
    return ["python3", "-I", "-c", start, *command[3:]]


def _names(kind: str) -> list[str]:
    folder = GRADER_DIR / kind
    return sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []


def _kept(file: Any) -> str:
    file.seek(0)
    text: str = file.read(MOST_OUTPUT).decode("utf-8", "replace")
    return text


def _ends(process: subprocess.Popen[bytes], timeout_s: float) -> bool:
    """Wait for the end of a program; False if it does not come in time.

    The kernel tells of it where it can; ``Popen.wait`` looks only twenty times a second.
    """
    try:
        handle = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        handle = -1
    try:
        if handle >= 0:
            ending = select.poll()
            ending.register(handle, select.POLLIN)
            ending.poll(timeout_s * 1000)
            return process.poll() is not None
        process.wait(timeout_s)
        return True
    except subprocess.TimeoutExpired:
        return False
    finally:
        if handle >= 0:
            os.close(handle)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()  # where it could lead no group; nothing happens if it has ended
    process.wait()


def _environment(home: str) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": home,
        "TMPDIR": home,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "NO_COLOR": "1",
    }


class _Fence:
    """Keeps a program to its own folders, where the kernel has Landlock; else it keeps nothing.

    Everything else but the grader's directory and its other folders can be read. The grader's
    process is out of reach: programs behind a fence can trace nobody outside of it and, from ABI 6
    on, send no signal there. Root has no more rights behind it than other users. Source: the
    kernel's user-space API for Landlock.
    """

    _CREATE, _ADD, _RESTRICT = 444, 445, 446
    _NO_NEW_PRIVILEGES = 38
    _CAPABILITIES = 0x20080522
    _READ = 0b1101
    _OF_FILES = 1 << 14 | 0b111
    _DEVICES = 1 << 6 | 1 << 11

    def __init__(self, own: Sequence[Path]) -> None:
        self._own = own
        self._ruleset = -1

    def __enter__(self) -> _Fence:
        abi = self._abi()
        if abi >= 1:
            self._rights = (1 << {1: 13, 2: 14}.get(abi, 15)) - 1
            scopes = 0b11 if abi >= 6 else 0
            attributes = struct.pack("3Q", self._rights, 0, scopes)
            size = 24 if abi >= 6 else 8
            self._ruleset = self._call(self._CREATE, attributes, ctypes.c_size_t(size), 0)
            self._write_rules()
        return self

    def __exit__(self, *_: object) -> None:
        if self._ruleset >= 0:
            os.close(self._ruleset)

    def enter(self) -> None:
        """Close it around the process that calls this, for ever."""
        with suppress(PermissionError):  # a sandbox around may forbid it, and keeps the group
            os.setsid()
        if self._ruleset >= 0:
            _LIBC.prctl(self._NO_NEW_PRIVILEGES, 1, 0, 0, 0)
            _LIBC.capset(struct.pack("Ii", self._CAPABILITIES, 0), bytes(24))
            self._call(self._RESTRICT, self._ruleset, 0)

    def _write_rules(self) -> None:
        hidden = [str(GRADER_DIR), os.path.realpath(_scratch())]
        # Where programs are can be read even if a sandbox does not let the way there be listed.
        for top in ("/", *os.environ.get("PATH", "").split(os.pathsep)):
            for path in _outside(top, hidden):
                self._allow(path, self._READ)
        for path in _outside("/dev", hidden):
            self._allow(path, self._rights & ~self._DEVICES)
        for folder in self._own:
            self._allow(str(folder), self._rights & ~self._DEVICES)

    def _allow(self, path: str, rights: int) -> None:
        with suppress(FileNotFoundError, PermissionError):
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                if not stat.S_ISDIR(os.fstat(handle).st_mode):
                    rights &= self._OF_FILES
                rule = struct.pack("=Qi", rights & self._rights, handle)
                self._call(self._ADD, self._ruleset, 1, rule, 0)
            finally:
                os.close(handle)

    def _abi(self) -> int:
        if not sys.platform.startswith("linux"):
            return 0
        try:
            return self._call(self._CREATE, None, ctypes.c_size_t(0), 1)
        except OSError:
            return 0

    @staticmethod
    def _call(number: int, *words: Any) -> int:
        found: int = _LIBC.syscall(number, *words)
        if found < 0:
            raise OSError(ctypes.get_errno(), "Landlock")
        return found


def _outside(path: str, hidden: Sequence[str]) -> Iterator[str]:
    """``path``, or of what is in it all that holds nothing hidden; links lead to other paths."""
    if not path or any(path == one or path.startswith(one + "/") for one in hidden):
        return
    if not any(one.startswith(path.rstrip("/") + "/") for one in hidden):
        yield path
        return
    for name in _listed(path):
        inner = os.path.join(path, name)
        if not os.path.islink(inner):
            yield from _outside(inner, hidden)


def _listed(path: str) -> list[str]:
    """What is in a folder; where a sandbox does not let it be listed, what may well be there."""
    try:
        return os.listdir(path)
    except OSError:
        return _USUAL.get(path, "").split()


_USUAL = {
    "/": "usr bin sbin lib lib32 lib64 etc dev proc sys opt home root nix run var",
    "/dev": "null zero full random urandom tty",
}


def _answers(path: Path, count: int) -> list[Any]:
    """What was answered, padded with ``NoAnswer``; lines of another form are no answer."""
    found: list[Any] = []
    if path.is_file() and not path.is_symlink():
        for line in path.read_text("utf-8", "replace").splitlines()[:count]:
            found.append(_answer(line))
    return found + [NoAnswer() for _ in range(count - len(found))]


def _answer(line: str) -> Any:
    try:
        said = json.loads(line)
        if "raised" in said:
            return Raised(str(said["raised"]), str(said.get("message", "")))
        return said["value"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return NoAnswer()


def _same(left: Any, right: Any) -> bool:
    """Equality of JSON values in which ``True`` is not 1; 1 and 1.0 are one number."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(_same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    return bool(left == right)
