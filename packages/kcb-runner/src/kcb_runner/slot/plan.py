"""What the evaluator tells a supervisor, once, before anything is started."""

from __future__ import annotations

import json

LEVELS = ("none", "basic", "full")
"""How far a candidate is confined, from nothing on."""

INSIDE = "/kcb"
"""Where a candidate at level ``full`` finds its folders."""

PROJECT, HOME, STATE = "project", "home", "state"
FOLDERS = (PROJECT, HOME, STATE)
"""The folders of a slot: copy of the project, HOME and TMPDIR, and the state directory."""

MESSAGE_BYTES = 192 << 10
"""Longest message that either side sends; Linux carries a little more by default."""

NPROC_SLACK = 2
"""The kernel's bound on processes, as a multiple of the limit: below it, the limit is watched."""


class Plan:
    """How a slot is set up; only plain values, so that it can be sent as JSON."""

    def __init__(
        self,
        *,
        level: str,
        python: str,
        box: str,
        mount_point: str = "",
        read: tuple[str, ...] = (),
        hide: tuple[str, ...] = (),
        user: int | None = None,
        drop_first: bool = False,
        network: bool = False,
        hosts: tuple[tuple[str, str], ...] = (),
        workspace: str = "",
        preload: tuple[str, ...] = (),
        join: int | None = None,
        contained: bool = False,
        box_bytes: int,
        file_bytes: int,
        open_files: int,
        processes: int,
    ) -> None:
        """Take the values as they are.

        Args:
            level: one of :data:`LEVELS`.
            python: path of the interpreter.
            box: folder of the slot as the candidate sees it.
            mount_point: an empty folder on which the candidate's own root is put together.
            read: files and folders that a candidate may read.
            hide: folders below these that it may not.
            user: user and group id of the slot's own, or None to stay who one is.
            drop_first: whether to become that user before anything else, for want of privileges.
            network: whether loopback and sockets of this machine are there.
            hosts: addresses and their names, which ``/etc/hosts`` has besides.
            workspace: a folder of the evaluator's machine that takes the place of the project's
                copy; empty if the box has a folder of its own for that.
            preload: modules to import before sessions are forked.
            join: process id of the supervisor whose box and namespaces are shared.
            contained: whether this is the first process of a container already, which has the
                namespaces, the root and the box of level ``full``.
            box_bytes: most that the box may hold.
            file_bytes: longest file.
            open_files: open files of one process.
            processes: processes and threads of one session; 0 if the kernel shall set no bound.
        """
        self.level = level
        self.python = python
        self.box = box
        self.mount_point = mount_point
        self.read = tuple(read)
        self.hide = tuple(hide)
        self.user = user
        self.drop_first = drop_first
        self.network = network
        self.hosts = tuple((address, name) for address, name in hosts)
        self.workspace = workspace
        self.preload = tuple(preload)
        self.join = join
        self.contained = contained
        self.box_bytes = box_bytes
        self.file_bytes = file_bytes
        self.open_files = open_files
        self.processes = processes

    @property
    def folders(self) -> list[str]:
        """What a session may write to, as it sees it; it starts in the first."""
        first = self.workspace if self.workspace and self.level != "full" else ""
        return [first or f"{self.box}/{PROJECT}", f"{self.box}/{HOME}", f"{self.box}/{STATE}"]

    def encode(self) -> bytes:
        """The plan as a message."""
        return json.dumps(vars(self)).encode()

    @classmethod
    def decode(cls, message: bytes) -> Plan:
        """The plan that a message holds."""
        return cls(**json.loads(message))
