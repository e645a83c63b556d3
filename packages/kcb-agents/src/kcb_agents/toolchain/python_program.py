"""A program that comes by pip: an interpreter, its packages, and a launcher for each command."""

from __future__ import annotations

import shutil
from importlib.metadata import Distribution, distributions
from pathlib import Path

from kcb_agents.toolchain.copied_python import copy_interpreter, probe, require_version
from kcb_agents.toolchain.installing import Pip
from kcb_agents.toolchain.recipe import Recipe
from kcb_core.errors import DataError
from kcb_runner.machine import interpreter

_NOTES = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
"""What pip notes of an installation: where it was made, which is another place every time."""

_LAUNCHER = """\
#!/bin/sh
''':'
exec "${{0%/*}}/python" -I -B "$0" "$@"
'''
import sys

from {module} import {first}

sys.exit({call}())
"""
"""Read by the shell up to ``exec``, and by Python, which is beside it wherever that is, as a whole.
"""


def build_python_program(recipe: Recipe, root: Path, work: Path, python: str) -> None:
    """Fill a tree with a program that comes by pip.

    Args:
        recipe: the program.
        root: an existing, empty folder.
        work: another one, which is thrown away in the end.
        python: the interpreter to copy; the evaluator's own if it is empty.

    Raises:
        DeclarationError: there is no such interpreter, or of another version than is locked for.
        DataError: the lockfile does not hold the program.
        MachineError: a step failed.
    """
    python = python or interpreter()
    found = probe(python)
    require_version(found, recipe.python, python)
    packages = copy_interpreter(found, root)
    Pip(found.binary, work).install(recipe.requirements, packages)
    _forget(packages)
    for name, entry in _commands(packages, recipe.program).items():
        module, _, call = entry.partition(":")
        launcher = root / "bin" / name
        first = call.partition(".")[0]
        launcher.write_text(_LAUNCHER.format(module=module, first=first, call=call))
        launcher.chmod(0o755)


def _forget(packages: Path) -> None:
    """Remove scripts that name the interpreter they were installed with, and pip's own notes."""
    shutil.rmtree(packages / "bin", ignore_errors=True)
    for note in _NOTES:
        for path in packages.glob(f"*.dist-info/{note}"):
            path.unlink()


def _commands(packages: Path, program: str) -> dict[str, str]:
    """The commands of a distribution, and what each calls."""
    wanted = Distribution.discover(name=program, path=[str(packages)])
    found = next(iter(wanted), None)
    if found is None:
        there = sorted(each.metadata["Name"] for each in distributions(path=[str(packages)]))
        raise DataError(
            f"the lockfile does not list {program}, but {', '.join(there) or 'nothing'}"
        )
    return {each.name: each.value for each in found.entry_points.select(group="console_scripts")}
