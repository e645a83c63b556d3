"""What a spec may set of a cluster, and of its workers."""

from __future__ import annotations

import msgspec

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
