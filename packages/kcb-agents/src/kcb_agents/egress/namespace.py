"""A network namespace of this machine: its identity, and programs of the host that run in it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from types import TracebackType

from kcb_core.errors import DeclarationError, MachineError

TOOLS = ("nft", "ip", "nsenter", "unshare", "setpriv")
"""What is needed of nftables, iproute2 and util-linux."""

_CALL_S = 20.0
_SBIN = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"


class Namespace:
    """The network namespace of a process, held open; use it as a context manager."""

    def __init__(self, pid: int) -> None:
        """Take hold of it.

        Raises:
            MachineError: there is no such process.
        """
        try:
            self._handle = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise MachineError(f"no network namespace of process {pid}: {error.strerror}") from None

    def __enter__(self) -> Namespace:
        """Nothing more is done."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go of it."""
        os.close(self._handle)

    @property
    def path(self) -> str:
        """A path of it for other programs, as long as it is held."""
        return f"/proc/{os.getpid()}/fd/{self._handle}"

    @property
    def identity(self) -> str:
        """What ``/proc/self/ns/net`` is a link to inside."""
        return os.readlink(self.path)

    def run(self, *argv: str, text: str = "") -> str:
        """What a program of the host says that runs in there; errors as in :func:`call`."""
        return call("nsenter", f"--net={self.path}", "--", *argv, text=text)


def call(*argv: str, text: str = "") -> str:
    """What a program says that is run to its end.

    Args:
        argv: program and words.
        text: what it reads from its standard input.

    Raises:
        MachineError: it is not there, fails, or does not end.
    """
    try:
        done = subprocess.run(
            argv, input=text, capture_output=True, text=True, check=False, timeout=_CALL_S,
            env={"PATH": _SBIN, "LANG": "C.UTF-8"},
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MachineError(f"{argv[0]}: {error}") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise MachineError(f"{' '.join(argv[:6])}: {lines[0]}")
    return done.stdout


def require_tools(names: Sequence[str] = TOOLS) -> None:
    """Make sure that this machine can police a namespace.

    Raises:
        DeclarationError: it cannot; what is missing is named.
    """
    missing = [name for name in names if not shutil.which(name, path=_SBIN)]
    faults = [f"programs are missing: {', '.join(missing)}"] if missing else []
    if os.geteuid() != 0:
        faults.append("only root can give a namespace its rules")
    if faults:
        raise DeclarationError(
            f"no egress policy here: {'; '.join(faults)}; run as root where nftables, iproute2 and "
            "util-linux are installed"
        )
