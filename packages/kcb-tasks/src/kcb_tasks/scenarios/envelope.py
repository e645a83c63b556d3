"""Acts on lines, ids and operations: what every tier shares around its operations."""

from __future__ import annotations

from collections.abc import Iterator

from kcb_core.codec import Json, compact
from kcb_core.task import Tag
from kcb_tasks.scenarios.acts import Act
from kcb_tasks.scenarios.contract import evaluate
from kcb_tasks.scenarios.material import Material
from kcb_tasks.scenarios.spelling import escaped

OPERATIONS: dict[str, dict[str, Json]] = {
    "put": {"key": "a", "value": 1},
    "get": {"key": "a"},
    "delete": {"key": "a"},
    "list": {},
    "evaluate_stored": {"key": "a"},
    "batch": {"ops": []},
    "begin": {},
    "commit": {},
    "rollback": {},
    "history": {"key": "a"},
}
"""Every operation that some tier does not have, with parameters that it would accept."""

NO_STRINGS: tuple[Json, ...] = (None, True, 0, 1.5, [], ["evaluate"], {}, {"op": "evaluate"})
"""Values of every type but string."""

_BLANK = ("", " ", "\t", "   \t ")

_NO_JSON = (
    *("{", "}", "[", "]", '"', '"abc', "{]", "[}", '{"id":1]', "[[[[", '{"id":{"id":{"id":'),
    *('{"id":1', '{"id":1,', '{"id":', '{"id"', '{"id":1,}', "[1,2,]", "[,]", "{,}", '{"id" 1}'),
    *('{"id":1}{"id":2}', '{"id":1} {"id":2}', "null null", '{"id":1},', '{"id":1} x', "[] []"),
    *("{'id':1}", "{id:1}", '{"id":1 "op":"x"}', '{"id"=1}', '{"id":1;"op":"x"}', '{1:"id"}'),
    *('{"id":01}', '{"id":.5}', '{"id":1.}', '{"id":+1}', '{"id":0x1F}', '{"id":1_000}', "1e"),
    *('{"id":True}', '{"id":None}', '{"id":undefined}', "tru", "nul", "TRUE", "-", "--1"),
    *(r'{"id":"\x41"}', r'{"id":"\u12"}', r'{"id":"\'"}', '{"id":"\\"}'),
    *('{"id":"a\tb"}', '{"id":"a\0b"}', '{"id":"\x1f"}', '{"i\x01d":1}'),
    *('{"id":1} // x', '/* x */ {"id":1}', '# {"id":1}', "evaluate", "id=1", "é", "“id”", "😀"),
)  # fmt: skip

_NO_OBJECTS: tuple[Json, ...] = (
    None,
    True,
    False,
    0,
    1.5,
    "",
    "evaluate",
    "{}",
    [],
    [[]],
    [1, None],
)

_UNKNOWN = (
    *("Evaluate", "EVALUATE", " evaluate", "evaluate ", "evaluate\0", "evaluate\n", "eval", ""),
    *("evaluate_", "évaluate", "e\u0301valuate", "ｅvaluate", "stored", "quit", "__init__", "ping"),
    *("id", "op", "input", "null", "0", "😀"),
)

_IDS: tuple[Json, ...] = (
    *(0, -1, 1, True, False, None, 2**53 - 1, -(2**53 - 1), 1.5, 1e-7, -2.5e300),
    *("", "é-7", "e\u0301", "\0", "a\nb\r\t", '"\\/', "\u2028\u0085", "😀" * 40, "null", "1"),
    *(
        [],
        {},
        [1, [2, {}]],
        {"a": [1.5, None, True]},
        {"id": 1, "op": "evaluate"},
        [None],
        [[[[]]]],
    ),
)

# Characters at which some libraries end a line, all allowed inside a string.
_SEPARATORS = "\u0085\u2028\u2029\u007f\u200b\u00a0"


def envelope_acts(material: Material, operations: frozenset[str]) -> Iterator[Act]:
    """Everything around the operations.

    Args:
        material: the inputs of the task's family.
        operations: the operations that the tier offers.
    """
    yield from _malformed_lines(material)
    yield from _wrong_requests(material)
    yield from _higher_operations(material, operations)
    yield from _ids(material)
    yield from _separators(material)
    yield from _large(material)
    yield from _recovery(material)


def _malformed_lines(material: Material) -> Iterator[Act]:
    topic, tags = "malformed-lines", (Tag.RECOVERY,)
    good = evaluate(material.plain)
    for line in _BLANK:
        yield Act(topic, tags, (line, good))
    for line in _NO_JSON:
        yield Act(topic, tags, (line,))
    whole = compact({"id": 7, **good})
    for line in (whole[:-1], f"{whole},", f"{whole} {whole}", f"{whole[:-1]},}}", f"[{whole}"):
        yield Act(topic, tags, (line, good))


def _wrong_requests(material: Material) -> Iterator[Act]:
    topic, tags = "wrong-requests", (Tag.PRECEDENCE, Tag.RECOVERY)
    plain = material.plain
    for value in _NO_OBJECTS:
        yield Act(topic, tags, (compact(value),))
    yield Act(topic, tags, (compact([evaluate(plain)]), {}, {"input": plain}, {"Op": "evaluate"}))
    for op in NO_STRINGS:
        yield Act(topic, tags, ({"op": op, "input": plain},))
    for name in _UNKNOWN:
        yield Act(topic, tags, ({"op": name, "input": plain},))
    yield Act(topic, tags, ({"op": "Evaluate"}, {"op": "", "input": None}))
    yield Act(topic, tags, ({"op": "evaluate"}, {"op": "evaluate", "Input": plain}))
    for value in (None, True, 0, 1.5, "", "{}", compact(plain), [], [plain], [["input", plain]]):
        yield Act(topic, tags, (evaluate(value),))
    yield Act(topic, tags, (evaluate(plain),))


def _higher_operations(material: Material, operations: frozenset[str]) -> Iterator[Act]:
    topic, tags = "operations-of-higher-tiers", (Tag.CORE, Tag.PRECEDENCE)
    for name, members in OPERATIONS.items():
        if name not in operations:
            faulty: dict[str, Json] = dict.fromkeys(members or ("key",))
            yield Act(topic, tags, ({"op": name, **members}, {"op": name, **faulty}))


def _ids(material: Material) -> Iterator[Act]:
    """Every kind of id, on every kind of answer."""
    topic, tags = "ids", (Tag.CORE,)
    requests = [evaluate(material.plain), evaluate({}), evaluate(material.broken), {"op": "none"}]
    requests += [evaluate(fields) for fields in material.failing[:1]]
    requests += [{"op": "evaluate"}, {"op": None}]
    for index, name in enumerate(_IDS):
        request = requests[index % len(requests)]
        yield Act(topic, tags, ({"id": name, **request},), bare=True)
    for request in requests:
        bare = (request, {"id": None, **request}, {"Id": 1, **request, "id": [index]})
        yield Act(topic, tags, bare, bare=True)


def _separators(material: Material) -> Iterator[Act]:
    topic, tags = "unusual-lines", (Tag.UNICODE,)
    for character in _SEPARATORS:
        request = {"id": f"a{character}b", **evaluate(material.plain, note=character * 2)}
        yield Act(topic, tags, (request,), bare=True)
    inside = "".join(chr(code) for code in range(32)) + _SEPARATORS
    request = {"id": inside, "op": f"{inside}evaluate"}
    yield Act(topic, tags, (request, escaped(request)), bare=True)


def _large(material: Material) -> Iterator[Act]:
    """A line longer than a buffer, and one as deep as lines may be."""
    topic, tags = "unusual-lines", (Tag.UNICODE,)
    deep: Json = 0
    for level in range(63):
        deep = [deep] if level % 2 else {"": deep}
    plain = material.plain
    long = evaluate(plain, note="é" + "n" * 9_000)
    yield Act(topic, tags, (long, evaluate(plain, note=deep)))
    yield Act(topic, tags, ({"id": deep, "op": "none"},), bare=True)


def _recovery(material: Material) -> Iterator[Act]:
    """Every kind of error, with a good request after each."""
    topic, tags = "recovery", (Tag.RECOVERY,)
    wrong: list[Json] = ["", '{"id":', "[]", {}, {"op": 1}, {"op": "none"}, {"op": "evaluate"}]
    wrong += [evaluate(None), evaluate({}), evaluate(material.broken)]
    wrong += [evaluate(fields) for fields in material.failing]
    for index, request in enumerate(wrong):
        good = material.valid[index % len(material.valid)]
        yield Act(topic, tags, (request, evaluate(good)))
