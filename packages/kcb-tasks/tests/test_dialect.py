"""A task in a dialect: every name in prompt and scenarios is changed, and nothing else is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kcb_core.codec import Json, compact, parse
from kcb_core.dataset import decode_record
from kcb_core.errors import DeclarationError, MalformedJson, UnknownNameError
from kcb_core.family import ErrorCode, Family
from kcb_core.shape import Choice, Record, absentable, required
from kcb_core.task import Scenario, Session, Task, line_of
from kcb_core.testing.toy import AMOUNTS
from kcb_core.vocabulary import (
    ENVELOPE,
    ERRORS,
    OPERATIONS,
    PARAMETERS,
    PROTOCOL,
    RESULTS,
    SHIPPED,
    FamilyNames,
    Vocabulary,
    permutation,
)
from kcb_tasks.build import SHIPPED_SEED, build
from kcb_tasks.dialect import in_dialect, wire_of
from kcb_tasks.rewording import retitled, reworded, words_in_code
from kcb_tasks.scenarios.wire import Wire
from kcb_tasks.task import build_task
from kcb_tasks.tiers.layer import ServiceTier
from kcb_tasks.tiers.shipped import TIERS

NEW = Vocabulary(
    protocol={name: f"{name}_x" for name in PROTOCOL},
    families={
        "amounts": FamilyNames(
            fields={"amounts": "sums", "unit": "cap", "cap": "unit"},
            errors={"no_amounts": "over_cap", "over_cap": "no_amounts"},
        )
    },
)
"""Every name of the protocol is new; fields and errors of the toy family change places."""

NOTHING = Wire(protocol={}, fields={}, codes={})


@cache
def canonical(tier: ServiceTier) -> Task:
    """The toy family's task in a tier."""
    return build_task(AMOUNTS, tier, SHIPPED_SEED)


def sessions(task: Task) -> Iterator[Session]:
    """All sessions of a task's scenarios."""
    for scenario in (*task.public_tests, *task.acceptance_tests):
        yield from scenario.sessions


def spoken(*requests: Json, wire: Wire | None = None) -> list[Json]:
    """Requests in the dialect; answers to them do not matter."""
    expected = ({"id": None, "ok": False, "error": {"code": "bad_json"}},) * len(requests)
    played = Scenario(name="s", sessions=(Session(requests=requests, expected=expected),))
    return list((wire or wire_of(AMOUNTS, NEW)).scenario(played).sessions[0].requests)


def names_in_answer(request: Json, answer: dict[str, Json]) -> Iterator[str]:
    """Names of the protocol in an answer, found without the code under test."""
    yield from answer
    error = answer.get("error", {})
    yield from (*error, *([error["code"]] if error else []))
    result = answer.get("result")
    if isinstance(result, dict) and not request["op"].startswith("evaluate"):
        yield from result
        elements = request["ops"] if "results" in result else []
        for element, inner in zip(elements, result.get("results", []), strict=True):
            yield from names_in_answer(element, {"result": inner})
        for entry in result.get("entries", []):
            yield from entry


def test_the_tiers_use_the_names_of_the_vocabulary_and_no_others() -> None:
    """A name that the vocabulary lacks is one that no dialect could change."""
    table = TIERS[-1].operations(AMOUNTS)
    assert set(table) == set(OPERATIONS)
    parameters = {parameter.name for op in table.values() for parameter in op.parameters}
    assert parameters == set(PARAMETERS)
    seen: set[str] = set()
    for session in sessions(canonical(TIERS[-1])):
        for request, answer in zip(session.requests, session.expected, strict=True):
            asked = (
                request if isinstance(request, dict) or "error" in answer else json.loads(request)
            )
            seen.update(names_in_answer(asked, answer))
    own = {error.code for error in AMOUNTS.errors}
    assert seen - own == {*ENVELOPE, *RESULTS, *ERRORS} - {"op"}


@pytest.mark.parametrize("tier", TIERS, ids=lambda tier: tier.name)
def test_the_shipped_vocabulary_leaves_a_task_as_it_is(tier: ServiceTier) -> None:
    """To the byte: also where every scenario passes through the translation."""
    task = canonical(tier)
    assert in_dialect(task, AMOUNTS, SHIPPED) is task
    for scenario in task.acceptance_tests:
        assert repr(NOTHING.scenario(scenario)) == repr(scenario)


@pytest.mark.parametrize("tier", TIERS, ids=lambda tier: tier.name)
def test_a_dialect_can_be_undone(tier: ServiceTier) -> None:
    """All requests come back by the inverse names, so nothing was lost and no two became one."""
    wire = wire_of(AMOUNTS, NEW)
    back = Wire(
        protocol={word: name for name, word in wire.protocol.items()},
        fields={word: name for name, word in wire.fields.items()},
        codes={},
    )
    for session in sessions(canonical(tier)):
        for request in session.requests:
            value = request if isinstance(request, dict) else _parsed(request)
            there = wire.request(value)
            again = _undone(back, there)
            assert compact(again) == compact(value)


def _parsed(line: str) -> Json:
    """What a raw line holds; one that is no JSON holds no names."""
    try:
        return parse(line.encode())
    except MalformedJson:
        return None


def _undone(back: Wire, request: Json) -> Json:
    """A request in canonical names, by another way than the one under test."""
    if not isinstance(request, dict):
        return request
    undone = {back.protocol.get(name, name): value for name, value in request.items()}
    if isinstance(undone.get("op"), str):
        undone["op"] = back.protocol.get(undone["op"], undone["op"])
    if isinstance(undone.get("ops"), list):
        undone["ops"] = [_undone(back, element) for element in undone["ops"]]
    for name in {"input", "value"} & undone.keys():
        if isinstance(undone[name], dict):
            undone[name] = {back.fields.get(n, n): v for n, v in undone[name].items()}
    return undone


def test_names_are_changed_where_they_stand_for_something_and_nowhere_else() -> None:
    """Ids, keys, tokens and the inside of values are data, whatever words they hold."""
    words = {"op": "put", "key": "id"}
    (put,) = spoken({"id": words, "op": "put", "key": "put", "value": {"cap": words, "op": 1}})
    assert put == {
        "id_x": words,
        "op_x": "put_x",
        "key_x": "put",
        "value_x": {"unit": words, "op": 1},
    }
    (evaluate,) = spoken({"op": "evaluate", "input": {"amounts": [{"cap": 1}], "x": 0}})
    assert evaluate == {"op_x": "evaluate_x", "input_x": {"sums": [{"cap": 1}], "x": 0}}
    (batch,) = spoken({"op": "batch", "token": "t", "ops": [{"op": "get", "key": "a"}, "put", 1]})
    elements = [{"op_x": "get_x", "key_x": "a"}, "put", 1]
    assert batch == {"op_x": "batch_x", "token_x": "t", "ops_x": elements}
    assert spoken({"op": 5, "put_x": 1, "Op": "put"}) == [{"op_x": 5, "put": 1, "Op": "put"}]


def test_answers_are_changed_by_what_was_asked() -> None:
    """The result of a contract is its own; stored values come back as they were put."""
    wire = wire_of(AMOUNTS, NEW)
    value = {"cap": {"value": 1}}
    got = {"value": value, "revision": 1}
    asked: list[Json] = [{"op": "get"}, {"op": "evaluate"}, {"op": "list"}]
    given = [got, {"value": {"cap": 1}}, {"keys": ["value"], "next": "keys"}]
    answer = wire.answer(
        {"op": "batch", "ops": asked}, {"id": {"ok": 1}, "result": {"results": given}}
    )
    results = [
        {"value_x": {"unit": {"value": 1}}, "revision_x": 1},
        {"value": {"cap": 1}},
        {"keys_x": ["value"], "next_x": "keys"},
    ]
    assert answer == {"id_x": {"ok": 1}, "result_x": {"results_x": results}}
    entries: Json = {"entries": [{"revision": 1, "value": value}, {"deleted": True}]}
    history = wire.answer({"op": "history"}, {"result": entries})["result_x"]
    assert history == {
        "entries_x": [{"revision_x": 1, "value_x": {"unit": {"value": 1}}}, {"deleted_x": True}]
    }
    fault = {"code": "invalid_field", "field": "cap", "index": 3}
    assert wire.answer({}, {"error": fault})["error_x"] == {
        "code_x": "invalid_field_x", "field_x": "unit", "index_x": 3
    }  # fmt: skip
    assert wire.answer({}, {"error": {"code": "over_cap"}})["error_x"] == {"code_x": "no_amounts"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (' { "id" :1.50 ,\t"op":"get"}', ' { "id_x" :1.50 ,\t"op_x":"get_x"}'),
        ('{"op":"put","key":"\\u0070ut","value":"\\"op\\""}',
         '{"op_x":"put_x","key_x":"\\u0070ut","value_x":"\\"op\\""}'),
        ('{"\\u006fp":"get"}', '{"' + "".join(f"\\u{ord(c):04x}" for c in "op_x") + '":"get_x"}'),
        ('[{"op":"get"}]', '[{"op":"get"}]'),
        ('{"op":"get"', '{"op":"get"'),
        ('{"op":"get"}}', '{"op":"get"}}'),
        ("", ""),
    ],
)  # fmt: skip
def test_a_raw_line_keeps_its_spelling(line: str, expected: str) -> None:
    """White space, escapes and numbers are what such a line is for; one that is no JSON stays."""
    assert spoken(line) == [expected]


_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.sampled_from(["", "op", "é\u2028", '"\\\n', "😀"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["op", "op_x", "cap", "é", "", "ops"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@settings(deadline=None)  # a busy machine is no fault
@given(st.dictionaries(st.sampled_from([*PROTOCOL[:20], "op_x", "a"]), _VALUES, max_size=5))
def test_a_line_and_an_object_become_the_same(request_: dict[str, Json]) -> None:
    """Whichever way a request is recorded, the dialect of it is one."""
    line, other = spoken(json.dumps(request_, indent=None), request_)
    assert json.loads(line) == json.loads(line_of(other))
    assert list(json.loads(line)) == list(other)


@pytest.mark.parametrize("tier", TIERS, ids=lambda tier: tier.name)
def test_a_prompt_in_a_dialect_names_nothing_by_its_canonical_name(tier: ServiceTier) -> None:
    """A model that is told an old name would be judged by a new one."""
    task = in_dialect(canonical(tier), AMOUNTS, NEW)
    protocol, contract = task.prompt.split("## Contract\n")
    old = set(words_in_code(canonical(tier).prompt.split("## Contract\n")[0])) & set(PROTOCOL)
    told = set(words_in_code(protocol))
    assert told & set(PROTOCOL) == set()
    assert {f"{name}_x" for name in old} <= told
    assert "## evaluate_x\n" in protocol
    assert "Fields of `input_x`, in this order:" in contract
    assert "| `sums` | required |" in contract
    assert "| `unit` | optional, default `1000` |" in contract
    assert (
        "1. `over_cap`: `sums` is empty.\n2. `no_amounts`: The sum is greater than `unit`."
        in contract
    )
    assert '\n{"id_x":1,"op_x":"evaluate_x","input_x":{"sums":[2,5],"cap":"m"}}\n' in contract
    assert '\n{"id_x":"b","ok_x":false,"error_x":{"code_x":"no_amounts"}}\n' in contract
    prose = re.compile(r"`[^`]*`|\{.*\}|## evaluate\w*")
    assert prose.sub("", task.prompt) == prose.sub("", canonical(tier).prompt)


def test_inline_code_is_reworded_and_prose_and_fences_are_not() -> None:
    """Whole words only, in spans of any number of backticks."""
    text = "a `a` `a.b(a)` ``a ` a`` aa `aa` ab `x\na`\n```text\n`a` a\n```\n`a`\n"
    done = "a `z` `z.b(z)` ``z ` z`` aa `aa` ab `x\nz`\n```text\n`a` a\n```\n`z`\n"
    assert reworded(text, {"a": "z"}) == done
    assert retitled("## a\na\n## a b\n# a\n", {"a": "z"}) == "## z\na\n## a b\n# z\n"


def naming(family: str = "amounts", **names: dict[str, str]) -> Vocabulary:
    """A vocabulary that renames in one family alone."""
    return Vocabulary(families={family: FamilyNames(**names)})


_ENTRIES = Record((required("cap", Choice(("unit", "whole"))),))
_ODD = replace(AMOUNTS, fields=(*AMOUNTS.fields, absentable("extra", _ENTRIES)))
_TWOFOLD = replace(AMOUNTS, errors=(*AMOUNTS.errors, ErrorCode("cap", "Never.")))


@pytest.mark.parametrize(
    ("family", "vocabulary", "message"),
    [
        (
            AMOUNTS,
            naming(fields={"amount": "x"}),
            "unknown name in the vocabulary of the fields of",
        ),
        (AMOUNTS, naming(errors={"cap": "x"}), "unknown name in the vocabulary of the errors of"),
        (AMOUNTS, naming(fields={"cap": "unit"}), "'unit' and 'cap' are both called 'unit'"),
        (AMOUNTS, naming(errors={"over_cap": "no_amounts"}), "are both called 'no_amounts'"),
        (AMOUNTS, naming(errors={"over_cap": "conflict"}), "'conflict' and 'over_cap' are both"),
        (
            AMOUNTS,
            Vocabulary(protocol={"conflict": "over_cap"}),
            "'conflict' and 'over_cap' are both called 'over_cap'",
        ),
        (AMOUNTS, naming(fields={"cap": "total"}), "'total' means something else too in the"),
        (_ODD, naming(fields={"cap": "most"}), "'cap' cannot be called 'most'; 'cap' means"),
        (_ODD, naming(fields={"unit": "noun"}), "'unit' means something else too"),
        (_ODD, naming(fields={"amounts": "whole"}), "'whole' means something else too"),
        (_TWOFOLD, naming(fields={"cap": "most"}), "'cap' means something else too"),
    ],
)
def test_a_vocabulary_that_does_not_fit_a_family_is_refused(
    family: Family, vocabulary: Vocabulary, message: str
) -> None:
    """A prompt in which a word could mean two things would ask for what nobody can know."""
    with pytest.raises(DeclarationError) as caught:
        in_dialect(canonical(TIERS[0]), family, vocabulary)
    assert message in str(caught.value)
    assert "amounts" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_codes_of_protocol_and_contract_may_change_places() -> None:
    """What counts is that no two are the same in the end."""
    own = FamilyNames(errors={"over_cap": "conflict"})
    wire = wire_of(
        AMOUNTS, Vocabulary(protocol={"conflict": "over_cap"}, families={"amounts": own})
    )
    assert (wire.codes["over_cap"], wire.codes["conflict"]) == ("conflict", "over_cap")


def test_a_prompt_without_its_contract_is_refused() -> None:
    """Of a stranger's tier nobody knows what its words mean."""
    foreign = msgspec.structs.replace(canonical(TIERS[0]), prompt="Do `put`.")
    assert in_dialect(foreign, AMOUNTS, SHIPPED) is foreign
    with pytest.raises(DeclarationError, match="does not hold the contract as a whole"):
        in_dialect(foreign, AMOUNTS, NEW)


def test_a_line_that_becomes_too_long_is_refused() -> None:
    """A name that is longer by a little is too much where a line is as long as it may be."""
    text = "x" * ((256 << 10) - 24)
    assert spoken({"op": "put", "value": text}, wire=NOTHING)
    with pytest.raises(DeclarationError, match="more than 262144 bytes"):
        spoken({"op": "put", "value": text})


def test_a_dataset_says_which_names_it_speaks() -> None:
    """The manifest holds the vocabulary if there is one, and is as it was if there is none."""
    easy = TIERS[:1]
    built = build([AMOUNTS], easy, seed=1, version="1", packages={}, vocabulary=NEW)
    assert built.manifest.vocabulary == NEW
    (line,) = built.data["easy.jsonl"].splitlines()
    assert decode_record(line, source="x") == build_task(AMOUNTS, TIERS[0], 1, NEW)
    plain = build([AMOUNTS], easy, seed=1, version="1", packages={})
    same = Vocabulary(protocol={"put": "put"})
    assert plain.files == build(
        [AMOUNTS], easy, seed=1, version="1", packages={}, vocabulary=same
    ).files  # fmt: skip
    with pytest.raises(UnknownNameError, match="unknown family in the vocabulary 'amount'"):
        build([AMOUNTS], easy, seed=1, version="1", packages={}, vocabulary=naming("amount"))


def test_a_permutation_of_the_protocol_keeps_words_that_are_no_names() -> None:
    """The scripts' near misses stay unknown, also where one of them became a name."""
    taken = Vocabulary(protocol={"evaluate": "Evaluate"})
    wire = wire_of(AMOUNTS, taken)
    requests = [{"op": "evaluate"}, {"op": "Evaluate"}, {"op": "eval"}]
    ops = [request["op"] for request in spoken(*requests, wire=wire)]
    assert ops == ["Evaluate", "evaluate", "eval"]
    assert wire.protocol == permutation({"evaluate": "Evaluate"})
