"""Puts together the only file system that a candidate at level ``full`` can see.

It holds what an interpreter needs, read-only, and the box, and nothing else of this machine.
"""

from __future__ import annotations

import os
import stat

from kcb_runner.slot import kernel
from kcb_runner.slot.plan import FOLDERS, HOME, PROJECT, Plan

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")

_BOX_FILES = 100_000
_SMALL = "size=4m,mode=755"
_LINKS = {
    "/dev/fd": "/proc/self/fd",
    "/dev/stdin": "/proc/self/fd/0",
    "/dev/stdout": "/proc/self/fd/1",
    "/dev/stderr": "/proc/self/fd/2",
}
#: Where programs put temporary files without asking; all of it is the session's own.
_TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")


def build(plan: Plan, uid: int, gid: int) -> int:
    """Build the root at the plan's mount point, in a mount namespace of one's own.

    Args:
        plan: what is visible, and where.
        uid: whom the folders of the box belong to.
        gid: the same for the group.

    Returns:
        A descriptor of the box, by which the evaluator writes into it.
    """
    root = plan.mount_point
    kernel.make_private("/")
    kernel.mount("kcb", root, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, _SMALL)
    for path in plan.read:
        _show(path, root)
    for path in plan.hide:
        _hide(root + path)
    for path in DEVICES:
        _show(path, root)
    _furnish(root, plan, uid, gid)
    for path in ("/proc", plan.box):
        os.makedirs(root + path, exist_ok=True)
    kernel.set_mount(root, add=kernel.MOUNT_ATTR_RDONLY | kernel.MOUNT_ATTR_NOSUID)
    return _box(plan, uid, gid)


def enter(plan: Plan) -> None:
    """Make the root that was built this process's own, with the processes of its namespace."""
    root = plan.mount_point
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    kernel.mount("proc", f"{root}/proc", "proc", flags)
    kernel.pivot_into(root)
    os.chdir(f"{plan.box}/{PROJECT}")


def _show(path: str, root: str) -> None:
    """Make a file or folder visible in the new root where it is in the old one."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return  # not on this machine
    target = root + path
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.lexists(target):
        return  # below something that is visible already
    if stat.S_ISLNK(mode):
        os.symlink(os.readlink(path), target)
        return
    if stat.S_ISDIR(mode):
        os.mkdir(target)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o444))
    kernel.mount(path, target, "", kernel.MS_BIND | kernel.MS_REC)


def _hide(path: str) -> None:
    if os.path.isdir(path):
        kernel.mount("kcb", path, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=0,mode=755")
    elif os.path.lexists(path):
        kernel.mount("/dev/null", path, "", kernel.MS_BIND)


def _furnish(root: str, plan: Plan, uid: int, gid: int) -> None:
    """Put in what programs expect of any machine."""
    home = f"{plan.box}/{HOME}"
    for path, target in _LINKS.items():
        os.symlink(target, root + path)
    for path in _TEMPORARY:
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        if not os.path.lexists(root + path):  # an interpreter may lie there
            os.symlink(home, root + path)
    os.makedirs(f"{root}/etc", exist_ok=True)
    settings = {
        "passwd": f"candidate:x:{uid}:{gid}::{home}:/bin/sh\n",
        "group": f"candidate:x:{gid}:\n",
        **({"hosts": _hosts(plan)} if plan.network else {}),
    }
    for name, text in settings.items():
        with open(f"{root}/etc/{name}", "w", encoding="utf-8") as file:
            file.write(text)


def _hosts(plan: Plan) -> str:
    pairs = (("127.0.0.1", "localhost"), *plan.hosts)
    return "".join(f"{address} {name}\n" for address, name in pairs)


def _box(plan: Plan, uid: int, gid: int) -> int:
    """Mount a box with room for so many bytes and no more."""
    path = plan.mount_point + plan.box
    options = f"size={plan.box_bytes},nr_inodes={_BOX_FILES},mode=755"
    os_flags = kernel.MS_NOSUID | kernel.MS_NODEV
    kernel.mount("kcb", path, "tmpfs", os_flags, options)
    box = open_box(path, uid, gid)
    if plan.workspace:
        target = f"{path}/{PROJECT}"
        kernel.mount(plan.workspace, target, "", kernel.MS_BIND | kernel.MS_REC)
        safe = kernel.MOUNT_ATTR_NOSUID | kernel.MOUNT_ATTR_NODEV
        kernel.set_mount(target, add=safe)
    return box


def open_box(path: str, uid: int, gid: int) -> int:
    """Make the folders of an empty box; a descriptor of it, for the evaluator."""
    for name in FOLDERS:
        folder = f"{path}/{name}"
        os.mkdir(folder, 0o700)
        if os.getuid() != uid:
            os.chown(folder, uid, gid)
    return os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
