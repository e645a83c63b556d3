"""The executor ``remote``, as the catalog knows it; what it needs is imported when it is opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from kcb_core.codec import convert
from kcb_core.errors import DeclarationError
from kcb_core.execution import OpenExecutor, Setup
from kcb_core.provenance import revision
from kcb_runner.slot.plan import LEVELS


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a spec may set of the executor ``remote``."""

    scheduler: str = ""
    """Address of the scheduler, or its scheduler file; if not given, what ``KCB_SCHEDULER`` names,
    or a cluster that is made on this machine for the run."""
    workers: int = 0
    """Workers of the cluster that is made; 0 for one a CPU."""
    confinement: str = ""
    """The least level at which a worker's machine has to confine what agents run: ``basic`` or
    ``full``; none is asked for by default."""
    check_endpoints: bool = True
    """Whether an agent that can try out its endpoint does so before the first cell, on one
    worker."""

    def __post_init__(self) -> None:
        if self.confinement and self.confinement not in LEVELS:
            raise ValueError(f"field 'confinement' must be one of {', '.join(LEVELS)}")
        if self.workers < 0:
            raise ValueError("field 'workers' must not be negative")


class RemoteExecutor:
    """Runs each subject in a process of its own on some worker of a Dask cluster."""

    name = "remote"
    enforces_proxy = False

    @property
    def version(self) -> str:
        """The version of kcb-experiments."""
        return revision("kcb-experiments").version

    @contextmanager
    def open(self, setup: Setup) -> Iterator[OpenExecutor]:
        """Ready it for a run; the cluster is looked for by the preflight.

        Raises:
            DeclarationError: a setting is wrong, or the extra is not installed.
        """
        settings = convert(dict(setup.settings), Settings, source="executor.settings")
        try:
            from kcb_experiments.remote.dispatch import Dispatch  # noqa: PLC0415 - an extra
        except ModuleNotFoundError as error:
            raise DeclarationError(
                f"the executor 'remote' needs {error.name}: pip install 'kcb-experiments[remote]'"
            ) from None
        with Dispatch(setup, settings) as opened:
            yield opened
