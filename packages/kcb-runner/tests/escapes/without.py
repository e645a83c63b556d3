"""Runs a program on a machine that lacks something, as a filter of system calls makes it seem.

``python without.py THING[,THING] PROGRAM [WORD]...``: ``namespaces`` are forbidden, as containers
forbid them, and ``landlock`` is unknown, as to an older kernel.
"""

import errno
import os
import struct
import sys
from ctypes import addressof, create_string_buffer

from kcb_runner.slot import kernel

LACKING = {
    "namespaces": {272: errno.EPERM, 308: errno.EPERM},
    "landlock": {444: errno.ENOSYS, 445: errno.ENOSYS, 446: errno.ENOSYS},
}


def line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction of classic BPF."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def lack(things: list[str]) -> None:
    """Put the filter in force."""
    refused = {number: error for thing in things for number, error in LACKING[thing].items()}
    lines = [line(0x20, 0)]
    for number, error in refused.items():
        lines += [line(0x15, number, 0, 1), line(0x06, 0x00050000 | error)]
    data = b"".join([*lines, line(0x06, 0x7FFF0000)])
    held = create_string_buffer(data, len(data))
    if os.geteuid():
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1, "giving up new privileges")
    program = struct.pack("=H6xQ", len(data) // 8, addressof(held))
    kernel.syscall("seccomp", 317, 1, 0, program)


if __name__ == "__main__":
    lack(sys.argv[1].split(","))
    os.execv(sys.argv[2], sys.argv[2:])
