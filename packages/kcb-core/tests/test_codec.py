"""Strict JSON in, canonical JSON out, digests."""

import json
import random
import time
from contextlib import suppress
from enum import StrEnum
from typing import Literal

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kcb_core.codec import (
    MAX_DEPTH,
    MAX_DIGITS,
    Json,
    ascii_line,
    canonical,
    compact,
    convert,
    decode,
    decode_kind,
    digest,
    encode,
    parse,
    parse_document,
)
from kcb_core.errors import DataError, MalformedJson
from kcb_core.testing.strategies import json_values, printed_values

SEPARATORS = "\u2028\u2029\u0085\u000b\u000c\u001c\u001d\u001e"


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that a person may write."""

    wall_s: float = 0.0
    names: tuple[str, ...] = ()


class Whole(msgspec.Struct, frozen=True, kw_only=True):
    """A document with parts."""

    parts: tuple[Part, ...] = ()
    inner: "Whole | None" = None

    def __post_init__(self) -> None:
        if len(self.parts) > 3:
            raise ValueError("too many parts - at most 3")


def nested(depth: int) -> bytes:
    """Arrays in arrays."""
    return b"[" * depth + b"]" * depth


@given(printed_values())
@example("\ud800")
@example(-0.0)
@example(SEPARATORS)
def test_what_is_written_is_read_back(value: Json) -> None:
    """A response that changed on the way to a report would be shown as another."""
    for data in (canonical(value), ascii_line(value).encode(), encode(value)):
        assert repr(parse(data)) == repr(value) or canonical(parse(data)) == canonical(value)


@given(json_values())
def test_what_is_sent_is_read_back(value: Json) -> None:
    """The line that a candidate gets holds the value that the scenario holds, in its order."""
    line = compact(value)
    assert "\n" not in line
    assert "\r" not in line
    assert repr(parse(line.encode())) == repr(value)


@given(st.dictionaries(st.text(max_size=4), json_values(4), max_size=5), st.randoms())
def test_digest_does_not_depend_on_the_order_of_members(
    value: dict[str, Json], rng: random.Random
) -> None:
    """Two writers of one document must name it by one digest."""
    members = list(value.items())
    rng.shuffle(members)
    assert digest(canonical(dict(members))) == digest(canonical(value))


@given(st.binary(max_size=50), st.binary(max_size=50))
def test_same_bytes_have_the_same_digest_and_others_another(left: bytes, right: bytes) -> None:
    """Reports name files, datasets and code by it."""
    assert (digest(left) == digest(right)) == (left == right)


def test_digest_is_sha256() -> None:
    """Anybody can check it with the tools of their system."""
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert digest(b"") == empty


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(b"\xef\xbb\xbf{}", "it starts with a byte-order mark", id="BOM"),
        pytest.param(b'"\xed\xa0\x80"', "invalid UTF-8 at byte 1", id="raw surrogate"),
        pytest.param(b'"\xff"', "invalid UTF-8 at byte 1", id="no UTF-8"),
        pytest.param(b'"\xc3', "invalid UTF-8 at byte 1", id="cut character"),
        pytest.param("é".encode("latin-1"), "invalid UTF-8 at byte 0", id="Latin-1"),
        pytest.param("{}".encode("utf-16"), "invalid UTF-8 at byte 0", id="UTF-16"),
        pytest.param(b"NaN", "NaN is not JSON", id="NaN"),
        pytest.param(b"Infinity", "Infinity is not JSON", id="Infinity"),
        pytest.param(b"-Infinity", "-Infinity is not JSON", id="-Infinity"),
        pytest.param(b"1e999", "the number 1e999 is beyond a double", id="1e999"),
        pytest.param(b"-1e999", "the number -1e999 is beyond a double", id="-1e999"),
        pytest.param(b'{"a":1,"b":2,"a":3}', 'the name "a" stands twice', id="name twice"),
        pytest.param(b'{"a":1,"\\u0061":1}', 'the name "a" stands twice', id="name escaped"),
        pytest.param(b'[{"x":{"a":1,"a":1}}]', 'the name "a" stands twice', id="name twice inside"),
        pytest.param(nested(MAX_DEPTH + 1), "nested deeper than 200", id="depth 201"),
        pytest.param(nested(100_000), "nested deeper than 200", id="depth 100,000"),
        pytest.param(b"[" * 100_000, "nested deeper than 200", id="never closed"),
        pytest.param(b'{"a":' * 201 + b"1" + b"}" * 201, "deeper than 200", id="objects"),
        pytest.param(b"1" * 4_001, "an integer of more than 4000 digits", id="4,001 digits"),
        pytest.param(b"-" + b"1" * 4_001, "more than 4000 digits", id="-4,001 digits"),
        pytest.param(b"", "Expecting value at character 0", id="nothing"),
        pytest.param(b" ", "Expecting value", id="a blank"),
        pytest.param(b"{} {}", "Extra data at character 3", id="trailing data"),
        pytest.param(b"1 2", "Extra data at character 2", id="trailing number"),
        pytest.param(b"{}\x00", "Extra data", id="trailing NUL"),
        pytest.param(b"{}\xc2\xa0", "Extra data", id="trailing no-break space"),
        pytest.param(b"{'a':1}", "Expecting property name", id="single quotes"),
        pytest.param(b"[1,]", "at character", id="trailing comma"),
        pytest.param(b"{}//x", "Extra data", id="comment"),
        pytest.param(b"01", "Extra data", id="leading zero"),
        pytest.param(b"+1", "Expecting value", id="plus"),
        pytest.param(b".5", "Expecting value", id="bare point"),
        pytest.param(b"1.", "Extra data", id="nothing behind the point"),
        pytest.param(b"0x10", "Extra data", id="hexadecimal"),
        pytest.param("１".encode(), "Expecting value", id="full-width digit"),
        pytest.param(b"True", "Expecting value", id="Python's True"),
        pytest.param(b'"a\tb"', "Invalid control character at character 2", id="raw tab"),
        pytest.param(b'"abc', "Unterminated string starting at character 0", id="no end"),
        pytest.param(b'"\\q"', "escape at character 1", id="unknown escape"),
        pytest.param(b'"\\u12"', "Invalid", id="short escape"),
        pytest.param(b'"\\ud800', "at character", id="surrogate without end"),
        pytest.param('"\\u００41"'.encode(), "escape at character", id="full-width escape"),
    ],
)
def test_what_is_not_strict_json_is_refused(data: bytes, reason: str) -> None:
    """A lenient reader lets one answer pass here and fail there; each refusal says what it is."""
    with pytest.raises(MalformedJson) as caught:
        parse(data, source="file")
    assert str(caught.value).startswith("file: ")
    assert reason in caught.value.reason


@pytest.mark.parametrize(
    ("data", "value"),
    [
        pytest.param(b' \t\r\n{"a" : [ ] } \n', {"a": []}, id="white space"),
        pytest.param(b'"\\ud800"', "\ud800", id="lone surrogate"),
        pytest.param(b'"\\udc00\\ud800"', "\udc00\ud800", id="surrogates the wrong way round"),
        pytest.param(b'"\\ud83d\\ude00"', "\U0001f600", id="pair"),
        pytest.param("\U0001f600".encode().join([b'"', b'"']), "\U0001f600", id="raw astral"),
        pytest.param(b'{"\\ud800":1}', {"\ud800": 1}, id="lone surrogate in a name"),
        pytest.param(b'"\\ufeff"', "\ufeff", id="BOM in a string"),
        pytest.param(b'"\xef\xbb\xbf"', "\ufeff", id="raw BOM in a string"),
        pytest.param(b'"\xef\xbf\xbf"', "\uffff", id="non-character"),
        pytest.param(b'"\\u0000\x7f"', "\0\x7f", id="NUL and DEL"),
        pytest.param(b"9" * 4_000, int("9" * 4_000), id="4,000 digits"),
        pytest.param(b"-" + b"9" * 4_000, -int("9" * 4_000), id="-4,000 digits"),
        pytest.param(b"1e308", 1e308, id="large double"),
        pytest.param(b"1e-999", 0.0, id="too small a number is zero"),
        pytest.param(b"-0", 0, id="minus zero"),
        pytest.param(b"1E+2", 100.0, id="exponent"),
        pytest.param(b'"[[[[{{{{"', "[[[[{{{{", id="brackets in a string"),
        pytest.param(b'["' + b"[" * 300 + b'\\"["]', ["[" * 300 + '"['], id="many, and a quote"),
        pytest.param(b"[" + b"[]," * 300 + b"[]]", [[]] * 301, id="many brackets side by side"),
        pytest.param(b'{"":{}}', {"": {}}, id="empty name"),
    ],
)
def test_strict_json_is_read(data: bytes, value: Json) -> None:
    """A candidate may use all of JSON; none of it is taken for a fault."""
    assert repr(parse(data)) == repr(value)


def test_depth_200_is_read() -> None:
    """The bound is where the documentation says, and not one below it."""
    value = parse(nested(MAX_DEPTH))
    for _ in range(MAX_DEPTH - 1):
        (value,) = value
    assert value == []


@given(st.binary(max_size=60))
@example(b'{"a":1e99999999999999999999}')
@example(b'"\\ud800\\u"')
@example(b'["' + b'\\"' * 150 + b"[" * 250)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Whatever a candidate prints is a verdict, and never an error of the evaluator."""
    with suppress(MalformedJson):
        assert parse(data) == json.loads(data.decode())


@given(st.text('{}[]",:\\0123456789.eE+-aNI \t\n\u2028', max_size=40))
def test_strict_json_is_what_the_standard_library_reads_too(text: str) -> None:
    """Stricter, and never different: what is read here is read the same way everywhere."""
    with suppress(MalformedJson):
        assert repr(parse(text.encode())) == repr(json.loads(text))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b'"' + b'\\"' * 200_000 + b"[" * 300, id="escaped quotes without end"),
        pytest.param(b'"\\' * 200_000 + b"[" * 300, id="quotes and backslashes"),
        pytest.param(b"[" * 300 + b'"' * 200_001, id="quotes"),
        pytest.param(b"[" * 150 + b'"' + b"\\" * 400_001, id="backslashes"),
        pytest.param(b"[" * 201 + b"9" * 400_000, id="digits"),
        pytest.param(b"[" + b"9" * 1_000_000 + b"]", id="one integer"),
        pytest.param(b"[0." + b"9" * 1_000_000 + b"]", id="one fraction"),
    ],
)
def test_hostile_text_takes_linear_time(data: bytes) -> None:
    """A mebibyte of output must not keep the evaluator busy for minutes."""
    begin = time.process_time()
    with suppress(MalformedJson):
        parse(data)
    assert time.process_time() - begin < 2


@pytest.mark.parametrize(
    ("number", "what"),
    [
        ("NaN", "NaN is not JSON"),
        ("-Infinity", "-Infinity is not JSON"),
        ("1e999", "the number 1e999 is beyond a double"),
        ("9" * (MAX_DIGITS + 1), "an integer of more than 4000 digits"),
    ],
)
def test_refused_number_is_named_by_its_field(number: str, what: str) -> None:
    """One bad number in a report of a megabyte has to be found by whoever reads the message."""
    text = (
        f'{{"ok": {{"x": [1.5, 2]}}, "many": [7, {{"wall_s": [2, {number}]}}], "later": {number}}}'
    )
    with pytest.raises(MalformedJson) as caught:
        parse_document(text.encode(), source="r.json")
    assert str(caught.value) == f"r.json: field 'many[1].wall_s[1]': {what}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("NaN", "NaN is not JSON"),
        ('{"a": NaN', "NaN is not JSON"),
        ('{"\\u000a\\ud800": NaN}', "field '\\n\\ud800': NaN is not JSON"),
    ],
    ids=["whole value", "malformed behind it", "name with a line end"],
)
def test_refused_number_without_a_nameable_field_is_one_line_all_the_same(
    text: str, message: str
) -> None:
    """The name comes from whoever wrote the text, so it may hold anything."""
    with pytest.raises(MalformedJson) as caught:
        parse(text.encode())
    assert str(caught.value) == message


def test_saved_document_may_start_with_a_byte_order_mark() -> None:
    """Editors put one there; a person who saved a report did nothing wrong."""
    assert parse_document(b"\xef\xbb\xbf{}", source="f") == {}
    with pytest.raises(MalformedJson):
        parse_document(b"\xef\xbb\xbf" * 2 + b"{}", source="f")


@pytest.mark.parametrize("separator", SEPARATORS)
def test_separators_of_lines_in_strings_do_not_separate_records(separator: str) -> None:
    """Many line readers split at them; a record that is split is lost."""
    value = {"text": f"a{separator}b", separator: 1}
    assert ascii_line(value).splitlines() == [ascii_line(value)]
    assert compact(value).split("\n") == [compact(value)]
    assert parse(compact(value).encode()) == value
    assert parse(ascii_line(value).encode()) == value


def test_compact_keeps_order_and_characters() -> None:
    """Every runner sends the same bytes for a request."""
    assert compact({"b": [1, 2.0], "a": "é\u2028"}) == '{"b":[1,2.0],"a":"é\u2028"}'


def test_canonical_is_sorted_and_ascii() -> None:
    """It is the one spelling that digests are taken of, so it never changes."""
    assert canonical({"b": 1.0, "a": ["é", None, True]}) == b'{"a":["\\u00e9",null,true],"b":1.0}'


def test_stored_documents_are_indented_ascii_with_a_final_line_end() -> None:
    """They open in every editor and locale, and can be compared line by line."""
    assert encode({"b": "é", "a": [1]}) == b'{\n "b": "\\u00e9",\n "a": [\n  1\n ]\n}\n'


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_are_not_finite_are_never_written(number: float) -> None:
    """A NaN that became null, or 0, has shifted published scores elsewhere."""
    for write in (encode, canonical, compact, ascii_line):
        with pytest.raises(ValueError, match="not JSON compliant"):
            write({"x": [number]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3", "Expected 'object', got 'int'"),
        ('{"parts": 3}', "field 'parts': Expected 'array', got 'int'"),
        (
            '{"parts": [{"wall_s": []}]}',
            "field 'parts[0].wall_s': Expected 'float', got 'array'",
        ),
        ('{"parts": [{"names": [1]}]}', "field 'parts[0].names[0]': Expected 'str', got 'int'"),
        (
            '{"parts": [{"wal_s": 1}]}',
            "field 'parts[0]': Object contains unknown field 'wal_s'; did you mean 'wall_s'?",
        ),
        (
            '{"inner": {"parts": [{"qqqq": 1}]}}',
            "field 'inner.parts[0]': Object contains unknown field 'qqqq'",
        ),
        ('{"parts": [{}, {}, {}, {}]}', "too many parts - at most 3"),
        ('{"inner": {"parts": [{}, {}, {}, {}]}}', "field 'inner': too many parts - at most 3"),
        (
            r'{"parts": [{"wall_\ud800": 1}]}',
            r"field 'parts[0].wall_\ud800': a lone surrogate stands there, which is no text",
        ),
    ],
)
def test_document_that_does_not_fit_names_file_and_field(text: str, message: str) -> None:
    """The remedy is in the file, so the message leads there."""
    with pytest.raises(DataError) as caught:
        decode(text.encode(), Whole, source="w.json")
    assert str(caught.value) == f"w.json: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "must be a JSON object of kind 'note'"),
        ("{}", "field 'kind': None is not 'note'"),
        ('{"kind": "letter"}', "field 'kind': 'letter' is not 'note'"),
        ('{"kind": "note"}', "field 'edition': None is not known, this version reads 2; upgrade "
         "kcb-core"),
        ('{"kind": "note", "edition": 3, "parts": "anything"}', "field 'edition': 3 is not known"),
        ('{"kind": "note", "edition": 0}', "field 'edition': 0 is not known"),
        ('{"kind": "note", "edition": true}', "field 'edition': True is not known"),
        ('{"kind": "note", "edition": 1, "parts": 3}', "field 'parts': Expected 'array'"),
        ('{"kind": "note", "edition": NaN}', "field 'edition': NaN is not JSON"),
    ],
)  # fmt: skip
def test_kind_and_version_are_checked_before_anything_else(text: str, message: str) -> None:
    """A newer document may look different in every other field; the remedy is to upgrade."""
    with pytest.raises(DataError) as caught:
        decode_kind(text.encode(), Whole, kind="note", newest=2, source="n.json", version="edition")
    assert str(caught.value).startswith(f"n.json: {message}")


@pytest.mark.parametrize("edition", [1, 2])
def test_every_version_up_to_the_newest_is_read(edition: int) -> None:
    """What was stored once can be read for ever."""
    text = f'\ufeff{{"kind": "note", "edition": {edition}, "parts": [{{}}]}}'
    whole = decode_kind(
        text.encode(), Whole, kind="note", newest=2, source="n.json", version="edition"
    )
    assert whole == Whole(parts=(Part(),))


def test_unknown_fields_are_skipped_where_programs_exchange() -> None:
    """Within a version fields are added, and older readers go on reading."""
    assert decode(b'{"new": 1, "inner": {"newer": []}}', Whole, source="f") == Whole(inner=Whole())


def test_strings_are_never_taken_for_numbers() -> None:
    """A document that means something else than it says is refused, not repaired."""
    with pytest.raises(DataError):
        convert({"wall_s": "1.5"}, Part, source="f")


def test_member_that_is_too_large_for_json_elsewhere_survives() -> None:
    """Results may hold integers of any size; they are stored and read exactly."""
    value = {"n": 10**3_999, "s": "\ud800"}
    assert decode(encode(value), dict[str, Json], source="f") == value


class Colour(StrEnum):
    """A closed set of words."""

    RED = "red"
    BLUE = "blue"


class Painted(msgspec.Struct, forbid_unknown_fields=True):
    """Words in every place where one may stand."""

    one: Colour = Colour.RED
    maybe: Literal["a", "b"] | msgspec.UnsetType = msgspec.UNSET
    many: tuple[Colour, ...] = ()
    named: dict[str, list[Colour]] = {}
    inner: tuple["Painted", ...] = ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"one": "rd"}', "field 'one': Invalid enum value 'rd'; known: red, blue"),
        ('{"maybe": "c"}', "field 'maybe': Invalid enum value 'c'; known: a, b"),
        ('{"many": ["red", "x"]}', "field 'many[1]': Invalid enum value 'x'; known: red, blue"),
        ('{"named": {"k": ["x"]}}', "field 'named[...][0]': Invalid enum value 'x'; known: red"),
        ('{"inner": [{"inner": [{"maybe": "x"}]}]}', "'inner[0].inner[0].maybe': Invalid enum"
         " value 'x'; known: a, b"),
    ],
)  # fmt: skip
def test_a_word_that_is_none_of_a_closed_set_is_told_which_are(text: str, says: str) -> None:
    """Nobody has to look for the reference to mend a slip."""
    with pytest.raises(DataError) as caught:
        decode(text.encode(), Painted, source="p.json")
    assert says in str(caught.value)
