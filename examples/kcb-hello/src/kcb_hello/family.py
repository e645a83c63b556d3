"""Greetings: a whole family in one file, with the plug-in that brings it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kcb_core import hookimpl
from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.roles import DatasetSource, Reference
from kcb_core.shape import Array, Choice, Integer, Text, optional, required

_OPENINGS = {"formal": "Good day", "casual": "Hi"}


def _evaluate(fields: Mapping[str, Any]) -> Json:
    names = [name.strip(" ") for name in fields["names"]]
    if "" in names:
        raise DomainError("blank_name")
    if len(set(names)) < len(names):
        raise DomainError("same_name")
    whom = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
    text = f"{_OPENINGS[fields['style']]}, {whom}{'!' * fields['marks']}"
    return {"text": text, "length": len(text)}


def _generate(rng: random.Random) -> dict[str, Json]:
    pool = ("Ann", " Bo ", "Zoë", "Zoe\u0308", "李", "😀", "and", "a, b", "  ", "\tTab", "Bo")
    drawn: dict[str, Json] = {"names": [rng.choice(pool) for _ in range(rng.randint(1, 4))]}
    if rng.random() < 0.5:
        drawn["style"] = rng.choice(["formal", "casual"])
    if rng.random() < 0.5:
        drawn["marks"] = rng.randint(0, 3)
    return drawn


FAMILY = Family(
    number=1,
    slug="greeting",
    title="A greeting",
    category="text-processing",
    difficulty=Difficulty.STRAIGHTFORWARD,
    dataset="hello",
    summary="Greets people. First the spaces (U+0020) at both ends of each name are cut off.",
    fields=(
        required("names", Array(Text(1, 20), 1, 5), "Whom to greet, in this order."),
        optional("style", Choice("formal", "casual"), "casual"),
        optional("marks", Integer(0, 3), 1, "How many exclamation marks end the text."),
    ),
    result="""\
An object with two members:

- `text`: `Good day` if `style` is `formal`, else `Hi`; then `, `; then the names; then `marks`
  exclamation marks. Two names are joined by ` and `. Of more names, the last is joined by ` and `
  and the others by `, `.
- `length`: the number of code points of `text`.""",
    errors=(
        ErrorCode("blank_name", "A name is empty once its spaces are cut off."),
        ErrorCode("same_name", "Two names are equal once their spaces are cut off."),
    ),
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {"names": [" Ann", "Bo ", "Zoë"], "style": "formal", "marks": 2},
        {"text": "Good day, Ann, Bo and Zoë!!", "length": 27},
    ),
    boundaries=(
        Case({"names": ["Ann"]}, {"text": "Hi, Ann!", "length": 8}),
        Case({"names": ["Ann", "Bo"], "marks": 0}, {"text": "Hi, Ann and Bo", "length": 14}),
        Case({"names": ["Zoë", "Zoe\u0308"]}, {"text": "Hi, Zoë and Zoe\u0308!", "length": 17}),
        Case({"names": ["\tBo", "Bo"]}, {"text": "Hi, \tBo and Bo!", "length": 15}),
        Case({"names": ["Bo", " Bo", " "]}, error="blank_name"),
        Case({"names": ["Bo", " Bo "]}, error="same_name"),
    ),
    examples=(
        Case({"names": ["😀 ", "x"], "marks": 3}, {"text": "Hi, 😀 and x!!!", "length": 14}),
        Case({"names": ["x", "y", "x "]}, error="same_name"),
    ),
    malformed=({"names": ["Bo", 5]}, {"names": []}, {"names": ["Bo"], "style": "Formal"}),
)


@hookimpl
def kcb_register_families() -> list[Family]:
    """The family."""
    return [FAMILY]


@hookimpl
def kcb_register_dataset_sources() -> list[DatasetSource]:
    """Its dataset: four tasks, built with ``klein-bench build --families hello``."""
    return [DatasetSource(name="hello", folder=Path(__file__).parent / "data")]


@hookimpl
def kcb_register_references() -> list[Reference]:
    """Its known-good answer, the domain half of a solution in every tier."""
    return [Reference(family=FAMILY.name, domain=Path(__file__).parent / "answer.py")]
