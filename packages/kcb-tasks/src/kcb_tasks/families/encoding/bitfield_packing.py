"""Bit fields: named values packed into the bits of a message, and unpacked."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import (
    AnyOf,
    Array,
    Boolean,
    Choice,
    Integer,
    Mapped,
    Record,
    Text,
    absentable,
    label,
    optional,
    required,
)

_SUMMARY = """\
Packs named values into the bits of a message (`op` is `pack`), or unpacks a message (`op` is
`unpack`). The objects in `fields` are the parts of the message; each has `bits` bits. The parts
follow one another in this order without gaps. The message has as many bytes as are needed for all
parts. The bits behind the last part, up to the end of the last byte, are the padding; they are 0.

The `kind` of a part says what its bits are:

- `uint`: an integer from 0 to 2^bits - 1, written in binary.
- `int`: an integer v from -2^(bits-1) to 2^(bits-1) - 1. If v >= 0, it is written like a `uint`; if
  v < 0, v + 2^bits is written like a `uint` (two's complement).
- `flag`: a boolean, one bit: 1 for `true`, 0 for `false`.
- `reserved`: bits that are all 0. Such a part has a name, but no value.

`order` says how parts and bytes become one row of bits:

- `msb`: each part is written from its most significant bit to its least significant one. The row is
  cut into bytes; the first bit of each 8 is the most significant one of its byte (worth 128).
- `lsb`: each part is written from its least significant bit to its most significant one. The row is
  cut into bytes; the first bit of each 8 is the least significant one of its byte (worth 1).

Bytes are written in hexadecimal, two digits for each byte, the higher digit first."""

_RESULT = """\
- `pack`: an object `{"hex": h, "bits": n}`, where `hex` is the message, a string with the letters
  in lower case.
- `unpack`: an object `{"values": v, "bits": n}`, where `values` is an object with one member for
  each part that is not `reserved`: its name and its value, a boolean for a `flag`, else an integer.

`bits` is the number of bits of all parts together, without the padding."""

_RULES = """\
- A part may lie across the end of a byte, in both orders.
- An `int` of 1 bit is -1 or 0. A `uint` of 32 bits goes up to 4294967295.
- `true` is not the integer 1, and 1 is not `true`.
- `pack` ignores `hex`, and `unpack` ignores `values`. But if they are there, they must be valid."""

_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})*")

_Part = Mapping[str, Any]


def _evaluate(fields: Mapping[str, Any]) -> Json:
    op, parts = fields["op"], fields["fields"]
    if len({part["name"] for part in parts}) < len(parts):
        raise DomainError("duplicate_field")
    if any(part["kind"] == "flag" and part["bits"] != 1 for part in parts):
        raise DomainError("bad_width")
    operand = fields.get("values" if op == "pack" else "hex")
    if operand is None:
        raise DomainError("missing_operand")
    bits = sum(part["bits"] for part in parts)
    if op == "pack":
        return {"hex": _packed(parts, operand, fields["order"]), "bits": bits}
    return {"values": _unpacked(parts, operand, fields["order"]), "bits": bits}


def _packed(parts: Sequence[_Part], values: Mapping[str, int], order: str) -> str:
    named = {part["name"]: part for part in parts if part["kind"] != "reserved"}
    if not values.keys() <= named.keys():
        raise DomainError("unknown_value")
    if not named.keys() <= values.keys():
        raise DomainError("missing_value")
    if any(
        isinstance(values[name], bool) != (part["kind"] == "flag") for name, part in named.items()
    ):
        raise DomainError("wrong_type")
    if not all(_fits(values[name], part) for name, part in named.items()):
        raise DomainError("value_out_of_range")
    row = "".join(_turned(_bits(values.get(p["name"], 0), p["bits"]), order) for p in parts)
    row += "0" * (-len(row) % 8)
    groups = [row[at : at + 8] for at in range(0, len(row), 8)]
    return bytes(int(_turned(group, order), 2) for group in groups).hex()


def _unpacked(parts: Sequence[_Part], text: str, order: str) -> dict[str, Json]:
    if not _HEX.fullmatch(text):
        raise DomainError("bad_hex")
    row = "".join(_turned(_bits(byte, 8), order) for byte in bytes.fromhex(text))
    bits = sum(part["bits"] for part in parts)
    if len(row) != bits + -bits % 8:
        raise DomainError("length_mismatch")
    values: dict[str, Json] = {}
    zeros = row[bits:]
    for part in parts:
        written, row = row[: part["bits"]], row[part["bits"] :]
        if part["kind"] == "reserved":
            zeros += written
        else:
            values[part["name"]] = _value(int(_turned(written, order), 2), part)
    if "1" in zeros:
        raise DomainError("nonzero_reserved")
    return values


def _turned(bits: str, order: str) -> str:
    """Bits from the most significant one on, as they lie in the row, or back."""
    return bits if order == "msb" else bits[::-1]


def _bits(value: int, width: int) -> str:
    return f"{value % 2**width:0{width}b}"


def _fits(value: int, part: _Part) -> bool:
    count = 1 << int(part["bits"])
    lowest = -(count // 2) if part["kind"] == "int" else 0
    return lowest <= value < lowest + count


def _value(number: int, part: _Part) -> Json:
    if part["kind"] == "flag":
        return number == 1
    return number if _fits(number, part) else number - 2 ** part["bits"]


def _generate(rng: random.Random) -> dict[str, Json]:
    parts = _draw_parts(rng)
    values = {p["name"]: _draw_value(rng, p) for p in parts if p["kind"] != "reserved"}
    drawn: dict[str, Json] = {"op": "pack", "fields": parts, "values": values}
    if rng.random() < 0.7:
        drawn["order"] = rng.choice(["msb", "lsb", "lsb"])
    if rng.random() < 0.5:
        text = _packed(parts, values, drawn.get("order", "msb"))
        if rng.random() < 0.16:
            text = _draw_damaged(rng, text)
        drawn |= {"op": "unpack", "hex": rng.choice([text, text.upper()])}
        if rng.random() < 0.8:
            del drawn["values"]
    elif rng.random() < 0.22 and values:
        drawn["values"] = _draw_wrong(rng, parts, values)
    if rng.random() < 0.07:
        _draw_fault(rng, drawn)
    return drawn


def _draw_parts(rng: random.Random) -> list[dict[str, Json]]:
    names = rng.sample(_NAMES, rng.choice([1, 2, 3, 4, 5, 7, 10]))
    parts: list[dict[str, Json]] = []
    for name in names:
        kind = rng.choice(["uint", "uint", "int", "int", "flag", "reserved"])
        width = rng.choice([1, 2, 3, 5, 7, 8, 9, 12, 16, 31, 32])
        parts.append({"name": name, "kind": kind, "bits": 1 if kind == "flag" else width})
    return parts


def _draw_value(rng: random.Random, part: _Part) -> Json:
    if part["kind"] == "flag":
        return rng.random() < 0.5
    most = 2 ** part["bits"]
    number = rng.choice([0, 1, most - 1, most // 2, most // 2 - 1, rng.randrange(most)]) % most
    return number - most // 2 if part["kind"] == "int" else number


def _draw_wrong(
    rng: random.Random, parts: Sequence[_Part], values: Mapping[str, Json]
) -> dict[str, Json]:
    """Values of which one or two are missing, unknown, of a wrong type, or too large."""
    wrong = dict(values)
    reserved = [part["name"] for part in parts if part["kind"] == "reserved"]
    for _ in range(rng.choice([1, 1, 2])):
        part = rng.choice([part for part in parts if part["kind"] != "reserved"])
        numbers: list[Json] = [-1, 2 ** part["bits"], 2**32, -(2**32)]
        if part["kind"] != "flag":
            numbers.append(rng.random() < 0.5)
        chance = rng.random()
        if chance < 0.6:
            wrong[part["name"]] = rng.choice(numbers)
        elif chance < 0.8:
            wrong.pop(part["name"], None)
        else:
            wrong[rng.choice([*reserved, "nowhere"])] = 0
    return wrong


def _draw_damaged(rng: random.Random, text: str) -> str:
    """A message of another length, with other bits, or one that is not hexadecimal."""
    last = int(text[-1], 16)
    return rng.choice(
        [
            text[:-2],
            text + "00",
            text[:-1],
            text[:-1] + "g",
            " " + text[1:],
            text[:-1] + f"{last | 1:x}",
            text[:-1] + f"{last | 8:x}",
            "ff" * (len(text) // 2),
            "ff" * (len(text) // 2),
        ]
    )


def _draw_fault(rng: random.Random, drawn: dict[str, Json]) -> None:
    """Put something into an input that is wrong whatever the values are."""
    parts = drawn["fields"]
    chance = rng.random()
    if chance < 0.4:
        kind = rng.choice(["uint", "reserved"])
        parts.insert(rng.randint(0, len(parts)), {**rng.choice(parts), "kind": kind})
    elif chance < 0.7:
        parts.append({"name": "wide", "kind": "flag", "bits": rng.choice([2, 8, 32])})
    else:
        drawn.pop("values" if drawn["op"] == "pack" else "hex")


_NAMES = (
    *(
        "ver",
        "ok",
        "temp",
        "id",
        "é",
        "e\u0301",
        "Ver",
        "ver ",
        "日本",
        "😀",
        "𝒳",
        "bits",
        "\n",
        "0",
    ),
    "n" * 40,
)


def _parts(*parts: str) -> list[Json]:
    """Parts from texts such as ``ver uint 3``."""
    split = [part.split(" ") for part in parts]
    return [{"name": name, "kind": kind, "bits": int(bits)} for name, kind, bits in split]


def _pack(
    parts: list[Json], values: dict[str, Json], text: str, bits: int, order: str | None = None
) -> Case:
    given = {} if order is None else {"order": order}
    fields = {"op": "pack", **given, "fields": parts, "values": values}
    return Case(fields, {"hex": text, "bits": bits})


def _unpack(
    parts: list[Json], text: str, values: dict[str, Json], bits: int, order: str | None = None
) -> Case:
    given = {} if order is None else {"order": order}
    fields = {"op": "unpack", **given, "fields": parts, "hex": text}
    return Case(fields, {"values": values, "bits": bits})


def _no_pack(error: str, parts: list[Json], values: dict[str, Json]) -> Case:
    return Case({"op": "pack", "fields": parts, "values": values}, error=error)


def _no_unpack(error: str, parts: list[Json], text: str, **more: Json) -> Case:
    return Case({"op": "unpack", "fields": parts, "hex": text, **more}, error=error)


_SENSOR = _parts("ver uint 3", "ok flag 1", "r reserved 2", "temp int 7")
_READING: dict[str, Json] = {"ver": 5, "ok": True, "temp": -3}
_FULL = _parts(*(f"{index} uint 32" for index in range(32)))
_FLAGS = _parts(*(f"{index} flag 1" for index in range(9)))

_BOUNDARIES = (
    # One message in both orders, there and back.
    _pack(_SENSOR, _READING, "b3e8", 13),
    _unpack(_SENSOR, "4D1F", _READING, 13, "lsb"),
    _unpack(_SENSOR, "B3e8", _READING, 13),
    # Whole bytes: a single one is the same in both orders, two are not.
    _pack(_parts("a uint 8"), {"a": 165}, "a5", 8, "msb"),
    _pack(_parts("a uint 8"), {"a": 165}, "a5", 8, "lsb"),
    _pack(_parts("a uint 16"), {"a": 0x1234}, "1234", 16),
    _pack(_parts("a uint 16"), {"a": 0x1234}, "3412", 16, "lsb"),
    # Parts across the end of a byte, and where the padding is.
    _pack(_parts("a uint 4", "b uint 12"), {"b": 0xBCD, "a": 0xA}, "abcd", 16),
    _pack(_parts("a uint 4", "b uint 12"), {"b": 0xBCD, "a": 0xA}, "dabc", 16, "lsb"),
    _unpack(_parts("a uint 4", "b uint 12"), "dabc", {"a": 0xA, "b": 0xBCD}, 16, "lsb"),
    _pack(_parts("a uint 1", "b uint 9"), {"a": 1, "b": 1}, "8040", 10),
    _pack(_parts("a uint 1", "b uint 9"), {"a": 1, "b": 1}, "0300", 10, "lsb"),
    _pack(_FLAGS, dict.fromkeys("012345678", True), "ff80", 9),
    _pack(_FLAGS, dict.fromkeys("012345678", True), "ff01", 9, "lsb"),
    _unpack(_FLAGS, "0080", {**dict.fromkeys("01234567", False), "8": True}, 9),
    # The ends of the ranges.
    _pack(_parts("a uint 32"), {"a": 4_294_967_295}, "ffffffff", 32),
    _unpack(_parts("a uint 32"), "ffffffff", {"a": 4_294_967_295}, 32),
    _pack(_parts("a int 32"), {"a": -2_147_483_648}, "80000000", 32),
    _pack(_parts("a int 32"), {"a": -2_147_483_648}, "00000080", 32, "lsb"),
    _pack(_parts("a int 32"), {"a": 2_147_483_647}, "7fffffff", 32),
    _unpack(_parts("a int 32"), "80000000", {"a": -2_147_483_648}, 32),
    _unpack(_parts("é int 1"), "80", {"é": -1}, 1),
    _pack(_parts("é int 1"), {"é": -1}, "80", 1),
    _pack(_parts("é int 1"), {"é": 0}, "00", 1),
    _pack(_parts("a int 3", "b int 3"), {"a": 3, "b": -4}, "70", 6),
    _unpack(_parts("a int 3", "b int 3"), "23", {"a": 3, "b": -4}, 6, "lsb"),
    _pack(_parts("a uint 1", "b flag 1"), {"a": 1, "b": False}, "80", 2),
    _unpack(_parts("a uint 1", "b flag 1"), "40", {"a": 0, "b": True}, 2),
    _unpack(_FULL, "FF" * 128, {str(index): 2**32 - 1 for index in range(32)}, 1_024),
    # Names are compared exactly; reserved parts have no value.
    _pack(_parts("é uint 4", "e\u0301 uint 4"), {"e\u0301": 2, "é": 1}, "12", 8),
    _pack(_parts("😀 uint 4", "Ver uint 2", "ver uint 2"), {"ver": 3, "Ver": 0, "😀": 9}, "93", 8),
    _pack(_parts("r reserved 5"), {}, "00", 5),
    _unpack(_parts("r reserved 32", "s reserved 1"), "0000000000", {}, 33),
    # The operand of the other operation is ignored.
    Case(
        {"op": "pack", "fields": _parts("a int 8"), "values": {"a": -2}, "hex": "zz"},
        {"hex": "fe", "bits": 8},
    ),
    Case(
        {"op": "unpack", "fields": _parts("a int 8"), "values": {"b": True}, "hex": "fe"},
        {"values": {"a": -2}, "bits": 8},
    ),
    # What is wrong with the parts comes before a missing operand.
    Case({"op": "pack", "fields": [*_SENSOR, *_parts("ver uint 3")]}, error="duplicate_field"),
    Case(
        {"op": "unpack", "fields": _parts("r reserved 4", "r reserved 4")}, error="duplicate_field"
    ),
    _no_pack("duplicate_field", _parts("r reserved 1", "r uint 1"), {"r": 1}),
    _no_unpack("duplicate_field", _parts("f flag 2", "f flag 1"), "00"),
    Case({"op": "pack", "fields": _parts("f flag 2")}, error="bad_width"),
    _no_unpack("bad_width", _parts("a uint 8", "f flag 8"), "zz"),
    Case({"op": "pack", "fields": _SENSOR, "hex": "00"}, error="missing_operand"),
    Case({"op": "unpack", "fields": _SENSOR, "values": {"r": 0}}, error="missing_operand"),
    # Errors of the values, each tested for all of them before the next one.
    _no_pack("unknown_value", _SENSOR, {"r": 0}),
    _no_pack("unknown_value", _SENSOR, {**_READING, "Ver": 1}),
    _no_pack("unknown_value", _parts("é uint 1"), {"é": 1, "e\u0301": 1}),
    _no_pack("missing_value", _SENSOR, {"ver": 1, "ok": 1}),
    _no_pack("missing_value", _SENSOR, {}),
    _no_pack("wrong_type", _SENSOR, {"ver": 8, "ok": 1, "temp": 0}),
    _no_pack("wrong_type", _SENSOR, {"ver": 8, "ok": 0, "temp": 0}),
    _no_pack("wrong_type", _SENSOR, {"ver": True, "ok": True, "temp": 0}),
    _no_pack("wrong_type", _SENSOR, {"ver": 8, "ok": True, "temp": False}),
    _no_pack("value_out_of_range", _SENSOR, {"ver": 8, "ok": True, "temp": 0}),
    _no_pack("value_out_of_range", _SENSOR, {"ver": -1, "ok": True, "temp": 0}),
    _no_pack("value_out_of_range", _SENSOR, {"ver": 7, "ok": True, "temp": 64}),
    _no_pack("value_out_of_range", _SENSOR, {"ver": 7, "ok": True, "temp": -65}),
    _no_pack("value_out_of_range", _parts("a int 1"), {"a": 1}),
    _no_pack("value_out_of_range", _parts("a uint 32"), {"a": 2**32}),
    _no_pack("value_out_of_range", _parts("a int 32"), {"a": 2**31}),
    _no_pack("value_out_of_range", _parts("a int 32"), {"a": -(2**31) - 1}),
    # Errors of a message.
    *(
        _no_unpack("bad_hex", _SENSOR, text)
        for text in (
            "zz",
            "0",
            "b3e",
            "b3 e",
            "b3\ne",
            "0xb3",
            "ｂ3e8",
            "b3e8g",
            "-b3e",
            "\u0660123",
        )
    ),
    _no_unpack("length_mismatch", _SENSOR, ""),
    _no_unpack("length_mismatch", _SENSOR, "00"),
    _no_unpack("length_mismatch", _SENSOR, "b3e800"),
    _no_unpack("length_mismatch", _SENSOR, "ffffff"),
    _no_unpack("length_mismatch", _parts("a uint 8"), "0000"),
    _no_unpack("nonzero_reserved", _SENSOR, "0001"),
    _no_unpack("nonzero_reserved", _SENSOR, "0800"),
    _no_unpack("nonzero_reserved", _SENSOR, "4d3f", order="lsb"),
    _no_unpack("nonzero_reserved", _SENSOR, "6d1f", order="lsb"),
    _no_unpack("nonzero_reserved", _parts("r reserved 5"), "08"),
    _no_unpack("nonzero_reserved", _parts("r reserved 5"), "04"),
)

FAMILY = Family(
    number=55,
    slug="bitfield-packing",
    title="Bit-field message packing",
    category="encoding",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("op", Choice("pack", "unpack"), "What is done."),
        optional("order", Choice("msb", "lsb"), "msb", "The order of the bits."),
        required(
            "fields",
            Array(
                Record(
                    (
                        required("name", label()),
                        required("kind", Choice("uint", "int", "flag", "reserved")),
                        required("bits", Integer(1, 32)),
                    )
                ),
                1,
                32,
            ),
            "The parts of the message. Names are compared exactly, code point by code point.",
        ),
        absentable(
            "values",
            Mapped(label(), AnyOf((Integer(-(2**32), 2**32), Boolean())), 64),
            "The values to pack, by the names of their parts, which `pack` needs.",
        ),
        absentable(
            "hex",
            Text(0, 512),
            "The message to unpack, which `unpack` needs. Letters are in upper or lower case. "
            "A string that is not hexadecimal is an error of the contract.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_field", "Two parts have the same name, `reserved` ones included."),
        ErrorCode("bad_width", "A `flag` has `bits` other than 1."),
        ErrorCode(
            "missing_operand",
            "`op` is `pack` and there is no `values`, or `unpack` and no `hex`.",
        ),
        ErrorCode(
            "unknown_value",
            "`pack`: a name in `values` is the name of no part, or of a `reserved` one.",
        ),
        ErrorCode("missing_value", "`pack`: a part that is not `reserved` has no value."),
        ErrorCode(
            "wrong_type",
            "`pack`: the value of a `uint` or `int` is a boolean, or that of a `flag` is an "
            "integer.",
        ),
        ErrorCode(
            "value_out_of_range", "`pack`: the value of a `uint` or `int` is not in its range."
        ),
        ErrorCode(
            "bad_hex",
            "`unpack`: `hex` has an odd length or a character that is none of `0` to `9`, `a` to "
            "`f`, `A` to `F`.",
        ),
        ErrorCode("length_mismatch", "`unpack`: `hex` has not the number of bytes of the message."),
        ErrorCode(
            "nonzero_reserved", "`unpack`: a bit of a `reserved` part or of the padding is 1."
        ),
    ),
    precedence=(
        "The first error of this list that applies is the answer. Each is tested for all parts and "
        "values before the next one."
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_pack(_SENSOR, _READING, "4d1f", 13, "lsb"),
    boundaries=_BOUNDARIES,
    examples=(
        _unpack(
            _parts("id uint 10", "pad reserved 3", "on flag 1", "dx int 5"),
            "8A2205",
            {"id": 650, "on": True, "dx": -12},
            19,
            "lsb",
        ),
        _no_pack("wrong_type", _parts("on flag 1", "n uint 4"), {"on": 1, "n": 16}),
    ),
    malformed=(
        {"op": "Pack", "fields": _SENSOR, "values": _READING},
        {"op": "pack", "order": "big", "fields": _SENSOR, "values": _READING},
        {"op": "pack", "order": "LSB", "fields": _SENSOR, "values": _READING},
        {"op": "pack", "order": None, "fields": _SENSOR, "values": _READING},
        {"op": "pack", "values": {}},
        {"op": "pack", "fields": [], "values": {}},
        {"op": "pack", "fields": _parts("a uint 1") * 33, "values": {}},
        {"op": "pack", "fields": {"a": 8}, "values": {}},
        {"op": "pack", "fields": ["a uint 8"], "values": {}},
        {"op": "pack", "fields": [["a", "uint", 8]], "values": {}},
        {"op": "pack", "fields": [{"kind": "uint", "bits": 8}], "values": {}},
        {"op": "pack", "fields": [{"name": "a", "bits": 8}], "values": {}},
        {"op": "pack", "fields": [{"name": "a", "kind": "uint"}], "values": {}},
        {"op": "pack", "fields": [*_SENSOR, {"name": "f", "kind": "flag"}], "values": {}},
        {"op": "pack", "fields": [{"name": "", "kind": "uint", "bits": 8}], "values": {}},
        {"op": "pack", "fields": [{"name": "n" * 41, "kind": "uint", "bits": 8}], "values": {}},
        {"op": "pack", "fields": [{"name": 1, "kind": "uint", "bits": 8}], "values": {}},
        {"op": "pack", "fields": [{"name": "a", "kind": "UINT", "bits": 8}], "values": {}},
        {"op": "pack", "fields": [{"name": "a", "kind": "bool", "bits": 1}], "values": {}},
        {"op": "pack", "fields": [{"name": "a", "kind": "uint", "bits": 0}], "values": {}},
        {"op": "pack", "fields": [{"name": "a", "kind": "uint", "bits": 33}], "values": {}},
        {"op": "pack", "fields": [{"name": "a", "kind": "uint", "bits": True}], "values": {}},
        {"op": "pack", "fields": [{"name": "a", "kind": "uint", "bits": 8.0}], "values": {}},
        {"op": "pack", "fields": [{"name": "a", "kind": "uint", "bits": "8"}], "values": {}},
        {"op": "pack", "fields": [{"name": "a", "kind": "uint", "bits": None}], "values": {}},
        {"op": "pack", "fields": _SENSOR, "values": {**_READING, "ver": 5.0}},
        {"op": "pack", "fields": _SENSOR, "values": {**_READING, "ver": "5"}},
        {"op": "pack", "fields": _SENSOR, "values": {**_READING, "ok": None}},
        {"op": "pack", "fields": _SENSOR, "values": {**_READING, "r": [0]}},
        {"op": "pack", "fields": _SENSOR, "values": {**_READING, "ver": 2**32 + 1}},
        {"op": "pack", "fields": _SENSOR, "values": {**_READING, "temp": -(2**32) - 1}},
        {"op": "pack", "fields": _SENSOR, "values": {**_READING, "": 0}},
        {"op": "pack", "fields": _SENSOR, "values": {**_READING, "n" * 41: 0}},
        {"op": "pack", "fields": _SENSOR, "values": {str(index): 0 for index in range(65)}},
        {"op": "pack", "fields": _SENSOR, "values": [["ver", 5]]},
        {"op": "pack", "fields": _SENSOR, "values": None},
        {"op": "pack", "fields": _SENSOR, "values": _READING, "hex": 0},
        {"op": "unpack", "fields": _SENSOR, "hex": None},
        {"op": "unpack", "fields": _SENSOR, "hex": ["4d", "1f"]},
        {"op": "unpack", "fields": _SENSOR, "hex": "00" * 256 + "0"},
        {"op": "unpack", "fields": _SENSOR, "hex": "4d1f", "values": {"ver": 1e3}},
    ),
)
