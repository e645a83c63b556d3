"""What this process may use, and what it has used."""

import subprocess
import sys

import pytest

from kcb_core import resources
from kcb_core.resources import peak_memory, usable_cpus


def test_there_is_a_cpu_wherever_this_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every system tells which of its processors a process may use."""
    assert usable_cpus() >= 1
    monkeypatch.delattr(resources.os, "sched_getaffinity", raising=False)
    assert usable_cpus() >= 1


def test_the_peak_of_a_child_is_its_own() -> None:
    """What a program needed is seen although it has ended, and is not ours."""
    size = peak_memory()[0] + (64 << 20)
    subprocess.run([sys.executable, "-c", f"bytearray(b'x') * {size}"], check=True, timeout=60)
    own, of_child = peak_memory()
    assert own < size < of_child < 4 * size
