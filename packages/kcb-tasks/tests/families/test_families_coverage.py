"""The cases and generated inputs of a family reach every branch of its evaluator."""

from __future__ import annotations

import ast
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

from kcb_tasks.families import discover

FAMILIES = Path(inspect.getsourcefile(discover) or "").parent
PROGRAM = """
from kcb_core.family import answer, generated_inputs
from kcb_tasks.build import SHIPPED_SEED
from kcb_tasks.families import discover

for family in discover():
    for case in (family.golden, *family.boundaries, *family.examples):
        answer(family, case.input)
    for fields in generated_inputs(family, SHIPPED_SEED, 24):
        answer(family, fields)
"""

pytestmark = pytest.mark.families


def evaluator_lines(source: str, start: str) -> set[int]:
    """Lines of the functions and classes that an evaluator uses, however indirectly."""
    tree = ast.parse(source)
    definitions = (ast.FunctionDef, ast.ClassDef)
    named: dict[str, ast.AST] = {n.name: n for n in tree.body if isinstance(n, definitions)}
    for node in tree.body:  # a table of functions leads to all of them
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            named.update((name, node) for name in names if name != "FAMILY")
    reached, waiting = set(), [start]
    while waiting:
        name = waiting.pop()
        if name in named and name not in reached:
            reached.add(name)
            waiting += [n.id for n in ast.walk(named[name]) if isinstance(n, ast.Name)]
    bodies = [node for name in reached if isinstance(node := named[name], definitions)]
    return {line for b in bodies for line in range(b.lineno, (b.end_lineno or b.lineno) + 1)}


def test_every_branch_of_every_evaluator_is_reached(tmp_path: Path) -> None:
    """A branch that no input reaches is a rule that no program is judged by."""
    (tmp_path / "program.py").write_text(PROGRAM)
    coverage = [sys.executable, "-m", "coverage"]
    run = [*coverage, "run", "--branch", f"--include={FAMILIES}/*", "program.py"]
    subprocess.run(run, cwd=tmp_path, check=True, timeout=600)
    report = [*coverage, "json", "-q", "-o", "report.json"]
    subprocess.run(report, cwd=tmp_path, check=True, timeout=600)
    files = json.loads((tmp_path / "report.json").read_text())["files"]
    measured = {Path(name).name: entry for name, entry in files.items()}
    missed = []
    for family in discover():
        path = Path(inspect.getsourcefile(family.evaluate) or "")
        lines = evaluator_lines(path.read_text(encoding="utf-8"), family.evaluate.__name__)
        assert len(lines) > 5, family.slug
        entry = measured[path.name]
        missed += [f"{path.name}:{line}" for line in entry["missing_lines"] if line in lines]
        missed += [f"{path.name}:{a}->{b}" for a, b in entry["missing_branches"] if a in lines]
    assert missed == []
