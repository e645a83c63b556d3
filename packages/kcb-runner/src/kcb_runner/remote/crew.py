"""The workers of a cluster: who is there, and who of them may judge."""

from __future__ import annotations

import threading
import time

from distributed import Client

from kcb_core.errors import DeclarationError, KcbError, MachineError
from kcb_runner.remote.fitness import Demand, Fitness, fitness_here

MUSTER_S = 60.0
"""How long a cluster may be without any worker."""

_CHECK_S = 1.0


class Crew:
    """Knows the workers of a cluster; any thread may ask."""

    def __init__(self, client: Client, demand: Demand, jobs: int | None) -> None:
        """Nobody is asked yet.

        Args:
            client: knows the cluster.
            demand: what a worker must meet.
            jobs: most tasks at once in one worker; None for as many as it has threads.
        """
        self._client = client
        self._demand = demand
        self._jobs = jobs
        self._lock = threading.Lock()
        self._threads: dict[str, int] = {}
        self._refused: dict[str, str] = {}
        self._checked = 0.0
        self._last_seen = time.monotonic()

    @property
    def seats(self) -> int:
        """How many tasks all that may judge can play at once."""
        threads = self._threads
        return sum(
            min(self._jobs or threads[where], threads[where]) for where in self._fit(threads)
        )

    @property
    def refusals(self) -> list[str]:
        """One line for each worker that may not judge, and why."""
        return [f"worker {where} gets no tasks: {why}" for where, why in self._refused.items()]

    def muster(self) -> None:
        """Wait for the first workers, and ask each what it is.

        Raises:
            DeclarationError: a worker runs other software than this client.
            MachineError: no worker is there in time, or none confines enough.
        """
        try:
            self._client.wait_for_workers(1, timeout=MUSTER_S)
        except TimeoutError:
            raise MachineError(f"the cluster has no worker after {MUSTER_S:g} s") from None
        self._look()
        if not self._fit():
            raise MachineError(self.refusals[0] if self._refused else "the cluster has no worker")

    def restriction(self) -> list[str] | None:
        """The workers that a task must be kept to; None if any may take it."""
        if not self._refused:
            return None
        return self._fit()

    def gone(self, addresses: list[str]) -> bool:
        """Whether none of these workers is there any more."""
        return not any(address in self._threads for address in addresses)

    def check(self) -> None:
        """Look again who is there, at most once a second.

        Raises:
            MachineError: the scheduler is gone, or the cluster is without a worker for too long.
            DeclarationError: a worker came that runs other software.
        """
        with self._lock:
            now = time.monotonic()
            if now - self._checked < _CHECK_S:
                return
            if self._client.status not in ("running", "connecting"):
                raise MachineError("the scheduler is gone")
            self._look()
            if self._fit():
                self._last_seen = now
            elif now - self._last_seen > MUSTER_S:
                raise MachineError(f"the cluster has had no worker for {MUSTER_S:g} s")

    def _fit(self, threads: dict[str, int] | None = None) -> list[str]:
        there = self._threads if threads is None else threads
        return [address for address in there if address not in self._refused]

    def _look(self) -> None:
        """Ask the scheduler who is there, and each newcomer what it is."""
        try:
            there = dict(self._client.nthreads())
        except OSError as error:
            raise MachineError(f"the scheduler does not answer: {error}") from None
        new = [address for address in there if address not in self._threads]
        if new:
            self._ask(new)
        self._refused = {where: why for where, why in self._refused.items() if where in there}
        self._threads = there
        self._checked = time.monotonic()

    def _ask(self, addresses: list[str]) -> None:
        asked = {"distributions": self._demand.distributions}
        answers = self._client.run(
            fitness_here, self._demand.launcher, **asked, workers=addresses, on_error="return"
        )
        for address, answer in answers.items():
            if isinstance(answer, Fitness):
                mismatch = self._demand.mismatch(answer)
                if mismatch:
                    raise DeclarationError(f"worker {address} runs other software: {mismatch}")
                shortfall = self._demand.shortfall(answer)
                if shortfall:
                    self._refused[address] = shortfall
            elif isinstance(answer, ModuleNotFoundError):
                raise DeclarationError(f"worker {address} has no kcb-runner: {answer}")
            elif isinstance(answer, KcbError):
                raise DeclarationError(f"worker {address}: {answer}")
            # Any other answer is that of a worker that has gone meanwhile.
