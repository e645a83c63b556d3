# Klein-Code-Bench test data must never appear in training data.
# Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21
"""Encodes a text with its canonical Huffman code."""

import heapq
from collections.abc import Callable
from typing import Any

_MAX_SYMBOLS = 256


def answer(fields: dict[str, Any]) -> dict[str, Any]:
    """Encode a text.

    Args:
        fields: The fields of the contract. They are only read.

    Returns:
        `{"result": ...}`, or `{"error": {"code": ...}}` where the error has `field` too if a field
        is at fault.
    """
    error = _field_error(fields)
    if error is not None:
        return {"error": error}
    text: str = fields["text"]
    if not text:
        return {"error": {"code": "empty_text"}}
    counts: dict[str, int] = {}
    for symbol in text:
        counts[symbol] = counts.get(symbol, 0) + 1
    if len(counts) > _MAX_SYMBOLS:
        return {"error": {"code": "too_many_symbols"}}
    return {"result": _encode(text, counts)}


def _encode(text: str, counts: dict[str, int]) -> dict[str, Any]:
    """Make the result.

    Args:
        text: The text.
        counts: How many times each of its symbols occurs.

    Returns:
        The result of the contract.
    """
    codes = _codes(_lengths(counts))
    bits = "".join(codes[symbol] for symbol in text)
    padding = -len(bits) % 8
    payload = int(bits + "0" * padding, base=2).to_bytes((len(bits) + padding) // 8, "big")
    return {
        "symbols": [
            {"char": symbol, "count": counts[symbol], "code": code}
            for symbol, code in codes.items()
        ],
        "bits": len(bits),
        "padding": padding,
        "hex": payload.hex(),
    }


def _lengths(counts: dict[str, int]) -> dict[str, int]:
    """Give the code length of each symbol.

    Args:
        counts: How many times each symbol occurs.

    Returns:
        The length for each symbol.
    """
    if len(counts) == 1:
        return dict.fromkeys(counts, 1)
    lengths = dict.fromkeys(counts, 0)
    # The symbols of a tree start with the smallest. No two trees share a symbol, so the order of
    # these tuples is decided by the weight and that symbol, and strings compare by code point.
    trees = [(count, symbol) for symbol, count in counts.items()]
    heapq.heapify(trees)
    while len(trees) > 1:
        weight, symbols = heapq.heappop(trees)
        other_weight, other_symbols = heapq.heappop(trees)
        both = min(symbols, other_symbols) + max(symbols, other_symbols)
        for symbol in both:
            lengths[symbol] += 1
        heapq.heappush(trees, (weight + other_weight, both))
    return lengths


def _codes(lengths: dict[str, int]) -> dict[str, str]:
    """Give the canonical codes.

    Args:
        lengths: The code length of each symbol.

    Returns:
        The code for each symbol, in the order of the codes.
    """
    codes: dict[str, str] = {}
    number, length = -1, 0
    for symbol in sorted(lengths, key=lambda symbol: (lengths[symbol], symbol)):
        # The zeros that are missing are a shift. The first number is 0, so its length is no matter.
        number = (number + 1) << (lengths[symbol] - length)
        length = lengths[symbol]
        codes[symbol] = f"{number:0{length}b}"
    return codes


# In the order of the contract, which decides what field is named if several are at fault.
_ALLOWED: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str) and len(value) <= 4000,
}
_REQUIRED = ("text",)


def _field_error(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Give the error of the first field at fault, or `None` if all are as the contract allows."""
    for name in _REQUIRED:
        if name not in fields:
            return {"code": "missing_field", "field": name}
    for name, allows in _ALLOWED.items():
        if name in fields and not allows(fields[name]):
            return {"code": "invalid_field", "field": name}
    return None
