"""Removes folders however they were left: deep, read-only, oddly named, or swapped for a link."""

from __future__ import annotations

import fcntl
import os
import stat
import sys
from array import array
from contextlib import suppress
from itertools import count
from pathlib import Path

_MODE = stat.S_IRWXU
_GET_FLAGS, _SET_FLAGS = 0x80086601, 0x40086602
_USER_FLAGS = 0x000380FF
"""What the owner of a file can set by ``chattr``. Source: the kernel's ``linux/fs.h``."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_tree(folder: Path) -> None:
    """Remove a folder with all that is in it. One that does not exist is none to remove.

    Raises:
        OSError: something could not be removed; as much as possible is gone.
    """
    if not os.path.lexists(folder):
        return
    empty_tree(folder)
    os.rmdir(folder)


def remove(path: Path) -> None:
    """Remove a file, a link or a folder.

    Raises:
        OSError: it could not be removed.
    """
    try:
        os.unlink(path)
    except (IsADirectoryError, PermissionError):  # the latter on other systems than Linux
        remove_tree(path)


def empty_tree(folder: Path) -> None:
    """Remove all that is in a folder, and leave the folder itself as if it were new.

    Nested folders are first moved up beside each other, so that no depth, path length or number of
    open files is ever reached. No link is followed, be it the folder itself.

    Raises:
        OSError: something could not be removed, or the folder is none; as much as possible is gone.
    """
    try:
        root = os.open(folder, _FOLDER)
    except PermissionError:
        os.chmod(folder, _MODE)  # it is no link: that would be another error
        root = os.open(folder, _FOLDER)
    try:
        if stat.S_IMODE(os.fstat(root).st_mode) != _MODE:
            os.fchmod(root, _MODE)
        nested = _clear(root, root)
        while nested:
            name = nested.pop()
            handle = os.open(name, _FOLDER, dir_fd=root)
            try:
                nested += _clear(handle, root)
            finally:
                os.close(handle)
            os.rmdir(name, dir_fd=root)
        _renew(root)
    finally:
        os.close(root)


def renew(folder: Path) -> None:
    """Leave a folder as if it were new, but for its mode and for what is in it.

    Raises:
        OSError: it cannot be done.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _renew(handle)
    finally:
        os.close(handle)


def _renew(folder: int) -> None:
    """Forget what a folder itself can be made to remember: attributes, lists of access, times."""
    if sys.platform == "linux":
        for name in os.listxattr(folder):
            os.removexattr(folder, name)
        with suppress(OSError):  # not every file system has flags
            flags = array("i", fcntl.ioctl(folder, _GET_FLAGS, bytes(4)))
            if flags[0] & _USER_FLAGS:
                flags[0] &= ~_USER_FLAGS
                fcntl.ioctl(folder, _SET_FLAGS, flags.tobytes())
    os.utime(folder)


_numbers = count()


def _clear(folder: int, root: int) -> list[bytes]:
    """Remove what a folder holds, but for full folders: these are moved to the root.

    Returns:
        Their names there.
    """
    moved = []
    for name in map(os.fsencode, os.listdir(folder)):
        try:
            os.unlink(name, dir_fd=folder)
            continue
        except (IsADirectoryError, PermissionError):  # the latter on other systems than Linux
            pass
        with suppress(OSError):
            os.rmdir(name, dir_fd=folder)
            continue
        os.chmod(name, _MODE, dir_fd=folder)
        aside = b"kcb-%d-%s" % (next(_numbers), os.urandom(8).hex().encode())
        os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=root)
        moved.append(aside)
    return moved
