"""What a worker of a cluster does for a cell: asks whether it may, runs it, and sends home.

Nothing here is the cluster's own but the one call that says something aloud. Subjects run in
processes of their own, never in the worker's.
"""

from __future__ import annotations

import socket
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from distributed import get_worker

from kcb_core.catalog import load_catalog
from kcb_core.errors import KcbError
from kcb_core.execution import Casting, Errand, Left
from kcb_core.run_record import Usage
from kcb_core.transcript_file import TRANSCRIPT_NAME
from kcb_experiments.engine.castings import lacking_credentials, tried_out
from kcb_experiments.engine.orders import GENERATION_NAME, PROJECT_NAME
from kcb_experiments.engine.process_executor import run_here
from kcb_experiments.remote.message import (
    Commission,
    Homecoming,
    Standing,
    Word,
    carried,
    usage_of,
)
from kcb_experiments.remote.parcel import Parcel, pack, unpack

LEASE_S = 30.0
"""How long a cell goes on when its experiment is no more heard of, in seconds."""

_POLL_S = 0.05
_FIRST = (GENERATION_NAME, TRANSCRIPT_NAME, "worker.log", PROJECT_NAME)

_standings: dict[str, Standing] = {}
_lock = threading.Lock()


def tell_worker(token: str, word: str, line: str = "") -> None:
    """In a worker: what its experiment says of a cell.

    Args:
        token: of the cell's try.
        word: ``begin``, ``leave``, ``stay``, ``stop`` or ``used_up``.
        line: what is used up.
    """
    with _lock:
        standing = _standings.get(token)
    if standing is None:
        return  # it is over
    standing.renewed = time.monotonic()
    match word:
        case "begin" | "leave":
            standing.may_begin = word == "begin"
        case "stop":
            standing.stop = True
        case "used_up":
            standing.used_up = line


def carry_out(commission: Commission) -> Homecoming:
    """In a worker: run one cell, as soon as its experiment lets it begin."""
    voice = Voice(commission, get_worker())
    standing = Standing(renewed=time.monotonic())
    with _lock:
        _standings[commission.token] = standing
    try:
        if lacking := lacking_credentials([commission.casting]):
            return _refused(voice, f"on the worker's machine {'; '.join(lacking)}")
        voice.says("here", address=voice.address)
        if not _may_begin(standing):
            return _refused(voice, "the experiment did not let it begin")
        return _run(commission, standing, voice)
    finally:
        with _lock:
            _standings.pop(commission.token, None)


def try_out(castings: list[Casting], prompt: str, third_party: bool) -> tuple[str, ...]:
    """In a worker: whether every subject's endpoint can be asked from there; warnings.

    Raises:
        DeclarationError: one cannot.
    """
    agents = load_catalog(third_party=third_party).agents()
    return tuple(tried_out(castings, agents, prompt, lambda line: None))


def lacking_there(castings: list[Casting], third_party: bool) -> list[str]:
    """In a worker: what it lacks for some subjects, one line each."""
    catalog = load_catalog(third_party=third_party)
    lacking = lacking_credentials(castings)
    for casting in castings:
        try:
            catalog.find("agent", casting.agent, catalog.agents(), lambda found: found.name)
        except KcbError as error:
            lacking.append(str(error))
    return lacking


class Voice:
    """What is said of one cell, by any thread; all of it is also kept. See ``Observer``."""

    def __init__(self, commission: Commission, worker: Any) -> None:
        self.address: str = worker.address
        self.words: list[Word] = []
        self._commission = commission
        self._say: Callable[[str, Any], None] = worker.log_event
        self._lock = threading.Lock()

    def says(self, event: str, **more: Any) -> None:
        """One word."""
        with self._lock:
            word = Word(token=self._commission.token, number=len(self.words), event=event, **more)
            self.words.append(word)
            self._say(self._commission.topic, msgspec.json.encode(word).decode())

    def asked(self) -> None:
        """The subject's model is asked."""
        self.says("asked")

    def answered(self, usage: Usage | None, dollars: float | None) -> None:
        """It has answered."""
        self.says("answered", usage=usage_of(usage), dollars=dollars)

    def told(self, line: str) -> None:
        """The subject says what makes it wait."""
        self.says("told", line=line)


def _run(commission: Commission, standing: Standing, voice: Voice) -> Homecoming:
    with tempfile.TemporaryDirectory(prefix="kcb-cell-", ignore_cleanup_errors=True) as place:
        folder, start = Path(place, "attempt"), commission.start
        errand = Errand(
            name=commission.name,
            task=replace(commission.task, lay_out=partial(unpack, start) if start else None),
            budget=commission.budget,
            tokens=commission.tokens,
            dataset=commission.dataset,
            casting=commission.casting,
            folder=folder,
            seconds=commission.seconds,
            observer=voice,
            used_up=lambda: standing.used_up,
            stopped=lambda: standing.stop or _is_forgotten(standing),
        )
        left = run_here(errand, third_party=commission.third_party)
        if left.cancelled and not standing.stop:
            left = replace(
                left, cancelled=False, raised=True, reason=f"unheard of for {LEASE_S:g} s"
            )
        voice.says("over", line=left.reason)
        return Homecoming(
            words=tuple(voice.words),
            left=carried(left),
            run_record=msgspec.json.encode(left.run_record),
            host=socket.gethostname(),
            parcel=pack(folder, _FIRST),
            project=left.project is not None,
            record=left.record.name if left.record else "",
        )


def _may_begin(standing: Standing) -> bool:
    while standing.may_begin is None:
        if standing.stop or _is_forgotten(standing):
            return False
        time.sleep(_POLL_S)
    return standing.may_begin


def _is_forgotten(standing: Standing) -> bool:
    return time.monotonic() - standing.renewed > LEASE_S


def _refused(voice: Voice, why: str) -> Homecoming:
    return Homecoming(
        words=tuple(voice.words),
        left=carried(Left(started=False, reason=why)),
        run_record=b"{}",
        host=socket.gethostname(),
        parcel=Parcel(()),
        project=False,
        refused=why,
    )
