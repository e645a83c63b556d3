"""A seccomp filter: the system calls that no candidate needs, refused for it and its descendants.

Source: the kernel's *Seccomp BPF* page; numbers of x86-64. Elsewhere there is no filter.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from kcb_runner.slot.kernel import syscall

MACHINE = "x86_64"

_SECCOMP = 317
_SET_MODE_FILTER = 1
_ASK_ACTION = 2
_AUDIT_ARCH = 0xC000003E
_X32 = 0x40000000

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000

_CLONE, _SOCKET, _PRLIMIT = 56, 41, 302
_NEW_NAMESPACES = 0x7E020080
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10

#: Refused as if the kernel did not know them: whoever asks has another way.
_UNKNOWN = {
    **{"io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "clone3": 435},
    # Files without a place: what they hold would count as nobody's memory.
    **{"memfd_create": 319, "memfd_secret": 447},
}

#: Refused for want of permission.
_FORBIDDEN = {
    **{"ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "pidfd_getfd": 438},
    **{"unshare": 272, "setns": 308, "mount": 165, "umount2": 166, "pivot_root": 155},
    **{"chroot": 161, "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431},
    **{"fsmount": 432, "fspick": 433, "mount_setattr": 442, "open_tree_attr": 467},
    **{"bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "name_to_handle_at": 303},
    **{"open_by_handle_at": 304, "add_key": 248, "request_key": 249, "keyctl": 250},
    **{"init_module": 175, "finit_module": 313, "delete_module": 176, "kexec_load": 246},
    **{"kexec_file_load": 320, "reboot": 169, "swapon": 167, "swapoff": 168, "acct": 163},
    **{"settimeofday": 164, "clock_settime": 227, "adjtimex": 159, "quotactl": 179},
    **{"shmget": 29, "shmat": 30, "semget": 64, "msgget": 68, "mq_open": 240},
    **{"setpriority": 141, "sched_setparam": 142, "sched_setscheduler": 144},
    **{"sched_setaffinity": 203, "sched_setattr": 314, "ioprio_set": 251},
    **{"syslog": 103, "quotactl_fd": 443, "fanotify_init": 300, "kcmp": 312},
    **{"migrate_pages": 256, "move_pages": 279, "process_madvise": 440, "process_mrelease": 448},
}

#: What leaves a session's process group, refused where nothing else can hold a process.
_LEAVING = {"setpgid": 109, "setsid": 112}


def program(*, sockets: bool, leaving: bool) -> bytes:
    """The filter as classic BPF.

    Args:
        sockets: whether sockets of this machine may be made: Unix, TCP and UDP.
        leaving: whether a process may leave its session and process group.
    """
    forbidden = {**_FORBIDDEN, **({} if leaving else _LEAVING)}
    refused = {number: errno.EPERM for number in forbidden.values()}
    refused |= dict.fromkeys(_UNKNOWN.values(), errno.ENOSYS)
    lines = [
        _line(_LOAD, _ARCHITECTURE),
        _line(_EQUAL, _AUDIT_ARCH, 1, 0),
        _line(_RETURN, _KILL),
        _line(_LOAD, _NUMBER),
        _line(_AT_LEAST, _X32, 0, 1),
        _line(_RETURN, _KILL),
    ]
    for number, error in sorted(refused.items()):
        lines += [_line(_EQUAL, number, 0, 1), _line(_RETURN, _REFUSE | error)]
    lines += [
        _line(_EQUAL, _PRLIMIT, 0, 4),  # of oneself, which is process 0, and of nobody else
        _line(_LOAD, _FIRST_ARGUMENT),
        _line(_EQUAL, 0, 1, 0),
        _line(_RETURN, _REFUSE | errno.EPERM),
        _line(_RETURN, _ALLOW),
        _line(_EQUAL, _CLONE, 0, 4),
        _line(_LOAD, _FIRST_ARGUMENT),
        _line(_ANY_BIT, _NEW_NAMESPACES, 0, 1),
        _line(_RETURN, _REFUSE | errno.EPERM),
        _line(_RETURN, _ALLOW),
    ]
    return b"".join([*lines, *_sockets(sockets), _line(_RETURN, _ALLOW)])


def available() -> bool:
    """Whether this machine is of the kind that the numbers are of, and its kernel has filters."""
    if os.uname().machine != MACHINE:
        return False
    try:
        syscall("seccomp", _SECCOMP, _ASK_ACTION, 0, struct.pack("=I", _KILL))
    except OSError:
        return False
    return True


def install(filter_: bytes) -> None:
    """Put a filter in force for this process, which must have given up new privileges.

    Raises:
        OSError: this machine has no such filters.
    """
    held = ctypes.create_string_buffer(filter_, len(filter_))
    count = len(filter_) // 8
    described = struct.pack("=H6xQ", count, ctypes.addressof(held))
    syscall("seccomp", _SECCOMP, _SET_MODE_FILTER, 0, described)


def _sockets(allowed: bool) -> list[bytes]:
    """Refuse to make sockets: of any family, or of all but the three that stay on this machine."""
    refusal = _line(_RETURN, _REFUSE | errno.EACCES)
    if not allowed:
        return [_line(_EQUAL, _SOCKET, 0, 1), refusal]
    families = (_AF_UNIX, _AF_INET, _AF_INET6)
    tests = [_line(_EQUAL, family, len(families) - n, 0) for n, family in enumerate(families)]
    return [
        _line(_EQUAL, _SOCKET, 0, len(tests) + 3),
        _line(_LOAD, _FIRST_ARGUMENT),
        *tests,
        refusal,
        _line(_RETURN, _ALLOW),
    ]


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
