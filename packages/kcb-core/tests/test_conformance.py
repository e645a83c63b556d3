"""Every check of the conformance classes passes what is right and catches what is wrong."""

import dataclasses
import random
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from kcb_core.codec import Json
from kcb_core.family import Case, DomainError, ErrorCode, Family
from kcb_core.roles import Reference
from kcb_core.shape import Boolean, Field, Integer, Shape, Text, absentable, optional, required
from kcb_core.testing.conformance import FamilyConformance, ReferenceConformance
from kcb_core.testing.toy import AMOUNTS

FIELDS = AMOUNTS.fields


def checks(conformance: type) -> list[str]:
    """Names of the checks of a conformance class."""
    return [name for name in vars(conformance) if name.startswith("test_")]


def complaint(conformance: type, check: str, **attributes: Any) -> str:
    """What a check says of what it is given; empty if nothing."""
    subject = type("Subject", (conformance,), {"draws": 30, **attributes})()
    try:
        getattr(subject, check)()
    except AssertionError as error:
        return str(error)
    return ""


def changed(**changes: Any) -> Family:
    """The toy family with something wrong."""
    return dataclasses.replace(AMOUNTS, **changes)


def evaluating(evaluate: Callable[[Mapping[str, Any]], Json]) -> Family:
    """The toy family with other rules."""
    return changed(evaluate=evaluate)


def giving(make: Callable[[random.Random], dict[str, Json]]) -> Family:
    """The toy family with other drawn inputs."""
    return changed(generate=make)


def good(fields: Mapping[str, Any]) -> Json:
    """The rules themselves."""
    return AMOUNTS.evaluate(fields)


class Odd(Shape):
    """A shape in which anything may be wrong."""

    def __init__(self, **parts: Any) -> None:
        self.parts: dict[str, Any] = {
            "describe": "a boolean", "admits": (True, False), "sample": True,
            "extremes": (True, False), "violations": (0, None), **parts,
        }  # fmt: skip

    def describe(self) -> str:
        return str(self.parts["describe"])

    def admits(self, value: Json) -> bool:
        return type(value) is bool and value in self.parts["admits"]

    def sample(self) -> Json:
        return self.parts["sample"]

    def extremes(self) -> Iterator[Json]:
        yield from self.parts["extremes"]

    def violations(self) -> Iterator[Json]:
        yield from self.parts["violations"]


def with_field(field: Field) -> Family:
    """The toy family with one field more."""
    return changed(fields=(*FIELDS, field))


def sorting(fields: Mapping[str, Any]) -> Json:
    """Rules that change what they are given."""
    fields["amounts"].sort()
    return good(fields)


def counting() -> Callable[[Mapping[str, Any]], Json]:
    """Rules that remember how often they were asked."""
    asked = count()
    return lambda fields: {"total": next(asked)}


def sharing() -> Callable[[Mapping[str, Any]], Json]:
    """Rules that give the same list to everybody."""
    rows: list[Json] = [1]
    return lambda fields: {"rows": rows}


def remembering() -> Callable[[random.Random], dict[str, Json]]:
    """A generator that goes on where it stopped."""
    drawn = count()
    return lambda rng: {"amounts": [next(drawn) % 1_000], "unit": "kg"}


def refusing_at_an_edge(fields: Mapping[str, Any]) -> Json:
    """Rules with an error that only an edge shows."""
    if fields["cap"] == 10_000:
        raise DomainError("too_high")
    return good(fields)


def odd_answer_at_an_edge(fields: Mapping[str, Any]) -> Json:
    """Rules with a result that only an edge shows."""
    return (1, 2) if fields["cap"] == 10_000 else good(fields)


def drawing(**fields: Json) -> Callable[[random.Random], dict[str, Json]]:
    """A generator of inputs with these fields."""
    return lambda rng: {"amounts": [rng.randint(0, 99)], "unit": "kg", **fields}


def unbounded(shape: Shape) -> Family:
    """The toy family with a field that admits anything of a kind, drawn as given."""
    return with_field(absentable("x", shape))


class Anything(Odd):
    """A shape that admits everything."""

    def admits(self, value: Json) -> bool:
        return True


def drawing_x(value: Json) -> Family:
    """The toy family that sends some value in a field that admits everything."""
    family = with_field(absentable("x", Anything(violations=(0,))))
    return dataclasses.replace(family, generate=drawing(x=value))


GOLDEN = AMOUNTS.golden
RESULT, ERROR = AMOUNTS.examples

MUTANTS: list[tuple[str, Family, str]] = [
    ("cases_written_by_hand_agree_with_the_rules",
     changed(golden=Case(GOLDEN.input, {"total": 8, "mean": 3.0, "label": "9 kg"})),
     "the golden case {'amounts': [10, -4, 3], 'unit': 'kg'}: $.result.total: expected 8, "
     "received 9"),
    ("cases_written_by_hand_agree_with_the_rules",
     changed(boundaries=(Case({"amounts": [], "unit": "m"}, error="over_cap"),)),
     "the boundary 0 {'amounts': [], 'unit': 'm'}: $.error.code: expected"),
    ("cases_written_by_hand_agree_with_the_rules",
     changed(examples=(RESULT, Case({"unit": "kg"}, error="invalid_field"))), "the example 1"),
    ("cases_written_by_hand_agree_with_the_rules",
     changed(examples=(RESULT, Case({"amounts": [1], "unit": "kg"}, error="missing_field"))),
     "the example 1"),
    ("cases_written_by_hand_agree_with_the_rules", changed(golden=Case(GOLDEN.input)), "received"),
    ("cases_written_by_hand_are_distinct", changed(boundaries=(GOLDEN,)),
     "the boundary 0 and the golden case have the input"),
    ("cases_written_by_hand_are_distinct", changed(boundaries=(*AMOUNTS.boundaries, RESULT)),
     "the example 0 and the boundary 6 have the input"),
    ("examples_show_a_result_and_an_error", changed(examples=(ERROR, ERROR)),
     "the first example is the error 'over_cap'"),
    ("examples_show_a_result_and_an_error", changed(examples=(RESULT, RESULT)),
     "the second example is no error"),
    ("there_are_boundaries_and_malformed_inputs", changed(boundaries=()), "no boundary case"),
    ("there_are_boundaries_and_malformed_inputs", changed(malformed=()), "no malformed input"),
    ("every_error_is_reached", changed(errors=(*AMOUNTS.errors, ErrorCode("never", "Never."))),
     "no boundary case and no drawn input answers ['never']"),
    ("only_declared_errors_are_answered", changed(errors=AMOUNTS.errors[1:]), "['no_amounts']"),
    ("only_declared_errors_are_answered", changed(errors=AMOUNTS.errors * 2), "declared twice"),
    ("drawn_inputs_keep_to_the_fields", giving(drawing(cap=-1)), "'cap' is not an integer from 0"),
    ("drawn_inputs_keep_to_the_fields", giving(lambda rng: {"unit": "kg"}), "'amounts' is missing"),
    ("drawn_inputs_keep_to_the_fields", giving(drawing(caps=1)), "names no field ['caps']"),
    ("drawn_inputs_vary", giving(lambda rng: {"amounts": [1], "unit": "kg"}), "inputs repeat"),
    ("inputs_may_be_sent", drawing_x(2**53), "$.x: 9007199254740992 is beyond 2^53 - 1, in"),
    ("inputs_may_be_sent", drawing_x(-0.0), "$.x: -0.0 is never sent"),
    ("inputs_may_be_sent", drawing_x("\ud800"), "half of a surrogate pair"),
    ("inputs_may_be_sent", drawing_x("x" * 300_000), "bytes long"),
    ("inputs_may_be_sent", changed(malformed=({"amounts": 2**53},)), "is beyond 2^53 - 1"),
    ("inputs_may_be_sent", changed(boundaries=(Case({"amounts": -0.0}),)), "is never sent"),
    ("inputs_may_be_sent", with_field(absentable("x", Text(0, 300_000))), "bytes long, where 'x'"),
    ("one_seed_gives_the_same_inputs_again", giving(remembering()), "other inputs the second time"),
    ("one_seed_gives_the_same_inputs_again",
     giving(lambda rng: {"amounts": [random.randint(0, 1_000)], "unit": "kg"}), "second time"),
    ("one_seed_gives_the_same_inputs_again",
     giving(lambda rng: {"amounts": [0 * random.randint(0, 1)], "unit": "kg"}),
     "the shared generator of the process"),
    ("other_processes_draw_and_answer_the_same", changed(title="In no module"),
     "no module holds the family; set address = 'module:NAME'"),
    ("inputs_are_left_unchanged", evaluating(sorting), "evaluate has changed"),
    ("answers_do_not_depend_on_what_came_before", evaluating(counting()), "is answered b'{"),
    ("answers_do_not_depend_on_what_came_before", evaluating(sharing()), "is answered b'{"),
    ("results_are_plain_json", evaluating(lambda fields: {"n": (1, 2)}), "of the type tuple"),
    ("results_are_plain_json", evaluating(lambda fields: {"n": float("nan")}), "$.n: nan"),
    ("results_are_plain_json", evaluating(lambda fields: {1: 2}), "member name 1 is no string"),
    ("results_are_plain_json", evaluating(lambda fields: 1.5), "1.5 is a float"),
    ("results_are_plain_json",
     dataclasses.replace(evaluating(lambda f: 1), golden=Case(GOLDEN.input, {"mean": 1.5}),
                         examples=(Case({}), Case({}))),
     "the result of the golden case: $.mean: 1.5 is a float"),
    ("malformed_inputs_are_errors_of_a_field", changed(malformed=(GOLDEN.input,)), "is answered"),
    ("malformed_inputs_are_errors_of_a_field",
     changed(malformed=({"amounts": [], "unit": "kg"},)), "no_amounts"),
    ("edges_of_fields_are_answered", evaluating(refusing_at_an_edge), "'too_high' is not declared"),
    ("edges_of_fields_are_answered", evaluating(odd_answer_at_an_edge), "of the type tuple"),
    ("fields_keep_their_own_word", changed(fields=(*FIELDS, FIELDS[0])), "declared twice"),
    ("fields_keep_their_own_word", with_field(required("x", Odd(describe=" "))), "has no words"),
    ("fields_keep_their_own_word", with_field(required("x", Odd(sample=3))), "its own sample"),
    ("fields_keep_their_own_word", with_field(required("x", Odd(extremes=[3]))), "extreme 3"),
    ("fields_keep_their_own_word", with_field(required("x", Odd(violations=[True]))),
     "admits its own violation True"),
    ("fields_keep_their_own_word", with_field(optional("x", Integer(1, 9), 0)),
     "'x' refuses its default 0 when it is sent"),
    *(("contract_has_words_for_everything", changed(**{name: " "}), f"{name} is empty")
      for name in ("title", "category", "summary", "result", "precedence")),
    ("contract_has_words_for_everything", changed(errors=(ErrorCode("over_cap", ""),)),
     "nothing is said about when 'over_cap' is answered"),
    ("contract_names_what_it_means", with_field(absentable("ghost", Boolean())),
     "no sentence of the contract says what the field 'ghost' means"),
    ("contract_names_what_it_means", evaluating(lambda f: {"total": 1, "secret": 2}),
     "no sentence names the member 'secret' of results"),
]  # fmt: skip


@pytest.mark.parametrize("check", checks(FamilyConformance))
def test_right_family_passes_every_check(check: str) -> None:
    """A check that fails what is right would be switched off."""
    assert complaint(FamilyConformance, check, family=AMOUNTS, floats=True) == ""


@pytest.mark.parametrize(
    ("check", "family", "message"), MUTANTS, ids=[f"{c}-{n}" for n, (c, _, _) in enumerate(MUTANTS)]
)
def test_wrong_family_is_caught(check: str, family: Family, message: str) -> None:
    """A check that nothing fails checks nothing; the message says where to look."""
    state = random.getstate()
    floats = check == "edges_of_fields_are_answered"  # the mean of the toy family is one
    found = complaint(FamilyConformance, f"test_{check}", family=family, floats=floats)
    assert message in found
    random.setstate(state)


def test_every_check_of_families_is_shown_to_catch_something() -> None:
    """Whoever adds a check adds a family that fails it."""
    assert {f"test_{check}" for check, _, _ in MUTANTS} == set(checks(FamilyConformance))


HASHED = """
import dataclasses
from kcb_core.testing.toy import AMOUNTS

LETTERS = set("abcdefghijklmnopqrstuvwxyz")
FAMILY = dataclasses.replace(
    AMOUNTS,
    {what}=lambda given: {value},
)
"""


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("generate", '{"amounts": [1], "unit": next(iter(LETTERS))}'),
        ("evaluate", '{"total": list(LETTERS)}'),
    ],
)
def test_family_that_shows_the_order_of_a_set_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, value: str
) -> None:
    """Within one process it looks as if it were always the same."""
    name = f"hashed_{what}"
    (tmp_path / f"{name}.py").write_text(HASHED.format(what=what, value=value))
    monkeypatch.syspath_prepend(str(tmp_path))
    family = __import__(name).FAMILY
    check = "test_other_processes_draw_and_answer_the_same"
    assert "input 0: here [" in complaint(FamilyConformance, check, family=family)
    del sys.modules[name]
    by_address = complaint(FamilyConformance, check, family=family, address=f"{name}:FAMILY")
    assert "in another process [" in by_address
    lost = complaint(FamilyConformance, check, family=family, address="nowhere_at_all:FAMILY")
    assert "No module named 'nowhere_at_all'" in lost


DOMAIN = """
def is_integer(value, low, high):
    return type(value) is int and low <= value <= high


def answer(fields):
    for name in ("amounts", "unit"):
        if name not in fields:
            return {"error": {"code": "missing_field", "field": name}}
    amounts, unit, cap = fields["amounts"], fields["unit"], fields.get("cap", 1000)
    if not (
        isinstance(amounts, list)
        and len(amounts) <= 20
        and all(is_integer(amount, -1000, 1000) for amount in amounts)
    ):
        return {"error": {"code": "invalid_field", "field": "amounts"}}
    if not (isinstance(unit, str) and 1 <= len(unit) <= 10):
        return {"error": {"code": "invalid_field", "field": "unit"}}
    if not is_integer(cap, 0, 10000):
        return {"error": {"code": "invalid_field", "field": "cap"}}
    if not amounts:
        return {"error": {"code": "no_amounts"}}
    total = sum(amounts)
    if total > cap:
        return {"error": {"code": "over_cap"}}
    return {"result": {"total": total, "mean": total / len(amounts), "label": f"{total} {unit}"}}
"""

WRONG_DOMAINS: list[tuple[str, Callable[[str], str], str]] = [
    ("domain_imports_the_standard_library_alone", lambda d: "import kcb_core.family\n" + d,
     "the domain imports kcb_core"),
    ("domain_imports_the_standard_library_alone", lambda d: d + "\n\ndef f():\n    import numpy\n",
     "the domain imports numpy"),
    ("domain_imports_the_standard_library_alone", lambda d: "from .other import x\n" + d,
     "the domain imports a neighbour"),
    ("domain_agrees_on_cases_written_by_hand", lambda d: d.replace("> cap", ">= cap"),
     "the boundary 2, "),
    ("domain_agrees_on_cases_written_by_hand", lambda d: d.replace("sum(amounts)", "1"),
     "the golden case, {\"amounts\":[10,-4,3],\"unit\":\"kg\"}: $.result"),
    ("domain_agrees_on_cases_written_by_hand", lambda d: "raise OSError('no')\n", "OSError: no"),
    ("domain_agrees_on_cases_written_by_hand", lambda d: "import kcb_core\n" + d,
     "No module named 'kcb_core'"),
    ("domain_agrees_on_cases_written_by_hand", lambda d: d.replace("    total =", "    print()\n"
     "    total ="), "lines of output"),
    ("domain_agrees_on_cases_written_by_hand",
     lambda d: d.replace("total / len(amounts)", "float('nan')"), "after 0 answers"),
    ("domain_agrees_on_drawn_inputs", lambda d: d.replace("{total} {unit}", "{total}{unit}"),
     "drawn input "),
    ("domain_agrees_on_malformed_inputs", lambda d: d.replace("<= 20", "<= 21"), "'amounts' is"),
    ("domain_agrees_on_malformed_inputs", lambda d: d.replace("type(value) is int",
     "isinstance(value, int)"), "'amounts' is [True]"),
    ("domain_agrees_on_malformed_inputs",
     lambda d: d.replace('("amounts", "unit")', '("unit", "amounts")'), "no field at all"),
    ("domain_answers_each_time_the_same",
     lambda d: d.replace("total = sum(amounts)", "seen.append(1)\n    total = len(seen)")
     + "\n\nseen = []\n", "asked a second time"),
]  # fmt: skip


@pytest.fixture
def reference(tmp_path: Path) -> Reference:
    """A reference whose domain agrees with the toy family."""
    (tmp_path / "domain.py").write_text(textwrap.dedent(DOMAIN))
    return Reference(family="toy/amounts", domain=tmp_path / "domain.py")


@pytest.mark.parametrize("check", checks(ReferenceConformance))
def test_right_reference_passes_every_check(reference: Reference, check: str) -> None:
    """Written apart from the family, and in agreement with it."""
    assert complaint(ReferenceConformance, check, family=AMOUNTS, reference=reference) == ""


@pytest.mark.parametrize(
    ("check", "spoil", "message"),
    WRONG_DOMAINS,
    ids=[f"{check}-{n}" for n, (check, _, _) in enumerate(WRONG_DOMAINS)],
)
def test_wrong_reference_is_caught(
    reference: Reference, check: str, spoil: Callable[[str], str], message: str
) -> None:
    """Each check finds its own kind of fault, and says on which input."""
    text = reference.domain.read_text()
    reference.domain.write_text(spoil(text))
    assert reference.domain.read_text() != text
    found = complaint(ReferenceConformance, f"test_{check}", family=AMOUNTS, reference=reference)
    assert message in found


def test_reference_of_another_family_is_caught(reference: Reference) -> None:
    """It would be held against the wrong tasks."""
    other = dataclasses.replace(reference, family="kcb/amounts")
    check = "test_reference_is_one_of_this_family"
    assert complaint(ReferenceConformance, check, family=AMOUNTS, reference=other) == (
        "it says that it answers to 'kcb/amounts', and not to 'toy/amounts'"
    )
    shown = {f"test_{check}" for check, _, _ in WRONG_DOMAINS} | {check}
    assert shown == set(checks(ReferenceConformance))
