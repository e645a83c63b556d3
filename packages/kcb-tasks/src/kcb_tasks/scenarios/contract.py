"""Acts on the family's own contract, all of them through ``evaluate``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kcb_core.codec import Json, compact
from kcb_core.shape import Integer
from kcb_core.task import Tag
from kcb_tasks.scenarios.acts import Act
from kcb_tasks.scenarios.edges import edges
from kcb_tasks.scenarios.material import Material, extremes, violations, without, wrong
from kcb_tasks.scenarios.spelling import escaped, scrambled


def contract_acts(material: Material) -> Iterator[Act]:
    """Everything that the contract says, told apart from what it does not say."""
    yield from _results(material)
    yield from _field_errors(material)
    yield from _edges(material)
    yield from _precedence(material)
    yield from _ignored(material)
    yield from _absent(material)
    yield from _repeated(material)
    yield from _spellings(material)


def evaluate(fields: Json, **members: Json) -> dict[str, Json]:
    """A request for an evaluation, without id."""
    return {"op": "evaluate", "input": fields, **members}


def _results(material: Material) -> Iterator[Act]:
    core = (Tag.CORE,)
    yield Act("results", core, (evaluate(material.golden),))
    for case in material.family.boundaries:
        yield Act("results", core, (evaluate(case.input),))
    for fields in material.generated:
        yield Act("results", core, (evaluate(fields),))
    for member in material.family.fields:
        for value in extremes(member.shape):
            yield Act("extremes", core, (evaluate({**material.golden, member.name: value}),))


def _field_errors(material: Material) -> Iterator[Act]:
    tags = (Tag.FIELD_ERRORS,)
    for member in material.required:
        left_out = evaluate(without(material.golden, member.name))
        yield Act("field-errors", tags, (left_out, evaluate(material.golden)))
    for member in material.family.fields:
        for value in violations(member.shape):
            invalid = evaluate({**material.golden, member.name: value})
            yield Act("field-errors", tags, (invalid,))
    for member in material.family.fields:
        if isinstance(member.shape, Integer):
            whole = compact({"id": 1, **evaluate({**material.golden, member.name: "@"})})
            number = f"{max(1, member.shape.low)}e0"
            yield Act("field-errors", tags, (whole.replace('"@"', number),))
    for fields in material.family.malformed:
        yield Act("field-errors", tags, (evaluate(fields),))


def _edges(material: Material) -> Iterator[Act]:
    """What lies inside the fields, where the values above do not probe it already."""
    for member in material.family.fields:
        sent = {compact(v) for v in (*extremes(member.shape), *violations(member.shape))}
        for value in edges(member.shape):
            if compact(value) not in sent:
                sent.add(compact(value))
                whole = evaluate({**material.golden, member.name: value})
                yield Act("edges", (Tag.FIELD_ERRORS, Tag.CORE), (whole,))


def _precedence(material: Material) -> Iterator[Act]:
    """Missing before invalid, both in the order of the contract, then the contract's errors."""
    topic, tags = "order-of-errors", (Tag.PRECEDENCE, Tag.FIELD_ERRORS)
    golden, fields = material.golden, material.family.fields
    yield Act(topic, tags, (evaluate({}),))
    for first, second in pairwise(material.required):
        yield Act(topic, tags, (evaluate(without(golden, first.name, second.name)),))
    for member in material.required:
        others = {f.name: wrong(f) for f in fields if f.name != member.name}
        yield Act(topic, tags, (evaluate(others),))
    # The order of the members in the request is not that of the contract.
    for first, second in pairwise(fields):
        rest = without(golden, first.name, second.name)
        both = {second.name: wrong(second), **rest, first.name: wrong(first)}
        yield Act(topic, tags, (evaluate(both),))
    yield Act(topic, tags, (evaluate({f.name: wrong(f) for f in reversed(fields)}),))
    for failing in material.failing:
        yield Act(topic, tags, (evaluate(failing),))
        yield Act(topic, tags, (evaluate({**failing, fields[-1].name: wrong(fields[-1])}),))
        for member in material.required[-1:]:
            yield Act(topic, tags, (evaluate(without(failing, member.name)),))


def _ignored(material: Material) -> Iterator[Act]:
    topic, tags = "ignored-and-optional", (Tag.CORE,)
    golden = material.golden
    extra: dict[str, Json] = {"note": [1, {"x": None}], "": 0, "名前": "é", "__class__": "dict"}
    for member in material.family.fields[:3]:
        name = member.name
        extra |= {name.upper(): None, f"{name} ": None, f"_{name}": {}, f"{name}s": 1}
    extra = without(extra, *(member.name for member in material.family.fields))
    yield Act(topic, tags, (evaluate({**extra, **golden}), evaluate({**golden, **extra})))
    if material.required:
        near = without(extra, material.required[0].name)
        others = {k: v for k, v in golden.items() if k != material.required[0].name}
        yield Act(topic, tags, (evaluate({**others, **near}),))
    yield Act(
        topic,
        tags,
        (
            evaluate(golden, key=5, value=None, token=None, if_revision="x", prefix=1),
            evaluate(golden, ops={}, after=[], limit=-1, result=1, error=None, ok=False),
            {"Op": "put", "OP": None, "Input": 1, **evaluate(golden)},
        ),
    )


def _absent(material: Material) -> Iterator[Act]:
    """Optional fields left out, given as their default, and null."""
    topic, tags = "ignored-and-optional", (Tag.CORE,)
    optional = [member for member in material.family.fields if not member.required]
    if not optional:
        return
    for fields in material.valid[:2]:
        yield Act(topic, tags, (evaluate(without(fields, *(m.name for m in optional))),))
    for member in optional:
        rest = without(material.golden, member.name)
        yield Act(topic, tags, (evaluate(rest), evaluate({**rest, member.name: None})))
        if member.has_default:
            given = {**rest, member.name: member.default}
            yield Act(topic, tags, (evaluate(given), evaluate(rest)))


def _repeated(material: Material) -> Iterator[Act]:
    """The same inputs again, with others and with errors between them."""
    topic, tags = "repeated-inputs", (Tag.RECOVERY,)
    several = [*material.valid[:3], *material.failing[:2], {}, material.broken]
    requests = [evaluate(fields) for fields in (*several, *reversed(several))]
    yield Act(topic, tags, tuple(requests))


def _spellings(material: Material) -> Iterator[Act]:
    """The same requests with white space, escapes, and their members in another order."""
    topic, tags = "spellings", (Tag.UNICODE,)
    for index, fields in enumerate(material.valid[:6]):
        turned = dict(reversed(fields.items()))
        request = {"id": f"é{index}😀", **evaluate(turned)}
        yield Act(topic, tags, (escaped(request), scrambled(request, material.rng(topic, index))))
    request = {"input": material.golden, "op": "evaluate", "id": 'a/b\\c"d\t\b\f'}
    yield Act(topic, tags, (scrambled(request, material.rng(topic, "last")),))
