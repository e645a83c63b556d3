"""Wrong programs around the operations: the scenarios of the toy family tell each from the oracle.

Each breaks one rule that every tier has, so each is also tried in the max tier.
"""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from collections.abc import Callable

import pytest
from wrong_programs import (
    BAD_JSON,
    Answer,
    Memory,
    Wrong,
    WrongAnswers,
    answering,
    error,
    in_tiers,
    loaded,
    on_answers,
    on_codes,
    on_input,
    on_lines,
    on_requests,
)

from kcb_core.codec import Json, compact
from kcb_core.testing.toy import AMOUNTS
from kcb_core.tier import Service
from kcb_tasks.tiers.durable import MAX
from kcb_tasks.tiers.easy import EASY
from kcb_tasks.tiers.layer import ServiceTier

WRONG: dict[str, Answer] = {}
"""How each wrong program answers."""


def wrong(change: Answer) -> Answer:
    """Enter a wrong program under the name of its function."""
    WRONG[change.__name__] = change
    return change


def on_op(change: Callable[[Json], Json]) -> Answer:
    """A program that takes one operation for another."""

    def changed(request: dict[str, Json]) -> Json:
        return {**request, "op": change(request["op"])} if "op" in request else request

    return on_requests(changed)


def on_id(change: Callable[[Json], Json]) -> Answer:
    """A program that echoes another id."""
    return on_answers(lambda answered, request: {**answered, "id": change(answered["id"])})


@wrong
def blank_lines_are_skipped(oracle: Service, line: str, memory: Memory) -> Json:
    return oracle.answer(line) if line.strip() else None


@wrong
def blank_lines_are_bad_requests(oracle: Service, line: str, memory: Memory) -> Json:
    answered = oracle.answer(line)
    return answered if line.strip() else {**answered, **error("bad_request")}


@wrong
def lines_end_at_any_separator(oracle: Service, line: str, memory: Memory) -> Json:
    return BAD_JSON if len(line.splitlines()) > 1 else oracle.answer(line)


@wrong
def lines_are_cut_at_8_kib(oracle: Service, line: str, memory: Memory) -> Json:
    return oracle.answer(line[:8192])


@wrong
def deep_lines_are_refused(oracle: Service, line: str, memory: Memory) -> Json:
    return BAD_JSON if line.count("[") + line.count("{") > 60 else oracle.answer(line)


@wrong
def only_ascii_is_read(oracle: Service, line: str, memory: Memory) -> Json:
    return oracle.answer(line.encode("ascii", "replace").decode())


@wrong
def the_program_stops_at_bad_json(oracle: Service, line: str, memory: Memory) -> Json:
    if memory.get("stopped"):
        return None
    answered = oracle.answer(line)
    memory["stopped"] = answered == BAD_JSON
    return answered


@wrong
def results_are_kept_by_id(oracle: Service, line: str, memory: Memory) -> Json:
    answered = oracle.answer(line)
    return memory.setdefault(compact(answered["id"]), answered)


@wrong
def fields_of_earlier_inputs_stay(oracle: Service, line: str, memory: Memory) -> Json:
    request = loaded(line)
    if isinstance(request, dict) and isinstance(request.get("input"), dict):
        memory.update({k: v for k, v in request["input"].items() if k == "cap"})
        line = compact({**request, "input": {**memory, **request["input"]}})
    return oracle.answer(line)


@wrong
def an_id_is_looked_for_in_bad_json(oracle: Service, line: str, memory: Memory) -> Json:
    answered = oracle.answer(line)
    found = re.match(r'\{"id":(\d+)', line)
    return {**answered, "id": int(found[1])} if answered == BAD_JSON and found else answered


@wrong
def an_array_of_requests_is_carried_out(oracle: Service, line: str, memory: Memory) -> Json:
    request = loaded(line)
    if isinstance(request, list) and request and isinstance(request[0], dict):
        return oracle.answer(compact(request[0]))
    return oracle.answer(line)


@wrong
def the_id_of_an_earlier_request_is_kept(oracle: Service, line: str, memory: Memory) -> Json:
    answered, request = oracle.answer(line), loaded(line)
    if isinstance(request, dict) and "id" not in request:
        return {**answered, "id": memory.get("id")}
    memory["id"] = answered["id"]
    return answered


def _lenient(line: str) -> str:
    try:
        return compact(json.loads(line, strict=False))
    except ValueError:
        return line


def _first_value(line: str) -> str:
    try:
        return compact(json.JSONDecoder().raw_decode(line.strip())[0])
    except ValueError:
        return line


def _python_value(line: str) -> str:
    if loaded(line) is not None:
        return line
    try:
        return compact(ast.literal_eval(line.strip()))
    except (ValueError, SyntaxError, TypeError):
        return line


WRONG |= {
    "control_characters_in_strings_are_taken": on_lines(_lenient),
    "what_follows_a_value_is_ignored": on_lines(_first_value),
    "literals_of_python_are_taken": on_lines(_python_value),
    "trailing_commas_are_taken": on_lines(lambda line: re.sub(r",\s*([\]}])", r"\1", line)),
    "comments_are_taken": on_lines(lambda line: re.sub(r"^\s*/\*.*?\*/|//.*$|^#", "", line)),
    "a_missing_brace_is_added": on_lines(
        lambda line: line if loaded(line) is not None else f"{line}}}"
    ),
    "no_object_is_bad_json": on_answers(
        lambda a, r: a if isinstance(r, dict) or a == BAD_JSON else BAD_JSON
    ),
    "bad_json_is_a_bad_request": on_codes(bad_json="bad_request"),
    "a_missing_op_is_unknown": on_answers(
        lambda a, r: {**a, **error("unknown_op")} if isinstance(r, dict) and "op" not in r else a
    ),
    "an_op_that_is_no_string_is_unknown": on_answers(
        lambda a, r: (
            {**a, **error("unknown_op")}
            if isinstance(r, dict) and not isinstance(r.get("op", ""), str)
            else a
        )
    ),
    "an_unknown_op_is_a_bad_request": on_codes(unknown_op="bad_request"),
    "op_is_trimmed": on_op(lambda op: op.strip() if isinstance(op, str) else op),
    "op_is_folded": on_op(lambda op: op.lower() if isinstance(op, str) else op),
    "op_is_normalised": on_op(
        lambda op: unicodedata.normalize("NFKC", op) if isinstance(op, str) else op
    ),
    "op_ends_at_a_nul": on_op(lambda op: op.split("\0")[0] if isinstance(op, str) else op),
    "op_in_an_array_is_taken": on_op(lambda op: op[0] if isinstance(op, list) and op else op),
    "an_empty_op_is_missing": on_op(lambda op: None if op == "" else op),
    "names_of_members_are_folded": on_requests(lambda r: {k.lower(): v for k, v in r.items()}),
    "further_members_are_refused": on_answers(
        lambda a, r: (
            {**a, **error("bad_request")}
            if isinstance(r, dict) and r.get("op") == "evaluate" and len(r) > 3
            else a
        )
    ),
    "a_request_without_id_is_refused": on_answers(
        lambda a, r: {**a, **error("bad_request")} if isinstance(r, dict) and "id" not in r else a
    ),
    "a_null_id_is_left_out": on_answers(
        lambda a, r: {k: v for k, v in a.items() if k != "id" or v is not None}
    ),
    "an_absent_id_is_left_out": on_answers(
        lambda a, r: {k: v for k, v in a.items() if k != "id" or (isinstance(r, dict) and k in r)}
    ),
    "an_id_becomes_a_string": on_id(lambda i: i if i is None else str(i)),
    "an_id_becomes_an_integer": on_id(
        lambda i: int(i) if isinstance(i, str) and i.isdecimal() else i
    ),
    "an_id_is_text_or_number": on_id(lambda i: i if isinstance(i, str | int | float) else None),
    "an_id_is_hashable": on_id(lambda i: None if isinstance(i, list | dict) else i),
    "a_boolean_id_is_a_number": on_id(lambda i: int(i) if isinstance(i, bool) else i),
    "a_float_id_is_cut": on_id(lambda i: int(i) if isinstance(i, float) and abs(i) < 1e9 else i),
    "a_false_id_is_missing": on_id(lambda i: i or None),
    "an_id_is_trimmed": on_id(lambda i: i.strip() if isinstance(i, str) else i),
    "an_id_is_normalised": on_id(
        lambda i: unicodedata.normalize("NFC", i) if isinstance(i, str) else i
    ),
    "an_id_ends_at_64_characters": on_id(lambda i: i[:32] if isinstance(i, str) else i),
    "an_id_is_echoed_only_on_success": on_answers(lambda a, r: a if a["ok"] else {**a, "id": None}),
    "errors_have_a_message": on_answers(
        lambda a, r: a if a["ok"] else {**a, "error": {**a["error"], "message": "no"}}
    ),
    "errors_are_strings": on_answers(
        lambda a, r: a if a["ok"] else {**a, "error": a["error"]["code"]}
    ),
    "ok_is_left_out": on_answers(lambda a, r: {k: v for k, v in a.items() if k != "ok"}),
    "the_result_is_null_on_errors": on_answers(lambda a, r: {"result": None, **a}),
    "a_missing_input_is_a_missing_field": on_answers(
        lambda a, r: (
            {**a, **error("missing_field", field="input")}
            if isinstance(r, dict) and r.get("op") == "evaluate" and "input" not in r
            else a
        )
    ),
    "a_null_input_is_empty": on_input(lambda i: {} if i is None else i),
    "an_input_may_be_text": on_input(
        lambda i: loaded(i) if isinstance(i, str) and loaded(i) else i
    ),
    "an_input_may_be_in_an_array": on_input(lambda i: i[0] if isinstance(i, list) and i else i),
    "an_empty_input_is_missing": on_input(lambda i: i if i else None),
    "op_is_looked_at_after_input": on_answers(
        lambda a, r: (
            {**a, **error("bad_request")}
            if isinstance(r, dict)
            and a.get("error", {}).get("code") == "unknown_op"
            and not isinstance(r.get("input"), dict)
            else a
        )
    ),
}


PROGRAMS = in_tiers((EASY, MAX), WRONG, answering)


@pytest.mark.parametrize("wrong", PROGRAMS, ids=str)
def test_a_wrong_program_is_told_apart(
    wrong: Wrong, first_failure: Callable[..., str | None]
) -> None:
    """A rule that no scenario checks is a rule that a solution may break."""
    caught = first_failure(wrong.tier, wrong.start)
    assert caught, f"no scenario tells {wrong} from the oracle"


@pytest.mark.parametrize("tier", [EASY, MAX], ids=["easy", "max"])
def test_the_oracle_itself_is_not_told_apart(
    tier: ServiceTier, first_failure: Callable[..., str | None]
) -> None:
    """Otherwise the other test would show nothing."""
    same_answer = lambda oracle, line, memory: oracle.answer(line)  # noqa: E731
    assert first_failure(tier, lambda: WrongAnswers(tier.service(AMOUNTS), same_answer)) is None
