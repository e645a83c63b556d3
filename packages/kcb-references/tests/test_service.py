"""The service shells, run as the exported programs that they are made for.

The contract is a small invented one, and badly behaved on purpose: it empties the object that it is
given. Whatever a shell keeps must survive that.
"""

import ast
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

import kcb_references
from kcb_core.canary import CANARY
from kcb_references.export import SHELLS, TIERS, project_files

DOMAIN = '''
"""Squares the integer `n`, which is not to be 13, and gives the optional array `items` back."""


def answer(fields: dict) -> dict:
    if "n" not in fields:
        return {"error": {"code": "missing_field", "field": "n"}}
    n, items = fields["n"], fields.get("items", [])
    if type(n) is not int:
        return {"error": {"code": "invalid_field", "field": "n"}}
    if not isinstance(items, list):
        return {"error": {"code": "invalid_field", "field": "items"}}
    if n == 13:
        return {"error": {"code": "unlucky"}}
    outcome = {"result": {"square": n * n, "items": list(items)}}
    items.clear()
    fields.clear()
    return outcome
'''

ASTRAL = "\U0001f600"


class Program:
    """A running program that is asked one line at a time, each after the answer to the last."""

    def __init__(self, directory: Path, *arguments: str) -> None:
        """Start the program that was exported into a directory."""
        self.process = subprocess.Popen(
            [sys.executable, "-E", "-s", "-S", "main.py", *arguments],
            cwd=directory,
            env={**os.environ, "LC_ALL": "C", "LANG": "C"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def line(self, request: bytes) -> bytes:
        """Send a line and give the line that comes back, both without the line end."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(request + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer.endswith(b"\n")
        return answer[:-1]

    def ask(self, request: object) -> dict[str, Any]:
        """Send a request and give its answer."""
        text = json.dumps(request, ensure_ascii=False)
        return cast(dict[str, Any], json.loads(self.line(text.encode())))

    def result(self, op: str, **parameters: object) -> Any:
        """Send a request that has to succeed, and give its result."""
        answer = self.ask({"id": 7, "op": op, **parameters})
        assert answer == {"id": 7, "ok": True, "result": answer.get("result")}, answer
        return answer["result"]

    def error(self, op: str, **parameters: object) -> Any:
        """Send a request that has to fail, and give its error."""
        answer = self.ask({"id": 7, "op": op, **parameters})
        assert answer == {"id": 7, "ok": False, "error": answer.get("error")}, answer
        return answer["error"]

    def put(self, *keys: str) -> None:
        """Store something under each key."""
        for key in keys:
            self.result("put", key=key, value={"n": 2})

    def kill(self) -> None:
        """End the program as SIGKILL does."""
        self.process.kill()
        self.process.communicate()

    def end(self) -> int:
        """End the input, and give the exit status."""
        self.process.communicate()
        return self.process.returncode


Start = Callable[..., Program]


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Export the program of every tier."""
    directories = {tier: tmp_path_factory.mktemp(tier) for tier in TIERS}
    for tier, directory in directories.items():
        for path, text in project_files(tier, DOMAIN).items():
            (directory / path).write_text(text, encoding="utf-8")
    return directories


def start_program(projects: dict[str, Path], tier: str, state: Path) -> Program:
    """Start the program of a tier; only the one of tier max has a state directory."""
    arguments = ["--state-dir", str(state)] if tier == "max" else []
    return Program(projects[tier], *arguments)


@pytest.fixture
def start(projects: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Give a function that starts a program, for tier max with a new state or a given one."""
    started = []

    def start_tier(tier: str, state: Path | None = None) -> Program:
        started.append(start_program(projects, tier, state or tmp_path_factory.mktemp("state")))
        return started[-1]

    yield start_tier
    for program in started:
        if program.process.returncode is None:
            program.kill()


@pytest.fixture(scope="module", params=TIERS)
def stateless(
    request: pytest.FixtureRequest,
    projects: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Program]:
    """Give one program of each tier, for tests that leave no state behind."""
    program = start_program(projects, request.param, tmp_path_factory.mktemp("state"))
    yield program
    program.kill()


@pytest.fixture(params=TIERS[1:])
def documents(request: pytest.FixtureRequest, start: Start) -> Program:
    """Give a new program of each tier that has documents."""
    return start(request.param)


@pytest.fixture(params=TIERS[2:])
def hard(request: pytest.FixtureRequest, start: Start) -> Program:
    """Give a new program of each tier that has batches and transactions."""
    return start(request.param)


@pytest.fixture
def durable(start: Start) -> Program:
    """Give a new program of tier max."""
    return start("max")


BAD_REQUEST = {"code": "bad_request"}
NOT_FOUND = {"code": "not_found"}
CONFLICT = {"code": "conflict"}


@pytest.mark.parametrize("tier", TIERS)
def test_a_project_has_the_shells_up_to_its_tier(tier: str) -> None:
    """A program is published as a whole, so code it cannot reach must not be in it."""
    shells = SHELLS[: TIERS.index(tier) + 1]
    expected = {"main.py", "domain.py", *(f"{shell}.py" for shell in shells)}
    assert set(project_files(tier, DOMAIN)) == expected


def test_a_project_imports_only_itself_and_the_standard_library() -> None:
    """The directory is all that exists where the program runs."""
    files = project_files("max", DOMAIN)
    known = {path.removesuffix(".py") for path in files} | sys.stdlib_module_names
    for text in files.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom):
                assert node.module in known or str(node.module).split(".")[0] in known
            if isinstance(node, ast.Import):
                assert {name.name for name in node.names} <= known


def test_an_exported_file_does_not_name_the_package() -> None:
    """A prefix that the export missed would only show where the package is not installed."""
    assert not any("kcb" in text for text in project_files("max", DOMAIN).values())


def test_every_source_of_a_reference_carries_the_canary() -> None:
    """An answer that leaks is found like the data; an export changes no line of its sources."""
    lines = [f"# {line}" for line in re.split("(?<=data[.]) ", CANARY)]
    package = Path(kcb_references.__file__).parent
    sources = {
        **{str(path): path.read_text() for path in package.glob("domains/*/*.py")},
        **{str(path): path.read_text() for path in package.glob("service/*.py")},
        **project_files("max", (package / "domains/parsing/access_log.py").read_text()),
    }
    answers = {path: text for path, text in sources.items() if not path.endswith("__init__.py")}
    assert len(answers) > 70
    assert [path for path, text in answers.items() if text.splitlines()[:2] != lines] == []


def test_the_domain_is_exported_as_it_is() -> None:
    """The contract is somebody else's text, which the export has no business with."""
    assert project_files("easy", DOMAIN)["domain.py"] == DOMAIN


def test_an_unknown_tier_has_no_project() -> None:
    """The module of tier max is called durable, so the two names are easily mixed up."""
    with pytest.raises(ValueError, match="durable"):
        project_files("durable", DOMAIN)


@pytest.mark.parametrize("tier", TIERS)
def test_the_end_of_input_ends_the_program_with_status_0(tier: str, start: Start) -> None:
    """Any other status counts as a crash, also when nothing was asked."""
    program = start(tier)
    out, _ = program.process.communicate()
    assert out == b""
    assert program.process.returncode == 0


def test_every_line_gets_one_line_even_when_they_come_at_once(start: Start) -> None:
    """An answer too few or too many shifts all that come after it."""
    out, _ = start("easy").process.communicate(b'\n{}\n[]\n\n{"op":"evaluate"}\n')
    codes = [json.loads(line)["error"]["code"] for line in out.split(b"\n")[:-1]]
    assert codes == ["bad_json", "bad_request", "bad_request", "bad_json", "bad_request"]
    assert out.endswith(b"\n")


def test_a_last_line_without_line_end_is_answered(start: Start) -> None:
    """It is a request as well, and nothing says that input ends with a line feed."""
    out, _ = start("easy").process.communicate(b'{"id":1}')
    assert json.loads(out) == {"id": 1, "ok": False, "error": BAD_REQUEST}


def test_only_line_feeds_split_lines(stateless: Program) -> None:
    """Python's text streams and `splitlines` know many more line ends than JSON lines has."""
    text = "a\u2028b\u2029c\x85d\x7fe"
    answer = stateless.ask({"op": "evaluate", "input": {"n": 2, "items": [text]}})
    assert answer["result"]["items"] == [text]


def test_text_is_utf_8_in_the_c_locale(stateless: Program) -> None:
    """The locale of the machine must not reach the answers; every program here runs under C."""
    text = f"äЖ漢{ASTRAL}"
    line = stateless.line(json.dumps({"id": text, "op": "x"}, ensure_ascii=False).encode())
    assert text.encode("utf-8") in line  # escaped it would use up more of the output limit


@pytest.mark.parametrize(
    "text",
    [
        *("null", "true", "0", "1", "1.0", "-3", "0.1", "9007199254740991", "-9007199254740991"),
        *('""', '"\u2028"', f'"{ASTRAL}"', '"\\u0000\\n"', "[]", "{}", '[1,{"b":[null],"a":1.5}]'),
    ],
)
def test_an_id_is_echoed_as_the_same_json(text: str, stateless: Program) -> None:
    """Answers are matched to requests by it, and 1, 1.0 and true are three different values."""
    for rest in ('"op":"evaluate","input":{"n":2}', '"op":"evaluate"', '"op":"x"', '"op":1'):
        answer = json.loads(stateless.line(f'{{"id":{text},{rest}}}'.encode()))
        echoed = json.dumps(answer["id"], ensure_ascii=False, separators=(",", ":"))
        assert echoed == text


def test_an_id_nested_64_levels_is_echoed(stateless: Program) -> None:
    """That is the deepest JSON that is ever sent."""
    line = b'{"op":"x","id":' + b"[" * 63 + b"]" * 63 + b"}"
    answer = stateless.line(line)
    assert b"[" * 63 + b"]" * 63 in answer


def test_a_missing_id_is_answered_with_null(stateless: Program) -> None:
    """Every answer has the member, whether or not there is something to echo."""
    assert stateless.ask({"op": "x"}) == {"id": None, "ok": False, "error": {"code": "unknown_op"}}


@pytest.mark.parametrize(
    "line",
    [
        *(b"", b" ", b"{", b"x", b'{"id":1,}', b'{"id":1}}', b"1 2", b"01", b".5", b"+1", b"'a'"),
        *(b"NaN", b"[-Infinity]", b'"\t"', b'"\\x"', b"{id:1}", b'{"op":"x"} //', b"True"),
        *(b"\xff", b'{\0"\0}\0', b"\xef\xbb\xbf{}", b"[" * 100_000),
    ],
)
def test_a_line_that_is_not_json_is_bad_json(line: bytes, stateless: Program) -> None:
    """Python reads some of these, and a line that stops the program would lose all others."""
    expected = {"id": None, "ok": False, "error": {"code": "bad_json"}}
    assert json.loads(stateless.line(line)) == expected


@pytest.mark.parametrize("request_value", [None, True, 1, "evaluate", [], [{"op": "evaluate"}]])
def test_json_that_is_no_object_is_a_bad_request(request_value: object, stateless: Program) -> None:
    """It is JSON, so it is not rule 1; and it has no id to echo."""
    assert stateless.ask(request_value) == {"id": None, "ok": False, "error": BAD_REQUEST}


@pytest.mark.parametrize("rest", [{}, {"op": None}, {"op": 1}, {"op": ["evaluate"]}, {"op": {}}])
def test_an_op_that_is_no_string_is_a_bad_request(
    rest: dict[str, object], stateless: Program
) -> None:
    """This rule is before the one for unknown ops, and some of these cannot be looked up."""
    answer = stateless.ask({"id": 1, **rest, "input": {"n": 2}})
    assert answer == {"id": 1, "ok": False, "error": BAD_REQUEST}


@pytest.mark.parametrize("op", ["", " evaluate", "Evaluate", "evaluate\n", "respond", "__init__"])
def test_an_op_is_compared_exactly(op: str, stateless: Program) -> None:
    """No op but those of the text exists, whatever else the program has functions for."""
    assert stateless.error(op, input=3) == {"code": "unknown_op"}


@pytest.mark.parametrize(
    ("tier", "ops"),
    [
        ("easy", ["put", "get", "delete", "list", "evaluate_stored", "batch", "begin", "history"]),
        ("intermediate", ["batch", "begin", "commit", "rollback", "history"]),
        ("hard", ["history"]),
    ],
)
def test_an_op_of_a_higher_tier_is_unknown(tier: str, ops: list[str], start: Start) -> None:
    """The text of a tier does not name it."""
    program = start(tier)
    for op in ops:
        assert program.error(op, key="a") == {"code": "unknown_op"}


def test_a_parameter_of_a_higher_tier_is_ignored(start: Start) -> None:
    """In the text of a tier it is a member that the op does not define."""
    program = start("intermediate")
    assert program.result("put", key="a", value=1, if_revision="x") == {"revision": 1}
    assert program.result("delete", key="a", if_revision=9) == {"revision": 2}
    program = start("hard")
    for revision in (1, 2):
        assert program.result("put", key="a", value=1, token=1) == {"revision": revision}
    assert program.result("list", after="a", limit=0) == {"keys": ["a"]}


@pytest.mark.parametrize("value", [None, True, 1, "x", []])
def test_an_input_that_is_no_object_is_a_bad_request(value: object, stateless: Program) -> None:
    """The contract is only about objects, so it cannot be what decides here."""
    assert stateless.error("evaluate", input=value) == BAD_REQUEST


def test_a_missing_input_is_a_bad_request(stateless: Program) -> None:
    """It is required."""
    assert stateless.error("evaluate") == BAD_REQUEST


def test_evaluate_answers_what_the_contract_says(stateless: Program) -> None:
    """Results and errors, with or without a field, are passed on as they are."""
    expected = {"square": 9, "items": [None, 1.5]}
    assert stateless.result("evaluate", input={"n": 3, "items": [None, 1.5]}) == expected
    unlucky = {"code": "unlucky"}
    assert stateless.error("evaluate", input={"n": 13}) == unlucky
    missing = {"code": "missing_field", "field": "n"}
    assert stateless.error("evaluate", input={"items": 1}) == missing
    invalid = {"code": "invalid_field", "field": "n"}
    assert stateless.error("evaluate", input={"n": None}) == invalid


def test_members_that_are_not_defined_are_ignored(stateless: Program) -> None:
    """Also where another op has a parameter of that name, which would not allow the value."""
    answer = stateless.result("evaluate", input={"n": 2, "x": 1}, key=1, ops=2, token=3)
    assert answer["square"] == 4


def test_a_result_keeps_integers_of_any_size(stateless: Program) -> None:
    """As doubles they would lose digits."""
    line = stateless.line(b'{"op":"evaluate","input":{"n":9007199254740991}}')
    assert b'"square":81129638414606663681390495662081' in line


def test_a_key_has_1_to_128_code_points(documents: Program) -> None:
    """Counted in UTF-16 or in bytes, the astral key would be too long."""
    for key in ("a", "a" * 128, ASTRAL * 128, "\0", " "):
        documents.result("put", key=key, value=1)
        assert documents.result("get", key=key)["value"] == 1
    for op in ("put", "get", "delete", "evaluate_stored"):
        for wrong in ("", "a" * 129, ASTRAL * 129, None, 1, True, ["a"], {"a": 1}):
            assert documents.error(op, key=wrong, value=1) == BAD_REQUEST
        assert documents.error(op, value=1) == BAD_REQUEST


def test_keys_are_compared_exactly(documents: Program) -> None:
    """Strings that look alike, or that some comparison holds for equal, are different keys."""
    keys = ["a", "A", "a ", " a", "é", "e\u0301", "ß", "ss", "ﬁ", "fi"]
    documents.put(*keys)
    assert documents.result("list")["keys"] == sorted(keys)


def test_one_counter_numbers_the_puts_and_deletes_that_succeed(documents: Program) -> None:
    """Reads and failures must not use up a number, and keys have no numbers of their own."""
    assert documents.result("put", key="a", value=1) == {"revision": 1}
    assert documents.result("put", key="b", value=1) == {"revision": 2}
    assert documents.error("put", key="c") == BAD_REQUEST
    assert documents.error("delete", key="c") == NOT_FOUND
    documents.result("get", key="a")
    documents.result("list")
    assert documents.result("put", key="a", value=1) == {"revision": 3}
    assert documents.result("get", key="b") == {"value": 1, "revision": 2}
    assert documents.result("get", key="a") == {"value": 1, "revision": 3}
    assert documents.result("delete", key="a") == {"revision": 4}
    assert documents.error("get", key="a") == NOT_FOUND
    assert documents.error("delete", key="a") == NOT_FOUND
    assert documents.result("put", key="a", value=1) == {"revision": 5}


@pytest.mark.parametrize(
    "text", ["null", "true", "1", "1.0", '"x"', "[]", '{"b":[1,1.5,{}],"a":null}', f'"{ASTRAL}"']
)
def test_any_value_is_stored_as_it_is(text: str, documents: Program) -> None:
    """A stored null is not nothing, and 1, 1.0 and true are three different values."""
    documents.line(f'{{"op":"put","key":"a","value":{text}}}'.encode())
    answer = json.loads(documents.line(b'{"op":"get","key":"a"}'))
    value = json.dumps(answer["result"]["value"], ensure_ascii=False, separators=(",", ":"))
    assert value == text


def test_list_gives_the_keys_with_the_prefix_by_code_point(documents: Program) -> None:
    """By UTF-16 units U+FF5E would come after the astral key, by locale a before B."""
    documents.put(ASTRAL, "\uff5e", "b", "a", "B", "ab", "abc", "aB")
    everything = ["B", "a", "aB", "ab", "abc", "b", "\uff5e", ASTRAL]
    assert documents.result("list") == {"keys": everything}
    assert documents.result("list", prefix="") == {"keys": everything}
    assert documents.result("list", prefix="a") == {"keys": ["a", "aB", "ab", "abc"]}
    assert documents.result("list", prefix="x" * 200) == {"keys": []}
    for wrong in (None, 1, False, ["a"]):
        assert documents.error("list", prefix=wrong) == BAD_REQUEST


def test_evaluate_stored_answers_like_evaluate(documents: Program) -> None:
    """All the errors of evaluate are errors of it too, after its own."""
    assert documents.error("evaluate_stored", key="a") == NOT_FOUND
    for value in (None, 1, "x", [{"n": 2}]):
        documents.result("put", key="a", value=value)
        assert documents.error("evaluate_stored", key="a") == BAD_REQUEST
    documents.result("put", key="a", value={"n": 13})
    assert documents.error("evaluate_stored", key="a") == {"code": "unlucky"}
    documents.result("put", key="a", value={"items": 1})
    missing = {"code": "missing_field", "field": "n"}
    assert documents.error("evaluate_stored", key="a") == missing


def test_evaluate_stored_leaves_the_value_alone(documents: Program) -> None:
    """The contract used here empties its input and the array in it."""
    value = {"n": 3, "items": [[1], {"x": 2}]}
    documents.result("put", key="a", value=value)
    for _ in range(2):
        result = documents.result("evaluate_stored", key="a")
        assert result == {"square": 9, "items": value["items"]}
    assert documents.result("get", key="a") == {"value": value, "revision": 1}


def test_if_revision_is_an_integer_from_0_up(hard: Program) -> None:
    """The value of a wrong one is not looked at, even where it would equal the revision."""
    hard.put("a")
    for wrong in (None, True, False, -1, 1.0, 0.0, "1", [1]):
        assert hard.error("put", key="a", value=1, if_revision=wrong) == BAD_REQUEST
        assert hard.error("delete", key="a", if_revision=wrong) == BAD_REQUEST
        assert hard.error("delete", key="none", if_revision=wrong) == BAD_REQUEST


def test_if_revision_has_to_be_the_revision_of_the_key(hard: Program) -> None:
    """It is about the key and not about the counter, and 0 stands for a key without a value."""
    hard.put("a", "b")
    for wrong in (0, 2, 2**53 - 1):
        assert hard.error("put", key="a", value=1, if_revision=wrong) == CONFLICT
        assert hard.error("delete", key="a", if_revision=wrong) == CONFLICT
    assert hard.error("put", key="c", value=1, if_revision=2) == CONFLICT
    assert hard.result("put", key="a", value=1, if_revision=1) == {"revision": 3}
    assert hard.result("delete", key="a", if_revision=3) == {"revision": 4}
    assert hard.error("put", key="a", value=1, if_revision=4) == CONFLICT
    assert hard.result("put", key="a", value=1, if_revision=0) == {"revision": 5}


def test_delete_of_nothing_is_not_found_before_it_is_a_conflict(hard: Program) -> None:
    """Conflict is the last error, and with 0 there is no conflict at all."""
    for revision in (0, 1):
        assert hard.error("delete", key="a", if_revision=revision) == NOT_FOUND


def test_a_batch_has_0_to_100_requests(hard: Program) -> None:
    """Both ends are allowed, and nothing of a batch that is too long may be carried out."""
    put = {"op": "put", "key": "a", "value": 1}
    assert hard.result("batch", ops=[]) == {"results": []}
    results = hard.result("batch", ops=[put] * 100)["results"]
    assert results == [{"revision": n} for n in range(1, 101)]
    too_long: object = [put] * 101
    for wrong in (too_long, None, {}, "x", 1):
        assert hard.error("batch", ops=wrong) == BAD_REQUEST
    assert hard.error("batch") == BAD_REQUEST
    assert hard.result("get", key="a")["revision"] == 100


def test_a_request_in_a_batch_sees_what_those_before_it_left(hard: Program) -> None:
    """Each is carried out in its turn, not all on the state before the batch."""
    ops = [
        {"op": "put", "key": "a", "value": {"n": 3}, "id": "ignored"},
        {"op": "get", "key": "a"},
        {"op": "evaluate_stored", "key": "a"},
        {"op": "list"},
        {"op": "delete", "key": "a", "if_revision": 1},
        {"op": "list", "prefix": ""},
        {"op": "evaluate", "input": {"n": 2}},
    ]
    assert hard.result("batch", ops=ops)["results"] == [
        {"revision": 1},
        {"value": {"n": 3}, "revision": 1},
        {"square": 9, "items": []},
        {"keys": ["a"]},
        {"revision": 2},
        {"keys": []},
        {"square": 4, "items": []},
    ]


@pytest.mark.parametrize(
    ("request_value", "error"),
    [
        (None, BAD_REQUEST),
        ([], BAD_REQUEST),
        ({}, BAD_REQUEST),
        ({"op": 1}, BAD_REQUEST),
        ({"op": "put", "key": "", "value": 1}, BAD_REQUEST),
        ({"op": "put", "key": "a", "value": 1, "if_revision": None}, BAD_REQUEST),
        ({"op": "evaluate_stored", "key": "list"}, BAD_REQUEST),
        ({"op": "get", "key": "none"}, NOT_FOUND),
        ({"op": "put", "key": "a", "value": 1, "if_revision": 9}, CONFLICT),
        ({"op": "evaluate", "input": {}}, {"code": "missing_field", "field": "n"}),
        ({"op": "evaluate", "input": {"n": 13}}, {"code": "unlucky"}),
        *(
            ({"op": op, "ops": [], "key": "list"}, {"code": "unknown_op"})
            for op in ("batch", "begin", "commit", "rollback", "history", "x")
        ),
    ],
)
def test_a_failing_request_undoes_its_batch(
    request_value: object, error: dict[str, object], hard: Program
) -> None:
    """Neither the documents nor the counter keep anything, and the answer tells where it failed."""
    hard.result("put", key="list", value=[])
    ops = [
        {"op": "put", "key": "a", "value": 1},
        {"op": "delete", "key": "list"},
        {"op": "put", "key": "list", "value": []},
        request_value,
        None,
    ]
    assert hard.error("batch", ops=ops) == {**error, "index": 3}
    assert hard.result("list") == {"keys": ["list"]}
    assert hard.result("get", key="list") == {"value": [], "revision": 1}
    assert hard.result("put", key="b", value=1) == {"revision": 2}


def test_at_most_8_transactions_are_open(hard: Program) -> None:
    """The ninth begin fails and leaves the eight as they are."""
    for depth in range(1, 9):
        assert hard.result("begin") == {"depth": depth}
    assert hard.error("begin") == {"code": "transaction_limit"}
    for depth in range(7, -1, -1):
        assert hard.result("commit") == {"depth": depth}
    for op in ("commit", "rollback"):
        assert hard.error(op) == {"code": "no_transaction"}


def test_a_rollback_puts_documents_and_counter_back(hard: Program) -> None:
    """Numbers are given out again, so the counter is a part of the state."""
    hard.put("a", "b")
    assert hard.result("begin") == {"depth": 1}
    assert hard.result("put", key="a", value=0) == {"revision": 3}
    assert hard.result("delete", key="b") == {"revision": 4}
    assert hard.result("put", key="c", value=0, if_revision=0) == {"revision": 5}
    assert hard.result("list") == {"keys": ["a", "c"]}
    assert hard.result("rollback") == {"depth": 0}
    assert hard.result("list") == {"keys": ["a", "b"]}
    assert hard.result("get", key="a") == {"value": {"n": 2}, "revision": 1}
    assert hard.result("put", key="c", value=0) == {"revision": 3}


def test_an_outer_rollback_undoes_an_inner_commit(hard: Program) -> None:
    """A commit is final only when nothing else is open."""
    hard.result("begin")
    hard.put("outer")
    hard.result("begin")
    hard.put("inner")
    assert hard.result("commit") == {"depth": 1}
    assert hard.result("list") == {"keys": ["inner", "outer"]}
    assert hard.result("rollback") == {"depth": 0}
    assert hard.result("list") == {"keys": []}
    assert hard.result("put", key="a", value=1) == {"revision": 1}


def test_an_inner_rollback_keeps_the_outer_changes(hard: Program) -> None:
    """It puts back the latest copy and no other."""
    hard.result("begin")
    hard.put("outer")
    hard.result("begin")
    hard.put("inner")
    assert hard.result("rollback") == {"depth": 1}
    assert hard.result("commit") == {"depth": 0}
    assert hard.result("list") == {"keys": ["outer"]}


def test_a_failing_batch_leaves_its_transaction_open(hard: Program) -> None:
    """The batch and the transaction both keep copies, which must not be mixed up."""
    hard.result("begin")
    hard.put("a")
    ops = [{"op": "put", "key": "b", "value": 1}, {"op": "get", "key": "none"}]
    assert hard.error("batch", ops=ops) == {**NOT_FOUND, "index": 1}
    assert hard.result("list") == {"keys": ["a"]}
    assert hard.result("batch", ops=ops[:1]) == {"results": [{"revision": 2}]}
    assert hard.result("rollback") == {"depth": 0}
    assert hard.result("list") == {"keys": []}


def test_input_may_end_while_transactions_are_open(hard: Program) -> None:
    """The program has to end as usual."""
    hard.result("begin")
    assert hard.end() == 0


def test_answered_changes_survive_a_kill(start: Start, tmp_path: Path) -> None:
    """This is what the state directory is for: values, counter and deletions are all there."""
    program = start("max", tmp_path)
    value = {"text": f"\u2028\n{ASTRAL}", "numbers": [1, 1.0, True, None, 9007199254740991]}
    program.result("put", key=ASTRAL, value=value)
    program.put("gone")
    program.result("delete", key="gone")
    program.kill()
    program = start("max", tmp_path)
    answer = program.line(json.dumps({"op": "get", "key": ASTRAL}).encode())
    assert b"[1,1.0,true,null,9007199254740991]" in answer
    assert json.loads(answer)["result"] == {"value": value, "revision": 1}
    assert program.result("list") == {"keys": [ASTRAL]}
    assert program.result("put", key="next", value=1) == {"revision": 4}


def test_a_change_is_with_the_system_before_its_answer_is(durable: Program, tmp_path: Path) -> None:
    """A kill right after the answer must find nothing in a buffer of the program."""
    arguments = durable.process.args
    assert isinstance(arguments, list)
    journal = Path(str(arguments[-1])) / "journal"
    for number in range(3):
        durable.put("a")
        assert journal.read_bytes().count(b"\n") == number + 1


def test_a_kill_after_any_answer_changes_nothing(start: Start, tmp_path: Path) -> None:
    """A program that is killed and one that is not have to agree on every answer."""
    chance = random.Random(5)
    steady, mortal = start("max"), start("max", tmp_path)
    depth = 0
    for number in range(120):
        key, token = chance.choice("abc"), f"t{chance.randrange(9)}"
        put: dict[str, object] = {"op": "put", "key": key, "value": chance.randrange(3)}
        delete: dict[str, object] = {"op": "delete", "key": key}
        request = chance.choice(
            [
                put,
                {**put, "token": token},
                {**put, "if_revision": chance.randrange(9)},
                delete,
                {**delete, "token": token},
                {"op": "batch", "ops": [put, delete, put][: chance.randrange(4)], "token": token},
                {"op": "batch", "ops": [put, {**delete, "key": "b"}, {"op": "list"}]},
                {"op": "history", "key": key},
                {"op": "get", "key": key},
                {"op": "begin"},
                {"op": "commit"},
                {"op": "rollback"},
            ]
        )
        expected = steady.ask(request)
        assert mortal.ask(request) == expected, (number, request)
        depth = expected.get("result", {}).get("depth", depth)
        if depth == 0 and number % 3 == 0:
            mortal.kill()
            mortal = start("max", tmp_path)


@pytest.mark.parametrize("killed", [True, False])
def test_a_transaction_that_is_open_at_the_end_is_rolled_back(
    killed: bool, start: Start, tmp_path: Path
) -> None:
    """An inner commit makes nothing durable, and a normal end is no commit either."""
    program = start("max", tmp_path)
    program.put("before")
    program.result("begin")
    program.result("begin")
    program.put("inner")
    program.result("commit")
    program.result("put", key="outer", value=1, token="t")
    program.kill() if killed else program.end()
    program = start("max", tmp_path)
    assert program.error("rollback") == {"code": "no_transaction"}
    assert program.result("list") == {"keys": ["before"]}
    assert program.error("history", key="inner") == NOT_FOUND
    assert program.result("put", key="after", value=1, token="t") == {"revision": 2}


def test_the_outermost_commit_is_durable(start: Start, tmp_path: Path) -> None:
    """What was rolled back inside is not, and the numbers it had are given out again."""
    program = start("max", tmp_path)
    program.result("begin")
    program.put("a")
    program.result("begin")
    program.put("b")
    program.result("rollback")
    program.result("begin")
    assert program.result("put", key="c", value=1) == {"revision": 2}
    program.result("commit")
    program.result("commit")
    program.kill()
    program = start("max", tmp_path)
    assert program.result("list") == {"keys": ["a", "c"]}
    assert program.result("get", key="c")["revision"] == 2
    assert program.result("put", key="d", value=1) == {"revision": 3}


def test_a_torn_last_record_is_dropped(start: Start, tmp_path: Path) -> None:
    """Nobody was answered for it, and the next record must not be glued to it."""
    program = start("max", tmp_path)
    program.put("a", "b")
    program.kill()
    journal = tmp_path / "journal"
    journal.write_bytes(journal.read_bytes()[:-3])
    program = start("max", tmp_path)
    assert program.result("list") == {"keys": ["a"]}
    assert program.result("put", key="c", value=1) == {"revision": 2}
    program.kill()
    assert start("max", tmp_path).result("list") == {"keys": ["a", "c"]}


def test_the_state_directory_is_required(projects: dict[str, Path]) -> None:
    """A program that silently kept its state nowhere would look right until it is killed."""
    command = [sys.executable, "-E", "-s", "-S", "main.py"]
    done = subprocess.run(command, cwd=projects["max"], input=b"", capture_output=True, check=False)
    assert done.returncode != 0
    assert b"--state-dir" in done.stderr


def test_a_token_is_a_string_of_1_to_128_code_points(durable: Program) -> None:
    """It is checked by rule 4, also where the op would fail for another reason."""
    for wrong in ("", "t" * 129, ASTRAL * 129, None, 1, True, ["t"]):
        assert durable.error("put", key="a", value=1, token=wrong) == BAD_REQUEST
        assert durable.error("delete", key="a", token=wrong) == BAD_REQUEST
        assert durable.error("batch", ops=[], token=wrong) == BAD_REQUEST
    for number, token in enumerate(("t", "t" * 128, ASTRAL * 128, "\0"), start=1):
        assert durable.result("put", key="a", value=1, token=token) == {"revision": number}


def test_the_same_request_again_is_answered_from_the_state(durable: Program) -> None:
    """It is not carried out, whatever has happened to the key and to its revision since."""
    put = {"key": "a", "value": 1, "if_revision": 0, "token": "put"}
    delete = {"key": "a", "token": "delete"}
    ops = [{"op": "put", "key": "a", "value": 2}, {"op": "evaluate", "input": {"n": 3}}]
    assert durable.result("put", **put) == {"revision": 1}
    assert durable.result("put", **put) == {"revision": 1}
    assert durable.result("delete", **delete) == {"revision": 2}
    assert durable.result("delete", **delete) == {"revision": 2}
    batch = durable.result("batch", ops=ops, token="batch")
    assert batch == {"results": [{"revision": 3}, {"square": 9, "items": []}]}
    durable.result("delete", key="a")
    assert durable.result("batch", ops=ops, token="batch") == batch
    assert durable.result("put", **put) == {"revision": 1}
    assert durable.result("list") == {"keys": []}
    assert durable.result("put", key="a", value=1) == {"revision": 5}


def test_only_the_id_and_the_order_of_members_may_differ(durable: Program) -> None:
    """Nothing else is left out of the comparison, and Python's equality is too wide for it."""
    first = b'{"id":1,"op":"put","key":"a","value":{"x":1,"y":[2.5]},"token":"t"}'
    answer = durable.line(first)
    assert b'"ok":true' in answer
    same = [
        b'{"id":1,"op":"put","key":"a","value":{"x":1,"y":[2.5]},"token":"t"}',
        b'{"op":"put","token":"t","value":{"y":[2.5],"x":1},"key":"a","id":1}',
        b'{"op":"\\u0070ut","key":"a","value":{"x":1,"y":[25e-1]},"token":"t","id":1} ',
    ]
    for line in same:
        assert durable.line(line) == answer
    assert durable.line(first.replace(b'"id":1', b'"id":2')) == answer.replace(b":1,", b":2,", 1)
    assert json.loads(durable.line(first.replace(b'"id":1,', b"")))["ok"] is True
    different = [
        first.replace(b'"x":1', b'"x":1.0'),
        first.replace(b'"x":1', b'"x":true'),
        first.replace(b'"x":1', b'"x":"1"'),
        first.replace(b'"x":1', b'"x":1,"id":1'),
        first.replace(b'"y":[2.5]', b'"y":[2.5,null]'),
        first.replace(b'"key":"a"', b'"key":"b"'),
        first.replace(b'"token"', b'"if_revision":0,"token"'),
        first.replace(b'"token"', b'"unknown":null,"token"'),
        first.replace(b'"put"', b'"delete"'),
        b'{"id":1,"op":"batch","ops":[],"token":"t"}',
    ]
    for line in different:
        assert json.loads(durable.line(line))["error"] == {"code": "token_conflict"}
    assert durable.result("put", key="z", value=1) == {"revision": 2}


def test_a_token_is_looked_up_after_rule_4_and_before_the_errors_of_the_op(
    durable: Program,
) -> None:
    """Between the two a known token decides, whatever the op itself would have said."""
    durable.result("put", key="a", value=1, token="t")
    token_conflict = {"code": "token_conflict"}
    assert durable.error("put", key="", value=1, token="t") == BAD_REQUEST
    assert durable.error("put", key="a", value=1, if_revision=1.0, token="t") == BAD_REQUEST
    assert durable.error("batch", ops=1, token="t") == BAD_REQUEST
    assert durable.error("put", key="a", value=1, if_revision=9, token="t") == token_conflict
    assert durable.error("delete", key="none", token="t") == token_conflict
    assert durable.error("batch", ops=[None], token="t") == token_conflict


def test_a_request_that_fails_leaves_no_token(durable: Program) -> None:
    """The token can then be used for another request, and the same one is carried out again."""
    assert durable.error("delete", key="a", token="t") == NOT_FOUND
    failing = [{"op": "put", "key": "b", "value": 1}, {"op": "get", "key": "a"}]
    assert durable.error("batch", ops=failing, token="t") == {**NOT_FOUND, "index": 1}
    durable.put("a")
    assert durable.result("delete", key="a", token="t") == {"revision": 2}
    assert durable.error("put", key="a", value=1, token="t") == {"code": "token_conflict"}


def test_a_request_in_a_batch_has_no_token(durable: Program) -> None:
    """There the member is one that the op does not define, so any value of it is ignored."""
    put = {"op": "put", "key": "a", "value": 1}
    ops = [{**put, "token": "t"}, {**put, "token": "t"}, {**put, "token": None}]
    assert durable.result("batch", ops=ops)["results"][2] == {"revision": 3}
    assert durable.result("put", key="b", value=2, token="t") == {"revision": 4}


def test_the_token_of_other_ops_is_ignored(durable: Program) -> None:
    """Only three ops have one."""
    durable.put("a")
    for op in ("get", "history", "evaluate_stored"):
        durable.result(op, key="a", token=1)
    assert durable.result("begin", token="") == {"depth": 1}


def test_a_rollback_forgets_the_tokens_of_what_it_undoes(durable: Program) -> None:
    """Answering from a change that is undone would claim that it is there."""
    durable.result("put", key="a", value=1, token="before")
    durable.result("begin")
    assert durable.result("put", key="a", value=1, token="before") == {"revision": 1}
    assert durable.result("put", key="b", value=1, token="inside") == {"revision": 2}
    assert durable.result("put", key="b", value=1, token="inside") == {"revision": 2}
    durable.result("rollback")
    assert durable.result("put", key="a", value=1, token="before") == {"revision": 1}
    assert durable.result("put", key="c", value=3, token="inside") == {"revision": 2}


def test_tokens_survive_a_kill_with_their_requests(start: Start, tmp_path: Path) -> None:
    """A request that was answered for is not carried out again by a program started later."""
    ops: list[object] = [{"op": "put", "key": "a", "value": 1.0}, {"op": "get", "key": "a"}]
    program = start("max", tmp_path)
    result = program.result("batch", ops=ops, token=ASTRAL)
    program.result("batch", ops=[], token="empty")
    program.kill()
    program = start("max", tmp_path)
    assert program.result("batch", ops=ops, token=ASTRAL) == result
    ops[0] = {"op": "put", "key": "a", "value": 1}
    assert program.error("batch", ops=ops, token=ASTRAL) == {"code": "token_conflict"}
    assert program.error("batch", ops=ops, token="empty") == {"code": "token_conflict"}
    assert program.result("put", key="b", value=1) == {"revision": 2}


def test_history_gives_all_changes_of_a_key(start: Start, tmp_path: Path) -> None:
    """A delete does not end it, other keys do not appear in it, and a kill does not lose it."""
    program = start("max", tmp_path)
    assert program.error("history", key="a") == NOT_FOUND
    program.result("put", key="a", value=None)
    program.put("b")
    program.result("delete", key="a")
    program.result("batch", ops=[{"op": "put", "key": "a", "value": {"n": 3, "items": [1]}}])
    program.result("evaluate_stored", key="a")
    expected = {
        "entries": [
            {"revision": 1, "value": None},
            {"revision": 3, "deleted": True},
            {"revision": 4, "value": {"n": 3, "items": [1]}},
        ]
    }
    assert program.result("history", key="a") == expected
    program.kill()
    program = start("max", tmp_path)
    assert program.result("history", key="a") == expected
    for wrong in ("", None, 1):
        assert program.error("history", key=wrong) == BAD_REQUEST


def test_history_has_no_changes_that_were_undone(durable: Program) -> None:
    """After a rollback and after a failed batch it is as if they had never been."""
    durable.result("begin")
    durable.put("a")
    assert len(durable.result("history", key="a")["entries"]) == 1
    durable.result("rollback")
    ops = [{"op": "put", "key": "a", "value": 1}, None]
    durable.error("batch", ops=ops)
    assert durable.error("history", key="a") == NOT_FOUND


def test_list_gives_pages(durable: Program) -> None:
    """`next` is there only when the limit leaves something out, and leads on to exactly that."""
    durable.put("a1", "a2", "a3", "b", ASTRAL)
    assert durable.result("list", limit=5) == {"keys": ["a1", "a2", "a3", "b", ASTRAL]}
    assert durable.result("list", limit=4) == {"keys": ["a1", "a2", "a3", "b"], "next": "b"}
    assert durable.result("list", after="b", limit=1) == {"keys": [ASTRAL]}
    assert durable.result("list", prefix="a", limit=2) == {"keys": ["a1", "a2"], "next": "a2"}
    assert durable.result("list", prefix="a", after="a2", limit=2) == {"keys": ["a3"]}
    assert durable.result("list", after="a2z") == {"keys": ["a3", "b", ASTRAL]}
    assert durable.result("list", after="") == {"keys": ["a1", "a2", "a3", "b", ASTRAL]}
    assert durable.result("list", after=ASTRAL * 200) == {"keys": []}
    assert durable.result("list", after="\uff5e", limit=1) == {"keys": [ASTRAL]}
    ops = [{"op": "list", "after": "a1", "limit": 1}]
    batch = durable.result("batch", ops=ops)
    assert batch == {"results": [{"keys": ["a2"], "next": "a2"}]}


def test_history_gives_pages(durable: Program) -> None:
    """A page can be empty, which is not the same as a key without history."""
    durable.put("a", "b", "a", "a")
    entries = durable.result("history", key="a")["entries"]
    assert [entry["revision"] for entry in entries] == [1, 3, 4]
    assert durable.result("history", key="a", limit=3) == {"entries": entries}
    page = {"entries": entries[:2], "next": 3}
    assert durable.result("history", key="a", limit=2) == page
    assert durable.result("history", key="a", after=0, limit=2) == page
    assert durable.result("history", key="a", after=2, limit=2) == {"entries": entries[1:]}
    assert durable.result("history", key="a", after=4) == {"entries": []}
    assert durable.result("history", key="a", after=2**53 - 1, limit=1) == {"entries": []}
    assert durable.error("history", key="c", after=9) == NOT_FOUND


def test_after_and_limit_are_checked(durable: Program) -> None:
    """What `after` may be depends on the op; a limit is never 0, true or 1.0."""
    durable.put("a")
    for limit in (0, 101, -1, True, 1.0, "1", None):
        assert durable.error("list", limit=limit) == BAD_REQUEST
        assert durable.error("history", key="a", limit=limit) == BAD_REQUEST
    for limit in (1, 100):
        assert durable.result("list", limit=limit) == {"keys": ["a"]}
    for after in (None, 0, 1.5, ["a"]):
        assert durable.error("list", after=after) == BAD_REQUEST
    for revision in (None, -1, 0.0, False, "a", "1"):
        assert durable.error("history", key="a", after=revision) == BAD_REQUEST
