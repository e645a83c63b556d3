"""The quick launcher: sessions are forked from an interpreter with its library loaded."""

from __future__ import annotations

from kcb_runner.launch.interpreter import InterpreterLauncher

PRELOADED = (
    *("__future__", "abc", "argparse", "ast", "base64", "binascii", "bisect", "collections"),
    *("collections.abc", "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal"),
    *("enum", "errno", "fractions", "functools", "gc", "hashlib", "heapq", "inspect", "io"),
    *("itertools", "json", "logging", "math", "operator", "os", "pathlib", "random", "re"),
    *("select", "shutil", "signal", "string", "struct", "subprocess", "sys", "tempfile"),
    *("textwrap", "threading", "time", "traceback", "types", "typing", "unicodedata"),
    *("urllib.parse", "weakref", "zlib"),
)
"""Modules that a session finds loaded: what programs import most, and never one of their own."""


class ForkserverLauncher(InterpreterLauncher):
    """Starts sessions by forking; what fails so is played again with new interpreters."""

    name = "forkserver"
    preload = PRELOADED
