"""What the tests of experiments share: a folder in the hands of its one writer."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from kcb_experiments.lock import hold_writer_lock
from kcb_experiments.log import Log, open_log
from kcb_experiments.records import Load

Opening = Callable[[], AbstractContextManager[Log]]


@pytest.fixture
def told() -> list[str]:
    """Lines that a person was told."""
    return []


@pytest.fixture
def opening(tmp_path: Path, told: list[str]) -> Opening:
    """Opens the log of one folder, each time as a new writer would."""

    @contextmanager
    def opened() -> Iterator[Log]:
        load = Load(arms=1, groups=1)
        with (
            hold_writer_lock(tmp_path, told.append) as lock,
            open_log(
                tmp_path, lock, experiment_sha256="e" * 64, load=load, tell=told.append
            ) as log,
        ):
            yield log

    return opened
