"""Follows a worker to its end, and says what it left: the same wherever the worker runs."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

from kcb_core.codec import decode_kind
from kcb_core.errors import KcbError
from kcb_core.execution import Errand, Left, Observer
from kcb_core.scrubber import Scrubber
from kcb_core.storage import read_bounded, write_whole
from kcb_experiments.engine.castings import secrets_of
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
from kcb_experiments.engine.vessel import Vessel

_POLL_S = 0.1
_ERRORS_NAME = "worker.log"


def followed(vessel: Vessel, order: WorkOrder, errand: Errand) -> Left:
    """Have a worker carry out its order, and end it if it is to stop or its time is up.

    Args:
        vessel: what the worker runs in.
        order: what it is told.
        errand: whose order that is; its folder is seen here under its own name.
    """
    sign = _Sign(errand.observer)
    child = Child(vessel, order, sign.heard)
    try:
        course = _course(child, errand, sign)
    finally:
        child.close()
    _keep_errors(child, errand)
    return _left(errand, course, child.status)


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

    def why(self, otherwise: str) -> str:
        """Why it ended, in one line."""
        if self.cancelled:
            return "cancelled"
        return f"cut off after {self.cut_off}" if self.cut_off else otherwise


def _course(child: Child, errand: Errand, sign: _Sign) -> _Course:
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


def _left(errand: Errand, course: _Course, status: int | None) -> Left:
    """What is to be made of a worker's end and of what it stored."""
    left = Left(
        cancelled=course.cancelled,
        timed_out=bool(course.cut_off),
        waited_s=course.waited_s,
        project=_folder(errand.folder / PROJECT_NAME),
    )
    path = errand.folder / GENERATION_NAME
    record = _record(path)
    if record is None:
        how = f"signal {-status}" if status and status < 0 else f"exit status {status}"
        killed = not (course.cancelled or course.cut_off)
        return replace(left, killed=killed, reason=course.why(f"the worker died: {how}"))
    return replace(
        left,
        waited_s=record.waited_s,
        raised=bool(record.error),
        returned=not record.error,
        stop_reason=record.stop_reason,
        reason=course.why(record.error or record.reason),
        record=path,
        run_record=record.run_record,
    )


def _folder(path: Path) -> Path | None:
    """A folder that is one: a subject can put a link there, to what it could not read itself."""
    return path if path.is_dir() and not path.is_symlink() else None


def _record(path: Path) -> GenerationRecord | None:
    """What a worker stored at its end; None if there is nothing that it can have stored."""
    if path.is_symlink() or not path.exists():
        return None
    try:
        return decode_kind(
            read_bounded(path), GenerationRecord,
            kind=GENERATION_KIND, newest=GENERATION_FORMAT, source=str(path),
        )  # fmt: skip
    except KcbError:
        return None


def _keep_errors(child: Child, errand: Errand) -> None:
    """Store what the worker wrote to standard error, without secrets."""
    if not child.errors:
        return
    text = Scrubber(secrets_of(errand.casting).values()).text(child.errors)
    write_whole(errand.folder / _ERRORS_NAME, text.encode("utf-8", "replace"))
