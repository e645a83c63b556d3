"""What the programs of tasks are run by, and whether this machine has it.

A runtime that is missing is an unmet prerequisite: it is said before anything is run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from kcb_core.environment import SEARCH_PATH
from kcb_runner.machine import interpreter
from kcb_suites.manifest import Runtime

_PROGRAMS = {Runtime.PYTHON: "python3", Runtime.NODE: "node", Runtime.BASH: "bash"}
_LEAST = {Runtime.PYTHON: (3, 10), Runtime.NODE: (20,), Runtime.BASH: (5,)}
_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)")
_TIMEOUT_S = 20.0


@cache
def program(runtime: Runtime) -> str:
    """The real path of a runtime's program; empty if there is none that is new enough."""
    path = interpreter() if runtime is Runtime.PYTHON else shutil.which(_PROGRAMS[runtime])
    if not path or _version(path) < _LEAST[runtime]:
        return ""
    return os.path.realpath(path)


def missing(runtimes: Iterable[Runtime]) -> tuple[str, ...]:
    """What of these this machine lacks, in words such as ``node 20 or newer``."""
    return tuple(
        f"{_PROGRAMS[runtime]} {'.'.join(map(str, _LEAST[runtime]))} or newer"
        for runtime in runtimes
        if not program(runtime)
    )


def toolbox(folder: Path) -> Mapping[str, str]:
    """Fill a folder with links to every runtime that is there.

    Python finds nothing but its standard library by it: it is a virtual environment without
    packages. So tasks depend on nothing that a machine happens to have, and each start is spared
    the look through it.

    Returns:
        The variable PATH by which they are found before the system's programs.
    """
    folder.mkdir()
    for runtime, name in _PROGRAMS.items():
        if path := program(runtime):
            (folder / name).symlink_to(path)
    if python := program(Runtime.PYTHON):
        text = f"home = {Path(python).parent}\ninclude-system-site-packages = false\n"
        (folder / "pyvenv.cfg").write_text(text, "utf-8")
    return {"PATH": f"{folder}{os.pathsep}{SEARCH_PATH}"}


def _version(path: str) -> tuple[int, ...]:
    try:
        said = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    found = _VERSION.search(said)
    return tuple(map(int, found[1].split("."))) if found else ()
