"""Any commands, confined: what they cannot reach, what becomes of them, and what is left."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kcb_core
import kcb_runner
from kcb_core.errors import DeclarationError, MachineError
from kcb_runner.cancel import Cancel, Cancelled
from kcb_runner.launch.leftovers import left_behind
from kcb_runner.sandbox import AGENT, NotStarted, Profile, Sandbox
from kcb_runner.tree import remove_tree

HERE = Path(__file__).parent
TOUR = HERE / "sandboxed/tour.py"
WITHOUT = HERE / "escapes/without.py"
SYSTEM_PYTHON = "/usr/bin/python3"
AS_ROOT = os.geteuid() == 0
LIMIT_S = 60.0

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="confinement is Linux's")


@pytest.fixture(scope="module")
def full() -> None:
    """Skip what needs level ``full`` where this machine does not have it."""
    folder = Path(tempfile.mkdtemp(prefix="sandbox-"))
    try:
        with Sandbox(folder):
            pass
    except MachineError as error:
        pytest.skip(str(error))
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def open_box(full: None, tmp_path: Path) -> Iterator[Sandbox]:
    """A sandbox over an empty folder."""
    (tmp_path / "work").mkdir()
    with Sandbox(tmp_path / "work") as made:
        yield made


def bounded(**limits: Any) -> Profile:
    """An agent's profile with other limits."""
    return replace(AGENT, limits=msgspec.structs.replace(AGENT.limits, **limits))


def same_version(python: str) -> bool:
    """Whether an interpreter is there and can load what is installed for this one."""
    if not shutil.which(python):
        return False
    program = "import sys; print(*sys.version_info[:2])"
    said = subprocess.check_output([python, "-c", program], text=True)
    return said.split() == [str(part) for part in sys.version_info[:2]]


def command(*, as_user: bool) -> tuple[list[str], dict[str, str]]:
    """How to run a program that uses these packages, maybe as somebody else."""
    if as_user and not (AS_ROOT and shutil.which("setpriv")):
        pytest.skip("only root can become another user")
    if as_user and not same_version(SYSTEM_PYTHON):
        pytest.skip("there is no system interpreter of this version")
    places = [Path(str(place.__file__)).parents[1] for place in (kcb_core, kcb_runner, msgspec)]
    words = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", SYSTEM_PYTHON]
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": ":".join(map(str, dict.fromkeys(places))),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return (words if as_user else [sys.executable]), environment


@cache
def tour(as_user: bool) -> dict[str, Any]:
    """What a tour of a sandbox finds, as this user or as one without any privilege."""
    words, environment = command(as_user=as_user)
    folder = Path(tempfile.mkdtemp(prefix="sandbox-"))
    try:
        folder.chmod(0o777)
        (folder / "secret").write_text("canary")
        (folder / "secret").chmod(0o644)
        (folder / "work").mkdir()
        if as_user:
            shutil.chown(folder / "work", "nobody")
        done = subprocess.run(
            [*words, str(TOUR), str(folder / "work"), str(folder / "secret")],
            env=environment,
            cwd="/",
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    finally:
        shutil.rmtree(folder)
    if "no sandbox at level" in done.stderr:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


as_anybody = pytest.mark.parametrize("as_user", [False, True], ids=["as-this-user", "as-nobody"])


@as_anybody
def test_nothing_of_the_evaluator_is_visible(as_user: bool) -> None:
    """An agent that reads tests or answers has been told the answers."""
    found = tour(as_user)
    assert found["level"] == "full"
    assert found["secret"] == 1
    assert found["packages"] == "[]"
    assert found["files"] == ""


@as_anybody
def test_no_network_but_loopback_of_its_own(as_user: bool) -> None:
    """What leaves the machine unseen is neither metered nor policed."""
    found = tour(as_user)
    assert found["outside"] == {
        "tcp here": "ConnectionRefusedError",
        "unix here": "FileNotFoundError",
        "abstract here": "ConnectionRefusedError",
        "tcp elsewhere": "OSError",
        "udp elsewhere": "OSError",
        "raw": "PermissionError",
        "packet": "PermissionError",
    }
    assert found["loopback"] == "hello"


@as_anybody
def test_the_callers_service_can_be_reached_inside_and_only_there(as_user: bool) -> None:
    """A metering proxy listens where the agent is, and on no port of this machine."""
    found = tour(as_user)
    assert found["listen"] == "proxy"
    assert "listens outside too" not in found


@as_anybody
def test_a_command_takes_all_it_started_with_it_and_nothing_else(as_user: bool) -> None:
    """What left its session and its parent is gone too; a program beside it goes on."""
    found = tour(as_user)
    assert not found["lingers first"]
    assert not found["lingers second"]
    assert found["server still runs"]
    assert not found["server in the end"]


@as_anybody
def test_what_was_made_is_the_callers(as_user: bool) -> None:
    """The folder is what the work is judged by."""
    found = tour(as_user)
    assert found["kept"] == "kept\n"
    assert found["owner"]


def test_a_command_is_told_apart_by_how_it_ended(open_box: Sandbox) -> None:
    """An exit, a signal, a time-out and a missing program are four different things."""
    assert open_box.run(["sh", "-c", "exit 7"], timeout_s=LIMIT_S).status == 7
    killed = open_box.run(["sh", "-c", "kill -11 $$"], timeout_s=LIMIT_S)
    assert (killed.status, killed.signal, killed.timed_out) == (None, signal.SIGSEGV, False)
    started = time.monotonic()
    late = open_box.run(["sh", "-c", "trap '' TERM; echo begun; sleep 60"], timeout_s=0.5)
    assert time.monotonic() - started < 30
    assert (late.status, late.timed_out, late.stdout) == (None, True, b"begun\n")
    for words in (["no-such-program"], ["/etc/hosts"], ["./gone"], [], [""], ["a\0b"]):
        with pytest.raises(NotStarted):
            open_box.run(words, timeout_s=LIMIT_S)


def test_no_program_has_a_capability_or_can_be_given_one(open_box: Sandbox) -> None:
    """Not even the bounding set, from which a program with privileges would take them."""
    said = open_box.run(["grep", "^Cap", "/proc/self/status"], timeout_s=LIMIT_S).stdout.decode()
    sets = dict(line.split(":\t") for line in said.splitlines())
    assert sets == dict.fromkeys(("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"), "0" * 16)


def test_a_name_that_the_caller_gives_is_found_inside(full: None, tmp_path: Path) -> None:
    """Where there is no name service, a program still finds what it is to find."""
    (tmp_path / "work").mkdir()
    with Sandbox(tmp_path / "work", hosts={"a-service": "198.18.0.1"}) as box:
        found = box.run(["cat", "/etc/hosts"], timeout_s=LIMIT_S).stdout
        assert os.readlink(f"/proc/{box.pid}/ns/net") != os.readlink("/proc/self/ns/net")
        inside = box.run(["readlink", "/proc/self/ns/net"], timeout_s=LIMIT_S).stdout.decode()
        assert inside.strip() == os.readlink(f"/proc/{box.pid}/ns/net")
    assert found == b"127.0.0.1 localhost\n198.18.0.1 a-service\n"


def test_what_goes_in_and_out_is_bytes(open_box: Sandbox) -> None:
    """Not every output is text, and none may be changed on its way."""
    data = bytes(range(256)) * 4000
    copied = open_box.run(["cat"], timeout_s=LIMIT_S, stdin=data)
    assert copied.stdout == data
    assert not copied.truncated
    assert open_box.run(["true"], timeout_s=LIMIT_S, stdin=data).status == 0
    assert open_box.run(["sh", "-c", "cat >&2"], timeout_s=LIMIT_S, stdin=b"\xff").stderr == b"\xff"


def test_a_long_command_is_taken_and_a_longer_one_refused(open_box: Sandbox) -> None:
    """Models write whole files in one command."""
    text = "x" * 100_000
    assert open_box.run(["echo", text], timeout_s=LIMIT_S).stdout == f"{text}\n".encode()
    for words in (["echo", "x" * 140_000], ["echo", *["x" * 100_000] * 3]):
        with pytest.raises(NotStarted):
            open_box.run(words, timeout_s=LIMIT_S)
    assert open_box.run(["echo"], timeout_s=LIMIT_S).status == 0


@pytest.mark.usefixtures("full")
def test_what_a_running_program_has_written_is_counted_while_it_runs(tmp_path: Path) -> None:
    """So that whoever floods can be ended long before its time is over."""
    (tmp_path / "work").mkdir()
    with Sandbox(tmp_path / "work", profile=bounded(stdout_bytes=10, stderr_bytes=10)) as box:
        flood = box.start(["/bin/sh", "-c", "yes & yes >&2"], timeout_s=LIMIT_S)
        until = time.monotonic() + LIMIT_S
        while flood.written < 1 << 20 and time.monotonic() < until:
            time.sleep(0.01)
        ended = flood.stop()
    assert ended.stopped
    kept = len(ended.stdout) + len(ended.stderr)
    assert flood.written == kept + ended.stdout_dropped + ended.stderr_dropped >= 1 << 20
    assert kept == 20


@pytest.mark.usefixtures("full")
def test_output_is_kept_up_to_a_bound_and_counted(tmp_path: Path) -> None:
    """A flood must not fill the memory, nor be taken for all that there was."""
    with Sandbox(tmp_path, profile=bounded(stdout_bytes=1000)) as made:
        found = made.run(["sh", "-c", "yes | head -c 5000000; echo x >&2"], timeout_s=LIMIT_S)
    assert found.stdout == b"y\n" * 500
    assert (found.stdout_dropped, found.stderr, found.truncated) == (4_999_000, b"x\n", True)


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize(
    ("program", "exceeded"),
    [("x = b'x' * (400 << 20)", "memory"), ("[os.fork() for _ in range(4)]", "processes")],
)
def test_too_much_is_ended_and_named(tmp_path: Path, program: str, exceeded: str) -> None:
    """A bound is neither a time-out nor a crash of the program."""
    profile = bounded(memory_bytes=200 << 20, processes=12)
    words = [SYSTEM_PYTHON, "-c", f"import os, time; {program}; time.sleep(60)"]
    with Sandbox(tmp_path, profile=profile) as made:
        found = made.run(words, timeout_s=LIMIT_S)
    assert (found.exceeded, found.status, found.timed_out) == (exceeded, None, False)


def test_the_environment_is_what_is_listed(open_box: Sandbox, monkeypatch) -> None:
    """Nothing is inherited, so no credential can be."""
    monkeypatch.setenv("KCB_SECRET_TOKEN", "canary")
    said = open_box.run(["env"], timeout_s=LIMIT_S, environment={"TZ": "Etc/UTC"}).stdout.decode()
    home = str(open_box.home)
    assert dict(line.split("=", 1) for line in said.splitlines()) == {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": home,
        "TMPDIR": home,
        "TZ": "Etc/UTC",
    }
    assert open_box.run(["pwd"], timeout_s=LIMIT_S).stdout.decode() == f"{open_box.inside}\n"


@pytest.mark.usefixtures("full")
def test_a_toolchain_can_be_shown_and_not_changed(tmp_path: Path) -> None:
    """What an agent needs to build with is seen at its own place, and nothing beside it."""
    (tmp_path / "work").mkdir()
    tools = tmp_path / "tools" / "bin"
    tools.mkdir(parents=True)
    tmp_path.chmod(0o755)
    (tools / "greet").write_text("#!/bin/sh\necho hello\n")
    (tools / "greet").chmod(0o755)
    (tmp_path / "beside").write_text("canary")
    path = {"PATH": f"{tools}:/usr/bin:/bin"}
    with Sandbox(tmp_path / "work", show=[tools], environment=path) as made:
        assert made.run(["greet"], timeout_s=LIMIT_S).stdout == b"hello\n"
        assert made.run(["cat", str(tmp_path / "beside")], timeout_s=LIMIT_S).status == 1
        changed = made.run(["sh", "-c", f"echo x > {tools}/greet"], timeout_s=LIMIT_S)
        assert changed.status != 0
    assert (tools / "greet").stat().st_uid == os.getuid()


def test_the_evaluators_own_packages_are_never_shown(tmp_path: Path) -> None:
    """Neither on purpose nor as part of something larger, nor as the place to work in."""
    package = Path(str(kcb_runner.__file__)).parent
    for path in (package, package.parent, package.parents[1]):
        with pytest.raises(DeclarationError, match="packages of the evaluator"):
            Sandbox(tmp_path, show=[path])
        with pytest.raises(DeclarationError, match="packages of the evaluator"):
            Sandbox(path)
    (tmp_path / "link").symlink_to(package)
    for shown in (Path("/"), Path("relative"), tmp_path / "gone", tmp_path / "link"):
        with pytest.raises(DeclarationError):
            Sandbox(tmp_path, show=[shown])


def test_no_file_outside_is_within_reach_by_another_name(tmp_path: Path) -> None:
    """A hard link would let an agent write to what lies elsewhere."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "one").write_text("")
    (tmp_path / "work" / "two").hardlink_to(tmp_path / "work" / "one")
    Sandbox(tmp_path / "work")
    (tmp_path / "outside").hardlink_to(tmp_path / "work" / "one")
    with pytest.raises(DeclarationError, match="has another name outside"):
        Sandbox(tmp_path / "work")


def test_only_a_folder_of_ones_own_is_handed_over(tmp_path: Path) -> None:
    """All that is in it changes its owner, where root runs agents."""
    (tmp_path / "file").write_text("")
    for wrong in (tmp_path / "file", tmp_path / "gone"):
        with pytest.raises(DeclarationError, match="is no folder"):
            Sandbox(wrong)
    for wrong in ("/", "/usr", "/etc", "/tmp", "/proc", Path.home(), Path.home().parent):
        with pytest.raises(DeclarationError, match="is more than a folder to work in"):
            Sandbox(Path(wrong))


@pytest.mark.parametrize("level", ["basic", "none"])
def test_less_has_to_be_asked_for(tmp_path: Path, level: str) -> None:
    """With less than ``full`` commands run too, and it is said what is lacking."""
    try:
        with Sandbox(tmp_path, confine=level) as made:
            assert made.confinement.level == level
            found = made.run(["sh", "-c", "pwd > here; cat here"], timeout_s=LIMIT_S)
            assert found.stdout.decode() == f"{made.inside}\n"
            if level == "basic":
                with pytest.raises(MachineError, match="no network at level 'basic'"):
                    made.listen()
    except MachineError as error:
        pytest.skip(str(error))
    assert (tmp_path / "here").read_text() == f"{tmp_path.resolve()}\n"
    with pytest.raises(DeclarationError, match="unknown level"):
        Sandbox(tmp_path, confine="somewhat")


@as_anybody
def test_where_full_is_not_to_be_had_it_is_refused(as_user: bool) -> None:
    """Running an agent with less than was asked for would be worse than not running it."""
    words, environment = command(as_user=as_user)
    program = (
        "import pathlib, sys, kcb_runner.sandbox as s\n"
        "with s.Sandbox(pathlib.Path(sys.argv[1])) as box: print('opened')"
    )
    folder = Path(tempfile.mkdtemp(prefix="sandbox-"))
    done = subprocess.run(
        [*words, str(WITHOUT), "namespaces", words[-1], "-c", program, str(folder)],
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    folder.rmdir()
    assert "MachineError: no sandbox at level 'full': " in done.stderr
    assert "unshare: Operation not permitted" in done.stderr
    assert done.stdout == ""


@pytest.mark.usefixtures("full")
def test_a_stopped_run_ends_its_programs(tmp_path: Path) -> None:
    """Ctrl-C must reach what no signal reaches."""
    cancel = Cancel()
    threading.Timer(0.5, cancel.throw).start()
    started = time.monotonic()
    with Sandbox(tmp_path, cancel=cancel) as made, pytest.raises(Cancelled):
        made.run(["sleep", "60"], timeout_s=LIMIT_S)
    assert time.monotonic() - started < 30


def test_many_run_at_the_same_time(open_box: Sandbox) -> None:
    """They share the folder and end one by one; what is stopped says so."""
    programs = [open_box.start(["sh", "-c", f"sleep 0.{n}; echo {n}"]) for n in range(6)]
    endless = open_box.start(["sleep", "60"])
    results = [program.wait(LIMIT_S) for program in programs]
    assert [result and result.stdout for result in results] == [b"%d\n" % n for n in range(6)]
    assert endless.wait(0.05) is None
    assert endless.running
    stopped = endless.stop()
    assert (stopped.stopped, stopped.status, stopped.timed_out) == (True, None, False)
    assert endless.stop() == stopped


@pytest.mark.usefixtures("full")
def test_nothing_outlives_an_evaluator_that_is_killed(tmp_path: Path) -> None:
    """No clean-up of ours runs then; the kernel has to do it."""
    program = (
        "import sys, time; from pathlib import Path; from kcb_runner.sandbox import Sandbox\n"
        "with Sandbox(Path(sys.argv[1])) as box:\n"
        "    box.start(['sh', '-c', 'setsid sh -c \"while :; do echo x >> beat; sleep 0.02; "
        "done\" & wait'])\n"
        "    time.sleep(60)"
    )
    words, environment = command(as_user=False)
    beat = tmp_path / "beat"
    with subprocess.Popen([*words, "-c", program, str(tmp_path)], env=environment) as run:
        until = time.monotonic() + LIMIT_S
        while not beat.exists() and time.monotonic() < until:
            time.sleep(0.01)
        run.kill()
    for folder in left_behind():
        if f"-{run.pid}-" in folder.name:
            remove_tree(folder)
    assert beat.exists()
    until, size = time.monotonic() + 10, -1
    while size != beat.stat().st_size and time.monotonic() < until:
        size = beat.stat().st_size
        time.sleep(0.5)
    assert size == beat.stat().st_size


@pytest.mark.usefixtures("full")
def test_a_closed_sandbox_starts_nothing(tmp_path: Path) -> None:
    """A thread that comes late finds it closed, and starts nothing outside."""
    made = Sandbox(tmp_path)
    with pytest.raises(DeclarationError, match="is not open"):
        made.run(["true"], timeout_s=LIMIT_S)
    with made:
        made.run(["true"], timeout_s=LIMIT_S)
    with pytest.raises(DeclarationError, match="is not open"):
        made.start(["true"])
