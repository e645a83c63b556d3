"""What the tests of suites share: a tiny tree, its suite, and the command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kcb_suites.testing.tiny_tree import make_tree
from kcb_suites.tree import Suite, find_suite

Bench = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The tiny tree."""
    return make_tree(tmp_path / "tree")


@pytest.fixture
def suite(root: Path) -> Suite:
    """The suite of the tiny tree."""
    return find_suite(str(root))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Runs ``klein-bench`` as a user does, with a home of its own."""
    home = tmp_path / "home"
    home.mkdir()

    def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "kcb_core", *words],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={"PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8", **variables},
        )

    return run
