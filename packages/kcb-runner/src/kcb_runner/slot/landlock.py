"""Landlock: which files a process and all its descendants may ever touch again.

Source: the kernel's user-space API for Landlock, ABI 1 to 7.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable
from contextlib import suppress

from kcb_runner.slot.kernel import syscall

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446

EXECUTE = 1 << 0
WRITE_FILE = 1 << 1
READ_FILE = 1 << 2
READ_DIR = 1 << 3
MAKE_CHAR = 1 << 6
MAKE_SOCK = 1 << 9
MAKE_FIFO = 1 << 10
MAKE_BLOCK = 1 << 11
REFER = 1 << 13
TRUNCATE = 1 << 14
IOCTL_DEV = 1 << 15

READ = EXECUTE | READ_FILE | READ_DIR
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
_NEVER = MAKE_CHAR | MAKE_SOCK | MAKE_BLOCK | IOCTL_DEV

_ASK_VERSION = 1
_PATH_BENEATH = 1
_NETWORK = 0b11
_SCOPES = 0b11
_NETWORK_SINCE, _SCOPES_SINCE = 4, 6

#: How many of the rights on files each version knows, from the lowest bit up.
_RIGHTS_SINCE = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}


def version() -> int:
    """The ABI that this kernel has; 0 if it has none, or forbids it."""
    try:
        return syscall("landlock", CREATE_RULESET, None, 0, _ASK_VERSION)
    except OSError:
        return 0


def scopes_signals(abi: int) -> bool:
    """Whether a ruleset also keeps signals and abstract sockets inside."""
    return abi >= _SCOPES_SINCE


class Rules:
    """A ruleset that is being written; nothing is in force before :meth:`restrict`."""

    def __init__(self, abi: int, *, sockets: bool = False) -> None:
        """Start with everything forbidden that this version can forbid.

        Args:
            abi: what :func:`version` said.
            sockets: whether TCP ports and Unix sockets are left to whatever else confines them.
        """
        self._never = _NEVER & ~MAKE_SOCK if sockets else _NEVER
        self._rights = (1 << _RIGHTS_SINCE[min(abi, max(_RIGHTS_SINCE))]) - 1
        parts = [self._rights]
        if abi >= _NETWORK_SINCE:
            parts.append(0 if sockets else _NETWORK)
        if abi >= _SCOPES_SINCE:
            parts.append(_SCOPES)
        attributes = struct.pack(f"{len(parts)}Q", *parts)
        size = len(attributes)
        self._handle = syscall("landlock ruleset", CREATE_RULESET, attributes, size, 0)

    def allow_reading(self, paths: Iterable[str]) -> None:
        """Let files and folders be read and run; paths that are not there are passed over."""
        for path in paths:
            self._allow(path, READ)

    def allow_reading_without(self, paths: Iterable[str], hidden: Iterable[str]) -> None:
        """Let files and folders be read and run, but no file in the hidden folders among them.

        A rule holds for all that lies below, and none can take anything away from it: so a folder
        above a hidden one is given entry by entry. It can then be listed, hidden folders included.
        """
        for path in paths:
            inside = [folder for folder in hidden if _is_in(folder, path)]
            if inside:
                self._allow(path, READ_DIR)
                self._allow_around(path, inside)
            else:
                self._allow(path, READ)

    def _allow_around(self, path: str, hidden: list[str]) -> None:
        for entry in os.scandir(path):
            inside = [folder for folder in hidden if _is_in(folder, entry.path)]
            if not inside:
                self._allow(entry.path, READ)
            elif entry.path not in inside:
                self._allow_around(entry.path, inside)

    def allow_writing(self, folders: Iterable[str]) -> None:
        """Let anything be done in folders but making devices, and maybe sockets."""
        for folder in folders:
            self._allow(folder, self._rights & ~self._never)

    def allow_devices(self, paths: Iterable[str]) -> None:
        """Let devices be read and written."""
        for path in paths:
            self._allow(path, READ_FILE | WRITE_FILE)

    def restrict(self) -> None:
        """Put the rules in force for this process, which must have given up new privileges."""
        syscall("landlock", RESTRICT_SELF, self._handle, 0)
        os.close(self._handle)

    def _allow(self, path: str, rights: int) -> None:
        with suppress(FileNotFoundError, PermissionError):
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                if not stat.S_ISDIR(os.fstat(handle).st_mode):
                    rights &= _OF_FILES  # others are refused on a file
                rule = struct.pack("=Qi", rights & self._rights, handle)
                syscall(f"landlock {path}", ADD_RULE, self._handle, _PATH_BENEATH, rule, 0)
            finally:
                os.close(handle)


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
