"""What a candidate can reach at each level, as the page on confinement promises it."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kcb_core
import kcb_runner
from kcb_core.errors import MachineError
from kcb_core.report import Confinement
from kcb_runner.launch import slots
from kcb_runner.launch.forkserver import ForkserverLauncher
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.launch.remedy import remedy
from kcb_runner.slot import landlock

ESCAPES = Path(__file__).parent / "escapes"
ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/explanation/confinement.md"
SYSTEM_PYTHON = "/usr/bin/python3"
USER = "nobody"
LEVELS = ("none", "basic", "full")
AS_ROOT = os.geteuid() == 0

spec = spec_from_file_location("kcb_escape_attempt", ESCAPES / "attempt.py")
assert spec
assert spec.loader
attempt = module_from_spec(spec)
spec.loader.exec_module(attempt)


@cache
def promises() -> dict[str, dict[str, str]]:
    """The table of the page: for each attempt and level ``yes``, ``as root`` or ``no``."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(), re.M)
    return {
        name: dict(zip(LEVELS, words, strict=True))
        for name, *words in rows
        if set(words) <= {"yes", "as root", "no"}
    }


def command(python: str, *, as_user: bool) -> tuple[list[str], dict[str, str]]:
    """How to run a program that uses these packages with an interpreter, maybe as somebody else."""
    places = [kcb_core, kcb_runner, msgspec]
    path = [str(Path(str(place.__file__)).parents[1]) for place in places]
    environment = {
        "PATH": "/usr/bin:/bin:/usr/sbin",
        "PYTHONPATH": ":".join(dict.fromkeys(path)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": "/tmp" if as_user else str(Path.home()),
    }
    words = ["setpriv", f"--reuid={USER}", f"--regid={group_of(USER)}", "--clear-groups"]
    return [*(words if as_user else []), python], environment


def group_of(user: str) -> str:
    """The number of a user's group."""
    return subprocess.check_output(["id", "-g", user], text=True).strip()


def same_version(python: str) -> bool:
    """Whether an interpreter is there and can load what is installed for this one."""
    if not shutil.which(python):
        return False
    program = "import sys; print(*sys.version_info[:2])"
    said = subprocess.check_output([python, "-c", program], text=True)
    return said.split() == [str(part) for part in sys.version_info[:2]]


def uv_python() -> str:
    """An interpreter that uv has installed, of this version; empty if there is none."""
    pattern = f".local/share/uv/python/cpython-3.{sys.version_info[1]}.*/bin/python3"
    return str(next(iter(Path.home().glob(pattern)), ""))


UP_TO_THE_MACHINE = {
    *("make a user namespace", "make one by `clone`", "use io_uring"),
    *("use the key rings of the kernel", "make a virtual machine's socket"),
}
"""What some systems forbid everybody, by a setting of the kernel."""

PYTHONS: dict[str, Callable[[], str]] = {
    "own": lambda: sys.executable,
    "system": lambda: SYSTEM_PYTHON,
    "uv": uv_python,
}


@cache
def reached(python: str, as_user: bool, launcher: str, level: str) -> dict[str, Any]:
    """What the probe reaches; skips where this machine cannot ask that."""
    path = PYTHONS[python]()
    if not same_version(path):
        pytest.skip(f"there is no {python} interpreter of this version")
    if as_user and not (AS_ROOT and shutil.which("setpriv")):
        pytest.skip("only root can become another user")
    if as_user and python == "own" and "/root/" in os.path.realpath(path):
        pytest.skip("this interpreter can be run by root alone")
    words, environment = command(path, as_user=as_user)
    done = subprocess.run(
        [*words, str(ESCAPES / "attempt.py"), launcher, level],
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if "MachineError" in done.stderr or "SlotRefused" in done.stderr:
        pytest.skip(f"no level {level} here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("launcher", ["interpreter", "forkserver"])
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("as_user", [False, True], ids=["as-evaluator", "as-user"])
def test_what_is_reached_is_what_the_page_says(
    python: str, as_user: bool, launcher: str, level: str
) -> None:
    """The page's table is the promise. That an attempt succeeds unconfined shows that it bites."""
    found = reached(python, as_user, launcher, level)
    outcomes = {n: o for n, o in found["outcomes"].items() if o != "unknown" or level != "none"}
    root = AS_ROOT and not as_user
    alone = "own-user" in found["mechanisms"]
    expected = {name: promises()[name][level] for name in outcomes}
    for name, word in expected.items():
        possible = word == "yes" or (word == "as root" and root)
        if not possible and level != "none":
            assert outcomes[name] != "reached", f"{name}: {found['reasons'][name]}"
        elif possible and not alone and name not in UP_TO_THE_MACHINE:
            # With a user of its own a candidate reaches less, and that is well.
            assert outcomes[name] == "reached", f"{name}: {found['reasons'][name]}"


def test_the_page_promises_something_for_every_attempt() -> None:
    """A row without an attempt is a claim that nothing holds, and the other way round."""
    names = re.findall(r"^ *@?attempt\(\s*\"(.+?)\"\s*\)", (ESCAPES / "probe.py").read_text(), re.M)
    assert list(promises()) == names
    assert len(names) > 50


SLOTS = [
    *((kind, level) for kind in (InterpreterLauncher, ForkserverLauncher) for level in LEVELS[1:])
]


@pytest.fixture(params=SLOTS, ids=lambda value: f"{value[0].name}-{value[1]}")
def slot(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A slot at a level that confines."""
    kind, level = request.param
    with kind(level) as launcher:
        try:
            launcher.confinement()
        except MachineError as error:
            pytest.skip(str(error))
        with launcher.slot() as opened:
            yield opened


def converse(slot: Any, program: str | Path, said: str = "go") -> Any:
    """Play a program in a slot; what it prints, decoded."""
    data = program.read_bytes() if isinstance(program, Path) else program.encode()
    return json.loads(attempt.converse(slot, data, said, fresh=slot.quick is None))


def test_nothing_of_a_session_is_found_by_the_next(slot: Any) -> None:
    """A project must not know of the one before it, nor a scenario of another: of files, marks on
    folders, times, locks, kernel objects, limits on the supervisor, and processes nothing stays."""
    name = f"kcb{os.getpid()}"
    for _ in range(2 * max(1, slot.quick_sessions)):
        left = converse(slot, ESCAPES / "leave.py", f"leave {name}")
        assert len(left) > 20, "too little could be left for this to prove anything"
        assert converse(slot, ESCAPES / "leave.py", f"look {name}") == []
        assert not called(name)


def called(name: str) -> list[str]:
    """Living processes of a name, wherever they are."""
    found = []
    for path in Path("/proc").glob("[0-9]*/comm"):
        try:
            if path.read_text().strip() == name and b"Z" not in status(path.parent):
                found.append(path.parent.name)
        except OSError:
            continue
    return found


def status(process: Path) -> list[bytes]:
    """The state of a process."""
    return [(process / "stat").read_bytes().rpartition(b")")[2].split()[0]]


SHOOT = """
import json, os, signal, sys
sys.stdin.readline()
parent = os.getppid()
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGSTOP, signal.SIGHUP, *range(34, 65)):
    for target in (parent, -1):
        try:
            os.kill(target, number) if number != signal.SIGSTOP or target > 0 else None
        except OSError:
            pass
for number in (signal.SIGKILL, signal.SIGSTOP):
    try:
        os.kill(parent, number)
        signal.pidfd_send_signal(os.pidfd_open(parent), number)
    except OSError:
        pass
print(json.dumps("alive"), flush=True)
signal.pause()
"""


def test_the_supervisor_is_beyond_the_reach_of_signals(slot: Any) -> None:
    """Whoever could end or stop it would leave processes behind, or void its own failure."""
    before = [supervisor.pid for supervisor in slot._supervisors]
    for _ in range(2):
        assert converse(slot, SHOOT) == "alive"
    assert [supervisor.pid for supervisor in slot._supervisors] == before
    assert slot.usable
    assert converse(slot, "print(1)") == 1


SNOOP = """
import gc, json, sys
sys.stdin.readline()
held = [o for o in gc.get_objects() if isinstance(o, (str, bytes, list, dict, tuple))]
text = repr([o for o in held if o is not held])
frame, names = sys._getframe(), []
while frame:
    text += repr(frame.f_locals.keys())
    frame = frame.f_back
words = ["".join(reversed(word)) for word in ("erofeb-fo-terces", "rewsna_detcepxe")]
print(json.dumps([word for word in words if word in text]), flush=True)
"""


def test_a_forked_session_holds_nothing_of_the_one_before(slot: Any) -> None:
    """Whatever its supervisor keeps in memory, a fork can read: so it keeps nothing to be read."""
    converse(slot, "secret = 'secret-of-before'\nprint(1)", "expected_answer")
    converse(slot, "secret = 'secret-of-before'\nprint(1)", "expected_answer")
    assert converse(slot, SNOOP) == []


def test_a_hidden_folder_below_a_readable_one_cannot_be_read(tmp_path: Path) -> None:
    """The evaluator's packages may lie in the library of the interpreter, beside what it needs."""
    if not landlock.version():
        pytest.skip("the kernel has no Landlock")
    for name in ("lib/json/file", "lib/site-packages/kcb/answers", "lib/file"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    program = f"""
import json, os, sys
from kcb_runner.slot import kernel, landlock
rules = landlock.Rules(landlock.version())
rules.allow_reading_without([{str(tmp_path)!r}], [{str(tmp_path / "lib/site-packages")!r}])
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1, "")
rules.restrict()
found = []
for name in ("lib/json/file", "lib/site-packages/kcb/answers", "lib/file"):
    try:
        found.append(open({str(tmp_path)!r} + "/" + name).read())
    except PermissionError:
        pass
sys.stdout.write(json.dumps([found, sorted(os.listdir({str(tmp_path / "lib")!r}))]))
"""
    said = subprocess.check_output([sys.executable, "-c", program])
    assert json.loads(said) == [
        ["lib/json/file", "lib/file"],
        ["file", "json", "site-packages"],
    ]


PACKAGES = """
import json, os, sys
sys.stdin.readline()
root, found = {root!r}, []
for name in ("lib/needed.py", "lib/site-packages/kcb/answers", "lib/site-packages"):
    try:
        found += os.listdir(f"{{root}}/{{name}}") if name[-1] == "s" and "kcb" not in name else [
            open(f"{{root}}/{{name}}").read()]
    except OSError:
        pass
print(json.dumps(found), flush=True)
"""


@pytest.mark.parametrize("level", ["full", "basic"])
@pytest.mark.parametrize("place", [Path.home(), Path("/tmp")], ids=["home", "tmp"])
def test_packages_beside_the_library_of_the_interpreter_are_hidden(
    level: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever installs the benchmark without a virtual environment has its answers lie there; and
    an interpreter may lie where a candidate has its temporary files."""
    with tempfile.TemporaryDirectory(prefix=".kcb-", dir=place) as root:
        for name in ("lib/needed.py", "lib/site-packages/kcb/answers"):
            (Path(root) / name).parent.mkdir(parents=True)
            (Path(root) / name).write_text(name)
        seen, unseen = slots.visible, slots.hidden
        monkeypatch.setattr(slots, "visible", lambda python: (*seen(python), f"{root}/lib"))
        monkeypatch.setattr(
            slots, "hidden", lambda python: (*unseen(python), f"{root}/lib/site-packages")
        )
        os.chmod(root, 0o755)
        with InterpreterLauncher(level) as launcher:
            try:
                launcher.confinement()
            except MachineError as error:
                pytest.skip(str(error))
            with launcher.slot() as slot:
                found = converse(slot, PACKAGES.format(root=root))
        names = ["kcb"] if level == "basic" else []  # at basic it can be listed, and not read
        assert found == ["lib/needed.py", *names]


FORKED = """
import gc, json, os, sys
sys.stdin.readline()
handles = [os.open("main.py", os.O_RDONLY) for _ in range(8)]
gc.collect()
for handle in handles:
    os.fstat(handle)
print(json.dumps(handles), flush=True)
"""


def test_no_object_of_the_supervisor_closes_a_file_of_the_session(slot: Any) -> None:
    """The socket to the evaluator is closed before a program runs, and must not be closed again:
    by then its number belongs to the program."""
    assert converse(slot, FORKED) == list(range(3, 11))


def test_a_hopper_cannot_outrun_the_end_of_its_session(slot: Any) -> None:
    """A process that is always another by the time one looks holds the output open if it lives."""
    program = """
import json, os, sys
sys.stdin.readline()
if os.fork() == 0:
    while True:
        try:
            if os.fork():
                os._exit(0)
            os.setsid()
        except OSError:
            pass
print(json.dumps("off"), flush=True)
import time; time.sleep(60)
"""
    request_start = time.monotonic()
    process = start(slot, program)
    output = os.dup(process.stdout)
    try:
        deadline = time.monotonic() + 20
        while b"off" not in (attempt._line_of(output, process.stderr)):
            assert time.monotonic() < deadline
        time.sleep(0.3)
        process.usage()
        process.stop()
        os.set_blocking(output, True)
        signal.alarm(5)
        assert os.read(output, 10) == b"", "somebody still holds the output"
    finally:
        signal.alarm(0)
        os.close(output)
    assert time.monotonic() - request_start < 30


def start(slot: Any, program: str) -> Any:
    """A program that runs in a slot, told to go."""
    from_scratch = attempt.Scratch(
        attempt.Submission(files=(attempt.SubmittedFile("main.py", program.encode(), False),)), slot
    )
    with from_scratch.place() as place:
        process = slot.launch(
            attempt.LaunchRequest(
                argv=(attempt.interpreter(), "-E", "-s", "-S", "main.py"),
                cwd=place.project,
                environment=attempt.clean_environment(home=place.home, scratch=place.home),
                fresh=slot.quick is None,
            )
        )
        os.write(process.stdin, b"go\n")
        time.sleep(0.3)  # until it has read its source
    return process


DOCTOR = """
import json, sys
from kcb_runner.checkup import confinement_check
from kcb_runner.launch.forkserver import ForkserverLauncher
from kcb_runner.launch.interpreter import InterpreterLauncher
health = confinement_check()
said = [health.verdict, health.summary, health.remedy]
for kind in (InterpreterLauncher, ForkserverLauncher):
    with kind() as launcher:
        found = launcher.confinement()
        said += [found.level, found.mechanisms, found.reason]
sys.stdout.write(json.dumps(said))
"""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the filter has numbers of x86-64")
@pytest.mark.parametrize("as_user", [False, True], ids=["as-evaluator", "as-user"])
@pytest.mark.parametrize(
    ("lacking", "level", "reason"),
    [
        ("landlock", "full", ""),
        ("namespaces", "basic", "unshare"),
        ("namespaces,landlock", "none", "the kernel has no Landlock"),
    ],
)
def test_what_a_machine_lacks_lowers_the_level_and_is_said(
    lacking: str, level: str, reason: str, as_user: bool
) -> None:
    """A user must learn that confinement is weaker, why, and what to do; and judge all the same."""
    python = next(
        path() for name, path in PYTHONS.items() if name == ("system", "own")[not as_user]
    )
    if not same_version(python):
        pytest.skip("there is no system interpreter of this version")
    if as_user and not AS_ROOT:
        pytest.skip("only root can become another user")
    if not as_user and landlock.version() < 6:
        pytest.skip("this machine lacks it anyway")
    words, environment = command(python, as_user=as_user)
    done = subprocess.run(
        [*words, str(ESCAPES / "without.py"), lacking, python, "-c", DOCTOR],
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    verdict, summary, advice, *launchers = json.loads(done.stdout)
    assert verdict == ("ok" if level == "full" else "warning")
    assert summary.startswith(f"level {level}: ")
    assert bool(advice) == (level != "full")
    for found, mechanisms, why in (launchers[:3], launchers[3:]):
        assert found == level
        assert reason in why
        assert ("landlock" in mechanisms) == ("landlock" not in lacking)
        assert ("namespaces" in mechanisms) == (level == "full")


@pytest.mark.parametrize(
    ("setting", "value", "command"),
    [
        ("user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=15000"),
        ("kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
        (
            "kernel/apparmor_restrict_unprivileged_userns",
            "1",
            "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
        ),
    ],
)
def test_the_remedy_is_the_setting_that_stands_in_the_way(
    setting: str, value: str, command: str, tmp_path: Path
) -> None:
    """Ubuntu 24.04 is the most common machine without user namespaces, and one command mends it."""
    (tmp_path / setting).parent.mkdir()
    (tmp_path / setting).write_text(f"{value}\n")
    assert command in remedy(Confinement(level="basic"), tmp_path)
    assert remedy(Confinement(level="full"), tmp_path) == ""
    assert "container" in remedy(Confinement(level="none"), tmp_path / "nothing")


def test_a_machine_without_anything_is_told_all_that_it_lacks(monkeypatch, tmp_path):
    """Each line can be followed by itself."""
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setattr("kcb_runner.slot.seccomp.available", lambda: False)
    said = remedy(Confinement(level="none"), tmp_path)
    assert "user namespaces" in said
    assert "lsm=landlock" in said
    assert "x86-64" in said
    monkeypatch.setattr(sys, "platform", "darwin")
    assert remedy(Confinement(level="none"), tmp_path).startswith("judge on Linux")
