"""What control groups hold a process to: an engine may be asked for bounds and set none.

Source: the kernel's pages on control groups, versions 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_MOUNT = Path("/sys/fs/cgroup")

_FILES = {"memory": ("memory.max", "memory.limit_in_bytes"), "pids": ("pids.max",)}
"""Controllers, and the files that hold their bounds in either version."""


def bounds_of(pid: int) -> dict[str, int]:
    """The lowest bound on a process by controller: ``memory`` in bytes, ``pids`` as a number.

    A controller that sets none, or that cannot be seen from here, is left out.
    """
    found: dict[str, int] = {}
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, group = line.split(":", 2)
            for name, value in _bounds(controllers.split(","), group):
                found[name] = min(value, found.get(name, value))
    return found


def _bounds(controllers: list[str], group: str) -> Iterator[tuple[str, int]]:
    """Every bound that a group and those above it set."""
    for name, files in _FILES.items():
        places = [_MOUNT, _MOUNT / "unified"] if controllers == [""] else [_MOUNT / name]
        if controllers != [""] and name not in controllers:
            continue
        for place in places:
            folder = place / group.lstrip("/")
            while folder.is_relative_to(place):
                for file in files:
                    with suppress(OSError, ValueError):  # not there, or "max"
                        yield name, int((folder / file).read_text(encoding="ascii"))
                folder = folder.parent
