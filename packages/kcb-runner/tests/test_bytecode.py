"""The bytecode that quick sessions load: whose it is, and what is not taken for it."""

from __future__ import annotations

import os
from types import SimpleNamespace

import msgspec
import pytest

from kcb_core.errors import MachineError
from kcb_core.limits import LIMITS
from kcb_core.report import Outcome
from kcb_core.submission import Submission, SubmittedFile
from kcb_runner import bytecode, probe
from kcb_runner.cancel import Cancel
from kcb_runner.judging import Bench, judge
from kcb_runner.launch.forkserver import ForkserverLauncher
from kcb_runner.machine import interpreter
from kcb_runner.scratch import Scratch

FILES = {
    "main.py": b"import helper\n",
    "helper.py": b"VALUE = 1\n",
    "package/__init__.py": b"",
    "package/part.py": b"def f():\n    return 1\n",
    "broken.py": b"def (:\n",
    "data.txt": b"no module",
}
SUBMISSION = Submission(files=tuple(SubmittedFile(p, d) for p, d in sorted(FILES.items())))


@pytest.fixture
def slot():
    """A slot at the strongest level of this machine."""
    launcher = ForkserverLauncher()
    try:
        with launcher.slot() as made:
            yield made
    except MachineError as error:
        pytest.skip(str(error))
    finally:
        launcher.close()


def test_every_module_that_compiles_is_compiled(slot):
    """Whoever imports a broken one gets the same error as ever."""
    with Scratch(SUBMISSION, slot).place():
        made = bytecode.compile_in(slot, interpreter(), LIMITS)
    names = sorted(file.path.split(".")[0] for file in made.files)
    assert names == [
        "__pycache__/helper", "__pycache__/main",
        "package/__pycache__/__init__", "package/__pycache__/part",
    ]  # fmt: skip


def test_nothing_of_a_project_is_run_to_compile_it(slot):
    """Not even where a file is named like one of the library."""
    files = {"json.py": b"raise SystemExit(7)", "main.py": b"raise SystemExit(8)"}
    submission = Submission(files=tuple(SubmittedFile(p, d) for p, d in files.items()))
    with Scratch(submission, slot).place():
        assert len(bytecode.compile_in(slot, interpreter(), LIMITS).files) == 2


@pytest.mark.parametrize(
    "printed",
    [
        b"no header",
        b"5 1\na/b.pX",
        b"21 4\n__pycache__/main.pyc!abc",
        b"28 1\n../__pycache__/outside.12345x",
        b"20 9\n__pycache__/main.pyc123",
    ],
)
def test_what_is_not_as_it_has_to_be_is_no_bytecode(printed):
    """Whatever comes out of a slot is a stranger's; nothing may be written elsewhere for it."""
    assert bytecode._unpacked(printed) == ()


def test_whole_output_is_taken_apart():
    """Path and content, one after the other."""
    printed = b"20 3\n__pycache__/main.pyc123" + b"22 0\na/__pycache__/part.pyc"
    found = bytecode._unpacked(printed)
    assert [(file.path, file.data) for file in found] == [
        ("__pycache__/main.pyc", b"123"), ("a/__pycache__/part.pyc", b""),
    ]  # fmt: skip


def test_too_much_and_too_slow_is_done_without(monkeypatch):
    """A project that cannot be compiled in time is played all the same."""
    reading, writing = os.pipe()
    process = SimpleNamespace(stdout=reading)
    try:
        assert bytecode._all_of(process, 0.01) == b""
        os.write(writing, b"x" * 100)
        monkeypatch.setattr(bytecode, "MAX_BYTES", 99)
        assert bytecode._all_of(process, 5) == b""
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.parametrize(
    ("size", "sessions", "worth"),
    [(40, 50, False), (40, 1000, True), (20_000, 2, True), (2_000_000, 1, False)],
)
def test_what_is_compiled_in_no_time_or_once_is_left_to_the_session(size, sessions, worth):
    """One more process would cost more than it saves; what is no module does not count."""
    files = (SubmittedFile("main.py", b"#" * size), SubmittedFile("data.txt", b"x" * 500_000))
    assert bytecode.worth_it(Submission(files=files), sessions) is worth


def test_a_project_that_is_worth_it_is_judged_with_its_bytecode():
    """And is found as right as it would be without."""
    task, cancel = probe.task(), Cancel()
    scenarios = task.acceptance_tests * 3
    names = (f"{number}" for number in range(len(scenarios)))
    task = msgspec.structs.replace(
        task,
        acceptance_tests=tuple(
            msgspec.structs.replace(scenario, name=name)
            for scenario, name in zip(scenarios, names, strict=False)
        ),
    )
    (main,) = probe.working().files
    large = SubmittedFile(main.path, main.data + b"\n#" + b"x" * bytecode.WORTH_BYTES)
    launcher = ForkserverLauncher()
    try:
        judgement = judge(task, Submission(files=(large,)), Bench(launcher=launcher, cancel=cancel))
    except MachineError as error:
        pytest.skip(str(error))
    finally:
        launcher.close()
        cancel.close()
    assert judgement.outcome is Outcome.RESOLVED, judgement
