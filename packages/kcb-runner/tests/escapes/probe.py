"""Tries to get at what is none of its business, and prints what came of each attempt.

It is played as the ``main.py`` of a project. Its one input line names the victims; its one output
line holds for each attempt what it brought back, or null with the reason in ``refused``. Whoever
started it decides what of that is a success: a file that seems to be written may lie elsewhere.
"""

import ctypes
import errno
import fcntl
import json
import os
import signal
import socket
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
UNKNOWN_HERE = ("ENOSYS", "EAFNOSUPPORT", "EPROTONOSUPPORT", "ENOPROTOOPT", "ENODEV", "EOPNOTSUPP")
PATIENCE_S = 3

ATTEMPTS = {}


def attempt(name):
    def register(function):
        ATTEMPTS[name] = function
        return function

    return register


def call(number, *arguments):
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = LIBC.syscall(ctypes.c_long(number), *wide)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def read(path):
    with open(path, "rb") as file:
        return file.read(1 << 16).decode("utf-8", "replace")


def write(path):
    with open(path, "w") as file:
        file.write("planted")
    return True


def opened(path, flags):
    os.close(os.open(path, flags))
    return True


# Files.

attempt("write a file into the user's home")(lambda v: write(v["home"] + "/planted"))
attempt("write a file into `/tmp`")(lambda v: write(v["tmp"]))
attempt("write a file into `/dev/shm`")(lambda v: write(v["shm"]))
attempt("overwrite a file of the user")(lambda v: write(v["written"]))
attempt("delete a file of the user")(lambda v: os.unlink(v["deleted"]) or True)
attempt("change the library of the interpreter")(lambda v: opened(json.__file__, os.O_WRONLY))
attempt("change the mode of a file of the user")(lambda v: os.chmod(v["chmod"], 0o777) or True)
attempt("change the times of a file of the user")(lambda v: os.utime(v["utime"], (1, 1)) or True)
attempt("set an attribute of a file of the user")(
    lambda v: os.setxattr(v["xattr"], "user.kcb", b"planted") or True
)
attempt("link a file of the user into the project")(lambda v: os.link(v["linked"], "link") or True)
attempt("read a file in the user's home")(lambda v: read(v["secret"]))
attempt("read it through `/proc/self/root`")(lambda v: read("/proc/self/root" + v["secret"]))
attempt("read it through a link in the project")(
    lambda v: os.symlink(v["secret"], "soft") or read("soft")
)
attempt("read the evaluator's source")(lambda v: read(v["source"]))
attempt("list the user's home")(lambda v: os.listdir(v["home"]))
attempt("see that a file of the user exists")(lambda v: os.stat(v["secret"]).st_size)
attempt("change a setting of the kernel")(
    lambda v: opened("/proc/sys/kernel/printk_ratelimit", os.O_WRONLY)
)
attempt("open the terminal")(lambda v: opened("/dev/tty", os.O_RDWR))


# Other processes.


@attempt("see the command lines of other processes")
def command_line(v):
    return read(f"/proc/{v['pid']}/cmdline")


@attempt("read the environment of another process")
def environment(v):
    return read(f"/proc/{v['pid']}/environ")


attempt("reach files through another process's root")(
    lambda v: read(f"/proc/{v['pid']}/root{v['secret']}")
)
attempt("write to the memory of another process")(
    lambda v: opened(f"/proc/{v['pid']}/mem", os.O_RDWR)
)
attempt("list the descriptors of whoever started it")(lambda v: os.listdir(f"/proc/{PARENT}/fd"))
attempt("open the memory of whoever started it")(
    lambda v: opened(f"/proc/{PARENT}/mem", os.O_RDONLY)
)
attempt("limit whoever started it")(
    lambda v: call(302, PARENT, 4, None, ctypes.create_string_buffer(16)) + 1
)


@attempt("stop another process")
def stop(v):
    os.kill(v["stopped"], signal.SIGSTOP)
    return True


@attempt("kill another process")
def kill(v):
    os.kill(v["killed"], signal.SIGKILL)
    return True


@attempt("kill another process through a descriptor of it")
def kill_by_descriptor(v):
    signal.pidfd_send_signal(os.pidfd_open(v["killed too"]), signal.SIGKILL)
    return True


@attempt("have a signal sent to another process by a pipe")
def owner_signal(v):
    reader, writer = os.pipe()
    fcntl.fcntl(reader, fcntl.F_SETOWN, v["asked"])
    fcntl.fcntl(reader, 10, signal.SIGKILL)  # F_SETSIG
    fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    os.write(writer, b"!")
    return True


@attempt("trace another process")
def trace(v):
    return call(101, 0x4206, v["pid"], 0, 0) + 1  # PTRACE_SEIZE; let go of with this process


@attempt("read the memory of another process")
def vm_read(v):
    class Span(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    held = ctypes.create_string_buffer(8)
    mine = Span(ctypes.addressof(held), 8)
    theirs = Span(v["address"], 8)
    return call(310, v["pid"], ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0)


attempt("take a descriptor from another process")(
    lambda v: call(438, os.pidfd_open(v["pid"]), 0, 0) + 1
)
attempt("limit another process")(
    lambda v: call(302, v["pid"], 4, ctypes.create_string_buffer(16), None) + 1
)
attempt("change the priority of another process")(
    lambda v: os.setpriority(os.PRIO_PROCESS, v["pid"], 19) or True
)
attempt("change the CPUs of another process")(
    lambda v: os.sched_setaffinity(v["pid"], os.sched_getaffinity(0)) or True
)


# Network.


@attempt("connect to a TCP port of this machine")
def tcp(v):
    with socket.create_connection(("127.0.0.1", v["tcp"]), 1) as handle:
        return handle.recv(100).decode()


@attempt("listen on a TCP port")
def listen(v):
    with socket.create_server(("127.0.0.1", 0)):
        return True


@attempt("send over UDP")
def udp(v):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        return handle.sendto(b"x", ("127.0.0.1", v["udp"]))


@attempt("connect to a Unix socket by its path")
def unix_path(v):
    with socket.socket(socket.AF_UNIX) as handle:
        handle.connect(v["unix"])
        return handle.recv(100).decode()


@attempt("connect to an abstract Unix socket")
def abstract(v):
    with socket.socket(socket.AF_UNIX) as handle:
        handle.connect("\0" + v["abstract"])
        return handle.recv(100).decode()


def make(family, kind, protocol=0):
    socket.socket(family, kind, protocol).close()
    return True


attempt("make a netlink socket")(lambda v: make(socket.AF_NETLINK, socket.SOCK_RAW))
attempt("make a raw socket")(lambda v: make(socket.AF_INET, socket.SOCK_RAW, 1))
attempt("make a packet socket")(lambda v: make(socket.AF_PACKET, socket.SOCK_RAW))
attempt("make a virtual machine's socket")(lambda v: make(socket.AF_VSOCK, socket.SOCK_STREAM))


# The kernel.

attempt("use io_uring")(lambda v: call(425, 4, ctypes.create_string_buffer(120)))
attempt("make a user namespace")(lambda v: call(272, 0x10000000) + 1)
attempt("make one by `clone`")(lambda v: clone(0x10000000))
attempt("make a mount namespace")(lambda v: call(272, 0x00020000) + 1)
attempt("mount a file system")(
    lambda v: call(165, b"x", v["mounted"].encode(), b"tmpfs", 0, None) + 1
)
attempt("open a file system for mounting")(lambda v: call(430, b"tmpfs", 0))
attempt("change its root directory")(lambda v: os.chroot(".") or True)
attempt("enter a namespace of another process")(
    lambda v: call(308, os.open(f"/proc/{v['pid']}/ns/uts", os.O_RDONLY), 0) + 1
)
attempt("make a device")(lambda v: os.mknod("device", 0o666 | 0o020000, os.makedev(1, 1)) or True)
attempt("load a program into the kernel by `bpf`")(
    lambda v: call(
        321, 0, ctypes.create_string_buffer(b"\x02\0\0\0\x04\0\0\0\x04\0\0\0\x04", 72), 72
    )
)
attempt("measure the machine by `perf_event_open`")(
    lambda v: call(298, ctypes.create_string_buffer(b"\x01\0\0\0\x80", 128), 0, -1, -1, 0)
)
attempt("read the log of the kernel")(lambda v: call(103, 10, None, 0))
attempt("use the key rings of the kernel")(
    lambda v: call(248, b"user", b"kcb", b"x", 1, -4)  # in the user's ring
)
attempt("leave System V shared memory behind")(lambda v: call(29, v["key"], 4096, 0o1666) + 1)
attempt("leave a System V semaphore behind")(lambda v: call(64, v["key"], 1, 0o1666) + 1)
attempt("leave a System V queue behind")(lambda v: call(68, v["key"], 0o1666) + 1)
attempt("leave a POSIX queue behind")(
    lambda v: call(240, b"kcb-" + str(v["key"]).encode(), 0o102, 0o666, None)
)
attempt("keep memory in a file without a name")(lambda v: os.memfd_create("kcb"))


@attempt("find a descriptor that it was not given")
def descriptors(v):
    return [handle for handle in range(3, 256) if handle not in KNOWN and is_open(handle)]


def is_open(handle):
    try:
        os.fstat(handle)
    except OSError:
        return False
    return True


def clone(flags):
    pid = call(56, flags | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return True


def apart(function, victims):
    """The outcome of an attempt, made in a process of its own that cannot hang."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        KNOWN.append(writer)
        signal.alarm(PATIENCE_S)
        try:
            said = {"got": function(victims)}
        except OSError as error:
            name = errno.errorcode.get(error.errno, str(error.errno))
            said = {"got": None, "refused": name, "unknown": name in UNKNOWN_HERE}
        except BaseException as error:  # noqa: BLE001 - it is told, and ends this process
            said = {"got": None, "refused": repr(error)}
        os.write(writer, json.dumps(said).encode())
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as file:
        said = file.read()
    os.waitpid(pid, 0)
    return json.loads(said) if said else {"got": None, "refused": "it took too long"}


PARENT = os.getppid()
KNOWN = [0, 1, 2]

if __name__ == "__main__":
    given = json.loads(sys.stdin.readline())
    found = {name: apart(function, given) for name, function in ATTEMPTS.items()}
    sys.stdout.write(json.dumps(found) + "\n")
