"""Checks that a family's rules and its cases worked out by hand say the same."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from kcb_core.codec import Json, canonical, compact
from kcb_core.equality import difference
from kcb_core.errors import DeclarationError
from kcb_core.family import Case, Family, answer

_NOTHING = object()
_FIELD_ERRORS = ("missing_field", "invalid_field")


def check_cases(family: Family) -> None:
    """Refuse a family whose hand-written cases and rules disagree.

    Args:
        family: whose golden case, boundaries, examples and malformed inputs are checked.

    Raises:
        DeclarationError: the message names the family and the case.
    """
    _check_fields(family)
    for name, case in _named(family):
        fault = _disagreement(family, case)
        if fault:
            raise DeclarationError(f"family {family.name}, {name}: {fault}")
    if family.golden.error is not None:
        raise DeclarationError(f"family {family.name}, golden case: it must have a result")
    shown = {canonical(case.input) for case in family.examples}
    for name, case in _judging(family):
        if canonical(case.input) in shown:
            raise DeclarationError(
                f"family {family.name}, {name}: the prompt shows this input as an example"
            )
    for number, fields in enumerate(family.malformed, start=1):
        code = answer(family, copy.deepcopy(fields)).get("error", {}).get("code")
        if code not in _FIELD_ERRORS:
            raise DeclarationError(
                f"family {family.name}, malformed input {number}: it is answered with "
                f"{code or 'a result'}, not with a field error"
            )


def _check_fields(family: Family) -> None:
    if not family.fields:
        raise DeclarationError(f"family {family.name}: it has no field")
    for member in family.fields:
        if next(iter(member.shape.violations()), _NOTHING) is _NOTHING:
            raise DeclarationError(
                f"family {family.name}, field {member.name}: its shape offers no violation, "
                "so that nothing could tell whether a program checks it"
            )


def _judging(family: Family) -> Iterator[tuple[str, Case]]:
    """The cases that solutions are judged by, by name."""
    yield "golden case", family.golden
    for number, case in enumerate(family.boundaries, start=1):
        yield f"boundary case {number}", case


def _named(family: Family) -> Iterator[tuple[str, Case]]:
    """All cases by name."""
    yield from _judging(family)
    for number, case in enumerate(family.examples, start=1):
        yield f"example {number}", case


def _disagreement(family: Family, case: Case) -> str | None:
    """How the rules answer a case otherwise than the hand that wrote it, if they do."""
    given = copy.deepcopy(case.input)
    found = answer(family, given)
    if canonical(given) != canonical(case.input):
        return "evaluate changes its input"
    if case.error is not None:
        code = found.get("error", {}).get("code")
        return None if code == case.error else f"expected error {case.error}, got {_brief(found)}"
    if "result" not in found:
        return f"expected a result, got {_brief(found)}"
    return difference(case.result, found["result"], "result")


def _brief(value: Json) -> str:
    text = compact(value)
    return text if len(text) <= 200 else text[:197] + "..."
