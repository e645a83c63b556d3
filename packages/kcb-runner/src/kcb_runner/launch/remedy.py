"""What a machine lacks for full confinement, and what to do about it."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from kcb_core.report import Confinement
from kcb_runner.slot import landlock, seccomp

_SETTINGS = Path("/proc/sys")

#: Settings that keep users from making namespaces: the value that does, and one that does not.
_OF_NAMESPACES = (
    ("user/max_user_namespaces", "0", "15000"),
    ("kernel/unprivileged_userns_clone", "0", "1"),
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "0"),
)


def remedy(found: Confinement, settings: Path = _SETTINGS) -> str:
    """What to do for level ``full``, or at least for ``basic``; empty if nothing is lacking.

    Args:
        found: what a launcher reached here.
        settings: where the kernel's settings lie.
    """
    if found.level == "full":
        return ""
    if sys.platform != "linux":
        return "judge on Linux, in a virtual machine for instance"
    commands = [
        f"sysctl -w {name.replace('/', '.')}={better}"
        for name, bad, better in _OF_NAMESPACES
        if _read(settings / name) == bad
    ]
    if commands:
        steps = [f"as root: {'; '.join(commands)}"]
    else:
        steps = [
            "in a container: let it make user namespaces, for instance by "
            "--security-opt seccomp=unconfined"
        ]
    if found.level == "none" and not landlock.version():
        steps.append("for level 'basic': boot a kernel from 6.12 on with lsm=landlock")
    if found.level == "none" and not seccomp.available():
        steps.append("for level 'basic': judge on x86-64 with a kernel that has seccomp filters")
    return "; or ".join(steps)


def _read(path: Path) -> str:
    with suppress(OSError):
        return path.read_text(encoding="ascii").strip()
    return ""
