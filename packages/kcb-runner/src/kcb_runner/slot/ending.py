"""Ends a forked program as an interpreter ends, without taking its library to pieces.

A new interpreter frees every object that it has. Here the library is shared with the supervisor,
and freeing it would copy all of it first; so only what the program made itself is freed: its
finalizers run, its files are flushed and closed, and the rest is left to the system.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading
from contextlib import suppress
from typing import NoReturn

_FLUSH_FAILED = 120
"""Status of an interpreter that could not flush its output. Source: CPython's ``Py_FinalizeEx``."""


def status_of(error: BaseException) -> int:
    """Report what ended a program as an interpreter does, and give its exit status."""
    if isinstance(error, SystemExit):
        if error.code is None:
            return 0
        if isinstance(error.code, int):
            return error.code & 0xFF
        with suppress(Exception):
            sys.stderr.write(f"{error.code}\n")
        return 1
    sys.excepthook(type(error), error, error.__traceback__)
    if isinstance(error, KeyboardInterrupt):
        _flush()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    return 1


def end_with(status: int, library: set[str]) -> NoReturn:
    """End this process.

    Args:
        status: its exit status, if all goes well.
        library: names of the modules that were there before the program began.
    """
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    flushed = _flush()
    _free_what_is_not(library)
    flushed = _flush() and flushed
    os._exit(status if flushed or status else _FLUSH_FAILED)


def _free_what_is_not(library: set[str]) -> None:
    """Let go of all that the program holds: its own modules, then whatever refers to itself."""
    sys.modules["__main__"].__dict__.clear()
    for name in set(sys.modules) - library:
        module = sys.modules.pop(name)
        with suppress(AttributeError):  # what stands there need not be a module
            vars(module).clear()
    gc.collect()  # the library's objects are frozen, and not looked at


def _flush() -> bool:
    try:
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()
    except Exception:  # noqa: BLE001 - a program may have put anything in its place
        return False
    with suppress(Exception):
        sys.stderr.flush()
    return True
