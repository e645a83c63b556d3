"""Names of the sessions of a noxfile, read without running it."""

from __future__ import annotations

import ast
from pathlib import Path


def session_names(noxfile: Path) -> frozenset[str]:
    """Every function that is decorated as a session; those made in a loop are not among them."""
    return frozenset(
        node.name
        for node in ast.parse(noxfile.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and any("nox.session" in ast.unparse(each) for each in node.decorator_list)
    )
