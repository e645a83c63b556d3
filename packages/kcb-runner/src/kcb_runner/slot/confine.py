"""Confines the supervisor, and so everything that it will ever start.

Each step is inherited and cannot be undone. What is in force afterwards is told to the evaluator.
"""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import socket
import struct
from contextlib import suppress

from kcb_runner.slot import kernel, landlock, root, seccomp
from kcb_runner.slot.plan import NPROC_SLACK, Plan

_SHARED = kernel.CLONE_NEWNS | kernel.CLONE_NEWNET | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS
_JOINED = ("user", "mnt", "net", "ipc", "uts")
_PROC = "/proc"
_SIOCSIFFLAGS, _IFF_UP, _IFF_RUNNING = 0x8914, 1, 64


class Refused(Exception):
    """This machine does not give what a level promises."""


def enter_namespaces(plan: Plan) -> int | None:
    """Become the first process of namespaces of one's own; the process before only waits for it.

    Returns:
        A descriptor of the box, unless it is shared with another supervisor.

    Raises:
        OSError: this machine allows no such namespaces.
    """
    if plan.contained:
        return root.open_box(plan.box, os.getuid(), os.getgid())
    if plan.drop_first:
        become(plan.user)
    uid = os.getuid() if plan.user is None else plan.user
    gid = os.getgid() if plan.user is None else plan.user
    box = None
    if plan.join is None:
        _unshare(plan, os.geteuid(), os.getegid())
        box = root.build(plan, uid, gid)
    else:
        mine = os.stat("/proc/self/ns/user").st_ino == os.stat(f"/proc/{plan.join}/ns/user").st_ino
        kernel.join(plan.join, _JOINED[1:] if mine else _JOINED)
    kernel.unshare(kernel.CLONE_NEWPID)
    _wait_outside()
    kernel.unshare(kernel.CLONE_NEWNS)  # the process outside keeps its own, for others to join
    root.enter(plan)
    if plan.network:
        _raise_loopback()
    return box


def _unshare(plan: Plan, uid: int, gid: int) -> None:
    """Take namespaces of one's own, in a user namespace unless this is root."""
    if os.geteuid() == 0 and not plan.drop_first:
        kernel.unshare(_SHARED)
        return
    kernel.unshare(_SHARED | kernel.CLONE_NEWUSER)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid} {uid} 1"),
        ("gid_map", f"{gid} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="utf-8") as file:
            file.write(text)


def _wait_outside() -> None:
    """Go on as the first process of the namespace; the one outside ends when that does."""
    outside = os.getpid()
    child = os.fork()
    if child:
        os.closerange(0, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        _, status = os.waitpid(child, 0)
        os._exit(0 if status == 0 else 1)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL, "following the parent")
    with suppress(OSError):
        if os.getppid() not in (0, outside):  # 0: it is outside of this namespace
            os._exit(1)


def become(user: int | None) -> None:
    """Become the user of this slot, for good, and keep nothing that the old one could do."""
    if user is not None and os.getuid() != user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        # The kernel gave this process's files in /proc to root, and some are still to be written.
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1, "staying one's own")


class Fence:
    """Files and system calls that are out of reach from then on, for whoever stands inside.

    At level ``full`` the supervisor stands inside too. At level ``basic`` each session does by
    itself: the supervisor is then of another Landlock domain, so that a session can neither send
    it a signal nor look into it.
    """

    def __init__(self, plan: Plan) -> None:
        """Prepare all of it, so that closing it in the end is two system calls.

        Args:
            plan: what stays within reach.

        Raises:
            OSError: a step failed that every machine of this kind allows.
            Refused: level ``basic`` needs what this machine does not have.
        """
        abi = landlock.version()
        if plan.level == "basic":
            _require(plan, abi)
        self._rules = _rules(plan, abi) if abi else None
        leaves = plan.level == "full" or plan.user is not None
        self._program = seccomp.program(sockets=plan.network, leaving=leaves)
        self._filtered = seccomp.available()
        self.mechanisms = [
            *(["landlock"] if self._rules else []),
            *(["seccomp"] if self._filtered else []),
        ]

    def close(self) -> None:
        """Close it around this process and all that it will ever start."""
        if self._rules:
            self._rules.restrict()
        if self._filtered:
            seccomp.install(self._program)


def restrain(plan: Plan) -> tuple[tuple[str, ...], Fence | None]:
    """Give up what is left to give up: privileges, resources, files, system calls.

    Returns:
        What is in force in a session, by name; and a fence that every session has to close around
        itself, if the supervisor stays outside.

    Raises:
        OSError: a step failed that every machine of this kind allows.
        Refused: level ``basic`` needs what this machine does not have.
    """
    kernel.bound_capabilities()
    become(plan.user)
    kernel.drop_capabilities()
    _limit(plan)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1, "giving up new privileges")
    fence = Fence(plan)
    own_user = ["own-user"] if plan.user is not None else []
    mechanisms = ["rlimits", *own_user, *fence.mechanisms]
    if plan.level == "full":
        # Becoming another user has undone what was set when the namespace was entered.
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL, "following the parent")
        fence.close()
        mechanisms += ["namespaces", "own-root", "pid-1"]
    # Nobody of the same user may look into this process, or trace it.
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0, "hiding this process")
    return tuple(mechanisms), None if plan.level == "full" else fence


def _require(plan: Plan, abi: int) -> None:
    """See to it that this machine has all that level ``basic`` is made of."""
    if not seccomp.available():
        raise Refused("the kernel filters no system calls here")
    if not abi:
        raise Refused("the kernel has no Landlock")
    if plan.user is None and not landlock.scopes_signals(abi):
        raise Refused(f"Landlock of ABI {abi} does not keep signals inside; 6 is needed")


def _rules(plan: Plan, abi: int) -> landlock.Rules:
    rules = landlock.Rules(abi, sockets=plan.network)
    if plan.level == "full":
        rules.allow_reading(["/"])  # nothing else is there
    else:
        rules.allow_reading([_PROC, plan.box])
        rules.allow_reading_without(plan.read, plan.hide)
    rules.allow_devices(root.DEVICES)
    rules.allow_writing(plan.folders)
    return rules


def _limit(plan: Plan) -> None:
    bounds = [
        (resource.RLIMIT_FSIZE, plan.file_bytes),
        (resource.RLIMIT_NOFILE, plan.open_files),
        (resource.RLIMIT_CORE, 0),
    ]
    if plan.processes and (plan.level == "full" or plan.user is not None):
        # Elsewhere the processes of the same user that are none of ours would count too.
        bounds.append((resource.RLIMIT_NPROC, NPROC_SLACK * plan.processes))
    for kind, value in bounds:
        resource.setrlimit(kind, (value, value))


def _raise_loopback() -> None:
    """Bring up the loopback device of this network namespace, which has no other."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        request = struct.pack("16sH14x", b"lo", _IFF_UP | _IFF_RUNNING)
        fcntl.ioctl(handle, _SIOCSIFFLAGS, request)


def settle(plan: Plan) -> None:
    """Stand where sessions start."""
    os.chdir(plan.folders[0])
