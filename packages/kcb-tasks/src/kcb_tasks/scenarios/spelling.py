"""Other spellings of a JSON value: the same value to a JSON reader, other bytes on the line."""

from __future__ import annotations

import random

from kcb_core.codec import Json, ascii_line, compact

_GAPS = ("", " ", "  ", "\t", " \t ")
_SHORT = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\t": "\\t"}


def escaped(value: Json) -> str:
    """Every character beyond ASCII as an escape, astral ones as a surrogate pair."""
    return ascii_line(value)


def scrambled(value: Json, rng: random.Random) -> str:
    """White space between all tokens, and any character of any string as an escape.

    Args:
        value: the JSON value.
        rng: draws the white space and the characters to escape.
    """

    def gap() -> str:
        return rng.choice(_GAPS)

    def spell(inner: Json) -> str:
        if isinstance(inner, dict):
            members = (f"{spell(k)}{gap()}:{gap()}{spell(v)}" for k, v in inner.items())
            return "{" + gap() + f"{gap()},{gap()}".join(members) + gap() + "}"
        if isinstance(inner, list):
            return "[" + gap() + f"{gap()},{gap()}".join(map(spell, inner)) + gap() + "]"
        if isinstance(inner, str):
            return '"' + "".join(_character(c, rng) for c in inner) + '"'
        return compact(inner)

    return gap() + spell(value) + gap()


def _character(character: str, rng: random.Random) -> str:
    if character in _SHORT and rng.random() < 0.7:
        return _SHORT[character]
    raw_allowed = character >= " " and character not in '"\\'
    if raw_allowed and rng.random() < 0.7:
        return character
    units = character.encode("utf-16-be").hex()
    if rng.random() < 0.5:
        units = units.upper()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))
