"""The check of what is never sent bites on each rule, and on nothing that may be sent."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcb_core.errors import DeclarationError
from kcb_core.testing.toy import AMOUNTS
from kcb_tasks.scenarios.material import Material
from kcb_tasks.scenarios.play import Play, Stage
from kcb_tasks.scenarios.sendable import _faulty_pieces, _is_plain, check_line
from kcb_tasks.tiers.durable import MAX
from kcb_tasks.tiers.easy import EASY
from kcb_tasks.tiers.layer import ServiceTier

NEVER = {
    "a byte order mark": ["\ufeff{}", "\ufeff"],
    "a line break": ['{"a":1}\r', "\r", '{"a":"\r"}', "{}\n", "{\n}"],
    "a lone surrogate": ['{"a":"\ud800"}', "\udfff"],
    "an escape for half of a surrogate pair": [
        r'{"a":"\ud800"}',
        r'{"a":"\udc00"}',
        r'{"\uDBFFx\uDC00":1}',
        r'{"a":"\ud83d\ud83d\ude00"}',
        r'{"a":"\ud83d","b":"\ude00"}',
        r'{"a":"\ude00\ud83d"}',
        r'{"a":"\ud83d\n\ude00"}',
        r'{"a":"\ud83d',
    ],
    "NaN": ["NaN", '{"a":NaN}', "[NaN", '{"a":[1,NaN]}'],
    "Infinity": ["Infinity", '{"a":Infinity}'],
    "-Infinity": ["[-Infinity]", '{"a":-Infinity,'],
    "minus zero": ["-0", '{"a":-0.0}', "[-0e5", '{"a":-0,"b":1}'],
    "an integer beyond 2^53 - 1": [
        "9007199254740992",
        '{"a":[-9007199254740992]}',
        "[1e0,1" + "0" * 40,
    ],
    "a number beyond a double": ["1e309", '{"a":-1e999}'],
    "a name twice in one object": ['{"a":1,"a":1}', '{"x":[{"a":1,"b":2,"\\u0061":3}]}'],
    "nesting deeper than 64": ["[" * 65 + "]" * 65, '{"a":' * 65 + "1" + "}" * 65, "[" * 65],
    "more than 262144 bytes": ['"' + "é" * 131_072 + '"'],
    "white space or a control character": [
        "\x0b{}",
        "{}\u00a0",
        "\u2028",
        "{\x00}",
        "\u0085{}",
        "\x1f",
    ],
}

SENT = [
    "",
    " \t ",
    "{",
    '{"a":"\t"}',
    '{"a":"\x00\x1f"}',
    '{"a":"\u2028\u0085\u00a0\x0b"}',
    r'{"a":"\ud83d\ude00\ud83d\ude00"}',
    r'{"a":"\\ud800"}',
    r'{"a":"\\\ud83d\ude00"}',
    '{"a":"NaN -0 [[[","-Infinity":"\\"NaN"}',
    '{"a":0,"b":[-1,-0.5,-1e-5,0.0,0e5],"c":9007199254740991,"d":-9007199254740991}',
    '{"a":1.7976931348623157e308,"b":1e-400}',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    "[" * 64 + "]" * 64,
    '"' + "é" * 131_071 + '"',
    "{NaNa:1}",
    "01 -- 1.2.3",
    "“é” 😀 x",
]


@pytest.mark.parametrize(
    ("fault", "line"),
    [(fault, line) for fault, lines in NEVER.items() for line in lines],
)
def test_a_line_that_is_never_sent_is_refused(fault: str, line: str) -> None:
    """The protocol defines no answer, so a scenario that held it would be unfair."""
    with pytest.raises(DeclarationError, match="a scenario may not send") as raised:
        check_line(line)
    assert fault in str(raised.value)


@pytest.mark.parametrize("line", SENT)
def test_every_other_line_may_be_sent(line: str) -> None:
    """Malformed lines too: only what is undefined is refused."""
    check_line(line)


def _play(tier: ServiceTier) -> Play:
    operations = frozenset(tier.operations(AMOUNTS))
    stage = Stage(
        service=lambda: tier.service(AMOUNTS),
        operations=operations,
        durable=tier.durable,
        material=Material(AMOUNTS, 1),
    )
    return Play(stage, "test")


def test_the_recorder_checks_objects_and_raw_lines() -> None:
    """Nothing reaches a scenario around the check."""
    play = _play(MAX)
    with pytest.raises(DeclarationError, match="minus zero"):
        play.put("a", -0.0)
    with pytest.raises(DeclarationError, match="beyond 2"):
        play.evaluate({"amounts": [2**53]})
    with pytest.raises(DeclarationError, match="name twice"):
        play.send('{"id":1,"id":1}')
    with pytest.raises(DeclarationError, match="lone surrogate"):
        play.get("\ud800")


def test_the_recorder_bounds_the_output_of_a_session() -> None:
    """The limit of a run is far away from what any right answer takes."""
    play = _play(MAX)
    play.put("a", "x" * 90_000)
    play.get("a", "a")
    play.kill()
    play.get("a", "a", "a")
    with pytest.raises(DeclarationError, match="the answers of a session take 27"):
        play.kill()


def test_only_a_durable_tier_is_killed() -> None:
    """In the others nothing would be left to go on with."""
    play = _play(EASY)
    play.evaluate({})
    with pytest.raises(DeclarationError, match="state directory"):
        play.kill()


_PIECES = st.sampled_from(
    [*'[]{},:"', "\\", "\\u", "d83d", "-0", "0", ".5", "e9", "e999", "9" * 16, "NaN", " ", "\x01"]
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(_VALUES.map(json.dumps) | st.lists(_PIECES, max_size=12).map("".join))
def test_the_quick_look_lets_nothing_through(line: str) -> None:
    """A line is spared the close look only if that would find nothing."""
    if _is_plain(line):
        assert [*_faulty_pieces(line)] == []


@pytest.mark.parametrize("line", ['{"id":1,"op":"put","value":[1.5,"é"]}', "[[]]", '"\\n"'])
def test_the_quick_look_suffices_for_most_lines(line: str) -> None:
    """Else every line would be looked at closely, as slowly as ever."""
    assert _is_plain(line)
