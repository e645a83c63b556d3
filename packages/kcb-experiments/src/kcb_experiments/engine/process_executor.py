"""The executor ``process``: an agent in a process of its own, which can always be ended."""

from __future__ import annotations

import os
import site
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from kcb_core.codec import convert, decode_kind
from kcb_core.environment import clean_environment
from kcb_core.errors import DeclarationError, KcbError, MachineError
from kcb_core.execution import Casting, Errand, Left, Observer, Setup
from kcb_core.provenance import revision
from kcb_core.roles import PreflightingAgent
from kcb_core.scrubber import Scrubber
from kcb_core.storage import read_bounded, write_whole
from kcb_experiments.engine.child import Child
from kcb_experiments.engine.orders import (
    GENERATION_FORMAT,
    GENERATION_KIND,
    GENERATION_NAME,
    PROJECT_NAME,
    GenerationRecord,
    Signal,
    WorkOrder,
)
from kcb_experiments.engine.start import laid_out

MACHINE_LOCAL = ("PATH", "XDG_RUNTIME_DIR", "SSL_CERT_FILE", "SSL_CERT_DIR")
"""Variables that say where something is on this machine; a worker keeps them."""

FIXED = {"DEBIAN_FRONTEND": "noninteractive", "TZ": "Etc/UTC"}
"""The same for every subject, wherever it runs."""

_POLL_S = 0.1
_STEP_S = 0.5
_ERRORS_NAME = "worker.log"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a spec may set of this executor."""

    check_endpoints: bool = True
    """Whether an agent that can try out its endpoint does so before the first cell."""


class ProcessExecutor:
    """Runs each subject in a new process on this machine.

    The process has an environment of its own, with the credentials that its subject declares and no
    others. It ends with the experiment, however that ends.
    """

    name = "process"
    enforces_proxy = False

    @property
    def version(self) -> str:
        """The version of kcb-experiments."""
        return revision("kcb-experiments").version

    @contextmanager
    def open(self, setup: Setup) -> Iterator[OpenProcesses]:
        """Ready it for a run; errors as in the role."""
        settings = convert(dict(setup.settings), Settings, source="executor.settings")
        yield OpenProcesses(setup=setup, settings=settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenProcesses:
    """The executor, open for a run."""

    setup: Setup
    settings: Settings

    def preflight(self, castings: Sequence[Casting], prompt: str) -> tuple[str, ...]:
        """See whether every subject can be run here; errors as in the role."""
        missing = [
            f"{casting.subject} needs the variable {name}"
            for casting in castings
            for name in casting.credentials
            if not os.environ.get(name, "").strip()
        ]
        if missing:
            raise DeclarationError(f"credentials are not set: {'; '.join(missing)}")
        if not self.settings.check_endpoints:
            return ()
        return tuple(line for casting in castings for line in self._tried_out(casting, prompt))

    def run(self, errand: Errand) -> Left:
        """Run one subject in a process of its own."""
        sign = _Sign(errand.observer)
        scratch = errand.folder / "home"
        scratch.mkdir(parents=True)
        with laid_out(errand) as start:
            try:
                order = self._order(errand, start)
                child = Child(order, _environment(errand.casting, scratch), sign.heard)
            except MachineError as error:
                return Left(started=False, reason=str(error))
            try:
                course = _followed(child, errand, sign)
            finally:
                child.close()
        _keep_errors(child, errand)
        return _left(errand, course, child.status)

    def _order(self, errand: Errand, start: Path | None) -> WorkOrder:
        casting = errand.casting
        return WorkOrder(
            name=errand.name,
            folder=str(errand.folder.absolute()),
            dataset=errand.dataset,
            prompt=errand.task.prompt,
            task_id=errand.task.task_id,
            start=str(start.absolute()) if start else "",
            budget=errand.budget,
            agent=casting.agent,
            settings=dict(casting.settings),
            options={**errand.task.options, **casting.options},
            credentials=casting.credentials,
            third_party=self.setup.third_party,
        )

    def _tried_out(self, casting: Casting, prompt: str) -> tuple[str, ...]:
        agent = next(agent for agent in self.setup.agents if agent.name == casting.agent)
        if not isinstance(agent, PreflightingAgent):
            return ()
        try:
            warnings = agent.preflight(prompt, casting.settings, self.setup.tell)
        except KcbError as error:
            raise DeclarationError(f"subject {casting.subject!r}: {error}") from None
        return tuple(f"subject {casting.subject!r}: {line}" for line in warnings)


@dataclass(slots=True)
class _Sign:
    """What a worker has said so far."""

    observer: Observer
    waited_s: float = 0.0

    def heard(self, signal: Signal) -> None:
        """Take in one line."""
        self.waited_s = signal.waited_s
        match signal.event:
            case "asked":
                self.observer.asked()
            case "answered":
                dollars = signal.dollars if isinstance(signal.dollars, float) else None
                self.observer.answered(signal.usage or None, dollars)
            case "told":
                self.observer.told(signal.line)


@dataclass(slots=True, kw_only=True)
class _Course:
    """How the execution went, as seen from outside."""

    cancelled: bool = False
    cut_off: str = ""
    """Why it was cut off, if it was."""
    waited_s: float = 0.0


def _followed(child: Child, errand: Errand, sign: _Sign) -> _Course:
    """Wait until the worker has ended, and end it if it is to stop or its time is up."""
    begun = time.monotonic()
    course = _Course()
    while not child.wait(_POLL_S):
        course.cancelled = errand.stopped()
        late = time.monotonic() - begun - sign.waited_s > errand.seconds
        course.cut_off = f"{errand.seconds:g} s" if late else errand.used_up()
        if course.cancelled or course.cut_off:
            child.interrupt()
            break
    course.waited_s = sign.waited_s
    return course


def _environment(casting: Casting, home: Path) -> Mapping[str, str]:
    given = {name: os.environ[name] for name in MACHINE_LOCAL if name in os.environ}
    user = {"PYTHONUSERBASE": site.getuserbase()} if site.ENABLE_USER_SITE else {}
    secrets = {name: os.environ[name] for name in casting.credentials if name in os.environ}
    extra = FIXED | given | user | secrets
    # Temporary files lie where this process has its own, for the two to agree on locks.
    return clean_environment(home=home, scratch=Path(tempfile.gettempdir()), extra=extra)


def _left(errand: Errand, course: _Course, status: int | None) -> Left:
    """What is to be made of a worker's end and of what it stored."""
    path = errand.folder / GENERATION_NAME
    project = errand.folder / PROJECT_NAME
    left = Left(
        cancelled=course.cancelled,
        timed_out=bool(course.cut_off),
        waited_s=course.waited_s,
        project=project if project.is_dir() else None,
    )
    if not path.exists():
        how = f"signal {-status}" if status and status < 0 else f"exit status {status}"
        killed = not (course.cancelled or course.cut_off)
        why = _why(course, f"the worker died: {how}")
        return replace(left, killed=killed, reason=why)
    record = decode_kind(
        read_bounded(path), GenerationRecord,
        kind=GENERATION_KIND, newest=GENERATION_FORMAT, source=str(path),
    )  # fmt: skip
    return replace(
        left,
        waited_s=record.waited_s,
        raised=bool(record.error),
        returned=not record.error,
        stop_reason=record.stop_reason,
        reason=_why(course, record.error or record.reason),
        record=path,
        run_record=record.run_record,
    )


def _why(course: _Course, otherwise: str) -> str:
    if course.cancelled:
        return "cancelled"
    return f"cut off after {course.cut_off}" if course.cut_off else otherwise


def _keep_errors(child: Child, errand: Errand) -> None:
    """Store what the worker wrote to standard error, without secrets."""
    if not child.errors:
        return
    names = errand.casting.credentials
    scrubber = Scrubber(os.environ[name] for name in names if name in os.environ)
    text = scrubber.text(child.errors)
    write_whole(errand.folder / _ERRORS_NAME, text.encode("utf-8", "replace"))
