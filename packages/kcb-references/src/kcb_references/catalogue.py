"""Which reference answers which task, and the project that it makes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kcb_core.catalog import Catalog
from kcb_core.errors import DeclarationError
from kcb_core.ids import SHIPPED_DATASET
from kcb_core.roles import Reference
from kcb_core.submission import Submission, SubmittedFile
from kcb_core.task import Task
from kcb_core.vocabulary import SHIPPED, Vocabulary
from kcb_references.export import TIERS, project_files

_DOMAINS = Path(__file__).parent / "domains"


def shipped() -> Iterator[Reference]:
    """The references of the shipped families; a module's name is the family's slug."""
    for path in sorted(_DOMAINS.glob("*/*.py")):
        if path.name != "__init__.py":
            slug = path.stem.replace("_", "-")
            yield Reference(family=f"{SHIPPED_DATASET}/{slug}", domain=path)


def solution(catalog: Catalog, task: Task, vocabulary: Vocabulary = SHIPPED) -> Submission:
    """The reference project of a task.

    Args:
        catalog: where references are found.
        task: the task.
        vocabulary: what the names on the wire are called in its dataset.

    Raises:
        DeclarationError: there is no reference for its family or tier.
    """
    family = f"{task.id.dataset}/{task.id.slug}"
    reference = catalog.find("reference", family, catalog.references(), lambda r: r.family)
    if task.subset not in TIERS:
        raise DeclarationError(f"{task.task_id}: no reference shell for tier {task.subset!r}")
    try:
        source = reference.domain.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DeclarationError(f"{reference.domain}: cannot be read: {error}") from None
    files = project_files(task.subset, source, vocabulary=vocabulary, slug=task.id.slug)
    return Submission(
        files=tuple(sorted(SubmittedFile(path, text.encode()) for path, text in files.items()))
    )
