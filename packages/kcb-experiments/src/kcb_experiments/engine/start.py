"""What a subject starts from, on disk for as long as it works."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kcb_core.execution import Errand
from kcb_experiments.engine.orders import START_NAME
from kcb_runner.tree import remove_tree


@contextmanager
def laid_out(errand: Errand) -> Iterator[Path | None]:
    """What lies in the workspace at first, in a folder of its own that is removed in the end.

    Raises:
        DataError: what is stored of it is not what was pinned.
        MachineError: it cannot be written.
    """
    if errand.task.lay_out is None:
        yield None
        return
    start = errand.folder / START_NAME
    try:
        errand.task.lay_out(start)
        yield start
    finally:
        remove_tree(start)
