"""The supervisor's modules, laid out flat in a folder of their own.

Inside this package they name each other by their full names, so that the type checker and the
tests see them as what they are. In the bundle they are neighbours, so that nothing of the evaluator
can be imported from there.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

_PACKAGE = "kcb_runner.slot"
_ELSEWHERE = ("__init__.py", "compiling.py")


@cache
def supervisor_files() -> dict[str, str]:
    """The text of each file of the bundle, by its name; ``main.py`` is the program."""
    return {
        path.name: _flat(path.read_text(encoding="utf-8"))
        for path in sorted(files(_PACKAGE).iterdir(), key=lambda path: path.name)
        if path.name.endswith(".py") and path.name not in _ELSEWHERE
    }


def write_bundle(folder: Path) -> None:
    """Write the bundle into a folder that exists, for everyone to read."""
    for name, text in supervisor_files().items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o444)


def _flat(text: str) -> str:
    return text.replace(f"from {_PACKAGE} import ", "import ").replace(f"{_PACKAGE}.", "")
