"""Cells: task × repetition × subject, with ids that the same experiment always has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kcb_core.codec import digest
from kcb_core.errors import DeclarationError


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One subject at one repetition of one task."""

    task_id: str
    repetition: int
    subject: str

    @property
    def id(self) -> str:
        """``TASK/rN/SUBJECT``, by which people and records name it."""
        return f"{self.task_id}/r{self.repetition}/{self.subject}"

    @property
    def key(self) -> str:
        """Twelve hexadecimal digits that name its folder on any file system."""
        return digest(self.id.encode())[:12]

    @property
    def group(self) -> str:
        """``TASK/rN``: the cells that start together."""
        return f"{self.task_id}/r{self.repetition}"

    @classmethod
    def parse(cls, text: str) -> Cell:
        """The cell whose id this text is.

        Raises:
            DeclarationError: it has not the shape of one.
        """
        task_id, _, rest = text.partition("/")
        repetition, _, subject = rest.partition("/")
        number = repetition.removeprefix("r")
        if repetition[:1] != "r" or not (number.isascii() and number.isdecimal()) or not subject:
            raise DeclarationError(f"{text[:200]!r} is no cell id; one looks like TASK/r0/SUBJECT")
        cell = cls(task_id, int(number), subject)
        if cell.id != text:
            raise DeclarationError(f"{text[:200]!r} is no cell id; did you mean {cell.id!r}?")
        return cell


@dataclass(frozen=True, slots=True)
class Group:
    """All subjects at one repetition of one task."""

    cells: tuple[Cell, ...]

    @property
    def name(self) -> str:
        """``TASK/rN``."""
        return self.cells[0].group


def groups(tasks: Sequence[str], repetitions: int, subjects: Sequence[str]) -> Iterator[Group]:
    """All groups in the order in which they start: whole repetitions, one after the other.

    What is cut short then has as many complete repetitions as could be.
    """
    for repetition in range(repetitions):
        for task_id in tasks:
            yield Group(tuple(Cell(task_id, repetition, subject) for subject in subjects))
