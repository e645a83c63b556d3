"""Delta varint: lists of integers as runs of equal differences in bytes, and back."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import MAX_INTEGER, Array, Choice, Integer, Text, absentable, required

_SUMMARY = """\
Encodes a list of integers as bytes (`op` is `encode`), or decodes such bytes (`op` is `decode`).
Bytes are written in hexadecimal, two digits for each byte, the higher digit first.

A varint is an integer n >= 0 as bytes. Write n in base 128, without leading zeros; 0 is the single
digit 0. Each digit is one byte. The lowest digit comes first, and 128 is added to every byte but
the last. So 0 is `00`, 127 is `7f`, 128 is `8001` and 300 is `ac02`.

The delta of the first value is the value itself. The delta of each further value is the value minus
the value before it. A run is a group of consecutive equal deltas, as long as possible. So
`[5, 10, 15]` has the deltas 5, 5, 5, which are one run.

The encoding is:

1. the varint of the number of values;
2. for each run, in order, two varints: first of the number that stands for its delta d, which is
   2d if d >= 0 and -2d - 1 if d < 0, then of its length.

`decode` undoes this. It reads runs as long as values are missing."""

_RESULT = """\
- `encode`: an object `{"hex": h, "bytes": b, "runs": r}`.
- `decode`: an object `{"values": [...], "bytes": b, "runs": r}`, where `values` is the array of the
  integers.

`hex` is the encoding, a string with the letters in lower case. `bytes` is the number of bytes of
the encoding, `runs` the number of its runs."""

_PRECEDENCE = """\
`missing_operand` is tested first, then `bad_hex` for the whole string. The others belong to
`decode`, which reads the bytes from left to right: the first error that it meets is the answer. A
varint is judged when its last byte has been read, or at its tenth byte. When both varints of a run
have been read, `bad_run` is tested, and then the values of the run before reading on."""

_RULES = """\
- The empty list is encoded as `00`.
- `encode` ignores `hex`, and `decode` ignores `values`. But if they are there, they must be valid.
- Runs that are not neighbours may have the same delta."""

_MOST_VALUES = 2_000
_MOST_BYTES = 9
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})*")


def _evaluate(fields: Mapping[str, Any]) -> Json:
    operand = fields.get("values" if fields["op"] == "encode" else "hex")
    if operand is None:
        raise DomainError("missing_operand")
    if fields["op"] == "encode":
        return _encoded(operand)
    if not _HEX.fullmatch(operand):
        raise DomainError("bad_hex")
    return _Decoder(bytes.fromhex(operand)).decoded()


def _encoded(values: Sequence[int]) -> dict[str, Json]:
    deltas = [value - before for before, value in pairwise([0, *values])]
    runs = [(delta, len(list(run))) for delta, run in groupby(deltas)]
    stream = _varint(len(values))
    for delta, length in runs:
        stream += _varint(2 * delta if delta >= 0 else -2 * delta - 1) + _varint(length)
    return {"hex": stream.hex(), "bytes": len(stream), "runs": len(runs)}


def _varint(number: int) -> bytes:
    higher, digit = divmod(number, 128)
    return bytes([digit + 128]) + _varint(higher) if higher else bytes([digit])


class _Decoder:
    """Reads a stream of varints from left to right."""

    def __init__(self, stream: bytes) -> None:
        self.stream = stream
        self.at = 0

    def decoded(self) -> Json:
        count = self.varint()
        if count > _MOST_VALUES:
            raise DomainError("too_many")
        values: list[int] = []
        deltas: list[int] = []
        while len(values) < count:
            sign = self.varint()
            delta = -(sign + 1) // 2 if sign % 2 else sign // 2
            length = self.varint()
            if not 0 < length <= count - len(values) or deltas[-1:] == [delta]:
                raise DomainError("bad_run")
            deltas.append(delta)
            values += _run(values[-1] if values else 0, delta, length)
        if self.at < len(self.stream):
            raise DomainError("trailing_bytes")
        return {"values": values, "bytes": len(self.stream), "runs": len(deltas)}

    def varint(self) -> int:
        number = length = 0
        while True:
            if self.at == len(self.stream):
                raise DomainError("truncated")
            byte = self.stream[self.at]
            number += byte % 128 << 7 * length
            self.at, length = self.at + 1, length + 1
            if length > _MOST_BYTES or (length > 1 and byte == 0):
                raise DomainError("bad_varint")
            if byte < 128:
                return number


def _run(before: int, delta: int, length: int) -> list[int]:
    values = [before + delta * (index + 1) for index in range(length)]
    if any(abs(value) > MAX_INTEGER for value in values):
        raise DomainError("value_out_of_range")
    return values


def _generate(rng: random.Random) -> dict[str, Json]:
    values = _draw_values(rng)
    chance = rng.random()
    if chance < 0.05:
        return rng.choice([{"op": "encode", "hex": "00"}, {"op": "decode", "values": values}])
    if chance < 0.45:
        ignored = {"hex": rng.choice(["", "00", "zz", "é"])} if rng.random() < 0.2 else {}
        return {"op": "encode", "values": values, **ignored}
    stream = bytes.fromhex(_encoded(values)["hex"])
    text = stream.hex() if chance < 0.75 else _draw_damaged(rng, stream).hex()
    if chance > 0.96:
        place = rng.randint(0, len(text))
        text = text[:place] + rng.choice(["0", "g0", " f", "\u0661\u0661", "😀"]) + text[place:]
    return {"op": "decode", "hex": rng.choice([str.lower, str.upper, str.title])(text)}


def _draw_values(rng: random.Random) -> list[Json]:
    """Values that are made of a few runs of equal differences."""
    values: list[int] = []
    value = 0
    for _ in range(rng.choice([0, 1, 2, 3, 4, 6, 9])):
        delta = rng.choice(_DELTAS) if rng.random() < 0.8 else rng.randint(-(10**6), 10**6)
        for _ in range(rng.choice([1, 1, 1, 2, 3, 5, rng.randint(1, 150)])):
            if abs(value + delta) <= MAX_INTEGER:
                value += delta
                values.append(value)
    return list(values)


_DELTAS = (
    *(0, 0, 1, 1, -1, 2, -2, 5, 63, 64, -64, -65, 100, 127, 128, 8_191, 8_192, -8_193, -1_000),
    *(2**31, -(2**32), 2**40, 2**53 - 1, -(2**53 - 1), -(2**54 - 2)),
)


def _draw_damaged(rng: random.Random, stream: bytes) -> bytes:
    """A stream with one fault, wherever it may stand."""
    count, first = stream[:1], stream[1:]
    return rng.choice(
        [
            stream[: rng.randrange(len(stream))],
            stream[:-1],
            stream + rng.choice([b"\0", b"\x80", b"\x02\x01", stream]),
            rng.choice([b"\xd1\x0f", b"\xff\x7f", b"\x80" * 8 + b"\x01"]) + first,
            rng.choice([b"\x81\x00", b"\x80" * 9 + b"\x01"]) + first,
            stream[:-1] + rng.choice([b"\x80\x00", b"\x00", b"\x7f"]),
            b"\x04\x02\x01\x02" + stream[-1:] + b"\x00\x02",
            bytes([min(count[0], 100) + 2]) + first + rng.choice([b"\x00\x03", b"\xff\x7f\x02"]),
            b"\x03" + _varint(2 * rng.randint(2**52, 2**54)) + rng.choice([b"\x02", b"\x01\x02"]),
            b"\x01" + _varint(2 * MAX_INTEGER + rng.randint(0, 3)) + b"\x01",
        ]
    )


def _encode(values: list[Json], text: str, count: int, runs: int) -> Case:
    result = {"hex": text, "bytes": count, "runs": runs}
    return Case({"op": "encode", "values": values}, result)


def _decode(text: str, values: list[Json], count: int, runs: int) -> Case:
    result = {"values": values, "bytes": count, "runs": runs}
    return Case({"op": "decode", "hex": text}, result)


def _refused(text: str, error: str) -> Case:
    return Case({"op": "decode", "hex": text}, error=error)


_BOUNDARIES = (
    # Encoding: the empty list, the sign, and where a varint gets longer.
    _encode([], "00", 1, 0),
    _encode([0], "010001", 3, 1),
    _encode([-1], "010101", 3, 1),
    _encode([1], "010201", 3, 1),
    _encode([63, 127], "027e01800101", 6, 2),
    _encode([-64, -129], "027f01810101", 6, 2),
    _encode([0, 0, -64], "0300027f01", 5, 2),
    _encode([8_191], "01fe7f01", 4, 1),
    _encode([8_192], "0180800101", 5, 1),
    # The first delta takes part in the runs; equal values are a run of zeros.
    _encode([5, 5, 5], "030a010002", 5, 2),
    _encode([1, 0, -1], "0302010102", 5, 2),
    _encode([7, 14, 21, 28], "040e04", 3, 1),
    _encode([1, 1, 2], "03020100010201", 7, 3),
    _encode([0] * 127, "7f007f", 3, 1),
    _encode([0] * 128, "8001008001", 5, 1),
    _encode([0] * 2_000, "d00f00d00f", 5, 1),
    # Numbers that a double does not hold.
    _encode([MAX_INTEGER, -MAX_INTEGER], "02feffffffffffff1f01fbffffffffffff3f01", 19, 2),
    _encode([-MAX_INTEGER, MAX_INTEGER], "02fdffffffffffff1f01fcffffffffffff3f01", 19, 2),
    _encode([-2, MAX_INTEGER], "020301828080808080802001", 12, 2),
    # Decoding, in either case of letters.
    _decode("00", [], 1, 0),
    _decode("060A030102900301", [5, 10, 15, 14, 13, 213], 8, 3),
    _decode("010001", [0], 3, 1),
    _decode("03020100010201", [1, 1, 2], 7, 3),
    _decode("01aC0201", [150], 4, 1),
    _decode("01FefFffffFFffff1f01", [MAX_INTEGER], 10, 1),
    _decode("01fdffffffffffff1f01", [-MAX_INTEGER], 10, 1),
    _decode("02feffffffffffff1f01fbffffffffffff3f01", [MAX_INTEGER, -MAX_INTEGER], 19, 2),
    _decode("d00f00d00f", [0] * 2_000, 5, 1),
    _decode("020301828080808080802001", [-2, MAX_INTEGER], 12, 2),
    # The other operand is ignored.
    Case({"op": "encode", "values": [1], "hex": "zz"}, {"hex": "010201", "bytes": 3, "runs": 1}),
    Case({"op": "decode", "values": [1], "hex": "010001"}, {"values": [0], "bytes": 3, "runs": 1}),
    Case({"op": "decode", "values": [1]}, error="missing_operand"),
    Case({"op": "encode", "hex": "0"}, error="missing_operand"),
    Case({"op": "decode"}, error="missing_operand"),
    # Not hexadecimal, wherever it stands.
    *(
        _refused(text, "bad_hex")
        for text in (
            "0",
            "0g",
            "d10",
            "00 0",
            "0 0 ",
            "01\n0",
            "0x00",
            "-0",
            "００",
            "01é2",
            " 010001 ",
            "01 00 01",
            "+1",
        )
    ),
    # The bytes end too early.
    *(_refused(text, "truncated") for text in ("", "80", "01", "0102", "010081", "80" * 9)),
    _refused("0302010001", "truncated"),
    _refused("01ffffffffffffffff7f", "truncated"),
    # Varints that are too long, or longer than they need be.
    *(
        _refused(text, "bad_varint")
        for text in ("8000", "018200", "01028100", "808000", "80" * 8 + "00")
    ),
    _refused("80" * 10, "bad_varint"),
    _refused("80" * 9 + "01", "bad_varint"),
    _refused("01" + "ff" * 9 + "01" + "02", "bad_varint"),
    # The count is judged as soon as it is read.
    _refused("d10f", "too_many"),
    _refused("d10f8000", "too_many"),
    _refused("80" * 8 + "01", "too_many"),
    # Run lengths and equal neighbours.
    _refused("010000", "bad_run"),
    _refused("010002", "bad_run"),
    _refused("0302020002", "bad_run"),
    _refused("0202010201", "bad_run"),
    _refused("0300010001", "bad_run"),
    _refused("01020001", "bad_run"),
    # A run is judged before its values, and these before what follows.
    _refused("02feffffffffffff1f01feffffffffffff1f01", "bad_run"),
    _refused("01ffffffffffffffff7f00", "bad_run"),
    _refused("02feffffffffffff1f02", "value_out_of_range"),
    _refused("01808080808080802001", "value_out_of_range"),
    _refused("01ffffffffffffff1f01", "value_out_of_range"),
    _refused("01ffffffffffffffff7f01", "value_out_of_range"),
    _refused("02808080808080802001", "value_out_of_range"),
    _refused("01808080808080802001ff", "value_out_of_range"),
    _refused("03feffffffffffff1f01020180", "value_out_of_range"),
    # Bytes that are left over are not read as a varint.
    _refused("0000", "trailing_bytes"),
    _refused("0080", "trailing_bytes"),
    _refused("0100010201", "trailing_bytes"),
)

FAMILY = Family(
    number=51,
    slug="delta-varint",
    title="Delta run-length varint codec",
    category="encoding",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required("op", Choice("encode", "decode"), "What is done."),
        absentable(
            "values",
            Array(Integer(-MAX_INTEGER, MAX_INTEGER), 0, _MOST_VALUES),
            "The list to encode, which `encode` needs.",
        ),
        absentable(
            "hex",
            Text(0, 40_000),
            "The bytes to decode, which `decode` needs. Letters are in upper or lower case. "
            "A string that is not hexadecimal is an error of the contract.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "missing_operand",
            "`op` is `encode` and there is no `values`, or `decode` and no `hex`.",
        ),
        ErrorCode(
            "bad_hex",
            "`op` is `decode`, and `hex` has an odd length or a character that is none of `0` to "
            "`9`, `a` to `f`, `A` to `F`.",
        ),
        ErrorCode("truncated", "A byte is needed and there is none left."),
        ErrorCode(
            "bad_varint",
            "A varint has a tenth byte, or has more than one byte and the last is `00`.",
        ),
        ErrorCode("too_many", "The number of values is above 2000."),
        ErrorCode(
            "bad_run",
            "The length of a run is 0 or above the number of values still missing, or its delta is "
            "the delta of the run before it.",
        ),
        ErrorCode("value_out_of_range", "A value is below -(2^53 - 1) or above 2^53 - 1."),
        ErrorCode("trailing_bytes", "After the last run a byte is left."),
    ),
    precedence=_PRECEDENCE,
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_encode([5, 10, 15, 14, 13, 213], "060a030102900301", 8, 3),
    boundaries=_BOUNDARIES,
    examples=(
        _encode([100, 90, 80, 80, 300], "05c8010113020001b80301", 11, 4),
        _refused("0304010401", "bad_run"),
    ),
    malformed=(
        {"op": "Encode", "values": []},
        {"op": "compress", "values": []},
        {"op": None, "values": []},
        {"values": [1]},
        {"op": "encode", "values": None},
        {"op": "encode", "values": "1"},
        {"op": "encode", "values": {"0": 1}},
        {"op": "encode", "values": [1.0]},
        {"op": "encode", "values": [1, 2.5]},
        {"op": "encode", "values": [1, True]},
        {"op": "encode", "values": ["1"]},
        {"op": "encode", "values": [[1]]},
        {"op": "encode", "values": [0, None]},
        {"op": "encode", "values": [1e3]},
        {"op": "encode", "values": [0] * 2_001},
        {"op": "encode", "values": [1], "hex": 0},
        {"op": "decode", "hex": None},
        {"op": "decode", "hex": ["00"]},
        {"op": "decode", "hex": 0},
        {"op": "decode", "hex": "00" * 20_001},
        {"op": "decode", "hex": "00", "values": [False]},
        {"op": "decode", "hex": "zz", "values": 1},
    ),
)
