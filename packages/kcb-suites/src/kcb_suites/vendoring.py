"""Vendoring: each grader carries its own copy of the common steps, so that it runs by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from kcb_core.errors import DataError
from kcb_core.storage import read_bounded, write_whole
from kcb_suites.contract import GRADE
from kcb_suites.tree import Tree

STEPS = "steps.py"
LIBRARY = Path(__file__).parent / "grader_library" / STEPS


def differing(tree: Tree) -> tuple[Path, ...]:
    """The copies of a tree that are missing or not what the library is, byte for byte."""
    library = read_bounded(LIBRARY)
    return tuple(
        copy
        for grader in _users(tree)
        if not (copy := grader / STEPS).is_file() or copy.read_bytes() != library
    )


def vendor(tree: Tree) -> tuple[Path, ...]:
    """Write the copies that differ, and name them.

    Raises:
        MachineError: one cannot be written; those before it are.
    """
    written = differing(tree)
    for copy in written:
        write_whole(copy, read_bounded(LIBRARY))
    return written


def _users(tree: Tree) -> Iterator[Path]:
    """Folders of the graders that import the steps; others have their own ways."""
    for grade in sorted((tree.root / "graders").glob(f"*/{GRADE}")):
        if "steps" in _imported(grade):
            yield grade.parent


def _imported(file: Path) -> set[str]:
    try:
        parsed = ast.parse(file.read_bytes(), filename=str(file))
    except SyntaxError as error:
        raise DataError(f"{file}: line {error.lineno}: {error.msg}") from None
    names = set()
    for node in ast.walk(parsed):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names
