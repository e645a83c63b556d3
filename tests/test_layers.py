"""Who may import whom: between packages, from third parties, and inside kcb-core.

Everything is read from the source, so a rule holds whether or not a test happens to run the line.
"""

import ast
import functools
import graphlib
import itertools
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

#: Every sibling that a package may import; what it declares must lie within this.
ALLOWED = {
    "kcb-core": set(),
    "kcb-tasks": {"kcb-core"},
    "kcb-runner": {"kcb-core"},
    "kcb-score": {"kcb-core"},
    "kcb-references": {"kcb-core", "kcb-runner"},
    "kcb-agents": {"kcb-core", "kcb-runner"},
    "kcb-experiments": {"kcb-core", "kcb-runner", "kcb-score"},
    "kcb-suites": {"kcb-core", "kcb-runner", "kcb-score", "kcb-experiments"},
    # No code of its own: it installs the default set and, with an extra, the rest.
    "klein-code-bench": {
        *("kcb-core", "kcb-tasks", "kcb-runner", "kcb-score", "kcb-references"),
        *("kcb-agents", "kcb-experiments", "kcb-suites"),
    },
}

#: The modules of kcb_core in the order of the flow; each imports only from those before it.
CORE_ORDER = (
    *("errors", "canary", "codec", "equality", "limits", "ids", "shape", "storage", "folder"),
    *("environment", "scrubber", "resources", "lock_holders", "quiet"),
    *("vocabulary", "family", "task", "tier", "dataset", "selection", "workspace", "submission"),
    *("provenance", "run_record", "transcript", "transcript_file", "narration"),
    *("report", "trial", "claims", "decision", "validation", "score"),
    *(
        "findings",
        "schemas",
        "documents",
        "page",
        "roles",
        "tasksets",
        "execution",
        "health",
    ),
    *("hookspecs", "catalog", "console", "commands", "commands.options", "commands.list"),
    *("commands.show_transcript", "commands.show"),
    *("commands.prepare", "commands.plugins", "commands.schema", "commands.doctor"),
    *("cli", "plugin", "__main__"),
)

#: Parts of packages that are there for an extra as a whole.
OF_AN_EXTRA = (".testing", ".mutants", ".remote")

#: Distributions that are imported under a name of their own.
IMPORT_NAMES = {"vl-convert-python": "vl_convert"}

#: File names that say nothing about what is in the file.
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "base", "core"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """One name that a source file imports, as a dotted path."""

    name: str
    line: int
    in_function: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One distribution of the workspace, as its ``pyproject.toml`` describes it."""

    name: str
    folder: Path
    dependencies: frozenset[str]
    extras: frozenset[str]

    def modules(self) -> Iterator[tuple[str, Path]]:
        """Every module's dotted name and file; what lies in no package is no module but data."""
        source = self.folder / "src"
        for path in sorted(source.rglob("*.py")):
            parts = path.relative_to(source).with_suffix("").parts
            above = [source.joinpath(*parts[:depth]) for depth in range(1, len(parts))]
            if all((folder / "__init__.py").exists() for folder in above):
                yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def import_name(distribution: str) -> str:
    """The name under which a distribution is imported: ``rich_click`` for ``rich-click``."""
    return IMPORT_NAMES.get(distribution, distribution.replace("-", "_"))


def distribution_name(requirement: str) -> str:
    """The distribution that a requirement names: ``kcb-core`` for ``kcb-core>=0.1,<0.2``."""
    return re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0].lower()


def read_packages(root: Path) -> dict[str, Package]:
    """The packages of a workspace by name."""
    packages = {}
    for path in sorted(root.glob("packages/*/pyproject.toml")):
        project = tomllib.loads(path.read_text())["project"]
        extras = itertools.chain(*project.get("optional-dependencies", {}).values())
        packages[project["name"]] = Package(
            name=project["name"],
            folder=path.parent,
            dependencies=frozenset(map(distribution_name, project["dependencies"])),
            extras=frozenset(map(distribution_name, extras)),
        )
    return packages


def imports_of(path: Path) -> list[Import]:
    """What a source file imports, wherever in the file the statement stands."""
    return imports_in(path.read_text())


@functools.cache  # by the text, since copies of the sources are looked at too
def imports_in(source: str) -> list[Import]:
    """What a source imports."""
    found: list[Import] = []

    def visit(node: ast.AST, in_function: bool) -> None:
        for child in ast.iter_child_nodes(node):
            names: list[str] = []
            if isinstance(child, ast.Import):
                names = [alias.name for alias in child.names]
            elif isinstance(child, ast.ImportFrom):
                module = "." * child.level + (child.module or "")
                names = [f"{module}.{alias.name}" for alias in child.names]
            found.extend(
                Import(name=name, line=child.lineno, in_function=in_function) for name in names
            )
            visit(child, in_function or isinstance(child, ast.FunctionDef))

    visit(ast.parse(source), in_function=False)
    return found


def import_fault(package: Package, module: str, imported: Import, siblings: set[str]) -> str | None:
    """What is wrong with one import, or nothing."""
    top = imported.name.partition(".")[0]
    if top == "":
        return f"is relative: {imported.name}"
    if top in sys.stdlib_module_names or top == import_name(package.name):
        return None
    if top in map(import_name, package.dependencies):
        return None
    if top in map(import_name, package.extras - siblings):
        if imported.in_function or any(part in module for part in OF_AN_EXTRA):
            return None
        return f"of the optional {top} stands outside a function"
    return f"of {top} is not declared by {package.name}"


def package_faults(root: Path) -> list[str]:
    """Every import or dependency that the packages of a workspace must not have."""
    packages = read_packages(root)
    faults = []
    for package in packages.values():
        siblings = (package.dependencies | package.extras) & packages.keys()
        forbidden = sorted(siblings - ALLOWED[package.name])
        faults += [f"{package.name} must not depend on {name}" for name in forbidden]
        for module, path in package.modules():
            for imported in imports_of(path):
                fault = import_fault(package, module, imported, set(packages))
                if fault:
                    faults.append(f"{module}:{imported.line}: import {fault}")
    return faults


def module_graph(root: Path) -> dict[str, set[str]]:
    """Which modules of the workspace each of its modules imports."""
    files = {name: path for p in read_packages(root).values() for name, path in p.modules()}
    graph = {}
    for module, path in files.items():
        targets = set()
        for imported in imports_of(path):
            name = imported.name
            while name and name not in files:
                name = name.rpartition(".")[0]
            targets.add(name)
        graph[module] = targets - {"", module}
    return graph


def core_place(module: str) -> int | None:
    """Where a module of kcb_core stands in the order, or nothing for one without a place.

    The package itself holds only the hook marker and comes first, its testing package last.
    """
    name = module.removeprefix("kcb_core").removeprefix(".")
    if name == "":
        return -1
    if name.partition(".")[0] == "testing":
        return len(CORE_ORDER)
    return CORE_ORDER.index(name) if name in CORE_ORDER else None


def core_faults(root: Path) -> list[str]:
    """Every module of kcb_core without a place in the order, and every import to the right."""
    faults = []
    for module, targets in module_graph(root).items():
        if module.partition(".")[0] != "kcb_core":
            continue
        place = core_place(module)
        if place is None:
            faults.append(f"{module} has no place in the order")
            continue
        for target in sorted(targets):
            there = core_place(target)
            if there is not None and there > place:
                faults.append(f"{module} imports {target}, which stands to its right")
    return faults


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the packages' sources that a test may spoil."""
    for package in read_packages(ROOT).values():
        target = tmp_path / "packages" / package.name
        for _, path in package.modules():
            module = target / path.relative_to(package.folder)
            module.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, module)
        shutil.copy(package.folder / "pyproject.toml", target)
    return tmp_path


def test_packages_import_only_what_they_declare_and_may() -> None:
    """An undeclared import works in this workspace and breaks for whoever installs one package."""
    assert package_faults(ROOT) == []


def test_packages_do_not_depend_on_each_other_in_a_circle() -> None:
    """The flow runs one way, so a package can be released without those to its right."""
    packages = read_packages(ROOT)
    graph = {name: package.dependencies & packages.keys() for name, package in packages.items()}
    assert next(iter(graphlib.TopologicalSorter(graph).static_order())) == "kcb-core"


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    """A circle makes what works depend on which module happens to be imported first."""
    order = graphlib.TopologicalSorter(module_graph(ROOT)).static_order()
    assert "kcb_core.errors" in tuple(order)


def test_core_modules_import_only_from_their_left() -> None:
    """The order is the order of the flow; a reader meets nothing that was not explained before."""
    assert core_faults(ROOT) == []


def test_core_order_names_only_modules_that_exist_and_each_once() -> None:
    """A stale name in the order would hide where a new module of that name belongs."""
    modules = {name.removeprefix("kcb_core.") for name in module_graph(ROOT)}
    assert [name for name in CORE_ORDER if name not in modules] == []
    assert len(set(CORE_ORDER)) == len(CORE_ORDER)


def test_modules_are_named_by_what_they_hold() -> None:
    """A file that everybody may add to is a file that everybody must read."""
    paths = [path for package in read_packages(ROOT).values() for _, path in package.modules()]
    assert [str(path) for path in paths if path.stem in EMPTY_NAMES] == []


def test_no_two_modules_of_a_package_share_a_file_name() -> None:
    """An import or a traceback then says which file is meant without its folder."""
    for package in read_packages(ROOT).values():
        names = [path.name for _, path in package.modules() if path.name != "__init__.py"]
        twice = {name for name in names if names.count(name) > 1}
        assert twice == set(), f"{package.name}: {sorted(twice)}"


def test_no_import_is_for_the_type_checker_only() -> None:
    """Needing one means that two modules are in the wrong order."""
    paths = [path for package in read_packages(ROOT).values() for _, path in package.modules()]
    assert [str(path) for path in paths if "TYPE_CHECKING" in path.read_text()] == []


@pytest.mark.parametrize(
    ("file", "line", "fault"),
    [
        pytest.param(
            "kcb-runner/src/kcb_runner/planted.py",
            "from kcb_tasks.build import build",
            "kcb_runner.planted:1: import of kcb_tasks is not declared by kcb-runner",
            id="sibling",
        ),
        pytest.param(
            "kcb-score/src/kcb_score/planted.py",
            "def page() -> None:\n    import kcb_references.export",
            "kcb_score.planted:2: import of kcb_references is not declared by kcb-score",
            id="sibling inside a function",
        ),
        pytest.param(
            "kcb-core/src/kcb_core/planted.py",
            "import requests",
            "kcb_core.planted:1: import of requests is not declared by kcb-core",
            id="third party",
        ),
        pytest.param(
            "kcb-core/src/kcb_core/planted.py",
            "from . import errors",
            "kcb_core.planted:1: import is relative: ..errors",
            id="relative",
        ),
    ],
)
def test_a_planted_import_is_found(copy: Path, file: str, line: str, fault: str) -> None:
    """The check itself works: each kind of forbidden import makes it fail, by name and line."""
    (copy / "packages" / file).write_text(line + "\n")
    assert set(package_faults(copy)) - set(package_faults(ROOT)) == {fault}


def test_a_planted_dependency_is_found(copy: Path) -> None:
    """Declaring a forbidden sibling does not make it allowed."""
    project = copy / "packages/kcb-tasks/pyproject.toml"
    project.write_text(
        project.read_text().replace("dependencies = [", 'dependencies = ["kcb-runner>=0.1,<0.2",')
    )
    assert "kcb-tasks must not depend on kcb-runner" in package_faults(copy)


def test_a_planted_import_to_the_right_is_found(copy: Path) -> None:
    """The order of kcb_core is checked, not only written down."""
    module = copy / "packages/kcb-core/src/kcb_core/errors.py"
    module.write_text("from kcb_core.task import Task\n" + module.read_text())
    fault = "kcb_core.errors imports kcb_core.task, which stands to its right"
    assert fault in core_faults(copy)


def test_a_core_module_without_a_place_is_found(copy: Path) -> None:
    """A new module needs a place before anything can be said about its imports."""
    (copy / "packages/kcb-core/src/kcb_core/planted.py").write_text("")
    assert "kcb_core.planted has no place in the order" in core_faults(copy)
