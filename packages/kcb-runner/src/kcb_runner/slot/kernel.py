"""System calls that Python has no function for, each as a function that raises ``OSError``.

Numbers and layouts are those of x86-64 and, where they are the same on all, of Linux.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18

MOUNT_ATTR_RDONLY = 1
MOUNT_ATTR_NOSUID = 2
MOUNT_ATTR_NODEV = 4

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

_MNT_DETACH = 2
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPSET = {"x86_64": 126, "aarch64": 91}
_MOUNT_SETATTR = 442

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def checked(result: int, what: str) -> int:
    """The result of a call, or the error that it left behind.

    Raises:
        OSError: the result is negative; the message names what failed.
    """
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(what: str, number: int, *arguments: object) -> int:
    """Make a system call by its number."""
    return checked(_libc.syscall(ctypes.c_long(number), *map(_wide, arguments)), what)


def _wide(argument: object) -> object:
    return ctypes.c_long(argument) if isinstance(argument, int) else argument


def unshare(flags: int) -> None:
    """Give this process, or its children, namespaces of their own."""
    checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def join(pid: int, names: tuple[str, ...]) -> None:
    """Enter namespaces of another process, in the order given."""
    handles = [os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY) for name in names]
    try:
        for name, handle in zip(names, handles, strict=True):
            checked(_libc.setns(handle, 0), f"setns {name}")
    finally:
        for handle in handles:
            os.close(handle)


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """Mount something somewhere."""
    words = [word.encode() if word else None for word in (source, target, kind)]
    options = data.encode() if data else None
    checked(_libc.mount(*words, ctypes.c_ulong(flags), options), f"mount {target}")


def set_mount(path: str, *, add: int = 0, clear: int = 0, all_below: bool = True) -> None:
    """Set and clear attributes of the mount at a path, and of all mounts below it."""
    attributes = struct.pack("QQQQ", add, clear, 0, 0)
    _set_attributes(path, attributes, all_below)


def make_private(path: str) -> None:
    """Keep the mounts at and below a path from being seen by others, and theirs from being seen."""
    _set_attributes(path, struct.pack("QQQQ", 0, 0, MS_PRIVATE, 0), all_below=True)


def _set_attributes(path: str, attributes: bytes, all_below: bool) -> None:
    flags = _AT_RECURSIVE if all_below else 0
    number = _MOUNT_SETATTR
    arguments = (_AT_FDCWD, path.encode(), flags, attributes, len(attributes))
    syscall(f"mount_setattr {path}", number, *arguments)


def pivot_into(folder: str) -> None:
    """Make a mount the root of this mount namespace, and let go of the old root."""
    os.chdir(folder)
    syscall("pivot_root", _PIVOT_ROOT[os.uname().machine], b".", b".")
    checked(_libc.umount2(b".", _MNT_DETACH), "umount of the old root")
    os.chdir("/")


def prctl(option: int, argument: int, what: str) -> None:
    """Change something about this process."""
    checked(_libc.prctl(option, ctypes.c_ulong(argument), 0, 0, 0), what)


def bound_capabilities() -> None:
    """See to it that no program that is ever started here can be given a capability.

    It takes a privilege of this process, which is let go of by becoming another user.
    """
    for number in range(_LAST_CAPABILITY + 1):
        try:
            prctl(PR_CAPBSET_DROP, number, "dropping a capability")
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.EPERM):  # unknown, or none to drop
                raise


def drop_capabilities() -> None:
    """Give up every capability that this process has."""
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    syscall("capset", _CAPSET[os.uname().machine], header, bytes(24))
