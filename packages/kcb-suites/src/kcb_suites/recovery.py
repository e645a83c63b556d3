"""Recovery: every case names a promise that stands and a test that exists, or is refused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from kcb_core.errors import DataError, UnknownNameError
from kcb_suites.manifest import RecoveryCase, RecoveryManifest

PROMISES = Path("docs", "reference", "promises.md")
"""The page of promises, from the root of the project that makes them."""

_HEADING = re.compile(r"^#+ +(.+?)\s*$", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def project_of(file: Path) -> Path:
    """The project whose promises a manifest is about: the nearest above it that has such a page.

    Raises:
        DataError: there is none.
    """
    for folder in file.absolute().parents:
        if (folder / PROMISES).is_file():
            return folder
    raise DataError(f"{file}: no folder above it has a page {PROMISES.as_posix()}")


def verify(manifest: RecoveryManifest, file: Path) -> None:
    """See to it that each promise has its heading and each test its function.

    Tests are looked for in the source, and nothing is imported.

    Raises:
        DataError: a promise or a test is not there; every such field is named.
    """
    project = project_of(file)
    promises = headings(project / PROMISES)
    problems = [
        f"field 'cases[{index}].{problem}"
        for index, case in enumerate(manifest.cases)
        for problem in _problems(case, project, promises)
    ]
    if problems:
        raise DataError(f"{file}: {'; '.join(problems)}")


def headings(page: Path) -> tuple[str, ...]:
    """The promises of a page: its headings of the form ``capability/Name``."""
    text = _FENCED.sub("", page.read_text("utf-8"))
    return tuple(found for found in _HEADING.findall(text) if "/" in found)


def _problems(case: RecoveryCase, project: Path, promises: tuple[str, ...]) -> Iterator[str]:
    if case.requirement not in promises:
        error = UnknownNameError("promise", case.requirement, promises)
        yield f"requirement': {error}, in {PROMISES.as_posix()}"
    path, _, name = case.test.partition("::")
    if not (project / path).is_file():
        yield f"test': there is no {path} in {project}"
    elif name not in (known := _functions(project / path)):
        yield f"test': {UnknownNameError('test', name, known)}, in {path}"


def _functions(file: Path) -> tuple[str, ...]:
    """Names of the tests in a file; a name that only a comment or a text has is none."""
    tree = ast.parse(file.read_bytes(), filename=str(file))
    return tuple(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    )
