"""What holds for the tests of all packages: where coverage is measured."""

from pathlib import Path

import pytest

#: Packages that use nothing of those whose branches are counted but what these test themselves.
#: With coverage their tests, which reckon a lot, take four times as long.
UNMEASURED = tuple(Path(__file__).parent / "packages" / name for name in ("kcb-score", "kcb-tasks"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave coverage out where it proves nothing."""
    for item in items:
        if any(folder in item.path.parents for folder in UNMEASURED):
            item.add_marker("no_cover")
