"""Projects that break the rules, the machine or the one who judges, and the verdict on each.

Every project is asked twice, ``{"id": 0, "value": "x"}`` and then ``{"id": 1, "value": "y"}``, and
is right if it says the same. It has one second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

RESOLVED = "resolved"
CRASH, TIMEOUT, WRONG = "crash", "timeout", "wrong_response"
PROTOCOL, OUTPUT, RESOURCE = "protocol_violation", "output_limit", "resource_limit"

ECHO = """
import sys
for line in sys.stdin:
    sys.stdout.write(line)
    sys.stdout.flush()
"""

_NO_FILES: Mapping[str, str | bytes] = MappingProxyType({})
_NOWHERE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """One project."""

    main: str
    verdict: str
    """``resolved``, or the kind of its failure."""
    files: Mapping[str, str | bytes] = field(default_factory=lambda: _NO_FILES)
    at: Mapping[str, str] = field(default_factory=lambda: _NOWHERE)
    """Verdicts at levels where it is another one."""
    why: str = ""
    """Why it is another one there; the page on launchers says it too."""
    harms_unconfined: bool = False
    """Whether at level ``none`` it would do this machine real harm, so that it is not played."""
    stays_unconfined: bool = False
    """Whether at level ``none`` something of it is left running."""


CORPUS: dict[str, Hostile] = {}


def add(name: str, verdict: str, main: str, *, before: bool = False, **more: object) -> None:
    """Put a project into the corpus; ``before`` if a right solution follows what it does."""
    text = main + ECHO if before else main
    CORPUS[name] = Hostile(main=text, verdict=verdict, **more)  # type: ignore[arg-type]


# What it says.

add("floods_stdout", PROTOCOL, "while True: print('x' * 9999)")
add(
    "floods_stderr_and_answers",
    RESOLVED,
    "import sys\nsys.stderr.write('x' * 4_000_000)\n",
    before=True,
)
add("floods_stderr_for_ever", TIMEOUT, "import sys\nwhile True: sys.stderr.write('x' * 99_999)")
add(
    "floods_both",
    OUTPUT,
    """
import sys, threading
def flood(stream):
    while True: stream.write("x" * 9999)
threading.Thread(target=flood, args=(sys.stderr,), daemon=True).start()
flood(sys.stdout)
""",
)
add("floods_without_a_line_end", OUTPUT, "import os\nwhile True: os.write(1, b'x' * 65536)")
add("half_a_line", TIMEOUT, "import time\nprint('{\"id\": 0', end='', flush=True)\ntime.sleep(60)")
add("half_a_line_and_the_end", PROTOCOL, "print('{\"id\": 0', end='')")
add(
    "no_flush",
    TIMEOUT,
    "import sys, time\nfor line in sys.stdin: print(line.strip()); time.sleep(60)",
)
add("closes_stdout_and_stays", PROTOCOL, "import os, time\nos.close(1)\ntime.sleep(60)")
add("closes_stdout_and_ends", PROTOCOL, "import os\nos.close(1)\nos._exit(0)")
add(
    "answers_before_the_question",
    PROTOCOL,
    """
import os, sys, time
os.write(1, b'{"id": 0, "value": "x"}\\n{"id": 1, "value": "y"}\\n')
for line in sys.stdin: pass
""",
)
add(
    "answers_twice",
    PROTOCOL,
    "import os, sys\nfor line in sys.stdin: os.write(1, line.encode() * 2)",
)
add("says_more_after_the_last_answer", PROTOCOL, ECHO + "print('bye')\n")
add("empty_lines", PROTOCOL, "import sys\nfor line in sys.stdin: print('\\n' + line, flush=True)")
add(
    "byte_order_mark",
    PROTOCOL,
    "import sys\nfor line in sys.stdin: print('\\ufeff' + line, end='', flush=True)",
)
add("not_a_number", PROTOCOL, 'print(\'{"id": 0, "value": NaN}\', flush=True)\ninput()')
add(
    "duplicate_keys",
    PROTOCOL,
    'print(\'{"id": 0, "value": "x", "value": "x"}\', flush=True)\ninput()',
)
add("huge_integer", PROTOCOL, "print('{\"id\": ' + '9' * 500_000 + '}', flush=True)\ninput()")
add("huge_exponent", PROTOCOL, 'print(\'{"id": 0, "value": 1e999999999}\', flush=True)\ninput()')
add("huge_depth", PROTOCOL, "print('[' * 200_000 + ']' * 200_000, flush=True)\ninput()")
add(
    "deep_object", PROTOCOL, "print('{\"a\":' * 100_000 + '1' + '}' * 100_000, flush=True)\ninput()"
)
add("no_object", PROTOCOL, "print('[1]', flush=True)\ninput()")
add("invalid_utf8", PROTOCOL, 'import os\nos.write(1, b\'{"id": "\\xff"}\\n\')\ninput()')
add("lone_surrogate", WRONG, 'print(\'{"id": "\\\\ud800"}\', flush=True)\ninput()')
add("nul_bytes", PROTOCOL, "import os\nos.write(1, bytes(1000) + b'\\n')\ninput()")
add(
    "terminal_escapes_in_an_answer",
    WRONG,
    'print(\'{"id": "\\\\u001b]0;owned\\\\u0007\\\\u001b[2J"}\', flush=True)\ninput()',
)
add(
    "terminal_escapes_in_no_json",
    PROTOCOL,
    "print('\\x1b]0;owned\\x07\\x1b[2J\\x9b31m', flush=True)\ninput()",
)
add("terminal_escapes_on_stderr", CRASH, "import sys\nsys.exit('\\x1b]0;owned\\x07\\x1b[2J')")
add(
    "forged_report",
    WRONG,
    """
import json
report = {"kind": "task-report", "outcome": "resolved", "passed": 2, "total": 2}
for place in ("report.json", "../report.json", "../home/report.json", "/nowhere/report.json"):
    try:
        with open(place, "w") as file: json.dump(report, file)
    except OSError: pass
print(json.dumps(report), flush=True)
input()
""",
)
add(
    "answers_byte_by_byte",
    RESOLVED,
    """
import os, sys, time
for line in sys.stdin:
    for byte in line.encode(): os.write(1, bytes([byte])); time.sleep(0.002)
""",
)
add(
    "makes_its_pipes_nonblocking",
    RESOLVED,
    "import os\nos.set_blocking(1, False)\nos.set_blocking(2, False)\n",
    before=True,
)
add(
    "opens_its_pipes_again",
    RESOLVED,
    """
import os
for way in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR):
    for n in (1, 2):
        try: os.open(f"/proc/self/fd/{n}", way | os.O_NONBLOCK)
        except OSError: pass
""",
    before=True,
)

# When it ends.

add("ends_at_once", PROTOCOL, "")
add("ends_with_a_status", CRASH, "import sys\nsys.exit(3)")
add("ends_with_a_status_at_the_end", CRASH, ECHO + "sys.exit(3)\n")
add("raises", CRASH, "1 / 0")
add("is_no_python", CRASH, "this is no Python")
add("recurses_for_ever", CRASH, "def f(): f()\nf()")
add("kills_itself", CRASH, "import os\nos.kill(os.getpid(), 9)")
add("aborts", CRASH, "import os\nos.abort()")
add("reads_address_zero", CRASH, "import ctypes\nctypes.string_at(0)")
add("kills_its_group", CRASH, "import os\nos.kill(0, 9)\nimport time; time.sleep(60)")
add(
    "closes_stdin",
    PROTOCOL,
    "import os, sys\nos.write(1, sys.stdin.buffer.raw.readline())\nos.close(0)\nos._exit(0)",
)
add("never_reads", TIMEOUT, "import time\ntime.sleep(60)")
add("computes_for_ever", TIMEOUT, "while True: pass")
add(
    "is_slow",
    TIMEOUT,
    "import sys, time\nfor line in sys.stdin: time.sleep(0.8); print(line, end='', flush=True)",
)
add("stays_after_the_end", TIMEOUT, ECHO + "import time\ntime.sleep(60)\n")
add(
    "stays_in_an_exit_handler",
    TIMEOUT,
    "import atexit, time\natexit.register(time.sleep, 60)\n",
    before=True,
)
add(
    "stays_in_a_thread",
    TIMEOUT,
    "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n",
    before=True,
)
add("stops_itself", TIMEOUT, "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)")

# Processes.

IGNORE = """
import os, signal, sys, time
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
def leave():
    try: os.setsid()
    except OSError: pass
"""
add("ignores_all_signals", TIMEOUT, IGNORE + "time.sleep(60)")
add("leaves_a_child", RESOLVED, IGNORE + "if os.fork() == 0: time.sleep(60)\n", before=True)
add("leaves_a_child_and_ends", PROTOCOL, IGNORE + "if os.fork() == 0: time.sleep(60)\nos._exit(0)")
add(
    "leaves_a_session",
    RESOLVED,
    IGNORE + "if os.fork() == 0: leave(); time.sleep(60)\n",
    before=True,
    stays_unconfined=True,
)
add(
    "leaves_a_daemon",
    RESOLVED,
    IGNORE
    + """
if os.fork() == 0:
    leave()
    if os.fork(): os._exit(0)
    time.sleep(60)
""",
    before=True,
    stays_unconfined=True,
)
add(
    "leaves_a_stopped_child",
    RESOLVED,
    IGNORE
    + """
if os.fork() == 0: leave(); os.kill(os.getpid(), signal.SIGSTOP); time.sleep(60)
""",
    before=True,
    stays_unconfined=True,
)
add(
    "leaves_a_program",
    RESOLVED,
    """
import os
if os.fork() == 0: os.execv("/bin/sleep", ["sleep", "60"])
""",
    before=True,
)
add(
    "hops_from_process_to_process",
    RESOLVED,
    IGNORE
    + """
import threading
if os.fork() == 0:
    for _ in range(1000):  # where nothing confines it, a thousand dead processes are enough
        try:
            if os.fork(): os._exit(0)
            leave()
        except OSError: pass
    time.sleep(60)
""",
    before=True,
    stays_unconfined=True,
)
add(
    "fork_bomb",
    RESOURCE,
    IGNORE
    + """
while True:
    try: os.fork()
    except OSError: time.sleep(0.01)
""",
    harms_unconfined=True,
)
add(
    "many_sleepers",
    RESOURCE,
    """
import os, time
for _ in range(100):
    try:
        if os.fork() == 0: time.sleep(60); os._exit(0)
    except OSError: pass
time.sleep(60)
""",
)
add(
    "thread_bomb",
    RESOURCE,
    """
import threading, time
for _ in range(100):
    try: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    except RuntimeError: pass
time.sleep(60)
""",
)
add("becomes_sleep", TIMEOUT, "import os\nos.execv('/bin/sleep', ['sleep', '60'])")
add("becomes_cat", RESOLVED, "import os\nos.execv('/bin/cat', ['cat'])")
add(
    "kills_whoever_started_it",
    RESOLVED,
    """
import os, signal
for number in (15, 2, 1, 19, 9, *range(34, 65)):
    try: os.kill(os.getppid(), number)
    except OSError: pass
""",
    before=True,
    harms_unconfined=True,
)
add(
    "kills_everybody",
    RESOLVED,
    """
import os, signal
try: os.kill(-1, signal.SIGKILL)
except OSError: pass
""",
    before=True,
    harms_unconfined=True,
)
add(
    "traces_whoever_started_it",
    RESOLVED,
    """
import ctypes, os
libc = ctypes.CDLL(None)
libc.ptrace(16, os.getppid(), 0, 0)
libc.ptrace(16, 1, 0, 0)
""",
    before=True,
    harms_unconfined=True,
)

# Memory, disk, descriptors.

add(
    "memory_hog",
    RESOURCE,
    "import time\nheld = [bytearray(b'x') * (32 << 20) for _ in range(12)]\ntime.sleep(60)",
)
add(
    "memory_of_many_children",
    RESOURCE,
    """
import os, time
for _ in range(8):
    if os.fork() == 0: held = b"x" * (48 << 20); time.sleep(60)
time.sleep(60)
""",
)
add(
    "shared_memory_hog",
    RESOURCE,
    """
import mmap, time
held = []
for _ in range(40):
    area = mmap.mmap(-1, 8 << 20)
    area.write(bytes(8 << 20)); held.append(area)
time.sleep(60)
""",
)
add("one_large_file", CRASH, "file = open('large', 'wb')\nwhile True: file.write(bytes(1 << 20))")
add("sparse_file", CRASH, "open('sparse', 'wb').truncate(1 << 40)")
add(
    "seeks_far",
    CRASH,
    "import os\nhandle = os.open('far', os.O_CREAT | os.O_WRONLY)\n"
    "os.pwrite(handle, b'x', 1 << 40)",
)
add(
    "many_files",
    CRASH,
    """
for n in range(20):
    with open(f"file-{n}", "wb") as file: file.write(bytes(4 << 20))
""",
    before=True,
    at={"basic": RESOLVED, "none": RESOLVED},
    why="only 'full' bounds what all files hold",
)
add("many_descriptors", CRASH, "held = [open('/dev/null') for _ in range(5000)]")
add(
    "raises_its_limits",
    RESOLVED,
    """
import resource
for kind in range(16):
    try: resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (OSError, ValueError): pass
""",
    before=True,
    harms_unconfined=True,
)

# Files and folders.

add(
    "deep_tree",
    RESOLVED,
    "import os\nhere = os.getcwd()\n"
    "for _ in range(1500): os.mkdir('d'); os.chdir('d')\nos.chdir(here)\n",
    before=True,
)
add(
    "closed_folders",
    RESOLVED,
    """
import os
for name in ("a", "a/b", "../home/c", "../home/c/d"): os.mkdir(name)
open("a/b/file", "w").close()
for name in ("../home/c/d", "../home/c", "a/b", "a", "../home", "."): os.chmod(name, 0)
""",
    before=True,
)
add(
    "odd_names",
    RESOLVED,
    """
import os
for name in (b"\\xff\\xfe", b"new\\nline", b"\\x1b[2J", b"-rf", b"x" * 255, "\\u202e".encode()):
    open(name, "w").close(); os.mkdir(name + b"d" if len(name) < 255 else b"y" * 255)
""",
    before=True,
)
add(
    "removes_its_project",
    RESOLVED,
    "import os, shutil\nshutil.rmtree(os.getcwd(), ignore_errors=True)\n",
    before=True,
    at={"none": RESOURCE},
    why="without confinement a program can remove its box",
)
add(
    "removes_what_is_around_it",
    RESOLVED,
    "import os, shutil\nshutil.rmtree(os.path.dirname(os.getcwd()), ignore_errors=True)\n",
    before=True,
    at={"none": RESOURCE},
    why="without confinement a program can remove its box",
)
add(
    "swaps_its_folders_for_links",
    RESOLVED,
    """
import os
box = os.path.dirname(os.getcwd())
for name in ("project", "home", "state"):
    try:
        os.rename(f"{box}/{name}", f"{box}/{name}-away")
        os.symlink("/etc", f"{box}/{name}")
    except OSError: pass
""",
    before=True,
    at={"none": RESOURCE},
    why="without confinement a program can replace its box",
)
add(
    "links_to_everywhere",
    RESOLVED,
    """
import os
for n, target in enumerate(("/", "/etc", "/etc/passwd", "..", ".", "loop", "/proc/self/fd/0")):
    os.symlink(target, f"link-{n}"); os.symlink(target, f"../home/link-{n}")
os.symlink("loop", "loop")
""",
    before=True,
)
add(
    "special_files",
    RESOLVED,
    "import os\nfor place in ('.', '../home'): os.mkfifo(f'{place}/fifo')\n",
    before=True,
)
add(
    "file_without_permission",
    RESOLVED,
    "import os\nopen('f', 'w').close()\nos.chmod('f', 0)\nos.chmod('main.py', 0)\n",
    before=True,
)
add(
    "many_links_to_one_file",
    RESOLVED,
    "import os\nfor n in range(500): os.link('main.py', f'link-{n}')\n",
    before=True,
)
add(
    "locks_its_folders",
    RESOLVED,
    """
import fcntl, os
for place in (".", "..", "../home", "main.py"):
    fcntl.flock(os.open(place, os.O_RDONLY), fcntl.LOCK_EX)
""",
    before=True,
)

# Planted modules, and others that are there already.

LOUD = "import os\nos.write(1, b'planted\\n')\nos._exit(7)\n"
add(
    "own_json_module",
    CRASH,
    "import json\n",
    files={"json.py": LOUD.replace("os.write(1, b'planted\\n')", "pass")},
    before=True,
)
add("own_os_module", RESOLVED, "import os\n", files={"os.py": LOUD}, before=True)
add(
    "own_encodings",
    RESOLVED,
    "'x'.encode('utf-8')\n",
    files={"encodings/__init__.py": LOUD, "encodings/utf_8.py": LOUD},
    before=True,
)
for planted in (
    "sitecustomize.py",
    "usercustomize.py",
    "conftest.py",
    "pytest.py",
    "kcb_runner.py",
    "reaper.py",
    "plan.py",
):
    add(f"plants_{planted.removesuffix('.py')}", RESOLVED, "", files={planted: LOUD}, before=True)
add(
    "plants_a_path_file",
    RESOLVED,
    "",
    files={"planted.pth": "import os; os._exit(7)\n", "python311._pth": "import site\n"},
    before=True,
)
add("plants_bytecode", RESOLVED, "", files={"main.pyc": b"\x00" * 64}, before=True)
add(
    "leaves_a_module_for_the_next_session",
    RESOLVED,
    """
for place in (".", "../home", "../state", "/tmp"):
    for name in ("sitecustomize.py", "json.py", "sys.py"):
        try: open(f"{place}/{name}", "w").write("import os; os._exit(7)")
        except OSError: pass
""",
    before=True,
    harms_unconfined=True,
)

# Reach.

add(
    "sets_the_clock",
    RESOLVED,
    """
import time
try: time.clock_settime(time.CLOCK_REALTIME, 0)
except OSError: pass
""",
    before=True,
    harms_unconfined=True,
)
add(
    "writes_outside",
    RESOLVED,
    """
for place in ("", "/etc", "/usr", "/usr/bin", "/var", "/dev"):
    try: open(f"{place}/planted", "w").write("planted")
    except OSError: pass
""",
    before=True,
    harms_unconfined=True,
)
add(
    "looks_for_the_tests",
    WRONG,
    """
import os, sys
for root in ("/", "/proc", "/usr/lib", os.path.dirname(os.__file__), *sys.path):
    try: names = os.listdir(root)
    except OSError: continue
    for name in names:
        if name in ("acceptance_tests", "easy.jsonl", "kcb_tasks"):
            print(open(root + "/" + name).read())
print("{}", flush=True)
input()
""",
)
add(
    "opens_sockets",
    RESOLVED,
    """
import socket
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK):
    try: socket.socket(family, socket.SOCK_DGRAM)
    except OSError: pass
""",
    before=True,
)
add(
    "makes_namespaces",
    RESOLVED,
    """
import ctypes
libc = ctypes.CDLL(None)
for flag in (0x10000000, 0x20000, 0x20000000, 0x40000000): libc.unshare(flag)
libc.chroot(b"/usr")
""",
    before=True,
    harms_unconfined=True,
)
