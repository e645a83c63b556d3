"""Scripts on keys: which there are, when two are the same, their order and their prefixes."""

from __future__ import annotations

from kcb_core.codec import Json
from kcb_core.task import Tag
from kcb_tasks.scenarios.envelope import NO_STRINGS
from kcb_tasks.scenarios.play import Play, Script
from kcb_tasks.scenarios.spelling import escaped, scrambled

WRONG_NAMES: tuple[Json, ...] = (
    *(None, True, False, 0, 5, 1.5, [], ["a"], {}, {"a": 1}, "", "k" * 129),
)
"""Values that are no key and no token."""

# Each would be taken for another by a program that trims, folds, normalises, or makes file names.
ODD_KEYS = (
    *("a", "A", " a", "a ", "a\0", "a\n", "\ta", " ", "\0", "\n", "é", "e\u0301", "É", "\u200b"),
    *("ß", "ss", "ﬁ", "fi", "Å", "\u212b", "ａ", "İ", "i\u0307", "ı", "\u2028", "\u0085", "😀"),
    *("/", "..", ".", "../a", "a/b", "a%2Fb", "a\\b", "C:\\a", "~", "*", "%", "_", "'", '"', "\\"),
    *("k" * 128, "k" * 127, "😀" * 128, "1", "01", "1.0", "null", "true", "[]", "CON", "\uffff"),
)


def _keys_are_compared_exactly(play: Play) -> None:
    for number, key in enumerate(ODD_KEYS):
        play.put(key, number)
    play.list()
    for key in ODD_KEYS:
        play.get(key)
    for key in ("a ", "é", "ß", "/", "\n", "k" * 128, "1"):
        play.delete(key)
    play.get("a", "e\u0301", "ss", "\0", "k" * 127, "01", "a ", "é")
    play.list()


def _keys_that_are_not_there(play: Play) -> None:
    for key in ("a", "é", "ss", "Å", "a/b"):
        play.put(key, 1)
    for key in ("A", "a ", " a", "a\0", "e\u0301", "ß", "\u212b", "a\\b", "a//b", "./a", "a.", "b"):
        play.get(key)
        play.delete(key)
        play.evaluate_stored(key)
    play.list()


def _values_that_are_no_key(play: Play) -> None:
    play.put("a", 1)
    for key in WRONG_NAMES:
        play.put(key, 2)
        play.get(key)
        play.delete(key)
        play.evaluate_stored(key)
    play.list()
    play.put("k" * 128, 3)
    play.put("😀" * 128, 4)
    play.get("k" * 128, "😀" * 128)
    play.list()


def _keys_in_other_spellings(play: Play) -> None:
    request: dict[str, Json] = {
        "id": "ü",
        "op": "put",
        "key": "é😀/k",
        "value": {"ñ": ["\u2028", "/"]},
    }
    play.send(escaped(request))
    play.get("é😀/k")
    play.send(scrambled({"op": "get", "id": 2, "key": "é😀/k"}, play.rng))
    play.send(scrambled({"op": "put", "key": "e\u0301", "id": [1], "value": "\\u0041"}, play.rng))
    play.get("e\u0301", "é")
    play.send(escaped({"id": 3, "op": "list", "prefix": "é"}))
    play.list()


def _keys_are_listed_by_code_point(play: Play) -> None:
    for key in (
        "😀",
        "\uffff",
        "ab",
        "a",
        "B",
        "é",
        "e\u0301",
        "z",
        "a\0",
        "10",
        "9",
        "_",
        "\ue000",
    ):
        play.put(key, 0)
        play.list()
    play.list(prefix="a")
    play.list(prefix="")
    play.list(prefix="e")
    play.list(prefix="😀")
    play.delete("ab")
    play.put("a", 1)
    play.list()
    play.put("ab", 1)
    play.list(prefix="a")


def _keys_with_a_prefix(play: Play) -> None:
    for key in ("a", "A", "ab", "abc", "b", "ba", "a b", "a.c", "a*", "é1", "e\u03011", " a", "^a"):
        play.put(key, 0)
    prefixes = ("a", "A", "ab", "abcd", "b", "c", "a ", "a.", "a*", ".", "*", "^a", " ", "é", "e")
    for prefix in (*prefixes, "e\u0301", "a\0", "%", "", "a" * 200):
        play.list(prefix=prefix)
    for wrong in NO_STRINGS:
        play.list(prefix=wrong)
    play.delete("ab")
    play.list(prefix="ab")


KEYS = (
    Script(
        "keys-compared-exactly",
        (Tag.UNICODE, Tag.CORE),
        (_keys_are_compared_exactly, _keys_in_other_spellings),
    ),
    Script(
        "keys-not-there",
        (Tag.UNICODE, Tag.PRECEDENCE),
        (_keys_that_are_not_there, _values_that_are_no_key),
    ),
    Script(
        "keys-listed",
        (Tag.CORE, Tag.UNICODE),
        (_keys_are_listed_by_code_point, _keys_with_a_prefix),
    ),
)
"""Scripts of the intermediate tier and up."""
