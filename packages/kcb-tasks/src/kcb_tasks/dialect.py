"""A task in a dialect: the words of a vocabulary instead of the canonical names.

Tiers, scripts and oracles know canonical names alone. What they made is put into the dialect here,
prompt and scenarios together, so that no two parts of a task can speak of one thing by two names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

import msgspec

from kcb_core.codec import Json, compact
from kcb_core.errors import DeclarationError, UnknownNameError
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.task import Scenario, Task, line_of
from kcb_core.vocabulary import ERRORS, Vocabulary, on_the_wire, permutation
from kcb_tasks.prompt import FIELDS_OF_INPUT, contract
from kcb_tasks.rewording import retitled, reworded, words_in_code, words_in_fences
from kcb_tasks.scenarios.wire import Wire

_DRAWN = 60
"""Drawn inputs in which, and in whose results, words with another meaning are looked for."""


def check_families(vocabulary: Vocabulary, families: Iterable[Family]) -> None:
    """Refuse a vocabulary that names a family which is not there.

    Raises:
        UnknownNameError: the message names the family.
    """
    slugs = [family.slug for family in families]
    for slug in vocabulary.families:
        if slug not in slugs:
            raise UnknownNameError("family in the vocabulary", slug, slugs)


def in_dialect(task: Task, family: Family, vocabulary: Vocabulary) -> Task:
    """A task in the words of a vocabulary.

    Args:
        task: the task in canonical names.
        family: its family.
        vocabulary: what the names are called.

    Raises:
        DeclarationError: the family does not declare a name, two names become one, or a word means
            more than one thing in the contract, so that the prompt would not say which is meant.
    """
    if vocabulary.canonical:
        return task
    wire = wire_of(family, vocabulary)
    public = tuple(map(wire.scenario, task.public_tests))
    return msgspec.structs.replace(
        task,
        prompt=_prompt(task, family, vocabulary, public),
        public_tests=public,
        acceptance_tests=tuple(map(wire.scenario, task.acceptance_tests)),
    )


def wire_of(family: Family, vocabulary: Vocabulary) -> Wire:
    """What the names on the wire are called in the tasks of a family.

    Raises:
        DeclarationError: as in :func:`in_dialect`.
    """
    own = vocabulary.of_family(family.slug)
    fields = on_the_wire(f"the fields of {family.slug}", _fields(family), own.fields)
    declared = [error.code for error in family.errors]
    on_the_wire(f"the errors of {family.slug}", declared, own.errors)
    renamed = {**_of_protocol(vocabulary, ERRORS), **own.errors}
    codes = on_the_wire(f"the protocol and {family.slug}", (*ERRORS, *declared), renamed)
    _check_words(family, {**own.fields, **own.errors})
    return Wire(protocol=permutation(vocabulary.protocol), fields=permutation(fields), codes=codes)


def _fields(family: Family) -> list[str]:
    return [member.name for member in family.fields]


def _of_protocol(vocabulary: Vocabulary, names: Iterable[str]) -> dict[str, str]:
    """What those of some names of the protocol are called that a vocabulary lists."""
    return {name: vocabulary.protocol[name] for name in names if name in vocabulary.protocol}


def _check_words(family: Family, renamed: Mapping[str, str]) -> None:
    """Refuse words that stand for something else in the contract, before or after."""
    taken = set(_other_words(family)) if renamed else set()
    for name, wire in renamed.items():
        for word in (name, wire):
            if name != wire and word in taken:
                raise DeclarationError(
                    f"vocabulary of {family.slug}: {name!r} cannot be called {wire!r}; {word!r} "
                    "means something else too in the contract"
                )


def _other_words(family: Family) -> Iterator[str]:
    """Words of a contract that are, or could be, no top-level field and no error.

    They are spelt out by the shapes of the fields, by grammars, and by whatever is inside inputs
    and results; a word that is both a field and an error is among them.
    """
    for member in family.fields:
        yield from words_in_code(member.shape.describe())
        if member.has_default:
            yield from _words(member.default)
    yield from words_in_fences(contract(family))
    yield from {*_fields(family)} & {error.code for error in family.errors}
    cases = (family.golden, *family.boundaries, *family.examples)
    drawn = generated_inputs(family, 0, _DRAWN)
    for fields in chain((case.input for case in cases), family.malformed, drawn):
        yield from chain.from_iterable(map(_words, fields.values()))
        yield from _words(answer(family, fields).get("result"))


def _words(value: Json) -> Iterator[str]:
    """Names of members and whole strings in a value, at every depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from chain.from_iterable(map(_words, value))
    elif isinstance(value, dict):
        yield from value
        yield from chain.from_iterable(map(_words, value.values()))


def _prompt(
    task: Task, family: Family, vocabulary: Vocabulary, public: tuple[Scenario, ...]
) -> str:
    """The prompt: the protocol, then the contract, then the examples, each in its own words."""
    protocol, found, examples = task.prompt.partition(contract(family))
    if not found:
        raise DeclarationError(f"{task.task_id}: its prompt does not hold the contract as a whole")
    lines = dict(zip(_lines(task.public_tests), _lines(public), strict=True))
    return "".join(
        (
            retitled(reworded(protocol, vocabulary.protocol), vocabulary.protocol),
            _contract(family, vocabulary),
            "\n".join(lines.get(line, line) for line in examples.split("\n")),
        )
    )


def _contract(family: Family, vocabulary: Vocabulary) -> str:
    """The contract; of the protocol's names it can hold codes, and ``input`` in one sentence."""
    own = vocabulary.of_family(family.slug)
    names = {**_of_protocol(vocabulary, ERRORS), **own.fields, **own.errors}
    parts = contract(family).split(FIELDS_OF_INPUT)
    sentence = reworded(FIELDS_OF_INPUT, vocabulary.protocol)
    return sentence.join(reworded(part, names) for part in parts)


def _lines(scenarios: Iterable[Scenario]) -> Iterator[str]:
    """Requests and answers as the prompt shows them."""
    for scenario in scenarios:
        for session in scenario.sessions:
            for request, expected in zip(session.requests, session.expected, strict=True):
                yield line_of(request)
                yield compact(expected)
