"""Plays a task with a project in one forked process, many times faster than a judgement.

All lines of a session are handed over at once, and the program is run where it is and not started.
What differs from a judgement is therefore what only a living pipe can show, such as an answer that
is not flushed: a project that fails here fails there, and one that passes here has still to be
judged. Only for projects of our own: nothing is confined.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import abc, import_module, machinery, util
from pathlib import Path
from types import CodeType, ModuleType

import msgspec

from kcb_core.codec import parse
from kcb_core.equality import difference
from kcb_core.errors import MalformedJson
from kcb_core.task import PYTHON, STATE_DIR, Scenario, Session, Task, line_of
from kcb_references.mutants.fork import forked

_MAIN = "main"


class Performance(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one rehearsal."""

    failure: str = ""
    """Scenario and reason of the first failure; empty if all went well."""
    loaded: bool = True
    """Whether the modules of the project could be loaded at all."""
    cpu_s: float = 0.0
    """CPU time that it took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A task, made ready to be rehearsed often."""

    arguments: tuple[str, ...]
    """The arguments of the program, with the placeholder of the state directory."""
    durable: bool
    scenarios: tuple[tuple[Scenario, tuple[bytes, ...]], ...]
    """Each scenario with the lines that its sessions are sent."""


def stage(task: Task) -> Stage:
    """What is needed to rehearse a task."""
    options = [word for word in task.start if word != PYTHON]
    return Stage(
        arguments=tuple(options[options.index(task.entrypoint) :]),
        durable=task.durable,
        scenarios=tuple(
            (scenario, tuple(map(_lines, scenario.sessions))) for scenario in task.acceptance_tests
        ),
    )


def rehearse(files: Mapping[str, str], staged: Stage, limit_s: float) -> Performance:
    """Play a task with a project; the first failure ends it.

    Args:
        files: the texts of the project's modules by path.
        staged: the task.
        limit_s: CPU time for the whole task, in seconds.

    Raises:
        SyntaxError: a text is no Python.
        MachineError: the process could not be watched.
    """
    code = {
        name.removesuffix(".py"): compile(text, name, "exec", dont_inherit=True)
        for name, text in files.items()
    }
    with tempfile.TemporaryDirectory(prefix="kcb-") as folder:
        ended = forked(lambda: msgspec.json.encode(_perform(code, staged, Path(folder))), limit_s)
    if not ended.said:
        failure = f"not ended after {ended.cpu_s:.1f} s of CPU time"
        return Performance(failure=failure, cpu_s=ended.cpu_s)
    performance = msgspec.json.decode(ended.said, type=Performance)
    return msgspec.structs.replace(performance, cpu_s=ended.cpu_s)


def _lines(session: Session) -> bytes:
    return b"".join(line_of(request).encode() + b"\n" for request in session.requests)


def _perform(code: Mapping[str, CodeType], staged: Stage, folder: Path) -> Performance:
    """Play all scenarios in this process."""
    sys.meta_path.insert(0, _Texts(code))
    try:
        _load(code)
    except BaseException as error:  # noqa: BLE001 - whatever it is, there is no program
        return Performance(failure=f"cannot be loaded: {error!r}"[:300], loaded=False)
    for number, (scenario, inputs) in enumerate(staged.scenarios):
        state = folder / str(number)
        state.mkdir()
        words = [str(state) if word == STATE_DIR else word for word in staged.arguments]
        for session, data in zip(scenario.sessions, inputs, strict=True):
            output, ended = _run(code, words, data)
            failure = _failure(session, output, ended, staged.durable)
            if failure:
                return Performance(failure=f"{scenario.name}, {failure}"[:600])
    return Performance()


class _Texts(abc.MetaPathFinder, abc.Loader):
    """Finds the modules of a project before all others."""

    def __init__(self, code: Mapping[str, CodeType]) -> None:
        self._code = code

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> machinery.ModuleSpec | None:
        """The module of this name, if it is one of the project's."""
        return util.spec_from_loader(fullname, self) if fullname in self._code else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the text of a module."""
        exec(self._code[module.__name__], module.__dict__)


def _load(code: Mapping[str, CodeType]) -> None:
    """Load the modules of a project afresh, as a new process would."""
    for name in code:
        sys.modules.pop(name, None)
    for name in code:
        if name != _MAIN:
            import_module(name)


def _run(code: Mapping[str, CodeType], words: list[str], data: bytes) -> tuple[bytes, str]:
    """Run the program over the lines of one session: its output, and how it ended if not well."""
    output = io.BytesIO()
    sys.argv = words
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), "utf-8")
    sys.stdout = io.TextIOWrapper(output, "utf-8", write_through=True)
    ended = ""
    try:
        _load(code)
        exec(code[_MAIN], {"__name__": "__main__"})
    except SystemExit as stop:
        ended = f"it ended with status {stop.code}" if stop.code else ""
    except BaseException as error:  # noqa: BLE001 - whatever a mutant raises is its failure
        ended = f"it raised {error!r}"
    return output.getvalue(), ended


def _failure(session: Session, output: bytes, ended: str, durable: bool) -> str:
    """Why the output of a session is not what is expected; empty if it is."""
    lines = output.split(b"\n")
    for index, expected in enumerate(session.expected):
        where = f"request {index + 1}"
        if index + 1 >= len(lines):
            return f"{where}: no answer; {ended or 'it ended'}"
        try:
            found = difference(expected, parse(lines[index]))
        except MalformedJson as error:
            found = f"no JSON: {error.reason}"
        if found:
            return f"{where}: {found}"
    if durable:  # it would have been killed by now
        return ""
    return "more output" if len(lines) > len(session.expected) + 1 or lines[-1] else ended
