"""A small battery that tests may spoil, and the command line over the installed plug-ins."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from kcb_core import cli
from kcb_core.catalog import load_catalog
from kcb_core.errors import MachineError
from kcb_runner.sandbox import Sandbox
from kcb_suites.drills.battery import Battery, read_battery

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What one command line came to."""

    status: int
    out: str
    err: str


@pytest.fixture(scope="session")
def codes() -> frozenset[str]:
    """The codes of agents' faults that are installed."""
    return frozenset(code.code for code in load_catalog().fault_codes())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of a battery of two drills about a tool of a few lines."""
    shutil.copytree(HERE / "echo", tmp_path / "echo")
    return tmp_path / "echo"


@pytest.fixture
def battery(folder: Path, codes: frozenset[str]) -> Battery:
    """That battery, read."""
    return read_battery(folder, codes)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[[Sequence[object]], Called]:
    """``klein-bench`` in this process."""

    def run(words: Sequence[object]) -> Called:
        capsys.readouterr()
        status = cli.run([str(word) for word in words])
        captured = capsys.readouterr()
        return Called(status=int(status), out=captured.out, err=captured.err)

    return run


@pytest.fixture
def sandboxed(tmp_path: Path) -> None:
    """Skip what runs commands where this machine cannot confine them."""
    (tmp_path / "probe").mkdir()
    try:
        with Sandbox(tmp_path / "probe"):
            pass
    except MachineError as error:
        pytest.skip(str(error))
