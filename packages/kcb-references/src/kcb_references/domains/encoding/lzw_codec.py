# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Compresses a text to codes with a growing dictionary, and turns codes back into the text."""

from collections.abc import Callable
from typing import Any


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
    dictionary = _Dictionary(
        fields["alphabet"],
        fields.get("max_codes", 4096),
        resets=fields.get("when_full", "freeze") == "reset",
    )
    if fields["op"] == "encode":
        codes = _encode(fields["text"], dictionary)
        return {"result": {"codes": codes, "entries": len(dictionary.strings)}}
    text = _decode(fields["codes"], dictionary)
    if text is None:
        return {"error": {"code": "bad_code"}}
    return {"result": {"text": text, "entries": len(dictionary.strings)}}


def _operand_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of operands that do not fit together, or `None` if they do."""
    encodes = fields["op"] == "encode"
    alphabet: str = fields["alphabet"]
    if ("text" if encodes else "codes") not in fields:
        return {"code": "missing_operand"}
    if len(set(alphabet)) < len(alphabet):
        return {"code": "duplicate_symbol"}
    if len(alphabet) > fields.get("max_codes", 4096):
        return {"code": "alphabet_too_large"}
    if encodes and not set(fields["text"]) <= set(alphabet):
        return {"code": "unknown_symbol"}
    return None


class _Dictionary:
    """The dictionary of the contract.

    Attributes:
        strings: Its strings, each at the index that is its code.
        codes: The code of each string. If `decode` adds a string again, this is its last code; only
            `encode`, which never does so, asks for codes.
    """

    def __init__(self, alphabet: str, max_codes: int, *, resets: bool) -> None:
        self._alphabet = alphabet
        self._max_codes = max_codes
        self._resets = resets
        self._reset()

    def add(self, string: str) -> None:
        """Add a string, or do what is to be done instead if the dictionary is full."""
        if len(self.strings) < self._max_codes:
            self.codes[string] = len(self.strings)
            self.strings.append(string)
        elif self._resets:
            self._reset()

    def _reset(self) -> None:
        """Keep only the characters of the alphabet."""
        self.strings: list[str] = list(self._alphabet)
        self.codes: dict[str, int] = {symbol: code for code, symbol in enumerate(self._alphabet)}


def _encode(text: str, dictionary: _Dictionary) -> list[int]:
    """Give the codes of a text all of whose characters are in the alphabet."""
    codes: list[int] = []
    known = ""
    for character in text:
        longer = known + character
        if longer in dictionary.codes:
            known = longer
            continue
        # The code comes first: adding can reset the dictionary.
        codes.append(dictionary.codes[known])
        dictionary.add(longer)
        known = character
    if known:
        codes.append(dictionary.codes[known])
    return codes


def _decode(codes: list[int], dictionary: _Dictionary) -> str | None:
    """Give the text of codes, or `None` if there is a bad one."""
    output: list[str] = []
    for code in codes:
        if output:
            before = output[-1]
            # The code of the very string that is added is not yet known. If it is any other unknown
            # code, it is bad, whatever is added here.
            known = code < len(dictionary.strings)
            first = dictionary.strings[code][0] if known else before[0]
            dictionary.add(before + first)
        if code >= len(dictionary.strings):
            return None
        output.append(dictionary.strings[code])
    return "".join(output)


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is an integer in a range; a boolean is none."""
    return type(value) is int and low <= value <= high


def _is_string(value: Any, low: int, high: int) -> bool:
    """Tell whether a value is a string whose length is in a range."""
    return isinstance(value, str) and low <= len(value) <= high


def _are_codes(value: Any) -> bool:
    """Tell whether a value is an array that the contract allows as codes."""
    return (
        isinstance(value, list)
        and len(value) <= 500
        and all(_is_integer(code, 0, 65535) for code in value)
    )


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "op": lambda value: value in ("encode", "decode"),
    "alphabet": lambda value: _is_string(value, 1, 256),
    "text": lambda value: _is_string(value, 0, 4000),
    "codes": _are_codes,
    "max_codes": lambda value: _is_integer(value, 2, 4096),
    "when_full": lambda value: value in ("freeze", "reset"),
}
_REQUIRED = ("op", "alphabet")


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
