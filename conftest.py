"""What is measured while the tests of the whole workspace run."""

from __future__ import annotations

from pathlib import Path

import pytest

#: The packages whose branches are counted; each has to be covered by tests of its own.
MEASURED = ("kcb-core", "kcb-runner")

PACKAGES = Path(__file__).parent / "packages"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Measure nothing while other packages are tested, which would take twice as long."""
    if not config.getoption("cov_source", default=None):
        return
    folders = [PACKAGES / name for name in MEASURED]
    for item in items:
        if not any(item.path.is_relative_to(folder) for folder in folders):
            item.add_marker(pytest.mark.no_cover)
