"""Containers of evaluators that are no more, known by their labels.

A container names the process that is its evaluator, and where that number means a process at all:
an engine may be shared with evaluators of which nothing can be seen from here.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kcb_core.errors import MachineError
from kcb_runner.launch.engine import Engine, answering_engines

EVALUATOR, STARTED, SPACE = "kcb.evaluator", "kcb.evaluator.started", "kcb.evaluator.space"
"""Labels of a container: process id of its evaluator, when that started, and who counts so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abandoned:
    """A container whose evaluator is no more."""

    engine: Engine
    id: str
    name: str

    def remove(self) -> None:
        """Remove it, with whatever runs in it.

        Raises:
            MachineError: the engine does not.
        """
        self.engine.call("rm", "--force", self.id)


def evaluator_labels(pid: int) -> dict[str, str]:
    """The labels by which containers name their evaluator; none if that is no more."""
    try:
        words = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return {}
    return {EVALUATOR: str(pid), STARTED: words[19].decode(), SPACE: _space()}


def own_labels() -> dict[str, str]:
    """The labels of a container of this process."""
    return {"kcb": "1", **evaluator_labels(os.getpid())}


def container_name() -> str:
    """A new name for a container of this process."""
    return f"kcb-{os.getpid()}-{secrets.token_hex(4)}"


def abandoned_containers(engine: Engine | None = None) -> Iterator[Abandoned]:
    """Containers whose evaluator ran here and is no more.

    Args:
        engine: whose; if not given, those of every engine that answers.

    Raises:
        MachineError: an engine answers and yet does not say.
    """
    for asked in [engine] if engine else answering_engines():
        for found in asked.call("ps", "--all", "--quiet", f"--filter=label={EVALUATOR}").split():
            try:
                said = asked.call("inspect", "--format", "{{.Name}} {{json .Config.Labels}}", found)
            except MachineError:  # it has ended by itself meanwhile
                continue
            name, _, labels = said.partition(" ")
            if _is_abandoned(json.loads(labels)):
                yield Abandoned(engine=asked, id=found, name=name.removeprefix("/"))


def reap_containers(engine: Engine | None = None) -> list[str]:
    """Remove the containers of evaluators that are no more; their names.

    Args:
        engine: whose; if not given, those of every engine that answers.

    Raises:
        MachineError: an engine answers and yet does not do it.
    """
    removed = []
    for container in abandoned_containers(engine):
        container.remove()
        removed.append(container.name)
    return removed


def _is_abandoned(labels: dict[str, str]) -> bool:
    pid = labels.get(EVALUATOR, "")
    if labels.get(SPACE) != _space() or not pid.isdecimal():
        return False
    return evaluator_labels(int(pid)).get(STARTED) != labels.get(STARTED)


def _space() -> str:
    """The namespace in which process ids are counted, and the boot of the machine."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{boot}:{os.stat('/proc/self/ns/pid').st_ino}"
