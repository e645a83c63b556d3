"""What the prompt asks of the structure, measured on the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

KINDS = (
    "percent-off",
    "amount-off",
    "multibuy",
    "bundle-price",
    "quantity-tiers",
    "basket-reward",
)
MOST_LINES = 30
MOST_BRANCHES = 3
GONE = {"HOOKS", "add_hook", "remove_hook", "_trace", "_applied", "_lines"}
NO_PARAMETERS = {"callback", "callbacks", "hook", "hooks", "cb"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def parsed(folder: Path) -> dict[str, ast.Module]:
    """The modules below ``folder`` by their path; raises ``SyntaxError``."""
    return {
        path.relative_to(folder.parent).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(folder.rglob("*.py"))
    }


def everywhere(modules: dict[str, ast.Module]) -> Iterator[tuple[str, ast.AST]]:
    """Every node, with the path of its module."""
    for path, module in modules.items():
        for node in ast.walk(module):
            yield path, node


def long_functions(modules: dict[str, ast.Module]) -> list[str]:
    """Functions with more lines than are allowed, decorators not counted."""
    return [
        f"{path}:{node.name}"
        for path, node in everywhere(modules)
        if isinstance(node, Function) and node.end_lineno - node.lineno + 1 > MOST_LINES
    ]


def shared_names(modules: dict[str, ast.Module]) -> list[str]:
    """``global`` and ``nonlocal`` statements."""
    return [
        f"{path}:{node.lineno}"
        for path, node in everywhere(modules)
        if isinstance(node, ast.Global | ast.Nonlocal)
    ]


def long_chains(modules: dict[str, ast.Module]) -> list[str]:
    """``if`` statements with more ``if`` and ``elif`` branches than are allowed."""
    return [
        f"{path}:{node.lineno}"
        for path, node in everywhere(modules)
        if isinstance(node, ast.If) and _branches(node) > MOST_BRANCHES
    ]


def matches(modules: dict[str, ast.Module]) -> list[str]:
    """``match`` statements, which would be chains under another name."""
    return [
        f"{path}:{node.lineno}" for path, node in everywhere(modules) if isinstance(node, ast.Match)
    ]


def old_names(modules: dict[str, ast.Module]) -> list[str]:
    """Names of the old module that should be gone, wherever they are defined."""
    found = []
    for path, node in everywhere(modules):
        name = getattr(node, "name", None) if isinstance(node, Function) else None
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id
        if name in GONE:
            found.append(f"{path}:{name}")
    return found


def hook_parameters(modules: dict[str, ast.Module]) -> list[str]:
    """Parameters that are named like callbacks."""
    return [
        f"{path}:{node.arg}"
        for path, node in everywhere(modules)
        if isinstance(node, ast.arg) and node.arg in NO_PARAMETERS
    ]


def kind_literals(modules: dict[str, ast.Module]) -> dict[str, list[str]]:
    """In which modules the name of each kind stands as a string, once for each time."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for path, node in everywhere(modules):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in found:
            found[node.value].append(path)
    return found


def _branches(node: ast.If) -> int:
    count = 1
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
        count += 1
    return count
