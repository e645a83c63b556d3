"""One try to have a cell run by a worker of a cluster, and what came of it."""

from __future__ import annotations

import time
import uuid
from dataclasses import replace
from typing import Any, Protocol

from distributed import Future, KilledWorker

from kcb_core.errors import KcbError
from kcb_core.execution import Errand, Left
from kcb_experiments.engine.orders import PROJECT_NAME
from kcb_experiments.remote.ear import Ear
from kcb_experiments.remote.lifeline import Lifeline
from kcb_experiments.remote.message import Homecoming, run_record_of
from kcb_experiments.remote.parcel import unpack
from kcb_runner.cancel import Cancelled

END_S = 20.0
"""How long a worker may take to end a cell that it was told to end, in seconds."""

_POLL_S = 0.1


class Lost(Exception):
    """A worker is gone, or says no more."""


class Post(Protocol):
    """Reaches the workers of a cluster."""

    def submit(self, errand: Errand, token: str) -> tuple[Ear, Future]:
        """Hand a cell to the cluster."""
        ...

    def tell(self, address: str, token: str, word: str, line: str) -> None:
        """Tell a worker something of a cell."""
        ...

    def is_gone(self, address: str) -> bool:
        """Whether a worker is not there any more."""
        ...


class Assignment:
    """One try to have a cell run by a worker."""

    def __init__(self, post: Post, errand: Errand, asked: float) -> None:
        """Hand it to the cluster.

        Args:
            post: reaches the cluster.
            errand: the cell.
            asked: when it was asked for, on the monotonic clock: until it begins, it waits.
        """
        self.begun = False
        """Whether a worker was told that it may begin."""
        self._post = post
        self._errand = errand
        self._token = uuid.uuid4().hex
        self._asked = asked
        self._started = asked
        self._told_at = 0.0
        self._cancelled = False
        self._ear, self._future = post.submit(errand, self._token)
        self._life: Lifeline | None = None

    def run(self) -> Left:
        """Follow it to its end; how long it may work is its worker's to know.

        Raises:
            Cancelled: it was to stop before it had begun.
            Lost: its worker is gone, or says no more.
            MachineError: so is the cluster.
        """
        try:
            while not self._future.done():
                time.sleep(_POLL_S)
                self._follow()
                if self._told_at and time.monotonic() - self._told_at > END_S:
                    return self.left(
                        cancelled=self._cancelled,
                        raised=not self._cancelled,
                        reason=f"the worker at {self._ear.address} does not end it",
                    )
            return self._home(self._result())
        finally:
            self._ear.close()
            self._future.cancel()
            if self._life:
                self._life.close()

    def left(self, **known: Any) -> Left:
        """What is to be said of it where nothing has come home."""
        return Left(
            **known,
            waited_s=self._started - self._asked,
            deployment={"worker": self._ear.address},
        )

    def _follow(self) -> None:
        """Let it begin, tell it to end, and see whether its worker is there."""
        for address in self._ear.take_strangers():
            Lifeline(self._post.tell, address, self._token, first="leave").close()
        if self._ear.address and self._life is None:
            self._begin(self._ear.address)
        if self._post.is_gone(self._ear.address):
            raise self._lost()
        if self._told_at:
            return
        self._cancelled = self._errand.stopped()
        if self._cancelled and self._life is None:
            raise Cancelled
        if self._life and self._cancelled:
            self._tell(self._life, "stop")
        elif self._life and (what := self._errand.used_up()):
            self._tell(self._life, "used_up", what)

    def _begin(self, address: str) -> None:
        self.begun = True
        self._started = time.monotonic()
        self._life = Lifeline(self._post.tell, address, self._token, first="begin")

    def _tell(self, life: Lifeline, word: str, line: str = "") -> None:
        self._told_at = time.monotonic()
        life.say(word, line)

    def _result(self) -> Homecoming:
        try:
            home: Homecoming = self._future.result(timeout=END_S)
        except (KilledWorker, TimeoutError) as error:
            raise self._lost() from error
        except KcbError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a worker's Python raised
            raise Lost(f"a worker failed: {type(error).__name__}: {error}") from None
        return home

    def _home(self, home: Homecoming) -> Left:
        """What came of it, with its files in the attempt's folder."""
        if home.refused:  # by a second worker, if the cell had been begun
            raise self._lost() if self.begun else Lost(home.refused)
        self._ear.hear(home.words)
        folder = self._errand.folder
        unpack(home.parcel, folder)
        left = Left(
            **home.left,
            project=folder / PROJECT_NAME if home.project else None,
            record=folder / home.record if home.record else None,
            run_record=run_record_of(home),
            deployment={"worker": self._ear.address, "host": home.host},
        )
        return replace(left, waited_s=left.waited_s + self._started - self._asked)

    def _lost(self) -> Lost:
        where = f"the worker at {self._ear.address}" if self._ear.address else "a worker"
        return Lost(f"{where} was lost")
