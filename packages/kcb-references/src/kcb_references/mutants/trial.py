"""What becomes of the mutants of one module: which task catches them, if any does.

A mutant is rehearsed in the tasks of its own tier; what these let pass is tried in the highest
tier. What passes all of them is judged in its own tier as any project would be, since a rehearsal
cannot show everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

import msgspec

from kcb_core.errors import DeclarationError, MachineError
from kcb_core.ids import TaskId
from kcb_core.report import Outcome
from kcb_core.submission import Submission, SubmittedFile
from kcb_references.mutants.mutant import Mutant, draw
from kcb_references.mutants.rehearsal import rehearse, stage
from kcb_references.mutants.subject import Part, Subject
from kcb_references.mutants.witness import witness
from kcb_runner.judging import Bench, judge

SEED = 1729
"""Decides which mutants are in the samples."""

SESSION_S = 1.0
"""Time limit of a session in which a mutant is judged, in seconds."""

_LIMIT_S = 2.0
"""Least CPU time that a mutant may take to rehearse a task."""

_SLOWER = 4.0
"""How many times the CPU time of the reference a mutant may take, if that is more."""

_REFERENCE_S = 60.0


class Fate(StrEnum):
    """What became of a mutant."""

    CAUGHT = "caught"
    """A task of its own tier caught it."""
    LATER = "later"
    """Only a task of the highest tier caught it."""
    SURVIVED = "survived"
    """No task caught it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A mutant and what became of it."""

    mutant: Mutant
    fate: Fate
    reason: str = ""
    """Which task caught it, and where."""
    witness: str = ""
    """An input that tells a survivor from the reference, if one was found: a case is missing."""


class _Rehearsal:
    """One task of a subject, with all that stays the same from mutant to mutant."""

    def __init__(self, part: Part) -> None:
        self._task_id = part.task_id
        self._stage = stage(part.task())
        self.files = part.files()
        right = rehearse(self.files, self._stage, _REFERENCE_S)
        if right.failure:
            raise DeclarationError(f"{self._task_id}: the reference fails it: {right.failure}")
        self._limit_s = max(_LIMIT_S, _SLOWER * right.cpu_s)

    def failure(self, path: str, text: str) -> str | None:
        """Why the project fails with this text as one of its files; empty if it does not.

        None if the text cannot even be loaded.
        """
        tried = rehearse({**self.files, path: text}, self._stage, self._limit_s)
        if not tried.loaded:
            return None
        return f"{self._task_id}: {tried.failure}" if tried.failure else ""


def rehearse_all(subject: Subject) -> list[Verdict]:
    """Draw the mutants of a subject, and rehearse each until something catches it.

    A mutant that cannot be loaded is replaced by another: catching it shows nothing.

    Raises:
        DeclarationError: the reference itself fails a task.
    """
    own = [_Rehearsal(part) for part in subject.own]
    later = [_Rehearsal(part) for part in subject.later]
    found: list[Verdict] = []
    for mutant in draw(subject.name, own[0].files[subject.path], SEED):
        if len(found) == subject.amount:
            break
        verdict = _rehearsed(mutant, subject.path, own, later)
        if verdict:
            found.append(_searched(verdict, subject, own[0].files[subject.path]))
    return found


def _searched(verdict: Verdict, subject: Subject, reference: str) -> Verdict:
    """The verdict on a domain's survivor, with an input that shows it to be wrong."""
    if verdict.fate is not Fate.SURVIVED or subject.shell:
        return verdict
    task = TaskId.parse(subject.own[0].task_id)
    family = f"{task.dataset}/{task.slug}"
    return replace(verdict, witness=witness(family, reference, verdict.mutant.text))


def _rehearsed(
    mutant: Mutant, path: str, own: Iterable[_Rehearsal], later: Iterable[_Rehearsal]
) -> Verdict | None:
    for fate, rehearsals in ((Fate.CAUGHT, own), (Fate.LATER, later)):
        for rehearsal in rehearsals:
            failure = rehearsal.failure(path, mutant.text)
            if failure is None:
                return None
            if failure:
                return Verdict(mutant=mutant, fate=fate, reason=failure)
    return Verdict(mutant=mutant, fate=Fate.SURVIVED)


def judged(verdict: Verdict, subject: Subject, bench: Bench) -> Verdict:
    """The verdict on a mutant after its project was judged by the first task of its subject.

    Raises:
        MachineError: this machine failed; nothing is said of the mutant.
        Cancelled: the run was stopped.
    """
    part = subject.own[0]
    files = {**part.files(), subject.path: verdict.mutant.text}
    submission = Submission(
        files=tuple(sorted(SubmittedFile(path, text.encode()) for path, text in files.items()))
    )
    task = msgspec.structs.replace(part.task(), timeout_seconds=SESSION_S)
    judgement = judge(task, submission, bench, until_failure=True)
    if judgement.outcome is Outcome.VOID:
        cause = judgement.void.reason if judgement.void else "unknown"
        raise MachineError(f"{verdict.mutant}: could not be judged: {cause}")
    if judgement.outcome is Outcome.RESOLVED:
        return verdict
    failure = judgement.failure.reason if judgement.failure else "unknown"
    return replace(verdict, fate=Fate.CAUGHT, reason=f"{part.task_id}: judged: {failure}")
