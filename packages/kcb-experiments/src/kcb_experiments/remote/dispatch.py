"""The experiment's side: hands cells to a cluster's workers, and settles what becomes of them."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from distributed import Client, Future, KilledWorker

from kcb_core.errors import DeclarationError, MachineError
from kcb_core.execution import Casting, Errand, Left, Setup
from kcb_experiments.engine.provisions import owner_of
from kcb_experiments.engine.start import laid_out
from kcb_experiments.remote.assignment import Assignment, Lost
from kcb_experiments.remote.cluster_settings import Settings
from kcb_experiments.remote.ear import Ear, Ears
from kcb_experiments.remote.message import Commission
from kcb_experiments.remote.parcel import Parcel, pack
from kcb_experiments.remote.posting import carry_out, lacking_there, tell_worker, try_out
from kcb_runner.cancel import Cancelled
from kcb_runner.remote.cluster import connect
from kcb_runner.remote.crew import Crew
from kcb_runner.remote.fitness import Demand, versions
from kcb_runner.remote.seats import Seats

SCHEDULER_VARIABLE = "KCB_SCHEDULER"
"""Names the scheduler, where the spec names none."""

TRIES = 5
"""Workers that may be lost or refuse before they have begun a cell."""

TRY_S = 600.0
"""How long an endpoint may take to be tried out."""

DECIDING = ("kcb-core", "kcb-runner", "kcb-experiments")
"""Distributions that must be the same everywhere, beside those of the agents."""

_HEAR_S = 5.0


class Dispatch:
    """The executor ``remote``, open for a run."""

    def __init__(self, setup: Setup, settings: Settings) -> None:
        """Ask nobody yet.

        Args:
            setup: of the run.
            settings: where the cluster is, and what its workers must be.
        """
        self._setup = setup
        self._settings = settings
        self._stack = ExitStack()
        self._topic = f"kcb-cells-{uuid.uuid4().hex}"
        self._ears = Ears()
        self._client: Client = None
        self._crew: Crew | None = None
        self._seats = Seats(lambda: self._crew.seats if self._crew else 0, self._look_around)

    def __enter__(self) -> Self:
        """Leave the cluster at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the cluster, and end it if it was made for this run."""
        self._ears.close(_HEAR_S)
        self._stack.close()

    def preflight(self, castings: Sequence[Casting], prompt: str) -> tuple[str, ...]:
        """See whether the cluster is there, and whether its workers can run every subject."""
        try:
            crew = self._mustered(castings)
            self._require_all(castings)
            warnings = list(crew.refusals)
            if crew.seats < self._setup.at_once:
                warnings.append(
                    f"the cluster runs {crew.seats} cells at once, and the spec asks for "
                    f"{self._setup.at_once}: subjects of one task may start apart"
                )
            if self._settings.check_endpoints:
                warnings += self._tried(castings, prompt)
        except MachineError as error:
            raise DeclarationError(
                f"executor 'remote': {error}; start 'dask scheduler' and 'dask worker', and name "
                f"the scheduler in 'executor.settings.scheduler' or {SCHEDULER_VARIABLE}"
            ) from error
        return tuple(warnings)

    def run(self, errand: Errand) -> Left:
        """Run one subject on some worker."""
        if self._crew is None:
            raise MachineError("nobody has looked for a cluster: there was no preflight")
        asked = time.monotonic()
        reason = ""
        try:
            with self._seats.seat():
                for _ in range(TRIES):
                    assignment = Assignment(self, errand, asked)
                    try:
                        return assignment.run()
                    except Lost as error:
                        reason = str(error)
                        if assignment.begun:
                            return assignment.left(raised=True, reason=reason)
        except Cancelled:
            return Left(started=False, cancelled=True, reason="cancelled before it began")
        return Left(started=False, reason=f"no worker began it in {TRIES} tries: {reason}")

    def submit(self, errand: Errand, token: str) -> tuple[Ear, Future]:
        """Hand a cell to the cluster."""
        assert self._crew is not None
        self._crew.check()
        ear = self._ears.open(token, errand.observer, errand.folder)
        commission = Commission(
            token=token,
            topic=self._topic,
            name=errand.name,
            task=replace(errand.task, lay_out=None),
            start=_start_of(errand),
            budget=errand.budget,
            tokens=errand.tokens,
            dataset=errand.dataset,
            casting=errand.casting,
            seconds=errand.seconds,
            third_party=self._setup.third_party,
        )
        future = self._client.submit(
            carry_out,
            commission,
            key=f"kcb-cell-{token}",
            pure=False,
            retries=0,
            workers=self._crew.restriction(),
        )
        return ear, future

    def tell(self, address: str, token: str, word: str, line: str) -> None:
        """Tell a worker something of a cell; it may never come back from a worker that is gone."""
        self._client.run(tell_worker, token, word, line, workers=[address], on_error="ignore")

    def is_gone(self, address: str) -> bool:
        """Whether a worker is not there any more.

        Raises:
            MachineError: nor is the cluster.
        """
        assert self._crew is not None
        self._crew.check()
        return bool(address) and self._crew.gone([address])

    def _mustered(self, castings: Sequence[Casting]) -> Crew:
        settings = self._settings
        scheduler = settings.scheduler or os.environ.get(SCHEDULER_VARIABLE) or None
        self._client = self._stack.enter_context(connect(scheduler, settings.workers or None))
        modules = {agent.name: type(agent).__module__ for agent in self._setup.agents}
        owners = {owner_of(modules[casting.agent]) for casting in castings}
        demand = Demand(
            launcher="interpreter",
            versions=versions(sorted({*DECIDING, *owners})),
            dataset="",
            manifest="",
            confinement=settings.confinement or None,
        )
        self._client.subscribe_topic(self._topic, self._ears.take)
        self._crew = Crew(self._client, demand, None)
        self._crew.muster()
        return self._crew

    def _require_all(self, castings: Sequence[Casting]) -> None:
        """Make sure that every worker has agents and credentials.

        Raises:
            DeclarationError: one lacks some; it is named.
        """
        third_party = self._setup.third_party
        answers: dict[str, Any] = self._client.run(
            lacking_there, list(castings), third_party, on_error="ignore"
        )
        lines = {f"{what} on worker {where}" for where, all_ in answers.items() for what in all_}
        if lines:
            raise DeclarationError("; ".join(sorted(lines)))

    def _tried(self, castings: Sequence[Casting], prompt: str) -> tuple[str, ...]:
        assert self._crew is not None
        future = self._client.submit(
            try_out,
            list(castings),
            prompt,
            self._setup.third_party,
            pure=False,
            workers=self._crew.restriction(),
        )
        try:
            found: tuple[str, ...] = future.result(timeout=TRY_S)
        except (KilledWorker, TimeoutError) as error:
            raise MachineError(f"no worker tries endpoints out: {error}") from None
        finally:
            future.cancel()
        return found

    def _look_around(self) -> None:
        """What whoever waits for a seat does meanwhile."""
        if self._setup.stopped():
            raise Cancelled
        assert self._crew is not None
        self._crew.check()


def _start_of(errand: Errand) -> Parcel | None:
    """What lies in a workspace at first, to be sent.

    Raises:
        MachineError: it cannot be sent whole.
    """
    with laid_out(errand) as start:
        parcel = pack(start) if start else None
    if parcel and parcel.left_behind:
        raise MachineError(f"what a task starts from cannot be sent: {parcel.left_behind[0]}")
    return parcel
