# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Encodes a list of integers as runs of equal deltas in varints, and decodes it."""

import re
from collections.abc import Callable, Iterable
from itertools import accumulate, chain, groupby, pairwise, repeat
from typing import Any

_MAX_VALUES = 2000
_MAX_VALUE = 2**53 - 1
_MAX_VARINT = 9

_HEX = re.compile(r"(?:[0-9a-fA-F]{2})*")

# A delta and how many times it occurs in a row.
_Run = tuple[int, int]


class _DecodingError(Exception):
    """Bytes are no encoding; the message is the code of the error."""


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Encode or decode.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields) or _operand_error(fields)
    if error is not None:
        return {"error": error}
    if fields["op"] == "encode":
        return {"result": _encode(fields["values"])}
    try:
        return {"result": _decode(bytes.fromhex(fields["hex"]))}
    except _DecodingError as decoding_error:
        return {"error": {"code": str(decoding_error)}}


def _operand_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of an operand that is missing or not hexadecimal, or `None` if it is right."""
    operand = "values" if fields["op"] == "encode" else "hex"
    if operand not in fields:
        return {"code": "missing_operand"}
    if operand == "hex" and not _HEX.fullmatch(fields["hex"]):
        return {"code": "bad_hex"}
    return None


# --------------------------------------------------------------------------------------- encoding


def _encode(values: list[int]) -> dict[str, Any]:
    """Make the result of `encode`."""
    deltas = (value - before for before, value in pairwise(chain([0], values)))
    runs = [(delta, len(list(group))) for delta, group in groupby(deltas)]
    numbers = [len(values)]
    for delta, length in runs:
        numbers += (2 * delta if delta >= 0 else -2 * delta - 1, length)
    encoding = b"".join(map(_varint, numbers))
    return {"hex": encoding.hex(), "bytes": len(encoding), "runs": len(runs)}


def _varint(number: int) -> bytes:
    """Write a number as a varint."""
    digits = bytearray()
    while number >= 128:
        digits.append(number % 128 + 128)
        number //= 128
    digits.append(number)
    return bytes(digits)


# --------------------------------------------------------------------------------------- decoding


def _decode(encoding: bytes) -> dict[str, Any]:
    """Make the result of `decode`.

    Args:
        encoding: The bytes.

    Returns:
        The result of the contract.

    Raises:
        _DecodingError: The bytes are no encoding.
    """
    reader = _Reader(encoding)
    count = reader.varint()
    if count > _MAX_VALUES:
        raise _DecodingError("too_many")
    values: list[int] = []
    runs: list[_Run] = []
    while len(values) < count:
        delta, length = reader.run()
        if not 1 <= length <= count - len(values) or (runs and runs[-1][0] == delta):
            raise _DecodingError("bad_run")
        runs.append((delta, length))
        values += _continued(values, delta, length)
    if not reader.is_at_end():
        raise _DecodingError("trailing_bytes")
    return {"values": values, "bytes": len(encoding), "runs": len(runs)}


def _continued(values: list[int], delta: int, length: int) -> Iterable[int]:
    """Give the values of a run that follows some values."""
    last = values[-1] if values else 0
    # The values of a run go one way, so its last one is the farthest.
    if abs(last + delta * length) > _MAX_VALUE:
        raise _DecodingError("value_out_of_range")
    return accumulate(repeat(delta, length - 1), initial=last + delta)


class _Reader:
    """Reads an encoding from left to right."""

    def __init__(self, encoding: bytes) -> None:
        self._encoding = encoding
        self._position = 0

    def is_at_end(self) -> bool:
        """Tell whether all bytes have been read."""
        return self._position == len(self._encoding)

    def run(self) -> _Run:
        """Read a run."""
        number, length = self.varint(), self.varint()
        return (-(number + 1) // 2 if number % 2 else number // 2), length

    def varint(self) -> int:
        """Read a varint."""
        number = 0
        for place in range(_MAX_VARINT):
            byte = self._byte()
            number += byte % 128 << 7 * place
            if byte < 128:
                if byte == 0 and place > 0:
                    raise _DecodingError("bad_varint")
                return number
        # A tenth byte is an error whatever it is, but it must be there.
        self._byte()
        raise _DecodingError("bad_varint")

    def _byte(self) -> int:
        """Read a byte."""
        if self.is_at_end():
            raise _DecodingError("truncated")
        self._position += 1
        return self._encoding[self._position - 1]


# ------------------------------------------------------------------------------------- the fields


def _are_values(value: Any) -> bool:
    """Tell whether a value is an array of integers that the contract allows."""
    return (
        isinstance(value, list)
        and len(value) <= _MAX_VALUES
        and all(type(number) is int and abs(number) <= _MAX_VALUE for number in value)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "op": lambda value: value in ("encode", "decode"),
    "values": _are_values,
    "hex": lambda value: isinstance(value, str) and len(value) <= 40_000,
}
_REQUIRED = ("op",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
