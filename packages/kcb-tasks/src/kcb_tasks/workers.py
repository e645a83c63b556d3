"""Builds families in worker processes, several at once.

Families hold functions, lambdas among them, and cannot be sent: a worker loads the plug-ins by
itself and is told names. Workers are spawned, so that nothing of this process leaks into a dataset.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from multiprocessing import get_context, parent_process

from kcb_core.catalog import Catalog, load_catalog
from kcb_core.errors import MachineError
from kcb_core.family import Family
from kcb_core.resources import usable_cpus
from kcb_core.tier import Tier
from kcb_core.vocabulary import Vocabulary
from kcb_tasks.rows import Rows, Work, build_rows, in_turn

WORTH_A_WORKER = 4
"""Families that take about as long to build as a worker takes to start, several times over."""


def workers_for(catalog: Catalog, families: int) -> Work:
    """How to build some families of a catalog as fast as this machine can.

    Args:
        catalog: what holds them.
        families: how many there are.
    """
    count = min(usable_cpus(), families // WORTH_A_WORKER)
    if catalog.third_party is None or count < 2:
        return in_turn
    return partial(in_workers, catalog.third_party, count)


def in_workers(
    third_party: bool,
    count: int,
    families: Sequence[Family],
    tiers: Sequence[Tier],
    seed: int,
    vocabulary: Vocabulary,
) -> Iterator[Rows]:
    """Build the families of installed plug-ins in several processes.

    Args:
        third_party: whether workers load plug-ins that are not the house's own.
        count: how many processes.
        families: the families.
        tiers: the tiers.
        seed: the seed of the generated inputs.
        vocabulary: what the names on the wire are called.

    Raises:
        DeclarationError: as in :func:`~kcb_tasks.rows.build_rows`.
        MachineError: a worker ended before its work was done.
    """
    names = [family.name for family in families]
    build = partial(_build, third_party, tuple(tier.name for tier in tiers), seed, vocabulary)
    spawn = get_context("spawn")
    pool = ProcessPoolExecutor(count, mp_context=spawn, initializer=_start)
    try:
        for future in [pool.submit(build, name) for name in names]:
            yield future.result()
    except BrokenProcessPool:
        raise MachineError("a process that builds tasks ended before its work was done") from None
    finally:
        pool.shutdown(cancel_futures=True)  # what has not begun when one family fails


def _start() -> None:
    """End without a word when interrupted, and when the process that waits has gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _build(
    third_party: bool, tiers: Sequence[str], seed: int, vocabulary: Vocabulary, name: str
) -> Rows:
    catalog = _loaded(third_party)
    family = catalog.find("family", name, catalog.families(), lambda found: found.name)
    known = catalog.tiers()
    chosen = [catalog.find("tier", tier, known, lambda found: found.name) for tier in tiers]
    return build_rows(family, chosen, seed, vocabulary)


@cache
def _loaded(third_party: bool) -> Catalog:
    return load_catalog(third_party=third_party)
