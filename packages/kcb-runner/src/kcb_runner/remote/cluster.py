"""Finding a cluster: one that runs somewhere, or one made on this machine."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dask
from distributed import Client, LocalCluster, Security

from kcb_core.errors import DeclarationError, MachineError
from kcb_core.resources import usable_cpus

CONNECT_S = 30.0
"""How long a scheduler may take to answer."""

ALLOWED_FAILURES = 0
"""Lost workers after which the engine gives a task up; the second try is for us to make."""

LOOPBACK = "127.0.0.1"


@contextmanager
def connect(scheduler: str | None, workers: int | None) -> Iterator[Client]:
    """A client of a cluster.

    Args:
        scheduler: address such as ``tls://10.0.0.1:8786``, or the file that ``dask scheduler
            --scheduler-file`` writes; None to make a cluster on this machine. Certificates are
            taken from Dask's own configuration.
        workers: worker processes of the cluster that is made; one a CPU if not given.

    Raises:
        DeclarationError: the scheduler file cannot be read.
        MachineError: nobody answers.
    """
    quiet = logging.getLogger("distributed")
    level = quiet.level
    quiet.setLevel(logging.CRITICAL)  # what a lost worker means is said once, in a report
    try:
        if scheduler is None:
            with _local(workers or usable_cpus()) as client:
                yield client
        else:
            with _client(scheduler) as client:
                yield client
    finally:
        quiet.setLevel(level)


@contextmanager
def _client(scheduler: str) -> Iterator[Client]:
    where = {"address": scheduler}
    if "://" not in scheduler and Path(scheduler).suffix == ".json":
        if not Path(scheduler).is_file():
            raise DeclarationError(f"{scheduler}: there is no such scheduler file")
        where = {"scheduler_file": scheduler}
    try:
        client = Client(**where, timeout=CONNECT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise MachineError(f"no scheduler answers at {scheduler}: {error}") from None
    try:
        yield client
    finally:
        client.close(timeout=CONNECT_S)


@contextmanager
def _local(workers: int) -> Iterator[Client]:
    """Worker processes that trust only each other: on loopback, with certificates of their own."""
    settings = {
        "distributed.scheduler.allowed-failures": ALLOWED_FAILURES,
        "distributed.worker.preload": ["kcb_runner.remote.stand_firm"],
        "distributed.admin.large-graph-warning-threshold": "1GB",
        "distributed.logging": {"distributed": "critical"},
    }
    with (
        tempfile.TemporaryDirectory(prefix="kcb-cluster-") as folder,
        dask.config.set({**settings, "temporary-directory": folder}),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host=LOOPBACK,
            protocol="tls",
            security=Security.temporary(),
            dashboard_address=None,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster, timeout=CONNECT_S, set_as_default=False) as client,
    ):
        yield client
