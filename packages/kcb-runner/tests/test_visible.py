"""A confined candidate sees the standard library, and nothing that was installed beside it."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

from kcb_runner.launch.visible import readable
from kcb_runner.machine import interpreter


def test_a_virtual_environment_is_not_shown(tmp_path: Path) -> None:
    """It holds installed packages, and where it lies in /tmp there was no full confinement."""
    venv.create(tmp_path / "env", symlinks=True)
    program = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "from kcb_runner.launch.visible import hidden, readable\n"
        "from kcb_runner.machine import interpreter\n"
        "print([*readable(interpreter()), *hidden(interpreter())])"
    )
    words = [tmp_path / "env/bin/python", "-c", program]
    shown = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert str(tmp_path / "env") not in shown


def test_what_node_reads_first_is_shown_where_it_is() -> None:
    """It ends at once where it may not read these settings, and does without where none are."""
    settings = "/etc/ssl/openssl.cnf"
    assert not Path(settings).exists() or settings in readable(interpreter())
