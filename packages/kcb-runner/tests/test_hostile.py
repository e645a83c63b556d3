"""Projects that break the rules get their verdict, and nobody else notices."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kcb_core.console import plain
from kcb_core.errors import DeclarationError, MachineError
from kcb_core.limits import LIMITS
from kcb_core.report import Outcome
from kcb_core.submission import Submission, SubmittedFile
from kcb_core.task import PYTHON, Scenario, Session, Task
from kcb_runner import driver, judging, scenario
from kcb_runner.cancel import Cancel
from kcb_runner.judging import Bench, judge
from kcb_runner.launch.forkserver import ForkserverLauncher
from kcb_runner.launch.interpreter import InterpreterLauncher
from kcb_runner.snapshot import Rejected, take
from kcb_runner.tree import remove_tree

spec = spec_from_file_location("kcb_hostile", Path(__file__).parent / "hostile" / "corpus.py")
assert spec
assert spec.loader
hostile = module_from_spec(spec)
sys.modules[spec.name] = hostile  # where a dataclass looks its annotations up
spec.loader.exec_module(hostile)
CORPUS = hostile.CORPUS

SECOND_S = 1.0
GONE_S = 2.0
PUT_DOWN_S = 30.0
SMALL = msgspec.structs.replace(
    LIMITS, memory_bytes=96 << 20, file_bytes=8 << 20, written_bytes=32 << 20
)
LAUNCHERS = {
    "interpreter-full": lambda: InterpreterLauncher("full", limits=SMALL),
    "interpreter-basic": lambda: InterpreterLauncher("basic", limits=SMALL),
    "interpreter-none": lambda: InterpreterLauncher("none", limits=SMALL),
    "forkserver-full": lambda: ForkserverLauncher("full", limits=SMALL),
}
SAMPLE = (
    *("floods_both", "half_a_line", "answers_twice", "huge_depth", "kills_its_group"),
    *("leaves_a_daemon", "hops_from_process_to_process", "fork_bomb", "memory_hog", "many_files"),
    *("closed_folders", "swaps_its_folders_for_links", "own_json_module", "own_encodings"),
    *("kills_whoever_started_it", "kills_everybody", "terminal_escapes_in_no_json"),
)
_SUBREAPER = 36


class Range:
    """Where hostile projects are judged, by one launcher."""

    def __init__(self, launcher: InterpreterLauncher) -> None:
        self.others = set(descendants())  # of other tests in this process
        self.level = launcher.confinement().level
        self.cancel = Cancel()
        self.bench = Bench(launcher=launcher, cancel=self.cancel, limits=SMALL)

    @property
    def idle(self) -> int:
        """Processes of the slots that nobody uses: supervisors, and at level full who waits."""
        keeper = self.bench.launcher._keeper
        slots = keeper._idle if keeper else []
        return sum(len(slot._supervisors) for slot in slots) * (2 if self.level == "full" else 1)

    def judge(self, main: str, files: Any, limit_s: float, scenarios: int = 1) -> Any:
        """Judge a project by scenarios of two requests that are to be echoed."""
        data = {"main.py": main, **files}
        made = tuple(
            SubmittedFile(name, text.encode() if isinstance(text, str) else text, False)
            for name, text in sorted(data.items())
        )
        return judge(echo_task(limit_s, scenarios), Submission(files=made), self.bench)


def echo_task(limit_s: float, scenarios: int) -> Task:
    """Scenarios of one session each, in which two requests are to be echoed."""
    requests = ({"id": 0, "value": "x"}, {"id": 1, "value": "y"})
    session = Session(requests=requests, expected=requests)
    return Task(
        task_id="hostile-easy-001-echo",
        subset="easy",
        family="echo",
        category="hostile",
        title="Echo",
        target_model_parameters="none",
        language="Python",
        entrypoint="main.py",
        start=(PYTHON, "-E", "-s", "-S", "main.py"),
        protocol_version="1.0",
        prompt="Echo.\n",
        public_tests=(),
        acceptance_tests=tuple(
            Scenario(name=str(number), sessions=(session,)) for number in range(scenarios)
        ),
        timeout_seconds=limit_s,
    )


def descendants() -> list[int]:
    """All living processes below this one."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                words = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()
            except OSError:
                continue
            if words[0] not in (b"Z", b"X"):
                parents[int(name)] = int(words[1])
    below, front = [], {os.getpid()}
    while front:
        front = {pid for pid, parent in parents.items() if parent in front}
        below += front
    return below


@pytest.fixture(scope="module", autouse=True)
def _orphans() -> Iterator[None]:
    """Have orphans handed to this process, so that none is overlooked."""
    if sys.platform != "linux":
        pytest.skip("processes are found by /proc")
    libc = ctypes.CDLL(None)
    libc.prctl(_SUBREAPER, 1, 0, 0, 0)
    yield
    libc.prctl(_SUBREAPER, 0, 0, 0, 0)


@pytest.fixture(scope="module")
def ranges() -> Iterator[dict[str, Range]]:
    """One range a launcher, made when it is first asked for."""
    made: dict[str, Range] = {}
    yield made
    for one in made.values():
        one.bench.launcher.close()
        one.cancel.close()


@pytest.fixture
def outputs(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The reading ends of all candidates' outputs, held so that their end can be waited for."""
    held: list[int] = []
    really = scenario.play

    def play(process: Any, *words: Any, **options: Any) -> Any:
        held.append(os.dup(process.stdout))
        held.append(os.dup(process.stderr))
        return really(process, *words, **options)

    monkeypatch.setattr(scenario, "play", play)
    monkeypatch.setattr(driver, "END_GRACE_S", SECOND_S)
    monkeypatch.setattr(judging, "SLOW_PROBE_SHARE", 100)  # how fast this machine is, is no matter
    yield held
    for handle in held:
        os.close(handle)


def ends(handle: int) -> bool:
    """Whether an output has nobody left who could write to it."""
    deadline = time.monotonic() + GONE_S
    while time.monotonic() < deadline:
        if select.select([handle], [], [], 0.05)[0] and not os.read(handle, 1 << 16):
            return True
    return False


def attack(name: str, launcher: str, ranges: dict[str, Range], outputs: list[int]) -> None:
    """Judge a hostile project, and see that its verdict is right and nothing of it is left."""
    case = CORPUS[name]
    if launcher not in ranges:
        close_all(ranges)
        try:
            ranges[launcher] = Range(LAUNCHERS[launcher]())
        except MachineError as error:
            pytest.skip(str(error))
    outputs.clear()
    there = ranges[launcher]
    if case.harms_unconfined and there.level == "none":
        pytest.skip("it would do harm")
    before = marks()
    expected = case.at.get(there.level, case.verdict)
    # Whoever is right has to be right twice, in spite of what the first session left.
    twice = 2 if expected == hostile.RESOLVED else 1
    found = there.judge(case.main, case.files, SECOND_S, twice)
    stays = case.stays_unconfined and there.level == "none"
    if stays:
        put_down()
    said = str(found.failure.kind) if found.failure else str(found.outcome)
    assert said == expected, found
    assert all(ends(handle) for handle in outputs)
    if found.failure:
        assert "\x1b" not in plain(found.failure.reason)
    assert marks() == before
    unharmed = there.judge(hostile.ECHO, {}, 10.0)
    assert unharmed.outcome is Outcome.RESOLVED, unharmed
    assert not unharmed.voids
    assert nothing_more_than(there)


def nothing_more_than(there: Range) -> bool:
    """Whether nothing is running, soon, but slots that wait."""
    deadline = time.monotonic() + GONE_S
    while len(set(descendants()) - there.others) != there.idle:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def close_all(ranges: dict[str, Range]) -> None:
    """End the other launchers, whose idle processes would be counted."""
    for one in ranges.values():
        one.bench.launcher.close()
        one.cancel.close()
    ranges.clear()


def put_down() -> None:
    """Kill what has left its group at level none, as the page says it can."""
    deadline = time.monotonic() + PUT_DOWN_S
    while time.monotonic() < deadline:
        for pid in descendants():
            if os.getpgid(pid) != os.getpgrp():
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return


def marks() -> list[str]:
    """Places where a project might have left something, with what is there."""
    places = ("/", "/etc", "/usr", "/usr/bin", "/var", "/dev", str(Path(__file__).parent))
    return [f"{place}/{name}" for place in places for name in sorted(os.listdir(place))]


@pytest.mark.parametrize("name", SAMPLE)
def test_a_hostile_project_gets_its_verdict_and_harms_nobody(
    name: str, ranges: dict[str, Range], outputs: list[int]
) -> None:
    """A sample of the corpus, as confined as this machine allows."""
    attack(name, "interpreter-full", ranges, outputs)


@pytest.mark.hostile
@pytest.mark.parametrize("name", CORPUS)
@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_the_whole_corpus_under_every_launcher(
    launcher: str, name: str, ranges: dict[str, Range], outputs: list[int]
) -> None:
    """The verdict hangs on what a project does, and not on how it was started or confined."""
    attack(name, launcher, ranges, outputs)


def test_the_corpus_is_large_and_every_difference_has_its_reason() -> None:
    """A verdict that differs between launchers without a reason is a fault of a launcher."""
    assert len(CORPUS) >= 60
    assert all(bool(case.at) == bool(case.why) for case in CORPUS.values())
    page = (Path(__file__).parents[3] / "docs/explanation/launchers.md").read_text()
    assert all(case.why in page for case in CORPUS.values())
    assert set(SAMPLE) <= set(CORPUS)
    assert {case.verdict for case in CORPUS.values()} == {
        *("resolved", "crash", "timeout", "wrong_response"),
        *("protocol_violation", "output_limit", "resource_limit"),
    }


# What is handed in.


def test_a_folder_that_is_hostile_itself_is_read_within_bounds(tmp_path: Path) -> None:
    """Depth, holes and names cost no more than a refusal, before anything is started."""
    (tmp_path / "main.py").write_text("")
    deep = tmp_path / "deep"
    deep.mkdir()
    here = os.getcwd()
    os.chdir(deep)
    for _ in range(1500):
        os.mkdir("d")
        os.chdir("d")
    os.chdir(here)
    with pytest.raises(Rejected, match="nested deeper"):
        take(tmp_path)
    remove_tree(deep)
    (tmp_path / "hole").touch()
    os.truncate(tmp_path / "hole", 1 << 40)
    with pytest.raises(Rejected, match="bytes of files"):
        take(tmp_path)
    (tmp_path / "hole").unlink()
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\x1b[2J")).write_text("")
    assert len(take(tmp_path).files) == 2


def test_a_closed_folder_is_the_callers_to_open(tmp_path: Path) -> None:
    """Only root can read it; anybody else is told its name, and that is no verdict."""
    (tmp_path / "main.py").write_text("")
    (tmp_path / "closed").mkdir(mode=0)
    if os.geteuid() == 0:
        assert len(take(tmp_path).files) == 1
    else:
        with pytest.raises(DeclarationError, match="closed: cannot be read"):
            take(tmp_path)
    (tmp_path / "closed").chmod(0o700)


def test_a_file_that_is_swapped_for_a_link_meanwhile_never_leads_outside(tmp_path: Path) -> None:
    """The copy is made while whoever wrote the project may still be at work in it."""
    secret = tmp_path / "secret"
    secret.write_text("secret")
    project = tmp_path / "project"
    (project / "d").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_text("secret")
    done = threading.Event()

    def swap() -> None:
        while not done.is_set():
            for make in (
                lambda: (project / "new").write_text("mine"),
                lambda: (project / "new").symlink_to(secret),
            ):
                make()
                os.replace(project / "new", project / "file")
            os.rename(project / "d", project / ".git")
            (project / "d").symlink_to(tmp_path / "outside")
            (project / "d").unlink()
            os.rename(project / ".git", project / "d")

    (project / "file").write_text("mine")
    (project / "d" / "file").write_text("mine")
    swapper = threading.Thread(target=swap)
    swapper.start()
    taken = 0
    try:
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline:
            try:
                files = take(project).files
            except (Rejected, DeclarationError):
                continue
            taken += 1
            assert b"secret" not in {file.data for file in files}
    finally:
        done.set()
        swapper.join()
    assert taken, "nothing was ever taken, so nothing is shown"
