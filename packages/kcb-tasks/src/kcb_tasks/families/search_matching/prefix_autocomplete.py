"""Prefix autocomplete: the best terms that begin with a query, and what they have in common."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Boolean, Integer, Record, Text, optional, required

_SUMMARY = """\
Answers queries with the terms that begin with them. Each element of `terms` is an object with a
`term` and its `weight`. A character is one code point.

The form of a string is the string itself. But if `fold` is true, it is the string with each of the
ASCII letters `A` to `Z` replaced by its small letter `a` to `z`. No other character is ever
changed.

A prefix of a string is what is left of it when any number of characters (none, some or all) are cut
off at its end. So the empty string and the string itself are prefixes of it.

A term matches a query if the form of the query is a prefix of the form of the term."""

_RESULT = """\
An object with these members:

- `answers`: an array of one object for each query, in the order of `queries`. Its members are:
  - `query`: the query as it was given.
  - `total`: the number of terms that match.
  - `suggestions`: an array of terms that match, as they were given. Higher weights come first;
    terms of equal weight are in ascending order of their forms by code point. Only the first `k` of
    this order are in the array.
  - `common`: the longest string that is a prefix of the forms of all terms that match, or `null` if
    none matches.
- `trie_nodes`: the number of different non-empty prefixes that the forms of all terms have."""

_RULES = """\
- The empty query matches every term.
- If just one term matches, `common` is its whole form.
- `common` is taken over all terms that match, not only over the first `k`."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    form = _small if fields["fold"] else str
    weights = {entry["term"]: entry.get("weight", 0) for entry in fields["terms"]}
    terms = {form(term): term for term in weights}
    if len(terms) < len(fields["terms"]):
        raise DomainError("duplicate_term")
    ranked = sorted(terms, key=lambda term: (-weights[terms[term]], term))
    answers = []
    for query in fields["queries"]:
        found = [term for term in ranked if term.startswith(form(query))]
        answers.append(
            {
                "query": query,
                "total": len(found),
                "suggestions": [terms[term] for term in found[: fields["k"]]],
                "common": _common(found) if found else None,
            }
        )
    prefixes = {term[:end] for term in terms for end in range(1, len(term) + 1)}
    return {"answers": answers, "trie_nodes": len(prefixes)}


_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def _common(terms: Sequence[str]) -> str:
    """The longest common prefix: that of the first and the last term, sorted."""
    first, last = min(terms), max(terms)
    same = 0
    while first[: same + 1] == last[: same + 1] and same < len(first):
        same += 1
    return first[:same]


def _small(text: str) -> str:
    return text.translate(_SMALL)


def _generate(rng: random.Random) -> dict[str, Json]:
    fold = rng.random() < 0.5
    terms = _draw_terms(rng, _small if fold else str)
    queries = [_draw_query(rng, terms) for _ in range(rng.randint(0, 8))]
    if terms and rng.random() < 0.25:
        again = rng.choice(terms)
        spelling = again.swapcase() if fold and again.isascii() else again
        terms.insert(rng.randint(0, len(terms)), spelling)
    entries: list[Json] = []
    for term in terms:
        entry: dict[str, Json] = {"term": term}
        if rng.random() < 0.75:
            entry["weight"] = rng.choice([0, 1, 1, 2, 2, 3, 10, 10**9])
        entries.append(entry)
    drawn: dict[str, Json] = {"terms": entries, "queries": queries}
    if rng.random() < 0.6:
        drawn["k"] = rng.choice([1, 2, 3, 8, 50])
    if fold or rng.random() < 0.5:
        drawn["fold"] = fold
    return drawn


def _draw_terms(rng: random.Random, form: Callable[[str], str]) -> list[str]:
    """Terms that share beginnings, no two with the same form."""
    terms: dict[str, str] = {}
    stems = rng.sample(_PIECES, 3)
    for _ in range(rng.choice([0, 1, 5, 10, 20, 30])):
        term = rng.choice(stems) + "".join(rng.choice(_PIECES) for _ in range(rng.randint(0, 2)))
        terms.setdefault(form(term), term)
    return list(terms.values())


def _draw_query(rng: random.Random, terms: Sequence[str]) -> str:
    if not terms or rng.random() < 0.15:
        return rng.choice(["", *_PIECES])
    term = rng.choice(terms)
    query = term[: rng.randint(0, len(term))]
    return query.swapcase() if query.isascii() and rng.random() < 0.3 else query


# Small and capital letters, letters that only str.lower would change, marks, and emoji.
_PIECES = (
    *("a", "A", "b", "B", "ca", "Car", "CARD", "to", "tone", "Z", "z", "_", " ", "1"),
    *("é", "É", "e\u0301", "E", "\u0301", "İ", "i", "\u212a", "k", "K", "ß", "SS", "Ω", "ω"),
    *("日本", "ｚ", "😀", "😀😀", "𐐀", "𐐨"),
)


def _term(term: str, weight: int | None = None) -> Json:
    return {"term": term} if weight is None else {"term": term, "weight": weight}


def _reply(query: str, total: int, suggestions: Sequence[str], common: str | None) -> Json:
    """An element of `answers` in short, for the cases below."""
    return {"query": query, "total": total, "suggestions": list(suggestions), "common": common}


def _case(fields: dict[str, Json], trie_nodes: int, *answers: Json) -> Case:
    return Case(fields, {"answers": list(answers), "trie_nodes": trie_nodes})


_BOUNDARIES = (
    # A full match counts; without folding, letters differ from their capitals.
    _case(
        {"terms": [_term("to"), _term("tone"), _term("Tone")], "queries": ["tone", "t"]},
        8,
        _reply("tone", 1, ["tone"], "tone"),
        _reply("t", 2, ["to", "tone"], "to"),
    ),
    _case(
        {"terms": [_term("A"), _term("a")], "queries": ["a", "A", "aa", ""]},
        2,
        _reply("a", 1, ["a"], "a"),
        _reply("A", 1, ["A"], "A"),
        _reply("aa", 0, [], None),
        _reply("", 2, ["A", "a"], ""),
    ),
    # Nothing to complete, nothing to answer.
    _case({"terms": [], "queries": [""]}, 0, _reply("", 0, [], None)),
    _case({"terms": [_term("ab"), _term("ac")], "queries": []}, 3),
    # A single match has its whole form in common, which is longer than the query.
    _case(
        {"terms": [_term("CaB\u00c9", 3)], "queries": ["cA", "CAB", "cabé"], "fold": True},
        4,
        _reply("cA", 1, ["CaBÉ"], "cabÉ"),
        _reply("CAB", 1, ["CaBÉ"], "cabÉ"),
        _reply("cabé", 0, [], None),
    ),
    # Only ASCII letters are folded: not the Kelvin sign, the dotted I, or Greek; ß stays one.
    _case(
        {
            "terms": [_term("\u212a"), _term("k"), _term("İ"), _term("Ω"), _term("ω"), _term("ß")],
            "queries": ["K", "\u212a", "i", "ω", "SS"],
            "fold": True,
        },
        6,
        _reply("K", 1, ["k"], "k"),
        _reply("\u212a", 1, ["\u212a"], "\u212a"),
        _reply("i", 0, [], None),
        _reply("ω", 1, ["ω"], "ω"),
        _reply("SS", 0, [], None),
    ),
    # The neighbours of the letters in ASCII stay as they are.
    _case(
        {
            "terms": [_term("@"), _term("["), _term("`"), _term("{")],
            "queries": ["@", "{"],
            "fold": True,
        },
        4,
        _reply("@", 1, ["@"], "@"),
        _reply("{", 1, ["{"], "{"),
    ),
    # Prefixes end after any code point: before a mark, inside no pair of UTF-16 units.
    _case(
        {"terms": [_term("e\u0301a"), _term("é"), _term("eb")], "queries": ["e", "e\u0301", "é"]},
        5,
        _reply("e", 2, ["eb", "e\u0301a"], "e"),
        _reply("e\u0301", 1, ["e\u0301a"], "e\u0301a"),
        _reply("é", 1, ["é"], "é"),
    ),
    _case(
        {"terms": [_term("😀"), _term("😁")], "queries": [""]},
        2,
        _reply("", 2, ["😀", "😁"], ""),
    ),
    # Ties are ordered by code point, not by UTF-16 unit, and before the list is cut.
    _case(
        {
            "terms": [_term("𐐀"), _term("ｚ"), _term("a"), _term("Z"), _term("é")],
            "queries": [""],
            "k": 4,
        },
        5,
        _reply("", 5, ["Z", "a", "é", "ｚ"], ""),
    ),
    # Of equal weights the folded form decides, not the spelling: "ab" comes before "b" and "C".
    _case(
        {
            "terms": [_term("b"), _term("C"), _term("AB"), _term("aa")],
            "queries": [""],
            "fold": True,
        },
        5,
        _reply("", 4, ["aa", "AB", "b", "C"], ""),
    ),
    _case(
        {"terms": [_term("b"), _term("C"), _term("AB"), _term("aa")], "queries": [""]},
        6,
        _reply("", 4, ["AB", "C", "aa", "b"], ""),
    ),
    # A weight that is not given is 0; the numbers are compared as numbers.
    _case(
        {
            "terms": [_term("b", 0), _term("c"), _term("d", 9), _term("a", 10), _term("e", 10**9)],
            "queries": [""],
        },
        5,
        _reply("", 5, ["e", "a", "d", "b", "c"], ""),
    ),
    # Five suggestions unless k says otherwise; total and common see all terms that match.
    _case(
        {
            "terms": [_term(f"xy{letter}") for letter in "fedcba"] + [_term("x")],
            "queries": ["x", "xy"],
        },
        8,
        _reply("x", 7, ["x", "xya", "xyb", "xyc", "xyd"], "x"),
        _reply("xy", 6, ["xya", "xyb", "xyc", "xyd", "xye"], "xy"),
    ),
    _case(
        {"terms": [_term("ab", 1), _term("abc", 2), _term("a")], "queries": ["a"], "k": 1},
        3,
        _reply("a", 3, ["abc"], "a"),
    ),
    # A query may come twice; a space is a character like any other.
    _case(
        {"terms": [_term("a b"), _term("a"), _term(" ")], "queries": ["a ", "a ", " "]},
        4,
        _reply("a ", 1, ["a b"], "a b"),
        _reply("a ", 1, ["a b"], "a b"),
        _reply(" ", 1, [" "], " "),
    ),
    # Nodes are counted of the forms.
    _case(
        {"terms": [_term("Abc"), _term("aBd"), _term("AB")], "queries": ["AbC"], "fold": True},
        4,
        _reply("AbC", 1, ["Abc"], "abc"),
    ),
    # Duplicates, also with other weights, and only after folding.
    Case({"terms": [_term("A"), _term("a")], "queries": [], "fold": True}, error="duplicate_term"),
    Case(
        {"terms": [_term("é", 1), _term("x"), _term("é", 2)], "queries": ["q"]},
        error="duplicate_term",
    ),
    Case(
        {"terms": [_term("é"), _term("e\u0301"), _term("É")], "queries": [], "fold": True},
        {"answers": [], "trie_nodes": 4},
    ),
)

FAMILY = Family(
    number=59,
    slug="prefix-autocomplete",
    title="Prefix autocomplete",
    category="search-matching",
    difficulty=Difficulty.STRAIGHTFORWARD,
    summary=_SUMMARY,
    fields=(
        required(
            "terms",
            Array(
                Record((required("term", Text(1, 50)), optional("weight", Integer(0, 10**9), 0))),
                0,
                500,
            ),
            "The terms.",
        ),
        required("queries", Array(Text(0, 50), 0, 100), "The queries."),
        optional("k", Integer(1, 50), 5, "How many suggestions a query gets at most."),
        optional("fold", Boolean(), False, "If true, ASCII letters are folded as above."),
    ),
    result=_RESULT,
    errors=(ErrorCode("duplicate_term", "Two terms have the same form."),),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_case(
        {
            "terms": [
                _term("Car", 5),
                _term("card", 9),
                _term("care", 5),
                _term("cat", 2),
                _term("Éclair", 1),
            ],
            "queries": ["CAR", "ca", "é", ""],
            "k": 2,
            "fold": True,
        },
        12,
        _reply("CAR", 3, ["card", "Car"], "car"),
        _reply("ca", 4, ["card", "Car"], "ca"),
        _reply("é", 0, [], None),
        _reply("", 5, ["card", "Car"], ""),
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _case(
            {
                "terms": [
                    _term("Stone", 2),
                    _term("stop"),
                    _term("STORE", 7),
                    _term("Sto", 2),
                    _term("Été"),
                ],
                "queries": ["sTO", "été", "stor"],
                "k": 3,
                "fold": True,
            },
            11,
            _reply("sTO", 4, ["STORE", "Sto", "Stone"], "sto"),
            _reply("été", 0, [], None),
            _reply("stor", 1, ["STORE"], "store"),
        ),
        Case(
            {"terms": [_term("Tea", 1), _term("tea", 2)], "queries": ["t"], "fold": True},
            error="duplicate_term",
        ),
    ),
    malformed=(
        {"terms": None, "queries": []},
        {"terms": {"car": 5}, "queries": []},
        {"terms": ["car"], "queries": []},
        {"terms": [["car", 5]], "queries": []},
        {"terms": [{"weight": 5}], "queries": []},
        {"terms": [{"term": ""}], "queries": []},
        {"terms": [{"term": None, "weight": 1}], "queries": []},
        {"terms": [{"term": "e\u0301" * 25 + "a"}], "queries": []},
        {"terms": [_term("a"), {"term": "a", "weight": -1}], "queries": []},
        {"terms": [{"term": "a", "weight": 10**9 + 1}], "queries": []},
        {"terms": [{"term": "a", "weight": 5.0}], "queries": []},
        {"terms": [{"term": "a", "weight": True}], "queries": []},
        {"terms": [{"term": "a", "weight": "5"}], "queries": []},
        {"terms": [{"term": "a", "weight": None}], "queries": []},
        {"terms": [], "queries": "a"},
        {"terms": [], "queries": ["a", 1]},
        {"terms": [], "queries": [None]},
        {"terms": [], "queries": ["a" * 51]},
        {"terms": [_term("a"), _term("a")], "queries": [""] * 101},
        {"terms": [], "queries": [], "k": 0},
        {"terms": [], "queries": [], "k": 51},
        {"terms": [], "queries": [], "k": None},
        {"terms": [], "queries": [], "k": 2.0},
        {"terms": [], "queries": [], "fold": "true"},
        {"terms": [], "queries": [], "fold": 1},
    ),
)
