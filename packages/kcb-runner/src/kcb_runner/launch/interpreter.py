"""The default launcher: a new interpreter a session, confined as far as the machine allows."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from kcb_core.errors import MachineError
from kcb_core.limits import LIMITS, Limits
from kcb_core.report import Confinement
from kcb_core.roles import Slot
from kcb_runner.launch.plain import MECHANISMS, PlainSlot, kill_groups
from kcb_runner.launch.slots import SlotKeeper
from kcb_runner.launch.supervisor import SlotRefused, kill_supervisors
from kcb_runner.machine import interpreter
from kcb_runner.slot.plan import LEVELS


class InterpreterLauncher:
    """Starts every session as a new program.

    What a candidate is kept from is found out when it is first asked for.
    """

    name = "interpreter"
    preload: tuple[str, ...] = ()

    def __init__(
        self,
        level: str | None = None,
        *,
        python: str | None = None,
        limits: Limits = LIMITS,
        network: bool = False,
    ) -> None:
        """Set what is wanted.

        Args:
            level: ``full``, ``basic`` or ``none``; None for the strongest that there is.
            python: real path of the interpreter; the evaluator's own if not given.
            limits: what one session may use.
            network: whether sockets of this machine, and no others, can be used.
        """
        self._wanted = level
        self._python = python or interpreter()
        self._limits = limits
        self._network = network
        self._lock = threading.Lock()
        self._keeper: SlotKeeper | None = None
        self._confinement: Confinement | None = None

    def at_level(self, level: str) -> Self:
        """One that confines at this level and at no other."""
        return type(self)(level, python=self._python, limits=self._limits, network=self._network)

    def confinement(self) -> Confinement:
        """What is in force, and why it is not more; errors as in the role."""
        with self._lock:
            if self._confinement is None:
                self._confinement = self._settle()
            return self._confinement

    @contextmanager
    def slot(self) -> Iterator[Slot]:
        """A slot for one try at a task; errors as in the role."""
        level = self.confinement().level
        if self._keeper:
            with self._keeper.slot() as slot:
                yield slot
            return
        assert level == "none"
        plain = PlainSlot()
        try:
            yield plain
        finally:
            plain.close()

    def close(self) -> None:
        """End the slots that are kept."""
        with self._lock:
            keeper, self._keeper, self._confinement = self._keeper, None, None
        if keeper:
            keeper.close()

    def __enter__(self) -> Self:
        """Close it at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _settle(self) -> Confinement:
        """Take the strongest level that is wanted and works, and say why none is stronger."""
        refusals: list[str] = []
        for level in self._levels():
            if level == "none" and not self.preload:
                return Confinement(level="none", mechanisms=MECHANISMS, reason="; ".join(refusals))
            try:
                self._keeper = SlotKeeper(
                    level,
                    self._python,
                    limits=self._limits,
                    preload=self.preload,
                    network=self._network,
                )
            except SlotRefused as error:
                refusals.append(f"{level}: {error}")
                continue
            found = self._keeper.confinement
            mechanisms = found.mechanisms or MECHANISMS
            return Confinement(level=level, mechanisms=mechanisms, reason="; ".join(refusals))
        raise MachineError(f"no candidate can be started here: {'; '.join(refusals)}")

    def _levels(self) -> tuple[str, ...]:
        if self._wanted:
            return (self._wanted,)
        return LEVELS[::-1] if sys.platform == "linux" else ("none",)


def kill_everything() -> None:
    """Kill every session that is being played right now; for the last moment of a process."""
    kill_supervisors()
    kill_groups()
