# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Packs named values into the bits of a message, or unpacks a message."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_RESERVED = "reserved"
_KINDS = ("uint", "int", "flag", _RESERVED)
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})*")


@dataclass(frozen=True)
class _Part:
    """A part of the message; `offset` is the number of bits before it."""

    name: str
    kind: str
    bits: int
    offset: int

    @property
    def values(self) -> range:
        """The integers that fit, for `uint` and `int`."""
        half = 1 << (self.bits - 1)
        return range(-half, half) if self.kind == "int" else range(2 * half)


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Pack or unpack.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    layout = _Layout(fields["fields"], fields.get("order", "msb"))
    packs = fields["op"] == "pack"
    operand: Any = fields.get("values" if packs else "hex")
    code = layout.error_code()
    if code is None and operand is None:
        code = "missing_operand"
    if code is None:
        code = layout.values_error_code(operand) if packs else layout.hex_error_code(operand)
    if code is not None:
        return {"error": {"code": code}}
    return {"result": layout.pack(operand) if packs else layout.unpack(operand)}


class _Layout:
    """The parts of a message and their order.

    A message is taken as one large integer: that of its bytes in big-endian order for `msb`, in
    little-endian order for `lsb`. Then each part is a slice of bits of this integer in which the
    bits are in the usual order: from the top downwards for `msb`, from the bottom upwards for
    `lsb`.
    """

    def __init__(self, parts: list[dict[str, Any]], order: str) -> None:
        self._parts: list[_Part] = []
        self._bits = 0
        for part in parts:
            self._parts.append(_Part(part["name"], part["kind"], part["bits"], self._bits))
            self._bits += part["bits"]
        self._valued = [part for part in self._parts if part.kind != _RESERVED]
        self._is_msb = order == "msb"
        # Rounded up.
        self._bytes = -(-self._bits // 8)

    def error_code(self) -> str | None:
        """Give the code of the error of the parts, or `None` if they have none."""
        if len({part.name for part in self._parts}) < len(self._parts):
            return "duplicate_field"
        if any(part.kind == "flag" and part.bits != 1 for part in self._parts):
            return "bad_width"
        return None

    def values_error_code(self, values: dict[str, int]) -> str | None:
        """Give the code of the error of values for the parts, or `None` if they have none."""
        if not values.keys() <= {part.name for part in self._valued}:
            return "unknown_value"
        if len(values) < len(self._valued):
            return "missing_value"
        pairs = [(part, values[part.name]) for part in self._valued]
        if any(isinstance(value, bool) != (part.kind == "flag") for part, value in pairs):
            return "wrong_type"
        if any(part.kind != "flag" and value not in part.values for part, value in pairs):
            return "value_out_of_range"
        return None

    def hex_error_code(self, text: str) -> str | None:
        """Give the code of the error of a message, or `None` if it has none."""
        if not _HEX.fullmatch(text):
            return "bad_hex"
        if len(text) != 2 * self._bytes:
            return "length_mismatch"
        # The bits that can be 1 are taken out; all others have to be 0.
        message = self._from_hex(text)
        for part in self._valued:
            message &= ~self._mask(part)
        return "nonzero_reserved" if message else None

    def pack(self, values: dict[str, int]) -> dict[str, Any]:
        """Make the result of `pack` from values without errors."""
        # The mask cuts a negative number to its two's complement. Reserved bits stay 0.
        message = 0
        for part in self._valued:
            message |= values[part.name] << self._shift(part) & self._mask(part)
        packed = message.to_bytes(self._bytes, "big" if self._is_msb else "little")
        return {"hex": packed.hex(), "bits": self._bits}

    def unpack(self, text: str) -> dict[str, Any]:
        """Make the result of `unpack` from a message without errors."""
        message = self._from_hex(text)
        values: dict[str, int] = {}
        for part in self._valued:
            number = (message & self._mask(part)) >> self._shift(part)
            if part.kind == "flag":
                number = bool(number)
            elif number not in part.values:
                number -= 1 << part.bits
            values[part.name] = number
        return {"values": values, "bits": self._bits}

    def _from_hex(self, text: str) -> int:
        """Give a message as an integer."""
        return int.from_bytes(bytes.fromhex(text), "big" if self._is_msb else "little")

    def _shift(self, part: _Part) -> int:
        """Give the place of the lowest bit of a part."""
        if self._is_msb:
            return 8 * self._bytes - part.offset - part.bits
        return part.offset

    def _mask(self, part: _Part) -> int:
        """Give the integer in which just the bits of a part are 1."""
        return ((1 << part.bits) - 1) << self._shift(part)


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_name(value: Any) -> bool:
    """Tell whether a value is a string of 1 to 40 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 40


def _is_part(value: Any) -> bool:
    """Tell whether a value is a part that the contract allows."""
    return (
        isinstance(value, dict)
        and _is_name(value.get("name"))
        and value.get("kind") in _KINDS
        and _is_integer(value.get("bits"), 1, 32)
    )


def _are_parts(value: Any) -> bool:
    """Tell whether a value is an array of parts that the contract allows."""
    return isinstance(value, list) and 1 <= len(value) <= 32 and all(map(_is_part, value))


def _are_values(value: Any) -> bool:
    """Tell whether a value is an object that the contract allows as values."""
    return (
        isinstance(value, dict)
        and len(value) <= 64
        and all(
            _is_name(name) and (isinstance(number, bool) or _is_integer(number, -(2**32), 2**32))
            for name, number in value.items()
        )
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "op": lambda value: value in ("pack", "unpack"),
    "order": lambda value: value in ("msb", "lsb"),
    "fields": _are_parts,
    "values": _are_values,
    "hex": lambda value: isinstance(value, str) and len(value) <= 512,
}
_REQUIRED = ("op", "fields")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
