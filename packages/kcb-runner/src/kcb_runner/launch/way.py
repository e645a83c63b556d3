"""The ways in which an engine may start a container here, the strongest first."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass

from kcb_runner.launch.engine import Engine

_FALLBACK_RUNTIME = "runc"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How a container is started here."""

    engine: Engine
    image: str
    """Its id."""
    limited: bool = True
    """Whether the engine is asked to hold bounds on memory and processes."""
    runtime: str = ""
    """Name of the runtime, or nothing for the engine's own choice."""


def ways(engine: Engine, image: str) -> Iterator[Way]:
    """With limits before without; and with another runtime, where the engine's own refuses."""
    runtimes = [""]
    if engine.runtime != _FALLBACK_RUNTIME and shutil.which(_FALLBACK_RUNTIME):
        runtimes.append(_FALLBACK_RUNTIME)
    for limited in (True, False):
        for runtime in runtimes:
            yield Way(engine=engine, image=image, limited=limited, runtime=runtime)
