"""Boolean search: words, prefixes and phrases joined by AND, OR and NOT, over a few documents."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Array, Integer, Record, Text, label, optional, required

_SUMMARY = """\
Searches the texts of `docs` with a Boolean query. A character is one code point.

**Tokens of a text.** A run of characters for which Python's `str.isalnum()` is true, as long as
possible, and then replaced by its `str.casefold()`, is a token. The tokens of a text are numbered
in order; what stands between them does not matter. Nothing is normalized.

**Parts of the query.** A blank is a space, tab, carriage return or line feed. From left to right:

- Blanks separate parts and are no parts themselves.
- `(` and `)` are parts.
- `"` begins a phrase, which goes on to the next `"`. The tokens of the text between the two are the
  tokens of the phrase. There must be at least one.
- Any other run of characters that are no blanks, parentheses or `"`, as long as possible, is a
  word. The words `AND`, `OR` and `NOT`, spelled exactly so, are operators. Any other word consists
  of one or more `isalnum` characters; one `*` may follow at its end and makes it a prefix.

**Grammar.** `{...}` is zero or more times, `[...]` is zero or one time, `|` is a choice:

```text
query = and {"OR" and}
and   = not {["AND"] not}
not   = "NOT" not | atom
atom  = "(" query ")" | phrase | prefix | word
```

Each phrase, prefix and word of the query is a leaf. Its occurrences in a document are counted:

- Word: the tokens that are equal to the casefolded word.
- Prefix: the tokens that begin with the casefolded word without its `*`.
- Phrase: the places where all tokens of the phrase follow each other in the document.

A document satisfies a leaf if it has an occurrence of it, `NOT x` if it does not satisfy `x`,
`x AND y` or `x y` if it satisfies both, `x OR y` if it satisfies at least one. A document that
satisfies the query is a hit. Its score is the number of its occurrences of all leaves that are not
inside any `NOT`, whether they were needed or not."""

_RESULT = """\
An object with these members:

- `total`: the number of hits.
- `hits`: an array of objects `{"id": i, "score": s}`. Higher scores come first; equal scores are in
  ascending order of `id` by code point. Only the first `limit` of this order are in the array.
- `leaves`: an array of objects `{"kind": k, "text": t, "docs": n}`, one for each leaf, in the order
  of the query, also if it is inside a `NOT`. `kind` is `"word"`, `"prefix"` or
  `"phrase"`. `text` is the casefolded word, without a `*`, or the tokens of the phrase joined by
  one space. `docs` is the number of documents, hits or not, with at least one occurrence."""

_RULES = """\
- `a NOT b OR c` is `(a AND (NOT b)) OR c`.
- `and`, `Or` and `AND*` are no operators. `a"b"` and `a(b)` have two leaves.
- Occurrences of a phrase may overlap: `"a a"` has two in `a a a`.
- A leaf that stands twice in the query scores twice and is listed twice.
- Leaves inside `NOT NOT` score nothing either. If all leaves are inside a `NOT`, every score
  is 0."""

_DEEPEST = 15

_Counts = Sequence[int]
_Condition = Callable[[_Counts], bool]


@dataclass(frozen=True, slots=True)
class _Leaf:
    """One phrase, prefix or word of the query."""

    kind: str
    tokens: list[str]
    scores: bool

    def count(self, tokens: Sequence[str]) -> int:
        """How many occurrences the tokens of a document have."""
        if self.kind == "prefix":
            return sum(token.startswith(self.tokens[0]) for token in tokens)
        size = len(self.tokens)
        places = range(len(tokens) - size + 1)
        return sum(tokens[place : place + size] == self.tokens for place in places)


class _Parser:
    """Reads a query from its parts, and collects the leaves."""

    def __init__(self, parts: list[str]) -> None:
        self.parts = parts
        self.at = 0
        self.negations = 0
        self.leaves: list[_Leaf] = []

    def next(self) -> str:
        return self.parts[self.at] if self.at < len(self.parts) else ""

    def whole(self) -> _Condition:
        condition = self.disjunction()
        if self.next():
            raise DomainError("bad_query")
        return condition

    def disjunction(self) -> _Condition:
        conditions = [self.conjunction()]
        while self.next() == "OR":
            self.at += 1
            conditions.append(self.conjunction())
        return lambda counts: any(condition(counts) for condition in conditions)

    def conjunction(self) -> _Condition:
        conditions = [self.negation()]
        while self.next() not in ("", ")", "OR"):
            if self.next() == "AND":
                self.at += 1
            conditions.append(self.negation())
        return lambda counts: all(condition(counts) for condition in conditions)

    def negation(self) -> _Condition:
        if self.next() != "NOT":
            return self.atom()
        self.at += 1
        self.negations += 1
        condition = self.negation()
        self.negations -= 1
        return lambda counts: not condition(counts)

    def atom(self) -> _Condition:
        part = self.next()
        self.at += 1
        if part == "(":
            condition = self.disjunction()
            if self.next() != ")":
                raise DomainError("bad_query")
            self.at += 1
            return condition
        index = len(self.leaves)
        self.leaves.append(self.leaf(part))
        return lambda counts: counts[index] > 0

    def leaf(self, part: str) -> _Leaf:
        kind, tokens = "phrase", _tokens(part)
        if not part.startswith('"'):
            kind = "prefix" if part.endswith("*") else "word"
            if part in ("AND", "OR") or not part.removesuffix("*").isalnum():
                raise DomainError("bad_query")
        elif not tokens:
            raise DomainError("bad_query")
        return _Leaf(kind, tokens, scores=not self.negations)


_PART = re.compile(r'[()]|"[^"]*"|"|[^ \t\r\n()"]+')
_RUN = re.compile(r"[^\W_]+")  # [^\W_] is exactly str.isalnum


def _evaluate(fields: Mapping[str, Any]) -> Json:
    docs = {doc["id"]: _tokens(doc["text"]) for doc in fields["docs"]}
    if len(docs) < len(fields["docs"]):
        raise DomainError("duplicate_id")
    parts = _PART.findall(fields["query"])
    if max(_depths(parts), default=0) > _DEEPEST:
        raise DomainError("too_deep")
    parser = _Parser(parts)
    condition, leaves = parser.whole(), parser.leaves
    counts = {name: [leaf.count(tokens) for leaf in leaves] for name, tokens in docs.items()}
    scores = {
        name: sum(n for n, leaf in zip(found, leaves, strict=True) if leaf.scores)
        for name, found in counts.items()
        if condition(found)
    }
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return {
        "total": len(scores),
        "hits": [{"id": name, "score": score} for name, score in ranked[: fields["limit"]]],
        "leaves": [
            {
                "kind": leaf.kind,
                "text": " ".join(leaf.tokens),
                "docs": sum(found[index] > 0 for found in counts.values()),
            }
            for index, leaf in enumerate(leaves)
        ],
    }


def _tokens(text: str) -> list[str]:
    return [run.casefold() for run in _RUN.findall(text)]


def _depths(parts: Sequence[str]) -> Iterator[int]:
    """How many parentheses are open after each part, up to a quotation mark that is not closed."""
    depth = 0
    for part in parts:
        if part == '"':
            return
        depth += (part == "(") - (part == ")")
        yield depth


def _generate(rng: random.Random) -> dict[str, Json]:
    few = rng.sample(_WORDS, 6)
    names = rng.sample(_NAMES, rng.choice([0, 1, 3, 4, 6, 8]))
    docs: list[Json] = [{"id": name, "text": _draw_text(rng, few)} for name in names]
    query = " " * 201
    while len(query) > 200:
        query = _draw_query(rng, few, rng.choice([0, 1, 2, 3]))
    chance = rng.random()
    if chance < 0.14:
        query = _damaged(rng, query)
    elif chance < 0.18:
        query = rng.choice(["(", "( ", "a (", "))("]) * 16
    elif chance < 0.22 and docs:
        docs.append({"id": rng.choice(names), "text": "a"})
    drawn: dict[str, Json] = {"docs": docs, "query": query}
    if rng.random() < 0.4:
        drawn["limit"] = rng.choice([1, 2, 3, 100])
    return drawn


def _draw_text(rng: random.Random, few: Sequence[str]) -> str:
    parts: list[str] = []
    for _ in range(rng.choice([0, 1, 4, 10, 20])):
        word = rng.choice(few if rng.random() < 0.9 else _WORDS)
        ending = rng.choice(["s", "1", "é"]) if rng.random() < 0.1 else ""
        parts += [word + ending, rng.choice(_GAPS) if rng.random() < 0.4 else " "]
    return "".join(parts)


def _draw_query(rng: random.Random, few: Sequence[str], depth: int) -> str:
    """A query that obeys the grammar, with all kinds of blanks in it."""
    if depth == 0:
        return _draw_leaf(rng, few)
    parts = [_draw_query(rng, few, rng.randrange(depth)) for _ in range(rng.choice([1, 2, 2, 3]))]
    joint = rng.choice([" ", " ", " AND ", " OR ", " OR ", "\tOR\n", " NOT ", " AND NOT "])
    query = joint.join(parts)
    chance = rng.random()
    if chance < 0.3:
        return rng.choice(["({})", "( {} )", "NOT ({})"]).replace("{}", query)
    return "NOT " * rng.choice([1, 1, 2]) + query if chance < 0.45 else query


def _draw_leaf(rng: random.Random, few: Sequence[str]) -> str:
    word = rng.choice(few) if rng.random() < 0.95 else rng.choice(_WORDS)
    chance = rng.random()
    if chance < 0.25:
        return word[: rng.randint(1, len(word))] + "*"
    if chance < 0.5:
        gap = rng.choice([" ", " ", ", ", " (", "-"])
        return f'"{gap.join([word, *rng.sample(few, rng.randint(0, 2))])}"'
    return word.upper() if chance < 0.6 and word.upper().isalnum() else word


def _damaged(rng: random.Random, query: str) -> str:
    """A query with a part too much or a character too few."""
    query = query[:190]
    if rng.random() < 0.2:
        return rng.choice(["", " \r\n", '""', '"-"', "()", "*", "NOT", "a OR OR b", "\u00a0"])
    place = rng.randrange(len(query))
    if rng.random() < 0.3:
        return query[:place] + query[place + 1 :]
    part = rng.choice(["(", ")", '"', "*", " AND ", " OR ", " NOT ", "-", "_", "\u0301", "😀"])
    return query[:place] + part + query[place:]


# Words that fold to the same one, or only nearly so; some are operators in another spelling.
_WORDS = (
    *("a", "a", "A", "b", "red", "Red", "bus", "car", "carpet", "cart", "stop", "the", "x1", "42"),
    *("straße", "STRASSE", "Strasse", "ﬁn", "fin", "été", "ÉTÉ", "ete", "and", "Or", "not"),
    *("İx", "ix", "ΣΑΣ", "σας", "дом", "日本", "𐐀𐐀", "𐐨𐐨", "𝒳"),
)

_NAMES = ("d1", "d2", "d10", "D1", "a", "é", "e\u0301", "ｚ", "😀", " ", "a b")

_GAPS = (" ", "  ", "\n", ", ", "; ", "-", "_", "'", "\u00a0", "\u0301", "(", '" ', "😀", " AND ")


def _doc(name: str, text: str) -> Json:
    return {"id": name, "text": text}


def _word(text: str, docs: int) -> Json:
    return {"kind": "word", "text": text, "docs": docs}


def _prefix(text: str, docs: int) -> Json:
    return {"kind": "prefix", "text": text, "docs": docs}


def _phrase(text: str, docs: int) -> Json:
    return {"kind": "phrase", "text": text, "docs": docs}


def _found(
    docs: Mapping[str, str], query: str, total: int, hits: Mapping[str, int], *leaves: Json
) -> Case:
    """A case in short: ids with their texts, a query, ids with their scores, and the leaves."""
    return Case(
        {"docs": [_doc(name, text) for name, text in docs.items()], "query": query},
        {
            "total": total,
            "hits": [{"id": name, "score": score} for name, score in hits.items()],
            "leaves": list(leaves),
        },
    )


def _limited(limit: int, case: Case) -> Case:
    return Case({**case.input, "limit": limit}, case.result)


def _bad(query: str, error: str = "bad_query") -> Case:
    return Case({"docs": [_doc("d", "a b")], "query": query}, error=error)


_CARS = {
    "d1": "The red car; the RED bus.",
    "d2": "A red bus stop",
    "d3": "Blue carpet, blue car",
    "d4": "",
}
_ABC = {"0": "", "a": "a", "ab": "a b", "b": "b", "bc": "b c", "c": "c"}

_BOUNDARIES = (
    # Overlapping phrases, folding in documents, words and phrases.
    _found(
        {"x": "a a a Straße", "y": "or"},
        '"A a" STRASSE',
        1,
        {"x": 3},
        _phrase("a a", 1),
        _word("strasse", 1),
    ),
    _found({"x": "ΣΑΣ", "y": "σας ﬁn"}, "σασ FIN", 1, {"y": 2}, _word("σασ", 2), _word("fin", 1)),
    _found({"x": "été", "y": "e\u0301te\u0301"}, "ÉTÉ", 1, {"x": 1}, _word("été", 1)),
    _found(
        {"x": "İ", "y": "i\u0307"},
        "İ OR i",
        2,
        {"x": 1, "y": 1},
        _word("i\u0307", 1),
        _word("i", 1),
    ),
    _found({"x": "𐐀", "y": "𐐨𐐨"}, "𐐨*", 2, {"x": 1, "y": 1}, _prefix("𐐨", 2)),
    # Cutting: an underscore, a mark and an emoji separate, and a phrase reaches over anything.
    _found(
        {"x": "snake_case", "y": "snake. (CASE)!", "z": "snakecase", "w": "snake \u0301😀 case"},
        '"Snake-case"',
        3,
        {"w": 1, "x": 1, "y": 1},
        _phrase("snake case", 3),
    ),
    _found({"x": "a b c", "y": "a c"}, '"a c"', 1, {"y": 1}, _phrase("a c", 1)),
    _found({"x": "b a"}, '"a b"', 0, {}, _phrase("a b", 0)),
    _found({"x": "ab"}, '"a"', 0, {}, _phrase("a", 0)),
    _found({"x": "and or"}, '"AND OR"', 1, {"x": 1}, _phrase("and or", 1)),
    _found({"x": "a b"}, '"(a\tOR b*"', 0, {}, _phrase("a or b", 0)),
    # Prefixes: the whole token is one too; each token counts; the operators' names are free.
    _found({"x": "car Cars scar carpet"}, "CAR*", 1, {"x": 3}, _prefix("car", 1)),
    _found({"x": "strasse straße stras"}, "straß*", 1, {"x": 2}, _prefix("strass", 1)),
    _found(
        {"x": "andy", "y": "note nor"},
        "AND* OR NOT* OR OR*",
        2,
        {"x": 1, "y": 1},
        _prefix("and", 1),
        _prefix("not", 1),
        _prefix("or", 0),
    ),
    # Negation: nothing inside scores, twice negated neither; the parts are listed all the same.
    _limited(1, _found(_CARS, "NOT NOT red", 2, {"d1": 0}, _word("red", 2))),
    _found(_CARS, "NOT red", 2, {"d3": 0, "d4": 0}, _word("red", 2)),
    _found(
        _CARS,
        "the NOT (NOT red OR stop)",
        1,
        {"d1": 2},
        _word("the", 1),
        _word("red", 2),
        _word("stop", 1),
    ),
    _found(_CARS, "NOT stop bus", 1, {"d1": 1}, _word("stop", 1), _word("bus", 2)),
    # Precedence: NOT before AND before OR.
    _found(
        _ABC,
        "a NOT b OR c",
        3,
        {"a": 1, "bc": 1, "c": 1},
        _word("a", 2),
        _word("b", 3),
        _word("c", 2),
    ),
    _found(
        _ABC, "a OR b c", 3, {"ab": 2, "bc": 2, "a": 1}, _word("a", 2), _word("b", 3), _word("c", 2)
    ),
    _found(_ABC, "(a OR b) AND c", 1, {"bc": 2}, _word("a", 2), _word("b", 3), _word("c", 2)),
    _found(_ABC, "NOT a b", 2, {"b": 1, "bc": 1}, _word("a", 2), _word("b", 3)),
    _found(
        _ABC,
        "NOT (a b) OR NOT c NOT b",
        5,
        dict.fromkeys(("0", "a", "b", "bc", "c"), 0),
        _word("a", 2),
        _word("b", 3),
        _word("c", 2),
        _word("b", 3),
    ),
    _found(
        _ABC,
        "NOT a OR b",
        5,
        {"ab": 1, "b": 1, "bc": 1, "0": 0, "c": 0},
        _word("a", 2),
        _word("b", 3),
    ),
    _found(
        _ABC,
        "a OR b OR c",
        5,
        {"ab": 2, "bc": 2, "a": 1, "b": 1, "c": 1},
        _word("a", 2),
        _word("b", 3),
        _word("c", 2),
    ),
    _found(_ABC, "b NOT a AND NOT c", 1, {"b": 1}, _word("b", 3), _word("a", 2), _word("c", 2)),
    # Leaves score whether needed or not, and as often as they stand in the query.
    _found(
        _ABC,
        "a a OR c",
        4,
        {"a": 2, "ab": 2, "bc": 1, "c": 1},
        _word("a", 2),
        _word("a", 2),
        _word("c", 2),
    ),
    _found(
        {"x": "a a b"}, "b OR (a zz)", 1, {"x": 3}, _word("b", 1), _word("a", 1), _word("zz", 0)
    ),
    # Operators only in capitals; parts need no blanks between them.
    _found(
        {"x": "a and b", "y": "a b"},
        "a and b",
        1,
        {"x": 3},
        _word("a", 2),
        _word("and", 1),
        _word("b", 2),
    ),
    _found(
        {"x": "a or Not"},
        "a Or not",
        1,
        {"x": 3},
        _word("a", 1),
        _word("or", 1),
        _word("not", 1),
    ),
    _found(
        {"x": "a b c"},
        'a"b"(c)NOT"d"',
        1,
        {"x": 3},
        _word("a", 1),
        _phrase("b", 1),
        _word("c", 1),
        _phrase("d", 0),
    ),
    _found({"x": "a b", "y": "a"}, "\ta\r\nAND\tb ", 1, {"x": 2}, _word("a", 2), _word("b", 1)),
    _found(
        {"x": "x² ½ ٣ 𝒳 日本"},
        "x² ½ ٣ 𝒳 日*",
        1,
        {"x": 5},
        _word("x²", 1),
        _word("½", 1),
        _word("٣", 1),
        _word("𝒳", 1),
        _prefix("日", 1),
    ),
    # Order: ids by code point; the limit cuts after the order is made, and total does not see it.
    _found(
        {"😀": "a", "ｚ": "a", "b": "a", "Z": "a", "é": "a", "y": "a a"},
        "a",
        6,
        {"y": 2, "Z": 1, "b": 1, "é": 1, "ｚ": 1, "😀": 1},
        _word("a", 6),
    ),
    _limited(2, _found({"c": "a", "b": "a", "a": "a"}, "a", 3, {"a": 1, "b": 1}, _word("a", 3))),
    _found(
        {f"d{n}": "a" for n in range(11)},
        "a",
        11,
        {f"d{n}": 1 for n in (0, 1, 10, 2, 3, 4, 5, 6, 7, 8)},
        _word("a", 11),
    ),
    _found({}, "a OR NOT b", 0, {}, _word("a", 0), _word("b", 0)),
    # Depth: 15 may be open; those in phrases do not count, nor those after an open phrase.
    _found({"x": "a"}, "(" * 15 + "a" + ")" * 15, 1, {"x": 1}, _word("a", 1)),
    _found({"x": "a"}, "(" * 14 + '"((a"' + ")" * 14, 1, {"x": 1}, _phrase("a", 1)),
    _found({"x": "a"}, "NOT " * 40 + "a", 1, {"x": 0}, _word("a", 1)),
    _bad("(" * 16 + "a" + ")" * 16, "too_deep"),
    _bad("((a)" * 15, "too_deep"),
    _bad("((a)" * 14),
    _bad("))" + "(" * 17),
    _bad("))" + "(" * 18, "too_deep"),
    _bad("(" * 15 + '"' + "("),
    _bad("(" * 15 + '"(" ("', "too_deep"),
    # Errors of the grammar.
    *map(_bad, ("", " ", "a AND OR b", "a AND AND b", "a OR", "OR a", "AND a", "AND", "NOT")),
    *map(_bad, ("a NOT", "a NOT AND b", "NOT OR a", "NOT AND a", "()", "a ()", "(a", "a)", ")a(")),
    *map(_bad, ("(a OR) b", "a OR OR b", "(NOT)")),
    # Errors of the parts, also where the grammar has none; blanks are four characters only.
    *map(_bad, ('"', '"a', 'a "b" "', '""', '"!"', '" \u0301"', "a-b", "a_b", "*", "a**", "*a")),
    *map(_bad, ("a*b", "a *", '"a"*', "don't", "e\u0301", "😀", "a\u00a0b", "a\u000bb", "a OR ?")),
    # Which error comes first.
    Case({"docs": [_doc("x", ""), _doc("x", "")], "query": ""}, error="duplicate_id"),
    Case(
        {"docs": [_doc("x", "a"), _doc("y", ""), _doc("x", "b")], "query": "(" * 16},
        error="duplicate_id",
    ),
    Case({"docs": [], "query": "(" * 16}, error="too_deep"),
    _bad("* AND " + "(" * 16, "too_deep"),
)

FAMILY = Family(
    number=60,
    slug="boolean-search",
    title="Boolean full-text search",
    category="search-matching",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(
        required(
            "docs",
            Array(Record((required("id", label()), required("text", Text(0, 1_000)))), 0, 100),
            "The documents. `id` is the name of one, and `text` is its text.",
        ),
        required("query", Text(0, 200), "The query."),
        optional("limit", Integer(1, 100), 10, "How many hits are listed at most."),
    ),
    result=_RESULT,
    errors=(
        ErrorCode("duplicate_id", "Two documents have the same `id`."),
        ErrorCode(
            "too_deep",
            "At some place in the query, the number of parts `(` before it minus the number of "
            'parts `)` before it is greater than 15. After a `"` that begins a phrase without an '
            "end, nothing counts.",
        ),
        ErrorCode(
            "bad_query",
            "A phrase has no end or no token, a word that is no operator is not spelled as above, "
            "or the parts do not fit the grammar.",
        ),
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=_found(
        _CARS,
        '"red bus" OR car* NOT (stop OR the)',
        3,
        {"d1": 2, "d3": 2, "d2": 1},
        _phrase("red bus", 2),
        _prefix("car", 2),
        _word("stop", 1),
        _word("the", 1),
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _limited(
            2,
            _found(
                {
                    "n1": "Straßen: red, red; well-known",
                    "n2": "a well known street",
                    "n3": "Not red?",
                    "n4": "blue",
                },
                'stra* OR "well KNOWN" OR not NOT(blue OR NOT RED)',
                3,
                {"n1": 2, "n2": 1},
                _prefix("stra", 1),
                _phrase("well known", 2),
                _word("not", 1),
                _word("blue", 1),
                _word("red", 2),
            ),
        ),
        Case({"docs": [_doc("n1", "well-known")], "query": "(well-known)"}, error="bad_query"),
    ),
    malformed=(
        {"docs": None, "query": "a"},
        {"docs": {"d1": "a"}, "query": "a"},
        {"docs": ["a"], "query": "a"},
        {"docs": [["d1", "a"]], "query": "a"},
        {"docs": [{"text": "a"}], "query": "a"},
        {"docs": [{"id": "d1"}], "query": "a"},
        {"docs": [{"id": "", "text": "a"}], "query": "a"},
        {"docs": [{"id": 1, "text": "a"}], "query": "a"},
        {"docs": [{"id": "e\u0301" * 20 + "e", "text": "a"}], "query": "a"},
        {"docs": [_doc("d1", "a"), {"id": "d1", "text": None}], "query": "a"},
        {"docs": [{"id": "d1", "text": ["a"]}], "query": "a"},
        {"docs": [_doc("d1", "😀" * 1_001)], "query": "a"},
        {"docs": [_doc("d1", "a")] * 101, "query": "a"},
        {"docs": [], "query": None},
        {"docs": [], "query": ["a"]},
        {"docs": [], "query": "(" * 201},
        {"docs": [], "query": "a", "limit": 0},
        {"docs": [], "query": "a", "limit": 101},
        {"docs": [], "query": "", "limit": 10.0},
        {"docs": [], "query": "a", "limit": "10"},
        {"docs": [], "query": "a", "limit": True},
        {"docs": [], "query": "a", "limit": None},
    ),
)
