"""The score: how many mutants of each module the tests catch, and how many of each tier."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kcb_core import console
from kcb_references.mutants.equivalents import unexplained
from kcb_references.mutants.mutant import Key
from kcb_references.mutants.subject import Subject
from kcb_references.mutants.trial import Fate, Verdict

Results = dict[str, list[Verdict]]
"""The verdicts on each module's mutants, by its name."""

DOMAINS = "all domains"
"""Heads the row for all that is the shell of no tier."""

_NUMBERS = ("mutants", "caught", "of these in max only", "survived", "equivalent", "score")


def show(chosen: Sequence[Subject], results: Results, known: Collection[Key]) -> None:
    """Print a row for each domain, then the table of the whole: each tier's shell, all domains.

    Args:
        chosen: what was mutated.
        results: what became of its mutants.
        known: the mutants that are listed as equivalent; they do not count in the score.
    """

    def row(name: str, *subjects: Subject) -> tuple[str, ...]:
        return _row(name, [v for subject in subjects for v in results[subject.name]], known)

    domains = [subject for subject in chosen if not subject.shell]
    tiers = [row(subject.name, subject) for subject in chosen if subject.shell]
    if domains:
        _print("domain", [row(subject.name, subject) for subject in domains])
        tiers.append(row(DOMAINS, *domains))
    _print("tier", [*tiers, row("everything", *chosen)])


def _print(heading: str, rows: Sequence[tuple[str, ...]]) -> None:
    console.table((heading, *_NUMBERS), rows, right=",".join(_NUMBERS))


def _row(name: str, verdicts: Sequence[Verdict], known: Collection[Key]) -> tuple[str, ...]:
    later = sum(verdict.fate is Fate.LATER for verdict in verdicts)
    caught = later + sum(verdict.fate is Fate.CAUGHT for verdict in verdicts)
    survived = len(unexplained(verdicts, known))
    counted = caught + survived
    score = f"{100 * caught / counted:.1f} %" if counted else "-"
    whole = (len(verdicts), caught, later, survived, len(verdicts) - counted)
    return (name, *map(str, whole), score)
