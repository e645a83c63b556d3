"""Fuzzy lookup: words near a query by weighted edit distance, each with the script of its edits."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Boolean, Integer, Record, Text, optional, required

_SUMMARY = """\
Ranks the words of a list by their weighted edit distance from `query`, and tells for each how
`query` is edited into it. A character is one code point. If `fold` is true, replace each letter `A`
to `Z` by its lower-case letter, in `query` and in all words, before anything is compared; nothing
else is changed. Otherwise characters are compared exactly.

Let q be the query and w a word, their characters counted from 1, and let `insert`, `delete`,
`substitute` and `transpose` be the costs. D(i, j) is the distance between the first i characters of
q and the first j characters of w. D(0, 0) is 0. Otherwise D(i, j) is the smallest value that one of
these steps gives:

1. if i >= 1 and j >= 1: D(i-1, j-1) if q_i = w_j (keep), else D(i-1, j-1) + `substitute`;
2. if i >= 2 and j >= 2 and q_i != w_j and q_(i-1) = w_j and q_i = w_(j-1):
   D(i-2, j-2) + `transpose`;
3. if i >= 1: D(i-1, j) + `delete`;
4. if j >= 1: D(i, j-1) + `insert`.

The distance of w is D(length of q, length of w).

The script of w is found backwards. Start at i = length of q, j = length of w, and repeat until both
are 0: take the first of the steps 1 to 4, in this order, that is possible and gives exactly
D(i, j), note its item, and go on with the i and j of the D in this step. Then reverse the order of
the items, so that they go from left to right. The items are strings:

- `=x`: the character x is kept.
- `~xy`: x of the query is replaced by y.
- `%xy`: the characters x, y of the query, in this order, become y, x.
- `-x`: x of the query is deleted.
- `+y`: y is inserted.

A word is near if its distance is at most `max_distance`. Near words are ranked by distance, smaller
first; equal distances by the word as it is given, in ascending order by code point."""

_RESULT = """\
An object `{"matches": [...], "within": n}`. `matches` has one object
`{"word": w, "distance": d, "script": [...]}` for each near word in the order of the ranking, but
only for the first `limit` of them. `word` is the word as it is given, `distance` its distance,
`script` the array of its items. `within` is the number of all near words."""

_RULES = """\
- The characters in a script are those that were compared, so with `fold` their ASCII letters are in
  lower case.
- Two characters that are transposed are not edited further: from `ca` to `abc` it takes 3 edits of
  cost 1, not 2."""

_COSTS = ("insert", "delete", "substitute", "transpose")
_FOLD = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)

_Step = tuple[int, int, int, str]
"""A cell that a step comes from, its cost, and its item in the script."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    words = fields["words"]
    if not words:
        raise DomainError("no_words")
    if len(set(words)) < len(words):
        raise DomainError("duplicate_word")
    costs = {name: fields["costs"].get(name, 1) for name in _COSTS}
    table = _FOLD if fields["fold"] else {}
    query = fields["query"].translate(table)
    grids = {word: _Grid(query, word.translate(table), costs) for word in words}
    near = [word for word in words if grids[word].distance <= fields["max_distance"]]
    near.sort(key=lambda word: (grids[word].distance, word))
    return {
        "matches": [
            {"word": word, "distance": grids[word].distance, "script": grids[word].script()}
            for word in near[: fields["limit"]]
        ],
        "within": len(near),
    }


class _Grid:
    """The distances between all beginnings of a query and of a word."""

    def __init__(self, query: str, word: str, costs: Mapping[str, int]) -> None:
        self.query = query
        self.word = word
        self.costs = costs
        self.cells: dict[tuple[int, int], int] = {}
        for cell in product(range(len(query) + 1), range(len(word) + 1)):
            self.cells[cell] = min(map(self.value, self.steps(*cell)), default=0)
        self.distance = self.cells[len(query), len(word)]

    def value(self, step: _Step) -> int:
        i, j, cost, _ = step
        return self.cells[i, j] + cost

    def steps(self, i: int, j: int) -> Iterator[_Step]:
        """The steps that lead to a cell, in their order of preference."""
        q, w = self.query[i - 1 : i], self.word[j - 1 : j]
        if i and j:
            cost, item = (0, f"={q}") if q == w else (self.costs["substitute"], f"~{q}{w}")
            yield i - 1, j - 1, cost, item
        if i > 1 and j > 1 and q != w and self.query[i - 2 : i] == w + self.word[j - 2]:
            yield i - 2, j - 2, self.costs["transpose"], f"%{w}{q}"
        if i:
            yield i - 1, j, self.costs["delete"], f"-{q}"
        if j:
            yield i, j - 1, self.costs["insert"], f"+{w}"

    def script(self) -> list[Json]:
        items: list[Json] = []
        i, j = len(self.query), len(self.word)
        while i or j:
            cell = self.cells[i, j]
            i, j, _, item = next(step for step in self.steps(i, j) if self.value(step) == cell)
            items.append(item)
        return items[::-1]


def _generate(rng: random.Random) -> dict[str, Json]:
    query = rng.choice(_QUERIES)
    words = [_draw_near(rng, query) for _ in range(rng.choice([1, 3, 5, 8, 14]))]
    words += [rng.choice(_QUERIES[1:]) for _ in range(rng.choice([0, 1, 3]))]
    words = list(dict.fromkeys(word for word in words if word))
    if rng.random() < 0.1 and words:
        words.insert(rng.randint(0, len(words)), rng.choice(words))
    drawn: dict[str, Json] = {"query": query, "words": words if rng.random() < 0.93 else []}
    if rng.random() < 0.6:
        drawn["max_distance"] = rng.choice([0, 1, 1, 3, 4, 6, 20])
    if rng.random() < 0.3:
        drawn["limit"] = rng.choice([1, 2, 3, 100])
    if rng.random() < 0.5:
        drawn["fold"] = rng.random() < 0.8
    if rng.random() < 0.5:
        costs = [1, 1, 2, 2, 3, 10]
        names = rng.sample(_COSTS, rng.randint(0, 4))
        drawn["costs"] = {name: rng.choice(costs) for name in names}
    return drawn


def _draw_near(rng: random.Random, query: str) -> str:
    """The query after a few edits, now and then with letters in the other case."""
    chars = list(query)
    for _ in range(rng.choice([0, 1, 1, 2, 2, 3])):
        place = rng.randint(0, len(chars))
        edit = rng.choice(["insert", "delete", "replace", "swap", "swap"])
        if edit == "insert":
            chars.insert(place, rng.choice([*chars, "a", "x", "é", "😀"]))
        elif edit == "delete":
            del chars[place : place + 1]
        elif edit == "replace":
            chars[place : place + 1] = [rng.choice([*chars, "a", "x"])]
        else:
            chars[place : place + 2] = reversed(chars[place : place + 2])
    if rng.random() < 0.25:
        chars = [
            rng.choice([char, char.swapcase()]) if char in "abcxABCX" else char for char in chars
        ]
    return "".join(chars)[:40]


_QUERIES = (
    *(
        "",
        "a",
        "ab",
        "aab",
        "abab",
        "abcabc",
        "banana",
        "Recieve",
        "xyz",
        "AbC",
        "ca",
        "éa",
        "e\u0301a",
    ),
    *("straße", "日本語", "😀a😀", "𝒳ｚ", "ÀÉ", "İi", "\u212ak", "a b", "~a", "+-=", "aaaa"),
)


def _near(
    query: str, words: list[str], found: Mapping[str, tuple[int, str]], within: int, **more: Json
) -> Case:
    """A case with scripts whose items are separated by spaces."""
    matches = [
        {"word": word, "distance": distance, "script": script.split(" ")}
        for word, (distance, script) in found.items()
    ]
    fields: dict[str, Json] = {"query": query, "words": list(words), **more}
    return Case(fields, {"matches": matches, "within": within})


def _one(query: str, word: str, distance: int, script: str, **more: Json) -> Case:
    """A case of one word that is near."""
    return _near(query, [word], {word: (distance, script)}, 1, **more)


_LETTERS = list("lkjihgfedcba")

_BOUNDARIES = (
    # Nothing to do, insertions, deletions.
    _near("", ["é", "ab", "abc"], {"é": (1, "+é"), "ab": (2, "+a +b")}, 2),
    _near("a", ["a", "b"], {"a": (0, "=a")}, 1, max_distance=0),
    _one("ab", "b", 1, "-a =b"),
    _one("b", "abc", 2, "+a =b +c"),
    _one("a", "aa", 1, "+a =a"),
    _one("aa", "a", 1, "-a =a"),
    _one("abc", "xbz", 2, "~ax =b ~cz"),
    Case({"query": "abc", "words": ["xyz"]}, {"matches": [], "within": 0}),
    Case({"query": "", "words": ["a"], "max_distance": 0}, {"matches": [], "within": 0}),
    # Transpositions, which nothing may be edited into.
    _one("ab", "ba", 1, "%ab"),
    _one("abcd", "badc", 2, "%ab %cd"),
    _one("😀a", "a😀", 1, "%😀a"),
    _one("ca", "abc", 3, "+a ~cb ~ac", max_distance=3),
    Case({"query": "ca", "words": ["abc"]}, {"matches": [], "within": 0}),
    _one("aab", "aba", 1, "=a %ab"),
    # Costs decide which edits are made.
    _one("ab", "ba", 2, "~ab ~ba", costs={"transpose": 5}),
    _one("a", "b", 2, "+b -a", costs={"substitute": 3}),
    _one("ab", "xb", 2, "+x -a =b", costs={"substitute": 9}, max_distance=2),
    _one("ab", "abc", 2, "=a =b +c", costs={"insert": 2, "delete": 3}),
    Case(
        {"query": "abc", "words": ["ab"], "costs": {"insert": 2, "delete": 3}},
        {"matches": [], "within": 0},
    ),
    _one("abc", "ab", 3, "=a =b -c", costs={"delete": 3}, max_distance=3),
    _one("ab", "c", 2, "-a ~bc", costs={}),
    _one(
        "a" * 40,
        "b" * 40,
        400,
        " ".join(["~ab"] * 40),
        max_distance=400,
        costs={"insert": 10, "delete": 10, "substitute": 10, "transpose": 10},
    ),
    Case(
        {
            "query": "a" * 40,
            "words": ["b" * 40],
            "max_distance": 399,
            "costs": {"insert": 10, "delete": 10, "substitute": 10, "transpose": 10},
        },
        {"matches": [], "within": 0},
    ),
    # Of steps that give the same distance: substitute, transpose, delete, insert.
    _one("ab", "ba", 2, "~ab ~ba", costs={"transpose": 2}),
    _one("a", "b", 2, "~ab", costs={"substitute": 2}),
    _one("ab", "ba", 2, "%ab", costs={"transpose": 2, "substitute": 2}),
    _one("ab", "ba", 2, "+b =a -b", costs={"transpose": 9, "substitute": 3}),
    # Folding: ASCII letters only, in distance and script, but not in the words.
    _one("ABC", "aBc", 0, "=a =b =c", fold=True),
    _one("ab", "AB", 2, "~aA ~bB"),
    _one("É", "é", 1, "~Éé", fold=True),
    _one("k", "\u212a", 1, "~k\u212a", fold=True),
    _one("Ab", "BA", 1, "%ab", fold=True),
    _near("a", ["a", "A"], {"A": (0, "=a"), "a": (0, "=a")}, 2, fold=True),
    _near("a", ["A", "a"], {"a": (0, "=a"), "A": (1, "~aA")}, 2, fold=False),
    # Distance, then code points; nothing is normalized.
    _near(
        "x",
        ["b", "B", "é", "a", "x"],
        {
            "x": (0, "=x"),
            "B": (1, "~xB"),
            "a": (1, "~xa"),
            "b": (1, "~xb"),
            "é": (1, "~xé"),
        },
        5,
    ),
    _near("x", ["𝒳", "ｚ"], {"ｚ": (1, "~xｚ"), "𝒳": (1, "~x𝒳")}, 2),
    _near("e", ["é", "e\u0301"], {"e\u0301": (1, "=e +\u0301"), "é": (1, "~eé")}, 2),
    _near("a", ["C", "b"], {"C": (1, "~ac"), "b": (1, "~ab")}, 2, fold=True),
    # How many are listed, and how far they may be.
    _near("", _LETTERS, {c: (1, f"+{c}") for c in "abcdefghij"}, 12),
    _near("", _LETTERS, {"a": (1, "+a")}, 12, limit=1),
    _near("abcd", ["ab", "a", "abcd"], {"abcd": (0, "=a =b =c =d"), "ab": (2, "=a =b -c -d")}, 2),
    _near("ab", ["ac", "b"], {"ac": (1, "=a ~bc"), "b": (1, "-a =b")}, 2, max_distance=1),
    # Errors.
    Case({"query": "a", "words": []}, error="no_words"),
    Case({"query": "", "words": [], "fold": True}, error="no_words"),
    Case({"query": "a", "words": ["b", "b"]}, error="duplicate_word"),
    Case(
        {"query": "a", "words": ["é", "b", "é"], "max_distance": 0, "limit": 1},
        error="duplicate_word",
    ),
)

FAMILY = Family(
    number=58,
    slug="fuzzy-lookup",
    title="Fuzzy dictionary lookup",
    category="search-matching",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("query", Text(0, 40), "What is looked up."),
        required("words", Array(Text(1, 40), 0, 300), "The list of words."),
        optional("max_distance", Integer(0, 400), 2, "The greatest distance of a near word."),
        optional("limit", Integer(1, 100), 10, "How many words are listed at most."),
        optional("fold", Boolean(), False, "Whether ASCII letters are replaced first."),
        optional(
            "costs",
            Record(tuple(optional(name, Integer(1, 10), 1) for name in _COSTS)),
            {},
            "The costs of the edits.",
        ),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("no_words", "`words` is empty."),
        ErrorCode(
            "duplicate_word",
            "Two words are the same as they are given. Words that are the same only after folding "
            "are no error.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_near(
        "recieve",
        ["relieve", "receive", "Receiver", "deceive", "rexieve"],
        {
            "receive": (1, "=r =e =c %ie =v =e"),
            "Receiver": (2, "=r =e =c %ie =v =e +r"),
            "relieve": (2, "=r =e ~cl =i =e =v =e"),
            "rexieve": (2, "=r =e ~cx =i =e =v =e"),
        },
        4,
        max_distance=2,
        fold=True,
        limit=4,
        costs={"substitute": 2},
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _near(
            "Grau",
            ["graue", "GRUA", "Gräu", "rau"],
            {
                "GRUA": (1, "=g =r %au"),
                "Gräu": (1, "=g =r ~aä =u"),
                "graue": (1, "=g =r =a =u +e"),
            },
            4,
            max_distance=1,
            limit=3,
            fold=True,
        ),
        Case({"query": "a", "words": ["b", "B", "b"], "fold": True}, error="duplicate_word"),
    ),
    malformed=(
        {"query": None, "words": ["a"]},
        {"query": 1, "words": ["a"]},
        {"query": ["a"], "words": ["a"]},
        {"query": "a" * 41, "words": ["a"]},
        {"query": "a"},
        {"words": ["a"]},
        {"query": "a", "words": None},
        {"query": "a", "words": "abc"},
        {"query": "a", "words": {"a": 1}},
        {"query": "a", "words": ["a", ""]},
        {"query": "a", "words": ["a", 1]},
        {"query": "a", "words": [["a"]]},
        {"query": "a", "words": ["😀" * 41]},
        {"query": "a", "words": [str(index) for index in range(301)]},
        {"query": "a", "words": ["a"], "max_distance": -1},
        {"query": "a", "words": ["a"], "max_distance": 401},
        {"query": "a", "words": ["a"], "max_distance": 2.0},
        {"query": "a", "words": ["a"], "max_distance": None},
        {"query": "a", "words": ["a"], "limit": 0},
        {"query": "a", "words": ["a"], "limit": 101},
        {"query": "a", "words": ["a"], "limit": True},
        {"query": "a", "words": ["a"], "fold": 1},
        {"query": "a", "words": ["a"], "fold": "false"},
        {"query": "a", "words": [], "costs": None},
        {"query": "a", "words": ["a"], "costs": []},
        {"query": "a", "words": ["a"], "costs": 1},
        {"query": "a", "words": ["a"], "costs": {"insert": 0}},
        {"query": "a", "words": ["a"], "costs": {"insert": 11}},
        {"query": "a", "words": ["a"], "costs": {"delete": 1.0}},
        {"query": "a", "words": ["a"], "costs": {"substitute": "2"}},
        {"query": "a", "words": ["a"], "costs": {"transpose": True}},
        {"query": "a", "words": ["a"], "costs": {"insert": 1, "transpose": None}},
    ),
)
