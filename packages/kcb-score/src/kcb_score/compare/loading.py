"""Reads report files into the arms of a comparison.

All that a comparison needs to know of a report stands in the functions below; the rest of this
package sees arms only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from kcb_core import console
from kcb_core.errors import DeclarationError, UnknownNameError
from kcb_core.report import Outcome
from kcb_core.score import Sample
from kcb_score.agreement import common_evaluator, conditions, require_agreement
from kcb_score.batches import read_all
from kcb_score.collect import Collection, collect
from kcb_score.compare.arm import Arm, Result
from kcb_score.compare.judged import Judged
from kcb_score.files import Found, find_files
from kcb_score.passed_over import say_passed_over
from kcb_score.reading import Skipped
from kcb_score.shelf import Filed

NAMELESS = "no subject named"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The arms that were named, in their order, and all their reports."""

    arms: tuple[Arm, ...]
    collection: Collection
    """The reports of these arms, without those that others stand for."""
    judged: Judged


def load(arguments: Sequence[Path], subjects: Sequence[str] = ()) -> Loaded:
    """The arms in some folders and files.

    Each subject of a folder is an arm. Files that are named one by one belong together. Where two
    folders have a subject of one name, the folder is added to the name.

    Args:
        arguments: folders and files, in the order in which their arms shall stand.
        subjects: names of the only subjects that count, in their order; all by default.

    Raises:
        DataError: a report cannot be compared with the others.
        DeclarationError: a file cannot be read, is named twice, or reports a project once more.
        UnknownNameError: there is no such subject.
    """
    find_files(arguments)  # the same file in two arms is refused
    places = [(str(one), [one]) for one in arguments if one.is_dir()]
    files = [one for one in arguments if not one.is_dir()]
    if files:
        places.append(("files", files))
    found = [
        (subject, place, held)
        for place, paths in places
        for subject, held in _by_subject(collect(_read(find_files(paths))))
    ]
    found = _chosen(found, subjects)
    collection = Collection(filed=tuple(one for _, _, held in found for one in held))
    require_agreement(collection.filed)
    times = Counter(subject for subject, _, _ in found)
    return Loaded(
        arms=tuple(
            arm_of(_name(subject, place if times[subject] > 1 else ""), held)
            for subject, place, held in found
        ),
        collection=collection,
        judged=_judged(collection),
    )


def arms_of(collection: Collection) -> Loaded:
    """Each subject of one collection as an arm, by name."""
    return Loaded(
        arms=tuple(arm_of(subject or NAMELESS, held) for subject, held in _by_subject(collection)),
        collection=collection,
        judged=_judged(collection),
    )


def arm_of(name: str, filed: Sequence[Filed]) -> Arm:
    """One subject's reports as an arm.

    Args:
        filed: of one subject, by repetition and task, no two of the same project.
    """
    runs = groupby(filed, key=lambda one: one.project[1])
    return Arm(
        name=name,
        subject=filed[0].kind.subject,
        runs=tuple({one.kind.task_id: _result(one.kind) for one in held} for _, held in runs),
        budgets=tuple(sorted({one.circumstances.budget for one in filed})),
    )


def _judged(collection: Collection) -> Judged:
    filed = collection.filed
    first = filed[0].circumstances
    return Judged(
        dataset=first.dataset,
        protocol_version=first.protocol_version,
        evaluator=common_evaluator(filed),
        python=first.python,
        conditions=conditions(filed),
    )


def _result(sample: Sample) -> Result:
    if sample.outcome is Outcome.VOID:
        return Result(resolved=None)
    corrected = sample.hand_corrected and sample.outcome is Outcome.RESOLVED
    failure = "corrected by hand" if corrected else sample.failure
    return Result(resolved=sample.resolved, failure=failure, hand_corrected=corrected)


def _by_subject(collection: Collection) -> Iterator[tuple[str, list[Filed]]]:
    for subject, held in groupby(collection.filed, key=lambda one: one.kind.subject):
        yield subject, list(held)


def _read(files: Sequence[Found]) -> list[Filed]:
    skipped: list[Skipped] = []
    with console.progress() as progress:
        task = progress.add_task("reading reports", total=len(files), detail="")
        filed = read_all(
            files, skipped=skipped.append, advanced=lambda n: progress.advance(task, n)
        )
    say_passed_over(skipped, "report")
    return filed


def _chosen(
    found: list[tuple[str, str, list[Filed]]], subjects: Sequence[str]
) -> list[tuple[str, str, list[Filed]]]:
    """The arms of the named subjects, in the order of the names."""
    if not found:
        raise DeclarationError("no report found, so there is nothing to compare")
    known = {subject for subject, _, _ in found}
    for name in subjects:
        if name not in known:
            raise UnknownNameError("subject", name, sorted(known))
    if not subjects:
        return found
    return [one for name in subjects for one in found if one[0] == name]


def _name(subject: str, place: str) -> str:
    return f"{subject or NAMELESS} ({place})" if place else subject or NAMELESS
