"""Who uses this machine: a model that writes, or a judge that measures time; never both at once.

Processes agree by locks on files that the operating system lets go of when their holder dies. The
locks are advice: whoever has waited long enough goes on without, and says so, so that nothing ever
stands still because of another program.
"""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from kcb_core.lock_holders import holders_of, named

PATIENCE_S = 900.0
"""How long somebody waits before going on without the lock."""

_STEP_S = 0.1
_TURNSTILE = "turnstile"
_GENERATING = "generating"
_JUDGING = "judging"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How somebody waits."""

    tell: Callable[[str], None] = lambda line: None
    """Told in one line before a wait, and when it was in vain."""
    given_up: Callable[[], bool] = lambda: False
    """Whether there is nothing to wait for any more; asked again and again."""
    patience_s: float = PATIENCE_S
    """Longest wait, in seconds."""


_USUAL = Manners()


@contextmanager
def generating(manners: Manners = _USUAL) -> Iterator[bool]:
    """A model on this machine writes: begins when no judge is at work; gives whether it is so."""
    with _side(_GENERATING, _JUDGING, manners) as held:
        yield held


@contextmanager
def judging(manners: Manners = _USUAL) -> Iterator[bool]:
    """A judge is at work: begins when no model on this machine writes; gives whether it is so."""
    with _side(_JUDGING, _GENERATING, manners) as held:
        yield held


@contextmanager
def alone(name: str, manners: Manners = _USUAL) -> Iterator[bool]:
    """The only holder of a name on this machine; gives whether it is so.

    Args:
        name: any file name.
        manners: how to wait for another holder.
    """
    with ExitStack() as stack:
        handle = _opened(stack, name)
        if handle is None:
            yield False
            return
        wait = _Wait(what=f"whoever holds {name}", handle=handle, manners=manners)
        yield wait.until(lambda: _locked(handle, fcntl.LOCK_EX))


def waited_s() -> float:
    """Seconds for which threads of this process have waited so far, waits under way included."""
    return _WAITS.seconds


class _Waits:
    """How long all waits together have taken."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._ended = 0.0
        self._begun: dict[object, float] = {}

    @contextmanager
    def running(self) -> Iterator[None]:
        """A wait, for as long as the block runs."""
        key = object()
        with self._lock:
            self._begun[key] = time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                self._ended += time.monotonic() - self._begun.pop(key)

    @property
    def seconds(self) -> float:
        with self._lock:
            now = time.monotonic()
            return self._ended + sum(now - begun for begun in self._begun.values())


_WAITS = _Waits()


def lock_folder() -> Path | None:
    """The folder of the locks, made if need be; None if there is none that is ours alone."""
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    base = Path(given) if given and Path(given).is_dir() else Path(tempfile.gettempdir())
    folder = base / f"klein-bench-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return folder if ours and not found.st_mode & 0o022 else None


@contextmanager
def _side(mine: str, other: str, manners: Manners) -> Iterator[bool]:
    """Share the machine with one's own side, and not with the other.

    Whoever waits for the other side keeps the turnstile, so that nobody of either side passes by:
    a side that never pauses cannot keep the other out. No holder of a side waits for anything.
    """
    with ExitStack() as stack:
        handles = [_opened(stack, name) for name in (_TURNSTILE, mine, other)]
        turnstile, own, theirs = (-1 if handle is None else handle for handle in handles)
        if None in handles:
            yield False
            return
        inside = False

        def passed() -> bool:
            nonlocal inside
            inside = inside or _locked(turnstile, fcntl.LOCK_EX)
            return inside and _locked(theirs, fcntl.LOCK_EX)

        wait = _Wait(what=_WORDS[other], handle=theirs, before=turnstile, manners=manners)
        held = wait.until(passed) and _locked(own, fcntl.LOCK_SH)
        _unlock(theirs)
        _unlock(turnstile)
        yield held


_WORDS = {
    _GENERATING: "a model that writes on this machine",
    _JUDGING: "judging on this machine",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wait:
    """A wait for whoever holds a lock."""

    what: str
    """Who that is, in general."""
    handle: int
    """The open file of the lock."""
    before: int = -1
    """That of a lock which whoever waits for the same holds meanwhile, if there is one."""
    manners: Manners

    def until(self, done: Callable[[], bool]) -> bool:
        """Ask again and again whether something is done; False when it took too long."""
        manners, begun = self.manners, time.monotonic()
        if done():
            return True
        manners.tell(f"waiting for {self._whom()}")
        with _WAITS.running():
            while time.monotonic() - begun < manners.patience_s and not manners.given_up():
                time.sleep(_STEP_S)
                if done():
                    return True
        if not manners.given_up():
            manners.tell(f"waited {manners.patience_s:g} s for {self._whom()}, going on beside it")
        return False

    def _whom(self) -> str:
        """Who it is, with the processes by id where the system tells them."""
        if processes := named(holders_of(self.handle)):
            return f"{self.what} ({processes})"
        waiting = named(holders_of(self.before)) if self.before >= 0 else ""
        return f"{self.what} (behind {waiting})" if waiting else self.what


def _opened(stack: ExitStack, name: str) -> int | None:
    """An open lock file, closed with the stack; None if there can be none."""
    folder = lock_folder()
    if folder is None:
        return None
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        handle = os.open(folder / f"{name}.lock", flags, 0o600)
    except OSError:
        return None
    stack.callback(os.close, handle)
    # Closing would not do where a process was forked meanwhile, which has the lock with the file.
    stack.callback(_unlock, handle)
    return handle


def _locked(handle: int, how: int) -> bool:
    """Take a lock if it is free; a file system without locks has all of them free."""
    try:
        fcntl.flock(handle, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _unlock(handle: int) -> None:
    with suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_UN)
