"""One family in one tier as a task, after a check that the scenarios reach all of the contract."""

from __future__ import annotations

from collections.abc import Iterator

from kcb_core.codec import Json
from kcb_core.errors import DeclarationError
from kcb_core.family import Family
from kcb_core.ids import TaskId
from kcb_core.limits import LIMITS
from kcb_core.task import PROTOCOL_VERSION, Task
from kcb_core.tier import Tier
from kcb_core.vocabulary import SHIPPED, Vocabulary
from kcb_tasks.dialect import in_dialect
from kcb_tasks.language import PYTHON, Language
from kcb_tasks.tiers.layer import ServiceTier


def build_task(family: Family, tier: Tier, seed: int, vocabulary: Vocabulary = SHIPPED) -> Task:
    """The task of a family in a tier.

    Args:
        family: the domain.
        tier: the kind of program to ask for.
        seed: the seed of the generated inputs.
        vocabulary: what the names on the wire are called.

    Raises:
        DeclarationError: the scenarios leave a part of the contract untouched, or the task cannot
            be put into the words of the vocabulary.
    """
    language = _language(tier)
    task = Task(
        task_id=str(TaskId(family.dataset, tier.name, family.number, family.slug)),
        subset=tier.name,
        family=family.slug,
        category=family.category,
        title=family.title,
        target_model_parameters=tier.target_model_parameters,
        language=language.name,
        entrypoint=language.entrypoint,
        start=tier.start,
        protocol_version=PROTOCOL_VERSION,
        prompt=tier.prompt(family),
        public_tests=tuple(tier.examples(family)),
        acceptance_tests=tuple(tier.scenarios(family, seed)),
        timeout_seconds=LIMITS.session_s,
    )
    for untouched in _untouched(family, task):
        raise DeclarationError(f"{task.task_id}: no scenario is answered with {untouched}")
    return in_dialect(task, family, vocabulary)


def _language(tier: Tier) -> Language:
    """What a tier's programs are written in; a tier that does not say so means Python."""
    return tier.language if isinstance(tier, ServiceTier) else PYTHON


def _untouched(family: Family, task: Task) -> Iterator[str]:
    """What the contract can answer and no scenario expects."""
    seen = set(_errors(task))
    for declared in family.errors:
        if (declared.code, None) not in seen:
            yield f"the error {declared.code}"
    for member in family.fields:
        if ("invalid_field", member.name) not in seen:
            yield f"invalid_field for {member.name}"
        if member.required and ("missing_field", member.name) not in seen:
            yield f"missing_field for {member.name}"


def _errors(task: Task) -> Iterator[tuple[Json, Json]]:
    """Code and field of every error that a scenario expects."""
    for scenario in task.acceptance_tests:
        for session in scenario.sessions:
            for expected in session.expected:
                error = expected.get("error", {})
                yield error.get("code"), error.get("field")
