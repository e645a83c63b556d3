"""What every family and every reference keeps, as classes that a plug-in's own tests inherit.

::

    class TestGreeting(FamilyConformance):
        family = FAMILY

They say nothing of whether a contract is a good one.
"""

from __future__ import annotations

import ast
import copy
import functools
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from kcb_core.codec import Json, ascii_line, canonical, parse
from kcb_core.equality import difference
from kcb_core.family import Case, Family, answer, generated_inputs
from kcb_core.roles import Reference
from kcb_core.testing import probes

TIMEOUT_S = 120
"""How long a process that is started here may take."""


class FamilyConformance:
    """What every family keeps. A subclass sets :attr:`family`."""

    family: ClassVar[Family]
    """The family under test."""
    address: ClassVar[str] = ""
    """Where another process imports it from, as ``module:NAME``; by default it is looked up."""
    seed: ClassVar[int] = 1729
    """Seed of the inputs that are drawn."""
    draws: ClassVar[int] = 200
    """How many inputs are drawn; a dataset takes the first 24."""
    floats: ClassVar[bool] = False
    """Whether results may hold floats. Better they do not: integers and strings are compared
    exactly."""

    def test_cases_written_by_hand_agree_with_the_rules(self) -> None:
        """A case and the code were written apart, so where they differ one of them is wrong."""
        for name, case in _cases(self.family):
            expected = {"error": {"code": case.error}} if case.error else {"result": case.result}
            received = answer(self.family, copy.deepcopy(case.input))
            if case.error in ("missing_field", "invalid_field"):
                received = {"error": {"code": received.get("error", {}).get("code")}}
            _equal(expected, received, f"the {name} {case.input!r}")

    def test_cases_written_by_hand_are_distinct(self) -> None:
        """A case that stands twice looks like two checks; an example must not be judged again."""
        seen: dict[bytes, str] = {}
        for name, case in _cases(self.family):
            before = seen.setdefault(canonical(case.input), name)
            assert before is name, f"the {name} and the {before} have the input {case.input!r}"

    def test_examples_show_a_result_and_an_error(self) -> None:
        """The two examples are all that a model sees of answers: one of each kind."""
        result, error = self.family.examples
        assert result.error is None, f"the first example is the error {result.error!r}"
        assert error.error is not None, "the second example is no error"

    def test_there_are_boundaries_and_malformed_inputs(self) -> None:
        """Generated inputs are typical ones; what is special about a domain is written by hand."""
        assert self.family.boundaries, "there is no boundary case"
        assert self.family.malformed, "there is no malformed input"

    def test_every_error_is_reached(self) -> None:
        """An error that no input meets is promised in the prompt and never checked."""
        reached = {case.error for case in self.family.boundaries} | self._codes()
        missing = [error.code for error in self.family.errors if error.code not in reached]
        assert not missing, f"no boundary case and no drawn input answers {missing}"

    def test_only_declared_errors_are_answered(self) -> None:
        """A model can know only the errors that the contract lists.

        That no code is one of the protocol's is checked when a family is declared.
        """
        declared = [error.code for error in self.family.errors]
        assert len(set(declared)) == len(declared), f"an error is declared twice: {declared}"
        stray = sorted(self._codes() - set(declared))
        assert not stray, f"drawn inputs are answered with codes that are not declared: {stray}"

    def test_drawn_inputs_keep_to_the_fields(self) -> None:
        """A drawn input with an invalid field tests the field check and none of the rules."""
        for fields in self._inputs():
            for member in self.family.fields:
                given = member.name in fields
                assert given or not member.required, f"{member.name!r} is missing: {fields!r}"
                admitted = not given or member.shape.admits(fields[member.name])
                assert admitted, f"{member.name!r} is not {member.shape.describe()}: {fields!r}"
            stray = fields.keys() - {member.name for member in self.family.fields}
            assert not stray, f"the contract names no field {sorted(stray)}"

    def test_drawn_inputs_vary(self) -> None:
        """A dataset holds the first 24; inputs that repeat among them test nothing more."""
        first = [canonical(fields) for fields in self._inputs()[:24]]
        assert len(set(first)) >= len(first) // 2, "more than half of the first 24 inputs repeat"

    def test_inputs_may_be_sent(self) -> None:
        """Behaviour is not defined for what the prompt says is never sent, so no test may send it.

        That is: integers beyond 2^53 - 1, ``-0.0``, halves of surrogate pairs, deep nesting, lines
        that are too long.
        """
        written = [case.input for _, case in _cases(self.family)]
        for fields in [*written, *self.family.malformed, *self._inputs()]:
            fault = probes.input_fault(fields)
            assert fault is None, f"{fault}, in {fields!r}"
        for what, fields in probes.field_probes(self.family):
            fault = probes.input_fault(fields)
            assert fault is None, f"{fault}, where {what}"

    def test_one_seed_gives_the_same_inputs_again(self) -> None:
        """Datasets are rebuilt to the byte, so an input depends on its generator and no more."""
        first = [ascii_line(fields) for fields in self._inputs()]
        state = random.getstate()
        again = [ascii_line(f) for f in generated_inputs(self.family, self.seed, self.draws)]
        assert again == first, "the same seed gives other inputs the second time"
        assert random.getstate() == state, "generate uses the shared generator of the process"

    def test_other_processes_draw_and_answer_the_same(self) -> None:
        """The order of a set of strings differs between processes; nothing may show it."""
        pairs = zip(self._inputs(), self._answers(), strict=True)
        here = [canonical(pair).decode() for pair in pairs]
        for hash_seed in ("0", "4242"):
            there = _elsewhere(self._address(), self.seed, self.draws, hash_seed)
            for index, (left, right) in enumerate(zip(here, there, strict=True)):
                assert left == right, f"input {index}: here {left}, in another process {right}"

    def test_inputs_are_left_unchanged(self) -> None:
        """A stored document is evaluated again and again; the first time must not spoil it."""
        for fields in self._all_inputs():
            before = ascii_line(fields)
            answer(self.family, fields)
            assert ascii_line(fields) == before, f"evaluate has changed {before}"

    def test_answers_do_not_depend_on_what_came_before(self) -> None:
        """An oracle that remembers answers by the order of the questions."""
        inputs = list(self._all_inputs())
        first = [answer(self.family, copy.deepcopy(fields)) for fields in inputs]
        said = [canonical(given) for given in first]
        for given in first:
            _empty(given)
        for fields, before in reversed(list(zip(inputs, said, strict=True))):
            again = canonical(answer(self.family, copy.deepcopy(fields)))
            assert again == before, f"{fields!r} is answered {before!r}, then {again!r}"

    def test_results_are_plain_json(self) -> None:
        """What is stored is what was computed: no tuples, no NaN, no names that are no strings."""
        for fields, given in zip(self._inputs(), self._answers(), strict=True):
            fault = probes.result_fault(given.get("result"), floats=self.floats)
            assert fault is None, f"the result of {fields!r}: {fault}"
        for name, case in _cases(self.family):
            fault = probes.result_fault(case.result, floats=self.floats)
            assert fault is None, f"the result of the {name}: {fault}"

    def test_malformed_inputs_are_errors_of_a_field(self) -> None:
        """They are there to show that bad fields are refused; one that is admitted does not."""
        for fields in self.family.malformed:
            given = answer(self.family, copy.deepcopy(fields))
            code = given.get("error", {}).get("code")
            assert code in ("missing_field", "invalid_field"), f"{fields!r} is answered {given!r}"

    def test_edges_of_fields_are_answered(self) -> None:
        """Scenarios are made of these inputs; the rules must have an answer to every one."""
        known = {"missing_field", "invalid_field", *(error.code for error in self.family.errors)}
        for what, fields in probes.field_probes(self.family):
            given = answer(self.family, copy.deepcopy(fields))
            assert given.keys() in ({"result"}, {"error"}), f"{given!r} is no answer, where {what}"
            code = given["error"]["code"] if "error" in given else None
            assert code is None or code in known, f"{code!r} is not declared, where {what}"
            fault = probes.result_fault(given.get("result"), floats=self.floats)
            assert fault is None, f"the result, where {what}: {fault}"

    def test_fields_keep_their_own_word(self) -> None:
        """A shape gives contract, check and probes; they must say the same."""
        names = [member.name for member in self.family.fields]
        assert len(set(names)) == len(names), f"a field is declared twice: {names}"
        for member in self.family.fields:
            shape, name = member.shape, member.name
            assert shape.describe().strip(), f"{name!r} has no words for the contract"
            assert shape.admits(shape.sample()), f"{name!r} does not admit its own sample"
            for value in shape.extremes():
                assert shape.admits(value), f"{name!r} does not admit its own extreme {value!r}"
            for value in shape.violations():
                assert not shape.admits(value), f"{name!r} admits its own violation {value!r}"
            fits = not member.has_default or shape.admits(member.default)
            assert fits, f"{name!r} refuses its default {member.default!r} when it is sent"

    def test_contract_has_words_for_everything(self) -> None:
        """The prompt is made of these texts; an empty one leaves a rule to be guessed."""
        family = self.family
        for name in ("title", "category", "summary", "result", "precedence"):
            assert getattr(family, name).strip(), f"{name} is empty"
        for error in family.errors:
            assert error.when.strip(), f"nothing is said about when {error.code!r} is answered"

    def test_contract_names_what_it_means(self) -> None:
        """A field that no sentence names does something unsaid, as does a member of a result.

        Names are looked for between backticks. Members of objects whose names come from the data
        are left out: they have no name in common, or their name stands in the input.
        """
        family = self.family
        conditions = [error.when for error in family.errors]
        notes = [member.note for member in family.fields]
        spans = probes.code_spans(
            family.summary, family.result, family.precedence, family.rules, *conditions, *notes
        )
        for member in family.fields:
            named = member.note.strip() or probes.named(member.name, spans)
            assert named, f"no sentence of the contract says what the field {member.name!r} means"
        for name in sorted(self._members()):
            assert probes.named(name, spans), f"no sentence names the member {name!r} of results"

    @classmethod
    def _inputs(cls) -> list[dict[str, Json]]:
        return _drawn(_Same(cls.family), cls.seed, cls.draws)[0]

    @classmethod
    def _answers(cls) -> list[dict[str, Json]]:
        return _drawn(_Same(cls.family), cls.seed, cls.draws)[1]

    @classmethod
    def _all_inputs(cls) -> Iterator[dict[str, Json]]:
        yield from copy.deepcopy(cls._inputs())
        for _, case in _cases(cls.family):
            yield copy.deepcopy(case.input)

    @classmethod
    def _codes(cls) -> set[str]:
        return {given["error"]["code"] for given in cls._answers() if "error" in given}

    @classmethod
    def _members(cls) -> set[str]:
        pairs = [*zip(cls._inputs(), cls._answers(), strict=True)]
        pairs += [(c.input, {"result": c.result}) for _, c in _cases(cls.family) if not c.error]
        from_data = set().union(*(probes.names_in(fields) for fields, _ in pairs))
        members = probes.record_members([g["result"] for _, g in pairs if "result" in g])
        return members - from_data

    @classmethod
    def _address(cls) -> tuple[str, str]:
        if cls.address:
            module, _, name = cls.address.partition(":")
            return module, name
        found = probes.address_of(cls.family, cls.family.generate.__module__)
        assert found, "no module holds the family; set address = 'module:NAME'"
        return found


class ReferenceConformance:
    """What every reference keeps: its domain agrees with the family, and shares nothing with it.

    A subclass sets :attr:`family` and :attr:`reference`. The domain is run as a candidate is, by
    an interpreter that sees the standard library alone.
    """

    family: ClassVar[Family]
    """The family that the reference answers to."""
    reference: ClassVar[Reference]
    """The reference under test."""
    seed: ClassVar[int] = 1729
    """Seed of the inputs that are drawn."""
    draws: ClassVar[int] = 200
    """How many inputs are drawn."""

    def test_reference_is_one_of_this_family(self) -> None:
        """A reference under another family's name would be held against the wrong tasks."""
        told, name = self.reference.family, self.family.name
        assert told == name, f"it says that it answers to {told!r}, and not to {name!r}"

    def test_domain_imports_the_standard_library_alone(self) -> None:
        """A reference that shares code with the oracle agrees with it whatever both do wrong."""
        tree = ast.parse(self.reference.domain.read_bytes())
        for module in _imported(tree):
            assert module in sys.stdlib_module_names, (
                f"the domain imports {module or 'a neighbour'}"
            )

    def test_domain_agrees_on_cases_written_by_hand(self) -> None:
        """Golden case, boundaries and examples are what the contract was written around."""
        self._agree((f"the {name}", case.input) for name, case in _cases(self.family))

    def test_domain_agrees_on_drawn_inputs(self) -> None:
        """Two programs written apart that agree on many inputs are evidence that both are right."""
        inputs = generated_inputs(self.family, self.seed, self.draws)
        self._agree((f"drawn input {index}", fields) for index, fields in enumerate(inputs))

    def test_domain_agrees_on_malformed_inputs(self) -> None:
        """Field errors come before the rules, in an order that the contract gives."""
        self._agree(("malformed input", fields) for fields in self.family.malformed)
        self._agree(probes.field_probes(self.family))

    def test_domain_answers_each_time_the_same(self) -> None:
        """What a domain remembers of one request must not show in the answer to another."""
        inputs = [case.input for _, case in _cases(self.family)]
        inputs += generated_inputs(self.family, self.seed, 24)
        received = _domain_answers(self.reference, [*inputs, *reversed(inputs)])
        again = reversed(received[len(inputs) :])
        for fields, first, second in zip(inputs, received, again, strict=False):
            _equal(first, second, f"{ascii_line(fields)[:400]}, asked a second time")

    def _agree(self, asked: Iterable[tuple[str, dict[str, Json]]]) -> None:
        pairs = list(asked)
        received = _domain_answers(self.reference, [fields for _, fields in pairs])
        for (what, fields), given in zip(pairs, received, strict=True):
            expected = answer(self.family, copy.deepcopy(fields))
            _equal(expected, given, f"{what}, {ascii_line(fields)[:400]}")


class _Same:
    """A family as a key of a cache: itself, whatever it holds."""

    def __init__(self, family: Family) -> None:
        self.family = family

    def __hash__(self) -> int:
        return id(self.family)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.family is other.family


@functools.lru_cache(maxsize=4)
def _drawn(
    same: _Same, seed: int, draws: int
) -> tuple[list[dict[str, Json]], list[dict[str, Json]]]:
    inputs = generated_inputs(same.family, seed, draws)
    return inputs, [answer(same.family, copy.deepcopy(fields)) for fields in inputs]


def _cases(family: Family) -> list[tuple[str, Case]]:
    """Every case that was written by hand, with a name for messages."""
    found = [("golden case", family.golden)]
    found += [(f"boundary {index}", case) for index, case in enumerate(family.boundaries)]
    return found + [(f"example {index}", case) for index, case in enumerate(family.examples)]


def _equal(expected: Json, received: Json, what: str) -> None:
    found = difference(expected, received)
    assert found is None, f"{what}: {found}"


def _empty(value: Json) -> None:
    """Take everything out of a value, so that whoever still holds a part of it is found out."""
    for part in list(value.values()) if isinstance(value, dict) else list(value):
        if isinstance(part, dict | list):
            _empty(part)
    value.clear()


_DRAW = """
import importlib, sys
from kcb_core.codec import canonical
from kcb_core.family import answer, generated_inputs

module, name, seed, draws = sys.argv[1:]
family = getattr(importlib.import_module(module), name)
for fields in generated_inputs(family, int(seed), int(draws)):
    print(canonical([fields, answer(family, fields)]).decode())
"""


def _elsewhere(address: tuple[str, str], seed: int, draws: int, hash_seed: str) -> list[str]:
    """What another process, with other hashes of strings, draws and answers."""
    done = subprocess.run(
        [sys.executable, "-c", _DRAW, *address, str(seed), str(draws)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_S,
    )
    hint = "set address = 'module:NAME' if it cannot be imported from there"
    assert done.returncode == 0, f"{':'.join(address)}: {done.stderr[-2_000:]}{hint}"
    return done.stdout.splitlines()


_ASK = """
import importlib.util, json, sys

spec = importlib.util.spec_from_file_location("domain", sys.argv[1])
domain = importlib.util.module_from_spec(spec)
spec.loader.exec_module(domain)
for line in sys.stdin:
    print(json.dumps(domain.answer(json.loads(line)), allow_nan=False))
"""


def _domain_answers(reference: Reference, inputs: Sequence[dict[str, Json]]) -> list[Json]:
    """What a domain module answers, in a process that sees the standard library alone."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _ASK, str(reference.domain)],
        input="".join(f"{ascii_line(fields)}\n" for fields in inputs),
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_S,
    )
    lines = done.stdout.splitlines()
    assert done.returncode == 0, f"after {len(lines)} answers: {done.stderr[-2_000:]}"
    assert len(lines) == len(inputs), f"{len(inputs)} inputs, {len(lines)} lines of output"
    return [parse(line.encode(), source=str(reference.domain)) for line in lines]


def _imported(tree: ast.AST) -> Iterator[str]:
    """Top-level names of what a module imports, wherever the statement stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "" if node.level else (node.module or "").partition(".")[0]
